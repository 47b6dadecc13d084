"""A design as files."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest
from ninja import Query, Schema
from pydantic import Field

from designer.document.texts import N_
from designer.models import Design, Revision
from reviews.api import schemas
from reviews.api.access import design_of, record_download, require_permission
from reviews.api.descriptions import PARAMETERS
from reviews.api.errors import FAILURES
from reviews.api.export_responses import export_data, export_revision, format_info
from reviews.api.site import Number, api, find_revision
from reviews.exports import ExportResult, File, formats_by_name
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


class ExportAsked(Schema):
    """Form of an export; each option is of one format, and is refused with another."""

    revision: Number | None = Field(None, description=PARAMETERS["revision"][0])
    sections: str = Field("", description=PARAMETERS["sections"][0])
    carries: str = Field("", alias="with", description=PARAMETERS["with"][0])
    language: str = Field("", description=PARAMETERS["language"][0])
    adopt: bool = Field(False, description=PARAMETERS["adopt"][0])


class ExportFileAsked(ExportAsked):
    """Form of an export, and which of its files is sent."""

    file: str = Field("", description=PARAMETERS["file"][0])


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
def export(request: HttpRequest, key: str, name: str, asked: Query[ExportAsked]) -> Any:
    design = design_of(request, key, "view")
    of = find_revision(design, asked.revision)
    result = _export(design, of, name, asked)
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
def download(request: HttpRequest, key: str, name: str, asked: Query[ExportFileAsked]) -> Any:
    design = design_of(request, key, "view")
    of = find_revision(design, asked.revision)
    result = _export(design, of, name, asked)
    chosen = [export_file for export_file in result.files if asked.file in ("", export_file.name)]
    if not chosen:
        raise Http404
    _record_export(request, design, of, chosen)
    if len(chosen) > 1:
        return file_download(zip_files(chosen), f"{name}-r{of.number}.zip", ZIP)
    return file_download(chosen[0].data, chosen[0].name, formats_by_name()[name].media_type)


def _export(design: Design, revision: Revision, name: str, asked: ExportAsked) -> ExportResult:
    return export_revision(
        design, revision, name,
        sections=asked.sections, carries=asked.carries, language=asked.language, adopts=asked.adopt,
    )  # fmt: skip


def _record_export(request: HttpRequest, design: Design, revision: Revision, files: Iterable[File]) -> None:
    names = ", ".join(file.name for file in files)
    record_download(request, "design_exported", design, f"{design.title}, {revision.number}: {names}")
