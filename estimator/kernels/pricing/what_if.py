"""The last month's total of changed designs, and the inputs that move it without a new estimate."""

import dataclasses
from collections.abc import Iterator, Mapping
from decimal import Decimal

from designer.document import Spec
from designer.document.texts import N_
from estimator.price_books.prices import PriceBook
from estimator.results import TablePart

from ..capacity.demand import Demand, build_demand
from ..capacity.nodes import nodes_of
from .bills import bills_of
from .outlooks import with_needed_nodes
from .sensitivities import Input


def last_total(
    spec: Spec, parts: Mapping[str, TablePart], book: PriceBook, *, with_enough: bool = False
) -> Decimal | None:
    """Return the total of the last month; None if there is no table.

    `with_enough`: fixed nodes are priced as the number that is needed.
    """
    demand = build_demand(spec, parts)
    last = demand.last() if demand.months > 1 else demand
    return _total(spec, with_needed_nodes(spec, last) if with_enough else last, book)


def _total(spec: Spec, last: Demand, book: PriceBook) -> Decimal | None:
    bills = bills_of(spec, last, nodes_of(spec, last), book, totals_only=True)
    return bills[-1].total if bills else None


def bands(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> Iterator[Input]:
    """Yield the uncertain inputs whose band is part of the estimate, with the last month's total at either end."""
    demand = build_demand(spec, parts)
    if not demand.tables:
        return
    # One month instead of up to 120, as each input asks for two totals.
    last = demand.last() if demand.months > 1 else demand
    yield Input(
        "compression", "",
        N_("Uncollected garbage: none to one week")
        if demand.has_calibrated_storage
        else N_("Uncollected garbage and compression: the range around the measured values")
        if demand.has_measured_storage
        else N_("Compression and garbage: the assumed range"),
        {},
        _total(spec, dataclasses.replace(last, stored=last.stored_low), book),
        _total(spec, dataclasses.replace(last, stored=last.stored_high), book),
    )  # fmt: skip
    yield Input(
        "throughput", "",
        N_("Throughput of a node: {low_share} to {high_share} of the calibrated value")
        if demand.is_calibrated
        else N_("Node throughput: {low_share} to {high_share} of published"),
        {"low_share": 1 / last.load_high, "high_share": 1 / last.load_low},
        _total(spec, _scale_load(last, last.load_low), book),
        _total(spec, _scale_load(last, last.load_high), book),
    )  # fmt: skip


def _scale_load(demand: Demand, factor: float) -> Demand:
    return dataclasses.replace(demand, loads=demand.loads.times(factor))
