"""Rows that reads scan and how far a log could grow, as plain loops count them; both keys of a page on one day."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.keytext import parse_key
from designer.document.texts import Text
from estimator.presentation.replay_page import ReplayColumn, ReplayPage
from estimator.traces import EventBlock, ReplayedDesign, ReplayError, ReplayPlan, UnreadLines
from estimator.traces.blocks import TraceEvent
from estimator.traces.replays.replay_plan import log_keys
from tests.contexts import context

START_S, DAY_S = 1_790_000_000 // 86_400 * 86_400, 86_400.0
LOG_KEY = "{tenant}#{device}#{time}"
REQUESTS = 8_000


def draw_day() -> list[tuple[float, str, str, int]]:
    """Draw a day: time, operation, tenant and device; the first tenant has half of the requests."""
    random = np.random.default_rng(5)
    times = np.sort(random.random(REQUESTS)) * DAY_S + START_S
    tenants = random.choice(["acme", "globex", "initech"], REQUESTS, p=[0.5, 0.3, 0.2])
    kinds = np.where(random.random(REQUESTS) < 0.6, "write", "read")
    return list(
        zip(times.tolist(), kinds.tolist(), tenants.tolist(), random.integers(1, 40, REQUESTS).tolist(), strict=True)
    )


DAY = draw_day()


def design(key: str, **read: Any) -> Spec:
    spec = Spec.model_validate(
        {
            "start": "2026-09-21",
            "fields": [
                {"id": "tenant", "name": "tenant", "distinct": 3},
                {"id": "device", "name": "device", "kind": "integer", "distinct": 40},
            ],
            "activities": [{"id": "a", "name": "reports", "rate_per_second": 0.0556}],
            "instance": {"clusters": [{"id": "c", "zone": "europe-west1-b", "nodes": {"kind": "fixed", "count": 3}}]},
            "tables": [
                {
                    "id": "t",
                    "name": "events",
                    "row_kinds": [
                        {
                            "id": "k",
                            "writes": [{"id": "w", "activity": "a"}],
                            "reads": [{"id": "r", "name": "of one device", "rate_per_second": 0.037, **read}],
                        }
                    ],
                    "families": [{"id": "f", "name": "d", "columns": [{"id": "c1", "qualifier": "v"}]}],
                }
            ],
        }
    )
    table = spec.tables[0]
    kind = table.row_kinds[0].model_copy(update={"key": parse_key(spec, key).segments})
    table = table.model_copy(update={"row_kinds": (kind,)})
    return spec.model_copy(update={"tables": (table,)})


def replay_of(key: str, **read: Any) -> ReplayedDesign:
    spec = design(key, **read)
    plan = ReplayPlan.for_table(spec, spec.tables[0], log_keys(spec, spec.tables[0], LOG_KEY))
    events = [TraceEvent(t, kind, f"{who}#{what}#{int(1e3 * t)}".encode(), 9, "") for t, kind, who, what in DAY]
    plan.add(EventBlock.from_events(events))
    return plan.result(context())


BOUND = {"binds": [{"field": "tenant"}, {"field": "device"}]}


def test_rows_scanned_are_those_that_a_loop_counts_below_each_prefix() -> None:
    older = Counter((who, what) for _, kind, who, what in DAY if kind == "read")
    written, counts = Counter[tuple[str, int]](), []
    for _, kind, who, what in DAY:
        written[who, what] += kind == "write"
        counts += [older[who, what] + written[who, what]] * (kind == "read")
    expected = np.mean(counts)
    beside = replay_of(LOG_KEY, **BOUND).beside
    assert beside is not None
    (scan,) = beside.scans
    assert (scan.name, scan.replayed_rows) == ("of one device", pytest.approx(expected))

    whole = replay_of("{device}#{tenant}#{time}").beside
    assert whole is not None
    reads = sum(older.values())
    there = [reads + sum(kind == "write" for _, kind, *_ in DAY[:n]) for n, one in enumerate(DAY) if one[1] == "read"]
    assert whole.scans[0].replayed_rows == pytest.approx(np.mean(there)), "no prefix is known: all rows of then"

    newest = replay_of(LOG_KEY, **BOUND, row_limit=2).beside
    assert newest is not None
    assert newest.scans[0].replayed_rows == 2


def test_a_log_does_not_tell_what_a_range_of_time_scans() -> None:
    beside = replay_of(LOG_KEY, **BOUND, time={"days": 0.5}).beside
    assert beside is not None
    assert [scan.replayed_rows for scan in beside.scans] == [None]


def test_how_far_a_day_could_grow_is_what_a_loop_counts() -> None:
    first = replay_of("{time}#{tenant}#{device}", exact_time=True, binds=BOUND["binds"])
    beside = first.beside
    assert beside is not None
    assert beside.reachable is not None
    seconds = {one.operation: one.node_seconds for one in beside.operations}
    length = first.replay.window_seconds
    start = first.replay.first_s
    writes = Counter(int((t - start) // length) for t, kind, _, _ in DAY if kind == "write")
    front = max(writes.values()) * seconds["write"] / length
    taken: Counter[int] = Counter()
    for t, kind, _, _ in DAY:
        taken[int((t - start) // length)] += seconds[kind]  # type: ignore[assignment]
    assert beside.reachable[0] == pytest.approx(min(1 / front, 3 / (max(taken.values()) / length)))
    spread = replay_of(LOG_KEY, exact_time=True, **BOUND).beside
    assert spread is not None
    assert spread.reachable is not None
    assert spread.reachable[0] > 1.4 * beside.reachable[0], "three nodes share what the end of the table took"


def test_the_hottest_ranges_hold_what_a_loop_counts() -> None:
    load = replay_of(LOG_KEY, **BOUND).replay.loads[-1]
    keys = [f"{who}#{what}#{int(1e3 * t)}".encode() for t, _, who, what in DAY]
    hottest = load.hottest_ranges(3)
    for hot in hottest:
        inside = sum(hot.first <= key and (not hot.end or key < hot.end) for key in keys)
        assert hot.share == pytest.approx(inside / REQUESTS)
    assert [hot.share for hot in hottest] == sorted((hot.share for hot in hottest), reverse=True)
    assert load.bounds[0] == min(keys)


def test_two_keys_stand_in_the_same_rows_with_their_differences() -> None:
    page = ReplayPage(
        (
            ReplayColumn(Text("one"), replay_of(LOG_KEY, **BOUND)),
            ReplayColumn(Text("other"), replay_of("{time}#{tenant}#{device}", **BOUND)),
        ),
        UnreadLines(),
    )
    rows = {str(row.title): row.figures for row in page.rows}
    for title in ("writes", "writes, busiest range", "rows scanned by of one device", "reachable throughput (λ*)"):
        assert all(figure is not None for figure in rows[title])
    hot, cold = (figure.replayed for figure in reversed(rows["writes, busiest range"]) if figure)
    assert hot > 5 * cold
    (writes, _), heat = rows["writes"], page.columns[0].heat[0]
    assert writes is not None
    assert writes.difference_share == pytest.approx(writes.replayed / writes.modelled - 1)
    assert heat.replayed.values.sum() * heat.replayed.window_seconds == pytest.approx(
        sum(kind == "write" for _, kind, _, _ in DAY)
    )
    assert heat.modelled is not None
    shown = [pair.replayed for _, pairs in page.heats for pair in pairs if pair.title == "Writes"]
    assert shown[0].top == shown[1].top >= max(one.values.max() for one in shown), "both keys on one scale"


def test_a_key_that_needs_what_the_log_does_not_hold_is_refused_with_its_names() -> None:
    spec = design(LOG_KEY)
    plan = ReplayPlan.for_table(spec, spec.tables[0], log_keys(spec, spec.tables[0], "{time}"))
    plan.add(EventBlock.from_events([TraceEvent(START_S, "write", b"%d" % (1e3 * START_S), 9, "")]))
    with pytest.raises(ReplayError, match="do not hold tenant, device"):
        plan.result(context())
