"""Load per key range and window, end to end on the built-in designs."""

import datetime

import numpy as np
import pytest

from designer.examples import example
from designer.memory import Cache
from estimator.estimates.estimate import table_estimate
from estimator.kernels.traffic import table_traffic
from estimator.kernels.traffic.load import reference_date
from estimator.results import NotComputableError
from estimator.results.grain import COARSE, FULL
from tests.core.kernels.traffic.designs import DIURNAL, MONTH, NEWEST, TIME, design, field, of, traffic_of

SLUGS = ["machine-metrics", "timestamp-first", "sequential-id", "few-write-fronts", "ggen-tokyo", "balloons-new-cells"]


@pytest.mark.parametrize("slug", SLUGS)
def test_all_load_is_somewhere(slug):
    traffic = traffic_of(example(slug).spec)
    heat = traffic.heat

    assert heat.write_node_share.shape == (len(heat.bounds) + 1, 96)
    assert list(heat.bounds) == sorted(heat.bounds)
    assert heat.stored_share.sum() == pytest.approx(1)
    written = heat.writes_per_second.sum(axis=0).max()
    assert written == pytest.approx(sum(w.peak_rows_per_second for w in traffic.writes), rel=1e-6)
    day = traffic.day.weekday()
    hours = traffic.week_node_share[day * 24 : day * 24 + 24]
    assert heat.node_share.sum(axis=0).mean() == pytest.approx(hours.mean(), rel=1e-6)


@pytest.mark.parametrize("slug", SLUGS)
def test_ranges_hold_equal_bytes(slug):
    stored = traffic_of(example(slug).spec).heat.stored_share

    assert np.quantile(stored, 0.95) < 3 / len(stored)


def test_time_first_is_a_diagonal_that_one_node_must_take():
    traffic = traffic_of(example("timestamp-first").spec)
    busy = traffic.heat.writes_per_second > 0

    assert traffic.fronts[0].share == 1
    assert traffic.patterns[0].name == "sequential"
    assert busy.sum(axis=0).max() < 20  # in each window only the end of the table is written
    first, last = busy[:, 0].argmax(), busy[:, -1].argmax()
    assert first < last
    reads_there = traffic.heat.read_node_share.sum(axis=0).max()  # of the last hour: they move on with the end
    assert traffic.fronts[0].node_share < traffic.indivisible_node_share
    assert traffic.indivisible_node_share <= traffic.fronts[0].node_share + reads_there


def test_the_device_first_spreads_the_same_load_evenly():
    traffic = traffic_of(example("machine-metrics").spec)

    assert traffic.patterns[0].name == "evenly_spread"
    assert traffic.fronts[0].effective > 100_000
    assert traffic.indivisible_node_share < 1e-3
    assert traffic.hottest_range_share < 0.01


DEVICE = field("device", 1_000)
GET = {"binds": [{"field": "device"}], "rate_per_second": 100}


def simple(**more):
    return design(of("device", ""), fields=[DEVICE], write={"mode": "overwrite"}, gc=NEWEST, **more)


def test_the_shown_day_is_the_busiest_weekday_before_the_end_of_the_horizon():
    week = {"kind": "week", "hours": [1.0] * 48 + [5.0] * 24 + [1.0] * 96}
    traffic = traffic_of(simple(activity={"profile": week}, start="2026-03-10", horizon_months=2))

    assert traffic.day == datetime.date(2026, 5, 6)  # a Wednesday
    assert traffic.heat.window_starts[4] == datetime.datetime(2026, 5, 6, 1, tzinfo=datetime.UTC)
    assert reference_date(datetime.date(2026, 5, 6), 2) == datetime.date(2026, 4, 29)


def test_rates_are_those_at_the_end_of_the_horizon():
    traffic = traffic_of(simple(activity={"growth_per_month": 0.1}, horizon_months=12))

    assert traffic.writes[0].rows_per_second == pytest.approx(5_000 * 1.1**12)
    assert len(traffic.node_share_by_month) == 13
    assert traffic.node_share_by_month[12] == pytest.approx(traffic.node_share_by_month[0] * 1.1**12)
    assert traffic.node_share_by_month[12] == pytest.approx(traffic.week_node_share.max())


def test_a_peak_day_stands_in_its_month_and_not_in_the_shown_day():
    peak = {"peak_days": [{"name": "sale", "date": "2026-11-27", "factor": 6}]}
    usual, busy = traffic_of(simple()), traffic_of(simple(activity=peak))

    assert busy.node_share_by_month[11] == pytest.approx(6 * usual.node_share_by_month[11])
    assert busy.node_share_by_month[[10, 12]] == pytest.approx(usual.node_share_by_month[[10, 12]])
    assert busy.heat.node_share == pytest.approx(usual.heat.node_share)
    (write,) = busy.accesses
    assert write.usual_by_month == pytest.approx(usual.node_share_by_month)
    assert write.running_by_month == pytest.approx(usual.node_share_by_month)
    assert write.peak_factors == {datetime.date(2026, 11, 27): 6}


def test_a_load_that_ends_counts_in_the_month_of_its_end_and_in_no_later_one():
    lasting = traffic_of(simple(horizon_months=4)).node_share_by_month[0]
    # The first of March is 59 days after the start: less than two months of equal length, and no day in March.
    for ends_on in ("2026-02-10", "2026-03-01"):
        ended = traffic_of(simple(activity={"ends_on": ends_on}, start="2026-01-01", horizon_months=4))

        assert ended.node_share_by_month == pytest.approx([lasting, lasting, lasting, 0, 0])
        (write,) = ended.accesses
        assert write.usual_by_month == pytest.approx([lasting, lasting, 0, 0, 0])


def test_reads_in_the_busiest_hour_are_told_apart_from_writes():
    at_night = {"profile": {"kind": "batch", "start_hour": 2, "hours": 4}}
    traffic = traffic_of(simple(reads=[{**GET, "rate_per_second": 30_000, **at_night}], activity={"profile": DIURNAL}))

    assert traffic.read_node_share_by_month[-1] > 0.9 * traffic.node_share_by_month[-1]
    assert traffic.read_node_share_by_month[-1] < traffic.node_share_by_month[-1]
    by_hour = sum(hours.usual_by_month[:, None] * hours.week for hours in traffic.accesses)
    assert by_hour.max(axis=1) == pytest.approx(traffic.node_share_by_month)
    assert by_hour[-1] == pytest.approx(traffic.week_node_share)


def test_two_batches_in_one_hour_are_busy_one_after_the_other():
    def at(start_hour):
        return {"profile": {"kind": "batch", "start_hour": start_hour, "hours": 0.25}}

    reads = [{**GET, "rate_per_second": 10_000, **at(2.5)}]
    written, both, together = (
        traffic_of(simple(activity=at(2), reads=batches))
        for batches in ([], reads, [{**GET, "rate_per_second": 10_000, **at(2)}])
    )
    read_load, write_load = (float(both.accesses[i].usual_by_month[-1]) for i in (1, 0))

    assert write_load == pytest.approx(written.node_share_by_month[-1])
    assert both.node_share_by_month[-1] == pytest.approx(max(read_load, write_load))
    assert together.node_share_by_month[-1] == pytest.approx(read_load + write_load)
    # 02:00, 02:15, 02:30 and 02:45 of a Monday, in busy nodes.
    assert both.week_node_share[8:12] == pytest.approx([write_load, 0, read_load, 0])
    assert both.week_node_share.mean() == pytest.approx((read_load + write_load) / 96)


def test_a_read_through_data_boost_costs_the_nodes_nothing():
    instance = {"app_profiles": [{"id": "boost", "data_boost": True, "routing": "single"}]}
    traffic = traffic_of(simple(reads=[{**GET, "app_profile": "boost"}], instance=instance))

    assert traffic.heat.reads_per_second.sum() > 0
    assert traffic.heat.read_node_share.sum() == 0


def test_a_read_without_a_rate_loads_nothing():
    traffic = traffic_of(simple(reads=[{"binds": [{"field": "device"}]}]))

    assert traffic.heat.reads_per_second.sum() == 0


def test_readers_of_yesterday_meet_yesterdays_rows():
    read = {**GET, "binds": [], "time": {"days": 1, "age_days": 10}}
    heat = traffic_of(design(TIME, of("device", ""), fields=[DEVICE], gc=MONTH, reads=[read])).heat
    written, asked = heat.writes_per_second.sum(axis=1), heat.reads_per_second.sum(axis=1)
    place = np.arange(len(written))

    assert (place * written).sum() / written.sum() > 0.95 * len(place)
    assert (place * asked).sum() / asked.sum() == pytest.approx(len(place) * (33.5 - 10.5) / 33.5, rel=0.03)


def test_readers_of_what_is_gone_for_long_meet_no_rows_and_break_nothing():
    week = {"kind": "time", "resolution": "week", "pattern": "w%V", "after": "#"}
    read = {**GET, "time": {"days": 5_000, "age_days": 5_000}}
    traffic = traffic_of(design(week, of("device", ""), fields=[DEVICE], write={"mode": "new_cell"}, reads=[read]))

    assert traffic.heat.reads_per_second.sum(axis=0) == pytest.approx(100)


def test_late_events_land_behind_the_end():
    on_time, late = (
        traffic_of(design(TIME, of("device", ""), fields=[DEVICE], activity=more)).heat.writes_per_second > 0
        for more in ({}, {"lateness_seconds": 86_400})
    )

    assert late.sum() > 3 * on_time.sum()


def test_every_n_seconds_is_every_value_alike_whatever_its_popularity():
    popular = field("device", 1_000, popularity={"kind": "zipf", "theta": 0.9})
    every = {"arrival": {"kind": "every", "seconds": 1, "field": "device"}}
    rows = traffic_of(
        design(
            of("device", ""), fields=[popular], per_second=None, activity=every, write={"mode": "overwrite"}, gc=NEWEST
        )
    ).hot_rows

    assert rows[0].share == pytest.approx(1e-3)
    assert rows[0].median_per_minute == pytest.approx(60)


def test_the_hottest_row_of_a_skewed_field_has_its_exact_share():
    popular = field("device", 1_000, popularity={"kind": "zipf", "theta": 0.99})
    row = traffic_of(design(of("device", ""), fields=[popular], write={"mode": "overwrite"}, gc=NEWEST)).hot_rows[0]

    assert row.share == pytest.approx(0.12938, rel=1e-3)  # 1 / H(1000, 0.99)
    assert row.per_second == pytest.approx(5_000 * 0.12938, rel=1e-3)
    assert row.median_per_minute < 5_000 * 60 / 1_000


@pytest.mark.parametrize("grain", [FULL, COARSE], ids=["quarters of an hour", "hours"])
@pytest.mark.parametrize(
    ("start_hour", "minutes", "busier"),
    [(2, 15, 96), (2, 5, 288), (2.25, 20, 72), (23.9, 12, 120)],
    ids=["a window", "a third of one", "a window and a part", "from one day to the next"],
)
def test_what_cannot_be_split_has_the_rate_of_a_batch_while_it_runs(start_hour, minutes, busier, grain):
    """A day's 864,000 writes to 100 rows, and all to one append point, in some minutes."""
    nightly = {"profile": {"kind": "batch", "start_hour": start_hour, "hours": minutes / 60}}
    given = {"fields": [field("device", 100)], "per_second": 10, "activity": nightly}
    states = traffic_of(design(of("device", ""), write={"mode": "overwrite"}, gc=NEWEST, **given), grain=grain)
    events = traffic_of(design(TIME, of("device", ""), **given), grain=grain)

    assert states.hot_rows[0].per_second == pytest.approx(10 * busier / 100)
    assert states.writes[0].peak_rows_per_second == pytest.approx(10 * busier)
    assert events.indivisible_node_share == pytest.approx(10 * busier * events.writes[0].node_seconds_per_row, rel=1e-3)


def test_leading_values_are_told_by_depth():
    tenant = field("tenant", 50, popularity={"kind": "weights", "weights": [40], "rest": 60})
    leads = traffic_of(design(of("tenant"), of("device"), TIME, fields=[tenant, DEVICE])).leads

    assert [lead.depth for lead in leads] == [1, 2]
    assert leads[0].hottest_share == pytest.approx(0.4, rel=0.02)
    assert leads[0].effective == pytest.approx(1 / (0.16 + 49 * (0.6 / 49) ** 2), rel=0.02)
    assert leads[1].hottest.startswith(leads[0].hottest)


def test_a_weekly_bucket_has_no_front_because_its_row_is_what_cannot_be_split():
    week = {"kind": "time", "resolution": "week", "pattern": "%Gw%V"}
    traffic = traffic_of(design(of("device"), week, fields=[DEVICE], write={"mode": "new_cell"}))

    assert traffic.fronts == ()
    assert traffic.indivisible_node_share == pytest.approx(traffic.hot_rows[0].node_share)


def test_reversed_time_has_fronts_as_well():
    reverse = {**TIME, "reversed": True}
    traffic = traffic_of(design(of("device"), reverse, fields=[field("device", 4)]))

    assert traffic.fronts[0].share == pytest.approx(0.25)
    assert traffic.fronts[0].effective == pytest.approx(4)


def test_a_table_without_a_key_says_so():
    spec = simple()
    with pytest.raises(NotComputableError) as error:
        table_traffic(spec, spec.tables[0], {}, {}, None, ())
    assert error.value.because.at == "t"


def test_a_backfill_writes_where_its_rows_of_past_times_are():
    """Of 60 days, loaded in a month: each day's writes go to the times of 60 days, where the others' are."""
    load = {"arrival": {"kind": "backfill", "days": 60, "sorted": False}}
    traffic = traffic_of(
        design(
            {**TIME, "after": "#"}, of("device", ""), fields=[DEVICE], per_second=10, activity=load, horizon_months=1
        )
    )
    writes = traffic.heat.writes_per_second.mean(axis=1)

    # Before the start 30 of 90 days hold what each day of the month brings; the last of them are hardly there yet.
    middle = writes[len(writes) // 4 : 3 * len(writes) // 4] / writes.mean()
    assert middle == pytest.approx(np.ones(len(middle)), rel=0.2)
    assert traffic.hottest_range_share < 0.02


def test_a_backfill_writes_each_row_once_whatever_is_popular():
    celebrity = field("user", 1_000, popularity={"kind": "weights", "weights": [0.5], "rest": 0.5})
    load = {"arrival": {"kind": "backfill", "days": 30, "sorted": False}}
    given = {"fields": [celebrity], "write": {"mode": "overwrite"}, "gc": NEWEST}

    assert traffic_of(design(of("user", ""), **given)).hot_rows[0].share == pytest.approx(0.5)
    assert traffic_of(design(of("user", ""), activity=load, **given)).hot_rows[0].share == pytest.approx(0.001)


def test_another_rate_of_the_same_events_goes_to_the_same_ranges_to_the_last_bit():
    key, gc = (of("device"), TIME), {"kind": "max_age", "age_days": 30}
    slow, fast = (
        traffic_of(design(*key, fields=[DEVICE], activity={"rate_per_second": rate, "profile": DIURNAL}, gc=gc))
        for rate in (101.0, 1_037.3)
    )

    assert fast.heat.bounds == slow.heat.bounds
    assert (fast.heat.stored_share == slow.heat.stored_share).all()
    assert (fast.heat.loads[0].shares == slow.heat.loads[0].shares).all()
    assert fast.writes[0].rows_per_second == pytest.approx(slow.writes[0].rows_per_second * 1_037.3 / 101.0)


def test_what_is_remembered_of_a_key_is_what_is_computed_anew():
    cache, spec = Cache(1 << 26), example("machine-metrics").spec
    table = spec.tables[0]
    first = table_estimate(spec, table, cache=cache).traffic
    again = table_estimate(spec, table, cache=cache).traffic
    anew = table_estimate(spec, table).traffic

    assert again is not first
    for one, other, third in zip(first.heat.loads, again.heat.loads, anew.heat.loads, strict=True):
        assert (other.shares == one.shares).all()
        assert (other.columns == one.columns).all()
        assert (third.shares == one.shares).all()
