"""K004, K005, K026: load that lands in one place."""

import numpy as np
import pytest

from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, salt_part, time_part
from estimator.results import Heat
from tests.contexts import estimate as whole_estimate
from tests.core.advice.rules.made import TODAY, estimate, front, keys, segment, traffic


def severities(spec, code, *, fronts=(), facts=(), rated=True):
    made = estimate(spec, keys=keys(spec, *facts), traffic=traffic(fronts=fronts) if rated else None)
    return [f.severity for f in findings(spec, made, TODAY) if f.rule == code]


@pytest.mark.parametrize(("node_share", "severity"), [(0.2, "warning"), (0.1999, "note"), (0.0001, "note")])
def test_a_time_in_front_warns_from_a_fifth_of_a_node(node_share, severity):
    spec = design(time_part("#"), field_part("device"))

    found = severities(spec, "K004", fronts=(front("time_part", node_share),), facts=(segment("time_part", "time"),))

    assert found == [severity]


def test_a_literal_in_front_of_the_time_changes_nothing():
    spec = design({"id": "name", "kind": "literal", "text": "log", "after": "#"}, time_part())

    found = severities(spec, "K004", fronts=(front("time_part", 1.0),), facts=(segment("time_part", "time"),))

    assert found == ["warning"]


def test_a_time_behind_the_device_is_no_time_in_front():
    spec = design(field_part("device", "#"), time_part())

    assert severities(spec, "K004", fronts=(front("time_part", 0.01),), facts=(segment("time_part", "time"),)) == []


def test_a_time_in_front_is_a_note_while_no_rate_is_known():
    spec = design(time_part(), per_second=None)

    assert severities(spec, "K004", facts=(segment("time_part", "time"),), rated=False) == ["note"]


def test_two_writes_to_the_same_end_add_up():
    spec = design(time_part("#"), field_part("device"))
    fronts = (front("time_part", 0.15), front("time_part", 0.1))

    assert severities(spec, "K004", fronts=fronts, facts=(segment("time_part", "time"),)) == ["warning"]


@pytest.mark.parametrize(("node_share", "severity"), [(0.2, "warning"), (0.1999, "note")])
def test_a_counted_number_in_front_warns_from_a_fifth_of_a_node(node_share, severity):
    spec = design(field_part("device"))

    found = severities(
        spec, "K005", fronts=(front("device_part", node_share),), facts=(segment("device_part", "sequence"),)
    )

    assert found == [severity]


NUMBER = {"id": "number", "name": "message_id", "kind": "integer", "assigned": "sequential"}


@pytest.mark.parametrize(
    ("pattern", "start", "expected"),
    [
        ("%y%m%d:%H%M%S", "2026-01-01", "warning"),
        ("%Y%m%d:%H%M%S", "2026-01-01", "warning"),
        ("%y%m%d:%H%M%S", "2099-06-01", None),  # 000101 sorts before 991231
    ],
)
def test_a_year_of_two_digits_grows_within_its_century(pattern, start, expected):
    first = time_part(":", resolution="second", pattern=pattern)
    spec = design(first, field_part("number"), fields=(NUMBER,), per_second=5_000, start=start)

    found = {f.rule: f for f in findings(spec, whole_estimate(spec), TODAY)}

    assert (found["K004"].severity if "K004" in found else None) == expected


def test_no_number_that_each_event_has_of_its_own_is_told_to_be_busy():
    """Of the numbers of a window of time one was said to receive 62 % of the writes."""
    after = time_part(resolution="second", pattern="%Y%m%d:%H%M%S")
    spec = design(field_part("number", ":"), after, fields=(NUMBER,), per_second=5_000)

    found = [f for each in findings(spec, whole_estimate(spec), TODAY) for f in (each, *each.under)]

    assert [f.severity for f in found if f.rule == "K005"] == ["warning"]
    assert not [f for f in found if f.rule == "K013"]


def test_a_counted_number_whose_old_values_are_as_busy_is_fine():
    spec = design(field_part("device"))

    assert severities(spec, "K005", facts=(segment("device_part", "sequence"),)) == []


@pytest.mark.parametrize(
    ("node_share", "severities_expected"), [(0.2, ["warning"]), (0.1999, ["note"]), (0.02, ["note"]), (0.0199, [])]
)
def test_few_ends_warn_from_a_fifth_of_a_node_on_one_of_them(node_share, severities_expected):
    spec = design(field_part("device", "#"), time_part())

    found = severities(spec, "K026", fronts=(front("time_part", node_share),), facts=(segment("time_part", "time"),))

    assert found == severities_expected


def test_a_coarse_time_in_front_is_a_note_that_says_so():
    spec = design(time_part("#", resolution="month"), field_part("device"))
    made = estimate(spec, keys=keys(spec, segment("time_part", "time")), traffic=traffic())

    (found,) = [f for f in findings(spec, made, TODAY) if f.rule == "K004"]

    assert found.severity == "note"
    assert "splits" in found.message


@pytest.mark.parametrize(("per_second", "severity"), [(25_000, "warning"), (5_000, "note")])
@pytest.mark.parametrize("behind", [salt_part(200), {"id": "salt_part", "kind": "hash", "fields": ["device"]}])
def test_a_day_in_front_of_a_salt_warns_where_all_writes_are_more_than_a_node(behind, per_second, severity):
    day = time_part("#", resolution="day", pattern="%Y%m%d")
    spec = design(day, behind, field_part("device"), per_second=per_second)

    found = [f for f in findings(spec, whole_estimate(spec), TODAY) if f.rule == "K004"]

    assert [f.severity for f in found] == [severity]


def unpadded_severities(write_share, node_share, popularity):
    order = {
        "id": "order", "name": "order", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 10**15 - 1},
        "distinct": 1_000, "growth_per_day": 1e6 if popularity == "latest" else 0, "assigned": "sequential",
        "popularity": {"kind": popularity},
    }  # fmt: skip
    spec = design(field_part("order"), fields=(order,))
    rates = np.array([[1_000.0 * write_share], [1_000.0 * (1 - write_share)]])
    nothing = np.zeros((2, 1))
    heat = Heat.from_arrays((b"5",), (), 900.0, np.ones(2), rates, nothing, np.array([[node_share], [0.0]]), nothing)
    made = estimate(spec, keys=keys(spec, segment("order_part", text_order=False)), traffic=traffic(heat=heat))
    return [f.severity for f in findings(spec, made, TODAY) if f.rule == "K005"]


@pytest.mark.parametrize(
    ("write_share", "node_share", "popularity", "expected"),
    [
        (0.5, 0.2, "latest", ["warning"]),
        (0.5, 0.1999, "latest", ["note"]),
        (0.49, 0.5, "latest", []),
        (1.0, 0.5, "uniform", []),
    ],
)
def test_numbers_counted_without_padding_are_judged_by_the_busiest_range(write_share, node_share, popularity, expected):
    assert unpadded_severities(write_share, node_share, popularity) == expected
