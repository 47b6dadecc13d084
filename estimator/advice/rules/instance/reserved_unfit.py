"""The reserved throughput is invalid or does not pay off.

**What** A table reserves throughput on a capacity instance, above the table limit, or at a higher cost than metered
units.
**Why** Reserved units are billed every hour, used or not. Only high-performance instances have them, and the
instance type cannot change. Below a utilisation that depends on both prices, metered units cost less.
**Instead** Reserve the throughput of quiet hours and let the rest be metered. On a capacity instance, reserve
nothing.
**Fine when** The reservation guarantees throughput for a peak, and you accept its price.
**Source** https://www.alibabacloud.com/help/en/tablestore/table-store-service/product-overview/what-is-reserved-read-or-write-throughput (read 2026-11-20)
https://help.aliyun.com/zh/tablestore/product-overview/billing-examples (read 2026-11-20)
"""  # noqa: E501

from collections.abc import Iterator
from decimal import Decimal

from designer.document import Spec
from designer.document.money import Money
from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.engines.tablestore import LIMITS, can_reserve, region
from estimator.kernels.capacity.tablestore.instance_usage import instance_kind
from estimator.kernels.capacity.tablestore.units import SIDES, Side
from estimator.results import CapacityUnits, Estimate, UnitSide

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import cards
from ..shared.examples import read_part

READS, WRITES = N_("reads"), N_("writes")

ON_CAPACITY = N_(
    "{table} reserves {reserved_cu} for {side}, but a capacity instance has no reserved throughput. "
    "All {used_cu_per_second} are metered."
)
NOT_KNOWN = N_(
    "{table} reserves {reserved_cu} for {side}, but {region} has no known high-performance "
    "instances. Only those have reserved throughput, so all {used_cu_per_second} count as metered."
)
TOO_MUCH = N_("{table} reserves {reserved_cu} for {side}. A table can reserve at most {most_cu}.")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per table and side."""
    units = {unit.table: unit for unit in estimate.capacity_units}
    for table in spec.tables:
        for side in SIDES:
            reserved = getattr(table.tablestore, f"reserved_{side}_cu", None)
            if reserved:
                yield from _side(spec, estimate, table, side, float(reserved), units.get(table.id))


def _side(
    spec: Spec, estimate: Estimate, table: Table, side: Side, reserved: float, units: CapacityUnits | None
) -> Iterator[Violation]:
    usage = None if units is None else units.read if side == "read" else units.write
    used = float(usage.used_per_second[-1]) if usage is not None else None
    params = {
        "table": table.label,
        "side": Text(READS if side == "read" else WRITES),
        "reserved_cu": reserved,
        "used_cu_per_second": used,
    }
    most = LIMITS["reserved_cu"].value
    if reserved > most:
        yield Violation(
            at=table.id, field="tablestore", params=params | {"most_cu": most}, severity="error", message=TOO_MUCH
        )
    elif spec.instance.tablestore_type == "capacity":
        yield Violation(at=table.id, field="tablestore", params=params, severity="error", message=ON_CAPACITY)
    elif not can_reserve(spec):
        where = {"region": region(spec), "kind": instance_kind(spec)}
        yield Violation(at=table.id, field="tablestore", params=params | where, severity="warning", message=NOT_KNOWN)
    elif usage is not None and (worth := _worth(usage)) is not None and worth < 1:
        saving = _saving(estimate, table, side, worth)
        extra_params = {
            "used_share": usage.reserved_used_share,
            "pays_from_share": usage.pays_from_share,
            "pays_from_cu_per_second": (usage.pays_from_share or 0.0) * reserved,
            "saving_cost": saving,
        }
        yield Violation(
            at=table.id,
            field="tablestore",
            params=params | extra_params,
            effect=float(saving.amount) if saving else None,
            severity="warning",
        )


def _worth(side: UnitSide) -> float | None:
    """Return the metered cost of the used reserved units ÷ the reservation's cost; None without prices."""
    if side.reserved_used_share is None or not side.pays_from_share:
        return None
    # Below 1, the same use would cost less as metered units.
    return side.reserved_used_share / side.pays_from_share


def _saving(estimate: Estimate, table: Table, side: Side, worth: float) -> Money | None:
    """Return the last month's saving if the used part, `worth` of the reserved line's cost, were metered."""
    bill = estimate.bill
    lines = (line for line in bill.lines if line.at == table.id and line.item == f"reserved_{side}") if bill else ()
    line = next(iter(lines), None)
    if bill is None or line is None or line.cost is None:
        return None
    return bill.money((line.cost * (1 - Decimal(repr(worth)))).quantize(Decimal("0.01")))


def _reservation_design(cu: float, kind: str = "high_performance") -> Spec:
    exact = read_part(binds=("card",), exact_time=True, rate_per_second=100)
    return cards(reads=(exact,), settings={"reserved_read_cu": cu}, instance={"tablestore_type": kind})


RULE = Rule(
    code="I017",
    severity="error",
    message=N_(
        "{table} uses {used_share} of the {reserved_cu} that it reserves for {side}. Metered units cost "
        "{saving_cost} a month less. A reservation pays off above {pays_from_share}, here "
        "{pays_from_cu_per_second}."
    ),
    check=check,
    bad=lambda: _reservation_design(100, "capacity"),
    good=lambda: _reservation_design(100),
    near_miss=lambda: _reservation_design(600),
    engines=TABLESTORE,
)
