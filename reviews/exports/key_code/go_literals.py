"""Heads of Go files, and values as Go has them."""

import re
from collections.abc import Sequence

from ..shared.comments import one_line
from .vectors import Argument

PACKAGES = {
    "md5": "crypto/md5", "sha1": "crypto/sha1", "sha256": "crypto/sha256", "base64": "encoding/base64",
    "binary": "encoding/binary", "hex": "encoding/hex", "hash": "hash", "crc32": "hash/crc32", "fnv": "hash/fnv",
    "big": "math/big", "utf8": "unicode/utf8",
    **{name: name for name in ("bytes", "fmt", "math", "regexp", "sort", "strconv", "strings", "time")},
}  # fmt: skip
HEAD = """// Package keys makes row keys, byte for byte as designed. To verify them, call Verify in a test.
package keys
"""


def file_head(origin: str, parts: Sequence[str]) -> str:
    """Return the head of a file with what these parts import: Go compiles no file with more."""
    used = "\n".join(parts)
    imports = "".join(f'\t"{path}"\n' for name, path in sorted(PACKAGES.items(), key=lambda pair: pair[1])
                      if re.search(rf"\b{name}\.", used))  # fmt: skip
    # In the words by which Go's linters know files to leave alone ("go generate", pkg.go.dev/cmd/go, read 2026-11-29).
    return f"// Code generated for {one_line(origin)}. DO NOT EDIT.\n\n{HEAD}\nimport (\n{imports})"


def go_literal(value: Argument | None) -> str:
    """Return a value as Go has it."""
    match value:
        case None:
            return "-1"
        case bool():
            return str(value).lower()
        case int():
            return str(value)
        case bytes():
            inside = "".join(
                chr(byte) if 32 <= byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in value
            )
            return f'[]byte("{inside}")'
    return text_literal(value)


def text_literal(text: str) -> str:
    """Return a text as Go has it."""
    return '"' + "".join(map(_letter, text)) + '"'


def _letter(letter: str) -> str:
    if letter in '"\\':
        return f"\\{letter}"
    return letter if letter.isprintable() else f"\\U{ord(letter):08x}"
