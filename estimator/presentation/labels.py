"""What an estimate's names say to people, as messages."""

from collections.abc import Mapping

from designer.document.texts import N_, Text
from estimator.results import TableGrowth

ACCESS: Mapping[str, str] = {
    "point": N_("point"),
    "multi_point": N_("points"),
    "range": N_("range"),
    "multi_range": N_("ranges"),
    "prefix": N_("prefix"),
    "scan": N_("full scan"),
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
    "traffic_x10": N_("ten times the traffic"),
    "entity_x10": N_("the largest entity ten times as large"),
    "year_more": N_("one more year"),
}
LIMITED_BY: Mapping[str, str] = {
    "load": N_("as the load asks"),
    "storage": N_("as the storage asks"),
    "minimum": N_("the minimum"),
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
    N_("bytes"), N_("nodes"), N_("seconds"), N_("0 or 1"), N_("tablets in a quarter of an hour"),
    N_("share of the mean"), N_("share of the tablets in a window"), N_("share of nodes per hour"),
    N_("share of what is refused"), N_("operations per second"), N_("share of the published throughput"),
    N_("times a tablet's bytes"), N_("times partition_bytes"), N_("partitions in a quarter of an hour"),
    N_("of ten times partition_operations"),
)  # fmt: skip
"""Units of what a simulation assumes, marked here for translation."""

COMPRESSION: Mapping[str, str] = {
    "you": N_("On disk {compressed_share} of the logical bytes, as entered."),
    "calibrated": N_("On disk {compressed_share} of the logical bytes, as the calibration says."),
    "guess": N_(
        "On disk {compressed_share} of the logical bytes: a guess from the kinds of value, between {low_share} and "
        "{high_share}; nothing has been measured."
    ),
    "measured": N_(
        "On disk {compressed_share} of the logical bytes, the middle of what {blocks} blocks measured: {low_share} "
        "with zstd, {high_share} with snappy, {uncompressed_share} before compression. The blocks' standard error is "
        "{error_share} of it. Bigtable's own format and codec are not public."
    ),
    "measured whole": N_(
        "On disk {compressed_share} of the logical bytes, the middle of what one block measured: {low_share} with "
        "zstd, {high_share} with snappy, {uncompressed_share} before compression. Bigtable's own format and codec are "
        "not public."
    ),
}


def compression(grown: TableGrowth) -> Text | None:
    """How small a table is on disk and where that comes from; None where nothing is compressed."""
    name: str = grown.compression_origin
    params = {
        "compressed_share": grown.compressed_share,
        "low_share": grown.compressed_share_low,
        "high_share": grown.compressed_share_high,
    }
    if name == "measured" and grown.measured is not None:
        seen = grown.measured
        params |= {"uncompressed_share": seen.uncompressed_share, "blocks": seen.blocks}
        if seen.error_share is None:
            name = "measured whole"
        else:
            params["error_share"] = seen.error_share
    return None if name == "none" else Text(COMPRESSION[name], params)
