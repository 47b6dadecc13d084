"""HDD does not suit this data or these reads.

**What** The instance uses HDD and stores less than about 10 TB. Or it has more latency-sensitive lookups than its
HDD nodes serve.
**Why** A node on HDD serves 500 lookups a second, compared with 17,000 on SSD, and each takes far longer. HDD
storage savings are small compared with the price of nodes until there is a lot of data.
**Instead** Choose SSD when you create the instance. For old data on SSD, use the infrequent access tier.
**Fine when** The data is written once and scanned in occasional batches, and its small size is correct.
**Source** https://cloud.google.com/bigtable/docs/choosing-ssd-hdd (read 2026-11-20)
https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.texts import N_
from estimator.facts.hdd import (
    SENSIBLE_GIB,
    hdd_lookups_per_second,
    reads_per_second,
    seeks_per_second,
    storage_nodes,
    stored_gib,
)
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from .storage_type_final import large

READS = N_(
    "Cluster {cluster} has latency-sensitive lookups at {reads_per_second}. Its {data_nodes} for "
    "{stored_gib} on HDD serve only {hdd_per_second}. The lookups need {read_nodes} on HDD, or "
    "{ssd_nodes} on SSD. The threshold is {hdd_per_second}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the first cluster: the storage type is the instance's. Reads that are too many go first."""
    stored = stored_gib(estimate)
    if stored is None or not spec.instance.clusters or effective_value(spec, spec.instance, "storage") != "hdd":
        return
    first, reads, reads_limit = (
        spec.instance.clusters[0],
        seeks_per_second(spec, estimate),
        hdd_lookups_per_second(spec, stored),
    )
    params = {
        "cluster": first.label,
        "stored_gib": stored,
        "limit_gib": SENSIBLE_GIB,
        "reads_per_second": reads,
        "hdd_per_second": reads_limit,
        "node_per_second": reads_per_second(spec, "hdd"),
        "ssd_per_second": reads_per_second(spec, "ssd"),
        "data_nodes": storage_nodes(spec, stored),
        "read_nodes": reads / reads_per_second(spec, "hdd"),
        "ssd_nodes": reads / reads_per_second(spec, "ssd"),
    }
    if reads > reads_limit:
        yield Violation(first.id, params, effect=reads / reads_limit, message=READS, about=(first.id,))
    elif stored < SENSIBLE_GIB:
        yield Violation(first.id, params, effect=SENSIBLE_GIB / max(stored, 1.0), about=(first.id,))


RULE = Rule(
    code="I009",
    severity="warning",
    message=N_(
        "Cluster {cluster} uses HDD and stores up to {stored_gib}. Below {limit_gib}, HDD saves little. "
        "A node serves lookups at {node_per_second} instead of {ssd_per_second}."
    ),
    check=check,
    bad=lambda: large("hdd", 9_000),
    good=lambda: large("hdd", 12_000),
    near_miss=lambda: large("hdd", SENSIBLE_GIB),
    engines=BIGTABLE,
)
