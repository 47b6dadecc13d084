"""What differs between engines: one module per engine that follows the protocol `Engine`."""

from collections.abc import Mapping

from . import bigtable
from .facts import Affine, Assumption, Capacity, Engine, GiB, KiB, Limit, MiB, Targets, TiB

ENGINES: Mapping[str, Engine] = {"bigtable": bigtable}
"""Engines whose growth and money can be estimated; Tablestore designs load, and their estimate says "not yet"."""

__all__ = [
    "ENGINES", "Affine", "Assumption", "Capacity", "Engine", "GiB", "KiB", "Limit", "MiB", "Targets", "TiB", "bigtable",
]  # fmt: skip
