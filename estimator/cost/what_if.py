"""What moves the bill, and what a bigger world costs and breaks: by scaling the demand, without a new estimate."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from designer.spec import Spec
from designer.spec.instance import Autoscaling, FixedNodes
from designer.spec.texts import N_

from ..engines import bigtable
from ..results import ClusterNodes, Floats, Outlook, Sensitivity, TablePart
from .bills import bills_of
from .demand import MONTHLY, Demand, called, demand, scaled
from .nodes import nodes_of, sizing_rule
from .prices import PriceBook

SWINGS = {"rate": (0.5, 2.0), "size": (0.5, 2.0), "growth": (0.5, 2.0)}
"""How far a guessed input may be off: half to double. Compression and throughput have their own bands."""

MOST_NODES = 1e18
"""As many as a document can say."""

TABLES_RANKED = 3
"""So many of the largest tables are ranked by themselves too."""


def last_total(spec: Spec, given: Demand, book: PriceBook) -> Decimal | None:
    """The total of the last month of this demand; None where there is no table."""
    last = given.last() if given.months > 1 else given
    found = bills_of(spec, last, nodes_of(spec, last), book, totals_only=True)
    return found[-1].total if found else None


def sensitivities(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> tuple[Sensitivity, ...]:
    """Uncertain inputs by how far they move the last month's total, the most first; those that do not are left out."""
    return sensitivities_of(spec, demand(spec, parts), book)


def sensitivities_of(spec: Spec, given: Demand, book: PriceBook) -> tuple[Sensitivity, ...]:
    """The same from stacked demand."""
    if not given.tables:
        return ()
    last = given.last() if given.months > 1 else given
    found = []
    for name, at, label, params, low, high in _inputs(given, last):
        totals = sorted(last_total(spec, each, book) or Decimal(0) for each in (low, high))
        if totals[0] != totals[1]:
            found.append(Sensitivity(name, at, label, params, totals[0], totals[1]))
    return tuple(sorted(found, key=lambda s: s.low - s.high))


_Input = tuple[str, str, str, dict[str, Any], Demand, Demand]


def _inputs(given: Demand, last: Demand) -> Iterator[_Input]:
    """Each uncertain input with the last month's demand at its low and at its high value."""
    start = _started(given, last)
    low, high = SWINGS["rate"]
    yield "rate", "", N_("Rate of all traffic: half to double"), {}, _rate(last, start, low), _rate(last, start, high)
    low, high = SWINGS["size"]
    yield "size", "", N_("Size of all rows: half to double"), {}, scaled(last, stored=low), scaled(last, stored=high)
    yield (
        "compression", "",
        N_("Uncollected garbage: from none to a week of it")
        if given.stored_calibrated
        else N_("Uncollected garbage and compression: the range around what was measured")
        if given.stored_measured
        else N_("Compression and uncollected garbage: the range of the guesses"),
        {},
        dataclasses.replace(last, stored=last.stored_low), dataclasses.replace(last, stored=last.stored_high),
    )  # fmt: skip
    yield (
        "throughput", "",
        N_("Throughput of a node: {low_share} to {high_share} of what is calibrated")
        if given.calibrated
        else N_("Throughput of a node: as published to {low_share} of it"),
        {"low_share": 1 / last.load_high, "high_share": 1 / last.load_low},
        _loaded(last, last.load_low), _loaded(last, last.load_high),
    )  # fmt: skip
    if given.months > 1 and _grows(given):
        slow, fast = (_grown(given, last, factor) for factor in SWINGS["growth"])
        yield "growth", "", N_("Growth over the horizon: half to double"), {}, slow, fast
    if len(given.tables) > 1:
        for place in _largest(last):
            table = given.tables[place]
            name = {"table": table.name or table.id}
            low, high = SWINGS["rate"]
            yield (
                "rate", table.id, N_("Rate of “{table}”: half to double"), name,
                _rate(last, start, low, place), _rate(last, start, high, place),
            )  # fmt: skip


def _loaded(given: Demand, factor: float) -> Demand:
    return dataclasses.replace(given, write_load=given.write_load * factor, read_load=given.read_load * factor)


def _started(given: Demand, last: Demand) -> Demand:
    """What was there at the start, in the shape of the last month."""
    begin: dict[str, Any] = {name: np.repeat(getattr(given, name)[:, :1], 2, axis=1) for name in MONTHLY}
    return dataclasses.replace(last, **begin)


def _rate(last: Demand, start: Demand, factor: float, table: int | None = None) -> Demand:
    """The last month when all events come `factor` times as often from the start on."""
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
    """The last month when what grows by compounding had grown `factor` times as fast (in its logarithm)."""
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
        dataclasses.replace(r, per_second=r.per_second * _times(o.per_second) ** (factor - 1))
        for r, o in zip(last.reads, given.reads, strict=True)
    )
    return dataclasses.replace(last, **changed, reads=reads)


def _times(rates: Floats) -> float:
    """Last ÷ first rate, never quite nothing: a read that ends has no finite growth."""
    return max(float(rates[-1] / rates[0]), 1e-12) if rates[0] > 0 else 1.0


def _mean_ratio(given: Demand, factor: float) -> Floats:
    """How much more each table has been written over the horizon when it grows so much faster: (tables, 1)."""
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


# --- a bigger world -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Break:
    """A limit and how many times as large the world may be before it breaks."""

    room: float
    message: str
    params: dict[str, Any]
    at: str


def outlooks(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> tuple[Outlook, ...]:
    """×10 traffic, a largest entity ten times as large, one more year: the last month's total, and what breaks first.

    Fixed nodes are priced as the count that would then be needed; where nothing can be sized the total is None.
    """
    return outlooks_of(spec, parts, demand(spec, parts), book)


def outlooks_of(spec: Spec, parts: Mapping[str, TablePart], given: Demand, book: PriceBook) -> tuple[Outlook, ...]:
    """The same from stacked demand."""
    if not given.tables:
        return ()
    last = given.last() if given.months > 1 else given
    start = _started(given, last)
    ten = _rate(last, start, 10.0)
    year = _year_more(given, last)
    return (
        _outlook(spec, "traffic_x10", ten, book, _first(_broken(spec, parts, last, ten, rows="traffic"), 10.0)),
        _outlook(spec, "entity_x10", last, book, _first(list(_rows(spec, parts, rows="entity", factor=10.0)), 10.0)),
        _outlook(spec, "year_more", year, book, _first(_broken(spec, parts, last, year, rows="year"), 1.0)),
    )


def _outlook(
    spec: Spec,
    name: Literal["traffic_x10", "entity_x10", "year_more"],
    given: Demand,
    book: PriceBook,
    first: Break | None,
) -> Outlook:
    cost = last_total(spec, _grown_nodes(spec, given), book)
    if first is None:
        return Outlook(name, cost, None, {}, "")
    return Outlook(name, cost, first.message, {**first.params, "room_factor": first.room}, first.at)


def _grown_nodes(spec: Spec, given: Demand) -> Demand:
    """The demand on clusters whose fixed nodes are raised to what it needs."""
    needed = [int(min(there.needed_by_month[-1], MOST_NODES)) for there in nodes_of(spec, given)]
    clusters = tuple(
        cluster.model_copy(update={"nodes": FixedNodes(count=max(cluster.nodes.count, count))})
        if isinstance(cluster.nodes, FixedNodes)
        else cluster
        for cluster, count in zip(given.clusters, needed, strict=True)
    )
    return dataclasses.replace(given, clusters=clusters)


def _year_more(given: Demand, last: Demand) -> Demand:
    """Twelve months after the end: loads compound on as over the horizon, bytes are added as the rates then say."""
    months = max(given.months, 1)
    changed: dict[str, Any] = {}
    for name in ("write_load", "read_load", "changed_per_day", "mutation_per_second"):
        begin, end = getattr(given, name)[:, :1], getattr(last, name)
        with np.errstate(divide="ignore", invalid="ignore"):
            monthly = np.where(begin > 0, end[:, -1:] / begin, 1.0) ** (1 / months)
        changed[name] = end * monthly**12
    for name in ("stored", "stored_low", "stored_high", "infrequent"):
        step = np.diff(getattr(given, name)[:, -2:], axis=1) if given.months else 0.0
        changed[name] = getattr(last, name) + np.maximum(step, 0.0) * 12
    reads = tuple(
        dataclasses.replace(r, per_second=r.per_second * _times(o.per_second) ** (12 / months))
        for r, o in zip(last.reads, given.reads, strict=True)
    )
    return dataclasses.replace(last, **changed, reads=reads)


def _first(found: list[Break], factor: float) -> Break | None:
    """The limit with the least room, if the factor passes it."""
    least = min(found, key=lambda b: b.room, default=None)
    return least if least is not None and least.room < factor else None


def _broken(
    spec: Spec, parts: Mapping[str, TablePart], now: Demand, then: Demand, *, rows: Literal["traffic", "year"]
) -> list[Break]:
    """Limits of clusters and rows, with the room that is left when the world goes from now to then."""
    found = list(_rows(spec, parts, rows=rows, factor=10.0 if rows == "traffic" else 1.0))
    today, later = nodes_of(spec, now), nodes_of(spec, then)
    for place, cluster in enumerate(now.clusters):
        rule = sizing_rule(spec, cluster, waiting=now.waiting[place])
        match cluster.nodes:
            case FixedNodes():
                most = float(cluster.nodes.count)
            case Autoscaling():
                most = rule.most
            case _:
                continue
        found.extend(
            _cluster_breaks(
                called(cluster),
                cluster.id,
                most,
                rule.cpu_target,
                rule.node_gib,
                today[place],
                later[place],
                now,
                then,
                rows=rows,
            )
        )
    return found


def _cluster_breaks(
    name: str, at: str, most: float, cpu_target: float, node_gib: float, today: ClusterNodes, later: ClusterNodes,
    now: Demand, then: Demand, *, rows: Literal["traffic", "year"],
) -> Iterator[Break]:  # fmt: skip
    scale = 10.0 if rows == "traffic" else 1.0
    load, gib = float(later.load_by_month[-1]), float(then.stored_gib()[-1])
    if load > 0:
        yield Break(
            most * cpu_target / load * scale,
            N_("{cluster} needs {needed_nodes} for its CPU target; it has at most {most_nodes}"),
            {"cluster": name, "needed_nodes": float(later.needed_by_month[-1]), "most_nodes": most},
            at,
        )
    if gib > 0:
        yield Break(
            most * node_gib / gib * scale,
            N_("{cluster} is full: {stored_gib} on {most_nodes} of {limit_gib} each"),
            {"cluster": name, "stored_gib": round(gib, 1), "most_nodes": most, "limit_gib": node_gib},
            at,
        )


def _rows(
    spec: Spec, parts: Mapping[str, TablePart], *, rows: Literal["traffic", "entity", "year"], factor: float
) -> Iterator[Break]:
    """Rows and fronts that no number of nodes helps: their limits, and how many times as much they may become."""
    limit = bigtable.LIMITS["row_bytes"].value
    for table in spec.tables:
        part = parts.get(table.id)
        if part is None:
            continue
        for kind in part.growth.kinds if part.growth else ():
            largest = float(kind.largest_bytes[-1])
            if rows == "year" and len(kind.largest_bytes) > 1:
                spans = (kind.dates[-1] - kind.dates[-2]).days or 1
                largest += max(float(kind.largest_bytes[-1] - kind.largest_bytes[-2]), 0.0) * 365 / spans
            grows = rows == "year" or kind.events_per_row > 1.5
            if largest > 0 and grows:
                yield Break(
                    limit / largest,
                    N_("the largest row of “{table}” passes {limit_bytes}"),
                    {"table": table.name or table.id, "entity": kind.largest_entity, "limit_bytes": limit,
                     "row_bytes": largest * (factor if rows != "year" else 1.0)},
                    kind.row_kind,
                )  # fmt: skip
        if part.traffic is None:
            continue
        if rows == "entity":
            hottest = max((h.node_share for h in part.traffic.hot_rows), default=0.0)
        else:
            hottest = part.traffic.indivisible_node_share
        if rows == "year":
            shares = part.traffic.node_share_by_month
            months = max(len(shares) - 1, 1)
            hottest *= (float(shares[-1] / shares[0]) ** (12 / months)) if shares[0] > 0 else 1.0
        if hottest > 0:
            yield Break(
                bigtable.HOTTEST_NODE_SHARE / hottest,
                N_("what cannot be split in “{table}” takes more than {limit_share} of one node"),
                {"table": table.name or table.id, "limit_share": bigtable.HOTTEST_NODE_SHARE,
                 "node_share": hottest * (factor if rows != "year" else 1.0)},
                table.id,
            )  # fmt: skip
