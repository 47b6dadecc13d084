"""Running tables, compared with the definitions that a design exports."""

from .differences import DefinitionDifference, Drift, find_drift
from .files import NAMELESS, DefinitionFiles, read_files, table_names

__all__ = ["NAMELESS", "DefinitionDifference", "DefinitionFiles", "Drift", "find_drift", "read_files", "table_names"]
