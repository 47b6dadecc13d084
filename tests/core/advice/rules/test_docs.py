"""The rules' pages: in the app as data, in docs/rules/ as files that are in step with the rules."""

import pytest

from config.messages import Found, Message, in_rules
from estimator.advice.catalogue.rule_pages import markdown_pages, rule_page
from estimator.advice.rules import RULES, explanations


def test_the_pages_in_docs_are_in_step_with_the_rules(root):
    folder = root / "docs" / "rules"

    assert {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")} == markdown_pages(), (
        "run manage.py rule_docs"
    )


@pytest.mark.parametrize("code", RULES)
def test_a_page_shows_what_is_found_and_what_is_better_with_its_key(code):
    page = rule_page(code)

    assert [example.which for example in page.examples] == ["bad", "good", "near_miss"]
    assert all(any(label == "Key" for label, _ in example.features) for example in page.examples)


def test_causes_and_consequences_point_at_each_other():
    assert RULES["K004"] in rule_page("K026").causes
    assert RULES["K026"] in rule_page("K004").consequences


def test_the_parts_of_every_explanation_are_messages():
    found = Found({})
    in_rules(found)

    assert all(Message("", text, "") in found.places for made in explanations().values() for text in made.texts)
