"""How each choice of a document is said, and each kind of a part."""

from collections.abc import Mapping

from designer.document.engines import DESCRIPTIONS
from designer.document.key import Resolution
from designer.document.texts import N_, Text

FAMILY_KINDS = {
    "ordinary": N_("ordinary"),
    "sum": N_("sum"),
    "min": N_("minimum"),
    "max": N_("maximum"),
    "hll": N_("distinct count"),
}
VALUE_KINDS = {
    "random": N_("random"),
    "text": N_("text"),
    "json": N_("JSON"),
    "protobuf": N_("protobuf"),
    "small_integers": N_("small integers"),
    "integer": N_("integer"),
    "float": N_("decimal number"),
    "enumeration": N_("enumeration"),
    "empty": N_("empty"),
}
TIMESTAMPS = {"server": N_("server time"), "event": N_("time of the event"), "constant": N_("constant")}
MODES = {
    "append_row": N_("a new row each"),
    "overwrite": N_("overwrites the cell"),
    "new_cell": N_("a new version of the cell"),
    "new_column": N_("a new column"),
    "increment": N_("adds to a number (read, then write)"),
    "add_to_aggregate": N_("adds to an aggregate"),
    "read_modify_write": N_("reads, then writes"),
    "check_and_mutate": N_("checks, then writes"),
    "delete_cell": N_("deletes a cell"),
    "delete_family": N_("deletes a family of the row"),
    "delete_row": N_("deletes the row"),
    "delete_prefix": N_("deletes all rows of a prefix"),
}
CHOICES: Mapping[str, str] = {
    **VALUE_KINDS,
    **TIMESTAMPS,
    "string": N_("text"),
    "timestamp": N_("time"),
    "uuid": "UUID",
    "domain": N_("domain"),
    "bytes": N_("bytes"),
    "boolean": N_("yes or no"),
    "float": N_("decimal number"),
    "sequential": N_("in sequence"),
    "arbitrary": N_("in no order"),
    "sensitive": N_("somebody waits"),
    "batch": N_("batch"),
    "enterprise": "Enterprise",
    "enterprise_plus": "Enterprise Plus",
    "ssd": "SSD",
    "hdd": "HDD",
    **{name: each.product for name, each in DESCRIPTIONS.items()},
    "single": N_("to one cluster"),
    "multi": N_("to any cluster"),
    "low": N_("low"),
    "medium": N_("medium"),
    "high": N_("high"),
    "standard": N_("standard"),
    "hot": N_("hot"),
    "lower": N_("lower case"),
    "upper": N_("upper case"),
    "microsecond": N_("microsecond"),
    "millisecond": N_("millisecond"),
    "second": N_("second"),
    "minute": N_("minute"),
    "hour": N_("hour"),
    "day": N_("day"),
    "week": N_("week"),
    "month": N_("month"),
    "year": N_("year"),
    "us": N_("microseconds"),
    "ms": N_("milliseconds"),
    "s": N_("seconds"),
    "index_table": N_("an index table"),
    "dual_write": N_("written twice"),
    "materialised_view": N_("a materialised view"),
    "worldwide": N_("the internet, worldwide"),
    "asia": N_("the internet in Asia"),
    "china": N_("the internet in China"),
    "australia": N_("the internet in Australia"),
    "high_performance": N_("high-performance"),
    "capacity": N_("capacity"),
    "owner": N_("owner"),
    "editor": N_("editor"),
    "viewer": N_("viewer"),
    **FAMILY_KINDS,
    **MODES,
}
"""How values of choices are said."""

KINDS: Mapping[str, str] = {
    "uniform": N_("all alike"),
    "zipf": N_("skewed (Zipf)"),
    "hot_set": N_("a hot set"),
    "latest": N_("the newest most"),
    "weights": N_("by weights"),
    "fan_out": N_("so many each"),
    "flat": N_("the same at every hour"),
    "diurnal": N_("daily wave"),
    "office": N_("office hours"),
    "batch": N_("at night, in a batch"),
    "week": N_("a week of its own"),
    "poisson": N_("independent events"),
    "every": N_("at a fixed pace"),
    "bursts": N_("in bursts"),
    "backfill": N_("history, loaded"),
    "max_versions": N_("not among the newest"),
    "max_age": N_("older than"),
    "never": N_("never"),
    "union": N_("any of"),
    "intersection": N_("all of"),
    "enumeration": N_("these values"),
    "pattern": N_("text with a counter"),
    "random": N_("random text"),
    "range": N_("a range of numbers"),
    "fixed": N_("a fixed number"),
    "autoscaling": N_("autoscaled"),
    "bucket": N_("divided by"),
    "part": N_("part of the text"),
    "pad": N_("zeros in front"),
    "reverse_digits": N_("digits backwards"),
    "reverse_domain": N_("domain reversed"),
    "case": N_("case"),
    "truncate": N_("cut off"),
    "offset": N_("plus a constant"),
    "big_endian": N_("raw bytes"),
}
"""How the kinds of a part are called where one of them is chosen."""


def resolution_name(resolution: Resolution) -> Text:
    """Return a time's resolution, or a bucket's length, in words."""
    return Text(CHOICES[resolution])


def aggregate_name(kind: str) -> Text:
    """Return what an aggregate family keeps, in words."""
    return Text(FAMILY_KINDS[kind])
