"""Node time of the requests of a log under a key: each read by the rows that it scans there.

Rows are those that came in the log, each as large as the design has them. What a log does not tell is the model's.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.access import Read
from designer.document.dump import to_plain_data
from designer.document.key import segment_fields
from designer.document.table import RowKind, Table
from designer.wording import element_label
from estimator.kernels.traffic.work import work_of
from estimator.results import ReadPlan, TablePart
from estimator.results.arrays import Floats

from ..blocks import HOUR_SECONDS, OPERATION_CODES
from .key_writing import KeyWriter
from .replay import Replay, ReplayedKind, ReplayedScans

POINTS = ("point", "multi_point")
SCAN = "replayed-scan-{number}"
"""Id of a read that the log has and the design has not."""


@dataclass(frozen=True)
class ComparedScan:
    """The rows that one read scans: in the log, and in the model."""

    read: str
    name: str
    replayed_rows: float | None
    """Mean over the log's reads, of rows that the log knows by then; None where the log cannot tell."""
    modelled_rows: float
    has_many: bool
    """True if it reads all rows of a range, of which some may be older than the log."""
    requests: int = 0
    """Reads of the log that tell the mean."""

    def with_more(self, other: "ComparedScan") -> "ComparedScan":
        """Return the same over more reads."""
        if other.replayed_rows is None or self.replayed_rows is None:
            return self if other.replayed_rows is None else other
        total = self.requests + other.requests
        mean = (self.requests * self.replayed_rows + other.requests * other.replayed_rows) / max(total, 1)
        return replace(self, replayed_rows=mean, requests=total)


@dataclass
class WorkTotals:
    """Node time of replayed requests, added up."""

    requests: dict[str, int] = field(default_factory=dict)
    """By operation, as are the following."""
    seconds: dict[str, float] = field(default_factory=dict)
    hours: dict[str, dict[int, float]] = field(default_factory=dict)
    """Node time of the log in each hour since 1970."""
    scans: dict[str, ComparedScan] = field(default_factory=dict)

    def add(self, work: "ReplayedWork") -> None:
        """Add replayed requests."""
        for name, seconds in work.seconds.items():
            self.requests[name] = self.requests.get(name, 0) + seconds.size
            self.seconds[name] = self.seconds.get(name, 0.0) + float(seconds.sum())
            hours = self.hours.setdefault(name, {})
            for hour, taken in work.hours[name].items():
                hours[hour] = hours.get(hour, 0.0) + taken
        for scan in work.rows:
            self.scans[scan.read] = self.scans[scan.read].with_more(scan) if scan.read in self.scans else scan

    def mean(self, operation: str) -> float:
        """Return the node time of a request on average."""
        return self.seconds[operation] / max(self.requests[operation], 1)

    def total_by_hour(self, *operations: str) -> dict[int, float]:
        """Return the node time of these operations in each hour."""
        total: dict[int, float] = {}
        for name in operations or tuple(self.hours):
            for hour, seconds in self.hours.get(name, {}).items():
                total[hour] = total.get(hour, 0.0) + seconds
        return total


@dataclass(frozen=True)
class ReplayedWork:
    """Node time of each replayed request."""

    seconds: Mapping[str, Floats] = field(repr=False)
    """By operation, of each request, reads in the order of the replay's requests."""
    times_s: Mapping[str, Floats] = field(repr=False)
    rows: tuple[ComparedScan, ...]
    hours: Mapping[str, Mapping[int, float]] = field(repr=False)
    """By operation, node time of the log in each hour since 1970."""
    scanned_rows: Floats = field(repr=False)
    """Of each scan; NaN where the log does not tell them."""
    scanned_bytes: Floats = field(repr=False)
    """The same rows, as large as the design has them."""


# --- reads of prefixes that the design has not ---


def with_scans(spec: Spec, table: Table, replayed: Replay) -> Spec:
    """Return the design with a read for each prefix that the log reads and no read of the design does, at no rate."""
    data: Any = None
    for number, scan in enumerate(replayed.scans):
        kind = next(one for one in table.row_kinds if one.key == scan.key)
        if any(is_of_prefix(read, kind, scan) for read in kind.reads):
            continue
        data = data or to_plain_data(spec)
        rows = next(one for one in data["tables"] if one["id"] == table.id)["row_kinds"]
        names = ", ".join(spec.find(name).label for name in sorted(scan.fields))
        made = {"id": SCAN.format(number=number), "name": f"scan by {names or '*'}", "rate_per_second": 0.0}
        made["binds"] = [{"field": name} for name in sorted(scan.fields)]
        next(one for one in rows if one["id"] == kind.id).setdefault("reads", []).append(made)
    return spec if data is None else Spec.model_validate(data)


def is_of_prefix(read: Read, kind: RowKind, scan: ReplayedScans) -> bool:
    """Return whether a read knows what tells the prefix of a scan, and no more of the key."""
    whole = {one for segment in kind.key for one in segment_fields(segment)}
    return {bind.field for bind in read.binds} & whole == scan.fields and not read.exact_time


def scan_reads(table: Table, replayed: Replay) -> frozenset[str]:
    """Return the ids of the reads of the design that are the log's reads of prefixes."""
    return frozenset(
        read.id
        for kind in table.row_kinds
        for read in kind.reads
        if any(scan.key == kind.key and is_of_prefix(read, kind, scan) for scan in replayed.scans)
    )


# --- rows and node time ---


@dataclass(frozen=True)
class _PlannedRead:
    read: Read
    plan: ReadPlan
    is_boosted: bool


def replayed_work(spec: Spec, table: Table, part: TablePart, replayed: Replay) -> ReplayedWork:
    """Return the node time of the replayed requests, of operations that the design has."""
    traffic = part.traffic
    assert traffic is not None
    loads = replayed.loads[-1].operations
    deleting = frozenset(write.id for kind in table.row_kinds for write in kind.writes if write.deletes)
    seconds: dict[str, Floats] = {}
    times: dict[str, Floats] = {}
    for name in ("write", "delete"):
        mine = [one for one in traffic.writes if (one.write in deleting) == (name == "delete")]
        if name in loads and mine:
            means = {one: _mean_of(mine, one.row_kind) for one in mine}
            found = _by_kind(table, replayed, name, {one.row_kind: mean for one, mean in means.items()})
            seconds[name] = np.where(np.isnan(found), _mean_of(mine, ""), found)
    counted = dict[str, Floats | None]()
    scanned = _ScannedSizes()
    if "read" in loads or "scan" in loads:
        seconds |= _read_seconds(spec, table, part, replayed, counted, scanned)
    for name in seconds:
        code = OPERATION_CODES[name]
        events = replayed.events
        times[name] = events.times_s[events.operations == code]
        if name == "scan":
            times[name] = np.concatenate([scan.times_s for scan in replayed.scans])
    hours = {name: _hours(replayed, name, times[name], taken) for name, taken in seconds.items()}
    compared = tuple(_compare_scans(spec, part, counted))
    return ReplayedWork(seconds, times, compared, hours, *map(_join, (scanned.rows, scanned.sizes)))


@dataclass(frozen=True)
class _ScannedSizes:
    """Rows and bytes of scans, in the order of the replay's."""

    rows: list[Floats] = field(default_factory=list)
    sizes: list[Floats] = field(default_factory=list)


def _join(found: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros(0), *found])


def _mean_of(writes: Sequence[Any], kind: str) -> float:
    mine = [one for one in writes if kind in ("", one.row_kind)]
    rate = sum(one.rows_per_second for one in mine)
    if not rate:
        return float(np.mean([one.node_seconds_per_row for one in mine]))
    return float(sum(one.rows_per_second * one.node_seconds_per_row for one in mine) / rate)


def _by_kind(table: Table, replayed: Replay, operation: str, means: Mapping[str, float]) -> Floats:
    """Return the mean of its row kind for each request of an operation; NaN where it has none."""
    found = []
    for one in replayed.parts:
        kind = next(kind for kind in table.row_kinds if kind.key == one.key)
        count = int((one.requests.events.operations == OPERATION_CODES[operation]).sum())
        found.append(np.full(count, means.get(kind.id, np.nan)))
    return np.concatenate(found)


def _read_seconds(
    spec: Spec, table: Table, part: TablePart, replayed: Replay, counted: dict[str, Floats | None],
    scanned: _ScannedSizes,
) -> dict[str, Floats]:  # fmt: skip
    """Return the node time of each read and scan; `counted` gets the rows of each read of the design."""
    plans = {plan.read: plan for plan in part.reads if plan.refused is None}
    reads, scans = list[Floats](), list[Floats]()
    known = list[_PlannedRead]()
    for kind in table.row_kinds:
        known += _plan_reads(spec, kind, plans)
    for one in replayed.parts:
        kind = next(kind for kind in table.row_kinds if kind.key == one.key)
        mine, own = _plan_reads(spec, kind, plans), [scan for scan in replayed.scans if scan.key == kind.key]
        of_scans = [each for each in mine if any(is_of_prefix(each.read, kind, scan) for scan in own)]
        whole = [each for each in mine if each not in of_scans]
        points = [each for each in whole if each.plan.access in POINTS]
        asked = replace(one, requests=one.requests.of_operation("read"))
        if asked.requests.keys:
            # Where the log has scans of its own, its reads of whole keys are the design's point reads; without any
            # such read of the kind, reads of other kinds stand in rather than no cost at all.
            chosen = (points if own and points else whole) or mine or known
            for each in chosen:
                counted[each.read.id] = _rows_of_reads(spec, each, replayed, asked)
            reads.append(_mix_rows(spec, chosen, [counted[each.read.id] for each in chosen], len(asked.requests.keys)))
    for scan in replayed.scans:
        kind = next(kind for kind in table.row_kinds if kind.key == scan.key)
        chosen = [each for each in _plan_reads(spec, kind, plans) if is_of_prefix(each.read, kind, scan)]
        rows = replayed.rows_below(scan.prefixes, scan.times_s)
        for each in chosen:
            mine_rows = _limit_rows(each, rows) if rows is not None and _is_told(each) else None
            counted[each.read.id] = mine_rows
        chosen = chosen or known
        scanned.rows.append(np.full(len(scan.prefixes), np.nan) if rows is None else rows)
        sizes = [each.plan.bytes_scanned / each.plan.rows_scanned for each in chosen if each.plan.rows_scanned > 0]
        scanned.sizes.append(scanned.rows[-1] * max(sizes, default=np.nan))
        scans.append(_mix_rows(spec, chosen, [counted.get(each.read.id) for each in chosen], len(scan.prefixes)))
    found = {"read": reads, "scan": scans}
    return {name: np.concatenate(each) for name, each in found.items() if each and known}


def _plan_reads(spec: Spec, kind: RowKind, plans: Mapping[str, ReadPlan]) -> list[_PlannedRead]:
    return [
        _PlannedRead(read, plans[read.id], read.app_profile is not None and spec.find(read.app_profile).data_boost)
        for read in kind.reads
        if read.id in plans and plans[read.id].per_second is not None
    ]


def _mix_rows(spec: Spec, reads: Sequence[_PlannedRead], rows: Sequence[Floats | None], count: int) -> Floats:
    """Return the node time of requests of which each read has the share that the design's rates say."""
    rates = np.array([each.plan.per_second or 0.0 for each in reads])
    shares = rates / rates.sum() if rates.sum() > 0 else np.full(rates.size, 1 / max(rates.size, 1))
    total = np.zeros(count)
    for each, share, scanned in zip(reads, shares.tolist(), rows, strict=True):
        if each.is_boosted:
            continue
        taken: Floats | float = each.plan.node_seconds
        if scanned is not None and scanned.size == count:
            # Node time is a function of the rows scanned, so it is computed once per different number.
            numbers, places = np.unique(scanned, return_inverse=True)
            taken = np.array([work_of(spec).scan_seconds_of(spec, each.plan, n) for n in numbers.tolist()])[places]
        total += share * taken
    return total


def _is_told(each: _PlannedRead) -> bool:
    """Return whether a log tells the rows of a read: a range of times or values, and several ranges, are in no line."""
    plan, read = each.plan, each.read
    if plan.access in POINTS or plan.access not in ("prefix", "range", "scan"):
        return False
    return read.time is None and plan.ranges <= 1 and not any(bind.is_range or bind.prefix for bind in read.binds)


def _limit_rows(each: _PlannedRead, rows: Floats) -> Floats:
    most = each.read.newest_rows or each.read.row_limit
    return rows if most is None or each.plan.filtered else np.minimum(rows, most)


def _rows_of_reads(spec: Spec, each: _PlannedRead, replayed: Replay, asked: ReplayedKind) -> Floats | None:
    """Return the rows that a read scans for each request of whole keys: those below the prefixes that it knows."""
    if each.plan.access in POINTS:
        return np.ones(len(asked.requests.keys)) if each.plan.ranges <= 1 else None
    known = [segment for segment in asked.key if segment.id in each.plan.bound]
    if not _is_told(each) or list(asked.key[: len(known)]) != known:
        return None
    rows = replayed.rows_below(prefixes_of(spec, len(known), asked), asked.requests.events.times_s)
    return None if rows is None else _limit_rows(each, rows)


def prefixes_of(spec: Spec, number: int, part: ReplayedKind) -> list[bytes]:
    """Return the beginnings of the requests' keys: what so many first segments make."""
    writer, requests = KeyWriter(spec, part.key[:number], part.source), part.requests
    made = writer.write(requests.values, requests.times_us, requests.events.keys)
    return [key for key in made if key is not None]  # all of them: these segments are the beginning of their keys


def _compare_scans(spec: Spec, part: TablePart, counted: Mapping[str, Floats | None]) -> Iterator[ComparedScan]:
    for plan in part.reads:
        if plan.refused is None and plan.read in counted:
            rows = counted[plan.read]
            mean = None if rows is None else float(rows.mean())
            is_many = plan.access not in POINTS
            asked = 0 if rows is None else int(rows.size)
            yield ComparedScan(plan.read, element_label(spec, plan.read), mean, plan.rows_scanned, is_many, asked)


def _hours(replayed: Replay, operation: str, times_s: Floats, seconds: Floats) -> dict[int, float]:
    """Return the node time of an operation by hour: of each request, or by the hour's mean where these are a sample."""
    hours, places = np.unique((times_s // HOUR_SECONDS).astype(np.int64), return_inverse=True)
    taken = np.bincount(places, weights=seconds)
    if replayed.is_whole:
        return dict(zip(hours.tolist(), taken.tolist(), strict=True))
    means = dict(zip(hours.tolist(), (taken / np.bincount(places)).tolist(), strict=True))
    mean = float(seconds.mean())
    # Of a sample: all requests of the hour, each at the mean cost of the sampled ones.
    return {hour: count * means.get(hour, mean) for hour, count in replayed.hours[operation].items()}
