"""Assumed values of figures that were not entered."""

from collections.abc import Iterator

from designer.document.texts import N_, Text
from designer.wording import describe_value
from estimator.presentation.assumed_values import is_about_money
from reviews.pdf import blocks as b
from reviews.pdf.blocks import Block, Cell
from reviews.pdf.render_context import RenderContext

MOST_PLACES, FEW_PLACES = 12, 2
"""So many elements are named for which the same is assumed."""


def blocks(context: RenderContext) -> Iterator[Block]:
    """Yield the assumed values; equal ones are in one line."""
    guesses = tuple(
        guess
        for guess in context.page.assumed_values
        if not (context.options.hides_cost and is_about_money(guess.name))
    )
    if not guesses:
        yield b.text(context(N_("No assumed values.")), muted=True)
        return
    yield b.text(
        context(
            N_(
                "Values that the design does not specify. All other values were entered in the design; prices "
                "are from the price book."
            )
        )
    )
    places: dict[tuple[str, str, str], list[str]] = {}
    for guess in guesses:
        what = (
            context.translate_text(guess.title),
            context.format_text(describe_value(guess.value, guess.unit)),
            context.format_text(guess.why) if isinstance(guess.why, Text) else context.translate_text(guess.why),
        )
        places.setdefault(what, []).append(" › ".join(guess.place) or context(N_("the design")))
    most = FEW_PLACES if context.has_many_tables else MOST_PLACES
    rows: list[list[Cell]] = [
        [title, value, why, b.quiet(_join_places(context, where, most))]
        for (title, value, why), where in places.items()
    ]
    names = (N_("Item"), N_("Assumed value"), N_("Reason"), N_("Location"))
    yield b.table([context(name) for name in names], rows, wide=(2, 3))


def _join_places(context: RenderContext, places: list[str], limit: int) -> str:
    rest = len(places) - limit
    text = context.join(places[:limit])
    return text + " " + context(N_("… and {count} more"), count=rest) if rest > 0 else text
