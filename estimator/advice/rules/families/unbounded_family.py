"""A column family has no garbage collection.

**What** A family has no garbage collection, or a number of versions that no row reaches, and receives new cells.
**Why** By default, Bigtable keeps every version of every cell indefinitely. If new cells go into existing rows, the
rows grow until they cannot be read. If each event creates a row, the table and its cost grow.
**Instead** Set a maximum age or number of versions, or mark the table as intentionally kept forever.
**Fine when** The table exists to keep history, and its owner accepts the cost. Or it is one of a rotating set, whose
oldest table is deleted with all cells.
**Source** https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence

from designer.document import Spec
from designer.document.family import Family, Never
from designer.document.texts import N_
from estimator.facts.reading import RowKindFacts, rows_by_table
from estimator.facts.unlimited_rows import endless_rows
from estimator.results import Estimate, FamilyGrowth

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, design, field_part, read_part, time_part
from ..shared.fixes import collect_unwanted

GROWS_MONTHLY_GIB = 0.001
"""Growth below a mebibyte a month is not worth a word."""

LIMIT_REACHED = N_(
    "No garbage collection limits family {family} of {table}, and cells accumulate in existing rows. "
    "They grow by {growth_gib} a month; the largest row exceeds {limit_bytes} from {date}."
)
NEW_ROWS = N_(
    "Family {family} of {table} has no garbage collection. New rows are never removed, and the table "
    "grows by {growth_gib} a month without limit."
)
UNRATED = N_("Family {family} of {table} has no garbage collection. Its growth rate is not known yet.")
COLLECT = N_("Collect cells that no reader needs")
COLLECT_STORED = N_("Collect cells that no reader needs: stored cells beyond that are permanently deleted")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per family without garbage collection, unless that is declared as intended."""
    family_ids = {
        family.id for table_rows in endless_rows(spec, estimate) for family in table_rows.families
    }  # G008 asks how long
    for table in spec.tables:
        if table.keep_forever or (table.rotation is not None and table.rotation.kept_tables is not None):
            continue
        part = estimate.tables.get(table.id)
        kinds = rows_by_table(spec, estimate)[table.id]
        for family in table.families:
            if not family.columns or isinstance(family.gc, Never) or family.id in family_ids:
                continue
            if part is None or part.growth is None:
                if family.gc is None and any(rows.kind.writes for rows in kinds):
                    names = {"family": family.label, "table": table.label}
                    yield Violation(family.id, names, "gc", message=UNRATED, severity="note")
                continue
            yield from _growth_violations(
                kinds, family, tuple(g for g in part.growth.families if g.family == family.id)
            )


def _growth_violations(
    kinds: Sequence[RowKindFacts], family: Family, growths: tuple[FamilyGrowth, ...]
) -> Iterator[Violation]:
    piling = [growth for growth in growths if not growth.bounded]
    monthly = sum(growth.gib_per_month for growth in (piling or growths))
    if not piling and (family.gc is not None or monthly < GROWS_MONTHLY_GIB):
        return
    table = kinds[0].table
    dates = [
        (crossing.date, crossing.limit_bytes)
        for rows in kinds
        for growth in piling
        if rows.growth and rows.kind.id == growth.row_kind
        for crossing in rows.growth.crossings
        if crossing.date is not None
    ]
    params: dict[str, object] = {"family": family.label, "table": table.label, "growth_gib": monthly}
    if dates:
        # The hard limit says more than the recommended one, which is always passed earlier.
        date, limit_bytes = max(dates, key=lambda pair: pair[1])
        params |= {"date": date, "limit_bytes": limit_bytes}
    fix, safe = collect_unwanted(kinds, family)
    yield Violation(
        at=family.id,
        field="gc",
        params=params,
        message=(LIMIT_REACHED if dates else "") if piling else NEW_ROWS,
        effect=monthly,
        severity="warning" if piling else "note",
        fix=fix,
        fix_safe=safe,
        fix_label="" if fix is None else COLLECT if safe else COLLECT_STORED,
        about=tuple(rows.kind.id for rows in kinds if _is_mostly_of(piling, rows)),
    )


def _is_mostly_of(growths: Sequence[FamilyGrowth], rows: RowKindFacts) -> bool:
    """Return whether the rows of a kind consist mostly of cells of these families."""
    families = rows.part.growth.families if rows.part and rows.part.growth else ()
    all_bytes = sum(growth.bytes_by_cause.total for growth in families if growth.row_kind == rows.kind.id)
    own_bytes = sum(growth.bytes_by_cause.total for growth in growths if growth.row_kind == rows.kind.id)
    return own_bytes > all_bytes / 2


RULE = Rule(
    code="F004",
    severity="warning",
    message=N_(
        "No garbage collection limits family {family} of {table}, and cells accumulate in existing rows. "
        "They grow by {growth_gib} a month, but no row exceeds a limit within the horizon."
    ),
    check=check,
    bad=lambda: design(
        field_part("device"),
        per_second=10,
        write={"mode": "new_cell"},
        gc=None,
        family={"needed": {"versions": 10}},
        reads=(read_part(binds=("device",)),),
    ),
    good=lambda: design(
        field_part("device"),
        per_second=100,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("device",)),),
    ),
    near_miss=lambda: design(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        gc=None,
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    ),
    engines=BIGTABLE,
    under=("K030",),
)
