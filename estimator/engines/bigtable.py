"""Google Cloud Bigtable: limits, what a node carries, targets, the cell model. Every figure with its source.

Units in Google's pages are binary where they can be checked (5 TB per node is 5,120 GiB on the autoscaling page), so
sizes written "MB" or "TB" are read as binary here; throughput ("220 MB/s") is read as decimal, the smaller.
"""

import datetime
from collections.abc import Callable, Iterator
from functools import partial
from typing import Literal

from designer.document import Spec, effective_value
from designer.document.family import Family
from designer.document.instance import Calibration, Instance
from designer.document.key import Segment
from designer.document.money import Currency
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from estimator.results import BytesByCause, UnknownReason

from .limits import MB, Affine, Capacity, EngineAssumption, EngineLimit, GiB, KiB, MiB, ServiceScale, Targets, TiB

READ = datetime.date(2026, 11, 20)
"""The day on which the pages were read; where a page prints its own date, that stands in the source."""

_DOCS = "https://cloud.google.com/bigtable/"
QUOTAS = _DOCS + "quotas"
SCHEMA = _DOCS + "docs/schema-design"
PERFORMANCE = _DOCS + "docs/performance"
AUTOSCALING = _DOCS + "docs/autoscaling (updated 2026-04-08)"
GARBAGE = _DOCS + "docs/garbage-collection (updated 2026-04-10)"
REPLICATION = _DOCS + "docs/replication-overview"
STREAMS = _DOCS + "docs/change-streams-overview (updated 2026-04-10)"
TIERED = _DOCS + "docs/tiered-storage"
BACKUPS = _DOCS + "docs/backups"
ADMIN_API = "Bigtable admin API, text of its own definition files"
BINARY = "read as binary"


def _limit(
    name: str, value: float, unit: str, notation: str, title: str, source: str, *, hard: bool = True
) -> tuple[str, EngineLimit]:
    return name, EngineLimit(name, value, unit, notation, hard, title, source, READ)


_advised = partial(_limit, hard=False)


LIMITS: dict[str, EngineLimit] = dict(
    [
        _limit("row_bytes", 256 * MiB, "bytes", f"256 MB, {BINARY}", N_("size of a row"), QUOTAS),
        _advised(
            "row_bytes_recommended", 100 * MiB, "bytes", f"100 MB, {BINARY}", N_("recommended size of a row"), SCHEMA
        ),
        _limit("cell_bytes", 100 * MiB, "bytes", "100 MiB", N_("size of a cell"), QUOTAS),
        _advised(
            "cell_bytes_recommended", 10 * MiB, "bytes", f"10 MB, {BINARY}", N_("recommended size of a cell"), SCHEMA
        ),
        _limit(
            "cell_compressed_bytes",
            1 * MiB,
            "bytes",
            "1 MiB",
            N_("size from which the engine does not compress a value"),
            _DOCS + "docs/overview",
            hard=False,
        ),
        _limit("key_bytes", 4 * KiB, "bytes", "4 KiB", N_("length of a row key"), SCHEMA),
        _limit(
            "key_bytes_recommended",
            100,
            "bytes",
            "10–100 bytes",
            N_("recommended length of a row key"),
            "google/skills, schema_design.md (2026-08-21)",
            hard=False,
        ),
        _limit("qualifier_bytes", 16 * KiB, "bytes", "16 KiB", N_("length of a column qualifier"), QUOTAS),
        _limit("families", 100, "families", "~100", N_("column families per table"), QUOTAS, hard=False),
        _limit("family_name_chars", 64, "characters", "64", N_("length of a family name"), ADMIN_API),
        _limit("tables", 1_000, "tables", "1,000", N_("tables per instance, including views"), QUOTAS),
        _limit("table_name_chars", 50, "characters", "50", N_("length of a table name"), ADMIN_API),
        _limit(
            "gc_rule_bytes", 500, "bytes", "500 bytes serialised", N_("size of a garbage-collection rule"), ADMIN_API
        ),
        _limit("mutations_per_request", 100_000, "mutations", "100,000", N_("mutations per request"), QUOTAS),
        _limit("app_profiles", 2_000, "profiles", "2,000", N_("app profiles per instance"), QUOTAS),
        _limit("regions", 8, "regions", "8", N_("regions per instance"), REPLICATION),
        _limit("clusters_per_zone", 1, "clusters", "1", N_("clusters per zone and instance"), REPLICATION),
        _limit("node_bytes_ssd", 5 * TiB, "bytes", "5 TB = 5,120 GiB", N_("data per SSD node"), QUOTAS),
        _limit("node_bytes_hdd", 16 * TiB, "bytes", "16 TB = 16,384 GiB", N_("data per HDD node"), QUOTAS),
        _limit(
            "node_bytes_tiered", 32 * TiB, "bytes", f"32 TB, {BINARY}", N_("SSD and infrequent access per node"), TIERED
        ),
        _limit(
            "node_bytes_tiered_plus",
            64 * TiB,
            "bytes",
            f"64 TB, {BINARY}",
            N_("SSD and infrequent access per node of Enterprise Plus"),
            TIERED,
        ),
        _limit(
            "hdd_sensible_bytes",
            10 * TiB,
            "bytes",
            f"10 TB, {BINARY}",
            N_("data size from which HDD is an option"),
            _DOCS + "docs/choosing-ssd-hdd",
            hard=False,
        ),
        _limit("infrequent_access_days", 30, "days", "30 days", N_("minimum age for infrequent access"), TIERED),
        _limit("in_memory_row_bytes", 1 * MiB, "bytes", "1 MiB", N_("row in the in-memory tier"), _DOCS + "docs"),
        _limit("change_stream_days_min", 1, "days", "1 day", N_("minimum retention of a change stream"), STREAMS),
        _limit("change_stream_days", 7, "days", "7 days", N_("retention of a change stream"), STREAMS),
        _limit("backup_hours_min", 6, "hours", "6 hours", N_("minimum expiry of a backup"), BACKUPS),
        _limit("backup_days", 90, "days", "90 days", N_("expiry of a backup"), BACKUPS),
        _limit("backup_days_plus", 365, "days", "365 days", N_("expiry of a backup of Enterprise Plus"), BACKUPS),
        _limit("backup_copy_days", 30, "days", "30 days", N_("expiry of a copy of a backup"), ADMIN_API),
        _limit("automated_backup_days_min", 3, "days", "3 days", N_("minimum retention of automated backups"), BACKUPS),
        _limit("autoscaling_min_nodes", 1, "nodes", "1", N_("minimum nodes of an autoscaled cluster"), AUTOSCALING),
        _limit("autoscaling_span", 10, "times", "max ≤ 10 × min", N_("maximum nodes ÷ minimum nodes"), AUTOSCALING),
        _limit("autoscaling_cpu_min", 0.10, "share", "10 %", N_("minimum CPU target"), AUTOSCALING),
        _limit("autoscaling_cpu", 0.80, "share", "80 %", N_("maximum CPU target"), AUTOSCALING),
        _limit("autoscaling_ssd_gib_min", 2_560, "GiB", "2,560 GiB", N_("minimum storage target, SSD"), AUTOSCALING),
        _limit("autoscaling_ssd_gib", 5_120, "GiB", "5,120 GiB", N_("maximum storage target, SSD"), AUTOSCALING),
        _limit("autoscaling_hdd_gib_min", 8_192, "GiB", "8,192 GiB", N_("minimum storage target, HDD"), AUTOSCALING),
        _limit("autoscaling_hdd_gib", 16_384, "GiB", "16,384 GiB", N_("maximum storage target, HDD"), AUTOSCALING),
        _limit(
            "ttl_increase_replicated_days",
            90,
            "days",
            "90 days",
            N_("increase of an age limit with replication"),
            GARBAGE,
        ),
    ]
)

IN_MEMORY_READS = 40_000.0
"""Point reads a second in memory that a node of Enterprise Plus includes. What more of them cost, and how many of a
design's reads find their row in the 8 GB of a node, is not published. Source: in-memory overview (preview), read
2026-11-20."""

LATENCY = Targets(cpu_share=0.60, storage_share=0.60, source=PERFORMANCE, read=READ)
"""For clusters that serve anybody who waits. Older pages say 70 % (single cluster); the newest wins."""

BATCH = Targets(cpu_share=0.90, storage_share=0.70, source=PERFORMANCE, read=READ)
"""For clusters that only do throughput work."""

HOTTEST_NODE_SHARE = 0.90
"""Highest share of one node that its load may take. Source: monitoring page ("hottest node"), read 2026-11-20."""

ASSUMPTIONS: dict[str, EngineAssumption] = {
    a.name: a
    for a in (
        EngineAssumption(
            "throughput_share", 1.0, 0.5, 1.0, "share of the published throughput",
            N_("the documentation advises against exact sizing from its figures; half of them is the threshold"),
        ),
        EngineAssumption(
            "calibrated_throughput_share", 1.0, 0.85, 1.15, "share of the calibrated throughput",
            N_("the operations and sizes of an existing cluster never match the design exactly"),
        ),
        EngineAssumption(
            "write_copies", 4.0, 3.0, 6.0, "times",
            N_("each written byte goes to the log, to a file and through compactions: writes get a quarter of "
    "the published scan bandwidth"),
        ),
        EngineAssumption(
            "cell_seconds", 0.5e-6, 0.1e-6, 2e-6, "seconds per cell",
            N_("a tenth of the scan time of a 1 KiB row; the documentation states only that rows with many "
    "cells are slow"),
        ),
        EngineAssumption(
            "cell_overhead_bytes", 12.0, 0.0, 12.0, "bytes per cell",
            N_("an HBase KeyValue has 12 bytes of lengths and type besides key, family, qualifier, timestamp "
    "and value; Bigtable's figure is not published"),
        ),
        EngineAssumption(
            "uncollected_days", 3.5, 0.0, 7.0, "days",
            N_("compaction removes expired cells, typically within a week: half of it on average"),
        ),
        EngineAssumption(
            "change_stream_cpu_share", 0.10, 0.10, 0.10, "share", N_("documented: about 10 % more CPU when enabled"),
        ),
        EngineAssumption(
            "change_stream_read_cpu_share", 0.25, 0.20, 0.30, "share",
            N_("documented: 20–30 % more CPU in total when the stream is read"),
        ),
        EngineAssumption(
            "change_stream_factor", 1.5, 1.0, 2.0, "times",
            N_("documented: one day of records takes about 1.5 times the space of the day's writes on disk"),
        ),
        EngineAssumption(
            "scale_down_share_per_hour", 0.5, 0.1, 1.0, "share of nodes per hour",
            N_("documented: remove at most 10 % of the nodes per 10 minutes; the pace of the autoscaler is not "
    "published"),
        ),
    )
}  # fmt: skip
"""What no page says, or says only roughly, by name."""

UNCOLLECTED_DAYS_FOR_LIMITS = 7.0
"""Limits are tested with a whole week of garbage still there. Source: garbage-collection page, read 2026-11-20."""

UNCOLLECTED_BYTES_MOST = 2.0 * GiB
"""Assumed, not documented: most bytes of expired cells in one row. A tablet server merges files before it has many of
them (Bigtable paper, OSDI 2006, section 5.4); how many, is not published. It is HBase's 16 files of 128 MiB
(`hbase.hstore.blockingStoreFiles`, `hbase.hregion.memstore.flush.size`). It is above every limit of a row, so no
finding depends on it: see docs/decisions/0031."""


def _capacity(
    storage: Literal["ssd", "hdd", "infrequent_access"], reads: float, writes: float, scan_mb_per_second: float
) -> Capacity:
    """Return the affine node CPU time through the rate at 1 KiB: a = 1 ÷ rate − 1 KiB ÷ bandwidth."""
    scan = scan_mb_per_second * MB
    # Cells move to infrequent access at a compaction (decision 4): a write has the bandwidth of SSD, 220 MB/s.
    write = scan / ASSUMPTIONS["write_copies"].value if storage != "infrequent_access" else 220 * MB / 4
    return Capacity(
        storage=storage,
        reads_per_second=reads,
        writes_per_second=writes,
        scan_bytes_per_second=scan,
        row_bytes=KiB,
        # Solved so that a row of 1 KiB takes exactly the published time; the cut at zero is for figures whose bandwidth
        # alone takes longer.
        read=Affine(max(1 / reads - KiB / scan, 0.0), scan),
        write=Affine(max(1 / writes - KiB / write, 0.0), write),
        cell_seconds=ASSUMPTIONS["cell_seconds"].value,
        source=PERFORMANCE,
        read_on=READ,
    )


CAPACITIES: dict[str, Capacity] = {
    "ssd": _capacity("ssd", 17_000, 14_000, 220),
    "hdd": _capacity("hdd", 500, 10_000, 180),
    "infrequent_access": _capacity("infrequent_access", 100, 10_000, 36),
}
"""Published per node, on 1 KiB rows, as alternatives. Source: performance page, read 2026-11-20."""

_ALL_REQUESTS = 7e9
_ALL_NODES = _ALL_REQUESTS / CAPACITIES["ssd"].writes_per_second

SERVICE_SCALE = ServiceScale(
    requests_per_second=_ALL_REQUESTS,
    stored_bytes=10 * 2.0**60,
    servers=_ALL_NODES,
    server_text=Text(N_("{limit_nodes}"), {"limit_nodes": _ALL_NODES}),
    source="All of Bigtable at Google: more than 5 billion sustained requests per second and more than 10 exabytes, "
    "https://cloud.google.com/blog/products/databases/exploring-bigtable-read-throughput-performance-gains; "
    "more than 7 billion at peak as of 2024-04, which Google's pages that were read do not state, "
    "https://en.wikipedia.org/wiki/Bigtable",
    read=datetime.date(2026, 11, 23),
)
"""Bytes are read as binary. Of the two rates the peak is the bound: it refuses less. Nodes: so many requests, each a
write of 1 KiB on SSD."""


def capacity(storage: Literal["ssd", "hdd"] = "ssd", calibration: Calibration | None = None) -> Capacity:
    """Return the capacity of one node, rescaled by that measured in an existing cluster.

    The factor scales both the fixed part and the bandwidth. An unusable one changes nothing.
    """
    factor = throughput_factor(storage, calibration)
    return CAPACITIES[storage] if factor is None else scale_capacity(CAPACITIES[storage], factor)


PLAUSIBLE_FACTORS = (1 / 50, 50.0)
"""Measured ÷ published throughput beyond these is no measurement of a node: a slip of a unit or of the CPU's share.
Hot data that is read from memory reaches some 30 times an HDD node's published reads."""


def measured_factor(storage: Literal["ssd", "hdd"], calibration: Calibration) -> float | None:
    """Measured ÷ published throughput; None where nothing was carried, or no time was spent.

    A calibration says that `nodes` nodes at `cpu_share` served so many 1 KiB reads and writes a second: the published
    node time of that traffic ÷ the time that the nodes spent.
    """
    published = CAPACITIES[storage]
    offered = (
        calibration.reads_per_second / published.reads_per_second
        + calibration.writes_per_second / published.writes_per_second
    )
    spent = calibration.nodes * calibration.cpu_share
    return offered / spent if offered > 0 and spent > 0 else None


def throughput_factor(storage: Literal["ssd", "hdd"], calibration: Calibration | None) -> float | None:
    """Return the factor that rescales capacities; None without a usable calibration."""
    # Figures of an SSD cluster say nothing of HDD nodes.
    if calibration is None or calibration.storage != storage:
        return None
    factor = measured_factor(storage, calibration)
    least, most = PLAUSIBLE_FACTORS
    return factor if factor is not None and least <= factor <= most else None


def scale_capacity(published: Capacity, factor: float) -> Capacity:
    """Return a capacity `factor` times as large: each operation takes 1 ÷ factor of the time."""

    def affine(a: Affine) -> Affine:
        return Affine(a.seconds / factor, a.bytes_per_second * factor)

    return Capacity(
        storage=published.storage,
        reads_per_second=published.reads_per_second * factor,
        writes_per_second=published.writes_per_second * factor,
        scan_bytes_per_second=published.scan_bytes_per_second * factor,
        row_bytes=published.row_bytes,
        read=affine(published.read),
        write=affine(published.write),
        cell_seconds=published.cell_seconds / factor,
        source=published.source,
        read_on=published.read_on,
    )


def instance_capacity(instance: Instance) -> Capacity:
    """Return the capacity of one node of this instance; an unset storage type is SSD."""
    return capacity(instance.storage or "ssd", instance.calibration)


def instance_factor(instance: Instance) -> float | None:
    """Measured ÷ published throughput of this instance's nodes; None: as published."""
    return throughput_factor(instance.storage or "ssd", instance.calibration)


def throughput_band(instance: Instance) -> EngineAssumption:
    """Return the range of a node's real throughput, as a share of that in its capacities."""
    calibrated = instance_factor(instance) is not None
    return ASSUMPTIONS["calibrated_throughput_share" if calibrated else "throughput_share"]


def node_gib(storage: Literal["ssd", "hdd"]) -> float:
    """Return the hard limit of data per node [GiB]."""
    return LIMITS[f"node_bytes_{storage}"].value / GiB


def storage_target_gib(storage: Literal["ssd", "hdd"], share: float) -> int:
    """Return a storage target as the autoscaling page tabulates it [GiB].

    It is the share of a node's limit, cut to whole GiB.

    >>> storage_target_gib("ssd", 0.6), storage_target_gib("hdd", 0.7)
    (3072, 11468)
    """
    # The small addend keeps a product such as 3071.9999… from becoming one GiB too few.
    return int(node_gib(storage) * share + 1e-9)


CELL_OVERHEAD_BYTES = ASSUMPTIONS["cell_overhead_bytes"].value
TIMESTAMP_BYTES = 8

ADVISED_SIZE = "row_bytes_recommended"
ROW_LIMITS = ("row_bytes_recommended", "row_bytes")
BLOCK = EngineAssumption(
    "block_bytes", 64 * KiB, 64 * KiB, 64 * KiB, "bytes",
    N_("rows are read in blocks: an unneeded column costs at most one block (block size from the "
    "Bigtable paper, OSDI 2006)"),
)  # fmt: skip
BLOCK_BYTES = BLOCK.value
WHY_UNCOMPRESSED: str | None = None
KEEPS_DELETE_MARKERS = True
ASSUMED_REGION = "us-central1"
"""Where a cluster without a region is: the region whose prices are best known."""

HAS_NODES = True
READS_EITHER_WAY = False
"""Reverse scans are less efficient than forward ones and are requested: /bigtable/docs/reads#reverse-scan."""


def as_stored(table: Table) -> Table:
    """Return the table itself: each family is collected as it says."""
    return table


def row_overhead_bytes(kind: RowKind, text_bytes: Callable[[Segment], float]) -> float:
    """Return 0: every cell holds its row's key [bytes]."""
    return 0.0


def stored_cell(family: Family, *, key_bytes: float, qualifier_bytes: float, value_bytes: float) -> BytesByCause:
    """Return the logical bytes of a stored cell, as an HBase KeyValue has them."""
    return BytesByCause(
        key=key_bytes,
        family=float(len(family.name.encode())),
        qualifier=qualifier_bytes,
        timestamp=float(TIMESTAMP_BYTES),
        value=value_bytes,
        overhead=CELL_OVERHEAD_BYTES,
    )


def unsent_bytes(cell: BytesByCause) -> float:
    """Return the size of the lengths and type that a stored cell has besides [bytes]."""
    return cell.overhead


def has_colder_tier(spec: Spec) -> bool:
    """Return whether the instance is on SSD, which infrequent access comes with."""
    return bool(effective_value(spec, spec.instance, "storage") == "ssd")


def book_currency(spec: Spec) -> Currency | None:
    """Return None: the newest book is in dollars."""
    return None


def unbilled_reasons(spec: Spec) -> Iterator[UnknownReason]:
    """Yield that the in-memory tier, which takes reads off the nodes, is not counted on."""
    if effective_value(spec, spec.instance, "in_memory"):
        yield UnknownReason(
            N_(
                "The in-memory tier is not counted: nodes are sized as if SSD served all reads. A node of Enterprise "
                "Plus includes {included_per_second} of point reads in memory; the price of more is not known."
            ),
            params={"included_per_second": IN_MEMORY_READS},
        )


def cell_bytes(key_bytes: float, family_bytes: float, qualifier_bytes: float, value_bytes: float) -> float:
    """Return a stored cell's size as an HBase KeyValue: 20 + key + family + qualifier + value [bytes]."""
    return key_bytes + family_bytes + qualifier_bytes + TIMESTAMP_BYTES + value_bytes + CELL_OVERHEAD_BYTES
