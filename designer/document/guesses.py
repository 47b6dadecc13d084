"""Values assumed where a field is not set: constants and reasons are on the field itself, the rest are functions here.

`assumed(spec, element, name)` is the one way in which everything computed reads an optional field.
"""

import datetime
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple, cast

from .access import Read, Write, WriteMode
from .activity import Activity, Every, Flat, Poisson
from .base import Model
from .design import Spec
from .durations import DAY_SECONDS, MONTH_DAYS
from .family import Value
from .field import NOTHING, Enumeration, FanOut, Field, Pattern, Random, Range
from .field import alphabet as alphabet
from .field_names import (
    BUYER_PER_SECOND,
    PERSON_PER_SECOND,
    can_buy,
    is_account,
    is_in_order,
    is_purchase,
    kind_of,
    role_of,
)  # fmt: skip
from .instance import TABLESTORE_CAPACITY_ONLY, Instance
from .key import segment_fields, shows_time
from .known_shares import VALUES_MOST, busiest_share, is_topped, least_values, popularity_with
from .new_ids import (
    counts_own_events,
    events_per_second,
    keyed_by,
    names_each_event,
    new_ids,
    owner_by_key,
    sessions_per_day,
    values_per_day,
)
from .popularity import Popularity, Uniform, Weights, Zipf
from .table import RowKind
from .texts import N_, Text, build_text

SKEW = 0.9
"""Zipf's theta that gives 80/20 over a million values."""
STEEPEST = 0.99
"""The constant of YCSB's workloads (github.com/brianfrankcooper/YCSB, read 2026-11-20)."""
MOST_TO_MEAN = 1_000.0
"""The busiest of many values causes at most so many times as much as their mean (our assumption: of five million
values under Zipf 0.9 it would be 140,000 times as much, and every mean of a read would be of that one value)."""
STEEPER = 10.0
"""The busiest value may be so many times as busy as is assumed."""
_SKEWS = tuple(round(SKEW - step / 100, 2) for step in range(86))
"""So near each other that no figure jumps where a value more makes the guess the next one."""
CROWD = 1_000_000
"""So many customers or accounts are people, whatever a few of them are called."""
MEAN_TO_MOST = 0.1
"""The mean person or device causes a tenth of what the busiest one can."""


class Guess(NamedTuple):
    """An assumed value and why: a message, or a text with what a value is fitted to."""

    value: Any
    why: str | Text


def _kind(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Range):
        return Guess("integer", N_("the values are a range of numbers"))
    if isinstance(field.values, Enumeration | Pattern | Random):
        return Guess("string", N_("the values are texts"))
    kind = kind_of(field.name, distinct=field.distinct)
    return Guess(kind, N_("from the field's name")) if kind else Guess("string", N_("default value"))


def capacity(spec: Spec, field: Field) -> int | None:
    """Return the number of different values that the field can render.

    None means that there is no relevant limit.
    """
    if field.capacity is None and field.values is None and effective_value(spec, field, "kind") == "boolean":
        return 2
    return field.capacity


def owner_of(spec: Spec, field: Field) -> Field | None:
    """Return the field that the values belong to, as set or assumed; None if they belong to nothing."""
    owner = effective_value(spec, field, "belongs_to")
    return None if owner in (None, NOTHING) else cast(Field, spec.find(owner))


def owner_id(spec: Spec, field: str) -> str | None:
    """Return the id of the field that a field's values belong to, as `owner_of`."""
    owner = owner_of(spec, spec.find(field))
    return None if owner is None else owner.id


def _belongs_to(spec: Spec, field: Field) -> Guess:
    """Return the owner by the names of fields and the order of keys."""
    owner = owner_by_key(spec, field)
    return Guess(owner, N_("it follows its owner in the row key") if owner else N_("no owner is specified"))


def _distinct(spec: Spec, field: Field) -> Guess:
    most = capacity(spec, field)
    # A pattern or a list has exactly so many values; random values only have a bound.
    if most is not None and not isinstance(field.values, Random):
        return Guess(most, N_("the number of possible values"))
    role, owner = role_of(field.name), owner_of(spec, field)
    is_number = role.subject == "counter" and field.unique_within is not None and field.growth_per_day is None
    if (is_number or counts_own_events(field)) and (numbers := _numbers_within(spec, field)):
        return Guess(min(numbers, most or numbers), N_("one number per event of the parent, in the mean"))
    count, why = role.distinct, N_("from the field's name") if role.subject not in ("", "id") else N_("default value")
    # Ids of events come with them, however many owners there are.
    if owner is not None and owner.distinct is not None and not values_per_day(spec, field):
        # As many as usual owners have, at least one.
        count = math.ceil(owner.distinct * max(role.distinct / role_of(owner.name).distinct, 1.0))
        why = N_("a typical number per value of the owner")
    most_per_second = _most_per_second(spec, field)
    if most_per_second is not None:
        needed = events_per_second(spec, field) / (most_per_second * MEAN_TO_MOST)
        if needed > count:
            count, why = math.ceil(needed), N_("limited by the events that one person or device causes")
    # The busiest value has at least the mean's share: a smaller share is only possible with more values.
    if field.busiest_share is not None and count * field.busiest_share < 1:
        return Guess(min(math.ceil(1 / field.busiest_share), most or VALUES_MOST), _reason_of_share(field))
    law = field.popularity
    if isinstance(law, Zipf) and law.busiest and not is_topped(law, count):
        return Guess(min(least_values(law), most or VALUES_MOST), N_("so many that none is busier than those stated"))
    return Guess(min(count, most or count), why)


def _most_per_second(spec: Spec, field: Field) -> float | None:
    """Return the events that the busiest value causes at most; None where nothing bounds them. [1/s]"""
    if _is_of_buyers(spec, field):
        return BUYER_PER_SECOND
    return PERSON_PER_SECOND if _is_of_one_person(spec, field) else role_of(field.name).most_per_second


def _is_of_buyers(spec: Spec, field: Field) -> bool:
    """Return True for persons, customers and accounts with purchases below them in keys, and nobody and no device."""
    if not can_buy(field.name):
        return False
    names = _keyed_with(spec, field)
    return any(map(is_purchase, names)) and not any(
        role_of(name).subject in ("person", "device", "session") for name in names
    )


def _keyed_with(spec: Spec, field: Field) -> set[str]:
    """Return the names of the other fields of the keys that a field is in."""
    kinds = keyed_by(spec).get(field.id, ())
    ids = {id_ for kind in kinds for segment in kind.segments for id_ in segment_fields(segment)}
    return {spec.find(id_).name for id_ in ids - {field.id}}


def _is_of_one_person(spec: Spec, field: Field) -> bool:
    """Return True for accounts with nobody and no device below them in a key: each is a person's."""
    if not is_account(field.name):
        return False
    return all(role_of(name).rank <= role_of(field.name).rank for name in _keyed_with(spec, field))


def _numbers_within(spec: Spec, field: Field) -> int:
    """Return the numbers that a counter within a parent reaches by the end of the horizon, in the mean of parents."""
    parent: Field = spec.find(field.unique_within or "")
    days = float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
    parents = float(effective_value(spec, parent, "distinct") + effective_value(spec, parent, "growth_per_day") * days)
    return math.ceil(events_per_second(spec, field) * DAY_SECONDS * days / max(parents, 1))


def _reason_of_share(field: Field) -> Text:
    return build_text(FITTED_TO_SHARE, one_share=field.busiest_share)


FITTED_TO_SHARE = N_("fitted to the busiest value’s share of {one_share}")


def _values(spec: Spec, field: Field) -> Guess:
    kind, digits = effective_value(spec, field, "kind"), len(str(_last_number(spec, field)))
    stem = re.sub(r"_?id$|[{}]", "", field.name.lower())[:100] or "v"  # braces would be counters
    if kind == "integer":
        return Guess(Range(min=1, max=effective_value(spec, field, "distinct")), N_("numbered from 1"))
    if kind == "domain":
        return Guess(Pattern(text=f"app{{n:0{digits}}}.example.com"), N_("domains with a counter"))
    if kind == "bytes":
        return Guess(Random(min=16, max=16), N_("16 random bytes"))
    if kind == "boolean":
        return Guess(None, N_("true and false"))
    return Guess(Pattern(text=f"{stem}{{n:0{digits}}}"), N_("the field's name and a counter"))


def _last_number(spec: Spec, field: Field) -> int:
    """Return the number of values that there are by the end of the horizon."""
    days = float(effective_value(spec, spec, "horizon_months")) * MONTH_DAYS
    return int(effective_value(spec, field, "distinct") + effective_value(spec, field, "growth_per_day") * days)


def _growth_per_day(spec: Spec, field: Field) -> Guess:
    if sessions := sessions_per_day(spec, field):
        return Guess(sessions, N_("a session has about 20 events"))
    per_day = values_per_day(spec, field)
    return Guess(per_day, N_("one new value per event")) if per_day else Guess(0, N_("no growth is specified"))


def _assignment_guess(spec: Spec, field: Field) -> Guess:
    if isinstance(field.values, Pattern) or effective_value(spec, field, "kind") == "integer":
        return Guess("sequential", N_("the values are counted"))
    if is_in_order(field.name) and field.values is None:
        return Guess("sequential", N_("ids of this name begin with the time"))
    if any(_shows_age(spec, kind, field) for kind in keyed_by(spec).get(field.id, ())):
        return Guess(
            "sequential", N_("a read asks for the newest rows, and nothing else in the row key shows their age")
        )
    return Guess("arbitrary", N_("the values have no order of arrival"))


def _shows_age(spec: Spec, kind: RowKind, field: Field) -> bool:
    """Return True if only the order of these ids can say which rows are newest, and a read wants these."""
    if field.values is not None or "uuid" in (field.kind, kind_of(field.name, distinct=None)):
        return False
    if not any(read.newest_rows is not None for read in kind.reads) or field.id not in new_ids(spec, kind):
        return False
    return not any(shows_time(segment) for segment in kind.segments)


def _popularity(spec: Spec, field: Field) -> Guess:
    # Given weights say more than one share.
    weighted = isinstance(field.values, Enumeration) and len({item.weight for item in field.values.items}) > 1
    if field.busiest_share is not None and not weighted:
        count = effective_value(spec, field, "distinct")
        return Guess(popularity_with(field.busiest_share, count), _reason_of_share(field))
    if isinstance(field.values, Enumeration):
        return Guess(Weights(weights=tuple(i.weight for i in field.values.items)), N_("the weights of the values"))
    if any(field.id in new_ids(spec, kind) for kind in keyed_by(spec).get(field.id, ())):
        return Guess(Uniform(), N_("each event has its own value"))
    if sessions_per_day(spec, field):
        return Guess(Uniform(), N_("a session has about 20 events"))
    distinct = effective_value(spec, field, "distinct")
    # A skew of a few values, or of values within owners, is nothing that a usual law tells.
    if distinct >= 1_000 and field.unique_within is None and owner_of(spec, field) is None:
        role, rate = role_of(field.name), events_per_second(spec, field)
        is_crowd = role.subject == "owner" and distinct >= CROWD
        most = PERSON_PER_SECOND if is_crowd else role.most_per_second
        most = BUYER_PER_SECOND if _is_of_buyers(spec, field) else most
        limit = math.inf if most is None or not rate else most / rate
        by_mean = _steepest(MOST_TO_MEAN / distinct, distinct)
        theta = _steepest(min(limit, MOST_TO_MEAN / distinct), distinct)
        if theta == SKEW:
            return Guess(Zipf(theta=SKEW), N_("commonly, 20 % of the values receive about 80 % of the traffic"))
        if theta == by_mean:
            return Guess(Zipf(theta=theta), N_("skewed, the busiest value at most 1,000 times as busy as the mean"))
        if theta is not None:
            return Guess(Zipf(theta=theta), N_("skewed, limited by the events that one person or device causes"))
    return Guess(Uniform(), N_("default value"))


def _steepest(share: float, values: int) -> float | None:
    """Return the steepest of the skews under which the busiest of so many values has no larger share, if any."""
    # The skews descend and so do their shares: with the sign changed they ascend, as bisect needs it.
    place = bisect_left(_SKEWS, -share, key=lambda theta: -busiest_share(theta, values))
    return _SKEWS[place] if place < len(_SKEWS) else None


def steep_popularity(spec: Spec, field: Field) -> Popularity:
    """Return the steepest law to reckon with where one is assumed: the busiest value is ten times as busy."""
    assumed, distinct = effective_value(spec, field, "popularity"), effective_value(spec, field, "distinct")
    share = busiest_share(assumed.theta, distinct) if isinstance(assumed, Zipf) else 1 / max(distinct, 1)
    return popularity_with(min(share * STEEPER, busiest_share(STEEPEST, distinct)), distinct)


def write_mode(spec: Spec, write: Write) -> WriteMode:
    """Return what a write does to its row, as set or assumed."""
    return cast(WriteMode, effective_value(spec, write, "mode"))


def _mode(spec: Spec, write: Write) -> Guess:
    table, kind = next((t, k) for t, k in spec.row_kinds() if any(own.id == write.id for own in k.writes))
    columns = write.columns or kind.columns
    families = [f for f in table.families if not columns or any(column.id in columns for column in f.columns)]
    if families and all(family.kind != "ordinary" for family in families):
        return Guess("add_to_aggregate", N_("its columns are in aggregate families"))
    if write.row_age_days is not None:
        return Guess("overwrite", N_("it updates rows that other writes created"))
    if names_each_event(spec, kind):
        return Guess("append_row", N_("the row key is different for each event"))
    return Guess("overwrite", N_("events with the same row key update one row"))


def _rate(spec: Spec, activity: Activity) -> Guess:
    if isinstance(activity.arrival, Every):
        field = spec.find(activity.arrival.field)
        return Guess(
            effective_value(spec, field, "distinct") / activity.arrival.seconds,
            N_("each value has one event per interval"),
        )
    return Guess(None, N_("no rate is specified"))


def _tablestore_type(spec: Spec, instance: Instance) -> Guess:
    if any(cluster.region in TABLESTORE_CAPACITY_ONLY for cluster in instance.clusters):
        return Guess("capacity", N_("the only type available in this region in November 2020"))
    return Guess("high_performance", N_("the type for low latency"))


_VALUE_BYTES = {
    "random": 32.0, "text": 30.0, "json": 250.0, "protobuf": 120.0, "small_integers": 2.0, "integer": 8.0,
    "float": 8.0, "enumeration": 8.0, "empty": 0.0,
}  # fmt: skip
"""Mean size of a value of each kind where none is given: orders of magnitude, to be corrected."""


def _start(spec: Spec, _: Model) -> Guess:
    """Return the day that the document's reader stated; of a document on its own, a fixed date."""
    if spec.default_start is not None:
        return Guess(spec.default_start, N_("no start date is set, so this day is used"))
    return Guess(datetime.date(2026, 1, 1), N_("a fixed date, so that results are reproducible"))


GUESSES: dict[tuple[type[Model], str], Callable[[Spec, Any], Guess]] = {
    (Field, "kind"): _kind,
    (Field, "values"): _values,
    (Field, "distinct"): _distinct,
    (Field, "assigned"): _assignment_guess,
    (Field, "growth_per_day"): _growth_per_day,
    (Field, "belongs_to"): _belongs_to,
    (Write, "mode"): _mode,
    (Field, "popularity"): _popularity,
    (Field, "fan_out"): lambda spec, field: Guess(FanOut(), N_("even distribution over the owners")),
    (Value, "typical_bytes"): lambda spec, value: Guess(
        _VALUE_BYTES[effective_value(spec, value, "kind")], N_("typical size of this kind of value")
    ),
    (Value, "max_bytes"): lambda spec, value: Guess(
        math.ceil(effective_value(spec, value, "typical_bytes")), N_("the typical size")
    ),
    (Activity, "rate_per_second"): _rate,
    (Activity, "profile"): lambda spec, activity: Guess(Flat(), N_("the same at every hour")),
    (Activity, "arrival"): lambda spec, activity: Guess(Poisson(), N_("events are independent")),
    (Read, "profile"): lambda spec, read: Guess(Flat(), N_("the same at every hour")),
    (Instance, "tablestore_type"): _tablestore_type,
    (Spec, "start"): _start,
}
"""Guesses that depend on the rest of the document, by model and field."""

DEFAULT = N_("typical value")


def effective_value(spec: Spec, part: Model, name: str) -> Any:
    """Return the value of an optional field: the set value, else the assumed value, else None."""
    value = getattr(part, name)
    return value if value is not None else guess(spec, part, name).value


def guess(spec: Spec, part: Model, name: str) -> Guess:
    """Return the assumed value of a field while it is not set, and the reason for it.

    The value None means "unknown". It is computed once per document.
    """
    function = GUESSES.get((type(part), name))
    if function is None:
        return constant(type(part), name)
    key = ("guess", id(part), name)
    entry = spec.result_cache.get(key)
    # The key holds the part's id() alone, which Python gives to another object after this one is freed.
    if entry is None or entry[0] is not part:  # the part is kept too, so that no other can get its id
        entry = spec.result_cache[key] = (part, _value_from_fits(spec, part, name) or function(spec, part))
    return cast(Guess, entry[1])


def _value_from_fits(spec: Spec, part: Model, name: str) -> Guess | None:
    """Return the value that is fitted to a known size; None if none is."""
    if not spec.fits.values:
        return None
    at = _column_of(spec, part) if isinstance(part, Value) else getattr(part, "id", "")
    fit = spec.fits.values.get((at, name))
    return None if fit is None else Guess(fit.value, fit.why)


def _column_of(spec: Spec, value: Value) -> str:
    """Return the id of the column that has these values."""
    columns = (column for table in spec.tables for family in table.families for column in family.columns)
    return next((column.id for column in columns if column.value is value), "")


@cache
def constant(model: type[Model], name: str) -> Guess:
    """Return the constant that a field describes itself with while it is not set."""
    extra = model.model_fields[name].json_schema_extra
    properties: Mapping[str, Any] = extra if isinstance(extra, dict) else {}
    return Guess(properties.get("guess"), properties.get("why", DEFAULT))
