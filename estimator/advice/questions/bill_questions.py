"""Questions about assumed values that decide no finding, and much of the bill: compression and sizes of values."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from designer.document import Spec, fingerprint
from designer.document.family import Column, Family
from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.wording import element_label
from estimator.estimates.context import MANY_ROW_KINDS, Context
from estimator.estimates.estimate import estimate, instance_estimate, table_part
from estimator.estimates.fits import with_fits
from estimator.estimates.what_if import SWING
from estimator.kernels.growth.cells import columns_of, value_bytes
from estimator.kernels.pricing import cost_model_of
from estimator.results import Choice, Estimate
from estimator.results.grain import SHARED

from ..rules.shared.edits import change

BILL_QUESTIONS = "bill questions"
LEAST_SHARE = Decimal("0.1")
"""A value that moves the bill by a smaller part of it is not asked for."""
DIGITS = 3
SIZES = (SWING[0], 1.0, SWING[1], 10.0)
"""Sizes to choose from, in multiples of the assumed one."""
COMPRESSION = N_(
    "How small does {table} get when compressed? {low_rounded_cost} to {high_rounded_cost} a month; assumed "
    "{compressed_share} of its size."
)
SIZE = N_(
    "How large is a value of {column}? {low_rounded_cost} to {high_rounded_cost} a month; assumed {typical_bytes}."
)


@dataclass(frozen=True)
class BillQuestion:
    """One assumed value, what depends on it, and answers."""

    at: str
    field: str
    message: Text
    choices: tuple[Choice, ...]
    low: Decimal
    """The last month's lowest bill with another value, in its currency."""
    high: Decimal
    """The highest."""

    @property
    def swing(self) -> Decimal:
        """Difference between the highest and the lowest bill, in its currency."""
        return self.high - self.low


@dataclass(frozen=True)
class _Assumed:
    """One assumed value: of what, with which values the bill is compared, and the choices."""

    at: str
    field: str
    message: str
    params: Mapping[str, Any]
    others: tuple[Spec, Spec]
    table: Table
    choices: tuple[Choice, ...]


def bill_questions(spec: Spec, estimate: Estimate, context: Context) -> tuple[BillQuestion, ...]:
    """Return what the last month's bill depends on most, cached; nothing for large designs, or without a bill."""
    spec = with_fits(spec, context.cache)
    if estimate.bill is None or estimate.bill.total <= 0 or estimate.sha256 != fingerprint(spec):
        return ()
    if len(tuple(spec.row_kinds())) >= MANY_ROW_KINDS:
        return ()
    key = (estimate.sha256, spec.default_start, estimate.price_book, len(context.measurements), estimate.bill.total)
    questions: tuple[BillQuestion, ...] = context.get_or_compute(
        BILL_QUESTIONS, key, spec, _questions_of, is_brief=True
    )
    return questions


def _questions_of(context: Context, spec: Spec) -> tuple[BillQuestion, ...]:
    return _compute(with_fits(spec, context.cache), estimate(spec, context), context)


def _compute(spec: Spec, estimate: Estimate, context: Context) -> tuple[BillQuestion, ...]:
    compression = _compression(spec, estimate) if _is_compression_billed(spec, estimate, context) else ()
    questions = (_question(assumption, estimate, context) for assumption in (*compression, *_size(spec, estimate)))
    return tuple(
        sorted((question for question in questions if question is not None), key=lambda question: -question.swing)
    )


def _is_compression_billed(spec: Spec, estimate: Estimate, context: Context) -> bool:
    """Return True if compression of all tables together moves the bill enough; that is known without estimates."""
    book = context.price_books.find(spec)
    bands = cost_model_of(spec).bands(spec, estimate.tables, book) if book else ()
    ends = [end for band in bands if band.name == "compression" for end in (band.low, band.high) if end is not None]
    return estimate.bill is not None and bool(ends) and max(ends) - min(ends) >= estimate.bill.total * LEAST_SHARE


def _question(assumption: _Assumed, estimate: Estimate, context: Context) -> BillQuestion | None:
    """Return the question about a value; None where it moves the bill little."""
    bills = [_bill(other, assumption.table.id, estimate, context) for other in assumption.others]
    if estimate.bill is None or any(bill is None for bill in bills):
        return None
    # Of three sorted totals the first and the last.
    low, high = sorted((estimate.bill.total, *(bill for bill in bills if bill is not None)))[:: len(bills)]
    if high - low < estimate.bill.total * LEAST_SHARE:
        return None
    ends = {"low_rounded_cost": low, "high_rounded_cost": high}
    params = {name: Money(Decimal(f"{end:.{DIGITS}g}"), estimate.currency) for name, end in ends.items()}
    return BillQuestion(
        assumption.at,
        assumption.field,
        Text(assumption.message, {**assumption.params, **params}),
        assumption.choices,
        low,
        high,
    )


def _bill(spec: Spec, table_id: str, estimate: Estimate, context: Context) -> Decimal | None:
    """Return the last month's total if one table is as in another design."""
    part = table_part(spec, spec.find(table_id), context, grain=SHARED)
    then = instance_estimate(spec, {**estimate.tables, table_id: part}, context.price_books, placed=False)
    return then.bill.total if then.bill else None


def _compression(spec: Spec, estimate: Estimate) -> Iterator[_Assumed]:
    """Yield the table whose assumed compression leaves the most bytes open."""
    grown = {table.id: estimate.tables[table.id].growth for table in spec.tables if table.id in estimate.tables}
    open_bytes = {
        id_: float(growth.logical_bytes[-1]) * (growth.compressed_share_high - growth.compressed_share_low)
        for id_, growth in grown.items()
        if growth is not None and growth.compression_origin == "guess"
    }
    if not open_bytes:
        return
    table = spec.find(max(open_bytes, key=lambda id_: open_bytes[id_]))
    growth = grown[table.id]
    assert growth is not None
    shares = [
        float(f"{share:.2g}")
        for share in (growth.compressed_share_low, growth.compressed_share, growth.compressed_share_high)
    ]
    choices = tuple(
        Choice(N_("{compressed_share}"), {"compressed_share": share}, change(table, "compressed_share", share))
        for share in shares[::2]  # who knows no better keeps the one between
    )
    others = tuple(_with_table(spec, table.model_copy(update={"compressed_share": share})) for share in shares[::2])
    params = {"table": element_label(spec, table.id), "compressed_share": shares[1]}
    yield _Assumed(table.id, "compressed_share", COMPRESSION, params, (others[0], others[1]), table, choices)


def _size(spec: Spec, estimate: Estimate) -> Iterator[_Assumed]:
    """Yield the column with the most bytes of an assumed size."""
    candidates: dict[str, tuple[float, Table, Family, Column]] = {}
    for table, kind in spec.row_kinds():
        part = estimate.tables.get(table.id)
        rows = float(part.growth.rows[-1]) if part and part.growth else 0.0
        for family, column in columns_of(table, kind):
            value = column.value
            is_fitted = (column.id, "typical_bytes") in spec.fits.values
            if value.typical_bytes is None and value.kind != "empty" and family.kind == "ordinary" and not is_fitted:
                candidates[column.id] = (rows * value_bytes(spec, family, column), table, family, column)
    if not candidates:
        return
    _, table, family, column = max(candidates.values(), key=lambda entry: entry[0])
    size = value_bytes(spec, family, column)

    def with_size(factor: float) -> Column:
        value = column.value.model_copy(update={"typical_bytes": float(f"{size * factor:.{DIGITS}g}")})
        return column.model_copy(update={"value": value})

    largest = math.inf if column.value.max_bytes is None else column.value.max_bytes
    values = [with_size(factor).value for factor in SIZES if size * factor <= largest]
    choices = tuple(
        Choice(N_("{typical_bytes}"), {"typical_bytes": value.typical_bytes}, change(column, "value", value))
        for value in values
    )
    others = tuple(_with_table(spec, _with_column(table, with_size(factor))) for factor in SWING)
    params = {"column": element_label(spec, column.id), "typical_bytes": size}
    yield _Assumed(column.id, "value", SIZE, params, (others[0], others[1]), table, choices)


def _with_table(spec: Spec, table: Table) -> Spec:
    return spec.model_copy(update={"tables": tuple(table if other.id == table.id else other for other in spec.tables)})


def _with_column(table: Table, column: Column) -> Table:
    families = tuple(
        family.model_copy(
            update={"columns": tuple(column if other.id == column.id else other for other in family.columns)}
        )
        for family in table.families
    )
    return table.model_copy(update={"families": families})
