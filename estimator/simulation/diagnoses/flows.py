"""Single reads and writes that are told of by name, whole table and whole time."""

from collections.abc import Iterator, Sequence

from designer.document.activity import Backfill
from designer.document.durations import DAY_SECONDS
from estimator.kernels.traffic.load import activity_of

from ...results import Severity
from .. import sentences
from ..plan import PlannedFlow
from ..results import Diagnosis
from .played_run import HALF, PlayedRun, flow_label

LONG_SECONDS = 1.0
"""What keeps a node busy for longer is a scan: told of beside nodes that suffer, if it is most of the load."""


def scans(run: PlayedRun, diagnoses: Sequence[Diagnosis]) -> Iterator[Diagnosis]:
    """Yield reads that are most of the load, where something suffers and no diagnosis names them yet."""
    if all(diagnosis.severity == "note" for diagnosis in diagnoses):
        return
    loads = [
        float(flow.rates.mean()) * run.work_seconds(flow) * max(flow.routed, default=0.0) for flow in run.plan.flows
    ]
    for flow, load in zip(run.plan.flows, loads, strict=True):
        if flow.flow.read is None or load <= HALF * sum(loads) or run.work_seconds(flow) < LONG_SECONDS:
            continue
        if any(diagnosis.at == flow.id for diagnosis in diagnoses):
            continue
        params = {
            "read": flow_label(flow),
            "node_share": load / sum(loads),
            "work_seconds": run.work_seconds(flow),
            "reads_per_day": float(flow.rates.mean()) * DAY_SECONDS,
        }
        yield _of_flow(run, flow, sentences.SCANS[run.has_partitions], params, "warning", rule="Q002", at=flow.id)


def backfills(run: PlayedRun) -> Iterator[Diagnosis]:
    """Yield writes that end in reality, but not in this simulation."""
    for flow in run.plan.flows:
        activity = activity_of(run.plan.spec, flow.flow)
        if activity is None or not flow.is_write or not isinstance(activity.arrival, Backfill):
            continue
        params = {"activity": activity.label, "rows_per_second": float(flow.rates.mean())}
        message = sentences.BACKFILL[activity.arrival.sorted]
        yield _of_flow(run, flow, message, params, "note", rule="", at=activity.id)


def _of_flow(
    run: PlayedRun,
    flow: PlannedFlow,
    message: str,
    params: dict[str, object],
    severity: Severity,
    *,
    rule: str,
    at: str,
) -> Diagnosis:
    return Diagnosis(
        message=message, params=params, severity=severity, table=flow.table, first_range=0,
        last_range=len(run.tables[flow.table].stored_share) - 1, first_window=0, last_window=run.plan.windows - 1,
        rule=rule, at=at,
    )  # fmt: skip
