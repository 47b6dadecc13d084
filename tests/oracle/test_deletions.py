"""Deletions: rows, cells, bytes and what is not collected yet, estimated beside what is drawn.

What a spec says of a deletion means this.

- Where rows are written for a time only, it takes one of those that are there, each as often; else the row that its
  event names, if there is one.
- It takes the row, all cells of families in it, or all cells of columns. A row without cells is none.
- What it took stays until it is collected, beside a marker without a value: one of a family, or of a column.
"""

from copy import deepcopy
from typing import Any

import pytest

from designer.document.load import from_data

from .comparison import Compared, compare
from .designs import COUNTED, Design, design
from .gaps import is_known
from .test_drawing import spec_of, text
from .test_small_cases import assert_agree

MODES = ("delete_row", "delete_cell", "delete_family")
SHARES = (0.2, 0.5, 0.8)
"""Deletions ÷ writes."""


CHOSEN = {"arrival": "poisson", "shape": "flat", "growth": "none", "form": "usual", "number": "whole"}
"""What is the same in all of these designs."""


def deleting(seed: int) -> Design:
    """Return a crossed design that deletes, of which half have a second family, which not all deletions take.

    Of rows that are written for a time it is not said which a deletion takes. None of them expires: else what would
    have gone soon is deleted, too, in the stead of what stays. Those of a bucket are deleted far more seldom than made.
    """
    made = design(seed, **CHOSEN)
    if made.features["relation"] == "counter":  # of whose numbers some have several events
        made = design(seed, relation="new per event", **CHOSEN)
    is_bucket = made.features["time"] in ("hour", "day")
    data = deepcopy(made.data)
    table, write = data["tables"][0], data["activities"][0]
    if made.features["time"] != "none" or made.features["relation"] in COUNTED:
        table["families"][0]["gc"] = None
    if seed % 2:
        second = {"id": "c2", "qualifier": "q2", "value": {"typical_bytes": 50}}
        table["families"].append({**table["families"][0], "id": "f2", "name": "f2", "columns": [second]})
    per_second = write["rate_per_second"] * (0.1 if is_bucket else SHARES[seed % 3])
    data["activities"].append({"id": "gone", "name": "gone", "rate_per_second": per_second})
    mode = MODES[seed // 3 % 3]
    delete: dict[str, Any] = {"id": "delete", "activity": "gone", "mode": mode}
    kind = table["row_kinds"][0]
    kind["writes"].append(delete if mode == "delete_row" else delete | {"columns": ["c"]})
    kind["reads"] = []
    return Design(seed, made.features | {"delete": mode}, from_data(data), data)


COMPARED = ("rows", "cells", "bytes", "garbage bytes")


def is_aside(made: Design, compared: Compared) -> bool:
    """Whether a quantity is not of what is stored."""
    return compared.name not in COMPARED or is_known(made, compared)


def differing(seed: int) -> list[Compared]:
    made = deleting(seed)
    return [each for each in compare(made, is_aside) if not each.agrees and not is_aside(made, each)]


@pytest.mark.parametrize("seed", range(24))
def test_what_deletions_leave_is_what_is_drawn(seed: int) -> None:
    assert differing(seed) == []


@pytest.mark.slow
@pytest.mark.parametrize("first", range(24, 324, 30))
def test_what_many_deletions_leave_is_what_is_drawn(first: int) -> None:
    found = {seed: differing(seed) for seed in range(first, first + 30)}

    assert {seed: each for seed, each in found.items() if each} == {}


@pytest.mark.parametrize(
    ("deletions_per_write", "age_days", "mode"),
    [
        (0.5, 5, "delete_row"), (0.8, 5, "delete_row"), (0.5, 1, "delete_row"), (0.5, 5, "delete_cell"),
        (0.97, None, "delete_row"), (1.0, None, "delete_row"), (1.1, None, "delete_row"),
    ],
)  # fmt: skip
def test_a_deletion_takes_any_row_that_is_there(deletions_per_write: float, age_days: int | None, mode: str) -> None:
    """Those of five days were 170 for 213 drawn, as if deletions took the youngest; those that chance leaves, none."""
    table = {"gc": {"kind": "max_age", "age_days": age_days}} if age_days else None
    spec = spec_of([text("user", 20)], ["user", "time second"], rate_per_day=40, mode="append_row", table=table)
    kind = spec.tables[0].row_kinds[0]
    gone = {"id": "gone", "rate_per_second": 40 / 86_400 * deletions_per_write}
    activities = (*spec.activities, spec.activities[0].model_copy(update=gone))
    columns = ("c",) if mode == "delete_cell" else ()
    delete = kind.writes[0].model_copy(update={"id": "d", "activity": "gone", "mode": mode, "columns": columns})
    rows = kind.model_copy(update={"writes": (*kind.writes, delete)})
    tables = (spec.tables[0].model_copy(update={"row_kinds": (rows,)}),)
    spec = spec.model_copy(update={"activities": activities, "tables": tables})

    assert_agree(spec, lambda part: float(part.growth.rows[-1]), lambda drawing: drawing.rows, worlds=40)
