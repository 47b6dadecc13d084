"""One cluster through the windows: tablets split and move, nodes serve what they can, the autoscaler follows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from estimator.results.arrays import Floats, Ints

from .balance import move_tablets, place_tablets
from .scaling import Scaler
from .tablets import TabletRules, Tablets, resplit


@dataclass(frozen=True, eq=False)
class OfferedLoad:
    """Load that one table puts on one cluster; arrays are (ranges, windows)."""

    table: str
    load: Floats
    """[nodes]"""
    indivisible: Floats
    """[nodes]"""
    most: Floats
    """(windows,) of the busiest thing that cannot be split, over all ranges. [nodes]"""
    work: Floats
    """What tablets split by: the load; on Tablestore operations."""
    writes: Floats
    reads: Floats
    stored: Callable[[int], Floats]
    """Bytes of each range in a window: (ranges,)."""
    start: Tablets
    steady: Floats
    """(ranges,) load that tablets are placed by at the start; all 0 where nothing is known. [nodes]"""
    cold: Callable[[int], float] = lambda window: 0.0
    """Of the bytes in a window, those in infrequent access."""


@dataclass(frozen=True)
class Balancer:
    """Rules by which tablets move."""

    balancing: bool
    slack: float
    moved_share: float
    partitions: bool = False
    """Tablestore: each tablet is served by itself."""


@dataclass(eq=False)
class ServingResult:
    """Results of serving, by window."""

    nodes: list[int] = field(default_factory=list)
    working: list[int] = field(default_factory=list)
    hottest: list[float] = field(default_factory=list)
    median: list[float] = field(default_factory=list)
    mean: list[float] = field(default_factory=list)
    hottest_share: list[float] = field(default_factory=list)
    hottest_write_share: list[float] = field(default_factory=list)
    hottest_read_share: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    refused_share: list[float] = field(default_factory=list)
    reachable: list[float] = field(default_factory=list)
    reached: list[float] = field(default_factory=list)
    moves: list[int] = field(default_factory=list)
    tablets: list[list[int]] = field(default_factory=list)
    """By window, by table."""
    hot_ranges: list[tuple[int, int, int]] = field(default_factory=list)
    """By window: the table with the busiest tablet of the hottest node, and that tablet's first and last range."""


def serve(
    tables: Sequence[OfferedLoad], scaler: Scaler, rules: TabletRules, balancer: Balancer, *, retried_share: float,
    report_progress: Callable[[int], None],
) -> ServingResult:  # fmt: skip
    """Plays all windows.

    Parameters
    ----------
    retried_share
        Of the refused load, what comes again in the next window on the same ranges; 0 without retries.
    report_progress
        Called with the number of each window before it is played.
    """
    return _Cluster(tables, scaler, rules, balancer, retried_share).play(report_progress)


class _Cluster:
    def __init__(
        self,
        tables: Sequence[OfferedLoad],
        scaler: Scaler,
        rules: TabletRules,
        balancer: Balancer,
        retried_share: float,
    ) -> None:
        self.tables, self.scaler, self.rules, self.balancer = tables, scaler, rules, balancer
        self.retried_share = retried_share
        self.tablets = [table.start for table in tables]
        self.came = [np.zeros(len(table.load)) for table in tables]
        self.home: list[Ints] = []
        self.out = ServingResult()

    def play(self, report_progress: Callable[[int], None]) -> ServingResult:
        windows = self.tables[0].load.shape[1]
        self.home = place_tablets(
            [t.loads(o.steady, np.zeros_like(o.steady)) for t, o in self._pairs()], self._nodes(0)
        )
        moves = 0
        for window in range(windows):
            report_progress(window)
            loads = self._window(window, moves)
            if window + 1 < windows:
                moves = self._prepare_window(window, loads)
        return self.out

    def _pairs(self) -> Sequence[tuple[Tablets, OfferedLoad]]:
        return list(zip(self.tablets, self.tables, strict=True))

    def _nodes(self, window: int) -> int:
        if self.balancer.partitions:
            return sum(int(tablets.pieces[tablets.first].sum()) for tablets in self.tablets)
        return self.scaler.working_nodes(window)

    def _window(self, window: int, moves: int) -> list[Floats]:
        """Serve one window, note it, and return what was offered to each range, by table."""
        nodes, out = self._nodes(window), self.out
        # What was refused in the window before and is tried again comes on top.
        load = [o.load[:, window] + came for o, came in zip(self.tables, self.came, strict=True)]
        solid = [
            np.minimum(o.indivisible[:, window], table_load) for o, table_load in zip(self.tables, load, strict=True)
        ]
        units = [t.loads(table_load, hot) for t, table_load, hot in zip(self.tablets, load, solid, strict=True)]
        homes = np.concatenate(self.home) if not self.balancer.partitions else np.arange(nodes)
        flat = np.concatenate(units)
        busy = np.bincount(homes, flat, minlength=nodes)
        total, hottest = float(busy.sum()), int(busy.argmax())
        # A node serves its capacity of 1 and refuses the rest of all its tablets in equal parts.
        node_shares = np.divide(np.minimum(busy, 1.0), busy, out=np.ones_like(busy), where=busy > 0)
        refused = self._refuse_operations(window, load, units, node_shares, homes)
        operations = sum(float(o.writes[:, window].sum() + o.reads[:, window].sum()) for o in self.tables)
        peak = float(busy[hottest])
        counts = [t.count(o.stored(window), self.rules) for t, o in self._pairs()]
        out.tablets.append(counts)
        out.nodes.append(sum(counts) if self.balancer.partitions else self.scaler.nodes)
        out.working.append(sum(counts) if self.balancer.partitions else nodes)
        out.hottest.append(peak)
        out.median.append(float(np.median(busy)))
        out.mean.append(total / nodes)
        out.hottest_share.append(peak / total if total > 0 else 0.0)
        out.hottest_write_share.append(self._share("writes", window, units, homes, hottest))
        out.hottest_read_share.append(self._share("reads", window, units, homes, hottest))
        out.refused.append(refused)
        out.refused_share.append(min(refused / operations, 1.0) if operations > 0 else 0.0)
        most = max(float(o.most[window]) for o in self.tables)
        # Tablestore has no number of servers that could be full; there only one partition-key value is a limit.
        ceiling = nodes / total if total > 0 and not self.balancer.partitions else np.inf
        reachable = min(ceiling, 1 / most if most > 0 else np.inf)
        out.reachable.append(reachable)
        out.reached.append(min(1 / peak if peak > 0 else np.inf, reachable))
        out.moves.append(moves)
        out.hot_ranges.append(self._hot_range(units, homes, hottest))
        return load

    def _refuse_operations(
        self, window: int, load: list[Floats], units: list[Floats], node_shares: Floats, homes: Ints
    ) -> float:
        """Operations that no node took, and what of them comes again."""
        if float(node_shares.min()) >= 1:
            self.came = [np.zeros_like(loads) for loads in load]
            return 0.0
        lost, at = 0.0, 0
        came = []
        for tablets, offered, table_load, unit in zip(self.tablets, self.tables, load, units, strict=True):
            run = tablets.units[0]
            unit_shares = node_shares[homes[at : at + len(unit)]]
            at += len(unit)
            runs = len(tablets.first)
            whole = np.bincount(run, unit, minlength=runs)
            # Pieces of one range can be on different nodes, so what was taken is averaged over a run's tablets by
            # load.
            run_shares = np.divide(
                np.bincount(run, unit * unit_shares, minlength=runs), whole, out=np.ones(runs), where=whole > 0
            )
            lost_share = 1 - run_shares[np.cumsum(tablets.cut) - 1]
            # Counts are of first attempts; with retries, operations grow in proportion to the load.
            again = np.divide(
                table_load, offered.load[:, window], out=np.ones_like(table_load), where=offered.load[:, window] > 0
            )
            lost += float(((offered.writes + offered.reads)[:, window] * again * lost_share).sum())
            came.append(table_load * lost_share * self.retried_share)
        self.came = came
        return lost

    def _share(self, what: str, window: int, units: list[Floats], homes: Ints, node: int) -> float:
        """Share of rows written, or requests, that fall on a node: as its tablets' load."""
        there, total, at = 0.0, 0.0, 0
        for tablets, offered, unit in zip(self.tablets, self.tables, units, strict=True):
            counts = (offered.writes if what == "writes" else offered.reads)[:, window]
            run = tablets.units[0]
            mine = homes[at : at + len(unit)] == node
            at += len(unit)
            whole = np.bincount(run, unit, minlength=len(tablets.first))
            part = np.divide(unit, whole[run], out=np.zeros_like(unit), where=whole[run] > 0)
            of_run = np.add.reduceat(counts, tablets.first)
            there += float((of_run[run[mine]] * part[mine]).sum())
            total += float(counts.sum())
        return there / total if total > 0 else 0.0

    def _hot_range(self, units: list[Floats], homes: Ints, node: int) -> tuple[int, int, int]:
        """Return the busiest tablet on a node: its table, first and last range."""
        best, place, at = -1.0, (0, 0, 0), 0
        for number, (tablets, unit) in enumerate(zip(self.tablets, units, strict=True)):
            mine = np.flatnonzero(homes[at : at + len(unit)] == node)
            at += len(unit)
            if len(mine) and float(unit[mine].max()) > best:
                best = float(unit[mine].max())
                run, first = int(tablets.units[0][mine[unit[mine].argmax()]]), tablets.first
                last = int(first[run + 1]) - 1 if run + 1 < len(first) else len(tablets.cut) - 1
                place = (number, int(first[run]), last)
        return place

    def _prepare_window(self, window: int, loads: list[Floats]) -> int:
        """Between two windows: tablets split and merge, nodes come and go, tablets move. How many moved."""
        # An autoscaler sees the CPU that is used, at most all of it, and not what was refused.
        used = float(np.minimum(self.out.mean[-1] * self.out.working[-1], self.out.working[-1]))
        stored = [o.stored(window) for o in self.tables]
        cold = sum(table.cold(window) for table in self.tables)
        self.scaler.decide(window, used, float(sum(table_bytes.sum() for table_bytes in stored)), cold)
        units = []
        for place, (tablets, offered) in enumerate(self._pairs()):
            solid = np.minimum(offered.indivisible[:, window], loads[place])
            work = np.divide(
                offered.work[:, window],
                offered.load[:, window],
                out=np.ones_like(solid),
                where=offered.load[:, window] > 0,
            )
            after = resplit(tablets, loads[place] * work, solid * work, stored[place], self.rules)
            if after is not tablets and not self.balancer.partitions:
                was, now = tablets.units[2], after.units[2]
                # Tablets that a split makes stay on the node of the tablet that they come from, until the balancer
                # moves them. Where a tablet begins is a float, hence the tolerance.
                self.home[place] = self.home[place][np.searchsorted(was, now + 1e-9, side="right") - 1]
            self.tablets[place] = after
            units.append(after.loads(loads[place], solid))
        if self.balancer.partitions:
            return 0
        nodes = self._nodes(window + 1)
        homes = np.concatenate(self.home)
        if not self.balancer.balancing and homes.max() < nodes:
            return 0
        # A small table could not be balanced with a quarter of its tablets: a new one has a single tablet.
        most = max(int(len(homes) * self.balancer.moved_share), 16) if self.balancer.balancing else 0
        new_homes, moves = move_tablets(np.concatenate(units), homes, nodes, slack=self.balancer.slack, maximum=most)
        self.home = np.split(new_homes, np.cumsum([len(unit) for unit in units])[:-1])
        return moves
