"""A hash before its value has too few digits, or many more than necessary.

**What** A hash precedes its source value to spread it. It has fewer distinct prefixes than nodes (or partitions)
need, or far more digits.
**Why** The growing part after a prefix stays on one node. With hardly more prefixes than nodes, some nodes get one
prefix more than others. With many prefixes per node, further digits spread nothing and only enlarge every cell.
**Instead** Use four hexadecimal digits: they give 65,536 prefixes, enough for thousands of nodes.
**Fine when** Reads also use the hash alone, or the cluster is as small as the number of prefixes.
**Source** https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
PLAID on Qiita, 2018-12-11: row keys of KARTE on Bigtable (read 2026-11-20)
"""

import math
from collections.abc import Iterator, Mapping

import numpy as np

from designer.document import Spec
from designer.document.hashes import HashForm, bits_per_place
from designer.document.key import HashSegment, LiteralSegment
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.engines import engine_of
from estimator.facts.hashes import PER_NODE, enough_digits, is_prefix
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.tablestore import PARTITION_PER_SECOND
from estimator.kernels.growth.cells import row_overhead_bytes
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.edits import change
from ..shared.examples import NEWEST_ONLY, USER, design, field_part, hash_part, read_part

SURPLUS_DIGITS = 4
"""Digits beyond enough that nobody needs to hear of: eight are a usual length."""

FEW = N_(
    "{segment} gives {prefixes} prefixes before the growing part of the key of {table}, for "
    "{servers_nodes}. The busiest node gets {most} prefixes, {surplus_share} more than its share."
)
FEW_PARTITIONS = N_(
    "{segment} gives {prefixes} prefixes before the growing part of the key of {table}. The load "
    "needs {servers} partitions. The busiest one gets {most} prefixes, {surplus_share} more than its "
    "share."
)
UNSIZED = N_(
    "{segment} in the key of {table} has {now} digits, but {digits} spread the load equally well. "
    "The surplus takes {surplus_bytes} in each key."
)
SURPLUS = N_(
    "{segment} in the key of {table} takes {now_bytes}, but {enough_bytes} spread the load equally well. "
    "The surplus takes {surplus_bytes} in each key, {stored_bytes} in total before compression."
)
UNSIZED_SURPLUS = N_(
    "{segment} in the key of {table} takes {now_bytes}, but {enough_bytes} spread the load equally well. "
    "The surplus takes {surplus_bytes} in each key."
)
DIGITS = N_("Change {segment} to {digits} digits")
BYTES = N_("Shorten {segment} to {enough_bytes}")
LENGTHS: Mapping[HashForm, str] = {"hex": DIGITS, "base64": BYTES, "base64url": BYTES, "raw": BYTES}


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per hash before its value with too few or far too many digits."""
    nodes = max((float(np.max(sized.nodes_by_month)) for sized in estimate.nodes), default=1.0)
    for rows in row_kinds(spec, estimate):
        servers = nodes if engine_of(spec).HAS_NODES else _partitions(rows)
        for segment in rows.kind.segments:
            if isinstance(segment, HashSegment) and rows.facts and is_prefix(rows, segment):
                yield from _too_few_violations(rows, segment, servers)
                yield from _too_many_violations(rows, segment, servers)


def _partitions(rows: RowKindFacts) -> float:
    """Partitions that the writes ask for at their peak."""
    return float(math.ceil(sum(load.peak_rows_per_second for _, load in rows.writes) / PARTITION_PER_SECOND))


def _too_few_violations(rows: RowKindFacts, segment: HashSegment, servers: float) -> Iterator[Violation]:
    """Yield findings where new rows of each prefix stay together; values spread after it split further."""
    place = rows.kind.segments.index(segment)
    leads = all(isinstance(s, LiteralSegment) for s in rows.kind.segments[:place])
    behind = next((facts for s, facts in rows.segments[place + 1 :] if not isinstance(s, LiteralSegment)), None)
    prefixes = segment.values
    if not leads or behind is None or behind.grows is None or prefixes >= PER_NODE * servers:
        return
    # 16 prefixes on 10 nodes: the busiest has two, 25 % more than its share of 1.6.
    most = math.ceil(prefixes / servers)
    yield Violation(
        at=segment.id,
        field="digits",
        params={
            **_names(rows, segment, servers),
            "prefixes": prefixes,
            "servers_nodes" if engine_of(rows.spec).HAS_NODES else "servers": servers,
            "most": most,
            "surplus_share": most * servers / prefixes - 1,
        },
        message=FEW,
        effect=servers / prefixes,
        fix=change(segment, "digits", enough_digits(servers, segment.form)),
        fix_label=LENGTHS[segment.form],
        about=(segment.id,),
        cause=rows.busiest_write,
    )


def _too_many_violations(rows: RowKindFacts, segment: HashSegment, servers: float) -> Iterator[Violation]:
    enough = enough_digits(servers, segment.form)
    # A hexadecimal digit is four bits: other forms say as much in fewer places.
    if segment.digits <= enough + math.ceil(4 * SURPLUS_DIGITS / bits_per_place(segment.form)):
        return
    growth = rows.part.growth if rows.part else None
    cells = [f.cells_per_row for f in growth.families if f.row_kind == rows.kind.id] if growth else []
    if row_overhead_bytes(rows.spec, rows.kind) > 0:  # a row holds its key once
        cells = cells and [1.0]
    surplus = segment.digits - enough
    stored = surplus * sum(cells) * rows.growth.rows if rows.growth and cells else None
    yield Violation(
        at=segment.id,
        field="digits",
        params={
            **_names(rows, segment, servers),
            "now": segment.digits,
            "now_bytes": segment.digits,
            "surplus_bytes": surplus,
            "stored_bytes": stored,
        },
        message=_surplus_message(segment, is_sized=stored is not None),
        effect=float(surplus),
        fix=change(segment, "digits", enough),
        fix_label=LENGTHS[segment.form],
        about=(segment.id,),
    )


def _names(rows: RowKindFacts, segment: HashSegment, servers: float) -> dict[str, object]:
    names: dict[str, object] = {"table": rows.table.label, "segment": segment_label(rows.spec, segment)}
    enough = enough_digits(servers, segment.form)
    return {**names, "digits": enough} | ({} if segment.form == "hex" else {"enough_bytes": enough})


def _surplus_message(segment: HashSegment, *, is_sized: bool) -> str:
    if segment.form == "hex":
        return "" if is_sized else UNSIZED
    return SURPLUS if is_sized else UNSIZED_SURPLUS


def _states(digits: int) -> Spec:
    """Build a design of the newest state of each user."""
    return design(
        hash_part("user", digits=digits, after="_"),
        field_part("user"),
        fields=(USER,),
        per_second=10,
        write={"mode": "overwrite"},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("user",)),),
    )


RULE = Rule(
    code="K023",
    severity="note",
    message=N_(
        "{segment} in the key of {table} has {now} digits, but {digits} spread the load equally well. "
        "The surplus takes {surplus_bytes} in each key, {stored_bytes} in total before compression."
    ),
    messages={"tablestore": {FEW: FEW_PARTITIONS}},
    check=check,
    bad=lambda: _states(32),
    good=lambda: _states(4),
    near_miss=lambda: _states(8),
    under=("K026",),
)
