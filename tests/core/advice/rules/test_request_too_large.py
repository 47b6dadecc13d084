"""W003: requests at the service's limits and one above them."""

import pytest

from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.cards import cards
from estimator.advice.rules.shared.examples import read_part
from estimator.advice.rules.writes.request_too_large import RULE
from tests.core.advice.rules.made import TODAY, estimate, plan


def findings_of(spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == RULE.code]


def attribute(value_bytes, largest_bytes=None):
    # card_id and 12 characters, time and an integer, s: 7 + 12 + 4 + 8 + 1 = 32 bytes.
    value = {"kind": "random", "typical_bytes": value_bytes, "max_bytes": largest_bytes}
    return ({"id": "scan", "qualifier": "s", "value": value},)  # the row is the value and 32 B


def texts(results):
    return [english(f.message, f.params) for f in results]


@pytest.mark.parametrize(
    ("rows", "value_bytes", "reason", "fitting"),
    [
        (200, 100, None, None),
        (201, 100, "201 rows in a batch (maximum 200)", 200),
        (64, 65_536 - 32, None, None),  # 64 × 64 KiB = 4 MiB
        (65, 65_536 - 32, "4.06 MiB in a batch (maximum 4 MiB)", 64),
        (1, 4 * 2**20 - 32, None, None),
        (1, 4 * 2**20 - 31, "4 MiB of one row (maximum 4 MiB)", None),
    ],
)
def test_a_batch_has_two_hundred_rows_and_four_mebibytes(rows, value_bytes, reason, fitting):
    results = findings_of(cards(attributes=attribute(value_bytes), write={"rows_per_request": rows}))

    assert [f.severity for f in results] == (["error"] if reason else [])
    assert reason is None or reason in texts(results)[0]
    assert [f.fix and f.fix.value for f in results] == ([fitting] if reason else [])


def test_a_row_that_only_its_largest_values_make_too_large_is_a_warning():
    (one,) = findings_of(cards(attributes=attribute(1_000, 5 * 2**20)))

    assert (one.severity, one.effect) == ("warning", 5 * 2**20 + 32)


@pytest.mark.parametrize(("access", "keys", "count"), [
    ("multi_point", 100, 0), ("multi_point", 101, 1), ("multi_range", 500, 0),
])  # fmt: skip
def test_a_batch_read_has_a_hundred_rows(access, keys, count):
    spec = cards(reads=(read_part(binds=("card",), keys_per_call=keys),))

    assert [f.severity for f in findings_of(spec, reads=(plan(access, per_second=1.0),))] == ["error"] * count


@pytest.mark.parametrize(("columns", "count"), [(128, 0), (129, 1)])
def test_a_read_names_up_to_128_columns(columns, count):
    attributes = [{"id": f"c{n}", "qualifier": f"c{n}", "value": {"kind": "integer"}} for n in range(130)]
    asked_columns = [f"c{n}" for n in range(columns)]
    spec = cards(attributes=attributes, reads=(read_part(binds=("card",), columns=asked_columns),))

    assert len(findings_of(spec, reads=(plan("range", per_second=1.0),))) == count
