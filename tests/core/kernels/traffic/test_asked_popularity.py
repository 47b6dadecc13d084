"""A read that asks for few of many evenly used values: the load on their key ranges follows it."""

from typing import Any

import pytest

from designer.document.load import from_data
from designer.document.popularity import Zipf
from estimator.kernels.keys.values.popularity import top_share
from tests.contexts import table_estimate

MANY = 1_000_000
LAWS: dict[str, tuple[dict[str, Any], float]] = {
    "zipf": ({"kind": "zipf", "theta": 1.2}, float(top_share(Zipf(theta=1.2), 1, MANY))),
    "hot set": ({"kind": "hot_set", "value_share": 1e-6, "traffic_share": 0.4}, 0.4),
    "weights": ({"kind": "weights", "weights": [40], "rest": 60}, 0.4),
    "uniform": ({"kind": "uniform"}, 0.0),
}
VALUES: dict[str, dict[str, Any]] = {
    "counted": {},
    "random": {"values": {"kind": "random", "min": 12, "max": 12}},
}


def _hottest_share(law: dict[str, Any], values: dict[str, Any]) -> float:
    """Return the share of the busiest key range in the reads of a table."""
    user = {"id": "user", "name": "user", "distinct": MANY, "popularity": {"kind": "uniform"}, **values}
    asked = {"field": "user", "popularity": law}
    data = {
        "start": "2027-01-01",
        "fields": [user],
        "activities": [{"id": "a", "rate_per_second": 1_000}],
        "tables": [
            {
                "id": "t",
                "row_kinds": [
                    {
                        "id": "k",
                        "key": [
                            {"id": "s", "kind": "field", "field": "user", "after": "#"},
                            {"id": "w", "kind": "time"},
                        ],
                        "writes": [{"id": "write", "activity": "a"}],
                        "reads": [{"id": "read", "rate_per_second": 1_000, "binds": [asked], "time": {"days": 0.01}}],
                    }
                ],
                "families": [
                    {"id": "f", "name": "f", "gc": {"kind": "max_age", "age_days": 7}, "columns": [{"id": "c"}]}
                ],
            }
        ],
    }
    spec = from_data(data)
    traffic = table_estimate(spec, spec.tables[0]).traffic
    assert traffic is not None
    load = traffic.heat.reads_per_second.mean(axis=1)
    return float(load.max() / load.sum())


@pytest.mark.parametrize("values", VALUES)
@pytest.mark.parametrize("law", LAWS)
def test_the_busiest_range_has_the_share_of_the_busiest_value(law: str, values: str) -> None:
    popularity, share = LAWS[law]

    assert _hottest_share(popularity, VALUES[values]) == pytest.approx(share, abs=0.004)
