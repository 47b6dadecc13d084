"""Estimates made by hand, so that a test says exactly the figure that a rule is asked about."""

import datetime
from typing import Any

import numpy as np

from designer.document import Spec
from estimator.results import (
    AppendPoint,
    Bill,
    BillLine,
    BytesByCause,
    ClusterNodes,
    ColumnSize,
    Crossing,
    Estimate,
    FamilyGrowth,
    Heat,
    HotRow,
    KeyFacts,
    Placement,
    ReadPlan,
    RowGrowth,
    RowKindSize,
    SegmentFacts,
    TableGrowth,
    TablePart,
    TableTraffic,
    WriteLoad,
)

START = datetime.date(2026, 1, 1)
END = datetime.date(2027, 1, 1)
TODAY = datetime.date(2026, 11, 20)


def segment(id: str, grows: Any = None, **more: Any) -> SegmentFacts:  # noqa: A002
    usual: dict[str, Any] = {
        "bytes_min": 5,
        "bytes_typical": 5.0,
        "bytes_max": 5,
        "distinct": 1_000.0,
        "fixed_width": True,
        "prefix_free": True,
        "text_order": True,
    }
    return SegmentFacts(id=id, grows=grows, **{**usual, **more})


def keys(spec: Spec, *segments: SegmentFacts, **more: Any) -> dict[str, KeyFacts]:
    """Facts of the first table's first row kind; segments that are not given are usual ones."""
    kind = spec.tables[0].row_kinds[0]
    given = {s.id: s for s in segments}
    usual: dict[str, Any] = {
        "segments": tuple(given.get(s.id) or segment(s.id) for s in kind.segments),
        "bytes_min": 10,
        "bytes_typical": 10.0,
        "bytes_max": 10,
        "samples": (),
        "ambiguous": None,
        "disordered": (),
        "distinct_rows": 1e6,
        "ids_exact": True,
        "ids_error_share": 0.0,
    }
    return {kind.id: KeyFacts(row_kind=kind.id, **{**usual, **more})}


def front(segment: str, node_share: float, **more: Any) -> AppendPoint:
    usual: dict[str, Any] = {
        "write": "write",
        "prefix": b"",
        "share": 1.0,
        "effective": 1.0,
        "distinct": 1.0,
        "per_second": node_share * 14_000,
    }
    return AppendPoint(segment=segment, node_share=node_share, **{**usual, **more})


def hot_row(node_share: float = 0.0, **more: Any) -> HotRow:
    usual: dict[str, Any] = {
        "access": "write",
        "key": b"d0001",
        "share": 0.001,
        "per_second": node_share * 14_000,
        "median_per_minute": 0.0,
    }
    return HotRow(node_share=node_share, **{**usual, **more})


def write_load(per_second: float = 5_000.0, **more: Any) -> WriteLoad:
    usual: dict[str, Any] = {
        "write": "write",
        "row_kind": "rows",
        "peak_rows_per_second": per_second,
        "bytes_per_row": 250.0,
        "cells_per_row": 1.0,
        "node_seconds_per_row": 1 / 14_000,
    }
    return WriteLoad(rows_per_second=per_second, **{**usual, **more})


def plan(access: Any, **more: Any) -> ReadPlan:
    usual: dict[str, Any] = {
        "read": "read",
        "row_kind": "rows",
        "bound": (),
        "open_at": None,
        "filtered": (),
        "ranges": 1.0,
        "rows_scanned": 10.0,
        "rows_returned": 10.0,
        "cells_returned": 10.0,
        "bytes_scanned": 2_500.0,
        "bytes_returned": 2_500.0,
        "bytes_wanted": 2_500.0,
        "node_seconds": 1e-4,
        "per_second": 10.0,
        "rows_total": 1e6,
    }
    return ReadPlan(access=access, **{**usual, **more})


def traffic(**more: Any) -> TableTraffic:
    nothing = np.zeros((1, 1))
    heat = Heat.from_arrays((), (), 900.0, np.ones(1), nothing, nothing, nothing, nothing)
    usual: dict[str, Any] = {
        "day": END,
        "heat": heat,
        "writes": (write_load(),),
        "fronts": (),
        "hot_rows": (),
        "leads": (),
        "patterns": (),
        "tablets": 1,
        "hottest_range_share": 0.0,
        "hottest_range": 0,
        "indivisible_node_share": 0.0,
        "week_node_share": np.full(168, 0.5),
        "node_share_by_month": np.full(13, 0.5),
        "read_node_share_by_month": np.zeros(13),
    }
    return TableTraffic(**{**usual, **more})


def row_growth(**more: Any) -> RowGrowth:
    usual: dict[str, Any] = {
        "row_kind": "rows",
        "dates": (START, END),
        "median_bytes": np.array([1e3, 1e3]),
        "p99_bytes": np.array([1e3, 1e3]),
        "largest_bytes": np.array([1e3, 1e3]),
        "largest_entity": "d0001",
        "bucket_seconds": None,
        "events_per_row": 1.0,
        "rows": 1e6,
        "crossings": (),
    }
    return RowGrowth(**{**usual, **more})


def cell(value: float = 200.0, **more: float) -> BytesByCause:
    usual = {"key": 20.0, "family": 1.0, "qualifier": 1.0, "timestamp": 8.0, "overhead": 12.0}
    return BytesByCause(value=value, **{**usual, **more})


def row_size(*columns: ColumnSize, rows: float = 1e6) -> dict[str, RowKindSize]:
    return {"rows": RowKindSize("rows", rows, columns or (column_size(),))}


def column_size(column: str = "column", **more: Any) -> ColumnSize:
    usual: dict[str, Any] = {"family": "family", "cell": cell(), "cells_written": 1.0, "cells_stored": 1.0}
    return ColumnSize(column=column, **{**usual, **more})


def crossing(limit: str, limit_bytes: float, date: datetime.date | None) -> Crossing:
    return Crossing(limit, limit_bytes, date)


def family_growth(**more: Any) -> FamilyGrowth:
    usual: dict[str, Any] = {
        "family": "family",
        "row_kind": "rows",
        "cells_per_row": 1.0,
        "bytes_by_cause": BytesByCause(1.0, 1.0, 1.0, 1.0, 1.0, 1.0),
        "uncollected_bytes": 0.0,
        "surplus_bytes": 0.0,
        "bounded": True,
        "gib_per_month": 1.0,
    }
    return FamilyGrowth(**{**usual, **more})


def growth(**more: Any) -> TableGrowth:
    zeros = np.zeros(2)
    usual: dict[str, Any] = {
        "dates": (START, END),
        "rows": zeros,
        "logical_bytes": zeros,
        "physical_bytes": zeros,
        "physical_bytes_low": zeros,
        "physical_bytes_high": zeros,
        "compressed_share": 0.5,
        "compressed_share_low": 0.3,
        "compressed_share_high": 0.7,
        "compression_origin": "guess",
        "kinds": (row_growth(),),
        "families": (family_growth(),),
        "changed_bytes_per_day": 0.0,
        "mutation_bytes_per_second": 0.0,
    }
    return TableGrowth(**{**usual, **more})


def cluster_nodes(**more: Any) -> ClusterNodes:
    usual: dict[str, Any] = {
        "cluster": "cluster",
        "region": "us-central1",
        "load_by_month": np.array([1.0, 1.5]),
        "needed_by_month": np.array([2.0, 3.0]),
        "nodes_by_month": np.array([3.0, 3.0]),
        "node_hours_by_month": np.array([2190.0, 2190.0]),
        "needed_low": 2.0,
        "needed_high": 5.0,
        "limited_by": "load",
        "short_from": None,
        "short_hours_per_month": 0.0,
        "full_from": None,
        "storage_share_by_month": np.array([0.1, 0.2]),
        "explanation": (),
    }
    return ClusterNodes(**{**usual, **more})


def placement(**more: Any) -> Placement:
    usual: dict[str, Any] = {
        "cluster": "cluster",
        "nodes": 3,
        "windows_per_day": 96,
        "utilisation": np.zeros((3, 96)),
        "hottest_node_share": 0.34,
        "peak_utilisation": 0.5,
        "effective_nodes": 3.0,
        "reachable_factor": 2.0,
        "limited_by": "cluster",
        "limiting_table": None,
    }
    return Placement(**{**usual, **more})


def bill(*lines: BillLine) -> Bill:
    from decimal import Decimal

    total = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
    return Bill(11, START, lines, total, total, total, tuple(line for line in lines if line.cost is None))


def estimate(
    spec: Spec,
    *,
    keys: dict[str, KeyFacts] | None = None,
    reads: tuple[ReadPlan, ...] = (),
    traffic: TableTraffic | None = None,
    growth: TableGrowth | None = None,
    nodes: tuple[ClusterNodes, ...] = (),
    placements: tuple[Placement, ...] = (),
    bills: tuple[Bill, ...] = (),
    sizes: dict[str, RowKindSize] | None = None,
) -> Estimate:
    """An estimate of a design with one table."""
    table = spec.tables[0].id
    part = TablePart(table, keys or {}, reads, traffic, growth, (), sizes or {})
    return Estimate("", {table: part}, nodes, placements, bills, (), (), "", None, ())
