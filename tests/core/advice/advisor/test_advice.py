"""The best candidates of bad designs are the keys of their good twins, or as good; nothing is made worse."""

import datetime

import pytest

from designer.document import Spec
from designer.document.edits import Batch, apply
from designer.examples import example
from designer.wording import key_of
from estimator.advice.advisor import Advice, Candidate
from estimator.advice.rules import RULES
from tests.contexts import advise

TODAY = datetime.date(2026, 11, 20)


def advice_on(spec: Spec) -> Advice:
    return advise(spec, next(kind.id for _, kind in spec.row_kinds()), today=TODAY, most=10)


def best_of(spec: Spec) -> tuple[Candidate, Candidate]:
    found = advice_on(spec)
    assert found.present is not None
    assert found.candidates, "no candidate"
    return found.present, found.candidates[0]


@pytest.mark.parametrize(
    ("slug", "key"),
    [
        ("timestamp-first", "{machine}#{time}"),
        ("sequential-id", "{order:pad12:reverse}"),
        ("hash-only", '{device_type}#{device_id}#{time:day:"%Y%m%d"}'),
        ("unpadded-numbers", "{playlist}#{position:pad3}"),
        ("few-write-fronts", "{region}#{salt(request):16}#{time}#{request}"),
        ("campus-orders", "[OrderNumber] {OrderNumber:reverse}"),
    ],
)
def test_best_candidate_of_a_bad_twin_is_the_good_key(slug, key):
    present, best = best_of(example(slug).spec)

    assert best.text == key
    assert best.better
    assert best.measures.errors + best.measures.warnings < present.measures.errors + present.measures.warnings


@pytest.mark.parametrize(
    "code",
    ["K004", "K005", "K008", "K010", "K017", "K021", "K022", "K026", "Q002", "R007", "R010"],
)
def test_best_candidate_of_a_rules_bad_example_is_its_good_one(code):
    good = RULES[code].good()

    _, best = best_of(RULES[code].bad())

    (_, kind), *_ = good.row_kinds()
    delimiters = str.maketrans({",": "#", " ": ""})
    assert best.text.translate(delimiters) == key_of(good, kind).translate(delimiters)
    assert code not in {rule for rule, _ in best.measures.remaining}


def test_a_bucket_is_offered_for_rows_that_grow_without_end():
    present, best = best_of(example("balloon-without-bucket").spec)

    assert present.measures.errors == 1
    assert best.measures.errors == best.measures.warnings == 0
    assert best.text.startswith("{location}#{balloon}#{time:")
    assert best.measures.largest_bytes < 100 * 2**20 < present.measures.largest_bytes
    assert any("must specify a time range" in str(text) for text in best.unsafe)


def test_a_hot_partition_key_is_spread_where_no_reader_knows_more():
    present, best = best_of(example("campus-sellers").spec)

    assert present.measures.reachable_factor < 1 < best.measures.reachable_factor
    assert best.text == "[SellerID] {SellerID}#{salt(OrderNumber):4} | [OrderNumber INTEGER] {OrderNumber}"
    assert any("needs 4 requests instead of 1" in str(text) for text in best.unsafe)


def test_a_key_that_does_well_stays():
    found = advice_on(example("machine-metrics").spec)

    assert not [candidate.text for candidate in found.candidates if candidate.better]


@pytest.mark.parametrize("code", ["K004", "R007", "R005"])
def test_using_a_candidate_is_one_edit_that_makes_its_key(code):
    spec = RULES[code].bad()

    for candidate in advice_on(spec).candidates:
        assert isinstance(candidate.edit, Batch)
        changed, inverse = apply(spec, candidate.edit)
        (_, kind), *_ = changed.row_kinds()
        assert key_of(changed, kind) == candidate.text
        assert apply(changed, inverse)[0] == spec


def test_stored_rows_make_every_change_unsafe():
    spec = RULES["K021"].bad()
    (table,) = spec.tables
    stored = spec.model_copy(update={"tables": (table.model_copy(update={"history_months": 3}),)})

    assert best_of(spec)[1].is_safe
    assert [str(text) for text in best_of(stored)[1].unsafe] == ["all stored rows must be rewritten with the new key"]


def test_personal_data_makes_way_for_what_all_readers_know():
    _, best = best_of(RULES["K020"].bad())

    assert best.text == "{user_id}"
    assert any("the key no longer includes" in str(text) for text in best.unsafe)


def test_advice_is_the_same_every_time():
    spec = RULES["K021"].bad()

    first, second = advice_on(spec), advice_on(spec)

    assert [c.text for c in first.candidates] == [c.text for c in second.candidates]
    assert [c.measures for c in first.candidates] == [c.measures for c in second.candidates]


# --- unfinished designs --------------------------------------------------------------------------------------


def unfinished(*, key: tuple[str, ...] = (), **kind: object) -> Spec:
    fields = [{"id": name, "name": name} for name in ("tenant", "user")]
    segments = [{"id": f"s-{name}", "kind": "field", "field": name, "after": "#"} for name in key]
    rows = {"id": "rows", "key": segments, **kind}
    return Spec.model_validate({"fields": fields, "tables": [{"id": "table", "row_kinds": [rows]}]})


def test_without_a_key_it_says_so():
    found = advice_on(unfinished())

    assert found.present is None
    assert [str(because) for because in found.missing] == ["No row key yet. Enter one to compare it with alternatives."]


def test_without_a_rate_reads_are_still_compared():
    read = {"id": "read", "name": "a user", "binds": [{"field": "user"}]}

    found = advice_on(unfinished(key=("tenant", "user"), reads=[read]))

    assert found.missing
    assert found.candidates[0].better
    assert found.candidates[0].text == "{user}#{tenant}"
    assert [served.access for served in found.candidates[0].measures.reads] == ["prefix"]


def test_without_reads_it_says_what_is_missing():
    found = advice_on(unfinished(key=("tenant", "user")))

    assert "No reads are defined for these rows, so only writes are compared." in map(str, found.missing)


def test_an_unknown_row_kind_is_a_key_error():
    with pytest.raises(KeyError):
        advise(unfinished(), "nothing", today=TODAY)
