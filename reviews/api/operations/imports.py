"""Import of other tools' output as a design."""

import json
from typing import Any

from django.http import HttpRequest

from designer.document import dump
from designer.document.texts import N_, Text, TextList
from designer.document.validation_errors import InvalidDocumentError
from designer.http.beside import read_beside
from designer.http.errors import DesignError
from designer.imports import NAMES, read
from designer.templatetags.keywright import translate
from reviews.api import schemas
from reviews.api.access import require_permission
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import api


class UnknownFormatError(DesignError):
    """Nothing is read in such a format."""

    status = 422


@api.post(
    "/imports",
    response={200: schemas.ImportInfo, **BODY, **FAILURES},
    tags=["imports"],
    operation_id="importText",
    summary=N_(
        "Import a design from the output of another tool, with the parts that were not recognised; nothing is saved"
    ),
    url_name="api_imports",
)
def read_text(request: HttpRequest, asked: schemas.ImportAsked) -> Any:
    require_permission(request, "view")
    if asked.format and asked.format not in NAMES:
        raise UnknownFormatError(N_("Unknown format. Use one of: {names}."), names=TextList(NAMES)).at("format")
    result = read_beside(read, asked.text, asked.format, length=len(asked.text), raises=(InvalidDocumentError,))
    return {
        "format": result.format, "document": json.loads(dump(result.spec)),
        "not_understood": [{"where": _place(remark.where), "sentence": translate(remark.message, remark.params)}
                           for remark in result.remarks],
    }  # fmt: skip


def _place(where: str | Text) -> str:
    return where if isinstance(where, str) else translate(where.message, where.params)
