"""What runs, held against the definitions that a design exports."""

from .differences import DefinitionDifference, Drift, find_drift
from .files import ToldFiles, read_files

__all__ = ["DefinitionDifference", "Drift", "ToldFiles", "find_drift", "read_files"]
