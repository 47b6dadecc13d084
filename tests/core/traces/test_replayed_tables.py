"""Tables of a log and of a design: the only one of each is the same, whatever they are called."""

import pytest

from designer.document import Spec
from estimator.traces import EventBlock, ReplayPlan, WholeReplay, design_from_trace
from estimator.traces.blocks import TraceEvent
from estimator.traces.replays.key_values import ReplayError
from tests.contexts import context

from .test_summary import device_log, read

LOG = device_log()[:4_000]
SPEC = design_from_trace(read(LOG), name="made")


def of_table(events: list[TraceEvent], table: str) -> list[TraceEvent]:
    return [event._replace(table=table) for event in events]


def plan_of(*parts: list[TraceEvent], spec: Spec = SPEC) -> ReplayPlan:
    plan = ReplayPlan.for_table(spec, spec.tables[0])
    for part in parts:
        plan.add(EventBlock.from_events(part))
    return plan


def test_the_only_table_of_a_log_is_the_only_one_of_the_design() -> None:
    halves = LOG[:2_000], LOG[2_000:]
    plan = plan_of(*(of_table(half, "projects/p/instances/i/tables/devices") for half in halves))
    whole = WholeReplay(plan)
    whole.context = context()
    for half in halves:
        whole.add(EventBlock.from_events(of_table(half, "projects/p/instances/i/tables/devices")))

    assert plan.result(context()).replay.requests == plan_of(LOG).result(context()).replay.requests == 4_000
    assert whole.result(context()).replay.requests == 4_000


def test_of_a_log_with_several_tables_none_is_taken_for_another_one() -> None:
    with pytest.raises(ReplayError, match=r"no requests of .*; its tables: devices, others"):
        plan_of(of_table(LOG[:2_000], "devices"), of_table(LOG[2_000:], "others")).result(context())

    plan = plan_of(of_table(LOG[:2_000], "devices"), of_table(LOG[2_000:3_000], SPEC.tables[0].name))
    assert plan.result(context()).replay.requests == 1_000
