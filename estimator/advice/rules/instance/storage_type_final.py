"""The storage type cannot change later.

**What** The instance uses HDD, or it stores enough data on SSD without latency-sensitive reads to make HDD worth
considering.
**Why** You choose SSD or HDD when you create an instance and cannot change it. To switch, create a new instance and
move all data by backup and restore or by export and import.
**Instead** Decide before you write the first row. Use SSD for latency-sensitive reads. Use HDD from about 10 TB for
data that is scanned in batches and rarely read by key.
**Fine when** The choice is intentional, and the reads will not change.
**Source** https://cloud.google.com/bigtable/docs/choosing-ssd-hdd (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.texts import N_
from estimator.facts.hdd import SENSIBLE_GIB, hdd_lookups_per_second, seeks_per_second, stored_gib
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import Part, design, field_part, read_part, time_part

ON_SSD = N_(
    "Cluster {cluster} stores up to {stored_gib} on SSD without latency-sensitive reads. From "
    "{limit_gib}, consider HDD. You cannot change the storage type after you create the instance."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the first cluster: the choice is the instance's."""
    stored = stored_gib(estimate)
    if stored is None or not spec.instance.clusters:
        return
    first, hdd = spec.instance.clusters[0], effective_value(spec, spec.instance, "storage") == "hdd"
    reads = seeks_per_second(spec, estimate)
    if hdd or (stored >= SENSIBLE_GIB and not reads):
        yield Violation(
            at=first.id,
            params={
                "cluster": first.label,
                "stored_gib": stored,
                "reads_per_second": reads,
                "hdd_per_second": hdd_lookups_per_second(spec, stored),
                "limit_gib": SENSIBLE_GIB,
            },
            effect=stored,
            message="" if hdd else ON_SSD,
            cause=first.id,
        )


def large(storage: str, gib: float, *, latency: str = "batch", per_second: float = 10.0) -> Spec:
    """Build a design of an archive of this size, to which little is added."""
    return design(
        field_part("device", "#"),
        time_part(),
        per_second=1,
        gc=None,
        table={"gib_stored": gib, "keep_forever": True},
        reads=(read_part(binds=("device",), time={"days": 1}, latency=latency, rate_per_second=per_second),),
        instance={"storage": storage, "clusters": (_CLUSTER,)},
    )


_CLUSTER: Part = {"id": "cluster", "name": "main", "region": "us-central1"}

RULE = Rule(
    code="I013",
    severity="note",
    message=N_(
        "Cluster {cluster} uses HDD and stores up to {stored_gib}. Its latency-sensitive lookups are "
        "{reads_per_second}; its nodes can serve {hdd_per_second}. You cannot change the storage type "
        "after you create the instance."
    ),
    check=check,
    bad=lambda: large("hdd", 12_000),
    good=lambda: large("ssd", 100),
    near_miss=lambda: large("ssd", 9_000),
    engines=BIGTABLE,
    under=("I009",),
)
