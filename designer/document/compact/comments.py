"""Comments of a compact text: which part each stands at, so that writing the text anew keeps them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..base import Path
from .nodes import yaml_events

_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#.*")


@dataclass
class Comments:
    """Comments above parts, at the end of their lines, below all that is in them, and behind everything."""

    above: dict[Path, list[str]] = field(default_factory=lambda: defaultdict(list))
    beside: dict[Path, str] = field(default_factory=dict)
    below: dict[Path, list[str]] = field(default_factory=lambda: defaultdict(list))
    last: list[str] = field(default_factory=list)


def find_comments(text: str, places: Mapping[Path, tuple[int, int]]) -> Comments:
    """Return the comments of a valid text whose parts stand at these places."""
    first_of_line: dict[int, Path] = {}
    # From the left, and outer parts first: a comment at the end of a line belongs to what begins the line.
    for path, (at, _) in sorted(places.items(), key=lambda entry: (entry[1], len(entry[0]))):
        if path:
            first_of_line.setdefault(at, path)
    comments, waiting = Comments(), list[tuple[int, str]]()
    open_parts: list[tuple[int, Path]] = []  # with their indentation: the part before and those that it is in
    spans = _lines_of_texts(text)
    for number, line in enumerate(text.split("\n"), 1):
        here = first_of_line.get(number)
        if here is not None:
            indent = len(line) - len(line.lstrip(" "))
            above = _take_inner(comments, open_parts, waiting, indent)
            comments.above[() if number == min(first_of_line) else here] += above  # a text's head stays at its top
            waiting = []
            open_parts = [*((at, path) for at, path in open_parts if at < indent), (indent, here)]
        # "#" within a text is no comment, and keys are full of it.
        match = next((m for m in _COMMENT.finditer(line) if not _is_inside(number, m.start(), spans)), None)
        if match is None:
            continue
        if line[: match.start()].strip() and here is not None:
            comments.beside[here] = match[0].rstrip()
        else:
            waiting.append((match.start(), match[0].rstrip()))
    comments.last = _take_inner(comments, open_parts, waiting, 0)
    return comments


def _take_inner(
    comments: Comments, open_parts: Sequence[tuple[int, Path]], waiting: Sequence[tuple[int, str]], indent: int
) -> list[str]:
    """Have comments that are indented more than what follows end the part that they stand in; return the others."""
    texts = [text for _, text in waiting]
    for number, (column, text) in enumerate(waiting):
        part = next((path for at, path in reversed(open_parts) if indent < at <= column), None)
        if part is None:
            return texts[number:]
        comments.below[part].append(text)
    return []


Span = tuple[tuple[int, int], tuple[int, int]]


def _lines_of_texts(text: str) -> Mapping[int, Sequence[Span]]:
    """Return where scalars stand, by the lines that they are on: lines from 1, columns from 0."""
    spans_by_line: dict[int, list[Span]] = defaultdict(list)
    for event in yaml_events(text):
        start, end = event.start_mark, event.end_mark
        if hasattr(event, "style"):  # a scalar
            span = ((start.line + 1, start.column), (end.line + 1, end.column))
            for line in range(span[0][0], span[1][0] + 1):
                spans_by_line[line].append(span)
    return spans_by_line


def _is_inside(line: int, column: int, spans: Mapping[int, Sequence[Span]]) -> bool:
    return any(start <= (line, column) < end for start, end in spans.get(line, ()))
