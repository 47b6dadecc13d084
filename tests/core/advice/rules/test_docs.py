"""The rules' pages: as data for the app and as Markdown for a documentation site."""

import re

from config.messages import Message, MessageIndex, collect_from_rules
from estimator.advice.catalogue.rule_pages import markdown_pages, rule_page
from estimator.advice.rules import RULES, explanations
from tests.cases import cases


def test_every_rule_has_a_markdown_page_that_the_index_links():
    pages = markdown_pages()

    assert pages.keys() - {"README.md"} == {f"{rule.code}-{rule.name}.md" for rule in RULES.values()}
    assert [name for name in pages if name != "README.md" and f"({name})" not in pages["README.md"]] == []


def test_a_markdown_page_holds_every_part_and_links_only_to_pages():
    pages = markdown_pages()

    for code, made in explanations().items():
        page = pages[f"{code}-{RULES[code].name}.md"]
        assert all(text in page for text in made.texts), code
        assert set(re.findall(r"\]\(([^):]+\.md)\)", page)) <= pages.keys(), code


@cases("code", RULES)
def test_a_page_shows_what_is_found_and_what_is_better_with_its_key(code):
    page = rule_page(code)

    assert [example.which for example in page.examples] == ["bad", "good", "near_miss"]
    assert all(any(label == "Key" for label, _ in example.features) for example in page.examples)


def test_causes_and_consequences_point_at_each_other():
    assert RULES["K004"] in rule_page("K026").causes
    assert RULES["K026"] in rule_page("K004").consequences


def test_the_parts_of_every_explanation_are_messages():
    found = MessageIndex({})
    collect_from_rules(found)

    assert all(Message("", text, "") in found.places for made in explanations().values() for text in made.texts)
