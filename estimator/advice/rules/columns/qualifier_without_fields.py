"""A fixed qualifier has braces, as if it were made from fields.

**What** The text of a fixed qualifier names fields in braces.
**Why** A fixed qualifier is one column of that name, with the braces. Each write replaces the same cell, and the sizes
of rows and reads are those of one column.
**Instead** Make the qualifier from fields: each value is then a column of its own.
**Fine when** The braces are part of the column's name.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Insert, rewrite_list
from designer.document.family import Column
from designer.document.keytext import KeyTextError, parse_key
from designer.document.texts import N_
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import change
from ..shared.examples import DEVICE, Part, design, field_part, read_part, time_part

USE = N_("Make the qualifier from {meant}")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per fixed qualifier whose text is one of fields."""
    for table in spec.tables:
        for family in table.families:
            for column in family.columns:
                fix = _fix(spec, column)
                if fix is not None:
                    text = column.qualifier
                    params = {"qualifier": text, "family": family.label, "table": table.label, "meant": text}
                    yield Violation(column.id, params, "qualifier", fix=fix, fix_label=USE)


def _fix(spec: Spec, column: Column) -> Edit | None:
    """Return the edit that makes the qualifier from the fields in its text; None if it names none."""
    if column.qualifier_from or "{" not in column.qualifier:
        return None
    try:
        read = parse_key(spec, column.qualifier, new_fields=True)
    except KeyTextError:
        return None
    if all(segment.kind == "literal" for segment in read.segments):
        return None
    fields = tuple(Insert(parent="", list="fields", element=to_plain_data(field)) for field in read.new_fields)
    edit = rewrite_list(spec, column.id, "qualifier_from", read.segments)
    return Batch(edits=(*fields, change(column, "qualifier", ""), *edit.edits))


def _hours(column: Part) -> Spec:
    """Build a design of a row per device and hour, with a column per minute."""
    minute = {"id": "minute", "name": "minute", "kind": "integer", "distinct": 60, "popularity": {"kind": "uniform"}}
    return design(
        field_part("device", "#"),
        time_part(resolution="hour"),
        fields=(DEVICE, minute),
        per_second=10,
        activity={"arrival": {"kind": "every", "seconds": 100, "field": "device"}},
        write={"mode": "new_column"},
        column={**column, "value": {"kind": "integer"}},
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    )


RULE = Rule(
    code="C014",
    severity="warning",
    message=N_(
        "Family {family} of {table} has one column with the fixed name {qualifier}. Names in braces are fields only in "
        "a qualifier from fields. Did you mean one column for each {meant}?"
    ),
    check=check,
    bad=lambda: _hours({"qualifier": "{minute}"}),
    good=lambda: _hours({"qualifier": "", "qualifier_from": ({"id": "q", "kind": "field", "field": "minute"},)}),
    near_miss=lambda: _hours({"qualifier": "minute"}),
    engines=BIGTABLE,
)
