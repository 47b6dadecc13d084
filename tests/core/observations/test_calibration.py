"""Values that measurements give without doubt are taken over, dated, and met by the design; others are left alone."""

import datetime
from typing import Any

import pytest

from designer.document import Spec, dump, load
from designer.document.compact import dump_compact
from designer.wording import measured_text
from designer.wording.formatting import english
from estimator.observations import build_observation, designed_state, read_measurements
from estimator.observations.calibration import CalibratedValue, calibrate_design, calibrated_values
from tests.contexts import TODAY, context
from tests.core.observations.fleet import DESIGN, FILES, fleet, observe

DAY = datetime.date(2026, 11, 20)


def changed(**table: Any) -> Spec:
    """Build the design with a stated rate of its activity."""
    activity = {**DESIGN["activities"][0], "rate_per_second": 1_000 / 60}
    del activity["arrival"]
    return Spec.model_validate({**DESIGN, "activities": [activity], "tables": [{**DESIGN["tables"][0], **table}]})


def values(*contents: bytes, spec: Spec | None = None, date: datetime.date | None = None) -> dict[str, CalibratedValue]:
    found = [one for content in contents for one in read_measurements(content)]
    observation = build_observation(found, today=TODAY, date=date)
    state = designed_state(spec or fleet(), observation.date, context())
    return {f"{one.at}.{one.field}": one for one in calibrated_values(state, observation)}


def file(name: str) -> bytes:
    return (FILES / name).read_bytes()


def week(metric: str, per_hour: int, method: str = "", days: int = 7) -> bytes:
    """Hours of one metric as the API answers, up to the day."""
    points = ",".join(
        f'{{"interval": {{"startTime": "2026-11-{13 + hour // 24:02}T{hour % 24:02}:00:00Z", "endTime": '
        f'"2026-11-{13 + (hour + 1) // 24:02}T{(hour + 1) % 24:02}:00:00Z"}}, "value": {{"int64Value": "{per_hour}"}}}}'
        for hour in range(24 * (7 - days), 24 * 7)
    )
    labels = f'"labels": {{"method": "{method}"}}, ' if method else ""
    return (
        f'{{"timeSeries": [{{"metric": {{{labels}"type": "bigtable.googleapis.com/{metric}"}}, "resource": {{"labels": '
        f'{{"table": "readings"}}}}, "metricKind": "DELTA", "points": [{points}]}}]}}'
    ).encode()


def test_the_size_of_values_meets_the_table_stats() -> None:
    stats = file("table_stats.json")
    found = values(stats, date=DAY)
    size = found["v.value.typical_bytes"]
    assert (size.was, size.value) == (100.0, pytest.approx(11_836_800_000 / 75_600_000 - (32 + 44) / 2, abs=0.1))

    made = calibrate_design(fleet(), tuple(found.values()), DAY)
    again = {figure.name: figure for figure in observe(spec=made, content=stats, date=DAY).tables[0].figures}
    assert again["families.my_d.logical_bytes"].cause is None
    assert not values(stats, spec=made, date=DAY)


def test_the_origin_is_kept_in_the_document_until_the_value_is_edited() -> None:
    made = calibrate_design(fleet(), tuple(values(file("table_stats.json"), date=DAY).values()), DAY)
    origin = made.find_measured("v", "value")
    assert origin is not None
    text = measured_text(origin)
    assert english(text.message, text.params) == "measured, table stats of 20 Nov 2026"
    assert load(dump(made)) == made
    assert load(dump_compact(made), name="a.yaml").measured == made.measured

    column = made.tables[0].families[0].columns[0]
    edited = column.model_copy(update={"value": column.value.model_copy(update={"typical_bytes": 90.0})})
    assert not origin.holds_for(edited)


def test_a_second_measurement_takes_the_place_of_the_first() -> None:
    made = fleet()
    for value, day in ((120.0, 20), (130.0, 21)):
        one = CalibratedValue("v", "value.typical_bytes", None, value, "table_stats", "bytes")
        made = calibrate_design(made, (one,), datetime.date(2026, 11, day))
    assert [(each.value, each.date.day) for each in made.measured] == [(130.0, 21)]


def test_rates_of_a_week_are_taken_over_and_shorter_ones_are_not() -> None:
    written, reads = week("server/modified_rows_count", 90_000), week("server/request_count", 7_200, "ReadRows")
    found = values(written, reads, spec=changed())
    assert found["report.rate_per_second"].value == 25.0
    assert "half-hour.rate_per_second" not in found  # as designed
    assert not values(week("server/modified_rows_count", 90_000, days=2), spec=changed())
    assert not values(written)  # the rate follows from the interval of each device


def test_a_rate_is_of_the_start_date_where_it_grows() -> None:
    spec = changed()
    growing = spec.activities[0].model_copy(update={"growth_per_month": 0.1})
    grown = spec.model_copy(update={"activities": (growing,)})
    found = values(week("server/modified_rows_count", 90_000), spec=grown)
    assert found["report.rate_per_second"].value == pytest.approx(25 / 1.1 ** (50 / 30.4375), rel=5e-3)


def test_bytes_on_disk_give_the_compression() -> None:
    found = values(file("table_stats.json"), file("time_series.json"))
    share = found["readings.compressed_share"]
    assert share.value == pytest.approx(5e9 / (75.6e6 * (144 + found["v.value.typical_bytes"].value - 100)), rel=1e-3)
    made = calibrate_design(fleet(), tuple(found.values()), DAY)
    table = designed_state(made, DAY, context()).tables["readings"]
    assert table.disk_bytes.typical / table.rows == pytest.approx(5e9 / 75.6e6, rel=1e-3)


def test_fixed_nodes_are_counted_and_those_of_an_autoscaler_are_not() -> None:
    fewer = file("clusters.json").replace(b'"serveNodes": 3', b'"serveNodes": 5')
    found = values(fewer)
    assert found["one.nodes.count"].value == 5
    made = calibrate_design(fleet(), tuple(found.values()), DAY)
    assert made.find_measured("one", "nodes") is not None
    scaled = fewer.replace(
        b'"serveNodes": 5',
        b'"serveNodes": 5, "clusterConfig": {"clusterAutoscalingConfig": {"autoscalingLimits": {"maxServeNodes": 9}}}',
    )
    assert not values(scaled)


def test_rows_are_known_on_the_start_date_alone() -> None:
    stored = changed(rows_stored=70e6)
    assert "readings.rows_stored" not in values(file("table_stats.json"), spec=stored, date=DAY)
    found = values(file("table_stats.json"), spec=stored, date=datetime.date(2026, 10, 1))
    assert found["readings.rows_stored"].value == 75_600_000


def test_rows_of_one_field_count_its_values() -> None:
    kind = {**DESIGN["tables"][0]["row_kinds"][0], "reads": []}
    kind["key"] = [{"id": "of-device", "kind": "field", "field": "device"}]
    found = values(file("table_stats.json"), spec=changed(row_kinds=[kind]), date=DAY)
    assert found["device.distinct"].value == 75_600_000


def test_what_both_ways_to_count_names_leave_open_is_left_alone() -> None:
    small = {
        **DESIGN["tables"][0]["families"][0],
        "columns": [{"id": "v", "qualifier": "v", "value": {"typical_bytes": 8}}],
    }
    assert "v.value.typical_bytes" not in values(
        file("table_stats.json").replace(b"11836800000", b"5000000000"), spec=changed(families=[small]), date=DAY
    )
