"""The service rejects the time to live, or the table keeps too many versions.

**What** A table's time to live is less than a day, or it keeps more than 500 versions of an attribute.
**Why** The service accepts a time to live of a day or more, or -1 for unlimited. Otherwise, it rejects the table.
More than 500 versions are allowed but slow: each is read, stored with its name and number, and billed.
**Instead** Keep data for at least a day, and delete earlier in the application if necessary. Store a series as
separate rows, with the time in the primary key.
**Fine when** No attribute ever has that many versions, so the high limit has no effect.
**Source** https://help.aliyun.com/en/tablestore/data-versions-and-ttl (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/table-store-service/developer-reference/tableoptions (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_
from estimator.engines.tablestore import LIMITS
from estimator.results import Estimate

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import cards

VERSIONS = N_(
    "{table} keeps up to {versions} versions of an attribute, above the recommended {limit}. By the "
    "end of the horizon, a row holds {held} versions of one attribute: {held_bytes}."
)
NOT_REACHED = N_(
    "{table} allows up to {versions} versions of an attribute, above the recommended {limit}. By the "
    "end of the horizon, the actual number per row is {held}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most two findings per table: its time to live, and its versions."""
    least, most = LIMITS["ttl_seconds_min"].value, LIMITS["versions_recommended"].value
    for table in spec.tables:
        settings = table.tablestore
        if settings is None:
            continue
        ttl = settings.ttl_seconds
        if ttl is not None and -1 < ttl < least:  # -1 is for ever
            params = {"table": table.label, "ttl_seconds": ttl, "least_seconds": least}
            yield Violation(at=table.id, field="tablestore", params=params, effect=least - ttl)
        if settings.max_versions is not None and settings.max_versions > most:
            versions, held_bytes = _version_usage(estimate, table)
            yield Violation(
                at=table.id,
                field="tablestore",
                params={
                    "table": table.label, "versions": settings.max_versions, "limit": most, "held": versions,
                    "held_bytes": held_bytes,
                },
                effect=versions,
                severity="warning" if versions is None or versions > most else "note",
                message=VERSIONS if versions is None or versions > most else NOT_REACHED,
            )  # fmt: skip


def _version_usage(estimate: Estimate, table: Table) -> tuple[float | None, float | None]:
    """Versions of the attribute that has most in a mean row, and their bytes; None while no rate is known."""
    part = estimate.tables.get(table.id)
    sizes = [size for kind in part.sizes.values() for size in kind.columns] if part else []
    if not sizes:
        return None, None
    most = max(sizes, key=lambda size: size.cells_stored)
    return most.cells_stored, most.cells_stored * most.cell.total


RULE = Rule(
    code="I020",
    severity="error",
    message=N_(
        "{table} keeps its data for {ttl_seconds}. The service accepts a time to live of {least_seconds} "
        "or more, or unlimited."
    ),
    check=check,
    bad=lambda: cards(settings={"ttl_seconds": 3_600}),
    good=lambda: cards(settings={"ttl_seconds": 86_400}),
    near_miss=lambda: cards(settings={"max_versions": 501}),
    engines=TABLESTORE,
)
