"""Segments that follow from when an event happens."""

from collections.abc import Sequence
from dataclasses import replace

from designer.document.key import Bucket, DerivedSegment, FieldSegment, ReverseDigits, Segment, TimeSegment, as_bytes

from ..rendering import render
from ..rendering.digits import digits_of
from ..rendering.layout import EscapedTime, IntegerTime, SignedTransform
from .independent_segments import has_prefix_free_digits
from .inputs import KeyInputs
from .time_buckets import LAST_US, is_chronological, last_us
from .times import CalendarText, TimeSteps, epoch_steps, readable_steps, sequence_steps


def is_timed(inputs: KeyInputs, segment: Segment) -> bool:
    """Return True if the time of the event decides the segment.

    Such a segment shows that time, or a field that advances with every event.
    """
    if isinstance(segment, TimeSegment):
        return True
    if not isinstance(segment, FieldSegment | DerivedSegment):
        return False
    if inputs.is_timestamp(segment.field):
        return True
    if segment.field not in inputs.per_event or not inputs.fields[segment.field].is_sequential:
        return False
    return not any(isinstance(t, ReverseDigits) for t in segment.transforms)


def steps_for(inputs: KeyInputs, segment: Segment, before: Sequence[Segment]) -> TimeSteps | CalendarText | None:
    """Return the steps in which a timed segment advances behind the segments in `before`.

    None if its text does not sort as time does.
    """
    if isinstance(segment, EscapedTime) or (isinstance(segment, TimeSegment) and segment.hash is not None):
        return None
    if isinstance(segment, TimeSegment):
        return _time_steps(inputs, segment, before)
    assert isinstance(segment, FieldSegment | DerivedSegment)
    if inputs.is_timestamp(segment.field):
        return _timestamp_steps(segment)
    return _sequence_steps(inputs, segment)


def _time_steps(inputs: KeyInputs, segment: TimeSegment, before: Sequence[Segment]) -> TimeSteps | CalendarText | None:
    shown_times = [s.pattern for s in (segment, *before) if isinstance(s, TimeSegment)]
    # Years of two digits do not sort as time where the century ends within the horizon.
    if any(inputs.end_s * 1e6 > last_us(pattern) < LAST_US for pattern in shown_times):
        return None
    if isinstance(segment, IntegerTime) and segment.pattern:
        return readable_steps(segment) if is_chronological(segment.pattern) else None
    if not segment.pattern:
        render.segment_text(segment, {}, render.Event({}, int(inputs.end_s * 1e6)))
        return _within_horizon(inputs, epoch_steps(segment))
    after = as_bytes(segment.after)
    if is_chronological(segment.pattern):
        return CalendarText(segment.id, segment.pattern, segment.bucket, after, is_reversed=segment.reversed)
    dates = [s for s in before if isinstance(s, TimeSegment) and s.pattern and s.hash is None]
    # An hour sorts as time behind a date that has fixed the day. A reversed part completes only what is reversed, too.
    patterns = [s.pattern for s in dates if s.reversed == segment.reversed]
    if patterns and is_chronological(segment.pattern, "".join(patterns)):
        return CalendarText(
            segment.id, segment.pattern, segment.bucket, after, within=True, is_reversed=segment.reversed
        )
    return None


def _within_horizon(inputs: KeyInputs, steps: TimeSteps) -> TimeSteps:
    """Return steps of a number of time that say whether it gains a digit within stored history and horizon."""
    # Hours since 1970 have six digits until 2084, but counted in days or months a number can gain a digit, and "9999"
    # sorts behind "10000".
    low, high = steps.written_span(int(inputs.first_s * 1e6), int(inputs.end_s * 1e6))
    if len(list(steps.digits.blocks(low, high))) == 1:
        return steps
    return replace(steps, prefix_free=has_prefix_free_digits(steps.digits, low, high), firsts=None)


def _timestamp_steps(segment: FieldSegment | DerivedSegment) -> TimeSteps | None:
    if isinstance(segment, DerivedSegment):
        return None
    if not segment.transforms:
        return epoch_steps(TimeSegment(id=segment.id, after=segment.after))
    if all(isinstance(t, SignedTransform) for t in segment.transforms):
        return epoch_steps(IntegerTime(id=segment.id))
    return None


def _sequence_steps(inputs: KeyInputs, segment: FieldSegment | DerivedSegment) -> TimeSteps | None:
    if isinstance(segment, DerivedSegment) and not isinstance(segment.how, Bucket):
        return None
    size = segment.how.size if isinstance(segment, DerivedSegment) and isinstance(segment.how, Bucket) else 1
    shape = inputs.fields[segment.field]
    result = digits_of(shape, segment.transforms, as_bytes(segment.after), size=size)
    if result is None:
        return None
    digits, scale = result
    steps = sequence_steps(segment.id, shape, digits, scale)
    low, high = steps.written_span(int(inputs.first_s * 1e6), int(inputs.end_s * 1e6))
    return replace(steps, prefix_free=has_prefix_free_digits(digits, low, high))
