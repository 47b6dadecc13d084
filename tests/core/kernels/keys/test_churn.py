"""Values that come and go: the ones in use share the traffic as if the others had never been."""

import numpy as np
import pytest

from designer.document import Spec
from estimator.kernels.keys import EventDistribution, TimeDistribution, compile_pattern, hottest_row, row_classes


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

    classes = row_classes(pattern, EventDistribution(TimeDistribution.windows(end - 86_400, end, 1)))

    ranks = np.arange(1, 1_000_001, dtype=np.float64) ** -0.3
    assert classes.shares.max() == pytest.approx(1 / ranks.sum(), rel=0.05)
    assert classes.counts.sum() == pytest.approx(1_000_000, rel=0.05)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("owner_days", [None, 1])
@pytest.mark.parametrize(
    "popularity", [{"kind": "zipf", "theta": 0.9}, {"kind": "latest"}, {"kind": "weights", "weights": [2, 1]}]
)
def test_somebody_is_there_though_values_die_faster_than_new_ones_come(popularity, owner_days):
    user = {
        "id": "user", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 10**9}, "distinct": 5000,
        "growth_per_day": 3000, "lifetime_days": 0.001, "popularity": popularity,
    }  # fmt: skip
    owner = {"id": "tenant", "name": "tenant", "distinct": 1000, "growth_per_day": 50, "lifetime_days": owner_days}
    fields = [user] if owner_days is None else [owner, {**user, "belongs_to": "tenant"}]
    kind = {"id": "k", "key": [{"id": "s", "kind": "field", "field": "user"}]}
    spec = Spec.model_validate({"fields": fields, "tables": [{"id": "t", "row_kinds": [kind]}]})
    pattern = compile_pattern(spec, "k", ids_max=300)
    end = pattern.inputs.end_s

    classes = row_classes(pattern, EventDistribution(TimeDistribution.windows(end - 86_400, end, 1)))

    assert classes.shares @ classes.counts == pytest.approx(1)


def test_a_list_of_weights_keeps_its_share_while_values_come_and_go():
    user = {
        "id": "user", "kind": "string", "values": {"kind": "pattern", "text": "u{n:06}"}, "distinct": 84,
        "growth_per_day": 1.6, "lifetime_days": 36.5,
        "popularity": {"kind": "weights", "weights": [3, 1, 1], "rest": 20},
    }  # fmt: skip
    kind = {"id": "k", "key": [{"id": "s", "kind": "field", "field": "user"}]}
    spec = Spec.model_validate({"fields": [user], "tables": [{"id": "t", "row_kinds": [kind]}], "horizon_months": 1})
    pattern = compile_pattern(spec, "k")
    end = pattern.inputs.end_s

    classes = row_classes(pattern, EventDistribution(TimeDistribution.windows(end - 86_400, end, 1)))

    assert classes.shares[:3] == pytest.approx([3 / 25, 1 / 25, 1 / 25])
    assert classes.counts.sum() == pytest.approx(84 * (1 - 30 / 36.5) + 1.6 * 30, abs=2)


@pytest.mark.parametrize(
    ("popularity", "share"),
    [({"kind": "latest", "theta": 1}, 0.1928), ({"kind": "hot_set", "value_share": 0.01, "traffic_share": 0.8}, 0.8)],
)
def test_the_busiest_row_of_a_moment_is_that_of_the_values_in_use_then(popularity, share):
    """A hundred values at a time, of which one is replaced each hour."""
    user = {
        "id": "user", "kind": "string", "values": {"kind": "pattern", "text": "u{n:06}"}, "distinct": 100,
        "growth_per_day": 24, "lifetime_days": 100 / 24, "popularity": popularity,
    }  # fmt: skip
    kind = {"id": "k", "key": [{"id": "s", "kind": "field", "field": "user"}]}
    spec = Spec.model_validate({"fields": [user], "tables": [{"id": "t", "row_kinds": [kind]}], "horizon_months": 1})
    pattern = compile_pattern(spec, "k")
    end = pattern.inputs.end_s

    day = EventDistribution(TimeDistribution.windows(end - 86_400, end, 1))

    assert hottest_row(pattern, day, 0)[1] == pytest.approx(share, rel=0.01)
