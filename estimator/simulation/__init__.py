"""A day or month, played."""

from ..results import Open
from .counting import Beat, Counts, count
from .parameters import Parameters
from .plan import CODE_VERSION, Plan
from .planning import NothingToPlay, plan
from .playing import play, simulate
from .results import METRICS, Diagnosis, Simulation

__all__ = [
    "CODE_VERSION", "METRICS", "Beat", "Counts", "Diagnosis", "NothingToPlay", "Open",
    "Parameters", "Plan", "Simulation", "count", "plan", "play", "simulate",
]  # fmt: skip
