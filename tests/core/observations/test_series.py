"""Series of one metric from several files are one series; rates count each moment of each series once."""

import datetime
import itertools
import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from estimator.observations import (
    ComparedDesign,
    build_observation,
    compare_with_design,
    designed_state,
    read_measurements,
)
from estimator.observations.contents import NO_TIME
from estimator.observations.measurements import MetricPoint, MetricSeries
from estimator.observations.metrics import peak_mean
from tests.contexts import TODAY, context
from tests.core.observations.fleet import fleet

START = datetime.datetime(2026, 11, 20, 10, tzinfo=datetime.UTC)
READS, BYTES = "server/request_count", "table/bytes_used"

VALUE_NAMES = {int: "int64Value", float: "doubleValue"}


def point(end_seconds: float, value: float, length_seconds: float = 0) -> dict[str, Any]:
    first, last = (START + datetime.timedelta(seconds=at) for at in (end_seconds - length_seconds, end_seconds))
    interval = {"startTime": first.isoformat(), "endTime": last.isoformat()}
    return {"interval": interval, "value": {VALUE_NAMES[type(value)]: value}}


def series(metric: str, points: Sequence[Mapping[str, Any]], *, kind: str = "GAUGE", cluster: str = "one") -> Any:
    labels = {"cluster": cluster} if metric.startswith("cluster/") else {"cluster": cluster, "table": "readings"}
    return {
        "metric": {"type": f"bigtable.googleapis.com/{metric}", "labels": {"method": "Bigtable.ReadRows"}},
        "resource": {"labels": labels}, "metricKind": kind, "points": points,
    }  # fmt: skip


def compare(*files: Sequence[Any]) -> ComparedDesign:
    """Compare the design with files, each of some series."""
    measurements = [
        measurement for file in files for measurement in read_measurements(json.dumps({"timeSeries": file}).encode())
    ]
    observation = build_observation(measurements, today=TODAY)
    return compare_with_design(designed_state(fleet(), observation.date, context()), observation)


def measure(*files: Sequence[Any]) -> dict[str, float | None]:
    compared = compare(*files)
    return {figure.name: figure.measured for part in (*compared.tables, *compared.clusters) for figure in part.figures}


def rate(minutes: range, *, offset_seconds: int = 0, cluster: str = "one") -> list[Any]:
    """Return a file with 100 reads a second, one point a minute."""
    return [series(READS, [point(60 * minute + offset_seconds, 100.0) for minute in minutes], cluster=cluster)]


def count(minutes: range, *, offset_seconds: int = 0) -> list[Any]:
    """Return a file with 6,000 reads in each minute."""
    return [series(READS, [point(60 * minute + offset_seconds, 6_000, 60) for minute in minutes], kind="DELTA")]


def test_bytes_of_two_days_are_those_of_the_newer_one_in_any_order_of_files() -> None:
    days = [[series(BYTES, [point(0, 5 * 10**9)])], [series(BYTES, [point(86_400, 4 * 10**9)])]]

    assert [measure(*files)["disk_bytes"] for files in itertools.permutations(days)] == [4e9, 4e9]


def test_nodes_and_storage_are_those_of_the_newest_point_in_any_order_of_files() -> None:
    days = [
        [series("cluster/node_count", [point(at, nodes)]), series("cluster/storage_utilization", [point(at, share)])]
        for at, nodes, share in ((0, 9, 0.6), (86_400, 5, 0.4))
    ]

    for files in itertools.permutations(days):
        figures = measure(*files)
        assert (figures["nodes"], figures["storage_share"]) == (5, 0.4)


@pytest.mark.parametrize("make", [rate, count])
@pytest.mark.parametrize(
    "windows",
    [
        [(range(1, 61), 0), (range(1, 61), 0)],  # one file twice
        [(range(1, 41), 0), (range(21, 61), 0)],  # windows that overlap
        [(range(31, 61), 0), (range(1, 31), 0)],  # pages, the newest first
        [(range(1, 61), 0), (range(60, 61), 0)],  # the newest point again
        [(range(1, 61), 0), (range(1, 61), 7)],  # asked for again seven seconds later
    ],
)
def test_a_moment_that_two_files_tell_counts_once(make: Any, windows: list[tuple[range, int]]) -> None:
    figures = measure(*(make(minutes, offset_seconds=offset) for minutes, offset in windows))

    assert figures["reads_per_second"] == pytest.approx(100)


def test_of_two_values_of_one_interval_the_larger_counts() -> None:
    files = [[series(READS, [point(60, value, 60)], kind="DELTA")] for value in (6_000, 5_400)]

    assert [measure(*order)["reads_per_second"] for order in itertools.permutations(files)] == [100, 100]


def test_rates_of_clusters_whose_minutes_begin_at_other_seconds_are_added() -> None:
    first = rate(range(1, 61), cluster="one")

    assert measure(first, rate(range(1, 61), cluster="two"))["reads_per_second"] == pytest.approx(200)
    # Each is 100 a second for 3,600 of 3,607 seconds.
    shifted = measure(first, rate(range(1, 61), cluster="two", offset_seconds=7))["reads_per_second"]
    assert shifted == pytest.approx(2 * 100 * 3_600 / 3_607)


def test_rates_of_files_with_other_alignment_periods_are_added() -> None:
    hours = [series(READS, [point(3_600 * hour, 50.0) for hour in (1, 2)], cluster="two")]

    assert measure(rate(range(1, 121)), hours)["reads_per_second"] == pytest.approx(150)


def test_a_series_with_few_points_has_the_period_of_its_file() -> None:
    seldom = series(READS, [point(60 * minute, 60.0) for minute in (20, 40, 60)], cluster="two")

    # 100 a second, and 60 a second in three of sixty minutes.
    assert measure([*rate(range(1, 61)), seldom])["reads_per_second"] == pytest.approx(100 + 60 * 3 / 60)


def test_a_single_point_of_a_rate_is_of_its_interval_or_of_no_time() -> None:
    stated, instant = point(60, 5.0, 60), point(60, 5.0)
    assert measure([series(READS, [stated])])["reads_per_second"] == pytest.approx(5)

    # One file has one alignment period.
    both = [series(READS, [stated]), series(READS, [instant], cluster="two")]
    assert measure(both)["reads_per_second"] == pytest.approx(10)

    alone = [[series(READS, [end], cluster=name)] for name, end in (("one", stated), ("two", instant))]
    compared = compare(*alone)
    assert measure(*alone)["reads_per_second"] == pytest.approx(5)
    assert [reason.message for reason in compared.unused_reasons] == [NO_TIME]

    instants = [series(READS, [instant], cluster=name) for name in ("one", "two")]
    assert "reads_per_second" not in measure(instants)
    assert [reason.message for reason in compare(instants).unused_reasons] == [NO_TIME]


def test_rates_of_days_each_in_a_file_of_its_own_cover_the_days_between_them() -> None:
    days = [[series(READS, [point(86_400 * day, 10.0 * day)])] for day in (1, 2, 3)]

    assert measure(*days)["reads_per_second"] == pytest.approx(20)


def test_series_of_other_labels_or_kinds_stay_apart() -> None:
    files = [*rate(range(1, 3)), *rate(range(1, 3), cluster="two"), *count(range(1, 3))]
    observation = build_observation(read_measurements(json.dumps({"timeSeries": files}).encode()), today=TODAY)

    assert all(isinstance(part, MetricSeries) for part in observation.series)
    assert [(part.labels["cluster"], part.is_delta) for part in observation.series] == [
        ("one", False), ("two", False), ("one", True),
    ]  # fmt: skip


def test_a_rate_at_the_beginning_of_time_is_read() -> None:
    ends = ("0001-01-01T00:00:00Z", "0001-01-01T00:01:00Z", "0001-01-01T00:02:00Z")
    points = [{"interval": {"endTime": end}, "value": {"doubleValue": 3.0}} for end in ends]

    assert len(read_measurements(json.dumps({"timeSeries": [series(READS, points)]}).encode())) == 1


def test_the_busiest_hour_is_not_a_minute_at_the_edge_of_a_file() -> None:
    """0.9 a minute before ten, then 0.2 in each minute of three hours."""
    points = [MetricPoint(START, START + datetime.timedelta(minutes=minute), 0.2) for minute in range(1, 181)]
    edge = MetricPoint(START, START - datetime.timedelta(seconds=30), 0.9)

    assert peak_mean([MetricSeries("cluster/cpu_load", {}, False, (edge, *points))], minutes=60) == pytest.approx(0.2)
    assert peak_mean([MetricSeries("cluster/cpu_load", {}, False, (edge,))], minutes=60) == 0.9
