"""Changes between two texts of a file, in whole lines."""

import re
from collections.abc import Iterator
from typing import NamedTuple

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
"""A line with its end; other signs that end lines of prose, such as U+2028, end none of a file."""


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

    old, new = ([line for line in _LINE.findall(text) if line] for text in (before, after))
    for kind, first, end, start, stop in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield FileLines(first + 1, end + 1, "".join(new[start:stop]))
