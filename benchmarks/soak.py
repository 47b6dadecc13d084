"""Figures about memory over time: thousands of distinct edits, each shown as the editor does, then runs and files.

`python -m benchmarks.soak COURSE NUMBER` runs one course in this process and prints resident memory as it goes; the
courses are numbers of tables, `runs` and `files`.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import count

from designer.document import Spec, fingerprint
from designer.document.edits import Edit, Set, apply
from estimator.estimates.context import Context
from estimator.presentation.charts.maps.levels import pack_grid
from estimator.presentation.charts.maps.live import live_map
from estimator.presentation.charts.maps.still import still_heatmap
from estimator.presentation.charts.picture import heat_png
from estimator.presentation.design_page import DesignPage, design_page
from estimator.simulation import simulate
from estimator.simulation.packing import pack
from reviews.pdf.typesetting import pdf

from .context import fresh_context
from .designs import wide_design
from .measure import BenchmarkFigure
from .pdf import STAND

COURSES = {
    "2": ("edits of 2 tables", 2_000),
    "50": ("edits of 50 tables", 2_000),
    "200": ("edits of 200 tables", 2_000),
    "runs": ("simulated days", 200),
    "files": ("maps and PDFs", 500),
}
QUICK = 10
"""Of so many only one is made by the quick form."""
MEMORY_MB, LARGE_MEMORY_MB = 32, 96
"""Less than by default, so that the memory is full before a tenth of the edits is made; 200 tables, which need more for
one estimate, fill the default with the first."""
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
    for edited in _edited_designs(spec, context, number):
        page = design_page(edited, context)
        assert page.counts is not None
        yield resident_mb()


def _edited_designs(spec: Spec, context: Context, number: int) -> Iterator[Spec]:
    for _, edit in zip(range(number), edits(spec), strict=False):
        edited, _ = apply(spec, edit)
        context.cache.put("documents", fingerprint(edited), edited, seconds=0.02)
        yield edited


def _soak_runs(spec: Spec, context: Context, number: int) -> Iterator[float]:
    """Play a day of so many edited designs, and pack it as a worker stores it."""
    for edited in _edited_designs(spec, context, number):
        assert pack(simulate(edited, context))
        yield resident_mb()


def _soak_files(spec: Spec, context: Context, number: int) -> Iterator[float]:
    """Draw the map of a table in each of its forms, and set a PDF, in turn."""
    for place, edited in enumerate(_edited_designs(spec, context, number)):
        page = design_page(edited, context)
        if place % 2:
            assert pdf(edited, page.estimate, page.findings, context, stand=STAND)
        else:
            _draw_maps(page)
        yield resident_mb()


def _draw_maps(page: DesignPage) -> None:
    for table, part in page.estimate.tables.items():
        assert part.traffic is not None
        key_map = live_map(table, part.traffic)
        for metric in key_map.metrics.values():
            assert pack_grid(metric.load(), key_map.full_area, adds=metric.adds)
            assert heat_png(still_heatmap(key_map, metric, key_map.full_area))


def resident_mb() -> float:
    """Return the resident memory of this process. [MB]"""
    with open("/proc/self/statm", encoding="ascii") as stream:
        return int(stream.read().split()[1]) * 4096 / 1e6


def memory_growth_percent(curve: list[float]) -> float:
    """Return by how much the memory grew from the second to the last tenth, of what it was. [%]"""
    tenth = max(len(curve) // 10, 1)
    early, late = curve[tenth : 2 * tenth], curve[-tenth:]
    return 100 * (sum(late) / len(late) / (sum(early) / len(early)) - 1)


def figures(*, quick: bool) -> Iterator[BenchmarkFigure]:
    """All figures about memory over time, each of a process of its own."""
    for course, (name, most) in COURSES.items():
        number = most // QUICK if quick else most
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.soak", course, str(number)],
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        *curve, last = done.stdout.splitlines()
        slope, peak = map(float, last.split())
        text = f"growth over {number:,} {name}, after the first tenth"
        yield BenchmarkFigure(text, (slope,), "%", SLOPE_PERCENT, note=" ".join(curve))
        yield BenchmarkFigure("  resident at most", (peak,), "MB", 350)


def main(course: str, number: int) -> None:
    """Print the curve, then its slope and its peak."""
    curve, start, context = [], time.monotonic(), fresh_context(LARGE_MEMORY_MB if course == "200" else MEMORY_MB)
    spec = wide_design(int(course) if course.isdigit() else 2)
    make = {"runs": _soak_runs, "files": _soak_files}.get(course, soak)
    for place, resident in enumerate(make(spec, context, number), 1):
        curve.append(resident)
        if place % max(number // POINTS, 1) == 0:
            sys.stdout.write(f"{resident:.0f}\n")
            sys.stderr.write(f"{place} of {course}, {resident:.0f} MB, {time.monotonic() - start:.0f} s\n")
            sys.stdout.flush()
    sys.stdout.write(f"{memory_growth_percent(curve):.2f} {max(curve):.0f}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
