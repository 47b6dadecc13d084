"""Row ranges of Bigtable's reads: those that the code for keys returns, and a filter of keys behind them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import Segment, TimeSegment, as_bytes, as_text, segment_fields
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.keys.rendering.render import Event, parts
from reviews.exports.key_code.cell_filters import REGEX_BYTES_MAX, KeyRegex, any_of, key_pattern
from reviews.exports.key_code.codes import KeyRange, ReadCode
from reviews.exports.key_code.ranges import read_ranges
from reviews.exports.key_code.vectors import Argument

from .requests import RangeRequest
from .results import AskedRange
from .sample import KindSample, known_values


@dataclass(frozen=True, order=True)
class ByteRange(KeyRange):
    """A range of row keys that is shown."""

    @property
    def ends(self) -> AskedRange:
        """Its ends as text."""
        return AskedRange(as_text(self.first), as_text(self.end))


@dataclass(frozen=True)
class ByteRanges:
    """Plans the ranges of one read."""

    spec: Spec
    sample: KindSample
    code: ReadCode

    @property
    def known_count(self) -> int:
        """Segments that the caller knows from the start of the key on."""
        return len(self.code.segments)

    def requests(
        self, read: Read, events: Sequence[Event], span_us: tuple[int, int], *, limit: int | None
    ) -> tuple[RangeRequest, ...]:
        """Return one request of all ranges; one for each where every range ends at a number of rows."""
        # A hash of a bucket of time has no order: the ranges are those of single buckets, and not one of the whole
        # span.
        if self.code.is_by_bucket and read.time is not None:
            return self._requests_of_span(read, events, span_us, limit)
        if self.code.is_by_bucket and limit:
            return tuple(
                bucket_request
                for event in events
                for bucket_request in self._bucket_requests(read, event, span_us, limit)
            )
        key = self.sample.kind.key
        ranges = sorted({
            ByteRange(key_range.first, key_range.end)
            for event in events for key_range in read_ranges(key, self.code, self._known_values(read, event), span_us)
        })  # fmt: skip
        if limit:
            return tuple(RangeRequest((byte_range,), limit) for byte_range in ranges)
        return (RangeRequest(_merge(ranges)),)

    def _requests_of_span(
        self, read: Read, events: Sequence[Event], span_us: tuple[int, int], limit: int | None
    ) -> tuple[RangeRequest, ...]:
        """Return one request of the ranges of every bucket that a span meets; one for each where rows are limited."""
        times = [
            segment
            for segment in self.sample.inputs.segments
            if isinstance(segment, TimeSegment) and segment.hash is not None
        ]
        step = int(min(map(segment_seconds, times)) * 1e6)
        # The end as well: a span that is no multiple of the bucket reaches into one bucket more.
        moments = sorted({*range(span_us[0], span_us[1], step), span_us[1]})
        ranges = sorted({
            ByteRange(key_range.first, key_range.end)
            for event in events for time_us in moments
            for key_range in read_ranges(
                self.sample.kind.key, self.code, self._known_values(read, replace(event, time_us=time_us)), span_us
            )
        })  # fmt: skip
        if limit:
            return tuple(RangeRequest((byte_range,), limit) for byte_range in ranges)
        return (RangeRequest(_merge(ranges)),)

    def _bucket_requests(
        self, read: Read, event: Event, span_us: tuple[int, int], limit: int
    ) -> Iterator[RangeRequest]:
        """Yield a request for each bucket of time, from the newest back, until there are as many rows."""
        used_ranges = set[ByteRange]()
        for time_us in sorted({row.event.time_us for row in self.sample.rows}, reverse=True):
            values = self._known_values(read, replace(event, time_us=time_us))
            (key_range,) = read_ranges(self.sample.kind.key, self.code, values, span_us)
            bucket = ByteRange(key_range.first, key_range.end)
            if bucket not in used_ranges:
                used_ranges.add(bucket)
                yield RangeRequest((bucket,), limit)
                # A program that reads so knows the number only from each answer; here the sample's rows tell it.
                limit -= sum(bucket.holds(row.key) for row in self.sample.rows)
            if limit <= 0:
                return

    def key_filter(self, read: Read, events: Sequence[Event]) -> KeyRegex | None:
        """Return the filter of what the caller knows behind the ranges; None where that is nothing."""
        key, behind = self.sample.kind.key, self.known_count
        fields = {bind.field for bind in read.binds if bind.is_whole}
        fixed_places = [place for place in range(behind, len(key)) if _is_fixed(key[place], fields, read)]
        # A filter that takes every key would cost the server time for nothing.
        if not fixed_places:
            return None
        salt_ids = {salt.id for salt, _ in self.code.listed_salts}
        patterns = dict[bytes, None]()
        for event in events:
            texts = parts(self.sample.inputs.segments, self.sample.inputs.fields, event)
            bare_texts = [
                text[: len(text) - len(as_bytes(segment.after))] for segment, text in zip(key, texts, strict=True)
            ]
            known_texts = [
                (
                    segment,
                    bare_texts[place]
                    if place in fixed_places or (place < behind and segment.id not in salt_ids)
                    else None,
                )
                for place, segment in enumerate(key)
            ]
            patterns[key_pattern(known_texts, [as_bytes(segment.after) for segment in key])] = None
        pattern = any_of(list(patterns))
        # The service refuses longer ones; without the filter, the program drops the rows itself.
        return KeyRegex(pattern) if len(pattern) < REGEX_BYTES_MAX else None

    def _known_values(self, read: Read, event: Event) -> Mapping[str, Argument]:
        return known_values(self.spec, self.sample, read, self.code, event)


def _is_fixed(segment: Segment, fields: set[str], read: Read) -> bool:
    """Return whether the caller knows a segment whole."""
    if isinstance(segment, TimeSegment):
        return read.exact_time
    names = segment_fields(segment)
    return bool(names) and fields.issuperset(names)


def _merge(ranges: Sequence[ByteRange]) -> tuple[ByteRange, ...]:
    """Return ranges without those that lie within another one: the engine would take a row twice as once."""
    return tuple(
        byte_range
        for byte_range in ranges
        if not any(other != byte_range and _is_within(byte_range, other) for other in ranges)
    )


def _is_within(inner: KeyRange, other: KeyRange) -> bool:
    return other.first <= inner.first and (not other.end or (bool(inner.end) and inner.end <= other.end))
