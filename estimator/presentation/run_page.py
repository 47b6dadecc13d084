"""Page of a simulation, built from its parts on request: words, maps, charts."""

import datetime
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.base import Element
from designer.document.guesses import effective_value
from designer.document.texts import N_
from designer.wording import element_label, element_locations
from designer.wording.formatting import Text
from estimator.advice.rules import RULES, Rule
from estimator.engines import engine_of
from estimator.simulation import packing
from estimator.simulation.assumptions import RunAssumption
from estimator.simulation.results import Diagnosis, SeedSpread, Simulation, TableRun

from .charts.maps import KeyMap
from .charts.maps.simulated import simulated_map
from .charts.simulation.registry import run_charts
from .charts.types import Chart
from .figures import OFTEN_PER_SECOND
from .labels import PATTERNS

MARGIN_RANGES = 8
"""Of the map is shown around what a diagnosis is about."""


@dataclass(frozen=True)
class DiagnosisView:
    """A diagnosis with the ways that lead from it."""

    diagnosis: Diagnosis
    rule: Rule | None
    at: Element | None
    """The element that causes it, if it is still in the document."""
    place: tuple[str, ...]
    view: str
    """What a map shows of it, as the end of an address; empty where it is not about a table."""


@dataclass(frozen=True)
class Vital:
    """One figure of a run, by which two are compared."""

    name: str
    label: Text
    value: float | Decimal | None
    unit: str
    less_is_better: bool | None = None
    at_least: bool = False
    """Something that has no price is not in it."""
    where: Text | None = None
    """The key that it is about; or all that there is to say, where there is no figure."""


@dataclass(frozen=True)
class RunDay:
    """A day of a month."""

    date: datetime.date
    from_day: int
    """Days after the design's start."""
    share: float
    """Of its windows in the map."""


class RunPage:
    """A simulation that is shown; `read` gives a part of its result by name."""

    def __init__(self, spec: Spec, read: Callable[[str], bytes]) -> None:
        self.spec = spec
        self._read = read
        self._maps: dict[str, KeyMap] = {}

    @cached_property
    def run(self) -> Simulation:
        """Everything but ranges and grids."""
        return packing.unpack_head(self._read(packing.HEAD))

    @property
    def _partitions(self) -> bool:
        return not engine_of(self.spec).HAS_NODES

    @cached_property
    def charts(self) -> Mapping[str, Callable[[], Chart]]:
        """Every chart by its name."""
        return run_charts(self.run)

    def name(self, id: str) -> str:  # noqa: A002
        """Return the name of a table or cluster."""
        return self.run.names.get(id) or element_label(self.spec, id)

    @property
    def tables(self) -> tuple[TableRun, ...]:
        """The tables that were played, the busiest first."""
        return tuple(self.run.tables.values())

    def map(self, table: str, limits: Mapping[str, float | None] | None = None) -> KeyMap:
        """One table's map, kept with its figures; `limits` are what one node takes of each metric."""
        if table not in self._maps:
            self._maps[table] = self._map(table, limits or {})
        return self._maps[table]

    def _map(self, table: str, limits: Mapping[str, float | None]) -> KeyMap:
        bounds, _ = packing.unpack_ranges(self._read(packing.ranges_part(table)))
        return simulated_map(
            self.run, table, bounds, lambda metric: packing.unpack_grid(self._read(packing.grid_part(table, metric))),
            limits=limits, partitioned=self._partitions,
        )  # fmt: skip

    @cached_property
    def diagnoses(self) -> tuple[DiagnosisView, ...]:
        """Diagnoses of the run, gravest first."""
        by_id, at = self.spec.by_id, element_locations(self.spec)
        return tuple(
            DiagnosisView(
                diagnosis,
                RULES.get(diagnosis.rule),
                by_id.get(diagnosis.at),
                at.get(diagnosis.at, ()),
                self._view(diagnosis),
            )
            for diagnosis in self.run.diagnoses
        )

    def _view(self, of: Diagnosis) -> str:
        if not of.table:
            return ""
        shares = {name: name for name in of.params if name.endswith("_share")}
        metric = next((m for word, m in METRICS.items() if any(word in name for name in (*of.params, of.rule))), "")
        metric = metric or ("writes" if "write_share" in shares else "node_time")
        windows = len(self.run.window_starts)
        first, last = max(0, of.first_range - MARGIN_RANGES), of.last_range + 1 + MARGIN_RANGES
        if of.last_range - of.first_range > 512:
            first, last = of.first_range, of.last_range + 1
        return f"of={metric}&view={first}-{last}.{max(0, of.first_window - 2)}-{min(windows, of.last_window + 3)}"

    @cached_property
    def vitals(self) -> tuple[Vital, ...]:
        """The figures at the top."""
        run, clusters = self.run, self.run.clusters
        refused = float(sum(int(cluster.refused.sum()) for cluster in clusters))
        hottest = max((float(cluster.hottest.max()) for cluster in clusters), default=None)
        reachable = [float(cluster.reachable.min()) for cluster in clusters if np.isfinite(cluster.reachable).any()]
        reached = [float(cluster.reached.min()) for cluster in clusters if np.isfinite(cluster.reached).any()]
        nodes = float(sum(int(cluster.nodes.max()) for cluster in clusters)) if clusters else None
        placement_factor = None if self._partitions else min(reached, default=None)
        tablets = float(sum(int(table.tablets.max()) for table in self.tables))
        more, less = _MORE, _LESS
        return (
            Vital("operations", Text(N_("Operations")), float(run.events), "count"),
            Vital("hottest", Text(_HOTTEST[self._partitions]), hottest, "share", **less),
            Vital("refused", Text(N_("Operations rejected")), refused, "count", **less),
            Vital("reachable", Text(N_("Reachable throughput")), min(reachable, default=None), "factor", **more),
            Vital("reached", Text(N_("… with the balancer's tablet placement")), placement_factor, "factor", **more),
            Vital("nodes", Text(N_("Maximum nodes reached")), None if self._partitions else nodes, "count", **less),
            Vital("tablets", Text(_TABLETS[self._partitions]), tablets, "count"),
            Vital("cost", Text(N_("Per month")), run.cost, run.currency.lower(), at_least=run.cost_at_least, **less),
        )

    def table_vitals(self, name: str) -> tuple[Vital, ...]:
        """Return the vitals of one table: its named patterns, busiest row and key range, and its final size."""
        table, less = self.run.tables[name], _LESS
        unit = "share" if self._partitions else "nodes"
        patterns = tuple(
            Text("{pattern} {pattern_share}", {"pattern": Text(PATTERNS[pattern.name]), "pattern_share": pattern.share})
            for pattern in table.patterns
        )
        often = (
            key for key in table.hot_keys if key.per_second >= OFTEN_PER_SECOND
        )  # else nothing happens to it twice
        row = max(often, key=lambda hot_key: hot_key.node_share, default=None)
        place, most = self._busiest_range(name)
        largest = max(
            (float(kind.largest_bytes[-1]) for kind in table.days.kinds if len(kind.largest_bytes)), default=None
        )
        stored = float(table.days.physical_bytes[-1]) if len(table.days.dates) else None
        return (
            Vital("pattern", Text(N_("Named pattern")), None, "", where=Text("{patterns}", {"patterns": patterns})),
            Vital("row", Text(N_("Busiest row at its peak")), row.node_share if row else None, unit, **less,
                  where=Text("{key}", {"key": row.text}) if row else None),
            Vital("range", Text(N_("Busiest key range at its peak")), most, unit, **less, where=place),
            Vital("row_bytes", Text(N_("Largest row at the end")), largest, "bytes"),
            Vital("stored_bytes", Text(_STORED[self._partitions]), stored, "bytes", **less),
        )  # fmt: skip

    def _busiest_range(self, name: str) -> tuple[Text, float]:
        """Return the start of the map's busiest range in one window, and its load [nodes]."""
        grid = packing.unpack_grid(self._read(packing.grid_part(name, "node_ns")))
        bounds, _ = packing.unpack_ranges(self._read(packing.ranges_part(name)))
        place = int(grid.max(axis=1).argmax())
        start = Text(N_("from {key}"), {"key": bounds[place - 1]}) if place else Text(N_("(first key)"))
        # Nanoseconds of nodes in a window, as nodes.
        return start, float(grid[place].max()) / (self.run.window_seconds * 1e9)

    @cached_property
    def days(self) -> tuple[RunDay, ...]:
        """The days of a month, each of which can be looked at by quarters of an hour; none of a day."""
        starts = self.run.window_starts
        if self.run.parameters.kind == "day":
            return ()
        first: datetime.date = effective_value(self.spec, self.spec, "start")
        dates = sorted({start.date() for start in starts})
        return tuple(
            RunDay(date, (date - first).days, sum(start.date() == date for start in starts) / len(starts))
            for date in dates
            if date >= first
        )

    @property
    def assumptions(self) -> tuple[RunAssumption, ...]:
        """Assumptions of the run, changed ones first."""
        return tuple(sorted(self.run.assumptions, key=lambda assumption: assumption.value == assumption.default))

    @property
    def spreads(self) -> tuple["SpreadRow", ...]:
        """Differences between seeds."""
        words = _SPREAD_OF_PARTITIONS if self._partitions else _SPREAD
        return tuple(
            SpreadRow(Text(words[s.name]), s, self.name(s.cluster)) for s in self.run.spread if s.name in words
        )


_MORE: Mapping[str, Any] = {"less_is_better": False}
_LESS: Mapping[str, Any] = {"less_is_better": True}
_HOTTEST = {False: N_("Hottest node at its peak"), True: N_("Busiest partition at its peak")}
_STORED = {False: N_("On disk at the end"), True: N_("Stored at the end of the run")}
_TABLETS = {False: N_("Maximum tablets"), True: N_("Maximum partitions")}

METRICS = {"row_bytes": "row_size", "largest_bytes": "row_size", "write": "writes", "read": "reads"}
"""What a diagnosis is seen in, by a word in the names of its parameters."""

_SPREAD = {
    "peak_utilisation_share": N_("Hottest node at its peak"),
    "refused_share": N_("Operations rejected"),
    "refused_operations": N_("Operations rejected"),
    "reachable_factor": N_("Reachable throughput"),
    "reached_factor": N_("… with the balancer's tablet placement"),
    "tablets": N_("Maximum tablets"),
    "nodes": N_("Maximum nodes reached"),
}
_SPREAD_OF_PARTITIONS = {
    "peak_utilisation_share": N_("Busiest partition at its peak"),
    "refused_operations": N_("Operations rejected"),
    "reachable_factor": N_("Reachable throughput"),
    "tablets": N_("Maximum partitions"),
}
"""There are no nodes that a balancer could do better or worse with."""


@dataclass(frozen=True)
class SpreadRow:
    """One figure over the seeds."""

    label: Text
    spread: SeedSpread
    cluster: str

    @property
    def low(self) -> float:
        """The least."""
        return min(self.spread.values)

    @property
    def high(self) -> float:
        """The most."""
        return max(self.spread.values)


__all__ = ["DiagnosisView", "RunDay", "RunPage", "SpreadRow", "Vital"]
