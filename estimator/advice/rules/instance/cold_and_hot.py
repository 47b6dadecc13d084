"""Cold data shares a high reservation with hot data.

**What** At least half of a table's data is in key ranges with almost no load. The table reserves much throughput.
**Why** A table's reservation is spread over its partitions. Partitions with old periods or unused cards keep their
share. The busy ones run short, although you pay for all of it.
**Instead** Use a separate table and reservation for each period: high for this month, low for recent months, none
for archives. You can export and drop an archive table as a whole.
**Fine when** The reservation is small, or the table fits in one partition.
**Source** https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
https://help.aliyun.com/en/tablestore/support/what-do-i-need-to-specify-when-i-create-a-table (read 2026-11-20)
"""

from collections.abc import Iterator
from decimal import Decimal

import numpy as np

from designer.document import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import N_
from estimator.results import Estimate, Heat

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import BY_CARD, cards, column
from ..shared.examples import read_part

COLD_SHARE = 0.5
"""Of the stored bytes: from here on most of what is reserved lies where nothing happens."""

COLD_LOAD = 0.05
"""A range is cold that has less than this part of the load that its bytes would have on average."""

HIGH_CU = 1_000
"""From here on a reservation is high: a single partition serves about as many operations a second as it is."""

WITHOUT_MONEY = N_(
    "{cold_share} of {table} ({cold_bytes}) has almost no load but keeps its share of the reserved "
    "throughput. That is about {cold_cu} of {reserved_cu}. The thresholds are {limit_share} and "
    "{limit_cu}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per table that is mostly cold and reserves much throughput."""
    for units in estimate.capacity_units:
        part, reserved = estimate.tables[units.table], units.read.reserved + units.write.reserved
        traffic = part.traffic
        if reserved < HIGH_CU or traffic is None or part.growth is None:
            continue
        # One partition has cold and hot rows alike.
        if traffic.partition is None or traffic.partition.partitions < 2:
            continue
        cold = cold_share(traffic.heat)
        if cold < COLD_SHARE:
            continue
        table: Table = spec.find(units.table)
        cost = _cost(estimate, table, cold)
        yield Violation(
            at=table.id,
            field="tablestore",
            params={
                "table": table.label, "cold_share": cold, "reserved_cu": reserved, "cold_cu": cold * reserved,
                "cold_bytes": cold * float(part.growth.physical_bytes[-1]), "cold_cost": cost,
                "limit_share": COLD_SHARE, "limit_cu": HIGH_CU,
            },
            effect=cold * reserved,
            message="" if cost is not None else WITHOUT_MONEY,
        )  # fmt: skip


def cold_share(heat: Heat) -> float:
    """Share of the stored bytes in ranges with next to no load; 0 where there is none at all."""
    load = heat.node_share_of_ranges()
    total, stored = float(load.sum()), float(heat.stored_share.sum())
    if total <= 0 or stored <= 0:
        return 0.0
    # The load that each range would have if load followed bytes.
    fair = heat.stored_share / stored * total
    return float(np.where(load < COLD_LOAD * fair, heat.stored_share, 0.0).sum() / stored)


def _cost(estimate: Estimate, table: Table, cold: float) -> Money | None:
    """Return that share of the reserved cost in the last month; None if a price is missing."""
    bill = estimate.bill
    reserved = ("reserved_read", "reserved_write")
    lines = [line for line in bill.lines if line.at == table.id and line.item in reserved] if bill else []
    if bill is None or not lines or any(line.cost is None for line in lines):
        return None
    total = sum((line.cost for line in lines if line.cost is not None), Decimal(0))
    return bill.money((total * Decimal(repr(cold))).quantize(Decimal("0.01")))


def _month_first() -> tuple[dict[str, object], ...]:
    month = {"id": "month_part", "kind": "time", "pattern": "%Y%m", "resolution": "month"}
    return (dict(column("month", month)), *map(dict, BY_CARD))


def _purchases_design(days: float, reserved: float, *, by_month: bool = True) -> Spec:
    """Purchases of so many days, read over the last one."""
    return cards(
        *(_month_first() if by_month else ()),
        per_second=2_000,
        reads=(read_part(binds=("card",), time={"days": 1}, rate_per_second=1),),
        settings={"reserved_read_cu": reserved, "ttl_seconds": int(days * DAY_SECONDS)},
        attributes=({"id": "note", "qualifier": "note", "value": {"kind": "text", "typical_bytes": 500}},),
    )


RULE = Rule(
    code="I018",
    severity="warning",
    message=N_(
        "{cold_share} of {table} ({cold_bytes}) has almost no load but keeps its share of the reserved "
        "throughput. That is about {cold_cu} of {reserved_cu}, {cold_cost} a month. The thresholds are "
        "{limit_share} and {limit_cu}."
    ),
    check=check,
    bad=lambda: _purchases_design(365, 4_000),
    good=lambda: _purchases_design(31, 4_000, by_month=False),
    near_miss=lambda: _purchases_design(365, HIGH_CU - 1, by_month=True),
    engines=TABLESTORE,
)
