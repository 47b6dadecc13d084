"""Reviews as the API gives them: links, threads, verdicts; and the viewer that a token is."""

from typing import Any

from django.http import HttpRequest

from designer.document.texts import Text
from designer.permissions import Action
from designer.templatetags.keywright import translate
from reviews.discussion.threads import ThreadView
from reviews.models import Link
from reviews.verdicts.status import LatestVerdict, ReviewRequest, SectionStatus
from reviews.views.verdicts import section_status
from reviews.views.viewer import Viewer, member_at

from .access import design_of, token_of

NAME_LENGTH = 100


def viewer_of(request: HttpRequest, key: str, action: Action, number: int | None = None) -> Viewer:
    """Return what a token sees of a revision of a design, in the name of the person who made it; None is the newest."""
    design, token = design_of(request, key, action), token_of(request)
    revision_number = design.number if number is None else number
    return member_at(design, revision_number, role=token.role, person=token.by, is_program=True)


def author_name(request: HttpRequest) -> str:
    """Return the name under which comments and verdicts of a token stand."""
    token = token_of(request)
    suffix = f" (API token {token.name})"
    # Both parts are cut to fit the column, and each keeps enough to recognise it.
    return str(token.by)[: max(NAME_LENGTH - len(suffix), 20)] + suffix[: NAME_LENGTH - 20]


def link_info(link: Link) -> dict[str, Any]:
    """Return a review link without its address, which nobody knows any more."""
    names = (
        "name",
        "role",
        "compares",
        "hides_cost",
        "hides_samples",
        "allows_files",
        "made",
        "ends",
        "revoked",
        "visits",
        "last_visit",
    )
    return {
        "id": link.pk,
        **{name: getattr(link, name) for name in names},
        "revision": link.number,
        "has_password": bool(link.password),
        "made_by": str(link.made_by) if link.made_by else None,
        "state": "revoked" if link.revoked else "expired" if link.has_expired else "open",
    }


def request_info(review_request: ReviewRequest) -> dict[str, Any]:
    """Return a request for a review."""
    names = ("sections", "due", "note", "by")
    return {
        "id": review_request.pk,
        "reviewer": review_request.reviewer_name,
        **{name: getattr(review_request, name) for name in names},
    }


def thread_info(thread: ThreadView) -> dict[str, Any]:
    """Return a thread with its comments."""
    label, place = thread.label, thread.place
    return {
        "number": thread.number,
        "on": [thread.anchor.kind, *thread.anchor.parts],
        "label": translate(label.message, label.params),
        "place": translate(place.message, place.params),
        "section": thread.section,
        "resolved": thread.resolved,
        "resolved_by": thread.resolved_by,
        "comments": [
            {
                "by": comment.author_name,
                "text": comment.text,
                "at": comment.at,
                "visitor": comment.visitor,
                "link": comment.link,
            }
            for comment in thread.comments
        ],
    }


def verdicts_info(viewer: Viewer) -> dict[str, Any]:
    """Return the state of every section of a revision."""
    return {
        "revision": viewer.number,
        "sha256": viewer.sha256,
        "sections": [_section(viewer, status) for status in section_status(viewer).values()],
    }


def section_info(viewer: Viewer, section: str) -> dict[str, Any]:
    """Return the state of one section."""
    return next(_section(viewer, status) for status in section_status(viewer).values() if status.section == section)


def _section(viewer: Viewer, status: SectionStatus) -> dict[str, Any]:
    return {
        "section": status.section,
        "title": _message_text(status.title),
        "state": status.state,
        "mark": viewer.marks[status.section],
        "verdicts": [_verdict(verdict) for verdict in status.verdicts],
        "asked": [
            {"reviewer": request.reviewer_name, "due": request.due, "note": request.note, "by": request.by}
            for request in status.requests
        ],
    }


def _verdict(verdict: LatestVerdict) -> dict[str, Any]:
    return {
        "verdict": "approve" if verdict.approves else "changes",
        "by": verdict.author_name,
        "text": verdict.text,
        "at": verdict.at,
        "revision": verdict.number,
        "stale": verdict.is_stale,
        "own": verdict.is_own,
        "link": verdict.link,
    }


def _message_text(message: str) -> str:
    return translate(message, Text(message).params)
