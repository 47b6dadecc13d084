"""Row size and stored bytes over the horizon, and stored bytes by what they are."""

from collections.abc import Mapping, Sequence

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.engines.bigtable import LIMITS
from estimator.results import BytesByCause, RowGrowth, TableGrowth
from estimator.results.growth import LIVE_SHARE

from .types import BarChart, ChartBar, LimitLine, LineChart, LineSeries, TimeMark

ROW_LIMITS = ("row_bytes_recommended", "row_bytes")


def row_growth(growth: RowGrowth) -> LineChart:
    """Size of the median, the 99th percentile and the largest row, with the limits and the dates they are crossed."""
    last, most = growth.dates[-1], float(growth.largest_bytes.max(initial=0))
    limits = {name: LIMITS[name].value for name in ROW_LIMITS}
    live = growth.live_largest_bytes
    is_apart = bool(live.size) and bool((live < growth.largest_bytes * LIVE_SHARE).any())
    crossed = [c for c in growth.sure_crossings if c.date]
    possible = [c for c in growth.crossings if c.date]
    if crossed or possible:
        worst = max(crossed or possible, key=lambda c: c.limit_bytes)
        message = (
            N_("The largest row exceeds {limit_bytes} on {date}")
            if crossed
            else N_("Expired cells may take the largest row above {limit_bytes} on {date}")
        )
        title = Text(message, {"limit_bytes": worst.limit_bytes, "date": worst.date})
    else:
        title = Text(N_("The largest row stays at {row_bytes} until {date}"), {"row_bytes": most, "date": last})
    return LineChart(
        title=title,
        unit="bytes",
        what=Text(N_("bytes of a row, uncompressed")),
        moments=growth.dates,
        ticks="month",
        lines=(
            LineSeries(Text(N_("largest")), growth.largest_bytes),
            LineSeries(Text(N_("99th percentile")), growth.p99_bytes),
            *((LineSeries(Text(N_("largest, live cells")), live, quiet=True),) if is_apart else ()),
            LineSeries(Text(N_("median")), growth.median_bytes, quiet=True),
        ),
        limits=tuple(
            LimitLine(Text(LIMIT_NAMES[name]), value, LIMITS[name].source)
            for name, value in limits.items()
            # A limit far above all rows would press the lines to the bottom of the chart.
            if most > value / 30 and growth.crossings
        ),
        marks=tuple(
            TimeMark(Text("{limit_bytes}", {"limit_bytes": c.limit_bytes}), c.date) for c in possible if c.date
        ),
        logarithmic=True,
    )


LIMIT_NAMES = {"row_bytes_recommended": N_("recommended"), "row_bytes": N_("hard limit")}


def table_growth(growth: TableGrowth) -> LineChart:
    """Physical bytes of a table with their band, and logical bytes."""
    first, last = float(growth.physical_bytes[0]), float(growth.physical_bytes[-1])
    billed = growth.compression_origin == "none"
    return LineChart(
        title=Text(
            N_("Stored: {first_bytes} now, {last_bytes} on {date}"),
            {"first_bytes": first, "last_bytes": last, "date": growth.dates[-1]},
        ),
        unit="bytes",
        what=Text(N_("bytes")),
        moments=growth.dates,
        ticks="month",
        lines=(
            LineSeries(
                Text(N_("as billed") if billed else N_("on disk, compressed")),
                growth.physical_bytes,
                growth.physical_bytes_low,
                growth.physical_bytes_high,
            ),
            *(() if billed else (LineSeries(Text(N_("uncompressed")), growth.logical_bytes, quiet=True),)),
        ),
    )


CAUSES = (
    ("value", N_("values"), N_("{cause_share} of the stored bytes are values")),
    ("key", N_("row keys"), N_("{cause_share} of the stored bytes are row keys")),
    ("qualifier", N_("qualifiers"), N_("{cause_share} of the stored bytes are qualifiers")),
    ("family", N_("family names"), N_("{cause_share} of the stored bytes are family names")),
    ("timestamp", N_("timestamps"), N_("{cause_share} of the stored bytes are timestamps")),
    ("overhead", N_("lengths and types"), N_("{cause_share} of the stored bytes are lengths and types")),
)
"""What stored bytes are: the field of `BytesByCause`, its name, and the finding when it is the largest."""

CAUSES_OF_TABLESTORE = (
    ("value", N_("values"), N_("{cause_share} of the stored bytes are values")),
    ("key", N_("primary keys"), N_("{cause_share} of the stored bytes are primary keys")),
    ("qualifier", N_("column names"), N_("{cause_share} of the stored bytes are column names")),
    ("timestamp", N_("version numbers"), N_("{cause_share} of the stored bytes are version numbers")),
)
"""The same by its published formula, which knows no families and no lengths."""


def stored_bytes(growth: TableGrowth) -> BarChart:
    """Uncompressed bytes of a table at the end of the horizon by what they are."""
    billed = growth.compression_origin == "none"  # by Tablestore's formula
    causes = [family.bytes_by_cause for family in growth.families]
    cause_labels = CAUSES_OF_TABLESTORE if billed else CAUSES
    sums = {name: float(np.sum([getattr(cause, name) for cause in causes])) for name, _, _ in cause_labels}
    return by_cause(sums, cause_labels)


def by_cause(sums: Mapping[str, float], cause_labels: Sequence[tuple[str, str, str]]) -> BarChart:
    """Bytes of each cause, said with the largest."""
    total = sum(sums[name] for name, _, _ in cause_labels)
    largest, _, message = max(cause_labels, key=lambda cause: sums[cause[0]])
    return BarChart(
        title=Text(message, {"cause_share": sums[largest] / total}) if total else Text(N_("No stored data")),
        unit="bytes",
        what=Text(N_("uncompressed bytes")),
        bars=tuple(
            ChartBar(Text(label), sums[name]) for name, label, _ in cause_labels if sums[name] or cause_labels is CAUSES
        ),
    )


def shares(
    causes: BytesByCause, cause_labels: Sequence[tuple[str, str, str]] = CAUSES
) -> tuple[tuple[str, float], ...]:
    """Each cause's name and its share, largest first, nothing left out but zeros."""
    total = causes.total
    parts = [
        (label, getattr(causes, name) / total) for name, label, _ in cause_labels if total and getattr(causes, name)
    ]
    return tuple(sorted(parts, key=lambda part: -part[1]))
