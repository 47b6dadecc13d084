"""An activity: what happens in the world, before anything is stored. And the shape of a day and a week."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .base import Count, Day, Days, Flag, Flaw, Id, Model, Number, Rate, Share, SharedPart, list_field, optional_field
from .popularity import Popularity
from .texts import N_, build_text


class Flat(Model):
    """The same rate at every hour."""

    kind: Literal["flat"] = "flat"


class Diurnal(Model):
    """A daily wave, 1 + (peak_to_mean - 1)·cos around the peak hour (a peak-to-mean above 2 rests at night)."""

    kind: Literal["diurnal"] = "diurnal"
    peak_to_mean: Number = Field(default=1.8, ge=1, le=10, title="Peak ÷ mean")
    peak_hour: Number = Field(default=20, ge=0, lt=24, title="Peak hour (UTC)")


class OfficeHours(Model):
    """Busy between two hours on working days, `rest_share` of that rate otherwise."""

    kind: Literal["office"] = "office"
    start_hour: Number = Field(title="Start hour (UTC)", default=9, ge=0, lt=24)
    end_hour: Number = Field(title="End hour (UTC)", default=18, gt=0, le=24)
    rest_share: Share = Field(default=0.05, title="Share of that rate at other times")

    def flaws(self) -> Iterator[Flaw]:
        if self.start_hour % 24 == self.end_hour % 24:
            yield Flaw(("end_hour",), build_text(N_("the end hour must differ from the start hour")))


class BatchWindow(Model):
    """All of a day's work between `start_hour` and `start_hour + hours`."""

    kind: Literal["batch"] = "batch"
    start_hour: Number = Field(title="Start hour (UTC)", default=1, ge=0, lt=24)
    hours: Number = Field(title="Hours", default=4, gt=0, le=24)


class Week(Model):
    """168 relative rates, Monday 00:00 first, UTC."""

    kind: Literal["week"] = "week"
    hours: tuple[Rate, ...] = Field(title="Hours of the week, from Monday 00:00 UTC", min_length=168, max_length=168)


Profile = Annotated[Flat | Diurnal | OfficeHours | BatchWindow | Week, Field(discriminator="kind")]


class PeakDay(Model):
    """A named day whose rate is a multiple of the usual."""

    name: str = Field(title="Name")
    date: Day = Field(title="Date")
    factor: Number = Field(title="Factor on the usual rate", gt=0, le=1000)


class Poisson(Model):
    """Events come independently of each other."""

    kind: Literal["poisson"] = "poisson"


class Every(Model):
    """Each value of a field acts once every n seconds; the rate is then its values ÷ n unless it is set."""

    kind: Literal["every"] = "every"
    seconds: Number = Field(title="Interval (seconds)", gt=0, le=1e9)
    field: Id = Field(title="For each value of")


class Bursts(Model):
    """Events come in bursts of `size` that share one value of each drawn field and one second."""

    kind: Literal["bursts"] = "bursts"
    size: Count = Field(title="Events per burst")


class Backfill(Model):
    """`days` of history written at the activity's rate, in key order if `sorted`.

    Unless the activity ends, it goes on at that rate for the whole horizon, in the bill and in what is stored.
    """

    kind: Literal["backfill"] = "backfill"
    days: Days = Field(
        title="Days of history",
        description="Age of the oldest time in the keys. The load is assumed to continue at the activity's rate for "
        "the whole horizon, unless the activity has a day on which it ends.",
    )
    sorted: Flag = Field(default=True, title="In key order")


Arrival = Annotated[Poisson | Every | Bursts | Backfill, Field(discriminator="kind")]


class Draw(Model):
    """A field that the activity draws with its own popularity."""

    field: Id = Field(title="Field")
    popularity: Popularity | None = Field(default=None, title="Access distribution")


class Activity(SharedPart, defer_build=False):
    """Events of one kind in the real world: their rate, their timing and their values."""

    name: str = Field(default="", title="Name")
    rate_per_second: Rate | None = optional_field(
        "Rate", unit="events per second", help="Mean over a week, on the start date."
    )
    profile: Profile | None = optional_field("Load profile", help="Variation of the rate over the day and the week.")
    peak_days: tuple[PeakDay, ...] = list_field("Peak days")
    growth_per_month: Number | None = optional_field(
        "Monthly growth", unit="share", guess=0.0, ge=-1, le=10, why=N_("no growth is specified")
    )
    ends_on: Day | None = optional_field("Ends on", help="Day before which the last events come. Default: they go on.")
    arrival: Arrival | None = optional_field("Arrival pattern")
    lateness_seconds: Rate | None = optional_field(
        "Write delay",
        unit="seconds",
        guess=0,
        help="Mean delay between an event and its write.",
        why=N_("events are written at once"),
    )
    draws: tuple[Draw, ...] = list_field("Access distributions", help="Distribution of a field in this activity.")
