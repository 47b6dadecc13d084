"""Descriptions of edits never say that a value changed from itself to itself."""

import pytest

from designer.document.edits import Batch, Edit, Insert, Move, Remove, Set
from designer.document.edits.apply import apply
from designer.document.load import from_data
from designer.wording.edit_messages import describe_edit
from designer.wording.formatting import english

SPEC = from_data({
    "fields": [{"id": "user", "name": "user", "distinct": 5000}],
    "activities": [{"id": "a", "name": "Seen", "rate_per_second": 1}],
    "tables": [{
        "id": "t", "name": "t",
        "row_kinds": [{
            "id": "k", "name": "k", "key": [{"id": "s", "kind": "field", "field": "user"}],
            "reads": [{"id": "r", "name": "One", "rate_per_second": 1, "binds": [{"field": "user"}]}],
        }],
        "families": [{"id": "f", "name": "f", "columns": [
            {"id": "c", "qualifier": "v", "value": {"typical_bytes": 500}},
        ]}],
    }],
})  # fmt: skip


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (
            Set(at="c", name="value.typical_bytes", value=499.6, was=500),
            "v: Typical size changed by less than the rounding of 500 B",
        ),
        (
            Set(at="r", name="binds", value=[{"field": "user", "values": 3}], was=[{"field": "user"}]),
            "One: Specified fields changed (1 item)",
        ),
        (Set(at="c", name="value.typical_bytes", value=700, was=500), "v: Typical size changed from 500 B to 700 B"),
    ],
)
def test_what_is_shown_as_before_is_not_shown_as_changed_from_it(edit: Edit, said: str) -> None:
    after, _ = apply(SPEC, edit)

    described = describe_edit(SPEC, after, edit)
    assert english(described.message, described.params) == said


def words_of(*edits: Edit, label: str = "") -> str:
    batch = Batch(edits=edits, label=label)
    after, _ = apply(SPEC, batch)
    text = describe_edit(SPEC, after, batch)
    return english(text.message, text.params)


TIME = Insert(parent="k", list="key", element={"id": "when", "kind": "field", "field": "user"})


def test_a_batch_tells_what_changed_from_what_to_what() -> None:
    assert (
        words_of(TIME, Set(at="s", name="after", value="#", was="")) == "key of k changed from {user} to {user}#{user}"
    )
    told = words_of(
        TIME, Move(at="when", before="s"), Set(at="a", name="rate_per_second", value=3, was=1), label="Spread"
    )
    assert told == "Spread: key of k changed from {user} to {user}{user}, Seen: Rate changed from 1/s to 3/s"


def test_a_batch_counts_what_it_does_not_tell_and_leaves_out_what_is_gone() -> None:
    rates = [Set(at="a", name="rate_per_second", value=rate, was=was) for was, rate in ((1, 2), (2, 3))]
    sizes = [Set(at="c", name="value.typical_bytes", value=size, was=was) for was, size in ((500, 600), (600, 700))]
    assert words_of(*rates, *sizes).endswith(", and 1 more")
    assert words_of(Set(at="c", name="qualifier", value="w", was="v"), Remove(at="c")) == "removed v"
    added = Insert(parent="f", list="columns", element={"id": "d", "qualifier": "n"})
    assert words_of(added, Set(at="d", name="qualifier", value="m", was="n")) == "Columns: added m"


TWO_TABLES = from_data({
    "tables": [
        {"id": "t", "name": "readings",
         "row_kinds": [{"id": "k", "name": "rows", "reads": [{"id": "r", "name": "Latest"}]}],
         "families": [
             {"id": "d", "name": "d", "columns": [{"id": "c", "qualifier": "v"}, {"id": "e", "qualifier": "w"}]},
             {"id": "m", "name": "m"},
         ]},
        {"id": "u", "name": "devices", "row_kinds": [{"id": "l", "name": "rows"}],
         "families": [{"id": "n", "name": "d"}]},
    ],
})  # fmt: skip


@pytest.mark.parametrize(
    ("edit", "text"),
    [
        (Move(at="m", parent="u", was_parent="t"), "moved m from readings to devices"),
        (Move(at="r", parent="l", was_parent="k"), "moved Latest from readings to devices"),
        (Move(at="c", was_before="e", parent="m", was_parent="d"), "moved v from d to m"),
        (Move(at="c", was_before="e", parent="n", was_parent="d"), "moved v from readings › d to devices › d"),
        (Move(at="c", was_before="e"), "moved v from position 1 to 2"),
        (Move(at="u", before="t"), "moved devices from position 2 to 1"),
    ],
)
def test_a_move_is_described_from_where_to_where(edit: Edit, text: str) -> None:
    after, _ = apply(TWO_TABLES, edit)

    described = describe_edit(TWO_TABLES, after, edit)
    assert english(described.message, described.params) == text
    again = describe_edit(TWO_TABLES, after, Batch(edits=(edit,)))
    assert english(again.message, again.params) == text
