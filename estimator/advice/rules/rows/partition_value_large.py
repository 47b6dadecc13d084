"""One partition key value holds too much data.

**What** The rows with one value of the first primary key column exceed 10 GB within the horizon.
**Why** All rows of one partition key value stay in one partition. The service splits between values, never within
one. Neither the value's data nor its load can spread, even if the value is large and busy.
**Instead** Add a column to the partition key that distinguishes the rows of one value and that every reader
specifies.
**Fine when** The value is rarely read and written: 10 GB is a recommendation, not a limit.
**Source** https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

import datetime
from collections.abc import Iterator
from itertools import pairwise

from designer.document import Spec
from designer.document.key import shows_time
from designer.document.texts import N_
from estimator.engines.tablestore import LIMITS
from estimator.facts.partitions import column_name, partition_segments, partitions
from estimator.facts.reading import RowKindFacts
from estimator.results import Estimate, PartitionLoad, TableGrowth

from ..shared import TABLESTORE, Rule, Violation
from ..shared.examples import DEVICE, field_part, key_column, read_part, tablestore_design, time_part
from ..shared.fixes.partition import further_column

LIMIT_BYTES = LIMITS["partition_key_bytes_recommended"].value
"""Source: best practices for table operations (2026-06-22)."""

OF_TIME = N_(
    "Rows with one value in the partition key {column} of {table} exceed {limit_bytes}: those with {value} reach "
    "{largest_bytes}. The service never splits a single value."
)
"""Each value is of a time of its own, and exceeds the limit in that time."""
FURTHER = N_("Add {further} to the partition key")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per table whose largest partition-key value exceeds 10 GB within the horizon."""
    for rows, partition in partitions(spec, estimate):
        if partition.largest_bytes > LIMIT_BYTES:
            yield _build_violation(rows, partition)


def _build_violation(rows: RowKindFacts, partition: PartitionLoad) -> Violation:
    growth = rows.part.growth if rows.part else None
    fix, further = further_column(rows, partition.largest_bytes, LIMIT_BYTES)
    is_of_time = any(shows_time(segment) for segment in partition_segments(rows))
    return Violation(
        at=rows.partition_key,
        params={
            "table": rows.table.label,
            "column": column_name(rows),
            "value": partition.largest,
            "largest_bytes": partition.largest_bytes,
            "limit_bytes": LIMIT_BYTES,
            "date": _crossing_date(growth, partition.largest_share) if growth and not is_of_time else None,
            "further": further,
        },
        message=OF_TIME if is_of_time else "",
        effect=partition.largest_bytes,
        fix=fix,
        fix_label=FURTHER if fix is not None else "",
        about=rows.load_subject_ids,
    )


def _crossing_date(growth: TableGrowth, share: float) -> datetime.date | None:
    """Return the day on which the value's share of the table passes the limit, interpolated within months."""
    value_bytes = growth.physical_bytes * share  # the share at the end stands for that of earlier months
    for month, (before, after) in enumerate(pairwise(value_bytes)):
        if before > LIMIT_BYTES:
            return growth.dates[month]
        if after > LIMIT_BYTES:
            part = (LIMIT_BYTES - before) / (after - before)
            days = (growth.dates[month + 1] - growth.dates[month]).days * part
            return growth.dates[month] + datetime.timedelta(days=float(days))
    return growth.dates[-1]


SHOP = {**DEVICE, "id": "shop", "name": "shop", "values": {"kind": "pattern", "text": "s{n:02}"}, "distinct": 50}


def _shops(per_second: float, *lead: str) -> Spec:
    """Build a design of a year of device activity in shops."""
    parts = [field_part(field, "," if field != lead[-1] else "") for field in lead]
    others = (
        [key_column("device", {**field_part("device"), "id": "device_column_part"})] if "device" not in lead else []
    )
    return tablestore_design(
        key_column("shop", *parts),
        *others,
        key_column("time", time_part(), type="INTEGER"),
        fields=(SHOP, DEVICE),
        per_second=per_second,
        activity={"arrival": {"kind": "every", "seconds": 1_000 / per_second, "field": "device"}},
        reads=(read_part(binds=("shop", "device"), time={"days": 1}),),
    )


RULE = Rule(
    code="R007",
    severity="warning",
    message=N_(
        "Rows with {value} in the partition key {column} of {table} exceed {limit_bytes} on {date}. By "
        "the end of the horizon, they reach {largest_bytes}. The service never splits a single value."
    ),
    check=check,
    bad=lambda: _shops(200, "shop"),
    good=lambda: _shops(200, "shop", "device"),
    near_miss=lambda: _shops(40, "shop"),
    engines=TABLESTORE,
    under=("K013",),
)
