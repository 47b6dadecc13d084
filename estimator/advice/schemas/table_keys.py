"""Keys of the tables that could hold a record, by the field's known rules.

What a question knows comes first, then the order that it asks for, then what tells records apart (A. Chebotko et al.,
"A Big Data Modeling Methodology for Apache Cassandra", IEEE BigData Congress 2015); and keys that several questions
can share, with more to scan for some of them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from designer.application import AccessPattern, Application, Record
from designer.document.durations import RESOLUTION_SECONDS
from designer.document.key import Resolution

TIME = ":time"
"""The place of the record's time in a key; no field has such a name."""
MOST_KEYS = 48
"""Keys that are measured, of all records together; each question's own key always is."""
BUCKETS: tuple[Resolution, ...] = ("hour", "day")
LEAST_IN_BUCKET = 10
"""Reports from which on a row for many of them is worth measuring."""
SALTS = (8, 64)
"""Salts for keys whose writes all go to the end of few prefixes."""


@dataclass(frozen=True)
class TableKey:
    """A row key as the names of its parts; a salt stands before one of them."""

    record: str
    parts: tuple[str, ...]
    salt_modulo: int = 0
    bucket: Resolution | None = None
    """A row holds what one thing reports in this time, a column for each report; None: a row for each record."""
    is_state: bool = False
    """True if a row is the latest record of its parts, which each write overwrites: the table is no history."""

    def with_salt(self, modulo: int) -> "TableKey":
        """Return the key spread by a salt in front of its time."""
        return TableKey(self.record, self.parts, modulo)


def candidate_keys(application: Application, record: Record) -> tuple[TableKey, ...]:
    """Return the keys worth measuring, those that serve one question best first."""
    patterns = [pattern for pattern in application.patterns if pattern.record == record.name]
    keys: dict[tuple[str, ...], None] = {}
    for parts in (*_own_keys(record, patterns), *_shared_keys(record, patterns), record_identity(record)):
        keys.setdefault(parts)
    states = dict.fromkeys(pattern.fields for pattern in patterns if pattern.latest_of)
    # The budget is divided by questions, plus one per record for the key that tells its records apart.
    share = MOST_KEYS * (len(patterns) + 1) // (len(application.patterns) + len(application.records))
    histories = tuple(TableKey(record.name, parts) for parts in keys)[: max(share, len(patterns) + 1)]
    return (*histories, *(TableKey(record.name, parts, is_state=True) for parts in states))


def bucket_key(record: Record) -> TableKey | None:
    """Return the key of rows that hold the reports of an hour or a day; None where too few of them would be in one."""
    for bucket in BUCKETS:
        if record.every_seconds and RESOLUTION_SECONDS[bucket] >= LEAST_IN_BUCKET * record.every_seconds:
            return TableKey(record.name, record_identity(record), bucket=bucket)
    return None


def record_identity(record: Record) -> tuple[str, ...]:
    """Return the parts that tell one record from all others."""
    return (record.thing, TIME) if record.thing else (record.id_field,)


def _own_keys(record: Record, patterns: Sequence[AccessPattern]) -> Iterator[tuple[str, ...]]:
    """Yield the keys of each question: first one of each, then those that begin with the fields of another one."""
    for pattern in patterns:
        yield _finish((*pattern.by, *_order(pattern)), record)
    for pattern in patterns:
        for other in patterns:
            if other.by and set(other.by) < set(pattern.by):
                yield _finish((*other.by, *pattern.by, *_order(pattern)), record)


def _order(pattern: AccessPattern) -> tuple[str, ...]:
    return (TIME,) if pattern.has_order else ()


def _shared_keys(record: Record, patterns: Sequence[AccessPattern]) -> Iterator[tuple[str, ...]]:
    """Yield keys that begin with what one question knows, and that show what the others know as well."""
    for first in patterns:
        for others in (*((pattern,) for pattern in patterns), tuple(patterns)):
            more = tuple(name for other in others for name in other.by if name not in first.by)
            if more:
                times = (TIME,) if any(_order(pattern) for pattern in (first, *others)) else ()
                yield _finish((*first.by, *more, *times), record)
                if first.has_order:
                    yield _finish((*first.by, TIME, *more), record)


def _finish(parts: tuple[str, ...], record: Record) -> tuple[str, ...]:
    """Return the parts, each once, up to where they tell records apart; what is missing for that is added."""
    identity, key_parts = record_identity(record), list[str]()
    for part in dict.fromkeys((*parts, *identity)):
        key_parts.append(part)
        if set(identity) <= set(key_parts):
            break
    return tuple(key_parts)
