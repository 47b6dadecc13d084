"""Stored runs and measurements."""

from .measured import Measured
from .runs import Part, Run
from .steps import LeaseLostError, RunCancelledError, Step
from .workers import Worker

__all__ = ["LeaseLostError", "Measured", "Part", "Run", "RunCancelledError", "Step", "Worker"]
