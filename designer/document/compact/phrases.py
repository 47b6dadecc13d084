"""The grammar of one line: `4.5k/s by user & day, newest_rows=50, profile=diurnal(peak_hour=12)`.

line   = argument {"," argument}
argument = [name "="] value ["by" value {"&" value}]
value  = word ["(" line ")"] | "(" line ")" | "[" [value {"," value}] "]"
word   = letters, digits and _ . / % + - : ; ' with single spaces between; all else stands in
         quotes, as in JSON, or in single ones if it has no quote and no backslash
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..texts import N_
from .nodes import MAX_DEPTH, CompactError, Listing, Node, Phrase, Scalar

# Words may be parted by one space each; "by" ends them, as it begins the fields that a read gives.
_WORD = re.compile(r"(?!by )[\w./%+:;'-]+(?: (?!by )[\w./%+:;'-]+)*")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_IN_SINGLE_QUOTES = re.compile(r"'([^'\"\\]*[^\w\s./%+:;'\"\\-][^'\"\\]*)'(?=\s*(?:[,)\]&=]|$))")
"""Only what is no word as it is: a name may begin and end with such a sign."""
_SPACE = re.compile(r"\s*")
BY, NULL = "by", "null"
"""What parts the rate of a read from the fields that it gives, and what says that nothing is said."""


def word_text(text: str) -> str:
    """Return a text as a word of a line, in quotes where it must be."""
    is_word = _WORD.fullmatch(text) and text not in (BY, NULL)
    return text if is_word else json.dumps(text, ensure_ascii=False)


def parse_line(scalar: Scalar) -> Phrase:
    """Return the arguments of a line; without a head.

    Raises
    ------
    CompactError
        With the place of the first sign that does not fit.
    """
    reader = _Reader(scalar)
    phrase = Phrase(None, tuple(reader.arguments("")), scalar.line, scalar.column)
    if reader.at < len(reader.text):
        raise reader.error(N_("unexpected {sign}"), sign=reader.text[reader.at])
    return phrase


@dataclass
class _Reader:
    """Reads one line from left to right."""

    source: Scalar
    at: int = 0
    depth: int = 0

    def __post_init__(self) -> None:
        self.text = self.source.text
        self.skip_space()

    def arguments(self, end: str) -> Iterator[tuple[Scalar | None, Node]]:
        """Yield names and values up to the closing sign."""
        while self.at < len(self.text) and self.text[self.at] != end:
            # A line may begin with "by": a read whose rate is not known.
            if not self.is_by():
                start, value = self.at, self.value()
                if self.takes("="):
                    if not isinstance(value, Scalar):
                        raise self.error(N_("a name is expected before ="), at=start)
                    yield value, self.value()
                else:
                    yield None, value
            if self.is_by():
                name = Scalar("binds", *self.place(self.at))
                self.at += len(BY)
                self.skip_space()
                yield name, Listing(tuple(self.known_fields()), *self.place(self.at))
            if not self.takes(","):
                break

    def items(self, sign: str) -> Iterator[Node]:
        yield self.value()
        while self.takes(sign):
            yield self.value()

    def known_fields(self) -> Iterator[Node]:
        """Yield the fields behind `by`."""
        for field in self.items("&"):
            if self.text[self.at : self.at + 1] == "=":
                message = N_("“by” takes names of fields; write other parts after a comma, as in “1/s, time=1h”")
                raise self.error(message)
            yield field

    def value(self) -> Node:
        start = self.at
        self.depth += 1
        # Parentheses are read by recursion, which a hostile line could take beyond Python's limit.
        if self.depth > MAX_DEPTH:
            raise self.error(N_("lists and objects are nested more than {most} levels deep"), most=MAX_DEPTH)
        value = self.inner_value(start)
        self.depth -= 1
        return value

    def inner_value(self, start: int) -> Node:
        if self.takes("["):
            items: Sequence[Node] = () if self.text[self.at : self.at + 1] == "]" else tuple(self.items(","))
            self.close("]", start)
            return Listing(tuple(items), *self.place(start))
        head = None if self.text[self.at : self.at + 1] == "(" else self.word()
        if not self.takes("("):
            assert head is not None
            return head
        arguments = tuple(self.arguments(")"))
        self.close(")", start)
        return Phrase(head, arguments, *self.place(start))

    def word(self) -> Scalar:
        start = self.at
        if single := _IN_SINGLE_QUOTES.match(self.text, self.at):
            self.at = single.end()
            self.skip_space()
            return Scalar(single[1], *self.place(start), is_word=True, is_quoted=True)
        match = _QUOTED.match(self.text, self.at) or _WORD.match(self.text, self.at)
        if match is None:
            raise self.error(N_("a value is expected here"))
        self.at = match.end()
        self.skip_space()
        if not match[0].startswith('"'):
            return Scalar(match[0], *self.place(start), is_word=True)
        try:
            return Scalar(json.loads(match[0], strict=False), *self.place(start), is_word=True, is_quoted=True)
        except ValueError:
            raise self.error(N_("a text in quotes is written as in JSON"), at=start) from None

    def is_by(self) -> bool:
        return re.compile(rf"{BY}(?=\s)").match(self.text, self.at) is not None

    def takes(self, sign: str) -> bool:
        if self.text[self.at : self.at + 1] != sign:
            return False
        self.at += 1
        self.skip_space()
        return True

    def close(self, sign: str, start: int) -> None:
        if not self.takes(sign):
            raise self.error(N_("{sign} is missing"), at=start, sign=sign)

    def skip_space(self) -> None:
        match = _SPACE.match(self.text, self.at)
        assert match is not None
        self.at = match.end()

    def place(self, at: int) -> tuple[int, int]:
        return self.source.place(at)

    def error(self, message: str, *, at: int | None = None, **params: Any) -> CompactError:
        return CompactError(message, *self.place(self.at if at is None else at), **params)
