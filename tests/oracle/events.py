"""Events: when an activity's events come, and what each of them is about.

What a spec says of an activity means this.

- Its rate is the mean over a week on the start date; it grows by a factor a month, follows the shape of the week (hours
  of UTC) and is multiplied on named days. Before the start, in the history, it is that of the start. From the day on
  which it ends none comes.
- *Poisson*: events are independent. *Bursts*: so many events come within one second and share what they draw (not what
  is new with every event). *Every n seconds*: each value in use acts once in n seconds, beginning anywhere in its first
  n; where the rate has a shape, its clock runs by that shape. *Backfill*: the time in the key lies anywhere in the days
  of history before the write.
"""

import datetime
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from designer.document import Spec, effective_value
from designer.document.activity import Activity, Backfill, Bursts, Every, Flat
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.shapes import week_hours

from .world import Number, World


@dataclass(slots=True)  # made by the million, so not frozen: that takes three times as long
class Event:
    """One event: when it is written, the time that its key shows, and the drawn values. [days since the start]"""

    day: float
    shown_day: float
    values: dict[str, Number]


def start_of(spec: Spec) -> datetime.date:
    """Return the first day of the horizon."""
    start = effective_value(spec, spec, "start")
    return start if isinstance(start, datetime.date) else datetime.date.fromisoformat(start)


class Clock:
    """How many events are expected until a day; hours are the grain of shapes. [days since the start]"""

    def __init__(self, spec: Spec, activity: Activity, first_day: float, last_day: float, turned_days: int = 0) -> None:
        start = start_of(spec)
        hours = np.arange(np.floor(first_day * 24), np.ceil(last_day * 24) + 1)
        factors = self._factors(spec, activity, start, hours[:-1], turned_days)
        self.days = hours / 24
        self.time = np.concatenate(([0.0], np.cumsum(factors)))
        """Hours that have passed on a clock that runs as fast as the activity is busy."""
        self.first_day, self.last_day = first_day, last_day

    @staticmethod
    def _factors(
        spec: Spec, activity: Activity, start: datetime.date, hours: np.ndarray, turned_days: int
    ) -> np.ndarray:
        """Return the rate in hours since the start ÷ the mean rate, in a week that begins so many days earlier."""
        shape = np.array(week_hours(effective_value(spec, activity, "profile") or Flat()))
        growth = 1 + float(effective_value(spec, activity, "growth_per_month") or 0.0)
        months = np.maximum(hours + 0.5, 0.0) / 24 / MONTH_DAYS
        factors = shape[((start.weekday() + turned_days) * 24 + hours.astype(int)) % 168] * growth**months
        for peak in activity.peak_days:
            on_that_day = np.floor(hours / 24) == (peak.date - start).days
            factors = np.where(on_that_day, factors * peak.factor, factors)
        return factors

    def busy_hours(self, day: float) -> float:
        """Return the hours that have passed on the activity's clock until a day."""
        return float(np.interp(day, self.days, self.time))

    def day_at(self, busy_hours: np.ndarray) -> np.ndarray:
        """Return the days at which so many hours have passed on the activity's clock."""
        return np.interp(busy_hours, self.time, self.days)

    def moments(self, rng: np.random.Generator, expected_per_hour: float) -> np.ndarray:
        """Draw independent moments: days, ascending."""
        first, last = self.busy_hours(self.first_day), self.busy_hours(self.last_day)
        count = rng.poisson(expected_per_hour * (last - first))
        return self.day_at(np.sort(rng.uniform(first, last, count)))


def happen(
    world: World, activity: Activity, first_day: float, last_day: float, turned_days: int = 0
) -> Iterator[Event]:
    """Draw when the events of an activity come between two days, in the order of time, and what is given of each.

    The rest is drawn by `bring` as an event comes, before the next one is asked for: events of a burst share it.
    """
    spec, rng = world.spec, world.rng
    if activity.ends_on is not None:
        last_day = min(last_day, float((activity.ends_on - start_of(spec)).days))
        if last_day <= first_day:
            return
    clock = Clock(spec, activity, first_day, last_day, turned_days)
    arrival = activity.arrival
    if isinstance(arrival, Every):
        for day, value in _rounds(world, arrival, clock):
            yield Event(day, day, {arrival.field: value})
        return
    per_hour = float(effective_value(spec, activity, "rate_per_second")) * 3_600
    size = arrival.size if isinstance(arrival, Bursts) else 1
    for day in clock.moments(rng, per_hour / size).tolist():
        shown = day - rng.random() * arrival.days if isinstance(arrival, Backfill) else day
        event = Event(day, shown, {})
        yield event
        for _ in range(size - 1):
            again = {name: number for name, number in event.values.items() if not world.counts(name)}
            within = rng.random() / DAY_SECONDS
            yield Event(day + within, shown + within, again)


def bring(world: World, activity: Activity, names: tuple[str, ...], event: Event) -> None:
    """Draw the values of an event's named fields that are not given, of those in use as it comes."""
    world.live_until(event.day)
    event.values = world.draw(activity, names, event.values)


def _rounds(world: World, every: Every, clock: Clock) -> list[tuple[float, Number]]:
    """Return when each value of a field acts, by time: once in n seconds of the clock while it is in use."""
    population = world.populations[every.field]
    hours, found, number = every.seconds / 3_600, list[tuple[float, Number]](), 0
    while number < population.by_the_start or (
        population.growth_per_day > 0 and population.born_on(number) < clock.last_day
    ):
        begin = max(clock.first_day, population.born_on(number))
        first, last = (clock.busy_hours(day) for day in (begin, min(population.dies_on(number), clock.last_day)))
        turns = np.arange(first + world.rng.random() * hours, last, hours)
        found += [(day, number) for day in clock.day_at(turns).tolist()]
        number += 1
    return sorted(found)
