"""Access logs of a table that exists: what they tell of its keys, rates, hours, sizes and popular values."""

from .blocks import EventBlock, EventSample, TraceEvent
from .corrections import DesignCorrection, correct_design
from .design import design_from_trace
from .events import TraceFormError, UnreadLines
from .forms import TraceForm, find_form
from .hashing import hash_keys
from .kind_counts import FieldUse
from .popularity import PopularityFit, fit_popularity
from .reading import read_events
from .replays.key_values import ReplayError
from .replays.model_beside import ModelBeside, compare_with_model
from .replays.replay import Replay, replay
from .replays.replay_plan import ReplayedDesign, ReplayPlan
from .replays.whole_log import WholeReplay
from .resumable import ResumableReader, dump_reader, load_reader
from .streams import read_log
from .summary import OperationUse, TableUse, TraceReader, TraceSummary

__all__ = [
    "DesignCorrection",
    "EventBlock",
    "EventSample",
    "FieldUse",
    "ModelBeside",
    "OperationUse",
    "PopularityFit",
    "Replay",
    "ReplayError",
    "ReplayPlan",
    "ReplayedDesign",
    "ResumableReader",
    "TableUse",
    "TraceEvent",
    "TraceForm",
    "TraceFormError",
    "TraceReader",
    "TraceSummary",
    "UnreadLines",
    "WholeReplay",
    "compare_with_model",
    "correct_design",
    "design_from_trace",
    "dump_reader",
    "find_form",
    "fit_popularity",
    "hash_keys",
    "load_reader",
    "read_events",
    "read_log",
    "replay",
]
