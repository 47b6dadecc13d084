"""Metered units second by second, reserved ones minute by minute."""

import numpy as np
import pytest

from estimator.kernels.capacity.tablestore.per_second_usage import (
    expected_metered_units,
    mean_reserved_units,
    metered_units,
)


def test_three_seconds_above_and_below_100_reserved_units_meter_30():  # T7
    assert metered_units(np.array([120.0, 95.0, 110.0]), 100) == 30


def test_an_hour_that_changes_its_reservation_is_billed_by_the_minute():  # T8
    assert mean_reserved_units([(20, 1000), (40, 1200)]) == pytest.approx(1_133.3, abs=0.05)
    assert mean_reserved_units([(20, 1500), (40, 800)]) == pytest.approx(1_033.3, abs=0.05)


def expected(varying, reserved, *, steady=0.0, each=1.0):
    arrays = (np.array([float(value)]) for value in (steady, varying, each))
    return float(expected_metered_units(*arrays, reserved)[0])


@pytest.mark.parametrize(("mean", "reserved"), [(0.3, 1), (5, 5), (5, 7.5), (80, 100), (390, 400), (900, 930)])
def test_seconds_that_vary_by_chance_meter_what_drawn_seconds_do(mean, reserved):
    drawn = np.random.default_rng(5).poisson(mean, 400_000)

    assert expected(mean, reserved) == pytest.approx(metered_units(drawn, reserved) / len(drawn), rel=0.03, abs=1e-3)


def test_requests_of_several_units_each_vary_more():
    drawn = 25.0 * np.random.default_rng(5).poisson(4, 400_000)

    assert expected(100, 110, each=25) == pytest.approx(metered_units(drawn, 110) / len(drawn), rel=0.02)
    assert expected(100, 110, each=25) > expected(100, 110)


def test_far_below_the_reservation_nothing_is_metered_and_far_above_the_difference_is():
    assert expected(10, 1_000) == 0
    assert expected(10_000, 4_000) == 6_000
    assert expected(50, 0, steady=7) == 57


def test_what_comes_evenly_is_metered_only_above_the_reservation():
    assert expected(0, 100, steady=95) == 0
    assert expected(0, 100, steady=130) == 30
    assert expected(20, 100, steady=130) == 50
