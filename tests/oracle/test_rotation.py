"""Tables that rotate: rows, cells, bytes and reads of the whole set beside what is drawn."""

from copy import deepcopy
from typing import Any

import pytest

from designer.document.load import from_data
from estimator.estimates.estimate import estimate
from tests.contexts import context

from .comparison import Compared, compare
from .designs import COUNTED, Design, design
from .gaps import OWNED, SIZES, STORED, is_known

ROTATIONS: tuple[dict[str, Any], ...] = (
    {"period": "week", "kept_tables": 2},
    {"period": "day", "kept_tables": 5},
    {"period": "week", "kept_tables": 1},
    {"period": "day", "kept_tables": 12},
    {"period": "month", "kept_tables": 1},
    {"period": "week"},
)
END = "end of a period"


def rotating(seed: int, moment: str = "any") -> Design:
    """Return a crossed design whose table rotates."""
    made = design(seed)
    data = deepcopy(made.data)
    data["tables"][0]["rotation"] = ROTATIONS[seed % len(ROTATIONS)]
    return Design(seed, made.features | {"moment": moment}, from_data(data), data)


def is_aside(made: Design, compared: Compared) -> bool:
    """Whether a quantity is of single rows, of the few that a limit takes, or of where in its period a set is.

    Named days within the days that are there, and values that came and went in them, are seen in the mean only, and so
    are buckets of numbers, which begin anew in each table, and owners of values that came. The newest rows are those
    that come first in each table; of listed salts, each is taken to be asked alone, and of owners each as the mean one.
    """
    aside = (*SIZES, "limit", "busiest range")
    is_first = made.features["time"] == "newest first" and made.features["relation"] not in COUNTED
    aside += ("newest",) * (not is_first or made.features["lead"] == "random salt")
    aside += ("rows", "cells", "bytes", "garbage") * (made.features["shape"] == "named day")
    aside += ("point",) * (made.features["lifetime"] == "lifetime")
    return is_known(made, compared) or _is_of_buckets_or_owners(made, compared) or compared.name.startswith(aside)


def _is_of_buckets_or_owners(made: Design, compared: Compared) -> bool:
    is_owned = made.features["relation"] in OWNED
    aside = ("newest",) * is_owned
    aside += (*STORED, "point") * (made.features["number"] == "bucket")
    aside += (*STORED, "point", "prefix") * (is_owned and made.features["births"] == "births")
    return compared.name.startswith(aside) if aside else False


def is_of_many_rows(made: Design, compared: Compared) -> bool:
    """Whether a quantity is not of single rows, which are shown as at the end of a period."""
    is_bucket = made.features["number"] == "bucket"  # a bucket begins anew in each table
    return is_bucket or not compared.name.startswith(SIZES) or is_known(made, compared)


def differing(seed: int, moment: str) -> list[Compared]:
    made, aside = rotating(seed, moment), is_of_many_rows if moment == END else is_aside
    return [each for each in compare(made, aside) if not each.agrees and not aside(made, each)]


@pytest.mark.parametrize(
    ("seed", "moment"), [*((seed, "any") for seed in (1, 4, 6, 8, 12, 15, 30, 57)), (2, END), (9, END)]
)
def test_what_a_set_of_tables_holds_is_what_is_drawn(seed: int, moment: str) -> None:
    assert differing(seed, moment) == []


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["any", END])
@pytest.mark.parametrize("first", range(30, 330, 30))
def test_what_many_sets_of_tables_hold_is_what_is_drawn(first: int, moment: str) -> None:
    found = {seed: differing(seed, moment) for seed in range(first, first + 30)}

    assert {seed: each for seed, each in found.items() if each} == {}


def test_load_lies_on_the_newest_table_and_a_read_without_a_time_asks_all() -> None:
    made = rotating(1)
    data = deepcopy(made.data)
    data["horizon_months"] = 6
    data["tables"][0]["rotation"] = {"period": "month", "kept_tables": 3}
    key = [{"id": "u", "kind": "field", "field": "user"}]
    reads = [{"id": "all", "rate_per_second": 1, "binds": [{"field": "user"}]},
             {"id": "today", "rate_per_second": 1, "binds": [{"field": "user"}], "time": {"days": 0.1}}]  # fmt: skip
    data["tables"][0]["row_kinds"][0] |= {"key": key, "reads": reads}

    part = estimate(from_data(data), context()).tables["t"]

    assert part.traffic is not None
    assert all(row.key.startswith(b"2026_09/") for row in part.traffic.hot_rows if row.access == "write")
    assert [round(plan.ranges) for plan in part.reads] == [3, 1]
    assert [plan.bound for plan in part.reads] == [("u",), ("u",)]
    assert [segment.id for segment in part.keys["rows"].segments] == ["u"]
