"""Every pattern of the gallery has designs that must be named so, and near ones that must not."""

import numpy as np
import pytest

from estimator.kernels.traffic.pattern import time_pattern
from tests.core.kernels.traffic.designs import DIURNAL, NEWEST, TIME, design, field, of, traffic_of

DEVICE = field("device", 50_000)
ZIPF = field("device", 50_000, popularity={"kind": "zipf", "theta": 0.9})
TENANT = field("tenant", 100)
SKEWED = field("tenant", 100, popularity={"kind": "weights", "weights": [40], "rest": 60})
REGION = field("region", 4)
COUNTER = field(
    "order", 1_000_000, kind="integer", assigned="sequential", growth_per_day=864_000,
    values={"kind": "range", "min": 1, "max": 10**10}, popularity={"kind": "latest"},
)  # fmt: skip
HASH = {"kind": "hash", "fields": ["device"], "after": "_"}
OVERWRITE = {"mode": "overwrite"}
GET = {"binds": [{"field": "device"}], "rate_per_second": 5_000}

NAMED = {
    "evenly_spread": {
        "hashed devices": design(HASH, of("device", ""), fields=[DEVICE], write=OVERWRITE, gc=NEWEST),
        "a device's readings": design(of("device"), TIME, fields=[DEVICE]),
        "usual skew behind a hash": design(HASH, of("device", ""), fields=[ZIPF], write=OVERWRITE, gc=NEWEST),
        "a big tenant with as many of the rows": design(of("tenant"), of("device"), TIME, fields=[SKEWED, DEVICE]),
        "a hundred salts before the time": design({"kind": "salt", "modulo": 100, "after": "#"}, TIME),
        "reads and writes alike": design(of("device", ""), fields=[DEVICE], write=OVERWRITE, gc=NEWEST, reads=[GET]),
    },
    "periodic": {
        "a daily wave": design(of("device"), TIME, fields=[DEVICE], activity={"profile": DIURNAL}),
        "office hours": design(of("device"), TIME, fields=[DEVICE], activity={"profile": {"kind": "office"}}),
        "twelve hours a day": design(
            of("device"), TIME, fields=[DEVICE], activity={"profile": {"kind": "batch", "hours": 12}}
        ),
    },
    "sudden_increase": {
        "a batch of two hours": design(
            of("device"), TIME, fields=[DEVICE], activity={"profile": {"kind": "batch", "hours": 2}}
        ),
    },
    "hot_range": {
        "readers of one tenant": design(
            of("tenant"), of("device"), TIME, fields=[TENANT, DEVICE], per_second=50,
            reads=[
                {
                    "rate_per_second": 50,
                    "binds": [
                        {"field": "tenant", "popularity": {"kind": "weights", "weights": [90], "rest": 10}},
                        {"field": "device"},
                    ],
                    "newest_rows": 100,
                }
            ],
        ),
        "writers of few old ids": design(
            of("device", ""), fields=[{**DEVICE, "popularity": {"kind": "weights", "weights": [1] * 300, "rest": 100},
                                       "assigned": "sequential"}],
            write=OVERWRITE, gc=NEWEST,
        ),
    },
    "sequential": {
        "time first": design(TIME, of("device", ""), fields=[DEVICE]),
        "four regions before the time": design(of("region"), TIME, fields=[REGION]),
        "a counted id": design(of("order", "", transforms=[{"kind": "pad", "width": 12}]), fields=[COUNTER],
                               per_second=10),
        "sorted backfill": design(
            of("device"), TIME, fields=[DEVICE], activity={"arrival": {"kind": "backfill", "days": 30}}
        ),
        "the day first": design({"kind": "time", "resolution": "day", "pattern": "%Y%m%d", "after": "#"},
                                of("device", ""), fields=[DEVICE]),
    },
    "single_hot_row": {
        "one counter": design({"kind": "literal", "text": "total"}, write={"mode": "increment"}, gc=NEWEST),
        "a celebrity": design(
            of("device", ""), fields=[{**DEVICE, "popularity": {"kind": "zipf", "theta": 2}}], write=OVERWRITE,
            gc=NEWEST,
        ),
    },
    "idle": {"no events": design(of("device"), TIME, fields=[DEVICE], per_second=0)},
}  # fmt: skip
CASES = [(name, title) for name, designs in NAMED.items() for title in designs]


@pytest.mark.parametrize(("name", "title"), CASES, ids=[f"{n}: {t}" for n, t in CASES])
def test_the_design_is_named_so(name, title):
    first = traffic_of(NAMED[name][title]).patterns[0]

    assert first.name == name
    assert first.share > 0.5
    assert first.ours == (name in ("single_hot_row", "idle"))


def test_rows_that_cannot_be_read_in_full_are_named_beside_the_rest():
    large = design(of("region", ""), fields=[REGION], write={"mode": "new_cell"}, gc=None)
    bounded = design(of("region", ""), fields=[REGION], write={"mode": "new_cell"}, gc=NEWEST, per_second=0.01)

    assert ("large_rows", True) in [(p.name, p.ours) for p in traffic_of(large).patterns]
    assert "large_rows" not in [p.name for p in traffic_of(bounded).patterns]


def test_a_mixture_says_its_shares():
    mixed = design(TIME, of("device", ""), fields=[DEVICE], reads=[{"rate_per_second": 4_000, "binds": [
        {"field": "device"}], "exact_time": True, "age_days": 15, "profile": DIURNAL}])  # fmt: skip
    patterns = {p.name: p.share for p in traffic_of(mixed).patterns}

    assert set(patterns) == {"sequential", "periodic"}
    assert sum(patterns.values()) == pytest.approx(1)
    assert 0.3 < patterns["sequential"] < 0.7


def test_a_few_more_fronts_than_an_eye_tells_apart_are_even():
    salted = {n: design({"kind": "salt", "modulo": n, "after": "#"}, TIME) for n in (8, 32)}

    assert traffic_of(salted[8]).patterns[0].name == "sequential"
    assert traffic_of(salted[32]).patterns[0].name == "evenly_spread"


@pytest.mark.parametrize(("busiest", "name"), [(1.25, "evenly_spread"), (1.4, "periodic")])
def test_bands_show_from_a_third_above_the_mean(busiest, name):
    wave = 1 + (busiest - 1) * np.cos(np.linspace(0, 2 * np.pi, 96, endpoint=False))

    assert time_pattern(wave) == name
