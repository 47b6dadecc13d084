"""Two events write to the same cell, and one is lost.

**What** Each event should create its own cell, but two events in one row can have the same qualifier and timestamp.
**Why** Row, column and timestamp identify a cell, and timestamps have at best millisecond precision. The second of
two such events replaces the first without an error. Coarse time in a qualifier has the same effect if only the
newest version is kept.
**Instead** Add a distinguishing value (a sequence number, a finer time) to the qualifier or the key. Alternatively,
use one row per event.
**Fine when** Only the later of two events matters. In that case, mark the write as an overwrite.
**Source** https://cloud.google.com/bigtable/docs/schema-design-time-series (read 2026-11-20)
https://cloud.google.com/bigtable/docs/reference/data/rpc/google.bigtable.v2 (read 2026-11-20)
"""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from designer.document import Spec, write_mode
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS, RESOLUTION_SECONDS, bucket_length_seconds
from designer.document.family import Column, Family
from designer.document.key import Resolution, shows_time
from designer.document.texts import N_
from designer.wording import element_label, resolution_name, shorten
from estimator.facts.cell_collisions import cell_slot_seconds, lost_cells_per_day, rate_of_daily_loss
from estimator.facts.collisions import LOST_PER_DAY, equal_shares, loss_severity, qualify_severity, rate_per_second
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.kernels.growth.cells import written_columns
from estimator.kernels.growth.collection import policy
from estimator.results import EntityShares, Estimate

from ..shared import BIGTABLE, Rule, Violation
from ..shared.arrivals import arrivals
from ..shared.edits import all_of, change
from ..shared.examples import Part, design, field_part, read_part, time_part
from ..shared.fixes import finer_time

GUESSED = N_(
    "Two events of {write} can write to the same cell of {column} in {table}. If events arrive "
    "independently, about {lost_per_day} are lost ({lost_share}); the loss reaches 1 a day at "
    "{hurts_per_second}. The design does not specify the arrival pattern.{guess}"
)
BY_LAW = N_(
    "Two events of {write} can write to the same cell of {column} in {table}. About {lost_per_day} "
    "are lost ({lost_share}).{guess}"
)
ASKED = N_(
    "Do events of {write} arrive at regular intervals? If they are independent, two can write to the same cell of "
    "{column} in {table}, and about {lost_per_day} are lost ({lost_share}).{guess}"
)
FINER = N_("Distinguish events to the {resolution}")

Columns = Sequence[tuple[Family, Column]]


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write that should keep every event but has cells in which events collide."""
    for rows in row_kinds(spec, estimate):
        growth = rows.part.growth if rows.part else None
        for write in rows.kind.writes if growth else ():
            columns = _collision_columns(rows, write)
            spread = growth.entities.get(write.id) if growth and columns else None
            if spread is not None and write.activity is not None:
                yield from _find_violations(rows, write, columns, spread)


def _collision_columns(rows: RowKindFacts, write: Write) -> Columns:
    """Return the columns in which every event should be kept."""
    if write_mode(rows.spec, write) not in ("new_cell", "new_column", "append_row"):
        return ()
    columns = [(f, c) for f, c in written_columns(rows.table, rows.kind, write) if f.kind == "ordinary"]
    if write.mode == "new_cell":
        # With one name and one version kept, each event replaces the one before it in any case.
        return [(f, c) for f, c in columns if c.qualifier_from or policy(f.gc).caps[0] > 1]
    return [(f, c) for f, c in columns if c.qualifier_from]


def _find_violations(rows: RowKindFacts, write: Write, columns: Columns, spread: EntityShares) -> Iterator[Violation]:
    lost, family, column = max(
        ((lost_cells_per_day(rows, write, c, spread, cell_slot_seconds(rows, f, c)), f, c) for f, c in columns),
        key=lambda entry: entry[0],
    )
    slot = cell_slot_seconds(rows, family, column)
    regularly = partial(lost_cells_per_day, rows, write, column, spread, slot, regular=True)
    severity, guessed = loss_severity(rows, write, lost, regularly=regularly)
    if severity is None:
        return
    even = partial(lost_cells_per_day, rows, write, column, equal_shares(spread), slot)
    severity, guess = qualify_severity(rows, write, lost, severity, evenly=even)
    hurts = rate_of_daily_loss(rows, write, column, spread, slot)
    fix, resolution = _fix(rows, write, columns, spread)
    yield Violation(
        at=write.id,
        params={
            "write": element_label(rows.spec, write.id),
            "table": rows.table.label,
            "column": shorten(element_label(rows.spec, column.id)),
            "lost_per_day": lost,
            "lost_share": lost / (rate_per_second(rows, write) * DAY_SECONDS),
            "resolution": resolution_name(resolution) if resolution else "",
            "hurts_per_second": hurts,
            "guess": guess,
        },
        message=ASKED if severity == "question" else GUESSED if guessed else "" if hurts is not None else BY_LAW,
        effect=lost,
        severity=severity,
        choices=arrivals(rows, write) if severity == "question" else (),
        fix=fix,
        fix_label=FINER if fix is not None else "",
    )


def _fix(
    rows: RowKindFacts, write: Write, columns: Columns, spread: EntityShares
) -> tuple[Any | None, Resolution | None]:
    """Return the coarsest finer time in qualifiers or timestamps that loses less than one event a day."""
    for resolution in ("second", "millisecond", "microsecond"):
        changes: list[Any] = []
        for family, column in columns:
            finer, edits = _finer_time_edits(column, resolution)
            slot = cell_slot_seconds(rows, family, column, finer=finer)
            if lost_cells_per_day(rows, write, column, spread, slot) >= LOST_PER_DAY:
                break
            changes += edits
        else:
            return (all_of(changes), resolution) if changes else (None, None)
    return None, None


def _finer_time_edits(column: Column, resolution: Resolution) -> tuple[dict[str, float], list[Any]]:
    """Return where a column's time could have this resolution, and the edits that set it."""
    finer, edits = dict[str, float](), list[Any]()
    for segment in column.qualifier_from:
        if not shows_time(segment):
            continue
        edit = finer_time(segment, resolution)
        if edit is not None and RESOLUTION_SECONDS[resolution] < bucket_length_seconds(segment.bucket):
            finer[segment.id] = RESOLUTION_SECONDS[resolution]
            edits.append(edit)
    if resolution == "millisecond" and column.timestamp == "event" and column.timestamp_resolution == "second":
        finer[column.id] = RESOLUTION_SECONDS[resolution]
        edits.append(change(column, "timestamp_resolution", resolution))
    return finer, edits


def _cells(arrival: Part, **column: Any) -> Spec:
    """Build a design of a thousand devices with a row per device and day and a cell per event."""
    return design(
        field_part("device", "#"),
        time_part(resolution="day", pattern="%Y%m%d"),
        per_second=1 if arrival["kind"] == "poisson" else None,
        activity={"arrival": arrival},
        write={"mode": "new_cell"},
        column=column,
        reads=(read_part(binds=("device",), exact_time=True),),
    )


RULE = Rule(
    code="C011",
    severity="error",
    message=N_(
        "Two events of {write} can write to the same cell of {column} in {table}. About {lost_per_day} "
        "are lost ({lost_share}); the loss reaches 1 a day at {hurts_per_second}.{guess}"
    ),
    check=check,
    bad=lambda: _cells({"kind": "poisson"}, timestamp="event", timestamp_resolution="second"),
    good=lambda: _cells({"kind": "every", "seconds": 1_000, "field": "device"}, timestamp="event"),
    near_miss=lambda: _cells({"kind": "poisson"}, timestamp="event"),
    engines=BIGTABLE,
)
