"""Stored runs and measurements."""

from .access_logs import AccessLog, AskedReplay, LogReleasedError, ReplayedLog
from .known_books import KnownBook
from .measured import Measured
from .observed import KeptObservation
from .runs import Part, Run
from .steps import LeaseLostError, RunCancelledError, Step
from .workers import Worker

__all__ = [
    "AccessLog",
    "AskedReplay",
    "KeptObservation",
    "KnownBook",
    "LeaseLostError",
    "LogReleasedError",
    "Measured",
    "Part",
    "ReplayedLog",
    "Run",
    "RunCancelledError",
    "Step",
    "Worker",
]
