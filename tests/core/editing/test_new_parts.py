"""What a form begins a part with when a person chooses its kind."""

from typing import get_args

from pydantic import TypeAdapter

from designer.document import Spec
from designer.document.key import FieldSegment, Transform
from designer.editing.forms import read_posted_value
from tests.cases import cases

SPEC = Spec.model_validate(
    {
        "fields": [{"id": "number", "kind": "integer"}],
        "tables": [{"id": "t", "row_kinds": [{"id": "r", "key": [{"id": "s", "kind": "field", "field": "number"}]}]}],
    }
)


@cases("kind", [model.model_fields["kind"].default for model in get_args(get_args(Transform)[0])])
def test_each_transform_of_a_key_can_be_chosen_in_the_form(kind: str) -> None:
    chosen = read_posted_value(SPEC, "s", "transforms", {"v.0.kind": [kind]})

    (transform,) = (
        TypeAdapter(FieldSegment)
        .validate_python({"id": "s", "kind": "field", "field": "number", "transforms": chosen})
        .transforms
    )
    assert transform.kind == kind
