"""A design as files."""

from collections.abc import Iterable
from typing import Annotated, Any

from django.http import Http404, HttpRequest
from ninja import Query

from designer.document.texts import N_
from designer.models import Design, Revision
from reviews.api import schemas
from reviews.api.access import design_of, record_download, require_permission
from reviews.api.errors import FAILURES
from reviews.api.export_responses import export_data, export_revision, format_info
from reviews.api.site import Number, api, find_revision
from reviews.exports import File, formats_by_name
from reviews.exports.shared.result import zip_files
from reviews.views.exports import ZIP, file_download

JSON = {"type": "object", "additionalProperties": True}
DOWNLOAD = {
    "description": "OK",
    "headers": {"Content-Disposition": {"schema": {"type": "string"}, "description": N_("Name of the file.")}},
    "content": {
        media_type: {"schema": JSON if media_type == "application/json" else {"type": "string", "format": "binary"}}
        for media_type in dict.fromkeys((ZIP, *(one.media_type for one in formats_by_name().values())))
    },
}
"""A file to be stored, or several in an archive: which stands first, as generators of clients read what does."""


@api.get(
    "/formats",
    response={200: list[schemas.FormatInfo], **FAILURES},
    tags=["exports"],
    operation_id="listFormats",
    summary=N_("Export formats of a design"),
    url_name="api_formats",
)
def formats(request: HttpRequest) -> Any:
    require_permission(request, "view")
    return [format_info(exporter) for exporter in formats_by_name().values()]


@api.get(
    "/designs/{key}/exports/{name}",
    response={200: schemas.ExportInfo, **FAILURES},
    tags=["exports"],
    operation_id="exportDesign",
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
    adopt: bool = False,
) -> Any:
    design = design_of(request, key, "view")
    of = find_revision(design, revision)
    result = export_revision(design, of, name, sections=sections, carries=carries, language=language, adopts=adopt)
    _record_export(request, design, of, result.files)
    return export_data(of, name, result)


@api.get(
    "/designs/{key}/exports/{name}/file",
    response=FAILURES,
    tags=["exports"],
    operation_id="downloadExport",
    summary=N_("Download the file of an export, or all files as a ZIP archive"),
    openapi_extra={"responses": {200: DOWNLOAD}},
    url_name="api_export_file",
)
def download(
    request: HttpRequest,
    key: str,
    name: str,
    revision: Number | None = None,
    sections: str = "",
    carries: Annotated[str, Query(alias="with")] = "",
    language: str = "",
    file: str = "",
    adopt: bool = False,
) -> Any:
    design = design_of(request, key, "view")
    of = find_revision(design, revision)
    result = export_revision(design, of, name, sections=sections, carries=carries, language=language, adopts=adopt)
    chosen = [export_file for export_file in result.files if file in ("", export_file.name)]
    if not chosen:
        raise Http404
    _record_export(request, design, of, chosen)
    if len(chosen) > 1:
        return file_download(zip_files(chosen), f"{name}-r{of.number}.zip", ZIP)
    return file_download(chosen[0].data, chosen[0].name, formats_by_name()[name].media_type)


def _record_export(request: HttpRequest, design: Design, revision: Revision, files: Iterable[File]) -> None:
    names = ", ".join(file.name for file in files)
    record_download(request, "design_exported", design, f"{design.title}, {revision.number}: {names}")
