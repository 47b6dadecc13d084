"""Outlooks for growth: ten times the traffic, a largest entity ten times as large, one more year."""

import dataclasses
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from designer.document import Spec
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import bigtable
from estimator.price_books.prices import PriceBook
from estimator.results import ClusterNodes, Outlook, RowGrowth, TablePart, TableTraffic

from ..capacity.demand import Demand, demand
from ..capacity.nodes import Rule, nodes_of, sizing_rule
from .limit_headroom import Break, first_broken, outlook
from .what_if import last_total, rated, started, times

TEN = 10.0
MOST_NODES = 1e18
"""As many as a document can say."""
YEAR_DAYS = 365
REPEATS = 1.5
"""Rows of more events than so many grow with the traffic; others only become more."""


def outlooks(spec: Spec, parts: Mapping[str, TablePart], book: PriceBook) -> tuple[Outlook, ...]:
    """×10 traffic, a largest entity ten times as large, one more year: the last month's total, and what breaks first.

    Fixed nodes are priced as the count that would then be needed; where nothing can be sized the total is None.
    """
    return outlooks_of(spec, parts, demand(spec, parts), book)


def outlooks_of(spec: Spec, parts: Mapping[str, TablePart], given: Demand, book: PriceBook) -> tuple[Outlook, ...]:
    """Return the outlooks from stacked demand."""
    if not given.tables:
        return ()
    last = given.last() if given.months > 1 else given
    ten, year = rated(last, started(given, last), TEN), _year_more(given, last)

    def priced(demanded: Demand) -> Decimal | None:
        return last_total(spec, _grown_nodes(spec, demanded), book)

    return (
        outlook("traffic_x10", priced(ten), first_broken(_broken(spec, parts, last, ten, rows="traffic"), TEN)),
        outlook("entity_x10", priced(last), first_broken(_rows(spec, parts, rows="entity", factor=TEN), TEN)),
        outlook("year_more", priced(year), first_broken(_broken(spec, parts, last, year, rows="year"), 1.0)),
    )


def _grown_nodes(spec: Spec, given: Demand) -> Demand:
    """Return the demand on clusters whose fixed nodes are raised to the number needed."""
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
        dataclasses.replace(r, per_second=r.per_second * times(o.per_second) ** (12 / months))
        for r, o in zip(last.reads, given.reads, strict=True)
    )
    return dataclasses.replace(last, **changed, reads=reads)


def _broken(
    spec: Spec, parts: Mapping[str, TablePart], now: Demand, then: Demand, *, rows: Literal["traffic", "year"]
) -> Iterator[Break]:
    """Limits of clusters and rows, with the room that is left when the world goes from now to then."""
    yield from _rows(spec, parts, rows=rows, factor=TEN if rows == "traffic" else 1.0)
    later = nodes_of(spec, then)
    for place, cluster in enumerate(now.clusters):
        rule = sizing_rule(spec, cluster, waiting=now.waiting[place])
        match cluster.nodes:
            case FixedNodes():
                most = float(cluster.nodes.count)
            case Autoscaling():
                most = rule.most
            case _:
                continue
        yield from _cluster_breaks(cluster, most, rule, later[place], then, scale=TEN if rows == "traffic" else 1.0)


def _cluster_breaks(
    cluster: Cluster, most: float, rule: Rule, later: ClusterNodes, then: Demand, *, scale: float
) -> Iterator[Break]:
    """Load and storage of a cluster with at most so many nodes; `then` is `scale` times as much as now."""
    load, gib = float(later.load_by_month[-1]), float(then.stored_gib()[-1])
    if load > 0:
        yield Break(
            most * rule.cpu_target / load * scale,
            N_("{cluster} needs {needed_nodes} for its CPU target; the maximum is {most_nodes}"),
            {"cluster": cluster.label, "needed_nodes": float(later.needed_by_month[-1]), "most_nodes": most},
            cluster.id,
        )
    if gib > 0:
        yield Break(
            most * rule.node_gib / gib * scale,
            N_("{cluster} is full: {stored_gib} on {most_nodes} of {limit_gib} each"),
            {"cluster": cluster.label, "stored_gib": round(gib, 1), "most_nodes": most, "limit_gib": rule.node_gib},
            cluster.id,
        )


def _rows(
    spec: Spec, parts: Mapping[str, TablePart], *, rows: Literal["traffic", "entity", "year"], factor: float
) -> Iterator[Break]:
    """Rows and fronts that no number of nodes helps: their limits, and how many times as much they may become.

    Parameters
    ----------
    factor
        How many times as much is looked at; of a year more, each has grown as it does.
    """
    for table in spec.tables:
        part = parts.get(table.id)
        if part is not None and part.growth is not None:
            for kind in part.growth.kinds:
                yield from _large_row(table, kind, rows=rows, factor=factor)
        if part is not None and part.traffic is not None:
            yield from _undivided(table, part.traffic, rows=rows, factor=factor)


def _large_row(
    table: Table, kind: RowGrowth, *, rows: Literal["traffic", "entity", "year"], factor: float
) -> Iterator[Break]:
    limit, largest = bigtable.LIMITS["row_bytes"].value, float(kind.largest_bytes[-1])
    if rows == "year" and len(kind.largest_bytes) > 1:
        spans = (kind.dates[-1] - kind.dates[-2]).days or 1
        largest += max(float(kind.largest_bytes[-1] - kind.largest_bytes[-2]), 0.0) * YEAR_DAYS / spans
    grows = rows == "year" or kind.events_per_row > REPEATS
    if largest > 0 and grows:
        yield Break(
            limit / largest,
            N_("the largest row of “{table}” exceeds {limit_bytes}"),
            {"table": table.label, "entity": kind.largest_entity, "limit_bytes": limit,
             "row_bytes": largest * factor},
            kind.row_kind,
        )  # fmt: skip


def _undivided(
    table: Table, traffic: TableTraffic, *, rows: Literal["traffic", "entity", "year"], factor: float
) -> Iterator[Break]:
    hottest = traffic.indivisible_node_share
    if rows == "entity":
        hottest = max((h.node_share for h in traffic.hot_rows), default=0.0)
    if rows == "year":
        shares = traffic.node_share_by_month
        months = max(len(shares) - 1, 1)
        hottest *= (float(shares[-1] / shares[0]) ** (12 / months)) if shares[0] > 0 else 1.0
    if hottest > 0:
        yield Break(
            bigtable.HOTTEST_NODE_SHARE / hottest,
            N_("the load in “{table}” that cannot be split exceeds {limit_share} of one node"),
            {"table": table.label, "limit_share": bigtable.HOTTEST_NODE_SHARE,
             "node_share": hottest * factor},
            table.id,
        )  # fmt: skip
