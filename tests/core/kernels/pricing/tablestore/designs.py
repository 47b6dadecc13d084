"""Small Tablestore designs with hand-made parts, so that money is tested without compiling keys."""

import numpy as np

from designer.document import Spec
from estimator.kernels.population.timeline import month_dates
from estimator.kernels.pricing.tablestore import compute_costs
from estimator.price_books.shelf import load_book
from estimator.results import ReadPlan, TableGrowth, TablePart


def design(*, reads=(), writes=(), reserved=(0, 0), region="cn-hangzhou", kind="high_performance", **more):
    """One table `t` of cards keyed by an id and an integer; a month has 720 hours."""
    settings = {"reserved_read_cu": reserved[0], "reserved_write_cu": reserved[1]} | more.get("settings", {})
    row_kind = {
        "id": "k",
        "key_columns": [
            {"id": "k1", "name": "card", "segments": [{"kind": "field", "id": "s", "field": "card"}]},
            {"id": "k2", "name": "time", "type": "INTEGER", "segments": [{"kind": "time", "id": "x"}]},
        ],
        "writes": [{"id": "w", "activity": "a", "mode": mode} for mode in writes],
        "reads": [{"id": "r", "name": "one", "rate_per_second": rate} | more.get("read", {}) for rate in reads],
    }
    column = {"id": "c", "qualifier": "amount", "value": {"kind": "random", "typical_bytes": more.get("size", 100)}}
    clusters = [{"id": "cl", "region": region}]
    clusters += [{"id": f"cl{n}", "region": other} for n, other in enumerate(more.get("others", ()), 2)]
    instance = {"month_hours": 720, "clusters": clusters, "prices": more.get("prices", [])}
    return Spec.model_validate(
        {
            "engine": "tablestore",
            "start": "2026-01-01",
            "horizon_months": more.get("months", 2),
            "instance": instance | ({"tablestore_type": kind} if kind else {}),
            "fields": [
                {"id": "card", "name": "card", "kind": "string", "values": {"kind": "random", "min": 20, "max": 20}}
            ],
            "activities": [{"id": "a", "name": "a", "rate_per_second": 1.0} | more.get("activity", {})],
            "tables": [
                {
                    "id": "t",
                    "name": "cards",
                    "tablestore": settings,
                    "row_kinds": [row_kind],
                    "families": [{"id": "f", "name": "f", "columns": [column]}],
                }
            ],
        }
    )


def plan(*, access="point", rows=1.0, scanned=1_000.0, ranges=1.0, returned=1_000.0):
    """How the read `r` is served."""
    return ReadPlan(
        read="r", row_kind="k", access=access, bound=(), open_at=None, filtered=(), ranges=ranges, rows_scanned=rows,
        rows_returned=rows, cells_returned=rows, bytes_scanned=scanned, bytes_returned=returned, bytes_wanted=returned,
        node_seconds=0.0, per_second=None, rows_total=None,
    )  # fmt: skip


def growth(spec, *stored_bytes):
    """A table that holds so many bytes on each date (the last stays)."""
    dates = month_dates(spec)
    stored = np.array([stored_bytes[min(i, len(stored_bytes) - 1)] for i in range(len(dates))], dtype=np.float64)
    return TableGrowth(
        dates=dates, rows=stored / 100, logical_bytes=stored, physical_bytes=stored, physical_bytes_low=stored,
        physical_bytes_high=stored, compressed_share=1.0, compressed_share_low=1.0, compressed_share_high=1.0,
        compression_origin="none", kinds=(), families=(), changed_bytes_per_day=0.0, mutation_bytes_per_second=0.0,
    )  # fmt: skip


def part(spec, *stored_bytes, read=None):
    """The table's part: bytes, and how its read is served."""
    grown = growth(spec, *(stored_bytes or (0.0,)))
    return TablePart("t", {}, (read or plan(),), traffic=None, growth=grown, because=())


def priced(spec, given=None, *, currency="CNY"):
    """All money of a design."""
    book = load_book(engine="tablestore", currency=currency)
    return compute_costs(spec, {"t": given or part(spec)}, book)


def lines(found):
    """Of the last month, by item."""
    return {line.item: line for line in found.bills[-1].lines}
