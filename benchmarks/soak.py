"""Figures about memory over time: thousands of distinct edits of designs, each estimated and shown as the editor does.

`python -m benchmarks.soak TABLES EDITS` edits one design in this process and prints resident memory as it goes.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count

from designer.document import Spec, fingerprint
from designer.document.edits import Edit, Set, apply
from estimator.estimates.context import Context
from estimator.presentation.design_page import design_page

from .context import fresh_context
from .designs import wide_design
from .measure import BenchmarkFigure

TABLES = (2, 50, 200)
EDITS, EDITS_QUICK = 2_000, 200
MEMORY_MB = 48
"""Less than by default, so that the memory is full before a tenth of the edits is made."""
POINTS = 20
"""Of the curve that is printed."""
SLOPE_PERCENT = 1.0


def edits(spec: Spec) -> Iterator[Edit]:
    """Yield edits that never come to the same document again: of rates, of a description, of keys."""
    for number in count(1):
        activity = spec.activities[number % len(spec.activities)]
        kind = spec.tables[number % len(spec.tables)].row_kinds[0]
        yield Set(at=activity.id, name="rate_per_second", value=300.0 + number, was=activity.rate_per_second)
        yield Set(at="", name="description", value=f"description {number}", was=spec.description or None)
        yield Set(at=kind.key[0].id, name="after", value=f"#{number}", was=kind.key[0].after)


def soak(spec: Spec, context: Context, number: int) -> Iterator[float]:
    """Make so many edits, each of the original; yield resident memory after each. [MB]"""
    for _, edit in zip(range(number), edits(spec), strict=False):
        edited, _ = apply(spec, edit)
        context.cache.put("documents", fingerprint(edited), edited, seconds=0.02)
        page = design_page(edited, context)
        assert page.counts is not None
        yield resident_mb()


def resident_mb() -> float:
    """Return the resident memory of this process. [MB]"""
    with open("/proc/self/statm", encoding="ascii") as held:
        return int(held.read().split()[1]) * 4096 / 1e6


def memory_growth_percent(curve: list[float]) -> float:
    """Return by how much the memory grew from the second to the last tenth, of what it was. [%]"""
    tenth = max(len(curve) // 10, 1)
    early, late = curve[tenth : 2 * tenth], curve[-tenth:]
    return 100 * (sum(late) / len(late) / (sum(early) / len(early)) - 1)


def figures(*, quick: bool) -> Iterator[BenchmarkFigure]:
    """All figures about memory over time, each of a process of its own."""
    number = EDITS_QUICK if quick else EDITS
    for tables in TABLES:
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.soak", str(tables), str(number)],
            check=True,
            capture_output=True,
            text=True,
        )
        *curve, last = done.stdout.splitlines()
        slope, peak = map(float, last.split())
        name = f"growth over {number:,} edits of {tables} tables, after the first tenth"
        yield BenchmarkFigure(name, (slope,), "%", SLOPE_PERCENT, note=" ".join(curve))
        yield BenchmarkFigure("  resident at most", (peak,), "MB", 350)


def main(tables: int, number: int) -> None:
    """Print the curve, then its slope and its peak."""
    curve, start = [], time.monotonic()
    for place, resident in enumerate(soak(wide_design(tables), fresh_context(MEMORY_MB), number), 1):
        curve.append(resident)
        if place % max(number // POINTS, 1) == 0:
            sys.stdout.write(f"{resident:.0f}\n")
            sys.stderr.write(f"{place} edits, {resident:.0f} MB, {time.monotonic() - start:.0f} s\n")
            sys.stdout.flush()
    sys.stdout.write(f"{memory_growth_percent(curve):.2f} {max(curve):.0f}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
