"""What moves the bill: the skew that nobody has stated."""

import json
from dataclasses import replace
from decimal import Decimal

import pytest

from designer.document import Spec
from designer.document.guesses import steep_popularity
from designer.document.key import SaltSegment
from estimator.advice.rules.shared.examples import design, field_part, read_part, salt_part, time_part
from estimator.facts.reading import RowKindFacts
from estimator.facts.salts import salt_effect
from tests.contexts import estimate, what_if
from tests.core.advice.published import Published


def readings(popularity=None, *, distinct=1_000):
    """The last day of a device, read as often as devices write."""
    device = {
        "id": "device", "name": "device", "values": {"kind": "pattern", "text": "d{n:04}"}, "distinct": distinct,
        "assigned": "arbitrary", **({"popularity": popularity} if popularity else {}),
    }  # fmt: skip
    asked = read_part(binds=("device",), time={"days": 1}, rate_per_second=100)
    return design(field_part("device", "#"), time_part(), fields=(device,), per_second=1_000, reads=(asked,))


def skew_of(spec):
    made = estimate(spec)
    return made, [one for one in what_if(spec, made).sensitivities if one.name == "skew"]


def test_a_guessed_skew_is_ranked_by_what_it_does_to_the_bill() -> None:
    made, (found,) = skew_of(readings())

    law = steep_popularity(readings(), readings().fields[0]).model_dump()
    even, steep = (estimate(readings(one)).bill.total for one in ({"kind": "uniform"}, law))

    assert found.low == pytest.approx(even, abs=Decimal(1))
    assert found.high == pytest.approx(steep, abs=Decimal(1))
    assert found.low < made.bill.total < found.high
    assert found.params["fields"] == ("device",)
    assert what_if(readings(), made).sensitivities[0] is found  # it moves this bill more than anything else


def test_a_table_that_the_guess_does_not_reach_is_billed_with_the_others() -> None:
    data = readings().model_dump(mode="json", exclude_unset=True)
    (table,), (device,) = data["tables"], [field for field in data["fields"] if field["id"] == "device"]
    data["activities"].append({"id": "calm", "rate_per_second": 1_000})
    other = json.dumps(table).replace('"id": "', '"id": "other-').replace('"device"', '"other"')
    data["tables"].append(json.loads(other.replace('"activity": "activity"', '"activity": "calm"')))
    data["fields"].append({**device, "id": "other", "name": "other", "popularity": {"kind": "uniform"}})

    made, (found,) = skew_of(Spec.model_validate(data))

    assert found.params["fields"] == ("device",)
    assert found.low < made.bill.total < found.high


@pytest.mark.parametrize("spec", [readings({"kind": "zipf", "theta": 0.9}), readings(distinct=999)])
def test_a_stated_or_even_skew_moves_nothing(spec) -> None:
    made, found = skew_of(spec)

    assert found == []
    assert what_if(spec, made).sensitivities


def test_who_may_not_see_all_of_a_design_is_told_nothing_computed_from_the_rest() -> None:
    spec = readings()
    made = estimate(spec)

    assert what_if(spec, replace(made, bills=())) == ((), ())
    assert what_if(spec.model_copy(update={"name": "less of it"}), made) == ((), ())
    shown = replace(made, sensitivities=what_if(spec, made).sensitivities[:1])
    assert what_if(spec.model_copy(update={"name": "less of it"}), shown).sensitivities == shown.sensitivities


def test_what_a_salt_prevents_is_told_by_the_busiest_value_wherever_its_weight_is_listed() -> None:
    law = {"kind": "weights", "weights": [1, 8], "rest": 1}
    device = {"id": "device", "name": "device", "distinct": 50, "popularity": law}
    spec = design(salt_part(16), field_part("device", "#"), time_part(), fields=(device,), per_second=1_000)
    table = estimate(spec).tables[spec.tables[0].id]
    rows = RowKindFacts(spec, spec.tables[0], spec.tables[0].row_kinds[0], table)

    effect = salt_effect(rows, spec.tables[0].row_kinds[0].segments[0])

    assert effect is not None
    assert effect.sentence.params["without_per_second"] == pytest.approx(800, rel=0.01)


@pytest.mark.parametrize(
    ("key", "prevents"),
    [
        ("{salt(series):16}:{metric}", "It keeps rows small"),
        ("{metric}:{salt(metric):16}", "Writes do not need it"),
        ("{metric}#{time:hour}#{salt(series):16}", "It does not spread writes"),
    ],
)
def test_a_salt_is_told_what_it_prevents(key: str, prevents: str) -> None:
    fields = {
        "metric": {"distinct": 1_000, "popularity": {"kind": "weights", "weights": [1], "rest": 99}},
        "series": {"distinct": 50_000_000, "belongs_to": "metric"},
    }
    columns = ({"qualifier_from": "{series}", "value": {"kind": "text", "typical_bytes": 350}},)
    spec = Published("Series", "", key, 580, fields, (), write={"mode": "new_column"}, columns=columns).spec
    table = estimate(spec).tables["table"]
    rows = RowKindFacts(spec, spec.tables[0], spec.tables[0].row_kinds[0], table)
    salt = next(segment for segment in rows.kind.segments if isinstance(segment, SaltSegment))

    effect = salt_effect(rows, salt)

    assert effect is not None
    assert prevents in str(effect.sentence)
    assert effect.is_needed == (prevents == "It keeps rows small")
