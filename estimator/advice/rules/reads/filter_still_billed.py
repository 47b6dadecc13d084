"""Rows that a filter discards are read and billed.

**What** A read uses at least twice the capacity units that its returned rows need.
**Why** A filter, or a key column after an unspecified one, reduces the data sent, not the data read. Capacity units
count the bytes scanned before the filter.
**Instead** Put the filter fields in the primary key, before unspecified columns. Alternatively, keep a second table
or an index with them as its key.
**Fine when** The read is rare, so its units cost less than an index that every write must update.
**Source** https://github.com/AlibabaCloudDocs/ots/tree/master/intl.en-US/API%20Reference/Operations (read 2026-11-20)
"""

from collections.abc import Iterator
from decimal import Decimal

from designer.document import Spec
from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines.capacity_units import read_units
from estimator.facts.reading import row_kinds
from estimator.facts.scans import is_merged
from estimator.results import CapacityUnits, Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import cards
from ..shared.examples import read_part

WASTE_FACTOR = 2.0
"""Half of what is read is thrown away: less is what rounding up to whole units makes."""

WASTE_SHARE = 0.10
"""Of the table's read units: from here on the filter is worth a key or an index, below it is a note."""

WITHOUT_MONEY = N_(
    "{read} uses {units_cu} a request for results that need only {wanted_cu}, because filtered rows "
    "are also billed. That wastes {wasted_cu_per_second}, {wasted_share} of the table's read units. "
    "The warning threshold is {limit_share}."
)
UNRATED = N_(
    "{read} uses {units_cu} a request for results that need only {wanted_cu}, because filtered rows "
    "are also billed. Its rate is not specified."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read that discards half of its units or more."""
    used = {units.table: units for units in estimate.capacity_units}
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            stop = rows.segment(plan.open_at or "")
            if stop is not None and is_merged(spec, read, plan, stop):
                continue  # no filter discards them: the newest of each salt are merged, and K008 counts the requests
            if (
                not plan.has_actual_rows
                or plan.rows_returned * WASTE_FACTOR > plan.rows_scanned
                or plan.rows_scanned <= 0
            ):
                continue
            scanned = read_units(plan)
            needed_units = read_units(plan, kept_share=plan.rows_returned / plan.rows_scanned)
            if scanned < needed_units * WASTE_FACTOR:
                continue
            params = {"read": read.label, "units_cu": scanned, "wanted_cu": needed_units, "limit_share": WASTE_SHARE}
            wasted = (scanned - needed_units) * plan.per_second if plan.per_second is not None else None
            share = _share(used.get(rows.table.id), wasted)
            if wasted is None or share is None:
                yield Violation(at=read.id, params=params, severity="note", message=UNRATED, about=(read.id,))
                continue
            cost = _cost(estimate, rows.table, share)
            waste_params = {"wasted_cu_per_second": wasted, "wasted_share": share, "wasted_cost": cost}
            yield Violation(
                at=read.id,
                params=params | waste_params,
                effect=wasted,
                severity="warning" if share >= WASTE_SHARE else "note",
                message="" if cost is not None else WITHOUT_MONEY,
                about=(read.id,),
            )


def _share(units: CapacityUnits | None, wasted: float | None) -> float | None:
    used = float(units.read.used_per_second[-1]) if units is not None else 0.0
    return min(wasted / used, 1.0) if wasted is not None and used > 0 else None


def _cost(estimate: Estimate, table: Table, share: float) -> Money | None:
    """Return that share of the table's read unit cost in the last month; None if a price is missing."""
    bill = estimate.bill
    lines = [
        line for line in bill.lines if line.at == table.id and line.item in ("reserved_read", "metered_read")
    ] if bill else []  # fmt: skip
    if bill is None or not lines or any(line.cost is None for line in lines):
        return None
    total = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
    return bill.money((total * Decimal(repr(share))).quantize(Decimal("0.01")))


def _filter_design(share: float, *, per_second: float = 5) -> Spec:
    range_read = read_part(binds=("card",), time={"days": 1}, rate_per_second=per_second, match_share=share)
    exact = {"id": "one", "name": "one purchase", "binds": [{"field": "card"}], "exact_time": True}
    return cards(reads=(range_read, {**exact, "rate_per_second": 100}))


RULE = Rule(
    code="Q004",
    severity="warning",
    message=N_(
        "{read} uses {units_cu} a request for results that need only {wanted_cu}, because filtered rows "
        "are also billed. That wastes {wasted_cu_per_second}, {wasted_share} of the table's read units "
        "and {wasted_cost} a month. The warning threshold is {limit_share}."
    ),
    check=check,
    bad=lambda: _filter_design(0.02),
    good=lambda: _filter_design(1.0),
    near_miss=lambda: _filter_design(0.02, per_second=0.1),
    engines=TABLESTORE,
    under=("Q001", "K007", "K021", "Q002"),
)
