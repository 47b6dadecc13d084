"""Stored runs and measurements."""

from .measured import Measured
from .runs import Part, Run
from .steps import Cancelled, Lost, Step
from .workers import Worker

__all__ = ["Cancelled", "Lost", "Measured", "Part", "Run", "Step", "Worker"]
