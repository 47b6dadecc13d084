"""A request has more rows, bytes or columns than the service accepts.

**What** A write sends more than 200 rows or more than 4 MB in a batch, or more than 4 MB of one row. Or a read looks up
more than 100 rows in a batch, or names more than 128 columns.
**Why** The service rejects the whole request, and a client that retries it never succeeds.
**Instead** Divide the batch: requests of 200 written or 100 read rows save almost all round trips. Keep large objects
in Object Storage Service and their address in the row, or divide a row over several requests.
**Fine when** Never, unless the client library divides batches by itself: then set what it sends in one request.
**Source** https://help.aliyun.com/en/tablestore/product-overview/limits-on-widecolumn-model (read 2026-11-20)
https://github.com/AlibabaCloudDocs/ots (read 2026-11-20)
"""

import math
from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Read, Write
from designer.document.texts import N_, Text
from designer.wording import element_label
from estimator.engines.capacity_units import POINTS
from estimator.engines.tablestore import LIMITS
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.capacity.tablestore.instance_usage import written_bytes
from estimator.kernels.growth.cells import row_overhead_bytes, written_bytes_above
from estimator.results import Estimate, ReadPlan

from ..shared import TABLESTORE, Rule, Violation
from ..shared.cards import cards
from ..shared.edits import change

WRITTEN_ROWS, READ_ROWS = LIMITS["batch_write_rows"].value, LIMITS["batch_read_rows"].value
ROW_BYTES, BATCH_BYTES = LIMITS["row_write_bytes"].value, LIMITS["batch_write_bytes"].value
READ_COLUMNS = LIMITS["columns_read"].value

ROWS = N_("{rows} rows in a batch (maximum {limit})")
BATCH = N_("{batch_bytes} in a batch (maximum {limit_bytes})")
ROW = N_("{row_bytes} of one row (maximum {limit_bytes})")
COLUMNS = N_("{columns} columns named in a read (maximum {limit})")
LARGEST = N_(
    "The service can reject a request of {access}: a row is typically {row_bytes} but reaches {largest_bytes} where "
    "all its values are the largest (maximum {limit_bytes})."
)
FEWER = N_("Send as many rows in a request as the service accepts")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield at most one finding per write and read."""
    for rows in row_kinds(spec, estimate):
        for write in () if rows.is_written_by_engine else rows.kind.writes:
            yield from _check_write(rows, write)
        for read, plan in rows.reads:
            yield from _check_read(rows, read, plan)


def _check_write(rows: RowKindFacts, write: Write) -> Iterator[Violation]:
    count = float(effective_value(rows.spec, write, "rows_per_request"))
    row_bytes = row_overhead_bytes(rows.spec, rows.kind) + written_bytes(rows.spec, rows.table, rows.kind, write)
    reasons = []
    if count > WRITTEN_ROWS:
        reasons.append(Text(ROWS, {"rows": count, "limit": WRITTEN_ROWS}))
    if row_bytes > ROW_BYTES:
        reasons.append(Text(ROW, {"row_bytes": row_bytes, "limit_bytes": ROW_BYTES}))
    elif count * row_bytes > BATCH_BYTES:
        reasons.append(Text(BATCH, {"batch_bytes": count * row_bytes, "limit_bytes": BATCH_BYTES}))
    params = {"access": element_label(rows.spec, write.id), "reasons": tuple(reasons)}
    if reasons:
        fitting = min(math.floor(BATCH_BYTES / row_bytes), WRITTEN_ROWS)
        yield Violation(
            at=write.id,
            field="rows_per_request",
            params=params,
            effect=count * row_bytes,
            fix=change(write, "rows_per_request", fitting) if fitting else None,
            fix_safe=True,
            fix_label=FEWER if fitting else "",
        )
    elif (largest_bytes := row_bytes + written_bytes_above(rows.spec, rows.table, rows.kind, write)) > ROW_BYTES:
        sizes = {"row_bytes": row_bytes, "largest_bytes": largest_bytes, "limit_bytes": ROW_BYTES}
        yield Violation(write.id, params | sizes, effect=largest_bytes, severity="warning", message=LARGEST)


def _check_read(rows: RowKindFacts, read: Read, plan: ReadPlan) -> Iterator[Violation]:
    keys, columns = float(read.keys_per_call or 1), len(read.columns)
    label = element_label(rows.spec, read.id)
    if plan.access in POINTS and keys > READ_ROWS:  # ranges are requests of their own
        reason = Text(ROWS, {"rows": keys, "limit": READ_ROWS})
        # No fix: with fewer keys per call, the rate of calls is another.
        yield Violation(read.id, {"access": label, "reasons": (reason,)}, "keys_per_call", keys)
    elif columns > READ_COLUMNS:
        reason = Text(COLUMNS, {"columns": columns, "limit": READ_COLUMNS})
        yield Violation(read.id, {"access": label, "reasons": (reason,)}, "columns", float(columns))


def _batches(rows_per_request: int) -> Spec:
    """Build a design of purchases that tills collect before they send them."""
    return cards(write={"rows_per_request": rows_per_request})


RULE = Rule(
    code="W003",
    severity="error",
    message=N_("The service rejects a request of {access}: {reasons}."),
    check=check,
    bad=lambda: _batches(201),
    good=lambda: _batches(50),
    near_miss=lambda: _batches(200),
    engines=TABLESTORE,
)
