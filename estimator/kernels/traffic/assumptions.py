"""Assumptions of the traffic model that no page documents: by name, with range and reason."""

from designer.document.texts import N_
from estimator.engines import EngineAssumption, GiB
from estimator.engines.bigtable import BLOCK

TABLET = EngineAssumption(
    "tablet_bytes", 4.0 * GiB, 0.5 * GiB, 8.0 * GiB, "bytes",
    N_("documented: hundreds of MB to a few GB; a table below several GB may be on one node"),
)  # fmt: skip
TABLET_LOAD = EngineAssumption(
    "tablet_node_share", 0.1, 0.02, 0.5, "nodes",
    N_("a tablet that uses a tenth of a node is assumed to be split already, if possible: the "
    "documentation describes splits by load but no threshold"),
)  # fmt: skip
ENUMERATION = EngineAssumption(
    "enumeration_ranges", 100, 20, 1_000, "ranges",
    N_("if a missing field has at most this number of values, the caller requests one range per value; "
    "above it, one scan"),
)  # fmt: skip
BEGINNING = EngineAssumption(
    "beginning_power", 0.5, 0.0, 1.0, "power of the number of values",
    N_("the number of values with a common prefix, such as a parent domain, is not specified: the "
    "square root of all values is assumed"),
)  # fmt: skip
FRONT = EngineAssumption(
    "front_seconds", 3_600, 900, 86_400, "seconds",
    N_("splitting by load is assumed to follow a moving end of the key range within an hour; the pace "
    "of splits is not published"),
)  # fmt: skip
FRONT_LEAD = EngineAssumption(
    "front_lead_seconds", 86_400, 3_600, 604_800, "seconds",
    N_("if a key starts with a daily or shorter bucket, each bucket starts as one tablet at the table end"),
)  # fmt: skip
READ_MODIFY_WRITE = EngineAssumption(
    "read_modify_write_reads", 1.0, 1.0, 1.0, "reads per write",
    N_("an increment, append or conditional write reads the cell before it writes"),
)  # fmt: skip
REPLICATED_DELETE = EngineAssumption(
    "replicated_delete_share", 0.1, 0.0, 1.0, "writes per overwritten cell",
    N_("in a replicated table, each cell deleted by a version limit is replicated as a delete; its CPU "
    "cost is not published, and many are combined"),
)  # fmt: skip
STREAM_READ = EngineAssumption(
    "change_stream_is_read", 1.0, 0.0, 1.0, "share",
    N_("an enabled change stream is assumed to be read, so that the documented 20–30 % apply"),
)  # fmt: skip
OVERWRITTEN = EngineAssumption(
    "overwritten_cells_read", 0.0, 0.0, 1.0, "share",
    N_("versions beyond the garbage-collection limit are not read even if still stored: newer versions "
    "come first, and readers are advised to limit versions"),
)  # fmt: skip
BATCHING = EngineAssumption(
    "batched_row_share", 1.0, 0.5, 1.0, "share of a single row's node time",
    N_("the published write rate does not state that rows in one request cost a node less"),
)  # fmt: skip
CLIENT_ALIGNED = EngineAssumption(
    "time_ranges_aligned", 0.0, 0.0, 1.0, "share",
    N_("a time range ends at any moment: with daily rows, the last 24 hours are in two rows. A caller that wants whole "
    "buckets specifies the exact time"),
)  # fmt: skip

PARTITION = EngineAssumption(
    "partition_bytes", 10.0 * GiB, 1.0 * GiB, 100.0 * GiB, "bytes",
    N_("Tablestore splits partitions by size, but the threshold is not published; the recommended size "
    "of one partition-key value is used instead"),
)  # fmt: skip
PARTITION_LOAD = EngineAssumption(
    "partition_operations", 1_000.0, 500.0, 10_000.0, "operations per second",
    N_("Tablestore splits partitions by load, but the threshold is not published; one partition is "
    "documented to serve up to 1,000 operations a second"),
)  # fmt: skip

ASSUMPTIONS: dict[str, EngineAssumption] = {
    a.name: a
    for a in (
        TABLET, TABLET_LOAD, PARTITION, PARTITION_LOAD, ENUMERATION, BEGINNING, FRONT, FRONT_LEAD, READ_MODIFY_WRITE,
        REPLICATED_DELETE,
        STREAM_READ, OVERWRITTEN, BLOCK, BATCHING, CLIENT_ALIGNED,
    )
}  # fmt: skip
"""All of them, to be listed under the result."""
