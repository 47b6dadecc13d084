"""Nodes that each cluster needs, has and pays for, over the horizon and over a week."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from designer.document import Spec, effective_value
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.texts import N_
from estimator.engines import GiB, bigtable
from estimator.results import Addend, ClusterNodes, TablePart
from estimator.results.arrays import Floats

from ..population.timeline import billed_hours_by_month, month_dates
from .access_loads import HOURS_OF_WEEK, RUNNING
from .amounts import format_decimal, round_quantity
from .demand import Demand, build_demand, region_of
from .failover import loads_after_loss

_ROUNDING = 1e-9
"""So that 3.0000000001 busy nodes need three."""


@dataclass(frozen=True)
class SizingRule:
    """Targets and limits by which one cluster is sized."""

    cpu_target: float
    node_gib_target: float
    """Storage that a node should hold at most. [GiB]"""
    node_gib: float
    """Storage that a node can hold. [GiB]"""
    tiered_gib: float
    """SSD and infrequent access that a node can hold. [GiB]"""
    min_nodes: int
    max_nodes: float
    step: int


def sizing_rule(spec: Spec, cluster: Cluster, *, waiting: bool) -> SizingRule:
    """Targets and bounds of a cluster: an autoscaled one has its own, else they are those of who it serves."""
    storage: Literal["ssd", "hdd"] = effective_value(spec, spec.instance, "storage")
    targets = bigtable.LATENCY if waiting else bigtable.BATCH
    plus = effective_value(spec, spec.instance, "edition") == "enterprise_plus"
    cpu, gib = targets.cpu_share, float(bigtable.storage_target_gib(storage, targets.storage_share))
    least: int = cluster.node_scaling
    most = float("inf")
    if isinstance(cluster.nodes, Autoscaling):
        # Autoscaling targets replace those recommended for who is served, since the autoscaler acts on them.
        cpu = float(effective_value(spec, cluster.nodes, "cpu_target")) or cpu
        gib = cluster.nodes.storage_target_gib or bigtable.LIMITS[f"autoscaling_{storage}_gib_min"].value
        least, most = max(cluster.nodes.min, least), float(max(cluster.nodes.max, cluster.nodes.min, 1))
    return SizingRule(
        cpu_target=cpu,
        node_gib_target=gib,
        node_gib=bigtable.node_gib(storage),
        tiered_gib=bigtable.LIMITS["node_bytes_tiered_plus" if plus else "node_bytes_tiered"].value / GiB,
        min_nodes=least,
        max_nodes=most,
        step=cluster.node_scaling,
    )


def nodes_for_load(load: Floats, cpu_target: float) -> Floats:
    """Return ⌈load ÷ target⌉ in nodes; load in busy nodes, any shape."""
    return np.ceil(load / cpu_target - _ROUNDING) + 0.0  # no negative zero


def nodes_for_storage(stored_gib: Floats, infrequent_gib: Floats, rule: SizingRule) -> Floats:
    """Return max(⌈fast storage ÷ target⌉, ⌈all storage ÷ tiered limit⌉) in nodes; any shape.

    References
    ----------
    Bigtable, "Autoscaling" (updated 2026-04-08) and "Tiered storage".
    """
    fast = np.ceil((stored_gib - infrequent_gib) / rule.node_gib_target - _ROUNDING) + 0.0
    if not np.any(infrequent_gib):
        return fast
    # Cells in infrequent access take no fast storage, but count toward the limit of both tiers together.
    return np.maximum(fast, np.ceil(stored_gib / rule.tiered_gib - _ROUNDING))


def round_up_to_step(nodes: Floats, step: int) -> Floats:
    """Return the number of nodes rounded up to the step of 2× node scaling; any shape."""
    return np.ceil(nodes / step - _ROUNDING) * step


def autoscaled_nodes(wanted_nodes: Floats, down_share: float) -> Floats:
    """Nodes billed in each hour of a week that repeats: up at once, down by at most a share of the nodes an hour.

    Parameters
    ----------
    wanted_nodes : float64, shape (..., 168)
        Nodes that each hour asks for. [nodes]
    down_share
        Share of the nodes that may go in one hour, at least one node. [0…1]

    Returns
    -------
    float64, shape (..., 168)
        An hour is billed at its maximum, so an hour in which nodes come counts with all of them. [nodes]
    """
    hours = wanted_nodes.shape[-1]
    if hours == 0 or not np.any(wanted_nodes != wanted_nodes[..., :1]):
        return wanted_nodes.copy()
    first = wanted_nodes.argmax(axis=-1)[
        ..., None
    ]  # the week is walked from its fullest hour on, where nothing is left over
    turn = (np.arange(hours) + first) % hours
    turned = np.take_along_axis(wanted_nodes, turn, axis=-1)
    plan, before = np.empty_like(turned), turned[..., 0]
    for hour in range(hours):
        # At least one node goes each hour: 10 % of 5 nodes would round to none, and the cluster would never shrink.
        slow = np.minimum(before - 1, np.floor(before * (1 - down_share) + _ROUNDING))
        before = np.maximum(turned[..., hour], slow)
        plan[..., hour] = before
    back = np.empty_like(plan)
    np.put_along_axis(back, turn, plan, axis=-1)
    return back


def cluster_nodes(spec: Spec, parts: Mapping[str, TablePart]) -> tuple[ClusterNodes, ...]:
    """Nodes of every cluster of the instance over the horizon; one assumed cluster where none is named."""
    return nodes_of(spec, build_demand(spec, parts))


def nodes_of(spec: Spec, demand: Demand, *, dates: tuple[datetime.date, ...] | None = None) -> tuple[ClusterNodes, ...]:
    """Return the nodes of each cluster from stacked demand.

    `dates` are those of its months where they do not cover the full horizon.
    """
    days = dates or month_dates(spec)[-demand.months - 1 :]
    # Losses are computed only if some cluster is sized for them; with many clusters this is the slow part.
    following = any(cluster.nodes is None for cluster in demand.clusters)
    lost = loads_after_loss(demand) if following and len(demand.clusters) > 1 else None
    return tuple(_cluster(spec, demand, i, days, lost) for i in range(len(demand.clusters)))


def _cluster(
    spec: Spec, demand: Demand, place: int, dates: tuple[datetime.date, ...], lost: Floats | None
) -> ClusterNodes:
    """One cluster; `lost`: what each has to do after the worst loss of another, which nodes that follow the load bear.

    A number of nodes that a person sets, or an autoscaler's bounds, are measured against it by a rule.
    """
    cluster = demand.clusters[place]
    rule = sizing_rule(spec, cluster, waiting=demand.is_awaited[place])
    hours = billed_hours_by_month(spec, dates)
    load = demand.load(place)
    week_shares = demand.loads.week_shares(hours)
    stored, cold = demand.stored_gib(), demand.stored_gib("infrequent")
    fullest = demand.fullest_gib()
    peak = load.max(axis=(1, 2))
    # The cluster must carry on after the worst loss of another one, so nodes that follow the load are sized for that.
    borne = peak if lost is None or cluster.nodes is not None else np.maximum(peak, lost[place])
    for_load, for_storage = nodes_for_load(borne, rule.cpu_target), nodes_for_storage(*fullest, rule)
    plan: Floats | None = None
    needed = round_up_to_step(np.maximum(np.maximum(for_load, for_storage), rule.min_nodes), rule.step)
    match cluster.nodes:
        case FixedNodes():
            there = np.full_like(needed, float(cluster.nodes.count))
            node_hours, most = there * hours, float(cluster.nodes.count)
        case Autoscaling():
            there, most = np.minimum(needed, rule.max_nodes), rule.max_nodes
            # Billed are the most nodes that an hour has.
            busy_hours = np.maximum.reduceat(load, demand.loads.hour_starts, axis=2)
            plan = _autoscaled_weeks(busy_hours, for_storage, rule)
            node_hours = (plan.mean(axis=2) * week_shares).sum(axis=1) * hours
        case _:
            there, node_hours, most = needed, needed * hours, float("inf")
    storage_nodes = min_nodes_for_storage(stored, cold, rule)
    low = _needed_nodes(rule, float(borne[-1]) * demand.load_low, *_bound_stored_gib(demand, "stored_low"))
    high = _needed_nodes(rule, float(borne[-1]) * demand.load_high, *_bound_stored_gib(demand, "stored_high"))
    return ClusterNodes(
        cluster=cluster.id,
        region=region_of(cluster),
        load_by_month=peak,
        needed_by_month=needed,
        nodes_by_month=there,
        node_hours_by_month=node_hours,
        needed_low=low,
        needed_high=high,
        limited_by=_limiting_resource(float(for_load[-1]), float(for_storage[-1]), rule.min_nodes),
        short_from=_short_from(demand, place, load, most * rule.cpu_target, dates),
        short_hours_per_month=float((_short_shares(demand, load, week_shares, rule, most) * hours)[1:].max()),
        full_from=_exceedance_date(storage_nodes, most, dates),
        # A cluster without nodes would divide by 0; the least that Bigtable has is 1.
        storage_share_by_month=storage_nodes / np.maximum(there, 1),
        explanation=_explain_nodes(
            spec, demand, rule, cluster, (peak, borne), fullest, for_load, for_storage, needed, there
        ),
        nodes_by_hour=plan,
        week_shares=None if plan is None else week_shares,
        fast_share_by_month=(stored - cold) / rule.node_gib / np.maximum(there, 1) if np.any(cold) else None,
        unknown_tables=demand.unknown_tables,
    )


def _short_from(
    demand: Demand, place: int, load: Floats, most_load: float, dates: tuple[datetime.date, ...]
) -> datetime.date | None:
    """Return the date from which a cluster is short of nodes: as its usual load grows, or on a named peak day.

    `load` and `most_load`: busy nodes by month, week and piece of it, and as many as there may be.
    """
    if most_load == float("inf"):
        return None
    # By the exact load, not by whole nodes: rounded up, the date would jump to the month in which a node is added.
    most_load += _ROUNDING
    usual = demand.usual_peak(place)
    days = [_exceedance_date(usual, most_load, dates)]
    for month in np.flatnonzero((load[:, RUNNING].max(axis=1) > most_load) & (demand.loads.ending_days > 0))[:1]:
        # A load that ends in the month was there from its beginning.
        days.append(None if max(usual[month - 1], usual[month]) > most_load else dates[month - 1])
    loads = demand.loads
    named = (day for day in loads.named_days if load[day.month, day.week, loads.pieces_of(day)].max() > most_load)
    days.append(next((day.date for day in named), None))
    return min((day for day in days if day is not None), default=None)


def _short_shares(demand: Demand, load: Floats, week_shares: Floats, rule: SizingRule, most: float) -> Floats:
    """Return the share of each month's hours in which the load is above target × the most nodes: (months + 1,)."""
    short_hours = (nodes_for_load(load, rule.cpu_target) > most) @ demand.loads.piece_hours
    return np.asarray((short_hours / HOURS_OF_WEEK * week_shares).sum(axis=1))


def _exceedance_date(amounts: Floats, maximum: float, dates: tuple[datetime.date, ...]) -> datetime.date | None:
    """Return the date on which the amount first exceeds `maximum`, growing evenly within a month."""
    over = np.flatnonzero(amounts > maximum)
    if not len(over):
        return None
    i = int(over[0])
    # Linear between the month's ends. The denominator is positive: amounts[i] is above the maximum and amounts[i − 1]
    # is not.
    part = float((maximum - amounts[i - 1]) / (amounts[i] - amounts[i - 1])) if i else 0.0
    return dates[i - 1] + (dates[i] - dates[i - 1]) * part if i else dates[0]


def min_nodes_for_storage(stored_gib: Floats, infrequent_gib: Floats, rule: SizingRule) -> Floats:
    """Nodes that these bytes fill to the hard limit: SSD (or HDD) alone and, with infrequent access, both together.

    References
    ----------
    Bigtable, "Tiered storage": at most 32 TB a node (64 with Enterprise Plus), of which at most 5 TB on SSD.
    """
    fast = (stored_gib - infrequent_gib) / rule.node_gib
    return np.maximum(fast, stored_gib / rule.tiered_gib) if np.any(infrequent_gib) else fast


def _autoscaled_weeks(load: Floats, for_storage: Floats, rule: SizingRule) -> Floats:
    """Nodes billed in each hour of the weeks of each month: (months + 1, weeks, 168)."""
    nodes = np.maximum(np.maximum(nodes_for_load(load, rule.cpu_target), for_storage[:, None, None]), rule.min_nodes)
    down = bigtable.ASSUMPTIONS["scale_down_share_per_hour"].value
    return autoscaled_nodes(np.minimum(round_up_to_step(nodes, rule.step), rule.max_nodes), down)


def _bound_stored_gib(demand: Demand, which: Literal["stored_low", "stored_high"]) -> tuple[float, float]:
    """Return the lowest or highest bytes stored at the end, and those in infrequent access, in GiB."""
    return float(demand.stored_gib(which)[-1]), float(demand.infrequent_bytes(which)[:, -1].sum()) / GiB


def _needed_nodes(rule: SizingRule, load: float, stored_gib: float, cold_gib: float) -> float:
    by_load = float(nodes_for_load(np.array(load), rule.cpu_target))
    # Rounding must not let the part in infrequent access exceed the whole, which would need negative fast storage.
    by_storage = float(nodes_for_storage(np.array(stored_gib), np.array(min(cold_gib, stored_gib)), rule))
    return float(round_up_to_step(np.array(max(by_load, by_storage, rule.min_nodes)), rule.step))


def _limiting_resource(for_load: float, for_storage: float, least: int) -> Literal["load", "storage", "minimum"]:
    if max(for_load, for_storage) <= least:
        return "minimum"
    return "load" if for_load >= for_storage else "storage"


def _explain_nodes(
    spec: Spec,
    demand: Demand,
    rule: SizingRule,
    cluster: Cluster,
    busy_nodes: tuple[Floats, Floats],
    stored_gib: tuple[Floats, Floats],
    for_load: Floats,
    for_storage: Floats,
    needed: Floats,
    nodes: Floats,
) -> tuple[Addend, ...]:
    """Five lines that a reader can redo: what is asked for at the end of the horizon, and what is there.

    By month, `busy_nodes`: with all clusters, and as sized for, which may be after the loss of one; `stored_gib`: all,
    and of that in infrequent access.
    """
    own, load = (round(float(busy_node[-1]), 3) for busy_node in busy_nodes)
    gib, cold = (round(float(series[-1]), 3) for series in stored_gib)
    by_load, by_storage, result = float(for_load[-1]), float(for_storage[-1]), float(nodes[-1])
    match cluster.nodes:
        case FixedNodes():
            how = N_("{needed_nodes} needed; {nodes} specified")
        case Autoscaling():
            how = N_("largest of the three: {needed_nodes}; within the autoscaling limits: {nodes}")
        case _:
            how = N_("largest of the three: {nodes}")
    cpu = {"load": format_decimal(round_quantity(load)), "cpu_target_share": rule.cpu_target, "nodes": by_load}
    storage = {"stored": format_decimal(round_quantity(gib)), "target_gib": rule.node_gib_target, "nodes": by_storage}
    least = {"least_nodes": rule.min_nodes, "step": rule.step}
    busy, storage_formula = N_("reads and writes use {load} nodes"), N_("{stored} GiB ÷ {target_gib}, rounded up")
    if (factor := bigtable.instance_factor(spec.instance)) is not None:
        busy = N_("reads and writes use {load} nodes, each calibrated to {throughput_factor} the published throughput")
        cpu["throughput_factor"] = factor
    if load > own:
        busy = N_("reads and writes use {load} nodes if another cluster fails, {own_load} otherwise")
        cpu["own_load"] = format_decimal(round_quantity(own))
    if demand.has_calibrated_storage:
        storage_formula = N_("{stored} GiB, as calibrated, ÷ {target_gib}, rounded up")
    if demand.unknown_tables and factor is None and load <= own:
        busy = N_("reads and writes of the tables whose load is known use {load} nodes")
    if demand.unknown_tables and not demand.has_calibrated_storage:
        storage_formula = N_("{stored} GiB of the tables whose size is known ÷ {target_gib}, rounded up")
    if cold > 0:
        storage_formula = N_(
            "larger of {fast} GiB on SSD ÷ {target_gib} and {stored} GiB in total ÷ {tiered_gib}, rounded up"
        )
        storage |= {"fast": format_decimal(round_quantity(gib - cold)), "tiered_gib": rule.tiered_gib}
    rounded = N_("{load} ÷ {cpu_target_share}, rounded up")
    addends = [
        Addend(N_("Load in the busiest hour"), load, "nodes", busy, cpu),
        Addend(N_("Nodes for the load"), by_load, "nodes", rounded, cpu),
        Addend(N_("Nodes for the storage"), by_storage, "nodes", storage_formula, storage),
    ]
    if demand.tables and not any(demand.is_load_known):
        addends[:2] = [replace(addend, value=None, formula=N_("no table has a known load")) for addend in addends[:2]]
    if demand.tables and not any(demand.is_stored_known):
        addends[2] = replace(addends[2], value=None, formula=N_("no table has a known size"))
    return (
        *addends,
        Addend(N_("Minimum"), float(rule.min_nodes), "nodes", N_("at least {least_nodes}, in steps of {step}"), least),
        Addend(N_("Nodes"), result, "nodes", how, {"needed_nodes": float(needed[-1]), "nodes": result}),
    )
