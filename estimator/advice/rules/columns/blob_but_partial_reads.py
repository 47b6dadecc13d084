"""Reads need only parts of a serialised column.

**What** One serialised cell holds all values of a row. Readers need only a part of it, or inspect it to select
rows.
**Why** The engine cannot see inside a value. It reads and sends the whole cell, and the caller discards the rest.
Filters on the content run in the caller, after the transfer.
**Instead** Store frequently read values in a separate column. If they are small compared with the rest, use a
separate family.
**Fine when** Most requests need the whole value, or the waste is negligible.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Read
from designer.document.family import Column, Family
from designer.document.texts import N_
from designer.wording import element_label, shorten
from estimator.engines import bigtable
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import NODE_SHARE_WARNING
from estimator.kernels.growth.cells import columns_of
from estimator.kernels.traffic.operations import has_data_boost
from estimator.results import Estimate, ReadPlan

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import NEWEST_ONLY, design, field_part, read_part
from ..shared.fixes import hot_part

SERIALISED = ("json", "protobuf")
MOST = 0.5
"""More than half unwanted is most: a warning, where it keeps a hundredth of a node busy."""
WASTE_NOTE = 0.2
"""Less than a fifth unwanted is not worth a line."""

UNRATED = N_(
    "{read} reads {read_bytes} of {column} in {table} but needs only {wanted_bytes}: it discards "
    "{waste_share}. The read rate is not specified."
)
BOOSTED = N_(
    "{read} reads {read_bytes} of {column} in {table} but needs only {wanted_bytes}. All reads "
    "together discard {waste_share} ({wasted_bytes} a second), for which Data Boost charges the time of {busy_nodes}. "
    "The threshold is half of the data and 1 % of a node."
)
SPLIT = N_("Move the part that {read} needs to a separate column and family: every writer must set both")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind with one serialised column of which readers discard a part."""
    for rows in row_kinds(spec, estimate):
        partial = [read for read, _ in rows.reads if read.value_share is not None or read.match_share is not None]
        columns = columns_of(rows.table, rows.kind) if partial else ()
        blobs = [
            (f, c) for f, c in columns if effective_value(spec, c.value, "kind") in SERIALISED and not c.qualifier_from
        ]
        # The share that a read wants is declared for the read as a whole. With two such columns, nobody has said of
        # which one.
        if len(blobs) == 1:
            yield from _find_violations(rows, *blobs[0], table_only=len(columns) == 1)


def _find_violations(rows: RowKindFacts, family: Family, column: Column, *, table_only: bool) -> Iterator[Violation]:
    reads = [(read, plan) for read, plan in rows.reads if _takes(read, family, column)]
    per_read = [(read, plan, *_bytes(rows, read, plan, table_only=table_only)) for read, plan in reads]
    # Where rates are unknown, requests count equally, and no load is named.
    rate = [1.0 if plan.per_second is None else plan.per_second for _, plan in reads]
    read_bytes = sum(n * r for (_, _, r, _), n in zip(per_read, rate, strict=True))
    wanted_bytes = sum(n * w for (_, _, _, w), n in zip(per_read, rate, strict=True))
    waste_share = 1 - wanted_bytes / read_bytes if read_bytes > 0 else 0.0
    if waste_share < WASTE_NOTE:
        return
    wasted = [n * (r - w) for (_, _, r, w), n in zip(per_read, rate, strict=True)]
    read, _, one_read, one_wanted = per_read[wasted.index(max(wasted))]
    has_rates = all(plan.per_second is not None for _, plan in reads)
    nodes = sum(wasted) / bigtable.instance_capacity(rows.spec.instance).read.bytes_per_second if has_rates else None
    fix = hot_part(rows, family, column, read)
    yield Violation(
        at=column.id,
        params={
            "read": read.label,
            "column": shorten(element_label(rows.spec, column.id)),
            "table": rows.table.label,
            "read_bytes": one_read,
            "wanted_bytes": one_wanted,
            "waste_share": waste_share,
            "wasted_bytes": sum(wasted),
            "busy_nodes": nodes,
        },
        message=UNRATED if not has_rates else BOOSTED if has_data_boost(rows.spec, read) else "",
        effect=nodes,
        severity="warning" if nodes is not None and nodes >= NODE_SHARE_WARNING and waste_share > MOST else "note",
        fix=fix,
        fix_label=SPLIT if fix is not None else "",
        about=(rows.kind.id,),
        # What is wasted because a filter drops rows goes with the scan of them.
        cause=column.id if read.value_share is not None else read.id,
    )


def _takes(read: Read, family: Family, column: Column) -> bool:
    if read.columns:
        return column.id in read.columns
    return not read.families or family.id in read.families


def _bytes(rows: RowKindFacts, read: Read, plan: ReadPlan, *, table_only: bool) -> tuple[float, float]:
    """Bytes that one request is sent, and those that it wants; a filter with nothing else to look at looks inside."""
    matching = float(effective_value(rows.spec, read, "match_share")) if table_only else 1.0
    return plan.bytes_returned / max(matching, 1e-9), plan.bytes_wanted


def _profiles(share: float, per_second: float = 1_000) -> Spec:
    """Build a design of a thousand devices' states of 20 KB, of which readers need a part."""
    return design(
        field_part("device"),
        per_second=0.1,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        column={"value": {"kind": "protobuf", "typical_bytes": 20_000}},
        reads=(read_part(binds=("device",), value_share=share, rate_per_second=per_second),),
    )


RULE = Rule(
    code="C012",
    severity="note",
    message=N_(
        "{read} reads {read_bytes} of {column} in {table} but needs only {wanted_bytes}. All reads "
        "together discard {waste_share} ({wasted_bytes} a second), which uses {busy_nodes}. The "
        "threshold is half of the data and 1 % of a node."
    ),
    check=check,
    bad=lambda: _profiles(0.1, 50),
    good=lambda: _profiles(1.0),
    near_miss=lambda: _profiles(0.81),
    engines=BIGTABLE,
    under=("Q001", "Q002"),
)
