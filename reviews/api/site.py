"""The API itself, to which the operations are added, and what they share."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, get_args
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from ninja import NinjaAPI, Status
from ninja.errors import ValidationError, ValidationErrorContext
from ninja.operation import Operation
from ninja.parser import Parser
from pydantic import Field

from designer.document.dump import dump
from designer.document.load import parse_json
from designer.document.texts import N_
from designer.http.parameters import body, header, query
from designer.models import Design, Document, Revision

from .access import ByToken
from .errors import install_handlers

MOST_AT_ONCE = 100
MOST = 2**31 - 1
"""What databases count to."""
Offset = Annotated[int, Field(ge=0, le=MOST)]
Number = Annotated[int, Field(ge=0, le=MOST)]
Limit = Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]

LANGUAGE = N_("Sentences and PDFs are in English, or in Japanese with Accept-Language: ja.")


class _Api(NinjaAPI):
    def validation_error_from_error_contexts(
        self, error_contexts: list[ValidationErrorContext[Any]]
    ) -> ValidationError:
        """With what was given, which sentences say, and with the places of the request alone."""
        return ValidationError([
            {
                **error, "ctx": {**error.get("ctx", {}), "known": _known_keys(context.model, error["loc"])},
                "loc": _loc(context.model, error["loc"]), "source": context.model.__ninja_param_source__,
            }
            for context in error_contexts
            for error in context.pydantic_validation_error.errors(include_url=False)
        ])  # fmt: skip


def _known_keys(model: Any, loc: tuple[int | str, ...]) -> list[str]:
    """Return the keys of the object in which an error lies; none where it may be of several classes."""
    for step in loc[:-1]:
        field = model.model_fields.get(step)
        classes = [one for one in _classes(field.annotation) if hasattr(one, "model_fields")] if field else []
        if field and len(classes) != 1:
            return []
        model = classes[0] if classes else model
    return list(model.model_fields)


def _classes(annotation: Any) -> Iterator[Any]:
    """Yield the classes that an annotation is made of."""
    if inner := get_args(annotation):
        for one in inner:
            yield from _classes(one)
    else:
        yield annotation


def _loc(model: Any, loc: tuple[int | str, ...]) -> tuple[int | str, ...]:
    """Return the place of an error without the name that a body has in our own code."""
    place = model.__ninja_flatten_map_reverse__.get(loc, loc)
    return tuple(place[1:]) if model.__ninja_param_source__ == "body" else tuple(place)


class _JsonBody(Parser):
    """Reads bodies with the checks of documents: UTF-8, no key twice, not too deep, nothing that no database stores."""

    def parse_body(self, request: HttpRequest) -> Any:
        # Some clients on Windows begin JSON with a byte order mark, which Python's parser refuses.
        data: Any = parse_json(body(request).decode("utf-8-sig"))
        if not isinstance(data, dict):  # the framework would take its attributes for what it holds
            raise TypeError
        return data


api = _Api(
    parser=_JsonBody(),
    title="Keywright",
    version="1",
    description=N_("Designs of wide-column schemas with their history, findings and estimates.") + " " + LANGUAGE,
    auth=ByToken(),
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
)
install_handlers(api)


TAKES_KEY: dict[str, Any] = {
    "parameters": [
        {"in": "header", "name": "Idempotency-Key", "schema": {"type": "string", "minLength": 1}, "required": False}
    ]
}
"""What the description of a POST says that does something else when it is repeated, and makes nothing of its own."""


@dataclass(frozen=True)
class AddressRules:
    """Rules of one address: its methods, with the parameters of the query that each takes."""

    parameters_by_method: Mapping[str, frozenset[str]]
    takes_key: bool
    """Whether its POST is done once for each idempotency key: it answers 201, or says so in its description."""


def address_rules(name: str) -> AddressRules:
    """Return the rules of the address of this name."""
    operations = [
        operation
        for _, router in api._routers
        for view in router.path_operations.values()
        for operation in view.operations
        if operation.url_name == name
    ]
    parameters = {method: query_names(operation) for operation in operations for method in operation.methods}
    return AddressRules(parameters, any(map(_takes_key, operations)))


def _takes_key(operation: Operation) -> bool:
    return 201 in operation.response_models or TAKES_KEY.items() <= (operation.openapi_extra or {}).items()


def query_names(operation: Operation) -> frozenset[str]:
    """Return the names of the query parameters of an operation."""
    models = (model for model in operation.models if model.__ninja_param_source__ == "query")
    return frozenset(name for model in models for name in model.__ninja_flatten_map__)


def list_page(
    request: HttpRequest,
    response: HttpResponse,
    rows: QuerySet[Any] | Sequence[Any],
    *,
    offset: int,
    limit: int,
    to_data: Any,
) -> dict[str, Any]:
    """One page of a list, with the addresses of others, also as links of the response (RFC 8288)."""
    count = len(rows) if isinstance(rows, Sequence) else rows.count()
    items = [to_data(row) for row in rows[offset : offset + limit]]

    def address(at: int) -> str:
        parameters = {**query(request), "offset": str(at), "limit": str(limit)}
        return request.build_absolute_uri(f"{request.path}?{urlencode(parameters)}")

    offsets = {"first": 0, "last": max(count - 1, 0) // limit * limit}
    if offset > 0:
        offsets["prev"] = max(0, min(offset, count) - limit)
    if offset + limit < count:
        offsets["next"] = offset + limit
    response["Link"] = ", ".join(f'<{address(at)}>; rel="{name}"' for name, at in offsets.items())
    return {"items": items, "count": count, "next": address(offsets["next"]) if "next" in offsets else None}


def creation_answer(response: HttpResponse, data: Any, name: str, *where: Any) -> Status[Any]:
    """Return the answer of what was created, with the address where it is found."""
    response["Location"] = reverse(name, args=where)
    return Status(201, data)


def find_revision(design: Design, number: int | None) -> Revision:
    """Return a revision of a design; None is the newest.

    Raises
    ------
    Http404
        If there is none with this number.
    """
    revision_number = design.number if number is None else number
    revision = design.revisions.select_related("document", "by").filter(number=revision_number).first()
    if revision is None:
        raise Http404
    return revision


def document_file(request: HttpRequest, document: Document) -> HttpResponse:
    """Return the document's own bytes.

    The ETag is the hash of the content, so that a client with the same content gets no body.
    """
    headers = {"ETag": f'"{document.sha256}"', "Cache-Control": "private, no-cache"}
    if is_matching_etag(header(request, "If-None-Match"), document.sha256):
        # RFC 9110: a 304 carries the ETag and Cache-Control that the full answer would have.
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(dump(document.spec), content_type="application/json", headers=headers)


def is_matching_etag(header: str, sha256: str) -> bool:
    """Return whether a list of ETags, or `*`, names the document with this hash.

    Weak ETags (`W/`) match too, because proxies weaken ETags.
    """
    tags = [tag.strip().removeprefix("W/") for tag in header.split(",")]
    return "*" in tags or f'"{sha256}"' in tags or sha256 in tags
