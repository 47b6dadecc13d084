"""Markdown (GitHub's flavour): text that stays text, code, tables. Nothing in it becomes a link, an image or HTML."""

import re
from collections.abc import Iterable, Sequence

from markdown_it import MarkdownIt

from .comments import one_line

_SPECIAL = re.compile(r"[\\`*_\[\]|~$@]|:(?=//)|(?<=www)\.|^[#+=-]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
"""What marks something within a line, what GitHub makes links and formulas of, and what begins a block at its start."""
_COMMONMARK = MarkdownIt("commonmark")
_NAMES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}


def text(value: str) -> str:
    """One line of text that reads as it is."""
    escaped = _SPECIAL.sub(lambda match: "\\" + match[0], one_line(value))
    return re.sub(r"[&<>]", lambda match: _NAMES[match[0]], escaped)


def code(value: str) -> str:
    """One line of code; empty for nothing."""
    line = one_line(value)
    if not line:
        return ""
    ticks = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def cell(value: str) -> str:
    """One line of code in a table, where a bar ends the cell unless it is escaped, in code too."""
    return code(value).replace("|", "\\|")


def quote(value: str) -> Iterable[str]:
    """Return a person's own Markdown as a quotation that its text cannot end.

    HTML in it is displayed as text, and an image becomes a link to itself, as on the site's own pages, so that
    the reader's browser loads nothing without a request. Characters are escaped only if there are any HTML tags
    or images, because code would display the escapes.
    """
    lines = ["".join(c if c.isprintable() else " " for c in line) for line in value.splitlines()]
    if _has("html", _quote_lines(lines)):
        lines = [line.replace("&", "&amp;").replace("<", "&lt;") for line in lines]
    if _has("image", _quote_lines(lines)):
        lines = [line.replace("![", "&#33;[") for line in lines]
    return _quote_lines(lines)


def _quote_lines(lines: Iterable[str]) -> list[str]:
    return [f"> {line}".rstrip() for line in lines]


def _has(pattern: str, lines: Iterable[str]) -> bool:
    try:
        tokens = _COMMONMARK.parse("\n".join(lines))
    except IndexError:  # markdown-it-py 4.3 fails on some HTML at the end of a list, and on nothing without HTML
        return True
    return any(pattern in node.type for token in tokens for node in (token, *(token.children or ())))


def table(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> Iterable[str]:
    """Yield the lines of a table; its cells are already Markdown."""
    yield f"| {' | '.join(head)} |"
    yield f"| {' | '.join('---:' if place in right else '---' for place in range(len(head)))} |"
    for row in rows:
        yield f"| {' | '.join(row)} |"
