"""The document's side of what differs between engines: key forms, fields, words and regions.

What an engine stores, carries and costs is in `estimator.engines`.
"""

from collections.abc import Mapping

from ..design import Engine, Spec
from .bigtable import BIGTABLE
from .description import EngineDescription
from .tablestore import TABLESTORE

DESCRIPTIONS: Mapping[Engine, EngineDescription] = {"bigtable": BIGTABLE, "tablestore": TABLESTORE}
"""By the name that a design gives its engine."""


def description_of(spec: Spec) -> EngineDescription:
    """Return the description of a design's engine."""
    return DESCRIPTIONS[spec.engine]


__all__ = ["DESCRIPTIONS", "EngineDescription", "description_of"]
