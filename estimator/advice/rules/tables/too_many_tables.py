"""The design has more tables than an instance can hold.

**What** The design, including views and index tables, exceeds the limit of tables per instance: 1,000 on Bigtable,
64 on Tablestore.
**Why** The engine rejects the next table. With a table per customer, per year or per metric, business growth
reaches the limit at an unexpected time.
**Instead** Merge tables into one with a distinguishing key prefix, or distribute the tables over several instances.
**Fine when** Never. The engine rejects the table, and Bigtable does not raise this limit.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/table-store-service/regions (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import ENGINES
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import field_part, key_column, read_part, tablestore_design, time_part


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the first table that there is no room for."""
    limit = int(ENGINES[spec.engine].LIMITS["tables"].value)
    tables = len(spec.tables)
    if tables > limit:
        params = {"tables": tables, "limit": limit, "over": tables - limit, "first": spec.tables[limit].label}
        yield Violation(spec.tables[limit].id, params, effect=tables)


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
