"""A design as files."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query

from designer.document.texts import N_
from designer.models import Token
from designer.views.audit import record
from reviews.api import schemas
from reviews.api.access import design_of, require_permission
from reviews.api.errors import FAILURES
from reviews.api.export_responses import export_design, format_info
from reviews.api.site import Number, api, find_revision
from reviews.exports import formats_by_name


@api.get(
    "/formats",
    response={200: list[schemas.FormatInfo], **FAILURES},
    tags=["exports"],
    summary=N_("Export formats of a design"),
    url_name="api_formats",
)
def formats(request: HttpRequest) -> Any:
    require_permission(request, "view")
    return [format_info(one) for one in formats_by_name().values()]


@api.get(
    "/designs/{key}/exports/{name}",
    response={200: schemas.ExportInfo, **FAILURES},
    tags=["exports"],
    summary=N_("Export a design as files for another tool, with the parts that the tool does not support"),
    url_name="api_export",
)
def export(
    request: HttpRequest,
    key: str,
    name: str,
    revision: Number | None = None,
    sections: str = "",
    carries: Annotated[str, Query(alias="with")] = "",
    language: str = "",
) -> Any:
    found = design_of(request, key, "view")
    of = find_revision(found, revision)
    exported = export_design(found, of, name, sections=sections, carries=carries, language=language)
    files = ", ".join(file["name"] for file in exported["files"])
    token: Token = request.auth  # type: ignore[attr-defined]
    subject = f"{found.key} {found.title}, {of.number}: {files}"
    record(request, "design_exported", subject, team=found.team, person=f"token {token.name}")
    return exported
