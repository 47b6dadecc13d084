"""Differences between database engines."""

from collections.abc import Mapping

from designer.document import Engine as EngineName
from designer.document import Spec

from . import bigtable, tablestore
from .limits import Affine, Capacity, EngineAssumption, EngineLimit, GiB, KiB, MiB, Targets, TiB
from .protocol import Engine

ENGINES: Mapping[EngineName, Engine] = {"bigtable": bigtable, "tablestore": tablestore}
"""By the name that a design gives its engine."""


def engine_of(spec: Spec) -> Engine:
    """Return a design's engine."""
    return ENGINES[spec.engine]


__all__ = [
    "ENGINES",
    "Affine",
    "Capacity",
    "Engine",
    "EngineAssumption",
    "EngineLimit",
    "GiB",
    "KiB",
    "MiB",
    "Targets",
    "TiB",
    "bigtable",
    "engine_of",
    "tablestore",
]  # fmt: skip
