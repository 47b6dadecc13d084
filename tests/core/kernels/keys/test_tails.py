"""Where a few users stand for many, the load of key ranges is as good as is said."""

import numpy as np

from estimator.kernels.keys import EventDistribution, TimeDistribution, compile_pattern, equal_bounds, range_shares
from tests.core.kernels.keys.designs import design


def test_the_error_of_a_head_and_an_even_tail_is_what_is_stated():
    user = {"id": "u", "distinct": 200_000, "popularity": {"kind": "zipf", "theta": 0.99}}
    spec = design([user], [{"kind": "hash", "fields": ["u"], "after": "#"}, {"kind": "field", "field": "u"}])
    exact, short = compile_pattern(spec, "k", ids_max=200_000), compile_pattern(spec, "k", ids_max=65_536)
    law = EventDistribution(TimeDistribution.windows(exact.inputs.end_s - 60, exact.inputs.end_s))
    bounds = equal_bounds([(exact, law, 1.0)], 1_024)

    errors = np.abs(range_shares(short, law, bounds)[0] - range_shares(exact, law, bounds)[0]) * 1_024

    assert exact.has_exact_ids
    assert exact.ids_error_share == 0
    assert not short.has_exact_ids
    assert errors.max() < 1.5 * short.ids_error_share < 0.15
