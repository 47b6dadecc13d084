"""Assumed values of figures that were not entered."""

from collections.abc import Iterator

from designer.document.texts import N_
from designer.wording import in_words
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import Sheet

MOST_PLACES, FEW_PLACES = 12, 2
"""So many elements are named for which the same is assumed."""


def blocks(sheet: Sheet) -> Iterator[Block]:
    """Yield the assumed values; equal ones are in one line."""
    guesses = sheet.shown.guesses
    if not guesses:
        yield b.text(sheet(N_("No assumed values.")), muted=True)
        return
    yield b.text(
        sheet(
            N_(
                "Values that the design does not specify. All other values were entered in the design; prices "
                "are from the price book."
            )
        )
    )
    places: dict[tuple[str, str, str], list[str]] = {}
    for guess in guesses:
        what = (sheet.told(guess.title), sheet.said(in_words(guess.value, guess.unit)), sheet.told(guess.why))
        places.setdefault(what, []).append(" › ".join(guess.place) or sheet(N_("the design")))
    most = FEW_PLACES if sheet.many else MOST_PLACES
    rows: list[list[Cell]] = [
        [title, value, why, b.quiet(_listed(sheet, where, most))] for (title, value, why), where in places.items()
    ]
    names = (N_("Item"), N_("Assumed value"), N_("Reason"), N_("Location"))
    yield b.table([sheet(name) for name in names], rows, wide=(2, 3))


def _listed(sheet: Sheet, places: list[str], most: int) -> str:
    rest = len(places) - most
    told = ", ".join(places[:most])
    return told + " " + sheet(N_("… and {count} more"), count=rest) if rest > 0 else told
