"""Measured beside designed: each figure with its difference and, where arithmetic alone gives it, the cause."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from designer.document.family import Family, MaxVersions
from designer.document.table import Table
from designer.document.texts import N_, Text

from . import metrics
from .cell_lengths import find_rows, largest_cause, length_figures
from .cluster_figures import compare_clusters, compare_read
from .contents import unused_reasons
from .designed import DesignedFamily, DesignedState, DesignedTable
from .figures import EVIDENT, SAME, ComparedDesign, ComparedFigure, ComparedTable, build_figure
from .key_ranges import hot_ranges, stored_spread
from .measurements import FamilyStats, Observation, TableStats


def compare_with_design(state: DesignedState, observation: Observation, *, read: str = "") -> ComparedDesign:
    """Return what was measured beside the design; `read` is the id of the read that request stats are of."""
    names = _measured_tables(observation)
    tables_by_name = {name: table for name in names if (table := find_by_name(state.spec.tables, name)) is not None}
    tables = [_compare_table(state, observation, table, name) for name, table in tables_by_name.items()]
    samples = [sampled_key.table for sampled_key in observation.sampled_keys] + [
        sampled_row.table for sampled_row in observation.sampled_rows
    ]
    if len(state.spec.tables) == 1 and not tables_by_name and "" in samples:
        tables = [_compare_table(state, observation, state.spec.tables[0], "")]
    comparison = ComparedDesign(
        observation,
        tuple(tables),
        tuple(compare_clusters(state, observation)),
        tuple(compare_read(state, stats, read) for stats in observation.reads),
        tuple(name for name in names if name not in tables_by_name),
        tuple(sorted({series.metric for series in observation.series} - metrics.USED)),
        tuple(unused_reasons(observation, len(state.spec.tables))),
    )
    # What is compared with nothing does not tell that the design runs already.
    return replace(comparison, later_start=state.later_start) if comparison.has_comparison else comparison


def find_by_name(tables: Sequence[Table], name: str) -> Table | None:
    """Return the table with this name or id."""
    return next((table for table in tables if name in (table.name, table.id)), None)


def _measured_tables(observation: Observation) -> list[str]:
    names = [table.table for table in observation.tables]
    names += [hot_tablet.table for hot_tablet in observation.hot_tablets]
    names += [sampled_key.table for sampled_key in observation.sampled_keys if sampled_key.table]
    names += [sampled_row.table for sampled_row in observation.sampled_rows if sampled_row.table]
    names += [
        series.labels["table"]
        for series in observation.series
        if series.metric in metrics.USED and "table" in series.labels
    ]
    return list(dict.fromkeys(names))


def _compare_table(state: DesignedState, observation: Observation, table: Table, name: str) -> ComparedTable:
    designed = state.tables.get(table.id)
    stats = next((table for table in observation.tables if table.table == name), None)
    part, is_only = state.estimate.tables[table.id], len(state.spec.tables) == 1
    rows = find_rows(observation, name, is_only=is_only)
    lengths = tuple(length_figures(table, part, rows)) if rows is not None else ()
    figures = [
        *_stats_figures(table, designed, stats, lengths),
        *lengths,
        *_rate_figures(designed, observation, name),
    ]
    tablets = [hot_tablet for hot_tablet in observation.hot_tablets if hot_tablet.table == name]
    samples = [
        sampled_key
        for sampled_key in observation.sampled_keys
        if sampled_key.table == name or (is_only and not sampled_key.table)
    ]
    return ComparedTable(
        table.id,
        table.label,
        tuple(figures),
        tuple(hot_ranges(state.spec, table, part, tablets)),
        stored_spread(part, samples[-1]) if samples else None,
    )


def _stats_figures(
    table: Table,
    designed: DesignedTable | None,
    stats: TableStats | None,
    lengths: Sequence[ComparedFigure],
) -> Iterator[ComparedFigure]:
    if stats is None:
        return
    yield build_figure("rows", N_("Rows"), "rows", designed.rows if designed else None, stats.rows)
    columns = designed.columns_per_row if designed else None
    cells = designed.cells_per_row.divide(columns) if designed and columns else None
    yield build_figure("columns_per_row", N_("Columns per row"), "", columns, stats.columns_per_row)
    yield build_figure("cells_per_column", N_("Cells per column"), "", cells, stats.cells_per_column)
    yield build_figure(
        "cells_per_row",
        N_("Cells per row"),
        "",
        designed.cells_per_row if designed else None,
        stats.cells_per_row,
    )
    planned, cause = designed.logical_bytes if designed else None, _bytes_cause(designed, stats)
    yield build_figure("logical_bytes", N_("Logical bytes"), "bytes", planned, stats.logical_bytes, cause)
    for family in stats.families:
        yield from _family_figures(table, designed, stats, family, lengths)


def _bytes_cause(designed: DesignedTable | None, stats: TableStats) -> Text | None:
    """Return by which factors rows and bytes of a row make the difference."""
    if designed is None or not designed.rows or not stats.rows or not stats.logical_bytes:
        return None
    rows = stats.rows / designed.rows
    low, high = (bound / designed.rows for bound in (designed.logical_bytes.low, designed.logical_bytes.high))
    row_bytes = stats.logical_bytes / stats.rows
    if low <= row_bytes <= high:
        if abs(rows - 1) < SAME:
            return None
        return Text(
            N_("rows are {rows_factor} the designed number; a row is as large as designed"), {"rows_factor": rows}
        )
    row = row_bytes / (high if row_bytes > high else low)
    return Text(
        N_("rows are {rows_factor} the designed number, and bytes of a row {row_factor}"),
        {"rows_factor": rows, "row_factor": row},
    )


def _family_figures(
    table: Table,
    designed: DesignedTable | None,
    stats: TableStats,
    measured: FamilyStats,
    lengths: Sequence[ComparedFigure],
) -> Iterator[ComparedFigure]:
    family = next((family for family in table.families if family.name == measured.name), None)
    there = designed.families if designed is not None else ()
    planned = next(
        (designed_family for designed_family in there if family is not None and designed_family.family == family.id),
        None,
    )
    missing = Text(N_("the design has no such column family")) if family is None else None
    cells = planned.cells_per_row if planned else None
    cause = missing or cell_cause(planned, stats, measured)
    if cause is not None and not missing:
        cause = largest_cause(lengths, measured.name, is_more=cause.params["more_bytes"] > 0) or cause
    title, name = N_("Cells per row in {family}"), f"families.{measured.name}."
    yield build_figure(
        f"{name}cells_per_row", title, "", cells, measured.cells_per_row,
        missing or _versions_cause(family, measured), family=measured.name,
    )  # fmt: skip
    yield build_figure(
        f"{name}logical_bytes", N_("Logical bytes in {family}"), "bytes", planned.logical_bytes if planned else None,
        measured.logical_bytes, None if missing else cause, family=measured.name,
    )  # fmt: skip


def _versions_cause(family: Family | None, measured: FamilyStats) -> Text | None:
    """Return that a column holds more cells than garbage collection by versions alone leaves."""
    if family is None or not isinstance(family.gc, MaxVersions) or measured.cells_per_column is None:
        return None
    if measured.cells_per_column <= family.gc.versions * (1 + SAME):
        return None
    return Text(
        N_("a column holds {cells} cells on average, more than the {versions} versions that the design keeps"),
        {"cells": measured.cells_per_column, "versions": family.gc.versions},
    )


def measured_cell_bytes(stats: TableStats, measured: FamilyStats) -> float | None:
    """Return the logical bytes of a family's mean cell."""
    if not stats.rows or not measured.cells_per_row or measured.logical_bytes is None:
        return None
    return measured.logical_bytes / (stats.rows * measured.cells_per_row)


def cell_cause(planned: DesignedFamily | None, stats: TableStats, measured: FamilyStats) -> Text | None:
    """Return by how many bytes the family's cells are larger or smaller than designed, if they are for certain."""
    cell = measured_cell_bytes(stats, measured)
    if planned is None or cell is None or not planned.cells_per_row.high or planned.logical_bytes.high <= 0:
        return None
    fixed, value = planned.fixed_bytes_per_cell, planned.value_bytes_per_cell
    low, high = value + fixed.low, value + fixed.high
    if low * (1 - SAME) <= cell <= high * (1 + SAME):
        return None
    params = {"more_bytes": cell - high, "less_bytes": low - cell}
    if high <= low * EVIDENT:
        more, less = (
            N_("its cells hold {more_bytes} more than designed"),
            N_("its cells hold {less_bytes} less than designed"),
        )
    else:
        more = N_("its cells hold at least {more_bytes} more than designed")
        less = N_("its cells hold at least {less_bytes} less than designed")
    return Text(more if cell > high else less, params)


# --- monitoring ---


def _rate_figures(designed: DesignedTable | None, observation: Observation, name: str) -> Iterator[ComparedFigure]:
    if not name:
        return
    series = observation.series
    stored = metrics.newest_of_clusters(metrics.find_series(series, metrics.TABLE_BYTES, table=name))
    if stored is not None:
        yield build_figure(
            "disk_bytes", N_("Bytes on disk"), "bytes", designed.disk_bytes if designed else None, stored
        )
    reads = metrics.mean_rate(metrics.find_series(series, metrics.REQUESTS, table=name, method=metrics.READ_METHOD))
    if reads is not None:
        rate = designed.reads_per_second if designed else None
        yield build_figure("reads_per_second", N_("Reads"), "per_second", rate, reads.per_second, _period(reads))
    returned = metrics.mean_rate(metrics.find_series(series, metrics.RETURNED, table=name, method=metrics.READ_METHOD))
    if reads is not None and returned is not None and reads.per_second > 0:
        per_read = designed.rows_per_read if designed else None
        measured = returned.per_second / reads.per_second
        yield build_figure("rows_per_read", N_("Rows returned per read"), "", per_read, measured)
    write_rate = metrics.mean_rate(metrics.find_series(series, metrics.WRITTEN, table=name))
    if write_rate is not None:
        rate = designed.written_rows_per_second if designed else None
        unit = "per_second"
        yield build_figure(
            "written_rows_per_second", N_("Rows written"), unit, rate, write_rate.per_second, _period(write_rate)
        )


def _period(rate: metrics.MeanRate) -> Text | None:
    """Return over how long a mean is, if that is no whole week, as the designed one is."""
    if rate.days >= 6.9:
        return None
    return Text(
        N_("measured over {measured_days}; the designed rate is the mean of a week"), {"measured_days": rate.days}
    )
