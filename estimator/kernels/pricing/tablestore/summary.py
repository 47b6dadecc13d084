"""Capacity units per table, with lines that a reader can redo on paper, and whether what is reserved pays."""

from collections.abc import Iterator
from decimal import Decimal

from designer.document import Spec
from designer.document.texts import N_
from estimator.engines.tablestore import METERED_CU
from estimator.kernels.capacity.amounts import SECONDS_PER_HOUR
from estimator.kernels.capacity.tablestore.instance_usage import InstanceUsage, TableUsage
from estimator.kernels.capacity.tablestore.units import Side
from estimator.price_books.prices import Price, PriceBook, Prices
from estimator.results import Addend, CapacityUnits, UnitSide


def capacity_units(spec: Spec, usage: InstanceUsage, book: PriceBook | None) -> tuple[CapacityUnits, ...]:
    """Return the capacity units of every table."""
    prices = None if book is None else Prices(book, spec.instance.prices)
    return tuple(
        CapacityUnits(
            table=table.table.id,
            instance=usage.kind,
            read=_side(table, "read", usage, prices),
            write=_side(table, "write", usage, prices),
            explanation=tuple(_explain_units(table)),
        )
        for table in usage.tables
    )


def _side(table: TableUsage, side: Side, usage: InstanceUsage, prices: Prices | None) -> UnitSide:
    units, reserved = table.side(side), float(getattr(table.reserved_units, side))
    # What is used and not metered is what the reservation covers.
    used = (float(units.used_units[-1]) - float(units.metered_units[-1])) / reserved if reserved > 0 else None
    return UnitSide(
        used_per_second=units.used_units,
        peak_per_second=units.peak_units,
        metered_per_second=units.metered_units,
        reserved=reserved,
        reserved_used_share=used,
        pays_from_share=None if prices is None else break_even_share(prices, side, usage.region),
    )


def break_even_share(prices: Prices, side: Side, region: str) -> float | None:
    """Return the share of a reserved unit that must be used to be cheaper than metered ones.

    None without both prices.

    References
    ----------
    0.00056 an hour against 0.01 per 10,000 in Hangzhou: 15.6 %. Source: billing examples, read 2026-11-20.
    """
    hourly = _price(prices, f"tablestore.{side}.reserved.high_performance", region)
    metered_price = _price(prices, f"tablestore.{side}.metered.high_performance", region)
    if hourly is None or metered_price is None or metered_price.amount == 0:
        return None
    return float(hourly.amount / (metered_price.amount / METERED_CU * Decimal(SECONDS_PER_HOUR)))


def _price(prices: Prices, sku: str, region: str) -> Price | None:
    return next(iter(prices.tiers((sku,), region)), None)


UNITS: tuple[tuple[Side, str, str, str], ...] = (
    ("read", N_("“{access}”, read"), N_("Read, weekly mean"), N_("Read, busiest hour")),
    ("write", N_("“{access}”, write"), N_("Write, weekly mean"), N_("Write, busiest hour")),
)
PER_SECOND = "cu_per_second"


def _explain_units(table: TableUsage) -> Iterator[Addend]:
    for side, flow_label, mean, busiest in UNITS:
        for flow in table.flows:
            units, rate = float(flow.units_by_month(side)[-1]), float(flow.per_second[-1])
            if units > 0:
                name = {"access": flow.access.label}
                by_hand = {"rate_per_second": rate, "units_cu": units}
                yield Addend(flow_label, rate * units, PER_SECOND, N_("{rate_per_second} × {units_cu}"), name | by_hand)
        used, reserved = table.side(side), float(getattr(table.reserved_units, side))
        if used.used_units[-1] > 0 or reserved > 0:
            metered = {"reserved_cu": reserved, "above_cu_per_second": float(used.metered_units[-1])}
            formula = N_("{reserved_cu} reserved, {above_cu_per_second} metered")
            yield Addend(mean, float(used.used_units[-1]), PER_SECOND, formula, metered)
            yield Addend(busiest, float(used.peak_units[-1]), PER_SECOND, N_("by the load profile of day and week"))
