"""Numbers as people type them."""

from decimal import Decimal
from typing import Any

from designer.document.compact.quantities import parse_quantity, unit_of
from designer.document.keytext import KeyTextError
from designer.document.texts import N_, Text


class InvalidNumberError(ValueError):
    """Error for input that is not a number; `text` is the input."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = Text(N_('"{typed}" is not a number'), {"typed": text})


def parse_number(text: str, *, name: str = "") -> float | None:
    """Parse a number, as `parse_json_number`; return None for empty input.

    Raises
    ------
    InvalidNumberError
        If the input is not a number.
    """
    value = parse_json_number(text.strip(), name=name)
    if isinstance(value, str):
        if value:
            raise InvalidNumberError(text)
        return None
    return float(value)


def error_text(error: Exception) -> Text:
    """Return the message for an error in an input."""
    if isinstance(error, KeyTextError):
        problem = Text(error.message, error.params)
        return Text(N_("Character {place}: {problem}"), {"place": error.at + 1, "problem": problem})
    text: Text = getattr(error, "text", Text("{text}", {"text": str(error)}))
    return text


def parse_json_number(text: str, *, share: bool = False, name: str = "") -> Any:
    """Parse a number into its JSON form.

    Thousands may be separated by spaces, commas or underscores (1,000,000). A share may be given in per cent:
    60 % is 0.6. Multiples and units are those of the compact form: 20k, 1.5M, 12h; the end of the field's `name` says
    which units it has.
    """
    if share and text.endswith(("%", "％")):
        parts_of_100 = parse_json_number(text[:-1].rstrip())
        return text if isinstance(parts_of_100, str) else float(Decimal(str(parts_of_100)) / 100)
    bare = text.replace("_", "").replace("\u202f", "").replace("\u00a0", "").replace(" ", "").replace(",", "")
    try:
        return int(bare)
    except ValueError:
        pass
    try:
        number = float(bare)
    except ValueError:
        quantity = parse_quantity(bare, unit_of(name))
        return text if quantity is None else quantity
    return number if number == number and abs(number) != float("inf") else text
