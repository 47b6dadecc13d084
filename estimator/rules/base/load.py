"""The load that nothing can spread: when it warns, and the rate at which that begins."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from designer.spec.texts import N_
from estimator.engines import bigtable
from estimator.results import Front, Severity

from .reading import Rows

NODE_SHARE_WARNING = 0.20
"""Share of one node, at the horizon's peak, from which a load that cannot be split is a warning: two such ranges on
one node already leave it no headroom for the rest at the documented 60 % CPU target."""

UNRATED = N_("No rate is known yet; with rows of 1 KiB it hurts from {hurts_per_second}.")


def severity(node_share: float) -> Severity:
    """Of a load that cannot be split."""
    return "warning" if node_share >= NODE_SHARE_WARNING else "note"


def hurts_per_second(rate_per_second: float, node_share: float) -> float | None:
    """The rate from which such a load warns, at its own node time per row. [1/s]"""
    return rate_per_second * NODE_SHARE_WARNING / node_share if node_share > 0 else None


def typical_hurts_per_second() -> float:
    """The same for rows of 1 KiB on SSD, where no rate is known yet. [1/s]"""
    return bigtable.CAPACITIES["ssd"].writes_per_second * NODE_SHARE_WARNING


@dataclass(frozen=True)
class Load:
    """What lands on the hottest front of a segment, over all writes that share it."""

    segment: str
    prefix: bytes
    per_second: float
    node_share: float
    write_share: float
    """Of all rows written to the table at that time."""
    effective: float
    distinct: float

    @property
    def hurts_per_second(self) -> float | None:
        """The rate on this front from which it warns."""
        return hurts_per_second(self.per_second, self.node_share)


def hottest_range_load(rows: Rows, segment: str) -> Load | None:
    """What lands on the busiest of the table's ranges in its busiest window, where no front is told."""
    if rows.traffic is None or not rows.traffic.heat.writes_per_second.size:
        return None
    heat = rows.traffic.heat
    place, window = np.unravel_index(int(np.argmax(heat.write_node_share)), heat.write_node_share.shape)
    rates = heat.writes_per_second[:, window]
    total = float(rates.sum())
    if total <= 0:
        return None
    share = float(rates[place]) / total
    return Load(
        segment=segment,
        prefix=b"",
        per_second=float(rates[place]),
        node_share=float(heat.write_node_share[place, window]),
        write_share=share,
        effective=1 / share if share > 0 else 1.0,
        distinct=1.0,
    )


def busiest_prefix(rows: Rows, depth: int) -> float | None:
    """Node time, at the peak, of the writes on the busiest value of the key's first `depth` segments. [nodes]

    None while that is not known.
    """
    leads = [lead for lead in rows.leads if lead.depth <= depth]
    if rows.traffic is None or not leads:
        return None
    load = sum(write.peak_rows_per_second * write.node_seconds_per_row for _, write in rows.writes)
    return load * max(leads, key=lambda lead: lead.depth).hottest_share


def front_load(rows: Rows, segment: str) -> Load | None:
    """The hottest front of one segment; writes that land on the same prefix add up."""
    by_prefix: dict[bytes, list[Front]] = defaultdict(list)
    for front in rows.fronts:
        if front.segment == segment:
            by_prefix[front.prefix].append(front)
    if not by_prefix or rows.traffic is None:
        return None
    prefix, fronts = max(by_prefix.items(), key=lambda item: sum(f.node_share for f in item[1]))
    rate = sum(f.per_second for f in fronts)
    total = sum(load.peak_rows_per_second for load in rows.traffic.writes)
    busiest = max(fronts, key=lambda f: f.node_share)
    return Load(
        segment=segment,
        prefix=prefix,
        per_second=rate,
        node_share=sum(f.node_share for f in fronts),
        write_share=min(rate / total, 1.0) if total > 0 else busiest.share,
        effective=busiest.effective,
        distinct=busiest.distinct,
    )
