"""One table overloads a node that serves latency-sensitive reads of other tables.

**What** An indivisible load of one table fills a node. Other tables on the same cluster have latency-sensitive
reads.
**Why** Tables of an instance share its nodes. Other tablets on the full node are slow until Bigtable moves them,
which takes time. The next hot range may then be next to them again.
**Instead** Fix the key of the hot table, or give it a separate instance or a separate cluster with single-cluster
routing.
**Fine when** The two tables are never busy at the same hours.
**Source** https://cloud.google.com/bigtable/docs/hot-tablets (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.table import Table
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import bigtable
from estimator.facts.routing import reads, served_shares
from estimator.results import Estimate, Placement

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part, time_part

NAMED = 3
"""Tables that are named."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per cluster with a full node, at the table that fills it."""
    rates = {plan.read: plan.per_second for part in estimate.tables.values() for plan in part.reads if plan.per_second}
    for placement in estimate.placements:
        hot = placement.limiting_table
        full = placement.peak_utilisation > bigtable.HOTTEST_NODE_SHARE and placement.limited_by != "cluster"
        if not full or hot not in spec.by_id:
            continue
        waiting = [
            (table, rates[read.id] * share)
            for table, read in reads(spec)
            if table.id != hot
            and read.id in rates
            and _is_latency_sensitive(spec, read)
            and (share := served_shares(spec, read).get(placement.cluster))
        ]
        if waiting:
            yield _build_violation(spec, placement, hot, waiting)


def _is_latency_sensitive(spec: Spec, read: Read) -> bool:
    return bool(effective_value(spec, read, "latency") != "batch")


def _build_violation(spec: Spec, placement: Placement, hot: str, waiting: Sequence[tuple[Table, float]]) -> Violation:
    rate = sum(per_second for _, per_second in waiting)
    tables = tuple(dict.fromkeys(table.label for table, _ in waiting))
    return Violation(
        at=hot,
        params={
            "table": element_label(spec, hot),
            "cluster": element_label(spec, placement.cluster),
            "utilisation_share": placement.peak_utilisation,
            "limit_share": bigtable.HOTTEST_NODE_SHARE,
            "neighbours": tables[:NAMED],
            "waiting_per_second": rate,
            "nodes": float(placement.nodes),
            "slowed_per_second": rate / placement.nodes,  # those on the full node, if the others spread evenly
        },
        effect=rate / placement.nodes,
        cause=hot,
    )


def _neighbours_design(per_second: float, *key: Part, latency: str = "sensitive") -> Spec:
    """Events, and in a table of their own states that are looked up."""
    spec = design(
        *key,
        fields=(DEVICE,),
        per_second=per_second,
        activity={"arrival": {"kind": "every", "seconds": 1_000 / per_second, "field": "device"}},
    )
    look = read_part(id="state_read", name="state", binds=("device",), rate_per_second=1_000, latency=latency)
    keep: Part = {"id": "state_write", "activity": "activity", "mode": "overwrite", "rows_per_event": 0.001}
    states: Part = {
        "id": "states",
        "name": "states",
        "row_kinds": [
            {
                "id": "state_rows",
                "key": [{"id": "state_part", "kind": "field", "field": "device"}],
                "writes": [keep],
                "reads": [look],
            }
        ],
        "families": [
            {
                "id": "state_family",
                "name": "s",
                "gc": NEWEST_ONLY,
                "columns": [{"id": "state_column"}],
            }
        ],
    }
    whole = spec.model_dump(mode="json", exclude_unset=True)
    return Spec.model_validate({**whole, "tables": [*whole["tables"], states]})


RULE = Rule(
    code="I023",
    severity="warning",
    message=N_(
        "{table} loads one of the {nodes} of {cluster} to {utilisation_share}. Latency-sensitive reads "
        "of {neighbours} share these nodes: about {slowed_per_second} of {waiting_per_second} reach the "
        "full node. The threshold is {limit_share}."
    ),
    check=check,
    bad=lambda: _neighbours_design(20_000, time_part("#"), field_part("device")),
    good=lambda: _neighbours_design(20_000, field_part("device", "#"), time_part()),
    near_miss=lambda: _neighbours_design(2_000, time_part("#"), field_part("device")),
    engines=BIGTABLE,
    under=("K004", "K005", "K026", "K013", "K014"),
)
