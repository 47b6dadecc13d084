"""Access logs of a table that exists: what they tell of its keys, rates, hours, sizes and popular values."""

from .design import design_from_trace
from .events import TraceEvent, TraceForm, TraceFormError, UnreadLines, find_form, read_events
from .key_values import ReplayError
from .popularity import PopularityFit, fit_popularity
from .replay import EventSample, Replay, replay
from .streams import read_log
from .summary import FieldUse, OperationUse, TableUse, TraceReader, TraceSummary

__all__ = [
    "EventSample",
    "FieldUse",
    "OperationUse",
    "PopularityFit",
    "Replay",
    "ReplayError",
    "TableUse",
    "TraceEvent",
    "TraceForm",
    "TraceFormError",
    "TraceReader",
    "TraceSummary",
    "UnreadLines",
    "design_from_trace",
    "find_form",
    "fit_popularity",
    "read_events",
    "read_log",
    "replay",
]
