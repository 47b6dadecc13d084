"""Terraform's language: quoted strings, blocks laid out as `terraform fmt` would, comments of one line."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .comments import comment

_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t", '"': '\\"', "\\": "\\\\"}
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")


class UnquotedText(str):
    """Text that is written to the file unquoted: a reference, a number, a function call."""

    __slots__ = ()


def quote(text: str) -> str:
    """Return a string literal for exactly this text, without any template in it.

    The first character of a template's start is written as a code: `$${` is read in several ways by the tools
    that read these files.

    >>> print(quote('a"b ${x}'))
    "a\\"b \\u0024{x}"
    """
    escaped = "".join(_SHORT.get(c) or (c if c.isprintable() else _code(c)) for c in text)
    # Terraform's own escape is `$${`, which other readers of these files take for a dollar and a template.
    return '"' + escaped.replace("${", "\\u0024{").replace("%{", "\\u0025{") + '"'


def _code(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def is_kept_unchanged(text: str) -> bool:
    """Return whether Terraform keeps the text unchanged.

    It normalises every string (NFC), and NUL ends a string in some places.
    """
    # Terraform would write another text than the design has, and then report a difference for ever.
    return unicodedata.is_normalized("NFC", text) and "\0" not in text


def value(data: Any) -> str:
    """Return a value on one line."""
    match data:
        case UnquotedText():
            return str(data)
        # Before whole numbers, as Python counts True among them.
        case bool():
            return "true" if data else "false"
        case int():
            return str(data)
        case str():
            return quote(data)
        case Mapping():
            inside = ", ".join(f"{_key(key)} = {value(inner)}" for key, inner in data.items())
            return f"{{ {inside} }}" if inside else "{}"
        case Sequence():
            return f"[{', '.join(map(value, data))}]"
    raise TypeError(f"{type(data).__name__} has no form in Terraform's language")


def _key(key: str) -> str:
    return key if _WORD.fullmatch(key) else quote(key)


class HclBlock:
    """A block: attributes, aligned as `terraform fmt` does, comments and inner blocks, in the order they are given."""

    def __init__(self, kind: str, *labels: str) -> None:
        self.head = " ".join([kind, *map(quote, labels)])
        self.address = ".".join(labels) if kind == "resource" else ""
        self.parts: list[tuple[str, str] | str | HclBlock] = []

    def set(self, name: str, data: Any) -> "HclBlock":
        """Add an attribute, unless it is None, and return the block."""
        if data is not None:
            self.parts.append((name, value(data)))
        return self

    def add_comment(self, text: str) -> "HclBlock":
        """Add a comment, and return the block."""
        self.parts.append(comment(text))
        return self

    def add_block(self, block: "HclBlock") -> "HclBlock":
        """Add a nested block, and return the nested block."""
        self.parts.append(block)
        return block

    def lines(self, indent: str = "") -> Iterable[str]:
        """Yield the block's text line by line."""
        if not self.parts:
            yield f"{indent}{self.head} {{}}"
            return
        yield f"{indent}{self.head} {{"
        inner = indent + "  "
        for place, part in enumerate(self.parts):
            if isinstance(part, HclBlock):
                if place:
                    yield ""
                yield from part.lines(inner)
            elif isinstance(part, str):
                yield inner + part
            else:
                name, value = part
                if place and isinstance(self.parts[place - 1], HclBlock):
                    yield ""
                yield f"{inner}{name.ljust(self._width(place))} = {value}"
        yield f"{indent}}}"

    def _width(self, place: int) -> int:
        """Return the width of the names in the group of adjacent attributes at this index."""
        first = last = place
        while first > 0 and isinstance(self.parts[first - 1], tuple):
            first -= 1
        while last + 1 < len(self.parts) and isinstance(self.parts[last + 1], tuple):
            last += 1
        together = self.parts[first : last + 1]
        return max(len(part[0]) for part in together if isinstance(part, tuple))
