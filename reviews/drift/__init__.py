"""Running tables, compared with the definitions that a design exports."""

from .differences import DefinitionDifference, Drift, find_drift
from .files import NAMELESS, ToldFiles, read_files, table_names

__all__ = ["NAMELESS", "DefinitionDifference", "Drift", "ToldFiles", "find_drift", "read_files", "table_names"]
