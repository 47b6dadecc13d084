"""Words, quoted texts and numbers of a key text, from left to right."""

import re
from dataclasses import dataclass
from typing import Any

from ..key import as_bytes
from ..texts import N_
from .render import LENGTHS

_BEFORE_BRACE = re.compile(r"\$+(?=\{(?!\{))")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
"""Signs that no page shows: they are written as the bytes that they are."""


MOST_CHARACTERS = 32_768
"""Of the text of a key: a key of 4 KB has four for each byte, and settings of its segments."""
MOST_DIGITS = 40
"""Of a number: twice those of the largest one that is stored."""


class KeyTextError(ValueError):
    """A text that is no key: a sentence, and the place in the text. `message` and `params` are for translation."""

    def __init__(self, at: int, message: str, **params: Any) -> None:
        self.at, self.message, self.params = at, message, params
        super().__init__(f"character {at + 1}: {message.format(**params)}")


def check_length(text: str) -> None:
    """Raise KeyTextError for a text that is too long for a key."""
    if len(text) > MOST_CHARACTERS:
        raise KeyTextError(MOST_CHARACTERS, N_("a key as text has at most {most} characters"), most=MOST_CHARACTERS)


@dataclass
class Word:
    """A name, number or quoted text, with its place."""

    at: int
    text: str
    quoted: bool


class TextScanner:
    """Scans one key text from left to right."""

    def __init__(self, text: str) -> None:
        check_length(text)
        self.text, self.at = text, 0

    def literal_text(self) -> str:
        """Text outside of braces, up to the next segment."""
        start, out = self.at, []
        while self.at < len(self.text):
            here = self.text[self.at]
            # Doubled braces are checked first, or the first one of "{{" would begin a segment.
            if here in "{}" and self.text[self.at : self.at + 2] == here * 2:
                out.append(here)
                self.at += 2
            elif here == "{":
                break
            elif here == "$" and (dollars := _BEFORE_BRACE.match(self.text, self.at)):
                # Templates of programs write ${user}; people paste them as they are.
                out.append("$" * (len(dollars[0]) // 2))  # "${user}" is a field as in a program, "$${user}" has a $
                self.at = dollars.end()
            elif here == "}":
                raise KeyTextError(self.at, N_("}} without {{; write {two} for a literal brace"), two="}}")
            else:
                out.append(here)
                self.at += 1
        text = "".join(out)
        return self.check_text(start, text)

    def check_text(self, at: int, text: str) -> str:
        try:
            as_bytes(text)
        except ValueError:
            raise KeyTextError(at, N_("write a backslash as \\\\, a byte as \\xNN")) from None
        # Written as bytes, so that what is stored can be seen and typed again.
        return _CONTROL.sub(lambda sign: f"\\x{ord(sign[0]):02x}", text)

    def peek(self, sign: str) -> bool:
        return self.text[self.at : self.at + 1] == sign

    def word(self, expected: str) -> Word:
        start = self.at
        if self.peek('"'):
            return Word(start, self.quoted_text(), True)
        match = re.compile(r"[^\s{}():,=\"]+").match(self.text, self.at)
        if not match:
            raise KeyTextError(start, N_("expected {wanted}"), wanted=expected)
        self.at = match.end()
        return Word(start, match[0], False)

    def quoted_text(self) -> str:
        start = self.at
        # A quote within is doubled as in CSV: a backslash is taken already, as it begins a byte (\xNN).
        match = re.compile(r'"((?:[^"]|"")*)"').match(self.text, self.at)
        if not match:
            raise KeyTextError(start, N_("closing quote missing"))
        self.at = match.end()
        return match[1].replace('""', '"')

    def option(self) -> tuple[str, Word]:
        word = self.word(N_("an option"))
        if not word.quoted and self.peek("="):
            self.at += 1
            return word.text, self.word(N_("a value"))
        return "", word

    def options(self) -> list[tuple[str, Word]]:
        pairs = list[tuple[str, Word]]()
        while self.peek(":"):
            self.at += 1
            pairs.append(self.option())
        return pairs

    def number_between(self, word: Word, digits: str, minimum: int, maximum: int, *, unit: int = 1) -> int:
        """Return the number that digits of the word say, in units, if it is within the bounds."""
        # Python refuses to convert numbers of more than 4,300 digits; nobody would read the sentence, either.
        is_readable = len(digits) <= MOST_DIGITS
        number = int(digits) * unit if is_readable else f"{digits[:MOST_DIGITS]}…"
        if isinstance(number, str) or not minimum <= number <= maximum:
            raise KeyTextError(
                word.at, N_("{number} is not between {least} and {most}"), number=number, least=minimum, most=maximum
            )
        return number

    def whole_number(self, word: Word, *, minimum: int, maximum: int = 2**63 - 1) -> int:
        if word.quoted or not word.text.isdecimal():
            raise KeyTextError(word.at, N_("{word} is not a whole number"), word=word.text)
        return self.number_between(word, word.text, minimum, maximum)

    def length(self, word: Word) -> int:
        """Return a length of time in seconds."""
        match = re.fullmatch(r"(\d+)([dhms])", word.text, re.ASCII)
        if match is None:
            raise KeyTextError(word.at, N_("{word} is not a length of time, for example 5m or 10d"), word=word.text)
        return self.number_between(word, match[1], 1, 10**9, unit=LENGTHS[match[2]])
