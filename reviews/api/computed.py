"""Findings and estimates as the API gives them: views of the one estimate, in words of the reader's language."""

import datetime
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from designer.document import Spec
from designer.document.assumptions import assumptions
from designer.templatetags.keywright import translate
from designer.wording import element_label
from estimator.contexts import current_context
from estimator.facts.clusters import indivisible_share
from estimator.presentation.design_page import FindingView, design_page
from estimator.presentation.figures import cluster_placement
from estimator.results import Bill, BillLine, ClusterNodes, Estimate, TableGrowth, UnknownReason


def findings_of(spec: Spec) -> dict[str, Any]:
    """Every finding, gravest first."""
    view = design_page(spec, current_context())
    return {
        "sha256": view.estimate.sha256,
        "today": datetime.datetime.now(datetime.UTC).date(),
        **{f"{name}s": view.counts.get(name, 0) for name in ("error", "warning", "question", "note")},
        "items": [_finding(remark) for remark in view.remarks],
    }


def _finding(remark: FindingView) -> dict[str, Any]:
    finding, ignored = remark.finding, remark.finding.ignored
    names = ("rule", "severity", "at", "field", "effect", "fix_safe")
    return {
        **{name: getattr(finding, name) for name in names},
        "place": " › ".join(remark.place),
        "sentence": translate(finding.message, finding.params),
        "fix": finding.fix.model_dump(mode="json") if finding.fix is not None else None,
        "choices": [
            {"answer": translate(choice.label, choice.params), "edit": choice.edit.model_dump(mode="json")}
            for choice in finding.choices
        ],
        "accepted": {name: getattr(ignored, name) for name in ("reason", "owner", "until")} if ignored else None,
        "consequences": [_finding(below) for below in remark.under],
    }


def estimate_of(spec: Spec) -> dict[str, Any]:
    """Return the main figures: bill, tables, clusters, and unknown parts."""
    view = design_page(spec, current_context())
    estimate = view.estimate
    because = (*estimate.because, *(reason for part in estimate.tables.values() for reason in part.because))
    return {
        "sha256": estimate.sha256,
        "price_book": estimate.price_book,
        "price_book_date": estimate.price_book_date,
        "bill": _bill(estimate, estimate.bill) if estimate.bill else None,
        "tables": [_table(spec, estimate, table.id) for table in spec.tables],
        "clusters": [_cluster(spec, estimate, cluster) for cluster in estimate.nodes],
        "guesses": sum(1 for _ in assumptions(spec)),
        "unknown": [_unknown_figure(spec, reason) for reason in because],
    }


def _unknown_figure(spec: Spec, reason: UnknownReason) -> dict[str, Any]:
    place = element_label(spec, reason.at) if reason.at else ""
    return {"at": reason.at, "place": place, "sentence": translate(reason.message, reason.params)}


def _bill(result: Estimate, bill: Bill) -> dict[str, Any]:
    return {
        "first_day": bill.first_day,
        "currency": bill.currency,
        **{name: str(getattr(bill, name)) for name in ("total", "low", "high")},
        "complete": not bill.open_lines,
        "lines": [_line(line) for line in bill.lines],
        "months": [str(month.total) for month in result.bills],
    }


def _line(line: BillLine) -> dict[str, Any]:
    amounts: Mapping[str, Decimal | None] = {
        name: getattr(line, name) for name in ("unit_price", "cost", "low", "high")
    }
    return {
        **{
            name: getattr(line, name) for name in ("item", "at", "sku", "where", "unit", "price_source", "price_origin")
        },
        **{name: None if amount is None else str(amount) for name, amount in amounts.items()},
        "label": translate(line.label, line.params),
        "quantity": str(line.quantity),
        "formula": translate(line.formula, line.params),
    }


def _table(spec: Spec, result: Estimate, id: str) -> dict[str, Any]:  # noqa: A002
    part = result.tables[id]
    grown, traffic = part.growth, part.traffic
    return {
        "id": id,
        "name": element_label(spec, id),
        **{name: _last_value(grown, name) for name in _LAST},
        "live_bytes": grown.live_bytes if grown else None,
        "row_kinds": [
            {
                "row_kind": kind.row_kind,
                "rows": kind.rows,
                **{name: float(getattr(kind, name)[-1]) for name in ("median_bytes", "p99_bytes", "largest_bytes")},
                "live_largest_bytes": float(kind.live_largest_bytes[-1]) if kind.live_largest_bytes.size else None,
                "crossings": [{"limit": c.limit, "limit_bytes": c.limit_bytes, "date": c.date} for c in kind.crossings],
            }
            for kind in (grown.kinds if grown else ())
        ],
        "hottest_range_share": traffic.hottest_range_share if traffic else None,
        "indivisible_node_share": indivisible_share(spec, traffic) if traffic else None,
        "tablets": traffic.tablets if traffic else None,
        "patterns": {pattern.name: pattern.share for pattern in traffic.patterns} if traffic else {},
    }


_LAST = ("rows", "logical_bytes", "physical_bytes", "physical_bytes_low", "physical_bytes_high")


def _last_value(growth: TableGrowth | None, name: str) -> float | None:
    return float(getattr(growth, name)[-1]) if growth else None


def _cluster(spec: Spec, result: Estimate, cluster: ClusterNodes) -> dict[str, Any]:
    placement = cluster_placement(result, cluster.cluster)
    names = ("region", "needed_low", "needed_high", "limited_by", "short_from")
    return {
        "id": cluster.cluster,
        "name": element_label(spec, cluster.cluster),
        **{name: getattr(cluster, name) for name in names},
        "nodes_by_month": cluster.nodes_by_month.tolist(),
        "needed_by_month": cluster.needed_by_month.tolist(),
        "peak_utilisation": placement.peak_utilisation if placement else None,
        "reachable_factor": placement.reachable_factor if placement else None,
    }
