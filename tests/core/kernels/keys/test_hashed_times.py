"""Keys with a hash of a time, or of a bucket of it."""

import tracemalloc
from hashlib import md5
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.key import TimeSegment
from designer.document.keytext import parse_key
from estimator.kernels.keys import (
    EventDistribution,
    TimeDistribution,
    compile_pattern,
    key_summary,
    sample_keys,
    shares_below,
)
from estimator.kernels.keys.patterns.cells import TimeSpans
from estimator.kernels.keys.patterns.hashed_times import time_texts
from estimator.kernels.keys.rendering import render
from estimator.kernels.keys.rendering.clock import time_text
from estimator.results import NotComputableError
from tests.cases import cases

HOUR_US = 3_600_000_000


def _spec(key: str) -> Spec:
    user: dict[str, Any] = {
        "id": "user",
        "name": "user",
        "values": {"kind": "pattern", "text": "u{n:03}"},
        "distinct": 50,
    }
    spec = Spec.model_validate({"start": "2026-04-01", "horizon_months": 2, "fields": [user]})
    kind = {"id": "k", "key": parse_key(spec, key).segments}
    return Spec.model_validate({**spec.model_dump(), "tables": [{"id": "t", "row_kinds": [kind]}]})


def _hash(text: str) -> bytes:
    return md5(text.encode(), usedforsecurity=False).hexdigest()[:4].encode()


@pytest.mark.parametrize("key", ["{hash(time:hour)}#{time}", "{hash(time)}#{time}", "{hash(time:hour)}#{user}#{time}"])
def test_a_key_shows_the_hash_of_its_own_time_in_byte_order_and_as_keys_arrive(key: str) -> None:
    spec = _spec(key)
    step = HOUR_US // 1_000 if "hour" in key else 1

    ordered = list(sample_keys(spec, "k", 600))
    arriving = list(sample_keys(spec, "k", 200, order="arrival"))
    shown = key_summary(compile_pattern(spec, "k")).samples

    assert ordered == sorted(ordered)
    for found in (*ordered, *arriving, *shown):
        time_ms = int(found.split(b"#")[-1])
        assert found.split(b"#")[0] == _hash(str(time_ms // step * step))


def test_all_events_of_a_bucket_are_written_to_one_place_that_moves_from_bucket_to_bucket() -> None:
    pattern = compile_pattern(_spec("{hash(time:hour)}#{user}"), "k")
    start_s = 1_775_606_400.0
    hours = EventDistribution(TimeDistribution.windows(start_s, start_s + 6 * 3_600, count=6))
    places = [_hash(str(int(start_s * 1_000) + hour * 3_600_000)) for hour in range(6)]

    bounds = sorted({bound for place in places for bound in (place, place + b"$")})
    below = shares_below(pattern, hours, bounds)

    inside = np.diff(below, axis=1)[:, [bounds.index(place) for place in places]]
    assert np.allclose(inside, np.eye(6))
    assert len(set(places)) == 6


def test_many_hashes_are_those_of_one_after_the_other() -> None:
    times_us = np.arange(1_775_000_000_000_000, 1_776_000_000_000_000, 7_777_777_777)
    for form, digits in (("hex", 5), ("base64", 7), ("raw", 4)):
        for bucket in ({"resolution": "hour"}, {"resolution": "day", "pattern": "%Y%m%d"}, {"bucket_seconds": 300}):
            segment = TimeSegment.model_validate(
                {"id": "s", "hash": "sha256", "hash_form": form, "hash_digits": digits} | bucket
            )
            assert time_texts(segment, times_us).tolist() == [time_text(segment, at) for at in times_us.tolist()]


@cases("pattern", ["%d.%-m.%Y", "%-H:%M %p", "%b %-d", "%GW%-V", "%y%j%H%M%S.%f"])
@cases("is_reversed", [False, True])
def test_many_dates_are_those_of_one_after_the_other(pattern: str, is_reversed: bool) -> None:
    times_us = np.arange(1_766_000_000_000_000, 1_776_000_000_000_000, 77_777_777_777)
    for bucket in ({}, {"resolution": "month"}, {"bucket_seconds": 5_400}):
        segment = TimeSegment(id="s", pattern=pattern).model_copy(update={"reversed": is_reversed, **bucket})
        assert time_texts(segment, times_us).tolist() == [time_text(segment, at) for at in times_us.tolist()]


def test_a_hash_of_the_time_is_of_its_milliseconds() -> None:
    [segment] = _spec("{hash(time)}").tables[0].row_kinds[0].key

    assert render.segment_text(segment, {}, render.Event({}, 1_775_606_400_123_456)) == _hash("1775606400123")


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("{hash(time:hour):2}#{user}", "tells times apart only by a hash"),
        ("{hash(time:second)}#{time}", "At most 262,144 are computed|At most {most} are computed"),
    ],
)
def test_hashes_that_tell_no_buckets_apart_and_too_many_buckets_are_refused(key: str, said: str) -> None:
    with pytest.raises(NotComputableError) as refused:
        compile_pattern(_spec(key), "k")

    assert any(text in refused.value.because.message for text in said.split("|"))


def test_a_short_hash_is_computed_where_the_key_shows_the_time() -> None:
    facts = key_summary(compile_pattern(_spec("{hash(time:hour):1}#{user}#{time}"), "k"))

    assert [round(segment.distinct) for segment in facts.segments[:2]] == [16, 50]
    assert not facts.segments[0].text_order


@pytest.mark.parametrize("pattern", ["%Y-%m-%d %I:%M:%S %p", "%d.%m.%Y %H:%M"])
def test_windows_of_a_day_are_shared_out_among_the_spans_of_time_that_they_meet(pattern: str) -> None:
    (spans,) = compile_pattern(_spec(f'{{time:"{pattern}"}}'), "k").components
    assert isinstance(spans, TimeSpans)
    day = EventDistribution(TimeDistribution.windows(1_777_000_000.0, 1_777_086_400.0, count=96))
    edges = np.linspace(0, len(spans), 5_001).astype(int)

    tracemalloc.start()
    found = spans.mass(day, edges[:-1], edges[1:])
    most_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    sums = spans.cumulative_shares(day)
    assert np.abs(found - (sums[:, edges[1:]] - sums[:, edges[:-1]])).max() < 1e-9
    assert found.sum(axis=1) == pytest.approx(np.ones(96))
    assert most_bytes < sums.nbytes / 2  # no sums of all spans for each window: these took a second of every estimate
