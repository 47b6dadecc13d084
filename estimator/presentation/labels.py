"""Labels, as messages, for the names in an estimate."""

from collections.abc import Mapping

from designer.document.texts import N_, Text
from estimator.results import TableGrowth

ACCESS: Mapping[str, str] = {
    "point": N_("point"),
    "multi_point": N_("points"),
    "range": N_("range"),
    "multi_range": N_("ranges"),
    "prefix": N_("prefix"),
    "scan": N_("full table scan"),
}
PATTERNS: Mapping[str, str] = {
    "evenly_spread": N_("evenly spread"),
    "periodic": N_("periodic"),
    "hot_range": N_("hot key range"),
    "sudden_increase": N_("sudden increase"),
    "sequential": N_("sequential"),
    "single_hot_row": N_("single hot row"),
    "large_rows": N_("large rows"),
    "idle": N_("idle"),
}
OUTLOOKS: Mapping[str, str] = {
    "traffic_x10": N_("10× traffic"),
    "entity_x10": N_("10× largest entity"),
    "year_more": N_("one more year"),
}
LIMITED_BY: Mapping[str, str] = {
    "load": N_("from the load"),
    "storage": N_("from the storage"),
    "minimum": N_("minimum"),
}
INSTANCES: Mapping[str, str] = {
    "high_performance": N_("high-performance instance"),
    "capacity": N_("capacity instance"),
}
UNITS = (
    N_("node-hour"), N_("GiB-month"), N_("GiB"), N_("SPU-second"),
    N_("GB-hour"), N_("CU-hour"), N_("× 10,000 CU"), N_("GB"),
)  # fmt: skip
"""Units of a bill's quantities, marked here for translation."""

ASSUMED = (
    N_("bytes"), N_("nodes"), N_("seconds"), N_("0 or 1"), N_("tablets per quarter of an hour"),
    N_("share of the mean"), N_("share of the tablets in a window"), N_("share of nodes per hour"),
    N_("share of rejected operations"), N_("operations per second"), N_("share of the published throughput"),
    N_("multiple of a tablet's bytes"), N_("multiple of partition_bytes"), N_("partitions per quarter of an hour"),
    N_("share of ten times partition_operations"),
)  # fmt: skip
"""Units of what a simulation assumes, marked here for translation."""

COMPRESSION: Mapping[str, str] = {
    "you": N_("Bytes on disk are {compressed_share} of the logical bytes, as entered."),
    "calibrated": N_("Bytes on disk are {compressed_share} of the logical bytes, from the calibration."),
    "guess": N_(
        "Bytes on disk are {compressed_share} of the logical bytes, assumed from the kinds of value: "
        "{low_share} to {high_share}. Compression was not measured."
    ),
    "measured": N_(
        "Bytes on disk are {compressed_share} of the logical bytes, the middle of the range measured on "
        "{blocks} blocks: {low_share} with zstd, {high_share} with snappy, {uncompressed_share} before "
        "compression. The standard error over the blocks is {error_share}. Bigtable's format and codec "
        "are not published."
    ),
    "measured whole": N_(
        "Bytes on disk are {compressed_share} of the logical bytes, the middle of the range measured on "
        "one block: {low_share} with zstd, {high_share} with snappy, {uncompressed_share} before "
        "compression. Bigtable's format and codec are not published."
    ),
}


def compression(growth: TableGrowth) -> Text | None:
    """Return a table's compression and its source; None where nothing is compressed."""
    name: str = growth.compression_origin
    params = {
        "compressed_share": growth.compressed_share,
        "low_share": growth.compressed_share_low,
        "high_share": growth.compressed_share_high,
    }
    if name == "measured" and growth.measured is not None:
        measurement = growth.measured
        params |= {"uncompressed_share": measurement.uncompressed_share, "blocks": measurement.blocks}
        if measurement.error_share is None:
            name = "measured whole"
        else:
            params["error_share"] = measurement.error_share
    return None if name == "none" else Text(COMPRESSION[name], params)
