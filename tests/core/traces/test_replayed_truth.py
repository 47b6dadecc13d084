"""Replays of small logs of known truth: like is compared with like, of the log's date, and rows as they are then."""

import datetime
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.keytext import parse_key
from estimator.traces import EventBlock, ReplayedDesign, ReplayPlan, TraceEvent
from estimator.traces.replays.compared_figures import compared_figures
from estimator.traces.replays.key_load import RANGES
from estimator.traces.replays.model_beside import ComparedOperation
from estimator.traces.replays.model_report import model_data, model_lines
from estimator.traces.replays.scanned_rows import RowsInTime, ScannedRows
from tests.contexts import context

from .test_replayed_traffic import DAY_S, HOUR_S, KEY, MONDAY_S, Drawn, design, drawn, replay_log, rows_scanned


def beside(found: ReplayedDesign) -> Any:
    assert found.beside is not None
    return found.beside


def operations(found: ReplayedDesign) -> dict[str, ComparedOperation]:
    return {one.operation: one for one in beside(found).operations}


def two_kinds() -> Spec:
    """Return a table with users, each of whom is as busy, and sales of shops, which are read together."""
    data: Any = {
        "start": "2026-09-21",
        "fields": [
            {"id": "user", "name": "user", "kind": "integer", "distinct": 640, "popularity": {"kind": "uniform"}},
            {"id": "shop", "name": "shop", "kind": "integer", "distinct": 640},
        ],
        "activities": [{"id": "a", "name": "sales", "rate_per_second": 0.2}],
        "tables": [
            {
                "id": "t",
                "name": "mixed",
                "rows_stored": None,
                "row_kinds": [
                    {"id": "k1", "name": "users", "reads": [
                        {"id": "r1", "name": "a user", "rate_per_second": 0.4, "binds": [{"field": "user"}]}],
                     "writes": [{"id": "w1", "activity": "a", "mode": "overwrite"}]},
                    {"id": "k2", "name": "sales", "writes": [{"id": "w2", "activity": "a"}], "reads": [
                        {"id": "r2", "name": "of a shop", "rate_per_second": 0.1, "binds": [{"field": "shop"}]}]},
                ],
                "families": [{"id": "f", "name": "d", "columns": [
                    {"id": "c", "qualifier": "v", "value": {"typical_bytes": 100}}]}],
            }
        ],
    }  # fmt: skip
    spec = Spec.model_validate(data)
    (table,) = spec.tables
    keys = {"k1": "u#{user:pad4}", "k2": "s#{shop:pad4}#{time}"}
    kinds = tuple(one.model_copy(update={"key": parse_key(spec, keys[one.id]).segments}) for one in table.row_kinds)
    return spec.model_copy(update={"tables": (table.model_copy(update={"row_kinds": kinds}),)})


def two_kinds_log() -> list[TraceEvent]:
    """Draw what the design says: even users and shops; a scan in five requests reads all of a shop."""
    random = np.random.default_rng(7)
    found = []
    for at in np.sort(MONDAY_S + DAY_S * random.random(60_000)).tolist():
        draw, user, shop = random.random(), int(random.integers(640)), int(random.integers(640))
        if draw < 4 / 9:
            found.append(TraceEvent(at, "read", b"u#%04d" % user, None, ""))
        elif draw < 6 / 9:
            found.append(TraceEvent(at, "write", b"u#%04d" % user, 100, ""))
        elif draw < 8 / 9:
            found.append(TraceEvent(at, "write", b"s#%04d#%d" % (shop, int(at * 1_000)), 100, ""))
        else:
            found.append(TraceEvent(at, "scan", b"s#%04d#" % shop, None, ""))
    return found


def test_ranges_are_compared_per_operation_and_row_kind() -> None:
    spec = two_kinds()
    plan = ReplayPlan.for_table(spec, spec.tables[0])
    plan.add(EventBlock.from_events(two_kinds_log()))
    found = operations(plan.result(context()))
    kinds = {name: [one.name for one in each.ranges] for name, each in found.items()}
    assert {name: set(names) for name, names in kinds.items()} == {
        "read": {"users"}, "write": {"users", "sales"}, "scan": {"sales"},
    }  # fmt: skip
    for each in found.values():
        for one in each.ranges:
            assert one.modelled_share is not None
            assert one.replayed_share == pytest.approx(one.modelled_share, abs=0.012), (each.operation, one.name)
    data = model_data(plan.result(context()).beside)
    assert data is not None
    by_kind = data["operations"]["write"]["busiest_range_share_by_row_kind"]
    assert set(by_kind) == {"k1", "k2"}
    lines = "\n".join(model_lines(plan.result(context()).beside))
    assert "writes, busiest range of users" in lines
    assert "writes, busiest range of sales" in lines


def test_a_figure_that_the_model_has_not_is_none_and_not_zero() -> None:
    log = drawn([400] * 24, scans=3_000)
    spec = design(KEY, size=9_000_000)  # scans of so many bytes are in no one tablet
    found = replay_log(log, spec)
    scan = operations(found)["scan"]
    assert scan.modelled_per_second > 0
    assert scan.modelled_row_share is None
    (figure,) = (one for one in compared_figures(beside(found)) if str(one.title) == "scans, busiest prefix")
    assert (figure.modelled, figure.points, figure.difference_share) == (None, None, None)
    row = next(line for line in model_lines(found.beside) if "scans, busiest prefix" in line)
    assert "not modelled" in row
    small = operations(replay_log(log, design(KEY, size=10)))["scan"]
    assert small.modelled_row_share == pytest.approx(1 / 50, rel=0.5), "one of 50 events"
    assert small.replayed_row_share == pytest.approx(1 / 10, rel=0.2), "the log asks for ten of them"


@pytest.mark.parametrize("start", ["2026-09-21", "2026-12-01", None])
def test_the_model_is_of_the_middle_of_the_log(start: str | None) -> None:
    log = drawn([400] * 24, scans=3_000)
    scans = sum(kind == "scan" for _, kind, _, _ in log)
    writes = len(log) - scans
    data: Any = to_plain_data(design(rate=writes / DAY_S))
    data |= {"start": start, "horizon_months": 36}
    for field in data["fields"]:
        field["popularity"] = {"kind": "uniform"}
    if start is None:
        del data["start"]
    found = replay_log(log, Spec.model_validate(data))
    assert beside(found).day == datetime.date(2026, 9, 21)
    assert beside(found).begins_with_log
    (scan,) = beside(found).scans
    assert scan.replayed_rows == pytest.approx(np.mean(rows_scanned(log)))
    assert scan.replayed_rows == pytest.approx(scan.modelled_rows, rel=0.03)
    written = operations(found)["write"]
    assert written.replayed_per_second == pytest.approx(written.modelled_per_second, rel=0.01)
    far: Any = {**data, "horizon_months": 1}
    one, other = beside(found).reachable, beside(replay_log(log, Spec.model_validate(far))).reachable
    assert one == pytest.approx(other), "the horizon is not what it is compared with"
    assert any("2026-09-21" in line and "middle of the log" in line for line in model_lines(found.beside))


def test_rates_that_grow_are_those_of_the_day_and_older_rows_make_a_lower_bound() -> None:
    log = drawn([400] * 24, scans=3_000)
    data: Any = to_plain_data(design(rate=400 / HOUR_S / 2))
    data["start"] = "2026-07-21"
    data["activities"][0]["growth_per_month"] = 2 ** (30.436875 / 62.5) - 1  # doubled at the middle of the log
    found = replay_log(log, Spec.model_validate(data))
    written = operations(found)["write"]
    assert written.replayed_per_second == pytest.approx(written.modelled_per_second, rel=0.01)
    assert not beside(found).begins_with_log
    (figure,) = (one for one in compared_figures(beside(found)) if str(one.title).startswith("rows scanned"))
    assert (figure.is_bound, figure.points, figure.difference_share) == (True, None, None)
    assert any("≥" in line for line in model_lines(found.beside) if "rows scanned by" in line)


def test_the_busiest_row_is_compared_over_the_same_length_of_time() -> None:
    spec = design("event#{event}#{time:hour:unit=s}", reads=[], rate=0.4)
    random = np.random.default_rng(2)
    events = []
    for at in np.sort(MONDAY_S + DAY_S * random.random(60_000)).tolist():
        key = b"event#%d#%d" % (random.integers(50), at // 3_600 * 3_600)
        events.append(TraceEvent(at, "write", key, 9, ""))
    plan = ReplayPlan.for_table(spec, spec.tables[0])
    plan.add(EventBlock.from_events(events))
    (write,) = beside(plan.result(context())).operations
    assert write.modelled_row_share == pytest.approx(1 / 50)
    counts: dict[int, Counter[bytes]] = defaultdict(Counter)
    for one in events:
        counts[int(one.time_s // HOUR_S)][one.key] += 1
    share = sum(max(each.values()) for each in counts.values()) / len(events)
    assert share == pytest.approx(1 / 50, rel=0.4), "the most of 50 equal ones, by chance"
    assert write.replayed_row_share == pytest.approx(share)
    few = ReplayPlan.for_table(spec, spec.tables[0])
    few.add(EventBlock.from_events(events[::100]))
    (write,) = beside(few.result(context())).operations
    assert write.replayed_row_share is None, "a handful of requests in each length of time tells nothing"


def test_a_row_is_there_from_its_first_write_and_not_while_it_is_deleted() -> None:
    log: list[Drawn] = [
        (MONDAY_S + 0, "scan", 1, None),
        (MONDAY_S + 1, "write", 1, 1),
        (MONDAY_S + 2, "scan", 1, None),
        (MONDAY_S + 3, "write", 1, 2),
        (MONDAY_S + 4, "write", 1, 1),
        (MONDAY_S + 5, "scan", 1, None),
        (MONDAY_S + 6, "delete", 1, 1),
        (MONDAY_S + 7, "scan", 1, None),
        (MONDAY_S + 8, "write", 1, 1),
        (MONDAY_S + 9, "scan", 1, None),
        (MONDAY_S + 10, "read", 1, 3),  # there before the log, so in all scans
    ]
    for most in (10**9, 9):
        found = replay_log(log, design(), most=most).replay
        prefixes = [b"event#1#"] * 5
        times = np.array([at for at, kind, _, _ in log if kind == "scan"])
        rows = found.rows_below(prefixes, times)
        assert rows is not None
        assert rows.tolist() == [1, 2, 3, 2, 3]
        assert found.is_whole is (most > 9)


def test_rows_in_time_are_what_a_loop_counts() -> None:
    random = np.random.default_rng(5)
    places, times = random.integers(0, 40, 900), np.sort(random.random(900))
    codes = random.choice([0, 1, 2], 900, p=[0.2, 0.6, 0.2])
    there = RowsInTime.of_requests(places, times, codes, 40)
    lows = random.integers(0, 41, 300)
    highs, at = np.minimum(lows + random.integers(0, 20, 300), 40), random.random(300)
    expected = []
    for low, high, moment in zip(lows.tolist(), highs.tolist(), at.tolist(), strict=True):
        state = dict[int, bool]()
        for place in range(low, high):
            mine = codes[places == place]
            state[place] = bool(mine.size) and bool(mine[0] != 1)
        for place, time_s, code in zip(places.tolist(), times.tolist(), codes.tolist(), strict=True):
            if time_s <= moment and place in state and code in (1, 2):
                state[place] = code == 1
        expected.append(sum(state.values()))
    assert there.between(lows, highs, at).tolist() == expected


def test_a_scan_is_spread_over_the_ranges_that_it_passes() -> None:
    rows = 640
    scanned = ScannedRows(
        np.array([0, 0, 5, 639]), np.array([rows, 20, 5, rows]), np.zeros(4, dtype=np.int64), np.zeros(4), rows, None
    )
    found = scanned.spread(np.array([0, 0, 0, 1]), np.array([64.0, 1.0, 1.0, 3.0]), RANGES, 2)
    assert found[0].tolist() == [1 + 0.5 + 1, 1 + 0.5, *[1.0] * 62]
    assert found[1].tolist() == [*[0.0] * 63, 3.0]
    log = drawn([400] * 24)
    log = sorted([*log, *((log[-1][0] - n, "scan", event, None) for n in range(100) for event in range(50))])
    replayed = replay_log(log, design("{item:pad6}#{event}"), keys={"k": KEY})
    counts = replayed.replay.loads[-1].operations["scan"].counts.sum(axis=0)
    assert counts.sum() == pytest.approx(5_000)
    assert counts.max() < 1.2 * counts.mean(), "each reads the whole table"
    (scan,) = operations(replayed)["scan"].ranges
    assert scan.replayed_share == pytest.approx(1 / RANGES, rel=0.2)


def test_the_work_of_scans_counts_in_hot_ranges_and_in_how_far_load_can_grow() -> None:
    log = drawn([4_000] * 6, scans=0)
    log = sorted([*log, *((MONDAY_S + 21_000 + 0.05 * n, "scan", 7, None) for n in range(4_000))])
    found = replay_log(log, design(KEY, size=10_000))
    assert beside(found).peak is not None
    scans = operations(found)["scan"]
    counts = found.replay.loads[-1].operations["scan"].counts
    nodes = scans.replayed_node_seconds / found.replay.window_seconds
    assert counts.max(axis=1).max() < 0.8 * counts.sum(axis=1).max(), "the rows of the event are in several ranges"
    assert beside(found).peak.replayed_range == pytest.approx(counts.max() * nodes, rel=0.02)
    assert beside(found).reachable is not None
    busy = counts.sum(axis=1).max() * nodes
    assert beside(found).reachable[0] == pytest.approx(1 / busy, rel=0.02), "one tablet holds what all of them read"
