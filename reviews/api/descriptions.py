"""Additions to the OpenAPI description that the code does not contain.

They are descriptions of parameters and headers, and examples of types.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from designer.document.texts import N_
from reviews.exports import formats_by_name

from .examples import EXAMPLES, REQUESTS, SHA256
from .openapi import complete_description

TOKEN = N_("A team token, created by an owner on the team page, with read or read and write access.")
PARAMETERS: Mapping[str, tuple[str, Any]] = {
    "key": (N_("Key of the design, as in its address."), "3f9a1c0b7d2e"),
    "number": (N_("Number of the revision, run or thread."), 7),
    "run": (N_("Id of the replay."), SHA256),
    "id": (N_("Id of the review link, or of the request."), 3),
    "row_kind": (N_("Id of the row kind."), "reading"),
    "before": (
        N_(
            "now, a revision number, origin, another design's key, or that key and a revision as KEY-7. Default: the "
            "origin, the last named revision or the first."
        ),
        "1",
    ),
    "after": (N_("The same for the second side. Default: now."), "now"),
    "state": (N_("Which threads to list: open, resolved or all."), "open"),
    "deleted": (N_("Whether to list deleted designs instead, which can be restored for 30 days."), False),
    "file": (N_("Name of one file of the export. Default: the only one, or all as a ZIP archive."), "design.json"),
    "Idempotency-Key": (
        N_(
            "A new key of your choice, such as a UUID. A repeated request with the same key and body within 24 hours "
            "gets the first response, and nothing is created or changed twice."
        ),
        None,  # an example would be sent, and is then used up
    ),
    "hook": (N_("Number of the webhook."), 3),
    "delivery": (N_("Number of the delivery."), 41),
    "name": (N_("Name of the format, from the list of formats."), "terraform"),
    "revision": (N_("Number of the revision. Default: the latest."), 7),
    "sections": (N_("PDF sections, separated by commas. Default: all."), "keys,cost"),
    "language": (N_("Programming language of code for keys. Default: python."), "typescript"),
    "adopt": (
        N_("For Terraform, whether import blocks are written for what runs and is in no state yet."),
        False,
    ),
    "with": (
        N_("Data to include in JSON besides the design: findings, estimate, or both separated by a comma."),
        "findings,estimate",
    ),
    "columns": (
        N_(
            'Columns of the log with commas between: in their order, "-" for another, or as time=when by name. '
            "Default: recognised."
        ),
        "time,operation,key,bytes",
    ),
    "keys": (N_("How the row keys are written: text, hex or base64."), "text"),
    "hash_keys": (N_("Whether to answer with hashes of keys and values."), False),
    "design_name": (N_("Name of the design."), "Readings"),
    "table": (N_("Name or id of the table. Default: the only one."), "readings"),
    "log_key": (N_("Pattern of the keys in the log. Default: the key of the design."), "{balloon}#{time}"),
    "other_key": (
        N_("Key text of a second key for the same table, or a candidate of the advisor, as advisor:2. Default: none."),
        "{time}#{balloon}",
    ),
    "other_design": (N_("Key of another design, such as a variant, that has the table. Default: none."), ""),
    "offset": (N_("Number of items to skip before this page."), 0),
    "limit": (N_("Number of items per page, 100 at most."), 50),
    "archived": (N_("Whether to include archived designs."), False),
    "If-Match": (
        N_("ETag of the document to replace. If the document has changed since, it is not replaced."),
        f'"{SHA256}"',
    ),
    "If-None-Match": (N_("ETag of your copy. If it is still current, the response is 304."), f'"{SHA256}"'),
}
"""By its name, what each parameter is, and an example."""
SENT = {"put": "If-Match", "get": "If-None-Match"}
"""The header that an address of a document reads, by method."""


def add_descriptions(description: dict[str, Any]) -> dict[str, Any]:
    """Add these texts and examples to the description, and return it."""
    complete_description(description)
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            parameters = operation.setdefault("parameters", [])
            if path.endswith("/document") and method in SENT:
                name = SENT[method]
                kind = {"type": "string"}
                parameters.append({"in": "header", "name": name, "schema": kind, "required": method == "put"})
                operation["responses"]["200"]["headers"]["ETag"] = {"schema": kind}
            for parameter in parameters:
                about, example = PARAMETERS[parameter["name"]]
                parameter["description"] = about
                if parameter["name"] == "name":
                    parameter["schema"]["enum"] = list(formats_by_name())
                if example is not None:
                    parameter["example"] = example
            if "requestBody" in operation:
                operation["requestBody"] = deepcopy(
                    operation["requestBody"]
                )  # the framework shares what two operations share
                kind = next(iter(operation["requestBody"]["content"]))
                operation["requestBody"]["content"][kind]["examples"] = {
                    name.lower().replace(" ", "-"): {"summary": name, "value": value}
                    for name, value in REQUESTS[operation["operationId"]].items()
                }
    for name, example in EXAMPLES.items():
        description["components"]["schemas"][name]["examples"] = [dict(example)]
    description["components"]["securitySchemes"]["ByToken"]["description"] = TOKEN
    return description
