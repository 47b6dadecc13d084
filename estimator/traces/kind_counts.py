"""Counts of the rows of one kind: their keys, and by operation hours, sizes and the values of fields."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import itemgetter
from typing import Any, Self

import numpy as np

from designer.document import Spec
from designer.document.field import Range
from designer.document.key import FieldSegment, LiteralSegment, Segment, as_bytes
from designer.imports.keys import Proposal, key_lines_regex, key_values_regex, propose
from estimator.results.arrays import Flags, Ints

from .blocks import HOUR_SECONDS, NO_SIZE, OPERATION_CODES, OPERATION_NAMES, EventBlock, add_counts, pick
from .popularity import PopularityFit, fit_popularity
from .row_uses import LargestRows, RowSequences
from .value_ages import BORN_MIN, ValueAges
from .value_counts import ValueCounter, distinct_in_any

KEYS_BYTES = 24 << 20
"""Memory for the keys of a kind, of which only the busiest are told: what fits a processor's cache is counted fast."""
SAME_OWNER, AGAIN_SHARE = 20, 0.8
"""Owners are told where so many requests were for keys that had come before, and at most this share for new ones."""
KNOWN_SHARE = 0.9
"""Values are known where so many of them, or by a law that fits so many of the requests, came before."""
SIZES = 1_000
"""Relative steps of the sizes that are told apart: sizes are right to 1/1,000 × ln 2."""


_READ, _SCAN = OPERATION_CODES["read"], OPERATION_CODES["scan"]


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
    sizes: dict[int, int] = field(default_factory=dict)
    """By size in steps of a logarithm."""
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
            add_counts(self.sizes, np.rint(np.log2(sizes.astype(np.float64) + 1) * SIZES).astype(np.int64))


@dataclass
class KindCounts:
    """All requests for rows of one kind, whose keys have one form."""

    proposal: Proposal
    finder: "FieldFinder | None"
    """None where no pattern was found."""
    places: tuple[int, ...]
    """Of the segments with a field."""
    matching: int = 0
    keys: ValueCounter = field(default_factory=lambda: ValueCounter(KEYS_BYTES, has_sample=False))
    largest: LargestRows = field(default_factory=LargestRows)
    sequences: RowSequences = field(default_factory=RowSequences)
    operations: dict[str, LoggedOperation] = field(default_factory=dict)
    ages: dict[int, ValueAges] = field(default_factory=dict)
    """By place of the segment."""
    prefixes: "PrefixFinder | None" = None
    scans: dict[int, LoggedOperation] = field(default_factory=dict)
    """Reads of prefixes, by how many segments they hold."""
    has_scans: bool = False
    """True if requests of the last block may be reads of prefixes."""

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
        events, (matching, columns, is_in_order) = self._without_scans(events)
        if not len(events):
            return
        events = events.with_scans_as_reads()
        self.largest.add(events)
        self.sequences.add(events)
        self.keys.add(events.keys)
        self.matching += matching
        # Columns are each request's values only if every key matched, in order; else they are found anew per
        # operation.
        is_whole = is_in_order and matching == len(events)
        for code, places in events.places_by_operation():
            operation = self.operations.setdefault(OPERATION_NAMES[code], LoggedOperation())
            operation.add(events, places)
            self._count_fields(operation, columns if is_whole else None, events, places)
        self._add_ages(columns if is_whole else None, events)

    def _without_scans(self, events: EventBlock) -> tuple[EventBlock, "FoundValues"]:
        """Count the reads of prefixes, and return the other requests with the values in their keys."""
        if self.finder is None or self.prefixes is None:
            return events, (0, (), False)
        found = None if self.has_scans else self.finder.find(events.keys)
        # Keys that all have the whole pattern are no prefixes, whatever they end with.
        if found and found[0] == len(events):
            return events, found
        is_likely = self.prefixes.are_likely(events)
        self.has_scans = bool(is_likely.any())
        if not self.has_scans:
            return events, found or self.finder.find(events.keys)
        likely, others = events.select(is_likely), events.select(~is_likely)
        found = self.finder.find(others.keys) if len(others) else (0, (), True)
        is_whole = found[0] == len(others) and self.finder.find(likely.keys)[0] == len(likely)
        is_scan = np.zeros(len(events), dtype=np.bool_)
        if not is_whole:
            is_scan[is_likely] = self._add_scans(likely, self.prefixes)
        if not is_scan.any():
            return events, self.finder.find(events.keys)
        rest = events.select(~is_scan)
        return rest, (found if len(rest) == len(others) else self.finder.find(rest.keys))

    def _add_scans(self, events: EventBlock, prefixes: "PrefixFinder") -> Flags:
        """Count the reads of prefixes, and return which requests these are."""
        numbers, values = prefixes.find(events)
        for number in np.unique(numbers[numbers > 0]).tolist():
            (places,) = np.nonzero(numbers == number)
            operation = self.scans.setdefault(number, LoggedOperation())
            operation.add(events, places)
            columns = zip(*(values[place] for place in places.tolist()), strict=True)
            for segment, column in zip(self.places, columns, strict=False):
                operation.values.setdefault(segment, ValueCounter()).add(column)
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

    def _count_fields(
        self, operation: LoggedOperation, columns: Sequence[Sequence[bytes]] | None, events: EventBlock, places: Ints
    ) -> None:
        """Count the values of fields in the requests of one operation, of all `columns` if these are each request's."""
        if self.finder is None:
            return
        if columns is None:
            _, value_columns, _ = self.finder.find(pick(events.keys, places))
        else:
            value_columns = [pick(values, places) for values in columns]
        for place, values in zip(self.places, value_columns, strict=True):
            operation.values.setdefault(place, ValueCounter()).add(values)

    def _add_ages(self, columns: Sequence[Sequence[bytes]] | None, events: EventBlock) -> None:
        ages = [self.ages.setdefault(place, ValueAges()) for place in self.places]
        if self.finder is None or not any(age.has_room for age in ages):
            return
        codes = events.operations
        if columns is None:
            places, columns = self.finder.find_in_order(events.keys)
            codes = codes[places]
        for value_ages, values in zip(ages, columns, strict=True):
            value_ages.add(codes, values)

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
        use = FieldUse(segment.id, segment.field, round(distinct.seen), fits, came=came)
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
        if "write" in counters and "write" not in fits and len(ages.born) >= BORN_MIN and ages.is_rising:
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
    _, columns, _ = FieldFinder(Spec(fields=proposal.fields), segments, places).find(keys)
    names = [segment.field for segment in segments if isinstance(segment, FieldSegment)]
    distinct = [len(set(values)) for values in columns]
    owners: dict[str, str] = {}
    for child, values in enumerate(columns):
        others = [n for n in range(len(places)) if names[n] != names[child] and 1 < distinct[n] < distinct[child]]
        # As many different pairs as values of the child: each value comes with one owner only.
        owned = (n for n in others if len(set(zip(values, columns[n], strict=True))) == distinct[child])
        if (owner := max(owned, key=lambda n: distinct[n], default=None)) is not None:
            owners[names[child]] = names[owner]
    fields = tuple(
        field.model_copy(update={"belongs_to": owners[field.id]})
        if field.id in owners and field.belongs_to is None
        else field
        for field in proposal.fields
    )
    return replace(proposal, fields=fields)


DELIMITERS = frozenset(b"#/|:_-.,;@~")
EXTENDED_SHARE = 0.01
"""Of keys of one form so many are the beginnings of other keys, where they are prefixes."""


class PrefixFinder:
    """Finds reads of prefixes: of keys that end behind a segment, with its delimiter; a scan's may be without it."""

    def __init__(self, spec: Spec, segments: Sequence[Segment], places: Sequence[int]) -> None:
        self._forms: list[tuple[int, re.Pattern[bytes], re.Pattern[bytes]]] = []
        self._ends = set[int]()
        """Last letters of the prefixes of reads."""
        for number in range(len(segments) - 1, 0, -1):
            last, field_places = segments[number - 1], [place for place in places if place < number]
            bare = last.model_copy(update={"after": ""})
            forms = [(*segments[: number - 1], ending) for ending in (last, bare)]
            end = last.after or (last.text if isinstance(last, LiteralSegment) else "")
            if end:
                whole, bare_regex = (
                    re.compile(key_values_regex(spec, form, field_places), re.DOTALL) for form in forms
                )
                self._forms.append((number, whole, bare_regex))
                self._ends.add(as_bytes(end)[-1])

    def are_likely(self, events: EventBlock) -> Flags:
        """Return which requests may be such reads: no other is one."""
        if not self._ends:
            return np.zeros(len(events), dtype=np.bool_)
        ends = np.frombuffer(bytes(map(itemgetter(-1), events.keys)), dtype=np.uint8)
        is_ended = np.isin(ends, np.array(sorted(self._ends), dtype=np.uint8))
        return np.asarray((is_ended & (events.operations == _READ)) | (events.operations == _SCAN))

    def find(self, events: EventBlock) -> tuple[Ints, list[tuple[bytes, ...]]]:
        """Return how many segments the key of each read of a prefix holds, 0 for others, and the values in it."""
        numbers = np.zeros(len(events), dtype=np.int64)
        values: list[tuple[bytes, ...]] = [()] * len(events)
        for place in np.flatnonzero(self.are_likely(events)).tolist():
            key, is_scan = events.keys[place], events.operations[place] == _SCAN
            for number, whole, bare in self._forms:
                match = whole.fullmatch(key) or (bare.fullmatch(key) if is_scan else None)
                if match is not None:
                    numbers[place], values[place] = number, match.groups()
                    break
        return numbers, values


def find_prefixes(keys: Iterable[bytes], stored: Collection[bytes]) -> set[bytes]:
    """Return the keys that are prefixes of others by their form: they end with a delimiter, and were never written.

    Of each form, by how often it has its last letter, some are the beginnings of other keys; the rows below the rest
    came in no other request.
    """
    ordered = sorted(keys)
    forms: dict[tuple[int, int], list[bytes]] = defaultdict(list)
    for key in ordered:
        if key[-1] in DELIMITERS and key not in stored:
            forms[key[-1], key.count(key[-1:])].append(key)
    # In byte order the keys that a prefix begins follow it directly.
    extended = {key for key, following in pairwise(ordered) if following.startswith(key)}
    prefixes = {
        key for form in forms.values() if len(extended & set(form)) >= EXTENDED_SHARE * len(form) for key in form
    }
    return prefixes if len(prefixes) < len(ordered) else set()


FoundValues = tuple[int, Sequence[Sequence[bytes]], bool]
"""How many keys have a pattern, the values of each field in them, and whether in their order."""


class FieldFinder:
    """Finds the values of fields in many keys at once."""

    def __init__(self, spec: Spec, segments: Sequence[Segment], places: Sequence[int]) -> None:
        self._number = len(places)
        self._in_lines = re.compile(rb"^(?:%b)$" % key_lines_regex(spec, segments, places), re.MULTILINE)
        across = key_lines_regex(spec, segments, places, is_across=True)
        self._across_lines = re.compile(rb"^(?:%b)\n" % across, re.MULTILINE)
        self._has_others = False
        """True if keys of the last block were not of the pattern."""
        self._in_key = re.compile(key_values_regex(spec, segments, places), re.DOTALL)

    def find(self, keys: Sequence[bytes]) -> FoundValues:
        """Return how many keys have the pattern, the values of each field in them, and whether in their order."""
        lines = b"\n".join((*keys, b""))
        broken = list[bytes]()
        # Keys with a line feed inside would shift all matches behind them, so they are matched one by one.
        if lines.count(b"\n") != len(keys):
            broken = [key for key in keys if b"\n" in key]
            lines = b"\n".join((*(key for key in keys if b"\n" not in key), b""))
        rows = self._find_lines(lines, len(keys) - len(broken))
        columns: list[Sequence[bytes]] = [rows] if self._number == 1 else [()] * self._number
        if rows and self._number > 1:
            columns = [list(map(itemgetter(n), rows)) for n in range(self._number)]
        matches = [match for key in broken if (match := self._in_key.fullmatch(key))]
        if matches:
            columns = [[*values, *(match[n] for match in matches)] for n, values in enumerate(columns, 1)]
        return len(rows) + len(matches), columns, not broken

    def _find_lines(self, lines: bytes, count: int) -> list[Any]:
        """Return the values in each of so many lines that has the pattern."""
        rows = [] if self._has_others else self._across_lines.findall(lines)
        # Each match has the line feed at its end: if they are as many as the lines, none reaches across another one.
        if len(rows) != count:
            rows = self._in_lines.findall(lines[:-1])
        self._has_others = len(rows) != count
        return rows

    def find_in_order(self, keys: Sequence[bytes]) -> tuple[list[int], Sequence[Sequence[bytes]]]:
        """Return the places of the keys that have the pattern, and the values of each field in them, in their order."""
        matches = [(place, match) for place, match in enumerate(map(self._in_key.fullmatch, keys)) if match]
        return [place for place, _ in matches], [[match[n] for _, match in matches] for n in range(1, self._number + 1)]
