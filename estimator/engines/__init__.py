"""What differs between engines: one module per engine that follows the protocol `Engine`."""

from collections.abc import Mapping

from . import bigtable, tablestore
from .limits import Affine, Assumption, Capacity, Engine, GiB, KiB, Limit, MiB, Targets, TiB

ENGINES: Mapping[str, Engine] = {"bigtable": bigtable, "tablestore": tablestore}
"""By the name that a design gives its engine."""

__all__ = [
    "ENGINES", "Affine", "Assumption", "Capacity", "Engine", "GiB", "KiB", "Limit", "MiB", "Targets", "TiB", "bigtable",
    "tablestore",
]  # fmt: skip
