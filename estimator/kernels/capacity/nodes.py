"""Nodes that each cluster needs, has and pays for, over the horizon and over a week."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.document import Spec, assumed
from designer.document.instance import Autoscaling, Cluster, FixedNodes
from designer.document.texts import N_
from estimator.engines import GiB, bigtable
from estimator.results import Addend, ClusterNodes, TablePart
from estimator.results.arrays import Floats

from ..population.timeline import month_dates
from .amounts import figure, quantity
from .demand import Demand, demand, region_of
from .failover import loads_after_loss

_ROUNDING = 1e-9
"""So that 3.0000000001 busy nodes need three."""


@dataclass(frozen=True)
class Rule:
    """Targets and limits by which one cluster is sized."""

    cpu_target: float
    node_gib_target: float
    """Storage that a node should hold at most. [GiB]"""
    node_gib: float
    """Storage that a node can hold. [GiB]"""
    tiered_gib: float
    """SSD and infrequent access that a node can hold. [GiB]"""
    least: int
    most: float
    step: int


def sizing_rule(spec: Spec, cluster: Cluster, *, waiting: bool) -> Rule:
    """Targets and bounds of a cluster: an autoscaled one has its own, else they are those of who it serves."""
    storage: Literal["ssd", "hdd"] = assumed(spec, spec.instance, "storage")
    targets = bigtable.LATENCY if waiting else bigtable.BATCH
    plus = assumed(spec, spec.instance, "edition") == "enterprise_plus"
    cpu, gib = targets.cpu_share, float(bigtable.storage_target_gib(storage, targets.storage_share))
    least: int = cluster.node_scaling
    most = float("inf")
    if isinstance(cluster.nodes, Autoscaling):
        cpu = float(assumed(spec, cluster.nodes, "cpu_target")) or cpu
        gib = cluster.nodes.storage_target_gib or bigtable.LIMITS[f"autoscaling_{storage}_gib_min"].value
        least, most = max(cluster.nodes.min, least), float(max(cluster.nodes.max, cluster.nodes.min, 1))
    return Rule(
        cpu_target=cpu,
        node_gib_target=gib,
        node_gib=bigtable.node_gib(storage),
        tiered_gib=bigtable.LIMITS["node_bytes_tiered_plus" if plus else "node_bytes_tiered"].value / GiB,
        least=least,
        most=most,
        step=cluster.node_scaling,
    )


def nodes_for_load(load: Floats, cpu_target: float) -> Floats:
    """Return ⌈load ÷ target⌉ in nodes; load in busy nodes, any shape."""
    return np.ceil(load / cpu_target - _ROUNDING)


def nodes_for_storage(stored_gib: Floats, infrequent_gib: Floats, rule: Rule) -> Floats:
    """Return max(⌈fast storage ÷ target⌉, ⌈all storage ÷ tiered limit⌉) in nodes; any shape.

    References
    ----------
    Bigtable, "Autoscaling" (updated 2026-04-08) and "Tiered storage".
    """
    fast = np.ceil((stored_gib - infrequent_gib) / rule.node_gib_target - _ROUNDING)
    if not np.any(infrequent_gib):
        return fast
    return np.maximum(fast, np.ceil(stored_gib / rule.tiered_gib - _ROUNDING))


def in_steps(nodes: Floats, step: int) -> Floats:
    """Return the number of nodes rounded up to the step of 2× node scaling; any shape."""
    return np.ceil(nodes / step - _ROUNDING) * step


def autoscaled_week(wanted: Floats, down_share: float) -> Floats:
    """Nodes billed in each hour of a week that repeats: up at once, down by at most a share of the nodes an hour.

    Parameters
    ----------
    wanted : float64, shape (..., 168)
        Nodes that each hour asks for. [nodes]
    down_share
        Share of the nodes that may go in one hour, at least one node. [0…1]

    Returns
    -------
    float64, shape (..., 168)
        An hour is billed at its maximum, so an hour in which nodes come counts with all of them. [nodes]
    """
    hours = wanted.shape[-1]
    if hours == 0 or not np.any(wanted != wanted[..., :1]):
        return wanted.copy()
    first = wanted.argmax(axis=-1)[..., None]  # the week is walked from its fullest hour on, where nothing is left over
    turn = (np.arange(hours) + first) % hours
    turned = np.take_along_axis(wanted, turn, axis=-1)
    plan, before = np.empty_like(turned), turned[..., 0]
    for hour in range(hours):
        slow = np.minimum(before - 1, np.floor(before * (1 - down_share) + _ROUNDING))
        before = np.maximum(turned[..., hour], slow)
        plan[..., hour] = before
    back = np.empty_like(plan)
    np.put_along_axis(back, turn, plan, axis=-1)
    return back


def cluster_nodes(spec: Spec, parts: Mapping[str, TablePart]) -> tuple[ClusterNodes, ...]:
    """Nodes of every cluster of the instance over the horizon; one assumed cluster where none is named."""
    return nodes_of(spec, demand(spec, parts))


def nodes_of(spec: Spec, given: Demand, *, dates: tuple[datetime.date, ...] | None = None) -> tuple[ClusterNodes, ...]:
    """Return the nodes of each cluster from stacked demand.

    `dates` are those of its months where they do not cover the full horizon.
    """
    days = dates or month_dates(spec)[-given.months - 1 :]
    following = any(cluster.nodes is None for cluster in given.clusters)
    lost = loads_after_loss(given) if following and len(given.clusters) > 1 else None
    return tuple(_cluster(spec, given, i, days, lost) for i in range(len(given.clusters)))


def _cluster(
    spec: Spec, given: Demand, place: int, dates: tuple[datetime.date, ...], lost: Floats | None
) -> ClusterNodes:
    """One cluster; `lost`: what each has to do after the worst loss of another, which nodes that follow the load bear.

    A number of nodes that a person sets, or an autoscaler's bounds, are measured against it by a rule.
    """
    cluster = given.clusters[place]
    rule = sizing_rule(spec, cluster, waiting=given.waiting[place])
    hours = float(assumed(spec, spec.instance, "month_hours"))
    load, stored, cold = given.load(place), given.stored_gib(), given.stored_gib("infrequent")
    peak = load.max(axis=1)
    borne = peak if lost is None or cluster.nodes is not None else np.maximum(peak, lost[place])
    for_load, for_storage = nodes_for_load(borne, rule.cpu_target), nodes_for_storage(stored, cold, rule)
    plan: Floats | None = None
    needed = in_steps(np.maximum(np.maximum(for_load, for_storage), rule.least), rule.step)
    match cluster.nodes:
        case FixedNodes():
            there = np.full_like(needed, float(cluster.nodes.count))
            node_hours, most = there * hours, float(cluster.nodes.count)
        case Autoscaling():
            there, most = np.minimum(needed, rule.most), rule.most
            weeks = (given.load(place, usual=True), load)
            plan = np.stack([_autoscaled(week, for_storage, rule) for week in weeks], axis=1)
            usual, busiest = plan.mean(axis=2).T
            node_hours = (usual + (busiest - usual) * given.peak_share(hours)) * hours
        case _:
            there, node_hours, most = needed, needed * hours, float("inf")
    load_nodes = borne / rule.cpu_target
    held = nodes_held(stored, cold, rule)
    low = _needed(rule, float(borne[-1]) * given.load_low, *_gib(given, "stored_low"))
    high = _needed(rule, float(borne[-1]) * given.load_high, *_gib(given, "stored_high"))
    return ClusterNodes(
        cluster=cluster.id,
        region=region_of(cluster),
        load_by_month=peak,
        needed_by_month=needed,
        nodes_by_month=there,
        node_hours_by_month=node_hours,
        needed_low=low,
        needed_high=high,
        limited_by=_limited(float(for_load[-1]), float(for_storage[-1]), rule.least),
        short_from=_passes(load_nodes, most + _ROUNDING, dates),
        short_hours_per_month=float((nodes_for_load(load[-1], rule.cpu_target) > most).mean()) * hours,
        full_from=_passes(held, most, dates),
        storage_share_by_month=held / np.maximum(there, 1),
        explanation=_explained(
            spec, given, rule, cluster, (peak, borne), (stored, cold), for_load, for_storage, needed, there
        ),
        nodes_by_hour=plan,
        fast_share_by_month=(stored - cold) / rule.node_gib / np.maximum(there, 1) if np.any(cold) else None,
    )


def _passes(held: Floats, most: float, dates: tuple[datetime.date, ...]) -> datetime.date | None:
    """Return the date on which the amount first exceeds `most`, growing evenly within a month."""
    over = np.flatnonzero(held > most)
    if not len(over):
        return None
    i = int(over[0])
    part = float((most - held[i - 1]) / (held[i] - held[i - 1])) if i else 0.0
    return dates[i - 1] + (dates[i] - dates[i - 1]) * part if i else dates[0]


def nodes_held(stored_gib: Floats, infrequent_gib: Floats, rule: Rule) -> Floats:
    """Nodes that these bytes fill to the hard limit: SSD (or HDD) alone and, with infrequent access, both together.

    References
    ----------
    Bigtable, "Tiered storage": at most 32 TB a node (64 with Enterprise Plus), of which at most 5 TB on SSD.
    """
    fast = (stored_gib - infrequent_gib) / rule.node_gib
    return np.maximum(fast, stored_gib / rule.tiered_gib) if np.any(infrequent_gib) else fast


def _autoscaled(load: Floats, for_storage: Floats, rule: Rule) -> Floats:
    """Nodes billed in each hour of the week of each month: (months + 1, 168)."""
    asked = np.maximum(np.maximum(nodes_for_load(load, rule.cpu_target), for_storage[:, None]), rule.least)
    down = bigtable.ASSUMPTIONS["scale_down_share_per_hour"].value
    return autoscaled_week(np.minimum(in_steps(asked, rule.step), rule.most), down)


def _gib(given: Demand, which: Literal["stored_low", "stored_high"]) -> tuple[float, float]:
    """Return the lowest or highest bytes stored at the end, and those in infrequent access, in GiB."""
    return float(given.stored_gib(which)[-1]), float(given.cold(which)[:, -1].sum()) / GiB


def _needed(rule: Rule, load: float, stored_gib: float, cold_gib: float) -> float:
    by_load = float(nodes_for_load(np.array(load), rule.cpu_target))
    by_storage = float(nodes_for_storage(np.array(stored_gib), np.array(min(cold_gib, stored_gib)), rule))
    return float(in_steps(np.array(max(by_load, by_storage, rule.least)), rule.step))


def _limited(for_load: float, for_storage: float, least: int) -> Literal["load", "storage", "minimum"]:
    if max(for_load, for_storage) <= least:
        return "minimum"
    return "load" if for_load >= for_storage else "storage"


def _explained(
    spec: Spec,
    given: Demand,
    rule: Rule,
    cluster: Cluster,
    busy_nodes: tuple[Floats, Floats],
    stored_gib: tuple[Floats, Floats],
    for_load: Floats,
    for_storage: Floats,
    needed: Floats,
    there: Floats,
) -> tuple[Addend, ...]:
    """Five lines that a reader can redo: what is asked for at the end of the horizon, and what is there.

    By month, `busy_nodes`: with all clusters, and as sized for, which may be after the loss of one; `stored_gib`: all,
    and of that in infrequent access.
    """
    own, load = (round(float(each[-1]), 3) for each in busy_nodes)
    gib, cold = (round(float(each[-1]), 3) for each in stored_gib)
    by_load, by_storage, result = float(for_load[-1]), float(for_storage[-1]), float(there[-1])
    match cluster.nodes:
        case FixedNodes():
            how = N_("{needed_nodes} needed; {nodes} specified")
        case Autoscaling():
            how = N_("largest of the three: {needed_nodes}; within the autoscaling limits: {nodes}")
        case _:
            how = N_("largest of the three: {nodes}")
    cpu = {"load": figure(quantity(load)), "cpu_target_share": rule.cpu_target, "nodes": by_load}
    storage = {"stored": figure(quantity(gib)), "target_gib": rule.node_gib_target, "nodes": by_storage}
    least = {"least_nodes": rule.least, "step": rule.step}
    busy, held = N_("reads and writes use {load} nodes"), N_("{stored} GiB ÷ {target_gib}, rounded up")
    if (factor := bigtable.instance_factor(spec.instance)) is not None:
        busy = N_("reads and writes use {load} nodes, each calibrated to {throughput_factor} the published throughput")
        cpu["throughput_factor"] = factor
    if load > own:
        busy = N_("reads and writes use {load} nodes if another cluster fails, {own_load} otherwise")
        cpu["own_load"] = figure(quantity(own))
    if given.stored_calibrated:
        held = N_("{stored} GiB, as calibrated, ÷ {target_gib}, rounded up")
    if cold > 0:
        held = N_("larger of {fast} GiB on SSD ÷ {target_gib} and {stored} GiB in total ÷ {tiered_gib}, rounded up")
        storage |= {"fast": figure(quantity(gib - cold)), "tiered_gib": rule.tiered_gib}
    return (
        Addend(N_("Load in the busiest hour"), load, "nodes", busy, cpu),
        Addend(N_("Nodes for the load"), by_load, "nodes", N_("{load} ÷ {cpu_target_share}, rounded up"), cpu),
        Addend(N_("Nodes for the storage"), by_storage, "nodes", held, storage),
        Addend(N_("Minimum"), float(rule.least), "nodes", N_("at least {least_nodes}, in steps of {step}"), least),
        Addend(N_("Nodes"), result, "nodes", how, {"needed_nodes": float(needed[-1]), "nodes": result}),
    )
