"""The catalogue: every rule's code, name, engines and severity. People search and quote them, so they are for ever."""

from typing import NamedTuple


class Entry(NamedTuple):
    """What may never change about a rule."""

    code: str
    name: str
    engines: tuple[str, ...]
    severity: str


_BOTH = ("bigtable", "tablestore")
_LINES = """
A001 accepted-risk both note
C001 qualifier-too-long bigtable error
C002 qualifier-heavy both note
C003 many-small-cells bigtable warning
C004 qualifier-as-data bigtable note
C005 wide-column-count tablestore warning
C006 cell-too-large both error
C007 cell-large bigtable warning
C008 value-uncompressed bigtable note
C009 counter-read-modify-write bigtable note
C010 timestamp-granularity bigtable error
C011 cell-collision bigtable error
C012 blob-but-partial-reads bigtable note
C013 later-write-hidden both warning
C014 qualifier-without-fields bigtable warning
F001 too-many-families bigtable warning
F002 long-family-name bigtable note
F003 mixed-retention bigtable warning
F004 unbounded-family bigtable warning
F005 versions-surplus bigtable warning
F006 aggregate-mixed bigtable error
F007 aggregate-final bigtable note
F008 read-drags-along bigtable warning
F009 gc-lag bigtable note
F010 version-gc-replicated bigtable note
F011 retention-below-reads both error
F012 expired-when-written bigtable warning
G001 assumed-distribution both question
G002 assumed-number both question
G003 assumed-write-mode both question
G004 assumed-order both question
G005 assumed-owner both question
G006 sequential-without-growth both question
G007 known-figure-differs both question
G008 retention-not-stated both question
G009 pairs-not-counted both question
G010 rows-at-start both question
I001 too-many-regions bigtable error
I002 transactions-multi-routing bigtable error
I003 no-failover-headroom bigtable warning
I004 single-cluster bigtable note
I005 node-storage-full bigtable error
I006 cpu-target bigtable warning
I007 oversized bigtable note
I008 autoscale-bounds bigtable error
I009 hdd-unfit bigtable warning
I010 batch-with-serving bigtable warning
I011 eventual-reads both note
I012 cross-region-reader both warning
I013 storage-type-final bigtable note
I014 backup-retention bigtable error
I015 price-missing both note
I016 small-data bigtable note
I017 reserved-unfit tablestore error
I018 cold-and-hot tablestore warning
I019 sorted-import both warning
I020 ttl-range tablestore error
I021 key-columns tablestore error
I022 commitment-unused bigtable warning
I023 hot-neighbour bigtable warning
I024 no-backup bigtable note
I025 history-in-bill both note
I026 cannot-be-served both error
I027 settings-excluded both error
I028 data-boost-unfit bigtable warning
K001 key-empty both error
K002 key-too-long both error
K003 key-long both note
K004 timestamp-first both warning
K005 sequential-first both warning
K006 hash-only bigtable warning
K007 hash-breaks-range both warning
K008 salt-fan-out both note
K009 unpadded-integer both warning
K010 delimiter-in-value both error
K011 delimiter-order both warning
K012 key-not-unique both error
K013 low-cardinality-first both warning
K014 hot-row bigtable warning
K015 reversed-time-missing bigtable note
K016 reversed-time-unneeded bigtable note
K017 domain-not-reversed both warning
K018 few-domains both warning
K019 raw-bytes bigtable note
K020 personal-data-in-key both warning
K021 related-rows-apart both warning
K022 signed-integer-text both warning
K023 hash-prefix-size both note
K024 key-characters bigtable note
K025 time-zone-format both warning
K026 few-write-fronts both warning
K028 time-not-in-key bigtable note
K029 integer-overflow bigtable error
K030 key-without-fields bigtable warning
Q001 full-scan both warning
Q002 wide-scan both note
Q003 scan-pages tablestore note
Q004 filter-still-billed tablestore warning
Q005 second-path both note
Q006 queries-unknown bigtable note
Q007 long-reads bigtable note
Q008 newest-columns-last bigtable warning
Q009 deleted-rows-passed bigtable warning
Q010 span-within-row bigtable warning
R001 row-too-large bigtable error
R002 row-large bigtable warning
R003 bucket-too-coarse bigtable warning
R004 row-per-event bigtable note
R005 versions-as-series bigtable warning
R006 entity-across-rows bigtable warning
R007 partition-value-large tablestore warning
R008 concatenation-useless tablestore warning
R009 bucket-too-fine bigtable note
R010 bucket-repeats bigtable warning
R011 row-without-cells bigtable error
T001 too-many-tables both error
T002 tables-alike bigtable warning
T003 many-small-tables bigtable note
T004 delete-not-a-prefix bigtable warning
T005 secondary-index-unfit tablestore error
T006 stream-too-fast tablestore warning
T007 name-taken both error
W001 unbatched-writes both note
W002 too-many-mutations bigtable error
W003 request-too-large tablestore error
"""


def _entry(line: str) -> Entry:
    code, name, engines, severity = line.split()
    return Entry(code, name, _BOTH if engines == "both" else (engines,), severity)


CATALOGUE = {entry.code: entry for entry in map(_entry, _LINES.strip().splitlines())}
"""Every entry by its code."""
