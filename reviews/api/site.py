"""The API itself, to which the operations are added, and what they share."""

from typing import Annotated, Any

from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from pydantic import Field

from designer.models import Design, Document, Revision
from designer.spec.dump import dump
from designer.spec.texts import N_

from .access import ByToken
from .errors import install

MOST_AT_ONCE = 100
MOST = 2**31 - 1
"""What databases count to."""
Offset = Annotated[int, Field(ge=0, le=MOST)]
Number = Annotated[int, Field(ge=0, le=MOST)]
Limit = Annotated[int, Field(ge=1, le=MOST_AT_ONCE)]

api = NinjaAPI(
    title="Keywright",
    version="1",
    description=N_("Designs of wide-column schemas with their history, findings and estimates, for programs."),
    auth=ByToken(),
    docs_url=None,
    openapi_url=None,
    urls_namespace="api",
)
install(api)


def listed(request: HttpRequest, rows: QuerySet[Any], offset: int, limit: int, shown: Any) -> dict[str, Any]:
    """One page of a list, with the address of the next."""
    count, items = rows.count(), [shown(row) for row in rows[offset : offset + limit]]
    following = None
    if offset + limit < count:
        asked = request.GET.copy()
        asked["offset"], asked["limit"] = str(offset + limit), str(limit)
        following = request.build_absolute_uri(f"{request.path}?{asked.urlencode()}")
    return {"items": items, "count": count, "next": following}


def revision_of(found: Design, number: int | None) -> Revision:
    """A revision of a design; None is the newest.

    Raises
    ------
    Http404
        If there is none with this number.
    """
    asked = found.number if number is None else number
    one = found.revisions.select_related("document", "by").filter(number=asked).first()
    if one is None:
        raise Http404
    return one


def document_file(request: HttpRequest, document: Document) -> HttpResponse:
    """The document's own bytes; its ETag is the hash of its content, so who has it is told nothing anew."""
    tag = f'"{document.sha256}"'
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    if tag in [each.strip().removeprefix("W/") for each in request.headers.get("If-None-Match", "").split(",")]:
        return HttpResponse(status=304, headers=headers)
    return HttpResponse(dump(document.spec), content_type="application/json", headers=headers)
