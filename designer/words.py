"""Parts of a design in words, as messages to be translated: names, key segments, garbage collection, profiles, laws."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

from designer.spec import Element, Model, Spec
from designer.spec.access import Read
from designer.spec.activity import (
    Backfill,
    BatchWindow,
    Bursts,
    Diurnal,
    Every,
    Flat,
    OfficeHours,
    Poisson,
    Week,
)
from designer.spec.base import children, tag
from designer.spec.family import Column, Gc, Intersection, MaxAge, MaxVersions, Never, Union
from designer.spec.field import Enumeration, FanOut, Pattern, Random, Range
from designer.spec.instance import Autoscaling, FixedNodes
from designer.spec.key import (
    AutoIncrement,
    Case,
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    Offset,
    ReverseDigits,
    ReverseDomain,
    SaltSegment,
    Segment,
    TimeSegment,
    Truncate,
    ZeroPad,
)
from designer.spec.keytext import render_columns, render_key
from designer.spec.popularity import HotSet, Latest, Uniform, Weights, Zipf
from designer.spec.table import RowKind, Table
from designer.spec.texts import N_, Text

# --- names ------------------------------------------------------------------------------------------------------


def name_of(spec: Spec, id: str) -> str:  # noqa: A002
    """What a person calls the element: its name, else what it shows, else its id."""
    element = spec.by_id.get(id)
    if element is None:
        return id
    shown = getattr(element, "name", "") or getattr(element, "qualifier", "") or getattr(element, "region", "")
    shown = shown or getattr(element, "rule", "") or (shown_by(spec, element) if hasattr(element, "after") else "")
    if not shown and isinstance(element, Column) and element.qualifier_from and _MADE.fullmatch(id):
        return render_key(spec, element.qualifier_from)
    return shown or id


def what_is(element: Element) -> str:
    """What kind of thing it is, in a word to be translated."""
    return _WHAT.get(type(element).__name__, "")


_WHAT: Mapping[str, str] = {
    "Field": N_("Field"), "Activity": N_("Activity"), "Table": N_("Table"), "RowKind": N_("Row kind"),
    "Family": N_("Column family"), "Column": N_("Column"), "Write": N_("Write"), "Read": N_("Read"),
    "Backup": N_("Backup"), "Cluster": N_("Cluster"), "AppProfile": N_("App profile"), "Ignore": N_("Accepted risk"),
}  # fmt: skip
_MADE = re.compile(r"[0-9a-f]{10}")


def is_named(element: Element, name: str) -> bool:
    """Whether what `name_of` says was given by a person: an id that was made says nothing."""
    return name != element.id or _MADE.fullmatch(name) is None


def shown_by(spec: Spec, segment: Any) -> str:
    """What a key segment is made from: names of fields, or the literal's text."""
    match segment:
        case LiteralSegment():
            return segment.text
        case FieldSegment() | DerivedSegment():
            return name_of(spec, segment.field)
        case TimeSegment():
            return name_of(spec, segment.field) if segment.field else "time"
        case HashSegment() | SaltSegment():
            return ", ".join(name_of(spec, field) for field in segment.fields)
    return ""


def places(spec: Spec) -> Mapping[str, tuple[str, ...]]:
    """Of each element the names from the table (or other outermost element) down to it.

    A table's only row kind is left out on the way to what is in it.
    """
    found: dict[str, tuple[str, ...]] = {}

    def below(part: Model, trail: tuple[str, ...]) -> None:
        for _, _, child in children(part):
            if not isinstance(child, Element):
                below(child, trail)
                continue
            found[child.id] = (*trail, name_of(spec, child.id))
            alone = isinstance(child, RowKind) and isinstance(part, Table) and len(part.row_kinds) == 1
            below(child, trail if alone else found[child.id])

    below(spec, ())
    return found


# --- keys -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chip:
    """One key segment as it is shown: its place, its short text form, what follows it, and what it is."""

    id: str
    place: int
    literal: bool
    form: str
    after: str
    what: tuple[Text, ...]


def key_chips(spec: Spec, segments: tuple[Segment, ...]) -> tuple[Chip, ...]:
    """The segments of a key in order."""
    return tuple(
        Chip(
            segment.id,
            place,
            isinstance(segment, LiteralSegment),
            _form(spec, segment),
            segment.after,
            _what(spec, segment),
        )
        for place, segment in enumerate(segments)
    )


def key_text(spec: Spec, segments: tuple[Segment, ...]) -> str:
    """A key in one line: `{tenant}#{device:pad6}#{time:day}`."""
    return render_key(spec, segments)


def key_of(spec: Spec, kind: RowKind) -> str:
    """A row kind's key in one line, or its primary-key columns: `{tenant} | [day INTEGER] {time:day}`."""
    if kind.key_columns and not kind.key:
        return render_columns(spec, kind.key_columns)
    return render_key(spec, kind.key)


def _form(spec: Spec, segment: Segment) -> str:
    if isinstance(segment, LiteralSegment):
        return segment.text
    if isinstance(segment, AutoIncrement):
        return "auto"
    return render_key(spec, (segment.model_copy(update={"after": ""}),))[1:-1]


def _what(spec: Spec, segment: Segment) -> tuple[Text, ...]:
    field = {"field": shown_by(spec, segment)}
    match segment:
        case LiteralSegment():
            return (Text(N_("the same text in every key")),)
        case FieldSegment():
            return (Text(N_("the value of {field}"), field), *map(_transform, segment.transforms))
        case DerivedSegment():
            first = (
                Text(N_("{field} divided by {size}"), field | {"size": segment.how.size})
                if segment.how.kind == "bucket"
                else Text(N_("part of {field}"), field)
            )
            return (first, *map(_transform, segment.transforms))
        case AutoIncrement():
            return (Text(N_("a number that the service counts up")),)
        case TimeSegment():
            parts = [Text(RESOLUTIONS[segment.resolution])]
            if segment.reversed:
                parts.append(Text(N_("newest first")))
            if segment.raw:
                parts.append(Text(N_("as eight raw bytes")))
            return tuple(parts)
        case HashSegment():
            params = field | {"digits": segment.digits, "algorithm": segment.algorithm}
            return (Text(N_("the first {digits} hex digits of {algorithm} of {field}"), params),)
        case SaltSegment():
            if not segment.fields:
                return (Text(N_("a random number below {modulo}"), {"modulo": segment.modulo}),)
            return (Text(N_("a hash of {field}, modulo {modulo}"), field | {"modulo": segment.modulo}),)


RESOLUTIONS = {
    "microsecond": N_("the time, to the microsecond"),
    "millisecond": N_("the time, to the millisecond"),
    "second": N_("the time, to the second"),
    "minute": N_("the minute"),
    "hour": N_("the hour"),
    "day": N_("the day"),
    "week": N_("the week"),
    "month": N_("the month"),
    "year": N_("the year"),
}


def _transform(transform: Any) -> Text:
    match transform:
        case ZeroPad():
            return Text(N_("zeros in front, to {width} digits"), {"width": transform.width})
        case ReverseDigits():
            return Text(N_("backwards"))
        case ReverseDomain():
            return Text(N_("labels in reverse"))
        case Case():
            return Text(N_("in lower case")) if transform.to == "lower" else Text(N_("in upper case"))
        case Truncate():
            return Text(N_("its first {length_bytes}"), {"length_bytes": transform.length})
        case Offset():
            return Text(N_("plus {by}"), {"by": transform.by})
        case _:
            return Text(N_("as raw big-endian bytes"))


# --- families ---------------------------------------------------------------------------------------------------


def gc_sentence(gc: Gc | None) -> Text:
    """Garbage collection as a sentence."""
    match gc:
        case None:
            return Text(N_("Nothing is said about garbage collection: every cell stays."))
        case MaxVersions():
            return Text(N_("Keeps the newest {versions} of each column's cells."), {"versions": gc.versions})
        case MaxAge():
            return Text(N_("Deletes cells older than {age_days}."), {"age_days": gc.age_days})
        case Union():
            return Text(N_("Deletes a cell as soon as it is {rules}."), {"rules": _joined(gc)})
        case Intersection():
            return Text(N_("Deletes a cell only when it is {rules}."), {"rules": _joined(gc)})
        case _:
            return Text(N_("Keeps every cell, on purpose."))


def kept_sentence(table: Table) -> Text:
    """What a Tablestore table keeps of its attributes, as a sentence."""
    kept = table.tablestore
    versions, ttl = (kept.max_versions if kept else None) or 1, kept.ttl_seconds if kept else None
    if ttl is not None and ttl != -1:
        message = N_("Keeps the newest {versions} of each attribute's versions, until they are {ttl_seconds} old.")
        if versions == 1:
            message = N_("Keeps the newest value of each attribute, until it is {ttl_seconds} old.")
        return Text(message, {"versions": versions, "ttl_seconds": ttl})
    if versions == 1:
        return Text(N_("Keeps the newest value of each attribute, for ever."))
    return Text(N_("Keeps the newest {versions} of each attribute's versions, for ever."), {"versions": versions})


def _joined(gc: Union | Intersection) -> Text:
    joint = N_("{one} or {other}") if isinstance(gc, Union) else N_("{one} and {other}")
    return reduce(lambda one, other: Text(joint, {"one": one, "other": other}), map(_clause, gc.rules))


def _clause(gc: Gc) -> Text:
    match gc:
        case MaxVersions():
            return Text(N_("not among the newest {versions}"), {"versions": gc.versions})
        case MaxAge():
            return Text(N_("older than {age_days}"), {"age_days": gc.age_days})
        case Union() | Intersection():
            return Text("({rules})", {"rules": _joined(gc)})
        case _:
            return Text(N_("never"))


FAMILY_KINDS = {
    "ordinary": N_("ordinary"),
    "sum": N_("sum"),
    "min": N_("minimum"),
    "max": N_("maximum"),
    "hll": N_("distinct count"),
}
VALUE_KINDS = {
    "random": N_("random"),
    "text": N_("text"),
    "json": N_("JSON"),
    "protobuf": N_("protobuf"),
    "small_integers": N_("small integers"),
    "integer": N_("integer"),
    "float": N_("decimal number"),
    "enumeration": N_("enumeration"),
    "empty": N_("empty"),
}
TIMESTAMPS = {"server": N_("server time"), "event": N_("time of the event"), "constant": N_("constant")}


def qualifier_of(spec: Spec, column: Column) -> str:
    """The qualifier, or the pattern that it is made by."""
    return column.qualifier or key_text(spec, column.qualifier_from)


# --- what happens -----------------------------------------------------------------------------------------------

MODES = {
    "append_row": N_("a new row each"),
    "overwrite": N_("overwrites the cell"),
    "new_cell": N_("a new version of the cell"),
    "new_column": N_("a new column"),
    "increment": N_("adds to a number (read, then write)"),
    "add_to_aggregate": N_("adds to an aggregate"),
    "read_modify_write": N_("reads, then writes"),
    "check_and_mutate": N_("checks, then writes"),
    "delete_cell": N_("deletes a cell"),
    "delete_family": N_("deletes a family of the row"),
    "delete_row": N_("deletes the row"),
    "delete_prefix": N_("deletes all rows of a prefix"),
}


def wanted(spec: Spec, read: Read) -> tuple[Text, ...]:
    """What the caller of a read knows and wants."""
    parts: list[Text] = []
    for bind in read.binds:
        field = {"field": name_of(spec, bind.field)}
        if bind.prefix:
            parts.append(Text(N_("the beginning of {field}"), field))
        elif bind.values > 1:
            parts.append(Text(N_("{values} values of {field}"), field | {"values": bind.values}))
        else:
            parts.append(Text("{field}", field))
    if read.exact_time:
        parts.append(Text(N_("the exact time")))
    if read.time:
        message = N_("{days_days}, {age_days} ago") if read.time.age_days else N_("the last {days_days}")
        parts.append(Text(message, {"days_days": read.time.days, "age_days": read.time.age_days}))
    if read.newest_rows:
        parts.append(Text(N_("the newest {rows} rows"), {"rows": read.newest_rows}))
    if read.newest_versions:
        parts.append(Text(N_("the newest {versions} versions"), {"versions": read.newest_versions}))
    if read.value_share is not None and read.value_share < 1:
        parts.append(Text(N_("{value_share} of each value"), {"value_share": read.value_share}))
    if read.keys_per_call and read.keys_per_call > 1:
        parts.append(Text(N_("{keys} keys a call"), {"keys": read.keys_per_call}))
    if read.reverse:
        parts.append(Text(N_("scanned backwards")))
    return tuple(parts) or (Text(N_("everything")),)


def in_words(value: Any, unit: str = "") -> Text:
    """A value of the document in words: a law, a profile, a choice, a number with its unit."""
    match value:
        case Uniform():
            return Text(N_("all alike"))
        case Zipf():
            return Text(N_("skewed (Zipf, θ {theta})"), {"theta": value.theta})
        case HotSet():
            return Text(
                N_("{value_share} of the values take {traffic_share} of the traffic"),
                {"value_share": value.value_share, "traffic_share": value.traffic_share},
            )
        case Latest():
            return Text(N_("the newest most (Zipf by age, θ {theta})"), {"theta": value.theta})
        case Weights():
            top = max(value.weights) / (sum(value.weights) + value.rest) if sum(value.weights) + value.rest else 0.0
            return Text(N_("by weights, the largest {largest_share}"), {"largest_share": top})
        case FanOut():
            return in_words(value.law)
        case Flat():
            return Text(N_("the same at every hour"))
        case Diurnal():
            return Text(
                N_("daily wave, peak {ratio_factor} the mean at {peak_hour} h UTC"),
                {"ratio_factor": value.peak_to_mean, "peak_hour": value.peak_hour},
            )
        case OfficeHours():
            return Text(
                N_("working days {start_hour} to {end_hour} h UTC"),
                {"start_hour": value.start_hour, "end_hour": value.end_hour},
            )
        case BatchWindow():
            return Text(
                N_("{batch_hours} from {start_hour} h UTC"),
                {"batch_hours": value.hours, "start_hour": value.start_hour},
            )
        case Week():
            return Text(N_("a week of its own"))
        case Poisson():
            return Text(N_("independent events"))
        case Every():
            return Text(N_("every {interval_seconds} for each"), {"interval_seconds": value.seconds})
        case Bursts():
            return Text(N_("bursts of {size}"), {"size": value.size})
        case Backfill():
            return Text(N_("{history_days} of history"), {"history_days": value.days})
        case Enumeration():
            return Text(
                "{values}", {"values": tuple(i.value for i in value.items[:6]) + ("…",) * (len(value.items) > 6)}
            )
        case Pattern():
            return Text("{pattern}", {"pattern": value.text})
        case Random() if value.min == value.max:
            return Text(N_("random, {length} of {alphabet}"), {"length": value.min, "alphabet": value.alphabet})
        case Random():
            return Text(
                N_("random, {min} to {max} of {alphabet}"), value.model_dump(include={"min", "max", "alphabet"})
            )
        case Range():
            return Text(N_("{min} to {max}"), {"min": f"{value.min:,}", "max": f"{value.max:,}"})  # values, not figures
        case FixedNodes():
            return Text("{count_nodes}", {"count_nodes": value.count})
        case Autoscaling():
            return Text(N_("autoscaled, {min} to {max_nodes}"), {"min": value.min, "max_nodes": value.max})
        case MaxVersions() | MaxAge() | Never() | Union() | Intersection():
            return gc_sentence(value)
        case Model():
            return Text(KINDS.get(tag(type(value)) or "", N_("as given")))
        case bool():
            return Text(N_("yes")) if value else Text(N_("no"))
        case str():
            return Text(CHOICES.get(value, "{text}"), {"text": value})
        case int() | float():
            return _measured(value, unit)
        case _:
            return Text("{value}", {"value": value})


CHOICES: Mapping[str, str] = {
    **VALUE_KINDS,
    **TIMESTAMPS,
    "string": N_("text"),
    "timestamp": N_("time"),
    "uuid": "UUID",
    "domain": N_("domain"),
    "bytes": N_("bytes"),
    "boolean": N_("yes or no"),
    "float": N_("decimal number"),
    "sequential": N_("in sequence"),
    "arbitrary": N_("in no order"),
    "sensitive": N_("somebody waits"),
    "batch": N_("batch"),
    "enterprise": "Enterprise",
    "enterprise_plus": "Enterprise Plus",
    "ssd": "SSD",
    "hdd": "HDD",
    "bigtable": "Google Cloud Bigtable",
    "tablestore": "Alibaba Cloud Tablestore",
    "single": N_("to one cluster"),
    "multi": N_("to any cluster"),
    "low": N_("low"),
    "medium": N_("medium"),
    "high": N_("high"),
    "standard": N_("standard"),
    "hot": N_("hot"),
    "lower": N_("lower case"),
    "upper": N_("upper case"),
    "microsecond": N_("microsecond"),
    "millisecond": N_("millisecond"),
    "second": N_("second"),
    "minute": N_("minute"),
    "hour": N_("hour"),
    "day": N_("day"),
    "week": N_("week"),
    "month": N_("month"),
    "year": N_("year"),
    "us": N_("microseconds"),
    "ms": N_("milliseconds"),
    "s": N_("seconds"),
    "index_table": N_("an index table"),
    "dual_write": N_("written twice"),
    "materialised_view": N_("a materialised view"),
    "worldwide": N_("the internet, worldwide"),
    "asia": N_("the internet in Asia"),
    "china": N_("the internet in China"),
    "australia": N_("the internet in Australia"),
    "high_performance": N_("high-performance"),
    "capacity": N_("capacity"),
    "owner": N_("owner"),
    "editor": N_("editor"),
    "viewer": N_("viewer"),
    **FAMILY_KINDS,
    **MODES,
}
"""How values of choices are said."""

KINDS: Mapping[str, str] = {
    "uniform": N_("all alike"),
    "zipf": N_("skewed (Zipf)"),
    "hot_set": N_("a hot set"),
    "latest": N_("the newest most"),
    "weights": N_("by weights"),
    "fan_out": N_("so many each"),
    "flat": N_("the same at every hour"),
    "diurnal": N_("daily wave"),
    "office": N_("office hours"),
    "batch": N_("at night, in a batch"),
    "week": N_("a week of its own"),
    "poisson": N_("independent events"),
    "every": N_("at a fixed pace"),
    "bursts": N_("in bursts"),
    "backfill": N_("history, loaded"),
    "max_versions": N_("not among the newest"),
    "max_age": N_("older than"),
    "never": N_("never"),
    "union": N_("any of"),
    "intersection": N_("all of"),
    "enumeration": N_("these values"),
    "pattern": N_("text with a counter"),
    "random": N_("random text"),
    "range": N_("a range of numbers"),
    "fixed": N_("a fixed number"),
    "autoscaling": N_("autoscaled"),
    "bucket": N_("divided by"),
    "part": N_("part of the text"),
    "pad": N_("zeros in front"),
    "reverse_digits": N_("digits backwards"),
    "reverse_domain": N_("domain reversed"),
    "case": N_("case"),
    "truncate": N_("cut off"),
    "offset": N_("plus a constant"),
    "big_endian": N_("raw bytes"),
}
"""How the kinds of a part are called where one of them is chosen."""

_UNITS = {
    "bytes": "bytes", "days": "days", "months": "months", "seconds": "seconds", "hours": "hours", "share": "share",
    "share of rows": "share", "requests per second": "per_second", "events per second": "per_second", "GiB": "gib",
    "values per day": "per_day",
}  # fmt: skip
"""From the units that fields of the document state to suffixes."""


def _measured(value: float, unit: str) -> Text:
    name = f"value_{_UNITS[unit]}" if unit in _UNITS else "value"
    return Text(f"{{{name}}}", {name: value})


# --- guesses ----------------------------------------------------------------------------------------------------


def described(spec: Spec, at: str, name: str) -> tuple[str, str]:
    """Title (a message) and unit of the field `name` on the element `at`, or on a part inside it."""
    holder: Any = spec.by_id[at] if at else spec
    *through, name = re.findall(r"[^.\[\]]+", name)
    for step in through:
        holder = holder[int(step)] if step.isdigit() else getattr(holder, step)
    info = type(holder).model_fields.get(name)
    if info is None:
        return name, ""
    extra = info.json_schema_extra
    return info.title or name, str(extra.get("unit", "")) if isinstance(extra, dict) else ""
