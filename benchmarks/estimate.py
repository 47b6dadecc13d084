"""Figures about whole estimates: an edit of one table among fifty, a cold table, a cold design, `lint` of a file."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from designer.document import Spec, dump
from estimator.estimates.estimate import estimate, table_estimate

from .context import fresh_context
from .designs import wide_design
from .measure import BenchmarkFigure

TABLES = 50
EDITS = 50
PROCESS_MB = 128
"""Of memory, as a server's process has by default."""
ROOT = Path(__file__).resolve().parent.parent


def edits_with_same_key() -> Iterator[float]:
    """Seconds of an estimate after another rate for one table's activity, the other tables remembered."""
    yield from _after_edits(lambda data, n: data["activities"][n].update(rate_per_second=300.0 + n))


def edits_with_another_key() -> Iterator[float]:
    """Seconds of an estimate after another delimiter in one table's key, the other tables remembered."""
    yield from _after_edits(lambda data, n: data["tables"][n]["row_kinds"][0]["key"][0].update(after="/"))


def _after_edits(change: Callable[[dict, int], None]) -> Iterator[float]:  # type: ignore[type-arg]
    spec, context = wide_design(TABLES), fresh_context(PROCESS_MB)
    estimate(spec, context)
    for n in range(EDITS):
        data = spec.model_dump(mode="json", exclude_unset=True)
        change(data, n)
        edited = Spec.model_validate(data)
        start = time.perf_counter()
        estimate(edited, context)
        yield time.perf_counter() - start


def cold_tables() -> Iterator[float]:
    """Seconds of one table each, nothing remembered."""
    spec = wide_design(5)
    for table in spec.tables:
        start = time.perf_counter()
        table_estimate(spec, table)
        yield time.perf_counter() - start


def cold_designs(runs: int = 3) -> Iterator[float]:
    """Seconds of a design of fifty tables, nothing remembered."""
    spec = wide_design(TABLES)
    for _ in range(runs):
        context = fresh_context()
        start = time.perf_counter()
        estimate(spec, context)
        yield time.perf_counter() - start


def lints(runs: int = 7) -> Iterator[float]:
    """Seconds of `manage.py lint FILE` as a process of its own; the first one may have to compile modules."""
    from designer.examples import example

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "design.json"
        file.write_text(dump(example("mobile-devices").spec), encoding="utf-8")
        environment = {**os.environ, "KEYWRIGHT_DATA": folder}
        for _ in range(runs + 1):
            start = time.perf_counter()
            subprocess.run(
                [sys.executable, str(ROOT / "manage.py"), "lint", str(file)],
                check=True, capture_output=True, env=environment,
            )  # fmt: skip
            yield time.perf_counter() - start


def figures() -> Iterator[BenchmarkFigure]:
    """All figures about estimates."""
    import config.wsgi  # noqa: F401 - collects garbage as the server does

    same, other = sorted(edits_with_same_key()), sorted(edits_with_another_key())
    yield _milliseconds("estimate after an edit, same key, 95th percentile", [_high_percentile(same)], 100)
    yield _milliseconds("estimate after an edit of the key, 95th percentile", [_high_percentile(other)], 200)
    yield _milliseconds("cold table", list(cold_tables()), 150)
    yield _milliseconds("cold design of 50 tables", list(cold_designs()), 3_000)
    yield _milliseconds("lint of one file", list(lints())[1:], 800)


def _high_percentile(ordered: list[float]) -> float:
    return ordered[int(len(ordered) * 0.95)]


def _milliseconds(name: str, seconds: list[float], goal: float) -> BenchmarkFigure:
    return BenchmarkFigure(name, tuple(1e3 * s for s in seconds), "ms", goal)
