"""C rules on figures made by hand."""

import math
from decimal import Decimal

import numpy as np
import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.columns.many_small_cells import numbered_columns
from estimator.advice.rules.shared.examples import DEVICE, design, field_part, read_part, time_part
from estimator.advice.rules.shared.fixes import shorten_names
from estimator.engines import GiB, MiB, bigtable
from estimator.facts.billing import stored_cost
from estimator.kernels.growth.longest_values import field_bytes_max
from estimator.results import BillLine, EntityShares, RowKindSize
from tests.cases import cases
from tests.core.advice.rules.made import (
    TODAY,
    bill,
    cell,
    column_size,
    estimate,
    growth,
    keys,
    plan,
    row_growth,
    row_size,
    traffic,
    write_load,
)


def of_rule(code, spec, made):
    return [f for found in findings(spec, made, TODAY) for f in (found, *found.under) if f.rule == code]


# --- C001 -----------------------------------------------------------------------------------------------------


def qualifier_findings(*, field=None, qualifier="", transforms=(), after=""):
    column = {"qualifier": qualifier}
    if field is not None:
        column = {"qualifier_from": [{**field_part("part", after, *transforms), "id": "q"}]}
    spec = design(field_part("device"), fields=(DEVICE, {"id": "part", "name": "part", **(field or {})}), column=column)
    return of_rule("C001", spec, estimate(spec))


def random(most, **more):
    return {"values": {"kind": "random", "min": 1, "max": most, **more}}


@pytest.mark.parametrize(
    ("case", "longest"),
    [
        ({"field": random(16_384)}, None),
        ({"field": random(16_385)}, 16_385),
        ({"field": random(16_384), "after": "#"}, 16_385),
        ({"field": random(8_193, alphabet="äöü")}, 16_386),
        ({"field": random(20_000), "transforms": ({"kind": "truncate", "length": 64},)}, None),
        ({"qualifier": "é" * 8_192}, None),
        ({"qualifier": "€" * 8_192}, 24_576),
    ],
)
def test_qualifiers_above_16_kib_are_refused(case, longest):
    found = qualifier_findings(**case)

    assert [f.effect for f in found] == ([] if longest is None else [longest])
    assert all(f.severity == "error" for f in found)


@pytest.mark.parametrize(
    ("field", "longest"),
    [
        ({"values": {"kind": "enumeration", "items": [{"value": "cpu"}, {"value": "memory"}]}}, 6),
        ({"values": {"kind": "pattern", "text": "app{n:03}.example"}, "distinct": 5_000}, 15),
        ({"values": {"kind": "pattern", "text": "n{n}"}, "distinct": 50, "growth_per_day": 1}, 4),
        ({"kind": "integer", "values": {"kind": "range", "min": -1_000, "max": 10}}, 5),
        ({"kind": "uuid"}, 36),
        ({"kind": "boolean"}, 5),
    ],
)
def test_the_longest_value_of_a_field_is_counted_to_the_end_of_the_horizon(field, longest):
    spec = design(field_part("device"), fields=(DEVICE, {"id": "part", "name": "part", **field}))

    assert field_bytes_max(spec, spec.find("part")) == longest


# --- C002 -----------------------------------------------------------------------------------------------------


def heavy(name_bytes, *, rows=1e9, made_from=False, origin="guess"):
    column = {"qualifier": "n" * name_bytes}
    if made_from:
        column = {"qualifier_from": [{**field_part("device"), "id": "q"}]}
    spec = design(field_part("device"), column=column)
    sizes = row_size(column_size(cell=cell(9.0, qualifier=float(name_bytes))), rows=rows)
    grown = growth(compression_origin=origin)
    return spec, of_rule("C002", spec, estimate(spec, sizes=sizes, growth=grown))


@pytest.mark.parametrize(("name_bytes", "expected"), [(16, ["note"]), (14, [])])
def test_names_that_take_a_fifth_more_than_short_ones_are_heavy(name_bytes, expected):
    """A cell has 50 bytes beside its name: (n - 2) ÷ (50 + n) is a fifth at 15."""
    assert [f.severity for f in heavy(name_bytes)[1]] == expected


@pytest.mark.parametrize(("rows", "expected"), [(384e6, ["note"]), (383e6, [])])
def test_less_than_ten_gib_of_names_is_not_worth_a_line(rows, expected):
    """28 bytes too many a row: 10 GiB at 383.5 million rows."""
    assert [f.severity for f in heavy(30, rows=rows)[1]] == expected


def test_every_byte_of_a_name_counts_where_rows_have_bytes_of_their_own():
    spec = design(field_part("device"), column={"qualifier": "n" * 30}, engine="tablestore")
    cell_ = cell(8.0, key=0.0, family=0.0, timestamp=0.0, overhead=0.0, qualifier=30.0)
    few, many = (RowKindSize("rows", 1e9, (column_size(cell=cell_),), row_bytes=n) for n in (101.0, 103.0))

    found = [of_rule("C002", spec, estimate(spec, sizes={"rows": size})) for size in (few, many)]

    assert [len(each) for each in found] == [1, 0]  # 28 bytes too many of 38 + 102 are a fifth


def test_what_is_billed_by_the_hour_costs_its_share_of_what_is_stored():
    line = BillLine(
        item="storage", label="", params={}, at="table", sku="tablestore.storage", where="cn-hangzhou",
        quantity=Decimal(1), unit="GB-hour", unit_price=Decimal("0.0001"), price_source="", price_seen="",
        price_origin="book", cost=Decimal("40.00"), low=None, high=None, formula="",
    )  # fmt: skip
    spec = design(field_part("device"), engine="tablestore")
    made = estimate(spec, growth=growth(physical_bytes=np.array([0.0, 4e12])), bills=(bill(line),))

    cost = stored_cost(made, 1e12)

    assert cost is not None
    assert cost.amount == Decimal("10.00")


def test_names_that_are_data_cannot_be_shortened():
    assert heavy(40, made_from=True)[1] == []


def test_the_fix_gives_names_of_at_most_two_letters_once_each():
    columns = [
        {"id": f"c{n}", "qualifier": name}
        for n, name in enumerate(("temperatureCelsius", "total_count", "tc", "total_cost"))
    ]
    spec = design(field_part("device"), family={"columns": columns})

    edit, renames = shorten_names(spec.tables[0].families[0].columns, longer_than=2)

    mended, _ = apply(spec, edit)
    names = [column.qualifier for column in mended.tables[0].families[0].columns]
    assert renames == 3
    assert names[2] == "tc"
    assert len(set(names)) == 4
    assert all(1 <= len(name) <= 2 for name in names)


# --- C003 -----------------------------------------------------------------------------------------------------


def small_cells(columns=64, *, value_bytes=2.0, reads=(({}, 10.0),), write=None, presence=1.0):
    family = numbered_columns(columns, value_bytes)
    asked = tuple(read_part(id=f"read{n}", binds=("device",), **more) for n, (more, _) in enumerate(reads))
    spec = design(field_part("device", "#"), time_part(), family=family, reads=asked, write=write)
    each = {"cell": cell(value_bytes, qualifier=5.0), "cells_written": presence}
    sizes = row_size(*(column_size(c["id"], **each) for c in family["columns"]))
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


def test_columns_that_most_rows_lack_are_not_written_together():
    assert small_cells(100, presence=0.49) == []
    assert len(small_cells(100, presence=0.5)) == 1


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


# --- C004 -----------------------------------------------------------------------------------------------------

METRIC = {
    "id": "metric",
    "values": {"kind": "enumeration", "items": [{"value": "cpu"}, {"value": "disk"}, {"value": "memory"}]},
}


def by_metric(
    *key,
    reads=((("device",), 10.0),),
    largest_mib=1.0,
    metric=METRIC,
    column=None,
    at_once=1,
    device=None,
    events=100.0,
):
    asked = tuple(read_part(id=f"read{n}", binds=binds) for n, (binds, _) in enumerate(reads))
    spec = design(
        *(key or (field_part("device", "#"), field_part("metric"))),
        fields=({**DEVICE, **(device or {})}, metric),
        reads=asked,
        column=column,
        write={"rows_per_event": at_once},
    )
    plans = tuple(plan("prefix", read=f"read{n}", rows_returned=3.0, per_second=r) for n, (_, r) in enumerate(reads))
    kind = row_growth(largest_bytes=np.array([0.0, largest_mib * MiB]), events_per_row=events)
    made = estimate(spec, keys=keys(spec), sizes=row_size(), reads=plans, growth=growth(kinds=(kind,)))
    return of_rule("C004", spec, made)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        (1.0, None),  # so few events that hardly a device has two of the metrics
        # One event of each metric in the mean: 1 ÷ (1 − 1/e) = 1.582 of each row that is there, and 3 × 0.632 rows of
        # each of the 1 − e⁻³ = 95 % of devices with any.
        (1.582, None),
        # Two of each: 2 ÷ (1 − e⁻²) = 2.313, and 3 × 0.865 ÷ (1 − e⁻⁶) = 2.6 rows.
        (2.313, 2.6),
        (100.0, 3.0),
    ],
)
def test_groups_have_as_many_rows_as_events_have_met_values(events, expected):
    groups = [one.params["rows_each"] for one in by_metric(events=events)]

    assert groups == ([] if expected is None else [pytest.approx(expected, abs=1e-3)])


def test_all_values_written_by_one_event_are_all_there():
    assert [one.params["rows_each"] for one in by_metric(events=1.0, at_once=3)] == [3.0]


def test_rows_that_differ_by_one_of_three_values_could_be_one():
    (found,) = by_metric()

    assert (found.severity, found.at) == ("note", "metric_part")
    assert (found.params["rows"], found.params["rows_then"]) == (1e6, pytest.approx(1e6 / 3))
    assert found.params["read_then"] == 1.0


@pytest.mark.parametrize(("largest_mib", "expected"), [(33.3, 1), (33.4, 0)])
def test_one_row_must_stay_small_enough(largest_mib, expected):
    assert len(by_metric(largest_mib=largest_mib)) == expected


@pytest.mark.parametrize(("rate", "expected"), [(9.9, 1), (10.0, 0)])
def test_reads_that_want_one_value_speak_for_its_own_row(rate, expected):
    assert len(by_metric(reads=((("device",), 10.0), (("device", "metric"), rate)))) == expected


@pytest.mark.parametrize(("values", "expected"), [(100, 1), (101, 0), (1, 0)])
def test_only_a_few_values_are_names(values, expected):
    items = [{"value": f"m{n:03}"} for n in range(values)]
    metric = {"id": "metric", "values": {"kind": "enumeration", "items": items}}

    assert len(by_metric(metric=metric, largest_mib=0.1)) == expected


FINE = time_part()


@cases(
    "case, expected",
    [
        ({"key": (field_part("metric", "#"), field_part("device")), "reads": ((("metric",), 10.0),)}, 0),
        ({"key": (field_part("metric"),), "reads": (((), 10.0),)}, 0),
        ({"column": {"qualifier_from": [{**field_part("device"), "id": "q"}]}}, 0),
        ({"device": {"belongs_to": "metric"}}, 0),
        ({"key": (field_part("device", "#"), field_part("metric", "#"), FINE)}, 0),
        ({"key": (field_part("device", "#"), field_part("metric", "#"), time_part(resolution="second"))}, 0),
        ({"key": (field_part("device", "#"), field_part("metric", "#"), FINE), "at_once": 3}, 1),
        (
            {
                "key": (
                    field_part("device", "#"),
                    field_part("metric", "#"),
                    time_part(resolution="day", pattern="%Y%m%d"),
                )
            },
            1,
        ),
    ],
)
def test_which_rows_differ_only_by_a_value(case, expected):
    assert len(by_metric(*case.pop("key", ()), **case)) == expected


# --- C006, C007, C008 -----------------------------------------------------------------------------------------


def value_findings(code, largest, *, engine="bigtable", typical=1_000.0, kind="json", rows=1e6, bills=()):
    value = {"kind": kind, "typical_bytes": typical, "max_bytes": largest}
    spec = design(field_part("device"), column={"value": value}, engine=engine)
    sizes = row_size(column_size(cell=cell(typical)), rows=rows)
    return of_rule(code, spec, estimate(spec, sizes=sizes))


@pytest.mark.parametrize(
    ("engine", "largest", "expected"),
    [
        ("bigtable", 100 * MiB, []),
        ("bigtable", 100 * MiB + 1, ["error"]),
        ("tablestore", 2 * MiB, []),
        ("tablestore", 2 * MiB + 1, ["error"]),
    ],
)
def test_cells_above_the_engines_limit_are_refused(engine, largest, expected):
    assert [f.severity for f in value_findings("C006", largest, engine=engine)] == expected


@pytest.mark.parametrize(("largest", "expected"), [(10 * MiB, []), (10 * MiB + 1, ["warning"])])
def test_cells_above_ten_mib_warn(largest, expected):
    found = value_findings("C007", largest)

    assert [f.severity for f in found] == expected
    assert all(f.params["busy_seconds"] == pytest.approx(largest / 220e6, rel=0.01) for f in found)


@pytest.mark.parametrize(("code", "size"), [("C006", 120 * MiB), ("C007", 32 * MiB)])
def test_values_of_one_size_are_not_said_to_reach_it(code, size):
    (alike,), (apart,) = (value_findings(code, size, kind="random", typical=float(t)) for t in (size, MiB))

    assert f"{float(size)} each" in str(alike)
    assert f"are typically {float(MiB)} but reach {float(size)}" in str(apart)


def test_a_refused_cell_has_the_large_one_under_it():
    spec = design(field_part("device"), column={"value": {"max_bytes": 200 * MiB}})

    (found,) = [f for f in findings(spec, estimate(spec), TODAY) if f.rule in ("C006", "C007")]

    assert [f.rule for f in found.under] == ["C007"]


@pytest.mark.parametrize(("typical", "expected"), [(MiB, []), (MiB + 1, ["note"])])
def test_values_above_a_mib_are_not_compressed(typical, expected):
    found = value_findings("C008", None, typical=float(typical))

    assert [f.severity for f in found] == expected
    assert all(f.effect == pytest.approx(1e6 * typical * 0.7 / GiB) for f in found)


@pytest.mark.parametrize(("rows", "expected"), [(732.0, ["note"]), (731.0, [])])
def test_less_than_a_gib_of_them_is_not_worth_a_line(rows, expected):
    """70 % of 2 MiB saved for each: a GiB at 731.4 rows."""
    assert [f.severity for f in value_findings("C008", None, typical=2.0 * MiB, rows=rows)] == expected


@pytest.mark.parametrize("kind", ["random", None])
def test_values_that_are_compressed_already_or_unknown_are_fine(kind):
    assert value_findings("C008", None, typical=2.0 * MiB, kind=kind) == []


# --- C009 -----------------------------------------------------------------------------------------------------

NUMBER = {"kind": "integer"}


def counting(mode="increment", *, value=NUMBER, known=True, family=None, table=None, write=None) -> tuple[Spec, list]:
    spec = design(
        field_part("device"), write={"mode": mode, **(write or {})}, column={"value": value}, family=family, table=table
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
    spec = design(field_part("device"), column=column)

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


def meeting_writes(
    *, per_second=1.0, arrival=POISSON, mode="new_cell", column=None, gc=None, key=None, fields=None, spread=None,
    **more,
):  # fmt: skip
    spec = design(
        *(key or (field_part("device", "#"), time_part(resolution="day", pattern="%Y%m%d"))),
        fields=fields or (DEVICE, SENSOR),
        per_second=per_second,
        activity={"arrival": arrival} if arrival else None,
        write={"mode": mode},
        column=column,
        **({"gc": gc} if gc else {}),
        **more,
    )
    spread = spread or EntityShares(np.array([1e-3]), np.array([1e3]))
    return spec, of_rule("C011", spec, estimate(spec, keys=keys(spec), growth=growth(entities={"write": spread})))


SECONDS = {"timestamp": "event", "timestamp_resolution": "second"}


def by_sensor(*more):
    return {"qualifier_from": [{**field_part("sensor"), "id": "q-sensor"}, *more]}


def test_events_of_one_second_meet_as_the_law_says():
    _, (found,) = meeting_writes(per_second=100.0, column=SECONDS)

    m = 0.1
    assert found.severity == "error"
    assert found.effect == pytest.approx(1_000 * DAY * (m - 1 + math.exp(-m)))


@pytest.mark.parametrize(
    ("per_second", "expected"), [(4.82, ["error"]), (4.81 * 0.99, ["note"]), (0.153, ["note"]), (0.151, [])]
)
def test_one_lost_cell_a_day_is_an_error_and_one_in_years_a_note(per_second, expected):
    """At r/s over 1,000 rows and milliseconds, r² · 1e-6 / 2 · 86,400 are lost a day: 1 at 4.811, 0.001 at 0.152."""
    assert [f.severity for f in meeting_writes(per_second=per_second)[1]] == expected


@pytest.mark.parametrize(("popularity", "expected"), [(None, "warning"), ({"kind": "zipf", "theta": 0.9}, "error")])
def test_cells_that_only_a_guessed_skew_loses_are_a_warning_and_say_so(popularity, expected):
    half = EntityShares(np.array([0.5, 0.5 / 999]), np.array([1.0, 999.0]))

    _, (found,) = meeting_writes(per_second=4.8, spread=half, fields=({**DEVICE, "popularity": popularity}, SENSOR))

    assert found.severity == expected
    assert ("assumes a default distribution for device_id" in english(found.message, found.params)) == (
        popularity is None
    )


def test_the_rate_at_which_one_a_day_is_lost_is_said():
    _, (found,) = meeting_writes(per_second=100.0)

    assert found.params["hurts_per_second"] == pytest.approx(4.811, rel=1e-3)
    assert "About 432 a day are lost (<\u00a00.1\u00a0%); the loss reaches 1 a day at 4.81/s." in english(
        found.message, found.params
    )


def test_a_qualifier_made_from_a_field_keeps_its_values_apart():
    _, (found,) = meeting_writes(per_second=100.0, column={**SECONDS, **by_sensor()})

    m = 0.01
    assert found.effect == pytest.approx(10_000 * DAY * (m - 1 + math.exp(-m)), rel=1e-3)


def test_where_few_events_meet_the_sum_of_squares_is_the_law():
    uneven = {**SENSOR, "popularity": {"kind": "weights", "weights": [50], "rest": 50}}
    _, (found,) = meeting_writes(per_second=1.0, column={**by_sensor()}, fields=(DEVICE, uneven))

    squares = 0.5**2 + 9 * (0.5 / 9) ** 2
    assert found.effect == pytest.approx(DAY * 1e-3 / 2 * 1e-3 * squares, rel=1e-3)


def test_a_cell_every_minute_never_meets_another():
    assert meeting_writes(arrival={"kind": "every", "seconds": 60, "field": "device"}, column=SECONDS)[1] == []


def test_a_sensor_that_reports_every_minute_meets_none_of_its_own():
    assert (
        meeting_writes(arrival={"kind": "every", "seconds": 60, "field": "sensor"}, column={**SECONDS, **by_sensor()})[
            1
        ]
        == []
    )


MINUTES = {"id": "q-time", "kind": "time", "resolution": "minute", "pattern": "%Y%m%d%H%M"}


def test_the_qualifiers_time_alone_counts_where_one_version_stays():
    newest = {"kind": "max_versions", "versions": 1}
    column = {"qualifier_from": [MINUTES]}

    _, (found,) = meeting_writes(mode="new_column", column=column, gc=newest)
    _, kept = meeting_writes(mode="new_column", column=column)

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
    assert meeting_writes(per_second=1_000.0, column={**SECONDS, **case.pop("column", {})}, **case)[1] == []


def test_data_in_the_qualifier_of_new_rows_is_this_rules():
    _, (found,) = meeting_writes(per_second=1_000.0, mode="append_row", column={**SECONDS, **by_sensor()})

    assert found.severity == "error"


def test_an_order_number_in_the_qualifier_keeps_all_events():
    order = {"id": "sensor", "kind": "integer", "assigned": "sequential", "growth_per_day": 1_000 * DAY, "distinct": 10}

    assert meeting_writes(per_second=1_000.0, column={**SECONDS, **by_sensor()}, fields=(DEVICE, order))[1] == []


@pytest.mark.parametrize(
    ("per_second", "expected"), [(1.9, []), (2.1, ["note"]), (100, ["note"]), (110, ["question"]), (1_001, ["error"])]
)
def test_while_nobody_has_said_how_events_arrive_only_sure_losses_are_an_error(per_second, expected):
    """In seconds of 1,000 rows a share of r / 2,000 is lost: a thousandth at 2/s, 5 % at 103/s; all from 1,000/s on."""
    assert [f.severity for f in meeting_writes(per_second=per_second, arrival=None, column=SECONDS)[1]] == expected


def test_the_fix_is_the_coarsest_time_that_tells_events_apart():
    spec, (found,) = meeting_writes(column=SECONDS)

    mended, _ = apply(spec, found.fix)
    assert mended.find("column").timestamp_resolution == "millisecond"


def test_a_qualifiers_time_is_made_finer_where_only_one_version_stays():
    newest = {"kind": "max_versions", "versions": 1}
    spec, (found,) = meeting_writes(mode="new_column", column={"qualifier_from": [MINUTES]}, gc=newest)

    mended, _ = apply(spec, found.fix)
    assert (mended.find("q-time").resolution, mended.find("q-time").pattern) == ("millisecond", "%Y%m%d%H%M%S%f")


# --- C012 -----------------------------------------------------------------------------------------------------


def partly(*, share=0.1, match=None, per_second=1_000.0, kind="protobuf", columns=None, other=None, node=True):
    asked = {"value_share": share} if share is not None else {}
    asked |= {"match_share": match} if match is not None else {}
    reads = [read_part(binds=("device",), **asked)]
    plans = [
        plan(
            "point",
            bytes_returned=20_000.0 * (match or 1.0),
            bytes_wanted=20_000.0 * (match or 1.0) * (share if share is not None else 1.0),
            per_second=per_second if node else None,
        )
    ]
    if other is not None:
        reads.append(read_part(id="whole", binds=("device",)))
        plans.append(plan("point", read="whole", bytes_returned=2e4, bytes_wanted=2e4, per_second=other))
    blob = {"id": "column", "qualifier": "v", "value": {"kind": kind, "typical_bytes": 20_000}}
    spec = design(field_part("device"), family={"columns": [blob, *(columns or ())]}, reads=tuple(reads))
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
