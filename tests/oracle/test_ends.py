"""A load that ends: what is stored after it, and what garbage collection leaves, beside what is drawn."""

import datetime
from copy import deepcopy

import pytest

from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import Compared, compare
from .designs import START, Design, design
from .gaps import is_known

STORED = ("rows", "cells", "bytes", "garbage bytes")


def ending_design(seed: int, days: int) -> Design:
    """Return a crossed design whose load ends so many days after the start."""
    made = design(seed)
    data = deepcopy(made.data)
    end = datetime.date.fromisoformat(START) + datetime.timedelta(days=days)
    data["activities"][0]["ends_on"] = end.isoformat()
    return Design(seed, made.features, from_data(data), data)


def is_aside(made: Design, compared: Compared) -> bool:
    """Whether a quantity is of the last days, in which nothing comes any more, or of reads of what came in them."""
    return is_known(made, compared) or compared.name not in STORED


@pytest.mark.parametrize("seed", [1, 8, 12, 21, 33])
def test_what_is_stored_after_a_load_has_ended_is_what_is_drawn(seed: int) -> None:
    made = ending_design(seed, 20)

    found = compare(made, is_aside)

    assert [each for each in found if not each.agrees and not is_aside(made, each)] == []


def test_nothing_of_a_load_that_has_ended_stays_longer_than_the_family_keeps_it() -> None:
    made = ending_design(0, 5)
    data = deepcopy(made.data)
    data["tables"][0]["families"][0]["gc"] = {"kind": "max_age", "age_days": 3}
    data["horizon_months"] = 2

    part = estimate(from_data(data), context()).tables["t"]

    assert part.growth is not None
    assert part.growth.rows[-1] == pytest.approx(0)
    assert part.traffic is not None
    assert part.traffic.node_share_by_month[-1] == part.traffic.read_node_share_by_month[-1]
    assert part.traffic.writes[0].rows_per_second > 0  # as on its last day: what it does to keys is judged
