"""Stored runs and measurements."""

from .access_logs import AccessLog, LogReleasedError
from .known_books import KnownBook
from .measured import Measured
from .observed import KeptObservation
from .runs import Part, Run
from .steps import LeaseLostError, RunCancelledError, Step
from .workers import Worker

__all__ = [
    "AccessLog",
    "KeptObservation",
    "KnownBook",
    "LeaseLostError",
    "LogReleasedError",
    "Measured",
    "Part",
    "Run",
    "RunCancelledError",
    "Step",
    "Worker",
]
