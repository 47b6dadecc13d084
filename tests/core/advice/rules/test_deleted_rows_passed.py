"""Q009 on whole estimates of small designs."""

import pytest

from designer.document.design import Spec
from designer.document.durations import DAY_SECONDS
from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.reads.deleted_rows_passed import LAG_DAYS, PASSED_ROWS, RULE, _queues
from estimator.advice.rules.shared.edits import change, insert
from estimator.advice.rules.shared.examples import field_part, hash_part, salt_part
from tests.contexts import estimate
from tests.core.advice.rules.made import TODAY


def found(spec: Spec):
    return [f for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]


def with_devices(count: int) -> Spec:
    spec = RULE.bad()
    return apply(spec, change(spec.find("device"), "distinct", count))[0]


def test_it_says_how_many_deleted_rows_a_read_passes():
    (finding,) = found(with_devices(100_000))

    assert finding.params["rows"] == pytest.approx(5_000 * LAG_DAYS.value * DAY_SECONDS / 100_000, rel=0.01)
    assert finding.severity == "warning"


@pytest.mark.parametrize(("passed", "count"), [(PASSED_ROWS * 1.02, 1), (PASSED_ROWS * 0.98, 0)])
def test_few_deleted_rows_are_passed_without_a_word(passed: float, count: int):
    spec = with_devices(round(5_000 * LAG_DAYS.value * DAY_SECONDS / passed))

    assert len(found(spec)) == count


@pytest.mark.parametrize("mode", ["delete_cell", "delete_family"])
def test_a_row_whose_only_cell_was_deleted_is_passed_as_a_deleted_row(mode: str):
    """Of a second column, which such a deletion takes with the family alone, the row stays."""
    spec = with_devices(100_000)
    spec = apply(spec, change(spec.find("done"), "mode", mode))[0]
    column = spec.find("column")
    spec = apply(spec, change(spec.find("done"), "columns", (column.id,)))[0]
    (finding,) = found(spec)
    second = column.model_copy(update={"id": "second", "qualifier": "w"})
    more = apply(spec, insert(spec.find("family"), "columns", second, before=None))[0]

    assert finding.params["rows"] == pytest.approx(5_000 * 3.5 * 86_400 / 100_000, rel=0.01)
    assert len(found(more)) == (mode == "delete_family")


@pytest.mark.parametrize("known", [{"time": {"days": 0.01}}, {"newest_rows": 5}, {"exact_time": True}])
def test_who_knows_where_to_begin_passes_nothing(known):
    spec = RULE.bad()
    kind = spec.tables[0].row_kinds[0]
    data = {**kind.reads[0].model_dump(), "row_limit": None, **known}
    kind = kind.model_copy(update={"reads": (type(kind.reads[0]).model_validate(data),)})
    spec = spec.model_copy(update={"tables": (spec.tables[0].model_copy(update={"row_kinds": (kind,)}),)})

    assert found(spec) == []


def test_what_can_wait_for_compaction_has_a_bound():
    (finding,) = found(with_devices(1))

    assert finding.params["rows"] < 2e7  # of 1.5 thousand million that half a week deletes
    assert "as many as 2 GiB hold, the most that a tablet is assumed to gather" in english(
        finding.message, finding.params
    )


@pytest.mark.parametrize(
    ("before", "fields"),
    [
        ((), ()),
        ((field_part("tenant", "#"),), ("tenant",)),
        ((hash_part("device", digits=4, after="#"),), ()),
        ((salt_part(16, "device"), hash_part("device", digits=4, after="#")), ()),
    ],
)
def test_what_follows_from_a_value_makes_no_more_ranges(before, fields):
    """The devices of tenants, or with their hash before them, are as many ranges as devices."""
    spec = _queues(5_000, before=before, binds=(*fields, "device"))
    spec = apply(spec, change(spec.find("device"), "distinct", 100_000))[0]

    (finding,) = found(spec)

    assert finding.params["rows"] == pytest.approx(5_000 * LAG_DAYS.value * DAY_SECONDS / 100_000, rel=0.01)
