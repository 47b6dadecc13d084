"""One law for all rules: what a rule file must hold, and what no rule may do."""

import datetime
import re
from dataclasses import replace
from pathlib import Path
from string import Formatter

import pytest

import estimator.advice.rules
from designer.document import Spec
from estimator.advice.rules import RULES, explanations, findings
from estimator.advice.rules.shared.explanation import PARTS, explanation
from estimator.results import Estimate, TablePart
from tests.cases import cases
from tests.core.advice.rules.codes import CATALOGUE, Entry
from tests.core.advice.rules.made import (
    TODAY,
    cluster_nodes,
    estimate,
    front,
    growth,
    hot_row,
    keys,
    placement,
    plan,
    segment,
    traffic,
)

rules = cases("rule", RULES.values())


def test_every_rule_explains_itself_in_all_parts_with_a_source_and_its_day():
    every = explanations()

    assert every.keys() == RULES.keys()
    assert [code for code, made in every.items() if not all(text.strip() for text in made.texts)] == []
    assert [code for code, made in every.items() if not made.title.endswith(".")] == []
    assert all(datetime.date.fromisoformat(source.read) for made in every.values() for source in made.sources)


def test_every_rule_has_a_code_of_its_kind_and_a_name_in_words():
    assert [rule.code for rule in RULES.values() if not re.fullmatch(r"[AKTFCRQWIG]\d{3}", rule.code)] == []
    assert [rule.name for rule in RULES.values() if not re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)] == []
    assert {code for rule in RULES.values() for code in rule.under} <= set(CATALOGUE)


def test_every_rule_of_the_catalogue_is_there_once():
    folders = [path for path in Path(estimator.advice.rules.__file__).parent.iterdir() if path.name != "shared"]
    modules = [path for folder in folders for path in folder.glob("[a-z]*.py")]

    made = {Entry(rule.code, rule.name, rule.engines, rule.severity) for rule in RULES.values()}

    assert made == set(CATALOGUE.values())
    assert len(modules) == len(RULES)


@rules
def test_every_example_of_a_rule_is_a_design_of_an_engine_that_it_is_for(rule):
    for example in (rule.bad, rule.good, rule.near_miss):
        assert example().engine in rule.engines


def test_no_message_repeats_a_unit_or_leaves_a_parameter_unnamed():
    messages = {rule.code: [name for _, name, _, _ in Formatter().parse(rule.message)] for rule in RULES.values()}

    assert not {code: names for code, names in messages.items() if not all(map(NAME.fullmatch, filter(None, names)))}
    assert not [code for code, names in messages.items() if "" in names]


def test_an_explanation_without_a_part_is_refused():
    with pytest.raises(ValueError, match="Fine when"):
        explanation("Title.\n\n**What** a\n**Why** b\n**Instead** c\n**Source** d (read 2026-11-20)")


def test_a_source_without_its_day_is_refused():
    parts = "\n".join(f"**{part}** something" for part in PARTS)
    with pytest.raises(ValueError, match="the day it was read"):
        explanation(f"Title.\n\n{parts}")


NAME = re.compile("[a-z_]+")


def full(spec: Spec) -> Estimate:
    """An estimate in which everything is there and grave."""
    facts = [segment(s.id, "time" if s.kind == "time" else None, text_order=False) for s in kind(spec).segments]
    fronts = tuple(front(f.id, 0.5) for f in facts)
    plans = tuple(plan("scan", read=r.id, open_at=f.id) for r in kind(spec).reads for f in facts[:1])
    return estimate(
        spec,
        keys=keys(spec, *facts),
        reads=plans,
        traffic=traffic(fronts=fronts, hot_rows=(hot_row(0.5),)),
        growth=growth(),
        nodes=(cluster_nodes(short_from=TODAY, full_from=TODAY),),
        placements=(placement(peak_utilisation=1.5, limited_by="front", limiting_table="table"),),
    )


def kind(spec: Spec):
    return spec.tables[0].row_kinds[0]


@rules
def test_no_rule_fails_while_parts_of_the_estimate_are_unknown(rule):
    spec = rule.bad()
    made = full(spec)
    part = made.tables["table"]
    lacking = [replace(part, **{name: None}) for name in ("traffic", "growth")]
    lacking += [replace(part, keys={}), replace(part, reads=()), TablePart("table", {}, (), None, None, ())]

    for less in lacking:
        findings(spec, replace(made, tables={"table": less}), TODAY)
    findings(spec, replace(made, tables={}), TODAY)
    findings(spec, replace(made, nodes=(), placements=()), TODAY)


@rules
def test_every_finding_names_an_element_that_is_there_and_all_its_parameters(rule):
    spec = rule.bad()

    for found in findings(spec, full(spec), TODAY):
        for one in (found, *found.under):
            assert one.at in spec.by_id
            assert str(one)
