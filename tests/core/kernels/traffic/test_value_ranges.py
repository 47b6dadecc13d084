"""The share of a field's values that lies in a range, by the form of the values."""

import pytest

from designer.document import Spec
from designer.document.access import Bind
from estimator.kernels.traffic.value_ranges import values_share

LISTED = {"kind": "enumeration", "items": [{"value": value} for value in ("new", "paid", "sent", "void")]}


@pytest.mark.parametrize(
    ("values", "total", "ends", "share"),
    [
        ({"kind": "pattern", "text": "u{n:06}"}, 100_000, ("u000100", "u000199"), 0.001),
        ({"kind": "pattern", "text": "u{n:03}"}, 1_000, ("u5", None), 0.5),
        ({"kind": "pattern", "text": "u{n}"}, 1_000, (None, "u1"), 0.002),  # u0 and u1: u10 is more than u1
        ({"kind": "random", "min": 8, "max": 8, "alphabet": "a-d"}, 1_000, ("b", "d"), 0.5),
        (LISTED, 4, ("o", "t"), 0.5),
        (LISTED, 4, ("x", "z"), 0.25),  # no value: at least that of one
    ],
)
def test_a_range_of_texts_holds_the_values_that_sort_into_it(values, total, ends, share):
    spec = Spec.model_validate({"fields": [{"id": "f", "kind": "string", "values": values}]})

    found = values_share(spec, Bind(field="f", from_value=ends[0], to_value=ends[1]), total)

    assert found == pytest.approx(share, rel=1e-6)
