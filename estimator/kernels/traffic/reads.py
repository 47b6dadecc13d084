"""The read planner: a read → the keys or ranges that find it, rows scanned and returned, bytes, node time."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.field import Pattern
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    LiteralSegment,
    TimeSegment,
    shows_time,
    sorts_backwards,
)
from designer.document.popularity import Latest
from designer.document.rotation import TablePeriod
from designer.document.table import RowKind, Table
from estimator.engines import Capacity, bigtable
from estimator.results import Access, KeyFacts, NotComputableError, ReadPlan, RowKindSize

from ..population.first_rows import First
from ..population.rates import read_rate
from ..population.told_apart import is_drawn_anew
from .answers import new_enough_share, refusal, row_bytes_above
from .assumptions import ENUMERATION
from .cells import read_cells
from .kinds_met import OtherKind, RowsMet, UnaskedRows, order_of_kinds, shared_match, take_in_order, unasked_rows
from .known_segments import FEW_BUCKETS, Knowledge, segment_knowledge
from .newest_buckets import (
    bucket_by_bucket,
    is_newest_first,
    is_newest_met_first,
    rows_of_listed_values,
    rows_of_whole_buckets,
    table_by_table,
    whole_buckets,
)
from .node_time import read_seconds, scan_seconds
from .prefix_match import KeyMatch, match_key, segments_with_rows
from .rows_met import first_rows, first_rows_of_each, passed_share, rows_of_keys, rows_share, unkeyed_share
from .scope import StoredRows, possible_rows, requested_values
from .storage_age import StoredTime, even_stored_time, stored_time
from .tiers import are_lookups_of_one_tier, cold_seconds, cold_share
from .work import work_of

FEWER_RANGES = (10_000.0, ENUMERATION.value)
"""What a caller asks for at most where as many ranges as the key has take more node time than a longer scan.

The first is our choice: as many ranges as a caller still sends in a few requests; the second is assumed of a caller."""


def newest_days(stored_rows: StoredRows, read: Read, plan: ReadPlan) -> float | None:
    """Return the days back to which a read of the newest rows reaches; None if it scans regardless."""
    if read.newest_rows is None or plan.access == "scan" or plan.open_at is None:
        return None
    if not is_newest_first(stored_rows, read, _match_of_plan(stored_rows, read, plan)):
        return None
    anyway = _cheapest_plan(
        stored_rows,
        read.model_copy(update={"newest_rows": None}),
        (),
        bigtable.instance_capacity(stored_rows.spec.instance),
    )
    # The limit is reached after this share of the rows, and rows are taken as even over the time.
    share = min(plan.rows_scanned / max(anyway.rows_scanned, 1e-12), 1.0)
    return share * (read.time.days if read.time else stored_rows.shown_span_days)


def plan_reads(
    spec: Spec, table: Table, keys: Mapping[str, KeyFacts], sizes: Mapping[str, RowKindSize],
    only: Collection[str] | None = None,
) -> tuple[ReadPlan, ...]:  # fmt: skip
    """Return the plan of each read of a table whose row kind has a key, in document order.

    Parameters
    ----------
    spec : Spec
    table : Table
    keys : mapping of row kind id to KeyFacts
        Row kinds without one (no segments yet) are left out.
    sizes : mapping of row kind id to RowKindSize
        Rows and mean cells at the end of the horizon. For a row kind without them (no rate is known yet) as many rows
        as there can be keys, each written once, stand in, and the plan's `rows_total` is None.
    only
        Ids of the reads to be planned; None is all.
    """
    capacity = bigtable.instance_capacity(spec.instance)
    plans, stored = [], dict[str, StoredRows]()

    def stored_of(kind: RowKind) -> StoredRows:
        if kind.id not in stored:
            facts = keys[kind.id]
            # Without a rate nothing is known to be stored; a plan is still of use, for its access and its filters.
            size = sizes.get(kind.id) or possible_rows(spec, table, kind, facts)
            stored[kind.id] = StoredRows(spec, table, kind, facts, size, _time(spec, table, kind))
        return stored[kind.id]

    for kind in table.row_kinds:
        reads = [read for read in kind.reads if only is None or read.id in only]
        if not reads or kind.id not in keys:
            continue
        others = [
            OtherKind(other, sizes[other.id], partial(stored_of, other) if other.id in keys else None)
            for other in table.row_kinds
            if other.id != kind.id and other.id in sizes
        ]
        kind_plans = [_cheapest_plan(stored_of(kind), read, others, capacity) for read in reads]
        plans += kind_plans if kind.id in sizes else [replace(plan, rows_total=None) for plan in kind_plans]
    return tuple(plans)


def _time(spec: Spec, table: Table, kind: RowKind) -> StoredTime:
    try:
        return stored_time(spec, table, kind)
    except NotComputableError:
        return even_stored_time(spec)


def _cheapest_plan(stored_rows: StoredRows, read: Read, others: Sequence[OtherKind], capacity: Capacity) -> ReadPlan:
    """Return the plan of a read in as many ranges as its key asks for, or in fewer where these take less node time."""
    best = _plan(stored_rows, read, others, capacity, math.inf)
    for most_ranges in FEWER_RANGES:
        if best.refused is not None or best.ranges <= most_ranges * (read.keys_per_call or 1):
            continue
        fewer = _plan(stored_rows, read, others, capacity, most_ranges)
        # 10,000 ranges of a key with a salt modulo 10,000 cost 10,000 seeks; one scan with a filter can be cheaper.
        if fewer.refused is None and fewer.node_seconds < best.node_seconds:
            best = fewer
    listed_ranges = _listed_ranges(stored_rows, read, best)
    if best.refused is None and listed_ranges > 1:
        # A short range of all values, filtered, can be cheaper than one range for each of them.
        filtered = _plan(stored_rows, read, others, capacity, best.ranges / listed_ranges)
        if filtered.refused is None and filtered.node_seconds < best.node_seconds:
            best = filtered
    return best


def _listed_ranges(stored_rows: StoredRows, read: Read, plan: ReadPlan) -> float:
    """Return the ranges that values of fields, which the caller must know, make of one of a plan."""
    segments = [segment for segment in stored_rows.kind.segments if segment.id in plan.listed]
    if read.newest_rows is not None or not any(isinstance(s, FieldSegment | DerivedSegment) for s in segments):
        return 1.0
    return _match_of_plan(stored_rows, read, plan).listed_ranges


def _match_of_plan(stored_rows: StoredRows, read: Read, plan: ReadPlan) -> KeyMatch:
    """Return the match that a plan was made of."""
    # A plan keeps only the place at which it opened, so its match is found again by that place.
    matches = [_match_read(stored_rows, read, most_ranges)[1] for most_ranges in (math.inf, *FEWER_RANGES)]
    opened = [match.open_segment.id if match.open_segment else None for match in matches]
    return matches[opened.index(plan.open_at)]


def _plan(
    stored_rows: StoredRows, read: Read, others: Sequence[OtherKind], capacity: Capacity, most_ranges: float
) -> ReadPlan:
    spec, segments = stored_rows.spec, stored_rows.kind.segments
    knowledge, match = _match_read(stored_rows, read, most_ranges)
    requested_kinds = [other for other in others if other.kind.id in read.row_kinds and other.stored is not None]
    if requested_kinds:
        match = shared_match(match, segments, [other.kind.segments for other in requested_kinds], knowledge)
    limit = read.row_limit or read.newest_rows
    newest = limit is not None and not requested_kinds and is_newest_first(stored_rows, read, match)
    limited = newest or read.row_limit is not None
    from_newest = newest or match.whole_bucket is not None
    access = _access(read, match, limited=limited or from_newest)
    keys = float(read.keys_per_call or 1) if access != "scan" else 1.0
    value_count = requested_values(read, match.bound_segments)
    # All ranges of one round; `asks` rounds follow each other where newest buckets are asked one by one.
    round_ranges = keys * value_count * match.buckets * match.listed_ranges
    ranges = round_ranges * match.asks
    if requested_kinds:
        kinds = _rows_of_kinds(stored_rows, read, match, requested_kinds, keys, most_ranges)
    else:
        kinds = [_rows_of_kind(stored_rows, read, knowledge, match, keys=keys, ranges=round_ranges, limited=limited)]
    scanned = sum(kind.scanned for kind in kinds)
    known_segments = partial(_known_segments, most_ranges=most_ranges)
    # A scan that ends at its limit is assumed to end before it reaches rows of other kinds.
    unasked = UnaskedRows() if limited else unasked_rows(stored_rows, read, match, others, known_segments)
    scanned_bytes = sum(kind.scanned * (kind.cells.touched_bytes + kind.row_bytes) for kind in kinds)
    scanned_bytes += keys * unasked.bytes
    returned_bytes = sum(kind.returned * (kind.cells.sent_bytes + kind.row_bytes) for kind in kinds)
    # Whole keys are looked up one by one; a range is one lookup, however many rows follow.
    lookups = max(scanned, ranges) if match.open_segment is None else ranges
    cold = cold_share(stored_rows, read, match, newest=from_newest)
    # A range, or a row of many writes, may have cells on both tiers, and is then looked for on both.
    cold_lookups = lookups * cold if are_lookups_of_one_tier(stored_rows, match) else lookups
    colder = cold_seconds(capacity, cold, scanned_bytes, lookups=cold_lookups)
    plan = ReadPlan(
        read=read.id,
        row_kind=stored_rows.kind.id,
        access=access,
        bound=tuple(segment.id for segment in match.bound_segments),
        open_at=match.open_segment.id if match.open_segment else None,
        filtered=tuple(segment.id for segment in match.filtered_segments),
        ranges=ranges,
        rows_scanned=scanned + keys * unasked.rows,
        rows_returned=sum(kind.returned for kind in kinds),
        cells_returned=sum(kind.returned * kind.cells.returned_cells for kind in kinds),
        bytes_scanned=scanned_bytes,
        row_bytes_above=row_bytes_above(stored_rows, read),
        bytes_returned=returned_bytes,
        bytes_wanted=returned_bytes * float(effective_value(spec, read, "value_share")),
        node_seconds=_seconds(capacity, match, ranges, scanned_bytes, kinds) + colder,
        per_second=read_rate(spec, read, float(effective_value(spec, spec, "horizon_months"))),
        rows_total=stored_rows.size.rows + sum(other.size.rows for other in requested_kinds),
        listed=tuple(segment.id for segment, _ in match.listed_segments),
        ends_at_limit=limited or match.whole_bucket is not None,
        bytes_dragged=sum(kind.scanned * kind.cells.dragged_bytes for kind in kinds),
        bytes_filtered=sum(
            kind.scanned * (kind.cells.filtered_bytes + kind.unmatched * kind.cells.returned_bytes) for kind in kinds
        ),
    )
    stored_bytes = sum(kind.returned * (kind.cells.returned_bytes + kind.row_bytes) for kind in kinds)
    if (refused := refusal(stored_rows, read, plan.rows_returned, stored_bytes)) is not None:
        # The engine refuses the read with an error, so it has no load, and the finding says why.
        return replace(plan, refused=refused, node_seconds=0.0)
    return replace(plan, node_seconds=work_of(spec).read_seconds(plan))


def _rows_of_kind(
    stored_rows: StoredRows, read: Read, knowledge: Mapping[str, Knowledge], match: KeyMatch,
    *, keys: float, ranges: float, limited: bool,
) -> RowsMet:  # fmt: skip
    """Return the rows of the read's own kind where it wants no others; `limited`: the scan ends at its last row."""
    spec, segments = stored_rows.spec, stored_rows.kind.segments
    if match.open_segment is None:
        value_count = requested_values(read, match.bound_segments)
        scanned = keys * value_count * match.listed_rows(spec, read) * rows_of_keys(stored_rows, read, match.buckets)
        matching = scanned
    else:
        scanned, matching = _rows_in_range(stored_rows, read, knowledge, match, keys)
    match_share = float(effective_value(spec, read, "match_share"))
    limit = read.row_limit or read.newest_rows
    passed = match_share * (new_enough_share(stored_rows, read) if limit is None else 1.0)
    returned, unmatched = matching * passed, (matching / scanned if scanned > 0 else 1.0) * (1 - passed)
    if limit is not None:
        # Every scanned row is returned with this probability, so `limit` rows take limit / selected scanned ones in
        # the mean.
        selected = returned / scanned if scanned > 0 else 1.0
        returned = keys * first_rows(stored_rows, read, segments, knowledge, returned / keys, limit)
        most = limit / max(selected * unkeyed_share(stored_rows, read), 1e-12)
        if match.whole_bucket is not None:
            scanned = min(scanned, keys * rows_of_whole_buckets(stored_rows, read, match, most))
        elif match.asked_bucket is not None:
            scanned = min(scanned, keys * rows_of_listed_values(stored_rows, read, match, most))
        elif limited:
            # Without the share of values, which `passed_share` takes from the classes itself.
            needed = limit / max(match_share, 1e-12)
            lookups = max(ranges, keys)
            if match.listed_segments and match.open_segment is not None and stored_rows.has_row_per_event:
                row_count = first_rows_of_each(stored_rows, read, knowledge, match.open_segment, most)
                scanned = min(scanned, keys * row_count)
            elif (part := passed_share(stored_rows, read, knowledge, match, matching / keys, needed)) is not None:
                scanned *= part
            else:
                salts = math.prod(values for segment, values in match.listed_segments if is_drawn_anew(segment))
                scanned = lookups * first_rows(
                    stored_rows, read, segments, knowledge, scanned / lookups, most, salts=salts
                )
    order = _order_of_rows(stored_rows, read, match)
    # Per key asked for, because the order of rows holds within one key's range.
    cells = read_cells(stored_rows, read, match, order, ends_scan=limited, scanned=scanned / keys)
    return RowsMet(scanned, returned, unmatched, cells, stored_rows.size.row_bytes)


def _rows_in_range(
    stored_rows: StoredRows, read: Read, knowledge: Mapping[str, Knowledge], match: KeyMatch, keys: float
) -> tuple[float, float]:
    """Return the rows of a kind that a range holds, and those of them that the caller means."""
    segments, total = stored_rows.kind.segments, stored_rows.size.rows
    reached = segments_with_rows(segments, knowledge, match)
    scanned = min(total * rows_share(stored_rows, read, reached, knowledge), total) * keys
    return scanned, min(total * rows_share(stored_rows, read, segments, knowledge) * keys, scanned)


def _rows_of_kinds(
    stored_rows: StoredRows, read: Read, match: KeyMatch, requested_kinds: Sequence[OtherKind], keys: float,
    most_ranges: float,
) -> list[RowsMet]:  # fmt: skip
    """Return the rows of each kind that one scan returns, the read's own first.

    A limit takes rows of one kind after the other, in the order in which their keys part where this is told.
    """
    share = float(effective_value(stored_rows.spec, read, "match_share"))
    stored = [stored_rows, *(other.stored() for other in requested_kinds if other.stored is not None)]
    kinds = list[RowsMet]()
    for rows in stored:
        knowledge, own = _match_read(rows, read, most_ranges)
        beside = [other.kind.segments for other in stored if other is not rows]
        own = match if rows is stored_rows else shared_match(own, rows.kind.segments, beside, knowledge)
        scanned, matching = _rows_in_range(rows, read, knowledge, own, keys)
        cells = read_cells(rows, read, own, None, ends_scan=read.row_limit is not None)
        passed = share * (new_enough_share(rows, read) if read.row_limit is None else 1.0)
        unmatched = (matching / scanned if scanned > 0 else 1.0) * (1 - passed)
        kinds.append(RowsMet(scanned, matching * passed, unmatched, cells, rows.size.row_bytes))
    if read.row_limit is None:
        return kinds
    order = order_of_kinds([rows.kind.segments for rows in stored], is_reversed=bool(read.reverse))
    # One limit for all kinds: the kind that sorts first can use it up, and the others are not met at all.
    amounts = take_in_order([kinds[place].returned for place in order], read.row_limit * keys)
    return [kinds[place].cut(amount) for place, amount in zip(order, amounts, strict=True)]


def _known_segments(stored_rows: StoredRows, read: Read, *, most_ranges: float) -> Mapping[str, Knowledge]:
    return _match_read(stored_rows, read, most_ranges)[0]


def _order_of_rows(stored_rows: StoredRows, read: Read, match: KeyMatch) -> First | None:
    """Return which rows a read takes first; None where it takes all, or they are in no order."""
    limit, opened = read.row_limit or read.newest_rows, match.open_segment
    if limit is None or opened is None:
        return None
    times = [segment for segment in stored_rows.times if segment not in match.bound_segments]
    newest = read.row_limit is None or any(is_newest_met_first(stored_rows, read, segment) for segment in times)
    if times and read.row_limit is not None and opened.id in stored_rows.counts_up:
        # A number that counts events stands in for their time, so its direction says which are met first.
        return First(float(limit), newest=sorts_backwards(opened) != bool(read.reverse))
    if shows_time(opened) or (read.newest_rows is not None and times):
        ranges = match.listed_ranges if read.row_limit is not None else 1.0
        return First(float(limit), newest, ranges=ranges)
    if not isinstance(opened, FieldSegment) or not _is_in_order_of_rank(stored_rows, opened):
        return None
    if not all(is_drawn_anew(segment) for segment, _ in match.listed_segments):
        return None
    backwards = bool(read.reverse) if read.row_limit is not None else True
    latest = isinstance(stored_rows.write_popularity(opened.field), Latest)
    return First(float(limit), newest, by_value=True, is_last=backwards != latest, ranges=match.listed_ranges)


def _is_in_order_of_rank(stored_rows: StoredRows, segment: FieldSegment) -> bool:
    """Return whether values of a part sort as counted, the busiest first, and nothing follows but a time."""
    rest = stored_rows.kind.segments[stored_rows.kind.segments.index(segment) + 1 :]
    values = effective_value(stored_rows.spec, stored_rows.spec.find(segment.field), "values")
    ends = all(isinstance(follower, TimeSegment | LiteralSegment) for follower in rest)
    return ends and isinstance(values, Pattern) and values.split()[1] > 0 and not segment.transforms


def _match_read(stored_rows: StoredRows, read: Read, most_ranges: float) -> tuple[dict[str, Knowledge], KeyMatch]:
    spec, facts = stored_rows.spec, {segment.id: segment for segment in stored_rows.facts.segments}
    knowledge = {s.id: segment_knowledge(spec, read, s, facts[s.id], most_ranges) for s in stored_rows.kind.segments}
    # A limit of newest rows makes listing worthwhile: the first rows of each of 16 salts instead of a scan of all.
    newest = {
        s.id
        for s in stored_rows.kind.segments
        if read.newest_rows is not None and is_newest_met_first(stored_rows, read, s)
    }
    match = match_key(stored_rows.kind.segments, knowledge, newest, most_ranges)
    match = bucket_by_bucket(stored_rows, read, match, knowledge, newest, most_ranges)
    match = whole_buckets(stored_rows, read, match)
    if match.open_segment is not None and match.open_segment.id in newest:
        match = table_by_table(stored_rows, read, match)
    return knowledge, match


def _access(read: Read, match: KeyMatch, *, limited: bool) -> Access:
    """Return how the rows are found; `limited`: the scan ends at the read's last row."""
    several = (
        (read.keys_per_call or 1) * requested_values(read, match.bound_segments) * match.buckets * match.listed_ranges
    )
    if match.open_segment is None:
        return "multi_point" if several >= FEW_BUCKETS else "point"
    unsaid = LiteralSegment if read.time or read.exact_time else LiteralSegment | TablePeriod
    bound_parts = [segment for segment in match.bound_segments if not isinstance(segment, unsaid)]
    if not bound_parts and not match.open_knowledge and not match.listed_segments and not limited:
        return "scan"
    if several >= FEW_BUCKETS:
        return "multi_range"
    begun = match.open_knowledge
    return "range" if limited or (begun and (begun.buckets or begun.is_range)) else "prefix"


def _seconds(
    capacity: Capacity, match: KeyMatch, ranges: float, scanned_bytes: float, kinds: Sequence[RowsMet]
) -> float:
    if match.open_segment is None:
        rows, cells = (
            sum(kind.scanned for kind in kinds), sum(kind.scanned * kind.cells.touched_cells for kind in kinds),
        )  # fmt: skip
        # A key that is not there costs a lookup as well.
        return read_seconds(capacity, scanned_bytes, rows=max(rows, ranges), cells=cells)
    extra = sum(max(kind.cells.touched_cells - 1, 0.0) * kind.scanned for kind in kinds)
    return scan_seconds(capacity, scanned_bytes, ranges=ranges, extra_cells=extra)
