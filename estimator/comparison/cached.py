"""Comparisons of documents, with estimates and findings made once and remembered. Knows no Django."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from typing import Any

from designer.document import Spec
from estimator.advice.questions import lint
from estimator.estimates.context import ComputeStep, Context, Processes
from estimator.estimates.estimate import estimate
from estimator.presentation.design_page import DesignAnalysis, analysis_key, analyze

from .designs import Comparison, DesignWithEstimate, align, compare

See = Callable[[Spec, DesignAnalysis], DesignWithEstimate]
"""What somebody may see of a document and of what was computed of it."""


def unredacted_side(spec: Spec, analysis: DesignAnalysis) -> DesignWithEstimate:
    """Everything."""
    return DesignWithEstimate(spec, analysis.estimate, analysis.findings)


def never() -> bool:
    """Return False: all steps are computed."""
    return False


COMPARISONS = "comparisons"


def cached_comparison(
    before: Spec, after: Spec, context: Context, *, see: See = unredacted_side, seen_as: Hashable = "",
    is_late: Callable[[], bool] = never,
) -> Comparison:  # fmt: skip
    """Two documents as somebody may see them.

    What `see` leaves out of a document or its estimate is in nothing that is told: neither in the changes nor in what
    each leads to. `seen_as` names what is left out, always the same for the same; without a name nothing is remembered.
    Once `is_late`, no more steps are computed: the changes that are left are told of together. Another process compares
    them, where there is one: `see` and `is_late` are pickled for it.
    """
    # A function has no content to be a key, so what somebody may see must have a name, or one person's view could be
    # shown to another.
    if see is not unredacted_side and not seen_as:
        return _build_comparison(before, after, context, see, is_late)
    key = (analysis_key(before, context), analysis_key(after, context), seen_as)
    if context.processes is not None and not context.cache.has(COMPARISONS, key):
        _compare_elsewhere(before, after, context, context.processes, see, key, is_late)
    return context.cache.get(COMPARISONS, key, lambda: _build_comparison(before, after, context, see, is_late))


def _compare_elsewhere(
    before: Spec, after: Spec, context: Context, processes: Processes, see: See, key: Hashable,
    is_late: Callable[[], bool],
) -> None:  # fmt: skip
    """Let another process compute the comparison but for its sides, which are known here; store it here."""
    # Both sides are in this process's cache already; sending them back with the result would cost more than the rest.
    first, other = _sides(before, align(before, after).spec, context)

    def keep(parts: Mapping[str, Any], seconds: float) -> None:
        comparison = Comparison(before=_see_side(see, first), after=_see_side(see, other), **parts)
        context.cache.put(COMPARISONS, key, comparison, seconds=seconds)

    step = ComputeStep(_comparison_without_sides, (see, is_late), keep)
    processes.compute((COMPARISONS, key), context, (before, after), (step,))


def _comparison_without_sides(
    context: Context, specs: tuple[Spec, Spec], see: See, is_late: Callable[[], bool]
) -> Mapping[str, Any]:
    comparison = _build_comparison(*specs, context, see, is_late)
    names = (field.name for field in fields(comparison))
    return {name: getattr(comparison, name) for name in names if name not in ("before", "after")}


def _build_comparison(before: Spec, after: Spec, context: Context, see: See, is_late: Callable[[], bool]) -> Comparison:
    alignment = align(before, after)

    def on_the_way(spec: Spec) -> DesignWithEstimate | None:
        if is_late():
            return None
        full_estimate = estimate(spec, context)
        return DesignWithEstimate(spec, full_estimate, lint(spec, full_estimate, context))

    sides = _sides(before, alignment.spec, context)
    return compare(*sides, alignment=alignment, compute=on_the_way, see=lambda side: _see_side(see, side))


def _sides(before: Spec, after: Spec, context: Context) -> tuple[DesignWithEstimate, DesignWithEstimate]:
    first, other = (unredacted_side(spec, analyze(spec, context)) for spec in (before, after))
    return first, other


def _see_side(see: See, side: DesignWithEstimate) -> DesignWithEstimate:
    return see(side.spec, DesignAnalysis(side.estimate, side.findings))
