"""The words beside a key's segments say which way its values go."""

from dataclasses import dataclass
from typing import Any

import pytest
from django.template.loader import render_to_string

from designer.document.load import from_data
from designer.wording.keys import key_chips


@dataclass(frozen=True)
class Facts:
    grows: str
    bytes_min: int = 19
    bytes_max: int = 19
    distinct: float = 2.0
    text_order: bool = True


@pytest.mark.parametrize(
    ("segment", "grows", "words"),
    [
        ({"kind": "time"}, "time", "increases with time"),
        ({"kind": "time", "reversed": True}, "time", "decreases with time"),
        ({"kind": "field", "field": "n"}, "sequence", "increases sequentially"),
        (
            {"kind": "field", "field": "n", "transforms": [{"kind": "descending", "top": 999}]},
            "sequence",
            "decreases sequentially",
        ),
    ],
)
def test_values_of_which_the_newest_come_first_decrease(segment: dict[str, Any], grows: str, words: str) -> None:
    fields = [{"id": "n", "name": "n", "kind": "integer"}]
    tables = [{"id": "t", "row_kinds": [{"id": "k", "key": [{"id": "s", **segment}]}]}]
    spec = from_data({"fields": fields, "tables": tables})
    (chip,) = key_chips(spec, spec.tables[0].row_kinds[0].key)

    assert words in render_to_string("estimator/keys/_facts.html", {"facts": Facts(grows), "chip": chip})
