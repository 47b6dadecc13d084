"""Parts of which the texts of a segment consist: one description for regular expressions and for many keys at once."""

import re
from dataclasses import dataclass

DIGITS, ANY = r"\d", "."


@dataclass(frozen=True)
class FixedText:
    """A text that all keys have. Latin-1, as the expressions of keys are."""

    text: str

    @property
    def regex(self) -> str:
        """Regular expression of it."""
        return re.escape(self.text)


@dataclass(frozen=True)
class LetterRun:
    """Letters of one class: as many as there are, and none of them is given back to what follows."""

    letters: str
    """Class of a regular expression, such as `[0-9a-f]`."""
    least: int = 1
    most: int | None = None
    has_sign: bool = False
    """True if a minus may stand before it."""

    @classmethod
    def of_width(cls, letters: str, width: int) -> "LetterRun":
        """Return a run of exactly so many letters."""
        return cls(letters, width, width)

    @property
    def width(self) -> int | None:
        """Its number of letters; None where keys differ in it."""
        return self.least if self.least == self.most else None

    @property
    def regex(self) -> str:
        """Regular expression of it."""
        if self.width is not None:
            return f"{self.letters}{{{self.width}}}"
        times = "+" if self.least == 1 and self.most is None else f"{{{self.least},{self.most or ''}}}"
        return f"(?>{'-?' if self.has_sign else ''}{self.letters}{times})"


@dataclass(frozen=True)
class FormedText:
    """A text of one width that an expression describes, such as a date."""

    regex: str
    width: int


KeyPart = FixedText | LetterRun | FormedText
