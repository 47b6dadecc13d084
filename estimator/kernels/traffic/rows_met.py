"""Share of a row kind's rows that is left by what a caller knows: values, their beginnings, ranges and times."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from designer.document import effective_value
from designer.document.access import Bind, Read
from designer.document.durations import DAY_SECONDS
from designer.document.field import Enumeration, Pattern
from designer.document.key import (
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Segment,
    TimeSegment,
    segment_fields,
)
from designer.document.new_ids import counts_own_events, new_ids
from designer.document.popularity import Uniform, Weights
from designer.document.rotation import TablePeriod
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.keys.patterns.time_buckets import segment_seconds

from ..population.poisson import capped_rows
from .assumptions import BEGINNING
from .functional_dependencies import owner_ids
from .known_segments import FilterKnowledge, FixedKnowledge, Knowledge, PrefixKnowledge, covered_buckets
from .prefix_match import KeyMatch
from .scope import StoredRows, asked_popularities, bind_of, requested_values
from .stored_values import share_beside_row, share_of_span
from .value_ranges import counted_range, holds, values_share


def rows_share(
    stored_rows: StoredRows, read: Read, segments: Sequence[Segment], knowledge: Mapping[str, Knowledge]
) -> float:
    """Share of the kind's rows that what the caller knows of these segments leaves, at most 1.

    Parameters
    ----------
    stored_rows : StoredRows
    read : Read
    segments : sequence of Segment
        Those that find (or filter) rows.
    knowledge : mapping of segment id to Knowledge

    Returns
    -------
    float
        The mean over the values that callers ask for: a popular value counts as often as it is asked for. [1]
    """
    known_segments = [s for s in segments if isinstance(knowledge[s.id], FixedKnowledge | PrefixKnowledge)]
    fixed_segments = _telling_segments(stored_rows, segments, knowledge)
    total = stored_rows.values_per_owner(frozenset(), {}).mean_met
    below = stored_rows.values_per_owner(frozenset(s.id for s in fixed_segments), asked_popularities(read)).mean_met
    # Rows below one requested value, of all rows, times the values of one request.
    share = min(below / total * requested_values(read, fixed_segments), 1.0) if total > 0 else 1.0
    for segment in known_segments:
        bind = bind_of(read, segment.field) if isinstance(segment, FieldSegment) else None
        if isinstance(segment, FieldSegment) and bind is not None and bind.prefix:
            share *= _begun_share(stored_rows, segment, below)
    share *= _ranges_share(stored_rows, read, segments, knowledge, [s.id for s in fixed_segments])
    asks_all = read.time is None and not read.exact_time  # tables of a set
    times = [s for s in known_segments if isinstance(s, TimeSegment) and not (asks_all and isinstance(s, TablePeriod))]
    return share * _time_share(stored_rows, read, times, fixed_segments)


def unkeyed_share(stored_rows: StoredRows, read: Read) -> float:
    """Return the share of rows that have the known values of fields which neither the key nor a qualifier shows. [1]

    A limit counts the rows that have them: the scan goes on until there are so many.
    """
    spec, share = stored_rows.spec, 1.0
    columns = columns_of(stored_rows.table, stored_rows.kind)
    parts = (*stored_rows.kind.segments, *(part for _, column in columns for part in column.qualifier_from))
    visible_fields = {field for part in parts for field in segment_fields(part)}
    # Who knows a device knows its owner, which leaves out no further row.
    visible_fields.update(owner for bind in read.binds if bind.is_whole for owner in owner_ids(spec, bind.field))
    for bind in read.binds if read.match_share is None else ():
        if bind.field not in visible_fields and bind.is_whole:
            share *= min(bind.values / float(effective_value(spec, spec.find(bind.field), "distinct")), 1.0)
    return share


def span_of(stored_rows: StoredRows, read: Read) -> tuple[float, float] | None:
    """Return the ages between which the time buckets begin that a read meets; None where it asks for no span. [day]"""
    if read.time is None or read.exact_time or not stored_rows.times:
        return None
    return ages_of_span(stored_rows, read, min(stored_rows.times, key=segment_seconds))


def ages_of_span(stored_rows: StoredRows, read: Read, finest: TimeSegment) -> tuple[float, float]:
    """Return the ages between which the buckets of a time begin that a read of a span meets. [day]"""
    assert read.time is not None
    age = max(read.time.age_days, float(effective_value(stored_rows.spec, read, "age_days")))
    return age, age + covered_buckets(read.time.days, finest) * segment_seconds(finest) / DAY_SECONDS


def _span_of_buckets(stored_rows: StoredRows, read: Read, bucket_days: float) -> tuple[float, float]:
    """Return the ages between which rows are in the buckets or tables that a read's time meets, in the mean. [day]

    They are met whole, as what stands behind them parts rows before their own times do.
    """
    assert read.time is not None
    age = max(read.time.age_days, float(effective_value(stored_rows.spec, read, "age_days")))
    newer = min(age, bucket_days)  # what the newest of them got since: up to its end, or until now
    # E min(U, age) for U uniform in 0…bucket is age − age² / (2 · bucket): the bucket in which the span ends goes on
    # for U, but not beyond now.
    newer -= newer**2 / (2 * bucket_days)
    return age - newer, age + read.time.days + bucket_days / 2


def rows_of_keys(stored_rows: StoredRows, read: Read, buckets: float) -> float:
    """Return the rows that a request for whole keys meets, of which one at least is there: no more than `buckets`.

    Those of a span that reaches into another time bucket are keys of which one may not have been written.
    """
    salts, span = stored_rows.salts_met(read), span_of(stored_rows, read)
    if buckets <= 1 or (span is None and not stored_rows.rotates):
        return buckets * salts
    if span is None and stored_rows.asks_for_an_event(read):  # in one of the tables that are asked
        return salts
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    fields = {segment.id: segment_fields(segment) for segment in stored_rows.kind.segments}
    bound = frozenset(segment for segment, names in fields.items() if names and known_fields.issuperset(names))
    below = stored_rows.values_per_owner(bound, asked_popularities(read), between=span)
    there = below.mean_of_first(1.0)
    # E[rows] / E[min(rows, 1)] is the mean over requests that find something: callers ask for what is there.
    return min(below.mean_met / there, buckets * salts) if there > 0 else buckets * salts


def first_rows(
    stored_rows: StoredRows, read: Read, segments: Sequence[Segment], knowledge: Mapping[str, Knowledge],
    mean: float, most: float, salts: float = 1.0,
) -> float:  # fmt: skip
    """Return the first `most` of the rows that a range of a read meets, `mean` of them in the mean. [rows]

    `salts`: the range is in one of so many salts that writes draw anew, over which rows of one burst spread.
    """
    fixed_ids = frozenset(segment.id for segment in _telling_segments(stored_rows, segments, knowledge))
    below = stored_rows.values_per_owner(fixed_ids, asked_popularities(read))
    below = replace(below, clump=max(below.clump / salts, 1.0))
    return below.mean_of_first(most, part=mean / below.mean_met) if below.mean_met > 0 else min(mean, most)


def passed_share(
    stored_rows: StoredRows, read: Read, knowledge: Mapping[str, Knowledge], match: KeyMatch, mean: float, most: float
) -> float | None:
    """Return the part of all rows that a scan passes until it has `most` of those with the values that a caller gives.

    They lie anywhere in it, `mean` of them in the mean, and values have not as many rows each. None where a value, a
    beginning or a list finds rows, or nothing but the order does.
    """
    segments = stored_rows.kind.segments
    ids = {segment.id for segment in _given_segments(segments, knowledge)}
    begins = match.open_knowledge or match.listed_segments or ids & {segment.id for segment in match.bound_segments}
    opened = match.open_segment
    if begins or not ids or not (isinstance(opened, TimeSegment) or is_hash_of_time(opened)):
        return None
    below = stored_rows.values_per_owner(frozenset(ids), asked_popularities(read))
    together = below.clump if isinstance(opened, TimeSegment) else 1.0  # rows of one burst are in one bucket
    part = mean / below.mean_met if below.mean_met > 0 else 1.0
    # Rows of one burst stand together and count as one place on the way; the tolerance keeps 3.0000001 from being 4.
    places, most = below.rows * part / together, math.ceil(most / together - 1e-9)
    first_places = capped_rows(places, below.chance, most)
    return float(np.divide(first_places, places, out=np.ones_like(first_places), where=places > 0) @ below.asked)


def is_hash_of_time(segment: Segment | None) -> bool:
    """Return whether a segment is a hash of the time of the event, or of its bucket."""
    if isinstance(segment, TimeSegment):
        return segment.hash is not None
    return isinstance(segment, HashSegment) and not segment.fields


def first_rows_of_each(
    stored_rows: StoredRows, read: Read, knowledge: Mapping[str, Knowledge], until: Segment, most: float
) -> float:
    """Return the first `most` rows of each value that a caller lists before a segment, where events make rows. [rows]

    Only values below those given have rows, and not as many each.
    """
    segments = stored_rows.kind.segments
    fixed_segments = _given_segments(segments[: segments.index(until)], knowledge)
    bound = frozenset(segment.id for segment in fixed_segments)
    return stored_rows.values_per_owner(bound, asked_popularities(read), cap=most, until=until).mean_met


def _given_segments(segments: Sequence[Segment], knowledge: Mapping[str, Knowledge]) -> list[Segment]:
    """Return the segments whose value a caller gives, beside times."""
    values = (segment for segment in segments if not isinstance(segment, TimeSegment | LiteralSegment))
    return [segment for segment in values if isinstance(knowledge[segment.id], FixedKnowledge)]


def _telling_segments(
    stored_rows: StoredRows, segments: Sequence[Segment], knowledge: Mapping[str, Knowledge]
) -> list[Segment]:
    """Return the given segments that tell which rows are met: an id of an event has one value of every other field.

    Who knows an order and its customer asks for an order that was placed, not for any customer with any order.
    """
    given_segments = _given_segments(segments, knowledge)
    event_ids = new_ids(stored_rows.spec, stored_rows.kind)
    return [segment for segment in given_segments if event_ids.intersection(segment_fields(segment))] or given_segments


def _begun_share(stored: StoredRows, segment: FieldSegment, rows: float) -> float:
    """Return the share of the `rows` below what else a caller knows whose value has the beginning that it gives.

    Of domains with a counter in front, it is the parent that all of them have.
    """
    field = stored.spec.find(segment.field)
    values, kind = field.values, effective_value(stored.spec, field, "kind")
    if kind == "domain" and isinstance(values, Pattern) and "." not in values.split()[0]:
        return 1.0
    # Values with one beginning are assumed to be n^p of n, a share of n^(p − 1): with p = ½, 100 of 10,000.
    return float(min(stored.values(segment.field), max(rows, 1.0)) ** (BEGINNING.value - 1))


def _ranges_share(
    stored_rows: StoredRows, read: Read, segments: Sequence[Segment], knowledge: Mapping[str, Knowledge],
    fixed_ids: Sequence[str],
) -> float:  # fmt: skip
    """Return the share of the rows whose values lie in the ranges that a caller gives, each field counted once."""
    shares = dict[str, float]()
    for segment in segments:
        if not isinstance(segment, FieldSegment | DerivedSegment):
            continue
        bind = bind_of(read, segment.field)
        if (
            bind is None
            or not bind.is_range
            or not isinstance(knowledge[segment.id], PrefixKnowledge | FilterKnowledge)
        ):
            continue
        step = segment.how.size if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket) else 1
        if counts_own_events(stored_rows.spec.find(segment.field)):
            share = _counted_share(stored_rows, read, bind, fixed_ids, step)
            shares[segment.field] = min(shares.get(segment.field, 1.0), share)
            continue
        share = values_share(stored_rows.spec, bind, stored_rows.values(segment.field), step=step)
        share = min(share * _listed_weight(stored_rows, read, bind, (*fixed_ids, segment.id)), 1.0)
        shares[segment.field] = min(shares.get(segment.field, 1.0), share)
    return math.prod(shares.values())


def _counted_share(stored_rows: StoredRows, read: Read, bind: Bind, fixed_ids: Sequence[str], step: int) -> float:
    """Return the share of rows whose numbers, counted within an owner, lie in a range: those that each owner has."""
    owner = stored_rows.spec.find(bind.field).unique_within
    segments = stored_rows.kind.segments
    owners = {s.id for s in segments if isinstance(s, FieldSegment) and s.field == owner}
    asked = asked_popularities(read) if owners.intersection(fixed_ids) else {}
    below = stored_rows.values_per_owner(frozenset((*fixed_ids, *owners)), asked)
    weight = below.asked if owners.intersection(fixed_ids) else below.count
    # Numbers whose rows are gone come before those that are there.
    gone = below.rows * stored_rows.gone_per_stored
    inside = (below.first_after(gone, most) for most in counted_range(stored_rows.spec, bind, step=step))
    before, until = (float(rows @ weight) for rows in inside)
    whole = float(below.rows @ weight)
    return (until - before) / whole if whole > 0 else 1.0


def _listed_weight(stored_rows: StoredRows, read: Read, bind: Bind, bound: Sequence[str]) -> float:
    """Return by how much more rows the values in a range have than all values, where they are listed."""
    field = stored_rows.spec.find(bind.field)
    if not isinstance(field.values, Enumeration) or not isinstance(stored_rows.write_popularity(field.id), Weights):
        return 1.0
    kind = effective_value(stored_rows.spec, field, "kind")
    inside = tuple(float(holds(bind, kind, item.value)) for item in field.values.items)
    popularity, segments = asked_popularities(read), frozenset(bound)
    if not any(inside):
        return 1.0
    within = stored_rows.values_per_owner(segments, popularity | {field.id: Weights(weights=inside)}).mean_met
    # The plain share of values counts them alike; this corrects it for listed values that have more rows than others.
    among_all = stored_rows.values_per_owner(segments, popularity | {field.id: Uniform()}).mean_met
    return within / among_all if among_all > 0 else 1.0


def _time_share(
    stored_rows: StoredRows, read: Read, times: Sequence[TimeSegment], fixed_segments: Sequence[Segment]
) -> float:
    """Share of the rows below the given values that are in the buckets which the caller's time meets."""
    if not times:
        return 1.0
    finest = min(times, key=lambda t: segment_seconds(t))
    length = segment_seconds(finest) / DAY_SECONDS
    if read.time is None or read.exact_time:
        if stored_rows.history_days and read.age_days is None:
            share = share_beside_row(stored_rows, length)
        else:
            share = share_of_span(stored_rows, float(effective_value(stored_rows.spec, read, "age_days")), length)
        return _with_same_hash(finest, share, 1.0)
    bound, popularity = frozenset(segment.id for segment in fixed_segments), asked_popularities(read)
    all_rows = stored_rows.values_per_owner(bound, popularity).mean_met
    span = span_of(stored_rows, read)
    if finest is not min(stored_rows.times, key=segment_seconds):
        span = _span_of_buckets(stored_rows, read, length)
    inside = stored_rows.values_per_owner(bound, popularity, between=span).mean_met
    share = min(inside / all_rows, 1.0) if all_rows > 0 else 1.0
    return _with_same_hash(finest, share, covered_buckets(read.time.days, finest))


def _with_same_hash(segment: TimeSegment, share: float, buckets: float) -> float:
    """Return the share of the rows in so many buckets of time, with those of buckets that have the same hashes."""
    if segment.hash is None:
        return share
    # Other rows have one of the hashes with probability 1 − (1 − 1/h)^buckets. For a 64-bit hash 1 − 1/h rounds to 1,
    # so the logarithm and the exponential are taken near 0.
    return share + (1 - share) * -math.expm1(buckets * math.log1p(-1 / segment.hash_values))
