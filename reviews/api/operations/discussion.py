"""Threads of comments on a design."""

import json
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse

from designer.document.texts import N_
from reviews.api import review_schemas as schemas
from reviews.api.errors import BODY, FAILURES, PlacedError
from reviews.api.reviewing import author_name, thread_info, viewer_of
from reviews.api.schemas import Listed
from reviews.api.site import Limit, Number, Offset, api, creation_answer, list_page
from reviews.discussion import anchors
from reviews.views.discussion import begin_thread, discussion_of, find_thread, store_comment
from reviews.views.viewer import Viewer


@api.get(
    "/designs/{key}/threads",
    response={200: Listed[schemas.ThreadInfo], **FAILURES},
    tags=["reviews"],
    operation_id="listThreads",
    summary=N_("Threads of comments, newest first"),
    url_name="api_threads",
)
def threads(
    request: HttpRequest,
    response: HttpResponse,
    key: str,
    offset: Offset = 0,
    limit: Limit = 50,
    state: Literal["open", "resolved", "all"] = "all",
) -> Any:
    talk = discussion_of(viewer_of(request, key, "view"))
    matches = {"open": talk.open_threads, "resolved": talk.resolved_threads, "all": talk.threads}[state]
    return list_page(request, response, matches, offset=offset, limit=limit, to_data=thread_info)


@api.post(
    "/designs/{key}/threads",
    response={201: schemas.ThreadInfo, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="createThread",
    summary=N_("Comment on something of the design"),
    url_name="api_threads",
)
def create(request: HttpRequest, response: HttpResponse, key: str, asked: schemas.ThreadAsked) -> Any:
    viewer = viewer_of(request, key, "comment")
    anchor = anchors.parse_anchor(json.dumps(asked.on))
    if anchor is None:
        raise PlacedError(N_("This is not a subject of a comment."), place=("on",))
    if not anchors.has_subject(viewer.full_spec, viewer.analysis, anchor):
        raise PlacedError(N_("This item does not exist in the latest revision."), place=("on",))
    text = _text(asked.text)
    row = begin_thread(viewer, anchor)
    store_comment(viewer, row, text=text, name=author_name(request))
    return creation_answer(response, _thread_data(viewer, row.number), "api_thread", key, row.number)


@api.get(
    "/designs/{key}/threads/{number}",
    response={200: schemas.ThreadInfo, **FAILURES},
    tags=["reviews"],
    operation_id="getThread",
    summary=N_("One thread with its comments"),
    url_name="api_thread",
)
def thread(request: HttpRequest, key: str, number: Number) -> Any:
    return _thread_data(viewer_of(request, key, "view"), number)


@api.patch(
    "/designs/{key}/threads/{number}",
    response={200: schemas.ThreadInfo, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="changeThread",
    summary=N_("Resolve a thread, or open it again"),
    url_name="api_thread",
)
def change(request: HttpRequest, key: str, number: Number, asked: schemas.ThreadChange) -> Any:
    viewer = viewer_of(request, key, "comment")
    row, _ = find_thread(viewer, number)
    if asked.resolved:
        row.resolve(by=author_name(request))
    else:
        row.reopen()
    return _thread_data(viewer, number)


@api.post(
    "/designs/{key}/threads/{number}/comments",
    response={201: schemas.ThreadInfo, **BODY, **FAILURES},
    tags=["reviews"],
    operation_id="createComment",
    summary=N_("Comment in a thread"),
    url_name="api_comments",
)
def reply(request: HttpRequest, response: HttpResponse, key: str, number: Number, asked: schemas.CommentAsked) -> Any:
    viewer = viewer_of(request, key, "comment")
    row, _ = find_thread(viewer, number)
    store_comment(viewer, row, text=_text(asked.text), name=author_name(request))
    return creation_answer(response, _thread_data(viewer, number), "api_thread", key, number)


def _text(given: str) -> str:
    text = given.replace("\r\n", "\n").strip()
    if not text:
        raise PlacedError(N_("Enter a comment."), place=("text",))
    return text


def _thread_data(viewer: Viewer, number: int) -> dict[str, Any]:
    return thread_info(find_thread(viewer, number)[1])
