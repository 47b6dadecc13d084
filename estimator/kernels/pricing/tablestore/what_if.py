"""Sensitivities and outlooks of a Tablestore bill: the usage is scaled and never computed again."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines.capacity_units import Units
from estimator.engines.tablestore import LIMITS
from estimator.kernels.capacity.tablestore.instance_usage import TableUse, Use
from estimator.kernels.capacity.tablestore.units import MOST_PER_SECOND, SIDES, UnitFlow
from estimator.price_books.prices import PriceBook
from estimator.results import Outlook, Sensitivity, TablePart
from estimator.results.arrays import Floats

from ..limit_headroom import Break, first_broken, outlook
from ..sensitivities import SWINGS, TABLES_RANKED, Input, ranked
from .bills import bills_of

Scale = Callable[[TableUse], TableUse]


def last_total(spec: Spec, use: Use, book: PriceBook) -> Decimal | None:
    """Return the total of the last month of this usage; None if there is no table."""
    found = bills_of(spec, use.last(), book, months=(use.last().months - 1,), totals_only=True)
    return found[-1].total if found else None


def sensitivities_of(spec: Spec, use: Use, book: PriceBook) -> tuple[Sensitivity, ...]:
    """Uncertain inputs by how far they move the last month's total, the most first; those that do not are left out."""
    if not use.tables or use.months < 1:
        return ()
    return ranked(_inputs(use), lambda each: last_total(spec, each, book))


def _inputs(use: Use) -> Iterator[Input[Use]]:
    low, high = SWINGS["rate"]
    yield "rate", "", N_("Rate of all traffic: half to double"), {}, _rated(use, low), _rated(use, high)
    half, double = _sized(use, 0.5, lambda flow: flow.resized[0]), _sized(use, 2.0, lambda flow: flow.resized[1])
    yield "size", "", N_("Size of all rows: half to double"), {}, half, double
    yield "uncollected", "", N_("Expired versions: deleted immediately, or after one day"), {}, *_bands(use)
    yield "seconds", "", N_("Seconds of an hour: equal, or varying at random"), {}, _each(use, _alike), use
    if any(_grows(flow.per_second) for table in use.tables for flow in table.flows):
        low, high = SWINGS["growth"]
        yield "growth", "", N_("Growth over the horizon: half to double"), {}, _grown(use, low), _grown(use, high)
    if len(use.tables) > 1:
        low, high = SWINGS["rate"]
        for table in _largest(use):
            name = {"table": table.label}
            yield (
                "rate", table.id, N_("Rate of “{table}”: half to double"), name,
                _rated(use, low, table.id), _rated(use, high, table.id),
            )  # fmt: skip


def _largest(use: Use) -> list[Any]:
    def size(one: TableUse) -> float:
        return float(one.units.read.used[-1] + one.units.write.used[-1])

    return [one.table for one in sorted(use.tables, key=size, reverse=True)[:TABLES_RANKED] if size(one) > 0]


def _each(use: Use, change: Scale) -> Use:
    return dataclasses.replace(use, tables=tuple(map(change, use.tables)))


def _stored(table: TableUse, change: Callable[[Floats], Floats]) -> TableUse:
    """Return the table with changed bytes: expected, low and high."""
    stored, low, high = (np.maximum(change(each), 0.0) for each in (table.stored, table.stored_low, table.stored_high))
    return dataclasses.replace(table, stored=stored, stored_low=low, stored_high=high)


def _rated(use: Use, factor: float, only: str | None = None) -> Use:
    """All events, or those of one table, come `factor` times as often from the start on."""

    def rated(table: TableUse) -> TableUse:
        if only is not None and table.table.id != only:
            return table
        more = dataclasses.replace(table, units=table.units.rated(lambda flow: flow.per_second * factor))
        return _stored(more, lambda each: each[0] + (each - each[0]) * factor)

    return _each(use, rated)


def _sized(use: Use, factor: float, units: Callable[[UnitFlow], Units]) -> Use:
    """Rows so much larger: bytes follow, and units where a row then fits into others."""

    def sized(table: TableUse) -> TableUse:
        flows = tuple(dataclasses.replace(flow, units=units(flow)) for flow in table.flows)
        same = all(flow.units == units(flow) for flow in table.flows)
        one = table if same else dataclasses.replace(table, units=dataclasses.replace(table.units, flows=flows))
        return _stored(one, lambda each: each * factor)

    return _each(use, sized)


def _bands(use: Use) -> tuple[Use, Use]:
    return (
        _each(use, lambda table: dataclasses.replace(table, stored=table.stored_low)),
        _each(use, lambda table: dataclasses.replace(table, stored=table.stored_high)),
    )


def _alike(table: TableUse) -> TableUse:
    flows = tuple(dataclasses.replace(flow, steady=True) for flow in table.flows)
    return dataclasses.replace(table, units=dataclasses.replace(table.units, flows=flows))


def _grows(rates: Floats) -> bool:
    return bool(rates[-1] != rates[0])


def _grown(use: Use, factor: float) -> Use:
    """Return the usage with compound growth `factor` times as fast (in its logarithm)."""

    def faster(flow: UnitFlow) -> Floats:
        start = float(flow.per_second[0])
        return (
            start * np.minimum(flow.per_second / start, MOST_PER_SECOND ** (1 / factor)) ** factor
            if start > 0
            else flow.per_second
        )

    def grown(table: TableUse) -> TableUse:
        units = table.units.rated(faster)
        before = sum(float(flow.per_second.sum()) for flow in table.flows if flow.units.write > 0)
        after = sum(float(flow.per_second.sum()) for flow in units.flows if flow.units.write > 0)
        more = after / before if before > 0 else 1.0
        changed = dataclasses.replace(table, units=units)
        return _stored(changed, lambda each: each[0] + (each - each[0]) * more)

    return _each(use, grown)


def _year_more(use: Use) -> Use:
    """Twelve months after the end: rates compound on as over the horizon, bytes are added as in the last month."""

    def later(flow: UnitFlow) -> Floats:
        start, end = float(flow.per_second[0]), float(flow.per_second[-1])
        return flow.per_second * ((end / start) ** (12 / use.months) if start > 0 else 1.0)

    def older(table: TableUse) -> TableUse:
        more = dataclasses.replace(table, units=table.units.rated(later))
        return _stored(more, lambda each: each + 12 * max(float(each[-1] - each[-2]), 0.0))

    return _each(use, older)


# --- a bigger world -------------------------------------------------------------------------------------------


def outlooks_of(spec: Spec, parts: Mapping[str, TablePart], use: Use, book: PriceBook) -> tuple[Outlook, ...]:
    """×10 traffic, a largest entity ×10, one more year: the last month's total, and what breaks first."""
    if not use.tables or use.months < 1:
        return ()
    ten, year = _rated(use, 10.0), _year_more(use)
    yearly = {
        table.table.id: max((_times(flow.per_second, use.months) for flow in table.flows), default=1.0)
        for table in use.tables
    }
    return (
        outlook("traffic_x10", last_total(spec, ten, book), first_broken(_broken(spec, parts, use, rows=False), 10.0)),
        outlook("entity_x10", last_total(spec, use, book), first_broken(_broken(spec, parts, use, rows=True), 10.0)),
        outlook("year_more", last_total(spec, year, book), _first_of(_broken(spec, parts, use, rows=False), yearly)),
    )


def _times(rates: Floats, months: int) -> float:
    return float(rates[-1] / rates[0]) ** (12 / months) if rates[0] > 0 else 1.0


def _first_of(found: Iterator[Break], factors: Mapping[str, float]) -> Break | None:
    """Return the first limit exceeded, where each table has its own factor."""
    passed = [each for each in found if each.room < factors.get(each.at, 1.0)]
    return min(passed, key=lambda b: b.room, default=None)


def _broken(spec: Spec, parts: Mapping[str, TablePart], use: Use, *, rows: bool) -> Iterator[Break]:
    """Yield the limits of one partition-key value and of a table's reservation, with the room left."""
    most = LIMITS["partition_key_cu"].value
    for one in use.tables:
        traffic, name = parts[one.table.id].traffic, {"table": one.table.label}
        if traffic is not None:
            share = max((h.node_share for h in traffic.hot_rows), default=0.0)
            whole = traffic.partition.node_share if traffic.partition else traffic.indivisible_node_share
            share = max(share, whole)
            if share > 0:
                yield Break(
                    1 / share,
                    N_("one partition-key value of “{table}” exceeds {limit_cu_per_second}"),
                    {**name, "limit_cu_per_second": most},
                    one.table.id,
                )
            bytes_ = traffic.partition.largest_bytes if traffic.partition else 0.0
            if bytes_ > 0:
                limit = LIMITS["partition_key_bytes_recommended"].value
                yield Break(
                    limit / bytes_,
                    N_("one partition-key value of “{table}” exceeds the recommended {limit_bytes}"),
                    {**name, "limit_bytes": limit},
                    one.table.id,
                )
        cap = LIMITS["reserved_cu"].value
        for side in () if rows else SIDES:
            peak = float(one.side(side).peak[-1])
            if peak > 0 and getattr(one.reserved, side) > 0:
                yield Break(
                    cap / peak,
                    N_("“{table}” needs more than {limit_cu}, the maximum that a table can reserve"),
                    {**name, "limit_cu": cap},
                    one.table.id,
                )
