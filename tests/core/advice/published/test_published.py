"""Published schemas: what their sources recommend has no error and no warning, what they warn of is found."""

import math
import re
from pathlib import Path
from typing import Any

import pytest

from designer.document.load import load
from estimator.advice.questions import lint
from tests.contexts import context, estimate

from . import Published
from .criticised import CRITICISED
from .discussed import DOUBTED, SERVING
from .partitioned import CROWDED, SPREAD
from .projects import KEPT, REPLACED
from .recommended import RECOMMENDED
from .stores import REGRETTED, SERVED
from .systems import SOUND, UNSOUND

GRAVE = ("error", "warning")
CROSSED = sorted((Path(__file__).parent / "crossed").glob("*.yaml"))
"""Designs that cross growth, lifetimes, owners, counters, buckets, popularity, rotation and indexes; the first lines
name the source, what it warns of, and the rows at the end as counted by hand."""


def _found(one: Published) -> dict[str, str]:
    """Return the sentences of errors and warnings by rule, those of consequences under their cause included."""
    spec = one.spec
    every = [each for head in lint(spec, estimate(spec), context()) for each in (head, *head.under)]
    return {each.rule: str(each) for each in every if each.severity in GRAVE}


@pytest.mark.parametrize("one", [*RECOMMENDED, *SOUND, *SERVING, *SERVED, *KEPT, *SPREAD], ids=lambda one: one.name)
def test_a_recommended_schema_has_no_error_and_no_warning(one: Published) -> None:
    assert _found(one) == {}


@pytest.mark.parametrize(
    "one", [*CRITICISED, *UNSOUND, *DOUBTED, *REGRETTED, *REPLACED, *CROWDED], ids=lambda one: one.name
)
def test_what_a_source_warns_of_is_found(one: Published) -> None:
    assert set(one.faults) & _found(one).keys()


@pytest.mark.parametrize("one", [one for one in (*KEPT, *REPLACED, *SPREAD) if one.rows], ids=lambda one: one.name)
def test_a_table_has_the_rows_that_are_counted_by_hand(one: Published) -> None:
    growth = estimate(one.spec).tables["table"].growth

    assert growth is not None
    assert growth.rows[-1] == pytest.approx(one.rows, rel=0.03)


def test_short_buckets_are_read_whole_where_that_costs_less_than_a_range_for_each_value() -> None:
    (nodes,) = (one for one in KEPT if one.name == "Metrics of nodes in chunks of ten minutes")

    (plan,) = estimate(nodes.spec).tables["table"].reads

    assert plan.ranges == pytest.approx(2.1)  # 11 minutes in chunks of ten
    # 830/s ÷ 500 hosts ÷ 10 types in 11 minutes, and in the 5 minutes of the first chunk before them
    assert plan.rows_returned == pytest.approx(0.166 * 660, rel=0.01)
    assert plan.rows_scanned == pytest.approx(0.166 * 960, rel=0.01)


def test_a_range_of_numbers_is_a_part_of_the_columns_of_the_buckets_that_it_meets() -> None:
    (traces,) = (one for one in REPLACED if one.name == "Traces of commits by tile")

    (plan,) = estimate(traces.spec).tables["table"].reads

    # 101 of the 512 commits of two tiles; 256 events of a trace and a tile are of 1 − 1/e of its commits
    assert plan.cells_returned / plan.rows_returned == pytest.approx(256 * (1 - math.exp(-1)) * 101 / 512, rel=0.01)


def test_a_day_of_telemetry_is_read_in_the_partitions_of_its_month() -> None:
    plans = [estimate(one.spec).tables["table"].reads[0] for one in SPREAD if one.name.startswith("Telemetry")]

    assert len(plans) == 2  # on both engines
    for plan in plans:
        # 20,000/s ÷ 2 million series × a day, in the partition of one month or of two.
        assert plan.rows_returned == pytest.approx(864, rel=1e-3)
        assert plan.ranges == pytest.approx(1 + 12 / 365.25, rel=1e-3)


def test_a_customer_is_read_with_orders_and_items_in_one_scan() -> None:
    path = next(path for path in CROSSED if path.stem == "customers_with_their_orders")

    plans = {plan.read: plan for plan in estimate(load(path.read_text("utf-8"), name=path.name)).tables["shop"].reads}

    # 10/s × 365.25 d ÷ 5 million customers are 63.1 orders, with three items each; a row of the customer at last.
    assert plans["customer-with-all"].rows_returned == pytest.approx(1 + 4 * 63.1, rel=0.01)
    assert plans["items-reads-items"].rows_returned == pytest.approx(3, rel=0.05)  # of an order that was placed


def test_rows_that_are_overwritten_are_as_many_as_are_in_use() -> None:
    (drivers,) = (one for one in SERVING if one.name == "Features of drivers that count up")

    made = estimate(drivers.spec)

    assert made.tables["table"].growth.rows[-1] == 50_000_000


def test_keys_drawn_at_random_ask_whether_each_event_has_its_own() -> None:
    (peers,) = (one for one in DOUBTED if one.name == "Peers that come and go under one key")

    found = {each.rule: each for each in lint(peers.spec, estimate(peers.spec), context())}

    assert found["K012"].severity == "question"


@pytest.mark.parametrize("path", CROSSED, ids=lambda path: path.stem)
def test_a_crossed_design_is_judged_as_its_source_does_and_has_the_rows_counted_by_hand(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    spec = load(text, name=path.name)
    made = estimate(spec)

    found = {f.rule: f.severity for each in lint(spec, made, context()) for f in (each, *each.under)}

    if fault := re.search(r"^# faults: (\w+)(, a note)?$", text, re.M):
        assert found[fault[1]] in (("note",) if fault[2] else GRAVE)
    else:
        assert [rule for rule, severity in found.items() if severity in GRAVE] == []
    if counted := re.search(r"^# rows: (\S+) = ", text, re.M):
        (first, *_) = made.tables.values()
        assert first.growth is not None
        assert first.growth.rows[-1] == pytest.approx(float(counted[1]), rel=0.03)


def _crossed(name: str) -> Any:
    """Return the estimate of the first table of a crossed design."""
    path = Path(__file__).parent / "crossed" / f"{name}.yaml"
    made = estimate(load(path.read_text(encoding="utf-8"), name=path.name))
    return next(iter(made.tables.values()))


def test_a_read_by_a_part_of_a_qualifier_gets_its_columns_behind_a_hash_of_owners() -> None:
    whole, of_series = _crossed("chunks_as_columns").reads

    # Two days, of which one has half of its four chunks in the mean; 50 series of a metric, and one more that is asked.
    assert of_series.cells_returned == pytest.approx(6, rel=0.01)
    assert whole.cells_returned == pytest.approx(6 * 51, rel=0.01)


def test_moves_of_one_event_are_of_one_game() -> None:
    moves, fresh = _crossed("moves_of_games").reads

    assert moves.rows_returned == pytest.approx(200, rel=0.01)
    assert fresh.rows_returned == pytest.approx(50_001, rel=0.01)


def test_updates_of_a_row_have_a_cell_for_each_metric() -> None:
    (runs,) = _crossed("runs_with_sums").reads

    # Of 40 metrics, 200 updates name 40 (1 − e⁻⁵); ten rows, each with its start, the youngest with fewer.
    assert runs.cells_returned == pytest.approx(10 * (1 + 40 * (1 - math.exp(-5))), rel=0.01)
