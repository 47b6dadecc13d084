"""Measurements of a running cluster, beside the design's figures of the same day."""

from .comparison import compare_with_design
from .designed import DesignedState, designed_state, designed_state_beside
from .figures import ComparedDesign, ComparedFigure, ComparedTable
from .files import read_measurements
from .measurements import Measurement, Observation, ObservationError, build_observation
from .recognition import read_observed, read_several

__all__ = [
    "ComparedDesign",
    "ComparedFigure",
    "ComparedTable",
    "DesignedState",
    "Measurement",
    "Observation",
    "ObservationError",
    "build_observation",
    "compare_with_design",
    "designed_state",
    "designed_state_beside",
    "read_measurements",
    "read_observed",
    "read_several",
]
