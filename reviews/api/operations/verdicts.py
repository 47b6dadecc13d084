"""Verdicts on the sections of a design."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_
from reviews.api import review_schemas as schemas
from reviews.api.access import record_act
from reviews.api.errors import BODY, FAILURES, Failure, PlacedError
from reviews.api.reviewing import author_name, section_info, verdicts_info, viewer_of
from reviews.api.site import Number, api, creation_answer
from reviews.views.verdict_form import VERDICTS, VerdictInput, check_verdict, store_verdict


class RefusedVerdictError(PlacedError):
    """A verdict that the rules of reviews refuse."""

    status = 409


@api.get(
    "/designs/{key}/verdicts",
    response={200: schemas.ReviewInfo, **FAILURES},
    tags=["reviews"],
    operation_id="getReview",
    summary=N_("State of the review: verdicts by section"),
    url_name="api_verdicts",
)
def verdicts(request: HttpRequest, key: str, revision: Number | None = None) -> Any:
    return verdicts_info(viewer_of(request, key, "view", revision))


@api.post(
    "/designs/{key}/verdicts",
    response={201: schemas.SectionInfo, 409: Failure, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="giveVerdict",
    summary=N_("Approve a section or request changes, in the name of the person who created the token"),
    url_name="api_verdicts",
)
def give(request: HttpRequest, response: HttpResponse, key: str, asked: schemas.VerdictAsked) -> Any:
    viewer = viewer_of(request, key, "comment", asked.revision)
    text = asked.text.replace("\r\n", "\n").strip()
    verdict = VerdictInput(asked.section, VERDICTS[asked.verdict], text, author_name(request), asked.mark)
    problem, is_own = check_verdict(viewer, verdict)
    if problem is not None:
        raise RefusedVerdictError(problem.message, place=("verdict",), **problem.params)
    with transaction.atomic():
        store_verdict(viewer, verdict, is_own=is_own)
        record_act(request, "verdict_given", viewer.design, f"{viewer.number} {asked.section}: {asked.verdict}")
    return creation_answer(response, section_info(viewer, asked.section), "api_verdicts", key)
