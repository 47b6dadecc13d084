"""The model beside replayed requests, as lines of text in English and as plain data."""

from collections.abc import Iterator, Sequence
from typing import Any

from designer.wording.formatting import at_least, english, signed_change

from .compared_figures import ReplayedFigure, compared_figures
from .model_beside import ComparedOperation, ComparedRange, ModelBeside, PeakNodes, SizedNodes

HEADINGS = ("model beside the log", "replayed", "modelled", "difference")


def model_lines(beside: ModelBeside | None) -> Iterator[str]:
    """Yield a row for each figure, and what they leave out."""
    if beside is None:
        yield "the model has no load to set beside it: an input of the design is missing (estimate says which)"
        return
    rows = [HEADINGS, *map(_cells, compared_figures(beside))]
    yield from _columns(rows)
    yield (
        f"the model is of {beside.day:%Y-%m-%d}, the middle of the log: its ranges hold all rows of then, the log's "
        "only rows that came"
    )
    if beside.begins_with_log:
        yield "the design does not start before the log, so the model's table begins with the log"
    else:
        yield "rows from before the log are in none of its lines, so rows scanned and their node time are lower bounds"
    if beside.monthly_bill is not None:
        yield (
            "the replayed bill is that of a month like the log: nodes for its busiest hour, storage of the design's "
            "retention at its mean rates"
        )
    yield "node time is that of the rows which each request scans, each row as large as in the model"
    if beside.peak is not None:
        yield "in brackets: nine of ten logs of the model's load lie there, by chance alone"
    yield (
        "a scan is of the rows below its prefix that the log has written by then, or reads before it writes them; a "
        "read of those below what the design's read knows"
    )


def key_lines(keys: Sequence[tuple[str, ModelBeside | None]]) -> Iterator[str]:
    """Yield the log's figures under each key in a column of its own, where there are several."""
    if len(keys) < 2:
        return
    figure_sets = [_by_title(beside) for _, beside in keys]
    titles = dict.fromkeys(title for figures in figure_sets for title in figures)
    yield ""
    yield from (f"({number}) {name}" for number, (name, _) in enumerate(keys, 1))
    heads = ("the log under each key", *(f"({number})" for number, _ in enumerate(keys, 1)))
    yield from _columns([heads, *((title, *(figures.get(title, "–") for figures in figure_sets)) for title in titles)])


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _by_title(beside: ModelBeside | None) -> dict[str, str]:
    figures = () if beside is None else compared_figures(beside)
    return {english(figure.title.message, figure.title.params): _cells(figure)[1] for figure in figures}


def _cells(figure: ReplayedFigure) -> tuple[str, ...]:
    replayed = "–" if figure.replayed is None else at_least(_amount(figure, figure.replayed), figure.is_bound)
    modelled = "not modelled" if figure.modelled is None else _amount(figure, figure.modelled)
    if figure.span is not None:
        modelled += " ({} to {})".format(*(_amount(figure, end) for end in figure.span))
    return english(figure.title.message, figure.title.params), replayed, modelled, _difference(figure)


def _amount(figure: ReplayedFigure, value: Any) -> str:
    return english(f"{{value_{figure.unit}}}", {f"value_{figure.unit}": value})


def _difference(figure: ReplayedFigure) -> str:
    if figure.points is not None:
        return f"{figure.signed_points} points"
    return "–" if figure.difference_share is None else signed_change(figure.difference_share)


def model_data(beside: ModelBeside | None) -> dict[str, Any] | None:
    """Return the model beside the replay as plain data."""
    if beside is None:
        return None
    bills = beside.replayed_monthly_bill, beside.monthly_bill
    return {
        "date": beside.day.isoformat(),
        "begins_with_log": beside.begins_with_log,
        "operations": {operation.operation: _operation_data(operation) for operation in beside.operations},
        "node_share": _pair(beside.replayed_node_share, beside.modelled_node_share),
        "busiest_hour_nodes": None if beside.sized is None else _pair(*_busy(beside.sized)),
        "nodes": None if beside.sized is None else _pair(beside.sized.replayed, beside.sized.modelled),
        "peak_nodes": None if beside.peak is None else _peak_data(beside.peak),
        "rows_scanned": {scan.read: _pair(scan.replayed_rows, scan.modelled_rows) for scan in beside.scans},
        "rows_scanned_are_least": not beside.begins_with_log,
        "reachable_factor": None if beside.reachable is None else _pair(*beside.reachable),
        "monthly_bill": _pair(*(None if bill is None else str(bill) for bill in bills)),
        "currency": beside.currency,
    }


def _busy(sized: SizedNodes) -> tuple[float, float]:
    return sized.replayed_busy, sized.modelled_busy


def _peak_data(peak: PeakNodes) -> dict[str, Any]:
    return {
        "window_seconds": peak.window_seconds,
        **_pair(peak.replayed, peak.modelled),
        "busiest_range": {
            **_pair(peak.replayed_range, peak.modelled_range.middle),
            "modelled_low": peak.modelled_range.low,
            "modelled_high": peak.modelled_range.high,
        },
    }


def _shares(compared_range: ComparedRange) -> tuple[float, float | None]:
    return compared_range.replayed_share, compared_range.modelled_share


def _operation_data(operation: ComparedOperation) -> dict[str, Any]:
    return {
        "rate_per_second": _pair(operation.replayed_per_second, operation.modelled_per_second),
        "busiest_range_share": _pair(*_shares(operation.ranges[0]))
        if len(operation.ranges) == 1
        else _pair(None, None),
        "busiest_range_share_by_row_kind": {
            compared_range.row_kind: _pair(*_shares(compared_range)) for compared_range in operation.ranges
        },
        "busiest_row_share": _pair(operation.replayed_row_share, operation.modelled_row_share),
        "busiest_row_allows_per_second": _pair(operation.replayed_most_per_second, operation.modelled_most_per_second),
        "node_seconds": operation.node_seconds,
        "replayed_node_seconds": operation.replayed_node_seconds,
    }


def _pair(replayed: Any, modelled: Any) -> dict[str, Any]:
    return {"replayed": replayed, "modelled": modelled}
