"""An activity: what happens in the world, before anything is stored. And the shape of a day and a week."""

import datetime
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .base import Count, Days, Element, Flaw, Id, Model, Rate, Share, described, listed
from .popularity import Popularity
from .texts import N_, said


class Flat(Model):
    """The same rate at every hour."""

    kind: Literal["flat"] = "flat"


class Diurnal(Model):
    """A daily wave, 1 + (peak_to_mean - 1)·cos around the peak hour (a peak-to-mean above 2 rests at night)."""

    kind: Literal["diurnal"] = "diurnal"
    peak_to_mean: float = Field(default=1.8, ge=1, le=10, title="Peak ÷ mean")
    peak_hour: float = Field(default=20, ge=0, lt=24, title="Peak hour (UTC)")


class OfficeHours(Model):
    """Busy between two hours on working days, `rest_share` of that rate otherwise."""

    kind: Literal["office"] = "office"
    start_hour: float = Field(title="From hour (UTC)", default=9, ge=0, lt=24)
    end_hour: float = Field(title="To hour (UTC)", default=18, gt=0, le=24)
    rest_share: Share = Field(default=0.05, title="Share of that rate otherwise")

    def flaws(self) -> Iterator[Flaw]:
        if self.start_hour % 24 == self.end_hour % 24:
            yield Flaw(("end_hour",), said(N_("office hours must end at another hour than they start")))


class BatchWindow(Model):
    """All of a day's work between `start_hour` and `start_hour + hours`."""

    kind: Literal["batch"] = "batch"
    start_hour: float = Field(title="From hour (UTC)", default=1, ge=0, lt=24)
    hours: float = Field(title="Hours", default=4, gt=0, le=24)


class Week(Model):
    """168 relative rates, Monday 00:00 first, UTC."""

    kind: Literal["week"] = "week"
    hours: tuple[Rate, ...] = Field(title="Hours of the week, Monday 00:00 UTC first", min_length=168, max_length=168)


Profile = Annotated[Flat | Diurnal | OfficeHours | BatchWindow | Week, Field(discriminator="kind")]


class PeakDay(Model):
    """A named day whose rate is a multiple of the usual."""

    name: str = Field(title="Name")
    date: datetime.date = Field(title="Date")
    factor: float = Field(title="Times the usual rate", gt=0, le=1000)


class Poisson(Model):
    """Events come independently of each other."""

    kind: Literal["poisson"] = "poisson"


class Every(Model):
    """Each value of a field acts once every n seconds; the rate is then its values ÷ n unless it is set."""

    kind: Literal["every"] = "every"
    seconds: float = Field(title="Every so many seconds", gt=0, le=1e9)
    field: Id = Field(title="For each value of")


class Bursts(Model):
    """Events come in bursts of `size` that share one value of each drawn field and one second."""

    kind: Literal["bursts"] = "bursts"
    size: Count = Field(title="Events in a burst")


class Backfill(Model):
    """`days` of history written at the activity's rate, in key order if `sorted`.

    How long it takes is not said: it goes on at that rate for the whole horizon, in the bill and in what is stored.
    """

    kind: Literal["backfill"] = "backfill"
    days: Days = Field(
        title="Days of history",
        description="How far back the times in its keys reach. The load itself is reckoned as going on at the "
        "activity's rate for the whole horizon: for the bill after it, leave it out.",
    )
    sorted: bool = Field(default=True, title="In key order")


Arrival = Annotated[Poisson | Every | Bursts | Backfill, Field(discriminator="kind")]


class Draw(Model):
    """A field that the activity draws with its own popularity."""

    field: Id = Field(title="Field")
    popularity: Popularity | None = Field(default=None, title="Popularity")


class Activity(Element):
    """What happens in the world: how often, when, and to which values."""

    name: str = Field(default="", title="Name")
    rate_per_second: Rate | None = described(
        "Rate", unit="events per second", help="Mean over a week, on the start date."
    )
    profile: Profile | None = described("Shape of day and week", help="When in the day and week it happens.")
    peak_days: tuple[PeakDay, ...] = listed("Peak days")
    growth_per_month: float | None = described(
        "Growth per month", unit="share", guess=0.0, ge=-1, le=10, why=N_("no growth is mentioned")
    )
    arrival: Arrival | None = described("Arrival")
    lateness_seconds: Rate | None = described(
        "Lateness",
        unit="seconds",
        guess=0,
        help="How long after the event its write arrives, on average.",
        why=N_("what happens is written at once"),
    )
    draws: tuple[Draw, ...] = listed("Fields drawn", help="Popularity of a field within this activity.")
