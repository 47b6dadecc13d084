"""A map explained: where its cause is outlined, and which tables have an explanation."""

import numpy as np
import pytest

from designer.examples import example
from estimator.comparison.explanation import LEAST_OUTLINE, explanation, hottest_cell
from estimator.presentation.design_page import DesignPage
from tests.contexts import design_page


@pytest.fixture(scope="module")
def mistake() -> DesignPage:
    return design_page(example("timestamp-first").spec)


def test_the_outline_holds_the_hottest_cell_nearest_to_the_middle() -> None:
    cells = np.zeros((10, 20))
    cells[0, 0] = cells[6, 11] = 2.0
    found = hottest_cell(cells)
    assert found.left <= 11 / 20
    assert found.left + found.width >= 12 / 20
    assert found.top <= 6 / 10
    assert found.top + found.height >= 7 / 10


def test_the_outline_stays_on_the_map() -> None:
    cells = np.zeros((200, 300))
    cells[199, 299] = 1.0
    found = hottest_cell(cells)
    assert found.width == found.height == LEAST_OUTLINE
    assert found.left + found.width == pytest.approx(1)
    assert found.top + found.height == pytest.approx(1)


def test_the_fix_of_a_key_that_starts_with_time_cools_its_map(mistake: DesignPage) -> None:
    found = explanation(mistake, "metrics")
    assert found is not None
    assert found.remark.finding.rule == "K004"
    shares = [side.peak.params["peak_share"] for side in found.sides if side.peak]
    assert shares[0] > 1 > shares[1]
    assert found.before.picture != found.after.picture
    assert len(found.before.labels) >= 2


def test_a_map_without_a_fix_has_no_explanation() -> None:
    page = design_page(example("karte").spec)
    assert explanation(page, "users") is None


def test_another_table_than_the_changed_one_has_no_explanation(mistake: DesignPage) -> None:
    assert explanation(mistake, "nothing") is None
