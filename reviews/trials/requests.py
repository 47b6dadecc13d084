"""Requests of one read for sample values: row ranges and filters as planned, and what they have to return."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from designer.document import Spec, effective_value
from designer.document.access import Bind, Read
from designer.document.durations import DAY_SECONDS
from designer.document.key import (
    FieldSegment,
    ReverseDomain,
    Segment,
    TimeSegment,
    as_bytes,
    segment_fields,
    sorts_backwards,
)
from designer.document.table import Table
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.rendering.render import Event, apply_transforms, as_text, parts
from estimator.kernels.traffic.column_ranges import is_named_by_age
from estimator.kernels.traffic.value_ranges import holds
from reviews.exports.key_code.cell_filters import REGEX_BYTES_MAX, CellFilter, KeyRegex, any_of, key_pattern
from reviews.exports.key_code.plan import KeyCode, ReadCode
from reviews.exports.key_code.ranges import KeyRange, prefix_end, read_ranges
from reviews.exports.key_code.vectors import Argument, reference_values

from .cells import CellPlanner
from .sample import KindSample, TrialCell, TrialRow, argument, value_text

VALUES_MAX = 3
"""Values that one request names, of those that a read names together."""


@dataclass(frozen=True)
class RangeRequest:
    """One request: its ranges, and the most rows that it returns."""

    ranges: tuple[KeyRange, ...]
    limit: int | None = None


@dataclass(frozen=True)
class ReadRequests:
    """What is asked for one read."""

    requests: tuple[RangeRequest, ...]
    filters: tuple[CellFilter, ...]
    is_reversed: bool
    wanted: frozenset[bytes]
    """Keys of the rows that the caller means, by their values and times: no range and no key tells them."""
    met: tuple[bytes, ...]
    """Keys of the rows that the engine has to look at."""
    returned: Mapping[bytes, tuple[TrialCell, ...]]
    """Keys of the rows that it has to return, in their order, with their cells."""
    surplus_rows: int
    """Rows met that the caller does not mean; 0 where a limit ends the read."""


@dataclass(frozen=True)
class ReadPlanner:
    """Plans the reads of one row kind over the sample of its whole table."""

    spec: Spec
    table: Table
    families: Mapping[str, str]
    """Names that families get, by id."""
    sample: KindSample
    code: KeyCode
    rows: tuple[TrialRow, ...]
    """Of all row kinds in the table, in the order of keys."""

    @cached_property
    def cells(self) -> CellPlanner:
        """What of the cells is asked for."""
        return CellPlanner(self.spec, self.table, self.families, self.sample)

    def plan(self, read: Read, code: ReadCode) -> ReadRequests:
        """Return what is asked for a read.

        Raises
        ------
        ValueError
            If no range can be made of the sample's values.
        """
        asked = self._asked_events(read)
        spans = _span(read, self.sample.latest_us)
        known = [self._known_values(code, one) for one in asked]
        key = self.sample.kind.key
        ranges = tuple(sorted({
            self._narrow(read, code, event, one)
            for event, values in zip(asked, known, strict=True) for one in read_ranges(key, code, values, spans)
        }))  # fmt: skip
        if not ranges:
            raise ValueError("there are no sample rows")
        limit = self._limit(read, code)
        requests = tuple(RangeRequest((one,), limit) for one in ranges)
        requests = requests if limit else (RangeRequest(_merge(ranges)),)
        key_filter = self._key_filter(read, code, asked)
        filters = (*((key_filter,) if key_filter else ()), *self.cells.filters(read, asked[0]))
        met, returned = self._answer(read, requests, key_filter, asked[0])
        meant = [row for row in self.sample.rows if any(self._is_wanted(read, row.event, one, spans) for one in asked)]
        wanted = frozenset(row.key for row in self._select(read, meant) if self.cells.cells(read, row, asked[0]))
        surplus = 0 if limit else len(set(met) - {row.key for row in meant})
        return ReadRequests(requests, filters, bool(read.reverse), wanted, met, returned, surplus)

    # --- what the caller knows ---

    def _asked_events(self, read: Read) -> list[Event]:
        """Return the events whose values a request names: several where it names several."""
        rows = self.sample.rows
        latest = [row for row in rows if row.event.time_us == self.sample.latest_us]
        latest = [row for row in latest if self.cells.cells(read, row, row.event)] or latest or list(rows)
        most = 1
        if not (read.newest_rows or read.row_limit):
            most = min(max([read.keys_per_call or 1, *(bind.values for bind in read.binds)]), VALUES_MAX)
        start = len(latest) // 2
        return [latest[(start + place) % len(latest)].event for place in range(min(most, len(latest)))]

    def _known_values(self, code: ReadCode, event: Event) -> Mapping[str, Argument]:
        arguments = [argument(self.sample, each.id, each.type, event) for each in code.parameters]
        return reference_values(self.spec, code.parameters, arguments)

    def _key_filter(self, read: Read, code: ReadCode, asked: Sequence[Event]) -> KeyRegex | None:
        """Return the filter of what the caller knows behind the ranges; None where that is nothing."""
        key, behind = self.sample.kind.key, len(code.segments)
        fields = {bind.field for bind in read.binds if bind.is_whole}
        known = [place for place in range(behind, len(key)) if _is_fixed(key[place], fields, read)]
        if not known:
            return None
        patterns = dict[bytes, None]()
        for event in asked:
            texts = parts(self.sample.inputs.segments, self.sample.inputs.fields, event)
            cut = [text[: len(text) - len(as_bytes(one.after))] for one, text in zip(key, texts, strict=True)]
            told = [
                (one, cut[place] if place in known or (place < behind and not self._is_listed(one, code)) else None)
                for place, one in enumerate(key)
            ]
            patterns[key_pattern(told, [as_bytes(one.after) for one in key])] = None
        found = any_of(list(patterns))
        return KeyRegex(found) if len(found) < REGEX_BYTES_MAX else None

    @staticmethod
    def _is_listed(segment: Segment, code: ReadCode) -> bool:
        return segment.id in {salt.id for salt, _ in code.listed_salts}

    # --- which rows the caller means ---

    def _select(self, read: Read, rows: Sequence[TrialRow]) -> Sequence[TrialRow]:
        """Return the newest of the rows that a caller means, or the first ones."""
        if read.newest_rows is not None:
            return sorted(rows, key=self._age, reverse=True)[: read.newest_rows]
        if read.row_limit is not None:
            return rows[-read.row_limit :] if read.reverse else rows[: read.row_limit]
        return rows

    def _is_wanted(self, read: Read, event: Event, asked: Event, span_us: tuple[int, int]) -> bool:
        own = self.sample.inputs.fields
        if not all(self._has_value(bind, event, asked) for bind in read.binds if bind.field in own):
            return False
        times = [one for one in self.sample.inputs.segments if isinstance(one, TimeSegment)]
        bucket = [time_text(one, event.time_us) for one in times]
        if read.exact_time:
            return bucket == [time_text(one, asked.time_us) for one in times]
        if read.time is None or not times:
            return True
        ends = [[time_text(one, each) for one in times] for each in span_us]
        return span_us[0] <= event.time_us <= span_us[1] or bucket in ends

    def _has_value(self, bind: Bind, event: Event, asked: Event) -> bool:
        text, wanted = (value_text(self.sample, bind.field, one) for one in (event, asked))
        if bind.is_range:
            kind = effective_value(self.spec, self.spec.find(bind.field), "kind")
            return holds(bind, kind, text.decode())
        if not bind.prefix:
            return text == wanted
        begun = self._beginning(bind, asked)
        return text == begun or text.endswith(b"." + begun) if self._is_domain(bind) else text.startswith(begun)

    def _is_domain(self, bind: Bind) -> bool:
        return bool(effective_value(self.spec, self.spec.find(bind.field), "kind") == "domain")

    def _beginning(self, bind: Bind, asked: Event) -> bytes:
        """Return what a caller knows of a text: its parent domain, or its first half."""
        text = value_text(self.sample, bind.field, asked)
        return text.split(b".", 1)[-1] if self._is_domain(bind) else text[: -(-len(text) // 2)]

    def _narrow(self, read: Read, code: ReadCode, asked: Event, found: KeyRange) -> KeyRange:
        """Return a range with the beginning of the text that follows what is known, if the caller knows one.

        The functions that are written for a read take whole values only.
        """
        key, place = self.sample.kind.key, len(code.segments)
        behind = key[place] if place < len(key) else None
        if not isinstance(behind, FieldSegment) or code.time is not None:
            return found
        bind = next((one for one in read.binds if one.prefix and one.field == behind.field), None)
        turned = any(isinstance(one, ReverseDomain) for one in behind.transforms)
        if bind is None or turned != self._is_domain(bind):
            return found
        first = found.first + as_text(apply_transforms(self._beginning(bind, asked), behind.transforms))
        return KeyRange(first, prefix_end(first))

    def _age(self, row: TrialRow) -> tuple[int, ...]:
        """Return what grows from row to row: the time, else the numbers that count up."""
        segments = self.sample.kind.key
        if any(isinstance(one, TimeSegment) for one in segments):
            return (row.event.time_us,)
        counted = (one for one in segments if is_named_by_age(self.spec, one))
        return tuple(row.event.numbers[name] for one in counted for name in segment_fields(one))

    def _limit(self, read: Read, code: ReadCode) -> int | None:
        """Return the limit of a request: none where the rows that the caller wants are not the first ones met."""
        if read.row_limit is not None:
            return read.row_limit
        place = len(code.segments)
        if read.newest_rows is None or place >= len(self.sample.kind.key):
            return None
        behind = self.sample.kind.key[place]
        if not is_named_by_age(self.spec, behind):
            return None
        return read.newest_rows if sorts_backwards(behind) != bool(read.reverse) else None

    # --- what the engine has to do ---

    def _answer(
        self, read: Read, requests: Sequence[RangeRequest], key_filter: KeyRegex | None, asked: Event
    ) -> tuple[tuple[bytes, ...], dict[bytes, tuple[TrialCell, ...]]]:
        met: list[bytes] = []
        returned: dict[bytes, tuple[TrialCell, ...]] = {}
        ordered = self.rows[::-1] if read.reverse else self.rows
        for request in requests:
            found = 0
            for row in ordered:
                if found == request.limit:
                    break
                if not any(one.holds(row.key) for one in request.ranges):
                    continue
                met.append(row.key)
                cells = self.cells.cells(read, row, asked)
                if cells and (key_filter is None or key_filter.matches(row.key)):
                    returned[row.key] = cells
                    found += 1
        return tuple(met), returned


def _is_fixed(segment: Segment, fields: set[str], read: Read) -> bool:
    """Return whether the caller knows a segment whole."""
    if isinstance(segment, TimeSegment):
        return read.exact_time
    names = segment_fields(segment)
    return bool(names) and fields.issuperset(names)


def _span(read: Read, latest_us: int) -> tuple[int, int]:
    """Return the span of time that a caller wants, both ends included; the latest row is of now."""
    if read.time is None:
        return latest_us, latest_us
    end = latest_us - round(read.time.age_days * DAY_SECONDS * 1_000_000)
    return end - round(read.time.days * DAY_SECONDS * 1_000_000) + 1, end


def _merge(ranges: Sequence[KeyRange]) -> tuple[KeyRange, ...]:
    """Return ranges without those that lie within another one: the engine would take a row twice as once."""
    kept: list[KeyRange] = []
    for one in ranges:
        if not any(other != one and _is_within(one, other) for other in ranges):
            kept.append(one)
    return tuple(kept)


def _is_within(one: KeyRange, other: KeyRange) -> bool:
    return other.first <= one.first and (not other.end or (bool(one.end) and one.end <= other.end))
