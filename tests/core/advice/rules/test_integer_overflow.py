"""K029: the day on which a number no longer fits its bytes."""

import datetime

import pytest

from designer.document import effective_value
from designer.document.durations import MONTH_DAYS
from designer.document.edits.apply import apply
from estimator.advice.rules import findings
from estimator.advice.rules.keys.integer_overflow import RULE, _orders
from estimator.facts.numbers import byte_overflow
from tests.contexts import estimate
from tests.core.advice.rules.made import TODAY


def findings_of(spec):
    return [f for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]


def four_bytes(growth_per_day):
    return _orders({"kind": "big_endian", "length": 4}, growth_per_day=growth_per_day)


def last_number(spec):
    return byte_overflow(spec, spec.tables[0].row_kinds[0].segments[1])


@pytest.mark.parametrize("days", [10, 100])
def test_the_date_is_the_day_on_which_the_first_number_is_too_large(days):
    spec = four_bytes((2**32 - 1_000_000) // days + 1)

    finding = findings_of(spec)[0]

    assert finding.severity == "error"
    assert finding.params["date"] == effective_value(spec, spec, "start") + datetime.timedelta(days=days - 1)
    assert finding.params["largest"] == "4,294,967,295"


def test_the_last_number_that_fits_is_no_finding_and_the_next_one_is():
    spec = four_bytes(1)
    days = effective_value(spec, spec, "horizon_months") * MONTH_DAYS
    growth = int((2**32 - 1 - 1_000_000) / days)

    assert last_number(four_bytes(growth)) is None
    assert last_number(four_bytes(growth + 1)) is not None


def test_eight_bytes_resolve_it():
    spec = RULE.bad()

    assert findings_of(apply(spec, findings_of(spec)[0].fix)[0]) == []


def test_keys_of_numbers_beyond_their_bytes_stay_in_order():
    keys = estimate(RULE.bad()).tables[RULE.bad().tables[0].id].keys

    assert all(facts.bytes_max == 4 + 1 + 4 for facts in keys.values())
