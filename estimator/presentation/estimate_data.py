"""An estimate as JSON, for programs."""

from typing import Any

from estimator.results import Estimate

from .json_schema import NUMBERS, document, schema_of
from .plain_data import to_plain

FORMAT = "keywright-estimate/1"
"""Named anew when a field changes its meaning or goes; new fields may come."""


def estimate_data(estimate: Estimate, *, maximum: int | None = None) -> dict[str, Any]:
    """Return the estimate as data, with the live bytes of tables beside what is stored.

    Arrays of more than `maximum` numbers become None.
    """
    data: dict[str, Any] = to_plain(estimate, maximum=maximum)
    for id_, part in estimate.tables.items():
        if part.growth is not None:
            data["tables"][id_]["growth"]["live_bytes"] = to_plain(part.growth.live_bytes, maximum=maximum)
    return {"format": FORMAT, **data}


def schema() -> dict[str, Any]:
    """Return the JSON Schema of that data."""
    definitions: dict[str, Any] = {}
    schema_of(Estimate, definitions)
    definitions["TableGrowth"]["properties"]["live_bytes"] = NUMBERS
    whole = definitions.pop("Estimate")
    return document(FORMAT, "Output of `keywright estimate --json`", whole, definitions)
