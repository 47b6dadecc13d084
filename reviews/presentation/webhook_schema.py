"""The JSON Schema of what webhooks receive."""

from collections.abc import Mapping
from typing import Any

from designer.wording.webhook_events import FORMAT, KINDS, PING
from estimator.presentation.json_schema import COUNT, NUMBER, TEXT, document, object_of, or_null

_FLAG = {"type": "boolean"}
_TEAM = object_of(id=COUNT, name=TEXT)
_DESIGN = {"team": _TEAM, "design": object_of(key=TEXT, name=TEXT)}
DATA: Mapping[str, dict[str, Any]] = {
    PING: object_of(webhook=COUNT, team=_TEAM),
    "revision.created": object_of(
        **_DESIGN, revision=object_of(number=COUNT, sha256=TEXT, by=or_null(TEXT), name=TEXT)
    ),
    "verdict.given": object_of(
        **_DESIGN,
        verdict=object_of(section=TEXT, approves=_FLAG, by=TEXT, by_link=_FLAG, revision=COUNT, sha256=TEXT),
    ),
    "run.ended": object_of(
        **_DESIGN, run=object_of(number=COUNT, kind=TEXT, state={"enum": ["done", "failed"]}, sha256=TEXT)
    ),
    "forecast.missed": object_of(
        **_DESIGN, forecast=object_of(date=TEXT, share=NUMBER, figures=COUNT, largest_difference=NUMBER, sha256=TEXT)
    ),
    "price_book.added": object_of(price_book=TEXT),
}
"""The data of each event; one that is not here has any."""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the body of a message."""
    whole = object_of(type={"enum": [PING, *KINDS]}, timestamp=TEXT, data={"type": "object"})
    whole["allOf"] = [
        {"if": {"properties": {"type": {"const": kind}}}, "then": {"properties": {"data": {"$ref": f"#/$defs/{kind}"}}}}
        for kind in DATA
    ]
    return document(FORMAT, "Body of a message to a webhook", whole, dict(DATA))
