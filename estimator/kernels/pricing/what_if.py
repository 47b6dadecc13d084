"""Sensitivity of the bill: the demand is scaled, without a new estimate."""

import dataclasses
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.texts import N_
from estimator.price_books.prices import PriceBook
from estimator.results import Sensitivity, TablePart
from estimator.results.arrays import Floats

from ..capacity.demand import MONTHLY, Demand, demand, scaled
from ..capacity.nodes import nodes_of
from .bills import bills_of
from .sensitivities import SWINGS, TABLES_RANKED, Input, ranked


def last_total(spec: Spec, given: Demand, book: PriceBook) -> Decimal | None:
    """Return the total of the last month of this demand; None if there is no table."""
    last = given.last() if given.months > 1 else given
    found = bills_of(spec, last, nodes_of(spec, last), book, totals_only=True)
    return found[-1].total if found else None


def sensitivities(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> tuple[Sensitivity, ...]:
    """Uncertain inputs by how far they move the last month's total, the most first; those that do not are left out."""
    return sensitivities_of(spec, demand(spec, parts), book)


def sensitivities_of(spec: Spec, given: Demand, book: PriceBook) -> tuple[Sensitivity, ...]:
    """Return the sensitivities from stacked demand."""
    if not given.tables:
        return ()
    last = given.last() if given.months > 1 else given
    return ranked(_inputs(given, last), lambda each: last_total(spec, each, book))


def _inputs(given: Demand, last: Demand) -> Iterator[Input[Demand]]:
    """Each uncertain input with the last month's demand at its low and at its high value."""
    start = started(given, last)
    low, high = SWINGS["rate"]
    yield "rate", "", N_("Rate of all traffic: half to double"), {}, rated(last, start, low), rated(last, start, high)
    low, high = SWINGS["size"]
    yield "size", "", N_("Size of all rows: half to double"), {}, scaled(last, stored=low), scaled(last, stored=high)
    yield (
        "compression", "",
        N_("Uncollected garbage: none to one week")
        if given.stored_calibrated
        else N_("Uncollected garbage and compression: the range around the measured values")
        if given.stored_measured
        else N_("Compression and uncollected garbage: the range of the assumed values"),
        {},
        dataclasses.replace(last, stored=last.stored_low), dataclasses.replace(last, stored=last.stored_high),
    )  # fmt: skip
    yield (
        "throughput", "",
        N_("Throughput of a node: {low_share} to {high_share} of the calibrated value")
        if given.calibrated
        else N_("Throughput of a node: from {low_share} of the published value up to it"),
        {"low_share": 1 / last.load_high, "high_share": 1 / last.load_low},
        _loaded(last, last.load_low), _loaded(last, last.load_high),
    )  # fmt: skip
    if given.months > 1 and _grows(given):
        slow, fast = (_grown(given, last, factor) for factor in SWINGS["growth"])
        yield "growth", "", N_("Growth over the horizon: half to double"), {}, slow, fast
    if len(given.tables) > 1:
        for place in _largest(last):
            table = given.tables[place]
            name = {"table": table.label}
            low, high = SWINGS["rate"]
            yield (
                "rate", table.id, N_("Rate of “{table}”: half to double"), name,
                rated(last, start, low, place), rated(last, start, high, place),
            )  # fmt: skip


def _loaded(given: Demand, factor: float) -> Demand:
    return dataclasses.replace(given, write_load=given.write_load * factor, read_load=given.read_load * factor)


def started(given: Demand, last: Demand) -> Demand:
    """Return the demand at the start, in the shape of the last month."""
    begin: dict[str, Any] = {name: np.repeat(getattr(given, name)[:, :1], 2, axis=1) for name in MONTHLY}
    return dataclasses.replace(last, **begin)


def rated(last: Demand, start: Demand, factor: float, table: int | None = None) -> Demand:
    """Return the last month's demand if all events come `factor` times as often from the start on."""
    at = slice(None) if table is None else slice(table, table + 1)
    loaded = scaled(last, load=factor, table=table)
    kept = {}
    for name in ("stored", "stored_low", "stored_high", "infrequent"):
        whole = getattr(last, name).copy()
        begin = getattr(start, name)
        whole[at] = begin[at] + (whole[at] - begin[at]) * factor
        kept[name] = np.maximum(whole, 0.0)
    return dataclasses.replace(loaded, **kept)


def _grows(given: Demand) -> bool:
    rates = [w.per_second for w in given.writes] + [r.per_second for r in given.reads]
    return any(float(rate[-1]) != float(rate[0]) for rate in rates)


def _grown(given: Demand, last: Demand, factor: float) -> Demand:
    """Return the last month's demand with compound growth `factor` times as fast (in its logarithm)."""
    changed: dict[str, Any] = {}
    for name in ("write_load", "read_load", "changed_per_day", "mutation_per_second"):
        begin, end = getattr(given, name)[:, :1], getattr(last, name)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where(begin > 0, end / begin, 1.0)
        changed[name] = end * np.maximum(ratio, 1e-12) ** (factor - 1)
    mean = _mean_ratio(given, factor)
    for name in ("stored", "stored_low", "stored_high", "infrequent"):
        begin = getattr(given, name)[:, :1]
        changed[name] = begin + (getattr(last, name) - begin) * mean
    reads = tuple(
        dataclasses.replace(r, per_second=r.per_second * times(o.per_second) ** (factor - 1))
        for r, o in zip(last.reads, given.reads, strict=True)
    )
    return dataclasses.replace(last, **changed, reads=reads)


def times(rates: Floats) -> float:
    """Last ÷ first rate, never quite nothing: a read that ends has no finite growth."""
    return max(float(rates[-1] / rates[0]), 1e-12) if rates[0] > 0 else 1.0


def _mean_ratio(given: Demand, factor: float) -> Floats:
    """Return the ratio by which faster growth raises each table's writes over the horizon: (tables, 1)."""
    ratios = np.ones((len(given.tables), 1))
    for i, table in enumerate(given.tables):
        rates = sum((w.per_second for w in given.writes if w.table == table.id), np.zeros(given.months + 1))
        if rates[0] > 0 and rates.sum() > 0:
            faster = rates * np.maximum(rates / rates[0], 1e-12) ** (factor - 1)
            ratios[i] = faster.sum() / rates.sum()
    return ratios


def _largest(last: Demand) -> list[int]:
    """Places of the largest tables, by node time and bytes together."""
    load, stored = last.write_load[:, -1] + last.read_load[:, -1], last.stored[:, -1]
    size = load / max(float(load.sum()), 1e-300) + stored / max(float(stored.sum()), 1e-300)
    return [int(i) for i in np.argsort(-size)[:TABLES_RANKED] if size[i] > 0]
