"""C rules on figures made by hand."""

import pytest

from estimator.rules import findings
from estimator.rules.base.examples import design, of, read, time
from estimator.rules.many_small_cells import numbered

from .made import TODAY, cell, column_size, estimate, keys, plan, row_size, traffic


def of_rule(code, spec, made):
    return [f for found in findings(spec, made, TODAY) for f in (found, *found.under) if f.rule == code]


# --- C003 -----------------------------------------------------------------------------------------------------


def small_cells(columns=64, *, value_bytes=2.0, reads=(({}, 10.0),), write=None):
    family = numbered(columns, value_bytes)
    asked = tuple(read(id=f"read{n}", binds=("device",), **more) for n, (more, _) in enumerate(reads))
    spec = design(of("device", "#"), time(), family=family, reads=asked, write=write)
    sizes = row_size(*(column_size(c["id"], cell=cell(value_bytes, qualifier=5.0)) for c in family["columns"]))
    plans = tuple(
        plan("range", read=f"read{n}", per_second=rate, rows_returned=10.0, cells_returned=10.0 * columns)
        for n, (_, rate) in enumerate(reads)
    )
    return of_rule("C003", spec, estimate(spec, keys=keys(spec), sizes=sizes, reads=plans, traffic=traffic()))


def test_many_small_cells_say_what_one_would_take():
    """64 cells of 20 + 1 + 5 + 8 + 2 + 12 = 48 bytes against one of 20 + 1 + 1 + 8 + 64 · 4 + 12 = 298."""
    (found,) = small_cells()

    assert found.severity == "warning"
    assert found.params["row_bytes"] == 64 * 48
    assert found.params["one_bytes"] == 298
    assert found.params["cells_then"] == pytest.approx(10.0)
    assert found.fix is not None


@pytest.mark.parametrize(("columns", "expected"), [(50, ["warning"]), (49, [])])
def test_fifty_columns_are_many(columns, expected):
    assert [f.severity for f in small_cells(columns)] == expected


@pytest.mark.parametrize(("value_bytes", "expected"), [(31.9, ["warning"]), (32.0, [])])
def test_values_of_32_bytes_are_not_small(value_bytes, expected):
    assert [f.severity for f in small_cells(value_bytes=value_bytes)] == expected


@pytest.mark.parametrize(("rate", "expected"), [(9.9, ["warning"]), (10.0, [])])
def test_what_most_requests_take_decides(rate, expected):
    assert [f.severity for f in small_cells(reads=(({}, 10.0), ({"columns": ["c0001"]}, rate)))] == expected


def test_columns_that_single_writes_fill_are_fine():
    assert small_cells(write={"columns": ["c0001", "c0002"]}) == []


def test_no_fix_is_offered_where_a_reader_names_a_column():
    (found,) = small_cells(reads=(({}, 10.0), ({"columns": ["c0001"]}, 1.0)))

    assert found.fix is None
