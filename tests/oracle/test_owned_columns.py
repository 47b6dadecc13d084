"""Rows of owners whose qualifiers show what belongs to them: the value that an event draws decides its owner."""

from typing import Any

import pytest

from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import compare
from .designs import Design
from .drawing import draw
from .gaps import is_known
from .owned_designs import owned_design
from .test_drawing import spec_of, text
from .test_oracle import parts, said
from .test_small_cases import assert_agree, assert_read_agrees, named_by

ORDINARY, MANY = range(25), range(25, 90)
DIFFERING = {
    42: "a point read of a key behind a salt of what it does not know",
    48: "the 99th percentile of days' rows, a twentieth of which are busy",
    76: "owners of the newest of values that come and go, over all their lives",
    82: "owners without values, which have no events",
}
"""What is not as it is drawn yet."""
SERIES = {"id": "q", "kind": "field", "field": "series"}
SALT = {"id": "salt", "kind": "salt", "fields": ["series"], "modulo": 4, "after": "#"}
EVEN, STEEP, BUSY_FIRST = {"kind": "uniform"}, {"kind": "zipf", "theta": 0.99}, {"kind": "zipf", "theta": 0.9}


def metrics(
    key: list[Any], *, metric: dict[str, Any] | None = None, series: dict[str, Any] | None = EVEN, many: int = 2_000,
    fan_out: dict[str, Any] | None = None, **more: Any,
):  # fmt: skip
    """20 metrics of so many series, 2,000 events in a month; qualifiers show the series."""
    fields = [
        text("metric", 20, popularity=metric),
        text("series", many, belongs_to="metric", popularity=series)
        | ({"fan_out": {"law": fan_out}} if fan_out else {}),
    ]
    reads = [{"id": "all", "binds": [{"field": "metric"}]}]
    return spec_of(fields, key, rate_per_day=2_000 * 12 / 365.25, table=named_by(SERIES), **{"reads": reads} | more)


DAY_OF_METRIC = ["metric", "time day"]


@pytest.mark.parametrize(
    "spec",
    [
        metrics(DAY_OF_METRIC, fan_out=BUSY_FIRST),
        metrics(DAY_OF_METRIC, metric=STEEP),
        metrics(DAY_OF_METRIC, series=STEEP),
        metrics([SALT, *DAY_OF_METRIC], series=STEEP),
        metrics(["metric"], many=60, fan_out=BUSY_FIRST),
    ],
    ids=["fan-out", "both stated", "busy series", "salt of the series", "few series"],
)
def test_a_series_that_only_qualifiers_show_decides_how_busy_its_metric_is(spec) -> None:
    """Rows of the first three were 590.5, 504.9 and 590.5 for drawn 518.5, 588.4 and 555.5; the salt's 692 for 1101."""
    part = estimate(spec, context()).tables["t"]
    (hot,) = (row.share for row in part.traffic.hot_rows if row.access == "w")
    largest = part.growth.kinds[0].largest_bytes[-1]
    drawings = [draw(spec, seed, {}) for seed in range(20)]

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows, worlds=30)
    assert min(d.hottest_share for d in drawings) <= hot <= max(d.hottest_share for d in drawings)
    assert min(d.largest_bytes for d in drawings) <= largest <= max(d.largest_bytes for d in drawings)


@pytest.mark.parametrize("decides", [{"series": STEEP}, {"metric": EVEN, "series": None}], ids=["series", "metric"])
@pytest.mark.parametrize("known", [["metric"], ["metric", "series"], ["series"]], ids="+".join)
def test_a_read_meets_the_rows_of_the_salts_that_series_of_a_metric_have(decides, known: list[str]) -> None:
    """Of metrics with ten series, one salt of one metric was taken for a tenth of a row a day: 6.9 rows for 19.1."""
    reads = [{"id": "one", "binds": [{"field": field} for field in known]}]
    spec = metrics([SALT, *DAY_OF_METRIC], many=200, reads=reads, **decides)

    assert_read_agrees(spec, "rows_scanned")


def test_writes_that_draw_no_series_draw_their_metric_by_its_own_popularity() -> None:
    """Readings are as frequent as series, which are spread evenly; alarms are nearly all of the first metric."""
    spec = metrics(DAY_OF_METRIC, metric={"kind": "weights", "weights": [1], "rest": 0.01})
    kind, family = spec.tables[0].row_kinds[0], spec.tables[0].families[0]
    alarm = family.columns[0].model_copy(update={"id": "alarm", "qualifier_from": (), "qualifier": "a"})
    write = kind.writes[0]
    spec = spec.model_copy(update={
        "activities": (spec.activities[0], spec.activities[0].model_copy(update={"id": "alarms"})),
        "tables": (spec.tables[0].model_copy(update={
            "families": (family.model_copy(update={"columns": (*family.columns, alarm)}),),
            "row_kinds": (kind.model_copy(update={"writes": (
                write.model_copy(update={"columns": ("c",)}),
                write.model_copy(update={"id": "v", "activity": "alarms", "columns": ("alarm",)}),
            )}),),
        }),),
    })  # fmt: skip
    shares = {row.access: row.share for row in estimate(spec, context()).tables["t"].traffic.hot_rows}

    assert shares["v"] == pytest.approx(1 / 1.01, rel=0.02)
    assert shares["w"] < 0.1


def differing(designs: list[Design]) -> list[str]:
    return [
        said(made.seed, each)
        for made in designs
        for each in compare(made, is_known)
        if not each.agrees and not is_known(made, each)
    ]


@pytest.mark.parametrize("seeds", parts(ORDINARY), ids=str)
def test_rows_of_owners_are_as_values_in_their_qualifiers_are_drawn(seeds: range) -> None:
    assert differing([owned_design(seed) for seed in seeds]) == []


@pytest.mark.slow
@pytest.mark.parametrize("seeds", parts(MANY), ids=str)
def test_rows_of_owners_are_as_values_in_their_qualifiers_are_drawn_in_many_designs(seeds: range) -> None:
    assert differing([owned_design(seed) for seed in seeds if seed not in DIFFERING]) == []
