"""Alibaba Cloud Tablestore, wide-column model: limits, what one partition takes, how bytes and capacity units count.

Sizes written "KB" and "MB" are read as binary, as is usual there; where it decides, that is a named constant below.
"""

import datetime
import math
from collections.abc import Callable, Iterator, Mapping

from designer.document import Spec, effective_value
from designer.document.durations import DAY_SECONDS
from designer.document.family import Family, Gc, MaxAge, MaxVersions, Union
from designer.document.key import Segment
from designer.document.money import Currency
from designer.document.table import TTL_SECONDS_MIN, RowKind, Table
from designer.document.texts import N_, Text
from estimator.results import BytesByCause, UnknownReason

from .limits import EngineAssumption, EngineLimit, GiB, KiB, MiB, ServiceScale

READ = datetime.date(2026, 11, 20)
"""The day on which the pages were read; where a page prints its own date, that stands in the source."""

_DOCS = "https://www.alibabacloud.com/help/en/tablestore/"
WIDE_COLUMN = "https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (updated 2026-05-09)"
GENERAL = _DOCS + "general-limits-of-tablestore (updated 2023-12-12)"
OLDER = "https://github.com/AlibabaCloudDocs/ots, General limits (2021-02-05)"
VERSIONS = "https://help.aliyun.com/en/tablestore/data-versions-and-ttl (updated 2026-05-07)"
PRACTICE = _DOCS + "best-practices-for-table-operations (updated 2026-06-22)"
UNITS = "https://help.aliyun.com/document_detail/27284.htm"
RESERVED = _DOCS + "table-store-service/product-overview/what-is-reserved-read-or-write-throughput (updated 2026-07-01)"
TUNNELS = _DOCS + "overview-of-tunnel-service/ (updated 2026-06-04, read 2026-11-27)"
BINARY = "read as binary"


def _limit(
    name: str, value: float, unit: str, notation: str, title: str, source: str, *, hard: bool = True
) -> tuple[str, EngineLimit]:
    return name, EngineLimit(name, value, unit, notation, hard, title, source, READ)


LIMITS: dict[str, EngineLimit] = dict(
    (
        _limit("key_columns", 4, "columns", "1–4", N_("primary key columns"), WIDE_COLUMN),
        _limit("key_value_bytes", 1 * KiB, "bytes", f"1 KB, {BINARY}",
               N_("value of a String or Binary primary key column"), WIDE_COLUMN),
        _limit("cell_bytes", 2 * MiB, "bytes", f"2 MB, {BINARY}", N_("size of an attribute value"), WIDE_COLUMN),
        _limit("columns_recommended", 10_000, "columns", "10,000", N_("attribute columns per row"), WIDE_COLUMN,
               hard=False),
        _limit("columns_per_write", 1_024, "columns", "1,024", N_("attribute columns written to a row per request"),
               WIDE_COLUMN),
        _limit("columns_read", 128, "columns", "0–128", N_("columns specified in a read"), OLDER),
        _limit("row_write_bytes", 4 * MiB, "bytes", f"4 MB, {BINARY}", N_("size of a row per write"),
               WIDE_COLUMN),
        _limit("batch_write_rows", 200, "rows", "200", N_("rows per batch write"), WIDE_COLUMN),
        _limit("batch_write_bytes", 4 * MiB, "bytes", f"4 MB, {BINARY}", N_("size of a batch write"), WIDE_COLUMN),
        _limit("batch_read_rows", 100, "rows", "100", N_("rows per batch read"), WIDE_COLUMN),
        _limit("page_rows", 5_000, "rows", "5,000", N_("rows scanned per page of a range read"), WIDE_COLUMN),
        _limit("page_bytes", 4 * MiB, "bytes", f"4 MB, {BINARY}", N_("bytes scanned per page of a range read"),
               WIDE_COLUMN),
        _limit("request_bytes", 5 * MiB, "bytes", f"5 MB, {BINARY}", N_("size of a request"), OLDER),
        _limit("filters", 10, "filters", "10", N_("filters per request"), OLDER),
        _limit("name_bytes", 255, "bytes", "1–255", N_("length of a table or column name"), WIDE_COLUMN),
        _limit("tables", 64, "tables", "64", N_("tables per instance, including index tables"), GENERAL),
        _limit("stream_rows", 100_000, "rows per second", "100,000",
               N_("rows written to a table that a tunnel follows"), TUNNELS, hard=False),
        _limit("predefined_columns", 32, "columns", "0–32", N_("predefined columns per table"), WIDE_COLUMN),
        _limit("secondary_indexes", 5, "indexes", "5", N_("secondary indexes per table"), OLDER),
        _limit("reserved_cu", 100_000, "CU", "0–100,000", N_("reserved throughput of a table, read or write"),
               RESERVED),
        _limit("versions_recommended", 500, "versions", "500", N_("versions retained per attribute"), VERSIONS,
               hard=False),
        _limit("ttl_seconds_min", TTL_SECONDS_MIN, "seconds", "86,400, or -1 for ever", N_("minimum time to live"),
               VERSIONS),
        _limit("partition_key_bytes_recommended", 10 * GiB, "bytes", f"10 GB, {BINARY}",
               N_("data of one partition-key value"), PRACTICE, hard=False),
        _limit("partition_operations", 1_000, "operations per second", "< 1,000 TPS or QPS",
               N_("operations per second that one partition serves without a problem"), PRACTICE, hard=False),
        _limit("partition_key_cu", 10_000, "CU per second", "about 10,000",
               N_("capacity units per second of one partition-key value"), UNITS, hard=False),
    )
)  # fmt: skip

_ALL_REQUESTS = 100e6
_ALL_PARTITIONS = _ALL_REQUESTS / LIMITS["partition_operations"].value

SERVICE_SCALE = ServiceScale(
    requests_per_second=_ALL_REQUESTS,
    stored_bytes=2.0**60,
    servers=_ALL_PARTITIONS,
    server_text=Text(
        N_("{limit_cu_per_second}"), {"limit_cu_per_second": _ALL_PARTITIONS * LIMITS["partition_key_cu"].value}
    ),
    source="“Petabytes of data in a single table and tens of millions of TPS”, read as at most 1 EiB and 100 million, "
    "https://help.aliyun.com/en/oss/user-guide/tablestore",
    read=datetime.date(2026, 11, 23),
)
"""Servers: as many partitions as serve so many requests, each with the capacity units of one partition-key value."""

CU_BYTES = 4_096
"""One capacity unit reads or writes so much. The pages write "4 KB" and never say 4,096 or 4,000; 4,096 is how all
sizes of the engine are read here, and it is the smaller bill by 2 % where it matters. Source: throughput page."""

GB_BYTES = GiB
"""A billed GB of storage or traffic: binary, as sizes of the engine are read here. The pages do not say; one of their
examples counts a TB as 1,000 GB."""
DECIMAL_GB_BYTES = 1_000_000_000
"""What it may be as well: storage reaches up to what that would cost."""

METERED_CU = 10_000
"""Metered units are priced per so many. Source: billing examples."""

VERSION_BYTES = 8
"""Each stored version carries its number. Source:
https://help.aliyun.com/en/tablestore/product-overview/storage-usage (2026-05-01)."""

INTEGER_BYTES = 8
"""An Integer or Double, in a key or an attribute. Source: the same page."""

ASSUMPTIONS: dict[str, EngineAssumption] = {
    a.name: a
    for a in (
        EngineAssumption(
            "uncollected_days", 0.5, 0.0, 1.0, "days",
            N_("documented: expired versions are usually deleted within 24 hours; half of it on average"),
        ),
        EngineAssumption(
            "second_varies", 1.0, 0.0, 1.0, "share",
            N_("requests within a second are assumed to be independent (Poisson) around the hourly mean; at "
    "best all seconds of an hour are equal"),
        ),
        EngineAssumption(
            "condition_fails", 0.0, 0.0, 1.0, "share",
            N_("conditions of writes are assumed to hold; a failed condition costs one read and one write unit"),
        ),
    )
}  # fmt: skip
"""What no page says, or says only roughly, by name."""

UNCOLLECTED_DAYS_FOR_LIMITS = 1.0
"""Limits are tested with a whole day of expired versions still there. Source: the page of `VERSION_BYTES`."""

UNCOLLECTED_BYTES_MOST = math.inf
"""No bound is published, and no limit of a row counts expired versions."""

HIGH_PERFORMANCE = frozenset(
    ("ap-southeast-1", "us-west-1", "cn-hangzhou", "cn-shanghai", "cn-beijing", "cn-shenzhen", "cn-chengdu",
     "cn-hongkong", "ap-southeast-3", "eu-west-1", "us-east-1", "ap-south-1")
)  # fmt: skip
"""Regions in which high-performance instances, and so reserved throughput, were seen. Source: instance page in
https://github.com/AlibabaCloudDocs/ots (2020-11-24); no newer list was found, so no other region is assumed to have
them."""

ASSUMED_REGION = "cn-hangzhou"
"""Where an instance that names no region stands: the region whose prices are best known."""


def units(operation_bytes: float) -> float:
    """Capacity units of one operation on so many bytes: whole units, at least one.

    >>> units(100), units(7.6 * 1024)
    (1, 2)
    """
    # The small subtrahend keeps 4,096.0000001 bytes, a rounding error of a sum, from costing a second unit.
    return max(math.ceil(operation_bytes / CU_BYTES - 1e-9), 1)


def region(spec: Spec) -> str:
    """Return the region of the instance: that of its first cluster, assumed where none is named."""
    return next((cluster.region for cluster in spec.instance.clusters if cluster.region), ASSUMED_REGION)


def further_regions(spec: Spec) -> Mapping[str, str]:
    """Regions that are named beyond that of the instance, each with its first cluster's id."""
    # Reversed, since a later entry overwrites an earlier one: each region keeps its first cluster. The second reversal
    # restores the order.
    first_clusters = {cluster.region: cluster.id for cluster in reversed(spec.instance.clusters)}
    return {place: first_clusters[place] for place in reversed(first_clusters) if place not in ("", region(spec))}


def has_version_numbers(table: Table) -> bool:
    """Return whether stored versions have a number: not if one version is kept for ever."""
    settings = table.tablestore
    return settings is not None and ((settings.max_versions or 1) > 1 or (settings.ttl_seconds or -1) != -1)


def can_reserve(spec: Spec) -> bool:
    """Return whether reserved throughput exists: a high-performance instance that is declared or known."""
    if spec.instance.tablestore_type is not None:
        return spec.instance.tablestore_type == "high_performance"
    return (
        effective_value(spec, spec.instance, "tablestore_type") == "high_performance"
        and region(spec) in HIGH_PERFORMANCE
    )


ADVISED_SIZE = "partition_key_bytes_recommended"
ROW_LIMITS: tuple[str, ...] = ()
"""None is published."""
BLOCK_BYTES = 0.0
"""What is asked for is billed."""
WHY_UNCOMPRESSED: str | None = N_("Tablestore bills uncompressed bytes, so compression is not measured.")
KEEPS_DELETE_MARKERS = False
HAS_NODES = False
READS_EITHER_WAY = True
"""GetRange has a direction, FORWARD or BACKWARD, and bills both alike:
https://www.alibabacloud.com/help/en/tablestore/developer-reference/getrange."""


def as_stored(table: Table) -> Table:
    """Return the table as Tablestore keeps it: its versions and time to live apply to every family.

    Families only group columns there; their own garbage collection and names mean nothing to the engine.
    """
    gc = collection(table)
    families = tuple(family.model_copy(update={"gc": gc}) for family in table.families)
    return table.model_copy(update={"families": families, "rotation": None})


def collection(table: Table) -> Gc:
    """Versions kept and time to live as a garbage-collection rule: what is not among the newest n, or older, goes."""
    settings = table.tablestore
    versions = MaxVersions(versions=(settings.max_versions if settings else None) or 1)
    ttl = settings.ttl_seconds if settings else None
    if ttl is not None and ttl > 0:
        return Union(rules=(versions, MaxAge(age_days=ttl / DAY_SECONDS)))
    # A union of one rule, so that `stored_cell` sees that the versions are numbered.
    return Union(rules=(versions,)) if has_version_numbers(table) else versions


def row_overhead_bytes(kind: RowKind, text_bytes: Callable[[Segment], float]) -> float:
    """Return the size of a primary key's names and mean values; a key without columns is unnamed [bytes]."""
    if not kind.key_columns:
        return sum(text_bytes(segment) for segment in kind.segments)
    return sum(
        len(column.name.encode())
        + (INTEGER_BYTES if column.type == "INTEGER" else sum(text_bytes(segment) for segment in column.segments))
        for column in kind.key_columns
    )


def stored_cell(family: Family, *, key_bytes: float, qualifier_bytes: float, value_bytes: float) -> BytesByCause:
    """Return the logical bytes of an attribute version, without the row's primary key."""
    numbered = not isinstance(family.gc, MaxVersions)  # as `as_stored` says it
    return BytesByCause(
        key=0.0,
        family=0.0,
        qualifier=qualifier_bytes,
        timestamp=float(VERSION_BYTES if numbered else 0),
        value=value_bytes,
        overhead=0.0,
    )


def unsent_bytes(cell: BytesByCause) -> float:
    """Return the size of the version's number, which the service adds [bytes]."""
    return cell.timestamp


def has_colder_tier(spec: Spec) -> bool:
    """Return False: capacity instances keep everything alike."""
    return False


def book_currency(spec: Spec) -> Currency | None:
    """Return yuan for regions of mainland China, else dollars."""
    place = region(spec)
    # Hong Kong is named as a region of China, but its prices are in dollars as those of other countries are.
    is_mainland = place.startswith("cn-") and place != "cn-hongkong"
    return "CNY" if is_mainland else "USD"


def unbilled_reasons(spec: Spec) -> Iterator[UnknownReason]:
    """Yield that rotating tables count as one, and reserved throughput not where no instance is known to have it."""
    for table in spec.tables:
        if table.rotation is not None:
            yield UnknownReason(
                N_("“{table}” is computed as one table: rotation is computed for Bigtable only."),
                table.id,
                {"table": table.label},
            )
    settings = [table.tablestore for table in spec.tables if table.tablestore]
    if any(
        reservation.reserved_read_cu or reservation.reserved_write_cu for reservation in settings
    ) and not can_reserve(spec):
        yield UnknownReason(
            N_("Reserved throughput is excluded: {region} has no specified or known high-performance instances."),
            params={"region": region(spec)},
        )
