"""Figures about measured compression: seconds of a cold table, how far its blocks agree, how many there are."""

import time
from collections.abc import Iterator

from designer.document import Spec
from designer.examples import example
from estimator.kernels.compression.measure import measure
from estimator.results import Measurement

from .measure import BenchmarkFigure

TABLES = (("iot-fleet", "telemetry"), ("balloons-new-columns", "readings"), ("saas-tenants", "audit"))
"""Rows of a bucket of time, large rows whose qualifiers are data, a row per event."""

RUNS = 5


def runs_of(spec: Spec, table: str) -> Iterator[tuple[float, Measurement]]:
    """Seconds and result of each run, keys compiled anew."""
    for _ in range(RUNS):
        start = time.perf_counter()
        measurement = measure(spec, table)
        yield time.perf_counter() - start, measurement


def figures() -> Iterator[BenchmarkFigure]:
    """All figures about compression."""
    for slug, table in TABLES:
        runs = list(runs_of(example(slug).spec, table))
        name, result = f"{slug}, {table}", runs[0][1]
        blocks, bracket = result.blocks, f"{result.low_share:.3f} to {result.high_share:.3f}"
        yield BenchmarkFigure(f"compression of {name}", tuple(seconds for seconds, _ in runs), "s", 1.5, note=bracket)
        yield BenchmarkFigure(f"    its spread, {blocks} blocks", (100 * (result.error_share or 0.0),), "%", 1.0)
