"""Knowledge of a read's caller about a key: the segments from its start on, a time behind them, a number of rows."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.key import (
    AutoIncrement,
    FieldSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    segment_fields,
    shows_time,
    sorts_backwards,
)
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.kernels.keys.rendering.date_order import sorts_by_time
from estimator.kernels.traffic.column_ranges import is_named_by_age, range_bind
from estimator.kernels.traffic.known_segments import covered_buckets

from ..shared.result import ExportRemarks
from .expressions import KeyParameter, parameter_of, segment_parameters
from .forms import ValueOrder

MOST_SALTS = 4096
"""Ranges that one read may have."""
LIMIT = "the limit of rows in the request for each range of this read"


@dataclass(frozen=True)
class KnownKey:
    """The beginning of a key that a caller knows."""

    count: int
    """Segments."""
    salts: tuple[tuple[str, int], ...]
    """Among them salts that nobody knows when reading, by id with their number of values: one range for each value."""
    has_time: bool
    """A time follows by which keys sort: the caller says from when to when."""
    is_point: bool
    """The whole key is known."""
    is_by_bucket: bool = False
    """Among them is a bucket of time of which each is asked alone: from the newest back, or all of a span."""
    has_values: bool = False
    """A field follows by which keys sort, of which the caller knows a range of values."""
    has_beginning: bool = False
    """A text follows of which the caller knows the beginning."""


def known_key(
    spec: Spec, key: Sequence[Segment], read: Read, *, length: int,
    order: Callable[[int], ValueOrder | None] | None = None,
) -> KnownKey:  # fmt: skip
    """Return what a caller knows of the segments that all rows of a read share, of a key of so many segments.

    `order` returns how the values in a place sort; with it, ranges and beginnings of values are asked for, too.
    """
    fields = {bind.field for bind in read.binds if bind.is_whole}
    salts: dict[str, int] = {}
    count = 0
    for segment in key:
        if not _is_known(spec, segment, fields, read):
            if not isinstance(segment, SaltSegment) or segment.modulo > MOST_SALTS:
                break
            salts[segment.id] = segment.modulo
        count += 1
    has_time = _is_time_of_range(key[count:], read)
    is_open = order is not None and not has_time and count < len(key)
    has_values = is_open and range_bind(read, key[count]) is not None and order(count) is not None  # type: ignore[misc]
    has_beginning = is_open and takes_beginning(spec, key[count], read)
    follows = has_time or has_values or has_beginning
    asks_buckets = any(_is_asked_by_bucket(segment, read) for segment in key[:count])
    while not follows and 0 < count < length and key[count - 1].id in salts:
        count -= 1
        del salts[key[count].id]  # a range over all salts is one range
    if not follows and not salts and _begins_buckets(spec, key[count:], fields, read):
        return KnownKey(count + 1, (), has_time=False, is_point=False, is_by_bucket=True)
    return KnownKey(count, tuple(salts.items()), has_time, count == length, asks_buckets, has_values, has_beginning)


def takes_beginning(spec: Spec, segment: Segment, read: Read) -> bool:
    """Return whether a caller knows the beginning of a text, or the parent of a domain, and keys keep it together."""
    if not isinstance(segment, FieldSegment) or not any(
        bind.prefix and bind.field == segment.field for bind in read.binds
    ):
        return False
    kinds = [transform.kind for transform in segment.transforms]
    is_domain = effective_value(spec, spec.find(segment.field), "kind") == "domain"
    keeps = all(kind in ("reverse_domain", "case", "truncate", "percent") for kind in kinds)
    is_text = parameter_of(spec, segment.field).type in ("text", "bytes")
    return keeps and is_text and kinds.count("reverse_domain") == is_domain


def _begins_buckets(spec: Spec, rest: Sequence[Segment], fields: set[str], read: Read) -> bool:
    """Return whether a bucket of time that ascends follows, in which the newest rows come first.

    So the design's reads are planned, too: `bucket_by_bucket` in `estimator/kernels/traffic`.
    """
    if read.newest_rows is None or read.reverse or read.row_kinds or engine_of(spec).READS_EITHER_WAY:
        return False
    if not rest or not isinstance(bucket := rest[0], TimeSegment) or sorts_backwards(bucket):
        return False
    finer = [segment for segment in rest[1:] if not isinstance(segment, LiteralSegment)]
    if not finer:
        return False
    is_aged = (bucket.hash is not None or is_named_by_age(spec, bucket)) and is_named_by_age(spec, finer[0])
    return (
        is_aged and sorts_backwards(finer[0]) and not any(_is_known(spec, segment, fields, read) for segment in finer)
    )


def _is_asked_by_bucket(segment: Segment, read: Read) -> bool:
    """Return whether a segment is a hash of a bucket, and a span has so few that one after the other is asked."""
    if not isinstance(segment, TimeSegment) or segment.hash is None or read.exact_time or read.time is None:
        return False
    return covered_buckets(read.time.days, segment) <= MOST_SALTS


def _is_known(spec: Spec, segment: Segment, fields: set[str], read: Read) -> bool:
    if isinstance(segment, AutoIncrement):
        return False
    if _is_asked_by_bucket(segment, read):
        return True
    return all(
        _is_parameter_known(segment_parameter, fields, read) for segment_parameter in segment_parameters(spec, segment)
    )


def _is_parameter_known(parameter: KeyParameter, fields: set[str], read: Read) -> bool:
    return parameter.type != "salt" and (parameter.id in fields or (parameter.type == "time" and read.exact_time))


def _is_time_of_range(rest: Sequence[Segment], read: Read) -> bool:
    """Return whether a time follows what a read knows, and keys of a span of time are one range."""
    segment = rest[0] if rest else None
    if read.time is None or segment is None or not shows_time(segment) or isinstance(segment, AutoIncrement):
        return False
    return not segment.pattern or sorts_by_time(segment.pattern)


@dataclass(frozen=True)
class RowLimit:
    """The most rows that the request for each range of a read returns."""

    rows: int
    is_newest: bool
    is_reversed: bool
    has_ranges: bool
    """Several ranges, whose answers the caller merges."""

    def notes(self) -> Iterator[str]:
        """Yield comments on the function that returns the limit."""
        which = "newest" if self.is_newest else "last" if self.is_reversed else "first"
        if self.is_reversed:
            yield "The request reads backwards."
        if self.has_ranges:
            yield f"Send a request for each range; of all rows that are returned, keep the {which} {self.rows}."


def request_limit(spec: Spec, segments: Sequence[Segment], read: Read, known_count: int) -> int | None:
    """Return the limit of a request, of which the caller knows so many segments; None where it has none.

    The newest rows have none where they are not the first ones that the request meets.
    """
    if read.row_limit is not None:
        return read.row_limit
    if read.newest_rows is None or known_count >= len(segments):
        return None
    behind = segments[known_count]
    if not is_named_by_age(spec, behind):
        return None
    return read.newest_rows if sorts_backwards(behind) != bool(read.reverse) else None


def plan_limit(
    spec: Spec, segments: Sequence[Segment], read: Read, knowledge: KnownKey, remarks: ExportRemarks
) -> RowLimit | None:
    """Return the limit of the requests that a caller makes of the ranges of a read; note why a read has none."""
    wanted_rows = read.newest_rows or read.row_limit
    if wanted_rows is None or knowledge.is_point:
        return None
    if _is_filtered(segments, read, knowledge):
        message = N_("no limit of rows: the caller filters the rows of the ranges, until there are {rows}")
    elif (rows := request_limit(spec, segments, read, knowledge.count)) is None:
        message = N_("no limit of rows: the newest {rows} are not the first ones in the ranges")
    else:
        has_ranges = bool(knowledge.salts) or (knowledge.is_by_bucket and read.time is not None)
        return RowLimit(rows, read.newest_rows is not None, bool(read.reverse), has_ranges)
    remarks.note(read.id, message, rows=wanted_rows)
    return None


def _is_filtered(segments: Sequence[Segment], read: Read, knowledge: KnownKey) -> bool:
    """Return whether a caller knows something of rows besides what their range has, and drops the others."""
    has_bounds = knowledge.has_time or knowledge.has_values or knowledge.has_beginning
    behind = segments[knowledge.count + has_bounds :]
    fields = {name for segment in behind for name in segment_fields(segment)}
    if read.match_share not in (None, 1) or any(bind.field in fields for bind in read.binds):
        return True
    asks_time = read.exact_time or (read.time is not None and not knowledge.has_time)
    return asks_time and any(isinstance(segment, TimeSegment) for segment in behind)
