"""Figures about comparing: two designs of fifty tables that differ in a dozen places."""

import datetime
import time
from collections.abc import Iterator

from designer.document import Spec
from designer.document.edits import Batch, Insert, Move, Remove, Set, apply
from designer.document.edits.lookup import current_value
from estimator.advice.rules import findings
from estimator.comparison.designs import DesignWithEstimate, align, compare
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate

from .context import fresh_context
from .designs import wide_design
from .measure import RUNS, BenchmarkFigure

TABLES = 50
TODAY = datetime.date(2026, 11, 21)


def change_design(spec: Spec) -> Spec:
    """The design after twelve changes: keys, rules, rates, a table less, a family and a cluster more."""
    keys = [Move(at=f"t{n}-key1", before=f"t{n}-key0", was_before=f"t{n}-key2") for n in (0, 5)]
    rules = [
        Set(at=f"t{n}-m", name="gc", value={"kind": "max_age", "age_days": 7}, was=current_value(spec, f"t{n}-m", "gc"))
        for n in (10, 11, 12)
    ]
    rates = [
        Set(at=f"a{n}", name="rate_per_second", value=9_000, was=current_value(spec, f"a{n}", "rate_per_second"))
        for n in (20, 21, 22)
    ]
    west = {"id": "west", "region": "us-west1", "zone": "us-west1-a"}
    more = [
        Insert(parent="", list="instance.clusters", element=west),
        Insert(parent="t30", list="families", element={"id": "extra", "name": "x"}),
        Remove(at="t40"),
        Set(at="", name="horizon_months", value=24, was=None),
    ]
    return apply(spec, Batch(edits=(*keys, *rules, *rates, *more)))[0]


def build_side(spec: Spec, context: Context) -> DesignWithEstimate:
    """A design with its estimate and findings."""
    result = estimate(spec, context)
    return DesignWithEstimate(spec, result, findings(spec, result, TODAY))


def figures() -> Iterator[BenchmarkFigure]:
    """What changed with all effects together; then with the effects of every change."""
    before = wide_design(TABLES)
    after = change_design(before)
    alignment, parts = align(before, after), fresh_context()
    sides = build_side(before, parts), build_side(after, parts)
    together, alone = [], []
    for _ in range(RUNS):
        start = time.perf_counter()
        comparison = compare(*sides, alignment=align(before, after))
        together.append(1e3 * (time.perf_counter() - start))
    for _ in range(2):
        new = fresh_context()
        new_sides = build_side(before, new), build_side(after, new)
        start = time.perf_counter()
        comparison = compare(*new_sides, alignment=alignment, compute=lambda spec, new=new: build_side(spec, new))  # type: ignore[misc]
        alone.append(1e3 * (time.perf_counter() - start))
    note = f"{len(comparison.changes)} changes, {len({change.step.changes for change in comparison.changes})} steps"
    yield BenchmarkFigure(f"compare two designs, {TABLES} tables", tuple(together), "ms", 100, note=note)
    yield BenchmarkFigure("  with what each change leads to", tuple(alone), "ms", 5_000)
