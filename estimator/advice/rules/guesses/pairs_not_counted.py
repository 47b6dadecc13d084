"""The number of pairs of two fields is not set.

**What** A row key is made of two fields that are not related, and writes update the row of a pair. There are far more
possible pairs than events, so that almost every event adds a row.
**Why** In most applications only some pairs exist: a user is in a few of all channels. Each of them is then written
again and again, and the table has fewer rows by orders of magnitude.
**Instead** Enter how many values of the one field go with a value of the other, or that each event adds a row.
**Fine when** The relation is undecided. In that case, accept the question.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-27)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.unlimited_rows import OpenPair, open_pairs
from estimator.results import Choice, Estimate

from ..shared import Rule, Violation
from ..shared.edits import Edit, all_of, change
from ..shared.examples import Part, design, field_part, read_part
from ..shared.fixes import relate

EACH_ADDS_ROW, EACH_ADDS_COLUMN = N_("Each event adds a row"), N_("Each event adds a column")
IN_COLUMNS = N_(
    "How many values of {field} does one {owner} have? Without an answer, any can meet any, and almost every "
    "event adds a column: {table} reaches {cells_stored} columns in all rows, {cells_each} for each {owner}."
)
NUMBERS = (10, 100, 1_000)
"""Values per owner to choose from."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a question per row kind of pairs that almost every event finds new."""
    for pair in open_pairs(spec, estimate):
        params: dict[str, Any] = {"field": pair.member.label, "owner": pair.owner.label, "table": pair.rows.table.label}
        kind, choices = pair.rows.kind.id, (*_numbers(pair), _appending(pair))
        if pair.column is None:
            params |= {"rows_stored": pair.stored, "rows_each": pair.per_owner}
            yield Violation(kind, params, "key", pair.stored, choices=choices, about=(kind,))
        else:
            params |= {"cells_stored": pair.stored, "cells_each": pair.per_owner}
            about = (kind, pair.column.id)
            yield Violation(
                pair.column.id, params, "qualifier_from", pair.stored, message=IN_COLUMNS, choices=choices, about=about
            )


def _numbers(pair: OpenPair) -> Iterator[Choice]:
    """Yield numbers of values for each owner, with a field of its own for them; none if reads know the member alone."""
    if not pair.has_members_of_owner:
        return
    for number in NUMBERS:
        if number < pair.per_owner:
            yield Choice(N_("{values_each} for each"), {"values_each": number}, relate(pair, number))


def _appending(pair: OpenPair) -> Choice:
    """Return the answer that nothing limits the pairs: each event has a new one."""
    mode, label = ("append_row", EACH_ADDS_ROW) if pair.column is None else ("new_column", EACH_ADDS_COLUMN)
    edits: list[Edit] = [change(write, "mode", mode) for write in pair.rows.kind.creating_writes if write.activity]
    return Choice(label, {}, all_of(edits))


def _inbox(per_second: float, channel: Part) -> Spec:
    """Build a design of the unread messages of each user and channel."""
    user: Part = {"id": "user", "name": "user", "distinct": 40_000, "popularity": {"kind": "uniform"}}
    return design(
        field_part("user", "#"),
        field_part("channel"),
        fields=(user, {"id": "channel", "name": "channel", "popularity": {"kind": "uniform"}, **channel}),
        per_second=per_second,
        write={"mode": "overwrite"},
        reads=(read_part(binds=("user",)),),
    )


_CHANNELS: dict[str, Any] = {"distinct": 8_000}

RULE = Rule(
    code="G009",
    severity="question",
    message=N_(
        "How many values of {field} does one {owner} have? Without an answer, any can meet any, and almost every "
        "event adds a row: {table} reaches {rows_stored} rows, {rows_each} for each {owner}."
    ),
    check=check,
    bad=lambda: _inbox(1, _CHANNELS),
    good=lambda: _inbox(1, {"distinct": 800_000, "belongs_to": "user"}),
    near_miss=lambda: _inbox(0.001, _CHANNELS),
)
