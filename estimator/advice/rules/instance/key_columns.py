"""The service rejects the primary key.

**What** A row kind has no primary key columns or more than four. Or a column's type does not fit its content. Or an
auto-increment column is the first, not an integer, or one of two. Or the row kinds of a table have different
primary keys.
**Why** A table has one primary key of one to four columns, which you choose at creation and cannot change. The
first column is the partition key. The service increments an auto-increment column within each partition key value,
so the partition key cannot be one.
**Instead** Give all row kinds the same columns. Use Integer for numbers and String or Binary for everything else.
If four columns are too few, join several fields in one column with a delimiter.
**Fine when** Never. The service rejects the table.
**Source** https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
https://github.com/AlibabaCloudDocs/ots (read 2026-11-20)
"""

from collections.abc import Iterator
from typing import Any

from designer.document import Spec
from designer.document.key import KeyColumn
from designer.document.table import RowKind
from designer.document.texts import N_, TextList
from estimator.engines.tablestore import LIMITS
from estimator.kernels.keys.rendering.layout import is_number
from estimator.results import Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import BY_CARD, cards, column

UNDIVIDED = N_("{kind} has a row key but no primary key columns. The service requires 1 to {most}, each with a type.")
TEXT = N_("{column} is an Integer, but its {segments} segments form a string.")
NO_NUMBER = N_("{column} is an Integer, but its content is not a number.")
AUTO_FIRST = N_(
    "{column} is an auto-increment column and the partition key. Only a later column can be auto-increment."
)
AUTO_TYPE = N_("{column} is an auto-increment column of type {type}. Auto-increment requires Integer.")
AUTO_TWICE = N_("{column} is the second auto-increment column of {kind}; a table can have only one.")
DISAGREE = N_(
    "{kind} has the primary key {columns}, but {other} in the same table has {others}. A table has "
    "only one primary key."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield findings per row kind and column; a row kind without a key has another rule."""
    for table in spec.tables:
        first = next((kind for kind in table.row_kinds if kind.key_columns), None)
        for kind in table.row_kinds:
            yield from _count(kind)
            yield from _columns(spec, kind)
            if first is not None and kind.key_columns and _shape(kind) != _shape(first):
                params = {
                    "kind": kind.label,
                    "columns": _columns_text(kind),
                    "other": first.label,
                    "others": _columns_text(first),
                }
                yield Violation(at=kind.id, field="key_columns", params=params, message=DISAGREE)


def _count(kind: RowKind) -> Iterator[Violation]:
    count, most = len(kind.key_columns), LIMITS["key_columns"].value
    params = {"kind": kind.label, "count": count, "most": most}
    if count > most:
        yield Violation(at=kind.id, field="key_columns", params=params, effect=float(count))
    elif not count and kind.key:
        yield Violation(at=kind.id, field="key_columns", params=params, message=UNDIVIDED)


def _columns(spec: Spec, kind: RowKind) -> Iterator[Violation]:
    counting = [other for other in kind.key_columns if other.auto_increment]
    for place, key_column in enumerate(kind.key_columns):
        params: dict[str, Any] = {"column": key_column.label, "kind": kind.label}
        if key_column.auto_increment:
            if place == 0:
                yield Violation(at=key_column.id, field="auto_increment", params=params, message=AUTO_FIRST)
            if key_column.type != "INTEGER":
                yield Violation(
                    at=key_column.id, field="type", params={**params, "type": key_column.type}, message=AUTO_TYPE
                )
            if key_column is not counting[0]:
                yield Violation(at=key_column.id, field="auto_increment", params=params, message=AUTO_TWICE)
        elif key_column.type == "INTEGER" and len(key_column.segments) > 1:
            yield Violation(
                at=key_column.id, field="type", params={**params, "segments": len(key_column.segments)}, message=TEXT
            )
        elif key_column.type == "INTEGER" and key_column.segments and not is_number(spec, key_column.segments[0]):
            yield Violation(at=key_column.id, field="type", params=params, message=NO_NUMBER)


def _shape(kind: RowKind) -> tuple[tuple[str, str, bool], ...]:
    return tuple((key_column.name, key_column.type, key_column.auto_increment) for key_column in kind.key_columns)


def _columns_text(kind: RowKind) -> TextList:
    return TextList(_column(key_column) for key_column in kind.key_columns)


def _column(column: KeyColumn) -> str:
    return f"{column.label} {column.type}"


def _five_columns_design() -> Spec:
    more = (column(name, {"id": f"{name}_part", "kind": "literal", "text": name}) for name in ("a", "b", "c"))
    return cards(*BY_CARD, *more)


def _auto_increment_design(*, first: bool) -> Spec:
    number = column("number", type="INTEGER", auto_increment=True)
    return cards(*((number, BY_CARD[0]) if first else (BY_CARD[0], number)), reads=())


RULE = Rule(
    code="I021",
    severity="error",
    message=N_("{kind} has {count} primary key columns. The service accepts 1 to {most}."),
    check=check,
    bad=_five_columns_design,
    good=lambda: cards(),
    near_miss=lambda: _auto_increment_design(first=False),
    engines=TABLESTORE,
)
