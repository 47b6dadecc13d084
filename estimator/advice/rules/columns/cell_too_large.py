"""A cell can exceed the engine's limit.

**What** The largest value of a column is above the cell size limit: 100 MiB on Bigtable, 2 MB on Tablestore.
**Why** The engine rejects the write, so the largest values are never stored.
**Instead** Store large objects in an object store and keep their address in the cell, or split them over several
rows.
**Fine when** Never. This is a hard limit.
**Source** https://cloud.google.com/bigtable/quotas (read 2026-11-20)
https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.engines import MiB, engine_of
from estimator.facts.values import values_above
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import documents

ALL_ALIKE = N_("Values of {column} in {table} are {largest_bytes} each. The engine rejects cells above {limit_bytes}.")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per column whose largest value exceeds the engine's limit."""
    limit = engine_of(spec).LIMITS["cell_bytes"]
    for size in values_above(spec, limit.value):
        yield Violation(
            at=size.column.id,
            field="value",
            params={
                "column": shorten(element_label(spec, size.column.id)),
                "table": size.table.label,
                "typical_bytes": size.typical_bytes,
                "largest_bytes": size.largest_bytes,
                "limit_bytes": limit.value,
            },
            effect=size.largest_bytes,
            message=ALL_ALIKE if size.all_alike else "",
            about=(size.column.id,),
        )


RULE = Rule(
    code="C006",
    severity="error",
    message=N_(
        "Values of {column} in {table} are typically {typical_bytes} but reach {largest_bytes}. The "
        "engine rejects cells above {limit_bytes}."
    ),
    check=check,
    bad=lambda: documents(MiB, largest_bytes=120 * MiB),
    good=lambda: documents(MiB, largest_bytes=5 * MiB),
    near_miss=lambda: documents(MiB, largest_bytes=100 * MiB),
)
