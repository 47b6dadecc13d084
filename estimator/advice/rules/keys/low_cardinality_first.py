"""A few leading values, or a single busy one, take most of the load.

**What** The key starts with few distinct values, or one value is far busier. No later segment spreads its load.
**Why** All rows with the same leading value are contiguous. That is fine if the engine can split within them. It
cannot if the value is the whole key, a partition key, or followed by an append point. Then one node or partition
takes the value's whole load, and the others idle.
**Instead** To allow splits, add a segment with many evenly busy values after the leading value. With a partition
key, add it before.
**Fine when** Later segments of the key spread the load. A common prefix before them is good practice.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
https://www.alibabacloud.com/help/en/tablestore/best-practices-for-table-operations (read 2026-11-20)
"""

from collections.abc import Iterator

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import segment_label
from estimator.engines import engine_of
from estimator.facts.default_skew import assumed_skew_sentence
from estimator.facts.load import GROWTH_IN_SIGHT, few_domains, unspread_load
from estimator.facts.partitions import column_name, partitions
from estimator.facts.reading import row_kinds
from estimator.facts.scans import capacity_units
from estimator.facts.servers import server_of
from estimator.results import Estimate

from ..shared import Rule, Violation
from ..shared.examples import DEVICE, NEWEST_ONLY, Part, design, field_part, read_part

PARTITION = N_(
    "The partition key of {table} is {column}. {value} alone receives {load_share} of the operations "
    "({rate_per_second}, {work_cu_per_second}). A single value always stays in one partition. The "
    "threshold is {hurts_per_second} per value."
)

STATUS: Part = {
    "id": "status",
    "name": "status",
    "values": {"kind": "enumeration", "items": [{"value": "open", "weight": 90}, {"value": "paid"}, {"value": "sent"}]},
}
REGION: Part = {
    "id": "region",
    "name": "region",
    "values": {"kind": "enumeration", "items": [{"value": value} for value in ("asia", "europe", "us")]},
}


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per row kind whose busiest leading value has a load that no later segment spreads."""
    if not engine_of(spec).HAS_NODES:
        yield from _partitions(spec, estimate)
        return
    for rows in row_kinds(spec, estimate):
        load = unspread_load(rows)
        # Domains have a rule of their own.
        if load is None or not load.is_near_limit or rows.leading_segment is None or few_domains(rows):
            continue
        segment, facts = rows.leading_segment
        yield Violation(
            at=segment.id,
            params={
                "table": rows.table.label,
                "segment": segment_label(spec, segment),
                "distinct": facts.distinct,
                "value": load.prefix,
                **load.figures,
                "guess": assumed_skew_sentence(rows),
            },
            effect=load.effect,
            severity=load.severity,
            about=rows.load_subject_ids,
            cause=rows.busiest_write,
        )


def _partitions(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield findings of the partition key: one value is never split, whatever stands behind it."""
    for rows, partition in partitions(spec, estimate):
        weight = server_of(spec).burden(partition.per_second, partition.node_share)
        if weight * GROWTH_IN_SIGHT < 1 or few_domains(rows):  # domains have a rule of their own
            continue
        yield Violation(
            at=rows.partition_key,
            params={
                "table": rows.table.label,
                "column": column_name(rows),
                "value": partition.hottest,
                "load_share": partition.share,
                "rate_per_second": partition.per_second,
                "work_cu_per_second": capacity_units(partition.node_share),
                "hurts_per_second": partition.per_second / weight,
            },
            message=PARTITION,
            effect=partition.per_second,
            severity="warning" if weight >= 1 else "note",
            about=rows.load_subject_ids,
            cause=rows.busiest_write,
        )


def _counters(per_second: float, *key: Part) -> Spec:
    """Counters by status and region."""
    return design(
        *key,
        fields=(STATUS, REGION, DEVICE),
        per_second=per_second,
        write={"mode": "add_to_aggregate"},
        family={"kind": "sum"},
        column={"value": {"kind": "integer", "typical_bytes": 8}},
        gc=NEWEST_ONLY,
        reads=(read_part(binds=("status", "region", "device")),),
    )


RULE = Rule(
    code="K013",
    severity="warning",
    message=N_(
        "The key of {table} starts with {segment}, and no segment spreads the load of {value}. This "
        "value alone receives {write_share} of the writes ({rate_per_second}). One node must serve these writes, "
        "{work_share} of its limit. The threshold is {hurts_per_second} per value.{guess}"
    ),
    check=check,
    bad=lambda: _counters(20_000, field_part("status", "#"), field_part("region")),
    good=lambda: _counters(20_000, field_part("device", "#"), field_part("status", "#"), field_part("region")),
    near_miss=lambda: _counters(20_000, field_part("status", "#"), field_part("region", "#"), field_part("device")),
    under=("K004", "K005", "K026", "K014"),
)
