"""Two events can have the same key, and one is lost.

**What** Each event should create a row. Events of one entity within the key's time resolution share one key.
**Why** The second write replaces the first. The first row is lost without an error.
**Instead** Use a finer time, or add a distinguishing value such as a sequence number.
**Fine when** Only the later of two events matters. In that case, mark the write as an overwrite.
**Source** https://cloud.google.com/bigtable/docs/schema-design (read 2026-11-20)
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from designer.document import Spec, effective_value, write_mode
from designer.document.access import Write
from designer.document.durations import DAY_SECONDS, RESOLUTION_SECONDS
from designer.document.key import FieldSegment, Resolution, shows_time
from designer.document.texts import N_
from designer.wording import element_label, resolution_name
from estimator.facts.collisions import (
    LOST_PER_DAY_NOTE,
    asked_share,
    equal_shares,
    identifies_each_event,
    loss_severity,
    lost_per_day,
    qualify_severity,
    rate_per_second,
    slot_seconds,
)
from estimator.facts.reading import RowKindFacts, row_kinds
from estimator.results import Choice, EntityShares, Estimate

from ..shared import Rule, Violation
from ..shared.arrivals import arrivals
from ..shared.edits import all_of, change
from ..shared.examples import Part, design, field_part, read_part, time_part
from ..shared.fixes import finer_time

GUESSED = N_(
    "Two events of {write} can have the same key in {table}. If events arrive independently, about "
    "{lost_per_day} are lost ({lost_share}). The design does not specify the arrival pattern.{guess}"
)
ASKED = N_(
    "Do events of {write} arrive at regular intervals? If they are independent, two can have the same key in "
    "{table}, and about {lost_per_day} are lost ({lost_share}).{guess}"
)
OWN = N_(
    "Does each event of {write} have a key of its own in {table}? If keys come at random, about {lost_per_day} have "
    "one that another event already has ({lost_share}).{guess}"
)
COUNTED = N_("Yes, {field} counts up within each {parent}")
EACH_ITS_OWN = N_("Yes, {field} has a new value with each event")
UPDATES = N_("No, an event updates the row with its key")
FINER = N_("Include the {resolution} in the key")
IN_BUCKETS = N_(
    "Does each event of {write} have a key of its own in {table}? The design does not specify it: {lost_per_day} have "
    "a key that another event already has ({lost_share}), and are taken as updates of its row."
)
YES_FINER = N_("Yes, with the {resolution} in the key")
MOSTLY_OWN_SHARE = 2 / 3
"""Where more events than that meet a row that is there, a key of a time bucket is taken as one row for all of it."""

_FINER: tuple[Resolution, ...] = ("second", "millisecond", "microsecond")


def check(spec: Spec, estimate: Estimate) -> Iterator[Violation]:
    """Yield a finding per write that appends rows whose keys are not unique."""
    for rows in row_kinds(spec, estimate):
        growth = rows.part.growth if rows.part else None
        for write in rows.kind.writes:
            spread = growth.entities.get(write.id) if growth else None
            appends = write_mode(spec, write) == "append_row"
            if spread is None or not rows.facts or write.activity is None or identifies_each_event(rows, write):
                continue
            if appends:
                yield from _find_violations(rows, write, spread)
            elif write.mode is None and write_mode(spec, write) == "overwrite":
                yield from _ask_for_updates(rows, write, spread)


def _ask_for_updates(rows: RowKindFacts, write: Write, spread: EntityShares) -> Iterator[Violation]:
    """Yield a question where updates are only assumed, and most events make a row in a bucket of time, but not all."""
    slot = slot_seconds(rows)
    if slot is None or write.row_age_days is not None or write.deletes or _qualifiers_differ(rows, write):
        return
    lost, rows_per_day = lost_per_day(rows, write, spread, slot), rate_per_second(rows, write) * DAY_SECONDS
    if (
        rows_per_day <= 0
        or lost < LOST_PER_DAY_NOTE
        or not asked_share(rows) <= lost / rows_per_day <= MOSTLY_OWN_SHARE
    ):
        return
    fix, resolution = _fix(rows, write, spread)
    name = resolution_name(resolution) if resolution else ""
    appending = change(write, "mode", "append_row")
    finer = () if fix is None else (Choice(YES_FINER, {"resolution": name}, all_of((fix, appending))),)
    # An interval shorter than the bucket would settle nothing.
    regular = [arrival for arrival in arrivals(rows, write) if arrival.params.get("interval_seconds", 0.0) >= slot]
    yield Violation(
        at=write.id,
        params=_loss_params(rows, write, lost),
        message=IN_BUCKETS,
        effect=lost,
        severity="question",
        choices=(*finer, *regular, Choice(UPDATES, {}, change(write, "mode", "overwrite"))),
    )


def _loss_params(rows: RowKindFacts, write: Write, lost: float) -> dict[str, object]:
    return {
        "write": element_label(rows.spec, write.id),
        "table": rows.table.label,
        "lost_per_day": lost,
        "lost_share": lost / (rate_per_second(rows, write) * DAY_SECONDS),
    }


def _find_violations(rows: RowKindFacts, write: Write, spread: EntityShares) -> Iterator[Violation]:
    slot = slot_seconds(rows)
    lost = lost_per_day(rows, write, spread, slot)
    own = slot is None and _has_free_keys(rows, spread)
    regularly = partial(lost_per_day, rows, write, spread, slot, regular=slot is not None)  # else no interval matters
    severity, guessed = loss_severity(rows, write, lost, regularly=regularly, asked_from=asked_share(rows))
    if severity is None or _qualifiers_differ(rows, write):
        return
    even = partial(lost_per_day, rows, write, equal_shares(spread), slot)
    severity, guess = qualify_severity(rows, write, lost, severity, evenly=even)
    if own and severity != "note":
        severity = "question"
    choices = _own_keys(rows, write) if own else arrivals(rows, write)
    fix, resolution = _fix(rows, write, spread)
    yield Violation(
        at=write.id,
        params={
            **_loss_params(rows, write, lost),
            "resolution": resolution_name(resolution) if resolution else "",
            "guess": guess,
        },
        message=(OWN if own else ASKED) if severity == "question" else GUESSED if guessed else "",
        effect=lost,
        severity=severity,
        choices=choices if severity == "question" else (),
        fix=fix,
        fix_label=FINER if fix is not None else "",
    )


def _has_free_keys(rows: RowKindFacts, spread: EntityShares) -> bool:
    """Return whether there are as many keys as rows, so that each event may have its own.

    Rows of keys drawn at random tell how many events there are.
    """
    keys = float(np.sum(spread.counts))
    # n events over K random keys make K · (1 − e^(−n/K)) rows. With at most 1 − 1/e = 63 % of the keys in use there
    # are no more events than keys.
    return rows.size is not None and rows.size.rows <= -math.expm1(-1.0) * keys


def _own_keys(rows: RowKindFacts, write: Write) -> tuple[Choice, ...]:
    """Return what makes each event's key its own, and what says that it is not."""
    spec, activity = rows.spec, rows.spec.find(write.activity or "")
    fields = [spec.find(s.field) for s in rows.kind.segments if isinstance(s, FieldSegment)]
    updates = Choice(UPDATES, {}, change(write, "mode", "overwrite"))
    last = fields[-1] if fields else None
    if last is None or last.unique_within is not None or not activity.rate_per_second:
        return (updates,)
    if len(fields) > 1 and effective_value(spec, last, "kind") == "integer" and last.belongs_to is None:
        parent = fields[-2]
        counts = all_of((change(last, "unique_within", parent.id), change(last, "assigned", "sequential")))
        return (Choice(COUNTED, {"field": last.label, "parent": parent.label}, counts), updates)
    per_day = rate_per_second(rows, write) * DAY_SECONDS
    return (Choice(EACH_ITS_OWN, {"field": last.label}, change(last, "growth_per_day", per_day)), updates)


def _qualifiers_differ(rows: RowKindFacts, write: Write) -> bool:
    """Return whether event data is in the qualifier, so that two events in one row are both kept."""
    columns = [column for family in rows.table.families for column in family.columns]
    return any(c.qualifier_from for c in columns if not write.columns or c.id in write.columns)


def _fix(rows: RowKindFacts, write: Write, spread: EntityShares) -> tuple[Any | None, Resolution | None]:
    """Return the coarsest finer time in the key with which nothing is lost."""
    times = [segment for segment in rows.kind.segments if shows_time(segment)]
    if len(times) != 1:
        return None, None
    for resolution in _FINER:
        finer = RESOLUTION_SECONDS[resolution] < (slot_seconds(rows) or 0.0)
        if finer and lost_per_day(rows, write, spread, RESOLUTION_SECONDS[resolution]) < LOST_PER_DAY_NOTE:
            return finer_time(times[0], resolution), resolution
    return None, None


def _events(arrival: Part, **settings: Any) -> Spec:
    return design(
        field_part("device", "#"),
        time_part(**settings),
        per_second=1,
        activity={"arrival": arrival},
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    )


RULE = Rule(
    code="K012",
    severity="error",
    message=N_(
        "Two events of {write} can have the same key in {table}. About {lost_per_day} are lost ({lost_share}).{guess}"
    ),
    check=check,
    bad=lambda: _events({"kind": "poisson"}, resolution="second", unit="s"),
    good=lambda: _events({"kind": "every", "seconds": 1_000, "field": "device"}, resolution="second", unit="s"),
    near_miss=lambda: _events({"kind": "poisson"}, resolution="millisecond"),
)
