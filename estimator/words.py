"""What an estimate's names say to people, as messages."""

from collections.abc import Mapping

from designer.spec.texts import N_

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
