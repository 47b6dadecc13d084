"""Comparisons of documents, with estimates and findings made once and remembered. Knows no Django."""

from collections.abc import Callable, Hashable

from designer.document import Spec
from estimator.advice.questions import lint
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.presentation.design_page import Answer, answer, answer_key

from .designs import Comparison, Side, aligned, compare

See = Callable[[Spec, Answer], Side]
"""What somebody may see of a document and of what was computed of it."""


def whole(spec: Spec, made: Answer) -> Side:
    """Everything."""
    return Side(spec, made.estimate, made.findings)


COMPARISONS = "comparisons"


def compared(
    before: Spec, after: Spec, context: Context, *, see: See = whole, seen_as: Hashable = "",
    is_late: Callable[[], bool] = lambda: False,
) -> Comparison:  # fmt: skip
    """Two documents as somebody may see them.

    What `see` leaves out of a document or its estimate is in nothing that is told: neither in the changes nor in what
    each leads to. `seen_as` names what is left out, always the same for the same; without a name nothing is remembered.
    Once `is_late`, no more steps are computed: the changes that are left are told of together.
    """
    if see is not whole and not seen_as:
        return _compared(before, after, context, see, is_late)
    key = (answer_key(before, context), answer_key(after, context), seen_as)
    return context.cache.get(COMPARISONS, key, lambda: _compared(before, after, context, see, is_late))


def _compared(before: Spec, after: Spec, context: Context, see: See, is_late: Callable[[], bool]) -> Comparison:
    alignment = aligned(before, after)
    sides = whole(before, answer(before, context)), whole(alignment.spec, answer(alignment.spec, context))

    def on_the_way(spec: Spec) -> Side | None:
        if is_late():
            return None
        made = estimate(spec, context)
        return Side(spec, made, lint(spec, made, context))

    def seen(side: Side) -> Side:
        return see(side.spec, Answer(side.estimate, side.findings))

    return compare(*sides, alignment=alignment, compute=on_the_way, see=seen)
