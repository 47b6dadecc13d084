"""The page of one log under the keys of two designs, each beside its model."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from designer.document.texts import N_, Text
from designer.wording import Chip, key_chips
from estimator.results import TableTraffic
from estimator.results.arrays import Floats
from estimator.traces import ReplayedDesign, UnreadLines
from estimator.traces.replays.compared_figures import ReplayedFigure, compared_figures
from estimator.traces.replays.key_load import BusyRange, KeyLoad
from estimator.traces.replays.load_report import HOT_RANGES

from .charts.heatmap import TOP_OF_MEAN, Of, heat_title, heatmap
from .charts.key_labels import range_labels
from .charts.maps.live import NODE, PARTITION
from .charts.maps.pane import NEAR_LIMIT_SHARE
from .charts.requests import DAY_SECONDS, requests_chart
from .charts.types import HeatMap, LineChart
from .trace_page import column_titles, reading_notes, unread_texts

_OPERATIONS: dict[str, tuple[Of, str]] = {
    "write": ("writes", N_("Writes")), "read": ("reads", N_("Reads")), "scan": ("reads", N_("Scans")),
}  # fmt: skip
_WHAT: dict[str, str] = {"write": N_("rows written"), "read": N_("read requests"), "scan": N_("scans")}
BEGUN = N_(
    "The model is of {model_date}, the middle of the log. The design does not start before the log, so the model’s "
    "table begins with it."
)
RUNNING = N_(
    "The model is of {model_date}, the middle of the log. Rows from before the log are in none of its lines, so rows "
    "scanned and their node CPU time are lower bounds."
)


@dataclass(frozen=True)
class HeatBeside:
    """The heat of one operation: of the log, and of the model."""

    title: str
    replayed: HeatMap
    modelled: HeatMap | None
    """None where the design has no such operation."""
    limit: Text | None = None
    """What bounds a range."""
    limit_per_second: float | None = None
    """Requests a second in one range at that limit, by the model's node time of a request."""

    @property
    def top(self) -> float:
        """Return the end of its own scale: with the limit in its middle, if a range comes near it."""
        tops = [side.top for side in (self.replayed, self.modelled) if side is not None]
        most = max(float(side.values.max()) for side in (self.replayed, self.modelled) if side is not None)
        is_near = self.limit_per_second is not None and most >= NEAR_LIMIT_SHARE * self.limit_per_second
        return 2 * (self.limit_per_second or 0.0) if is_near else max(tops)

    @property
    def limit_text(self) -> Text | None:
        """The limit, and how much of it the busiest range of the log takes."""
        if self.limit is None or self.limit_per_second is None:
            return None
        peak = float(self.replayed.values.max()) / self.limit_per_second
        params = {"limit": self.limit, "limit_per_second": self.limit_per_second, "peak_share": peak}
        return Text(N_("{limit}: {limit_per_second}; the busiest range of the log takes {peak_share} of it."), params)

    def with_top(self, top: float) -> "HeatBeside":
        """Return the same on a scale that ends at another rate."""
        limit = self.limit_per_second
        scale: dict[str, Any] = {"top": top}
        if limit is not None:
            scale |= {"limit": self.limit, "brightened": 2 * limit / top}
        return replace(
            self, replayed=replace(self.replayed, **scale), modelled=self.modelled and replace(self.modelled, **scale)
        )


@dataclass(frozen=True)
class ReplayColumn:
    """One key."""

    name: Text
    replayed: ReplayedDesign

    @property
    def keys(self) -> tuple[tuple[Chip, ...], ...]:
        """The segments of the key of each kind of rows."""
        return tuple(key_chips(self.replayed.spec, kind.key) for kind in self.replayed.table.row_kinds)

    @property
    def load(self) -> KeyLoad:
        """The load of the log under its key."""
        return self.replayed.replay.loads[-1]

    @property
    def hot_ranges(self) -> tuple[BusyRange, ...]:
        """The busiest ranges of the log."""
        return self.load.hottest_ranges(HOT_RANGES)

    @property
    def modelled_hot_range(self) -> BusyRange | None:
        """The busiest range of the model."""
        beside = self.replayed.beside
        if beside is None or not beside.traffic.heat.bounds:
            return None
        edges, place = (b"", *beside.traffic.heat.bounds, b""), beside.traffic.hottest_range
        return BusyRange(edges[place], edges[place + 1], beside.traffic.hottest_range_share)

    @property
    def model_date(self) -> Text | None:
        """The date of the model, and what follows for the rows that the log does not tell."""
        beside = self.replayed.beside
        if beside is None:
            return None
        message = BEGUN if beside.begins_with_log else RUNNING
        return Text(message, {"model_date": beside.day})

    @property
    def left_out(self) -> tuple[Text, ...]:
        """Requests that are not in the figures, by reason."""
        replay = self.replayed.replay
        reasons = (
            (N_("{left_count} requests left out: their keys have another pattern"), replay.other_pattern),
            (
                N_("{left_count} requests left out: the log’s keys do not hold the time of the row that they read"),
                replay.unknown_time,
            ),
        )
        return tuple(Text(message, {"left_count": count}) for message, count in reasons if count)

    @cached_property
    def heat(self) -> tuple[HeatBeside, ...]:
        """The heat of writes, reads and scans, each on its own scale."""
        pairs = (
            HeatBeside(title, self._replayed_heat(kind, of), self._modelled_heat(kind, of), *self._limit(kind))
            for kind, (of, title) in _OPERATIONS.items()
            if kind in self.load.operations
        )
        return tuple(pair.with_top(pair.top) for pair in pairs)

    def _limit(self, kind: str) -> tuple[Text | None, float | None]:
        """Return what bounds a range, and the requests a second of one operation with which it is there."""
        beside = self.replayed.beside
        seconds = (
            next((operation.node_seconds for operation in beside.operations if operation.operation == kind), 0)
            if beside
            else 0
        )
        if beside is None or not seconds:
            return None, None
        return Text(PARTITION if beside.traffic.partition else NODE), 1 / seconds

    def _replayed_heat(self, kind: str, of: Of) -> HeatMap:
        replay, load = self.replayed.replay, self.load
        counts = load.operations[kind].counts[:, : len(load.bounds)].T
        values = counts / replay.window_seconds / replay.sampled_share
        first = datetime.datetime.fromtimestamp(replay.first_s, datetime.UTC)
        step = datetime.timedelta(seconds=replay.window_seconds)
        return HeatMap(
            title=heat_title(values, of),
            unit="per_second",
            what=Text(_WHAT[kind]),
            starts=tuple(first + number * step for number in range(values.shape[1])),
            window_seconds=replay.window_seconds,
            labels=range_labels(load.bounds[1:]),
            bounds=load.bounds[1:],
            values=values,
            top=max(float(values.max()), TOP_OF_MEAN * float(values.mean())),
            limit=None,
        )

    def _modelled_heat(self, kind: str, of: Of) -> HeatMap | None:
        traffic = _traffic_of(self, kind)
        return None if traffic is None else heatmap(traffic, of=of)


def _traffic_of(column: ReplayColumn, kind: str) -> TableTraffic | None:
    """Return the model's load of one operation; None where it has none."""
    beside = column.replayed.beside
    return None if beside is None else beside.traffic_of(kind)


def _rates_over_day(column: ReplayColumn, kind: str, seconds: Floats) -> Floats | None:
    """Return the model's rate of an operation at moments of its reference day; None where it has none."""
    traffic = _traffic_of(column, kind)
    if traffic is None:
        return None
    heat = traffic.heat
    rates = (heat.writes_per_second if kind == "write" else heat.reads_per_second).sum(axis=0)
    return np.asarray(rates[(seconds % DAY_SECONDS / DAY_SECONDS * heat.windows).astype(np.int64)])


@dataclass(frozen=True)
class FigureRow:
    """One figure under each key; None where a design has no such figure."""

    title: Text
    figures: tuple[ReplayedFigure | None, ...]


@dataclass(frozen=True)
class ReplayPage:
    """A log under two keys, or under one."""

    columns: tuple[ReplayColumn, ...]
    lines: UnreadLines
    """How the log was read, and which lines were not."""

    @property
    def log_columns(self) -> tuple[tuple[str, str], ...]:
        """Reading of the log's columns: the meaning of each, and its name in the log or its number."""
        return column_titles(self.lines)

    @property
    def notes(self) -> tuple[Text, ...]:
        """Sum of its lines, and what it leaves open of how it is written."""
        return reading_notes(self.lines)

    @property
    def unread(self) -> tuple[Text, ...]:
        """Reasons for which lines were not read, with the numbers of the first."""
        return unread_texts(self.lines)

    @property
    def rows(self) -> tuple[FigureRow, ...]:
        """The figures of all keys, each in one row."""
        figure_sets = [_by_title(column.replayed) for column in self.columns]
        titles = dict.fromkeys(title for figures in figure_sets for title in figures)
        return tuple(
            FigureRow(
                next(figures[title].title for figures in figure_sets if title in figures),
                tuple(figures.get(title) for figures in figure_sets),
            )
            for title in titles
        )

    @cached_property
    def heats(self) -> tuple[tuple[ReplayColumn, tuple[HeatBeside, ...]], ...]:
        """The heat under each key: of one operation all maps on one scale."""
        tops: dict[str, float] = {}
        for pair in (pair for column in self.columns for pair in column.heat):
            tops[pair.title] = max(pair.top, tops.get(pair.title, 0.0))
        return tuple(
            (column, tuple(pair.with_top(tops[pair.title]) for pair in column.heat)) for column in self.columns
        )

    @cached_property
    def requests(self) -> tuple[LineChart, ...]:
        """Requests over the time of the log, beside those of each design at the same hours of its reference day."""
        return tuple(self._requests_chart(kind) for kind in _OPERATIONS if kind in self.columns[0].load.operations)

    def _requests_chart(self, kind: str) -> LineChart:
        replay, load = self.columns[0].replayed.replay, self.columns[0].load
        logged = load.operations[kind].counts.sum(axis=1) / replay.window_seconds / replay.sampled_share
        middles = replay.first_s + (np.arange(logged.size) + 0.5) * replay.window_seconds
        lines: list[tuple[Text, Floats]] = []
        for column in self.columns:
            rates = _rates_over_day(column, kind, middles)
            # A key changes where requests go, not how many there are: most designs have the same line.
            if rates is not None and not any(np.allclose(rates, other) for _, other in lines):
                lines.append((Text(N_("model")) if len(self.columns) == 1 or not lines else column.name, rates))
        return requests_chart(kind, replay.first_s, replay.window_seconds, logged, lines)

    @property
    def span_days(self) -> float:
        """From the first replayed request to the last."""
        return self.columns[0].replayed.replay.span_seconds / 86_400

    @property
    def first(self) -> datetime.datetime:
        """Time of the first replayed request."""
        return datetime.datetime.fromtimestamp(self.columns[0].replayed.replay.first_s, datetime.UTC)


def _by_title(replayed: ReplayedDesign) -> dict[str, ReplayedFigure]:
    figures: Sequence[ReplayedFigure] = () if replayed.beside is None else tuple(compared_figures(replayed.beside))
    return {str(figure.title): figure for figure in figures}


__all__ = ["FigureRow", "HeatBeside", "ReplayColumn", "ReplayPage"]
