"""The design has more tables than an instance can hold.

**What** The design, including views and index tables, exceeds the limit of tables per instance: 1,000 on Bigtable,
64 on Tablestore.
**Why** The engine rejects the next table. With a table per customer, per year or per metric, business growth
reaches the limit at an unexpected time.
**Instead** Merge tables into one with a distinguishing key prefix, or distribute the tables over several instances.
Of a table that rotates, retain fewer periods, or choose a longer one.
**Fine when** Never. The engine rejects the table, and Bigtable does not raise this limit.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/table-store-service/regions (read 2026-11-20)
"""

import itertools
import math
from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.durations import MONTH_DAYS
from designer.document.table import Table
from designer.document.texts import N_
from designer.wording import resolution_name
from estimator.engines import ENGINES
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import field_part, key_column, read_part, tablestore_design, time_part

ROTATING = N_(
    "{table} begins a new table each {period}. With up to {tables} tables, the instance exceeds the limit of {limit} "
    "by {over}, and the engine rejects the next one."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the first table that there is no room for."""
    limit = int(ENGINES[spec.engine].LIMITS["tables"].value)
    counts = [table_count(spec, table) for table in spec.tables]
    tables = sum(counts)
    if tables > limit:
        first = next(t for t, upto in zip(spec.tables, itertools.accumulate(counts), strict=True) if upto > limit)
        params = {"tables": tables, "limit": limit, "over": tables - limit, "first": first.label}
        if first.rotation is not None:
            params |= {"table": first.label, "period": resolution_name(first.rotation.period)}
            yield Violation(first.id, params, message=ROTATING, effect=tables)
        else:
            yield Violation(first.id, params, effect=tables)


def table_count(spec: Spec, table: Table) -> int:
    """Return the tables that a table stands for: of a rotating set those kept, or all until the end of the horizon."""
    if table.rotation is None:
        return 1
    if table.rotation.kept_tables is not None:
        return int(table.rotation.kept_tables)
    months = effective_value(spec, spec, "horizon_months") + (effective_value(spec, table, "history_months") or 0)
    return math.ceil(float(months) * MONTH_DAYS / table.rotation.period_days) + 1  # a span of n periods meets n + 1


def _with_tables(count: int) -> Spec:
    """Build a design of readings in one table, and other tables of which only the names are known."""
    spec = tablestore_design(
        key_column("device", field_part("device")),
        key_column("at", time_part(), type="INTEGER"),
        per_second=100,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    )
    others = tuple(Table(id=f"table-{number}", name=f"report{number}") for number in range(1, count))
    return spec.model_copy(update={"tables": (*spec.tables, *others)})


RULE = Rule(
    code="T001",
    severity="error",
    message=N_(
        "{tables} tables exceed the limit of {limit} per instance by {over}. The engine rejects the table {first}."
    ),
    check=check,
    bad=lambda: _with_tables(65),
    good=lambda: _with_tables(1),
    near_miss=lambda: _with_tables(64),
)
