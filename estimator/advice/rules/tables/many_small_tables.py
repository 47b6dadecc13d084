"""The instance has many tables, and most of them are small.

**What** The instance has twenty or more tables, those that a rotation keeps among them. Over half of them hold less
than a GiB at the end of the horizon.
**Why** A table below some GiB is a single tablet on one node, regardless of the node count. Each table needs its
own connections and caches, which stay cold if requests spread over many tables.
**Instead** Combine similar tables into one, with a prefix for each type. Small reference data can share a table
with the rows that it belongs to. Let tables rotate by a longer period.
**Fine when** The tables are small, have little load and differ in content, and a long list is acceptable.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/performance (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines import GiB
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, KEPT_A_MONTH, TENANT, field_part, read_part, readings, time_part
from .too_many_tables import table_count

MANY = 20
"""So many tables are no longer seen at a glance; the documentation asks for few."""
SMALL_GIB = 1.0
"""The Key Visualizer shows tables from here on; below, one tablet holds them."""


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """One finding, at the first of the small tables; one that rotates counts as the tables that are there at once."""
    counts = {table.id: table_count(spec, table) for table in spec.tables}
    if sum(counts.values()) < MANY:
        return
    gib = {id: size for id, size in _sizes(spec, estimate) if size / counts[id] < SMALL_GIB}  # noqa: A001
    small_count, count = sum(counts[id] for id in gib), sum(counts.values())  # noqa: A001
    if small_count * 2 <= count:
        return
    small = tuple(gib)
    params = {"small": small_count, "count": count, "small_gib": SMALL_GIB, "stored_gib": sum(gib.values())}
    yield Violation(small[0], params, effect=small_count, about=small)


def _sizes(spec: Spec, estimate: Estimate) -> Iterator[tuple[str, float]]:
    """Yield the physical sizes of tables at the end of the horizon, where known [GiB]."""
    for table in spec.tables:
        part = estimate.tables.get(table.id)
        if part is not None and part.growth is not None:
            yield table.id, float(part.growth.physical_bytes[-1]) / GiB


def _reports(count: int) -> Spec:
    """Build a design with a table of little data for each report, each with columns of its own."""
    spec = readings(
        field_part("device"),
        per_second=1,
        write={"mode": "overwrite"},
        gc=KEPT_A_MONTH,
        reads=(read_part(binds=("device",)),),
    )
    text = spec.tables[0].model_dump_json(exclude_unset=True)
    tables = []
    for number in range(count):
        own = text.replace('"qualifier":"v"', f'"qualifier":"v{number}"')
        for element in ("table", "rows", "write", "read", "family", "column", "device_part"):
            own = own.replace(f'"id":"{element}"', f'"id":"{element}-{number}"' if number else f'"id":"{element}"')
        table = Table.model_validate_json(own)
        tables.append(table.model_copy(update={"name": f"report{number}"}))
    return spec.model_copy(update={"tables": tuple(tables)})


RULE = Rule(
    code="T003",
    severity="note",
    message=N_(
        "{small} of {count} tables hold less than {small_gib} each at the end of the horizon, "
        "{stored_gib} together. Each is a single tablet on one node and needs its own warm connections."
    ),
    check=check,
    bad=lambda: _reports(20),
    good=lambda: readings(
        field_part("tenant", "#"),
        field_part("device", "#"),
        time_part(),
        fields=(TENANT, DEVICE),
        per_second=100,
        reads=(read_part(binds=("tenant", "device"), time={"days": 1 / 24}),),
    ),
    near_miss=lambda: _reports(19),
    engines=BIGTABLE,
    under=("T002",),
)
