"""Labels of a document's choices, and of the kinds of its parts."""

from collections.abc import Mapping

from designer.document.durations import bucket_length_seconds
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
    "append_row": N_("insert a row"),
    "overwrite": N_("overwrite the cell"),
    "new_cell": N_("add a cell version"),
    "new_column": N_("add a column"),
    "increment": N_("increment a number (read, then write)"),
    "add_to_aggregate": N_("add to an aggregate"),
    "read_modify_write": N_("read, then write"),
    "check_and_mutate": N_("check, then write"),
    "delete_cell": N_("delete a cell"),
    "delete_family": N_("delete a family of the row"),
    "delete_row": N_("delete the row"),
    "delete_prefix": N_("delete all rows with a prefix"),
}
CHOICES: Mapping[str, str] = {
    "calendar": N_("those of the calendar"),
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
    "arbitrary": N_("in arbitrary order"),
    "sensitive": N_("latency-sensitive"),
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
    "hex": N_("hexadecimal digits"),
    "base64": "base64",
    "base64url": "base64url",
    "raw": N_("raw bytes"),
    "us": N_("microseconds"),
    "ms": N_("milliseconds"),
    "s": N_("seconds"),
    "m": N_("minutes"),
    "h": N_("hours"),
    "d": N_("days"),
    "bucket": N_("buckets since 1970"),
    "index_table": N_("an index table"),
    "global_index": N_("a global secondary index"),
    "local_index": N_("a local secondary index"),
    "dual_write": N_("dual writes"),
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
    "uniform": N_("uniform"),
    "zipf": N_("skewed (Zipf)"),
    "hot_set": N_("a hot set"),
    "latest": N_("skewed to recent values"),
    "weights": N_("by weights"),
    "fan_out": N_("per item"),
    "flat": N_("the same at every hour"),
    "diurnal": N_("daily wave"),
    "office": N_("office hours"),
    "batch": N_("nightly batch"),
    "week": N_("custom week"),
    "poisson": N_("independent events"),
    "every": N_("at fixed intervals"),
    "bursts": N_("in bursts"),
    "backfill": N_("history load"),
    "max_versions": N_("not among the newest"),
    "max_age": N_("older than"),
    "never": N_("never"),
    "union": N_("any of"),
    "intersection": N_("all of"),
    "enumeration": N_("a list of values"),
    "pattern": N_("text with a counter"),
    "random": N_("random text"),
    "range": N_("a range of numbers"),
    "fixed": N_("a fixed number"),
    "autoscaling": N_("autoscaled"),
    "bucket": N_("bucket of a number"),
    "part": N_("part of the text"),
    "pad": N_("zero padding"),
    "reverse_digits": N_("digits reversed"),
    "reverse_domain": N_("reversed domain"),
    "case": N_("case"),
    "truncate": N_("truncated"),
    "offset": N_("offset"),
    "big_endian": N_("raw bytes"),
    "hex": N_("hexadecimal digits"),
    "percent": N_("percent-encoding"),
    "descending": N_("descending number"),
}
"""How the kinds of a part are called where one of them is chosen."""


def resolution_name(resolution: Resolution) -> Text:
    """Return a time's resolution, or a bucket's length, in words."""
    return Text(CHOICES[resolution])


def bucket_name(bucket: str) -> Text:
    """Return the length of a time bucket in words: a resolution's, or that of one of so many seconds."""
    if bucket in CHOICES:
        return Text(CHOICES[bucket])
    return Text(N_("{length_seconds}"), {"length_seconds": bucket_length_seconds(bucket)})


def aggregate_name(kind: str) -> Text:
    """Return what an aggregate family keeps, in words."""
    return Text(FAMILY_KINDS[kind])
