"""A planned deletion does not match a single key prefix.

**What** A deletion selects rows by fields that do not start the key (a leaving tenant, a user's erasure request).
Or it drops ranges of a replicated table.
**Why** A single call can drop all rows with a common prefix. All others need a table scan and single deletes, each
a mutation that is stored, replicated and compacted. In a replicated instance, even dropping a range takes long and
increases replication latency and CPU. There, the documentation recommends reading the range and deleting its rows.
**Instead** Start the key with the fields that deletions select by, or keep an index of each tenant's rows. Let
garbage collection by age remove old data.
**Fine when** Deletions are rare and small, and have no deadline.
**Source** https://cloud.google.com/bigtable/docs/delete-data (read 2026-11-20)
https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS
from designer.document.texts import N_
from designer.wording import element_label
from estimator.engines import GiB, bigtable
from estimator.facts.deletions import prefix_count
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.facts.scans import NODE_SHARE_WARNING
from estimator.kernels.population.draws import Drawing
from estimator.kernels.population.key_parts import horizon_days
from estimator.results import Estimate, Severity

from ..shared import BIGTABLE, Rule, Violation
from ..shared.examples import DEVICE, KEPT_A_MONTH, TENANT, Part, field_part, read_part, readings, time_part

ROWS_WARNING = bigtable.LIMITS["mutations_per_request"].value
"""More rows than one request may delete: such a deletion is a job, with a beginning, an end and restarts."""
ROWS_NOTE = 1_000
"""Fewer are deleted in passing."""
PREFIXES = 100
"""So many ranges can be dropped one after another."""

SEVERAL = N_(
    "{write} deletes by {fields}, but other segments come first in the key of {table}. Each time, it "
    "must drop {prefixes} row ranges, {rate_times_per_day}."
)
SEVERAL_SLOW = N_(
    "{write} deletes by {fields}, but other segments come first in the key of {table}. Each time, it must drop "
    "{prefixes} row ranges, {rate_times_per_day}. With {clusters} clusters, each drop takes long and increases "
    "replication latency and CPU. The documentation recommends reading the ranges and deleting their rows instead."
)
UNRATED = N_(
    "{write} deletes by {fields}, but the key of {table} starts with other fields. It must find the "
    "rows with a scan and delete them one by one. The number of rows is not known yet."
)
SLOW = N_(
    "{write} drops row ranges of {table}, {rate_times_per_day}. With {clusters} clusters, a drop "
    "takes long and increases replication latency and CPU. The documentation recommends reading the "
    "range and deleting its rows instead."
)


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per deletion whose rows are not one range, or whose ranges are slow to drop."""
    for rows in row_kinds(spec, estimate):
        for write in rows.kind.writes:
            if write.mode not in ("delete_row", "delete_prefix") or not rows.kind.segments:
                continue
            ranges = prefix_count(rows, write.selected_by) if write.selected_by else 1.0
            if ranges is None or ranges > PREFIXES:
                yield from _single_row_violations(rows, write)
            elif ranges > 1:
                params = {**_names(rows, write), "prefixes": ranges, "rate_times_per_day": _per_day(rows, write)}
                slow = write.mode == "delete_prefix" and (clusters := len(spec.instance.clusters)) > 1
                params |= {"clusters": clusters} if slow else {}
                message = SEVERAL_SLOW if slow else SEVERAL
                yield Violation(write.id, params, "selected_by", ranges, severity="note", message=message)
            elif write.mode == "delete_prefix":
                yield from _range_violations(rows, write)


def _single_row_violations(rows: RowKindFacts, write: Write) -> Iterator[Violation]:
    """Rows that must be found and deleted singly: how many, and how long one node works at it."""
    size = rows.size
    if size is None:
        yield Violation(write.id, _names(rows, write), "selected_by", severity="note", message=UNRATED)
        return
    deleted = _deleted_rows(rows, write, size.rows)
    scanned_bytes = size.rows * size.bytes_stored
    capacity = bigtable.instance_capacity(rows.spec.instance)
    # The whole table is scanned to find the rows, and each deletion is a write.
    seconds = scanned_bytes / capacity.scan_bytes_per_second + deleted / capacity.writes_per_second
    per_day = _per_day(rows, write)
    busy = None if per_day is None else per_day / DAY_SECONDS * seconds
    severity: Severity = "warning" if deleted >= ROWS_WARNING or (busy or 0.0) >= NODE_SHARE_WARNING else "note"
    if severity == "note" and deleted < ROWS_NOTE:
        return
    yield Violation(
        at=write.id,
        field="selected_by",
        params={
            **_names(rows, write),
            "rows": deleted,
            "scanned_gib": scanned_bytes / GiB,
            "work_days": seconds / DAY_SECONDS,
            "rate_times_per_day": per_day,
        },
        effect=deleted,
        severity=severity,
    )


def _range_violations(rows: RowKindFacts, write: Write) -> Iterator[Violation]:
    clusters = len(rows.spec.instance.clusters)
    if clusters > 1:
        params = {**_names(rows, write), "rate_times_per_day": _per_day(rows, write), "clusters": clusters}
        yield Violation(write.id, params, "mode", severity="note", message=SLOW)


def _names(rows: RowKindFacts, write: Write) -> dict[str, object]:
    fields = tuple(element_label(rows.spec, field) for field in write.selected_by)
    return {"write": element_label(rows.spec, write.id), "table": rows.table.label, "fields": fields}


def _deleted_rows(rows: RowKindFacts, write: Write, stored_rows: float) -> float:
    """Return the deleted rows that the write states, else an even share of those stored at the end of the horizon."""
    if write.rows_per_event is not None:
        return write.rows_per_event
    # A value has one owner: the 10,000 devices of 100 tenants are 10,000 pairs.
    return stored_rows / max(Drawing(rows.spec, ({},), horizon_days(rows.spec)).count(write.selected_by), 1.0)


def _per_day(rows: RowKindFacts, write: Write) -> float | None:
    activity = rows.spec.by_id.get(write.activity or "")
    rate = effective_value(rows.spec, activity, "rate_per_second") if activity is not None else None
    return None if rate is None else float(rate) * DAY_SECONDS


def _leaving_tenants_design(*key: Part, devices: int = 1_000, **settings: object) -> Spec:
    """Tenants whose rows are deleted when they leave, one a week."""
    device = {**DEVICE, "distinct": devices, "belongs_to": "tenant"}
    pace = {"arrival": {"kind": "every", "seconds": 10, "field": "device"}, "id": "activity", "name": "events"}
    kind = {
        "id": "rows",
        "name": "rows",
        "key": key,
        "writes": (
            {"id": "write", "name": "store", "activity": "activity"},
            {"id": "leave", "name": "tenant leaves", "activity": "leaving", "mode": "delete_row", **settings},
        ),
        "reads": (read_part(binds=("tenant", "device"), time={"days": 1 / 24}),),
    }
    activities = (pace, {"id": "leaving", "name": "a tenant leaves", "rate_per_second": 1 / 604_800})
    return readings(
        *key,
        per_second=100,
        fields=(TENANT, device),
        activities=activities,
        gc=KEPT_A_MONTH,
        table={"row_kinds": [kind]},
    )


RULE = Rule(
    code="T004",
    severity="warning",
    message=N_(
        "{write} deletes by {fields}, but the key of {table} starts with other fields. Each time, it "
        "scans {scanned_gib} to find {rows} rows and deletes them one by one. That takes {work_days} of "
        "one node, {rate_times_per_day}. With one key prefix, a single call is enough."
    ),
    check=check,
    bad=lambda: _leaving_tenants_design(field_part("device", "#"), time_part(), selected_by=("tenant",)),
    good=lambda: _leaving_tenants_design(
        field_part("tenant", "#"), field_part("device", "#"), time_part(), selected_by=("tenant",)
    ),
    near_miss=lambda: _leaving_tenants_design(
        field_part("device", "#"), time_part(), selected_by=("tenant",), rows_per_event=99_999
    ),
    engines=BIGTABLE,
)
