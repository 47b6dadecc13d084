"""Pictures of designs on the start page."""

import numpy as np
import pytest

from estimator.presentation.charts.heatmap import active_ranges
from estimator.presentation.charts.thumbnail import RANGES, WINDOWS, bin_means


@pytest.mark.parametrize(
    ("busy", "shown"),
    [((90, 97), 32), ((0, 3), 32), ((30, 70), 40), ((10, 90), 100), ((0, 100), 100)],
    ids=["end", "beginning", "middle", "most", "all"],
)
def test_a_picture_is_of_the_ranges_with_load_where_those_are_few(busy: tuple[int, int], shown: int) -> None:
    values = np.zeros((100, 4))
    values[slice(*busy)] = 2.0

    part = values[active_ranges(values)]

    assert len(part) == shown
    assert part.sum() == values.sum()


def test_cells_of_a_picture_are_means_of_equal_parts_or_sums_of_ranges() -> None:
    values = np.ones((1024, 24))
    values[:16] = 9.0

    shown = bin_means(values)

    assert shown.shape == (RANGES, 24)
    assert shown[0, 0] == 9.0
    assert shown[1:].tolist() == np.ones((RANGES - 1, 24)).tolist()
    assert bin_means(values, sums=True)[1, 0] == 16.0
    assert bin_means(np.ones((10, 10_080))).shape == (10, WINDOWS)
