"""Subjects that a key's or qualifier's segments tell apart: fields, texts that lose some of them, buckets of time."""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.field import Field
from designer.document.key import (
    NEVER_AGAIN,
    Bucket,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    shows_time,
)
from designer.document.new_ids import counts_own_events
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.kernels.keys.values.drawn_fields import owner_chain

from .course import EPOCH
from .draws import Lossy
from .timeline import month_dates
from .values import new_per_day

_CYCLES = {"%H": 24.0, "%I": 12.0, "%M": 60.0, "%S": 60.0, "%a": 7.0}
_DATES = ("%Y", "%y", "%G", "%m", "%b", "%B", "%d", "%j")
MILLISECOND = 1e-3


@dataclass(frozen=True)
class NumberBucket:
    """A bucket of a number that grows: events move from one bucket to the next."""

    field: str
    size: float
    """Numbers in a bucket. [values]"""
    bound: bool

    def days(self, spec: Spec) -> float:
        """Return how long numbers take to pass through a bucket: those of each parent go on by themselves. [day]"""
        return self.size / new_per_day(spec, spec.find(self.field))


@dataclass(frozen=True)
class ToldApart:
    """Subjects that the segments tell apart."""

    fields: tuple[str, ...]
    bound: frozenset[str]
    """Of the fields, those that are given."""
    lossy: tuple[Lossy, ...]
    numbers: tuple[NumberBucket, ...]
    time_seconds: float | None
    """Length of the shortest bucket of time; None: no segment shows the time."""
    salts: float = 1.0
    """Texts of salts that each write draws anew, as they are made from no field."""
    border_day: float | None = None
    """A day since the start on which a bucket of the shortest time begins, where that is known and not midnight."""

    @property
    def shown_fields(self) -> frozenset[str]:
        """Fields that the segments are made from, whatever they show of them."""
        texts = (field for text in self.lossy for field in text.fields)
        return frozenset((*self.fields, *texts, *(number.field for number in self.numbers)))


def tell_apart(
    spec: Spec, segments: Sequence[Segment], *, bound: Collection[str] = (), texts: Mapping[str, float] | None = None
) -> ToldApart:
    """Return what segments tell apart.

    Parameters
    ----------
    bound : collection of segment ids
        Segments whose text is given.
    texts : mapping of segment id to float
        Different texts of segments that show a part of a value only, where known. [texts]
    """
    fields: dict[str, bool] = {}
    for segment in segments:
        if isinstance(segment, FieldSegment) and not _is_time(spec, segment.field) and not segment.is_cut:
            fields[segment.field] = fields.get(segment.field, False) or segment.id in bound
        elif isinstance(segment, HashSegment) and (whole := _whole_field(spec, segment)) and not _is_time(spec, whole):
            fields[whole] = fields.get(whole, False) or segment.id in bound
    owned, given_owned = (
        {owner for field in told for owner in owner_chain(spec, field)}
        for told in (fields, [field for field, is_bound in fields.items() if is_bound])
    )
    lossy_texts, numbers, given_texts = _LossyTexts(), [], list[Lossy]()
    time_fields = {s.field for s in segments if shows_time(s) and segment_seconds(s) <= MILLISECOND}
    for segment in segments:
        is_bound = segment.id in bound
        match segment:
            case HashSegment(fields=()) if None in time_fields:
                continue  # the key shows the time itself
            case HashSegment() if any(_is_time(spec, name) for name in segment.fields) and time_fields >= {
                name for name in segment.fields if name not in fields
            }:
                continue  # what the key shows beside tells it
            case HashSegment():
                lossy_text = Lossy(segment.fields, segment.values, is_bound)
            case SaltSegment():
                lossy_text = Lossy(segment.fields, float(segment.modulo), is_bound)
            case FieldSegment() if segment.is_cut and not _is_time(spec, segment.field):
                lossy_text = Lossy((segment.field,), _texts(spec, segment, texts), is_bound)
            case DerivedSegment() if not _is_time(spec, segment.field):
                if isinstance(segment.how, Bucket) and _advances(spec, segment.field, fields):
                    if segment.field not in fields:  # else the number itself tells more
                        numbers.append(NumberBucket(segment.field, float(segment.how.size), is_bound))
                    continue
                lossy_text = Lossy((segment.field,), _texts(spec, segment, texts), is_bound)
            case _:
                continue
        if not lossy_text.fields or not owned >= set(lossy_text.fields):
            lossy_texts.add(segment, lossy_text)
        elif is_bound and not given_owned >= set(lossy_text.fields):
            given_texts.append(Lossy(lossy_text.fields, 1.0, False, lossy_text.texts, follows=True))
    lossy = [*lossy_texts.merge(), *given_texts]
    seconds, cycle = _time(spec, segments)
    if cycle > 1:
        lossy.append(Lossy((), cycle, bound=False))
    return ToldApart(
        fields=tuple(fields), bound=frozenset(field for field, is_bound in fields.items() if is_bound),
        lossy=tuple(lossy),
        numbers=tuple(numbers), time_seconds=seconds,
        salts=random_salts(s for s in segments if isinstance(s, SaltSegment) or None not in time_fields),
        border_day=_border_day(spec, segments, seconds),
    )  # fmt: skip


def _whole_field(spec: Spec, segment: HashSegment) -> str | None:
    """Return the field that a hash tells apart as well as the field itself: of it alone, or of it and its owners."""
    if len(segment.fields) < 2 or segment.values < NEVER_AGAIN:
        return segment.whole_field
    return next((field for field in segment.fields if {*segment.fields} <= {*owner_chain(spec, field)}), None)


class _LossyTexts:
    """Texts that lose some values, put together where they are made from the same fields.

    Texts of different hashes are independent. Of one hash the longest tells what the shorter ones do, and of parts of
    a value the finest is taken to.
    """

    def __init__(self) -> None:
        self._texts: dict[object, dict[tuple[str, tuple[str, ...]], list[Lossy]]] = {}

    def add(self, segment: Segment, text: Lossy) -> None:
        """Add the text of a segment."""
        kind = segment.algorithm if isinstance(segment, HashSegment) else segment.kind
        # A hash of the same fields in another order is another one.
        source = (kind, text.fields) if isinstance(segment, HashSegment | SaltSegment) else ("part", text.fields)
        same_fields = frozenset(text.fields) or segment.id  # what is drawn anew depends on nothing
        self._texts.setdefault(same_fields, {}).setdefault(source, []).append(text)

    def merge(self) -> Iterator[Lossy]:
        """Yield one text for all of the same fields."""
        for sources in self._texts.values():
            texts = given_texts = 1.0
            every = [text for alike in sources.values() for text in alike]
            for (kind, _), alike in sources.items():
                texts *= _together(kind, [text.texts for text in alike])
                given_texts *= _together(kind, [text.texts for text in alike if text.bound])
            bound = given_texts >= texts and any(text.bound for text in every)
            yield Lossy(every[0].fields, texts, bound, 1.0 if bound else given_texts)


def _together(kind: str, texts: Sequence[float]) -> float:
    """Return the texts that those of one hash, of one salt or of one value's parts make together."""
    # A hash modulo 4 and modulo 6 is one modulo 12.
    return float(math.lcm(*map(int, texts))) if kind == "salt" else max(texts, default=1.0)


def random_salts(segments: Iterable[Segment]) -> float:
    """Return the texts of all salts that each write draws anew, and of hashes of its time. [texts]"""
    return math.prod(s.modulo if isinstance(s, SaltSegment) else s.values for s in segments if is_drawn_anew(s))


def is_drawn_anew(segment: Segment) -> TypeGuard[SaltSegment | HashSegment]:
    """Return whether a segment is a random salt, or a hash of the time of the event, which is as unlike another."""
    return isinstance(segment, SaltSegment | HashSegment) and not segment.fields


def _is_time(spec: Spec, field_id: str) -> bool:
    return bool(effective_value(spec, spec.find(field_id), "kind") == "timestamp")


def _advances(spec: Spec, field_id: str, fields: Collection[str]) -> bool:
    """Return whether a field's numbers come in order, so that a bucket of them is left behind."""
    field: Field = spec.find(field_id)
    if counts_own_events(field):
        return field.unique_within in fields
    return new_per_day(spec, field) > 0 and effective_value(spec, field, "assigned") == "sequential"


def _texts(spec: Spec, segment: FieldSegment | DerivedSegment, texts: Mapping[str, float] | None) -> float:
    """Return the different texts of a segment that shows a part of a value. [texts]"""
    field: Field = spec.find(segment.field)
    if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket):
        most = field.capacity or effective_value(spec, field, "distinct")
        return max(math.ceil(float(most) / segment.how.size), 1.0)
    text_count = (texts or {}).get(segment.id)
    return max(text_count if text_count is not None else float(effective_value(spec, field, "distinct")), 1.0)


def _time(spec: Spec, segments: Iterable[Segment]) -> tuple[float | None, float]:
    """Return the length of the shortest bucket of time, and how many texts a clock without a date has instead."""
    dated, lengths, cycles = False, [], 1.0
    for segment in segments:
        if isinstance(segment, TimeSegment):
            cycle = _cycle(segment)
            cycles *= cycle
            dated = dated or cycle == 1
            lengths.append(segment_seconds(segment))
        elif isinstance(segment, FieldSegment | DerivedSegment) and _is_time(spec, segment.field):
            bucket = isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket)
            lengths.append(segment.how.size * MILLISECOND if bucket else MILLISECOND)  # type: ignore[union-attr]
            dated = True
    if not lengths or not dated:
        return None, cycles  # an hour of the day comes again tomorrow
    return min(lengths), 1.0


def _border_day(spec: Spec, segments: Iterable[Segment], seconds: float | None) -> float | None:
    """Return a day on which a bucket of `seconds` begins, where it is longer than a day and counted from 1970. [day]"""
    if seconds is None or seconds <= DAY_SECONDS:
        return None
    counted = any(isinstance(s, TimeSegment) and s.bucket_seconds == seconds for s in segments)
    return -((month_dates(spec)[0] - EPOCH).days % (seconds / DAY_SECONDS)) if counted else None


def _cycle(segment: TimeSegment) -> float:
    """Return how many texts a clock without a date has; 1 where the text shows a date or counts. [texts]"""
    if not segment.pattern or any(name in segment.pattern for name in _DATES):
        return 1.0
    return math.prod(texts for name, texts in _CYCLES.items() if name in segment.pattern)
