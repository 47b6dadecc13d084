"""The three kinds of chart and what they share: a title that states the finding, units, and rows for table and CSV.

Texts are messages with parameters; `Say` puts them into words. A number's unit is the suffix of a name, as in
`designer.wording.formatting`: "bytes", "per_second", "share", "usd" (or another currency), "nodes".
"""

import datetime
from dataclasses import dataclass
from typing import Literal

import numpy as np

from designer.document.money import SYMBOLS
from designer.document.texts import N_
from designer.wording.formatting import Text, Translate, english
from estimator.results.arrays import Floats

from .key_labels import KeyLabel

Moment = datetime.date | datetime.datetime


def amount(value: float, unit: str, translate: Translate) -> str:
    """Return a number with its unit in words."""
    name = f"value_{unit}"
    return translate(f"{{{name}}}", {name: value})


@dataclass(frozen=True)
class RowStyle:
    """Style of written rows: for people in their language, or plain for programs, with units in headers."""

    translate: Translate
    plain: bool = False

    def head(self, name: str, unit: str) -> str:
        """Return the name of a column of amounts."""
        unit_text = unit.upper() if unit.upper() in SYMBOLS else unit.replace("_", " ")
        return f"{name} [{unit_text}]" if self.plain and unit != "count" else name

    def amount(self, value: float, unit: str) -> str:
        """Return a number, with its unit if the header does not give it."""
        return f"{value:.12g}" if self.plain else amount(value, unit, self.translate)

    def moment(self, moment: Moment, ticks: str) -> str:
        """Return a moment as below an axis; if plain, in ISO 8601, except for an hour of any week."""
        if not self.plain or ticks.startswith("week"):
            return moment_text(moment, ticks, self.translate)
        return moment.strftime("%Y-%m-%dT%H:%MZ") if isinstance(moment, datetime.datetime) else moment.isoformat()


@dataclass(frozen=True)
class Grid:
    """A table of a chart's figures: text cells, the first column names its row."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class HeatMap:
    """Load per key range (first range on top) and time window."""

    title: Text
    unit: str
    what: Text
    """What the colour means, with its unit."""
    starts: tuple[datetime.datetime, ...]
    window_seconds: float
    labels: tuple[KeyLabel, ...]
    """Per shown range: the shortest beginning of its first key that tells it from the range before."""
    bounds: tuple[bytes, ...]
    """Keys between the shown ranges: one less than ranges."""
    values: Floats
    """(ranges, windows)"""
    top: float
    """The value at the end of the scale."""
    limit: Text | None
    """What the middle of the scale is where that is a limit; None: the scale ends at the largest value."""
    first: bytes = b""
    """Where the first shown range begins; empty: at the first key of the table."""
    end: bytes = b""
    """Where the last shown range ends; empty: at the last key of the table."""
    brightened: float = 1.0
    """So many times less than twice the limit `top` is, in a picture that was made brighter."""
    outlines: tuple[tuple[float, float], ...] = ()
    """Ranges that are outlined: where each begins and ends, as shares of the shown ranges from the top."""

    @property
    def limit_value(self) -> float | None:
        """The limit in the chart's unit, if its scale has one."""
        return None if self.limit is None else self.top * self.brightened / 2

    @property
    def ticks(self) -> str:
        """Format of the moments below the map."""
        return "clock" if len(self.starts) * self.window_seconds <= 86_400 else "dayofmonth"

    def rows(self, translate: Translate = english, *, plain: bool = False) -> Grid:
        """Per shown range: first key, share of all, mean, peak and its time."""
        total, hand = float(self.values.sum()), RowStyle(translate, plain)
        when = "clock" if self.ticks == "clock" else "moment"
        day, edges = [], (self.first, *self.bounds)
        for i, values in enumerate(self.values):
            at = int(values.argmax())
            day.append(
                (
                    amount_key(edges[i], translate) if edges[i] else translate(N_("(first key)"), {}),
                    hand.amount(float(values.sum()) / total if total else 0.0, "share"),
                    hand.amount(float(values.mean()), self.unit),
                    hand.amount(float(values.max()), self.unit),
                    hand.moment(self.starts[at], when) if values.max() > 0 else "" if plain else "–",
                )
            )
        units = {N_("Range from"): "count", N_("Share of total"): "share", N_("Mean"): self.unit, N_("Peak"): self.unit}
        header = [hand.head(translate(name, {}), unit) for name, unit in units.items()]
        return Grid((*header, translate(N_("Peak at"), {})), tuple(day))


def amount_key(key: bytes, translate: Translate) -> str:
    """Return a key in its text form."""
    return translate("{key}", {"key": key})


@dataclass(frozen=True)
class LineSeries:
    """One line, with a band where its inputs are uncertain."""

    name: Text
    values: Floats
    low: Floats | None = None
    high: Floats | None = None
    quiet: bool = False
    """A line of comparison, drawn thin."""


@dataclass(frozen=True)
class LimitLine:
    """A horizontal mark: a limit, its value and where it is from."""

    name: Text
    value: float
    source: str = ""


@dataclass(frozen=True)
class TimeMark:
    """A vertical mark: something happens at this moment."""

    name: Text
    at: Moment


@dataclass(frozen=True)
class PointSeries:
    """Single values at their own moments, such as measurements beside a forecast."""

    name: Text
    moments: tuple[Moment, ...]
    """In order, none before the first or after the last of the chart."""
    values: Floats


Steps = Literal["forward", "back"]


@dataclass(frozen=True)
class LineChart:
    """Values over time."""

    title: Text
    unit: str
    what: Text
    moments: tuple[Moment, ...]
    ticks: str
    """How moments are written: the suffix "month", "weekday", "dayofmonth" or "clock"."""
    lines: tuple[LineSeries, ...]
    limits: tuple[LimitLine, ...] = ()
    marks: tuple[TimeMark, ...] = ()
    logarithmic: bool = False
    steps: Steps | None = None
    """A value holds until the next moment, or since the one before; None: it changes evenly between them."""
    points: tuple[PointSeries, ...] = ()

    @property
    def is_flat(self) -> bool:
        """True if nothing changes, so that the title says it all: level lines without a band, a mark or a point."""
        has_more = (
            self.points or self.marks or any(line.low is not None or line.high is not None for line in self.lines)
        )
        return not has_more and all(is_level(line.values) for line in self.lines)

    def rows(self, translate: Translate = english, *, plain: bool = False) -> Grid:
        """Per moment: the value of each line, with its band."""
        hand = RowStyle(translate, plain)
        columns = [(translate(N_("Time"), {}), self.distinct_moment_texts(translate, plain=plain))]
        for line in self.lines:
            name = line.name.translate(translate)
            columns.append((hand.head(name, self.unit), [hand.amount(float(v), self.unit) for v in line.values]))
            for suffix, edge in ((N_("low"), line.low), (N_("high"), line.high)):
                if edge is not None:
                    label = hand.head(f"{name} ({translate(suffix, {})})", self.unit)
                    columns.append((label, [hand.amount(float(v), self.unit) for v in edge]))
        columns += [
            (hand.head(point.name.translate(translate), self.unit), self._point_cells(point, hand))
            for point in self.points
        ]
        return Grid(tuple(name for name, _ in columns), tuple(zip(*(cells for _, cells in columns), strict=True)))

    def _point_cells(self, series: PointSeries, hand: RowStyle) -> list[str]:
        """Return for each moment the points since the one before."""
        # The first moment at or after each point.
        places = [sum(moment < at for moment in self.moments) for at in series.moments]
        return [
            ", ".join(
                hand.amount(float(value), self.unit)
                for value, place in zip(series.values, places, strict=True)
                if place == number
            )
            for number in range(len(self.moments))
        ]

    def distinct_moment_texts(self, translate: Translate, *, plain: bool = False) -> list[str]:
        """Each moment told from all others, as no mark below an axis need be."""
        exact = {"dayofmonth": "moment", "weekday": "weekhour"}.get(self.ticks, self.ticks)
        return [RowStyle(translate, plain).moment(moment, exact) for moment in self.moments]


def moment_text(moment: Moment, ticks: str, translate: Translate) -> str:
    """Return a moment in the format "month", "weekday", "dayofmonth" or "clock"."""
    name = f"at_{ticks}"
    return translate(f"{{{name}}}", {name: moment})


LEVEL_SHARE = 0.01
"""Changes below one per cent are none."""


def is_level(values: Floats) -> bool:
    """Return True if known values differ by less than a reader calls a change."""
    finite = values[np.isfinite(values)]
    return bool(finite.size) and float(np.ptp(finite)) <= LEVEL_SHARE * float(np.abs(finite).max())


@dataclass(frozen=True)
class ChartBar:
    """One bar; without a value it is hatched and says why."""

    label: Text
    value: float | None
    low: float | None = None
    high: float | None = None
    because: Text | None = None
    at: str = ""
    """The element that it is about."""


@dataclass(frozen=True)
class BarChart:
    """Amounts beside each other."""

    title: Text
    unit: str
    what: Text
    bars: tuple[ChartBar, ...]

    def rows(self, translate: Translate = english, *, plain: bool = False) -> Grid:
        """Per bar: its amount, its band where there is one, or why it is unknown; plain, in a column of its own."""
        hand = RowStyle(translate, plain)
        banded = any(bar.low is not None for bar in self.bars)
        names = [
            self.what.translate(translate),
            *([translate(N_("low"), {}), translate(N_("high"), {})] if banded else []),
        ]
        header = [translate(N_("Item"), {}), *(hand.head(name, self.unit) for name in names)]
        apart = plain and any(bar.value is None for bar in self.bars)
        more = [translate(N_("unknown"), {})] if apart else []
        return Grid((*header, *more), tuple(self._row(bar, hand, banded=banded, apart=apart) for bar in self.bars))

    def _row(self, bar: ChartBar, hand: RowStyle, *, banded: bool, apart: bool) -> tuple[str, ...]:
        why = bar.because.translate(hand.translate) if bar.because else hand.translate(N_("unknown"), {})
        values = (bar.value, bar.low, bar.high) if banded else (bar.value,)
        texts = [hand.amount(v, self.unit) if v is not None else "" if hand.plain else "–" for v in values]
        label = bar.label.translate(hand.translate)
        if apart:
            return (label, *texts, why if bar.value is None else "")
        return (label, *([why, *texts[1:]] if bar.value is None else texts))


Chart = HeatMap | LineChart | BarChart
