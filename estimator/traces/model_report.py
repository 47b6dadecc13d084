"""The model beside replayed requests, as lines of text in English and as plain data."""

from collections.abc import Iterator
from typing import Any

from designer.document.money import Money
from designer.wording.formatting import english, format_value

from .model_beside import ComparedOperation, ModelBeside

HEADINGS = ("model beside the log", "replayed", "modelled", "difference")


def model_lines(beside: ModelBeside | None) -> Iterator[str]:
    """Yield a row for each figure, and what they leave out."""
    if beside is None:
        yield "the model has no load to set beside it: an input of the design is missing (estimate says which)"
        return
    rows = [HEADINGS, *(row for one in beside.operations for row in _rows(one))]
    if beside.operations:
        shares = beside.replayed_node_share, beside.modelled_node_share
        rows.append(("node time, mean", *(f"{share:.3g} nodes" for share in shares), _relative(*shares)))
    if beside.monthly_bill is not None and beside.replayed_monthly_bill is not None:
        amounts = beside.replayed_monthly_bill, beside.monthly_bill
        shown = [english("{bill}", {"bill": Money(amount, beside.currency)}) for amount in amounts]  # type: ignore[arg-type]
        rows.append(("the bill of a month", *shown, _relative(float(amounts[0]), float(amounts[1]))))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    yield f"the model is of {beside.day:%Y-%m-%d}: its ranges hold all rows of then, the log's only rows that came"
    if beside.monthly_bill is not None:
        yield "the replayed bill is the design's of the last month, with the log's rates in the place of its own"
    yield "each request of a log is for one row: rows that a scan reads besides are not in it"


def _rows(one: ComparedOperation) -> Iterator[tuple[str, ...]]:
    name = f"{one.operation}s"
    rates = one.replayed_per_second, one.modelled_per_second
    yield name, *(format_value("rate_per_second", rate) for rate in rates), _relative(*rates)
    for title, shares in (
        ("busiest range", (one.replayed_range_share, one.modelled_range_share)),
        ("busiest row", (one.replayed_row_share, one.modelled_row_share)),
    ):
        points = 100 * (shares[0] - shares[1])
        yield f"{name}, {title}", *(format_value("share", share) for share in shares), f"{points:+.1f} points"
    replayed, modelled = one.replayed_most_per_second, one.modelled_most_per_second
    if replayed is not None and modelled is not None:
        shown = (format_value("rate_per_second", rate) for rate in (replayed, modelled))
        yield f"{name} that the busiest row allows", *shown, _relative(replayed, modelled)


def _relative(value: float, other: float) -> str:
    return f"{100 * (value / other - 1):+.1f} %" if other > 0 else "–"


def model_data(beside: ModelBeside | None) -> dict[str, Any] | None:
    """Return the model beside the replay as plain data."""
    if beside is None:
        return None
    bills = beside.replayed_monthly_bill, beside.monthly_bill
    return {
        "date": beside.day.isoformat(),
        "operations": {one.operation: _operation_data(one) for one in beside.operations},
        "node_share": _pair(beside.replayed_node_share, beside.modelled_node_share),
        "monthly_bill": _pair(*(None if bill is None else str(bill) for bill in bills)),
        "currency": beside.currency,
    }


def _operation_data(one: ComparedOperation) -> dict[str, Any]:
    return {
        "rate_per_second": _pair(one.replayed_per_second, one.modelled_per_second),
        "busiest_range_share": _pair(one.replayed_range_share, one.modelled_range_share),
        "busiest_row_share": _pair(one.replayed_row_share, one.modelled_row_share),
        "busiest_row_allows_per_second": _pair(one.replayed_most_per_second, one.modelled_most_per_second),
        "node_seconds": one.node_seconds,
    }


def _pair(replayed: Any, modelled: Any) -> dict[str, Any]:
    return {"replayed": replayed, "modelled": modelled}
