"""What the description says besides what it knows from the code: parameters and headers in words, examples of types."""

from collections.abc import Mapping
from typing import Any

from designer.document.texts import N_

from .examples import EXAMPLES

TOKEN = N_("A token of the team, which an owner makes on the team's page; it reads alone, or also writes.")
PARAMETERS: Mapping[str, tuple[str, Any]] = {
    "key": (N_("The design's key, as in its address."), "k3v9q2m7"),
    "number": (N_("The number of the revision or of the run."), 7),
    "name": (N_("The format's name; the list of formats has them."), "terraform"),
    "revision": (N_("The revision's number; left out, the newest."), 7),
    "sections": (N_("Of a PDF, separated by commas; left out, all."), "keys,cost"),
    "with": (
        N_("What JSON carries besides the design: findings, estimate, or both with a comma."),
        "findings,estimate",
    ),
    "offset": (N_("How many of the list come before this page."), 0),
    "limit": (N_("How many are on one page, 100 at most."), 50),
    "archived": (N_("Whether archived designs are listed, too."), False),
    "If-Match": (
        N_("The ETag of the document that is replaced: if it was changed meanwhile, nothing is."),
        '"05d5ca57…"',
    ),
    "If-None-Match": (N_("The ETag of what is there already: if it still is so, the answer is 304."), '"05d5ca57…"'),
}
"""By its name, what each parameter is, and an example."""
SENT = {"put": "If-Match", "get": "If-None-Match"}
"""The header that an address of a document reads, by method."""


def told(described: dict[str, Any]) -> dict[str, Any]:
    """The description with all of this."""
    for path, methods in described["paths"].items():
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
        described["components"]["schemas"][name]["examples"] = [example]
    described["components"]["securitySchemes"]["ByToken"]["description"] = TOKEN
    return described
