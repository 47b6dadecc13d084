"""Whole schemas for what an application does, and other keys for the rows of a table."""

import hashlib
import json
from typing import Any

from django.http import Http404, HttpRequest

from designer.application import Application
from designer.application.reading import SentencesError, read_application
from designer.document import Spec
from designer.document.table import RowKind
from designer.document.texts import N_
from designer.http.errors import DesignError
from designer.templatetags.keywright import translate
from designer.views.editor.books import begin_today
from estimator.advice.schemas import empty_design, search_schemas
from estimator.contexts import current_context
from estimator.estimates.context import Context
from estimator.presentation.advice_data import advice_data, schemas_data
from estimator.presentation.advisor_page import advice_page
from reviews.api import schemas
from reviews.api.access import design_of, require_permission
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import Number, api, find_revision


@api.get(
    "/designs/{key}/advice/{row_kind}",
    response={200: schemas.AdviceInfo, **FAILURES},
    tags=["computed"],
    operation_id="getAdvice",
    summary=N_("Other keys for a row kind, each with what it would do and the edit that makes it"),
    url_name="api_advice",
)
def advice(request: HttpRequest, key: str, row_kind: str, revision: Number | None = None) -> Any:
    revision_row = find_revision(design_of(request, key, "view"), revision)
    if not isinstance(revision_row.spec.by_id.get(row_kind), RowKind):
        raise Http404
    page = advice_page(revision_row.spec, row_kind, current_context())
    return {"sha256": revision_row.document_id, "report": advice_data(page.light_advice)}


PROPOSALS = "schema proposals"
"""What the cache holds, by the sentences, the engine, the region and the day."""


class UnknownSentencesError(DesignError):
    """Sentences that do not say an application."""

    status = 422


@api.post(
    "/schemas",
    response={200: schemas.SchemasInfo, **BODY, **FAILURES},
    tags=["computed"],
    operation_id="proposeSchemas",
    summary=N_("Whole schemas for what an application does, said in sentences; nothing is saved"),
    url_name="api_schemas",
)
def propose(request: HttpRequest, asked: schemas.SchemasAsked) -> Any:
    require_permission(request, "view")
    try:
        application = read_application(asked.sentences)
    except SentencesError as error:
        reason = " ".join(translate(problem.message, problem.params) for problem in error.problems)
        raise UnknownSentencesError(N_("{problem}"), problem=reason).at("sentences") from error
    base = begin_today(empty_design(asked.engine, asked.region))
    return {"report": _proposals(application, base, asked.model_dump_json())}


def _proposals(application: Application, base: Spec, request: str) -> Any:
    """Return the schemas, searched once for the same request, day and price book."""
    context = current_context()
    key = (hashlib.sha256(request.encode()).hexdigest(), base.start, base.instance.price_book)
    return json.loads(context.get_or_compute(PROPOSALS, key, base, _search, application))


def _search(context: Context, base: Spec, application: Application) -> str:
    """Return the schemas as JSON; another process calls it too."""
    return json.dumps(schemas_data(search_schemas(application, context, base=base)))
