"""Rows that stand out: by their size, by what is asked of them."""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from estimator.kernels.keys import EventDistribution, hottest_row

from .. import sentences
from ..plan import PlannedTable
from ..results import Diagnosis, KindDays
from .played_run import HOT, PlayedRun

HOT_ROW_SHARE = 0.1
"""A row that takes a tenth of its table's node time is named…"""

HOT_ROW_NODES = 0.05
"""…if that is worth naming at all."""

ALMOST = 0.99
"""A row in a map that has so much of a largest row's size is taken to be it: sizes there are rounded."""


def large_rows(run: PlayedRun) -> Iterator[Diagnosis]:
    """Rows that outgrow their limits."""
    for name, table in run.tables.items():
        for kind in table.days.kinds:
            live = [live_crossing for live_crossing in kind.live_crossings if live_crossing.date is not None]
            crossed = live or [crossing for crossing in kind.crossings if crossing.date is not None]
            if not crossed:
                continue
            worst = max(crossed, key=lambda crossing: crossing.limit_bytes)
            hard = worst.limit == "row_bytes"
            message = sentences.LARGE_ROW_UNCOLLECTED
            if live:
                message = sentences.LARGE_ROW[worst.date == table.days.dates[0], bool(kind.largest_entity)]
            place = _place_of_largest(run, name, kind)
            params = {
                "entity": kind.largest_entity,
                "limit_bytes": worst.limit_bytes,
                "date": worst.date,
                "largest_bytes": float(kind.largest_bytes[-1]),
                "live_bytes": float(kind.live_largest_bytes[-1]),
                "last_date": table.days.dates[-1],
            }
            yield Diagnosis(
                message=message, params=params, severity=_severity(hard=hard, live=bool(live)), table=name,
                first_range=place, last_range=place, first_window=0, last_window=run.plan.windows - 1,
                rule="R001" if hard else "R002", at=kind.row_kind,
            )  # fmt: skip


def _severity(*, hard: bool, live: bool) -> Literal["error", "warning", "note"]:
    """Return how grave a large row is: one step less if expired cells that are not collected yet make it large."""
    if live:
        return "error" if hard else "warning"
    return "warning" if hard else "note"


def _place_of_largest(run: PlayedRun, table: str, kind: KindDays) -> int:
    """Return the range of the named entity if its row is the largest there; else one with the largest row."""
    sizes = run.tables[table].row_bytes.max(axis=1)
    planned = next(planned_table for planned_table in run.plan.tables if planned_table.table.id == table)
    flows = [flow for flow in planned.flows if flow.is_write and flow.flow.kind.id == kind.row_kind]
    if flows:
        busiest = max(flows, key=lambda flow: float(flow.rates.sum()))
        law = run.plan.distribution(busiest, 0)
        key, _ = hottest_row(busiest.pattern, EventDistribution(law.time.collapse(), law.popularity), 0)
        place = _range_of(planned, key)
        if sizes[place] >= ALMOST * float(kind.largest_bytes.max()):
            return place
    return int(sizes.argmax())


def hot_rows(run: PlayedRun) -> Iterator[Diagnosis]:
    """Yield diagnoses of single rows that are much hotter than others."""
    for planned in run.plan.tables:
        table = run.tables[planned.table.id]
        for key in table.hot_keys[:1]:
            if key.share >= HOT_ROW_SHARE and HOT_ROW_NODES <= key.node_share <= HOT:
                place = _range_of(planned, key.key)
                yield Diagnosis(
                    message=sentences.HOT_ROW, params={"key": key.text, "node_share": key.share}, severity="note",
                    table=table.table, first_range=place, last_range=place, first_window=0,
                    last_window=run.plan.windows - 1, rule="K014", at=key.access,
                )  # fmt: skip


def _range_of(table: PlannedTable, key: bytes) -> int:
    return bisect_right(table.bounds, key)
