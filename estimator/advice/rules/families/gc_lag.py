"""Expired cells are billed until a compaction.

**What** A large part of the table is expired cells that wait for garbage collection.
**Why** Bigtable deletes expired cells at a compaction, up to a week after they expire. Until then they are billed,
and reads without a filter return them.
**Instead** Include the extra week in your storage plan. In reads, filter for the newest versions or for cells
younger than an age.
**Fine when** Reads filter, and storage is a small part of the bill.
**Source** https://cloud.google.com/bigtable/docs/garbage-collection (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.access import Read
from designer.document.money import Money
from designer.document.table import RowKind
from designer.document.texts import N_, Text
from estimator.engines import bigtable
from estimator.facts.billing import stored_cost
from estimator.facts.families import FamilyUsage, family_usages
from estimator.kernels.growth.reader_needs import is_family_read
from estimator.results import Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import field_part, read_part, readings, time_part

SHARE = 0.25
"""Of the table's bytes: from here the week is a surprise on the bill and no rounding. Three and a half days are as much
of what is kept for ten and a half."""
GIB = 10.0
"""Compressed: less costs a dollar or two a month."""
COST_SHARE = 0.05
"""Of the month's bill: below it nobody would look, unless a read returns what has expired."""
LAG = bigtable.ASSUMPTIONS["uncollected_days"]

EXPIRED = Text(N_("expired cells"))
DELETED = Text(N_("expired or deleted cells"))
UNFILTERED = N_(
    "About {uncollected_gib} of {table} ({uncollected_share}) is {cells} of {family} awaiting "
    "compaction. This assumes half a week until compaction; at most a week: "
    "{most_gib}. Cost a month: {uncollected_cost}. Reads without a filter may return expired cells: "
    "{readers}."
)
UNPRICED = N_(
    "About {uncollected_gib} of {table} ({uncollected_share}) is {cells} of {family} awaiting "
    "compaction. This assumes half a week until compaction; at most a week: "
    "{most_gib}."
)
UNPRICED_UNFILTERED = N_(
    "About {uncollected_gib} of {table} ({uncollected_share}) is {cells} of {family} awaiting "
    "compaction. This assumes half a week until compaction; at most a week: "
    "{most_gib}. Reads without a filter may return expired cells: {readers}."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per family whose expired cells are a substantial part of the table."""
    for usage in family_usages(spec, estimate):
        waiting = sum(kind.uncollected_bytes for kind in usage.kinds)
        if usage.share(waiting) < SHARE or usage.compressed_gib(waiting) < GIB:
            continue
        readers = _unfiltered_reads(usage)
        cost = stored_cost(estimate, usage.compressed_bytes(waiting))
        if not readers and _is_negligible(estimate, cost):
            continue
        params = {
            "family": usage.family.label,
            "cells": DELETED if any(map(_has_deletes, usage.table.row_kinds)) else EXPIRED,
            "table": usage.table.label,
            "uncollected_gib": usage.compressed_gib(waiting),
            "uncollected_share": usage.share(waiting),
            # What waits is proportional to the time until compaction: 3.5 days on average, a week at most.
            "most_gib": usage.compressed_gib(waiting) * LAG.high / LAG.value,
        }
        params |= {"readers": readers} if readers else {}
        params |= {} if cost is None else {"uncollected_cost": cost}
        message = _message(priced=cost is not None, read=bool(readers))
        yield Violation(usage.family.id, params, "gc", usage.compressed_gib(waiting), message=message)


def _message(*, priced: bool, read: bool) -> str:
    """Return the message that mentions only effects that are known and occur."""
    if priced:
        return UNFILTERED if read else ""
    return UNPRICED_UNFILTERED if read else UNPRICED


def _is_negligible(estimate: Estimate, cost: Money | None) -> bool:
    """Return whether the cost is negligible within the bill; False while the bill is incomplete."""
    bill = estimate.bill
    return bill is not None and cost is not None and float(cost.amount) < COST_SHARE * float(bill.total)


def _unfiltered_reads(usage: FamilyUsage) -> tuple[str, ...]:
    """Return reads without a limit of versions or age: they receive expired cells of the family.

    No read receives what was deleted, so none counts of row kinds whose cells are.
    """
    reads = (read for kind in usage.table.row_kinds if not _has_deletes(kind) for read in kind.reads)
    return tuple(read.label for read in reads if is_family_read(read, usage.family) and not _has_filter(read))


def _has_deletes(kind: RowKind) -> bool:
    return any(write.deletes for write in kind.writes)


def _has_filter(read: Read) -> bool:
    return bool(read.newest_versions or read.newest_rows or read.cell_days or read.time or read.exact_time)


def _retention_design(days: float, per_second: float = 1_000) -> Spec:
    """Build a design of readings that are kept for this number of days, and at times read in whole."""
    reads = (read_part(binds=("device",), rate_per_second=1e-2, latency="batch"),)
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=per_second,
        gc={"kind": "max_age", "age_days": days},
        reads=reads,
    )


RULE = Rule(
    code="F009",
    severity="note",
    message=N_(
        "About {uncollected_gib} of {table} ({uncollected_share}) is {cells} of {family} awaiting "
        "compaction. This assumes half a week until compaction; at most a week: "
        "{most_gib}. Cost a month: {uncollected_cost}."
    ),
    check=check,
    bad=lambda: _retention_design(1),
    good=lambda: _retention_design(30),
    near_miss=lambda: _retention_design(1, per_second=1),
    engines=BIGTABLE,
)
