"""What a running cluster tells about itself, beside what the design says of the same day."""

from .comparison import compare_with_design
from .designed import DesignedState, designed_state
from .figures import ComparedDesign, ComparedFigure, ComparedTable
from .files import read_measurements
from .measurements import Measurement, Observation, ObservationError, build_observation
from .recognition import read_observed

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
    "read_measurements",
    "read_observed",
]
