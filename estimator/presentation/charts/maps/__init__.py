"""Maps to explore: load per key range and window of one table, as a picture's levels, as a table, as CSV.

A map is made from the live estimate or from a simulation; whoever shows it does not know which.
"""

from .types import KeyMap, MapArea, Metric

__all__ = ["KeyMap", "MapArea", "Metric"]
