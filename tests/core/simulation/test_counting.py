"""Counts: of single events drawn against those computed, of balls in bins, of bursts and of scans."""

import math
from bisect import bisect_right
from functools import reduce

import numpy as np
import pytest

from estimator.kernels.keys import bounds_of, stream
from estimator.kernels.keys.samples.events import source_of
from estimator.kernels.keys.samples.sample import keys_of
from estimator.simulation import NotComputableError, NothingToSimulateError, Parameters, count, planning
from estimator.simulation.counting import expected_counts
from tests.contexts import plan
from tests.core.kernels.traffic.designs import TIME, design, field, of
from tests.core.simulation.designs import START, ZIPF, run, sequence, users


def exact_p(counts, shares, *, draws=999):
    """How often a multinomial of the same law is at least as far from its mean: Pearson's statistic, its own law."""
    kept = shares > 0
    assert counts[~kept].sum() == 0
    shares, counts, total = shares[kept] / shares[kept].sum(), counts[kept], int(counts.sum())

    def far(sample):
        return ((sample - total * shares) ** 2 / (total * shares)).sum(axis=-1)

    drawn = far(np.random.default_rng(7).multinomial(total, shares, size=draws))
    return (1 + int((drawn >= far(counts)).sum())) / (draws + 1)


KEYS = {
    "users": users(per_second=3.0, popularity=ZIPF),
    "salted sequence": sequence(per_second=3.0, salt=4),
    "hash, then days": design(
        {"kind": "hash", "fields": ["user"], "digits": 2, "after": "#"}, of("user"),
        {"kind": "time", "resolution": "day", "pattern": "%Y%m%d"}, fields=[field("user", 500, popularity=ZIPF)],
        per_second=3.0, write={"mode": "new_column"}, start=START, horizon_months=1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KEYS)
def test_events_drawn_one_by_one_follow_the_shares_that_are_computed(name: str) -> None:
    made = plan(KEYS[name], Parameters(counting="generated", seed=11))
    counts = count(made, 40, 44).flows[0][0]

    shares = made.shares(made.flows[0], 0)
    for column, window in enumerate(range(40, 44)):
        assert exact_p(counts[:, column], shares[:, window % shares.shape[1]]) > 0.001


@pytest.mark.slow
@pytest.mark.parametrize("name", KEYS)
def test_many_events_drawn_one_by_one_follow_the_shares_that_are_computed(name: str) -> None:
    big = KEYS[name].activities[0].model_copy(update={"rate_per_second": 2_000.0})
    made = plan(KEYS[name].model_copy(update={"activities": (big,)}), Parameters(counting="generated"))
    counts = count(made, 0, 24).flows[0][0]

    shares = made.shares(made.flows[0], 0)
    least = min(exact_p(counts[:, w], shares[:, w % shares.shape[1]], draws=2_999) for w in range(24))
    assert least > 0.001 / 24


def fullest_bin(balls: int, bins: int, most: int) -> float:
    """P(no bin has more than so many balls): balls! / bins^balls times a coefficient of (Σ x^i / i!)^bins."""
    one = np.array([math.exp(-balls / bins) * (balls / bins) ** i / math.factorial(i) for i in range(most + 1)])
    power = reduce(lambda p, _: np.convolve(p, p)[: balls + 1], range(round(math.log2(bins))), one)
    return float(power[balls] if len(power) > balls else 0.0) / math.exp(
        -balls + balls * math.log(balls) - math.lgamma(balls + 1)
    )


def test_the_fullest_range_is_that_of_balls_in_bins() -> None:
    """One row per device every quarter of an hour, hashed: as many balls as there are ranges of about equal size."""
    hashed = design(
        {"kind": "hash", "fields": ["device"], "digits": 8}, fields=[field("device", 65_536)], per_second=None,
        activity={"arrival": {"kind": "every", "seconds": 900 * 64, "field": "device"}}, write={"mode": "overwrite"},
        start=START, horizon_months=1,
    )  # fmt: skip
    made = plan(hashed, Parameters(seeds=2))
    counts = count(made, 0, 96).flows[0]

    assert (counts.sum(axis=1) == 1_024).all()
    mean = sum(1 - fullest_bin(1_024, 1_024, most) for most in range(12))
    maxima = counts.max(axis=1).ravel()
    assert maxima.mean() == pytest.approx(mean, abs=4 * maxima.std() / math.sqrt(len(maxima)) + 0.05)


def test_bursts_share_a_key() -> None:
    burst = users(per_second=10.0, activity={"arrival": {"kind": "bursts", "size": 50}})
    made = plan(burst, Parameters())
    counts = count(made, 0, 96).flows[0][0]

    assert (counts % 50 == 0).all()
    assert counts.sum() == pytest.approx(864_000, rel=4 * math.sqrt(50 / 864_000))


def test_a_scan_is_counted_in_every_range_that_it_covers() -> None:
    read = {"rate_per_second": 1.0, "profile": {"kind": "flat"}}
    made = plan(users(reads=[read]), Parameters())
    scan = made.flows[1]

    result = run(users(reads=[read]), seed=3).tables["t"]

    assert scan.pieces == made.tables[0].ranges
    assert (result.reads.sum(axis=0) > 700).all()
    assert (result.node_ns > 0).all()
    assert result.node_ns.std(axis=0).max() < 0.2 * result.node_ns.mean()


def test_what_is_expected_is_what_is_drawn_on_average() -> None:
    made = plan(users(per_second=1_000.0, popularity=ZIPF), Parameters())
    mean, drawn = expected_counts(made).flows[0][0], count(made, 0, 96).flows[0][0]

    enough = mean > 50
    far = (drawn - mean)[enough] / np.sqrt(mean[enough])
    assert abs(far.mean()) < 4 / math.sqrt(enough.sum())
    assert far.std() == pytest.approx(1, abs=0.02)


def test_a_beat_may_stop_the_work_and_is_heard_often() -> None:
    made = plan(users(per_second=100_000.0), Parameters(counting="generated"))
    told = []

    def beat(done: float, doing: str) -> None:
        told.append(done)
        if len(told) > 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        count(made, 0, 96, beat)
    assert told == sorted(told)
    assert made.drawn_events == made.events == (100_000 * 86_400)


def test_a_design_without_traffic_says_why_there_is_nothing_to_simulate() -> None:
    silent = design(TIME, fields=[], per_second=0.0)
    unknown = design(TIME, fields=[], per_second=None)

    with pytest.raises(NothingToSimulateError, match=r"Nothing to simulate: no writes or reads have a rate yet\."):
        plan(silent, Parameters())
    with pytest.raises(NotComputableError, match="has no rate"):
        plan(unknown, Parameters())
    with pytest.raises(NotComputableError, match=r"this cannot be served\."):
        plan(users(per_second=1e17), Parameters())


def test_a_day_after_a_load_has_ended_has_nothing_of_it() -> None:
    ended = users(activity={"ends_on": "2026-01-20"})
    day = Parameters(from_day=3)

    with pytest.raises(NothingToSimulateError, match=r"all loads have ended by then"):
        plan(ended, Parameters())
    assert plan(ended, day).events == 40_000 * 86_400
    assert plan(ended, Parameters(from_day=20)).events == 0


def test_counts_that_do_not_fit_into_64_bits_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "MOST_NS", 1e15)

    with pytest.raises(NotComputableError, match=r"w: .* exceed the limit of a simulation\."):
        plan(users(per_second=1e8), Parameters())


STEEP = {"kind": "zipf", "theta": 1.2}
CROWDED = design(
    of("user"), {"kind": "time", "reversed": True}, fields=[field("user", 500, popularity=STEEP)],
    per_second=3.0, start=START, horizon_months=1,
)  # fmt: skip
WIDE = design(
    of("user"), of("shop"), of("device"), TIME, fields=[field(name, 5_000) for name in ("user", "shop", "device")],
    per_second=3.0, start=START, horizon_months=1,
)  # fmt: skip


@pytest.mark.parametrize(("spec", "words"), [(CROWDED, 1), (WIDE, 2)], ids=["crowded bounds", "two words"])
def test_codes_are_counted_where_their_keys_are(spec, words: int) -> None:
    made = plan(spec, Parameters())
    flow = made.flows[0]
    source, rng = source_of(flow.pattern, made.distribution(flow, 0), 3), stream(1, 2)
    own = sorted(keys_of(source, source.draw(rng, 40)))  # bounds that are keys, some of which come again

    for cuts in (made.tables[0].bounds, own):
        bounds = bounds_of(source.codec, cuts)
        drawn = source.draw(rng, 2_000)
        keys, codes = keys_of(source, drawn), source.codec.codes(drawn)
        expected_ranges = [bisect_right(cuts, key) for key in keys]
        assert len(codes) == words
        assert bounds.ranges_of(codes).tolist() == expected_ranges
        assert bounds.count_codes(codes).tolist() == np.bincount(expected_ranges, minlength=len(cuts) + 1).tolist()
    equal = source.codec.codes(source.draw(stream(1, 2), 40))  # the very keys that are bounds
    assert sorted(bounds_of(source.codec, own).ranges_of(equal).tolist()) == [bisect_right(own, key) for key in own]
