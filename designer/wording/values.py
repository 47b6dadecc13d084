"""Values of a document: laws of popularity, profiles, arrivals, sets of values, nodes, choices, numbers with a unit."""

from typing import Any

from designer.document import Model
from designer.document.activity import Backfill, BatchWindow, Bursts, Diurnal, Every, Flat, OfficeHours, Poisson, Week
from designer.document.base import tag
from designer.document.family import Intersection, MaxAge, MaxVersions, Never, Union
from designer.document.field import Enumeration, FanOut, Pattern, Random, Range
from designer.document.instance import Autoscaling, FixedNodes
from designer.document.popularity import HotSet, Latest, Uniform, Weights, Zipf
from designer.document.texts import N_, Text

from .choices import CHOICES, KINDS
from .formatting import exact_number
from .retention import gc_sentence

Law = Uniform | Zipf | HotSet | Latest | Weights
Shape = Flat | Diurnal | OfficeHours | BatchWindow | Week
Arrival = Poisson | Every | Bursts | Backfill
Values = Enumeration | Pattern | Random | Range
MOST_LISTED = 6
"""So many values of an enumeration are named."""
SHUFFLED = N_("{history_days} of history in random order")


def describe_value(value: Any, unit: str = "") -> Text:
    """Return a value of the document in words; `unit` is the unit that its field states."""
    match value:
        case Uniform() | Zipf() | HotSet() | Latest() | Weights():
            return _describe_popularity(value)
        case FanOut():
            return describe_value(value.law)
        case Flat() | Diurnal() | OfficeHours() | BatchWindow() | Week():
            return _describe_profile(value)
        case Poisson() | Every() | Bursts() | Backfill():
            return _describe_arrival(value)
        case Enumeration() | Pattern() | Random() | Range():
            return _describe_values(value)
        case FixedNodes():
            return Text("{count_nodes}", {"count_nodes": value.count})
        case Autoscaling():
            return Text(N_("autoscaled, {min} to {max_nodes}"), {"min": value.min, "max_nodes": value.max})
        case MaxVersions() | MaxAge() | Never() | Union() | Intersection():
            return gc_sentence(value)
        case Model():
            return Text(KINDS.get(tag(type(value)) or "", N_("as specified")))
        case bool():
            return Text(N_("yes")) if value else Text(N_("no"))
        case str():
            return Text(CHOICES.get(value, "{text}"), {"text": value})
        case int() | float():
            return _value_with_unit(value, unit)
        case _:
            return Text("{value}", {"value": value})


def _describe_popularity(law: Law) -> Text:
    """Return the distribution of popularity in words."""
    match law:
        case Uniform():
            return Text(N_("uniform"))
        case Zipf(busiest=()):
            return Text(N_("skewed (Zipf, θ {theta})"), {"theta": law.theta})
        case Zipf():
            params = {"busiest": len(law.busiest), "largest_share": sum(law.busiest), "theta": law.theta}
            return Text(
                N_("the {busiest} busiest receive {largest_share}, the others skewed (Zipf, θ {theta})"), params
            )
        case HotSet():
            shares = {"value_share": law.value_share, "traffic_share": law.traffic_share}
            return Text(N_("{value_share} of the values receive {traffic_share} of the traffic"), shares)
        case Latest():
            return Text(N_("skewed to recent values (Zipf by age, θ {theta})"), {"theta": law.theta})
        case Weights():
            total = sum(law.weights) + law.rest
            return Text(
                N_("by weights, the largest {largest_share}"),
                {"largest_share": max(law.weights) / total if total else 0.0},
            )


def _describe_profile(shape: Shape) -> Text:
    """Return the course of a rate over the hours of a week, in words."""
    match shape:
        case Flat():
            return Text(N_("the same at every hour"))
        case Diurnal():
            wave = {"ratio_factor": shape.peak_to_mean, "peak_hour": shape.peak_hour}
            return Text(N_("daily wave, peak {ratio_factor} the mean at {peak_hour} h UTC"), wave)
        case OfficeHours():
            hours = {"start_hour": shape.start_hour, "end_hour": shape.end_hour}
            return Text(N_("working days, {start_hour} to {end_hour} h UTC"), hours)
        case BatchWindow():
            batch = {"batch_hours": shape.hours, "start_hour": shape.start_hour}
            return Text(N_("{batch_hours} from {start_hour} h UTC"), batch)
        case Week():
            return Text(N_("custom week"))


def _describe_arrival(arrival: Arrival) -> Text:
    """Return the arrival of single events in words."""
    match arrival:
        case Poisson():
            return Text(N_("independent events"))
        case Every():
            return Text(N_("one per {interval_seconds} for each value"), {"interval_seconds": arrival.seconds})
        case Bursts():
            return Text(N_("bursts of {size}"), {"size": arrival.size})
        case Backfill():
            days = {"history_days": arrival.days}
            return Text(N_("{history_days} of history"), days) if arrival.sorted else Text(SHUFFLED, days)


def _describe_values(values: Values) -> Text:
    """Return the values of a field in words."""
    match values:
        case Enumeration():
            texts = tuple(item.value for item in values.items[:MOST_LISTED])
            return Text("{values}", {"values": texts + ("…",) * (len(values.items) > MOST_LISTED)})
        case Pattern():
            return Text("{pattern}", {"pattern": values.text})
        case Random() if values.min == values.max:
            return Text(N_("random, {length} of {alphabet}"), {"length": values.min, "alphabet": values.alphabet})
        case Random():
            return Text(
                N_("random, {min} to {max} of {alphabet}"), values.model_dump(include={"min", "max", "alphabet"})
            )
        case Range():
            edges = {"min": f"{values.min:,}", "max": f"{values.max:,}"}  # values, not figures
            return Text(N_("{min} to {max}"), edges)


_UNITS = {
    "bytes": "bytes", "days": "days", "months": "months", "seconds": "seconds", "hours": "hours", "share": "share",
    "share of rows": "share", "requests per second": "per_second", "events per second": "per_second", "GiB": "gib",
    "values per day": "per_day",
}  # fmt: skip
"""From the units that fields of the document state to suffixes."""
LONGEST_ENTERED = 8
"""A number of more characters was computed, and is shown to four digits."""


def _value_with_unit(value: float, unit: str) -> Text:
    name = f"value_{_UNITS[unit]}" if unit in _UNITS else "value"
    is_computed = len(repr(value)) > LONGEST_ENTERED and value != int(value)
    return Text(f"{{{name}}}", {name: exact_number(float(f"{value:.4g}") if is_computed else value)})
