"""A log that is too long to be held is counted in a second reading: to the same figures as one that is held."""

import io
import pickle
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from estimator.traces import (
    EventBlock,
    ReplayedDesign,
    ReplayPlan,
    UnreadLines,
    WholeReplay,
    design_from_trace,
    read_log,
)
from estimator.traces.blocks import TraceEvent
from estimator.traces.replays import whole_log
from estimator.traces.replays.heaviest import HeaviestNames, RowCounts, hash_names
from estimator.traces.replays.load_report import replay_data
from estimator.traces.replays.model_report import model_data
from tests.contexts import context

from .test_kinds import inbox_log
from .test_summary import device_log, read

LOG = device_log()
HASHED = "{hash(device):2}#{device}#{ts}"


def replays(log: list[TraceEvent], spec: Spec, *, most: int, blocks: int = 7, copies: bool = False) -> ReplayedDesign:
    """Replay a log of which a sample alone is held, a second time in blocks; `copies` pickles between them."""
    (table,) = spec.tables
    plan = ReplayPlan.for_table(spec, table, most_requests=most)
    parts = [EventBlock.from_events(log[low:high]) for low, high in edges(len(log), blocks)]
    for part in parts:
        plan.add(part)
    whole = WholeReplay(plan)
    for part in parts:
        whole.context = context()
        whole.add(part)
        if copies:
            whole = pickle.loads(pickle.dumps(whole))
    return whole.result(context())


def edges(size: int, blocks: int) -> list[tuple[int, int]]:
    at = np.linspace(0, size, blocks + 1).astype(int).tolist()
    return list(pairwise(at))


def figures(found: ReplayedDesign) -> dict[str, Any]:
    return {**replay_data(found.replay), "model": model_data(found.beside)}


def assert_alike(one: Any, other: Any, place: str = "") -> None:
    if isinstance(one, dict):
        assert one.keys() == other.keys(), place
        for name in one:
            if name not in ("even_range_share", "monthly_bill"):
                assert_alike(one[name], other[name], f"{place}.{name}")
    elif isinstance(one, list):
        assert len(one) == len(other)
        for number, pair in enumerate(zip(one, other, strict=True)):
            assert_alike(*pair, f"{place}[{number}]")
    elif isinstance(one, float):
        assert other == pytest.approx(one, rel=1e-6), place
    else:
        assert one == other, place


@pytest.mark.parametrize("copies", [False, True])
def test_a_log_that_is_not_held_has_the_figures_of_one_that_is(
    monkeypatch: pytest.MonkeyPatch, *, copies: bool
) -> None:
    monkeypatch.setattr(whole_log, "BATCH", 700)
    spec = design_from_trace(read(LOG), name="measured")
    held = replays(LOG, spec, most=10**6)
    counted = replays(LOG, spec, most=300, copies=copies)
    assert counted.replay.is_whole
    assert counted.replay.requests == len(LOG)
    assert_alike(figures(held), figures(counted))


def test_the_rows_of_a_counted_log_are_those_of_a_direct_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_log, "BATCH", 700)
    spec = design_from_trace(read(LOG), name="measured")
    (load,) = replays(LOG, spec, most=300).replay.loads
    times = Counter(event.key for event in LOG)
    assert load.rows == len(times)
    assert load.busiest_row_share == max(times.values()) / len(LOG)
    ordered = sorted(times)
    per_range = sum(one.counts.sum(axis=0) for one in load.operations.values())
    for place in range(64):
        low, high = (-(-n * len(ordered) // 64) for n in (place, place + 1))
        assert per_range[place] == sum(times[key] for key in ordered[low:high])


def test_all_kinds_of_rows_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_log, "BATCH", 700)
    log = inbox_log()
    spec = design_from_trace(read(log), name="inbox")
    held, counted = replays(log, spec, most=10**6), replays(log, spec, most=2_000)
    assert counted.replay.requests == held.replay.requests
    one, other = figures(held), figures(counted)
    assert other["keys"][0]["rows"] == one["keys"][0]["rows"]
    for name, found in one["model"]["operations"].items():
        for kind, pair in found["busiest_range_share_by_row_kind"].items():
            counted_pair = other["model"]["operations"][name]["busiest_range_share_by_row_kind"][kind]
            assert counted_pair["replayed"] == pytest.approx(pair["replayed"], abs=0.03)


def test_more_rows_than_fit_are_told_by_a_sample() -> None:
    counts, random = RowCounts(limit=20_000), np.random.default_rng(1)
    rows = [b"row%d" % n for n in random.integers(0, 200_000, 300_000).tolist()]
    for start in range(0, len(rows), 50_000):
        part = [*rows[start : start + 50_000], *[b"hot"] * 500]
        counts.add(hash_names(part), np.zeros(len(part), dtype=np.int64))
    assert counts.busiest == 3_000
    assert counts.share < 1
    assert counts.rows == pytest.approx(len(set(rows)) + 1, rel=0.05)


def test_the_heaviest_name_stays_when_there_are_too_many() -> None:
    names = HeaviestNames(limit=1_000)
    for start in range(20):
        each = [b"%d/%d" % (start, n) for n in range(900)]
        hashes = hash_names([*each, b"hot"])
        names.add(hashes, np.zeros(901, dtype=np.int64), np.concatenate([np.ones(900), [5.0]]))
    assert names.most_seconds == 100.0
    assert names.pairs.size <= 1_000


def test_a_second_reading_of_a_file_counts_every_line() -> None:
    data = b"".join(b"%d,get,user%05d#1\n" % (1_790_000_000 + n, n % 997) for n in range(20_000))
    spec = Spec.model_validate({
        "fields": [{"id": "u", "name": "u"}],
        "tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "k", "key": [
            {"kind": "field", "id": "s", "field": "u", "after": "#"}, {"kind": "literal", "id": "l", "text": "1"}]}]}],
    })  # fmt: skip
    plan = ReplayPlan.for_table(spec, spec.tables[0], most_requests=1_000)
    whole = WholeReplay(plan)
    whole.context = context()
    for one in (plan, whole):
        for events in read_log(io.BytesIO(data), UnreadLines()):
            one.add(events)
    found = whole.result(context()).replay
    assert (found.requests, found.loads[-1].rows) == (20_000, 997)
    assert found.loads[-1].busiest_row_share == 21 / 20_000


def test_the_busiest_row_of_each_day_is_that_of_a_direct_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_log, "BATCH", 700)
    log = [
        TraceEvent(1_790_035_200.0 + 20 * n, "write", b"u%d#202609%02d" % (n * n % 7, 22 + n // 4_320), 100, "t")
        for n in range(3 * 4_320)
    ]
    spec = design_from_trace(read(log), name="days")
    held, counted = figures(replays(log, spec, most=10**6)), figures(replays(log, spec, most=300))

    each_day = [Counter(event.key for event in log if event.key.endswith(b"%d" % day)) for day in (22, 23, 24)]
    share = sum(max(day.values()) for day in each_day) / len(log)
    for found in (held, counted):
        assert found["model"]["operations"]["write"]["busiest_row_share"]["replayed"] == pytest.approx(share, rel=1e-9)
