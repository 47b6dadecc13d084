"""Load per key range and window, end to end on the built-in designs."""

import numpy as np
import pytest

from designer.examples import example
from estimator.growth import table_growth_and_sizes
from estimator.keys import compile_pattern
from estimator.traffic import plan_reads, table_traffic


def traffic_of(spec, table=0, ids_max=4096):
    found = spec.tables[table]
    patterns = {kind.id: compile_pattern(spec, kind.id, ids_max=ids_max) for kind in found.row_kinds}
    growth, sizes = table_growth_and_sizes(spec, found, patterns)
    return table_traffic(spec, found, patterns, sizes, growth, plan_reads(spec, found, patterns, sizes))


SLUGS = ["machine-metrics", "timestamp-first", "sequential-id", "few-write-fronts", "ggen-tokyo", "balloons-new-cells"]


@pytest.mark.parametrize("slug", SLUGS)
def test_all_load_is_somewhere(slug):
    traffic = traffic_of(example(slug).spec)
    heat = traffic.heat

    assert heat.write_node_share.shape == (len(heat.bounds) + 1, 96)
    assert list(heat.bounds) == sorted(heat.bounds)
    assert heat.stored_share.sum() == pytest.approx(1)
    written = heat.writes_per_second.sum(axis=0).max()
    assert written == pytest.approx(sum(w.peak_rows_per_second for w in traffic.writes), rel=1e-6)
    day = traffic.day.weekday()
    hours = traffic.week_node_share[day * 24 : day * 24 + 24]
    assert heat.node_share.sum(axis=0).mean() == pytest.approx(hours.mean(), rel=1e-6)


@pytest.mark.parametrize("slug", SLUGS)
def test_ranges_hold_equal_bytes(slug):
    stored = traffic_of(example(slug).spec).heat.stored_share

    assert np.quantile(stored, 0.95) < 3 / len(stored)


def test_time_first_is_a_diagonal_that_one_node_must_take():
    traffic = traffic_of(example("timestamp-first").spec)
    busy = traffic.heat.writes_per_second > 0

    assert traffic.fronts[0].share == 1
    assert traffic.patterns[0].name == "sequential"
    assert busy.sum(axis=0).max() < 20  # in each window only the end of the table is written
    first, last = busy[:, 0].argmax(), busy[:, -1].argmax()
    assert first < last
    assert traffic.indivisible_node_share == pytest.approx(traffic.fronts[0].node_share)


def test_the_device_first_spreads_the_same_load_evenly():
    traffic = traffic_of(example("machine-metrics").spec)

    assert traffic.patterns[0].name == "evenly_spread"
    assert traffic.fronts[0].effective > 100_000
    assert traffic.indivisible_node_share < 1e-3
    assert traffic.hottest_range_share < 0.01
