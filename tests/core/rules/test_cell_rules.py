"""C rules on figures made by hand."""

import math

import numpy as np
import pytest

from designer.spec import Spec
from designer.spec.edits import apply
from estimator.engines import bigtable
from estimator.results import EntityShares
from estimator.rules import findings
from estimator.rules.base.examples import DEVICE, design, of, read, time
from estimator.rules.many_small_cells import numbered

from .made import TODAY, cell, column_size, estimate, growth, keys, plan, row_size, traffic, write_load


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


# --- C009 -----------------------------------------------------------------------------------------------------

NUMBER = {"kind": "integer"}


def counting(mode="increment", *, value=NUMBER, known=True, family=None, table=None, write=None) -> tuple[Spec, list]:
    spec = design(
        of("device"), write={"mode": mode, **(write or {})}, column={"value": value}, family=family, table=table
    )
    made = estimate(spec, traffic=traffic(writes=(write_load(14_000.0),)) if known else None)
    return spec, of_rule("C009", spec, made)


def test_a_counter_says_what_reading_first_costs():
    _, (found,) = counting()

    capacity = bigtable.CAPACITIES["ssd"]
    read, write = capacity.read.node_seconds(250), capacity.write.node_seconds(250)
    assert found.severity == "note"
    assert found.params["time_share"] == pytest.approx(read / (read + write))
    assert found.effect == pytest.approx(read / (read + write))


@pytest.mark.parametrize(
    ("mode", "value", "expected"),
    [
        ("increment", NUMBER, 1),
        ("read_modify_write", NUMBER, 1),
        ("read_modify_write", {"kind": "json"}, 0),
        ("overwrite", NUMBER, 0),
        ("check_and_mutate", NUMBER, 0),
    ],
)
def test_only_whole_numbers_that_are_incremented_are_counters(mode, value, expected):
    assert len(counting(mode, value=value)[1]) == expected


def test_an_aggregate_family_is_what_is_wanted():
    assert counting(family={"kind": "sum"})[1] == []


def test_a_counter_is_told_before_its_rate_is_known():
    _, (found,) = counting(known=False)

    assert found.effect is None


def test_a_family_of_counters_that_holds_nothing_yet_becomes_the_aggregate():
    spec, (found,) = counting(value={})

    mended, _ = apply(spec, found.fix)
    (family,) = mended.tables[0].families
    assert (family.kind, family.columns[0].value.kind) == ("sum", "integer")
    assert mended.find("write").mode == "add_to_aggregate"


def test_counters_leave_a_family_that_holds_something_else():
    columns = [{"id": "n", "qualifier": "n", "value": NUMBER}, {"id": "v", "qualifier": "v"}]
    spec, (found,) = counting(family={"columns": columns}, write={"columns": ["n"]})

    mended, _ = apply(spec, found.fix)
    old, new = mended.tables[0].families
    assert [c.id for c in old.columns] == ["v"]
    assert (new.kind, [c.id for c in new.columns]) == ("sum", ["n"])


def test_a_family_that_holds_data_cannot_become_an_aggregate():
    spec, (found,) = counting(table={"history_months": 3})

    mended, _ = apply(spec, found.fix)
    assert [family.kind for family in mended.tables[0].families] == ["ordinary", "sum"]


# --- C010 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("column", "expected"),
    [
        ({"timestamp": "event", "timestamp_resolution": "microsecond"}, ["error"]),
        ({"timestamp": "event", "timestamp_resolution": "millisecond"}, []),
        ({"timestamp": "event"}, []),
        ({"timestamp": "server", "timestamp_resolution": "microsecond"}, []),
    ],
)
def test_timestamps_of_microseconds_are_refused(column, expected):
    spec = design(of("device"), column=column)

    found = of_rule("C010", spec, estimate(spec, traffic=traffic(writes=(write_load(1_000.0),))))

    assert [f.severity for f in found] == expected
    assert all(f.effect == pytest.approx(999.0) for f in found)


# --- C011 -----------------------------------------------------------------------------------------------------

POISSON = {"kind": "poisson"}
DAY = 86_400
SENSOR = {
    "id": "sensor",
    "values": {"kind": "pattern", "text": "s{n:02}"},
    "distinct": 10,
    "popularity": {"kind": "uniform"},
}


def met(*, per_second=1.0, arrival=POISSON, mode="new_cell", column=None, gc=None, key=None, fields=None, **more):
    spec = design(
        *(key or (of("device", "#"), time(resolution="day", pattern="%Y%m%d"))),
        fields=fields or (DEVICE, SENSOR),
        per_second=per_second,
        activity={"arrival": arrival} if arrival else None,
        write={"mode": mode},
        column=column,
        **({"gc": gc} if gc else {}),
        **more,
    )
    spread = EntityShares(np.array([1e-3]), np.array([1e3]))
    return spec, of_rule("C011", spec, estimate(spec, keys=keys(spec), growth=growth(entities={"write": spread})))


SECONDS = {"timestamp": "event", "timestamp_resolution": "second"}


def by_sensor(*more):
    return {"qualifier_from": [{**of("sensor"), "id": "q-sensor"}, *more]}


def test_events_of_one_second_meet_as_the_law_says():
    _, (found,) = met(per_second=100.0, column=SECONDS)

    m = 0.1
    assert found.severity == "error"
    assert found.effect == pytest.approx(1_000 * DAY * (m - 1 + math.exp(-m)))


@pytest.mark.parametrize(
    ("per_second", "expected"), [(4.82, ["error"]), (4.81 * 0.99, ["note"]), (0.153, ["note"]), (0.151, [])]
)
def test_one_lost_cell_a_day_is_an_error_and_one_in_years_a_note(per_second, expected):
    """At r/s over 1,000 rows and milliseconds, r² · 1e-6 / 2 · 86,400 are lost a day: 1 at 4.811, 0.001 at 0.152."""
    assert [f.severity for f in met(per_second=per_second)[1]] == expected


def test_a_qualifier_made_from_a_field_keeps_its_values_apart():
    _, (found,) = met(per_second=100.0, column={**SECONDS, **by_sensor()})

    m = 0.01
    assert found.effect == pytest.approx(10_000 * DAY * (m - 1 + math.exp(-m)), rel=1e-3)


def test_where_few_events_meet_the_sum_of_squares_is_the_law():
    uneven = {**SENSOR, "popularity": {"kind": "weights", "weights": [50], "rest": 50}}
    _, (found,) = met(per_second=1.0, column={**by_sensor()}, fields=(DEVICE, uneven))

    squares = 0.5**2 + 9 * (0.5 / 9) ** 2
    assert found.effect == pytest.approx(DAY * 1e-3 / 2 * 1e-3 * squares, rel=1e-3)


def test_a_cell_every_minute_never_meets_another():
    assert met(arrival={"kind": "every", "seconds": 60, "field": "device"}, column=SECONDS)[1] == []


def test_a_sensor_that_reports_every_minute_meets_none_of_its_own():
    assert met(arrival={"kind": "every", "seconds": 60, "field": "sensor"}, column={**SECONDS, **by_sensor()})[1] == []


MINUTES = {"id": "q-time", "kind": "time", "resolution": "minute", "pattern": "%Y%m%d%H%M"}


def test_the_qualifiers_time_alone_counts_where_one_version_stays():
    newest = {"kind": "max_versions", "versions": 1}
    column = {"qualifier_from": [MINUTES]}

    _, (found,) = met(mode="new_column", column=column, gc=newest)
    _, kept = met(mode="new_column", column=column)

    m = 60 / 1_000
    assert found.effect == pytest.approx(1_000 * DAY / 60 * (m - 1 + math.exp(-m)))
    assert [f.severity for f in kept] == ["note"]  # every version stays: only one millisecond is one cell


@pytest.mark.parametrize(
    "case",
    [
        {"mode": "overwrite"},
        {"mode": "increment"},
        {"mode": "new_column"},
        {"gc": {"kind": "max_versions", "versions": 1}},
        {"mode": "append_row"},
    ],
    ids=["overwritten", "added up", "a new name each", "only the newest stays", "rows are another rule's"],
)
def test_events_may_meet(case):
    assert met(per_second=1_000.0, column={**SECONDS, **case.pop("column", {})}, **case)[1] == []


def test_data_in_the_qualifier_of_new_rows_is_this_rules():
    _, (found,) = met(per_second=1_000.0, mode="append_row", column={**SECONDS, **by_sensor()})

    assert found.severity == "error"


def test_an_order_number_in_the_qualifier_keeps_all_events():
    order = {"id": "sensor", "kind": "integer", "assigned": "sequential", "growth_per_day": 1_000 * DAY, "distinct": 10}

    assert met(per_second=1_000.0, column={**SECONDS, **by_sensor()}, fields=(DEVICE, order))[1] == []


@pytest.mark.parametrize(("per_second", "expected"), [(1.9, []), (2.1, ["note"]), (100, ["note"]), (110, ["error"])])
def test_while_nobody_has_said_how_events_arrive_only_gross_losses_are_an_error(per_second, expected):
    """In seconds of 1,000 rows a share of r / 2,000 is lost: a thousandth at 2/s, 5 % at 103/s."""
    assert [f.severity for f in met(per_second=per_second, arrival=None, column=SECONDS)[1]] == expected


def test_the_fix_is_the_coarsest_time_that_tells_events_apart():
    spec, (found,) = met(column=SECONDS)

    mended, _ = apply(spec, found.fix)
    assert mended.find("column").timestamp_resolution == "millisecond"


# --- C012 -----------------------------------------------------------------------------------------------------


def partly(*, share=0.1, match=None, per_second=1_000.0, kind="protobuf", columns=None, other=None, node=True):
    asked = {"value_share": share} if share is not None else {}
    asked |= {"match_share": match} if match is not None else {}
    reads = [read(binds=("device",), **asked)]
    plans = [
        plan(
            "point",
            bytes_returned=20_000.0 * (match or 1.0),
            bytes_wanted=20_000.0 * (match or 1.0) * (share if share is not None else 1.0),
            per_second=per_second if node else None,
        )
    ]
    if other is not None:
        reads.append(read(id="whole", binds=("device",)))
        plans.append(plan("point", read="whole", bytes_returned=2e4, bytes_wanted=2e4, per_second=other))
    blob = {"id": "column", "qualifier": "v", "value": {"kind": kind, "typical_bytes": 20_000}}
    spec = design(of("device"), family={"columns": [blob, *(columns or ())]}, reads=tuple(reads))
    return spec, of_rule("C012", spec, estimate(spec, reads=tuple(plans)))


def test_reads_of_a_tenth_of_a_blob_warn_with_what_is_thrown_away():
    _, (found,) = partly()

    assert (found.severity, found.at) == ("warning", "column")
    assert found.params["waste_share"] == pytest.approx(0.9)
    assert found.effect == pytest.approx(1_000 * 18_000 / 220e6)


@pytest.mark.parametrize(("share", "expected"), [(0.49, ["warning"]), (0.51, ["note"]), (0.79, ["note"]), (0.81, [])])
def test_half_thrown_away_is_grave_and_a_fifth_is_worth_a_line(share, expected):
    assert [f.severity for f in partly(share=share)[1]] == expected


@pytest.mark.parametrize(("per_second", "expected"), [(123.0, ["warning"]), (122.0, ["note"])])
def test_a_hundredth_of_a_node_is_grave(per_second, expected):
    """18 KB a request at 220 MB/s: 0.01 nodes at 122.2 a second."""
    assert [f.severity for f in partly(per_second=per_second)[1]] == expected


def test_a_filter_that_must_look_inside_counts_what_was_sent():
    _, (found,) = partly(share=None, match=0.1)

    assert found.params["waste_share"] == pytest.approx(0.9)


@pytest.mark.parametrize(
    "case",
    [
        {"kind": "text"},
        {"share": None},
        {"share": None, "match": 0.1, "columns": ({"id": "more", "qualifier": "m", "value": {"kind": "integer"}},)},
        {"other": 4_000.0},
    ],
    ids=["not serialised", "all is wanted", "another column to filter by", "most requests want all"],
)
def test_a_blob_is_fine(case):
    assert partly(**case)[1] == []


def test_a_part_is_a_note_before_its_rate_is_known():
    assert [f.severity for f in partly(node=False)[1]] == ["note"]


def test_the_hot_part_gets_a_family_of_its_own():
    spec, (found,) = partly()

    mended, _ = apply(spec, found.fix)
    cold, hot = mended.tables[0].families
    assert (cold.columns[0].value.typical_bytes, hot.columns[0].value.typical_bytes) == (18_000, 2_000)
    assert mended.find("read").columns == (hot.columns[0].id,)
    assert mended.find("read").value_share is None
