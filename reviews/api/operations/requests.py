"""Requests for reviews, and the mail about a design that the person who made the token gets."""

from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from ninja import Status

from designer.document.texts import N_
from reviews.api import review_schemas as schemas
from reviews.api.access import token_of
from reviews.api.errors import BODY, FAILURES, PlacedError
from reviews.api.reviewing import request_info, viewer_of
from reviews.api.schemas import Listed
from reviews.api.site import Limit, Number, Offset, api, creation_answer, list_page
from reviews.models import Asked, Following, Link
from reviews.views.verdicts import ask_reviewer, asked_rows, follow_design, review_request_of
from reviews.views.viewer import Viewer


@api.get(
    "/designs/{key}/requests",
    response={200: Listed[schemas.RequestInfo], **FAILURES},
    tags=["reviews"],
    operation_id="listReviewRequests",
    summary=N_("Requests for reviews, newest first"),
    url_name="api_requests",
)
def requests(request: HttpRequest, response: HttpResponse, key: str, offset: Offset = 0, limit: Limit = 50) -> Any:
    rows = asked_rows(viewer_of(request, key, "share"))
    return list_page(request, response, rows, offset=offset, limit=limit, to_data=_row_info)


@api.post(
    "/designs/{key}/requests",
    response={201: schemas.RequestInfo, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="createReviewRequest",
    summary=N_("Request a review of sections from a member, who is notified by mail, or from the visitors of a link"),
    url_name="api_requests",
)
def ask(request: HttpRequest, response: HttpResponse, key: str, asked: schemas.RequestAsked) -> Any:
    viewer = viewer_of(request, key, "share")
    design = viewer.design
    person, link = None, None
    if (asked.person is None) == (asked.link is None):
        raise PlacedError(N_("Name either a person or a link."), place=("person",))
    if asked.person is not None:
        person = design.team.people.filter(email__iexact=asked.person.strip()).first()
        if person is None:
            raise PlacedError(N_("No member of the team has this address."), place=("person",))
    if asked.link is not None:
        link = Link.objects.by_which_to_answer(design).filter(pk=asked.link).first()
        if link is None:
            raise PlacedError(N_("There is no open link with this id that may comment."), place=("link",))
    review_request = ask_reviewer(
        viewer, who=person, link=link, sections=asked.sections, due=asked.due, note=asked.note.strip()
    )
    return creation_answer(response, _row_info(_find(viewer, review_request.pk)), "api_request", key, review_request.pk)


@api.get(
    "/designs/{key}/requests/{id}",
    response={200: schemas.RequestInfo, **FAILURES},
    tags=["reviews"],
    operation_id="getReviewRequest",
    summary=N_("One request for a review"),
    url_name="api_request",
)
def one(request: HttpRequest, key: str, id: Number) -> Any:  # noqa: A002
    return _row_info(_find(viewer_of(request, key, "share"), id))


@api.delete(
    "/designs/{key}/requests/{id}",
    response={204: None, **FAILURES},
    tags=["reviews"],
    operation_id="withdrawReviewRequest",
    summary=N_("Withdraw a request for a review"),
    url_name="api_request",
)
def withdraw(request: HttpRequest, key: str, id: Number) -> Any:  # noqa: A002
    viewer = viewer_of(request, key, "share")
    _find(viewer, id).delete()
    return Status(204, None)


@api.get(
    "/designs/{key}/mail",
    response={200: schemas.MailInfo, **FAILURES},
    tags=["reviews"],
    operation_id="getMail",
    summary=N_("Whether the creator of the token receives mail about the design"),
    url_name="api_mail",
)
def mail(request: HttpRequest, key: str) -> Any:
    return _mail(viewer_of(request, key, "view"))


@api.put(
    "/designs/{key}/mail",
    response={200: schemas.MailInfo, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="setMail",
    summary=N_("Subscribe or unsubscribe the creator of the token to mail about the design"),
    url_name="api_mail",
)
def set_mail(request: HttpRequest, key: str, asked: schemas.MailAsked) -> Any:
    viewer = viewer_of(request, key, "comment")
    person = token_of(request).by
    if person is None:
        raise Http404
    address = request.build_absolute_uri(viewer.home)
    with transaction.atomic():
        follow_design(
            viewer, person, wanted=asked.mail, address=address, language=get_language() or "en",
            miss_percent=asked.miss_percent,
        )  # fmt: skip
    return _mail(viewer)


def _mail(viewer: Viewer) -> dict[str, Any]:
    row = Following.objects.filter(design=viewer.design, person=viewer.person).first()
    return {"mail": row is not None, "miss_percent": round(row.miss_share * 100) if row else None}


def _row_info(row: Asked) -> dict[str, Any]:
    return request_info(review_request_of(row))


def _find(viewer: Viewer, pk: int) -> Asked:
    row = asked_rows(viewer).filter(pk=pk).first()
    if row is None:
        raise Http404
    return row
