"""Insight column of the editor: a few figures of the design, each with its chart and its source."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.document import Spec
from designer.document.assumptions import assumptions
from designer.document.engines import description_of
from designer.document.texts import N_, Text
from designer.wording import element_label
from estimator.kernels.population.timeline import month_dates
from estimator.results import CapacityUnits, ClusterNodes, Crossing, RowGrowth, TableGrowth
from estimator.results.growth import LIVE_SHARE

from .charts.growth import row_growth, table_growth
from .charts.node_load import nodes_by_month
from .charts.registry import SIDES
from .charts.throughput import units_by_month
from .charts.types import LineChart
from .design_page import DesignPage, TablePage
from .figures import expired_bytes

MOST_CLUSTERS = 3
"""So many clusters are shown; the rest are on the estimate's page."""


@dataclass(frozen=True)
class InsightMetric:
    """One line of the insight: what, a small picture, how much, and where that comes from."""

    name: Text
    value: Text
    more: Text | None
    """What qualifies it, in smaller words."""
    picture: LineChart | None
    why: str
    """Where it comes from."""
    origin: str = "computed"
    warns: bool = False


COMPUTED = N_("computed from the design and assumed values")


def figures(page: DesignPage, table: TablePage | None) -> Iterator[InsightMetric]:
    """Row sizes and stored bytes of a table, then the nodes of the instance."""
    grown = table.part.growth if table else None
    if table is not None and grown is not None:
        for rows in grown.kinds:
            why = description_of(page.spec).terms["row sizes"]
            yield _rows(rows, element_label(page.spec, rows.row_kind) if len(grown.kinds) > 1 else "", why)
        origin: str = grown.compression_origin
        if page.spec.find_measured(table.table.id, "compressed_share") is not None:
            origin = "measured"
        yield InsightMetric(
            Text(N_("stored")),
            Text("{stored_bytes}", {"stored_bytes": float(grown.physical_bytes[-1])}),
            _stored_note(grown),
            table_growth(grown),
            _STORED[origin],
            origin if origin in ("you", "guess", "measured") else "computed",
        )
    dates = month_dates(page.spec)
    for units in page.estimate.capacity_units:
        if table is not None and units.table == table.table.id:
            for side in SIDES:
                yield _units(units, side, dates)
    for cluster in page.estimate.nodes[:MOST_CLUSTERS] if page.spec.tables else ():
        yield _nodes(page.spec, cluster, dates)


_STORED = {
    "you": N_("on disk, with entered compression"),
    "guess": N_("on disk, with assumed compression"),
    "measured": N_("on disk, with measured compression"),
    "calibrated": N_("on disk, calibrated with an existing cluster"),
    "none": N_("as billed"),
}


def _stored_note(growth: TableGrowth) -> Text:
    """Return the date of the stored bytes, with those among them that are not collected yet."""
    date, expired = growth.dates[-1], expired_bytes(growth)
    if expired is None:
        return Text(N_("on {date}"), {"date": date})
    return Text(N_("on {date}; {expired_bytes} not collected yet"), {"date": date, "expired_bytes": expired})


def _rows(rows: RowGrowth, kind: str, why: str) -> InsightMetric:
    crossed = min((c for c in rows.sure_crossings if c.date), key=lambda c: (c.date, c.limit_bytes), default=None)
    whole = float(rows.p99_bytes[-1])
    live = min(float(rows.live_p99_bytes[-1]), whole) if rows.live_p99_bytes.size else whole
    more = _limit(rows.sure_crossings, crossed)
    if live < LIVE_SHARE * whole:
        with_expired = Text(N_("up to {row_bytes} until collection"), {"row_bytes": whole})
        more = Text("{expired}; {limit}", {"expired": with_expired, "limit": more}) if more else with_expired
    value = Text(N_("{row_bytes} p99"), {"row_bytes": live})
    name = Text(N_("row size, {kind}"), {"kind": kind}) if kind else Text(N_("row size"))
    return InsightMetric(name, value, more, row_growth(rows), why, warns=crossed is not None)


def _limit(crossings: Sequence[Crossing], crossed: Crossing | None) -> Text | None:
    if crossed is not None:
        return Text(N_("over {limit_bytes} from {date}"), {"limit_bytes": crossed.limit_bytes, "date": crossed.date})
    first = min(crossings, key=lambda c: c.limit_bytes, default=None)
    return Text(N_("below {limit_bytes}"), {"limit_bytes": first.limit_bytes}) if first else None


def _nodes(spec: Spec, cluster: ClusterNodes, dates: tuple[datetime.date, ...]) -> InsightMetric:
    name = element_label(spec, cluster.cluster)
    first, last = float(cluster.nodes_by_month[0]), float(cluster.nodes_by_month[-1])
    month = int(np.argmax(cluster.nodes_by_month >= last))  # the one that ends at this date
    since = dates[max(month - 1, 0)]
    more: Text | None = None
    if cluster.short_from:
        more = Text(N_("insufficient from {date}"), {"date": cluster.short_from})
    elif last > first:
        more = Text(N_("from {date_month}"), {"date_month": since})
    value = (
        Text("{first} → {last}", {"first": first, "last": last}) if last != first else Text("{last}", {"last": last})
    )
    return InsightMetric(
        Text(N_("nodes, {name}"), {"name": name}), value, more, nodes_by_month(cluster, name, dates), COMPUTED,
        warns=bool(cluster.short_from),
    )  # fmt: skip


def _units(units: CapacityUnits, side: Literal["read", "write"], dates: tuple[datetime.date, ...]) -> InsightMetric:
    usage = units.read if side == "read" else units.write
    used = Text("{used_cu_per_second}", {"used_cu_per_second": float(usage.used_per_second[-1])})
    peak = Text(N_("{peak_cu_per_second} at the peak"), {"peak_cu_per_second": float(usage.peak_per_second[-1])})
    return InsightMetric(Text(_UNITS[side]), used, peak, units_by_month(units, side, dates), COMPUTED)


_UNITS = {"read": N_("read units"), "write": N_("write units")}


def guess_count(spec: Spec) -> int:
    """Return the number of assumed values."""
    count: int | None = spec.result_cache.get("guess_count")
    if count is None:
        count = spec.result_cache["guess_count"] = sum(1 for _ in assumptions(spec))
    return count
