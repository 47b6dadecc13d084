"""Makes the OpenAPI description true where the framework leaves something out.

Types of plain data that are ours, discriminators, media types of errors, headers, links from one operation to the next.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

from pydantic.json_schema import models_json_schema

from designer.document.base import Element
from designer.document.schema import classes
from designer.document.texts import N_
from designer.http.problems import MEDIA_TYPE
from estimator.comparison.designs import plain_data as diff
from estimator.presentation import advice_data as advise
from estimator.presentation import observation_data as observe
from estimator.presentation.trace_schemas import replay_schema, summary_schema, unread_schema
from reviews.drift import reports as drift
from reviews.trials import reports as trials

from .run_schemas import RUN_REQUESTS
from .site import TAKES_KEY

PREFIX = "#/components/schemas/"
EDIT: Mapping[str, Any] = {"$ref": f"{PREFIX}Edit"}
SPEC: Mapping[str, Any] = {"$ref": f"{PREFIX}Spec"}
NULL: Mapping[str, Any] = {"type": "null"}
PLAIN_DATA: Mapping[tuple[str, str], Mapping[str, Any]] = {
    ("ChoiceInfo", "edit"): EDIT,
    ("AdviceReportCandidate", "edit"): {"anyOf": [EDIT, NULL]},
    ("FindingInfo", "fix"): {"anyOf": [EDIT, NULL]},
    ("ImportInfo", "document"): SPEC,
    ("TraceInfo", "document"): SPEC,
}
"""Fields that hold a document or an edit, by type and name."""
REPORTS: Mapping[tuple[str, str], tuple[str, Callable[[], dict[str, Any]]]] = {
    ("ComparisonInfo", "report"): ("DiffReport", diff.schema),
    ("MeasuredInfo", "report"): ("ObserveReport", observe.schema),
    ("AdviceInfo", "report"): ("AdviceReport", advise.schema),
    ("SchemasInfo", "report"): ("SchemasReport", advise.schemas_schema),
    ("TraceInfo", "report"): ("TraceReport", summary_schema),
    ("ReplayInfo", "replays"): ("ReplayReport", replay_schema),
    ("ReplayInfo", "unread"): ("UnreadLines", unread_schema),
    ("DriftInfo", "report"): ("DriftReport", drift.schema),
    ("TrialInfo", "plan"): ("TrialReport", trials.schema),
    ("TrialInfo", "results"): ("TrialReport", trials.schema),
    ("TrialGiven", "result"): ("TrialReport", trials.schema),
}
"""Fields that hold what a command prints as JSON, or lists of that: the name of the type, and its schema."""
TEXT = {"type": "string"}
HEADERS: Mapping[str, Mapping[str, Any]] = {
    "Location": {"schema": TEXT, "description": N_("Address of what was created.")},
    "Link": {
        "schema": TEXT,
        "description": N_("Addresses of the first, previous, next and last page (RFC 8288)."),
    },
    "Retry-After": {"schema": {"type": "integer"}, "description": N_("Seconds to wait before the next attempt.")},
    "RateLimit": {
        "schema": TEXT,
        "description": N_("Requests that the token may still send in this minute, in team mode."),
    },
    "RateLimit-Policy": {"schema": TEXT, "description": N_("Requests that the token may send in a minute.")},
}
DESIGN_LINKS = ("getDesign", "getDocument", "getFindings", "getEstimate", "listRevisions", "copyDesign", "deleteDesign")
LINKS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "createDesign": {one: {"key": "$response.body#/key"} for one in DESIGN_LINKS},
    "copyDesign": {one: {"key": "$response.body#/key"} for one in ("getDesign", "changeDesign", "deleteDesign")},
    "deleteDesign": {"undeleteDesign": {"key": "$request.path.key"}, "getDesign": {"key": "$request.path.key"}},
    "startRun": {
        one: {"key": "$request.path.key", "number": "$response.body#/id"}
        for one in ("getRun", "cancelRun", "getRunResult")
    },
    "createLink": {
        one: {"key": "$request.path.key", "id": "$response.body#/id"} for one in ("getLink", "changeLink", "revokeLink")
    },
    "createThread": {
        one: {"key": "$request.path.key", "number": "$response.body#/number"}
        for one in ("getThread", "changeThread", "createComment")
    },
    "createReviewRequest": {
        one: {"key": "$request.path.key", "id": "$response.body#/id"}
        for one in ("getReviewRequest", "withdrawReviewRequest")
    },
    "createWebhook": {
        one: {"hook": "$response.body#/id"}
        for one in ("getWebhook", "changeWebhook", "listDeliveries", "deleteWebhook")
    },
    "resendDelivery": {
        "getDelivery": {"hook": "$request.path.hook", "delivery": "$response.body#/id"},
    },
}
"""By operation that creates something, the operations that use it and where their parameters come from."""


def complete_description(description: dict[str, Any]) -> dict[str, Any]:
    """Complete the framework's description, and return it."""
    schemas: dict[str, Any] = description["components"]["schemas"]
    _name_edits(description, schemas)
    _type_runs(description, schemas)
    _type_reports(schemas)
    for (shape, name), kind in PLAIN_DATA.items():
        about = schemas[shape]["properties"][name].get("description", "")
        schemas[shape]["properties"][name] = {**kind, "description": about}
    for model in classes():
        if issubclass(model, Element):
            _allow_no_id(schemas[model.__name__])
    for schema in schemas.values():
        for part in _parts(schema):
            _require_discriminator(part)
            _drop_object_default(part)
    for operation in operations(description):
        _complete_operation(operation)
    return description


def operations(description: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Every operation."""
    return (method for methods in description["paths"].values() for method in methods.values())


def _parts(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        yield schema
        for child in tuple(schema.values()):
            yield from _parts(child)
    elif isinstance(schema, list):
        for child in schema:
            yield from _parts(child)


def _require_discriminator(schema: dict[str, Any]) -> None:
    """Require the discriminator: without it nobody could tell which type an object is."""
    kind = schema.get("properties", {}).get("kind", {})
    if isinstance(kind, dict) and "const" in kind:
        kind.pop("default", None)
        schema["required"] = ["kind", *(name for name in schema.get("required", ()) if name != "kind")]


def _allow_no_id(schema: dict[str, Any]) -> None:
    """Let an element of a document be sent without an id, or with null: it gets one."""
    schema["properties"]["id"] = {"anyOf": [schema["properties"]["id"], NULL]}
    required = [name for name in schema.pop("required", ()) if name != "id"]
    if required:
        schema["required"] = required


def _drop_object_default(schema: dict[str, Any]) -> None:
    """Leave out defaults of parts: one that is not given has those of its own fields, and generators know no other."""
    if isinstance(schema.get("default"), dict):
        del schema["default"]
    if len(refs := schema.get("allOf", ())) == 1 and "$ref" in refs[0]:
        schema["$ref"] = schema.pop("allOf")[0]["$ref"]


def _name_edits(description: Mapping[str, Any], schemas: dict[str, Any]) -> None:
    """Give the union of edits a name, so that it has one in clients, too."""
    content = description["paths"]["/api/v1/designs/{key}/edits"]["post"]["requestBody"]["content"]["application/json"]
    schemas["Edit"] = {key: value for key, value in content["schema"].items() if key in ("discriminator", "oneOf")}
    content["schema"] = dict(EDIT)
    schemas["Batch"]["properties"]["edits"]["items"] = dict(EDIT)


def _type_runs(description: Mapping[str, Any], schemas: dict[str, Any]) -> None:
    """Say which parameters each kind of run takes."""
    _, definitions = models_json_schema(
        [(model, "validation") for model in RUN_REQUESTS], ref_template=PREFIX + "{model}"
    )
    schemas |= definitions["$defs"]
    kinds = {model.model_fields["kind"].annotation.__args__[0]: PREFIX + model.__name__ for model in RUN_REQUESTS}  # type: ignore[union-attr]
    schemas["RunAsked"] = {
        "description": schemas["RunAsked"]["description"],
        "oneOf": [{"$ref": reference} for reference in kinds.values()],
        "discriminator": {"propertyName": "kind", "mapping": kinds},
    }


def _type_reports(schemas: dict[str, Any]) -> None:
    """Say what is in the reports that commands print, too; what their schemas share with each other is named once."""
    for (shape, field), (name, make) in REPORTS.items():
        # Each report's schema has definitions of its own; with the report's name in front, two of the same name do not
        # collide.
        report_schema = json.loads(json.dumps(make()).replace('"#/$defs/', f'"{PREFIX}{name}'))
        schemas |= {f"{name}{part}": schema for part, schema in report_schema.pop("$defs", {}).items()}
        schemas[name] = {key: rule for key, rule in report_schema.items() if key not in ("$schema", "$id", "title")}
        property_schema = schemas[shape]["properties"][field]
        kind: dict[str, Any] = {"$ref": f"{PREFIX}{name}"}
        if property_schema["type"] == "array":
            kind = {"type": "array", "items": kind}
        schemas[shape]["properties"][field] = {**kind, "description": property_schema["description"]}


def _complete_operation(operation: dict[str, Any]) -> None:
    responses = operation["responses"] = {str(status): response for status, response in operation["responses"].items()}
    # Those that several operations name alike are one object, which would be described for all of them.
    parameters = operation["parameters"] = deepcopy(operation.get("parameters", []))
    names = [parameter["name"] for parameter in parameters]
    for status, response in responses.items():
        headers = response.setdefault("headers", {})
        if status == "201":
            headers["Location"] = HEADERS["Location"]
            parameters.extend(deepcopy(TAKES_KEY["parameters"]))
        if status == "200" and "offset" in names:
            headers["Link"] = HEADERS["Link"]
        if status in ("429", "503"):
            headers["Retry-After"] = HEADERS["Retry-After"]
        headers |= {name: HEADERS[name] for name in ("RateLimit", "RateLimit-Policy")}
        if int(status) >= 400:
            # The framework knows one media type for all answers; problem details have theirs (RFC 9457).
            response["content"] = {MEDIA_TYPE: response["content"]["application/json"]}
            response["description"] = N_("Problem details")
        if int(status) < 300 and (uses := LINKS.get(operation["operationId"])):
            response["links"] = {
                operation_id: {"operationId": operation_id, "parameters": where} for operation_id, where in uses.items()
            }
