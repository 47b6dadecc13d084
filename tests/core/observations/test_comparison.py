"""Measured beside designed: figures that can be counted by hand, and causes that follow from them alone."""

import datetime
from typing import Any

import pytest

from designer.document import Spec
from designer.examples import example
from designer.wording.formatting import english
from estimator.observations import ComparedFigure, ObservationError, designed_state
from estimator.observations.figures import build_figure
from estimator.observations.report import difference_text
from tests.contexts import context
from tests.core.observations.fleet import DESIGN, compare_all, fleet, observe

NOVEMBER = datetime.date(2026, 11, 20)
"""The day of the files that have dates: 50 days after the start."""


def said(figure: ComparedFigure) -> str:
    return english(figure.cause.message, figure.cause.params) if figure.cause else ""


def figures() -> dict[str, ComparedFigure]:
    found = compare_all()
    groups = (*found.tables, *found.clusters, *found.reads)
    return {figure.name: figure for group in groups for figure in group.figures}


def test_a_figure_is_designed_for_the_day_of_the_measurement() -> None:
    found = figures()
    assert compare_all().observation.date == NOVEMBER
    rows = found["rows"]
    assert rows.designed is not None
    assert rows.designed.typical == pytest.approx(1_000 * 1_440 * 50, rel=1e-4)
    assert rows.difference == pytest.approx(0.05, abs=1e-4)


def test_logical_bytes_are_bounded_by_two_ways_to_count_names() -> None:
    band = figures()["logical_bytes"].designed
    assert band is not None
    once, stored = 19 + 4 + 1 + 8 + 100, 19 + 4 + 1 + 8 + 12 + 100  # key, family, qualifier, timestamp, lengths, value
    assert (band.low, band.high) == pytest.approx((72e6 * once, 72e6 * stored), rel=1e-4)


def test_a_cause_follows_from_the_figures() -> None:
    found = figures()
    cell = 11_836_800_000 / 75_600_000
    assert said(found["logical_bytes"]) == "rows are 1.05× the designed number, and bytes of a row 1.09×"
    assert (
        said(found["families.my_d.logical_bytes"]) == f"its cells hold at least {cell - 144:.1f} B more than designed"
    )
    assert said(found["rows"]) == said(found["nodes"]) == ""
    assert said(found["hottest_node_share"]) == "a single tablet of readings took 72\u00a0% of a node"


def test_within_the_bounds_nothing_is_said_of_cells() -> None:
    stats = TABLE_STATS % (72_000_000, 72_000_000 * 140)
    found = {figure.name: figure for figure in observe(content=stats.encode()).tables[0].figures}
    assert found["families.my_d.logical_bytes"].difference == 0.0
    assert not [said(figure) for figure in found.values() if figure.cause]


TABLE_STATS = """{"name": "projects/p/instances/i/tables/readings", "stats": {"rowCount": "%d"}, "columnFamilies":
{"my_d": {"stats": {"averageColumnsPerRow": 1, "averageCellsPerColumn": 1, "logicalDataBytes": "%d"}}}}"""


def test_versions_above_those_that_are_kept_are_named() -> None:
    stats = TABLE_STATS.replace('"averageCellsPerColumn": 1', '"averageCellsPerColumn": 2.5') % (1, 1)
    found = {figure.name: figure for figure in observe(content=stats.encode()).tables[0].figures}
    expected = "a column holds 2.5 cells on average, more than the 1 version that the design keeps"
    assert said(found["families.my_d.cells_per_row"]) == expected


def test_rates_are_means_over_the_time_that_the_points_cover() -> None:
    found = figures()
    assert found["written_rows_per_second"].measured == pytest.approx(25.0)
    assert found["written_rows_per_second"].designed is not None
    assert found["written_rows_per_second"].designed.typical == pytest.approx(1_000 / 60)
    assert found["reads_per_second"].difference == pytest.approx(0.0, abs=1e-9)
    assert found["rows_per_read"].measured == pytest.approx(20.0)
    assert said(found["reads_per_second"]) == "measured over 2 hours; the designed rate is the mean of a week"


def test_clusters_have_nodes_and_their_busiest_hour() -> None:
    found = figures()
    assert [found[name].measured for name in ("nodes", "cpu_share", "hottest_node_share")] == [3.0, 0.35, 0.8]
    assert found["nodes"].difference == 0.0


def test_other_nodes_than_designed_say_what_the_designed_load_would_take() -> None:
    busy = b"""{"metric": {"type": "bigtable.googleapis.com/cluster/cpu_load"}, "resource": {"labels": {"cluster":
    "one"}}, "points": [{"interval": {"endTime": "2026-11-20T01:00:00Z"}, "value": {"doubleValue": 0.5}}]}"""
    one = b'{"name": "projects/p/instances/i/clusters/one", "serveNodes": 1}'
    cpu = observe(content=b"[%s, %s]" % (one, busy)).clusters[0].figures[1]
    assert cpu.designed is not None
    load = english("{load_share}", {"load_share": 3 * cpu.designed.typical})
    assert said(cpu) == f"on 1 node, the designed load takes {load}"
    assert observe("clusters.json", content=busy).clusters[0].figures[1].cause is None


def test_what_a_read_saw_stands_beside_its_plan() -> None:
    read = compare_all().reads[0]
    assert read.read == "half-hour"
    found = {figure.name: figure for figure in read.figures}
    assert found["rows_seen"].designed is not None
    assert found["rows_seen"].designed.typical == pytest.approx(30, rel=0.1)
    assert found["rows_seen"].measured == 60
    assert found["latency_seconds"].measured == pytest.approx(0.004)


def test_tables_and_metrics_that_the_design_has_not_are_named() -> None:
    assert compare_all().unused_metrics == ("backup/bytes_used",)
    other = TABLE_STATS.replace("readings", "others") % (1, 1)
    assert observe(content=other.encode()).unknown_tables == ("others",)


def test_a_design_that_starts_after_the_measurement_is_compared_as_of_its_first_day() -> None:
    first, before = datetime.date(2026, 10, 1), datetime.date(2026, 9, 30)
    data: dict[str, Any] = {**DESIGN, "tables": [{**DESIGN["tables"][0], "rows_stored": 5e6}]}
    early, started = (designed_state(Spec.model_validate(data), day, context()) for day in (before, first))
    assert early.tables["readings"].rows == started.tables["readings"].rows == pytest.approx(5e6)
    assert (early.later_start, started.later_start) == (first, None)
    assert early.spec.start == before


def test_a_day_ten_years_after_the_start_is_refused_in_a_sentence() -> None:
    with pytest.raises(ObservationError, match="ten years after the start"):
        designed_state(fleet(), datetime.date(2036, 10, 2), context())


@pytest.mark.parametrize("days", [0, 10, 200])
def test_any_day_is_between_its_months(days: int) -> None:
    day = datetime.date(2026, 10, 1) + datetime.timedelta(days=days)
    rows = designed_state(fleet(), day, context()).tables["readings"].rows
    assert rows == pytest.approx(1_440_000 * days, rel=1e-3)


def test_what_is_stored_on_the_start_date_is_counted() -> None:
    data: dict[str, Any] = {**DESIGN, "tables": [{**DESIGN["tables"][0], "rows_stored": 5e6}]}
    state = designed_state(Spec.model_validate(data), datetime.date(2026, 10, 1), context())
    table = state.tables["readings"]
    assert table.rows == pytest.approx(5e6)
    assert table.families[0].cells_per_row.typical == pytest.approx(1.0, rel=1e-3)
    assert table.logical_bytes.high == pytest.approx(5e6 * 144, rel=1e-3)


def test_expired_cells_are_within_the_bounds_until_compaction_drops_them() -> None:
    key = {"key": [{"id": "of-device", "kind": "field", "field": "device"}], "reads": []}
    kind = {**DESIGN["tables"][0]["row_kinds"][0], **key}
    spec = Spec.model_validate({**DESIGN, "tables": [{**DESIGN["tables"][0], "row_kinds": [kind]}]})
    table = designed_state(spec, NOVEMBER, context()).tables["readings"]
    assert table.rows == pytest.approx(1_000)
    assert table.cells_per_row.low == pytest.approx(1.0, rel=0.01)  # of a version a minute, one is kept
    assert table.cells_per_row.high == pytest.approx(1 + 3.5 * 1_440, rel=0.01)  # half a week is not collected yet


@pytest.mark.parametrize("name", ["karte", "iot-fleet", "saas-tenants", "friends-columns"])
def test_families_add_up_to_the_bytes_of_their_table(name: str) -> None:
    spec = example(name).spec
    start = spec.start or NOVEMBER
    state = designed_state(spec, start + datetime.timedelta(days=100), context())
    assert state.tables
    for table in state.tables.values():
        whole = sum(family.logical_bytes.high for family in table.families)
        assert whole == pytest.approx(table.logical_bytes.high, rel=1e-6)
        assert 0 < table.logical_bytes.low <= table.logical_bytes.high
        assert table.disk_bytes.low <= table.disk_bytes.typical <= table.disk_bytes.high


def test_the_busiest_hour_is_a_mean_of_its_minutes() -> None:
    minute = '{"interval": {"endTime": "2026-11-20T%02d:%02d:00Z"}, "value": {"doubleValue": %s}}'
    points = [minute % (hour, at, 0.9 if at == 30 else 0.1 * hour) for hour in (1, 2) for at in range(1, 60)]
    series = (
        '{"metric": {"type": "bigtable.googleapis.com/cluster/cpu_load"}, "resource": {"labels": {"cluster": "one"}}, '
        f'"points": [{", ".join(points)}]}}'
    )
    cpu = observe(content=series.encode()).clusters[0].figures[0]
    assert cpu.measured == pytest.approx((58 * 0.2 + 0.9) / 59)


@pytest.mark.parametrize(
    ("designed", "measured", "told"),
    [
        (30, 60, "+100\u00a0%"),
        (30.01, 60, "+100\u00a0%"),
        (100, 100.08, "+0.08\u00a0%"),
        (100, 100.04, "0\u00a0%"),
        (1.0, 0.63, "−37\u00a0%"),
        (100, 9.96, "0.0996×"),
    ],
)
def test_a_difference_has_no_bound_behind_its_sign(designed: float, measured: float, told: str) -> None:
    assert difference_text(build_figure("nodes", "nodes", "nodes", designed, measured)) == told
