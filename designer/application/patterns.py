"""Access patterns: which records are read, by which known fields, in which order and how fast."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document.durations import DAY_SECONDS
from designer.document.texts import N_, Text
from designer.wording.reads import last_days

from .quantities import plural

EVENT_ID = "event_id"
"""Id of records whose own name stands for a category or a place, which come again."""


@dataclass(frozen=True)
class AccessPattern:
    """One question: which records, by which known fields, in which order and how fast."""

    sentence: int
    record: str
    by: tuple[str, ...]
    per_second: float
    newest: int | None = None
    span_days: float | None = None
    within_seconds: float | None = None
    latest_of: str = ""
    """The field of whose values each is shown by its latest record; "" if the read is no such list of states."""

    @property
    def has_order(self) -> bool:
        """True if it needs the records of its fields in the order of time."""
        return self.newest is not None or self.span_days is not None or bool(self.latest_of)

    @property
    def fields(self) -> tuple[str, ...]:
        """The fields that a key must show to serve it."""
        return (*self.by, self.latest_of) if self.latest_of else self.by


def build_pattern(number: int, kind: str, record: str, by: tuple[str, ...], values: Mapping[str, Any]) -> AccessPattern:
    """Return the access pattern of a read's slots."""
    newest = values.get("newest", 1) if kind == "latest" else None
    latest_of = values["things"] if kind == "states" else ""
    span, within = days_of(values.get("span")), values.get("within")
    return AccessPattern(number, record, by, values["rate"], newest, span, within, latest_of)


def pattern_name(pattern: AccessPattern, *, unique: Sequence[str] = ()) -> Text:
    """Return an access pattern in a few words; by each of the unique fields one record is found."""
    record = pattern.record.replace("_", " ")
    params = {
        "record": record, "records": plural(record), "by": " + ".join(pattern.by).replace("_", " "),
        "count": pattern.newest, "span": None if pattern.span_days is None else last_days(pattern.span_days),
    }  # fmt: skip
    if pattern.latest_of:
        return Text(
            N_("Latest {record} of each {thing} of one {by}"), params | {"thing": pattern.latest_of.replace("_", " ")}
        )
    if pattern.newest == 1:
        return Text(N_("Latest {record} of one {by}"), params)
    if pattern.newest is not None:
        return Text(N_("Latest {count} {records} of one {by}"), params)
    if not pattern.by:
        return Text(N_("All {records} of {span}"), params)
    if len(pattern.by) == 1 and pattern.by[0] in unique:
        is_own = pattern.by[0] in (pattern.record, EVENT_ID, "id")
        return Text(N_("One {record} by its id") if is_own else N_("One {record} by its {by}"), params)
    if pattern.span_days is not None:
        return Text(N_("All {records} of one {by} in {span}"), params)
    return Text(N_("All {records} of one {by}"), params)


def days_of(seconds: float | None) -> float | None:
    """Return seconds as days."""
    return None if seconds is None else seconds / DAY_SECONDS
