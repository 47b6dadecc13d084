"""Reads from another region are billed by the byte.

**What** A read comes from a region without a cluster for it. Its data transfer is a noticeable part of the bill.
**Why** Every response crosses regions. It is billed per GiB and takes tens to hundreds of milliseconds longer.
**Instead** Run the readers next to a cluster, or add a cluster near them and route to the nearest. Request fewer
columns and versions.
**Fine when** The responses are few, and a cluster near the readers costs more than they do.
**Source** https://cloud.google.com/bigtable/pricing (read 2026-11-20)
https://cloud.google.com/bigtable/docs/replication-overview (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/product-overview/billing-overview (read 2026-11-20)
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any

from designer.document import Spec
from designer.document.access import Read
from designer.document.engines import description_of
from designer.document.money import Money
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.facts.billing import CENT, cluster_cost, item_name
from estimator.facts.routing import reads
from estimator.kernels.population.timeline import mean_billed_hours
from estimator.results import Bill, BillLine, Estimate

from ..shared import Rule, Violation
from ..shared.examples import NEWEST_ONLY, design, field_part
from ..shared.examples import read_part as read_of

EGRESS = ("egress", "internet_egress")
"""Lines of the bill for what readers elsewhere get; on Tablestore another region is the internet."""
WARNING_SHARE = 0.10
"""Of the month's bill, from which it warns: more than what one resizes a cluster for."""
NOTED_SHARE = 0.01
"""Of the month's bill: below it, it is not worth a word."""

NEAR_OPEN = N_(
    "Readers in {region} ({read}) receive {amount} {unit} a month across regions. That costs "
    "{egress_cost}, {egress_share} of the bill. The threshold is {limit_share}. The cost of a nearby "
    "cluster is not available."
)
NO_PRICE = N_(
    "Readers in {region} ({read}) receive {amount} {unit} a month across regions. The cost is open: "
    "there is no price for {item}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per region of readers, at the read that returns the most data."""
    if estimate.bill is None:
        return
    by_region: dict[str, list[tuple[Read, BillLine]]] = defaultdict(list)
    reads_by_id = {read.id: read for _, read in reads(spec)}
    for line in estimate.bill.lines:
        read = reads_by_id.get(line.at) if line.item in EGRESS and line.quantity > 0 else None
        region = read.where.known_region if read and read.where and not read.where.internet else None
        # Answers from a cluster in the readers' own region cross zones at most.
        if read and region and not line.where.startswith(f"{region}>"):
            by_region[region].append((read, line))
    for region, lines in by_region.items():
        violation = _build_violation(spec, estimate, estimate.bill, region, lines)
        if violation is not None:
            yield violation


def _build_violation(
    spec: Spec, estimate: Estimate, bill: Bill, region: str, lines: Sequence[tuple[Read, BillLine]]
) -> Violation | None:
    read, largest = max(lines, key=lambda pair: pair[1].quantity)
    params: dict[str, Any] = {
        "region": region,
        "read": read.label,
        "amount": float(sum(line.quantity for _, line in lines)),
        "unit": largest.unit,
        "item": item_name(largest),
    }
    if any(line.cost is None for _, line in lines):
        return Violation(read.id, params, "where", float(params["amount"]), severity="note", message=NO_PRICE)
    cost = sum((line.cost for _, line in lines if line.cost is not None), Decimal(0))
    share = float(cost / bill.total) if bill.total > 0 else 0.0
    if share < NOTED_SHARE:
        return None
    near = _near_cluster_cost(spec, estimate, bill, largest)
    params |= {
        "egress_cost": bill.money(cost),
        "egress_share": share,
        "limit_share": WARNING_SHARE,
        "near_cost": near,
    }
    grave = share >= WARNING_SHARE or (near is not None and cost >= near.amount)
    return Violation(
        at=read.id,
        params=params,
        field="where",
        effect=share,
        severity="warning" if grave else "note",
        message="" if near is not None else NEAR_OPEN,
    )


def _near_cluster_cost(spec: Spec, estimate: Estimate, bill: Bill, line: BillLine) -> Money | None:
    """One more cluster as large as the cheapest that is there, at its prices, and the writes that it must be sent."""
    billed = [cluster_cost(bill, cluster.id).cost for cluster in spec.instance.clusters]
    costs = [cost.amount for cost in billed if cost is not None]
    if not description_of(spec).has_several_places or not costs or len(costs) < len(billed) or line.unit_price is None:
        return None
    grown = [part.growth for part in estimate.tables.values() if part.growth is not None]
    seconds = mean_billed_hours(spec) * 3_600
    sent_gib = sum(growth.mutation_bytes_per_second for growth in grown) * seconds / GiB
    return bill.money((min(costs) + Decimal(repr(sent_gib)) * line.unit_price).quantize(CENT))


def _reader_design(region: str, per_second: float) -> Spec:
    return design(
        field_part("device"),
        per_second=100,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_of(binds=("device",), rate_per_second=per_second, where={"region": region}),),
    )


RULE = Rule(
    code="I012",
    severity="warning",
    message=N_(
        "Readers in {region} ({read}) receive {amount} {unit} a month across regions. That costs "
        "{egress_cost}, {egress_share} of the bill. The threshold is {limit_share}. A nearby cluster as "
        "large as the cheapest one costs {near_cost}."
    ),
    check=check,
    bad=lambda: _reader_design("asia-northeast1", 2_000),
    good=lambda: _reader_design("us-central1", 1_000),
    near_miss=lambda: _reader_design("asia-northeast1", 200),
)
