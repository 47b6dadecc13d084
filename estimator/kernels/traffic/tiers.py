"""Additional work of reads of data in infrequent access: far fewer reads and bytes per node."""

from designer.document import effective_value, write_mode
from designer.document.access import Read
from estimator.engines import Capacity, bigtable, engine_of

from ..growth.cells import columns_of
from .prefix_match import KeyMatch
from .scope import StoredRows

_SERIES = ("append_row", "new_cell", "new_column")
"""Modes that add to what is stored: what such a table holds is as old as it is kept."""


def cold_share(stored_rows: StoredRows, read: Read, match: KeyMatch, *, newest: bool) -> float:
    """Share of the cells that a read looks at which are in infrequent access by the end of the horizon.

    Those older than the table's age, and half a week more until a compaction moves them. A range of time that the key
    finds, or of cells' times, says how old they are; where it starts from the newest, all are new; else all that is
    kept of something is looked at. Where a row has one age, a read of whole keys that states it says so, too.
    `newest`: the rows come newest first.
    """
    days = stored_rows.table.infrequent_access_days
    if days is None or not engine_of(stored_rows.spec).has_colder_tier(stored_rows.spec):
        return 0.0
    from_days = days + bigtable.ASSUMPTIONS["uncollected_days"].value
    reached = {
        segment.id for segment in (*match.bound_segments, *((match.open_segment,) if match.open_knowledge else ()))
    }
    located = any(segment.id in reached for segment in stored_rows.times)
    if read.cell_days is not None:
        return _older(stored_rows, 0.0, read.cell_days, from_days)
    # A key that finds the span meets only rows of these ages; without that, the span only filters and all rows are
    # met.
    if read.time is not None and located and not _shows_history(stored_rows):
        return _older(stored_rows, read.time.age_days, read.time.days, from_days)
    series = any(write_mode(stored_rows.spec, write) in _SERIES for write in stored_rows.kind.writes)
    # Overwritten rows are as old as their last write, so only the age that the read states can tell.
    states_age = read.age_days is not None and are_lookups_of_one_tier(stored_rows, match)
    if newest or located or not series or states_age:
        return 1.0 if float(effective_value(stored_rows.spec, read, "age_days")) >= from_days else 0.0
    return _older(stored_rows, 0.0, stored_rows.time.span_days, from_days)


def _older(stored_rows: StoredRows, first_days: float, span_days: float, from_days: float) -> float:
    """Return the share of the rows of a span, which begins at an age, that are older than `from_days`."""
    last_days = first_days + span_days
    older_days = max(last_days - max(first_days, from_days), 0.0)
    older = stored_rows.time.share(last_days - older_days, older_days)
    met = stored_rows.time.share(first_days, span_days)
    return min(older / met, 1.0) if met > 0 else float(first_days >= from_days)


def _shows_history(stored_rows: StoredRows) -> bool:
    """Return whether a backfill writes rows of past times whose cells are as new as their writes."""
    columns = (column for _, column in columns_of(stored_rows.table, stored_rows.kind))
    return stored_rows.history_days > 0 and any(column.timestamp != "event" for column in columns)


def are_lookups_of_one_tier(stored_rows: StoredRows, match: KeyMatch) -> bool:
    """Return whether each lookup is of a whole key that one event wrote, so that all of its cells are on one tier.

    A Bloom filter then spares a lookup on the other one (Bigtable paper, OSDI 2006, section 6).
    """
    return match.open_segment is None and stored_rows.has_rows_of_one_write


def cold_seconds(capacity: Capacity, share: float, scanned_bytes: float, *, lookups: float) -> float:
    """Node time beyond that of SSD: so many lookups on the colder tier, too, at whose pace its part is read.

    >>> round(cold_seconds(bigtable.CAPACITIES["ssd"], 1.0, 1024, lookups=1) * 1e3, 1)
    10.0
    """
    if share <= 0:
        return 0.0
    cold = bigtable.CAPACITIES["infrequent_access"]
    # The plan has charged all bytes at the pace of SSD, so only the difference is added.
    slower = 1 / cold.scan_bytes_per_second - 1 / capacity.scan_bytes_per_second
    return lookups * cold.read.seconds + share * scanned_bytes * max(slower, 0.0)
