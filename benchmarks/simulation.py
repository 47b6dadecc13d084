"""Figures about simulations in one process: a day of 10¹² operations, a month, events drawn singly, their memory."""

from collections.abc import Iterator
from dataclasses import replace

from designer.document import Spec
from estimator.simulation import Parameters, build_plan, count, simulate
from estimator.simulation.packing import pack

from .context import fresh_context
from .measure import BenchmarkFigure, measure_seconds, memory_mib

DAY_OPERATIONS = 10**12
GENERATED = 4_000_000
"""Events of one window, for the rate at which they are counted."""


def design(per_second: float) -> Spec:
    """A million users, Zipf 0.99, a row for each event: `md5(user)[:4]#user#reversed milliseconds`."""
    key = [
        {"id": "s1", "kind": "hash", "fields": ["user"], "digits": 4, "after": "#"},
        {"id": "s2", "kind": "field", "field": "user", "after": "#"},
        {"id": "s3", "kind": "time", "reversed": True},
    ]
    user = {"id": "user", "distinct": 1_000_000, "popularity": {"kind": "zipf", "theta": 0.99},
            "values": {"kind": "pattern", "text": "{n:010}"}}  # fmt: skip
    column = {"id": "column", "qualifier": "c", "value": {"typical_bytes": 200}}
    family = {"id": "f", "name": "f", "gc": {"kind": "max_age", "age_days": 30}, "columns": [column]}
    read = {"id": "read", "rate_per_second": per_second / 10, "binds": [{"field": "user"}], "newest_rows": 10}
    kind = {"id": "rows", "key": key, "writes": [{"id": "write", "activity": "seen"}], "reads": [read]}
    clusters = [{"id": "main", "region": "us-central1"}]
    return Spec.model_validate(
        {
            "fields": [user],
            "activities": [{"id": "seen", "rate_per_second": per_second, "profile": {"kind": "diurnal"}}],
            "tables": [{"id": "table", "families": [family], "row_kinds": [kind]}],
            "instance": {"clusters": clusters},
        }
    )


def figures(*, memory_events: int) -> Iterator[BenchmarkFigure]:
    """All figures about simulations, one by one."""
    day = design(DAY_OPERATIONS / 86_400)
    yield replace(_measure_day(day), name="a day of 10¹² operations, design seen before")
    yield replace(_measure_cold(day), name="  the same, nothing remembered")
    small = design(10_000.0)
    yield BenchmarkFigure("a month of 720 windows × 1,024 ranges", tuple(_measure_month(small)), "s", 5.0)
    yield from _measure_generated(memory_events)


def _measure_day(spec: Spec) -> BenchmarkFigure:
    context = fresh_context()
    return BenchmarkFigure(
        "", tuple(measure_seconds(lambda: pack(simulate(spec, context)))), "s", 0.5, note="plan, count, play, pack"
    )


def _measure_cold(spec: Spec) -> BenchmarkFigure:
    def anew() -> None:
        pack(simulate(spec, fresh_context()))

    return BenchmarkFigure("", tuple(measure_seconds(anew)), "s", 1.0)


def _measure_month(spec: Spec) -> list[float]:
    context = fresh_context()
    return measure_seconds(lambda: simulate(spec, context, Parameters(kind="month")), runs=3)


def _measure_generated(memory_events: int) -> Iterator[BenchmarkFigure]:
    plan = build_plan(design(GENERATED / 900), Parameters(counting="generated"), fresh_context())
    operations = sum(float(flow.rates[0]) * flow.pieces for flow in plan.flows) * plan.window_seconds
    took = measure_seconds(lambda: count(plan, 0, 1))
    yield BenchmarkFigure(
        "events drawn and counted", tuple(operations / seconds / 1e6 for seconds in took), "M/s", 10.0, at_least=True
    )
    many = build_plan(design(memory_events / 86_400), Parameters(counting="generated"), fresh_context())
    count(many, 0, 1)
    before = memory_mib()
    count(many, 0, many.windows)
    note = f"{many.drawn_events:.2g} events"
    yield BenchmarkFigure(
        "memory after a day of them, more than after a window", (memory_mib() - before,), "MiB", 32.0, note=note
    )
