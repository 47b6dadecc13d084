"""Several tables could be one table.

**What** Two or more tables have the same families and key structure: one per customer, per year or per metric.
**Why** Bigtable splits and balances each table separately. Many small tables therefore give few, uneven tablets.
Each table has its own families to maintain, connections to warm up and line in every tool. An instance holds at
most 1,000.
**Instead** Use one table with a distinguishing key prefix: a customer's rows stay together, and a prefix reads
them. For yearly tables, use time in the key and garbage collection by age instead of dropping tables.
**Fine when** They need different retention, backups, protection or access. Or one is by far the largest, and the
others hold test data.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_, Text
from estimator.engines import GiB
from estimator.facts.similar_tables import similar_tables_groups
from estimator.results import Estimate, TablePart

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, TENANT, design, field_part, read_part, time_part
from ..shared.fixes import merge_tables

NAMED = 5
"""So many tables are named; of more, the first."""

UNKNOWN = N_(
    "{count} tables have the same families and key structure and could be one table: {tables}. Their "
    "size is not known yet."
)
SAME = N_(
    "{count} tables have the same families and key structure and could be one table: {tables}. "
    "Together they hold {stored_gib} in {tablets} tablets, about {most_gib} each. The engine splits "
    "and balances each table separately."
)
LIKE = 1.05
"""The largest holds at most so many times the smallest: one size says it."""
MERGE = N_("Merge into one table with a distinguishing prefix in each key; readers and writers must specify the prefix")


def _rest(count: int) -> tuple[Text, ...]:
    """Return how many more there are, as the end of a list; empty where there are none."""
    return (Text(N_("and {count} more"), {"count": count}),) if count > 0 else ()


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per group of similar tables, at the first of them."""
    for tables in similar_tables_groups(spec):
        fix = merge_tables(spec, tables)
        sizes = _table_sizes(estimate, tables)
        yield Violation(
            at=tables[0].id,
            params={
                "count": len(tables),
                "tables": tuple(table.label for table in tables[:NAMED]) + _rest(len(tables) - NAMED),
                **sizes,
            },
            message=_message(sizes),
            effect=len(tables),
            fix=fix,
            fix_label=MERGE if fix is not None else "",
            about=tuple(table.id for table in tables),
        )


def _message(sizes: dict[str, float]) -> str:
    if not sizes:
        return UNKNOWN
    return SAME if sizes["most_gib"] <= LIKE * sizes["least_gib"] else ""


def _table_sizes(estimate: Estimate, tables: Sequence[Table]) -> dict[str, float]:
    """Return total, minimum and maximum size of the tables at the horizon's end; empty if one is unknown."""
    parts = [estimate.tables.get(table.id) for table in tables]
    gib = [_gib(part) for part in parts]
    sizes = [size for size in gib if size is not None]
    if len(sizes) < len(tables):
        return {}
    tablets = float(sum(part.traffic.tablets for part in parts if part and part.traffic))
    return {"stored_gib": sum(sizes), "least_gib": min(sizes), "most_gib": max(sizes), "tablets": tablets}


def _gib(part: TablePart | None) -> float | None:
    return float(part.growth.physical_bytes[-1]) / GiB if part and part.growth else None


def _per_customer(names: Sequence[str]) -> Spec:
    """Build a design of the same readings in one table for each name."""
    spec = design(
        field_part("device", "#"),
        time_part(),
        fields=(DEVICE,),
        per_second=100,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
        table={"name": f"readings_{names[0]}"},
    )
    document = spec.tables[0].model_dump_json(exclude_unset=True)
    tables = [spec.tables[0]]
    for number, name in enumerate(names[1:]):
        text = document
        for element in ("table", "rows", "write", "read", "family", "column", "device_part", "time_part"):
            text = text.replace(f'"id":"{element}"', f'"id":"{element}-{number}"')
        table = Table.model_validate_json(text)
        tables.append(table.model_copy(update={"name": name if "_" in name else f"readings_{name}"}))
    return spec.model_copy(update={"tables": tuple(tables)})


RULE = Rule(
    code="T002",
    severity="warning",
    message=N_(
        "{count} tables have the same families and key structure and could be one table: {tables}. "
        "Together they hold {stored_gib} in {tablets} tablets, from {least_gib} to {most_gib} each. The "
        "engine splits and balances each table separately."
    ),
    check=check,
    bad=lambda: _per_customer(("altostrat", "cymbal", "examplepetstore")),
    good=lambda: design(
        field_part("tenant", "#"),
        field_part("device", "#"),
        time_part(),
        fields=(TENANT, DEVICE),
        per_second=300,
        reads=(read_part(binds=("tenant", "device"), time={"days": 1 / 24}),),
    ),
    near_miss=lambda: _per_customer(("altostrat", "bills_paid")),
    engines=BIGTABLE,
)
