"""Figures for pages and files that are derived from an estimate."""

from collections.abc import Sequence
from typing import NamedTuple

from designer.document import Engine, Spec
from designer.document.texts import N_, Text
from estimator.engines import ENGINES
from estimator.facts.clusters import hot_rows
from estimator.results import Estimate, FamilyGrowth, HotRow, Placement, RowGrowth, TableGrowth, TableTraffic
from estimator.results.growth import LIVE_SHARE

from .charts.growth import CAUSES, CAUSES_OF_TABLESTORE, shares

OFTEN_PER_SECOND = 0.01
"""What comes more seldom does not happen to a row twice: of such rows none is busy."""


def busiest_row(traffic: TableTraffic, spec: Spec) -> HotRow | None:
    """Return the row with the most node CPU time in one cluster; None if no row is ever accessed twice."""
    often = (row for row in hot_rows(spec, traffic) if row.per_second >= OFTEN_PER_SECOND and not row.is_range)
    return max(often, key=lambda row: row.node_share, default=None)


def total_stored_bytes(estimate: Estimate) -> float | None:
    """Physical bytes of all tables at the end of the horizon, of those that are known."""
    sizes = [part.growth.physical_bytes[-1] for part in estimate.tables.values() if part.growth]
    return float(sum(sizes)) if sizes else None


EXPIRED_SHARE = 0.01
"""From this share of the stored bytes on, those that are not collected yet are said apart."""


def expired_bytes(growth: TableGrowth) -> float | None:
    """Return the stored bytes at the end of the horizon that are not collected yet; None if hardly any [bytes]."""
    share = growth.uncollected_share
    return float(growth.physical_bytes[-1]) * share if share >= EXPIRED_SHARE else None


def stored_text(growth: TableGrowth) -> Text:
    """Return the stored bytes at the end of the horizon in words, with those that are not collected yet."""
    stored, expired = float(growth.physical_bytes[-1]), expired_bytes(growth)
    if expired is None:
        return Text("{stored_bytes}", {"stored_bytes": stored})
    message = N_("{stored_bytes}, of which {expired_bytes} not collected yet")
    return Text(message, {"stored_bytes": stored, "expired_bytes": expired})


def largest_row_text(rows: RowGrowth) -> Text:
    """Return the size of the largest row at the end of the horizon in words, with that of its live cells."""
    whole = float(rows.largest_bytes[-1])
    live = float(rows.live_largest_bytes[-1]) if rows.live_largest_bytes.size else whole
    if live >= LIVE_SHARE * whole:
        return Text("{row_bytes}", {"row_bytes": whole})
    return Text(N_("{live_bytes}, up to {row_bytes} until collection"), {"live_bytes": live, "row_bytes": whole})


class UnitsUsed(NamedTuple):
    """Capacity units a second of all tables."""

    read: float
    write: float


def total_unit_use(estimate: Estimate) -> UnitsUsed:
    """Return the use of all tables at the end of the horizon, means over a week."""
    tables = estimate.capacity_units
    return UnitsUsed(
        float(sum(units.read.used_per_second[-1] for units in tables)),
        float(sum(units.write.used_per_second[-1] for units in tables)),
    )


def cluster_placement(estimate: Estimate, cluster: str) -> Placement | None:
    """Return the placement of tablets on the nodes of one cluster."""
    return next((p for p in estimate.placements if p.cluster == cluster), None)


def cause_totals(growths: Sequence[FamilyGrowth], engine: Engine) -> tuple[tuple[str, float], ...]:
    """Return the bytes of a family by cause, largest first, over its row kinds, in the engine's terms."""
    total = growths[0].bytes_by_cause
    for growth in growths[1:]:
        more = growth.bytes_by_cause
        total = type(total)(**{name: getattr(total, name) + getattr(more, name) for name in vars(total)})
    return shares(total, CAUSES_OF_TABLESTORE if ENGINES[engine].WHY_UNCOMPRESSED else CAUSES)
