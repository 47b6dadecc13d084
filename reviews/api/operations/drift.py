"""Definitions beside the design, from files."""

from typing import Any

from django.http import HttpRequest

from designer.document import Spec
from designer.document.texts import N_
from designer.document.validation_errors import InvalidDocumentError
from designer.http.beside import read_beside
from designer.http.errors import DesignError
from reviews.api import schemas
from reviews.api.access import design_of
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import api
from reviews.drift import Drift, find_drift, read_files, table_names
from reviews.drift.reports import DriftReport, as_data
from reviews.exports import ExportContent


class UnreadDefinitionsError(DesignError):
    """Definitions that cannot be compared."""

    status = 422


@api.post(
    "/designs/{key}/drift",
    response={200: schemas.DriftInfo, **BODY, **FAILURES},
    tags=["computed"],
    operation_id="findDrift",
    summary=N_("Definitions of what runs, beside the design"),
    url_name="api_drift",
)
def drift(request: HttpRequest, key: str, body: schemas.DriftAsked) -> Any:
    design = design_of(request, key, "view")
    try:
        texts = [text.encode("utf-8", "replace") for text in body.files]
        result: Drift = read_beside(
            _find_drift, design.spec, texts, body.ignore, length=sum(map(len, texts)), raises=(InvalidDocumentError,)
        )
    except InvalidDocumentError as error:
        message = N_("The files cannot be compared: {reason}.")
        raise UnreadDefinitionsError(message, reason=error.problems[0].text).at("files") from error
    return {"has_drift": bool(result.differences), "report": as_data(DriftReport(design.key, result, {}))}


def _find_drift(spec: Spec, texts: list[bytes], ignored: list[str]) -> Drift:
    return find_drift(ExportContent(spec), read_files(texts, table_names(spec, [""] * len(texts))), ignored=ignored)
