"""HDD does not fit this data or these reads.

**What** The instance is on HDD and stores less than about 10 TB, or people wait for more lookups than its HDD nodes
serve.
**Why** A node on HDD serves 500 lookups a second where one on SSD serves 17,000, and each takes far longer. What HDD
saves on storage is little beside the price of nodes until there is a lot of data.
**Instead** Choose SSD when the instance is made; for old data on SSD, the infrequent-access tier.
**Fine when** Data that is written once and scanned in batches now and then, and the size is right though small.
**Source** https://cloud.google.com/bigtable/docs/choosing-ssd-hdd (read 2026-11-20)
https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, assumed
from designer.document.texts import N_
from estimator.facts.hdd import (
    READS_PER_SECOND,
    SENSIBLE_GIB,
    SSD_READS_PER_SECOND,
    hdd_serves,
    seeks_per_second,
    storage_nodes,
    stored_gib,
)
from estimator.results import Estimate

from ..shared import BIGTABLE, Found, Rule
from .storage_type_final import large

READS = N_(
    "People wait for {reads_per_second} lookups in {cluster}, and the {data_nodes} on HDD that {stored_gib} ask for "
    "serve {hdd_per_second}: {read_nodes} would do nothing else, where SSD needs {ssd_nodes}. It hurts from "
    "{hdd_per_second}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """One finding, at the first cluster: the storage type is the instance's. Reads that are too many go first."""
    stored = stored_gib(estimate)
    if stored is None or not spec.instance.clusters or assumed(spec, spec.instance, "storage") != "hdd":
        return
    first, reads, served = spec.instance.clusters[0], seeks_per_second(spec, estimate), hdd_serves(spec, stored)
    params = {
        "cluster": first.label,
        "stored_gib": stored,
        "limit_gib": SENSIBLE_GIB,
        "reads_per_second": reads,
        "hdd_per_second": served,
        "node_per_second": READS_PER_SECOND,
        "ssd_per_second": SSD_READS_PER_SECOND,
        "data_nodes": storage_nodes(spec, stored),
        "read_nodes": reads / READS_PER_SECOND,
        "ssd_nodes": reads / SSD_READS_PER_SECOND,
    }
    if reads > served:
        yield Found(first.id, params, effect=reads / served, message=READS, about=(first.id,))
    elif stored < SENSIBLE_GIB:
        yield Found(first.id, params, effect=SENSIBLE_GIB / max(stored, 1.0), about=(first.id,))


RULE = Rule(
    code="I009",
    severity="warning",
    message=N_(
        "Cluster {cluster} is on HDD and comes to hold {stored_gib}: below {limit_gib} HDD saves little, and a node "
        "serves {node_per_second} lookups instead of {ssd_per_second}."
    ),
    check=check,
    bad=lambda: large("hdd", 9_000),
    good=lambda: large("hdd", 12_000),
    near_miss=lambda: large("hdd", SENSIBLE_GIB),
    engines=BIGTABLE,
)
