"""Texts as YAML: plain where every reader takes them for texts, else in quotes."""

import json
import re
from collections.abc import Sequence

_INDICATORS = tuple("-?:,[]{}#&*!|>'\"%@` ")
_NEEDS_QUOTES = re.compile(r":(?:\s|$)|\s#|^(?:---|\.\.\.)")
_OTHER_TYPES = re.compile(
    r"~|null|true|false|yes|no|on|off|y|n|[-+]?[.\d][\d_.,:eE+-]*|0[xo][0-9a-fA-F]+|[-+]?\.(?:inf|nan)|<<|=",
    re.IGNORECASE,
)
"""What YAML 1.1 or 1.2 takes for something else than text."""
_FLOW = re.compile(r"[\[\]{},]")


def yaml_scalar(text: str, *, is_text: bool = False) -> str:
    """Return a scalar; `is_text` keeps what looks like a number or a flag a text for other readers of YAML, too."""
    if not text.isprintable():
        return _escape_text(text)
    if not text or text.endswith(" ") or _NEEDS_QUOTES.search(text) or _is_indicated(text) or _is_null(text):
        return _in_single_quotes(text)
    # This program takes every scalar as a text; other tools would read "no" as false and 1e3 as a number.
    return _in_single_quotes(text) if is_text and _OTHER_TYPES.fullmatch(text) else text


def _is_null(text: str) -> bool:
    return text.lower() in ("~", "null")


def _is_indicated(text: str) -> bool:
    if text[0] in "-?:" and len(text) > 1 and text[1] not in " ":  # -5 is a text, "- 5" would be an item
        return False
    return text.startswith(_INDICATORS)


def key_text(text: str) -> str:
    """Return a name before a colon."""
    if not text.isprintable():
        return _escape_text(text)
    return yaml_scalar(text, is_text=True)


def flow_list(texts: Sequence[str]) -> str:
    """Return a list on one line."""
    return f"[{', '.join(_in_flow(text) for text in texts)}]"


def _in_flow(text: str) -> str:
    scalar = yaml_scalar(text)
    # Within brackets, a comma or a brace would end the item.
    return (
        _in_single_quotes(text)
        if scalar == text and (_FLOW.search(text) or text[0] in "-?:" or ":" in text)
        else scalar
    )


def block_text(text: str) -> str | None:
    """Return a text of several lines as a literal block without indentation; None where only quotes can hold it."""
    body = text.removesuffix("\n")
    lines = body.split("\n")
    # The indentation of a block is that of its first line, so that this must not begin with a space.
    if not lines[0].strip() or lines[0].startswith(" ") or not lines[-1].strip():
        return None
    if not all(line.isprintable() for line in lines):
        return None
    return "\n".join(["|" if text.endswith("\n") else "|-", *lines])


def _in_single_quotes(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _escape_text(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(sign if sign.isprintable() else _escape(sign) for sign in quoted)


def _escape(sign: str) -> str:
    return f"\\u{ord(sign):04x}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08x}"
