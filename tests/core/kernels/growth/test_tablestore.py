"""Tablestore's bytes: the published examples, and the same formula in the growth of a table."""

import numpy as np
import pytest

from designer.document import Spec
from designer.document.family import MaxAge, MaxVersions, Union
from estimator.engines.tablestore import as_stored, collection
from estimator.kernels.growth.arrivals import KindShape
from estimator.kernels.growth.cells import row_overhead_bytes
from estimator.kernels.growth.table import compute_growth
from estimator.kernels.growth.tablestore import Attribute, row_bytes
from estimator.kernels.population.population import Population, WriteLaw
from estimator.kernels.population.strata import flat

ID = (2, 8)
"""A primary-key column `ID` of type Integer."""
NAME, LENGTH = Attribute(4, (8,)), Attribute(6, (8,))


def test_the_published_row_takes_334_bytes_with_versions_and_a_time_to_live():  # T1
    comments = Attribute(8, (100, 150))

    assert row_bytes([ID], [NAME, LENGTH, comments], has_timestamps=True) == 334


def test_the_published_row_takes_194_bytes_where_one_version_is_kept_for_ever():  # T2
    newest = Attribute(8, (150,))

    assert row_bytes([ID], [NAME, LENGTH, newest], has_timestamps=False) == 194


def test_the_published_table_of_two_rows_takes_540_bytes():  # T3
    first = row_bytes([ID], [Attribute(8, (100, 150))], has_timestamps=True)
    second = row_bytes([ID], [Attribute(8, (200,)), LENGTH], has_timestamps=True)

    assert (first, second, first + second) == (292, 248, 540)


def test_names_of_columns_count_in_the_published_question_about_1204_bytes():
    sizes = ((10, 8, 32), (20, 8, 999), (43, 8))
    names = (4, 6, 8)

    rows = [
        row_bytes([ID], [Attribute(n, (v,)) for n, v in zip(names, each, strict=False)], has_timestamps=False)
        for each in sizes
    ]

    assert (rows, sum(rows)) == ([78, 1055, 71], 1204)


@pytest.mark.parametrize(
    ("settings", "gc"),
    [
        (None, MaxVersions(versions=1)),
        ({}, MaxVersions(versions=1)),
        ({"ttl_seconds": -1, "max_versions": 1}, MaxVersions(versions=1)),
        ({"max_versions": 3}, Union(rules=(MaxVersions(versions=3),))),
        ({"ttl_seconds": 86_400}, Union(rules=(MaxVersions(versions=1), MaxAge(age_days=1)))),
    ],
)
def test_versions_and_time_to_live_collect(settings, gc):
    assert collection(campus(settings).tables[0]) == gc


CARD = {"kind": "field", "id": "s", "field": "card"}
TIME = {"kind": "time", "id": "x"}


def campus(settings=None, *, mode="append_row", engine="tablestore"):
    """Cards by an id of 20 digits and an integer time; a purchase has one column of 100 bytes."""
    column = {"id": "c", "qualifier": "amount", "value": {"kind": "random", "typical_bytes": 100}}
    return Spec.model_validate(
        {
            "engine": engine,
            "start": "2026-01-01",
            "horizon_months": 12,
            "fields": [
                {"id": "card", "name": "card", "kind": "string", "values": {"kind": "random", "min": 20, "max": 20}}
            ],
            "activities": [{"id": "a", "name": "a", "rate_per_second": 1.0}],
            "tables": [
                {
                    "id": "t",
                    "tablestore": settings,
                    "row_kinds": [
                        {
                            "id": "k",
                            "key_columns": [
                                {"id": "k1", "name": "card", "segments": [CARD]},
                                {"id": "k2", "name": "time", "type": "INTEGER", "segments": [TIME]},
                            ],
                            "writes": [{"id": "w", "activity": "a", "mode": mode}],
                        }
                    ],
                    "families": [{"id": "f", "name": "long family name", "columns": [column]}],
                }
            ],
        }
    )  # fmt: skip


def growth(spec, *, per_event=True, entities=1_000.0):
    table = as_stored(spec.tables[0])
    strata = flat(np.array([entities]), np.array([[1 / entities]]))
    rows = Population(strata, {"w": WriteLaw(0)}, every_event=per_event)
    once = row_overhead_bytes(spec, table.row_kinds[0])
    return compute_growth(spec, table, {"k": KindShape(once, rows, row_bytes=once)})


def test_a_primary_key_is_its_names_and_values_and_an_integer_takes_8_bytes():
    spec = campus()

    assert row_overhead_bytes(spec, spec.tables[0].row_kinds[0]) == (4 + 20) + (4 + 8)


def test_a_table_stores_what_the_formula_says_of_its_rows_uncompressed():
    made, sizes = growth(campus())

    assert sizes["k"].bytes_stored == pytest.approx(36 + 6 + 100)
    assert made.physical_bytes[-1] == made.logical_bytes[-1] == pytest.approx(made.rows[-1] * 142)
    assert made.compression_origin == "none"
    assert made.families[0].bytes_by_cause.total == pytest.approx(made.physical_bytes[-1])


def test_every_version_carries_its_number_and_the_name_once_more():
    made, _ = growth(campus({"max_versions": 2}, mode="overwrite"), per_event=False)

    per_row = 36 + 2 * (6 + 8 + 100)
    assert made.physical_bytes_low[-1] == pytest.approx(1_000 * per_row, rel=1e-3)


def test_expired_versions_are_billed_for_half_a_day_and_for_a_whole_one_at_most():
    made, _ = growth(campus({"ttl_seconds": 10 * 86_400}))

    assert made.rows[-1] == pytest.approx(10.5 * 86_400, rel=1e-3)
    version = 6 + 8 + 100
    key = made.rows[-1] * 36
    found = [made.physical_bytes_low[-1], made.physical_bytes[-1], made.physical_bytes_high[-1]]
    assert found == pytest.approx([key + days * 86_400 * version for days in (10.0, 10.5, 11.0)], rel=1e-3)


@pytest.mark.parametrize(("settings", "row"), [(None, 194), ({"ttl_seconds": 2_592_000}, 10 + 20 + 22 + 166)])
def test_growth_sizes_the_published_row_to_the_byte(settings, row):  # T2, and the same with a time to live
    columns = [
        {"id": name.lower(), "qualifier": name, "value": {"kind": kind, "typical_bytes": size}}
        for name, kind, size in (("Name", "text", 8), ("Length", "integer", 8), ("Comments", "text", 150))
    ]
    spec = campus(settings)
    data = spec.model_dump(mode="json", exclude_unset=True)
    data["tables"][0]["families"][0]["columns"] = columns
    data["tables"][0]["row_kinds"][0]["key_columns"] = [
        {"id": "k1", "name": "ID", "type": "INTEGER", "segments": [TIME]}
    ]

    _, sizes = growth(Spec.model_validate(data))

    assert sizes["k"].bytes_stored == pytest.approx(row, rel=1e-9)


def test_stated_rows_that_no_history_leaves_are_billed_as_what_they_are():
    stated = 1e12
    data = campus().model_dump(mode="json", exclude_unset=True)
    data["tables"][0]["rows_stored"] = stated
    spec = Spec.model_validate(data)

    made, _ = growth(spec, per_event=False)  # a thousand rows that are written again and again

    assert made.physical_bytes[0] == pytest.approx(stated * 142, rel=1e-3)
    assert made.families[0].bytes_by_cause.total == pytest.approx(made.physical_bytes[-1], rel=1e-6)
