"""The storage type is chosen once and for all.

**What** The instance is on HDD, or holds so much on SSD, for which nobody waits, that HDD would be worth a thought.
**Why** SSD or HDD is chosen when an instance is made and never changed: another one means a new instance, and moving
all data there by backup and restore or by export and import.
**Instead** Decide before the first row is written: SSD wherever somebody waits for an answer; HDD from about 10 TB on,
for data that is scanned in batches and seldom read by key.
**Fine when** The choice was made on purpose and the way of reading will not change.
**Source** https://cloud.google.com/bigtable/docs/choosing-ssd-hdd (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, assumed
from designer.document.texts import N_
from estimator.facts.hdd import SENSIBLE_GIB, hdd_serves, seeks_per_second, stored_gib
from estimator.results import Estimate

from ..shared import BIGTABLE, Found, Rule
from ..shared.examples import Part, design, of, read, time

ON_SSD = N_(
    "Cluster {cluster} comes to hold {stored_gib} on SSD, and nobody waits for what is read: from {limit_gib} on HDD "
    "is worth a thought. The choice is made when the instance is made, and stays."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Found]:
    """One finding, at the first cluster: the choice is the instance's."""
    stored = stored_gib(estimate)
    if stored is None or not spec.instance.clusters:
        return
    first, hdd = spec.instance.clusters[0], assumed(spec, spec.instance, "storage") == "hdd"
    reads = seeks_per_second(spec, estimate)
    if hdd or (stored >= SENSIBLE_GIB and not reads):
        yield Found(
            at=first.id,
            params={
                "cluster": first.label,
                "stored_gib": stored,
                "reads_per_second": reads,
                "hdd_per_second": hdd_serves(spec, stored),
                "limit_gib": SENSIBLE_GIB,
            },
            effect=stored,
            message="" if hdd else ON_SSD,
            cause=first.id,
        )


def large(storage: str, gib: float, *, latency: str = "batch", per_second: float = 10.0) -> Spec:
    """An archive of this size, to which little is added."""
    return design(
        of("device", "#"),
        time(),
        per_second=1,
        gc=None,
        table={"gib_stored": gib, "keep_forever": True},
        reads=(read(binds=("device",), time={"days": 1}, latency=latency, rate_per_second=per_second),),
        instance={"storage": storage, "clusters": (_CLUSTER,)},
    )


_CLUSTER: Part = {"id": "cluster", "name": "main", "region": "us-central1"}

RULE = Rule(
    code="I013",
    severity="note",
    message=N_(
        "Cluster {cluster} is on HDD, with {stored_gib} stored at most and {reads_per_second} lookups that people wait "
        "for, of {hdd_per_second} that its nodes serve. The choice is made when the instance is made, and stays."
    ),
    check=check,
    bad=lambda: large("hdd", 12_000),
    good=lambda: large("ssd", 100),
    near_miss=lambda: large("ssd", 9_000),
    engines=BIGTABLE,
    under=("I009",),
)
