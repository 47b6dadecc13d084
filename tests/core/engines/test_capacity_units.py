"""Capacity units of operations whose sizes vary."""

import numpy as np
import pytest

from estimator.engines.capacity_units import mean_units, write_units
from estimator.kernels.compression.values.sizes import draw_sizes


@pytest.mark.parametrize(
    ("mean", "largest", "expected"),
    [
        (4_096, 4_096, 1.0),
        (4_097, 4_097, 2.0),
        (1_000, 4_096, 1.0),
        # Of Beta(2, 2) on 0 … 2 units, half is above one: 1 + ½.
        (4_096, 8_192, 1.5),
        # Of Beta(2, 4) on 0 … 3 units: (2/3)⁴ × (1 + 4/3) above one, (1/3)⁴ × (1 + 8/3) above two.
        (4_096, 12_288, 1 + 112 / 243 + 11 / 243),
        (4_096, 1e12, 1.5),
    ],
)
def test_each_operation_is_rounded_up_by_itself(mean, largest, expected):
    assert mean_units(mean, largest - mean) == pytest.approx(expected)
    assert write_units("overwrite", 96, mean - 96, largest - mean).write == pytest.approx(expected)


def test_the_mean_of_units_is_that_of_the_sizes_that_are_drawn_elsewhere():
    sizes = draw_sizes(np.random.default_rng(7), 200_000, 6_000, 60_000)

    assert mean_units(6_000, 54_000) == pytest.approx(np.ceil(sizes / 4_096).mean(), rel=5e-3)
