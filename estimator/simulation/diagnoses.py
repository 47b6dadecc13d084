"""What a run shows, in words, each with its place in the heatmap, the rule that says more, and what causes it."""

import datetime
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from designer.spec.activity import Backfill
from designer.spec.durations import DAY_SECONDS
from designer.spec.instance import Autoscaling
from designer.spec.key import TimeSegment, as_text
from designer.spec.texts import Text

from ..arrays import Flags, Floats, Ints
from ..cost.demand import clusters_of
from ..keys import Law, hottest_row
from ..results import Severity
from ..traffic.load import activity_of
from . import sentences
from .assumptions import TOLERANCE
from .plan import Plan, PlannedFlow, PlannedTable
from .points import Point
from .reading import offered_operations
from .results import ClusterRun, Diagnosis, KindDays, TableRun
from .serving import Served

HOT = 0.9
"""The hottest node should stay below this (performance page, read 2026-11-20)."""

HALF, SEEN = 0.5, 0.1
"""A node with more than half of the writes, or reads, is told of, if it is busy for a tenth at all…"""

OFTEN = 1 / 24
"""…and for more than an hour of a day."""

HOT_ROW_SHARE = 0.1
"""A row that takes a tenth of its table's node time is named…"""

HOT_ROW_NODES = 0.05
"""…if that is worth naming at all."""

ABOVE = 1.1
"""A mean so many times the target is told of: targets are rounded, and windows differ by chance."""

GAP_SECONDS = 7_200
"""Spans with less between them are one."""

ALWAYS = 0.9
"""What is so in nine windows of ten is said without “in … of the time”."""

MOST_SPANS = 3
"""More spans than so many are told as one, with how much of the time it is so."""

SELDOM, MUCH = 3.0, 0.25
"""A read that comes less than three times in a window, and is each time a quarter of what all nodes do in it."""

ALMOST = 0.99
"""A row in a map that has so much of a largest row's size is taken to be it: sizes there are rounded."""

LONG_SECONDS = 1.0
"""What keeps a node busy for longer is a scan: told of beside nodes that suffer, if it is most of the load."""

ORDER: Mapping[Severity, int] = {"error": 0, "warning": 1, "note": 2}


@dataclass(frozen=True)
class _Span:
    first: int
    last: int
    inside: Flags
    """Of all windows, those that are meant."""


def diagnoses(
    plan: Plan,
    tables: Mapping[str, TableRun],
    clusters: Sequence[ClusterRun],
    served: Sequence[Served],
    points: Mapping[str, Sequence[Point]],
) -> tuple[Diagnosis, ...]:
    """The most severe first."""
    told = _Teller(plan, tables, clusters, served, points)
    hot = list(told.hot_nodes())
    load = [*hot, *told.full(), *told.scaling(), *told.solid()]
    found = [*load, *told.scans(load), *told.rows(), *told.hot_rows()]
    if not hot and not any(each.severity != "note" for each in found):
        found += told.quiet()
    found += told.backfills()
    return tuple(sorted(found, key=lambda each: ORDER[each.severity]))


@dataclass(frozen=True)
class _Teller:
    plan: Plan
    tables: Mapping[str, TableRun]
    clusters: Sequence[ClusterRun]
    served: Sequence[Served]
    points: Mapping[str, Sequence[Point]]
    loads: dict[int, Floats] = field(default_factory=dict)
    """What `_load` has found of each point."""

    # --- nodes ---------------------------------------------------------------------------------------------------

    def hot_nodes(self) -> Iterator[Diagnosis]:
        """One node has far more than the others, and about as much as it can do."""
        for cluster, run in zip(self.clusters, self.served, strict=True):
            uneven = _uneven(cluster)
            for span in self._spans(uneven):
                yield self._hot_node(cluster, run, span, "warning")
            share = np.maximum(cluster.hottest_write_share, cluster.hottest_read_share)
            alone = (share > np.maximum(HALF, 2 / cluster.working)) & (cluster.hottest > SEEN)
            if not uneven.any() and int(alone.sum()) > OFTEN * len(alone):
                places = np.flatnonzero(alone)
                yield self._hot_node(cluster, run, _Span(int(places[0]), int(places[-1]), alone), "note")

    def _hot_node(self, cluster: ClusterRun, run: Served, span: _Span, severity: Severity) -> Diagnosis:
        windows = np.flatnonzero(span.inside)
        peak = int(windows[cluster.hottest[windows].argmax()])
        number = run.hot_ranges[peak][0]
        table = self.plan.tables[number]
        there = [(w, *run.hot_ranges[w][1:]) for w in windows.tolist() if run.hot_ranges[w][0] == number]
        point, in_the_way = self._alone(cluster, table, there, peak)
        of = "writes" if point is not None and point.what == "front" else self._mostly(table, there)
        share = cluster.hottest_write_share if of == "writes" else cluster.hottest_read_share
        refused_share = self._refused_share(cluster, windows)
        params = {
            f"{of[:-1]}_share": float(share[windows].mean()),
            "node_share": float(cluster.hottest_share[windows].mean()),
            "node_count": int(cluster.working[peak]),
            "load_share": float(cluster.hottest[peak]),
            "refused_share": refused_share,
            "table": table.table.name or table.table.id,
            **self._when(span),
        }
        message = sentences.HOT_NODE[self._partitions, of, refused_share > 0]
        rule, at = self._cause(table, point)
        if not in_the_way:
            message, is_new = self._late_moves(table, span, refused=refused_share > 0)
            if not is_new and (passing := self._passing(cluster, table)) is not None:
                message, rule, at = sentences.PASSING[refused_share > 0], "", passing.id
                params |= {"read": self._called(passing), "work_seconds": self._work_s(passing)}
            elif is_new or point is None or point.what != "front":
                rule, at = "", table.table.id
        elif refused_share > 0:
            severity = "error"
        return Diagnosis(
            message=message, params=params, severity=severity, table=table.table.id,
            first_range=min(low for _, low, _ in there), last_range=max(high for *_, high in there),
            first_window=span.first, last_window=span.last, rule=rule, at=at,
        )  # fmt: skip

    def _mostly(self, table: PlannedTable, places: Sequence[tuple[int, int, int]]) -> str:
        """Which takes more node time in some windows, each with a first and a last range: writes or reads."""
        run, took = self.tables[table.table.id], {}
        for of, grid in (("writes", run.writes), ("reads", run.reads)):
            operations = sum(float(grid[low : high + 1, window].sum()) for window, low, high in places)
            took[of] = operations * self._node_s(table, writes=of == "writes")
        return "writes" if took["writes"] >= took["reads"] else "reads"

    def _alone(
        self, cluster: ClusterRun, table: PlannedTable, places: Sequence[tuple[int, int, int]], peak: int
    ) -> tuple[Point | None, bool]:
        """What cannot be split on a hot node, and whether it is that which keeps it busy.

        In the busiest window; else in most of them: a growing end may just have gone on to the next range.
        """
        found = {}
        for window, first, last in sorted(places, key=lambda place: place[0] != peak):
            point = self._point(table, first, last, window)
            blocks = self._is_in_the_way(table, point, window, float(cluster.hottest[window]))
            found[window] = (point, blocks)
            if window == peak and blocks:
                return point, True
        often = Counter(id(point) for point, blocks in found.values() if blocks).most_common(1)
        if often and often[0][1] > HALF * len(places):
            return next(point for point, _ in found.values() if id(point) == often[0][0]), True
        return found[peak]

    def _passing(self, cluster: ClusterRun, table: PlannedTable) -> PlannedFlow | None:
        """A scan of the table that lasts several windows, in which it passes from node to node."""
        place = next(i for i, each in enumerate(self.clusters) if each is cluster)
        found = (flow for flow in table.flows if flow.lasts > 1 and flow.routed[place] > 0)
        return max(found, key=lambda flow: flow.lasts, default=None)

    def _called(self, flow: PlannedFlow) -> str:
        return (flow.flow.read.name if flow.flow.read is not None else "") or flow.id

    def _is_in_the_way(self, table: PlannedTable, point: Point | None, window: int, busy: float) -> bool:
        """Whether what cannot be split is what keeps a node so busy; else splits and moves are late."""
        return point is not None and (point.whole or float(self._load(table, point)[window]) >= HALF * busy)

    def _late_moves(self, table: PlannedTable, span: _Span, *, refused: bool) -> tuple[str, bool]:
        """What is said of late splits and moves, and whether it is because the table is new."""
        is_new = self.plan.new and refused and not table.table.split_keys and span.first == 0
        return (sentences.NEW_TABLE if is_new else sentences.LATE_MOVES[refused]), is_new

    def full(self) -> Iterator[Diagnosis]:
        """All nodes together are asked for more than they should do."""
        for cluster in self.clusters:
            if cluster.cpu_target is None:
                continue
            target = float(cluster.cpu_target)
            hardly = _uneven(cluster) & (cluster.mean <= ABOVE)  # what is refused then is refused by the hot node
            for span in self._spans((cluster.mean > 1.0) & ~hardly):
                found = self._on_cluster(cluster, span, sentences.FULL, "error", "I006")
                yield self._of_seldom(found, self._seldom(cluster))
            for span in self._spans((cluster.mean > ABOVE * target) & (cluster.mean <= 1.0)):
                if not cluster.scaled and span.inside.sum() > 1:
                    yield self._on_cluster(cluster, span, sentences.ABOVE_TARGET, "warning", "I006")

    def scaling(self) -> Iterator[Diagnosis]:
        """The autoscaler is late, or can do no more."""
        known = {} if self._partitions else {each.id: each for each in clusters_of(self.plan.spec)}
        for cluster in self.clusters:
            nodes = known[cluster.cluster].nodes if cluster.cluster in known else None
            if not isinstance(nodes, Autoscaling) or cluster.cpu_target is None:
                continue
            waiting = (cluster.working < cluster.nodes) & ((cluster.hottest > HOT) | (cluster.refused > 0))
            for span in self._spans(waiting):
                refused = self._refused_share(cluster, np.flatnonzero(span.inside)) > 0
                yield self._on_cluster(cluster, span, sentences.LATE_NODES[refused], "warning", "I008")
            most = (cluster.nodes >= max(nodes.max, 1)) & (cluster.mean > cluster.cpu_target)
            for span in self._spans(most & (cluster.mean <= 1)):
                yield self._on_cluster(cluster, span, sentences.AT_MOST_NODES, "warning", "I008")

    def _on_cluster(self, cluster: ClusterRun, span: _Span, message: str, severity: Severity, rule: str) -> Diagnosis:
        windows = np.flatnonzero(span.inside)
        params = {
            "cluster": self._name(cluster),
            "mean_share": float(cluster.mean[windows].max()),
            "load_share": float(cluster.hottest[windows].max()),
            "target_share": cluster.cpu_target,
            "node_count": int(cluster.nodes[windows].max()),
            "useful_seconds": self.plan.parameters.assumed("node_useful_seconds"),
            "refused_share": self._refused_share(cluster, windows),
            **self._when(span),
        }
        busiest = max(self.tables, key=lambda name: int(self.tables[name].node_ns[:, windows].sum(dtype=np.float64)))
        return Diagnosis(
            message=message, params=params, severity=severity, table=busiest, first_range=0,
            last_range=len(self.tables[busiest].stored_share) - 1, first_window=span.first, last_window=span.last,
            rule=rule, at=cluster.cluster,
        )  # fmt: skip

    def _seldom(self, cluster: ClusterRun) -> PlannedFlow | None:
        """What is asked so seldom that chance decides when, and is much work each time: a scan of a whole table."""
        place = next(i for i, each in enumerate(self.clusters) if each is cluster)  # they hold arrays: no ==
        seldom = (
            flow
            for table in self.plan.tables
            for flow in table.flows
            if flow.flow.read is not None
            and flow.routed[place] > 0
            and float(flow.rates.max()) * self.plan.window_seconds < SELDOM
            and self.plan.busy(flow) * flow.pieces / flow.lasts > MUCH * float(cluster.nodes.min())
        )
        return max(seldom, key=lambda flow: self.plan.busy(flow) * flow.pieces / flow.lasts, default=None)

    def _of_seldom(self, found: Diagnosis, flow: PlannedFlow | None) -> Diagnosis:
        """The same, with what it is of."""
        if flow is None or flow.flow.read is None:
            return found
        params = {**found.params, "read": self._called(flow), "work_seconds": self._work_s(flow)}
        return replace(found, message=sentences.FULL_OF_SELDOM, params=params, table=flow.table, at=flow.id)

    def scans(self, found: Sequence[Diagnosis]) -> Iterator[Diagnosis]:
        """A read that is most of the load, where something suffers and nothing has told of it yet."""
        if all(each.severity == "note" for each in found):
            return
        flows = [flow for table in self.plan.tables for flow in table.flows]
        loads = [float(flow.rates.mean()) * self._work_s(flow) * max(flow.routed, default=0.0) for flow in flows]
        for flow, load in zip(flows, loads, strict=True):
            read = flow.flow.read
            if read is None or load <= HALF * sum(loads) or self._work_s(flow) < LONG_SECONDS:
                continue
            if any(each.at == flow.id for each in found):
                continue
            params = {
                "read": self._called(flow),
                "node_share": load / sum(loads),
                "work_seconds": self._work_s(flow),
                "reads_per_day": float(flow.rates.mean()) * DAY_SECONDS,
            }
            yield Diagnosis(
                message=sentences.SCANS[self._partitions], params=params, severity="warning", table=flow.table,
                first_range=0, last_range=len(self.tables[flow.table].stored_share) - 1,
                first_window=0, last_window=self.plan.windows - 1, rule="Q002", at=flow.id,
            )  # fmt: skip

    def _work_s(self, flow: PlannedFlow) -> float:
        """How long one operation keeps one node busy."""
        return self.plan.busy(flow) * flow.pieces * self.plan.window_seconds

    # --- what cannot be split ------------------------------------------------------------------------------------

    def solid(self) -> Iterator[Diagnosis]:
        """A row, a growing end or a partition-key value that asks for more than one node has."""
        for table in self.plan.tables:
            worst: dict[str, tuple[Floats, Point]] = {}
            for point in self.points[table.table.id]:
                load = self._load(table, point)
                if float(load.max()) > HOT and (
                    point.what not in worst or float(load.max()) > float(worst[point.what][0].max())
                ):
                    worst[point.what] = (load, point)
            for load, point in worst.values():
                yield self._solid(table, point, load)

    def _solid(self, table: PlannedTable, point: Point, load: Floats) -> Diagnosis:
        peak, over = int(load.argmax()), np.flatnonzero(load > HOT)
        over_one = float(load[peak]) > 1
        rule, at = self._cause(table, point)
        params = {
            "key": as_text(table.patterns[point.row_kind].shown(point.key)),
            "load_nodes": float(load[peak]),
            "load_share": float(load[peak]),
            "reachable_share": min(1 / float(load[peak]), 1.0),
            "at_time": self._time(peak),
        }
        message = (sentences.UNSPLIT if over_one else sentences.NEARLY_UNSPLIT)[point.what]
        if self._partitions and point.what == "front":
            message = sentences.PARTITION_END
        places = point.place[over]
        return Diagnosis(
            message=message, params=params,
            severity="error" if over_one else "warning",
            table=table.table.id, first_range=int(places.min()), last_range=int(places.max()),
            first_window=int(over[0]), last_window=int(over[-1]), rule=rule, at=at,
        )  # fmt: skip

    def _load(self, table: PlannedTable, point: Point) -> Floats:
        """(windows,) node time of it as expected. [nodes]"""
        if id(point) not in self.loads:
            total = np.zeros(self.plan.windows)
            for flow in table.flows:
                if flow.id in point.share:
                    each = self.plan.busy(flow) * self.plan.window_seconds * flow.pieces
                    total += flow.rates * point.share[flow.id] * each * max(flow.routed, default=0.0)
            self.loads[id(point)] = total
        return self.loads[id(point)]

    def _point(self, table: PlannedTable, first: int, last: int, window: int) -> Point | None:
        """What cannot be split in some ranges: the busiest."""
        inside = [
            point
            for point in self.points[table.table.id]
            if first <= point.place[window] <= last or (point.what == "front" and not point.segment)  # it walks
        ]
        return max(inside, key=lambda each: float(self._load(table, each)[window]), default=None)

    def _cause(self, table: PlannedTable, point: Point | None) -> tuple[str, str]:
        """The rule that says more, and the element that it is about."""
        if point is None:
            segments = table.shown.segments
            return ("K013", segments[0].id) if segments else ("", "")
        if point.what == "front" and not point.segment:
            return "I019", next(iter(point.share))
        if point.what == "front":
            pattern = table.patterns[point.row_kind]
            segment = next(s for s in pattern.segments if s.id == point.segment)
            if not point.whole:
                return "K026", segment.id
            return ("K004" if isinstance(segment, TimeSegment) else "K005"), segment.id
        if point.what == "partition":
            return "K013", next(s.id for s in table.patterns[point.row_kind].segments)
        return "K014", max(point.share, key=lambda name: float(point.share[name].max()))

    # --- rows ----------------------------------------------------------------------------------------------------

    def rows(self) -> Iterator[Diagnosis]:
        """Rows that outgrow their limits."""
        for name, table in self.tables.items():
            for kind in table.days.kinds:
                crossed = [each for each in kind.crossings if each.date is not None]
                if not crossed:
                    continue
                worst = max(crossed, key=lambda each: each.limit_bytes)
                hard = worst.limit == "row_bytes"
                message = sentences.LARGE_ROW[worst.date == table.days.dates[0], bool(kind.largest_entity)]
                place = self._place_of_largest(name, kind)
                params = {
                    "entity": kind.largest_entity,
                    "limit_bytes": worst.limit_bytes,
                    "date": worst.date,
                    "largest_bytes": float(kind.largest_bytes[-1]),
                    "last_date": table.days.dates[-1],
                }
                yield Diagnosis(
                    message=message, params=params, severity="error" if hard else "warning", table=name,
                    first_range=place, last_range=place, first_window=0, last_window=self.plan.windows - 1,
                    rule="R001" if hard else "R002", at=kind.row_kind,
                )  # fmt: skip

    def _place_of_largest(self, table: str, kind: KindDays) -> int:
        """The range of the entity that is named, if its row is the largest there; else one with the largest row."""
        sizes = self.tables[table].row_bytes.max(axis=1)
        planned = next(each for each in self.plan.tables if each.table.id == table)
        flows = [flow for flow in planned.flows if flow.writes and flow.flow.kind.id == kind.row_kind]
        if flows:
            busiest = max(flows, key=lambda flow: float(flow.rates.sum()))
            law = self.plan.law(busiest, 0)
            key, _ = hottest_row(busiest.pattern, Law(law.time.collapsed(), law.popularity), 0)
            place = _range_of(planned, key)
            if sizes[place] >= ALMOST * float(kind.largest_bytes.max()):
                return place
        return int(sizes.argmax())

    def hot_rows(self) -> Iterator[Diagnosis]:
        """A single row that stands out."""
        for planned in self.plan.tables:
            table = self.tables[planned.table.id]
            for key in table.hot_keys[:1]:
                if key.share >= HOT_ROW_SHARE and HOT_ROW_NODES <= key.node_share <= HOT:
                    place = _range_of(planned, key.key)
                    yield Diagnosis(
                        message=sentences.HOT_ROW, params={"key": key.text, "node_share": key.share}, severity="note",
                        table=table.table, first_range=place, last_range=place, first_window=0,
                        last_window=self.plan.windows - 1, rule="K014", at=key.access,
                    )  # fmt: skip

    def backfills(self) -> Iterator[Diagnosis]:
        """Writes that have an end in the world, and none here."""
        for flow in self.plan.flows:
            activity = activity_of(self.plan.spec, flow.flow)
            if activity is None or not flow.writes or not isinstance(activity.arrival, Backfill):
                continue
            params = {"activity": activity.name or activity.id, "rows_per_second": float(flow.rates.mean())}
            yield Diagnosis(
                message=sentences.BACKFILL[activity.arrival.sorted], params=params, severity="note", table=flow.table,
                first_range=0, last_range=len(self.tables[flow.table].stored_share) - 1, first_window=0,
                last_window=self.plan.windows - 1, rule="", at=activity.id,
            )  # fmt: skip

    def quiet(self) -> list[Diagnosis]:
        """Nothing suffers."""
        found = []
        for cluster in self.clusters:
            peak = int(cluster.hottest.argmax())
            params = {
                "cluster": self._name(cluster),
                "load_share": float(cluster.hottest[peak]),
                "node_count": int(cluster.working[peak]),
                "at_time": self._time(peak),
            }
            message = sentences.QUIET_ALONE if cluster.working[peak] == 1 else sentences.QUIET[self._partitions]
            found.append(
                Diagnosis(
                    message=message, params=params, severity="note", table="", first_range=0, last_range=0,
                    first_window=peak, last_window=peak, rule="", at=cluster.cluster,
                )
            )  # fmt: skip
        return found

    # --- words ---------------------------------------------------------------------------------------------------

    @property
    def _partitions(self) -> bool:
        return self.plan.spec.engine == "tablestore"

    def _name(self, cluster: ClusterRun) -> str:
        known = {} if self._partitions else {each.id: each.name for each in clusters_of(self.plan.spec)}
        return known.get(cluster.cluster) or cluster.cluster

    @staticmethod
    def _refused_share(cluster: ClusterRun, windows: Ints) -> float:
        """Of the operations that came to a cluster in some windows, those that were refused."""
        offered = offered_operations(cluster.refused[windows], cluster.refused_share[windows])
        return float(cluster.refused[windows].sum()) / offered if offered > 0 else 0.0

    def _node_s(self, table: PlannedTable, *, writes: bool) -> float:
        """Node time of a mean write, or read."""
        mine = [flow for flow in table.flows if flow.writes == writes]
        rates = sum(float(flow.rates.sum()) for flow in mine)
        return sum(float(flow.rates.sum()) * flow.flow.seconds for flow in mine) / rates if rates > 0 else 0.0

    def _spans(self, flags: Flags) -> list[_Span]:
        """Runs of windows; short gaps are closed, and what comes too often is one."""
        places = np.flatnonzero(flags)
        if not len(places):
            return []
        gap = max(round(GAP_SECONDS / self.plan.window_seconds), 1)
        starts = np.flatnonzero(np.diff(places, prepend=-(10**9)) > gap)
        if len(starts) > MOST_SPANS:
            return [_Span(int(places[0]), int(places[-1]), flags)]
        found = []
        for start, end in zip(starts, [*starts[1:], len(places)], strict=True):
            inside = np.zeros_like(flags)
            inside[places[start:end]] = True
            found.append(_Span(int(places[start]), int(places[end - 1]), inside))
        return found

    def _when(self, span: _Span) -> dict[str, object]:
        """In words, where it is not always so with how often; and the figures of it."""
        share = float(span.inside.sum()) / (span.last - span.first + 1)
        figures = {"from_time": self._time(span.first), "to_time": self._time(span.last + 1), "time_share": share}
        return {"when": Text(sentences.ALWAYS if share >= ALWAYS else sentences.SOMETIMES, figures), **figures}

    def _time(self, window: int) -> str | datetime.datetime:
        """When a window begins: the hour, in a month with its day."""
        day, of_day = divmod(window, self.plan.windows_per_day)
        if len(self.plan.dates) == 1:
            minutes = round(window * self.plan.window_seconds / 60)
            return f"{minutes // 60:02d}:{minutes % 60:02d}"
        midnight = datetime.datetime.combine(self.plan.dates[0], datetime.time(), datetime.UTC)
        return midnight + datetime.timedelta(days=day, seconds=of_day * self.plan.window_seconds)


def _range_of(table: PlannedTable, key: bytes) -> int:
    return bisect_right(table.bounds, key)


def _uneven(cluster: ClusterRun) -> Flags:
    """Windows in which one node has about all that it can do, and far more than the others."""
    return (cluster.hottest > HOT) & (cluster.hottest > TOLERANCE * cluster.mean)
