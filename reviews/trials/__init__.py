"""A design tried on a real engine: sample rows, every read as planned, and what differs."""

from .outline import describe_plan
from .plan import ROWS, ROWS_MAX, TrialPlan, plan_trial
from .results import TrialFinding, TrialResult
from .trial import EngineUnreachableError, TrialEngine, run_trial

__all__ = [
    "ROWS",
    "ROWS_MAX",
    "EngineUnreachableError",
    "TrialEngine",
    "TrialFinding",
    "TrialPlan",
    "TrialResult",
    "describe_plan",
    "plan_trial",
    "run_trial",
]
