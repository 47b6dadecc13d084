"""Assumed values that findings can depend on, each with the value that takes its effect away."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from designer.document import Spec, effective_value, owner_id, write_mode
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS
from designer.document.field import NOTHING, Field, Random
from designer.document.guesses import capacity
from designer.document.key import FieldSegment
from designer.document.new_ids import events_per_second, grows_by_each_event, keyed_by, new_ids
from designer.document.popularity import Uniform
from designer.document.table import RowKind, Table
from estimator.estimates.table_inputs import needed_parts

UNBOUNDED = 10**12
"""In place of an assumed number of values: more than any finding depends on."""
MORE = 10
"""In place of an assumed number of values, where the effect on the bill is asked for."""
Changes = tuple[tuple[str, Mapping[str, Any]], ...]


@dataclass(frozen=True)
class OpenGuess:
    """One assumed value: where it is, and the value in its place with which nothing depends on it any more."""

    rule: str
    """Code of the question."""
    at: str
    name: str
    other: Changes
    """What takes its effect away: the id of an element with new values of its fields."""
    billed: Changes
    """The same, with which the bill is compared."""
    tables: tuple[str, ...] = ()
    """Ids of the tables that depend on it."""


def open_guesses(spec: Spec, tables: Collection[str]) -> tuple[OpenGuess, ...]:
    """Return the assumed values that tables depend on, by the ids of these; those that are asked for first in front."""
    guesses: dict[tuple[str, str], OpenGuess] = {}
    for table in (table for table in spec.tables if table.id in tables):
        fields = [part for part in needed_parts(spec, table).values() if isinstance(part, Field)]
        modes = [_mode(spec, kind, write) for kind in table.row_kinds for write in kind.writes]
        for open_guess in (
            *(mode for mode in modes if mode is not None),
            *(g for f in fields for g in _of_field(spec, f)),
        ):
            prior_guess = guesses.get((open_guess.at, open_guess.name), open_guess)
            guesses[open_guess.at, open_guess.name] = replace(prior_guess, tables=(*prior_guess.tables, table.id))
    return tuple(sorted(guesses.values(), key=lambda guess: ORDER.index(guess.rule)))


ORDER = ("G003", "G004", "G001", "G002", "G005")
"""Questions in the order in which they explain a finding: what a write does before how busy somebody is."""


def _mode(spec: Spec, kind: RowKind, write: Write) -> OpenGuess | None:
    if write.mode is not None or write.activity is None:
        return None
    mode = write_mode(spec, write)
    if mode not in ("append_row", "overwrite") or (mode == "append_row" and _is_said(spec, kind)):
        return None
    other = ((write.id, {"mode": "overwrite"}),) if mode == "append_row" else appending(spec, kind, write)
    return OpenGuess("G003", write.id, "mode", other, other)


def _is_said(spec: Spec, kind: RowKind) -> bool:
    """Return True if a part of the key is said to count events up, or to grow by as many: nothing is assumed."""
    return grows_by_each_event(spec, kind) or any(
        spec.find(name).assigned == "sequential" for name in new_ids(spec, kind)
    )


def appending(spec: Spec, kind: RowKind, write: Write) -> Changes:
    """Return what makes each event of a write add a row: the last field of the key has a new value each time."""
    key_fields = [segment.field for segment in kind.segments if isinstance(segment, FieldSegment)]
    rate = events_per_second(spec, spec.find(key_fields[-1])) if key_fields else 0.0
    changes: Changes = ((write.id, {"mode": "append_row"}),)
    return (
        (*changes, (key_fields[-1], {"growth_per_day": rate * DAY_SECONDS, "popularity": Uniform()}))
        if rate
        else changes
    )


def _of_field(spec: Spec, field: Field) -> Iterator[OpenGuess]:
    if effective_value(spec, field, "kind") in ("timestamp", "boolean"):
        return
    if field.assigned is None and effective_value(spec, field, "assigned") == "sequential":
        arbitrary: Changes = ((field.id, {"assigned": "arbitrary"}),)
        yield OpenGuess("G004", field.id, "assigned", arbitrary, arbitrary)
    # A field that is new with each event has neither a busiest value nor a number of values to ask for.
    if any(field.id in new_ids(spec, kind) for kind in keyed_by(spec).get(field.id, ())):
        return
    even: Changes = ((field.id, {"popularity": Uniform()}),)
    if not spec.has_known_skew(field) and effective_value(spec, field, "popularity").kind == "zipf":
        yield OpenGuess("G001", field.id, "popularity", even, even)
    most = capacity(spec, field)
    is_fitted = (field.id, "distinct") in spec.fits.values
    if field.distinct is None and not is_fitted and (most is None or isinstance(field.values, Random)):
        unbounded, more = (
            min(count, most or count) for count in (UNBOUNDED, effective_value(spec, field, "distinct") * MORE)
        )
        other: Changes = ((field.id, {"distinct": unbounded}),)
        yield OpenGuess("G002", field.id, "distinct", other, ((field.id, {"distinct": more}),))
    if field.belongs_to is None and owner_id(spec, field.id) is not None:
        alone: Changes = ((field.id, {"belongs_to": NOTHING, "popularity": Uniform()}),)
        yield OpenGuess("G005", field.id, "belongs_to", alone, alone)


def with_values(spec: Spec, values: Iterable[tuple[str, Mapping[str, Any]]]) -> Spec:
    """Return the design with other values of fields, activities and writes, by the ids of these."""
    by_id: dict[str, dict[str, Any]] = {}
    for at, changes in values:
        by_id.setdefault(at, {}).update(changes)

    def changed(part: Any) -> Any:
        return part.model_copy(update=by_id[part.id]) if part.id in by_id else part

    def table_of(table: Table) -> Table:
        if not any(write.id in by_id for kind in table.row_kinds for write in kind.writes):
            return table
        kinds = (kind.model_copy(update={"writes": tuple(map(changed, kind.writes))}) for kind in table.row_kinds)
        return table.model_copy(update={"row_kinds": tuple(kinds)})

    return spec.model_copy(
        update={
            "fields": tuple(map(changed, spec.fields)),
            "activities": tuple(map(changed, spec.activities)),
            "tables": tuple(map(table_of, spec.tables)),
        }
    )
