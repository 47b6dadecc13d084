"""What is remembered of keys is what would be computed afresh."""

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from designer.document import Spec
from designer.memory import Cache
from estimator.kernels.keys import (
    EventDistribution,
    NotComputableError,
    TimeDistribution,
    compile_pattern,
    equal_bounds,
    range_shares,
)
from tests.core.kernels.keys.designs import designs
from tests.core.kernels.keys.test_events import SPECS


def hours(pattern, windows=3):
    return EventDistribution(TimeDistribution.windows(pattern.inputs.end_s - 7200, pattern.inputs.end_s, windows))


def assert_bounds_are_remembered_right(pattern):
    law = hours(pattern)
    bounds = equal_bounds([(pattern, law, 1.0)], 50)
    shares = range_shares(pattern, law, bounds)
    pattern.clear_cache()

    np.testing.assert_allclose(range_shares(pattern, law, bounds), shares, atol=1e-9)


@pytest.mark.parametrize("name", SPECS)
def test_bounds_that_were_computed_are_where_they_are_found(name):
    assert_bounds_are_remembered_right(compile_pattern(SPECS[name], "k"))


@settings(suppress_health_check=list(HealthCheck))
@given(designs())
def test_bounds_of_any_key_are_where_they_are_found(spec):
    try:
        pattern = compile_pattern(spec, "k")
    except NotComputableError:
        assume(False)

    assert_bounds_are_remembered_right(pattern)


def test_keys_of_many_tables_share_the_values_that_they_are_made_from():
    cache = Cache(1 << 28)
    users = {"kind": "field", "field": "user", "after": "#"}
    spec = Spec.model_validate(
        {
            "fields": [{"id": "user", "name": "user", "distinct": 1000}],
            "tables": [
                {"id": f"t{n}", "row_kinds": [{"id": f"k{n}", "key": [{**users, "id": f"s{n}"}, time]}]}
                for n, time in enumerate([{"id": "a", "kind": "time"}, {"id": "b", "kind": "time", "reversed": True}])
            ],
        }
    )

    first, second = (compile_pattern(spec, f"k{n}", cache=cache) for n in range(2))

    tables = [next(c for c in pattern.components if len(c.stages)) for pattern in (first, second)]
    assert tables[0] is tables[1]
    assert first.levels[0].segment.id != second.levels[0].segment.id
