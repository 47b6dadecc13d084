"""The built-in designs are what their groups say: the good ones pass under load, each bad twin breaks its own rules."""

import re
from functools import cache

import pytest

from designer.examples import example, examples
from designer.wording.formatting import english
from estimator.results import Estimate
from tests.contexts import estimate
from tests.core.advice.rules.pipeline import found, grave

CAUGHT = {
    "timestamp-first": {("K004", "key-time"), ("K021", "key-time"), ("Q002", "read-hour"), ("I006", "main")},
    "sequential-id": {("K005", "key-order"), ("I006", "main")},
    "hash-only": {("K006", "key-hash"), ("Q001", "read-watches")},
    "unpadded-numbers": {("K009", "key-position")},
    "table-per-customer": {("T002", "readings-altostrat")},
    "one-counter-row": {("K014", "write-usage")},
    "few-write-fronts": {("K026", "key-time"), ("K013", "key-region"), ("I006", "main")},
    "balloon-without-bucket": {
        ("R001", "balloon-row"),
        ("R002", "balloon-row"),
        ("R005", "write-reading"),
        ("F004", "m"),
    },
    "campus-sellers": {("K013", "key-seller"), ("R007", "key-seller")},
    "campus-orders": {("K005", "order-number")},
    "campus-colon": {("K011", "seller-id")},
}
"""Errors and warnings of the bad twins: rule and element."""

HURTS_FROM_PER_SECOND = 2_800
"""A fifth of a node, in rows of 1 KiB: less than this on one range is a note only."""

each = pytest.mark.parametrize(
    "shown", [pytest.param(shown, marks=pytest.mark.xdist_group(shown.slug), id=shown.slug) for shown in examples()]
)

MOST_NOTES = 8
"""A design that does well is not buried in advice."""


@cache
def estimate_of(slug: str) -> Estimate:
    return estimate(example(slug).spec)


def test_every_bad_twin_is_said_to_be_caught():
    bad = {shown.slug for shown in examples() if shown.group == "anti-patterns"}

    assert bad == set(CAUGHT) - {shown.slug for shown in examples() if shown.group == "Tablestore"}


def test_a_wide_scan_is_told_in_rows_and_money():
    (wide,) = (one for one in found(example("timestamp-first").spec) if one.rule == "Q002")

    said = english(wide.message, wide.params)

    assert re.search(r"that is 360,000 rows a second: 60\W% of the table's load, \$\d+ a month for nodes\.", said)


@each
def test_what_is_found_is_what_the_story_tells(shown):
    assert grave(shown.spec) == CAUGHT.get(shown.slug, set())


@each
def test_the_load_would_hurt_in_one_place(shown):
    if shown.slug == "ggen-tokyo":
        return
    parts = estimate_of(shown.slug).tables.values()

    peak = sum(write.peak_rows_per_second for part in parts if part.traffic for write in part.traffic.writes)

    assert peak >= HURTS_FROM_PER_SECOND


@each
def test_nothing_is_left_open_but_prices(shown):
    result = estimate_of(shown.slug)

    assert not result.because
    assert not [because for part in result.tables.values() for because in part.because]


@each
def test_a_handful_of_notes_at_most(shown):
    assert len([finding for finding in found(shown.spec) if finding.severity == "note"]) <= MOST_NOTES
