"""The range of a bill: what assumed values can do to it lies inside, and nothing is ranged that was said."""

from itertools import product
from typing import Any

import pytest

from designer.document import Spec
from designer.document.load import from_data
from estimator.advice.questions.bill_range import alternatives, bill_range
from estimator.advice.questions.open_guesses import open_guesses, with_values
from tests.contexts import context, estimate

SAID = {"distinct": 10_000, "popularity": {"kind": "uniform"}}
NEWEST = {"kind": "max_versions", "versions": 1}


def _design(per_second: float = 2, *, value_bytes: int = 1_000, **tenant: Any) -> Spec:
    """Rows of tenants, overwritten; what is not said of the tenant is assumed."""
    key = [{"id": "s", "kind": "field", "field": "tenant"}]
    kind = {"id": "k", "key": key, "writes": [{"id": "w", "activity": "a", "mode": "overwrite"}]}
    columns = [{"id": "c", "qualifier": "c", "value": {"kind": "random", "typical_bytes": value_bytes}}]
    families = [{"id": "f", "name": "f", "gc": NEWEST, "columns": columns}]
    return from_data(
        {
            "fields": [{"id": "tenant", "name": "tenant", **tenant}],
            "activities": [{"id": "a", "name": "saved", "rate_per_second": per_second}],
            "tables": [{"id": "t", "name": "profiles", "row_kinds": [kind], "families": families}],
            "instance": {"clusters": [{"id": "cluster", "region": "us-central1"}]},
        }
    )


def _range(spec: Spec) -> Any:
    return bill_range(spec, estimate(spec), context())


def test_a_design_without_assumed_values_has_no_range() -> None:
    assert _range(_design(**SAID)) is None


def test_an_open_number_of_values_makes_the_bill_a_range() -> None:
    found = _range(_design(value_bytes=1_000_000, popularity=SAID["popularity"]))

    assert found is not None
    assert [guess.name for guess in found.guesses] == ["distinct"]
    assert found.is_complete
    assert found.low < found.high


@pytest.mark.parametrize("per_second", [2, 2_000, 40_000])
@pytest.mark.parametrize("value_bytes", [1_000, 100_000])
@pytest.mark.parametrize("said", [{}, {"distinct": 500}, {"popularity": {"kind": "uniform"}}])
def test_every_combination_estimated_in_full_lies_in_the_range(
    per_second: float, value_bytes: int, said: dict[str, Any]
) -> None:
    spec = _design(per_second, value_bytes=value_bytes, **said)
    bill, found = estimate(spec).bill, _range(spec)
    assert bill is not None

    chosen = [(None, *alternatives(guess)) for guess in open_guesses(spec, ["t"])]
    for combination in product(*chosen):
        other = estimate(with_values(spec, [change for each in combination for change in each or ()])).bill
        if other is None:
            assert found is not None
            assert found.has_unserved
        elif found is not None:
            assert found.low <= other.total <= found.high
        else:
            assert abs(other.total - bill.total) < 1
