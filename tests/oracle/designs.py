"""Small designs that cross what a spec can say, each determined by its seed.

Left out is what has no one meaning: a lifetime without new values (who replaces those that go?), a rate beside "every n
seconds", new values of a field that is unique within another, numbers that come evenly for events that do not, and as
many new values as events (are they those that the events write, or are they drawn as the popularity says?).
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data

START = "2026-04-01"
"""A Wednesday, of a month that is nearly as long as the mean one."""

LIMIT = 3
"""Rows that a read with a row limit returns at most."""

COUNTED = ("counter within", "new per event", "counter")
"""Relations by which a row is not busy for longer than an event or a bucket of numbers."""

BURST_MOST = 5
"""Events of a burst, at most."""

FEATURES: dict[str, tuple[str, ...]] = {
    "popularity": ("uniform", "zipf 0.5", "zipf 0.99", "zipf 1.4", "hot set", "weights", "latest"),
    "births": ("none", "none", "births"),
    "lifetime": ("none", "lifetime"),
    "relation": (
        "none", "none", "owner, child stated", "owner, owner stated", "owner, both stated", "owner, none stated",
        "owner alone", "unique within", "counter within", "new per event", "counter",
    ),
    "fan-out": ("even", "zipf"),
    "time": ("none", "hour", "day", "moment", "newest first"),
    "number": ("whole", "bucket"),
    "lead": ("none", "none", "hash", "salt", "random salt"),
    "shape": ("flat", "flat", "diurnal", "batch", "week", "named day"),
    "growth": ("none", "none", "growth"),
    "arrival": ("poisson", "poisson", "every", "bursts"),
    "collection": ("none", "age", "versions", "union", "intersection"),
    "mode": ("append_row", "overwrite", "new_cell", "new_column"),
    "qualifier": ("fixed", "field"),
    "history": ("none", "none", "history"),
    "asked": ("as written", "uniform", "zipf"),
    "form": ("usual", "usual", "short", "odd"),
}  # fmt: skip
"""What is crossed; what is written twice is drawn twice as often."""


@dataclass(frozen=True)
class Design:
    """A spec with the names of what it crosses."""

    seed: int
    features: dict[str, str]
    spec: Spec
    data: dict[str, Any] = field(repr=False)


def design(seed: int, *, events: tuple[int, int] = (120, 600), **chosen: str) -> Design:
    """Make a design; `events` bounds what it writes in its horizon of a month. Some features may be chosen."""
    rng = np.random.default_rng([seed, 13])
    features = {name: str(rng.choice(choices)) for name, choices in FEATURES.items() if name != "form"}
    features["form"] = str(np.random.default_rng([seed, 29]).choice(FEATURES["form"]))  # leaves all else as it is
    if features["popularity"] == "zipf 0.99" and np.random.default_rng([seed, 31]).random() < 0.5:
        features["popularity"] = "celebrity"  # leaves all else as it is, too
    features |= chosen
    _settle(features)
    data = _data(rng, features, int(np.exp(rng.uniform(*np.log(events)))))
    return Design(seed, features, from_data(data), data)


def growing_celebrity(seed: int) -> Design | None:
    """Return a design in which values come beside a few that stand above the skew of the others."""
    made = design(seed, popularity="celebrity", births="births", lifetime="none")
    return made if made.features["popularity"] == "celebrity" else None


def _settle(features: dict[str, str]) -> None:
    """Take back what means nothing beside the rest."""
    relation = features["relation"]
    if features["births"] == "none":
        features["lifetime"] = "none"
    if relation not in ("counter within", "counter"):
        features["number"] = "whole"
    if not relation.startswith("owner"):
        features["fan-out"] = "even"
    if relation != "unique within":
        features["qualifier"] = "fixed"
    if relation in ("counter", "new per event"):
        features["growth"] = "none"
    if relation == "counter":
        features |= {"arrival": "poisson", "shape": "flat"}
    if relation != "none" or features["popularity"] == "latest":
        features["asked"] = "as written"
    if features["arrival"] == "every":
        features["popularity"] = "uniform"
        if relation == "owner alone" or features["growth"] != "none" or features["shape"] in ("week", "named day"):
            features["arrival"] = "poisson"
    if features["mode"] == "new_column" and features["collection"] == "versions":
        features["collection"] = "age"
    if features["time"] == "day" and features["form"] == "odd" and features["shape"] in ("week", "named day", "batch"):
        features["form"] = "usual"  # where in the week three days lie is followed in the mean only (decision 38)


def _data(rng: np.random.Generator, features: dict[str, str], events: int) -> dict[str, Any]:
    count = int(np.exp(rng.uniform(np.log(8), np.log(250))))
    months = 2 if features["history"] == "history" else 1
    seconds = months * MONTH_DAYS * 86_400
    per_day = events / months / MONTH_DAYS
    entity = _entity(rng, features, count, per_day)
    fields, names = _fields(rng, features, entity, per_day)
    activity: dict[str, Any] = {"id": "act", "name": "act", "profile": _profile(rng, features["shape"])}
    if features["arrival"] == "every":
        activity["arrival"] = {
            "kind": "every",
            "field": "user",
            "seconds": count * seconds / events,
        }
    else:
        activity["rate_per_second"] = events / seconds
    if features["arrival"] == "bursts":
        activity["arrival"] = {"kind": "bursts", "size": int(rng.integers(2, BURST_MOST + 1))}
    if features["shape"] == "named day":
        activity["peak_days"] = [{"name": "sale", "date": f"2026-04-{rng.integers(5, 30):02}", "factor": 20}]
    if features["growth"] == "growth":
        activity["growth_per_month"] = float(rng.choice([-0.5, 0.5, 2.0]))
    table: dict[str, Any] = {
        "id": "t", "name": "t", "history_months": months - 1,
        "row_kinds": [{"id": "rows", "name": "rows", "key": _key(rng, features, names),
                       "writes": [{"id": "write", "activity": "act", "mode": features["mode"]}],
                       "reads": [*reads_of(rng, features, names), *_reads_of_columns(features, fields, names)]}],
        "families": [{"id": "f", "name": "f", "gc": _rule(rng, features["collection"]),
                      "columns": [_column(rng, features)]}],
    }  # fmt: skip
    return {
        "format": 1, "name": f"crossed {features}", "start": START, "horizon_months": 1,
        "fields": fields, "activities": [activity], "tables": [table],
    }  # fmt: skip


def _popularity(rng: np.random.Generator, name: str) -> dict[str, Any]:
    if name.startswith("zipf "):
        return {"kind": "zipf", "theta": float(name[5:])}
    return {
        "uniform": {"kind": "uniform"},
        "celebrity": {"kind": "zipf", "theta": 0.99, "busiest": [0.3, 0.25]},
        "hot set": {"kind": "hot_set", "value_share": 0.1, "traffic_share": 0.8},
        "weights": {"kind": "weights", "weights": [3, 1, 1], "rest": float(rng.choice([2, 5, 20]))},
        "latest": {"kind": "latest", "theta": 0.99},
    }[name]


def _entity(rng: np.random.Generator, features: dict[str, str], count: int, events_per_day: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "id": "user", "name": "user", "kind": "string", "values": {"kind": "pattern", "text": "u{n:06}"},
        "distinct": count, "popularity": _popularity(rng, features["popularity"]),
        "assigned": "sequential" if features["popularity"] == "latest" else "arbitrary",
    }  # fmt: skip
    if features["births"] == "births":
        found["growth_per_day"] = min(count * float(rng.choice([0.02, 0.1, 0.3])), 0.4 * events_per_day)
    if features["lifetime"] == "lifetime":
        found["lifetime_days"] = count / found["growth_per_day"] * float(rng.choice([0.7, 1.0, 1.3]))
    return found


def _fields(
    rng: np.random.Generator, features: dict[str, str], entity: dict[str, Any], events_per_day: float
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the fields, and those that a key is made from, in its order."""
    relation = features["relation"]
    if relation.startswith("owner"):
        owner = {
            "id": "tenant", "name": "tenant", "kind": "string", "values": {"kind": "pattern", "text": "t{n:06}"},
            "distinct": int(rng.integers(2, 15)), "popularity": {"kind": "zipf", "theta": 0.9},
        }  # fmt: skip
        entity["belongs_to"] = "tenant"
        entity["fan_out"] = {
            "law": {"kind": "uniform"} if features["fan-out"] == "even" else {"kind": "zipf", "theta": 0.8}
        }
        if relation in ("owner, child stated", "owner, none stated"):
            del owner["popularity"]
        if relation in ("owner, owner stated", "owner, none stated"):
            del entity["popularity"]
            entity["assigned"] = "arbitrary"  # a declared sequence without a popularity would be a counter
        return [owner, entity], ["tenant"] if relation == "owner alone" else ["tenant", "user"]
    number = {
        "id": "number", "name": "number", "kind": "integer", "values": {"kind": "range", "min": 0, "max": 10**7},
        "assigned": "sequential", "distinct": 1,
    }  # fmt: skip
    if relation == "unique within":
        line = {
            "id": "line", "name": "line", "kind": "string", "values": {"kind": "pattern", "text": "l{n:03}"},
            "distinct": int(rng.integers(2, 25)), "unique_within": "user",
            "popularity": {"kind": "uniform"} if rng.random() < 0.5 else {"kind": "zipf", "theta": 0.99},
        }  # fmt: skip
        return [entity, line], ["user"] if features["qualifier"] == "field" else ["user", "line"]
    if relation == "counter within":
        return [entity, number | {"unique_within": "user"}], ["user", "number"]
    if relation == "new per event":
        return [entity, number], ["user", "number"]
    if relation == "counter":
        return [entity, number | {"growth_per_day": events_per_day * float(rng.choice([0.5, 0.9, 1]))}], ["number"]
    return [entity], ["user"]


def _key(rng: np.random.Generator, features: dict[str, str], names: list[str]) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    match features["lead"]:
        case "hash":
            parts.append({"id": "lead", "kind": "hash", "fields": names[:1], "digits": 4, "after": "#"})
        case "salt":
            parts.append({"id": "lead", "kind": "salt", "fields": names[:1], "modulo": 8, "after": "#"})
        case "random salt":
            parts.append({"id": "lead", "kind": "salt", "modulo": 4, "after": "#"})
    for name in names:
        part: dict[str, Any] = {"id": f"k-{name}", "kind": "field", "field": name, "after": "#"}
        if name == "number" and features["number"] == "bucket":
            part |= {"kind": "derived", "how": {"kind": "bucket", "size": int(rng.choice([5, 20]))}}
        if name == "number":
            part["transforms"] = _NUMBERS[features["form"]]
        parts.append(part)
    time: dict[str, Any] | None = {
        "none": None,
        "hour": _HOURS[features["form"]],
        "day": _DAYS[features["form"]],
        "moment": {"resolution": "millisecond"},
        "newest first": {"resolution": "millisecond", "reversed": True},
    }[features["time"]]
    return parts + ([{"id": "k-time", "kind": "time"} | time] if time else [])


_NUMBERS: dict[str, list[dict[str, Any]]] = {
    "usual": [{"kind": "pad", "width": 8}],
    "short": [{"kind": "descending", "top": 99_999_999}, {"kind": "pad", "width": 8}],
    "odd": [{"kind": "hex", "width": 8}],
}
_HOURS: dict[str, dict[str, Any]] = {
    "usual": {"resolution": "hour", "pattern": "%Y%m%d%H"},
    "short": {"bucket_seconds": 300, "pattern": "%Y%m%d%H%M"},
    "odd": {"bucket_seconds": 5_400, "unit": "bucket"},
}
_DAYS: dict[str, dict[str, Any]] = {
    "usual": {"resolution": "day", "pattern": "%Y%m%d"},
    "short": {"resolution": "day", "unit": "d"},
    "odd": {"bucket_seconds": 259_200, "unit": "s"},
}
"""Forms of a number, and buckets of some hours and days; the designs begin with one of three days (decision 38)."""


def _column(rng: np.random.Generator, features: dict[str, str]) -> dict[str, Any]:
    column = {"id": "c", "qualifier": "q", "value": {"typical_bytes": int(rng.choice([10, 100, 1_000]))}}
    if features["qualifier"] == "field":
        del column["qualifier"]
        column["qualifier_from"] = [{"id": "q-line", "kind": "field", "field": "line"}]
    return column


def _rule(rng: np.random.Generator, name: str) -> dict[str, Any] | None:
    age = {"kind": "max_age", "age_days": float(rng.choice([1, 5, 12]))}
    versions = {"kind": "max_versions", "versions": int(rng.choice([1, 3]))}
    return {
        "none": None, "age": age, "versions": versions,
        "union": {"kind": "union", "rules": [age, versions]},
        "intersection": {"kind": "intersection", "rules": [age, versions]},
    }[name]  # fmt: skip


def _profile(rng: np.random.Generator, name: str) -> dict[str, Any]:
    return {
        "diurnal": {"kind": "diurnal", "peak_to_mean": 1.9, "peak_hour": 20},
        "batch": {"kind": "batch", "start_hour": 2, "hours": 2},
        "week": {"kind": "week", "hours": [8.0 if hour < 12 else 0.5 for hour in range(168)]},
    }.get(name, {"kind": "flat"})


def reads_of(rng: np.random.Generator, features: dict[str, str], names: list[str]) -> list[dict[str, Any]]:
    """A read of a whole key, of what a first field has, of a span of its time, of its newest and its first rows."""

    def bind(name: str) -> dict[str, Any]:
        law = {"uniform": {"kind": "uniform"}, "zipf": {"kind": "zipf", "theta": 0.99}}.get(features["asked"])
        return {"field": name} | ({"popularity": law} if law else {})

    timed = features["time"] != "none"
    first = [] if names == ["number"] else [bind(names[0])]
    found: list[dict[str, Any]] = [{"id": "point", "binds": [bind(name) for name in names], "exact_time": timed}]
    if first and (timed or len(names) > 1):
        found.append({"id": "prefix", "binds": first})
        found.append({"id": "newest", "binds": first, "newest_rows": int(rng.integers(1, 6))})
    if first and timed:
        span = {"days": float(rng.choice([0.25, 1, 3])), "age_days": float(rng.choice([0, 0, 2]))}
        found.append({"id": "span", "binds": [bind(name) for name in names if name != "number"], "time": span})
    if names == ["user"] and features["births"] == "none" and features["popularity"] == "uniform":
        found.append({"id": "range", "binds": [{"field": "user", "from_value": "u000002", "to_value": "u000005"}]})
    if first and (timed or len(names) > 1) and features["popularity"] != "uniform":
        found.append({"id": "limit", "binds": first, "row_limit": LIMIT, "reverse": features["asked"] == "uniform"})
    return [{"rate_per_second": 1} | read for read in found]


def _reads_of_columns(features: dict[str, str], fields: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    """A read of a range of columns of one row, where all are written as often."""
    line = next((each for each in fields if each["id"] == "line"), None)
    if features["qualifier"] != "field" or features["births"] != "none" or line is None:
        return []
    if line["popularity"]["kind"] != "uniform":
        return []
    some = {"field": "line", "from_value": "l001", "to_value": "l004"}
    return [{"id": "columns", "rate_per_second": 1, "binds": [*({"field": name} for name in names), some]}]
