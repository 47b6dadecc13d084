"""Numbers as people type them."""

from decimal import Decimal
from typing import Any

from designer.document.keytext import BadKeyText
from designer.document.texts import N_, Text


class NoNumber(ValueError):
    """What was typed is no number; `text` is what was typed."""

    def __init__(self, typed: str) -> None:
        super().__init__(typed)
        self.text = Text(N_('"{typed}" is not a number'), {"typed": typed})


def number(typed: str) -> float | None:
    """A number that was typed; None where nothing was.

    Raises
    ------
    NoNumber
        If it is none.
    """
    value = parsed(typed.strip())
    if isinstance(value, str):
        if value:
            raise NoNumber(typed)
        return None
    return float(value)


def text_of(wrong: Exception) -> Text:
    """What is wrong with something typed, as a text."""
    if isinstance(wrong, BadKeyText):
        said = Text(wrong.message, wrong.params)
        return Text(N_("Character {place}: {problem}"), {"place": wrong.at + 1, "problem": said})
    text: Text = getattr(wrong, "text", Text("{text}", {"text": str(wrong)}))
    return text


def parsed(text: str, *, share: bool = False) -> Any:
    """A number as JSON has it; thousands may be set off by spaces, commas or underscores (1,000,000).

    A share may be typed in per cent: 60 % is 0.6.
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
