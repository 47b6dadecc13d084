"""Measured beside designed, as lines of text in English."""

from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.texts import N_, Text, build_text
from designer.wording import element_label, element_locations
from designer.wording.formatting import english, english_text, format_value, signed_change

from .calibration import CalibratedValue
from .contents import read_parts
from .designed import DesignedBand, DesignedState
from .figures import ComparedDesign, ComparedFigure
from .key_ranges import HotTabletRange, StoredSpread

PRECISION = Text(
    N_(
        "Table stats are approximate: they are as of the last compaction of one cluster, which may be a week ago, and "
        "complete only about a week after the table was made."
    )
)
"""As documented: https://cloud.google.com/bigtable/docs/table-stats (read 2026-11-22)."""
UNDATED = Text(N_("The files hold no date: today is assumed."))
LATER_START = N_(
    "The design starts on {start_date}, after the measurement of {measured_date}: it is compared as of its first day. "
    "Calibrated, it starts on the day of the measurement."
)
NOTHING_COMPARED = Text(N_("Nothing that was read can be compared with this design."))
NOTHING_CERTAIN = Text(
    N_(
        "Nothing can be calibrated from these files: no value of the design differs that they tell without doubt. Such "
        "are rates of a table with one write or one read, over a week (server/modified_rows_count; "
        "server/request_count of ReadRows), sizes and numbers from table stats, and fixed nodes from clusters list."
    )
)
COLUMNS = 4


def report_lines(state: DesignedState, comparison: ComparedDesign) -> Iterator[str]:
    """Yield the lines of the report."""
    observation = comparison.observation
    yield f"{state.spec.name}, measured {english('{date}', {'date': observation.date})}"
    if not observation.is_date_stated:
        yield english_text(UNDATED)
    if (late := later_start_text(comparison)) is not None:
        yield english_text(late)
    if observation.tables:
        yield english_text(PRECISION)
    yield f"read: {'; '.join(map(english_text, read_parts(observation)))}"
    groups = [(f"table {table.name}", table.figures) for table in comparison.tables]
    groups += [(f"cluster {cluster.name}", cluster.figures) for cluster in comparison.clusters]
    groups += [
        (
            f"read {element_label(state.spec, read.read)}" if read.read else "a read, of which the name is not known",
            read.figures,
        )
        for read in comparison.reads
    ]
    for title, figures in groups:
        if figures:
            yield from ("", title, *_figure_lines(figures))
    for table in comparison.tables:
        if table.hot_ranges:
            yield from ("", f"hot tablets of {table.name}", *map(_hot_line, table.hot_ranges))
        if table.spread is not None:
            yield from ("", f"bytes over the keys of {table.name}", *_spread_lines(table.spread))
    for name in comparison.unknown_tables:
        yield from ("", f"not in the design: table {name}")
    if comparison.unused_metrics:
        yield from ("", f"compared with nothing: {', '.join(comparison.unused_metrics)}")
    if comparison.unused_reasons:
        yield from (
            "",
            "not compared",
            *(f"  {english_text(unused_reason)}" for unused_reason in comparison.unused_reasons),
        )
    if not comparison.has_comparison:
        yield from ("", english_text(NOTHING_COMPARED))


def later_start_text(comparison: ComparedDesign) -> Text | None:
    """Return a sentence about a design that starts after the measurement; None of any other."""
    if comparison.later_start is None:
        return None
    return build_text(LATER_START, start_date=comparison.later_start, measured_date=comparison.observation.date)


def calibration_lines(spec: Spec, values: Sequence[CalibratedValue], comparison: ComparedDesign) -> Iterator[str]:
    """Yield a line for each value that `--out` sets, or that there is none and why."""
    later = comparison.later_start
    is_any = bool(values) or later is not None
    yield from (
        "",
        "measured without doubt (--out DESIGN takes them over)" if is_any else english_text(NOTHING_CERTAIN),
    )
    if later is not None:
        yield english("  start: {was} → {date}", {"was": later, "date": comparison.observation.date})
    for calibration in values:
        was, value = (format_value(calibration.unit, number) for number in (calibration.was, calibration.value))
        yield f"  {' › '.join(element_locations(spec)[calibration.at])}, {calibration.field}: {was} → {value}"


def _figure_lines(figures: tuple[ComparedFigure, ...]) -> Iterator[str]:
    rows = [("", "designed", "now", "difference"), *map(_cells, figures)]
    widths = [max(len(row[place]) for row in rows) for place in range(COLUMNS)]
    causes = ["", *("" if figure.cause is None else english_text(figure.cause) for figure in figures)]
    for row, cause in zip(rows, causes, strict=True):
        head, *numbers = (
            cell.ljust(width) if n == 0 else cell.rjust(width)
            for n, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(("", head, *numbers, *([cause] if cause else []))).rstrip()


def _cells(figure: ComparedFigure) -> tuple[str, str, str, str]:
    return (
        english_text(figure.title),
        designed_text(figure),
        format_value(figure.unit, figure.measured),
        difference_text(figure),
    )


def designed_text(figure: ComparedFigure, locale: str = "en") -> str:
    """Return what was designed: a figure, or its bounds where they are shown as two."""
    return "–" if figure.designed is None else band_text(figure.designed, figure.unit, locale)


def band_text(band: DesignedBand, unit: str, locale: str = "en") -> str:
    """Return the bounds of a figure, or one figure where they are written alike."""
    low, high = (format_value(unit, value, locale) for value in (band.low, band.high))
    return low if low == high else f"{low} – {high}"


def difference_text(figure: ComparedFigure, locale: str = "en") -> str:
    """Return the difference as a share of the designed, with its sign."""
    return "–" if figure.difference is None else signed_change(figure.difference, locale)


def _hot_line(hot: HotTabletRange) -> str:
    tablet = hot.tablet
    when = f", {tablet.first:%Y-%m-%d %H:%M} to {tablet.last:%H:%M} UTC" if tablet.first and tablet.last else ""
    line = f"  {format_value('share', tablet.cpu_share)} of a node{when}: {english_text(hot.where)}"
    if hot.load_share is None:
        return line
    shares = [format_value("share", value) for value in (hot.load_share, hot.stored_share)]
    return f"{line}; designed: at most {shares[0]} of the load and {shares[1]} of the bytes"


def _spread_lines(spread: StoredSpread) -> Iterator[str]:
    at, share = spread.largest_difference
    if share <= 0:
        yield "  as designed, to within the key ranges of the design"
        return
    key = format_value("key", spread.keys[at]) if spread.keys[at] else "the end"
    low, high = (format_value("share", float(shares[at])) for shares in (spread.least_designed, spread.most_designed))
    measured = format_value("share", float(spread.measured_shares[at]))
    designed = low if low == high else f"{low} – {high}"
    largest = format_value("share", share)
    yield f"  largest difference {largest}: before {key} lie {measured} of the bytes, designed {designed}"
