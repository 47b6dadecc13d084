"""What the traffic model assumes because no page documents it: by name, with its range and its reason."""

from designer.document.texts import N_
from estimator.engines import Assumption, GiB
from estimator.engines.bigtable import BLOCK

TABLET = Assumption(
    "tablet_bytes", 4.0 * GiB, 0.5 * GiB, 8.0 * GiB, "bytes",
    N_("pages say hundreds of MB to some GB, and that a table below several GB may sit on one node"),
)  # fmt: skip
TABLET_LOAD = Assumption(
    "tablet_node_share", 0.1, 0.02, 0.5, "nodes",
    N_("a tablet that keeps a tenth of a node busy has been split long since, where it can be: pages say that tablets "
       "split by load, not at which load"),
)  # fmt: skip
ENUMERATION = Assumption(
    "enumeration_ranges", 100, 20, 1_000, "ranges",
    N_("a caller that lacks a field of at most so many values asks for each value's range; beyond, for one scan"),
)  # fmt: skip
BEGINNING = Assumption(
    "beginning_power", 0.5, 0.0, 1.0, "power of the number of values",
    N_("how many values share a known beginning, such as a parent domain, is not said: the square root of all, halfway "
       "between one and all of them"),
)  # fmt: skip
FRONT = Assumption(
    "front_seconds", 3_600, 900, 86_400, "seconds",
    N_("splitting by load is taken to follow a moving end of the key range within an hour, not sooner; how fast "
       "tablets split is not published"),
)  # fmt: skip
FRONT_LEAD = Assumption(
    "front_lead_seconds", 86_400, 3_600, 604_800, "seconds",
    N_("a key that begins with a time bucket of up to a day starts each bucket as one tablet at the table's end"),
)  # fmt: skip
READ_MODIFY_WRITE = Assumption(
    "read_modify_write_reads", 1.0, 1.0, 1.0, "reads per write",
    N_("an increment, append or conditional write reads the row's cell before it writes it"),
)  # fmt: skip
REPLICATED_DELETE = Assumption(
    "replicated_delete_share", 0.1, 0.0, 1.0, "writes per overwritten cell",
    N_("in a replicated table each cell that a count of versions collects is a delete to replicate, which costs CPU; "
       "how much is not published, and many go together"),
)  # fmt: skip
STREAM_READ = Assumption(
    "change_stream_is_read", 1.0, 0.0, 1.0, "share",
    N_("a change stream that is kept is also read, so that the documented 20–30 % apply"),
)  # fmt: skip
OVERWRITTEN = Assumption(
    "overwritten_cells_read", 0.0, 0.0, 1.0, "share",
    N_("versions beyond those that garbage collection keeps are not read although they may still be stored: newer "
       "ones stand before them, and readers are told to limit the versions that they ask for"),
)  # fmt: skip
BATCHING = Assumption(
    "batched_row_share", 1.0, 0.5, 1.0, "share of a single row's node time",
    N_("the published rate of writes does not say that rows sent together cost a node less"),
)  # fmt: skip
CLIENT_ALIGNED = Assumption(
    "time_ranges_aligned", 1.0, 0.0, 1.0, "share",
    N_("a caller that asks for a day of daily rows asks for one row: ranges begin where a bucket begins"),
)  # fmt: skip

PARTITION = Assumption(
    "partition_bytes", 10.0 * GiB, 1.0 * GiB, 100.0 * GiB, "bytes",
    N_("Tablestore splits partitions by size, and no page says at which: what is advised for one partition-key value "
       "stands in"),
)  # fmt: skip
PARTITION_LOAD = Assumption(
    "partition_operations", 1_000.0, 500.0, 10_000.0, "operations per second",
    N_("Tablestore splits partitions by load, and no page says at which: up to 1,000 operations a second one partition "
       "is said to be enough"),
)  # fmt: skip

ASSUMPTIONS: dict[str, Assumption] = {
    a.name: a
    for a in (
        TABLET, TABLET_LOAD, PARTITION, PARTITION_LOAD, ENUMERATION, BEGINNING, FRONT, FRONT_LEAD, READ_MODIFY_WRITE,
        REPLICATED_DELETE,
        STREAM_READ, OVERWRITTEN, BLOCK, BATCHING, CLIENT_ALIGNED,
    )
}  # fmt: skip
"""All of them, to be listed under the result."""
