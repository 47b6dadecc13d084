"""Cells whose writers set their timestamps ahead: lifetimes of their own within one family, beside what is drawn."""

from typing import Any

import pytest

from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data

from .comparison import Compared, compare
from .designs import FEATURES, Design
from .gaps import SIZES

USER = {"id": "k-user", "kind": "field", "field": "user", "after": "#"}
TIMES: dict[str, dict[str, Any]] = {
    "moment": {"resolution": "millisecond"},
    "day": {"resolution": "day", "pattern": "%Y%m%d"},
    "none": {},
}
RULES: dict[str, dict[str, Any]] = {
    "age": {"kind": "max_age", "age_days": 1},
    "union": {"kind": "union", "rules": [{"kind": "max_age", "age_days": 2}, {"kind": "max_versions", "versions": 2}]},
}


def design(time: str, rule: str, ahead: tuple[float, ...], popularity: dict[str, Any]) -> Design:
    """Return a design with a write for each lifetime, all into one column of one row kind."""
    kept = [{"id": "k-time", "kind": "time"} | TIMES[time]] if TIMES[time] else []
    mode = "append_row" if time == "moment" else "overwrite"
    writes = [
        {"id": "write" if not place else f"write{place}", "activity": f"act{place}", "mode": mode}
        | ({"timestamp_ahead_days": days} if days else {})
        for place, days in enumerate(ahead)
    ]
    read = {"id": "prefix", "binds": [{"field": "user"}], "rate_per_second": 1}
    kind = {"id": "rows", "key": [USER, *kept], "writes": writes, "reads": [read]}
    data = {
        "start": "2026-04-01", "horizon_months": 1,
        "fields": [{"id": "user", "name": "user", "kind": "string", "distinct": 30, "popularity": popularity,
                    "values": {"kind": "pattern", "text": "u{n:06}"}}],
        "activities": [{"id": f"act{place}", "rate_per_second": 400 / MONTH_DAYS / 86_400}
                       for place in range(len(ahead))],
        "tables": [{"id": "t", "row_kinds": [kind], "families": [
            {"id": "f", "name": "f", "gc": RULES[rule],
             "columns": [{"id": "c", "qualifier": "q", "value": {"typical_bytes": 100}}]}]}],
    }  # fmt: skip
    features = {name: choices[0] for name, choices in FEATURES.items()}
    features |= {
        "mode": mode,
        "time": time,
        "popularity": "uniform" if popularity["kind"] == "uniform" else "zipf 0.99",
    }
    return Design(len(ahead), features, from_data(data), data)


ONE_WRITE = ("lost share", "busiest row", "busiest range")
"""Quantities of one write only, which `compare` takes for all of them."""


def is_aside(made: Design, compared: Compared) -> bool:
    """Whether a quantity is of one write, or of single rows, which are taken to get as much of all writes."""
    several = len(made.spec.tables[0].row_kinds[0].writes) > 1
    return compared.name in ONE_WRITE or (several and compared.name.startswith(SIZES))


@pytest.mark.parametrize(
    ("time", "rule", "ahead"),
    [
        ("none", "age", (9.0,)),
        ("none", "age", (0.0, 9.0)),
        ("day", "age", (0.0, 9.0)),
        ("moment", "age", (-0.5, 4.0, 12.0)),
        ("day", "union", (6.0,)),
    ],
)
def test_cells_live_longer_by_what_their_timestamps_are_ahead(time: str, rule: str, ahead: tuple[float, ...]) -> None:
    law = {"kind": "zipf", "theta": 0.99} if time == "day" else {"kind": "uniform"}
    made = design(time, rule, ahead, law)

    found = compare(made, is_aside)

    assert [each for each in found if not each.agrees and not is_aside(made, each)] == []
