"""Q001, Q002, Q005, Q006: what reads look at beyond what they want, on figures made by hand."""

from dataclasses import replace

import numpy as np
import pytest

from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import (
    DEVICE,
    TENANT,
    USER,
    design,
    field_part,
    hash_part,
    read_part,
    time_part,
)
from estimator.facts.billing import nodes_used
from estimator.results import AccessHours, BytesByCause, ColumnSize, RowKindSize
from tests.cases import cases
from tests.core.advice.rules.made import TODAY, estimate, growth, keys, plan, traffic


def found(code, spec, **parts):
    every = findings(spec, estimate(spec, keys=keys(spec), **parts), TODAY)
    return [one for f in every for one in (f, *f.under) if one.rule == code]


# --- Q001 full-scan ---------------------------------------------------------------------------------------------


def scanning(*, scanned=1_000.0, returned=500.0, access="scan", node_seconds=1e-3, per_second=10.0, latency="batch"):
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(latency=latency),))
    known = {"rows_scanned": scanned, "rows_returned": returned, "node_seconds": node_seconds, "per_second": per_second}
    return found("Q001", spec, reads=(plan(access, **known),), traffic=traffic(week_node_share=np.full(168, 0.04)))


@pytest.mark.parametrize(("returned", "expected"), [(500.0, ["warning"]), (501.0, [])])
def test_a_scan_that_keeps_more_than_half_is_what_was_wanted(returned, expected):
    assert [f.severity for f in scanning(returned=returned)] == expected


@pytest.mark.parametrize(("per_second", "severity"), [(10.0, "warning"), (9.99, "note"), (None, "note")])
def test_a_scan_warns_from_a_hundredth_of_a_node(per_second, severity):
    assert [f.severity for f in scanning(per_second=per_second)] == [severity]


@pytest.mark.parametrize(
    ("latency", "seconds", "severity"),
    [("sensitive", 1.0, "warning"), ("sensitive", 0.99, "note"), ("batch", 1.0, "note")],
)
def test_somebody_who_waits_a_second_for_a_scan_is_reason_enough(latency, seconds, severity):
    found = scanning(latency=latency, node_seconds=seconds, per_second=0.001)

    assert [f.severity for f in found] == [severity]


def test_before_any_row_is_known_a_scan_is_a_note_without_figures_of_it():
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(latency="sensitive"),))
    scan = plan("scan", rows_scanned=1e15, rows_returned=1e12, node_seconds=1e6, per_second=10.0, rows_total=None)

    (one,) = found("Q001", spec, reads=(scan,))

    assert (one.severity, one.effect) == ("note", None)
    assert "Each request scans the whole table, 1,000× the rows that it returns." in english(one.message, one.params)


def test_a_scan_says_its_share_of_the_tables_load():
    (one,) = scanning(per_second=20.0)

    assert "Each request scans 1,000 rows to return 500 (2×)." in english(one.message, one.params)
    assert "At 20/s, that uses 0.02 nodes, 50\u00a0% of the table's load." in english(one.message, one.params)


# --- Q002 wide-scan ---------------------------------------------------------------------------------------------


def wide(*, scanned=1_000.0, returned=250.0, access="prefix", open_at="device_part", latency="batch", **known):
    spec = design(
        field_part("tenant", "#"),
        field_part("device", "#"),
        time_part(),
        fields=(TENANT, DEVICE),
        reads=(read_part(latency=latency),),
    )
    known = {"node_seconds": 1e-3 / 0.75, "per_second": 10.0, **known}
    seen = plan(access, rows_scanned=scanned, rows_returned=returned, open_at=open_at, **known)
    return found("Q002", spec, reads=(seen,))


def test_rows_that_are_thrown_away_are_noted_from_a_hundredth_of_a_node():
    """Three quarters of 4/3 of a thousandth of a second are thrown away, ten times a second."""
    assert [f.severity for f in wide(per_second=10.0001)] == ["note"]
    assert wide(per_second=9.99) == []


@pytest.mark.parametrize(("per_second", "severity"), [(200.001, "warning"), (199.9, "note")])
def test_rows_that_are_thrown_away_warn_from_a_fifth_of_a_node(per_second, severity):
    assert [f.severity for f in wide(per_second=per_second)] == [severity]


@pytest.mark.parametrize(
    ("latency", "seconds", "expected"), [("sensitive", 1.0, ["warning"]), ("sensitive", 0.99, []), ("batch", 1.0, [])]
)
def test_somebody_who_waits_a_second_for_a_wide_scan_is_reason_enough(latency, seconds, expected):
    assert [f.severity for f in wide(latency=latency, node_seconds=seconds, per_second=0.001)] == expected


@pytest.mark.parametrize(("returned", "expected"), [(500.0, 1), (501.0, 0)])
def test_a_range_of_which_more_than_half_is_kept_is_fine(returned, expected):
    assert len(wide(returned=returned, per_second=1_000.0)) == expected


@pytest.mark.parametrize("quiet", [{"access": "scan"}, {"access": "point"}, {"open_at": None}, {"per_second": None}])
def test_a_scan_of_everything_and_a_point_are_no_wide_scans(quiet):
    assert wide(**{"per_second": 1_000.0, **quiet}) == []


def test_a_wide_scan_names_the_part_that_it_does_not_know():
    (one,) = wide(per_second=100.0)

    said = english(one.message, one.params)
    assert "look up scans 1,000 rows of events to return 250." in said
    assert (
        "It has no exact value for device_id, so its row range ends there and it discards 75\u00a0%. "
        "At 100/s, that is 75,000 rows a second"
    ) in said


def test_rows_that_a_hash_of_what_is_known_finds_are_the_ones_wanted():
    spec = design(hash_part("device", after="#"), time_part(), reads=(read_part(binds=("device",), latency="batch"),))
    known = {"rows_scanned": 1_000.0, "rows_returned": 1_000.0, "open_at": "time_part", "per_second": 1_000.0}

    assert found("Q002", spec, reads=(plan("range", bound=("hash_part",), **known),)) == []
    assert found("Q002", spec, reads=(plan("range", bound=(), **known),)) != []


# --- Q007 long-reads --------------------------------------------------------------------------------------------


def long(
    *, rows=1_000.0, returned=None, per_second=1_000.0, busy=2.0, clusters=1, profile=None, device=DEVICE, binds=(),
    **parts,
):  # fmt: skip
    """A read that takes a millisecond of a node each, on nodes that are so busy."""
    more = {"app_profiles": ({"id": "boost", "routing": "single", "data_boost": True},)} if profile else {}
    spec = design(
        field_part("device", "#"), time_part(), fields=(device,),
        reads=(read_part(latency="batch", app_profile=profile, binds=binds),),
        instance={"clusters": [{"id": f"c{n}", "zone": f"z{n}"} for n in range(clusters)], **more},
    )  # fmt: skip
    seen = plan("range", rows_scanned=rows, rows_returned=returned or rows, node_seconds=1e-3, per_second=per_second)
    half = {"read_node_share_by_month": np.full(13, 0.25)}
    return found("Q007", spec, reads=(seen,), traffic=traffic(week_node_share=np.full(168, busy), **half), **parts)


@cases(
    "settings, expected",
    [
        ({}, ["note"]),
        ({"rows": 999.0}, []),
        ({"per_second": 999.0}, []),  # less than one node
        ({"busy": 2.01}, []),  # less than half of what nodes do
        ({"returned": 501.0}, ["note"]),
        ({"returned": 500.0}, []),  # half is thrown away: another rule's
        ({"clusters": 2}, []),  # half of the load is writes, which both clusters do
        ({"profile": "boost"}, []),
        ({"per_second": None}, []),
    ],
)
def test_a_long_read_is_noted_where_it_takes_a_node_and_half_of_all_that_they_do(settings, expected):
    assert [f.severity for f in long(**settings)] == expected


def test_a_long_read_says_what_it_takes_of_the_nodes():
    (one,) = long()

    said = english(one.message, one.params)
    assert (
        "look up reads 1,000 rows of events (2.44 KiB) per request. At 1,000/s, that uses 1 node, "
        "50\u00a0% of the load on all nodes."
    ) in said


@pytest.mark.parametrize(
    ("binds", "popularity", "expected"),
    [(("device",), None, True), ((), None, False), (("device",), {"kind": "zipf", "theta": 0.9}, False)],
)
def test_a_long_read_says_where_its_length_hangs_on_a_guessed_skew(binds, popularity, expected):
    (one,) = long(binds=binds, device={**DEVICE, "popularity": popularity})

    assert ("assumes a default distribution for device_id" in english(one.message, one.params)) == expected


# --- Q005 second-path -------------------------------------------------------------------------------------------

BY_USER = {"id": "by-user", "name": "by user", "binds": [{"field": "user"}], "latency": "batch"}


def paths(*, binds=("device",), bad=None, good=None, second=BY_USER, **settings):
    spec = design(
        field_part("device", "#"), time_part("#"), field_part("user"), fields=(DEVICE, USER, TENANT),
        reads=(read_part(binds=binds), second), **settings,
    )  # fmt: skip
    served = plan(**{"access": "prefix", "per_second": 1.0, **(good or {})})
    scanned = {"read": "by-user", "rows_scanned": 1e6, "rows_returned": 1e3, "node_seconds": 1.0, "per_second": 0.01}
    plans = (served, plan("scan", **{**scanned, **(bad or {})}))
    return found("Q005", spec, reads=plans)


def test_a_busy_read_that_no_order_serves_beside_another_is_told_of_a_second_table():
    (one,) = paths()

    assert (one.severity, one.at) == ("note", "by-user")
    said = english(one.message, one.params)
    assert "The row order of events serves look up. by user scans 1M rows to return 1,000" in said
    assert "starts with user_id" in said


@pytest.mark.parametrize(
    "hourly", [{"bad": {"per_second": 1 / 3_600, "node_seconds": 1_000.0}}, {"good": {"per_second": 1 / 3_600}}]
)
def test_a_path_is_taken_for_one_from_once_an_hour_on(hourly):
    assert len(paths(**hourly)) == 1


@cases(
    "quiet",
    [
        {"bad": {"per_second": 0.0099}},  # below a hundredth of a node
        {"bad": {"per_second": 1 / 3_601, "node_seconds": 1_000.0}},  # less than once an hour
        {"good": {"per_second": 1 / 3_601}},
        {"bad": {"per_second": None}},
        {"bad": {"rows_returned": 6e5}},  # it wants most of the table
        {"good": {"rows_scanned": 1e6}},  # the other is served no better
        {"good": {"access": "scan"}},
        {"binds": ("device", "user")},  # one order serves both: the user first
        {"second": {**BY_USER, "binds": []}},  # an export knows nothing
    ],
)
def test_a_rare_read_or_one_that_could_share_an_order_needs_no_second_table(quiet):
    assert paths(**quiet) == []


def test_where_a_table_is_derived_already_nothing_is_said():
    spec = design(
        field_part("device", "#"),
        field_part("user"),
        fields=(DEVICE, USER),
        reads=(read_part(binds=("device",)), BY_USER),
    )
    other = spec.tables[0].model_copy(update={"id": "other", "row_kinds": (), "families": ()})
    derived = other.model_validate({"id": "other", "derived_from": {"table": "table", "how": "index_table"}})
    plans = (plan("prefix", per_second=1.0), plan("scan", read="by-user", rows_scanned=1e6, node_seconds=1.0))

    both = spec.model_copy(update={"tables": (*spec.tables, derived)})

    assert found("Q005", spec, reads=plans) != []
    assert found("Q005", both, reads=plans) == []


def test_it_says_what_the_second_table_holds():
    spec = design(
        field_part("device", "#"),
        field_part("user"),
        fields=(DEVICE, USER),
        reads=(read_part(binds=("device",)), BY_USER),
    )
    plans = (plan("prefix", per_second=1.0), plan("scan", read="by-user", rows_scanned=1e6, node_seconds=1.0))
    made = estimate(spec, keys=keys(spec), reads=plans, growth=growth(compressed_share=0.5), traffic=traffic())
    cell = BytesByCause(0.0, 0.0, 0.0, 0.0, 1024.0, 0.0)
    size = RowKindSize("rows", 2**21, (ColumnSize("column", "family", cell, 1.0, 1.0),))
    made = replace(made, tables={"table": replace(made.tables["table"], sizes={"rows": size})})

    (one,) = [g for f in findings(spec, made, TODAY) for g in (f, *f.under) if g.rule == "Q005"]

    assert one.params["second_gib"] == 1.0
    assert one.params["writing_nodes"] == pytest.approx(5_000 / 14_000)


# --- Q006 queries-unknown ---------------------------------------------------------------------------------------


def unknown(columns, *, known=True, said=True):
    cells = [{"id": f"c{n}", "qualifier": f"q{n}", "value": {"kind": "integer"}} for n in range(columns)]
    spec = design(field_part("device", "#"), time_part(), family={"columns": cells})
    kind = spec.tables[0].row_kinds[0].model_copy(update={"reads_unknown": said})
    spec = spec.model_copy(update={"tables": (spec.tables[0].model_copy(update={"row_kinds": (kind,)}),)})
    made = estimate(spec, keys=keys(spec), growth=growth())
    cell = BytesByCause(20.0, 1.0, 2.0, 8.0, 8.0, 12.0)
    size = RowKindSize("rows", 1e9, tuple(ColumnSize(f"c{n}", "family", cell, 1.0, 1.0) for n in range(columns)))
    part = replace(made.tables["table"], sizes={"rows": size} if known else {})
    return [f for f in findings(spec, replace(made, tables={"table": part}), TODAY) if f.rule == "Q006"]


@pytest.mark.parametrize(("columns", "noted"), [(2, True), (1, False)])
def test_several_columns_for_reads_that_nobody_knows_are_noted(columns, noted):
    assert len(unknown(columns)) == noted
    assert len(unknown(columns, known=False)) == noted


def test_it_says_what_one_column_would_save_and_what_it_costs():
    (one,) = unknown(4)

    said = english(one.message, one.params)
    assert (one.severity, one.at, one.field) == ("note", "rows", "reads_unknown")
    assert "The reads of events are undecided, and each write creates 4 columns (204 B)." in said
    assert one.params["one_bytes"] < 204
    assert one.params["saved_gib"] > 0
    assert one.params["each_bytes"] == 51


@pytest.mark.parametrize("said", [False, None])
def test_reads_that_are_known_are_no_matter(said):
    assert unknown(4, said=said) == []


def test_nodes_do_the_writes_of_each_cluster_and_the_reads_of_one_whenever_they_come():
    """Writes keep 0.5 nodes busy all day, and a nightly report 6 nodes for 4 of 24 hours: 1 in the mean."""
    months, night = np.ones(13), np.tile(np.repeat([0.0, 1.0, 0.0], (1, 4, 19)), 7)
    accesses = (
        AccessHours("write", True, 0.5 * months, 0.5 * months, np.ones(168), mean_share=1.0),
        AccessHours("read", False, 6 * months, 6 * months, night, mean_share=4 / 24),
    )
    in_busiest_hour = {"node_share_by_month": 6.5 * months, "read_node_share_by_month": 6 * months}
    spec = design(field_part("device"), instance={"clusters": ({"id": "c1"}, {"id": "c2"})})
    made = traffic(week_node_share=0.5 + 6 * night, accesses=accesses, **in_busiest_hour)

    # By the busiest hour, in which 92 % are reads, it would be 1.62.
    assert nodes_used(spec, estimate(spec, traffic=made)) == pytest.approx(2 * 0.5 + 1)
