"""YAML text → nodes with their places. Texts stay texts: what they mean is decided by the field that they are for.

Aliases, tags and several documents are refused; a design needs none of them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..texts import N_

MAX_DEPTH = 64


class CompactError(ValueError):
    """A text that is no compact form: a sentence, and its line and column, from 1. It is for translation."""

    def __init__(self, message: str, line: int, column: int, **params: Any) -> None:
        self.message, self.line, self.column, self.params = message, line, column, params
        super().__init__(f"line {line}, column {column}: {message.format(**params)}")


@dataclass(frozen=True)
class Scalar:
    """A text with the line and column of its beginning, from 1."""

    text: str
    line: int
    column: int
    is_word: bool = False
    """A word of a line, which is not taken apart again."""
    is_quoted: bool = False
    starts: tuple[tuple[int, int, int], ...] = ((0, 0, 0),)
    """Where each of its lines begins: place in the text, lines below the first, column, from 0. () is unknown."""

    def place(self, at: int) -> tuple[int, int]:
        """Return the line and column of a character, or of the beginning where the file has it elsewhere."""
        for start, below, column in reversed(self.starts):
            if start <= at:
                first = self.column + self.is_quoted
                return self.line + below, at - start + (column + 1 if below else first)
        return self.line, self.column

    @property
    def is_null(self) -> bool:
        """True if nothing is said."""
        return not self.is_quoted and self.text in ("", "~", "null")


@dataclass(frozen=True)
class Mapping:
    """Names with their values, in order."""

    entries: tuple[tuple[Scalar, "Node"], ...]
    line: int
    column: int


@dataclass(frozen=True)
class Listing:
    """Values in order."""

    items: tuple["Node", ...]
    line: int
    column: int


@dataclass(frozen=True)
class Phrase:
    """`head(argument, name=argument)`, or the arguments of a line without a head."""

    head: Scalar | None
    arguments: tuple[tuple[Scalar | None, "Node"], ...]
    line: int
    column: int


Node = Scalar | Mapping | Listing | Phrase


def parse_yaml(text: str) -> Node:
    """Return the nodes of a YAML text.

    Raises
    ------
    CompactError
        If it is no YAML, nested too deeply, or uses what a design needs not.
    """
    import yaml

    try:
        return _build(yaml_events(text), text.split("\n"))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        # PyYAML says of a tab that the character cannot start any token, which helps nobody.
        if "".join(text.splitlines()[line - 1 : line])[column - 1 :].startswith("\t"):
            raise CompactError(N_("a tab cannot indent: use spaces"), line, column) from None
        raise CompactError(N_("invalid YAML: {problem}"), line, column, problem=error.problem or "") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = N_("invalid YAML: the character {code} is not allowed")
        raise CompactError(message, line, 1, code=f"U+{_code(error.character):04X}") from None


def yaml_events(text: str) -> Iterator[Any]:
    """Return PyYAML's events, which is imported here because designs in JSON need it not."""
    import yaml

    # The parser in C is some ten times as fast, and is not part of every installation of PyYAML.
    events: Iterator[Any] = yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    return events


def _code(character: Any) -> int:
    return character if isinstance(character, int) else ord(character[:1])


def _build(events: Iterator[Any], lines: list[str]) -> Node:
    """Put nodes together from events, without recursion: a hostile text may be nested as deeply as it is long."""
    import yaml

    stack: list[tuple[bool, list[Node], int, int]] = []
    root: Node = Scalar("", 1, 1)
    documents = 0
    for event in events:
        mark = event.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise CompactError(N_("a file holds one design"), line, column)
        # A few lines of aliases of aliases would otherwise grow into gigabytes of data ("billion laughs").
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise CompactError(N_("anchors and aliases are not allowed: write the value itself"), line, column)
        if getattr(event, "tag", None):
            raise CompactError(N_("tags are not allowed: remove {tag}"), line, column, tag=event.tag)
        if isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            # The data is validated by recursion later.
            if len(stack) == MAX_DEPTH:
                message = N_("lists and objects are nested more than {most} levels deep")
                raise CompactError(message, line, column, most=MAX_DEPTH)
            stack.append((isinstance(event, yaml.MappingStartEvent), [], line, column))
            continue
        if isinstance(event, yaml.ScalarEvent):
            node: Node = Scalar(event.value, line, column, is_quoted=bool(event.style), starts=_starts(event, lines))
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            is_mapping, nodes, line, column = stack.pop()
            node = Mapping(tuple(_pairs(nodes)), line, column) if is_mapping else Listing(tuple(nodes), line, column)
        else:
            continue
        if stack:
            stack[-1][1].append(node)
        else:
            root = node
    return root


def _starts(event: Any, lines: list[str]) -> tuple[tuple[int, int, int], ...]:
    """Return where the lines of a scalar begin in its text, if each break stands for one space."""
    first, last = event.start_mark, event.end_mark
    # The indentation of a block text depends on its header; its lines are not looked for.
    if event.style in ("|", ">"):
        return ()
    if first.line == last.line:
        return ((0, 0, 0),)
    raw = lines[first.line : last.line + 1]
    raw[-1] = raw[-1][: last.column]
    raw[0] = raw[0][first.column :]
    if event.style:
        raw[0], raw[-1] = raw[0][1:], raw[-1][:-1]
    parts = [part.strip().replace("''", "'") if event.style == "'" else part.strip() for part in raw]
    # Escapes and blank lines change the text: then only its beginning is known, and no place is better than a wrong
    # one.
    if " ".join(parts) != event.value:
        return ()
    places, at = list[tuple[int, int, int]](), 0
    for below, part in enumerate(parts):
        places.append((at, below, len(raw[below]) - len(raw[below].lstrip())))
        at += len(part) + 1
    return tuple(places)


def _pairs(nodes: list[Node]) -> Iterator[tuple[Scalar, Node]]:
    for key, value in zip(nodes[::2], nodes[1::2], strict=True):
        if not isinstance(key, Scalar):
            raise CompactError(N_("a name is a text, not a list or an object"), key.line, key.column)
        yield key, value
