"""Definitions beside the design: files of other tools are read and compared, and not kept."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_http_methods

from designer.document import Spec
from designer.document.texts import N_, Text
from designer.document.validation_errors import InvalidDocumentError
from designer.http.beside import read_beside
from designer.http.pages import page
from designer.http.parameters import form, uploads
from designer.models import Design
from designer.views.access import can_edit, design_for
from reviews.drift import DefinitionFiles, Drift, find_drift, read_files, table_names
from reviews.exports import ExportContent

FILES_MAX = 100
FILES_BYTES_MAX = 7_500_000
PATTERNS_MAX = 20
TOO_LARGE = Text(N_("the files are larger than 7.5 MB together: use the command"))
NO_FILE = Text(N_("choose a file"))


@require_http_methods(["GET", "HEAD", "POST"])
def drift(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form; of files, what differs."""
    design = design_for(request, key, "view")
    ignored = form(request).line("ignore", most=400) if request.method == "POST" else ""
    context: dict[str, Any] = {"design": design, "ignored": ignored, "drift": None, "problem": None}
    context["may_edit"] = can_edit(request, design)
    if request.method == "POST":
        outcome = _compare(request, design, ignored)
        context |= {"problem": outcome} if isinstance(outcome, Text) else outcome
    return page(request, "reviews/drift/drift.html", context, status=422 if context["problem"] else 200)


def _compare(request: HttpRequest, design: Design, ignored: str) -> dict[str, Any] | Text:
    """Return what the page shows, or why nothing can be compared."""
    files = uploads(request, "file", most_bytes=FILES_BYTES_MAX)[:FILES_MAX]
    if not files:
        return NO_FILE
    if sum(len(content) for _, content in files) > FILES_BYTES_MAX:
        return TOO_LARGE
    length = sum(len(content) for _, content in files)
    outcome: tuple[DefinitionFiles, Drift] | Text = read_beside(
        _read_and_compare, design.spec, files, ignored.split()[:PATTERNS_MAX], length=length
    )
    if isinstance(outcome, Text):
        return outcome
    definitions, drift = outcome
    return {"drift": drift, "remarks": _remarks(files, definitions), "not_compared": _refusal_texts(drift)}


def _read_and_compare(
    spec: Spec, files: list[tuple[str, bytes]], ignored: list[str]
) -> tuple[DefinitionFiles, Drift] | Text:  # fmt: skip
    """Return what files tell and where it differs, or why they cannot be read."""
    tables = table_names(spec, [name for name, _ in files])
    for (name, content), table in zip(files, tables, strict=True):
        try:
            read_files([content], [table], [name])
        except InvalidDocumentError as error:
            return Text(N_("{file}: {reason}"), {"file": name[:80], "reason": error.problems[0].text})
    try:
        definitions = read_files([content for _, content in files], tables, [name for name, _ in files])
        return definitions, find_drift(ExportContent(spec), definitions, ignored=ignored)
    except InvalidDocumentError as error:
        return error.problems[0].text


def _remarks(files: list[tuple[str, bytes]], told: DefinitionFiles) -> list[Text]:
    """Return what of the files was not understood."""
    remarks = [
        Text(
            N_("{file}: {place}: {reason}"),
            {"file": name[:80], "place": remark.where, "reason": Text(remark.message, dict(remark.params))},
        )
        for (name, _), result in zip(files, told.results, strict=True)
        for remark in told.remarks(result)
    ]
    return [*remarks, *told.conflict_texts]


def _refusal_texts(found: Drift) -> list[Text]:
    return [Text(remark.message, dict(remark.params)) for remark in found.not_compared]
