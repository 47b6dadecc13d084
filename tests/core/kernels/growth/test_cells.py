"""Lengths of texts made of segments, how many qualifiers there can be, and the days of a horizon."""

import datetime
import math

import numpy as np
import pytest

from designer.document import Spec
from designer.document.durations import MONTH_DAYS
from estimator.kernels.growth.cells import cell, qualifiers, segment_bytes, value_bytes
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.kernels.population.clock import event_curve
from estimator.kernels.population.timeline import month_dates
from tests.cases import cases
from tests.core.kernels.growth.designs import design

TIERS = [{"value": "gold", "weight": 3}, {"value": "platinum"}]
FIELDS = [
    {"id": "tier", "name": "tier", "values": {"kind": "enumeration", "items": TIERS}},
    {"id": "user", "name": "user", "values": {"kind": "pattern", "text": "user{n:06}"}, "distinct": 1000},
    {"id": "word", "name": "word", "values": {"kind": "random", "min": 4, "typical": 7, "max": 20}, "distinct": 5000},
    {"id": "uid", "name": "uid", "kind": "uuid", "values": {"kind": "random", "min": 36, "max": 36}, "distinct": 10},
    {"id": "number", "name": "number", "values": {"kind": "range", "min": 1000, "max": 9999}},
]  # fmt: skip


@cases(
    "segment, length",
    [
        ({"kind": "literal", "text": "phone", "after": "#"}, 6),
        ({"kind": "field", "field": "user"}, 10),
        ({"kind": "field", "field": "uid", "after": "#"}, 37),
        ({"kind": "field", "field": "number"}, 4),
        ({"kind": "field", "field": "number", "transforms": [{"kind": "pad", "width": 9}]}, 9),
        ({"kind": "field", "field": "number", "transforms": [{"kind": "big_endian", "length": 8}]}, 8),
        ({"kind": "field", "field": "user", "transforms": [{"kind": "truncate", "length": 4}]}, 4),
        ({"kind": "hash", "fields": ["user"], "digits": 6, "after": "_"}, 7),
        ({"kind": "salt", "modulo": 100}, 2),
        ({"kind": "time"}, 13),
        ({"kind": "time", "unit": "s"}, 10),
        ({"kind": "time", "raw": True}, 8),
        ({"kind": "time", "reversed": True}, 19),
        ({"kind": "time", "pattern": "%Y-%m-%d"}, 10),
    ],
)
def test_the_length_of_a_segment_is_that_of_the_keys_really_made(segment, length):
    spec = design(fields=FIELDS, key=[segment | {"id": "s"}])

    assert segment_bytes(spec, spec.tables[0].row_kinds[0].key[0]) == length
    assert key_summary(compile_pattern(spec, "k")).bytes_typical == pytest.approx(length)


def test_texts_of_different_lengths_count_by_how_often_they_come():
    spec = design(fields=FIELDS, key=[{"id": "s", "kind": "field", "field": "tier"}])

    assert segment_bytes(spec, spec.tables[0].row_kinds[0].key[0]) == 4 * 0.75 + 8 * 0.25


def columns(*segments):
    spec = design(fields=FIELDS, column={"qualifier_from": [s | {"id": f"q{i}"} for i, s in enumerate(segments)]})
    return spec, spec.tables[0].families[0].columns[0]


def test_qualifiers_multiply_over_their_segments():
    spec, column = columns({"kind": "field", "field": "user"}, {"kind": "salt", "modulo": 4})

    assert qualifiers(spec, column, math.inf) == 4_000


def test_a_time_in_a_qualifier_has_as_many_values_as_the_row_lasts():
    spec, column = columns({"kind": "time", "resolution": "minute"})

    assert qualifiers(spec, column, 7.0) == pytest.approx(10_080)
    assert qualifiers(spec, column, math.inf) == math.inf


def test_a_counter_takes_eight_bytes_and_a_value_its_mean():
    spec = design(column={"value": {}}, family={"kind": "sum"})
    family = spec.tables[0].families[0]

    assert value_bytes(spec, family, family.columns[0]) == 8
    assert cell(spec, family, family.columns[0], 30.0).total == 30 + 1 + 1 + 8 + 8 + 12


def test_months_end_on_the_last_day_where_there_is_no_such_day():
    spec = Spec.model_validate({"start": "2027-10-31", "horizon_months": 4})

    assert month_dates(spec) == tuple(
        map(datetime.date.fromisoformat, ("2027-10-31", "2027-11-30", "2027-12-31", "2028-01-31", "2028-02-29"))
    )


def test_a_clock_counts_history_at_the_starts_rate_and_then_grows():
    spec = design(activity={"rate_per_second": 1 / 86_400, "growth_per_month": 1.0})

    ticking = event_curve(spec, spec.activities[0], 10.0, 12 * MONTH_DAYS)

    days = np.array([-10.0, 0.0])
    assert ticking.until(days).tolist() == [0, 10]
    assert ticking.between(np.array(0.0), np.array(MONTH_DAYS)) == pytest.approx(MONTH_DAYS / math.log(2), rel=0.01)
    assert ticking.per_day(math.inf) == pytest.approx(2**12, rel=0.1)
