"""What is shown of a field: examples of its values, and what the most popular take."""

from typing import Any

import pytest

from designer.document.load import from_data
from estimator.presentation.fields import examples, top_values


def shown(**field: Any) -> Any:
    spec = from_data({"fields": [{"id": "f", "name": "device", **field}]})
    return spec, spec.fields[0]


def test_examples_are_the_first_values_and_the_last() -> None:
    counted = {"kind": "pattern", "text": "d{n:04}", "start": 1}

    assert examples(*shown(distinct=900, values=counted)) == ("d0001", "d0002", "d0003", "d0004", "d0900")
    assert examples(*shown(values={"kind": "enumeration", "items": [{"value": "a"}]})) == ("a",)
    assert examples(*shown(kind="timestamp")) == ()


def test_the_top_values_take_what_the_law_says() -> None:
    found = top_values(*shown(distinct=1000, popularity={"kind": "hot_set", "value_share": 0.01, "traffic_share": 0.5}))

    assert [(top.values, top.share) for top in found] == [
        (1, pytest.approx(0.05)), (10, pytest.approx(0.5)), (100, pytest.approx(0.5 + 0.5 * 90 / 990)),
        (200, pytest.approx(0.5 + 0.5 * 190 / 990)),
    ]  # fmt: skip


def test_weights_are_told_from_the_heaviest() -> None:
    found = top_values(*shown(distinct=12, popularity={"kind": "weights", "weights": [1, 8], "rest": 1}))

    assert (found[0].values, found[0].share) == (1, pytest.approx(0.8))
    assert found[-1].values == 10
    assert found[-1].share == pytest.approx(0.9 + 0.1 * 8 / 10)


def test_few_values_have_no_top_hundred() -> None:
    assert [top.values for top in top_values(*shown(distinct=10))] == [1, 2]
