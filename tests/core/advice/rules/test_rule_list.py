"""The list of rules: what it is searched and narrowed by."""

import pytest

from estimator.advice.catalogue.rule_list import SUBJECTS, RuleFilter, groups, page_of, pages_by_site, parse_filter
from estimator.advice.rules import RULES
from estimator.advice.rules.shared import SourceReference

SCHEMA = "https://cloud.google.com/bigtable/docs/schema-design"
JAPANESE = {RULES["K004"].title: "行キーが時刻で始まっています。"}


def codes(translate=str, **asked):
    return [line.rule.code for group in groups(RuleFilter(**asked), translate) for line in group.lines]


def test_without_a_question_every_rule_is_there_once_by_subject():
    letters = {code[0] for code in RULES}

    assert sorted(codes()) == sorted(RULES)
    assert [group.letter for group in groups(RuleFilter())] == [letter for letter in SUBJECTS if letter in letters]


@pytest.mark.parametrize("words", ["K004", "timestamp-first", "TIMESTAMP-FIRST", "ｋ００４"])
def test_a_rule_is_found_by_its_code_and_name_however_they_are_written(words):
    assert codes(q=words) == ["K004"]


def test_all_words_must_be_there_anywhere_in_what_the_rule_says():
    assert "K014" in codes(q="overwritten row")
    assert "K014" not in codes(q="overwritten row autoscaler")


def test_words_are_looked_for_in_the_readers_language_and_in_english():
    def translate(text):
        return JAPANESE.get(text, text)

    assert codes(translate, q="行キー") == ["K004"]
    assert "K004" in codes(translate, q="starts with a time")


def test_it_is_narrowed_by_engine_severity_and_source_together():
    narrowed = codes(engine="bigtable", severity="error", source=SCHEMA)

    assert narrowed
    for code in narrowed:
        rule = RULES[code]
        assert (rule.severity, "bigtable" in rule.engines) == ("error", True)
        assert SCHEMA in [source.address for source in rule.explanation.sources]


def test_a_rule_for_both_engines_is_in_the_list_of_each():
    assert "K004" in codes(engine="bigtable")
    assert "K004" in codes(engine="tablestore")
    assert "K014" not in codes(engine="tablestore")


def test_a_choice_that_there_is_not_is_none():
    query = {"q": " hot ", "engine": "cassandra", "severity": "error", "source": "https://example.com"}

    assert parse_filter(query) == RuleFilter(q="hot", severity="error")
    assert not parse_filter({"engine": "cassandra"}).is_set


def test_a_page_is_one_page_wherever_in_it_the_source_is():
    assert page_of(SourceReference(f"{SCHEMA}#row-keys", "2026-11-20")) == page_of(
        SourceReference(SCHEMA, "2026-11-20")
    )
    assert page_of(SourceReference(SCHEMA, "2026-11-20")).label == "schema-design"
    assert page_of(SourceReference("A talk, 2018", "2026-11-20")).label == "A talk, 2018"


def test_every_page_that_a_rule_rests_on_can_be_chosen():
    pages = [page for site in pages_by_site().values() for page in site]

    assert len(pages) == len(set(pages))
    for page in pages:
        assert codes(source=page.address)
