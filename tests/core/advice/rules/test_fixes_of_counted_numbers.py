"""Fixes about counted numbers bring no new finding: padded ones are read from their end, smaller buckets are padded."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from estimator.advice.rules.shared.examples import DEVICE, Part, design, field_part, read_part
from estimator.comparison.fixes import added_findings
from tests.core.advice.rules.pipeline import found


def newest(per_second: float, **counted: object) -> Spec:
    """Build a design whose newest rows are those of the largest numbers, which no zeros precede."""
    number = {"id": "seq", "name": "seq", "kind": "integer", "assigned": "sequential", **counted}
    read = read_part(binds=("device",), newest_rows=10, rate_per_second=1_000)
    fields = (DEVICE, number)
    return design(field_part("device", "#"), field_part("seq"), fields=fields, per_second=per_second, reads=(read,))


def buckets() -> Spec:
    """Build a design with one bucket of numbers a day, which is too large for a row."""
    bucket: Part = {"id": "b", "kind": "derived", "field": "seq", "how": {"kind": "bucket", "size": 5_000_000}}
    number = {
        "id": "seq", "name": "seq", "kind": "integer", "assigned": "sequential", "growth_per_day": 100_000,
        "unique_within": "device",
    }  # fmt: skip
    read = read_part(binds=("device",), rate_per_second=0.1)
    fields = ({**DEVICE, "distinct": 1}, number)
    return design(
        field_part("device", "#"), bucket, fields=fields, per_second=100_000 / 86_400, reads=(read,), gc=None,
        write={"mode": "new_column"},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("spec", "rule"),
    [
        (lambda: newest(100, unique_within="device"), "K009"),
        (lambda: newest(100, growth_per_day=8_640_000), "K009"),
        (buckets, "R003"),
    ],
)
def test_a_fix_of_counted_numbers_adds_nothing(spec, rule):
    made = spec()
    before = found(made)

    (fix,) = {one.rule: one.fix for one in before if one.rule == rule and one.fix is not None}.values()
    after = found(apply(made, fix)[0])

    assert rule not in {one.rule for one in after}
    assert added_findings(before, after) == ()
