"""Cells and bytes of the rows that a read meets: what is read from disk, and what goes to the caller."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from designer.document.access import Read
from designer.document.durations import DAY_SECONDS
from designer.document.family import Column, Family
from designer.document.key import FieldSegment, LiteralSegment, Segment, TimeSegment, segment_fields
from designer.document.popularity import Popularity
from estimator.engines import engine_of
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.results import ColumnSize

from ..growth.collection import KEEP_ALL, Policy, policy
from ..growth.model import uncollected_days
from ..growth.shapes import names_in_row
from ..population.first_rows import First
from ..population.prefixes import Below
from .answers import unsent_bytes
from .assumptions import OVERWRITTEN
from .column_ranges import is_part_in_order, newest_cells, qualifiers_share, time_of_range
from .prefix_match import KeyMatch
from .rows_met import ages_of_span, span_of
from .scope import Endless, StoredRows, asked_popularities, requested_values

ACCUMULATES = 1.01
"""A column whose rows hold more than so many times what one write adds is one that fills over time."""


@dataclass(frozen=True)
class ReadCells:
    """Means of one row: cells and bytes read (families touched), and those returned (columns wanted)."""

    touched_cells: float
    touched_bytes: float
    returned_cells: float
    returned_bytes: float
    dragged_bytes: float = 0.0
    """Of those touched, in columns that are not wanted at all."""
    filtered_bytes: float = 0.0
    """Of those touched, in wanted columns: older versions and other qualifiers, which a filter drops."""
    sent_bytes: float = 0.0
    """Of those returned: the answer has the row's key once, and the name of a family once for its cells."""


def read_cells(
    stored_rows: StoredRows, read: Read, match: KeyMatch, first: First | None = None, *,
    ends_scan: bool = False, scanned: float = math.inf,
) -> ReadCells:  # fmt: skip
    """Cells of one row that a read meets, as a mean over the rows that callers ask for, or over the `first` of them.

    `ends_scan`: it meets no other rows than so many that are `scanned` up to the last of these.

    Families are read from disk block by block; only the columns wanted, within versions and cell times, are returned.
    """
    families = {family.id: family for family in stored_rows.table.families}
    columns: dict[str, Column] = {c.id: c for family in families.values() for c in family.columns}
    touched = {c.family for c in stored_rows.size.columns if _is_requested(read, c, columns)}
    sizes = [size for size in stored_rows.size.columns if size.family in touched]
    # Returned cells are of the rows asked for, touched ones of all rows passed. With a filter behind the range these
    # differ: a popular device has long rows, and the scan also passes the short rows of others.
    finding_ids = _passed_rows(stored_rows, read, match)
    known: dict[Hashable, float] = {}
    column_cells = [
        _read_column(
            stored_rows,
            read,
            size,
            families[size.family],
            columns.get(size.column),
            first,
            finding_ids,
            known,
            scanned=scanned if ends_scan else None,
            wanted=_is_requested(read, size, columns),
        )
        for size in sizes
    ]
    return ReadCells(
        touched_cells=sum(m.touched_cells for m in column_cells),
        touched_bytes=sum(m.touched_bytes for m in column_cells),
        returned_cells=sum(m.returned_cells for m in column_cells),
        returned_bytes=sum(m.returned_bytes for m in column_cells),
        dragged_bytes=sum(m.dragged_bytes for m in column_cells),
        filtered_bytes=sum(m.filtered_bytes for m in column_cells),
        sent_bytes=sum(m.returned_bytes for m in column_cells)
        - unsent_bytes(sizes, [m.returned_cells for m in column_cells]),
    )


def _read_column(
    stored_rows: StoredRows, read: Read, size: ColumnSize, family: Family, column: Column | None,
    first: First | None, finding_ids: frozenset[str] | None, known: dict[Hashable, float], *, scanned: float | None,
    wanted: bool,
) -> ReadCells:  # fmt: skip
    """Return the cells of one column that are read: those wanted, and of the rest at most a block.

    `known`: cells that were counted for columns of the same read, and are now.
    """

    def cells_of(first: First | None, finding_ids: frozenset[str] | None = None) -> float:
        # Of a family, columns that are written alike and whose names are fixed hold the same.
        written = (size.cells_stored, size.cells_superseded, size.cells_written)
        key = (family.id, column and column.qualifier_from, written, first, finding_ids)
        if key not in known:
            known[key] = _cells(stored_rows, read, size, family, column, first, finding_ids)
        return known[key]

    cell_bytes = size.cell.total - size.cell.overhead
    cells = returned = cells_of(first)
    if finding_ids is not None:
        of_scan = None if first is None or scanned is None else replace(first, most=scanned)
        cells = cells_of(of_scan, finding_ids)
    elif first is not None and scanned is None:
        cells = cells_of(None)
    result_cells = _limit_cells(stored_rows, read, size, family, column, returned) if wanted else 0.0
    has_free_names = column is not None and bool(column.qualifier_from) and _requested_qualifiers(read, column) is None
    is_range = is_part_in_order(stored_rows.spec, read, stored_rows.kind.segments, column)
    has_free_names = has_free_names and not is_range
    sought = (
        cells if wanted and has_free_names else result_cells
    )  # versions stand newest first, qualifiers in any order
    # A file is read in blocks, so a wanted cell brings its neighbours along, at most a block of them. A row of 10
    # million events from which the newest is taken is not read whole.
    touched = min(cells, sought + engine_of(stored_rows.spec).BLOCK_BYTES / max(cell_bytes, 1.0))
    extra_bytes = max(touched - result_cells, 0.0) * cell_bytes
    is_met_in_order = is_range or _in_time_order(column)  # what is read beside a range of columns, no filter drops
    dragged, filtered = (0.0, 0.0 if is_met_in_order else extra_bytes) if wanted else (extra_bytes, 0.0)
    return ReadCells(touched, touched * cell_bytes, result_cells, result_cells * cell_bytes, dragged, filtered)


def _passed_rows(stored_rows: StoredRows, read: Read, match: KeyMatch) -> frozenset[str] | None:
    """Return the known segments that find rows, times of a span among them, where others only filter.

    Rows of all values and times are passed, not the asked.

    None where all that is known finds rows.
    """
    known_ids, finding = _known_of(read, stored_rows.kind.segments), frozenset(s.id for s in match.bound_segments)
    times = {segment.id for segment in stored_rows.times} if span_of(stored_rows, read) is not None else set[str]()
    found_times = times & {*finding, match.open_segment.id} if match.open_segment is not None else times
    if match.open_segment is None or (known_ids <= finding and (found_times or not times)):
        return None
    return (known_ids & finding) | found_times


def _in_time_order(column: Column | None) -> bool:
    """Return whether qualifiers are times: a caller can then ask for a range of them, and drops no cells."""
    return column is not None and any(isinstance(segment, TimeSegment) for segment in column.qualifier_from)


def _is_requested(read: Read, size: ColumnSize, columns: dict[str, Column]) -> bool:
    if read.columns:
        return size.column in read.columns
    return not read.families or size.family in read.families


def _size_bias(
    stored_rows: StoredRows, read: Read, family: Family, column: Column | None, first: First | None,
    finding_ids: frozenset[str] | None,
) -> float:  # fmt: skip
    """Return by how much more cells of a column the rows asked for hold than the mean row, as its policy leaves.

    Of rows that are only `finding_ids`, these are the segments that find them.
    """
    times = {segment.id for segment in stored_rows.times}
    bound = _known_of(read, stored_rows.kind.segments) if finding_ids is None else finding_ids - times
    finds_span = finding_ids is None or not times.isdisjoint(finding_ids)
    if not bound and first is None:
        return 1.0
    popularity, steps = asked_popularities(read), _kept_steps(stored_rows, family, column)
    if _names_new(stored_rows, column):  # no cell is a version of another: a row has as many as events
        column = None
    rows, cells = (
        stored_rows.values_per_owner(bound, popularity),
        _kept_below(stored_rows, bound, popularity, column, steps),
    )
    all_rows = stored_rows.values_per_owner(frozenset(), {}).mean_met
    all_cells = _kept_below(stored_rows, frozenset(), {}, column, steps).mean_met
    # Without any row or cell there is no ratio, so the mean row stands for those asked for.
    if min(rows.mean_met, all_rows, all_cells) <= 0:
        return 1.0
    of_first = None if first is None else _cells_of_first(stored_rows, read, column, steps, bound, first)
    if of_first is not None:
        per_row = of_first
    elif column is not None and column.qualifier_from and not _are_of_a_row(stored_rows, column):
        per_row = cells.mean_met / rows.mean_met
        if finding_ids is None and stored_rows.asks_for_an_event(read):
            per_row = _named_beside_event(stored_rows, read, cells, bound)
    elif finding_ids is None and stored_rows.asks_for_an_event(read):
        per_row = _beside_event(stored_rows, read, column, steps, bound)
    elif (
        finds_span and (span := span_of(stored_rows, read)) is not None and cells.mean_met > rows.mean_met * ACCUMULATES
    ):
        inside = stored_rows.values_per_owner(bound, popularity, between=span)
        cells = _kept_below(stored_rows, bound, popularity, column, steps, between=span)
        per_row = cells.mean_met / inside.mean_met if inside.mean_met > 0 else 1.0
    else:
        per_row = cells.mean_met / rows.mean_met
    # Size-biased sampling: callers ask for popular values, whose rows hold more than the mean row. With 90 % of the
    # traffic on 10 % of the rows, a request meets rows of about eight times the mean: 0.9 · 9 + 0.1 / 9.
    return per_row / (all_cells / all_rows)


def _beside_event(
    stored_rows: StoredRows, read: Read, column: Column | None, steps: Policy, bound: frozenset[str]
) -> float:
    """Return the cells of a column that are kept in the row of an event which a caller knows. [cells]"""
    popularity = asked_popularities(read)
    beside = _kept_below(stored_rows, bound, popularity, column, steps, by_event=True)
    whole = stored_rows.values_per_owner(bound, popularity, column, math.inf, by_event=True)
    return beside.mean_beside_event(whole, asked=bool(popularity)) / stored_rows.salts_met(read)


def _named_beside_event(stored_rows: StoredRows, read: Read, cells: Below, bound: frozenset[str]) -> float:
    """Return the cells that are kept in the row of an event which a caller knows, where each time names its own.

    `cells`: those below the same values. [cells]
    """
    popularity = asked_popularities(read)
    whole = stored_rows.values_per_owner(bound, popularity, None, math.inf, by_event=True)
    assert whole.events is not None
    if len(whole.rows) == len(cells.rows):  # as many of the events beside it as of all have a cell of their own
        name_shares = np.divide(cells.rows, whole.events, out=np.ones_like(whole.events), where=whole.events > 0)
        beside = replace(whole, rows=whole.rows * np.minimum(name_shares, 1.0)).mean_beside_event(
            whole, asked=bool(popularity)
        )
    else:
        beside = whole.mean_beside_event(whole, asked=bool(popularity))
    return beside / stored_rows.salts_met(read)


def _known_of(read: Read, segments: Sequence[Segment]) -> frozenset[str]:
    """Return the ids of the segments of whose fields a caller knows the values."""
    known_fields = {bind.field for bind in read.binds if bind.is_whole}
    return frozenset(s.id for s in segments if (fields := segment_fields(s)) and known_fields.issuperset(fields))


def _kept_steps(stored_rows: StoredRows, family: Family, column: Column | None) -> Policy:
    """Return how many cells of a column's name a family keeps, by their age."""
    if any(isinstance(clock, Endless) for clock in stored_rows.clocks.values()):
        return KEEP_ALL  # where no rate is known, no row is known to be full
    steps = policy(family.gc).shifted(stored_rows.kind.ahead_days)
    if _names_new(stored_rows, column):
        return Policy(steps.ages, tuple(math.inf if cap > 0 else 0.0 for cap in steps.caps))
    return steps


def _cells_of_names(
    stored_rows: StoredRows, read: Read, family: Family, column: Column, between: tuple[float, float] | None
) -> float:
    """Return the cells of a row that a read meets whose qualifiers have the values that its caller knows. [cells]

    `between`: of those whose times begin between two ages; None: qualifiers show no time of the read's span. [day]
    """
    popularity, in_name = asked_popularities(read), _known_of(read, column.qualifier_from)
    bound, of_rows = _known_of(read, stored_rows.kind.segments), span_of(stored_rows, read)
    rows = stored_rows.values_per_owner(bound, popularity, between=of_rows).mean_met
    steps = _kept_steps(stored_rows, family, column)
    cells = _kept_below(stored_rows, bound | in_name, popularity, column, steps, between=between or of_rows).mean_met
    # A row has one value of each field in its key, however many the caller asks for.
    own_names = [
        p for p in column.qualifier_from if p.id in in_name and stored_rows.key_fields.isdisjoint(segment_fields(p))
    ]
    return cells * requested_values(read, own_names) / rows if rows > 0 else 0.0


def _are_of_a_row(stored_rows: StoredRows, column: Column) -> bool:
    """Return whether a column's qualifiers are of values, so that each of them comes as long as its row does."""
    rows, cells = (stored_rows.prefix(frozenset(), {}, content) for content in (None, column))
    return rows.receives_days == cells.receives_days


def _cells_of_first(
    stored_rows: StoredRows, read: Read, column: Column | None, steps: Policy, bound: frozenset[str], first: First
) -> float | None:
    """Return the cells of a row among the first that a read meets; None where they are in no order."""
    terms, younger, lag_days = list[tuple[float, float, float]](), 0.0, uncollected_days(stored_rows.spec).value
    for age, cap in zip(steps.ages, steps.caps, strict=True):
        if cap == 0:
            break
        terms.append((min(age + lag_days, stored_rows.kept_days), cap, 1.0))
        if younger:
            # A step keeps min(N(age), cap) − min(N(younger), cap): its cells that the step before has not counted yet.
            terms.append((younger + lag_days, cap, -1.0))
        younger = age
    popularity = asked_popularities(read)
    rows, cells = (stored_rows.prefix(bound, popularity, content) for content in (None, column))
    key = (rows, cells, first, *terms)
    if key not in stored_rows.first_cells:
        stored_rows.first_cells[key] = rows.cells_of_first(first, terms, cells)
    return stored_rows.first_cells[key]


def _kept_below(
    stored_rows: StoredRows, bound: frozenset[str], popularity: dict[str, Popularity], column: Column | None,
    steps: Policy,
    *, between: tuple[float, float] | None = None, by_event: bool = False,
) -> Below:  # fmt: skip
    """Return the cells of a column below some values, those that a policy keeps.

    Of the events of one cell, those among the newest `cap` that are younger than an age are E min(N, cap) of that time.
    """
    lag_days = uncollected_days(stored_rows.spec).value  # what is too old is read until it is collected

    def newest(cap: float, age: float) -> Below:
        kept_days = None if math.isinf(age) else age + lag_days
        return stored_rows.values_per_owner(
            bound, popularity, column, cap, None, kept_days, between, by_event=by_event, of_rows=len(steps.ages) > 1
        )

    result = newest(steps.caps[0], steps.ages[0])
    # Newest 5 for 7 days and newest 1 for ever are E min(N7, 5) + E min(N, 1) − E min(N7, 1), where N7 are the events
    # of 7 days. Without the last term the newest cell would count twice.
    for younger, age, cap in zip(steps.ages, steps.ages[1:], steps.caps[1:], strict=False):
        if cap == 0:
            break
        older, young = newest(cap, age), newest(cap, younger)
        if len(result.rows) == len(older.rows) == len(young.rows):
            rows = result.rows + older.rows - young.rows
        else:  # the newest values of a time are in classes of their own: their sum is one of means
            mean = result.mean_met + older.mean_met - young.mean_met
            rows = older.rows * (mean / older.mean_met if older.mean_met > 0 else 0.0)
        result = replace(older, rows=rows)
    return result


def _cells(
    stored_rows: StoredRows, read: Read, size: ColumnSize, family: Family, column: Column | None,
    first: First | None, finding_ids: frozenset[str] | None = None,
) -> float:  # fmt: skip
    """Cells of a column that the rows read hold: more than the mean where rows fill and popular ones are asked for.

    Versions that are only still there because nothing collected them yet count as assumed.
    """
    most = _max_retained_cells(stored_rows, family, column, size.cells_written)
    cells = min(size.cells_stored - size.cells_superseded, most)
    is_filled = not stored_rows.has_row_per_event or (first is None and stored_rows.has_cells_of_several_events)
    if is_filled and _accumulates(stored_rows, family, column, cells, size.cells_written):
        cells = min(cells * _size_bias(stored_rows, read, family, column, first, finding_ids), most)
    # The share of superseded versions that are read is assumed to be 0; see the assumption.
    return cells + OVERWRITTEN.value * (size.cells_stored - min(size.cells_stored, cells))


def _accumulates(
    stored_rows: StoredRows, family: Family, column: Column | None, cells: float, cells_written: float
) -> bool:
    """Return whether rows that have cells of a column hold those of several writes, in the mean.

    `cells`: those of the mean row. Rows that keep none, because what they had is too old, are in that mean.
    """
    if cells > cells_written * ACCUMULATES:
        return True
    steps = _kept_steps(stored_rows, family, column)
    ages = [age for age, cap in zip(steps.ages, steps.caps, strict=True) if cap > 0]
    if not ages or math.isinf(max(ages)):
        return False
    kept_days = max(ages) + uncollected_days(stored_rows.spec).value
    rows, with_cells = (
        stored_rows.values_per_owner(frozenset(), {}, kept_days=days).mean_met for days in (None, kept_days)
    )
    return with_cells > 0 and cells * rows / with_cells > cells_written * ACCUMULATES


def _max_retained_cells(stored_rows: StoredRows, family: Family, column: Column | None, cells_written: float) -> float:
    """Cells that garbage collection leaves of a column in one row, however many are written."""
    if _names_new(stored_rows, column):
        return math.inf
    most = policy(family.gc).caps[0] * cells_written
    if column is not None and column.qualifier_from:
        return most * names_in_row(stored_rows.spec, stored_rows.kind, column)[1].total(stored_rows.time.span_days)
    return most


def _names_new(stored_rows: StoredRows, column: Column | None) -> bool:
    """Return whether each write makes a column of its own."""
    if column is not None and column.qualifier_from:
        return stored_rows.prefix(frozenset(), {}, column).every_event
    return any(write.mode == "new_column" for write in stored_rows.kind.writes)


def _requested_qualifiers(read: Read, column: Column) -> float | None:
    """Return the number of qualifiers requested by name, if the caller knows all fields in them."""
    values = {bind.field: bind.values for bind in read.binds if bind.is_whole}
    fields = [s.field for s in column.qualifier_from if isinstance(s, FieldSegment)]
    has_plain_names = bool(fields) and all(isinstance(s, FieldSegment | LiteralSegment) for s in column.qualifier_from)
    return math.prod(values[field] for field in fields) if has_plain_names and values.keys() >= set(fields) else None


def _limit_cells(
    stored_rows: StoredRows, read: Read, size: ColumnSize, family: Family, column: Column | None, cells: float
) -> float:
    """Cells left of a column when the caller asks for versions, a span of cell times, or some of the qualifiers."""
    if column is not None and column.qualifier_from:
        names = _requested_qualifiers(read, column)
        cells = cells if names is None else min(cells, names)
        time, between = time_of_range(read, stored_rows.kind.segments, column), None
        if time is not None:
            between = ages_of_span(stored_rows, read, time)
        if between is not None or (names is None and _known_of(read, column.qualifier_from)):
            cells = min(cells, _cells_of_names(stored_rows, read, family, column, between))
        cells *= qualifiers_share(stored_rows, read, column)
        cells = newest_cells(stored_rows, read, column, cells, between)
    if read.cell_days is not None and cells > size.cells_written:
        # A row collects cells for as long as its finest bucket lasts, so a span of cell times takes its part of that.
        lengths = [segment_seconds(t) / DAY_SECONDS for t in stored_rows.times]
        span = min([*lengths, max(stored_rows.time.span_days, 1e-9)])
        cells = max(cells * min(read.cell_days / span, 1.0), min(size.cells_written, cells))
    if read.newest_versions is not None and not (column is not None and column.qualifier_from):
        cells = min(cells, read.newest_versions * max(size.cells_written, 1e-9))
    return cells
