"""Numbers as people type them."""

from decimal import Decimal
from typing import Any

from designer.document.keytext import BadKeyText
from designer.document.texts import N_, Text


class NoNumber(ValueError):
    """Error for input that is not a number; `text` is the input."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.text = Text(N_('"{typed}" is not a number'), {"typed": typed})


def number(typed: str) -> float | None:
    """Parse a number; return None for empty input.

    Raises
    ------
    NoNumber
        If the input is not a number.
    """
    value = parsed(typed.strip())
    if isinstance(value, str):
        if value:
            raise NoNumber(typed)
        return None
    return float(value)


def text_of(wrong: Exception) -> Text:
    """Return the message for an error in an input."""
    if isinstance(wrong, BadKeyText):
        said = Text(wrong.message, wrong.params)
        return Text(N_("Character {place}: {problem}"), {"place": wrong.at + 1, "problem": said})
    text: Text = getattr(wrong, "text", Text("{text}", {"text": str(wrong)}))
    return text


def parsed(text: str, *, share: bool = False) -> Any:
    """Parse a number into its JSON form.

    Thousands may be separated by spaces, commas or underscores (1,000,000). A share may be given in per cent:
    60 % is 0.6.
    """
    if share and text.endswith(("%", "％")):
        parts_of_100 = parsed(text[:-1].rstrip())
        return text if isinstance(parts_of_100, str) else float(Decimal(str(parts_of_100)) / 100)
    bare = text.replace("_", "").replace("\u202f", "").replace("\u00a0", "").replace(" ", "").replace(",", "")
    try:
        return int(bare)
    except ValueError:
        pass
    try:
        number = float(bare)
    except ValueError:
        return text
    return number if number == number and abs(number) != float("inf") else text
