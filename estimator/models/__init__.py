"""Stored runs and measurements."""

from .measured import Measured
from .observed import KeptObservation
from .runs import Part, Run
from .steps import LeaseLostError, RunCancelledError, Step
from .workers import Worker

__all__ = ["KeptObservation", "LeaseLostError", "Measured", "Part", "Run", "RunCancelledError", "Step", "Worker"]
