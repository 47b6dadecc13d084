"""Figures about the rules: all of them over a design of fifty tables whose estimate is there, and the slowest ones."""

import datetime
import gc
import statistics
import time
from collections.abc import Iterator

from designer.document import Spec
from estimator.advice.rules import RULES, findings
from estimator.estimates.estimate import estimate
from estimator.results import Estimate

from .context import fresh_context
from .designs import wide_design
from .measure import RUNS, BenchmarkFigure

TABLES = 50
SLOWEST = 5
TODAY = datetime.date(2026, 11, 20)


def estimate_designs(runs: int) -> list[tuple[Spec, Estimate]]:
    """The design as it is read from its file each time, with its estimate: as after an edit."""
    context = fresh_context()
    data = wide_design(TABLES).model_dump(mode="json", exclude_unset=True)
    specs = [Spec.model_validate(data) for _ in range(runs)]
    return [(spec, estimate(spec, context)) for spec in specs]


def time_together(estimates: list[tuple[Spec, Estimate]]) -> Iterator[float]:
    """Seconds of all rules, with their findings put in order."""
    for spec, result in estimates:
        start = time.perf_counter()
        findings(spec, result, TODAY)
        yield time.perf_counter() - start


def time_each(estimates: list[tuple[Spec, Estimate]]) -> dict[str, list[float]]:
    """Seconds of every rule that is for the design's engine, by code and name."""
    times: dict[str, list[float]] = {}
    for spec, result in estimates:
        for rule in RULES.values():
            if spec.engine in rule.engines:
                start = time.perf_counter()
                tuple(rule.check(spec, result))
                times.setdefault(f"{rule.code} {rule.name}", []).append(time.perf_counter() - start)
    return times


def figures() -> Iterator[BenchmarkFigure]:
    """All rules together, then the slowest by name."""
    estimates = estimate_designs(2 * RUNS + 1)
    gc.disable()
    try:
        again = list(time_together(estimates[: RUNS + 1]))[
            1:
        ]  # what is imported and remembered once per process comes first
        by_rule = time_each(estimates[RUNS + 1 :])
    finally:
        gc.enable()
    note = f"{len(RULES)} rules"
    yield BenchmarkFigure(f"all rules, {TABLES} tables", tuple(1e3 * s for s in again), "ms", 30, note=note)
    for name in sorted(by_rule, key=lambda name: -statistics.median(by_rule[name]))[:SLOWEST]:
        yield BenchmarkFigure(f"  {name}", tuple(1e3 * s for s in by_rule[name]), "ms")
