"""Parts of a population: fields that a key tells apart, the ways writes draw them, their turnover."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Write
from designer.document.activity import Activity, Arrival, Backfill, Bursts, Every
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.field import Field
from designer.document.new_ids import counts_own_events, is_declared_counter
from designer.document.popularity import Latest, Popularity
from estimator.kernels.keys.values.drawn_fields import owner_chain
from estimator.results.arrays import Floats

from .draws import Draw, Drawing, is_stated, popularity_of, with_hidden
from .events import NOT_COUNTED, BucketBorders, Burst, OwnNumbers, WriteLaw
from .grown import GrownLaws
from .poisson import run_part
from .ranked_growth import Growth, growth_by_rank
from .strata import Strata, flat, group, popularity_strata, product
from .told_apart import MILLISECOND, NumberBucket, ToldApart
from .turnover import Turnover
from .values import birth_rates, combinations_in_use, lifetime_days, new_per_day, values_in_use, values_relative

PER_EVENT_SHARE = 0.99
"""Each event takes a value of its own where so many of them can."""
BURST_SECONDS = 1.0
"""A burst shares one second, says the spec."""


def horizon_days(spec: Spec) -> float:
    """Return the days of the horizon. [day]"""
    return float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS


@dataclass(frozen=True)
class KeyParts:
    """Parts of a population."""

    spec: Spec
    told: ToldApart
    writes: tuple[Write, ...]
    asked: Mapping[str, Popularity] | None = None
    """Popularities that a request states, as one more law."""
    stored_days: float = 0.0
    """How long what a request meets has been written. [day]"""
    is_met: bool = False
    """They are what a request meets, below values that it gives, and not all keys."""

    @cached_property
    def drawing(self) -> Drawing:
        stated: list[dict[str, Popularity]] = []
        for _, activity in self.activities:
            if (draw := with_hidden(self.spec, activity, self.told.shown_fields)) not in stated:
                stated.append(draw)
        # The first decides which field is drawn: one that draws fields below those shown.
        stated.sort(key=lambda draw: -len(draw.keys() - self.told.shown_fields))
        unique: list[Draw] = [*stated]
        if self._growth is not None:
            field = self._growth.field
            laws = [self._growth.laws(popularity_of(self.spec, field, draw)) for draw in stated]
            unique += [{**draw, field: law} for draw, mine in zip(stated, laws, strict=True) for law in mine]
        if self.asked is not None:
            # The last of all laws, where `asked` is looked for.
            unique.append({**(unique[0] if unique else {}), **self.asked})
        return Drawing(self.spec, tuple(unique) or ({},), horizon_days(self.spec), self.stored_days)

    @cached_property
    def activities(self) -> tuple[tuple[Write, Activity], ...]:
        """The writes with their activities; those that name none write nothing yet."""
        return tuple((write, self.spec.find(write.activity)) for write in self.writes if write.activity)

    @property
    def every_event(self) -> bool:
        """True if each event is taken to make a key of its own: by a new id, or a time fine enough to tell it apart."""
        fine = self.told.time_seconds is not None and self.told.time_seconds <= MILLISECOND
        return fine or any(self.is_new_each_time(field) for field in self.told.fields)

    @cached_property
    def _growth(self) -> Growth | None:
        """The one field whose popularity by rank is stated and that had fewer values at first."""
        events = [activity for _, activity in self.activities]
        return growth_by_rank(self.spec, self.told.fields, self.told.lossy, events, horizon_days(self.spec))

    def _laws_of_growth(self, law: int) -> GrownLaws | None:
        """Return the laws that draw a write's events while values come."""
        if self._growth is None:
            return None
        spec, end, growth, draws = self.spec, horizon_days(self.spec), self._growth, self.drawing.draws
        field, apart, many = spec.find(growth.field), growth.is_apart, growth.laws_added
        # First stand the stated laws, then those of growth for each of them, then what is asked.
        base = (len(draws) - (self.asked is not None)) // (many + 1)
        first = base + law * many
        earlier = range(first + apart, first + apart + len(growth.earlier))
        return GrownLaws(
            lambda days: values_relative(spec, field, days, end, growth.staying),
            np.array([*reversed(growth.earlier), 1.0]),
            (*reversed(earlier), first if apart else law),
            staying=first + many - 1 if apart else None,
        )

    @cached_property
    def strata(self) -> Strata:
        """Return the combinations in use at the end of the horizon, below those that are bound."""
        drawing, latest = self.drawing, self.latest_field
        apart = {self.stepping and self.stepping.field, *(owner_chain(self.spec, latest) if latest else ())}
        fields = [field for field in self.told.fields if field not in apart]
        strata = drawing.combinations(fields, self.told.bound, self.told.lossy)
        for number in self.told.numbers:
            if number is not self.stepping and not self._counts_own_events(number):
                strata = product(strata, self._number_buckets(number))
        return strata

    def _number_buckets(self, number: NumberBucket) -> Strata:
        laws = [popularity_of(self.spec, number.field, draw) for draw in self.drawing.draws]
        values = self.drawing.values(number.field)
        is_moving = lifetime_days(self.spec, self.spec.find(number.field)) < math.inf
        buckets = max(values / number.size + is_moving, 1.0)  # numbers that move on cut a bucket at either end
        strata = popularity_strata(laws, values)
        if buckets < values:
            return group(strata, buckets, bind=False)
        return flat(np.array([buckets]), np.full((len(laws), 1), 1.0 / buckets))

    def _counts_own_events(self, number: NumberBucket) -> bool:
        field: Field = self.spec.find(number.field)
        is_drawn = any(is_stated(self.spec, number.field, draw) for draw in self.drawing.draws)
        return number is not self.stepping and counts_own_events(field) and not is_drawn

    def _counts_up(self, field_id: str) -> bool:
        """Return whether events take the values of a field in order: nobody has said which of them events draw."""
        field: Field = self.spec.find(field_id)
        guessed = field.growth_per_day is None and new_per_day(self.spec, field) > 0
        is_drawn = any(is_stated(self.spec, field_id, draw) for draw in self.drawing.draws)
        return (is_declared_counter(self.spec, field) or guessed) and not is_drawn

    @cached_property
    def made_per_day(self) -> float:
        """Keys that the writes which add rows make a day, at the start; 0 while nobody knows. [keys/day]"""
        adding = [activity for activity in self.activities if write_mode(self.spec, activity[0]) == "append_row"]
        total = 0.0
        for write, activity in adding or self.activities:
            per_second = float(effective_value(self.spec, activity, "rate_per_second") or 0)
            total += per_second * DAY_SECONDS * float(effective_value(self.spec, write, "rows_per_event"))
        return total

    def is_new_each_time(self, field_id: str) -> bool:
        """Return whether each event takes a value of its own.

        Where just as many values come as keys are made, a stated popularity is that of readers.
        """
        field: Field = self.spec.find(field_id)
        if field.growth_per_day is None and self._counts_up(field_id):
            return field.unique_within is None or field.unique_within in self.told.fields
        new, keys_per_day = self.new_per_day(field_id), self.made_per_day
        if self._counts_up(field_id):
            return new >= PER_EVENT_SHARE * keys_per_day > 0
        as_many = PER_EVENT_SHARE * keys_per_day <= new <= keys_per_day / PER_EVENT_SHARE
        return keys_per_day > 0 and as_many and not any(field_id in draw for draw in self.drawing.draws)

    @cached_property
    def stepping(self) -> NumberBucket | None:
        """A number, or the bucket of one, that counts up as events come: it is left behind as time goes."""
        alone = [NumberBucket(field, 1.0, field in self.told.bound) for field in self.told.fields]
        for number in (*self.told.numbers, *alone):
            counts = self._counts_up(number.field) and self.new_per_day(number.field) > 0
            if counts and not (number in alone and self.is_new_each_time(number.field)):
                return number
        return None

    @property
    def own_numbers(self) -> OwnNumbers:
        """Return how a value's own events count into its buckets of numbers."""
        arrivals = [effective_value(self.spec, activity, "arrival") for _, activity in self.activities]
        burst = max((arrival.size for arrival in arrivals if isinstance(arrival, Bursts)), default=1)
        for number in self.told.numbers:
            parent = self.spec.find(number.field).unique_within
            if self._counts_own_events(number) and {*self.told.fields} <= {*owner_chain(self.spec, parent)}:
                return OwnNumbers(number.size, 1 / self.told.salts, burst)
        return NOT_COUNTED

    @property
    def most_events(self) -> float:
        """Events of about the fullest key: those that a bucket of numbers holds, where as many come for each number."""
        most = self.own_numbers.most_events
        # More events come for each number later.
        grows = any(effective_value(self.spec, activity, "growth_per_month") for _, activity in self.activities)
        if self.stepping is None or grows or self.stepping.bound:
            return most
        per_number = max(self.made_per_day / self.new_per_day(self.stepping.field), 1.0)
        texts = math.prod(text.texts for text in self.told.lossy if text.fields == (self.stepping.field,))
        held = max(OwnNumbers(self.stepping.size, 1 / texts).most_events, 1.0)  # numbers of a bucket with one text
        return min(most, math.ceil(held * per_number - 1e-9))  # rounding makes no event

    @property
    def bucket_days(self) -> float | None:
        """Length of the time in which one key receives; None: for ever. [day]"""
        shorter = min(self._days_of_time, self._days_of_number)
        return shorter if shorter < math.inf else None

    @property
    def border_day(self) -> float | None:
        """A day on which such a time begins, where that is known. [day]"""
        return self.told.border_day if self._days_of_time <= self._days_of_number else None

    @property
    def cut(self) -> BucketBorders | None:
        """The longer buckets where a key shows the time and a number that counts up."""
        longer = max(self._days_of_time, self._days_of_number)
        return BucketBorders(longer, by_events=longer > self._days_of_time) if math.isfinite(longer) else None

    @property
    def _days_of_time(self) -> float:
        return math.inf if self.told.time_seconds is None else self.told.time_seconds / DAY_SECONDS

    @cached_property
    def _days_of_number(self) -> float:
        return math.inf if self.stepping is None else self.stepping.days(self.spec)

    @property
    def _is_counted(self) -> bool:
        """True if every key has as many events as numbers: no value is told apart beside them, no shorter time."""
        alone = self.stepping is not None and self.told.shown_fields == {self.stepping.field}
        return alone and self._days_of_number <= self._days_of_time and not any(t.fields for t in self.told.lossy)

    def new_per_day(self, field_id: str) -> float:
        """Return the new values of a field a day, below all values of what it is unique within. [values/day]"""
        field: Field = self.spec.find(field_id)
        above = field.unique_within if field.unique_within in self.told.fields else None
        return new_per_day(self.spec, field) * (1.0 if above is None else self.drawing.values(above))

    def laws(self) -> dict[str, WriteLaw]:
        """Return how each write's events fall on keys, by write id."""
        laws = {}
        for write, activity in self.activities:
            arrival = effective_value(self.spec, activity, "arrival")
            draw = with_hidden(self.spec, activity, self.told.shown_fields)
            law = next(place for place, other in enumerate(self.drawing.draws) if other == draw)
            laws[write.id] = WriteLaw(
                law=law,
                per_event=float(effective_value(self.spec, write, "rows_per_event")),
                # A counter gives keys as many events each, as one value does that acts.
                actors=1.0 if self._is_counted else self._actors(arrival),
                clump=max(self._clump(arrival.size) if isinstance(arrival, Bursts) else 1.0, self._events_of_one_text),
                burst=self._burst_of(arrival),
                grown=self._laws_of_growth(law),
            )
        return laws

    def _actors(self, arrival: Arrival) -> float:
        """Return the values that act at even intervals, where the key shows which of them did; else 0. [values]"""
        key_fields = {*self.told.fields, *(field for text in self.told.lossy for field in text.fields)}
        return self.drawing.values(arrival.field) if isinstance(arrival, Every) and arrival.field in key_fields else 0.0

    @property
    def rows_per_burst(self) -> float:
        """Rows that one burst makes of what it draws, at most. [rows]"""
        arrivals = [effective_value(self.spec, activity, "arrival") for _, activity in self.activities]
        sizes = [arrival.size for arrival in arrivals if isinstance(arrival, Bursts)]
        return max((size if self.every_event else size / self._clump(size) for size in sizes), default=1.0)

    @property
    def _keys_of_burst(self) -> float:
        """Return on how many keys events of one burst can fall: they share neither a fine time nor a random salt."""
        seconds = self.told.time_seconds
        return self.told.salts * (1.0 if seconds is None else max(BURST_SECONDS / seconds, 1.0))

    def _clump(self, size: int) -> float:
        """Return how many events of one burst meet on a key, in the mean."""
        slots = self._keys_of_burst
        # Events ÷ different slots that they draw.
        return size / max(slots * -math.expm1(size * math.log1p(-1 / slots)), 1.0) if slots > 1 else float(size)

    def _burst_of(self, arrival: Arrival) -> Burst | None:
        """Return events that come together and on several keys.

        Those with one text of a number are a burst that spreads over as many keys as leave those on one.
        """
        if isinstance(arrival, Bursts):
            return Burst(arrival.size, 1 / self._keys_of_burst) if self._keys_of_burst > 1 else None
        events_per_text = self._events_of_one_text
        if events_per_text <= 1 or self.stepping is None:
            return None
        size = max(
            math.ceil(self.made_per_day / self.new_per_day(self.stepping.field) - 1e-9), math.ceil(events_per_text)
        )
        return Burst(size, run_part(size, events_per_text))

    @cached_property
    def _events_of_one_text(self) -> float:
        """Return how many events in a row have one text of a number that counts up, and one time bucket. [events]

        The number itself is not shown: what is made from it alone, such as a salt, holds its events together.
        """
        if self.stepping is None or not any(text.fields == (self.stepping.field,) for text in self.told.lossy):
            return 1.0
        value_events = max(self.made_per_day / self.new_per_day(self.stepping.field), 1.0)
        in_bucket = max(self.made_per_day * self._days_of_time, 1e-9)
        # That the next event falls into the bucket, in which this one is anywhere.
        stays = 1 + math.expm1(-in_bucket) / in_bucket if math.isfinite(in_bucket) else 1.0
        return 1 / (1 - (1 - 1 / value_events) * stays)  # the mean length of a run that goes on so likely

    # --- what comes and goes ----------------------------------------------------------------------------------

    @cached_property
    def latest_field(self) -> str | None:
        """The field whose newest values are drawn most while new ones come."""
        for field_id in self.told.fields:
            law = popularity_of(self.spec, field_id, self.drawing.draws[0])
            alone = self._is_alone(owner_chain(self.spec, field_id))
            if isinstance(law, Latest) and alone and new_per_day(self.spec, self.spec.find(field_id)) > 0:
                return field_id
        return None

    def _is_alone(self, chain: Sequence[str]) -> bool:
        """Return whether nothing but the last value of a chain of owners tells keys apart."""
        if len(chain) == 1 or self.is_met:
            return len(chain) == 1
        others = ({*self.told.fields} - {*chain}).union(*(text.fields for text in self.told.lossy))
        related = any({*owner_chain(self.spec, field)} & {*chain} for field in others)
        return not related and is_stated(self.spec, chain[-1], self.drawing.draws[0])

    def turnover(self, fields: Collection[str], *, numbers: bool = True) -> Turnover:
        """Return how combinations of some fields, and of the buckets of numbers, come and go."""
        spec, end = self.spec, horizon_days(self.spec)
        fields = [field for field in fields if self.stepping is None or field != self.stepping.field]
        # Values of which each event takes one of its own come and go with the events.
        fields = [field for field in fields if not self.is_new_each_time(field)] or fields
        field_pairs = [(spec.find(field), above) for field, above in self._counted_fields(fields)]
        key_numbers = [number for number in self.told.numbers if numbers and not self._counts_own_events(number)]
        grouped = [number for number in key_numbers if number is not self.stepping]
        field_pairs += [(spec.find(number.field), None) for number in grouped if number.field not in fields]
        latest = self.latest_field if self.latest_field in fields else None
        field_pairs = [(field, above) for field, above in field_pairs if field.id != latest]

        growth = self._growth
        staying = {growth.field: growth.staying} if growth is not None and growth.is_apart else {}
        in_use = combinations_in_use(spec, field_pairs, end, staying)
        lives = [lifetime_days(spec, field) for field, _ in field_pairs]
        for number in grouped:  # a bucket is in use from its first number until its last is not
            place = [field.id for field, _ in field_pairs].index(number.field)
            lives[place] += number.days(spec)
        buckets = {number.field for number in grouped}

        def born(days: Floats) -> Floats:
            total = np.zeros(np.shape(days))
            for (field, _), life in zip(field_pairs, lives, strict=True):
                if field.id in buckets and math.isfinite(life):
                    total = total + 1 / life
                else:
                    there = np.maximum(values_in_use(spec, field, days) - staying.get(field.id, 0.0), 1e-300)
                    total = total + birth_rates(spec, field, days) / there
            return total * in_use(days)

        ends = sum(1 / life for life in lives)  # a combination ends with its first value: the rates add up
        turnover = Turnover(in_use=in_use, born=born, life_days=1 / ends if ends > 0 else math.inf)
        turnover = replace(turnover, written_at_birth=self._written_at_birth(fields))
        if latest is None:
            return turnover
        law = popularity_of(spec, latest, self.drawing.draws[0])
        assert isinstance(law, Latest)
        return replace(
            turnover,
            in_use=lambda days: in_use(days) * values_relative(spec, spec.find(latest), days, end),
            latest=law,
            latest_values=self.drawing.values(latest),
            latest_born=new_per_day(spec, spec.find(latest)),
            latest_life_days=lifetime_days(spec, spec.find(latest)),
        )

    def _counted_fields(self, fields: Collection[str]) -> list[tuple[str, str | None]]:
        """Return the fields whose values the combinations are counted by, each below an owner counted elsewhere."""
        pairs = []
        for chain, above in self.drawing.chains(tuple(fields)):
            own_fields = [field for field in chain if field in fields]
            if own_fields and not self._comes_with_others(own_fields[-1], fields):
                pairs.append((own_fields[-1], above))
        return pairs

    def _comes_with_others(self, field_id: str, fields: Collection[str]) -> bool:
        """Return whether values of a field come and go only with those of a field that is counted already."""
        field: Field = self.spec.find(field_id)
        if new_per_day(self.spec, field) > 0 or field.lifetime_days is not None:
            return False
        owners = {*owner_chain(self.spec, field_id)[:-1]} - set(fields)
        return field.unique_within in self.told.fields or not owners.isdisjoint(self.told.fields)

    def _written_at_birth(self, fields: Collection[str]) -> float:
        """Return the new combinations a day that begin with an event of their own. [1/day]

        New values of a field come with the events that are the first to name them, unless somebody has said which
        values events draw. A backfill writes each combination once.
        """
        if self.writes and all(isinstance(activity.arrival, Backfill) for _, activity in self.activities):
            return math.inf
        fresh = [
            self.new_per_day(field)
            for field in fields
            if field not in self.drawing.decided_below(self.told.fields)  # by values, of which it has none at first
            if len(owner_chain(self.spec, field)) == 1  # else the owner is drawn first
            and not any(is_stated(self.spec, field, draw) for draw in self.drawing.draws)
        ]
        return max(fresh, default=0.0)
