"""The data is so small that one node may hold it all.

**What** All tables together stay below a few GB, and the cluster has several nodes.
**Why** Bigtable splits tables as they grow and are used. Below several GB, a whole table may be on one node. More
nodes then have no effect, and a test does not show how a full table spreads.
**Instead** Start with one node. Test with at least 100 GB per node and real keys, and warm up for some minutes
first.
**Fine when** The nodes serve a load that splits even a small table, or they are for future data.
**Source** https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import GiB
from estimator.facts.hdd import stored_gib
from estimator.kernels.traffic.assumptions import TABLET
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import cluster_part, design, field_part, read_part

FEW_GIB = TABLET.value / GiB
"""What one tablet holds, as it is assumed: pages say that a table below several GB may sit on one node."""
TEST_GIB = 100.0
"""Data per node from which a test of performance says something. Source: performance page, read 2026-11-20."""
SEVERAL = 2


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the cluster with the most nodes."""
    stored = stored_gib(estimate)
    clusters = [sized for sized in estimate.nodes if sized.cluster in spec.by_id]
    if stored is None or stored >= FEW_GIB or not clusters:
        return
    most = max(clusters, key=lambda sized: float(sized.nodes_by_month[-1]))
    nodes = float(most.nodes_by_month[-1])
    if nodes >= SEVERAL:
        yield Violation(
            at=most.cluster,
            params={
                "cluster": element_label(spec, most.cluster),
                "stored_gib": stored,
                "few_gib": FEW_GIB,
                "nodes": nodes,
                "test_gib": float(f"{TEST_GIB * nodes:.3g}"),
            },
            effect=nodes,
        )


def _states(count: int, gib: float) -> Spec:
    """Build a design with only the newest state of each device."""
    return design(
        field_part("device"),
        per_second=10,
        write={"mode": "overwrite"},
        gc={"kind": "max_versions", "versions": 1},
        reads=(read_part(binds=("device",)),),
        table={"gib_stored": gib},
        clusters=(cluster_part(count),),
    )


RULE = Rule(
    code="I016",
    severity="note",
    message=N_(
        "All tables together hold less than {few_gib} ({stored_gib}), so one of the {nodes} of {cluster} "
        "may hold everything. Load tests are meaningful from {test_gib}."
    ),
    check=check,
    bad=lambda: _states(3, 1),
    good=lambda: _states(1, 1),
    near_miss=lambda: _states(3, 5),
    engines=BIGTABLE,
)
