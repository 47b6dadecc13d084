"""The commitment exceeds the usage.

**What** The committed spend exceeds the average cost of the nodes over the horizon.
**Why** A commitment is billed every hour, used or not, and cannot be cancelled. It covers only nodes, not storage,
backups or network.
**Instead** Commit to the nodes that run at every hour of the day, and pay for the rest by the hour.
**Fine when** Other projects of the billing account use the rest: a commitment covers all of them.
**Source** https://cloud.google.com/bigtable/docs/cuds (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import NamedTuple

from designer.document import Spec
from designer.document.texts import N_
from estimator.facts.billing import CENT
from estimator.results import Bill, Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import cluster_part, field_part, readings, time_part

UNUSED_SHARE = Decimal("0.05")
"""Of the commitment: less is the price of not knowing the load exactly."""

STILL_SAVES = N_(
    "On average over the horizon, {unused_cost} ({unused_share}) of the {fee_cost} monthly "
    "commitment covers no nodes. The commitment still saves {saved_cost}; a smaller one saves more."
)


class CommitmentUse(NamedTuple):
    """A commitment over some months, in money a month."""

    fee: Decimal
    unused: Decimal
    """Of the fee: what covers no node."""
    saved: Decimal
    """Less paid than without the commitment; negative: more."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the first cluster: a commitment is the instance's."""
    use = _use(estimate.bills)
    if use is None or use.unused <= UNUSED_SHARE * use.fee or estimate.bill is None or not spec.instance.clusters:
        return
    bill = estimate.bill
    yield Violation(
        at=spec.instance.clusters[0].id,
        params={
            "fee_cost": bill.money(use.fee.quantize(CENT)),
            "unused_cost": bill.money(use.unused.quantize(CENT)),
            "unused_share": float(use.unused / use.fee),
            "saved_cost": bill.money(abs(use.saved).quantize(CENT)),
            "limit_share": float(UNUSED_SHARE),
        },
        effect=float(use.unused / use.fee),
        message=STILL_SAVES if use.saved >= 0 else "",
    )


def _use(bills: Sequence[Bill]) -> CommitmentUse | None:
    """Return the use in the mean month; None without a commitment or while a price is unknown."""
    uses = [use for bill in bills if (use := _month(bill)) is not None]
    if not uses or len(uses) < len(bills):
        return None
    fee, unused, saved = (sum(column, Decimal(0)) / len(uses) for column in zip(*uses, strict=True))
    return CommitmentUse(fee, unused, saved)


def _month(bill: Bill) -> CommitmentUse | None:
    fee = next((line for line in bill.lines if line.item == "commitment"), None)
    covered = next((line for line in bill.lines if line.item == "commitment_covered"), None)
    if fee is None or covered is None or not fee.cost or covered.cost is None or not fee.quantity:
        return None
    on_demand = -covered.cost
    return CommitmentUse(fee.cost, max(fee.cost * (1 - on_demand / fee.quantity), Decimal(0)), on_demand - fee.cost)


def _commitment_design(nodes: float) -> Spec:
    instance = {"clusters": (cluster_part(4),), "commitment": {"years": 1, "nodes": nodes}}
    return readings(field_part("device", "#"), time_part(), per_second=20_000, instance=instance)


RULE = Rule(
    code="I022",
    severity="warning",
    message=N_(
        "On average over the horizon, {unused_cost} ({unused_share}) of the {fee_cost} monthly "
        "commitment covers no nodes. You pay {saved_cost} more than without a commitment. The threshold "
        "is {limit_share}."
    ),
    check=check,
    bad=lambda: _commitment_design(8),
    good=lambda: _commitment_design(3),
    near_miss=lambda: _commitment_design(4.2),
    engines=BIGTABLE,
)
