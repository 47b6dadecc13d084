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
            for hour, hour_seconds in work.hours[name].items():
                hours[hour] = hours.get(hour, 0.0) + hour_seconds
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
        kind = next(row_kind for row_kind in table.row_kinds if row_kind.key == scan.key)
        if any(is_of_prefix(read, kind, scan) for read in kind.reads):
            continue
        data = data or to_plain_data(spec)
        rows = next(table_data for table_data in data["tables"] if table_data["id"] == table.id)["row_kinds"]
        names = ", ".join(spec.find(name).label for name in sorted(scan.fields))
        new_read = {"id": SCAN.format(number=number), "name": f"scan by {names or '*'}", "rate_per_second": 0.0}
        new_read["binds"] = [{"field": name} for name in sorted(scan.fields)]
        next(row for row in rows if row["id"] == kind.id).setdefault("reads", []).append(new_read)
    return spec if data is None else Spec.model_validate(data)


def is_of_prefix(read: Read, kind: RowKind, scan: ReplayedScans) -> bool:
    """Return whether a read knows what tells the prefix of a scan, and no more of the key."""
    whole = {segment_field for segment in kind.key for segment_field in segment_fields(segment)}
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
        mine = [write for write in traffic.writes if (write.write in deleting) == (name == "delete")]
        if name in loads and mine:
            means = {write: _mean_of(mine, write.row_kind) for write in mine}
            kind_means = _by_kind(table, replayed, name, {write.row_kind: mean for write, mean in means.items()})
            seconds[name] = np.where(np.isnan(kind_means), _mean_of(mine, ""), kind_means)
    row_counts = dict[str, Floats | None]()
    scanned = _ScannedSizes()
    if "read" in loads or "scan" in loads:
        seconds |= _read_seconds(spec, table, part, replayed, row_counts, scanned)
    for name in seconds:
        code = OPERATION_CODES[name]
        events = replayed.events
        times[name] = events.times_s[events.operations == code]
        if name == "scan":
            times[name] = np.concatenate([scan.times_s for scan in replayed.scans])
    hours = {name: _hours(replayed, name, times[name], node_seconds) for name, node_seconds in seconds.items()}
    compared = tuple(_compare_scans(spec, part, row_counts))
    return ReplayedWork(seconds, times, compared, hours, *map(_join, (scanned.rows, scanned.sizes)))


@dataclass(frozen=True)
class _ScannedSizes:
    """Rows and bytes of scans, in the order of the replay's."""

    rows: list[Floats] = field(default_factory=list)
    sizes: list[Floats] = field(default_factory=list)


def _join(arrays: Sequence[Floats]) -> Floats:
    return np.concatenate([np.zeros(0), *arrays])


def _mean_of(writes: Sequence[Any], kind: str) -> float:
    mine = [write for write in writes if kind in ("", write.row_kind)]
    rate = sum(write.rows_per_second for write in mine)
    if not rate:
        return float(np.mean([write.node_seconds_per_row for write in mine]))
    return float(sum(write.rows_per_second * write.node_seconds_per_row for write in mine) / rate)


def _by_kind(table: Table, replayed: Replay, operation: str, means: Mapping[str, float]) -> Floats:
    """Return the mean of its row kind for each request of an operation; NaN where it has none."""
    arrays = []
    for part in replayed.parts:
        kind = next(kind for kind in table.row_kinds if kind.key == part.key)
        count = int((part.requests.events.operations == OPERATION_CODES[operation]).sum())
        arrays.append(np.full(count, means.get(kind.id, np.nan)))
    return np.concatenate(arrays)


def _read_seconds(
    spec: Spec, table: Table, part: TablePart, replayed: Replay, row_counts: dict[str, Floats | None],
    scanned: _ScannedSizes,
) -> dict[str, Floats]:  # fmt: skip
    """Return the node time of each read and scan; `row_counts` gets the rows of each read of the design."""
    plans = {plan.read: plan for plan in part.reads if plan.refused is None}
    reads, scans = list[Floats](), list[Floats]()
    planned_reads = list[_PlannedRead]()
    for kind in table.row_kinds:
        planned_reads += _plan_reads(spec, kind, plans)
    for replayed_kind in replayed.parts:
        kind = next(kind for kind in table.row_kinds if kind.key == replayed_kind.key)
        mine, own = _plan_reads(spec, kind, plans), [scan for scan in replayed.scans if scan.key == kind.key]
        of_scans = [
            planned_read for planned_read in mine if any(is_of_prefix(planned_read.read, kind, scan) for scan in own)
        ]
        whole = [planned_read for planned_read in mine if planned_read not in of_scans]
        points = [planned_read for planned_read in whole if planned_read.plan.access in POINTS]
        read_part = replace(replayed_kind, requests=replayed_kind.requests.of_operation("read"))
        if read_part.requests.keys:
            # Where the log has scans of its own, its reads of whole keys are the design's point reads; without any
            # such read of the kind, reads of other kinds stand in rather than no cost at all.
            chosen = (points if own and points else whole) or mine or planned_reads
            for chosen_read in chosen:
                row_counts[chosen_read.read.id] = _rows_of_reads(spec, chosen_read, replayed, read_part)
            reads.append(
                _mix_rows(
                    spec,
                    chosen,
                    [row_counts[planned_read.read.id] for planned_read in chosen],
                    len(read_part.requests.keys),
                )
            )
    for scan in replayed.scans:
        kind = next(kind for kind in table.row_kinds if kind.key == scan.key)
        chosen = [read for read in _plan_reads(spec, kind, plans) if is_of_prefix(read.read, kind, scan)]
        rows = replayed.rows_below(scan.prefixes, scan.times_s)
        for chosen_read in chosen:
            mine_rows = _limit_rows(chosen_read, rows) if rows is not None and _is_told(chosen_read) else None
            row_counts[chosen_read.read.id] = mine_rows
        chosen = chosen or planned_reads
        scanned.rows.append(np.full(len(scan.prefixes), np.nan) if rows is None else rows)
        sizes = [
            planned_read.plan.bytes_scanned / planned_read.plan.rows_scanned
            for planned_read in chosen
            if planned_read.plan.rows_scanned > 0
        ]
        scanned.sizes.append(scanned.rows[-1] * max(sizes, default=np.nan))
        scans.append(
            _mix_rows(
                spec, chosen, [row_counts.get(planned_read.read.id) for planned_read in chosen], len(scan.prefixes)
            )
        )
    by_operation = {"read": reads, "scan": scans}
    return {name: np.concatenate(costs) for name, costs in by_operation.items() if costs and planned_reads}


def _plan_reads(spec: Spec, kind: RowKind, plans: Mapping[str, ReadPlan]) -> list[_PlannedRead]:
    return [
        _PlannedRead(read, plans[read.id], read.app_profile is not None and spec.find(read.app_profile).data_boost)
        for read in kind.reads
        if read.id in plans and plans[read.id].per_second is not None
    ]


def _mix_rows(spec: Spec, reads: Sequence[_PlannedRead], rows: Sequence[Floats | None], count: int) -> Floats:
    """Return the node time of requests of which each read has the share that the design's rates say."""
    rates = np.array([read.plan.per_second or 0.0 for read in reads])
    shares = rates / rates.sum() if rates.sum() > 0 else np.full(rates.size, 1 / max(rates.size, 1))
    total = np.zeros(count)
    for planned_read, share, scanned in zip(reads, shares.tolist(), rows, strict=True):
        if planned_read.is_boosted:
            continue
        node_seconds: Floats | float = planned_read.plan.node_seconds
        if scanned is not None and scanned.size == count:
            # Node time is a function of the rows scanned, so it is computed once per different number.
            numbers, places = np.unique(scanned, return_inverse=True)
            node_seconds = np.array(
                [work_of(spec).scan_seconds_of(spec, planned_read.plan, n) for n in numbers.tolist()]
            )[places]
        total += share * node_seconds
    return total


def _is_told(planned_read: _PlannedRead) -> bool:
    """Return whether a log tells the rows of a read: a range of times or values, and several ranges, are in no line."""
    plan, read = planned_read.plan, planned_read.read
    if plan.access in POINTS or plan.access not in ("prefix", "range", "scan"):
        return False
    return read.time is None and plan.ranges <= 1 and not any(bind.is_range or bind.prefix for bind in read.binds)


def _limit_rows(planned_read: _PlannedRead, rows: Floats) -> Floats:
    most = planned_read.read.newest_rows or planned_read.read.row_limit
    return rows if most is None or planned_read.plan.filtered else np.minimum(rows, most)


def _rows_of_reads(spec: Spec, planned_read: _PlannedRead, replayed: Replay, read_part: ReplayedKind) -> Floats | None:
    """Return the rows that a read scans for each request of whole keys: those below the prefixes that it knows."""
    if planned_read.plan.access in POINTS:
        return np.ones(len(read_part.requests.keys)) if planned_read.plan.ranges <= 1 else None
    segments = [segment for segment in read_part.key if segment.id in planned_read.plan.bound]
    if not _is_told(planned_read) or list(read_part.key[: len(segments)]) != segments:
        return None
    rows = replayed.rows_below(prefixes_of(spec, len(segments), read_part), read_part.requests.events.times_s)
    return None if rows is None else _limit_rows(planned_read, rows)


def prefixes_of(spec: Spec, number: int, part: ReplayedKind) -> list[bytes]:
    """Return the beginnings of the requests' keys: what so many first segments make."""
    writer, requests = KeyWriter(spec, part.key[:number], part.source), part.requests
    keys = writer.write(requests.values, requests.times_us, requests.events.keys)
    return [key for key in keys if key is not None]  # all of them: these segments are the beginning of their keys


def _compare_scans(spec: Spec, part: TablePart, row_counts: Mapping[str, Floats | None]) -> Iterator[ComparedScan]:
    for plan in part.reads:
        if plan.refused is None and plan.read in row_counts:
            rows = row_counts[plan.read]
            mean = None if rows is None else float(rows.mean())
            is_many = plan.access not in POINTS
            request_count = 0 if rows is None else int(rows.size)
            yield ComparedScan(
                plan.read, element_label(spec, plan.read), mean, plan.rows_scanned, is_many, request_count
            )


def _hours(replayed: Replay, operation: str, times_s: Floats, seconds: Floats) -> dict[int, float]:
    """Return the node time of an operation by hour: of each request, or by the hour's mean where these are a sample."""
    hours, places = np.unique((times_s // HOUR_SECONDS).astype(np.int64), return_inverse=True)
    totals = np.bincount(places, weights=seconds)
    if replayed.is_whole:
        return dict(zip(hours.tolist(), totals.tolist(), strict=True))
    means = dict(zip(hours.tolist(), (totals / np.bincount(places)).tolist(), strict=True))
    mean = float(seconds.mean())
    # Of a sample: all requests of the hour, each at the mean cost of the sampled ones.
    return {hour: count * means.get(hour, mean) for hour, count in replayed.hours[operation].items()}
