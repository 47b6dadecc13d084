"""Growth of tables: rows, bytes and row sizes against sums that can be redone by hand."""

import datetime
import math

import numpy as np
import pytest

from designer.document.durations import MONTH_DAYS
from estimator.engines import GiB, MiB
from estimator.kernels.growth.arrivals import KindShape
from estimator.kernels.growth.table import compute_growth
from estimator.kernels.population.population import population
from estimator.results import Measurement, NotComputableError
from tests.core.kernels.growth.designs import design, shape

DAY = 86_400.0
CELL = 20 + 1 + 1 + 8 + 100 + 12
"""Key, family, qualifier, timestamp, value, overhead of the small design's cell."""


def growth_of(spec, **shaped):
    return compute_growth(spec, spec.tables[0], shape(spec, **shaped))[0]


def sizes_of(spec, **shaped):
    return compute_growth(spec, spec.tables[0], shape(spec, **shaped))[1]["k"]


# --- rows -----------------------------------------------------------------------------------------------------


def test_a_row_per_event_makes_as_many_rows_as_events():
    growth = growth_of(design(), per_event=True)

    assert growth.rows[0] == 0
    assert growth.rows[-1] == pytest.approx(DAY * 365.25)
    assert growth.logical_bytes[-1] == pytest.approx(DAY * 365.25 * CELL)
    assert len(growth.dates) == len(growth.rows) == 13
    assert growth.dates[-1] == datetime.date(2027, 1, 1)


def test_rows_that_are_revisited_count_once():
    growth = growth_of(design(activity={"rate_per_second": 1000 / (DAY * 365.25)}), shares=[1e-3], counts=[1000])

    assert growth.rows[-1] == pytest.approx(1000 * (1 - math.exp(-1)))


def test_every_entity_that_acts_at_intervals_has_its_row():
    activity = {"arrival": {"kind": "every", "seconds": 60, "field": "balloon"}, "rate_per_second": None}
    spec = design(fields=[{"id": "balloon", "name": "balloon", "distinct": 50}], activity=activity)

    assert growth_of(spec, shares=[0.02], counts=[50]).rows[-1] == 50


def test_a_week_bucket_of_a_balloon_holds_10_080_cells_per_column():  # R1
    activity = {"arrival": {"kind": "every", "seconds": 60, "field": "balloon"}, "rate_per_second": None}
    pressure = {"id": "p", "qualifier": "pressure", "value": {"typical_bytes": 4}}
    spec = design(
        fields=[{"id": "balloon", "name": "balloon", "distinct": 50}],
        activity=activity, columns=[pressure], write={"mode": "new_cell"}, spec={"horizon_months": 1},
    )  # fmt: skip

    growth, sizes = compute_growth(spec, spec.tables[0], shape(spec, shares=[0.02], counts=[50], bucket_days=7))

    assert growth.kinds[0].events_per_row == pytest.approx(10_080)
    whole, part = 10_080, 30.4375 % 7 / 7 * 10_080  # four full weeks and the row of the fifth
    assert [c.cells_stored for c in sizes["k"].columns] == pytest.approx([(4 * whole + part) / 5] * 2)
    assert growth.kinds[0].largest_bytes[-1] == pytest.approx(10_080 * (CELL + 20 + 1 + 8 + 8 + 4 + 12))


@pytest.mark.parametrize(
    ("shaped", "rows"),
    [
        ({"per_event": True}, 4 * 10_080 * 2),
        ({"shares": [0.5], "counts": [2.0], "bucket_days": 7}, 4 * 2),
        ({"bucket_days": 7}, 4),
    ],
)
def test_the_three_patterns_of_the_article_make_so_many_rows(shaped, rows):  # R2
    # Two metrics a minute for four weeks: a row per minute (and metric), per week and metric, per week.
    history = {"history_months": 28 / MONTH_DAYS}
    spec = design(table=history, write={"mode": "new_cell", "rows_per_event": 2}, activity={"rate_per_second": 1 / 60})

    assert growth_of(spec, **shaped).rows[0] == pytest.approx(rows, rel=1e-6)


def test_rows_die_with_their_last_cell_half_a_week_later():
    spec = design(family={"gc": {"kind": "max_age", "age_days": 30}})

    assert growth_of(spec, per_event=True).rows[-1] == pytest.approx(DAY * 33.5)


def test_growth_of_an_activity_compounds_by_month():
    growth = growth_of(design(activity={"growth_per_month": 0.10}), per_event=True)

    months = sum(1.1**m for m in range(12)) * MONTH_DAYS * DAY * (1.1 - 1) / math.log(1.1)
    assert growth.rows[-1] == pytest.approx(months, rel=1e-3)


def test_growth_of_entities_spreads_the_same_events_over_more_rows():
    fields = [{"id": "d", "name": "device", "distinct": 1000, "growth_per_day": 1000 / 365.25}]
    key = [{"id": "s", "kind": "field", "field": "d"}]

    spec = design(fields=fields, key=key)
    kind = spec.tables[0].row_kinds[0]
    growth = compute_growth(spec, spec.tables[0], {"k": KindShape(20.0, population(spec, kind.segments, kind.writes))})[
        0
    ]

    assert growth.rows[0] == 0
    assert growth.rows[-1] == pytest.approx(2000, rel=1e-3)


def test_of_a_counter_short_of_its_rate_only_what_it_is_short_of_is_lost():
    fields = [{"id": "n", "kind": "integer", "assigned": "sequential", "distinct": 1000, "growth_per_day": 0.98 * DAY}]
    spec = design(fields=fields, key=[{"id": "s", "kind": "field", "field": "n"}])
    kind = spec.tables[0].row_kinds[0]

    growth = compute_growth(spec, spec.tables[0], {"k": KindShape(20.0, population(spec, kind.segments, kind.writes))})[
        0
    ]

    assert growth.rows[-1] == pytest.approx(0.98 * DAY * 365.25, rel=1e-3)
    assert growth.entities["w"].lost_share == pytest.approx(0.02, rel=0.01)


def test_deleted_rows_leave_and_stay_with_their_markers_for_half_a_week():
    """A marker is a cell without its value of 100 bytes and its qualifier of 1."""
    deletion = {"id": "x", "activity": "gone", "mode": "delete_row"}
    spec = design(
        writes=[deletion], activities=[{"id": "gone", "rate_per_second": 0.25}], table={"compressed_share": 1}
    )

    growth = growth_of(spec, per_event=True)

    assert growth.rows[-1] == pytest.approx(0.75 * DAY * 365.25)
    deleted = 0.25 * DAY * 3.5
    stored = (0.75 * DAY * 365.25 + deleted) * CELL + deleted * (CELL - 101)
    assert growth.logical_bytes[-1] == pytest.approx(stored)
    assert growth.families[0].uncollected_bytes == pytest.approx(deleted * (2 * CELL - 101))
    assert growth.families[0].bytes_by_cause.total == pytest.approx(stored)
    assert growth.changed_bytes_per_day == pytest.approx(DAY * CELL + 0.25 * DAY * (CELL - 101))


def test_all_columns_of_a_deleted_row_wait_wherever_they_stand():
    """Deleted are as many rows as are written, of 8 and 10,000 bytes: three and a half days of both are stored."""
    deletion = {"id": "x", "activity": "a", "mode": "delete_row"}
    small, large = (
        {"id": name, "qualifier": name, "value": {"kind": "random", "typical_bytes": size}}
        for name, size in (("s", 8), ("l", 10_000))
    )
    bytes_of = [
        growth_of(design(writes=[deletion], family={"columns": columns}), per_event=True).logical_bytes[-1]
        for columns in ([small, large], [large, small])
    ]

    cells = (CELL - 100) * 2 + 10_008
    assert bytes_of == pytest.approx([3.5 * DAY * (cells + CELL - 101)] * 2)


def test_deletions_of_nothing_store_a_marker_each():
    """Of 1,000 cells, written once a second, 100 times as many are deleted: 2 % wait to be deleted or are written."""
    deletion = {"id": "x", "activity": "gone", "mode": "delete_cell"}
    spec = design(
        write={"mode": "overwrite"}, writes=[deletion], activities=[{"id": "gone", "rate_per_second": 100.0}],
        family={"gc": {"kind": "max_versions", "versions": 1}},
    )  # fmt: skip

    growth = growth_of(spec, shares=[1e-3], counts=[1e3])

    written, deleted, live = DAY * 3.5, 100 * DAY * 3.5, 1e3 / 101
    assert growth.logical_bytes[-1] == pytest.approx((written + live) * CELL + deleted * (CELL - 100))


def test_what_has_one_version_for_ever_waits_once_when_it_is_deleted():
    """A counter of 1,000 rows is added to once a second, and deleted as often: half of them are there, all stored."""
    deletion = {"id": "x", "activity": "a", "mode": "delete_cell"}
    spec = design(write={"mode": "add_to_aggregate"}, writes=[deletion], family={"kind": "sum"})

    growth = growth_of(spec, shares=[1e-3], counts=[1e3])

    marker = CELL - 100
    assert growth.logical_bytes[-1] == pytest.approx(1e3 * CELL + 3.5 * DAY * marker)
    assert growth.families[0].uncollected_bytes == pytest.approx(500 * CELL + 3.5 * DAY * marker)


VERSION = {"gc": {"kind": "max_versions", "versions": 1}}


def test_rows_that_are_overwritten_all_the_time_gather_two_gib_each():
    """One row has half of 10,000 writes a second, 1,000 rows the rest: of 215 GB are 2 GiB there, of 215 MB each all.

    10,000 × 302,400 s × 142 bytes are 429.4 GB in half a week.
    """
    spec = design(write={"mode": "overwrite"}, activity={"rate_per_second": 10_000.0}, family=VERSION)

    growth = growth_of(spec, shares=[0.5, 0.0005], counts=[1, 1_000])

    in_half_a_week = 10_000 * 302_400 * CELL
    assert growth.logical_bytes[-1] == pytest.approx(1_001 * CELL + 2 * GiB + in_half_a_week / 2)
    assert growth.families[0].uncollected_bytes == pytest.approx(2 * GiB + in_half_a_week / 2)
    assert growth.physical_bytes_high[-1] / growth.compressed_share_high == pytest.approx(
        1_001 * CELL + 2 * GiB + in_half_a_week
    )


def test_live_cells_of_a_row_have_no_such_bound():
    spec = design(write={"mode": "new_column"}, activity={"rate_per_second": 10_000.0}, column={"qualifier": ""})

    growth = growth_of(spec)

    assert growth.logical_bytes[-1] == pytest.approx(10_000 * DAY * 365.25 * (CELL - 1))


def test_history_counts_at_the_rate_of_the_start():
    spec = design(table={"history_months": 6}, activity={"growth_per_month": 0.5})

    assert growth_of(spec, per_event=True).rows[0] == pytest.approx(DAY * 6 * MONTH_DAYS)


def test_stated_rows_are_the_rows_at_the_start():
    growth = growth_of(design(table={"rows_stored": 5e6}), per_event=True)

    assert growth.rows[0] == pytest.approx(5e6)
    assert growth.rows[-1] == pytest.approx(5e6 + DAY * 365.25)


# --- bytes ----------------------------------------------------------------------------------------------------


def test_stated_gib_are_the_physical_bytes_at_the_start_to_the_byte():
    growth = growth_of(design(table={"gib_stored": 50, "compressed_share": 0.5}), per_event=True)

    assert growth.physical_bytes[0] == growth.physical_bytes_low[0] == growth.physical_bytes_high[0] == 50 * GiB
    assert growth.physical_bytes[-1] == pytest.approx(50 * GiB + DAY * 365.25 * CELL * 0.5)


def test_a_table_in_its_steady_state_stays_at_what_was_measured():
    spec = design(
        table={"gib_stored": 50}, write={"mode": "overwrite"}, family={"gc": {"kind": "max_versions", "versions": 1}}
    )

    growth = growth_of(spec, shares=[1e-3], counts=[1000])

    assert growth.physical_bytes == pytest.approx(np.full(13, 50 * GiB))


def test_rare_writes_to_rows_that_are_all_there_add_nothing():
    spec = design(
        table={"gib_stored": 50, "rows_stored": 1e9}, write={"mode": "overwrite"}, activity={"rate_per_second": 0.01},
        family={"gc": {"kind": "max_versions", "versions": 1}},
    )  # fmt: skip

    growth = growth_of(spec, shares=[1e-9], counts=[1e9])

    assert growth.rows == pytest.approx(np.full(13, 1e9))
    assert growth.physical_bytes == pytest.approx(np.full(13, 50 * GiB))
    assert growth.kinds[0].largest_bytes[-1] < 10 * CELL


def test_what_was_loaded_otherwise_is_there_besides_what_is_written():
    growth = growth_of(design(table={"gib_stored": 5_000_000, "compressed_share": 1.0}), per_event=True)

    assert growth.physical_bytes[-1] - growth.physical_bytes[0] == pytest.approx(DAY * 365.25 * CELL)


def test_measured_gib_of_a_stated_history_scale_every_cell():
    plain = growth_of(design(table={"history_months": 12, "compressed_share": 1.0}), per_event=True)
    gib = plain.physical_bytes[0] / GiB

    twice = growth_of(
        design(table={"history_months": 12, "compressed_share": 1.0, "gib_stored": 2 * gib}), per_event=True
    )

    assert twice.physical_bytes == pytest.approx(2 * plain.physical_bytes)
    assert twice.changed_bytes_per_day == pytest.approx(2 * plain.changed_bytes_per_day)
    assert twice.families[0].bytes_by_cause.total == pytest.approx(2 * plain.families[0].bytes_by_cause.total)


def test_a_table_that_nothing_writes_keeps_what_is_stored():
    spec = design(table={"gib_stored": 50, "row_kinds": []})

    assert (growth_of(spec).physical_bytes == 50 * GiB).all()


def test_rows_that_are_only_read_have_a_size_too():
    kinds = [{"id": "k", "reads": [{"id": "r", "rate_per_second": 1}]}]
    spec = design(table={"gib_stored": 50, "rows_stored": 1e6, "row_kinds": kinds})

    size = sizes_of(spec)

    assert size.rows == 1e6
    assert size.bytes_stored == CELL


def test_nothing_written_and_nothing_stored_is_open():
    spec = design(table={"row_kinds": []})

    with pytest.raises(NotComputableError, match=r"“t” has no writes\."):
        compute_growth(spec, spec.tables[0], {})


def test_a_write_without_activity_is_open_and_says_which():
    spec = design(write={"activity": None})

    with pytest.raises(NotComputableError) as reason:
        growth_of(spec)

    assert reason.value.because.at == "w"


def test_an_activity_without_a_rate_is_open():
    with pytest.raises(NotComputableError, match="no rate"):
        growth_of(design(activity={"rate_per_second": None}))


def test_bytes_by_cause_add_up_to_the_table():
    growth = growth_of(design(), per_event=True)
    causes = growth.families[0].bytes_by_cause

    assert causes.total == pytest.approx(growth.logical_bytes[-1])
    assert causes.key / causes.total == pytest.approx(20 / CELL)
    assert causes.overhead / causes.total == pytest.approx(12 / CELL)


def test_the_compressed_share_that_was_measured_is_the_users_and_has_no_band():
    growth = growth_of(design(table={"compressed_share": 0.25}), per_event=True)

    assert growth.compression_origin == "you"
    assert growth.compressed_share_low == growth.compressed_share_high == 0.25
    assert growth.physical_bytes[-1] == pytest.approx(0.25 * growth.logical_bytes[-1])


def test_a_guessed_compression_has_a_band_around_it():
    growth = growth_of(design(column={"value": {"kind": "json", "typical_bytes": 300}}), per_event=True)

    assert growth.compression_origin == "guess"
    assert growth.compressed_share_low < growth.compressed_share < growth.compressed_share_high
    assert growth.physical_bytes_low[-1] < growth.physical_bytes[-1] < growth.physical_bytes_high[-1]


def test_repeated_keys_in_one_row_compress_far_better_than_one_cell_rows():
    wide = [{"id": f"c{i}", "qualifier": "c", "value": {"kind": "empty", "typical_bytes": 0}} for i in range(50)]
    empty = {"value": {"kind": "empty", "typical_bytes": 0}}

    one = growth_of(design(column=empty), per_event=True, key_bytes=60)
    many = growth_of(design(column=empty, columns=wide), per_event=True, key_bytes=60)

    assert many.compressed_share < one.compressed_share / 2


def test_a_value_above_one_mebibyte_is_not_compressed():
    growth = growth_of(design(column={"value": {"kind": "json", "typical_bytes": 2 * MiB}}), per_event=True)

    assert growth.compressed_share == pytest.approx(1.0, abs=1e-3)


def test_presence_thins_cells_but_not_rows():
    growth = growth_of(design(column={"presence": 0.25}), per_event=True)

    assert growth.rows[-1] == pytest.approx(DAY * 365.25)
    assert growth.logical_bytes[-1] == pytest.approx(DAY * 365.25 * CELL / 4)


# --- garbage collection ---------------------------------------------------------------------------------------


def test_overwritten_cells_stay_for_half_a_week_until_collected():
    spec = design(write={"mode": "overwrite"}, family={"gc": {"kind": "max_versions", "versions": 1}})

    family = growth_of(spec).families[0]

    assert family.cells_per_row == pytest.approx(1 + 3.5 * DAY)
    assert family.uncollected_bytes == pytest.approx(3.5 * DAY * CELL)
    assert family.bounded


def test_limits_are_tested_with_a_whole_week_of_garbage():
    spec = design(write={"mode": "overwrite"}, family={"gc": {"kind": "max_versions", "versions": 1}})

    largest = growth_of(spec).kinds[0].largest_bytes[-1]

    assert largest == pytest.approx((1 + 7 * DAY) * CELL, rel=0.01)


def test_without_collection_overwriting_grows_for_ever():
    growth = growth_of(design(write={"mode": "overwrite"}))

    assert growth.families[0].cells_per_row == pytest.approx(DAY * 365.25)
    assert not growth.families[0].bounded


@pytest.mark.parametrize(("versions", "is_bounded"), [(1_000, True), (100_000_000, False), (2_147_483_647, False)])
def test_versions_that_no_row_can_hold_are_no_limit(versions, is_bounded):
    spec = design(write={"mode": "new_cell"}, family={"gc": {"kind": "max_versions", "versions": versions}})

    assert growth_of(spec).families[0].bounded is is_bounded


@pytest.mark.parametrize("column", [{"timestamp": "constant"}, {}])
def test_an_aggregate_or_a_constant_timestamp_keeps_one_cell(column):
    family = {"kind": "ordinary" if column else "sum"}

    growth = growth_of(design(write={"mode": "add_to_aggregate"}, family=family, column=column))

    assert growth.families[0].cells_per_row == pytest.approx(1)
    assert growth.families[0].bounded


def test_qualifiers_made_from_data_fill_up_with_different_values():
    friend = [{"id": "friend", "name": "friend", "kind": "integer", "distinct": 100}]
    column = {"qualifier_from": [{"id": "q", "kind": "field", "field": "friend"}]}
    spec = design(
        fields=friend, column=column, write={"mode": "new_column"}, activity={"rate_per_second": 1 / DAY},
        family={"gc": {"kind": "max_versions", "versions": 1}}, spec={"horizon_months": 1},
    )  # fmt: skip

    live = growth_of(spec).families[0].cells_per_row - 3.5

    assert live == pytest.approx(100 * (1 - math.exp(-(MONTH_DAYS - 3.5) / 100)), rel=0.01)


def test_versions_beyond_what_readers_need_are_surplus():
    ten = {"kind": "max_versions", "versions": 10}
    spec = design(write={"mode": "new_cell"}, family={"gc": ten, "needed": {"versions": 2}})

    assert growth_of(spec).families[0].surplus_bytes == pytest.approx(8 * CELL)


def kept_ten(**given):
    ten = {"gc": {"kind": "max_versions", "versions": 10}}
    return growth_of(design(write={"mode": "new_cell"}, family={**ten, **given.pop("family", {})}, **given)).families[0]


def test_what_a_column_needs_goes_before_what_its_family_needs():
    found = kept_ten(family={"needed": {"versions": 10}}, column={"needed": {"versions": 2}})

    assert found.surplus_by_column == {"c": pytest.approx(8 * CELL)}
    assert found.surplus_bytes == pytest.approx(8 * CELL)


@pytest.mark.parametrize(
    ("reads", "versions", "whole"),
    [
        (({"newest_versions": 3}, {"newest_versions": 2}), 7, True),
        (({"newest_versions": 3}, {}), 0, False),
        (({"newest_versions": 3}, {"columns": ["other"]}), 7, False),
        ((), 0, False),
    ],
)
def test_reads_that_all_limit_versions_say_what_is_surplus(reads, versions, whole):
    other = {"columns": [{"id": "other", "qualifier": "o"}]}
    table = design(**other).tables[0].model_dump(mode="json", exclude_unset=True)
    named = [{"id": f"r{number}", **read} for number, read in enumerate(reads)]
    table["row_kinds"][0] |= {"writes": [{"id": "w", "activity": "a", "mode": "new_cell"}], "reads": named}
    table["families"][0]["gc"] = {"kind": "max_versions", "versions": 10}

    found = growth_of(design(table=table)).families[0]

    assert found.surplus_by_column["c"] == pytest.approx(versions * CELL)
    assert (found.surplus_bytes > 0) == whole


def test_cells_updated_in_a_row_per_event_share_the_row():
    update = {"id": "u", "activity": "change", "mode": "overwrite"}
    spec = design(
        writes=[update], activities=[{"id": "change", "rate_per_second": 2.0}],
        family={"gc": {"kind": "max_versions", "versions": 1}},
    )  # fmt: skip

    growth = growth_of(spec, per_event=True)

    assert growth.rows[-1] == pytest.approx(DAY * 365.25)
    assert growth.families[0].cells_per_row == pytest.approx(1, abs=0.1)


# --- row sizes ------------------------------------------------------------------------------------------------


def test_the_largest_row_crosses_100_mb_on_the_day_that_division_says():
    per_second = 0.05
    spec = design(write={"mode": "new_cell"}, activity={"rate_per_second": per_second})

    kind = growth_of(spec, shares=[1.0]).kinds[0]

    days = 100 * MiB / (CELL * per_second * DAY)
    warned, broken = kind.crossings
    assert warned.limit == "row_bytes_recommended"
    assert abs((warned.date - datetime.date(2026, 1, 1)).days - days) < 3
    assert broken.date is None


def test_a_popular_entity_has_a_far_larger_row_than_the_median():
    spec = design(write={"mode": "new_cell"}, activity={"rate_per_second": 1.0})

    kind = growth_of(spec, shares=[0.1, 0.9 / 9_999], counts=[1, 9_999]).kinds[0]

    assert kind.largest_bytes[-1] == pytest.approx(0.1 * DAY * 365.25 * CELL, rel=0.01)
    assert kind.median_bytes[-1] == pytest.approx(0.9 / 9_999 * DAY * 365.25 * CELL, rel=0.01)
    assert kind.median_bytes[-1] < kind.p99_bytes[-1] < kind.largest_bytes[-1]
    assert kind.largest_entity == "e1"
    assert kind.largest_events["w"] == pytest.approx(0.1 * DAY * 365.25, rel=0.01)


def test_the_largest_row_has_the_key_of_its_own_entity():
    spec = design(write={"mode": "new_cell"}, activity={"rate_per_second": 1.0})

    mean, own = (growth_of(spec, shares=[1.0], own=length).kinds[0] for length in (20.0, 33.0))

    assert own.largest_bytes[-1] / mean.largest_bytes[-1] == pytest.approx((CELL + 13) / CELL, rel=0.002)
    assert own.median_bytes[-1] == mean.median_bytes[-1]


def test_a_bucket_ends_a_rows_growth():
    spec = design(write={"mode": "new_cell"}, activity={"rate_per_second": 1.0})

    kind = growth_of(spec, bucket_days=1).kinds[0]

    assert kind.median_bytes[1:] == pytest.approx(np.full(12, DAY * CELL), rel=0.01)
    assert kind.bucket_seconds == DAY


def test_the_row_of_a_days_bucket_passes_a_limit_within_that_day():
    spec = design(write={"mode": "new_cell"}, activity={"rate_per_second": 20.0})

    warned, broken = growth_of(spec, bucket_days=1).kinds[0].crossings

    assert 100 * MiB < 20 * DAY * CELL < 256 * MiB
    assert (warned.date, broken.date) == (datetime.date(2026, 1, 1), None)


def test_the_largest_value_counts_once_in_the_largest_row():
    spec = design(column={"value": {"kind": "random", "typical_bytes": 100, "max_bytes": 1_100}})

    kind = growth_of(spec, per_event=True).kinds[0]

    assert kind.median_bytes[-1] == CELL
    assert kind.largest_bytes[-1] == CELL + 1_000


# --- what others read -----------------------------------------------------------------------------------------


def test_replication_sends_the_key_once_per_row_and_each_cell():
    columns = [{"id": "d", "qualifier": "dd", "value": {"typical_bytes": 10}}]

    growth = growth_of(design(columns=columns), per_event=True)

    assert growth.mutation_bytes_per_second == pytest.approx(20 + (1 + 1 + 8 + 100) + (1 + 2 + 8 + 10))


def test_bytes_changed_a_day_are_what_is_written_compressed():
    growth = growth_of(design(table={"compressed_share": 0.5}), per_event=True)

    assert growth.changed_bytes_per_day == pytest.approx(DAY * CELL * 0.5)


def test_sizes_say_cells_written_and_stored():
    size = sizes_of(design(write={"mode": "new_cell"}, column={"presence": 0.5}), shares=[0.1], counts=[10])

    assert size.rows == 10
    assert size.columns[0].cells_written == 0.5
    assert size.columns[0].cells_stored == pytest.approx(0.5 * DAY * 365.25 / 10)
    assert size.bytes_stored == pytest.approx(0.5 * DAY * 365.25 / 10 * CELL)


def test_cells_older_than_the_infrequent_age_are_told_apart():
    growth = growth_of(design(table={"infrequent_access_days": 30}), per_event=True)

    assert growth.infrequent_bytes[0] == 0
    assert growth.infrequent_bytes[-1] / growth.physical_bytes[-1] == pytest.approx(1 - 33.5 / 365.25, rel=1e-3)


def test_what_has_expired_stays_in_infrequent_access_until_it_is_collected():
    """Kept 90 days: a compaction half a week ago left 30 days on SSD, which are 33.5 by now, and the rest of 93.5."""
    gc = {"kind": "max_age", "age_days": 90}
    growth = growth_of(design(table={"infrequent_access_days": 30}, family={"gc": gc}), per_event=True)

    assert growth.infrequent_bytes[-1] / growth.physical_bytes[-1] == pytest.approx(60 / 93.5, rel=1e-3)


def test_a_table_that_nothing_writes_to_is_all_in_infrequent_access_when_the_age_has_passed():
    spec = design(table={"infrequent_access_days": 30, "gib_stored": 4, "row_kinds": []})

    growth = growth_of(spec)

    assert [round(share) for share in growth.infrequent_bytes[:3] / growth.physical_bytes[:3]] == [0, 0, 1]


def test_a_horizon_of_one_month_and_of_ten_years_both_work():
    for months in (1, 120):
        growth = growth_of(
            design(spec={"horizon_months": months}, write={"mode": "new_cell"}), shares=[0.5], counts=[2]
        )
        assert len(growth.rows) == months + 1
        assert np.isfinite(growth.physical_bytes).all()
        assert len(growth.kinds[0].dates) <= 13


# --- measured compression -----------------------------------------------------------------------------------------

MEASURED = Measurement("content", 0.2, 0.4, 0.7, error_share=0.005, blocks=32, codecs="snappy, zstd 3")


def test_bytes_on_disk_are_the_middle_of_what_was_measured_and_the_bracket_is_their_band():
    spec = design()
    growth = compute_growth(spec, spec.tables[0], shape(spec, per_event=True), MEASURED)[0]

    assert growth.physical_bytes[-1] == pytest.approx(0.3 * growth.logical_bytes[-1])
    assert growth.physical_bytes_low[-1] == pytest.approx(0.2 * growth.logical_bytes[-1])
    assert growth.physical_bytes_high[-1] == pytest.approx(0.4 * growth.logical_bytes[-1])
    assert growth.compression_origin == "measured"
    assert growth.measured is MEASURED


def test_what_is_stated_in_gib_holds_more_where_it_was_measured_to_be_small():
    spec = design(table={"gib_stored": 50, "row_kinds": []})
    growth = compute_growth(spec, spec.tables[0], {}, MEASURED)[0]

    assert growth.logical_bytes[0] == pytest.approx(50 * GiB / 0.3)
    assert (growth.compressed_share_low, growth.compressed_share_high) == (0.2, 0.4)


def test_an_entered_ratio_goes_before_a_measured_one():
    spec = design(table={"compressed_share": 0.9})
    growth = compute_growth(spec, spec.tables[0], shape(spec, per_event=True), MEASURED)[0]

    assert growth.compressed_share == pytest.approx(0.9)
    assert growth.compression_origin == "you"
    assert growth.measured is None
