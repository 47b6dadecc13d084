"""Demand of an instance's tables on its clusters, stacked in arrays: the input of all costs."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Read, Where, Write
from designer.document.durations import DAY_SECONDS
from designer.document.instance import AppProfile, Cluster
from designer.document.table import Backup, Table
from estimator.engines import GiB, bigtable
from estimator.price_books.regions import area
from estimator.results import ReadCourse, TableGrowth, TablePart
from estimator.results.arrays import Floats

from ..population.rates import MonthlyRates, monthly_rates, read_rates
from ..population.timeline import month_dates
from .access_loads import AccessLoads, LoadByHour, access_loads

ASSUMED_CLUSTER = bigtable.ASSUMED_REGION
"""Id of the one cluster that an instance without clusters is computed with: what stands where there is no name."""


@dataclass(frozen=True)
class ReadFlow:
    """One read with a rate: what it returns and where it is served."""

    read: Read
    table: str
    per_second: Floats
    """(months + 1,)"""
    course: ReadCourse
    """What one request takes and returns."""
    profile: AppProfile | None

    @property
    def is_boosted(self) -> bool:
        """Data Boost serves it, and no cluster."""
        return self.profile is not None and self.profile.data_boost

    @property
    def load(self) -> Floats:
        """(months + 1,) busy nodes of all clusters together."""
        # The node time of a request through Data Boost is that of the bill's line for Data Boost, not of any cluster:
        # a table's read load leaves it out, too.
        return self.per_second * (0.0 if self.is_boosted else self.course.node_seconds)

    def served_share(self, clusters: tuple[Cluster, ...]) -> Floats:
        """Share of its requests that each cluster serves: (clusters,), sum 1."""
        return serving_share(clusters, self.profile, self.read.where)


@dataclass(frozen=True)
class WriteFlow:
    """One write with a rate."""

    write: Write
    table: str
    rates: MonthlyRates
    """Row mutations."""
    profile: AppProfile | None
    mutation_bytes: float
    """Of one row."""


@dataclass(frozen=True)
class BackupPlan:
    """One backup, with what is assumed where it says nothing."""

    backup: Backup
    table: int
    """Place of its table."""
    kept_days: float
    every_hours: float


@dataclass(frozen=True)
class Demand:
    """Arrays are (tables, months + 1) unless they say otherwise; `tables` are those of the document, in order.

    Loads are node time per time: 1 is one busy node. Bytes are physical.
    """

    tables: tuple[Table, ...]
    clusters: tuple[Cluster, ...]
    loads: AccessLoads
    served_share: Floats
    """(clusters, accesses) share of each access's load that a cluster has to do."""
    is_awaited: tuple[bool, ...]
    """(clusters,) somebody waits for an answer, or nothing is read; False: batch work only."""
    stored: Floats
    stored_low: Floats
    stored_high: Floats
    infrequent: Floats
    mean_ratio: Floats
    """(tables, months) mean of the stored bytes over each month ÷ mean of its two ends. [1]"""
    infrequent_mean_ratio: Floats
    """(tables, months) the same of those in infrequent access. [1]"""
    passing: Floats
    """(tables, months) mean bytes of each month that come and go within it."""
    changed_per_day: Floats
    """(tables, months) in the mean of each month."""
    mutation_per_second: Floats
    """(tables, months) logical bytes, in the mean of each month."""
    reads: tuple[ReadFlow, ...]
    writes: tuple[WriteFlow, ...]
    backups: tuple["BackupPlan", ...]
    is_load_known: tuple[bool, ...]
    is_stored_known: tuple[bool, ...]
    load_low: float = 1.0
    load_high: float = 2.0
    """The load is this many times what is said, at best and at worst: published throughput, and half of it; where the
    throughput is calibrated, a little to either side."""
    is_calibrated: bool = False
    """Nodes carry what an existing cluster was seen to carry."""
    has_calibrated_storage: bool = False
    """Bytes become as small on disk as on an existing cluster."""
    has_measured_storage: bool = False
    """Of every table it was measured how small its bytes become."""

    @property
    def months(self) -> int:
        """Months of the horizon."""
        return int(self.stored.shape[1]) - 1

    @property
    def unknown_tables(self) -> tuple[str, ...]:
        """Ids of the tables whose load or size is not known."""
        states = zip(self.tables, self.is_load_known, self.is_stored_known, strict=True)
        return tuple(table.id for table, has_load, has_size in states if not (has_load and has_size))

    def load(self, cluster: int) -> Floats:
        """Busy nodes of one cluster per month, week and piece of it: (months + 1, weeks, pieces).

        Every write counts in it.
        """
        return self.loads.weeks(self.served_share[cluster])

    def usual_peak(self, cluster: int) -> Floats:
        """Busy nodes of one cluster in the busiest hour of a usual week at each month's end: (months + 1,)."""
        return np.asarray(self.loads.usual_at_ends(self.served_share[cluster]).max(axis=1))

    def fullest_gib(self) -> tuple[Floats, Floats]:
        """Return the bytes of all tables at the fullest of each month, and of them those in infrequent access, in GiB.

        Of the month's beginning, its end and its mean, which tells what comes and goes within it: (months + 1,) each.
        """
        stored, cold = self.stored_gib(), self.stored_gib("infrequent")
        mean = (self.stored[:, 1:] + self.stored[:, :-1]) / 2 * self.mean_ratio + self.passing
        cold_mean = (self.infrequent[:, 1:] + self.infrequent[:, :-1]) / 2 * self.infrequent_mean_ratio
        all_stored, all_cold = (
            np.stack([end, np.insert(end[:-1], 0, end[0]), np.insert(within.sum(axis=0) / GiB, 0, end[0])])
            for end, within in ((stored, mean), (cold, np.minimum(cold_mean, mean)))
        )
        moment, month = (all_stored - all_cold).argmax(axis=0), np.arange(len(stored))
        return np.asarray(all_stored[moment, month]), np.asarray(all_cold[moment, month])

    def served_shares(self, clusters: tuple[Cluster, ...]) -> Floats:
        """Return the share of each access that each of these clusters has to do: (clusters, accesses)."""
        return served_shares(self.loads, {flow.read.id: flow for flow in self.reads}, clusters)

    def stored_gib(self, which: Literal["stored", "stored_low", "stored_high", "infrequent"] = "stored") -> Floats:
        """Return the bytes of all tables as each cluster stores them, in GiB: (months + 1,)."""
        total: Floats = getattr(self, which).sum(axis=0) / GiB
        return total

    def infrequent_bytes(self, which: Literal["stored", "stored_low", "stored_high"] = "stored") -> Floats:
        """Return the part of the stored bytes that is in infrequent access: (tables, months + 1).

        `which` selects the expected, the lowest or the highest stored bytes.
        """
        stored_bytes: Floats = getattr(self, which)
        # Compression and garbage change both tiers alike, so the same share of the low and high bytes is in infrequent
        # access.
        return np.asarray(
            self.infrequent
            * np.divide(stored_bytes, self.stored, out=np.ones_like(stored_bytes), where=self.stored > 0)
        )

    def last(self) -> "Demand":
        """Return the demand of the last month alone."""
        return self.of_month(max(self.months - 1, 0))

    def of_month(self, month: int) -> "Demand":
        """Return the demand of one month alone, from 0, with its values at the beginning and the end."""
        ends, mean = slice(month, month + 2), slice(month, month + 1)
        return replace(
            self,
            **{name: getattr(self, name)[:, ends] for name in MONTHLY},
            loads=self.loads.of_month(month),
            **{name: getattr(self, name)[:, mean] for name in MEANS},
            reads=tuple(replace(r, per_second=r.per_second[ends], course=r.course.of_month(month)) for r in self.reads),
            writes=tuple(replace(write, rates=write.rates.of_month(month)) for write in self.writes),
        )


MONTHLY = ("stored", "stored_low", "stored_high", "infrequent")
"""Fields of `Demand` with one value per table, at the start and after each month."""
MEANS = ("mean_ratio", "infrequent_mean_ratio", "passing", "changed_per_day", "mutation_per_second")
"""Fields of `Demand` with one value per table and month."""


def clusters_of(spec: Spec) -> tuple[Cluster, ...]:
    """Return the instance's clusters; where it names none, one cluster with as many nodes as needed."""
    return spec.instance.clusters or (Cluster(id=ASSUMED_CLUSTER, name="", region=bigtable.ASSUMED_REGION),)


def region_of(cluster: Cluster) -> str:
    """Return a cluster's region, or the assumed one where the cluster names neither region nor zone."""
    return cluster.known_region or bigtable.ASSUMED_REGION


def build_demand(spec: Spec, parts: Mapping[str, TablePart]) -> Demand:
    """Stacks the parts of the tables. What a table does not know counts as nothing, and `*_known` says so."""
    clusters, dates = clusters_of(spec), month_dates(spec)
    months = len(dates)
    tables = tuple(table for table in spec.tables if table.id in parts)
    zero = np.zeros((len(tables), months))
    series = {name: zero.copy() for name in MONTHLY}
    means = {name: np.zeros((len(tables), months - 1)) for name in MEANS}
    loads: list[LoadByHour] = []
    reads: list[ReadFlow] = []
    writes: list[WriteFlow] = []
    for i, table in enumerate(tables):
        part = parts[table.id]
        mine = _reads(spec, table, part, months)
        mine_written = _writes(spec, table, part.growth)
        reads.extend(mine)
        writes.extend(mine_written)
        if part.growth is not None:
            for name, row in _bytes(part.growth):
                series[name][i] = row
            for name, mean in _means(part.growth, mine_written):
                means[name][i] = mean
        if part.traffic is not None:
            loads.extend(access_loads(part.traffic, {flow.read.id: float(flow.load[-1]) for flow in mine}))
    stacked = AccessLoads.of(loads, dates)
    band = bigtable.throughput_band(spec.instance)
    return Demand(
        # A node that carries more makes the load in nodes smaller, so the bounds swap.
        load_low=1 / band.high,
        load_high=1 / band.low,
        is_calibrated=bigtable.instance_factor(spec.instance) is not None,
        has_calibrated_storage=any(p.growth and p.growth.compression_origin == "calibrated" for p in parts.values()),
        has_measured_storage=all(p.growth and p.growth.compression_origin == "measured" for p in parts.values()),
        tables=tables,
        clusters=clusters,
        loads=stacked,
        served_share=served_shares(stacked, {flow.read.id: flow for flow in reads}, clusters),
        reads=tuple(reads),
        writes=tuple(writes),
        is_awaited=tuple(_is_awaited(spec, cluster, clusters, reads) for cluster in clusters),
        backups=tuple(
            BackupPlan(
                b, i, float(effective_value(spec, b, "kept_days")), float(effective_value(spec, b, "every_hours"))
            )
            for i, table in enumerate(tables)
            for b in table.backups
        ),
        is_load_known=tuple(parts[t.id].traffic is not None for t in tables),
        is_stored_known=tuple(parts[t.id].growth is not None for t in tables),
        **series,
        **means,
    )


def _bytes(growth: TableGrowth) -> Iterator[tuple[str, Floats]]:
    """Yield a table's bytes for the fields of `MONTHLY`."""
    yield "stored", growth.physical_bytes
    yield "stored_low", growth.physical_bytes_low
    yield "stored_high", growth.physical_bytes_high
    if growth.infrequent_bytes is not None:
        yield "infrequent", np.minimum(growth.infrequent_bytes, growth.physical_bytes)


def _means(growth: TableGrowth, writes: Sequence[WriteFlow]) -> Iterator[tuple[str, Floats | float]]:
    """Yield a table's bytes for the fields of `MEANS`; written and changed bytes follow the rates of the writes."""
    yield "mean_ratio", growth.mean_ratio
    yield "infrequent_mean_ratio", growth.infrequent_mean_ratio
    yield "passing", growth.passing_bytes
    yield "changed_per_day", _following(growth.changed_bytes_per_day, writes, growth.changed_bytes, DAY_SECONDS)
    yield "mutation_per_second", _following(growth.mutation_bytes_per_second, writes, growth.mutation_bytes, 1.0)


def _following(
    at_end: float, writes: Sequence[WriteFlow], row_bytes: Mapping[str, float], seconds: float
) -> Floats | float:
    """Return bytes in the mean of each month, from those at the end of the horizon and how the writes' rates go.

    `row_bytes`: bytes of a row of each write by its id; `seconds` of what the bytes are counted in.
    """
    if not writes:
        return at_end
    # Rows whose bytes are not known are taken to be alike.
    weights = [row_bytes.get(flow.write.id, 0.0 if row_bytes else 1.0) for flow in writes]
    flows = [*zip(weights, writes, strict=True)]
    means = sum(weight * flow.rates.mean for weight, flow in flows)
    last = sum(weight * float(flow.rates.at_ends[-1]) for weight, flow in flows)
    if last <= 0:
        # All writes have ended by then.
        return np.asarray(means * seconds) if row_bytes else at_end
    return np.asarray(at_end * (means / last))


def _profile(spec: Spec, id: str | None) -> AppProfile | None:  # noqa: A002
    return None if id is None else spec.find(id)


def _reads(spec: Spec, table: Table, part: TablePart, months: int) -> list[ReadFlow]:
    plans, flows = {plan.read: plan for plan in part.reads}, []
    for read in (read for kind in table.row_kinds for read in kind.reads):
        plan, rates = plans.get(read.id), read_rates(spec, read, np.arange(months, dtype=np.float64))
        if rates is None or plan is None:
            continue
        if plan.refused is not None:
            # It returns an error, and nothing that crosses a network.
            plan = replace(plan, bytes_returned=0.0)
        flows.append(ReadFlow(read, table.id, rates, plan.over(months - 1), _profile(spec, read.app_profile)))
    return flows


def _writes(spec: Spec, table: Table, growth: TableGrowth | None) -> list[WriteFlow]:
    row_bytes = growth.mutation_bytes if growth is not None else {}
    flows = []
    for write in (write for kind in table.row_kinds for write in kind.writes):
        activity = None if write.activity is None else spec.find(write.activity)
        if activity is None or effective_value(spec, activity, "rate_per_second") is None:
            continue
        rates = monthly_rates(spec, activity).times(float(effective_value(spec, write, "rows_per_event")))
        profile = _profile(spec, write.app_profile)
        flows.append(WriteFlow(write, table.id, rates, profile, row_bytes.get(write.id, 0.0 if row_bytes else 1.0)))
    return flows


def serving_share(clusters: tuple[Cluster, ...], profile: AppProfile | None, where: Where | None) -> Floats:
    """Share of a caller's requests that each cluster serves: (clusters,), sum 1.

    Single routing goes to its cluster, else to the nearest: those of the caller's own region if there are any, else
    those of its part of the world, as London's in Belgium and not in Iowa. Which of several in a part of the world is
    the nearest is not known, nor where callers on the internet are; these requests go evenly to all that are left.

    References
    ----------
    Bigtable Admin API, MultiClusterRoutingUseAny: "routed to the nearest cluster in the instance"; clusters in one
    region "are considered equidistant" (read 2026-11-28).
    """
    # A profile can name only clusters that the design has removed since; its requests then go to any.
    allowed = [c for c in clusters if profile is None or not profile.clusters or c.id in profile.clusters] or list(
        clusters
    )
    if profile is not None and profile.routing == "single":
        allowed = allowed[:1]
    region = where.known_region if where is not None and where.internet is None else ""
    near = [c for c in allowed if region_of(c) == region]
    around = [c for c in allowed if region and area(region) is not None and area(region_of(c)) == area(region)]
    chosen = {c.id for c in near or around or allowed}
    return np.array([1 / len(chosen) if c.id in chosen else 0.0 for c in clusters])


def reads_by_cluster(spec: Spec) -> tuple[Mapping[str, float], ...]:
    """Return for each cluster of an instance the share of each read that it serves, by the read's id."""
    key = "reads by cluster"
    if key not in spec.result_cache:
        clusters = clusters_of(spec)
        shares = {
            read.id: serving_share(clusters, _profile(spec, read.app_profile), read.where)
            for _, kind in spec.row_kinds()
            for read in kind.reads
        }
        spec.result_cache[key] = tuple(
            {read: float(share[place]) for read, share in shares.items()} for place in range(len(clusters))
        )
    shares_by_cluster: tuple[Mapping[str, float], ...] = spec.result_cache[key]
    return shares_by_cluster


def served_shares(loads: AccessLoads, reads: Mapping[str, ReadFlow], clusters: tuple[Cluster, ...]) -> Floats:
    """Return the share of each access that each of these clusters has to do: (clusters, accesses)."""
    # Every cluster does all writes.
    shares = np.ones((len(clusters), len(loads.accesses)))
    for place, access in enumerate(loads.accesses):
        if access.read is not None:
            shares[:, place] = reads[access.read].served_share(clusters)
        elif not access.is_write:
            shares[:, place] = 1 / len(clusters)
    return shares


def _is_awaited(spec: Spec, cluster: Cluster, clusters: tuple[Cluster, ...], reads: list[ReadFlow]) -> bool:
    """Return True unless the cluster serves reads and all of them are declared as batch work."""
    place = [c.id for c in clusters].index(cluster.id)
    mine = [flow.read for flow in reads if flow.served_share(clusters)[place] > 0 and not flow.is_boosted]
    return not mine or any(effective_value(spec, read, "latency") != "batch" for read in mine)
