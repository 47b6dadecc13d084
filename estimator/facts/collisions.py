"""Expected losses of a write whose events get a key that another event already has."""

from collections.abc import Callable, Collection

import numpy as np

from designer.document import Spec, effective_value
from designer.document.access import Write
from designer.document.activity import Activity, Backfill, Bursts, Every
from designer.document.durations import DAY_SECONDS
from designer.document.field_names import role_of
from designer.document.key import AutoIncrement, DerivedSegment, FieldSegment, HashSegment, SaltSegment, TimeSegment
from designer.document.texts import Text
from estimator.kernels.keys.patterns.time_buckets import segment_seconds
from estimator.results import EntityShares, Severity

from .default_skew import assumed_skew_sentence
from .reading import RowKindFacts

BURST_SECONDS = 1.0
"""A burst shares one second, says the spec."""

LOST_PER_DAY = 1.0
"""One lost event a day, expected, is an error; less is a note down to one within a horizon of years."""
LOST_PER_DAY_NOTE = 0.001
LOST_SHARE_GUESSED = 0.05
"""While nobody has said how events arrive, they are taken as independent; real entities are more regular. Only losses
that no arrival pattern would avoid are an error; from this share on, how they arrive is a question."""
LOST_SHARE_GUESSED_NOTE = 0.001
"""Of entities that are no devices, hosts or metrics, as people and chats, how they arrive is asked from here on."""
REGULAR = ("device", "place", "category")
"""What acts by a clock, by the subject of its field's name."""
SKEW_MATTERS = 2.0
"""A skew is told to be guessed where even entities would lose less than half as many events."""


def slot_seconds(rows: RowKindFacts) -> float | None:
    """Return the shortest time in seconds between keys of one entity; None if the key holds no time."""
    return min((time_seconds(s) for s in rows.kind.segments if isinstance(s, TimeSegment)), default=None)


def time_seconds(segment: TimeSegment) -> float:
    """Return the shortest time in seconds that two texts of one segment can differ by."""
    return segment_seconds(segment)


def rate_per_second(rows: RowKindFacts, write: Write) -> float:
    """Return the rows a second that a write makes: at the end of the horizon if known, else at the start."""
    load = next((load for other, load in rows.writes if other.id == write.id), None)
    if load is not None:
        return load.rows_per_second
    activity: Activity = rows.spec.find(write.activity or "")
    per_event = float(effective_value(rows.spec, write, "rows_per_event"))
    return float(effective_value(rows.spec, activity, "rate_per_second") or 0) * per_event


def lost_per_day(
    rows: RowKindFacts, write: Write, spread: EntityShares, slot: float | None, *, other_fields: Collection[str] = (),
    regular: bool = False,
) -> float:  # fmt: skip
    """Return the expected events a day whose key another event of the same write already has.

    `other_fields`: fields that tell entities apart and are not in the key. `regular`: what no arrival pattern would
    avoid, in place of independent events.

    Poisson: with m events expected in a slot of one entity, m - 1 + exp(-m) of them are lost. "Every n seconds per
    entity" loses none while a slot is no longer than that. A burst of n shares entity and second.
    """
    spec = rows.spec
    activity: Activity = spec.find(write.activity or "")
    rate = rate_per_second(rows, write)
    length = DAY_SECONDS if slot is None else min(slot, DAY_SECONDS)
    arrival = effective_value(spec, activity, "arrival")
    is_own = slot == slot_seconds(rows) and not other_fields and not regular
    if isinstance(arrival, Backfill) and slot is not None:
        return 0.0  # how close together the events of that history were is not said
    is_apart = slot is not None and isinstance(arrival, Every) and arrival.seconds >= length
    if is_apart and isinstance(arrival, Every) and arrival.field in _entity_fields(rows):
        return 0.0  # whatever else is in the key
    if spread.lost_share is not None and is_own:
        return rate * DAY_SECONDS * spread.lost_share
    if isinstance(arrival, Backfill):
        return 0.0
    if isinstance(arrival, Every) and arrival.field in (_entity_fields(rows) | set(other_fields)):
        return rate * DAY_SECONDS * (1.0 if slot is None else max(1 - arrival.seconds / length, 0.0))
    if isinstance(arrival, Bursts):
        bursts = rate / arrival.size
        return _poisson_losses(spread, bursts, length) + bursts * DAY_SECONDS * _burst_losses(arrival.size, length)
    return _lost_of_regular_events(spread, rate, length) if regular else _poisson_losses(spread, rate, length)


def loss_severity(
    rows: RowKindFacts,
    write: Write,
    lost: float,
    *,
    regularly: Callable[[], float],
    asked_from: float = LOST_SHARE_GUESSED,
) -> tuple[Severity | None, bool]:
    """Return the severity of these daily losses, and True if it rests on an assumed arrival.

    The severity is None if they are negligible. `regularly`: those of events at regular intervals. `asked_from`: the
    share from which the arrival is asked for.
    """
    activity: Activity = rows.spec.find(write.activity or "")
    if lost < LOST_PER_DAY_NOTE:
        return None, False
    if activity.arrival is None and regularly() < LOST_PER_DAY:
        share = lost / (rate_per_second(rows, write) * DAY_SECONDS)
        few: Severity | None = "note" if share >= LOST_SHARE_GUESSED_NOTE else None
        return "question" if share >= asked_from else few, True
    return ("note" if lost < LOST_PER_DAY else "error"), False


def asked_share(rows: RowKindFacts) -> float:
    """Return the lost share from which it is asked how events arrive: more where an entity may act by a clock."""
    by_clock = any(role_of(rows.spec.find(field).name).subject in REGULAR for field in _entity_fields(rows))
    return LOST_SHARE_GUESSED if by_clock else LOST_SHARE_GUESSED_NOTE


def qualify_severity(
    rows: RowKindFacts, write: Write, lost: float, severity: Severity, *, evenly: Callable[[], float]
) -> tuple[Severity, Text | str]:
    """Return the severity and its explanation where half of the losses or more come from an assumed skew.

    `evenly`: expected losses a day if all entities were equally busy. An error that depends only on the assumed
    value becomes a warning.
    """
    guess = assumed_skew_sentence(rows, write)
    if not guess or (even := evenly()) * SKEW_MATTERS >= lost:
        return severity, ""
    alone = severity == "error" and loss_severity(rows, write, even, regularly=lambda: even)[0] != "error"
    return "warning" if alone else severity, guess


def equal_shares(spread: EntityShares) -> EntityShares:
    """Return the same entities, all equally busy."""
    many = float(np.sum(spread.counts))
    return EntityShares(np.array([1 / many]), np.array([many])) if many > 0 else spread


def _poisson_losses(spread: EntityShares, rate: float, slot: float) -> float:
    expected = rate * np.asarray(spread.shares) * slot
    # Of few events the difference has no digits left.
    lost = np.where(expected < 1e-4, expected**2 / 2, expected - 1 + np.exp(-expected))
    return float(np.sum(np.asarray(spread.counts) * lost) * DAY_SECONDS / slot)


def _lost_of_regular_events(spread: EntityShares, rate: float, slot: float) -> float:
    """Return the lost events of each entity: all but the first of a slot, none of less than one event a slot."""
    more = np.maximum(rate * np.asarray(spread.shares) * slot - 1, 0.0)
    return float(np.sum(np.asarray(spread.counts) * more) * DAY_SECONDS / slot)


def _burst_losses(size: int, slot: float) -> float:
    """Return the lost events of one burst: its events less the different slots that they fall into."""
    slots = max(BURST_SECONDS / slot, 1.0)
    return size - slots * -np.expm1(size * np.log1p(-1 / slots)) if slots > 1 else size - 1.0


def _entity_fields(rows: RowKindFacts) -> set[str]:
    fields: set[str] = set()
    for segment in rows.kind.segments:
        if isinstance(segment, FieldSegment | DerivedSegment):
            fields.add(segment.field)
        elif isinstance(segment, HashSegment | SaltSegment):
            fields.update(segment.fields)
    return fields


def identifies_each_event(rows: RowKindFacts, write: Write) -> bool:
    """Return True if a part of the key is new with every event: an id that each event brings."""
    if any(isinstance(segment, AutoIncrement) for segment in rows.kind.segments):
        return True  # the service counts it up itself
    fields = [segment.field for segment in rows.kind.segments if isinstance(segment, FieldSegment)]
    fields += [s.whole_field for s in rows.kind.segments if isinstance(s, HashSegment) and s.whole_field]
    return any(is_event_counter(rows.spec, field, write) for field in fields)


def is_event_counter(spec: Spec, field: str, write: Write) -> bool:
    """Return True if a field gets about as many new values a day as the write's activity has events."""
    growth = float(effective_value(spec, spec.find(field), "growth_per_day") or 0)
    rate = float(effective_value(spec, spec.find(write.activity or ""), "rate_per_second") or 0)
    # A hundredth less may come of rounding.
    return growth > 0 and growth >= 0.99 * rate * DAY_SECONDS
