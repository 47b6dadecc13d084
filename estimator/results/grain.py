"""Resolution of a table's computation: full for display, coarse for comparing many variants."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Grain:
    """Numbers of what a table's keys and day are cut into; findings and bills are made of the full ones."""

    ids_max: int = 65_536
    """Most rows of a table of values, as in `compile_pattern`."""
    ranges: int = 1_024
    """Key ranges of about equal stored bytes."""
    windows: int = 96
    """Windows of the shown day; divides 96."""
    has_single_rows: bool = True
    """Whether the sizes of single rows are computed, and when they pass limits; no bill depends on them."""


FULL = Grain()
COARSE = Grain(ids_max=512, ranges=64, windows=24)
JUDGED = Grain(ids_max=512)
"""As many ranges and windows as the full one, so that rules find the same: it is quicker where values are many."""
SHARED = Grain(ids_max=512, ranges=64)
"""For what tables do to an instance together: loads of nodes and bills, which few ranges tell as well."""
