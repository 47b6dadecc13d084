"""The harness: repeated runs, their median and range, a mark where they disagree, and the goal beside."""

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

RUNS = 7
NOISY = 1.3
"""Longest run ÷ shortest from which a figure is marked."""


@dataclass(frozen=True)
class BenchmarkFigure:
    """One line of the table: values of all runs, and the goal that the median has to meet."""

    name: str
    values: tuple[float, ...]
    """None where nothing was measured: `note` says why."""
    unit: str
    goal: float | None = None
    at_least: bool = False
    note: str = ""

    @property
    def median(self) -> float:
        """The middle run."""
        return statistics.median(self.values)

    @property
    def is_met(self) -> bool | None:
        """Whether the median meets the goal; None without one."""
        if self.goal is None:
            return None
        return self.median >= self.goal if self.at_least else self.median <= self.goal

    @property
    def is_noisy(self) -> bool:
        """The runs disagree: judge by the ratios, or run it again."""
        return min(self.values, default=0.0) > 0 and max(self.values) / min(self.values) > NOISY

    def row(self) -> tuple[str, ...]:
        """The line as cells."""
        goal = "" if self.goal is None else f"{'≥' if self.at_least else '≤'} {format_number(self.goal)}"
        verdict = {True: "met", False: "MISSED", None: ""}[self.is_met]
        cells = ["–"] * 3
        if self.values:
            cells = [format_number(value) for value in (self.median, min(self.values), max(self.values))]
        return (
            self.name,
            *cells,
            self.unit if self.values else "",
            goal,
            verdict,
            "noisy" if self.is_noisy else "",
            self.note,
        )


def format_number(value: float) -> str:
    """Three figures that matter."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def measure_seconds(function: Callable[[], object], runs: int = RUNS) -> list[float]:
    """Wall time of each run, after one that is not counted."""
    function()
    out = []
    gc.disable()
    try:
        for _ in range(runs):
            start = time.perf_counter()
            function()
            out.append(time.perf_counter() - start)
    finally:
        gc.enable()
    return out


def memory_mib() -> float:
    """Memory that the process holds now (Linux) or at most held (elsewhere)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / (2**20 if sys.platform == "darwin" else 2**10)


def wait_for_quiet(most_s: float = 30) -> bool:
    """Wait until the machine has little else to do; False if it never had."""
    if not hasattr(os, "getloadavg"):
        return True
    end = time.monotonic() + most_s
    while os.getloadavg()[0] > 0.6 * (os.cpu_count() or 1):
        if time.monotonic() > end:
            return False
        time.sleep(1)
    return True


HEAD = ("figure", "median", "min", "max", "unit", "goal", "", "", "")


def format_table(figures: Iterable[BenchmarkFigure]) -> str:
    """All lines, aligned."""
    rows = [HEAD, *(figure.row() for figure in figures)]
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEAD))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if 1 <= n <= 3 else cell.ljust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
