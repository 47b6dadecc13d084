"""Small Tablestore designs for the examples in rule files: purchases with campus cards."""

from collections.abc import Sequence
from typing import Any

from designer.document import Spec

from .examples import Part, read_part

CARD: Part = {
    "id": "card",
    "name": "card_id",
    "kind": "string",
    "values": {"kind": "random", "min": 12, "max": 12},
    "distinct": 1_000,
    "assigned": "arbitrary",
    "popularity": {"kind": "uniform"},
}
"""A thousand cards, equally busy, with ids that spread over all letters and digits."""


def column(name: str, *segments: Part, type: str = "STRING", **more: Any) -> Part:  # noqa: A002
    """One primary-key column; its id is its name."""
    return {"id": f"{name}_column", "name": name, "type": type, "segments": segments, **more}


BY_CARD: tuple[Part, ...] = (
    column("card_id", {"id": "card_part", "kind": "field", "field": "card"}),
    column("time", {"id": "time_part", "kind": "time"}, type="INTEGER"),
)
"""The partition key is the card, rows of a card stand in the order of time."""

HANGZHOU: Part = {"id": "cluster", "name": "campus", "region": "cn-hangzhou"}


def cards(
    *columns: Part,
    per_second: float = 50,
    reads: Sequence[Part] | None = None,
    settings: Part | None = None,
    instance: Part | None = None,
    attributes: Sequence[Part] = ({"id": "amount", "qualifier": "amount", "value": {"kind": "integer"}},),
    fields: Sequence[Part] = (CARD,),
    table: Part | None = None,
    write: Part | None = None,
) -> Spec:
    """Build a design of one table of purchases, by card unless other primary-key columns are given."""
    kind = {
        "id": "rows",
        "name": "rows",
        "key_columns": columns or BY_CARD,
        "writes": [{"id": "write", "name": "buy", "activity": "activity", "mode": "append_row", **(write or {})}],
        "reads": [read_part(binds=("card",), time={"days": 1}, rate_per_second=5)] if reads is None else reads,
    }
    usual = {
        "id": "table",
        "name": "purchases",
        "row_kinds": [kind],
        "families": [{"id": "family", "name": "family", "columns": list(attributes)}],
        "tablestore": {"ttl_seconds": 31_536_000, **(settings or {})},
    }
    return Spec.model_validate(
        {
            "engine": "tablestore",
            "name": "Example",
            "horizon_months": 12,
            "fields": list(fields),
            "activities": [{"id": "activity", "name": "purchases", "rate_per_second": per_second}],
            "tables": [{**usual, **(table or {})}],
            "instance": {"clusters": [HANGZHOU], **(instance or {})},
        }
    )
