"""Values that come and go: the ones in use share the traffic as if the others had never been."""

import numpy as np
import pytest

from designer.spec import Spec
from estimator.keys import Law, TimeLaw, compile_pattern, row_classes


def test_the_busiest_of_many_users_that_come_and_go_has_the_share_that_zipf_gives_it():
    user = {
        "id": "user", "kind": "string", "values": {"kind": "random", "min": 12, "max": 12}, "distinct": 1_000_000,
        "growth_per_day": 10_000, "lifetime_days": 100, "assigned": "arbitrary",
        "popularity": {"kind": "zipf", "theta": 0.3},
    }  # fmt: skip
    kind = {"id": "k", "key": [{"id": "s", "kind": "field", "field": "user"}]}
    spec = Spec.model_validate({"fields": [user], "tables": [{"id": "t", "row_kinds": [kind]}]})
    pattern = compile_pattern(spec, "k")
    end = pattern.inputs.end_s

    classes = row_classes(pattern, Law(TimeLaw.windows(end - 86_400, end, 1)))

    ranks = np.arange(1, 1_000_001, dtype=np.float64) ** -0.3
    assert classes.shares.max() == pytest.approx(1 / ranks.sum(), rel=0.05)
    assert classes.counts.sum() == pytest.approx(1_000_000, rel=0.05)
