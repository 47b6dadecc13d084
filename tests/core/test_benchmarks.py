"""Lines of the table that `python3 run.py bench` prints."""

from benchmarks.measure import BenchmarkFigure, format_table


def test_what_is_not_installed_has_no_figure() -> None:
    line = format_table([BenchmarkFigure("duckdb", (), "", note="not installed")]).splitlines()[1]

    assert line.split() == ["duckdb", "–", "–", "–", "not", "installed"]


def test_a_figure_is_its_median_beside_its_goal() -> None:
    line = format_table([BenchmarkFigure("lines", (1.0, 1.2, 1.1), "M/s", 1, at_least=True)]).splitlines()[1]

    assert line.split() == ["lines", "1.1", "1", "1.2", "M/s", "≥", "1", "met"]
