"""Families, their retention and what readers want of them, on figures made by hand."""

import datetime

import pytest

from estimator.rules import findings
from estimator.rules.base.examples import design, of, read, time
from estimator.wording import worded

from .made import TODAY, estimate, growth, row_growth, traffic


def found(code, spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == code]


def age(days):
    return {"kind": "max_age", "age_days": days}


def versions(count):
    return {"kind": "max_versions", "versions": count}


# --- F011 retention-below-reads ---------------------------------------------------------------------------------


def kept(gc, asked, *, key=None, mode="append_row", events=None, **more):
    """What is found where a family keeps by `gc` and one read asks."""
    spec = design(
        *(key or (of("device", "#"), time())),
        gc=gc,
        write={"mode": mode},
        reads=(read(**asked),),
        per_second=10,
        **more,
    )
    grown = None if events is None else growth(kinds=(row_growth(events_per_row=events),))
    return found("F011", spec, growth=grown)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"time": {"days": 30}}, []),
        ({"time": {"days": 30.001}}, ["error"]),
        ({"time": {"days": 7, "age_days": 23}}, []),
        ({"time": {"days": 7, "age_days": 23.001}}, ["error"]),
        ({"time": {"days": 7}, "age_days": 24}, ["error"]),
        ({"age_days": 31}, ["error"]),
        ({"cell_days": 31}, ["error"]),
        ({"cell_days": 30}, []),
        ({}, []),
    ],
)
def test_a_read_that_looks_further_back_than_cells_are_kept_gets_wrong_answers(asked, expected):
    assert [f.severity for f in kept(age(30), asked)] == expected


def test_it_says_what_is_gone_and_from_when_on():
    (one,) = kept(age(30), {"time": {"days": 40}}, start="2026-01-01")

    said = worded(one.message, one.params)
    assert one.effect == pytest.approx(0.25)
    assert "keeps cells for 30 days, but look up wants them from 40 days back: 25 %" in said
    assert "from 2026-01-31 on" in said


def test_a_table_with_history_is_incomplete_from_the_start():
    (one,) = kept(age(30), {"time": {"days": 40}}, start="2026-01-01", table={"history_months": 2})

    assert one.params["date"] == datetime.date(2026, 1, 1)


def test_a_time_range_without_a_time_in_the_key_is_no_matter_of_retention():
    assert kept(age(30), {"time": {"days": 60}}, key=(of("device"),)) == []


def test_a_read_of_another_family_is_not_meant():
    spec = design(
        of("device", "#"), time(), reads=(read(time={"days": 60}, families=("other",)),),
        table={
            "families": [
                {"id": "family", "gc": age(30), "columns": [{"id": "c"}]},
                {"id": "other", "gc": age(90), "columns": [{"id": "d"}]},
            ]
        },
    )  # fmt: skip

    assert found("F011", spec) == []


@pytest.mark.parametrize(
    ("wanted", "mode", "events", "expected"),
    [
        (3, "new_cell", 100.0, []),
        (4, "new_cell", 100.0, ["error"]),
        (4, "new_cell", None, ["error"]),
        (4, "new_cell", 3.0, []),  # there never are more than are kept
        (4, "append_row", None, []),  # each event makes a row: there is one version of each cell
    ],
)
def test_a_read_that_wants_more_versions_than_are_kept_misses_some(wanted, mode, events, expected):
    found = kept(versions(3), {"newest_versions": wanted}, mode=mode, events=events)

    assert [f.severity for f in found] == expected


def test_versions_within_an_age_are_kept_where_age_alone_collects():
    assert kept(age(30), {"newest_versions": 50}, mode="new_cell", events=100.0) == []


@pytest.mark.parametrize(
    ("needed", "expected"),
    [
        ({"age_days": 30}, []),
        ({"age_days": 31}, ["error"]),
        ({"forever": True}, ["error"]),
        ({"versions": 5}, []),
    ],
)
def test_what_the_family_says_is_needed_must_be_kept(needed, expected):
    assert [f.severity for f in kept(age(30), {}, family={"needed": needed})] == expected


def test_what_is_needed_for_ever_has_no_fix():
    (one,) = kept(age(30), {}, family={"needed": {"forever": True}})

    assert one.fix is None
    assert "need them for ever" in worded(one.message, one.params)


def test_constant_timestamps_have_no_age():
    assert kept(age(30), {"time": {"days": 60}}, column={"timestamp": "constant"}) == []


def test_the_fix_raises_the_age_and_leaves_the_versions():
    gc = {"kind": "union", "rules": [versions(1), age(30)]}

    (one,) = kept(gc, {"time": {"days": 60}})

    assert one.fix.value == {"kind": "union", "rules": [versions(1), age(60.0)]}


@pytest.mark.parametrize(("days", "fixed"), [(120, True), (120.1, False)])
def test_a_replicated_table_with_data_takes_no_increase_above_ninety_days(days, fixed):
    two = tuple({"id": f"c{n}", "region": region} for n, region in enumerate(("us-central1", "us-east1")))

    (one,) = kept(age(30), {"time": {"days": days}}, clusters=two, table={"history_months": 1})

    assert (one.fix is not None) == fixed


# --- F006 aggregate-mixed ---------------------------------------------------------------------------------------


def counted(write, *, kind="sum", value="integer", ordinary=True):
    families = [{"id": "counts", "name": "n", "kind": kind, "columns": [{"id": "count", "value": {"kind": value}}]}]
    if ordinary:
        families.append({"id": "family", "name": "m", "columns": [{"id": "column"}]})
    spec = design(of("device"), write=write, table={"families": families})
    return found("F006", spec, traffic=traffic())


@pytest.mark.parametrize(
    "mode", ["append_row", "overwrite", "new_cell", "new_column", "increment", "read_modify_write"]
)
def test_ordinary_cells_in_an_aggregate_family_are_refused(mode):
    (one,) = counted({"mode": mode})

    assert (one.severity, one.at, one.params["family"]) == ("error", "write", "n")
    assert "5,000/s" in worded(one.message, one.params)


@pytest.mark.parametrize("mode", ["check_and_mutate", "delete_row", "delete_cell", "delete_family"])
def test_what_may_hold_any_mutation_is_not_refused(mode):
    assert counted({"mode": mode}) == []


def test_adding_to_an_ordinary_family_is_refused():
    (one,) = counted({"mode": "add_to_aggregate"})

    assert one.params["family"] == "m"


def test_a_write_that_names_its_columns_is_fine():
    assert counted({"mode": "append_row", "columns": ["column"]}) == []
    assert counted({"mode": "add_to_aggregate", "columns": ["count"]}) == []


@pytest.mark.parametrize(
    ("kind", "value", "at"),
    [("sum", "json", ["count"]), ("max", "text", ["count"]), ("hll", "text", []), ("sum", "integer", []),
     ("min", "small_integers", []), ("sum", None, [])],
)  # fmt: skip
def test_sums_take_whole_numbers_and_sketches_take_anything(kind, value, at):
    adds = {"mode": "add_to_aggregate", "columns": ["count"]}

    assert [f.at for f in counted(adds, kind=kind, value=value)] == at
