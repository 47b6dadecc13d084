"""A design as files."""

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Query

from designer.document.texts import N_
from reviews.api import schemas
from reviews.api.access import allowed, design_of
from reviews.api.errors import FAILURES
from reviews.api.export_responses import exported, format_info
from reviews.api.site import Number, api, revision_of
from reviews.exports import every


@api.get(
    "/formats",
    response={200: list[schemas.FormatInfo], **FAILURES},
    tags=["exports"],
    summary=N_("Export formats of a design"),
    url_name="api_formats",
)
def formats(request: HttpRequest) -> Any:
    allowed(request, "view")
    return [format_info(one) for one in every().values()]


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
) -> Any:
    found = design_of(request, key, "view")
    return exported(found, revision_of(found, revision), name, sections=sections, carries=carries)
