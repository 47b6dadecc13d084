"""The built-in designs: they load, say what their stories say, and come out as they went in."""

import re

import pytest

from designer.document.dump import dump
from designer.document.load import load
from designer.examples import GROUPS, Example, example, examples
from designer.examples import path as example_path

EXAMPLES = examples()
each = pytest.mark.parametrize("shown", EXAMPLES, ids=lambda shown: shown.slug)


def test_every_file_is_in_the_gallery_and_the_other_way_round():
    files = {file.stem for file in example_path("x").parent.glob("*.json")}

    assert files == {shown.slug for shown in EXAMPLES}
    assert [shown.order for shown in EXAMPLES] == list(range(len(files)))


def test_examples_of_one_group_stand_together_in_the_order_of_the_groups():
    groups = [shown.group for shown in EXAMPLES]

    assert groups == sorted(groups, key=list(GROUPS).index)
    assert set(groups) == set(GROUPS)


def test_an_example_that_is_not_there_is_a_key_error():
    with pytest.raises(KeyError):
        example("no-such-design")


@each
def test_the_document_comes_out_as_it_went_in(shown: Example):
    written = example_path(shown.slug).read_text()

    assert dump(shown.spec) == written
    assert load(written) == shown.spec


@each
def test_a_story_is_two_to_four_paragraphs_and_the_last_names_its_source(shown: Example):
    paragraphs = shown.story.split("\n\n")

    assert 2 <= len(paragraphs) <= 4
    assert re.search(r"\b20\d\d\b", paragraphs[-1])


@each
def test_activities_and_reads_state_their_rates(shown: Example):
    for activity in shown.spec.activities:
        assert activity.rate_per_second or activity.arrival, activity.id
    for _, kind in shown.spec.row_kinds():
        assert kind.reads, kind.id
        assert all(read.rate_per_second for read in kind.reads)


@each
def test_columns_state_kind_and_size(shown: Example):
    for table in shown.spec.tables:
        for family in table.families:
            assert family.columns, family.id
            for column in family.columns:
                assert column.value.kind, column.id
                assert column.value.typical_bytes is not None, column.id
