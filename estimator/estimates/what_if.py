"""Effect of other inputs on the bill and on limits: the design estimated again with them.

Not part of an estimate, which is computed at every keystroke: computed where it is shown, and cached.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

import numpy as np

from designer.document import Spec, fingerprint
from designer.document.table import Table
from designer.document.texts import N_
from estimator.kernels.capacity.refusals import demand_refusal
from estimator.kernels.pricing import PriceBook, cost_model_of
from estimator.kernels.pricing.limit_headroom import first_exceeded_limit, outlook
from estimator.kernels.pricing.sensitivities import Input, rank_inputs
from estimator.results import Estimate, Outlook, Sensitivity, TableGrowth, TablePart, TableTraffic
from estimator.results.arrays import Floats
from estimator.results.grain import COARSE, Grain

from .calibration import recalibrate
from .context import Context
from .estimate import estimate, table_estimate
from .fits import with_fits
from .skew import skew
from .variants import faster, growing, grows, longer, with_value_sizes

SWING = 0.5, 2.0
"""How far a guessed input may be off: half to double."""
TEN = 10.0
YEAR_MONTHS = 12
TABLES_RANKED = 3
"""So many of the largest tables are ranked by themselves too."""
TABLES_AGAIN = 8
"""So many of the largest tables are estimated again; bytes and loads of the others change as theirs do."""

LIMITED = Grain(ranges=1)
"""No key ranges: what a bill is made of, and what limits there are, needs no heatmap."""
BILLED = replace(LIMITED, has_single_rows=False)
"""What a bill alone is made of."""
LIMITED_COARSELY, BILLED_COARSELY = (replace(one, ids_max=COARSE.ids_max) for one in (LIMITED, BILLED))
"""The same where keys have to be compiled anew, because values or the horizon are others."""

WHAT_IFS = "what if"


class WhatIf(NamedTuple):
    """Inputs that change the bill, largest first, and the design in a larger world."""

    sensitivities: tuple[Sensitivity, ...] = ()
    outlooks: tuple[Outlook, ...] = ()


def what_if(spec: Spec, estimate: Estimate, context: Context) -> WhatIf:
    """Return what other inputs do to an estimate's last bill and limits.

    It is what the estimate already has where that is not of exactly this document: a visitor's may lack values.
    """
    spec = with_fits(spec, context.cache)
    if not any(part.traffic or part.growth for part in estimate.tables.values()):
        return WhatIf()
    if estimate.bill is None or estimate.sensitivities or estimate.outlooks or estimate.sha256 != fingerprint(spec):
        return WhatIf(estimate.sensitivities, estimate.outlooks)
    book = context.price_books.find(spec)
    if book is None:
        return WhatIf()
    # The total stands for what the document's hash does not cover, such as prices in a book of the same name.
    key = (estimate.sha256, spec.default_start, estimate.price_book, estimate.bill.total, len(context.measurements))
    result: WhatIf = context.get_or_compute(WHAT_IFS, key, spec, _what_if_of)
    return result


def _what_if_of(context: Context, spec: Spec) -> WhatIf:
    book = context.price_books.find(spec)
    assert book is not None
    return _what_if(with_fits(spec, context.cache), estimate(spec, context), context, book)


def with_what_if(spec: Spec, estimate: Estimate, context: Context) -> Estimate:
    """Return the estimate with what other inputs do to it."""
    result = what_if(spec, estimate, context)
    return replace(estimate, sensitivities=result.sensitivities, outlooks=result.outlooks)


def _what_if(spec: Spec, estimate: Estimate, context: Context, book: PriceBook) -> WhatIf:
    if not spec.tables:
        return WhatIf()
    again = _Again(spec, estimate, context, book)
    skewed = skew(spec, estimate, context)
    moves = sorted((*rank_inputs(_inputs(again)), *skewed), key=lambda move: move.low - move.high)
    return WhatIf(tuple(moves), tuple(_outlooks(again)))


def _inputs(again: "_Again") -> Iterator[Input]:
    spec, cost = again.spec, cost_model_of(again.spec)
    slow, fast = (again.with_rate(factor) for factor in SWING)
    yield Input("rate", "", N_("Rate of all traffic: half to double"), {}, slow.total, fast.total)
    small, large = (again.with_value_sizes(factor) for factor in SWING)
    yield Input("size", "", N_("Size of all values: half to double"), {}, small.total, large.total)
    yield from cost.bands(spec, again.made.tables, again.book)
    if grows(spec):
        least, most = (again.growing(factor) for factor in SWING)
        yield Input("growth", "", N_("Growth over the horizon: half to double"), {}, least.total, most.total)
    if len(spec.tables) > 1:
        for table in again.largest[:TABLES_RANKED]:
            # The variants with all rates changed have this table's part already, and the other tables keep theirs:
            # nothing is estimated again.
            low, high = (
                again.with_table_rate(table, variant, factor)
                for variant, factor in zip((slow, fast), SWING, strict=True)
            )
            label = N_("Rate of “{table}”: half to double")
            yield Input("rate", table.id, label, {"table": table.label}, low.total, high.total)


def _outlooks(again: "_Again") -> Iterator[Outlook]:
    """Yield ×10 traffic, a largest entity ten times as large, one more year: the total, and what breaks first.

    Fixed nodes are priced as the count that would then be needed.
    """
    now, cost = again.of(again.spec, again.made.tables), cost_model_of(again.spec)
    ten, year = again.with_rate(TEN, LIMITED), again.year_more()
    limits = tuple(cost.limits(now.spec, now.parts))
    yield outlook(
        "traffic_x10", ten.total_with_enough, first_exceeded_limit(limits, cost.limits(ten.spec, ten.parts), TEN)
    )
    entity = cost.entity_limits(now.spec, now.parts, TEN)
    yield outlook("entity_x10", now.total_with_enough, first_exceeded_limit(limits, entity, TEN))
    yield outlook(
        "year_more", year.total_with_enough, first_exceeded_limit(limits, cost.limits(year.spec, year.parts), 1.0)
    )


@dataclass(frozen=True)
class _Variant:
    """A changed design with the parts of its tables."""

    spec: Spec
    parts: Mapping[str, TablePart]
    book: PriceBook

    @cached_property
    def total(self) -> Decimal | None:
        """The last month's total."""
        return self._total(with_enough=False)

    @cached_property
    def total_with_enough(self) -> Decimal | None:
        """The last month's total with as many nodes as are needed."""
        return self._total(with_enough=True)

    def _total(self, *, with_enough: bool) -> Decimal | None:
        """Return the last month's total; None where the engine cannot serve the design."""
        if demand_refusal(self.spec, self.parts) is not None:
            return None
        return cost_model_of(self.spec).last_total(self.spec, self.parts, self.book, with_enough=with_enough)


@dataclass(frozen=True)
class _Again:
    """A design to be estimated again with other inputs."""

    spec: Spec
    made: Estimate
    context: Context
    book: PriceBook

    @cached_property
    def largest(self) -> tuple[Table, ...]:
        """Tables by node time and bytes together, the largest first."""
        parts = self.made.tables
        loads = {name: float(p.traffic.node_share_by_month[-1]) if p.traffic else 0.0 for name, p in parts.items()}
        stored = {name: float(p.growth.physical_bytes[-1]) if p.growth else 0.0 for name, p in parts.items()}
        load, total_bytes = max(sum(loads.values()), 1e-300), max(sum(stored.values()), 1e-300)
        return tuple(sorted(self.spec.tables, key=lambda t: -(loads[t.id] / load + stored[t.id] / total_bytes)))

    def of(self, spec: Spec, parts: Mapping[str, TablePart]) -> _Variant:
        """Return a changed design with its parts."""
        return _Variant(spec, parts, self.book)

    def with_rate(self, factor: float, grain: Grain = BILLED) -> _Variant:
        """Return the design with all events and reads so many times as often."""
        return self._estimate(faster(self.spec, factor, {table.id for table in self.spec.tables}), grain)

    def with_table_rate(self, table: Table, variant: _Variant, factor: float) -> _Variant:
        """Return the design with those of one table so many times as often, as in the design with all."""
        parts = {**self.made.tables, table.id: variant.parts[table.id]}
        return self.of(faster(self.spec, factor, {table.id}), parts)

    def with_value_sizes(self, factor: float) -> _Variant:
        """Return the design with all values so many times as large."""
        return self._estimate(with_value_sizes(self.spec, factor), BILLED)

    def growing(self, power: float) -> _Variant:
        """Return the design that grows so many times as fast."""
        return self._estimate(growing(self.spec, power), BILLED_COARSELY)

    def year_more(self) -> _Variant:
        """Return the design a year later."""
        return self._estimate(longer(self.spec, YEAR_MONTHS), LIMITED_COARSELY)

    def _estimate(self, spec: Spec, grain: Grain) -> _Variant:
        now, again = self.made.tables, {table.id for table in self.largest[:TABLES_AGAIN]}
        new_parts = {}
        for table in (table for table in spec.tables if table.id in again):
            growth = now[table.id].growth
            measured = growth.measured if growth else None
            new_parts[table.id] = table_estimate(spec, table, measured, grain=grain, cache=self.context.cache)
        # A calibration was measured on the design as it is; computed anew for a variant it would undo the variant's
        # change.
        then = recalibrate(spec, new_parts, self.made.calibrations)
        before = [now[name] for name in then]
        parts = {t.id: then[t.id] if t.id in then else alike(now[t.id], before, [*then.values()]) for t in spec.tables}
        return self.of(spec, parts)


# --- tables that are too many to be estimated again ---------------------------------------------------------------


def alike(part: TablePart, now: Sequence[TablePart], then: Sequence[TablePart]) -> TablePart:
    """Return a part whose bytes and loads change as those of other parts do together, from now to then."""
    growth, traffic = part.growth, part.traffic
    if growth is not None:
        before, after = (
            [table_part.growth for table_part in parts if table_part.growth is not None] for parts in (now, then)
        )
        cold = growth.infrequent_bytes
        growth = replace(
            growth,
            infrequent_bytes=None if cold is None else cold[-1] * _ratio(before, after, "physical_bytes"),
            mean_ratio=growth.mean_ratio[-1:],
            infrequent_mean_ratio=growth.infrequent_mean_ratio[-1:],
            passing_bytes=growth.passing_bytes[-1:],
            changed_bytes_per_day=growth.changed_bytes_per_day * _ratio(before, after, "changed_bytes_per_day")[-1],
            **{name: getattr(growth, name)[-1] * _ratio(before, after, name) for name in _BYTES},
        )
    if traffic is not None:
        busy, busier = (
            [table_part.traffic for table_part in parts if table_part.traffic is not None] for parts in (now, then)
        )
        # The ratio is by month, from what the others have now at the end to what they have then in each month.
        more = {name: getattr(traffic, name)[-1] * _ratio(busy, busier, name) for name in _LOADS}
        # A named day is one of a month's: the others' are no load of this table's whole month.
        by_month = _ratio_of([usual_load(part)[-1] for part in busy], [usual_load(part) for part in busier])
        factor = by_month[-1]
        traffic = replace(
            traffic,
            week_node_share=traffic.week_node_share * factor,
            indivisible_node_share=traffic.indivisible_node_share * factor,
            indivisible=tuple(load.times(float(factor)) for load in traffic.indivisible),
            accesses=tuple(
                replace(
                    hours,
                    usual_by_month=hours.usual_by_month[-1] * by_month,
                    running_by_month=hours.running_by_month[-1] * by_month,
                )
                for hours in traffic.accesses
            ),
            **more,
        )
    # By then they are as now at the end; how they came there is a course of the months of now.
    reads = tuple(replace(plan, course=None) for plan in part.reads)
    return replace(part, growth=growth, traffic=traffic, reads=reads)


_BYTES = ("physical_bytes", "physical_bytes_low", "physical_bytes_high")
_LOADS = ("node_share_by_month", "read_node_share_by_month")


def _ratio(now: Sequence[TableGrowth | TableTraffic], then: Sequence[TableGrowth | TableTraffic], name: str) -> Floats:
    """Return what there is by month then ÷ what there is at last now, over all of them; 1 where that is nothing."""
    before = [float(np.ravel(getattr(part, name))[-1]) for part in now]
    return _ratio_of(before, [np.atleast_1d(getattr(part, name)) for part in then])


def _ratio_of(now: Sequence[float], then: Sequence[Floats]) -> Floats:
    before, after = sum(now), np.sum(then, axis=0) if then else np.ones(1)
    return np.asarray(after / before if before > 0 else np.ones_like(after))


def usual_load(traffic: TableTraffic) -> Floats:
    """Return the busy nodes of a table's accesses by month, each in the busiest hour of its usual week."""
    if not traffic.accesses:
        return traffic.node_share_by_month
    return np.asarray(np.sum([hours.usual_by_month for hours in traffic.accesses], axis=0))
