"""Nodes and the bill of a month with the traffic of a log in the place of the design's."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.table import Table
from estimator.engines import engine_of
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.kernels.capacity.demand import build_demand
from estimator.kernels.capacity.nodes import nodes_of
from estimator.kernels.pricing import cost_model_of
from estimator.kernels.traffic.work import work_of
from estimator.results import Estimate, ReadPlan

from ..blocks import HOUR_SECONDS
from ..hours import hours_of_week, rates_by_hour, week_place
from .replay import Replay
from .replayed_work import POINTS, WorkTotals, is_of_prefix


@dataclass(frozen=True)
class ReplayedCost:
    """Nodes and the bill of a month with the traffic of the log in the place of the design's."""

    busiest_hour_nodes: float
    """Busy nodes of the table's requests in the busiest hour of the log."""
    nodes: float | None
    """Needed in all clusters, sized as the design's are; None where no nodes serve."""
    monthly_bill: Decimal | None
    """None where a rate is no number of the document."""


def replayed_cost(
    spec: Spec, table: Table, replayed: Replay, work: WorkTotals, factors: Mapping[str, float], context: Context
) -> ReplayedCost:
    """Return the nodes and the bill: of the log's busiest hour, its week, and the rows that its reads scan.

    Storage follows from the design's retention at the log's mean rates; `factors` are these rates ÷ the design's.
    """
    spans = replayed.log_first_s, replayed.log_last_s
    total = work.total_by_hour()
    rates = rates_by_hour(total, *spans)
    hour, busiest = max(rates.items(), key=lambda item: item[1])
    changed = _with_rates(spec, table, replayed, factors)
    book = context.price_books.find(spec)
    if changed is None or book is None:
        return ReplayedCost(busiest, None, None)
    new_estimate: Estimate = estimate(changed, context)
    part = new_estimate.tables[table.id]
    if part.traffic is None:
        return ReplayedCost(busiest, None, None)
    week = hours_of_week(total, *spans) / HOUR_SECONDS
    # Mean hours of the week flatten the one that a cluster must carry, so the busiest hour of the log keeps its rate.
    week[week_place(hour)] = busiest
    reading = sum(work.total_by_hour("read", "scan").values()) / max(sum(total.values()), 1e-300)
    if hour in total and total[hour] > 0:
        reading = work.total_by_hour("read", "scan").get(hour, 0.0) / total[hour]
    months = part.traffic.node_share_by_month
    growing = months / months[-1] if months[-1] > 0 else np.ones_like(months)
    traffic = replace(
        part.traffic,
        week_node_share=np.minimum(week, busiest),
        node_share_by_month=busiest * growing,
        read_node_share_by_month=busiest * reading * growing,
        accesses=(),  # of the log only the week of all accesses together is known
    )
    rows = {scan.read: scan.replayed_rows for scan in work.scans.values()}
    reads = tuple(_with_rows(changed, plan, rows.get(plan.read)) for plan in part.reads)
    parts = {**new_estimate.tables, table.id: replace(part, traffic=traffic, reads=reads)}
    nodes = None
    if engine_of(spec).HAS_NODES:
        nodes = float(
            sum(
                sized_cluster.needed_by_month[-1]
                for sized_cluster in nodes_of(changed, build_demand(changed, parts).last())
            )
        )
    return ReplayedCost(busiest, nodes, cost_model_of(changed).last_total(changed, parts, book))


def _with_rows(spec: Spec, plan: ReadPlan, rows: float | None) -> ReadPlan:
    """Return a plan that scans as many rows as the log's requests do on average."""
    if rows is None or plan.refused is not None or plan.access in POINTS or not plan.rows_scanned > 0:
        return plan
    factor = rows / plan.rows_scanned
    return replace(
        plan,
        node_seconds=work_of(spec).scan_seconds_of(spec, plan, rows),
        **{name: getattr(plan, name) * factor for name in _BY_ROWS},
    )


_BY_ROWS = (
    "rows_scanned", "rows_returned", "cells_returned", "bytes_scanned", "bytes_returned", "bytes_wanted",
    "bytes_dragged", "bytes_filtered",
)  # fmt: skip


def _with_rates(spec: Spec, table: Table, replayed: Replay, factors: Mapping[str, float]) -> Spec | None:
    """Return the design with the log's mean rates; None where one is no number of the document."""
    data: Any = to_plain_data(spec)
    activities = {
        write.activity: "delete" if write.deletes else "write"
        for kind in table.row_kinds
        # An activity that writes and deletes counts as a write: in the dictionary the last one, and so the write,
        # stays.
        for write in sorted(kind.writes, key=lambda candidate: not candidate.deletes)
    }
    scaled = [
        (activity, activities[activity["id"]])
        for activity in data.get("activities", ())
        if activity["id"] in activities
    ]
    of_table = next(table_data for table_data in data["tables"] if table_data["id"] == table.id)
    for kind, rows in zip(table.row_kinds, of_table["row_kinds"], strict=True):
        scans = [scan for scan in replayed.scans if scan.key == kind.key]
        for read, element in zip(kind.reads, rows.get("reads", ()), strict=True):
            of_scan = next((scan for scan in scans if is_of_prefix(read, kind, scan)), None)
            if of_scan is not None and not read.rate_per_second:
                share = len(of_scan.prefixes) / sum(len(scan.prefixes) for scan in replayed.scans)
                element["rate_per_second"] = share * replayed.per_second("scan")
                continue
            scaled.append((element, "read" if of_scan is None else "scan"))
    for element, operation in scaled:
        if operation in factors:
            if element.get("rate_per_second") is None:
                return None
            element["rate_per_second"] *= factors[operation]
    return Spec.model_validate(data)
