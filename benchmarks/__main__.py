"""`python -m benchmarks [--quick] [PART …]`: print the figures with their goals; exit 1 if one is missed."""

import argparse
import sys
from collections.abc import Iterator

from . import (
    advisor,
    browser,
    comparison,
    compression,
    estimate,
    jobs,
    keys,
    maps,
    pages,
    pdf,
    rules,
    simulation,
    soak,
    traces,
    windows,
)
from .measure import BenchmarkFigure, format_table, wait_for_quiet

PARTS = (
    "keys",
    "estimate",
    "rules",
    "compression",
    "simulation",
    "pages",
    "advisor",
    "jobs",
    "maps",
    "pdf",
    "comparison",
    "browser",
    "traces",
    "soak",
    "windows",
)


def main(arguments: list[str]) -> int:
    """Measure what was asked for (everything unless named) and print one table."""
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all unless named")
    parser.add_argument("--quick", action="store_true", help="10⁷ events instead of 10⁹ where memory counts")
    options = parser.parse_args(arguments)
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"there is no part {sorted(unknown)[0]!r}")
    if not wait_for_quiet():
        print("The machine is busy with other work: figures will be noisy.\n", flush=True)
    figures = []
    for figure in _figures(set(options.parts or PARTS), quick=options.quick):
        print(f"· {figure.name}", file=sys.stderr, flush=True)
        figures.append(figure)
    print(format_table(figures))
    misses = [figure.name.strip() for figure in figures if figure.is_met is False]
    print(f"\n{len(misses)} missed" if misses else "\nAll goals met")
    return 1 if misses else 0


def _figures(parts: set[str], *, quick: bool) -> Iterator[BenchmarkFigure]:
    if "keys" in parts:
        yield from keys.figures(memory_events=10**7 if quick else 10**9, files_keys=10**6 if quick else 10**7)
    if "estimate" in parts:
        yield from estimate.figures()
    if "rules" in parts:
        yield from rules.figures()
    if "compression" in parts:
        yield from compression.figures()
    if "simulation" in parts:
        yield from simulation.figures(memory_events=10**7 if quick else 10**9)
    if "pages" in parts:
        yield from pages.figures()
    if "advisor" in parts:
        yield from advisor.figures()
    if "jobs" in parts:
        yield from jobs.figures(quick=quick)
    if "maps" in parts:
        yield from maps.figures()
    if "pdf" in parts:
        yield from pdf.figures()
    if "comparison" in parts:
        yield from comparison.figures()
    if "browser" in parts:
        yield from browser.figures()
    if "traces" in parts:
        yield from traces.figures()
    if "soak" in parts:
        yield from soak.figures(quick=quick)
    if "windows" in parts:
        yield from windows.figures(quick=quick)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
