"""Additions to the OpenAPI description that the code does not contain.

They are descriptions of parameters and headers, and examples of types.
"""

from collections.abc import Mapping
from typing import Any

from designer.document.texts import N_

from .examples import EXAMPLES

TOKEN = N_("A team token, created by an owner on the team page, with read or read and write access.")
PARAMETERS: Mapping[str, tuple[str, Any]] = {
    "key": (N_("Key of the design, as in its address."), "k3v9q2m7"),
    "number": (N_("Number of the revision or run."), 7),
    "hook": (N_("Number of the webhook."), 3),
    "delivery": (N_("Number of the delivery."), 41),
    "name": (N_("Name of the format, from the list of formats."), "terraform"),
    "revision": (N_("Number of the revision. Default: the latest."), 7),
    "sections": (N_("PDF sections, separated by commas. Default: all."), "keys,cost"),
    "language": (N_("Programming language of code for keys. Default: python."), "typescript"),
    "with": (
        N_("Data to include in JSON besides the design: findings, estimate, or both separated by a comma."),
        "findings,estimate",
    ),
    "offset": (N_("Number of items to skip before this page."), 0),
    "limit": (N_("Number of items per page, 100 at most."), 50),
    "archived": (N_("Whether to include archived designs."), False),
    "If-Match": (
        N_("ETag of the document to replace. If the document has changed since, it is not replaced."),
        '"05d5ca57…"',
    ),
    "If-None-Match": (N_("ETag of your copy. If it is still current, the response is 304."), '"05d5ca57…"'),
}
"""By its name, what each parameter is, and an example."""
SENT = {"put": "If-Match", "get": "If-None-Match"}
"""The header that an address of a document reads, by method."""


def add_descriptions(description: dict[str, Any]) -> dict[str, Any]:
    """Add these texts and examples to the description, and return it."""
    for path, methods in description["paths"].items():
        for method, one in methods.items():
            parameters = one.setdefault("parameters", [])
            if path.endswith("/document") and method in SENT:
                name = SENT[method]
                kind = {"type": "string"}
                parameters.append({"in": "header", "name": name, "schema": kind, "required": method == "put"})
                one["responses"][200]["headers"] = {"ETag": {"schema": kind}}
            for parameter in parameters:
                about, example = PARAMETERS[parameter["name"]]
                parameter |= {"description": about, "example": example}
    for name, example in EXAMPLES.items():
        description["components"]["schemas"][name]["examples"] = [example]
    description["components"]["securitySchemes"]["ByToken"]["description"] = TOKEN
    return description
