"""Descriptions of edits never say that a value changed from itself to itself."""

import pytest

from designer.document.edits import Edit, Set
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
