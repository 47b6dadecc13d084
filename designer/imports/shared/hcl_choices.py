"""Terraform's conditional and `for` expressions, taken apart into the expressions that they are made of."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_NAMES = re.compile(r"for\s+([A-Za-z_][\w-]*)(?:\s*,\s*([A-Za-z_][\w-]*))?\s+in\s+(.*)", re.DOTALL)
_COMPARISON = re.compile(r"==|!=|<=|>=|<|>")
MOST_PARENTHESES = 4
MOST_LENGTH = 10_000
"""Characters of an expression; what is longer was made to be, and is none of these."""
_OPENING, _CLOSING = "([{", ")]}"


@dataclass(frozen=True)
class Conditional:
    """`condition ? then : otherwise`."""

    condition: str
    then: str
    otherwise: str


@dataclass(frozen=True)
class Loop:
    """`[for item in over : value if condition]`, or with `key => value` in braces."""

    index: str
    """Name of the key or the place; empty where only the items have a name."""
    item: str
    over: str
    key: str
    """Empty for a list."""
    value: str
    condition: str
    """Empty where all items are taken."""


def read_conditional(text: str) -> Conditional | None:
    """Return a conditional expression; None of any other."""
    if "?" not in text or len(text) > MOST_LENGTH:
        return None
    question = next((place for place in _outside(text) if text[place] == "?"), None)
    if question is None:
        return None
    inner = 0
    for place in _outside(text):
        if place > question and text[place] in "?:":
            if text[place] == ":" and not inner:
                parts = text[:question], text[question + 1 : place], text[place + 1 :]
                return Conditional(*(part.strip() for part in parts))
            inner += 1 if text[place] == "?" else -1
    return None


def read_loop(text: str) -> Loop | None:
    """Return a `for` expression; None of any other, and of one that groups its values or holds another."""
    if not 2 <= len(text) <= MOST_LENGTH or text[0] + text[-1] not in ("[]", "{}"):
        return None
    head = _NAMES.fullmatch(text[1:-1].strip())
    if head is None:
        return None
    first, second, rest = head.groups()
    over, colon, result = _split_at(rest, ":")
    result, _, condition = _split_at(result, " if ")
    key, arrow, value = _split_at(result, "=>") if text[0] == "{" else ("", "=>", result)
    if not colon or not arrow or value.endswith("...") or "?" in over or re.search(r"\bfor\s", result):
        return None
    return Loop(first if second else "", second or first, over, key, value, condition)


def split_at(text: str, sign: str) -> list[str]:
    """Return the parts of an expression between the places of a sign of two letters outside brackets and texts."""
    ends = [place for place in _outside(text) if text.startswith(sign, place)]
    begins = [0, *(end + len(sign) for end in ends)]
    return [text[begin:end].strip() for begin, end in zip(begins, [*ends, len(text)], strict=True)]


def read_comparison(text: str) -> tuple[str, str, str] | None:
    """Return what is compared, with the sign between; None of any other expression."""
    for place in _outside(text):
        if match := _COMPARISON.match(text, place):
            return text[:place].strip(), match[0], text[match.end() :].strip()
    return None


def without_parentheses(text: str) -> str:
    """Return an expression without parentheses around the whole of it, a few at most."""
    for _ in range(MOST_PARENTHESES):
        if not (text.startswith("(") and text.endswith(")") and next(_outside(text), None) is None):
            break
        text = text[1:-1].strip()
    return text


def _split_at(text: str, sign: str) -> tuple[str, str, str]:
    for place in _outside(text):
        if text.startswith(sign, place):
            return text[:place].strip(), sign, text[place + len(sign) :].strip()
    return text.strip(), "", ""


def _outside(text: str) -> Iterator[int]:
    """Yield the places outside brackets and texts; behind what closes nothing there are none."""
    open_: list[str] = []
    place = 0
    while place < len(text):
        sign = text[place]
        in_text = bool(open_) and open_[-1] == '"'
        if in_text and sign == "\\":
            place += 1
        elif in_text and text.startswith("${", place):
            open_.append("}")
            place += 1
        elif sign == '"' and in_text:
            open_.pop()
        elif sign == '"':
            open_.append('"')
        elif not in_text and sign in _OPENING:
            open_.append(_CLOSING[_OPENING.index(sign)])
        elif not in_text and sign in _CLOSING:
            if not open_ or open_.pop() != sign:
                return
        elif not open_:
            yield place
        place += 1
