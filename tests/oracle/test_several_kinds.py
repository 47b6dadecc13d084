"""One scan of several row kinds: what is estimated of it beside what is drawn, event by event."""

from collections.abc import Iterator
from heapq import merge
from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.durations import MONTH_DAYS
from designer.document.load import from_data
from designer.document.table import RowKind
from estimator.estimates.estimate import estimate
from estimator.results import ReadPlan
from tests.contexts import context

from .comparison import COUNT_FLOOR, ERRORS, SIZE_SHARE
from .drawing import COLLECTED_DAYS
from .events import Event, bring, happen
from .reads import Answer, Reader, Snapshot
from .storage import KeyForm, Stored
from .world import World

WORLDS, REQUESTS = 12, 25
USER = {"id": "u", "kind": "field", "field": "user", "after": "#"}
TIMES: dict[str, dict[str, Any]] = {
    "moment": {"resolution": "millisecond"},
    "newest first": {"resolution": "millisecond", "reversed": True},
    "day": {"resolution": "day", "pattern": "%Y%m%d"},
}
POPULARITIES: dict[str, dict[str, Any]] = {"even": {"kind": "uniform"}, "skewed": {"kind": "zipf", "theta": 0.9}}


def key(name: str, *parts: dict[str, Any]) -> list[dict[str, Any]]:
    named = [USER, {"kind": "literal", "text": name, "after": "#"}, *parts]
    return [{**part, "id": f"{name}{place}"} for place, part in enumerate(named)]


def spec_of(time: str, popularity: str, *, asked: str = "", days: int | None = None) -> Spec:
    """Users with a profile, orders and notes in one table: the profile's read returns orders, and scans notes."""
    rule = {"kind": "max_age", "age_days": days} if days else None
    bind = {"field": "user"} | ({"popularity": POPULARITIES[asked]} if asked else {})
    kinds = [
        {"id": "profile", "key": key("profile"), "columns": ["p"], "writes": [
            {"id": "w-profile", "activity": "sign-in", "mode": "overwrite"}],
         "reads": [{"id": "all", "rate_per_second": 1, "binds": [bind], "row_kinds": ["order"]}]},
        {"id": "order", "key": key("order", {"kind": "time"} | TIMES[time]), "columns": ["o"],
         "writes": [{"id": "w-order", "activity": "buys", "mode": "append_row"}]},
        {"id": "note", "key": key("note", {"kind": "time"} | TIMES["day"]), "columns": ["n"],
         "writes": [{"id": "w-note", "activity": "notes", "mode": "overwrite"}]},
    ]  # fmt: skip
    columns = [{"id": name, "value": {"typical_bytes": size}} for name, size in (("p", 100), ("o", 1_000), ("n", 300))]
    return from_data({
        "start": "2026-04-01", "horizon_months": 1,
        "fields": [{"id": "user", "name": "user", "kind": "string", "distinct": 40,
                    "popularity": POPULARITIES[popularity], "values": {"kind": "pattern", "text": "u{n:06}"}}],
        "activities": [{"id": name, "rate_per_second": rate / MONTH_DAYS / 86_400}
                       for name, rate in (("sign-in", 90), ("buys", 240), ("notes", 120))],
        "tables": [{"id": "t", "row_kinds": kinds, "families": [{"id": "f", "gc": rule, "columns": columns}]}],
    })  # fmt: skip


def draw_answers(spec: Spec, seed: int, plan: ReadPlan) -> Iterator[Answer]:
    """Draw what is stored of all row kinds, and requests of the first read; each returns two kinds and scans three."""
    rng = np.random.default_rng([seed, 4])
    world, table, end = World(spec, rng), spec.tables[0], MONTH_DAYS + rng.uniform(-0.5, 0.5)
    stored = {kind.id: Stored(spec, table, kind, KeyForm(spec, kind.segments, rng), {}) for kind in table.row_kinds}
    written: dict[str, list[Any]] = {kind.id: [] for kind in table.row_kinds}
    acting = {kind.id: spec.find(kind.writes[0].activity or "") for kind in table.row_kinds}

    def events(kind: RowKind) -> Iterator[tuple[float, str, Event]]:
        return ((event.day, kind.id, event) for event in happen(world, acting[kind.id], 0.0, end))

    for _, name, event in merge(*map(events, table.row_kinds), key=lambda item: item[0]):
        bring(world, acting[name], ("user",), event)
        written[name].append((event, stored[name].write(stored[name].kind.writes[0], event)))
    own = table.row_kinds[0]
    activity, read = acting[own.id], own.reads[0]
    readers = {name: Reader(world, Snapshot(stored[name], written[name], end, COLLECTED_DAYS), activity, read)
               for name in stored}  # fmt: skip
    for _ in range(REQUESTS):
        request = readers[own.id].request()
        assert request is not None
        met = {}
        for kind in table.row_kinds:
            first = kind.segments[: len(plan.bound)]
            met[kind.id] = readers[kind.id].answer(request, tuple(each.id for each in first), None)
        asked = [met[name] for name in (own.id, *read.row_kinds)]
        yield Answer(
            sum(each.rows_scanned for each in met.values()), sum(each.rows_returned for each in asked),
            sum(each.cells_returned for each in asked), 0.0, sum(each.bytes_returned for each in asked),
        )  # fmt: skip


@pytest.mark.parametrize(
    ("time", "popularity", "asked", "days"),
    [("moment", "even", "", None), ("newest first", "skewed", "", 5), ("day", "skewed", "", None),
     ("day", "even", "skewed", 5), ("moment", "skewed", "even", 5)],
)  # fmt: skip
def test_a_scan_returns_the_rows_of_all_kinds_that_it_is_asked_for(
    time: str, popularity: str, asked: str, days: int | None
) -> None:
    spec = spec_of(time, popularity, asked=asked, days=days)
    plan = estimate(spec, context()).tables["t"].reads[0]

    answers = [list(draw_answers(spec, seed, plan)) for seed in range(WORLDS)]

    for name, floor in (("rows_scanned", COUNT_FLOOR), ("rows_returned", COUNT_FLOOR), ("cells_returned", COUNT_FLOOR),
                        ("bytes_returned", SIZE_SHARE)):  # fmt: skip
        means = np.array([np.mean([getattr(each, name) for each in world]) for world in answers])
        width = ERRORS * means.std(ddof=1) / np.sqrt(WORLDS) + floor * means.mean()
        assert abs(getattr(plan, name) - means.mean()) <= width, (name, getattr(plan, name), means.mean(), width)
    assert plan.access == "prefix"
