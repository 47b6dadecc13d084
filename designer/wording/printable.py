"""Texts of a design on terminals and in logs: a name there may hold anything, and must not steer who shows it."""

import re

_STEERING = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control characters, line separators, and marks that turn the direction of writing (Unicode 17, categories Cc, Zl,
Zp and the Bidi_Control property)."""


_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#\[)")
"""How a line begins a command of GitHub's (`::error`), and how any part of a line is one of its older form (`##[`)."""


def printable(text: str) -> str:
    r"""Return the text in one line, with `\x1b` or `\u202e` in place of what would steer a terminal, and no command."""
    one_line = _STEERING.sub(lambda match: match[0].encode("unicode_escape").decode(), text)
    return _COMMAND.sub(lambda match: f"{match[0]} ", one_line)


def printable_lines(text: str) -> str:
    """Return a text of several lines, each of them printable."""
    return "\n".join(map(printable, text.split("\n")))


def printable_json(text: str) -> str:
    """Return JSON of the same value, in which what would steer a terminal is escaped."""
    return _STEERING.sub(lambda match: match[0] if match[0] in "\t\n\r" else f"\\u{ord(match[0]):04x}", text)
