"""A new rule's files can be imported as they are written; a name or code that cannot be a rule's is refused."""

import ast
import datetime
import importlib.util
import sys

import pytest

from estimator.advice.catalogue.rule_template import (
    RuleTemplateError,
    module_of,
    next_code,
    rule_text,
    text_of_tests,
    with_entry,
)
from estimator.advice.rules import RULES
from estimator.advice.rules.shared.explanation import explanation
from tests.cases import cases
from tests.core.advice.rules.made import estimate

DAY = datetime.date(2026, 11, 20)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """The rule as written, imported as if it stood among the others."""
    path = tmp_path / "made_up_problem.py"
    path.write_text(rule_text("K999", "warning", engines="BIGTABLE", today=DAY), encoding="utf-8")
    told = importlib.util.spec_from_file_location("estimator.advice.rules.keys.made_up_problem", path)
    made = importlib.util.module_from_spec(told)
    monkeypatch.setitem(sys.modules, told.name, made)
    told.loader.exec_module(made)
    return made


def test_a_new_rule_runs_and_finds_nothing_yet(module):
    spec = module.RULE.bad()

    assert (module.RULE.code, module.RULE.name, module.RULE.engines) == ("K999", "made-up-problem", ("bigtable",))
    assert list(module.RULE.check(spec, estimate(spec))) == []


def test_its_docstring_has_all_parts(module):
    (source,) = explanation(module.__doc__).sources

    assert source.read == "2026-11-20"


def test_its_tests_hold_the_threshold(module):
    tree = ast.parse(text_of_tests("K999", "made_up_problem", severity="note"))

    assert len([node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[:5] == "test_"]) == 2


@pytest.mark.parametrize(("asked", "code"), [("K", "K029"), ("W", "W001"), ("Q007", "Q007")])
def test_a_letter_gets_its_next_code_and_gaps_stay(asked, code):
    assert next_code(asked, ["K001", "K028", "Q001"]) == code


@pytest.mark.parametrize("asked", ["", "X", "A", "k001", "K01", "K0001", "K001"])
def test_what_is_no_new_code_is_refused(asked):
    with pytest.raises(RuleTemplateError):
        next_code(asked, ["K001"])


@cases("name", ["", "Hot", "class", "Hot-row", "hot_row_two", "hot row", "hot-", "hot-row2", "../hot-row"])
def test_what_is_not_a_problem_in_words_is_no_name(name):
    with pytest.raises(RuleTemplateError, match="no name"):
        module_of(name, ())


def test_one_word_is_a_name():
    assert module_of("oversized", ()) == "oversized"


def test_the_catalogue_of_codes_stays_in_order_and_whole():
    before = 'LINES = """\nK001 a both note\nK003 c both note\nQ001 d both error\n"""\n'

    after = with_entry(before, "K002 b both note")
    last = with_entry(before, "Q002 e bigtable note")

    assert after == 'LINES = """\nK001 a both note\nK002 b both note\nK003 c both note\nQ001 d both error\n"""\n'
    assert last == before.replace("error\n", "error\nQ002 e bigtable note\n")
    with pytest.raises(RuleTemplateError, match="another form"):
        with_entry("CODES = {}\n", "K002 b both note")


def test_a_name_that_exists_is_refused():
    with pytest.raises(RuleTemplateError, match="already"):
        module_of("timestamp-first", (rule.name for rule in RULES.values()))
