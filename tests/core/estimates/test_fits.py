"""Assumed values that are fitted to known sizes and shares, beside what plain numpy draws with them."""

from typing import Any

import numpy as np
import pytest

from designer.document import Spec, effective_value, guess
from designer.document.edits import Set, apply
from designer.document.known_shares import busiest_share, popularity_with
from designer.document.load import from_data
from designer.document.popularity import Uniform, Weights, Zipf
from estimator.advice.questions import lint
from estimator.estimates.fits import with_fits
from estimator.presentation.origins import origins
from estimator.results import Finding
from tests.cases import cases
from tests.contexts import context, estimate

START = "2026-01-01"
PER_SECOND = 0.5
DAYS = 30
VALUE_BYTES = 100_000
MIB = 2**20


def _tenants(known: dict[str, Any], *, user: bool = False, value: Any = None, **tenant: Any) -> Spec:
    """Events of tenants, one cell each: in a row for each tenant and day, or in a row for each tenant and user."""
    second = {"kind": "field", "field": "user"} if user else {"kind": "time", "resolution": "day"}
    return from_data({
        "start": START,
        "fields": [
            {"id": "tenant", "name": "tenant", "distinct": 500, **tenant},
            {"id": "user", "name": "user", "distinct": 100_000, "popularity": {"kind": "uniform"}, "belongs_to": "-"},
        ],
        "activities": [{"id": "a", "name": "saved", "rate_per_second": PER_SECOND}],
        "tables": [{
            "id": "t", "name": "events", "history_months": 3,
            "row_kinds": [{
                "id": "k", "known": [{"id": "seen", **known}],
                "key": [{"id": "s1", "kind": "field", "field": "tenant", "after": "#"}, {"id": "s2", **second}],
                "writes": [{"id": "w", "activity": "a", "mode": "overwrite"}],
            }],
            "families": [{"id": "f", "name": "f", "columns": [{
                "id": "c", "qualifier_from": [{"id": "q", "kind": "time"}],
                "value": {"kind": "random", **(value or {"typical_bytes": VALUE_BYTES, "max_bytes": VALUE_BYTES})},
            }]}],
        }],
        "instance": {"clusters": [{"id": "cluster", "region": "us-central1"}]},
    })  # fmt: skip


def _weights(law: Any) -> np.ndarray:
    """Return the share of each tenant, by rank."""
    weights = np.arange(1, 501, dtype=np.float64) ** -(law.theta if isinstance(law, Zipf) else 0.0)
    return np.asarray(weights / weights.sum())


def _asked(spec: Spec, rule: str) -> list[Finding]:
    return [each for each in lint(spec, estimate(spec), context()) if each.rule == rule]


@pytest.mark.parametrize("mib", [120, 900])
def test_drawn_events_fill_the_largest_row_that_was_seen(mib: float) -> None:
    spec = with_fits(_tenants({"largest_row_mib": mib, "date": "2026-03-01"}))
    law = effective_value(spec, spec.find("tenant"), "popularity")
    rng = np.random.default_rng(5)

    days = [rng.poisson(PER_SECOND * 86_400 * _weights(law)) for _ in range(91 + 59)]  # to the day on which it was seen

    assert np.max(days) * VALUE_BYTES / MIB == pytest.approx(mib, rel=0.03)
    [outcome] = spec.fits.outcomes
    assert outcome.is_reached
    assert outcome.modelled_size == pytest.approx(mib * MIB, rel=1e-3)


def test_drawn_events_make_the_rows_of_the_largest_prefix_that_was_seen() -> None:
    known = {"prefix": "tenant", "prefix_rows": 60_000, "date": "2026-01-31"}
    spec = with_fits(_tenants(known, user=True))
    law = effective_value(spec, spec.find("tenant"), "popularity")
    rng = np.random.default_rng(5)
    events = rng.poisson(PER_SECOND * 86_400 * (3 * 30.4375 + DAYS))  # since three months before the start

    tenants = rng.choice(500, size=events, p=_weights(law))
    users = rng.integers(100_000, size=events)

    assert len(np.unique(users[tenants == 0])) == pytest.approx(60_000, rel=0.02)


@cases("values", [2, 30, 5_000, 10**6])
@cases("share", [0.6, 0.03])
def test_the_busiest_value_has_its_known_share(share: float, values: int) -> None:
    law = popularity_with(share, values)
    theta = law.theta if isinstance(law, Zipf) else 0.0

    weights = np.arange(1, values + 1, dtype=np.float64) ** -theta

    assert weights[0] / weights.sum() == pytest.approx(max(share, 1 / values), rel=1e-6)
    assert busiest_share(theta, values) == pytest.approx(weights[0] / weights.sum(), rel=1e-9)


def test_a_share_above_every_skew_is_one_value_beside_even_ones() -> None:
    assert popularity_with(0.99, 1_000) == Weights(weights=(0.99,), rest=1 - 0.99)
    assert popularity_with(1e-9, 1_000) == Uniform()


def test_a_share_is_an_answer_to_the_question_about_skew() -> None:
    known = _tenants({"largest_row_mib": 1}, busiest_share=0.03)
    tenant = known.find("tenant")

    assert effective_value(known, tenant, "popularity") == popularity_with(0.03, 500)
    assert str(guess(known, tenant, "popularity").why) == "fitted to the busiest value’s share of 0.03"
    assert _asked(known, "G001") == []


def test_an_assumed_number_of_values_makes_room_for_a_small_share() -> None:
    spec = _tenants({}, distinct=None, busiest_share=1e-8)

    assert effective_value(spec, spec.find("tenant"), "distinct") == 10**8


def test_what_is_entered_is_kept_and_the_contradiction_told_with_both_figures() -> None:
    spec = _tenants({"largest_row_mib": 4_000}, popularity={"kind": "uniform"}, busiest_share=0.5)

    share, row = _asked(spec, "G007")

    assert effective_value(with_fits(spec), spec.find("tenant"), "popularity") == Uniform()
    assert {share.params["known_share"], round(share.params["modelled_share"], 4)} == {0.5, 0.002}
    assert row.params["known_bytes"] == 4_000 * MIB
    assert row.params["modelled_bytes"] < 20 * MIB
    assert len(share.choices) == 2
    settled = apply(spec, share.choices[0].edit)[0]
    assert [each.at for each in _asked(settled, "G007")] == ["seen"]


def test_sizes_of_values_are_fitted_where_no_skew_is_assumed() -> None:
    spec = with_fits(_tenants({"largest_row_mib": 0.1}, value={"kind": "text"}, popularity={"kind": "uniform"}))

    assert set(spec.fits.values) == {("c", "typical_bytes")}
    assert spec.fits.outcomes[0].is_reached


def test_pages_compute_with_fitted_values_and_say_so() -> None:
    spec = _tenants({"largest_row_mib": 120})
    made = estimate(spec)

    assert made.tables["t"].growth.kinds[0].largest_bytes[0] == pytest.approx(120 * MIB, rel=1e-3)
    [origin] = [each for each in origins(with_fits(spec), made, "tenant") if "popularity" in each.control]
    assert (origin.kind, str(origin.why)) == ("fitted", f"fitted to the largest row of {120.0 * MIB}")


def test_an_edit_fits_again() -> None:
    fitted = with_fits(_tenants({"largest_row_mib": 120}))

    slower = apply(fitted, Set(at="a", name="rate_per_second", value=0.25, was=PER_SECOND))[0]

    before, after = (effective_value(with_fits(s), s.find("tenant"), "popularity").theta for s in (fitted, slower))
    assert after > before


def test_a_design_without_known_sizes_is_left_as_it_is() -> None:
    spec = _tenants({})

    assert with_fits(spec).fits.values == {}
    bare = from_data({"fields": [{"id": "tenant", "name": "tenant"}]})
    assert with_fits(bare) is bare
