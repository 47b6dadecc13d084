"""How findings are put together: order, causes, accepted risks."""

import datetime
import re

import pytest

from designer.document import Spec
from designer.document.design import Ignore
from designer.wording import element_label
from designer.wording.formatting import english
from estimator.advice.rules import RULES, findings
from estimator.advice.rules.shared.examples import DEVICE, design, field_part, time_part
from estimator.results import Finding, each_finding
from tests.cases import cases
from tests.contexts import estimate as computed
from tests.core.advice.rules.made import TODAY, estimate, front, keys, placement, segment, traffic


def time_first(node_share: float = 0.5, **settings: object) -> tuple[Finding, ...]:
    spec = design(time_part("#"), field_part("device"), **settings)
    fronts = (front("time_part", node_share), front("device_part", node_share))
    made = estimate(spec, keys=keys(spec, segment("time_part", "time")), traffic=traffic(fronts=fronts))
    return findings(spec, made, TODAY)


def ignore(**more: object) -> dict[str, object]:
    return {"id": "ignore", "rule": "K004", "at": "time_part", "reason": "loaded by night", "owner": "Ana", **more}


def test_a_consequence_stands_under_its_cause():
    found = time_first()

    assert [f.rule for f in found] == ["K004"]
    assert [f.rule for f in found[0].under] == ["K026"]


def test_a_finding_names_its_element_and_says_its_effect_in_measured_terms():
    (found,) = time_first(0.5)

    assert found.at == "time_part"
    assert found.effect == 0.5
    assert "7,000/s" in english(found.message, found.params)
    assert "The threshold is 2,800/s." in english(found.message, found.params)


def test_an_accepted_risk_is_marked_with_what_stands_under_it():
    (found,) = time_first(ignores=[ignore()])

    assert found.ignored is not None
    assert found.ignored.owner == "Ana"
    assert found.under[0].ignored is found.ignored


def test_an_acceptance_that_misses_says_where_its_rule_finds_something():
    found = time_first(ignores=[ignore(at="readings")])
    (note,) = [f for f in found if f.rule == "A001"]
    (elsewhere,) = [f for f in time_first(ignores=[ignore(rule="K001")]) if f.rule == "A001"]

    assert english(note.message, note.params) == (
        "Ana accepted K004 for the id readings, but the rule finds something at the id time_part."
    )
    assert "no longer finds anything" in english(elsewhere.message, elsewhere.params)


@pytest.mark.parametrize(("until", "open_again"), [(TODAY, False), (TODAY - datetime.timedelta(1), True)])
def test_an_acceptance_ends_after_its_last_day_and_says_so(until, open_again):
    found = time_first(ignores=[ignore(until=until)])

    assert {f.rule for f in found} == ({"K004", "A001"} if open_again else {"K004"})
    assert (found[0].ignored is None) is open_again


@pytest.mark.parametrize(("then", "noted"), [(0.26, False), (0.25, True), (None, False)])
def test_an_acceptance_whose_effect_has_doubled_is_a_note(then, noted):
    found = time_first(0.5, ignores=[ignore(effect=then)])

    assert ("A001" in {f.rule for f in found}) is noted


def test_an_acceptance_that_matches_nothing_is_a_note():
    found = time_first(ignores=[ignore(rule="K006")])

    (note,) = [f for f in found if f.rule == "A001"]
    assert (note.severity, note.at) == ("note", "ignore")
    assert (note.fix.at, note.fix_safe) == ("ignore", True)


def test_an_acceptance_of_a_consequence_is_not_idle():
    found = time_first(ignores=[ignore(rule="K026", at="device_part")])

    assert [f.rule for f in found] == ["K004"]
    assert found[0].ignored is None
    assert found[0].under[0].ignored is not None


def test_the_gravest_findings_come_first_and_accepted_ones_last():
    found = time_first(ignores=[ignore(), ignore(id="other", rule="K006")])

    assert [f.rule for f in found] == ["A001", "K004"]


def test_a_note_with_a_warning_under_it_is_a_warning():
    spec = design(time_part("#"), field_part("device"))
    fronts = (front("time_part", 0.1), front("device_part", 0.5))
    made = estimate(spec, keys=keys(spec, segment("time_part", "time")), traffic=traffic(fronts=fronts))

    found = findings(spec, made, TODAY)

    assert [(f.rule, f.severity, f.single_severity) for f in found] == [("K004", "warning", "note")]
    assert [(f.rule, f.severity) for f in found[0].under] == [("K026", "warning")]


def test_a_note_is_no_cause_of_an_error():
    spec = design(time_part("#"), field_part("device"))
    full = placement(peak_utilisation=1.5, reachable_factor=0.6, limited_by="front", limiting_table="table")
    loads = traffic(fronts=(front("time_part", 0.1),))
    made = estimate(spec, keys=keys(spec, segment("time_part", "time")), traffic=loads, placements=(full,))

    found = findings(spec, made, TODAY)

    assert [(f.rule, f.severity) for f in found if f.rule in ("I006", "K004")] == [("I006", "error"), ("K004", "note")]


def test_an_accepted_note_accepts_no_warning_under_it():
    spec = design(time_part("#"), field_part("device"), ignores=[ignore()])
    fronts = (front("time_part", 0.1), front("device_part", 0.5))
    made = estimate(spec, keys=keys(spec, segment("time_part", "time")), traffic=traffic(fronts=fronts))

    found = findings(spec, made, TODAY)

    assert [(f.rule, f.severity, f.ignored is None) for f in found] == [
        ("K026", "warning", True),
        ("K004", "note", False),
    ]


NEVER_REACHED = {"kind": "max_versions", "versions": 10**9}


def _families(*ages: float | None) -> Spec:
    """Build a design of a table with as many families; those without an age collect nothing before it piles up."""
    family = [
        {
            "id": f"f{n}",
            "name": f"f{n}",
            "gc": NEVER_REACHED if age is None else {"kind": "max_age", "age_days": age},
            "columns": [{"id": f"c{n}", "qualifier": "q", "value": {"kind": "integer"}}],
        }
        for n, age in enumerate(ages)
    ]
    return design(field_part("device"), per_second=10, write={"mode": "new_cell"}, table={"families": family})


def _single(found: tuple[Finding, ...]) -> list[tuple[str, str]]:
    return [(f.rule, f.at) for f in each_finding(found)]


def test_equal_findings_about_many_families_are_one_with_a_list():
    spec = _families(*[None] * 40, 7.0)

    (one,) = [f for f in findings(spec, computed(spec), TODAY) if f.rule == "F004"]

    assert one.is_summary
    assert [f.at for f in one.under] == [f"f{n}" for n in range(40)]
    assert "40 column families: events / f0, events / f1, events / f2 and 37 more." in english(one.message, one.params)


def test_a_family_whose_finding_is_accepted_stays_out_of_the_summary():
    accepted = {"id": "ignore", "rule": "F004", "at": "f3", "reason": "small", "owner": "Ana"}
    spec = _families(*[None] * 5).model_copy(update={"ignores": (Ignore(**accepted),)})

    found = [f for f in findings(spec, computed(spec), TODAY) if f.rule == "F004"]

    below = [[one.at for one in f.under if one.rule == "F004"] for f in found]
    assert [(f.is_summary, f.ignored is None) for f in found] == [(True, True), (False, False)]
    assert below == [["f0", "f1", "f2", "f4"], []]


def test_a_summary_adds_and_hides_no_finding():
    few, many = _families(None), _families(*[None] * 6)

    rules = {rule for rule, _ in _single(findings(few, computed(few), TODAY))}

    assert {rule for rule, _ in _single(findings(many, computed(many), TODAY))} >= rules
    assert len(_single(findings(many, computed(many), TODAY))) == len(
        set(_single(findings(many, computed(many), TODAY)))
    )


def test_no_rule_minds_an_empty_design():
    assert findings(Spec(), estimate_of_nothing(), TODAY) == ()


def estimate_of_nothing():
    from estimator.results import Estimate

    return Estimate("", {}, (), (), (), (), (), "", None, ())


def test_codes_and_names_are_unique():
    assert len({rule.name for rule in RULES.values()}) == len(RULES)
    assert all(code == rule.code for code, rule in RULES.items())


def test_a_fix_written_as_json_is_the_edit_that_it_was():
    from pydantic import TypeAdapter

    from designer.document.edits import Edit
    from estimator.presentation.plain_data import to_plain

    (found,) = time_first()

    assert found.fix is not None
    assert TypeAdapter(Edit).validate_python(to_plain(found.fix)) == found.fix


BINARY = {"id": "number", "name": "number", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 9}}
"""Ids of one byte, most of them no printable character."""


def _largest(*key: dict[str, object], **field: object) -> str:
    number = {**BINARY, "distinct": 9, "popularity": {"kind": "uniform"}, **field}
    spec = design(*key, fields=(DEVICE, number), per_second=10, write={"mode": "new_cell"})
    grown = computed(spec).tables["table"].growth
    assert grown is not None
    return grown.kinds[0].largest_entity


def test_a_row_is_named_by_its_key_in_order_with_literals_and_what_varies():
    first = {"id": "first", "kind": "literal", "text": "v1#"}
    last = {"id": "last", "kind": "literal", "text": "#end"}

    assert re.fullmatch(
        r"v1#\d#…#d\d+#end", _largest(first, field_part("number", "#"), time_part("#"), field_part("device"), last)
    )


def test_a_row_is_named_without_raw_control_characters():
    byte = {"kind": "big_endian", "length": 1}

    assert re.fullmatch(r"\\x0\d#…", _largest(field_part("number", "#", byte), time_part()))


def test_a_row_with_a_long_key_is_named_by_its_beginning_and_its_end():
    long = {"id": "long", "kind": "literal", "text": "x" * 3_000}

    named = _largest(long, field_part("number", "#"))

    assert len(named) == 80
    assert re.fullmatch(r"x{59}…x+\d#", named)


@cases("rule", RULES.values())
def test_a_finding_names_elements_by_the_names_that_people_gave(rule):
    spec = rule.bad()
    ids = {e.id for e in spec.by_id.values() if e.id != element_label(spec, e.id)}
    named = {element_label(spec, id_) for id_ in spec.by_id}

    for finding in each_finding(findings(spec, computed(spec), TODAY)):
        texts = {value for value in finding.params.values() if isinstance(value, str)}
        assert not (texts & ids) - named
