"""Fields that belong to fields that belong to fields: each value has one owner, whatever is above that."""

from designer.document import Spec
from estimator.kernels.keys import compile_pattern, key_summary


def test_a_city_lies_in_one_country_whatever_the_countries_of_the_continents_are():
    pattern = compile_pattern(_places(), "k")

    facts = key_summary(pattern)

    assert facts.distinct_rows == 6_000


def test_no_two_countries_share_a_city():
    pattern = compile_pattern(_places(), "k")

    cities = [key.split(b"#")[2] for key in key_summary(pattern).samples]

    assert len(set(cities)) == len(cities)


def _places() -> Spec:
    fields = [
        {
            "id": "continent",
            "values": {"kind": "enumeration", "items": [{"value": v} for v in ("asia", "africa", "oceania")]},
        },
        {"id": "country", "distinct": 60, "belongs_to": "continent"},
        {"id": "city", "distinct": 6_000, "belongs_to": "country", "fan_out": {"law": {"kind": "zipf", "theta": 0.5}}},
    ]
    key = [{"id": f"{field['id']}-part", "kind": "field", "field": field["id"], "after": "#"} for field in fields]
    return Spec.model_validate({"fields": fields, "tables": [{"id": "t", "row_kinds": [{"id": "k", "key": key}]}]})
