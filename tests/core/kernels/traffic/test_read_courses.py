"""Work of reads in every month: it follows what is stored then, and not what will be stored at the end."""

import datetime

import numpy as np
import pytest

from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from estimator.kernels.traffic import read_courses
from tests.contexts import context, table_estimate
from tests.core.kernels.traffic.designs import NEWEST, TIME, design, field, of
from tests.oracle.designs import design as crossed

FOR_EVER = {"kind": "max_age", "age_days": 36_500}
DEVICE = field("device", 1_000)
SCAN = {"name": "all", "rate_per_second": 0.001}
LAST_HOUR = {"name": "hour", "rate_per_second": 50, "binds": [{"field": "device"}], "time": {"days": 1 / 24}}


def filling(*reads, months=12, **more):
    """A table to which rows of equal size come evenly, and from which none goes."""
    return design(
        of("device"), TIME, fields=[DEVICE], per_second=50.0, reads=reads, gc=FOR_EVER,
        **{"start": "2026-12-01", "horizon_months": months} | more,
    )  # fmt: skip


def part_of(spec):
    return table_estimate(spec, spec.tables[0])


def test_a_scan_of_all_rows_takes_in_each_month_what_its_rows_take():
    part = part_of(filling(SCAN))
    (plan,), rows = part.reads, part.growth.rows
    work = plan.course.node_seconds

    # By 12 equal steps from nothing: a twelfth of the end's node time for each month, its seek apart.
    assert work[1:] == pytest.approx(plan.node_seconds * rows[1:] / rows[-1], rel=2e-3)
    assert work[1:] == pytest.approx(plan.node_seconds * np.arange(1, 13) / 12, rel=2e-3)
    assert work[0] == pytest.approx(work[1] / MONTH_DAYS / 2, rel=0.02)  # in the middle of the first day
    assert plan.course.mean_bytes_returned == pytest.approx(plan.bytes_returned * (np.arange(12) + 0.5) / 12, rel=2e-3)


def test_nodes_of_a_month_bear_the_scans_of_that_month():
    part = part_of(filling(SCAN))
    load, reading = part.traffic.node_share_by_month, part.traffic.read_node_share_by_month

    assert reading[6] == pytest.approx(reading[12] / 2, rel=2e-3)
    assert load - reading == pytest.approx(np.full(13, load[12] - reading[12]))  # what is written stays the same
    assert load[12] == pytest.approx(part.traffic.week_node_share.max())


def test_a_table_that_stays_as_it_is_has_the_same_work_in_all_months():
    spec = design(
        of("device", ""), fields=[DEVICE], write={"mode": "overwrite"}, gc=NEWEST, table={"history_months": 1},
        reads=[{"binds": [{"field": "device"}], "rate_per_second": 100}, SCAN],
    )  # fmt: skip

    assert [plan.course for plan in part_of(spec).reads] == [None, None]


def test_the_last_hour_of_a_key_takes_the_same_from_the_first_day_on(monkeypatch):
    dates = []
    plan = read_courses.plan_reads
    monkeypatch.setattr(read_courses, "plan_reads", lambda spec, *args: dates.append(spec) or plan(spec, *args))

    part = part_of(filling(LAST_HOUR))

    assert part.reads[0].over(12).node_seconds == pytest.approx(np.full(13, part.reads[0].node_seconds), rel=1e-3)
    assert not dates


def test_few_dates_are_planned_where_work_follows_the_rows(monkeypatch):
    dates = []
    plan = read_courses.plan_reads
    monkeypatch.setattr(read_courses, "plan_reads", lambda spec, *args: dates.append(spec) or plan(spec, *args))

    part = part_of(filling(SCAN, LAST_HOUR, months=120))

    assert len(part.reads[0].course.node_seconds) == 121
    assert len(dates) <= 1


def test_a_cluster_has_too_few_nodes_from_the_day_on_which_its_scans_are_too_long():
    cluster = {"id": "main", "region": "us-central1", "nodes": {"kind": "fixed", "count": 4}}
    made = estimate(filling({**SCAN, "rate_per_second": 0.002}, instance={"clusters": [cluster]}), context()).nodes[0]

    # 60 % of four nodes, of a load that grows by 0.64 nodes a month: in the fourth month, not from the start.
    month = float(np.interp(0.6 * 4, made.load_by_month, np.arange(13)))
    assert 3 < month < 4
    assert abs((made.short_from - datetime.date(2026, 12, 1)).days / MONTH_DAYS - month) < 0.1


def test_answers_to_the_internet_are_billed_by_what_is_there_in_the_month():
    scan = {**SCAN, "rate_per_second": 1e-5, "where": {"internet": "worldwide"}}
    bills = estimate(filling(scan), context()).bills
    gib = [float(sum(line.quantity for line in bill.lines if line.item == "internet_egress")) for bill in bills]

    assert gib == pytest.approx(gib[0] * (1 + 2 * np.arange(12)), rel=2e-3)  # the middle of each month


@pytest.mark.parametrize("start", ["2026-12-01", "2027-02-01", "2027-04-01"])
def test_the_last_hour_holds_what_comes_in_an_hour_however_long_the_month_is(start):
    read = {**LAST_HOUR, "binds": []}
    plan = part_of(filling(read, months=1, start=start)).reads[0]
    other = part_of(filling(read, months=1, start="2027-04-01")).reads[0]

    assert plan.rows_returned == pytest.approx(other.rows_returned, rel=1e-3)


@pytest.mark.parametrize("seed", range(24))
def test_a_horizon_twice_as_long_leaves_the_months_of_the_shorter_one_as_they_are(seed):
    data = crossed(seed).data
    short, long = (part_of(from_data({**data, "horizon_months": months})) for months in (4, 8))
    if any(plan.refused for part in (short, long) for plan in part.reads):
        pytest.skip("a read that is refused by then has no load in any month")

    if [plan.access for plan in short.reads] != [plan.access for plan in long.reads]:
        pytest.skip("a read that is served in another way by then")

    assert long.traffic.node_share_by_month[:5] == pytest.approx(short.traffic.node_share_by_month, rel=0.02)


@pytest.mark.parametrize("seed", range(8))
def test_a_month_has_the_work_of_a_horizon_that_ends_with_it(seed):
    data = crossed(seed).data
    long, short = (part_of(from_data({**data, "horizon_months": months})) for months in (6, 3))

    for after, before in zip(long.reads, short.reads, strict=True):
        # Of values that are listed one by one while they come and go, the months between are a line (decision 110).
        if after.refused is None and before.refused is None and "k-user" not in after.listed:
            share = abs(after.over(6).node_seconds[3] - before.node_seconds) * (before.per_second or 0.0)
            assert share <= 0.015 * long.traffic.node_share_by_month[3]
