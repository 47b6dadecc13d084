"""Tablestore's partition-key values: the service splits between them, never within one."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from designer.document.columnkey import ColumnForm, ColumnKey
from estimator.engines.tablestore import LIMITS
from estimator.kernels.keys import EventDistribution, KeyPattern, prefix_shares
from estimator.results import PartitionLoad
from estimator.results.arrays import Floats

from .append_points import partition_depth
from .assumptions import PARTITION, PARTITION_LOAD
from .distributions import stored_distribution
from .operations import OperationRate
from .scope import StoredRows

ENOUGH_PER_SECOND = LIMITS["partition_operations"].value
"""Operations a second that weigh as much as all the capacity units that one value takes: either is where it hurts."""


def partition_load(
    flows: Sequence[OperationRate],
    patterns: Mapping[str, KeyPattern],
    distributions: Mapping[str, EventDistribution],
    rates: Mapping[str, Floats],
    stored_by_kind: Mapping[str, StoredRows],
    *,
    day_end_s: float,
) -> PartitionLoad:
    """Return the load of a table's partition-key values: the busiest, the largest and the partitions.

    Partitions are those at the end of the horizon.

    Parameters
    ----------
    flows, distributions, rates
        Writes and reads; by id the distribution of each and its operations a second in each window of the shown day.
    patterns, stored_by_kind
        By row kind; kinds whose first columns have the same value share its partition.
    """
    busy = _busiest(flows, patterns, distributions, rates)
    large = _largest(patterns, stored_by_kind, day_end_s)
    total_bytes = sum(stored_rows.size.rows * stored_rows.size.bytes_stored for stored_rows in stored_by_kind.values())
    peak = sum((float(rates[flow.id].max()) for flow in flows), 0.0)
    by_size, by_load = total_bytes / PARTITION.value, peak / PARTITION_LOAD.value
    return replace(
        busy,
        largest=large.largest,
        largest_bytes=large.largest_bytes,
        largest_share=large.largest_bytes / total_bytes if total_bytes > 0 else 0.0,
        distinct=large.distinct,
        # The service never divides one value, so values limit partitions. 1e9 keeps an infinite count convertible to
        # int.
        partitions=max(min(math.ceil(max(by_size, by_load)), int(min(large.distinct, 1e9))), 1),
    )


def _busiest(
    flows: Sequence[OperationRate],
    patterns: Mapping[str, KeyPattern],
    distributions: Mapping[str, EventDistribution],
    rates: Mapping[str, Floats],
) -> PartitionLoad:
    """All operations that meet on one value, each at its own peak."""
    loads: dict[bytes, tuple[float, float]] = {}
    labels: dict[bytes, str] = {}
    total = 0.0
    for flow in flows:
        pattern, law, peak = patterns[flow.kind.id], distributions[flow.id], int(rates[flow.id].argmax())
        # The window of the distribution in which the flow's own peak lies.
        window = peak * law.time.count // len(rates[flow.id])
        spread = prefix_shares(
            pattern, EventDistribution(law.time.window(window), law.popularity), partition_depth(pattern)
        )
        per_second = float(rates[flow.id][peak])
        total += per_second
        rate = per_second * min(float(spread.shares[0]), 1.0) if len(spread.shares) else 0.0
        operations, work = loads.get(spread.hottest_prefix, (0.0, 0.0))
        loads[spread.hottest_prefix] = operations + rate, work + rate * flow.seconds
        labels[spread.hottest_prefix] = partition_text(pattern, spread.hottest_prefix)
    if not loads:
        return PartitionLoad()
    # Two limits hurt, operations and capacity units, each as a share of what one value takes: many tiny reads reach
    # the first, and a few large writes the second.
    value = max(loads, key=lambda prefix: max(loads[prefix][0] / ENOUGH_PER_SECOND, loads[prefix][1]))
    operations, work = loads[value]
    return PartitionLoad(
        hottest=labels[value],
        per_second=operations,
        node_share=work,
        share=operations / total if total > 0 else 0.0,
    )


def _largest(
    patterns: Mapping[str, KeyPattern], stored_by_kind: Mapping[str, StoredRows], day_end_s: float
) -> PartitionLoad:
    """Return the value with the most bytes over all row kinds, and the number of values."""
    bytes_by_value: dict[bytes, float] = {}
    labels: dict[bytes, str] = {}
    distinct = 1.0
    for kind, stored_rows in stored_by_kind.items():
        pattern = patterns[kind]
        spread = prefix_shares(pattern, stored_distribution(stored_rows, day_end_s), partition_depth(pattern))
        if len(spread.shares) == 0:
            continue
        # There cannot be more partition-key values in use than rows.
        distinct = max(distinct, min(spread.distinct_prefixes, stored_rows.size.rows))
        rows = max(
            float(spread.shares[0]) * stored_rows.size.rows, min(stored_rows.size.rows, 1.0)
        )  # what is there has a row
        stored_bytes = rows * stored_rows.size.bytes_stored
        bytes_by_value[spread.hottest_prefix] = bytes_by_value.get(spread.hottest_prefix, 0.0) + stored_bytes
        labels[spread.hottest_prefix] = partition_text(pattern, spread.hottest_prefix)
    if not bytes_by_value:
        return PartitionLoad()
    value = max(bytes_by_value, key=lambda prefix: bytes_by_value[prefix])
    return PartitionLoad(largest=labels[value], largest_bytes=bytes_by_value[value], distinct=distinct)


def partition_text(pattern: KeyPattern, value: bytes) -> str:
    """Return a partition-key value in readable form."""
    columns = pattern.inputs.columns
    if not columns:
        return ColumnKey.from_bytes(value, [ColumnForm("", "STRING")]).text
    forms = [column.form for column in columns]
    return "".join(ColumnKey.from_bytes(value, forms).texts[:1])
