"""A day's shape as bars: what they show of a profile, and the profile that edited bars or numbers mean.

Bars are whole numbers: per cent of the mean where a profile makes them, as they stand where a week has values of its
own that bars can have. A form holds them twice, as bars (`bar.N`) and as numbers (`hour.N`), which are a week's own
whatever they are; once for each hour of a day or of a week.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from designer.document.activity import Flat, Profile, Week
from designer.document.shapes import week_hours

HOURS = 168
_PROFILE: TypeAdapter[Profile] = TypeAdapter(Profile)
Inputs = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class WeekBars:
    """The bars of a week."""

    hours: tuple[float, ...]
    """168, Monday 00:00 UTC first."""
    numbers: tuple[float, ...]
    """The same as numbers: a week's own, else those of the bars."""

    @property
    def has_equal_days(self) -> bool:
        """True if all days have the same hours."""
        return all(self.numbers[hour] == self.numbers[hour % 24] for hour in range(HOURS))

    @property
    def top(self) -> int:
        """Value of a bar that fills the picture, with room above the highest bar."""
        return max(200, 50 * round(max(self.hours) * 1.25 / 50 + 0.5))


def bars(value: Mapping[str, Any] | None) -> WeekBars:
    """Return the bars of a profile in document form; no profile is the same rate in every hour."""
    profile = _PROFILE.validate_python(value) if value is not None else Flat()
    heights = tuple(round(100 * hour) for hour in week_hours(profile))
    if not isinstance(profile, Week):
        return WeekBars(heights, heights)
    whole = all(hour == int(hour) for hour in profile.hours)
    own = tuple(int(hour) if hour == int(hour) else hour for hour in profile.hours)
    return WeekBars(own if whole and 20 <= max(own) <= 2000 else heights, own)


@dataclass(frozen=True)
class Peak:
    """The busiest hour of a week."""

    hour: int
    """From Monday 00:00 UTC."""
    factor: float
    """Times the mean."""


def peak(value: Mapping[str, Any] | None) -> Peak:
    """Return the busiest hour, or the first of several."""
    hours = week_hours(_PROFILE.validate_python(value) if value is not None else Flat())
    hour = max(range(HOURS), key=lambda candidate: hours[candidate])
    return Peak(hour, hours[hour])


def edited_copy(previous: Mapping[str, Any] | None, inputs: Inputs) -> str:
    """Return the copy that was changed: `hour` (the numbers), `bar`, or neither."""
    before = bars(previous)
    copies = {"hour": list(before.numbers), "bar": list(before.hours)}
    if before.numbers != before.hours:  # the page sets the number beside a bar that is drawn, on the bars' own scale
        # The first copy that differs counts, so that the order decides.
        copies = dict(reversed(copies.items()))
    return next((name for name, hours in copies.items() if _read_hours(inputs, name) not in (None, hours)), "")


def read_value(value: dict[str, Any] | None, previous: dict[str, Any] | None, inputs: Inputs) -> dict[str, Any] | None:
    """Return a custom week if bars or numbers were changed, else the chosen profile."""
    if changed := edited_copy(previous, inputs):
        return {"kind": "week", "hours": _read_hours(inputs, changed)}
    if value is not None and value["kind"] == "week":
        return (
            previous
            if previous is not None and previous["kind"] == "week"
            else {"kind": "week", "hours": list(bars(previous).numbers)}
        )
    return value


def _read_hours(inputs: Inputs, name: str) -> list[Any] | None:
    """168 hours from the inputs of a day or of a week; None where they are not all there."""
    for count in (HOURS, 24):
        if f"{name}.{count - 1}" in inputs:
            texts = [inputs.get(f"{name}.{hour}", ("",))[-1].strip() for hour in range(count)]
            return [_parse_number(text) for text in texts] * (HOURS // count)
    return None


def _parse_number(text: str) -> Any:
    """Parse a number with separated thousands (12,000).

    Invalid input remains text, which the document's validation then rejects in its own words.
    """
    try:
        # An emptied hour is one without events.
        value = float(_SET_OFF.sub("", text) or 0)
    except ValueError:
        return text
    if not math.isfinite(value):
        return text
    return int(value) if value == int(value) else value


_SET_OFF = re.compile(r"[,_\s]")


def apply_action(value: dict[str, Any] | None, action: str) -> dict[str, Any] | None:
    """Return the profile after `alike`, in which every day is the mean of all days."""
    if action != "alike":
        return value
    hours = bars(value).hours
    return {"kind": "week", "hours": [round(sum(hours[hour::24]) / 7) for hour in range(24)] * 7}
