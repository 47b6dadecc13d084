"""Forms of files are recognised; what is none of them, or damaged, is refused in one sentence with its place."""

import datetime
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from estimator.observations import ObservationError, read_measurements
from estimator.observations.measurements import (
    ClusterDescription,
    HotTablet,
    MetricSeries,
    ReadStats,
    SampledKeys,
    TableStats,
)
from estimator.observations.metrics import mean_rate
from tests.cases import cases
from tests.core.observations.fleet import FILES, MADE_FILES


def read(name: str) -> list[Any]:
    return list(read_measurements((FILES / name).read_bytes()))


def test_files_that_google_s_own_types_make_are_read() -> None:
    kinds = {name.removesuffix(".json"): {type(one) for one in read(name)} for name in MADE_FILES}
    assert kinds == {
        "clusters": {ClusterDescription}, "hot_tablets": {HotTablet}, "request_stats": {ReadStats},
        "sampled_keys": {SampledKeys}, "table_stats": {TableStats}, "time_series": {MetricSeries},
    }  # fmt: skip


def test_table_stats_keep_the_names_of_families() -> None:
    stats = read("table_stats.json")[0]
    assert (stats.table, stats.rows, stats.logical_bytes) == ("readings", 75_600_000, 11_836_800_000)
    assert [(family.name, family.cells_per_row) for family in stats.families] == [("my_d", 1.0)]


def test_hot_tablets_have_their_interval_and_the_open_end() -> None:
    first, last = read("hot_tablets.json")
    assert first.first == datetime.datetime(2026, 11, 20, 9, tzinfo=datetime.UTC)
    assert (first.cpu_share, first.cluster, last.last_key) == (0.715, "one", b"")


def test_points_come_in_the_order_of_time_and_counts_are_told_from_gauges() -> None:
    series = {each.metric: each for each in read("time_series.json")}
    assert [point.value for point in series["cluster/cpu_load"].points] == [0.2, 0.35, 0.3]
    assert series["server/modified_rows_count"].is_delta
    assert not series["cluster/cpu_load"].is_delta


@cases("content, options", [
        (b"key,offset\na#1,100\nb,250\n,300\n", {}),
        (b"a#1\t100\nb\t250\n\t300", {}),
        (b"612331,100\n62,250\n,300\n", {"keys": "hex"}),
        (b"YSMx,100\nYg==,250\n,300\n", {"keys": "base64"}),
        (b'[{"key": "a#1", "offset": 100}, {"key": "b", "offset": "250"}, {"key": "", "offset": 300}]', {}),
        (b'[["a#1", 100], ["b", 250], ["", 300]]', {}),
        (b'[["612331", 100], ["62", 250], ["", 300]]', {"keys": "hex"}),
        (b'{"samples": [{"rowKey": "YSMx", "offsetBytes": "100"}, {"row_key": "Yg==", "offset_bytes": 250}, '
         b'{"offsetBytes": "300"}]}', {}),
    ])  # fmt: skip
def test_sampled_keys_come_as_csv_or_json_and_as_text_hex_or_base64(content: bytes, options: dict[str, str]) -> None:
    assert read_measurements(content, table="t", **options) == [SampledKeys("t", (b"a#1", b"b", b""), (100, 250, 300))]


def test_yaml_as_gcloud_prints_it_by_default_is_read() -> None:
    text = b"name: projects/p/instances/i/tables/t\nstats:\n  rowCount: '12'\n  averageColumnsPerRow: 1.5\n"
    stats = read_measurements(text)[0]
    assert isinstance(stats, TableStats)
    assert (stats.table, stats.rows, stats.columns_per_row, stats.logical_bytes) == ("t", 12, 1.5, None)


def test_request_stats_after_the_rows_of_cbt_are_read() -> None:
    rows = b'----------------------------------------\nr1\n  d:v  @ 2026/11/20-10:00:00\n    "1"\n\n'
    counts = b"rows_seen_count: 9\nrows_returned_count: 3\ncells_seen_count: 18\ncells_returned_count: 3\n"
    assert read_measurements(rows + counts) == [ReadStats(9, 3, 18, 3, None)]


def test_several_objects_in_one_file_are_read() -> None:
    line = json.dumps(json.loads((FILES / "table_stats.json").read_text()))
    assert len(read_measurements(f"{line}\n{line}\n".encode())) == 2


TABLE = '{"name": "projects/p/instances/i/tables/t", "stats": {"rowCount": %s}}'


@cases("content, said", [
        (b"", "the file is empty"),
        (b"\xff\xfe", "not UTF-8 text, at byte 0"),
        (b"hello world", "not recognised"),
        (b'{"a": 1}', "not recognised"),
        (b'{"a": 1,\n "b": }', "line 2: not JSON"),
        (b'{"a": 1}\n{"b" 2}', "line 2: not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        ((TABLE % '"many"').encode(), "stats.rowCount: many cannot be read"),
        ((TABLE % "-5").encode(), "stats.rowCount: -5 cannot be read"),
        ((TABLE % "1e999").encode(), "stats.rowCount: inf cannot be read"),
        ((TABLE % ("9" * 5_000)).encode(), "not JSON: a number is too long"),
        (b'[{"startKey": "a", "tableName": "t", "startTime": "soon"}]', r"\[0\].startTime: soon cannot be read"),
        (b'{"hotTablets": [{"startKey": "a"}]}', r"hotTablets\[0\].tableName is missing"),
        (b'{"timeSeries": [{"metric": {"type": "bigtable.googleapis.com/x"}, "points": [3]}]}',
         r"timeSeries\[0\].points\[0\] is not an object"),
        (b"a,1\nb,-2\n", "line 2: the offset is no number of bytes"),
        (b"a,1\nb\n", "line 2: no key and offset"),
        (b"b,1\na,2\n", "the sampled row keys are not in order"),
        (b"name: projects/p/instances/i/tables/t\nstats: [", "line 2: "),
        (b"[]", "an empty list"),
        (b"{}", "an empty list"),
        (b'{"timeSeries": []}', "an empty list"),
        (b"TABLE     CPU_USAGE  START_KEY\nreadings  71.5       a\n", "with --format=json"),
        ("┌──────┬──────┐\n│ NAME │ CPU  │\n".encode(), "with --format=json"),
        (b"---\nname:            projects/p/instances/i/tables/t\nstats.rowCount:  7\n", "with --format=json"),
        (b"TimeSeries ID,one\nTime,\n2026-11-20 00:00,0.3\n", "does not name its metric"),
        (b'[{"startKey": "a", "tableName": "t", "nodeCpuUsagePercent": 700}]', "nodeCpuUsagePercent: 700 cannot"),
        (b"table,start_key,end_key,cpu_usage\nt,a,b,hot\n", "line 2.nodeCpuUsagePercent: hot cannot be read"),
    ])  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_place(content: bytes, said: str) -> None:
    with pytest.raises(ObservationError, match=said):
        read_measurements(content)


def test_wrong_keys_are_said_with_their_line() -> None:
    with pytest.raises(ObservationError, match="line 2: the row key is not hex"):
        read_measurements(b"61,1\nxy,2\n", keys="hex")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from((
            "name", "stats", "columnFamilies", "rowCount", "points", "metric", "type", "interval", "endTime", "value",
            "startKey", "tableName", "tables", "timeSeries", "rowKey", "offsetBytes", "key", "offset", "serveNodes",
            "readIterationStats", "clusterConfig", "labels", "resource", "doubleValue", "distributionValue",
            "nodeCpuUsagePercent",
        )),
        inner | st.sampled_from((
            "projects/p/instances/i/tables/t", "projects/p/instances/i/clusters/c", "2026-11-20T00:00:00Z",
            "bigtable.googleapis.com/cluster/cpu_load",
        )),
        max_size=6,
    ),
    max_leaves=20,
)  # fmt: skip


@given(JSON)
def test_any_json_is_read_or_refused_in_a_sentence(data: Any) -> None:
    _read_or_refuse(json.dumps(data).encode())


@given(st.binary(max_size=200) | st.text(alphabet='a,1\n"#:[]{}', max_size=60).map(str.encode))
def test_any_bytes_are_read_or_refused_in_a_sentence(data: bytes) -> None:
    _read_or_refuse(data)


def _read_or_refuse(data: bytes) -> None:
    try:
        found = read_measurements(data)
    except ObservationError as error:
        found = [str(error)]  # type: ignore[list-item]
    assert found[0]


@pytest.mark.parametrize(
    "content",
    [
        b"tableName,startKey,endKey,nodeCpuUsagePercent,startTime\n"
        b"projects/p/instances/i/tables/t,a,b,71.5,2026-11-20T09:00:00Z\n",
        b"START_TIME\tTABLE\tCPU_USAGE\tSTART_KEY\tEND_KEY\n2026-11-20T09:00:00Z\tt\t71.5\ta\tb\n",
        b"- endKey: b\n  name: projects/p/instances/i/clusters/c/hotTablets/0\n  nodeCpuUsagePercent: 71.5\n"
        b"  startKey: a\n  startTime: '2026-11-20T09:00:00Z'\n  tableName: projects/p/instances/i/tables/t\n",
    ],
)
def test_hot_tablets_come_as_csv_and_as_a_list_of_yaml(content: bytes) -> None:
    (one,) = read_measurements(content)
    assert isinstance(one, HotTablet)
    assert (one.table, one.first_key, one.last_key, one.cpu_share) == ("t", b"a", b"b", 0.715)
    assert one.first == datetime.datetime(2026, 11, 20, 9, tzinfo=datetime.UTC)


def series_of(kind: str, values: dict[int, Any]) -> list[MetricSeries]:
    points = [
        {"interval": {"endTime": f"2026-11-20T{hour:02}:00:00Z"}, "value": value} for hour, value in values.items()
    ]
    data = {"metric": {"type": "bigtable.googleapis.com/server/request_count"}, "metricKind": kind, "points": points}
    return read_measurements(json.dumps({"timeSeries": [data]}).encode())  # type: ignore[return-value]


def test_rates_count_times_without_a_point_as_times_without_requests() -> None:
    full = mean_rate(series_of("GAUGE", {hour: {"doubleValue": 2.0} for hour in range(12)}))
    gaps = mean_rate(series_of("GAUGE", {hour: {"doubleValue": 2.0} for hour in (0, 1, 2, 9, 10, 11)}))
    assert full is not None
    assert gaps is not None
    assert (full.per_second, full.days, gaps.per_second, gaps.days) == (2.0, 0.5, 1.0, 0.5)


@pytest.mark.parametrize(("kind", "value"), [("GAUGE", {"int64Value": "7"}), ("CUMULATIVE", {"int64Value": "7"})])
def test_counts_that_are_aligned_as_neither_counts_nor_rates_are_refused(kind: str, value: Any) -> None:
    with pytest.raises(ObservationError, match="align it by ALIGN_DELTA or ALIGN_RATE"):
        series_of(kind, {1: value, 2: value})
