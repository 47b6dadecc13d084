"""Results of a run beside its grids: labels of ranges, hot keys, largest rows, patterns with advice."""

from bisect import bisect_right
from collections.abc import Mapping
from decimal import Decimal

import numpy as np

from designer.document.key import KeyDisplay, as_text
from designer.document.texts import N_
from estimator.kernels.keys import EventDistribution, key_summary
from estimator.kernels.traffic.distributions import has_time_in_key
from estimator.results.arrays import Floats, Ints

from ..results import PatternName
from .growing import bytes_at_share
from .plan import Plan, PlannedFlow, PlannedTable
from .points import busiest_keys
from .results import HotKey, PatternSeen, TableDays
from .servers import servers_of

HOT_KEYS = 20
LOOKED_AT = 512
"""So many of each kind's busiest entities are found in their ranges, where rows are largest."""


def labels(table: PlannedTable) -> tuple[str, ...]:
    """(ranges) of each range's first key so much as tells it from the next range's."""
    pattern, samples = table.display_pattern, key_summary(table.display_pattern).samples
    first = bytes(samples[0]) if samples and (not table.bounds or samples[0] < table.bounds[0]) else b""
    # The first range has no bound below; the smallest sample key stands for its beginning.
    edges = [first, *table.bounds]
    texts = []
    for lower, upper in zip(edges, [*edges[1:], None], strict=True):
        key = pattern.readable_key(bytes(lower))
        if isinstance(key, KeyDisplay):
            texts.append(as_text(key))
            continue
        same = (
            _common_prefix_bytes(lower, upper)
            if upper is not None
            else _common_prefix_bytes(edges[-2], lower)
            if len(edges) > 1
            else 0
        )
        texts.append(as_text(_cut_whole_characters(bytes(lower), same + 1)))
    if texts and not texts[0] and len(texts) > 1:
        texts[0] = f"< {texts[1]}"
    return tuple(texts)


def _common_prefix_bytes(first: bytes, second: bytes) -> int:
    """Return the number of bytes that two keys have in common at their beginning."""
    return next(
        (i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second))
    )


def _cut_whole_characters(key: bytes, size: int) -> bytes:
    """Return the first bytes of a key, without cutting a character in two."""
    while size < len(key) and 0x80 <= key[size] < 0xC0:
        size += 1
    return key[:size]


def hot_keys(plan: Plan, table: PlannedTable) -> tuple[HotKey, ...]:
    """Return the busiest rows, writes and reads together."""
    flows_by_key: dict[tuple[str, bytes], dict[str, tuple[Floats, Floats]]] = {}
    for flow in table.flows:
        if not flow.is_write and plan.read_plan(flow).access not in ("point", "multi_point"):
            continue
        for key, operations, node in _rows(plan, flow):
            flows_by_key.setdefault((flow.flow.kind.id, key), {})[flow.id] = (operations, node)
    node_total = sum(float(f.rates.sum()) * f.flow.seconds for f in table.flows)
    keys = []
    for (kind, key), by_flow in flows_by_key.items():
        operations = sum((counts for counts, _ in by_flow.values()), np.zeros(plan.windows))
        node = sum((seconds for _, seconds in by_flow.values()), np.zeros(plan.windows))
        most = max(by_flow, key=lambda name: float(by_flow[name][1].sum()))
        display_key = table.patterns[kind].readable_key(key)
        keys.append(
            HotKey(
                key=key, text=as_text(display_key), access=most, row_kind=kind,
                share=float(node.sum()) / node_total if node_total > 0 else 0.0,
                read_share=_part(table, by_flow, writes=False), write_share=_part(table, by_flow, writes=True),
                per_second=float(operations.max()), node_share=float(node.max()),
            )
        )  # fmt: skip
    keys.sort(key=lambda hot_key: (-hot_key.share, -hot_key.per_second, hot_key.key))
    return tuple(keys[:HOT_KEYS])


def _part(table: PlannedTable, by_flow: Mapping[str, tuple[Floats, Floats]], *, writes: bool) -> float:
    mine = [flow for flow in table.flows if flow.is_write == writes]
    total = sum(float(flow.rates.sum()) for flow in mine)
    there = sum(float(by_flow[flow.id][0].sum()) for flow in mine if flow.id in by_flow)
    return min(there / total, 1.0) if total > 0 else 0.0


def _rows(plan: Plan, flow: PlannedFlow) -> list[tuple[bytes, Floats, Floats]]:
    """Return a flow's busiest rows in its peak window: key, operations a second and node time per window."""
    peak = int(flow.rates.argmax())
    day, of_day = divmod(peak, plan.windows_per_day)
    law = plan.distribution(flow, day)
    group = of_day * law.time.count // plan.windows_per_day
    there = np.ones(plan.windows)
    if has_time_in_key(flow.pattern):  # the key is of this window's times only
        window = np.arange(plan.windows)
        same = (window // plan.windows_per_day == day) & (
            window % plan.windows_per_day * law.time.count // plan.windows_per_day == group
        )
        there = same.astype(np.float64)
    keys_per_call = 1.0 if flow.is_write else plan.read_plan(flow).ranges
    busiest_rows = busiest_keys(flow.pattern, law, len(flow.pattern.levels), HOT_KEYS, group)
    return [
        (key, flow.rates * there * share * keys_per_call, flow.rates * there * share * flow.flow.seconds)
        for share, key in busiest_rows
        if share > 0
    ]


def row_bytes(plan: Plan, table: PlannedTable, days: TableDays) -> Ints:
    """Return the largest row in each range, in bytes: int64 (ranges, days), one day for a day's run.

    Rows of the busiest entities are each in their range; elsewhere it is the largest of as many rows as a range
    holds, none of them busier than the last one examined.
    """
    places = [len(days.dates) - 1] if len(plan.dates) == 1 else list(range(len(days.dates)))
    largest = np.zeros((table.ranges, len(places)))
    for kind in days.kinds:
        growth = table.part.growth
        writes = [f for f in table.flows if f.is_write and f.flow.kind.id == kind.row_kind]
        spreads = [(f, growth.entities[f.id]) for f in writes if growth is not None and f.id in growth.entities]
        if not spreads:
            continue
        flow, spread = max(spreads, key=lambda pair: float(pair[0].rates.sum()))
        share = _largest_share(plan, table, flow, spread.shares, spread.counts, kind.row_kind)
        for column, day in enumerate(places):
            sizes = (float(kind.median_bytes[day]), float(kind.p99_bytes[day]), float(kind.largest_bytes[day]))
            largest[:, column] = np.maximum(
                largest[:, column], bytes_at_share(spread.shares, spread.counts, sizes, share)
            )
    return np.rint(largest).astype(np.int64)


def _largest_share(
    plan: Plan, table: PlannedTable, flow: PlannedFlow, shares: Floats, counts: Floats, kind: str
) -> Floats:
    """(ranges,) share of the events that the busiest entity in each range gets; 0 where the kind has no rows."""
    law = plan.distribution(flow, 0)
    top_keys = busiest_keys(
        flow.pattern, EventDistribution(law.time.collapse(), law.popularity), len(flow.pattern.levels), LOOKED_AT
    )
    order = np.argsort(-shares)
    upto = np.cumsum(counts[order])
    stored = table.stored[kind]
    entities = min(float(upto[-1]), max(stored.size.rows, 1.0))
    in_range = entities * table.stored_share
    # Of n rows taken at random the largest is about the one that an n-th of all rows are busier than.
    rank = np.searchsorted(upto, upto[-1] / np.maximum(in_range, 1.0))
    largest = shares[order][np.minimum(rank, len(order) - 1)]
    if len(upto) and len(top_keys) >= LOOKED_AT:
        last = int(np.searchsorted(upto, LOOKED_AT))
        largest = np.minimum(largest, shares[order][min(last, len(order) - 1)])
    largest = np.where(table.stored_share > 0, largest, 0.0)
    upmost, biggest = float(shares.max(initial=0.0)), max((pair[0] for pair in top_keys), default=0.0)
    for share, key in top_keys:
        place = bisect_right(table.bounds, key)
        largest[place] = max(largest[place], share / biggest * upmost if biggest > 0 else 0.0)
    return np.asarray(largest)


ADVICE: Mapping[PatternName, str] = {
    "evenly_spread": N_("The load is evenly spread. No action is needed."),
    "periodic": N_("The load varies with the time of day. Use autoscaling, or move batch work to quiet hours."),
    "hot_range": N_(
        "A few ranges receive most of the load. Start the key with a segment that has more distinct "
        "values, or spread the busy values."
    ),
    "sudden_increase": N_(
        "The load rises faster than nodes and splits can follow. Raise the autoscaling minimum in "
        "advance, or start batch work slowly."
    ),
    "sequential": N_(
        "New rows go to the end of a few ranges. Start the key with a segment that spreads writes, and "
        "place the increasing segment after it."
    ),
    "single_hot_row": N_(
        "One row receives a large share of the load, and a row cannot be split. Spread it over several "
        "rows, batch the writes, or cache the reads."
    ),
    "large_rows": N_("Some rows exceed the size limit for reads. Start new rows more often, or delete old cells."),
    "idle": N_("The load is negligible."),
}
"""What to do about each pattern."""

REST = N_("The remaining load is evenly spread.")


def patterns(plan: Plan, table: PlannedTable) -> tuple[PatternSeen, ...]:
    """Return the named patterns of the period's day, as the live estimate finds them."""
    traffic = table.part.traffic
    if traffic is None:
        return ()
    front = max(traffic.fronts, key=lambda candidate: candidate.node_share, default=None)
    single = (hot_row for hot_row in traffic.hot_rows if not hot_row.is_range)
    row = max(single, key=lambda candidate: candidate.node_share, default=None)
    at = {
        "sequential": front.segment if front is not None else "",
        "single_hot_row": row.access if row is not None else "",
    }
    advice = {**ADVICE, **servers_of(plan.spec).ADVICE}
    if any(pattern.name == "evenly_spread" and pattern.share < 0.995 for pattern in traffic.patterns):
        advice["evenly_spread"] = REST
    return tuple(
        PatternSeen(pattern.name, pattern.share, pattern.ours, advice[pattern.name], at.get(pattern.name, ""))
        for pattern in traffic.patterns
    )


def month_cost(plan: Plan) -> tuple[Decimal | None, bool, str]:
    """Return the bill of the month in which the period ends, True if some of it has no price, its currency."""
    bill = plan.estimate.bill
    return (None, False, plan.estimate.currency) if bill is None else (bill.total, bool(bill.open_lines), bill.currency)


def offered_operations(refused: Ints, refused_share: Floats) -> float:
    """Operations that came to a cluster in all of some windows, as those in which some were refused tell; 0 without.

    Parameters
    ----------
    refused, refused_share : (windows,)
        Operations, and of all that were offered. [1]
    """
    is_refusing = refused_share > 0
    return (
        float((refused[is_refusing] / refused_share[is_refusing]).mean()) * len(refused) if is_refusing.any() else 0.0
    )
