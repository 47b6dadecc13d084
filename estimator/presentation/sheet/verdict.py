"""The title of a sheet: whether the design carries its load, in one or two sentences."""

import datetime
from dataclasses import dataclass
from typing import Literal

from designer.document.texts import N_, Text
from designer.wording import element_label
from designer.wording.formatting import at_least
from estimator.engines import engine_of
from estimator.presentation.design_page import DesignPage, FindingView
from estimator.results import ClusterNodes, Placement, Refusal

FULL_SHARE = 1.0
"""Load of a node or partition at its limit."""
Tone = Literal["good", "warning", "error", "unknown"]


@dataclass(frozen=True)
class LoadVerdict:
    """Conclusion from the estimate and the findings."""

    tone: Tone
    sentences: tuple[Text, ...]


def verdict(page: DesignPage) -> LoadVerdict:
    """Return the verdict on a design, as its sheet has it in its title."""
    load = load_verdict(page)
    if load.tone != "good":
        return load
    worst = _worst(page)
    return LoadVerdict(_tone(worst, load.tone), (*load.sentences, _next_step(page, worst)))


def document_verdict(page: DesignPage) -> LoadVerdict:
    """Return the verdict on a design for its documents: with the room that is left, until when, and the bill."""
    load, bill = load_verdict(page), page.estimate.bill
    if load.tone == "unknown":
        return load
    total = Text(at_least("{cost}", bill.open_lines), {"cost": bill.money(bill.total)}) if bill else None
    cost = {"total_cost": total} if total else {}
    if load.tone == "error":
        more = (Text(N_("The design costs {total_cost} a month."), cost),) if cost else ()
        return LoadVerdict("error", (*load.sentences, *more))
    worst = _worst(page)
    tone = _tone(worst, load.tone)
    params = {"spare_share": max(1 - (hottest_share(page) or 0.0), 0.0), "last_month": _last_day(page), **cost}
    message = N_("This schema carries its load with {spare_share} to spare until {last_month}.")
    if cost:
        message = N_(
            "This schema carries its load with {spare_share} to spare until {last_month}; {total_cost} a month."
        )
    steps = (_next_step(page, worst),) if tone != "good" or "question" in page.counts else ()
    return LoadVerdict(tone, (Text(message, params), *steps))


def _worst(page: DesignPage) -> FindingView | None:
    return next((remark for remark in page.remarks if remark.severity in ("error", "warning")), None)


def _last_day(page: DesignPage) -> datetime.date:
    """Return the last day of the horizon."""
    ends = [part.growth.dates[-1] for part in page.estimate.tables.values() if part.growth]
    return max(ends) - datetime.timedelta(days=1)


def hottest_share(page: DesignPage) -> float | None:
    """Return the load of the hottest node or partition in the busiest hour, 1 at its limit; None while unknown.

    Ranges of the map that are larger than a node are split until no part is too busy: they limit nothing.
    """
    estimate = page.estimate
    if not engine_of(page.spec).HAS_NODES:
        loads = (part.traffic.indivisible_node_share for part in estimate.tables.values() if part.traffic)
        return max(loads, default=None)
    utilisations = [placement.peak_utilisation for placement in estimate.placements if _limits_load(placement)]
    return max((*utilisations, *(_busy_share(cluster) for cluster in estimate.nodes)), default=None)


def load_verdict(page: DesignPage) -> LoadVerdict:
    """Return whether the design carries its load: good, error or unknown."""
    spec, estimate = page.spec, page.estimate
    if not spec.tables:
        return LoadVerdict("unknown", (Text(N_("This design has no tables yet.")),))
    refused = (reason for part in estimate.tables.values() for reason in part.because)
    for reason in (*refused, *estimate.because):
        if isinstance(reason, Refusal):
            return LoadVerdict("error", (Text(reason.message, reason.params),))  # which says that it cannot be served
    missing = [part for part in estimate.tables.values() if part.traffic is None]
    if missing:
        return _missing_inputs(page, [part.table for part in missing])
    load = _node_load(page) if engine_of(spec).HAS_NODES else _partition_load(page)
    if load is None:
        reasons = tuple(Text(cause.message, cause.params) for cause in estimate.because[:1])
        return LoadVerdict("unknown", (Text(N_("The load of this design is not known yet.")), *reasons))
    return load


def _tone(worst: FindingView | None, tone: Tone) -> Tone:
    return tone if worst is None else worst.finding.severity  # type: ignore[return-value]


def _next_step(page: DesignPage, worst: FindingView | None) -> Text:
    if worst is None or worst.rule is None:
        if page.counts.get("question"):
            return Text(N_("With the assumed values, nothing runs hot."))
        return Text(N_("Nothing runs hot."))
    return Text(N_("Fix first: {title}"), {"title": Text(worst.rule.title)})


def _missing_inputs(page: DesignPage, tables: list[str]) -> LoadVerdict:
    """Return what is missing to judge the load."""
    reasons = page.estimate.missing_inputs
    why = tuple(Text(reason.message, reason.params) for reason in reasons[:1])
    if len(reasons) > 1:
        why = (Text(N_("{count} things are needed, first: {reason}"), {"count": len(reasons), "reason": why[0]}),)
    if len(tables) == 1:
        name = element_label(page.spec, tables[0])
        return LoadVerdict("unknown", (Text(N_("The load of {table} is not known yet."), {"table": name}), *why))
    params = {"count": len(tables), "total": len(page.spec.tables)}
    return LoadVerdict("unknown", (Text(N_("The load of {count} of {total} tables is not known yet."), params), *why))


def _node_load(page: DesignPage) -> LoadVerdict | None:
    estimate = page.estimate
    if not estimate.nodes or not estimate.placements:
        return None
    hottest = max(estimate.placements, key=lambda placement: placement.peak_utilisation)
    if hottest.peak_utilisation > FULL_SHARE and _limits_load(hottest):
        return _hot_node(page, hottest)
    cluster = max(estimate.nodes, key=_busy_share)
    short = next((node for node in estimate.nodes if node.short_from is not None), None)
    if short is not None:
        params = {"nodes": float(short.nodes_by_month[-1]), "cluster": element_label(page.spec, short.cluster)}
        message = N_("The {nodes} of {cluster} are too few from {date}.")
        return _overload(_busy_share(short), Text(message, params | {"date": short.short_from}))
    share = hottest_share(page) or 0.0  # the documents name the room above it
    if len(estimate.nodes) == 1:
        nodes = float(cluster.nodes_by_month[-1])
        message = N_("1 node carries the busiest hour at {busy_share}.")
        if nodes > 1:
            message = N_("{nodes} carry the busiest hour at up to {busy_share}.")
        return LoadVerdict("good", (Text(message, {"nodes": nodes, "busy_share": share}),))
    params = {
        "nodes": float(sum(node.nodes_by_month[-1] for node in estimate.nodes)),
        "clusters": len(estimate.nodes),
        "busy_share": share,
    }
    message = N_("{nodes} in {clusters} clusters carry the busiest hour at up to {busy_share}.")
    return LoadVerdict("good", (Text(message, params),))


def _limits_load(placement: Placement) -> bool:
    return placement.peak_utilisation <= FULL_SHARE or placement.limiting_table is not None


def _busy_share(cluster: ClusterNodes) -> float:
    return float(cluster.load_by_month[-1] / max(cluster.nodes_by_month[-1], 1.0))


def _hot_node(page: DesignPage, hottest: Placement) -> LoadVerdict:
    params = {"table": element_label(page.spec, hottest.limiting_table or ""), "peak_share": hottest.peak_utilisation}
    message = N_("One node takes the load of {table}: {peak_share} of what it can do.")
    if hottest.limited_by == "row":
        message = N_("One row of {table} is too busy: its node is at {peak_share} of what it can do.")
    elif hottest.limited_by == "front":
        message = N_("One node takes the newest writes of {table}: {peak_share} of what it can do.")
        if len(page.spec.tables) == 1:
            message = N_("One node takes all new writes: {peak_share} of what it can do.")
    return _overload(hottest.peak_utilisation, Text(message, params))


def _overload(peak_share: float, cause: Text) -> LoadVerdict:
    """Return that a load is above what its busiest part can do, and how much of it is served, first."""
    served = Text(N_("This design cannot carry its load: {served_share} is served."), {"served_share": 1 / peak_share})
    return LoadVerdict("error", (served, cause) if peak_share > 1 else (cause,))


def _partition_load(page: DesignPage) -> LoadVerdict | None:
    loads = [
        (part.traffic.indivisible_node_share, part.table) for part in page.estimate.tables.values() if part.traffic
    ]
    share, table = max(loads, default=(0.0, ""))
    params = {"table": element_label(page.spec, table), "peak_share": share}
    if share > FULL_SHARE:
        message = N_("One partition takes the writes of {table}: {peak_share} of what it can do.")
        return _overload(share, Text(message, params))
    return LoadVerdict("good", (Text(N_("The busiest partition key is at {peak_share} of its limit."), params),))
