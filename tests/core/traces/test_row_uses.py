"""The largest rows and what is asked of a row after what, for logs of known truth; in bounded memory."""

import numpy as np
import pytest

from estimator.traces import TraceReader, UnreadLines, hash_keys
from estimator.traces.blocks import EventBlock, TraceEvent
from estimator.traces.report import summary_data, summary_lines
from estimator.traces.row_uses import ROWS, WAITING_MAX, LargestRows, RowSequences

START_S = 1_789_948_800.0


def blocks(events: list[TraceEvent], size: int) -> list[EventBlock]:
    return [EventBlock.from_events(events[n : n + size]) for n in range(0, len(events), size)]


@pytest.mark.parametrize("size", [1, 7, 1_000])
def test_the_largest_rows_are_those_of_a_sorted_list(size: int) -> None:
    random = np.random.default_rng(2)
    drawn = [(b"k%d" % random.integers(0, 60), int(random.integers(0, 10**6))) for _ in range(2_000)]
    largest = LargestRows()
    for block in blocks([TraceEvent(START_S, "write", key, bytes_, "") for key, bytes_ in drawn], size):
        largest.add(block)
    best: dict[bytes, int] = {}
    for key, bytes_ in drawn:
        best[key] = max(best.get(key, -1), bytes_)
    expected = sorted(best.items(), key=lambda item: -item[1])[:ROWS]
    assert [(row.key, row.bytes) for row in largest.rows] == expected


def test_requests_without_a_size_tell_no_largest_row() -> None:
    largest = LargestRows()
    largest.add(EventBlock.from_events([TraceEvent(START_S, "read", b"k", None, "")] * 9))
    assert largest.rows == ()


def written_then_read(rows: int, *, read_share: float, after_s: float) -> list[TraceEvent]:
    """Return writes one a second, of which some are read so much later."""
    random = np.random.default_rng(3)
    events = []
    for n in range(rows):
        at, key = START_S + n, b"row%07d" % n
        events.append(TraceEvent(at, "write", key, 10, ""))
        if random.random() < read_share:
            events.append(TraceEvent(at + after_s * (0.9 + 0.2 * random.random()), "read", key, 10, ""))
    return sorted(events)


@pytest.mark.parametrize("size", [500, 25_000])
def test_what_follows_what_is_found_with_its_share_and_time(size: int) -> None:
    found = RowSequences()
    for block in blocks(written_then_read(60_000, read_share=0.3, after_s=120.0), size):
        found.add(block, block.key_column.hashes())
        assert len(found.waiting) <= WAITING_MAX
    after_write = {one.following: one for one in found.next_requests() if one.operation == "write"}
    assert set(after_write) == {"read", ""}
    assert after_write["read"].share == pytest.approx(0.3, abs=0.05)
    assert after_write["read"].median_seconds == pytest.approx(120, rel=0.1)
    assert sum(one.share for one in after_write.values()) == pytest.approx(1)
    assert all(one.following == "" for one in found.next_requests() if one.operation == "read")


@pytest.mark.parametrize("rows", [4_000, 20_000])
def test_requests_whose_next_one_the_log_no_longer_has_do_not_distort_the_shares(rows: int) -> None:
    shares = []
    for seed in range(5):
        random = np.random.default_rng(seed)
        events = []
        for n in range(rows):
            at = START_S + n
            events.append(TraceEvent(at, "write", b"%d" % n, None, ""))
            if random.random() < 0.4:
                events.append(TraceEvent(at + random.exponential(600), "read", b"%d" % n, None, ""))
        found = RowSequences(_random=random)
        for block in blocks(sorted(e for e in events if e.time_s < START_S + rows), 4_000):
            found.add(block, block.key_column.hashes())
        shares.append(next(one.share for one in found.next_requests() if one.following == "read"))
    assert np.mean(shares) == pytest.approx(0.4, abs=0.02)


def test_rows_that_are_waited_for_are_bounded_in_number() -> None:
    found = RowSequences()
    events = [TraceEvent(START_S, "write", b"%07d" % n + b"x" * 4_000, None, "") for n in range(6_000)]
    for block in blocks(events, 100):
        found.add(block, block.key_column.hashes())
    assert len(found.waiting) <= WAITING_MAX
    assert found.next_requests() == (), "the log is shorter than an hour: what did not come may come yet"


def test_report_and_data_tell_them_and_hashes_stand_for_keys_where_asked() -> None:
    reader = TraceReader(UnreadLines())
    for block in blocks(written_then_read(8_000, read_share=0.5, after_s=5.0), 1_000):
        reader.add(block)
    summary = reader.summary()
    text = "\n".join(summary_lines(summary))
    assert "largest rows, by one request: row" in text
    assert "after a write, for the same row within 1 hour, of a sample of " in text
    data = summary_data(summary)["tables"][0]
    assert data["next_requests"][0]["operation"] in ("read", "write")
    hashed = hash_keys(summary, b"secret")
    assert "row0" not in str(summary_data(hashed)["tables"][0]["largest_rows"])
