"""Stateful part of a run, played once over the counts: tablets, balancer, serving, autoscaling."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from designer.document import Spec
from designer.document.columnkey import ColumnKey
from designer.document.instance import Autoscaling
from designer.document.texts import N_
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.kernels.capacity.demand import clusters_of, region_of
from estimator.kernels.capacity.nodes import SizingRule
from estimator.results.arrays import Flags, Floats, Ints

from .assumptions import run_assumptions
from .counting import Beat, OperationCounts, count, ignore_progress
from .diagnoses import diagnoses
from .growing import bytes_at_ends, table_days
from .parameters import Parameters
from .plan import CODE_VERSION, Plan, PlannedFlow, PlannedTable
from .planning import build_plan as planned
from .points import Point, find_points, indivisible_load
from .reading import hot_keys, labels, month_cost, patterns, row_bytes
from .results import ClusterRun, SeedSpread, Simulation, TableRun
from .scaling import Scaler
from .servers import servers_of
from .serving import Balancer, OfferedLoad, ServingResult, serve
from .splits import propose_splits
from .tablets import TabletRules, steady_tablets, with_cuts

QUARTER_S = 900
"""What `split_ways` is said of."""

FILLED = 0.5
"""A range that holds less than this of what it will hold at the end fills during the period."""

Points = Mapping[str, Sequence[Point]]
"""By table, what cannot be split."""

PLAYING = N_("Simulating tablets and nodes")
READING = N_("Summarising the result")


@dataclass(frozen=True, eq=False)
class Grids:
    """Counts of one table, its flows together; int64 (ranges, windows)."""

    reads: Ints
    writes: Ints
    bytes: Ints
    node_ns: Ints


def play(plan: Plan, counts: OperationCounts, beat: Beat = ignore_progress) -> Simulation:
    """Return the result of a plan and its counts of all windows."""
    points = {t.table.id: find_points(plan, t, lambda: beat(0.0, PLAYING)) for t in plan.tables}
    rules = servers_of(plan.spec).sizing_rules(plan.spec, plan.estimate)
    runs = list(_runs(plan, counts, points, rules, beat))
    beat(0.9, READING)
    services = runs[0]
    tables = {}
    for place, table in enumerate(plan.tables):
        beat(0.9 + 0.1 * place / len(plan.tables), READING)
        tables[table.table.id] = _table_run(plan, table, _grids(plan, table, counts, 0), services, place)
    clusters = tuple(_cluster_run(plan, place, serving, rules[place]) for place, serving in enumerate(services))
    total, at_least, currency = month_cost(plan)
    return Simulation(
        sha256=plan.sha256,
        parameters=plan.parameters,
        code_version=CODE_VERSION,
        window_starts=plan.window_starts,
        window_seconds=plan.window_seconds,
        tables=tables,
        clusters=clusters,
        diagnoses=diagnoses(plan, tables, clusters, services, points),
        assumptions=run_assumptions(plan.spec.engine, plan.parameters.assumptions),
        spread=_seed_spreads(plan, runs),
        events=round(sum(int(c[0].sum()) / f.pieces for f, c in zip(plan.flows, counts.flows, strict=True))),
        cost=total,
        cost_at_least=at_least,
        currency=currency,
        names=element_names(plan),
    )


def _runs(
    plan: Plan, counts: OperationCounts, points: Points, rules: Sequence[SizingRule], beat: Beat
) -> Iterator[tuple[ServingResult, ...]]:
    """All clusters through all windows, once for each seed."""
    seeds, clusters = plan.parameters.seeds, len(plan.clusters)

    def report(seed: int, cluster: int, window: int) -> None:
        beat(0.9 * (seed + (cluster + window / plan.windows) / clusters) / seeds, PLAYING)

    for seed in range(seeds):
        yield tuple(_serve_clusters(plan, counts, seed, points, rules, partial(report, seed)))


def element_names(plan: Plan) -> dict[str, str]:
    """Return the names of tables and clusters."""
    names = {table.table.id: table.table.label for table in plan.tables}
    return names | {cluster.id: cluster.label for cluster in clusters_of(plan.spec)}


def simulate(
    spec: Spec, context: Context, parameters: Parameters | None = None, beat: Beat = ignore_progress, *,
    allowed: Callable[[Plan], None] = lambda _: None,
) -> Simulation:  # fmt: skip
    """Plan, count and play in one process; `allowed` raises where the plan is not to be played."""
    plan = planned(spec, parameters or Parameters(), context)
    allowed(plan)
    share = 0.5 if plan.parameters.counting == "computed" else 0.95
    counts = count(plan, 0, plan.windows, lambda done, doing: beat(done * share, doing))
    return play(plan, counts, lambda done, doing: beat(share + done * (1 - share), doing))


def table_counts(plan: Plan, table: PlannedTable, counts: OperationCounts, seed: int) -> list[Ints]:
    """(ranges, windows) of each flow of a table, long scans in the windows that they last."""
    return [spread_scans(plan, flow, counts.flows[plan.flows.index(flow)][seed]) for flow in table.flows]


def spread_scans(plan: Plan, flow: PlannedFlow, counts: Ints) -> Ints:
    """Pieces where they are read: those of a scan that lasts several windows one after the other, in key order.

    What is still to be read as the period ends stands for what was under way as it began: it comes in the first
    windows. At the start of a new table nothing was.

    Parameters
    ----------
    counts : int64 (ranges, windows)
        In the window in which the operation begins.
    """
    if flow.lasts == 1:
        return counts
    later = np.zeros_like(counts)
    for window in np.flatnonzero(counts.any(axis=0)).tolist():
        day, of_day = divmod(window, plan.windows_per_day)
        shares = plan.shares(flow, day)
        share = shares[:, of_day % shares.shape[1]]
        # A range is read when the scan has covered the share of the keys before its middle.
        after = np.minimum((np.cumsum(share) - share / 2) * flow.lasts, flow.lasts - 1).astype(np.int64)
        there = np.flatnonzero(counts[:, window])
        at = window + after[there]
        if plan.new:
            there, at = there[at < plan.windows], at[at < plan.windows]
        # `add.at`, because scans that began in different windows can be in one range at one time. The modulo carries
        # what is still open at the end to the beginning of the period.
        np.add.at(later, (there, at % plan.windows), counts[there, window])
    return later


def _grids(plan: Plan, table: PlannedTable, counts: OperationCounts, seed: int) -> Grids:
    size = (table.ranges, plan.windows)
    reads, writes, byte_counts, node = (np.zeros(size, dtype=np.int64) for _ in range(4))
    for flow, flow_counts in zip(table.flows, table_counts(plan, table, counts, seed), strict=True):
        (writes if flow.is_write else reads)[...] += operations(flow, flow_counts)
        # Rounded per flow and not at the end, as all grids are exact integers.
        byte_counts += np.rint(flow_counts * flow.piece_bytes).astype(np.int64)
        node += flow_counts * flow.piece_ns
    return Grids(reads, writes, byte_counts, node)


def operations(flow: PlannedFlow, counts: Ints) -> Ints:
    """Whole operations of counted pieces, each range's part rounded."""
    return counts if flow.pieces == 1 else np.rint(counts / flow.pieces).astype(np.int64)


def _tablet_rules(plan: Plan) -> TabletRules:
    assumed = plan.parameters.assumption
    quarters = plan.window_seconds / QUARTER_S
    split = assumed("split_node_share")
    return TabletRules(
        bytes=assumed(servers_of(plan.spec).SIZE_ASSUMPTION),
        split=split,
        # Two neighbours that merge must stay below the split load together, or they would split again at once.
        merge=min(assumed("merge_node_share"), split / 2),
        # Splitting compounds: 4 tablets after a quarter of an hour are 4^4 = 256 after the hour of a month's window.
        ways=min(assumed("split_ways") ** quarters, 1e6),
        merge_windows=max(round(assumed("merge_after_seconds") / plan.window_seconds), 1),
        splitting=assumed("splitting") > 0,
        overfull=assumed("overfull_factor"),
    )


def _serve_clusters(
    plan: Plan,
    counts: OperationCounts,
    seed: int,
    points: Points,
    rules: Sequence[SizingRule],
    report_progress: Callable[[int, int], None],
) -> Iterator[ServingResult]:
    assumed, splitting = plan.parameters.assumption, _tablet_rules(plan)
    balancer = Balancer(
        assumed("balancing") > 0,
        assumed("balance_slack_share"),
        assumed("moved_share"),
        partitions=not engine_of(plan.spec).HAS_NODES,
    )
    retried = assumed("retried_share") if plan.parameters.retries else 0.0
    for cluster, rule in enumerate(rules):
        offered = [
            _offered_load(plan, table, counts, seed, points[table.table.id], cluster, splitting)
            for table in plan.tables
        ]
        nodes = _scaler(plan, cluster, rule, offered)
        yield serve(
            offered,
            nodes,
            splitting,
            balancer,
            retried_share=retried,
            report_progress=partial(report_progress, cluster),
        )


def _offered_load(
    plan: Plan,
    table: PlannedTable,
    counts: OperationCounts,
    seed: int,
    points: Sequence[Point],
    cluster: int,
    rules: TabletRules,
) -> OfferedLoad:
    size = (table.ranges, plan.windows)
    load, writes, reads = np.zeros(size), np.zeros(size), np.zeros(size)
    mine = table_counts(plan, table, counts, seed)
    for flow, flow_counts in zip(table.flows, mine, strict=True):
        routed = flow.routed[cluster]
        if routed > 0:
            part = flow_counts * routed
            (writes if flow.is_write else reads)[...] += part / flow.pieces
            load += part * plan.node_fraction(flow)
    servers = servers_of(plan.spec)
    work = servers.split_load(
        load, writes + reads, assumed=plan.parameters.assumption, window_seconds=plan.window_seconds
    )
    (begin, end), (first_cold, last_cold) = bytes_at_ends(plan, table)
    first, last = table.first_share * float(begin), table.stored_share * float(end)
    per = max(plan.windows - 1, 1)

    def stored_bytes_at(window: int) -> Floats:
        return first + (last - first) * (window / per)

    def cold(window: int) -> float:
        return float(first_cold + (last_cold - first_cold) * (window / per))

    # The first day stands for the days before the period, in which tablets took their places.
    day = work[:, : plan.windows_per_day].mean(axis=1)
    steady = np.zeros(table.ranges) if plan.new else day
    if rules.splitting:  # what fills during the period has no tablet of its own yet
        steady = np.where(first < FILLED * last, 0.0, steady)
        start = steady_tablets(first, steady, rules, continues_partition(table))
    else:
        start = steady_tablets(last, steady, rules, continues_partition(table))
    firsts = np.array([b"", *map(bytes, table.bounds)], dtype=object)
    cuts = np.flatnonzero(np.isin(firsts, servers.initial_split_keys(table.table)))
    if len(cuts):
        start = with_cuts(start, cuts)
    solid, most = indivisible_load(plan, table, points, mine, load, cluster)
    return OfferedLoad(table.table.id, load, solid, most, work, writes, reads, stored_bytes_at, start, steady, cold)


def continues_partition(table: PlannedTable) -> Flags:
    """(ranges,) whether a range begins within the partition-key value in which the one before it begins, too."""
    flags = np.zeros(table.ranges, dtype=np.bool_)
    columns = table.display_pattern.inputs.columns
    if columns:
        values = [
            ColumnKey.from_bytes(bytes(bound), [column.form for column in columns]).values[:1] for bound in table.bounds
        ]
        # Range i + 2 begins at bound i + 1, and the range before it at bound i. The first range begins before all
        # keys.
        flags[2:] = [value == other for value, other in pairwise(values)]
    return flags


def _scaler(plan: Plan, place: int, rule: SizingRule, offered: Sequence[OfferedLoad]) -> Scaler:
    return servers_of(plan.spec).scaler(
        plan.spec,
        plan.estimate,
        place,
        rule,
        assumed=plan.parameters.assumption,
        load=sum(float(table_load.load[:, 0].sum()) for table_load in offered),
        stored_bytes=sum(float(table_load.stored(0).sum()) for table_load in offered),
        cold_bytes=sum(table_load.cold(0) for table_load in offered),
        window_seconds=plan.window_seconds,
    )


def _table_run(
    plan: Plan, table: PlannedTable, grids: Grids, services: Sequence[ServingResult], place: int
) -> TableRun:
    days = table_days(plan, table)
    return TableRun(
        table=table.table.id,
        bounds=tuple(map(table.display_pattern.readable_key, table.bounds)),
        labels=labels(table),
        stored_share=table.stored_share,
        reads=grids.reads,
        writes=grids.writes,
        bytes=grids.bytes,
        node_ns=grids.node_ns,
        row_bytes=row_bytes(plan, table, days),
        tablets=np.max([[tablet[place] for tablet in service.tablets] for service in services], axis=0).astype(
            np.int64
        ),
        days=days,
        hot_keys=hot_keys(plan, table),
        patterns=patterns(plan, table),
        split_keys=propose_splits(plan, table.table.id),
    )


def _cluster_run(plan: Plan, place: int, service: ServingResult, rule: SizingRule) -> ClusterRun:
    cluster = servers_of(plan.spec).cluster(plan.spec, place)
    return ClusterRun(
        cluster=plan.clusters[place],
        region=region_of(cluster) if cluster is not None else "",
        nodes=np.array(service.nodes, dtype=np.int64),
        working=np.array(service.working, dtype=np.int64),
        hottest=np.array(service.hottest),
        median=np.array(service.median),
        mean=np.array(service.mean),
        hottest_share=np.array(service.hottest_share),
        hottest_write_share=np.array(service.hottest_write_share),
        hottest_read_share=np.array(service.hottest_read_share),
        refused=np.rint(service.refused).astype(np.int64),
        refused_share=np.array(service.refused_share),
        reachable=np.array(service.reachable),
        reached=np.array(service.reached),
        moves=np.array(service.moves, dtype=np.int64),
        cpu_target=rule.cpu_target if cluster is not None else None,
        scaled=cluster is not None and isinstance(cluster.nodes, Autoscaling),
    )


def _seed_spreads(plan: Plan, runs: Sequence[tuple[ServingResult, ...]]) -> tuple[SeedSpread, ...]:
    """Return the differences between seeds."""
    if len(runs) < 2:
        return ()
    spreads = []
    for place, cluster in enumerate(plan.clusters):
        of = [run[place] for run in runs]
        figures = {
            "peak_utilisation_share": [max(serving.hottest) for serving in of],
            "refused_operations": [sum(serving.refused) for serving in of],
            "reachable_factor": [min(serving.reachable) for serving in of],
            "reached_factor": [min(serving.reached) for serving in of],
            "tablets": [float(max(map(sum, serving.tablets))) for serving in of],
            "nodes": [float(max(serving.nodes)) for serving in of],
        }
        spreads += [SeedSpread(name, cluster, tuple(map(float, values))) for name, values in figures.items()]
    return tuple(spreads)
