"""A document's estimate as a whole: what is remembered, and what is said where inputs lack."""

import copy
import datetime
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal

import numpy as np
import pytest
from pydantic import ValidationError

from designer.document import Spec
from designer.document.load import from_data
from designer.examples import example
from designer.memory import Cache
from estimator.advice.rules import findings
from estimator.advice.rules.shared.cards import cards
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.estimates import estimate as estimates
from estimator.estimates.estimate import table_estimate as fresh
from estimator.estimates.table_inputs import table_inputs
from estimator.presentation.plain_data import to_plain
from tests.contexts import context, estimate


def small():
    return design(
        field_part("device", "#"),
        time_part(),
        reads=[read_part(binds=["device"], time={"days": 1}, rate_per_second=20)],
        table={"history_months": 2},
    )


def doubled_numbers(data, path=()):
    """The document with one of its numbers doubled, for each of them."""
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for key, value in items:
        if isinstance(value, int | float) and not isinstance(value, bool) and key != "format":
            yield (*path, key)
        else:
            yield from doubled_numbers(value, (*path, key))


def with_doubled(data, path):
    changed = copy.deepcopy(data)
    place = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] *= 2
    return changed


def alike(one, other):
    """Equal to the last bit, arrays included."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    if is_dataclass(one):
        return type(one) is type(other) and all(
            alike(getattr(one, f.name), getattr(other, f.name)) for f in fields(one)
        )
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, Mapping):
        return one.keys() == other.keys() and all(alike(item, other[key]) for key, item in one.items())
    return one == other


def test_a_remembered_part_is_what_a_fresh_one_would_be():
    data = small().model_dump(mode="json", exclude_unset=True)
    estimate(small())
    compared = 0
    for path in doubled_numbers(data):
        try:
            spec = Spec.model_validate(with_doubled(data, path))
        except ValidationError:
            continue
        remembered = estimate(spec).tables["table"]
        assert alike(remembered, fresh(spec, spec.tables[0])), path
        compared += 1
    assert compared >= 8


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Another name", "description": "Another text"},
        {"ignores": ({"id": "i", "rule": "K004", "at": "table", "reason": "known", "owner": "Ana"},)},
    ],
)
def test_words_about_a_design_need_no_new_computation(change):
    spec = small()
    other = Spec.model_validate({**spec.model_dump(mode="json", exclude_unset=True), **change})

    assert table_inputs(other, other.tables[0]) == table_inputs(spec, spec.tables[0])


def test_a_new_table_leaves_the_others_as_they_are():
    spec = example("saas-tenants").spec
    data = spec.model_dump(mode="json", exclude_unset=True)
    more = Spec.model_validate({**data, "tables": [*data["tables"], {"id": "new", "name": "new"}]})

    for table in spec.tables:
        assert table_inputs(more, more.find(table.id)) == table_inputs(spec, table)


def test_a_field_that_a_hash_is_of_counts():
    spec = example("karte").spec
    data = spec.model_dump(mode="json", exclude_unset=True)
    data["fields"][0]["distinct"] += 1

    changed = Spec.model_validate(data)
    assert table_inputs(changed, changed.tables[0]) != table_inputs(spec, spec.tables[0])


def test_an_empty_design_says_that_it_has_no_table():
    made = estimate(Spec())

    assert [str(because) for because in made.because] == ["No tables yet."]


def test_a_write_without_a_rate_leaves_the_load_open_and_names_the_activity():
    made = estimate(design(field_part("device", "#"), time_part(), per_second=None))

    part = made.tables["table"]
    assert part.traffic is None
    assert [because.at for because in part.because] == ["activity"]
    assert part.keys["rows"].samples


def test_a_tablestore_design_has_capacity_units_and_no_nodes():
    spec = Spec.model_validate({"engine": "tablestore", "tables": [{"id": "t", "name": "cards"}]})

    made = estimate(spec)

    assert (made.nodes, made.placements) == ((), ())
    assert [units.table for units in made.capacity_units] == ["t"]
    assert [line.item for line in made.bills[-1].lines] == ["storage", "unknown_table"]


def test_the_same_document_gives_the_same_estimate():
    first, again = (
        to_plain(fresh(spec, spec.tables[0])) for spec in (example("mobile-devices").spec for _ in range(2))
    )

    assert first == again


@pytest.mark.parametrize(
    ("reserved", "instance", "day"),
    [
        (0, "high_performance", {"metered_read": "864.00"}),
        (4_000, "high_performance", {"reserved_read": "53.76", "metered_read": "518.40"}),
        (0, "capacity", {"metered_read": "345.60"}),
    ],
)
def test_ten_thousand_reads_a_second_cost_what_the_billing_examples_say(reserved, instance, day):  # T4, T5
    spec = cards(
        reads=(read_part(binds=("card",), exact_time=True, rate_per_second=10_000),),
        settings={"reserved_read_cu": reserved},
        instance={"tablestore_type": instance, "month_hours": 720},
    )

    lines = {line.item: line.cost for line in estimate(spec).bill.lines if line.item.endswith("_read")}

    assert {item: cost / 30 for item, cost in lines.items()} == {item: Decimal(cost) for item, cost in day.items()}


def test_rules_need_no_what_if_and_find_the_same_without() -> None:
    spec = example("iot-fleet").spec
    day = datetime.date(2026, 11, 20)

    whole, less = estimate(spec), estimate(spec)

    assert (less.sensitivities, less.outlooks) == ((), ())
    assert less.bills == whole.bills
    assert [str(f) for f in findings(spec, less, day)] == [str(f) for f in findings(spec, whole, day)]


def test_a_reason_names_an_element_as_it_is_called_now() -> None:
    cache = Cache(1 << 20)
    unnamed = from_data({"activities": [{"id": "a"}], "tables": [{"id": "t"}, {"id": "u", "row_kinds": [
        {"id": "k", "writes": [{"id": "w"}]}]}]})  # fmt: skip
    before = estimates.estimate(unnamed, replace(context(), cache=cache))
    called = unnamed.model_dump(mode="json", exclude_unset=True)
    called["tables"][0]["name"], called["tables"][1]["row_kinds"][0]["writes"][0]["name"] = "orders", "append"
    after = estimates.estimate(from_data(called), replace(context(), cache=cache))

    assert [str(part.because[-1]) for part in before.tables.values()] == [
        "“t” has no writes.", "The write “w” does not specify an activity.",
    ]  # fmt: skip
    assert [str(part.because[-1]) for part in after.tables.values()] == [
        "“orders” has no writes.", "The write “append” does not specify an activity.",
    ]  # fmt: skip


def test_a_key_that_is_refused_is_one_reason_and_the_others_are_of_their_own() -> None:
    refused = design(time_part(resolution="hour", hash="md5", hash_digits=1))
    empty = design(write={"activity": None})

    (of_refused,) = estimate(refused).tables["table"].because
    of_empty = [one.message for one in estimate(empty).tables["table"].because]

    assert "only by a hash" in of_refused.message
    assert len(of_empty) == 2
    assert not any("no row key yet" in message for message in of_empty)
