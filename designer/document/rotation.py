"""Tables that rotate: one for each day, week or month, of which the oldest are dropped whole."""

import datetime
from typing import Literal

from pydantic import Field

from .base import Count, Model, optional_field
from .durations import DAY_SECONDS, RESOLUTION_SECONDS
from .key import TimeSegment

NAME_PATTERNS = {"day": "%Y_%m_%d", "week": "%G_w%V", "month": "%Y_%m"}
"""Ends of the names of the tables, in UTC: `events_2026_11`."""


class Rotation(Model):
    """One table per day, week or month, written in the period of its name. The oldest goes as a new one begins."""

    period: Literal["day", "week", "month"] = Field(title="Period")
    kept_tables: Count | None = optional_field(
        "Tables retained", unit="tables", help="Including the one that is being written. Default: no table is dropped."
    )

    def suffixes(self, day: datetime.date, count: int = 1) -> tuple[str, ...]:
        """Return the ends of the names of the table of a day and of those after it.

        >>> Rotation(period="month").suffixes(datetime.date(2026, 11, 30), 3)
        ('2026_11', '2026_12', '2027_01')
        """
        return tuple(self.begin(day, place).strftime(NAME_PATTERNS[self.period]) for place in range(count))

    def begin(self, day: datetime.date, periods: int = 0) -> datetime.date:
        """Return the first day of the period that comes so many after that of a day.

        >>> Rotation(period="week").begin(datetime.date(2026, 1, 1)).isoformat()
        '2025-12-29'
        >>> Rotation(period="month").begin(datetime.date(2026, 11, 30), 2).isoformat()
        '2027-01-01'
        """
        if self.period == "month":
            years, months = divmod(day.month - 1 + periods, 12)
            return datetime.date(day.year + years, months + 1, 1)
        days = 7 if self.period == "week" else 1
        return day - datetime.timedelta(days=day.weekday() % days) + datetime.timedelta(days=days * periods)

    @property
    def period_days(self) -> float:
        """Days of a period, of months the mean."""
        return RESOLUTION_SECONDS[self.period] / DAY_SECONDS


class TablePeriod(TimeSegment):
    """The period of a table, as if it began the keys: tables of a set are ranges of one.

    It is not part of any document, and takes no bytes of a key.
    """

    kept_tables: Count | None = None
