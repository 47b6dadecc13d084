"""Pages of two simulated days: figures follow from the run, charts draw, a run beside itself is equal."""

import xml.etree.ElementTree as ET

import numpy as np
import plotly.graph_objects as go
import pytest

from designer.document import Spec
from designer.wording.formatting import english
from estimator.comparison.simulations import (
    describe,
    describe_table,
    diagnoses_only_in,
    differences,
    table_differences,
)
from estimator.presentation.charts.to_plotly import to_plotly
from estimator.presentation.charts.to_svg import to_svg
from estimator.presentation.run_page import RunPage
from estimator.simulation.packing import pack
from tests.core.simulation.designs import ZIPF, run, users


def page_of(spec: Spec) -> RunPage:
    return RunPage(spec, pack(run(spec, kind="day")).__getitem__)


@pytest.fixture(scope="module")
def small() -> RunPage:
    """A day with too few nodes for a busy row."""
    return page_of(users(fixed=1, popularity=ZIPF))


@pytest.fixture(scope="module")
def large() -> RunPage:
    return page_of(users(fixed=10))


@pytest.fixture(scope="module", params=["small", "large"])
def played(request: pytest.FixtureRequest) -> RunPage:
    found: RunPage = request.getfixturevalue(request.param)
    return found


def test_the_figures_at_the_top_are_those_of_the_run(played: RunPage) -> None:
    found = {vital.name: vital.value for vital in played.vitals}
    (cluster,) = played.run.clusters

    assert found["operations"] == played.run.events > 0
    assert found["hottest"] == cluster.hottest.max()
    assert found["refused"] == cluster.refused.sum()
    assert found["nodes"] == cluster.nodes.max()
    assert found["cost"] == played.run.cost
    assert found["reached"] <= found["reachable"]


def test_every_chart_is_a_picture_with_its_title_for_pages_and_plotly(played: RunPage) -> None:
    assert len(played.charts) >= 6
    for name, make in played.charts.items():
        chart = make()
        title = chart.title.translate(english)
        assert title, name
        assert "{" not in title, name
        assert ET.fromstring(to_svg(chart)).get("aria-label") == title, name
        figure = go.Figure(to_plotly(chart))
        assert len(figure.data) >= 1, name
        for trace in figure.data:
            values = np.asarray(
                [value for value in np.ravel(trace.y if trace.y is not None else ()) if value is not None]
            )
            assert values.dtype.kind not in "fc" or not np.isinf(values).any(), name


def test_diagnoses_name_tables_and_windows_of_the_run(played: RunPage) -> None:
    for shown in played.diagnoses:
        told, windows = shown.diagnosis, len(played.run.window_starts)
        assert told.table in {"", *played.run.tables}
        assert "{" not in english(told.message, told.params)
        assert 0 <= told.first_window <= told.last_window < windows or not told.table
        if shown.view:
            first, last = shown.view.rpartition(".")[2].split("-")
            assert 0 <= int(first) < int(last) <= windows


def test_a_run_beside_itself_is_equal_and_says_nothing(played: RunPage) -> None:
    found = differences(played, played)

    assert {one.is_equal for one in found} == {True}
    assert describe(found, played.run.currency) == ()
    assert diagnoses_only_in(played, played) == ()
    for table in played.run.tables:
        pairs = table_differences(played, played, table)
        assert pairs
        assert describe_table(played, played, table, pairs) == ()


def test_swapped_runs_swap_every_judgement(small: RunPage, large: RunPage) -> None:
    opposite = {"better": "worse", "worse": "better", "": ""}
    there, back = differences(small, large), differences(large, small)

    assert [one.kind for one in there] == [opposite[one.kind] for one in back]
    assert {"better", "worse"} <= {one.kind for one in there}
    assert len(describe(there, "USD")) == len(describe(back, "USD")) > 0


def test_more_nodes_end_what_was_refused_and_cost_more(small: RunPage, large: RunPage) -> None:
    judged = {one.first.name: one.kind for one in differences(small, large)}

    assert (judged["hottest"], judged["nodes"], judged["cost"]) == ("better", "worse", "worse")
    assert judged["refused"] in ("better", "")
    assert diagnoses_only_in(small, large)


def test_a_table_of_one_run_alone_is_not_compared(small: RunPage, large: RunPage) -> None:
    assert table_differences(small, large, "other") == ()


def test_a_day_has_no_list_of_days_and_changed_assumptions_come_first(played: RunPage) -> None:
    changed = [one.value != one.default for one in played.assumptions]

    assert played.days == ()
    assert changed == sorted(changed, reverse=True)
