"""Stored data of a run: by cause, by day, in rows and in its largest rows."""

import datetime

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.engines.bigtable import LIMITS
from estimator.simulation.results import KindDays, TableDays

from ..growth import CAUSES, CAUSES_OF_TABLESTORE, LIMIT_NAMES, ROW_LIMITS, by_cause
from ..types import BarChart, LimitLine, LineChart, LineSeries, TimeMark
from .moments import ticks


def _cause_names(partitions: bool) -> tuple[tuple[str, str, str], ...]:
    return CAUSES_OF_TABLESTORE if partitions else CAUSES


def causes(days: TableDays, *, partitions: bool = False) -> BarChart:
    """Uncompressed bytes at the end, by what they are; Tablestore has words of its own."""
    cause_labels = _cause_names(partitions)
    return by_cause({name: float(days.stored_bytes[name][-1]) for name, _, _ in cause_labels}, cause_labels)


SHOWN = 3
"""Causes with a line of their own; more could not be told apart."""


def causes_by_day(days: TableDays, *, partitions: bool = False) -> LineChart:
    """Uncompressed bytes over time, by what they are: the largest causes, and all else together."""
    # By the last day, where the lines end and their names stand.
    order = sorted(_cause_names(partitions), key=lambda cause: -float(days.stored_bytes[cause[0]][-1]))
    rest = np.sum([days.stored_bytes[name] for name, _, _ in order[SHOWN:]], axis=0)
    total = np.sum([days.stored_bytes[name] for name, _, _ in order], axis=0)
    params = {"first_bytes": float(total[0]), "last_bytes": float(total[-1]), "date": days.dates[-1]}
    return LineChart(
        title=Text(N_("Uncompressed: {first_bytes} at the start, {last_bytes} on {date}"), params),
        unit="bytes",
        what=Text(N_("uncompressed bytes")),
        moments=days.dates,
        ticks=ticks(days.dates),
        lines=(
            *(LineSeries(Text(label), days.stored_bytes[name]) for name, label, _ in order[:SHOWN]),
            LineSeries(Text(N_("other")), rest, quiet=True),
        ),
    )


def stored_bytes_chart(days: TableDays, *, partitions: bool = False) -> LineChart:
    """Bytes on disk and uncompressed; on Tablestore as they are billed, which is not compressed."""
    logical = np.sum([days.stored_bytes[name] for name, _, _ in CAUSES], axis=0)
    params = {
        "first_bytes": float(days.physical_bytes[0]), "last_bytes": float(days.physical_bytes[-1]),
        "date": days.dates[-1],
    }  # fmt: skip
    title = N_("On disk: {first_bytes} at the start, {last_bytes} on {date}")
    if partitions:
        title = N_("Stored: {first_bytes} at the start, {last_bytes} on {date}")
    return LineChart(
        title=Text(title, params),
        unit="bytes",
        what=Text(N_("bytes")),
        moments=days.dates,
        ticks=ticks(days.dates),
        lines=(
            LineSeries(Text(N_("as billed") if partitions else N_("on disk, compressed")), days.physical_bytes),
            *(() if partitions else (LineSeries(Text(N_("uncompressed")), logical, quiet=True),)),
        ),
    )


def rows(days: TableDays) -> LineChart:
    """Rows that are stored."""
    first, last = float(days.rows[0]), float(days.rows[-1])
    params = {"first": first, "last": last, "date": days.dates[-1]}
    return LineChart(
        title=Text(N_("Rows: {first} at the start, {last} on {date}"), params),
        unit="count",
        what=Text(N_("rows")),
        moments=days.dates,
        ticks=ticks(days.dates),
        lines=(LineSeries(Text(N_("rows")), days.rows),),
    )


def sizes(kind: KindDays, dates: tuple[datetime.date, ...]) -> LineChart:
    """Median, 99th percentile and largest row, with the limits and the dates on which the largest passes them."""
    most = float(kind.largest_bytes.max(initial=0.0))
    live, crossed = (
        [(c, c.date) for c in crossings if c.date is not None and c.date <= dates[-1]]
        for crossings in (kind.live_crossings, kind.crossings)
    )
    if crossed and not live:
        worst, on = max(crossed, key=lambda pair: pair[0].limit_bytes)
        message = N_("Expired cells may take the largest row above {limit_bytes} on {date}")
        title = Text(message, {"limit_bytes": worst.limit_bytes, "date": on})
    elif live:
        worst, on = max(live, key=lambda pair: pair[0].limit_bytes)
        params = {"limit_bytes": worst.limit_bytes, "date": on, "row_bytes": most, "last_date": dates[-1]}
        before = N_("The largest row exceeds {limit_bytes} from the start: {row_bytes} by {last_date}")
        title = Text(before if on <= dates[0] else N_("The largest row exceeds {limit_bytes} on {date}"), params)
    else:
        title = Text(N_("The largest row stays at {row_bytes} until {date}"), {"row_bytes": most, "date": dates[-1]})
    marks = (TimeMark(Text("{limit_bytes}", {"limit_bytes": c.limit_bytes}), on) for c, on in crossed if on > dates[0])
    return LineChart(
        title=title,
        unit="bytes",
        what=Text(N_("bytes of a row, uncompressed")),
        moments=dates,
        ticks=ticks(dates),
        lines=(
            LineSeries(Text(N_("largest")), kind.largest_bytes),
            LineSeries(Text(N_("99th percentile")), kind.p99_bytes),
            LineSeries(Text(N_("median")), kind.median_bytes, quiet=True),
        ),
        limits=tuple(
            LimitLine(Text(LIMIT_NAMES[name]), LIMITS[name].value, LIMITS[name].source)
            for name in ROW_LIMITS
            if kind.crossings and most > LIMITS[name].value / 30
        ),
        marks=tuple(marks),
        logarithmic=True,
    )
