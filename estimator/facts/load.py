"""The load that nothing can spread: when it warns, and the rate at which that begins."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from designer.document import effective_value
from designer.document.access import Read
from designer.document.engines import description_of
from designer.document.key import FieldSegment, LiteralSegment, TimeSegment
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import AppendPoint, Severity

from .reading import RowKindFacts
from .servers import ServerFacts, server_of

GROWTH_IN_SIGHT = 10
"""Below the warning it is a note where ten times the traffic would warn; further off it is not worth a word."""


@dataclass(frozen=True)
class Load:
    """Load on one range that cannot be split: a segment's hottest append point, or one leading value."""

    server: ServerFacts
    segment: str
    prefix: bytes
    per_second: float
    node_share: float
    write_share: float
    """Of all rows written to the table at that time."""
    effective: float
    distinct: float

    @property
    def burden(self) -> float:
        """Load as a multiple of the permitted load: from 1 on it warns."""
        return self.server.burden(self.per_second, self.node_share)

    @property
    def is_near_limit(self) -> bool:
        """True if the load warns, or would with ten times the traffic."""
        ahead = self.server.burden(self.per_second * GROWTH_IN_SIGHT, self.node_share * GROWTH_IN_SIGHT)
        return ahead >= 1

    @property
    def severity(self) -> Severity:
        """Of a load that cannot be split."""
        return "warning" if self.burden >= 1 else "note"

    @property
    def effect(self) -> float:
        """Effect of the load: nodes, or operations a second on a partition."""
        return self.server.effect(self.per_second, self.node_share)

    @property
    def warning_per_second(self) -> float | None:
        """The rate on this range from which it warns."""
        return self.server.warning_per_second(self.per_second, self.node_share)

    @property
    def figures(self) -> dict[str, float | None]:
        """Figures for a message: the share of the writes, and the capacity that they take."""
        return {
            "write_share": self.write_share,
            "rate_per_second": self.per_second,
            "work_share": self.node_share,
            "hurts_per_second": self.warning_per_second,
        }


def newest_read(rows: RowKindFacts) -> tuple[Read, Load] | None:
    """Return the read that loads the end of a table most: it asks for the newest of all."""
    segments = {segment.id: segment for segment in rows.kind.segments}
    loads = []
    for read, plan in rows.reads:
        bound_segments = [segments[name] for name in plan.bound if name in segments]
        of_all = all(isinstance(segment, LiteralSegment | TimeSegment) for segment in bound_segments)
        if read.newest_rows and of_all and plan.access == "range" and plan.per_second and plan.has_actual_rows:
            if has_data_boost(rows.spec, read):
                continue
            busy = plan.per_second * plan.node_seconds
            loads.append((read, Load(server_of(rows.spec), read.id, b"", plan.per_second, busy, 0.0, 1.0, 1.0)))
    return max(loads, key=lambda pair: pair[1].node_share, default=None)


def hottest_range_load(rows: RowKindFacts, segment: str) -> Load | None:
    """Return the load on the busiest range in its busiest window, where no append point is known."""
    if rows.traffic is None:
        return None
    heat = rows.traffic.heat
    node_share = heat.write_node_share
    if not node_share.size:
        return None
    place, window = np.unravel_index(int(np.argmax(node_share)), node_share.shape)
    rates = heat.writes_per_second[:, window]
    total = float(rates.sum())
    if total <= 0:
        return None
    share = float(rates[place]) / total
    return Load(
        server=server_of(rows.spec),
        segment=segment,
        prefix=b"",
        per_second=float(rates[place]),
        node_share=float(node_share[place, window]),
        write_share=share,
        effective=1 / share if share > 0 else 1.0,  # as if so many ranges had the same load
        distinct=1.0,
    )


def prefix_load(rows: RowKindFacts, depth: int) -> Load | None:
    """Return the peak writes to the busiest value of the key's first `depth` segments, as far as known.

    None while that is not known.
    """
    leads = [lead for lead in rows.leading_values if lead.depth <= depth]
    total = sum(load.peak_rows_per_second for load in rows.traffic.writes) if rows.traffic else 0.0
    if not leads or total <= 0:
        return None
    lead = max(leads, key=lambda lead: lead.depth)
    rate = sum(write.peak_rows_per_second for _, write in rows.writes) * lead.hottest_share
    seconds = sum(write.peak_rows_per_second * write.node_seconds_per_row for _, write in rows.writes)
    return Load(
        server=server_of(rows.spec),
        segment=rows.kind.segments[lead.depth - 1].id,
        prefix=lead.hottest,
        per_second=rate,
        node_share=seconds * lead.hottest_share,
        write_share=rate / total,
        effective=lead.effective,
        distinct=next((f.distinct for s, f in rows.segments if s.id == rows.kind.segments[lead.depth - 1].id), 1.0),
    )


def append_point_load(rows: RowKindFacts, segment: str) -> Load | None:
    """Return the load of one segment's hottest append point; writes that land on the same prefix add up."""
    by_prefix: dict[bytes, list[AppendPoint]] = defaultdict(list)
    for front in rows.append_points:
        if front.segment == segment:
            by_prefix[front.prefix].append(front)
    if not by_prefix or rows.traffic is None:
        return None
    prefix, fronts = max(by_prefix.items(), key=lambda item: sum(f.node_share for f in item[1]))
    rate = sum(f.per_second for f in fronts)
    total = sum(load.peak_rows_per_second for load in rows.traffic.writes)
    busiest = max(fronts, key=lambda f: f.node_share)
    return Load(
        server=server_of(rows.spec),
        segment=segment,
        prefix=prefix,
        per_second=rate,
        node_share=sum(f.node_share for f in fronts),
        write_share=min(rate / total, 1.0) if total > 0 else busiest.share,
        effective=busiest.effective,
        distinct=busiest.distinct,
    )


def whole_load(rows: RowKindFacts, segment: str) -> Load | None:
    """Return all peak writes of a row kind, as they meet where a long bucket of time begins; None while not known."""
    if rows.traffic is None:
        return None
    loads = [load for write, load in rows.writes if write.row_age_days is None]
    return Load(
        server=server_of(rows.spec),
        segment=segment,
        prefix=b"",
        per_second=sum(load.peak_rows_per_second for load in loads),
        node_share=sum(load.peak_rows_per_second * load.node_seconds_per_row for load in loads),
        write_share=1.0,
        effective=1.0,
        distinct=1.0,
    )


def unspread_load(rows: RowKindFacts) -> Load | None:
    """Return the load on the busiest leading value if no split inside it can spread that; else None.

    That is so if it is the full key or new rows land at its append point, and on Tablestore for the partition key.
    """
    if description_of(rows.spec).has_key_columns:
        columns = rows.kind.key_columns
        return prefix_load(rows, len(columns[0].segments)) if columns else None
    depth = max((lead.depth for lead in rows.leading_values), default=None)
    if depth is None:
        return None
    behind = [segment for segment in rows.kind.segments[depth:] if not isinstance(segment, LiteralSegment)]
    stuck = not behind or append_point_load(rows, behind[0].id) is not None
    return prefix_load(rows, depth) if stuck else None


FEW_DOMAINS = 3.0
"""Domains that take the writes, counted as 1 ÷ Σ share²: with no more than so many, "a small number of domain names"
is meant whatever the cluster."""


def few_domains(rows: RowKindFacts) -> Load | None:
    """Return the load on the busiest domain if domains lead the key and few take the writes; else None."""
    lead = rows.leading_segment
    if lead is None or not isinstance(lead[0], FieldSegment):
        return None
    if effective_value(rows.spec, rows.spec.find(lead[0].field), "kind") != "domain":
        return None
    load = prefix_load(rows, rows.kind.segments.index(lead[0]) + 1)
    return load if load is not None and load.effective <= FEW_DOMAINS else None
