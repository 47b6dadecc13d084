"""A day or month, played."""

from ..results import NotComputableError
from .counting import Beat, OperationCounts, count
from .parameters import Parameters
from .plan import CODE_VERSION, Plan
from .planning import NothingToSimulateError, build_plan
from .playing import play, simulate
from .results import METRICS, Diagnosis, Simulation

__all__ = [
    "CODE_VERSION",
    "METRICS",
    "Beat",
    "Diagnosis",
    "NotComputableError",
    "NothingToSimulateError",
    "OperationCounts",
    "Parameters",
    "Plan",
    "Simulation",
    "build_plan",
    "count",
    "play",
    "simulate",
]  # fmt: skip
