"""Nodes, bill, λ* and rows of a replay, as plain loops and hand arithmetic find them; samples beside whole logs."""

import math
from bisect import bisect_left
from collections import Counter
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.keytext import parse_key
from estimator.engines import bigtable
from estimator.estimates.estimate import estimate
from estimator.traces import EventBlock, EventSample, ReplayedDesign, ReplayPlan, TraceEvent
from estimator.traces.blocks import OPERATION_CODES, RowSample
from tests.contexts import context

MONDAY_S = 1_789_948_800.0
HOUR_S, DAY_S = 3_600.0, 86_400.0
KEY = "event#{event}#{item:pad6}"
TARGET = bigtable.LATENCY.cpu_share


def design(
    key: str = KEY, *, reads: list[dict[str, Any]] | None = None, rate: float = 1.0, size: int = 1_000, **more: Any
) -> Spec:  # fmt: skip
    some = [{"id": "r", "name": "of an event", "rate_per_second": 0.02, "binds": [{"field": "event"}]}]
    spec = Spec.model_validate(
        {
            "start": "2026-09-21",
            "fields": [
                {"id": "event", "name": "event", "kind": "integer", "distinct": 50},
                {"id": "item", "name": "item", "kind": "integer", "distinct": 1_000},
            ],
            "activities": [{"id": "a", "name": "events", "rate_per_second": rate}],
            "tables": [
                {
                    "id": "t",
                    "name": "events",
                    "row_kinds": [
                        {
                            "id": "k",
                            "writes": [{"id": "w", "activity": "a", "mode": "overwrite"}],
                            "reads": some if reads is None else reads,
                        }
                    ],
                    "families": [
                        {
                            "id": "f",
                            "name": "d",
                            "gc": {"kind": "max_versions", "versions": 1},
                            "columns": [{"id": "c", "qualifier": "v", "value": {"typical_bytes": size}}],
                        }
                    ],
                }
            ],
            **more,
        }
    )
    (table,) = spec.tables
    kind = table.row_kinds[0].model_copy(update={"key": parse_key(spec, key).segments})
    return spec.model_copy(update={"tables": (table.model_copy(update={"row_kinds": (kind,)}),)})


Drawn = tuple[float, str, int, int | None]
"""Time, operation, event, item; None: all items of the event."""


def drawn(hours: list[int], *, scans: int = 0, seed: int = 1) -> list[Drawn]:
    """Draw so many writes in each hour, and reads of whole events over all of it."""
    random = np.random.default_rng(seed)
    found: list[Drawn] = []
    for hour, count in enumerate(hours):
        for at in (MONDAY_S + HOUR_S * (hour + random.random(count))).tolist():
            found.append((at, "write", int(random.integers(50)), int(random.integers(1_000))))
    for at in (MONDAY_S + HOUR_S * len(hours) * random.random(scans)).tolist():
        found.append((at, "scan", int(random.integers(10)), None))
    return sorted(found, key=lambda one: one[0])


def replay_log(
    log: list[Drawn], spec: Spec, *, most: int = 10**9, keys: dict[str, str] | None = None
) -> ReplayedDesign:
    plan = ReplayPlan.for_table(spec, spec.tables[0], keys, most_requests=most)
    events = [
        TraceEvent(at, operation, f"event#{event}#{'' if item is None else f'{item:06}'}".encode(), 9, "")
        for at, operation, event, item in log
    ]
    for place in range(0, len(events), 1_000):
        plan.add(EventBlock.from_events(events[place : place + 1_000]))
    return plan.result(context())


def test_the_nodes_that_are_billed_are_those_of_the_real_busiest_hour() -> None:
    log = drawn([1_000] * 20 + [30_000] + [1_000] * 3)
    spec = design(reads=[], rate=len(log) / DAY_S, size=10_000_000)
    found = replay_log(log, spec).beside
    assert found is not None
    assert found.sized is not None
    seconds = estimate(spec, context()).tables["t"].traffic.writes[0].node_seconds_per_row  # type: ignore[union-attr]
    busy = 30_000 * seconds / HOUR_S
    needed = math.ceil(busy / TARGET)
    assert found.sized.replayed_busy == pytest.approx(busy, rel=0.001)
    assert found.sized.replayed == needed
    assert found.sized.modelled == math.ceil(len(log) / DAY_S * seconds / TARGET)
    assert needed >= 2 * math.ceil(len(log) / DAY_S * seconds / TARGET), "the mean of the day needs far fewer"

    profile = {"kind": "week", "hours": [24 * count / len(log) for count in [1_000] * 20 + [30_000] + [1_000] * 3] * 7}
    data: Any = to_plain_data(spec)
    data["activities"][0]["profile"] = profile
    shaped = replay_log(log, Spec.model_validate(data)).beside
    assert shaped is not None
    assert shaped.monthly_bill is not None
    # A month ends at any hour: of what is written at 20:00 a part of a day less is stored then.
    assert float(found.replayed_monthly_bill or 0) == pytest.approx(float(shaped.monthly_bill), rel=0.002)
    assert float(shaped.replayed_monthly_bill or 0) == pytest.approx(float(shaped.monthly_bill), rel=0.001)
    assert float(found.replayed_monthly_bill or 0) > float(found.monthly_bill or 0)


def test_an_autoscaled_cluster_is_billed_by_the_hours_of_the_log() -> None:
    hours = [250] * 20 + [7_500] + [250] * 3
    log = [one for day in range(7) for one in ((at + DAY_S * day, *rest) for at, *rest in drawn(hours, seed=day))]
    clusters = [
        {"id": "cl", "zone": "europe-west1-b", "nodes": {"kind": "autoscaling", "min": 1, "max": 30, "cpu_target": 0.6}}
    ]
    spec = design(reads=[], rate=sum(hours) / DAY_S, size=40_000_000, instance={"clusters": clusters})
    data: Any = to_plain_data(spec)
    data["activities"][0]["profile"] = {"kind": "week", "hours": [24 * count / sum(hours) for count in hours] * 7}
    own = estimate(Spec.model_validate(data), context()).bill
    found = replay_log(log, spec).beside  # type: ignore[arg-type]
    assert own is not None
    assert found is not None
    assert float(found.replayed_monthly_bill or 0) == pytest.approx(float(own.total), rel=0.01)


def rows_scanned(log: list[Drawn], *, of_all: bool = False) -> list[int]:
    """Count for each scan the rows of its event, or of all, that were written before it."""
    rows, found = set[tuple[int, int]](), []
    per_event = Counter[int]()
    for _, kind, event, item in log:
        if kind == "scan":
            found.append(len(rows) if of_all else per_event[event])
        elif item is not None and (event, item) not in rows:
            rows.add((event, item))
            per_event[event] += 1
    return found


@pytest.mark.parametrize("key", [KEY, "{item:pad6}#{event}"])
def test_scans_take_the_node_time_of_the_rows_that_they_scan(key: str) -> None:
    log = drawn([400] * 24, scans=3_000)
    spec = design(key)
    beside = replay_log(log, spec, keys={"k": KEY}).beside
    assert beside is not None
    scanned = rows_scanned(log, of_all=key != KEY)
    (scan,) = beside.scans
    assert (scan.name, scan.replayed_rows) == ("of an event", pytest.approx(np.mean(scanned)))
    (plan,) = estimate(spec, context()).tables["t"].reads
    one = bigtable.instance_capacity(spec.instance)
    row_bytes = plan.bytes_scanned / plan.rows_scanned
    expected = np.mean([one.read.seconds + n * row_bytes / one.scan_bytes_per_second for n in scanned])
    operation = next(each for each in beside.operations if each.operation == "scan")
    assert operation.replayed_node_seconds == pytest.approx(expected, rel=0.001)
    writes = next(each for each in beside.operations if each.operation == "write")
    share = (len(scanned) * expected + (len(log) - len(scanned)) * writes.node_seconds) / (log[-1][0] - log[0][0])
    assert beside.replayed_node_share == pytest.approx(share, rel=0.001)
    assert beside.sized is not None
    taken, left = Counter[int](), list(scanned)
    for at, kind, _, _ in log:
        rows_cost = one.read.seconds + left.pop(0) * row_bytes / one.scan_bytes_per_second if kind == "scan" else 0
        taken[int(at // HOUR_S)] += rows_cost or writes.node_seconds  # type: ignore[assignment]
    assert beside.sized.replayed_busy == pytest.approx(max(taken.values()) / HOUR_S, rel=0.001)


def test_prefixes_that_no_read_of_the_design_asks_for_are_planned_beside_its_reads() -> None:
    point = {"id": "p", "name": "one", "rate_per_second": 0.1, "binds": [{"field": "event"}, {"field": "item"}]}
    log = drawn([400] * 24, scans=3_000)
    log += [(log[-1][0] + n, "read", event, item) for n, (_, _, event, item) in enumerate(log[:500]) if item]
    beside = replay_log(log, design(reads=[point])).beside
    assert beside is not None
    found = {one.operation: one for one in beside.operations}
    assert (found["scan"].modelled_per_second, found["scan"].modelled_row_share) == (0, None)
    assert [one.modelled_share for one in found["scan"].ranges] == [None]
    assert found["scan"].replayed_per_second > 0
    assert found["scan"].replayed_node_seconds > 7 * found["read"].replayed_node_seconds
    rows = {scan.name: scan.replayed_rows for scan in beside.scans}
    scanned = rows_scanned(log)
    assert rows == {"one": 1, "scan by event": pytest.approx(np.mean(scanned))}


@pytest.mark.parametrize("key", [KEY, "{item:pad6}#{event}"])
def test_a_sample_of_a_long_log_tells_what_the_whole_log_does(key: str) -> None:
    log = drawn([2_000] * 23 + [12_000], scans=20_000)
    spec = design(key)
    whole, part = (replay_log(log, spec, most=most, keys={"k": KEY}) for most in (10**9, 4_000))
    assert part.replay.requests == 4_000
    assert part.replay.total == len(log)
    one, other = whole.beside, part.beside
    assert one is not None
    assert other is not None
    assert [scan.replayed_rows for scan in other.scans] == [pytest.approx(one.scans[0].replayed_rows, rel=0.03)]
    for mine, theirs in zip(other.operations, one.operations, strict=True):
        assert mine.replayed_per_second == pytest.approx(theirs.replayed_per_second, rel=0.001), "all are counted"
    assert other.sized is not None
    assert one.sized is not None
    assert other.sized.replayed_busy == pytest.approx(one.sized.replayed_busy, rel=0.05)
    assert other.sized.replayed == one.sized.replayed
    assert float(other.replayed_monthly_bill or 0) == pytest.approx(float(one.replayed_monthly_bill or 0), rel=0.01)


def test_a_sample_of_rows_is_of_different_keys_and_not_of_requests() -> None:
    sample = RowSample(limit_bytes=200_000)
    keys = [b"user%d#%d" % (n % 500, n) for n in range(20_000)]
    for place in range(0, len(keys), 1_000):
        asked = [*keys[place : place + 1_000], *keys[:500] * 3]
        sample.add(EventBlock.from_events([TraceEvent(MONDAY_S, "write", key, None, "") for key in asked]))
    assert sample.share < 1
    assert len(sample.keys) / sample.share == pytest.approx(len(keys), rel=0.1)
    ordered = sorted(sample.keys)
    below = bisect_left(ordered, b"user2") - bisect_left(ordered, b"user1")
    assert below / sample.share == pytest.approx(sum(key.startswith(b"user1") for key in keys), rel=0.2)


def test_rows_of_a_sample_are_those_of_all_requests_from_the_first_on() -> None:
    operations = ("write", "read", "scan", "delete")
    blocks = [
        EventBlock.from_events(
            [
                TraceEvent(MONDAY_S + n, operations[n * 7 % 4], b"user%d#%d" % (n % 90, n % 700), None, "")
                for n in range(first, first + 300)
            ]
        )
        for first in range(0, 6_000, 300)
    ]
    sample, rows = EventSample(limit=1_000), RowSample()
    for block in blocks:
        sample.add(block)
        rows.add(block.select(block.operations != OPERATION_CODES["scan"]))
    assert (len(sample), sample.total) == (1_000, 6_000)
    assert sample.rows == rows
    assert rows.later_s
    held = EventSample()
    held.add(blocks[0])
    held.add(blocks[1])
    assert held.rows.keys == {key for block in blocks[:2] for key in block.select(block.operations != 3).keys}


def test_a_scan_of_a_whole_key_is_a_read_of_that_row() -> None:
    log = drawn([100] * 3)
    log += [(log[-1][0] + 1, "scan", 7, 3), (log[-1][0] + 2, "read", 7, 3)]
    assert replay_log(log, design()).replay.loads[-1].operations["read"].requests == 2
