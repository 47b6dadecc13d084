"""Requests of a log under another key: the keys byte for byte, and the load as plain loops count it."""

import hashlib
from collections import Counter, defaultdict
from itertools import compress
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.key import SaltSegment
from designer.document.keytext import parse_key
from designer.examples import examples
from estimator.estimates.estimate import estimate
from estimator.traces import EventSample, Replay, ReplayError, replay
from estimator.traces.blocks import EventBlock, TraceEvent
from estimator.traces.replays.key_load import PADDED_BYTES, RANGES, order_rows
from estimator.traces.replays.key_values import KeyParser
from estimator.traces.replays.key_writing import KeyWriter
from estimator.traces.replays.replay import WINDOWS
from tests.cases import cases
from tests.contexts import context

FIELDS = [
    {"id": "tenant", "name": "tenant"},
    {"id": "device", "name": "device", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 99_999}},
    {"id": "site", "name": "site", "kind": "domain"},
]
SPEC = Spec.model_validate({"fields": FIELDS})
LONG = 2**63 - 1
START_S = 1_790_000_000
LOG_KEY = "{tenant}#{device}#{time}"


def segments(key: str) -> Any:
    return parse_key(SPEC, key).segments


def md5(text: str) -> str:
    return hashlib.md5(text.encode()).hexdigest()


@cases("log, new, log_text, new_text", [
        (LOG_KEY, "{time}#{device:pad5}", "acme#42#1790000000123", "1790000000123#00042"),
        (LOG_KEY, "{hash(tenant,device):4}#{device}", "acme#42#1790000000123", f"{md5('acme42')[:4]}#42"),
        (LOG_KEY, "{tenant:first2}#{time:rev}", "acme#42#1790000000123", f"ac#{LONG - 1_790_000_000_123}"),
        (LOG_KEY, '{device:from=99999:pad5}#{time:"%Y%m%d"}', "acme#42#1790000000123", "99957#20260921"),
        ('{device:pad5}#{time:"%Y-%m-%d"}', "{device:hex8}", "00042#2026-09-21", "0000002a"),
        ("{device:plus100}#{tenant}", "{tenant}#{device:reverse}", "142#acme", "acme#24"),
        ("{site:domain}#{tenant}", "{tenant}#{site}", "com.example.www#acme", "acme#www.example.com"),
        ("{device:hex8:upper}", "{device}", "0000002A", None),
        ('{time:hour:"%Y%m%d%H"}#{tenant}', "{tenant}#{time:day:unit=s}", "2026092114#acme", "acme#1789948800"),
        ("{time:bucket=5m:unit=bucket}#{tenant}", "{time:bucket=1h:unit=s}", "5966666#acme", "1789999200"),
        ("{time:day:unit=d}", '{time:month:"%Y%m"}', "20717", "202609"),
        ("{site:percent}", "{site}", "a%2Fb%20c", "a/b c"),
        ("{time:rev}#{tenant}", "{tenant}#{time:unit=s:second}", f"{LONG - 1_790_000_000_123}#acme", "acme#1790000000"),
    ])  # fmt: skip
def test_a_key_becomes_another_byte_for_byte(log: str, new: str, log_text: str, new_text: str | None) -> None:
    parser = KeyParser(SPEC, segments(log))
    if new_text is None:
        with pytest.raises(ReplayError, match="hold only a part of device"):
            KeyWriter(SPEC, segments(new), parser)
        return
    values, is_read = parser.parse([log_text.encode()])
    assert is_read.tolist() == [True]
    writer = KeyWriter(SPEC, segments(new), parser)
    assert not writer.needs_event_time
    assert writer.write(values, values.times_us, [log_text.encode()]) == [new_text.encode()]


@cases(
    "log, new, is_needed",
    [
        ("{time:bucket=5m}", "{time:hour}", False),
        ("{time:bucket=7m}", "{time:hour}", True),  # nine of them are three minutes more than an hour
        ("{time:bucket=90m}", "{time:month}", False),
        ("{time:bucket=2d}", "{time:week}", True),
        ("{time:hour}", "{time:bucket=5m}", True),
        ("{time:day}", "{time:bucket=10d}", False),
        ("{time:month}", "{time:bucket=90d}", True),
        ("{time:day}", "{time:month}", False),
        ("{device}", "{time:month}", True),
    ],
)
def test_a_buckets_start_tells_the_longer_buckets_that_it_lies_within(log: str, new: str, is_needed: bool) -> None:
    assert KeyWriter(SPEC, segments(new), KeyParser(SPEC, segments(log))).needs_event_time is is_needed


@cases("example", [each for each in examples() if each.spec.engine == "bigtable"])
def test_sample_keys_of_every_example_are_taken_apart_and_made_again(example: Any) -> None:
    spec = example.spec
    found = estimate(spec, context())
    for table in spec.tables:
        for kind in table.row_kinds:
            if any(isinstance(segment, SaltSegment) and not segment.fields for segment in kind.key):
                continue  # drawn at random
            parser = KeyParser(spec, kind.key)
            try:
                writer = KeyWriter(spec, kind.key, parser)
            except ReplayError:
                continue  # a hash alone does not hold its field
            facts = found.tables[table.id].keys.get(kind.id)
            samples = list(facts.samples) if facts else []
            values, is_read = parser.parse(samples)
            read = list(compress(samples, is_read))
            assert writer.write(values, values.times_us, read) == read


def test_keys_that_do_not_hold_what_is_needed_are_refused_by_name() -> None:
    for new, said in (
        ("{site}", "do not hold site, but device, tenant$"),
        ("{hash(tenant)}", "hold only a part of tenant$"),
        ("{site}#{hash(tenant)}", "do not hold site and hold only a part of tenant$"),
    ):
        with pytest.raises(ReplayError, match=said):
            KeyWriter(SPEC, segments(new), KeyParser(SPEC, segments("{tenant:lower}#{device}")))
    with pytest.raises(ReplayError, match=r"do not hold site, tenant, but device$"):
        KeyWriter(SPEC, segments("{site}#{tenant}#{device}"), KeyParser(SPEC, segments("{device}")))


def drawn_log(number: int = 6_000) -> list[tuple[float, str, str, int]]:
    """Draw requests: time, operation, tenant and device."""
    random = np.random.default_rng(3)
    times = np.sort(random.random(number)) * 96_000 + START_S
    tenants = random.choice(["acme", "globex", "initech"], number, p=[0.7, 0.2, 0.1])
    kinds = np.where(random.random(number) < 0.5, "write", "read")
    devices = random.integers(1, 200, number)
    return list(zip(times.tolist(), kinds.tolist(), tenants.tolist(), devices.tolist(), strict=True))


def sample_of(log: list[tuple[float, str, str, int]]) -> EventSample:
    sample = EventSample()
    sample.add(
        EventBlock.from_events(
            [
                TraceEvent(t, kind, f"{tenant}#{device}#{int(1_000 * t)}".encode(), None, "")
                for t, kind, tenant, device in log
            ]
        )
    )
    return sample


def counted_load(keys: list[bytes], log: list[tuple[float, str, str, int]], kind: str) -> float:
    """Count the mean share of the busiest range one by one."""
    order = {key: place for place, key in enumerate(sorted(set(keys)))}
    first, last = log[0][0], log[-1][0]
    windows: dict[int, Counter[int]] = defaultdict(Counter)
    for key, (time, operation, _, _) in zip(keys, log, strict=True):
        if operation == kind:
            windows[int((time - first) // ((last - first) / WINDOWS))][order[key] * RANGES // len(order)] += 1
    busiest = sum(max(counts.values()) for counts in windows.values())
    return busiest / sum(counts.total() for counts in windows.values())


@pytest.mark.parametrize(
    ("new", "made"),
    [
        ("{time}#{tenant}#{device}", lambda t, tenant, device: f"{int(1_000 * t)}#{tenant}#{device}"),
        ("{device:pad3}#{tenant}#{time}", lambda t, tenant, device: f"{device:03}#{tenant}#{int(1_000 * t)}"),
        ("{tenant}#{time:hour:unit=s}", lambda t, tenant, device: f"{tenant}#{int(t) // 3_600 * 3_600}"),
        (LOG_KEY, lambda t, tenant, device: f"{tenant}#{device}#{int(1_000 * t)}"),
    ],
)  # fmt: skip
def test_the_load_is_what_plain_loops_count(new: str, made: Any) -> None:
    log = drawn_log()
    found = replay(sample_of(log), SPEC, segments(LOG_KEY), segments(new))
    keys = [made(t, tenant, device).encode() for t, _, tenant, device in log]
    load = found.loads[-1]
    assert len(found.loads) == 1 + (new != LOG_KEY)
    assert (found.requests, found.total, load.rows) == (len(log), len(log), len(set(keys)))
    assert load.busiest_row_share == max(Counter(keys).values()) / len(log)
    for kind in ("read", "write"):
        assert load.operations[kind].busiest_share == pytest.approx(counted_load(keys, log, kind))


def test_times_first_is_hot_and_devices_first_is_as_even_as_chance() -> None:
    found: Replay = replay(
        sample_of(drawn_log()), SPEC, segments("{tenant}#{device}#{time}"), segments("{time}#{tenant}#{device}")
    )
    _, new = found.loads
    assert new.operations["write"].busiest_share > 0.6
    even = replay(sample_of(drawn_log()), SPEC, segments(LOG_KEY), segments("{device:pad3}#{tenant}#{time}")).loads[1]
    assert even.operations["write"].busiest_share == pytest.approx(even.operations["write"].even_share, rel=0.15)


def test_reads_of_rows_whose_time_the_keys_do_not_hold_are_left_out() -> None:
    log = drawn_log(2_000)
    sample = EventSample()
    sample.add(
        EventBlock.from_events(
            [TraceEvent(t, kind, f"{tenant}#{device}".encode(), None, "") for t, kind, tenant, device in log]
        )
    )
    found = replay(sample, SPEC, segments("{tenant}#{device}"), segments("{tenant}#{time}"))
    reads = sum(kind == "read" for _, kind, _, _ in log)
    assert (found.unknown_time, found.requests) == (reads, len(log) - reads)
    assert set(found.loads[1].operations) == {"write"}


def test_requests_with_another_pattern_are_counted() -> None:
    sample = sample_of(drawn_log(500))
    sample.add(EventBlock.from_events([TraceEvent(START_S, "read", b"what is this", None, "")] * 7))
    assert replay(sample, SPEC, segments(LOG_KEY), segments("{device}")).other_pattern == 7
    alone = EventSample()
    alone.add(EventBlock.from_events([TraceEvent(START_S, "read", b"what is this", None, "")]))
    with pytest.raises(ReplayError, match=r"another pattern than \{"):
        replay(alone, SPEC, segments(LOG_KEY), segments("{device}"))


def test_a_sample_is_of_all_requests_alike() -> None:
    sample = EventSample(limit=1_000)
    for place in range(0, 20_000, 700):
        sample.add(
            EventBlock.from_events(
                [TraceEvent(float(n), "read", b"k", None, "") for n in range(place, min(place + 700, 20_000))]
            )
        )
    times = np.array([event.time_s for event in sample.events])
    assert (sample.total, times.size, np.unique(times).size) == (20_000, 1_000, 1_000)
    assert times.mean() == pytest.approx(10_000, rel=0.06)
    assert np.histogram(times, 4, (0, 20_000))[0] == pytest.approx(np.full(4, 250), abs=60)


def test_a_sample_of_long_keys_is_smaller() -> None:
    sample = EventSample(limit=1_000, limit_bytes=100_000)
    for _ in range(5):
        sample.add(EventBlock.from_events([TraceEvent(float(n), "read", b"k" * 1_000, None, "") for n in range(500)]))
    assert (sample.total, sample.limit) == (2_500, len(sample.events))
    assert 50 <= len(sample.events) <= 100


def test_times_beyond_every_calendar_are_no_times() -> None:
    sample = sample_of(drawn_log(200))
    key = f"acme#7#{LONG}".encode()  # 13 digits are a time in milliseconds; these have 19
    reversed_key = b"acme#" + b"0" * 19
    sample.add(EventBlock.from_events([TraceEvent(START_S, "read", each, None, "") for each in (key, reversed_key)]))
    assert replay(sample, SPEC, segments(LOG_KEY), segments('{tenant}#{time:"%Y%m%d"}')).other_pattern == 2
    alone = EventSample()
    keys = [reversed_key, b"acme#%d" % (LONG - 1_790_000_000_123)]
    alone.add(EventBlock.from_events([TraceEvent(START_S, "read", each, None, "") for each in keys]))
    found = replay(alone, SPEC, segments("{tenant}#{time:rev}"), segments('{time:"%Y%m%d"}'))
    assert (found.other_pattern, found.requests, found.loads[1].bounds) == (1, 1, (b"20260921",))


def test_rows_are_in_byte_order_however_long_their_keys_are() -> None:
    keys = [b"b", b"a\0", b"a", b"a\0\0", b"\xff", b"a" * 9, b"b", b"a\0"]
    for more in ([], [b"z" * (PADDED_BYTES // len(keys))]):
        places, firsts = order_rows([*keys, *more])
        ordered = [[*keys, *more][place] for place in firsts.tolist()]
        assert ordered == sorted({*keys, *more})
        assert [ordered[place] for place in places.tolist()] == [*keys, *more]


def test_requests_with_line_ends_in_their_keys_are_replayed_alike() -> None:
    sample = EventSample()
    keys = [b"a\nb#1", b"c#2", b"d#x", b"a\nb#1"]
    sample.add(EventBlock.from_events([TraceEvent(START_S, "read", key, None, "") for key in keys]))
    found = replay(sample, SPEC, segments("{tenant}#{device}"), segments("{device:pad3}#{tenant}"))
    assert (found.requests, found.other_pattern) == (3, 1)
    assert list(found.keys) == [b"001#a\nb", b"002#c", b"001#a\nb"]
