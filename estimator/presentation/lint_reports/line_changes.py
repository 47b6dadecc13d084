"""Changes between two texts of a file, in whole lines."""

from collections.abc import Iterator
from typing import NamedTuple


class FileLines(NamedTuple):
    """Lines that go, and the text that stands there then."""

    first: int
    """The first line of them, from 1; of none, the line before which the text comes."""
    end: int
    """The line after the last of them."""
    text: str


def line_changes(before: str, after: str) -> Iterator[FileLines]:
    r"""Yield the changes from one text to the other, in order.

    >>> list(line_changes("a\nb\nc\n", "a\nB\nc\nd\n"))
    [FileLines(first=2, end=3, text='B\n'), FileLines(first=4, end=4, text='d\n')]
    """
    from difflib import SequenceMatcher  # here, as most designs have no fix

    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    for kind, first, end, start, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield FileLines(first + 1, end + 1, "".join(new[start:stop]))
