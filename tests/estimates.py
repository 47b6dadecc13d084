"""A small estimate made by hand, for tests of what is shown; nothing in it is computed from a document."""

import datetime
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.key import Segment
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from estimator.results import (
    Addend,
    Bill,
    BillLine,
    BytesByCause,
    ClusterNodes,
    Crossing,
    Estimate,
    FamilyGrowth,
    Heat,
    KeyFacts,
    NamedPattern,
    Outlook,
    Placement,
    ReadPlan,
    RowGrowth,
    SegmentFacts,
    Sensitivity,
    TableGrowth,
    TablePart,
    TableTraffic,
    UnknownReason,
    WriteLoad,
)  # fmt: skip

MONTHS = tuple(datetime.date(2026 + (m // 12), m % 12 + 1, 1) for m in range(13))
DAY = datetime.date(2026, 12, 16)


def heat(*, ranges: int = 1024, windows: int = 96, front: bool = False, writes_per_second: float | None = None) -> Heat:
    """A day with a wave; `front`: every write lands in one range that moves on, as with timestamps first.

    With `writes_per_second`, as many in every range all day.
    """
    hours = np.arange(windows) * 24 / windows
    wave = 1000 * (1 + 0.8 * np.cos((hours - 20) / 24 * 2 * np.pi))
    share = np.full((ranges, windows), 1 / ranges)
    if front:
        share = np.zeros((ranges, windows))
        share[np.linspace(0, ranges - 1, windows).astype(int), np.arange(windows)] = 1
    writes = share * wave
    reads = np.full((ranges, windows), 2.0) * (1 + np.arange(ranges) % 7).reshape(-1, 1)
    start = datetime.datetime.combine(DAY, datetime.time(), datetime.UTC)
    return Heat.from_arrays(
        bounds=tuple(f"us-west2#{i:06d}#2026w09".encode() for i in range(1, ranges)),
        window_starts=tuple(start + datetime.timedelta(days=w / windows) for w in range(windows)),
        window_seconds=86_400 / windows,
        stored_share=np.full(ranges, 1 / ranges),
        writes_per_second=writes if writes_per_second is None else np.full(writes.shape, writes_per_second),
        reads_per_second=reads,
        write_node_share=writes / 1_200,
        read_node_share=reads / 17_000,
    )


def traffic(*, front: bool = False, writes_per_second: float | None = None) -> TableTraffic:
    """Traffic around that heat."""
    week = 1.2 + np.cos((np.arange(168) % 24 - 20) / 24 * 2 * np.pi)
    return TableTraffic(
        day=DAY,
        heat=heat(front=front, writes_per_second=writes_per_second),
        writes=(),
        fronts=(),
        hot_rows=(),
        leads=(),
        patterns=(NamedPattern("sequential" if front else "evenly_spread", 1.0, ours=False),),
        tablets=12,
        hottest_range_share=0.9,
        hottest_range=1023,
        indivisible_node_share=0.4,
        week_node_share=week,
        node_share_by_month=np.linspace(1, 3, 13),
        read_node_share_by_month=np.linspace(0.2, 0.6, 13),
    )


def row_growth(*, crosses: bool = True) -> RowGrowth:
    """Rows that grow for a year, across the recommended limit if asked."""
    days = np.arange(13) * 30.0
    top = 130e6 if crosses else 3e6
    crossing = Crossing("row_bytes_recommended", 104_857_600.0, datetime.date(2026, 10, 9) if crosses else None)
    return RowGrowth(
        row_kind="events",
        dates=MONTHS,
        median_bytes=days * 1_000 + 100,
        p99_bytes=days / 360 * top / 20 + 200,
        largest_bytes=days / 360 * top + 300,
        largest_entity="tenant-1",
        bucket_seconds=None,
        events_per_row=4_000.0,
        rows=1e6,
        crossings=(crossing,),
    )


def table_growth() -> TableGrowth:
    """A table whose bytes are mostly qualifiers."""
    bytes_by_cause = BytesByCause(key=2e9, family=1e9, qualifier=9e9, timestamp=1e9, value=3e9, overhead=0.5e9)
    steps = np.linspace(1, 12, 13)
    family = FamilyGrowth("m", "events", 4.0, bytes_by_cause, 1e8, 0.0, True, 1.2)
    return TableGrowth(
        dates=MONTHS,
        rows=steps * 1e6,
        logical_bytes=steps * 1.4e9,
        physical_bytes=steps * 0.6e9,
        physical_bytes_low=steps * 0.4e9,
        physical_bytes_high=steps * 0.9e9,
        compressed_share=0.43,
        compressed_share_low=0.3,
        compressed_share_high=0.6,
        compression_origin="guess",
        kinds=(row_growth(),),
        families=(family,),
        changed_bytes_per_day=1e8,
        mutation_bytes_per_second=2e3,
    )


def cluster_nodes(peak: int = 0) -> ClusterNodes:
    """A cluster that grows from one node to three; one with a peak in its first month, and one node otherwise."""
    needed = np.array([1.0, peak] + 11 * [1.0] if peak else [1.0, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3])
    return ClusterNodes(
        cluster="c1", region="asia-northeast1", load_by_month=needed * 0.5, needed_by_month=needed,
        nodes_by_month=np.full(13, 2.0), node_hours_by_month=np.full(13, 1460.0), needed_low=1.0, needed_high=5.0,
        limited_by="load", short_from=None if peak else datetime.date(2026, 10, 1), short_hours_per_month=40.0,
        full_from=None, storage_share_by_month=needed / 50, explanation=(),
    )  # fmt: skip


def bill_line(item: str, usd: str | None, **more: Any) -> BillLine:
    """One line; without dollars it has no price."""
    price = None if usd is None else Decimal("0.65")
    known: dict[str, Any] = {
        "item": item,
        "label": f"{item} in {{region}}",
        "params": {"region": "asia-northeast1", "hours_hours": 730, "price_usd": price},
        "at": "c1",
        "sku": item,
        "where": "asia-northeast1",
        "quantity": Decimal("730"),
        "unit": "node-hours",
        "unit_price": price,
        "price_source": "https://cloud.google.com/bigtable/pricing",
        "price_seen": "2026-11-20",
        "price_origin": "missing" if usd is None else "book",
        "cost": None if usd is None else Decimal(usd),
        "low": None if usd is None else Decimal(usd) / 2,
        "high": None if usd is None else Decimal(usd) * 2,
        "formula": "{hours_hours} × {price_usd}",
    }
    return BillLine(**(known | more))


def bill(*, open_line: bool = False) -> Bill:
    """Nodes and storage, and if asked a line without a price."""
    lines = (bill_line("node", "474.50"), bill_line("storage", "8.50"))
    missing = (bill_line("in_memory", None),) if open_line else ()
    return Bill(
        month=11, first_day=datetime.date(2026, 12, 1), lines=lines + missing, total=Decimal("483.00"),
        low=Decimal("241.50"), high=Decimal("966.00"), open_lines=missing,
    )  # fmt: skip


def sensitivities() -> tuple[Sensitivity, ...]:
    """Two uncertain inputs."""
    return (
        Sensitivity("compressed_share", "t", "compression", {}, Decimal("480.00"), Decimal("490.00")),
        Sensitivity("rate_per_second", "a", "rate of {activity}", {"activity": "<b>"}, Decimal("300"), Decimal("900")),
    )


UNKNOWN = UnknownReason("no rate is specified for {activity}", "a", {"activity": "post"})


def segment_facts(segment: Segment) -> SegmentFacts:
    """Two characters and the delimiter."""
    size = 2 + len(segment.after)
    grows: Literal["time"] | None = "time" if segment.kind == "time" else None
    return SegmentFacts(segment.id, size, float(size), size, 676.0, grows, True, True, True)


def key_facts(kind: RowKind) -> KeyFacts:
    """Facts of a key whose segments are `aa`, `ab` … with their delimiters."""
    segments = tuple(map(segment_facts, kind.segments))
    keys = ("".join(f"{chr(97 + n)}{chr(97 + i)}{s.after}" for i, s in enumerate(kind.segments)) for n in range(9))
    samples = tuple(key.encode() for key in keys)
    return KeyFacts(kind.id, segments, 10, 22.5, 40, samples, None, (), 4e7, True, 0.0)


def read_plan(read: Read, row_kind: str) -> ReadPlan:
    """A read that scans more than it returns."""
    return ReadPlan(
        read=read.id, row_kind=row_kind, access="prefix" if read.binds else "scan", bound=(), open_at=None, filtered=(),
        ranges=1.0, rows_scanned=1200.0, rows_returned=20.0, cells_returned=40.0, bytes_scanned=2e6, bytes_returned=4e4,
        bytes_wanted=4e4, node_seconds=0.01, per_second=read.rate_per_second, rows_total=1e6,
    )  # fmt: skip


def table_part(table: Table) -> TablePart:
    """A table as if it had been computed."""
    kinds = table.row_kinds
    busy = traffic()
    writes = tuple(WriteLoad(w.id, kind.id, 1000.0, 1800.0, 220.0, 3.0, 1e-4) for kind in kinds for w in kind.writes)
    grown = replace(
        table_growth(),
        kinds=tuple(replace(row_growth(), row_kind=kind.id) for kind in kinds),
        families=tuple(replace(table_growth().families[0], family=f.id) for f in table.families),
    )
    return TablePart(
        table=table.id,
        keys={kind.id: key_facts(kind) for kind in kinds if kind.segments},
        reads=tuple(read_plan(read, kind.id) for kind in kinds for read in kind.reads),
        traffic=replace(busy, writes=writes),
        growth=grown,
        because=(),
    )


def estimate_of(spec: Spec) -> Estimate:
    """An estimate of any document, the same figures for all."""
    explanation = (
        Addend(N_("Load in the busiest hour"), 1.8, "nodes", N_("sum of all tables"), {}),
        Addend(N_("Result"), 3.0, "nodes", N_("the largest of these, rounded up"), {}),
    )
    months = int(effective_value(spec, spec, "horizon_months"))
    by_month = np.linspace(1, 3, months + 1).round()
    arrays = ("load_by_month", "needed_by_month", "nodes_by_month", "node_hours_by_month", "storage_share_by_month")
    sized = replace(cluster_nodes(), explanation=explanation, **dict.fromkeys(arrays, by_month))
    clusters = tuple(replace(sized, cluster=c.id, region=c.region) for c in spec.instance.clusters)
    return Estimate(
        sha256="0" * 64,
        tables={table.id: table_part(table) for table in spec.tables},
        nodes=clusters,
        placements=tuple(
            Placement(c.cluster, 3, 96, np.full((3, 96), 0.4), 0.36, 0.52, 2.9, 1.7, "front", None) for c in clusters
        ),
        bills=(bill(open_line=True),) if clusters else (),
        sensitivities=sensitivities(),
        outlooks=(Outlook("traffic_x10", Decimal("4800"), N_("the row limit on {date}"), {"date": DAY}, ""),),
        price_book="bigtable-2026-11-20",
        price_book_date=datetime.date(2026, 11, 20),
        because=(),
    )


def unknown_part(table: str) -> TablePart:
    """A table of which nothing could be computed."""
    return TablePart(table=table, keys={}, reads=(), traffic=None, growth=None, because=(UNKNOWN,))
