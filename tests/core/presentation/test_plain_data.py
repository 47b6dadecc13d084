"""Results as plain data: what JSON can carry."""

import json
import math

import numpy as np
import pytest

from estimator.advice.rules.shared.examples import design, field_part, time_part
from estimator.presentation.plain_data import to_plain
from tests.contexts import estimate

NUMBERS = [(math.inf, None), (-math.inf, None), (math.nan, None), (np.array([1, math.inf]), [1.0, None]), (0.5, 0.5)]


@pytest.mark.parametrize(("value", "expected"), NUMBERS)
def test_a_number_that_json_does_not_have_is_null(value, expected):
    assert to_plain(value) == expected


def test_an_estimate_without_any_load_is_valid_json():
    cluster = {"id": "main", "name": "main", "region": "us-central1"}
    result = estimate(design(field_part("device", "#"), time_part(), per_second=0, clusters=(cluster,)))

    assert any(math.isinf(placement.reachable_factor) for placement in result.placements)
    json.dumps(to_plain(result), allow_nan=False)
