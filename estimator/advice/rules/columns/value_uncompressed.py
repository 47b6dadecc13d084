"""Values are too large for engine compression.

**What** A column's values are above 1 MiB and of a compressible kind.
**Why** The engine compresses stored data, but not values above 1 MiB. It stores, bills and sends them uncompressed.
**Instead** Compress them in the client before writing.
**Fine when** Client CPU time costs more than the storage, or the values are already compressed. In that case, set
their kind to random.
**Source** https://cloud.google.com/bigtable/docs/overview (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.engines import GiB, MiB, bigtable
from estimator.facts.billing import stored_cost
from estimator.facts.values import ValueSize, values_above
from estimator.kernels.growth.compression import VALUES
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import documents

LIMIT = bigtable.LIMITS["cell_compressed_bytes"]
SAVED_GIB = 1.0
"""Less is not worth a line."""

UNPRICED = N_(
    "Values of {column} in {table} are {typical_bytes}. The engine does not compress values above "
    "{limit_bytes}. Client-side compression saves about {saved_gib} (to {low_share}–{high_share} of "
    "the current size)."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per column with a typical value, of a known kind, over the size that is compressed."""
    for size in values_above(spec, LIMIT.value):
        shrink = VALUES.get(size.column.value.kind or "")
        if size.typical_bytes <= LIMIT.value or shrink is None or shrink.typical >= 1:
            continue
        stored = _stored_bytes(estimate, size)
        saved = stored * (1 - shrink.typical)
        if saved < SAVED_GIB * GiB:
            continue
        cost = stored_cost(estimate, saved)
        yield Violation(
            at=size.column.id,
            field="value",
            params={
                "column": shorten(element_label(spec, size.column.id)),
                "table": size.table.label,
                "typical_bytes": size.typical_bytes,
                "limit_bytes": LIMIT.value,
                "saved_gib": saved / GiB,
                "low_share": shrink.low,
                "high_share": shrink.high,
                "saved_cost": cost,
            },
            message="" if cost is not None else UNPRICED,
            effect=saved / GiB,
        )


def _stored_bytes(estimate: Estimate, size: ValueSize) -> float:
    """Bytes of the column's values at the end of the horizon, as they are; 0 while that is not known."""
    part = estimate.tables.get(size.table.id)
    return sum(
        column.cells_stored * column.cell.value * rows.rows
        for rows in (part.sizes.values() if part else ())
        for column in rows.columns
        if column.column == size.column.id
    )


RULE = Rule(
    code="C008",
    severity="note",
    message=N_(
        "Values of {column} in {table} are {typical_bytes}. The engine does not compress values above "
        "{limit_bytes}. Client-side compression saves about {saved_gib} (to {low_share}–{high_share} of "
        "the current size), {saved_cost} a month."
    ),
    check=check,
    bad=lambda: documents(4 * MiB, kind="json"),
    good=lambda: documents(1.2 * MiB),
    near_miss=lambda: documents(MiB, kind="json"),
    engines=BIGTABLE,
)
