"""What the traffic model assumes because no page documents it: by name, with its range and its reason."""

from designer.spec.texts import N_

from ..engines import Assumption, GiB

TABLET = Assumption(
    "tablet_bytes", 4.0 * GiB, 0.5 * GiB, 8.0 * GiB, "bytes",
    N_("pages say hundreds of MB to some GB, and that a table below several GB may sit on one node"),
)  # fmt: skip
ENUMERATION = Assumption(
    "enumeration_ranges", 100, 20, 1_000, "ranges",
    N_("a caller that lacks a field of at most so many values asks for each value's range; beyond, for one scan"),
)  # fmt: skip
FINE_FRONT = Assumption(
    "front_seconds", 900, 60, 3_600, "seconds",
    N_("a time cut coarser than this stays on one row for longer than a window: the row is then what cannot be split"),
)  # fmt: skip
FRONT_ROWS = Assumption(
    "front_rows_per_window", 10.0, 1.0, 100.0, "rows",
    N_("a front that gets fewer new rows in 15 minutes moves too slowly to be told from an even spread"),
)  # fmt: skip
READ_MODIFY_WRITE = Assumption(
    "read_modify_write_reads", 1.0, 1.0, 1.0, "reads per write",
    N_("an increment, append or conditional write reads the row's cell before it writes it"),
)  # fmt: skip
STREAM_READ = Assumption(
    "change_stream_is_read", 1.0, 0.0, 1.0, "share",
    N_("a change stream that is kept is also read, so that the documented 20–30 % apply"),
)  # fmt: skip
BATCHING = Assumption(
    "batched_row_share", 1.0, 0.5, 1.0, "share of a single row's node time",
    N_("the published rate of writes does not say that rows sent together cost a node less"),
)  # fmt: skip
CLIENT_ALIGNED = Assumption(
    "time_ranges_aligned", 1.0, 0.0, 1.0, "share",
    N_("a caller that asks for a day of daily rows asks for one row: ranges begin where a bucket begins"),
)  # fmt: skip

ASSUMPTIONS: dict[str, Assumption] = {
    a.name: a
    for a in (
        TABLET, ENUMERATION, FINE_FRONT, FRONT_ROWS, READ_MODIFY_WRITE, STREAM_READ, BATCHING, CLIENT_ALIGNED,
    )
}  # fmt: skip
"""All of them, to be listed under the result."""
