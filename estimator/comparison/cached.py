"""Comparisons of documents, with estimates and findings made once and remembered. Knows no Django."""

from collections.abc import Callable, Hashable

from designer.document import Spec
from estimator.advice.questions import lint
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.presentation.design_page import DesignAnalysis, analysis_key, analyze

from .designs import Comparison, DesignWithEstimate, align, compare

See = Callable[[Spec, DesignAnalysis], DesignWithEstimate]
"""What somebody may see of a document and of what was computed of it."""


def unredacted_side(spec: Spec, analysis: DesignAnalysis) -> DesignWithEstimate:
    """Everything."""
    return DesignWithEstimate(spec, analysis.estimate, analysis.findings)


COMPARISONS = "comparisons"


def cached_comparison(
    before: Spec, after: Spec, context: Context, *, see: See = unredacted_side, seen_as: Hashable = "",
    is_late: Callable[[], bool] = lambda: False,
) -> Comparison:  # fmt: skip
    """Two documents as somebody may see them.

    What `see` leaves out of a document or its estimate is in nothing that is told: neither in the changes nor in what
    each leads to. `seen_as` names what is left out, always the same for the same; without a name nothing is remembered.
    Once `is_late`, no more steps are computed: the changes that are left are told of together.
    """
    if see is not unredacted_side and not seen_as:
        return _build_comparison(before, after, context, see, is_late)
    key = (analysis_key(before, context), analysis_key(after, context), seen_as)
    return context.cache.get(COMPARISONS, key, lambda: _build_comparison(before, after, context, see, is_late))


def _build_comparison(before: Spec, after: Spec, context: Context, see: See, is_late: Callable[[], bool]) -> Comparison:
    alignment = align(before, after)
    sides = (
        unredacted_side(before, analyze(before, context)),
        unredacted_side(alignment.spec, analyze(alignment.spec, context)),
    )

    def on_the_way(spec: Spec) -> DesignWithEstimate | None:
        if is_late():
            return None
        made = estimate(spec, context)
        return DesignWithEstimate(spec, made, lint(spec, made, context))

    def see_side(side: DesignWithEstimate) -> DesignWithEstimate:
        return see(side.spec, DesignAnalysis(side.estimate, side.findings))

    return compare(*sides, alignment=alignment, compute=on_the_way, see=see_side)
