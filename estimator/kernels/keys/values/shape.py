"""Form and number of a field's values: the field with all its assumed values filled in."""

import datetime
import math
from dataclasses import dataclass
from functools import lru_cache
from typing import cast
from zlib import crc32

from designer.document import Spec, effective_value, owner_id
from designer.document.durations import DAY_SECONDS
from designer.document.field import Enumeration, FanOut, Field, FieldKind, Pattern, Random, Range, Values
from designer.document.popularity import Popularity


@dataclass(frozen=True)
class ValueShape:
    """One field, ready to be rendered and counted.

    `values` None: the kind says all (uuid, boolean, float, timestamp). Value number i exists from `born_s(i)` on.
    """

    id: str
    kind: FieldKind
    values: Values | None
    seed: int
    total: int
    """Values that there will ever be by the end of the horizon."""
    distinct: int
    """Values in use on the start date."""
    growth_per_day: float
    lifetime_days: float | None
    is_sequential: bool
    popularity: Popularity
    has_stated_popularity: bool
    owner: str | None
    fan_out: FanOut
    start_s: float

    def values_in_use(self, time_s: float) -> tuple[int, int]:
        """Return the values in use at a time: numbers from the first to before the second.

        With a lifetime, those of the start leave evenly over it, in order.
        """
        if self.growth_per_day <= 0:
            return 0, self.total
        days = (time_s - self.start_s) / DAY_SECONDS
        end = min(max(1, math.floor(self.distinct + self.growth_per_day * days)), self.total)
        if self.lifetime_days is None:
            return 0, end
        # First the values of the start leave evenly over one lifetime; then those created since, one lifetime after
        # birth.
        gone = self.distinct * min(days / self.lifetime_days, 1.0)
        gone += self.growth_per_day * max(days - self.lifetime_days, 0.0)
        # At least one value is always in use: without it, shares would be 0 / 0.
        return max(0, min(end - 1, math.floor(gone))), end


ORDERED_UUIDS = Pattern(text="0193{n:032}")
"""Stands for ids of 36 characters that begin with the time at which they are made, such as UUIDs of version 7."""


def shape_of(spec: Spec, field: Field, *, seed: int) -> ValueShape:
    """Return the field with its assumed values."""
    kind = cast(FieldKind, effective_value(spec, field, "kind"))
    values = field.values
    if values is None and kind not in ("uuid", "boolean", "float", "timestamp"):
        values = effective_value(spec, field, "values")
    if values is None and kind == "uuid" and effective_value(spec, field, "assigned") == "sequential":
        kind, values = "string", ORDERED_UUIDS
    distinct, growth = (
        int(effective_value(spec, field, "distinct")),
        float(effective_value(spec, field, "growth_per_day")),
    )
    most = field.capacity if field.values is not None or kind == "boolean" else None
    days = (horizon_end_s(spec) - start_s(spec)) / DAY_SECONDS
    total = max(1, math.floor(distinct + growth * days))
    return ValueShape(
        id=field.id,
        kind=kind,
        values=values,
        # Each field gets its own random order; without the id, rank 1 of two fields would have the same number.
        seed=(seed * 1_000_003 + crc32(field.id.encode())) & 0xFFFFFFFF,
        total=min(total, most) if most else total,
        distinct=min(distinct, most) if most else distinct,
        growth_per_day=growth,
        lifetime_days=field.lifetime_days,
        is_sequential=effective_value(spec, field, "assigned") == "sequential",
        popularity=effective_value(spec, field, "popularity"),
        has_stated_popularity=field.has_known_skew or isinstance(field.values, Enumeration),
        owner=owner_id(spec, field.id),
        fan_out=effective_value(spec, field, "fan_out"),
        start_s=start_s(spec),
    )


@lru_cache(maxsize=64)
def _midnight_s(day: datetime.date | str) -> float:
    date = day if isinstance(day, datetime.date) else datetime.date.fromisoformat(day)
    return datetime.datetime(date.year, date.month, date.day, tzinfo=datetime.UTC).timestamp()


def start_s(spec: Spec) -> float:
    """Return midnight of the design's start date, in seconds since 1970 (UTC)."""
    return _midnight_s(effective_value(spec, spec, "start"))


def horizon_end_s(spec: Spec) -> float:
    """Return the end of the last month of the horizon, in seconds since 1970 (UTC)."""
    start = datetime.datetime.fromtimestamp(start_s(spec), datetime.UTC).date()
    months = start.month - 1 + int(effective_value(spec, spec, "horizon_months"))
    year, month = start.year + months // 12, months % 12 + 1
    first = datetime.date(year, month, 1)
    return _midnight_s(first) + (start.day - 1) * DAY_SECONDS


__all__ = ["Enumeration", "Pattern", "Random", "Range", "ValueShape", "horizon_end_s", "shape_of", "start_s"]
