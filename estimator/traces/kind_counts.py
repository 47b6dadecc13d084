"""Counts of the rows of one kind: their keys, and by operation hours, sizes and the values of fields."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from designer.document import Spec
from designer.document.field import Range
from designer.document.key import FieldSegment
from designer.imports.keys import Proposal, propose
from estimator.results.arrays import Flags, Ints

from .blocks import HOUR_SECONDS, NO_SIZE, OPERATION_NAMES, EventBlock, add_counts
from .byte_columns import ByteColumn
from .key_fields import FieldFinder, FoundValues, PrefixFinder
from .popularity import PopularityFit, fit_popularity
from .row_uses import LargestRows, RowSequences
from .value_ages import BORN_MIN, ValueAges
from .value_counts import KeyCounter, ValueCounter, distinct_in_any

SAME_OWNER, AGAIN_SHARE = 20, 0.8
"""Owners are told where so many requests were for keys that had come before, and at most this share for new ones."""
KNOWN_SHARE = 0.9
"""Values are known where so many of them, or by a law that fits so many of the requests, came before."""
SIZES = 1_000
"""Relative steps of the sizes that are told apart: sizes are right to 1/1,000 × ln 2."""


@dataclass(frozen=True)
class FieldUse:
    """One segment of the key: how many values it has, and how popular they are in reads and in writes."""

    segment: str
    field: str
    distinct: int
    """In any operation: those that came, or as many as explain the most frequent operation's requests."""
    fits: dict[str, PopularityFit]
    """By operation; none where nearly each request has a new value."""
    new_share: float = 0.0
    """Share of the writes with a new value, where reads are mostly for the newest values, or values are in sequence."""
    is_rising: bool = False
    """True if these are in sequence: each larger than all before."""
    is_unordered: bool = False
    """True if the log says that new values come in no order: hardly any is larger than all before."""
    at_least: int = 0
    """Values that came, where new ones still come with the lines; 0 where `distinct` is known."""
    estimate: int = 0
    """Of the values that there are then, by what came once and twice: rough where hardly any came twice."""
    came: int = 0
    """Values that came, as far as they were counted one by one; 0 where they are told by a sample."""

    @property
    def is_estimate(self) -> bool:
        """True if `distinct` is more than what was counted."""
        return self.distinct != self.came

    @property
    def is_known(self) -> bool:
        """True if more lines would hardly bring more values, or the values grow by what is told."""
        return not self.at_least


@dataclass
class LoggedOperation:
    """All requests of one operation."""

    requests: int = 0
    hours: dict[int, int] = field(default_factory=dict)
    """By hour since 1970."""
    sizes: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    """How many requests had each size, in steps of a logarithm from 0 on."""
    bytes_total: int = 0
    sized: int = 0
    largest: int = 0
    values: dict[int, ValueCounter] = field(default_factory=dict)
    """By place of the segment."""

    def add(self, events: EventBlock, places: Ints) -> None:
        """Add the requests at these places."""
        self.requests += places.size
        add_counts(self.hours, events.times_s[places].astype(np.int64) // int(HOUR_SECONDS))
        sizes = events.value_bytes[places]
        sizes = sizes[sizes != NO_SIZE]
        if sizes.size:
            self.sized += sizes.size
            self.bytes_total += int(sizes.sum())
            self.largest = max(self.largest, int(sizes.max()))
            steps = np.rint(np.log2(sizes.astype(np.float64) + 1) * SIZES).astype(np.int64)
            counts = np.bincount(steps, minlength=self.sizes.size)
            counts[: self.sizes.size] += self.sizes
            self.sizes = counts


@dataclass
class KindCounts:
    """All requests for rows of one kind, whose keys have one form."""

    proposal: Proposal
    finder: FieldFinder | None
    """None where no pattern was found."""
    places: tuple[int, ...]
    """Of the segments with a field."""
    matching: int = 0
    keys: KeyCounter = field(default_factory=KeyCounter)
    largest: LargestRows = field(default_factory=LargestRows)
    sequences: RowSequences = field(default_factory=RowSequences)
    operations: dict[str, LoggedOperation] = field(default_factory=dict)
    ages: dict[int, ValueAges] = field(default_factory=dict)
    """By place of the segment."""
    prefixes: PrefixFinder | None = None
    scans: dict[int, LoggedOperation] = field(default_factory=dict)
    """Reads of prefixes, by how many segments they hold."""

    @classmethod
    def of_keys(cls, keys: Sequence[bytes], span_s: tuple[float, float], requests: int) -> Self:
        """Return the counts, without any yet, of a kind with such keys, which came in so many requests."""
        proposal = _with_owners(propose(Spec(), keys, near=span_s), keys, requests)
        segments = proposal.segments
        places = tuple(n for n, segment in enumerate(segments) if isinstance(segment, FieldSegment))
        finder = FieldFinder(Spec(fields=proposal.fields), segments, places) if segments else None
        prefixes = PrefixFinder(Spec(fields=proposal.fields), segments, places) if segments else None
        return cls(proposal, finder, places, prefixes=prefixes)

    def add(self, events: EventBlock) -> None:
        """Add requests, in the order of the log; reads of prefixes of such keys are scans."""
        events, (matching, columns) = self._without_scans(events)
        if not len(events):
            return
        events = events.with_scans_as_reads()
        hashes = events.key_column.hashes()
        self.largest.add(events)
        self.sequences.add(events, hashes)
        self.keys.add_keys(events.key_column, hashes)
        self.matching += matching.size
        for code, places in events.places_by_operation():
            self.operations.setdefault(OPERATION_NAMES[code], LoggedOperation()).add(events, places)
        codes = events.operations[matching]
        for place, column in zip(self.places, columns, strict=self.finder is not None):
            self._count_values(place, codes, column)

    def _count_values(self, place: int, codes: Ints, column: ByteColumn) -> None:
        """Count the values of a field in requests with these operations."""
        hashes = column.hashes()
        for code in np.unique(codes).tolist():
            counter = self.operations[OPERATION_NAMES[code]].values.setdefault(place, ValueCounter())
            counter.add(hashes[codes == code])
        self.ages.setdefault(place, ValueAges()).add(codes, hashes, column)

    def _without_scans(self, events: EventBlock) -> tuple[EventBlock, FoundValues]:
        """Count the reads of prefixes, and return the other requests with the values in their keys."""
        if self.finder is None or self.prefixes is None:
            return events, (np.zeros(0, dtype=np.int64), [])
        places, columns = self.finder.find(events.key_column)
        # Keys with the whole pattern are no prefixes, whatever they end with.
        is_other = np.ones(len(events), dtype=np.bool_)
        is_other[places] = False
        is_likely = self.prefixes.are_likely(events) & is_other if is_other.any() else is_other
        if not is_likely.any():
            return events, (places, columns)
        is_scan = np.zeros(len(events), dtype=np.bool_)
        is_scan[is_likely] = self._add_scans(events.take(is_likely), self.prefixes)
        # Places among the requests that are left.
        return events.select(~is_scan), ((np.cumsum(~is_scan) - 1)[places], columns)

    def _add_scans(self, events: EventBlock, prefixes: PrefixFinder) -> Flags:
        """Count the reads of prefixes, and return which requests these are."""
        numbers, by_number = prefixes.find(events)
        for number, places, columns in by_number:
            operation = self.scans.setdefault(number, LoggedOperation())
            operation.add(events, places)
            for segment, column in zip(self.places, columns, strict=False):
                operation.values.setdefault(segment, ValueCounter()).add(column.hashes())
        return numbers > 0

    @property
    def requests(self) -> int:
        """All of them."""
        return self.keys.total + sum(scan.requests for scan in self.scans.values())

    @property
    def all_operations(self) -> tuple[tuple[str, int, LoggedOperation], ...]:
        """Each operation with the number of segments that a scan holds, 0 for others, in order of their names."""
        plain = [(name, 0, operation) for name, operation in self.operations.items()]
        return tuple(
            sorted(
                [*plain, *(("scan", n, operation) for n, operation in self.scans.items())], key=lambda entry: entry[:2]
            )
        )

    def field_uses(self) -> tuple[FieldUse, ...]:
        """Return what is told of each field."""
        return tuple(map(self._field_use, self.places))

    def _field_use(self, place: int) -> FieldUse:
        segment = self.proposal.segments[place]
        assert isinstance(segment, FieldSegment)
        # Scans of different depths share the name "scan"; in this order the most frequent one stays in the dictionary.
        by_requests = sorted(self.all_operations, key=lambda entry: entry[2].requests)
        counters = {kind: operation.values[place] for kind, _, operation in by_requests if place in operation.values}
        fits = {kind: fit for kind, counter in counters.items() if (fit := fit_popularity(counter)) is not None}
        distinct = distinct_in_any(counters.values())
        ages = self.ages.get(place, ValueAges())
        came = 0 if distinct.is_sample else round(distinct.seen)
        use = FieldUse(segment.id, segment.field, round(distinct.seen), fits, came=came, is_unordered=ages.is_unordered)
        if (latest := ages.fit()) is not None:
            fits["read"] = latest
            use = replace(use, new_share=ages.new_share, is_rising=ages.is_rising)
            if not latest.is_poor:
                return replace(use, distinct=max(use.distinct, latest.distinct))
            is_known = ages.known_share >= KNOWN_SHARE
            return (
                use
                if is_known
                else replace(use, at_least=use.distinct, estimate=round(distinct.seen + distinct.unseen))
            )
        if "write" in counters and "write" not in fits and ages.births >= BORN_MIN and ages.is_rising:
            use = replace(use, new_share=ages.new_share, is_rising=True)
            if ages.known_share >= KNOWN_SHARE:
                return use
        # The operation with the most requests has met the most values.
        surest = max(fits, key=lambda kind: counters[kind].total, default="")
        if fits:
            use = replace(use, distinct=max(use.distinct, fits[surest].distinct))
        has_law = bool(fits) and not fits[surest].is_poor and distinct.covered_share >= KNOWN_SHARE
        field = next(field for field in self.proposal.fields if field.id == segment.field)
        most = distinct.seen + distinct.unseen
        if isinstance(field.values, Range):
            most = min(most, max(field.capacity or most, distinct.seen))  # numbers are no more than lie between them
        if use.new_share or has_law or most <= distinct.seen / KNOWN_SHARE:
            return use
        return replace(use, at_least=round(distinct.seen), estimate=round(most))


def _with_owners(proposal: Proposal, keys: Sequence[bytes], requests: int) -> Proposal:
    """Return the proposal with the owners of fields whose values have one each, in keys that came again and again.

    Different keys alone do not tell owners where each value stands in one key, as user 17 in region2#user17: only that
    other requests for it were for the same key.
    """
    segments = proposal.segments
    places = tuple(n for n, segment in enumerate(segments) if isinstance(segment, FieldSegment))
    if len(places) < 2 or requests - len(keys) < SAME_OWNER or len(keys) > AGAIN_SHARE * requests:
        return proposal
    _, columns = FieldFinder(Spec(fields=proposal.fields), segments, places).find(ByteColumn.from_cells(keys))
    names = [segment.field for segment in segments if isinstance(segment, FieldSegment)]
    values_by_place = [column.cells() for column in columns]
    distinct = [len(set(values)) for values in values_by_place]
    owners: dict[str, str] = {}
    for child, values in enumerate(values_by_place):
        others = [n for n in range(len(places)) if names[n] != names[child] and 1 < distinct[n] < distinct[child]]
        # As many different pairs as values of the child: each value comes with one owner only.
        owned = (n for n in others if len(set(zip(values, values_by_place[n], strict=True))) == distinct[child])
        if (owner := max(owned, key=lambda n: distinct[n], default=None)) is not None:
            owners[names[child]] = names[owner]
    fields = tuple(
        field.model_copy(update={"belongs_to": owners[field.id]})
        if field.id in owners and field.belongs_to is None
        else field
        for field in proposal.fields
    )
    return replace(proposal, fields=fields)
