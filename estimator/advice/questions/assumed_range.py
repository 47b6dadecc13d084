"""Bill and load of a design with other values in place of assumed ones: from the least to the greatest."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from designer.document import Spec, effective_value, fingerprint
from designer.document.field import Field
from designer.document.fits import Fits, FittedValue
from designer.document.guesses import steep_popularity
from designer.document.texts import Text
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate, instance_estimate, table_part
from estimator.estimates.fits import with_fits
from estimator.estimates.skew import EVEN
from estimator.estimates.what_if import SWING
from estimator.kernels.growth.cells import columns_of, value_bytes
from estimator.results import AssumedRange, Estimate
from estimator.results.grain import SHARED

from .open_guesses import MORE, Changes, OpenGuess, open_guesses, with_values
from .scenarios import few_pairs

ASSUMED_RANGES = "assumed ranges"
TABLES_AGAIN = 8
"""In larger designs the values of the tables with the most load alone differ, and only the bill is told."""
LEAST_SHARE = Decimal("0.01")
"""An assumed value that moves the bill by less than this share of it does not matter."""
LEAST_POINTS = 0.01
"""Nor one that moves the load of the busiest node by less than this share of a node."""


def assumed_range(spec: Spec, estimate: Estimate, context: Context) -> AssumedRange | None:
    """Return the range of the last month's bill and of the busiest node, cached; None if nothing moves them.

    It is what the estimate already has where that is not of exactly this document.
    """
    spec = with_fits(spec, context.cache)
    if estimate.assumed_range is not None or estimate.bill is None or estimate.sha256 != fingerprint(spec):
        return estimate.assumed_range
    book = context.price_books.find(spec)
    key = (
        estimate.sha256,
        spec.default_start,
        book and (book.name, book.date),
        len(context.measurements),
        estimate.bill.total,
    )
    result: AssumedRange | None = context.get_or_compute(ASSUMED_RANGES, key, spec, _range_of)
    return result


def _range_of(context: Context, spec: Spec) -> AssumedRange | None:
    return _compute(with_fits(spec, context.cache), estimate(spec, context), context)


def _compute(spec: Spec, estimate: Estimate, context: Context) -> AssumedRange | None:
    again, peak = _Again(spec, estimate, context), peak_share(spec, estimate)
    others = tuple(again.designs())
    if not others or estimate.bill is None:
        return None
    total, share = again.figures(spec)  # by the same ranges as the others
    figures = [again.figures(other) for other in others]
    bills = [bill - total for bill, _ in figures if bill is not None and total is not None]
    is_served = all(bill is not None for bill, _ in figures)
    low = high = least = most = None
    if not is_served or any(abs(bill) >= estimate.bill.total * LEAST_SHARE for bill in bills):
        # Differences of coarse bills are added to the exact one: what coarse figures are off by cancels.
        low = min(estimate.bill.low, estimate.bill.total + min(bills, default=Decimal(0)))
        high = max(estimate.bill.high, estimate.bill.total + max(bills, default=Decimal(0)))
    loads = [load / share for _, load in figures if load is not None and share]
    if peak is not None and any(abs(load - 1) * peak >= LEAST_POINTS for load in loads):
        least, most = peak * min(1.0, *loads), peak * max(1.0, *loads)
    if low is None and least is None:
        return None
    return AssumedRange(low, high, least, most, is_served)


def peak_share(spec: Spec, estimate: Estimate) -> float | None:
    """Return the load of the busiest node, or of the busiest partition of an engine without nodes; None if unknown."""
    if engine_of(spec).HAS_NODES:
        return max((placement.peak_utilisation for placement in estimate.placements), default=None)
    shares = [part.traffic.indivisible_node_share for part in estimate.tables.values() if part.traffic]
    return max(shares, default=None)


@dataclass(frozen=True)
class _Again:
    """A design that is estimated with other values in place of assumed ones."""

    spec: Spec
    made: Estimate
    context: Context

    def designs(self) -> Iterator[Spec]:
        """Yield the designs in which one kind of assumed value differs."""
        guesses = open_guesses(self.spec, self._tables)
        for changes in _changes(self.spec, guesses):
            yield with_values(self.spec, changes)
        if (related := few_pairs(self.spec, self.made, self._tables)) is not self.spec:
            yield related
        for factor in SWING:
            if fits := self._sizes(factor):
                yield self.spec.with_fits(Fits({**self.spec.fits.values, **fits}, self.spec.fits.outcomes))

    @property
    def _tables(self) -> Sequence[str]:
        """Ids of the tables with the most load."""
        loads = {name: p.traffic.node_share_by_month[-1] if p.traffic else 0.0 for name, p in self.made.tables.items()}
        return sorted(loads, key=lambda name: -loads[name])[:TABLES_AGAIN]

    def _sizes(self, factor: float) -> dict[tuple[str, str], FittedValue]:
        """Return the assumed sizes of values that nothing known is fitted by, each so many times as large."""
        again = set(self._tables)
        columns = {
            column.id: (family, column)
            for table, kind in self.spec.row_kinds()
            for family, column in columns_of(table, kind)
            if table.id in again and column.value.typical_bytes is None and column.value.kind != "empty"
        }
        return {
            (id_, "typical_bytes"): FittedValue(value_bytes(self.spec, family, column) * factor, Text(""))
            for id_, (family, column) in columns.items()
            if (id_, "typical_bytes") not in self.spec.fits.values
        }

    def figures(self, spec: Spec) -> tuple[Decimal | None, float | None]:
        """Return the last month's total and the load of the busiest node; None where nothing can serve the design."""
        again, is_small = set(self._tables), len(spec.tables) <= TABLES_AGAIN
        parts = {
            table.id: table_part(spec, table, self.context, grain=SHARED) if table.id in again
            else self.made.tables[table.id]
            for table in spec.tables
        }  # fmt: skip
        then = instance_estimate(spec, parts, self.context.price_books, placed=is_small)
        return (then.bill.total if then.bill else None), peak_share(spec, then) if is_small else None


def _changes(spec: Spec, guesses: Sequence[OpenGuess]) -> Iterator[Changes]:
    """Yield what may be in place of assumed values: those of one kind together, and kinds of writes one by one."""
    by_rule: dict[str, list[OpenGuess]] = {}
    for guess in guesses:
        by_rule.setdefault(guess.rule, []).append(guess)
    for rule, alike in by_rule.items():
        ids = [guess.at for guess in alike]
        if rule == "G001":
            yield tuple((id_, {"popularity": EVEN}) for id_ in ids)
            # All fields together, since a guess that is wrong for one field is likely to be wrong for others.
            yield tuple((id_, {"popularity": steep_popularity(spec, spec.find(id_))}) for id_ in ids)
        elif rule == "G002":
            yield tuple((id_, {"distinct": _fewer(spec, spec.find(id_))}) for id_ in ids)
            yield tuple(change for guess in alike for change in guess.billed)
        elif rule == "G003":
            yield from (guess.billed for guess in alike)
        else:
            yield tuple(change for guess in alike for change in guess.billed)


def _fewer(spec: Spec, field: Field) -> int:
    return max(math.ceil(float(effective_value(spec, field, "distinct")) / MORE), 1)
