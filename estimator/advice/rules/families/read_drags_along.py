"""A frequent read fetches columns that it does not need.

**What** Most of the bytes that a read takes from disk are other columns of the family, or cells that a filter drops.
**Why** Bigtable stores the cells of a family in a row together. A read of the family also reads the cells between
the needed ones and filters them out on the node. These bytes use node CPU time, although no caller receives them.
**Instead** Put columns that are read together into one family, and large, rarely read columns into another. Keep
fewer versions, and put what a filter selects into the key.
**Fine when** The read is rare, or the other columns are small: a few hundred bytes add almost no cost.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.family import Column, Family
from designer.document.texts import N_, Text
from designer.wording import element_label, shorten
from estimator.engines import bigtable
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import WASTE_FACTOR
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.growth.reader_needs import is_requested
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.edits import Edit
from ..shared.examples import Part, design, field_part, read_part
from ..shared.fixes import split_off

NODE_SHARE_WARNING = 0.20
"""Of one node, busy for nothing: as much as other rules take for a load that hurts, and a fifth of a node's price."""
NODE_SHARE_NOTE = 0.05
"""Below it, four times the reads would still not warn."""
NAMED = 5
"""So many columns are named; of more, the first."""
BOOSTED = N_(
    "{read} reads {scanned_bytes} of {table} each time but needs only {wanted_bytes}; the rest is "
    "{columns}. At {rate_per_second}, Data Boost charges the time of {busy_nodes} for that. The threshold is "
    "{hurts_per_second}."
)
FILTERED = N_("cells that a filter drops")
REGROUP = N_("Move the needed columns to a separate family; readers and writers must then name it")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per read more than half of which is unwanted data, at a noticeable cost."""
    bytes_per_second = bigtable.instance_capacity(spec.instance).scan_bytes_per_second
    for rows in row_kinds(spec, estimate):
        for read, plan in rows.reads:
            scanned, dropped = plan.bytes_scanned, plan.bytes_dragged + plan.bytes_filtered
            if plan.per_second is None or dropped * WASTE_FACTOR < scanned or not dropped:
                continue
            busy = dropped / bytes_per_second * plan.per_second
            if busy < NODE_SHARE_NOTE:
                continue
            dragged = _unwanted_columns(rows, read)
            by_filter: tuple[Text, ...] = (Text(FILTERED),) if plan.bytes_filtered * WASTE_FACTOR >= dropped else ()
            fix = _regroup_edit(spec, rows, read) if plan.bytes_dragged * WASTE_FACTOR >= scanned else None
            yield Violation(
                at=read.id,
                field="columns" if read.columns else "families",
                params={
                    "read": read.label,
                    "table": rows.table.label,
                    "scanned_bytes": scanned,
                    "wanted_bytes": scanned - dropped,
                    "columns": (*by_filter, *dragged[:NAMED], *(("…",) if len(dragged) > NAMED else ())),
                    "rate_per_second": plan.per_second,
                    "busy_nodes": busy,
                    # Wasted work is proportional to the rate, so this is the rate at which it warns.
                    "hurts_per_second": plan.per_second * NODE_SHARE_WARNING / busy,
                },
                message=BOOSTED if has_data_boost(spec, read) else "",
                effect=busy,
                severity="warning" if busy >= NODE_SHARE_WARNING else "note",
                fix=fix,
                fix_label=REGROUP if fix is not None else "",
                about=(read.id,) if by_filter and not dragged else (),
            )


def _touched_families(rows: RowKindFacts, read: Read) -> dict[Family, tuple[Column, ...]]:
    """Return the families that a read must access, with the row kind's columns in them."""
    families: dict[str, tuple[Family, list[Column]]] = {}
    for family, column in columns_of(rows.table, rows.kind):
        families.setdefault(family.id, (family, []))[1].append(column)
    return {
        family: tuple(columns)
        for family, columns in families.values()
        if any(is_requested(read, family, column) for column in columns)
    }


def _unwanted_columns(rows: RowKindFacts, read: Read) -> list[str]:
    return [
        shorten(element_label(rows.spec, column.id))
        for family, columns in _touched_families(rows, read).items()
        for column in columns
        if not is_requested(read, family, column)
    ]


def _regroup_edit(spec: Spec, rows: RowKindFacts, read: Read) -> Edit | None:
    """Return an edit that moves the wanted columns to a separate family.

    None if they are in several families, or another read wants a part of them.
    """
    mixed = [
        (family, tuple(column for column in columns if is_requested(read, family, column)))
        for family, columns in _touched_families(rows, read).items()
        if not all(is_requested(read, family, column) for column in columns)
    ]
    if len(mixed) != 1:
        return None
    family, read_columns = mixed[0]
    for kind in rows.table.row_kinds:
        for other in kind.reads:
            if len({is_requested(other, family, column) for column in read_columns}) > 1:
                return None
    return split_off(rows.table, family, read_columns, family.gc, spec=spec)


def _profile(per_second: float, *, apart: bool = False) -> Spec:
    """Devices with a large report and a small state, which is read all the time."""
    report = {"id": "column", "qualifier": "report", "value": {"kind": "json", "typical_bytes": 20_000}}
    state = {"id": "state", "qualifier": "s", "value": {"kind": "integer"}}
    newest: Part = {"kind": "max_versions", "versions": 1}
    single = [{"id": "family", "name": "m", "gc": newest, "columns": [report, state]}]
    two = [
        {"id": "family", "name": "m", "gc": newest, "columns": [report]},
        {"id": "other", "name": "s", "gc": newest, "columns": [state]},
    ]
    reads = (read_part(binds=("device",), columns=("state",), newest_versions=1, rate_per_second=per_second),)
    return design(
        field_part("device"),
        per_second=1,
        write={"mode": "overwrite"},
        reads=reads,
        table={"families": two if apart else single},
    )


RULE = Rule(
    code="F008",
    severity="warning",
    message=N_(
        "{read} reads {scanned_bytes} of {table} each time but needs only {wanted_bytes}; the rest is "
        "{columns}. At {rate_per_second}, that wastes {busy_nodes}. The threshold is {hurts_per_second}."
    ),
    check=check,
    bad=lambda: _profile(4_000),
    good=lambda: _profile(4_000, apart=True),
    near_miss=lambda: _profile(1_000),
    engines=BIGTABLE,
    under=("Q001", "Q002"),
)
