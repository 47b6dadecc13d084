"""W001 and W002: what one request holds."""

import pytest

from estimator.rules import findings
from estimator.rules.base.examples import design, of, time

from .made import TODAY, estimate


def found(code, spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == code]


# --- W002 too-many-mutations ------------------------------------------------------------------------------------


def asked(write, *, columns=4, presence=1.0):
    cells = [{"id": f"c{number}", "qualifier": f"q{number}", "presence": presence} for number in range(columns)]
    families = [{"id": f"f{n}", "name": f"f{n}", "columns": cells[n::2]} for n in range(2)]
    return found("W002", design(of("device", "#"), time(), write=write, table={"families": families}))


@pytest.mark.parametrize(
    ("write", "mutations"),
    [
        ({"rows_per_request": 25_000}, None),
        ({"rows_per_request": 25_001}, 100_004),
        ({"rows_per_request": 100_000, "columns": ["c0"]}, None),
        ({"rows_per_request": 100_001, "columns": ["c0"]}, 100_001),
        ({"rows_per_request": 50_000, "mode": "delete_family"}, None),
        ({"rows_per_request": 50_001, "mode": "delete_family"}, 100_002),
        ({"rows_per_request": 100_001, "mode": "delete_row"}, 100_001),
        ({}, None),
    ],
)
def test_a_request_of_more_than_a_hundred_thousand_mutations_is_refused(write, mutations):
    assert [f.effect for f in asked(write)] == ([] if mutations is None else [mutations])


def test_cells_that_are_seldom_there_count_as_seldom():
    assert asked({"rows_per_request": 50_000}, presence=0.5) == []


def test_the_fix_sends_as_many_rows_as_fit():
    (one,) = asked({"rows_per_request": 30_000})

    assert (one.severity, one.fix.value) == ("error", 25_000)
