"""Whose popularity decides, where a field belongs to another: that of the value if it is stated, else its owner's."""

import numpy as np
import pytest

from designer.document import Spec
from estimator.kernels.keys import compile_pattern, row_classes

OWNERS, VALUES = 20, 400
OWNER_ZIPF, ZIPF = {"kind": "zipf", "theta": 0.7}, {"kind": "zipf", "theta": 1.2}
TEXT = {"kind": "string", "values": {"kind": "pattern", "text": "v{n:04}"}, "assigned": "arbitrary"}


def classes_of(owner=None, value=None, activity=(), **more):
    tenant = {**TEXT, "id": "tenant", "distinct": OWNERS, **({"popularity": owner} if owner else {})}
    user = {**TEXT, "id": "user", "distinct": VALUES, "belongs_to": "tenant", **more}
    user |= {"popularity": value} if value else {}
    key = [{"id": f"k-{name}", "kind": "field", "field": name, "after": "#"} for name in ("tenant", "user")]
    kind = {"id": "k", "key": key, "writes": [{"id": "w", "activity": "a"}]}
    drawn = {"id": "a", "rate_per_second": 1.0, "draws": list(activity)}
    spec = Spec.model_validate(
        {"fields": [tenant, user], "activities": [drawn], "tables": [{"id": "t", "row_kinds": [kind]}]}
    )
    pattern = compile_pattern(spec, "k")
    return row_classes(pattern, pattern.steady_distribution())


def zipf(count, theta):
    weights = np.arange(1, count + 1.0) ** -theta
    return weights / weights.sum()


@pytest.mark.parametrize("owner", [None, OWNER_ZIPF, {"kind": "weights", "weights": [0.9], "rest": 0.1}])
@pytest.mark.parametrize("fan_out", [{}, {"fan_out": {"law": OWNER_ZIPF}}])
def test_the_stated_popularity_of_a_value_decides_whatever_its_owners_is(owner, fan_out):
    found = classes_of(owner=owner, value=ZIPF, **fan_out)

    assert found.counts.sum() == pytest.approx(VALUES)
    assert found.shares[:50] == pytest.approx(zipf(VALUES, 1.2)[:50])


def test_where_only_the_owners_is_stated_its_values_are_even():
    found = classes_of(owner=OWNER_ZIPF)

    assert found.shares.max() == pytest.approx(zipf(OWNERS, 0.7)[0] / (VALUES / OWNERS))
    assert found.shares.min() == pytest.approx(zipf(OWNERS, 0.7)[-1] / (VALUES / OWNERS))


def test_values_that_come_are_drawn_as_is_stated():
    found = classes_of(value=ZIPF, growth_per_day=86_400 * 0.1)  # a tenth of the events could name a new one

    assert found.shares.max() > 0.1
