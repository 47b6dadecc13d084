"""The verdicts that a link shows, as JSON for programs: a pipeline asks whether a design is approved."""

import base64
import binascii
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from designer.http.errors import DesignError
from designer.http.parameters import header
from reviews.models import Link
from reviews.verdicts.link_verdicts import FORMAT
from reviews.verdicts.status import SectionStatus

from .links import try_password
from .verdicts import section_status
from .viewer import Viewer, link_not_found, make_private, read_session, visitor_with_link


@login_not_required
@never_cache
@require_safe
def verdict_data(request: HttpRequest, token: str) -> HttpResponse:
    """Return the state of each section; the password of a link comes as that of HTTP's basic authentication."""
    return make_private(_answer(request, token))


def _answer(request: HttpRequest, token: str) -> HttpResponse:
    link = Link.objects.find_valid(token)
    if link is None:
        return link_not_found(request)
    if link.password and read_session(request, link).get("opened") != link.session_proof:
        password = _given_password(request)
        # By the standard challenge, so that `curl -u :PASSWORD` and other clients work as they are.
        if password is None:
            headers = {"WWW-Authenticate": 'Basic realm="review link", charset="UTF-8"'}
            return JsonResponse({"format": FORMAT, "error": "password required"}, status=401, headers=headers)
        # The same limits as on the page: otherwise this address would be the place to guess.
        closed_minutes, is_right = try_password(request, link, password)
        if closed_minutes:
            headers = {"Retry-After": f"{closed_minutes * 60}"}
            return JsonResponse({"format": FORMAT, "error": "too many attempts"}, status=429, headers=headers)
        if not is_right:
            return JsonResponse({"format": FORMAT, "error": "wrong password"}, status=403)
    try:
        return JsonResponse(_data(visitor_with_link(request, link, token)))
    except DesignError as error:
        headers = {"Retry-After": f"{error.retry_seconds}"} if error.retry_seconds else {}
        return JsonResponse({"format": FORMAT, "error": "try again later"}, status=error.status, headers=headers)


def _data(viewer: Viewer) -> dict[str, Any]:
    """Return the content's hash with its sections; no hash where something is hidden, which it would help to guess."""
    return {
        "format": FORMAT,
        "sha256": None if viewer.hides else viewer.sha256,
        "revision": viewer.number,
        "sections": [_section(status) for status in section_status(viewer).values()],
    }


def _section(status: SectionStatus) -> dict[str, Any]:
    """Return the state with whose approval holds: what authors checked themselves approves nothing."""
    holding = [verdict for verdict in status.verdicts if verdict.approves and not (verdict.is_stale or verdict.is_own)]
    return {
        "section": status.section,
        "state": status.state,
        "approved_by": list(dict.fromkeys(verdict.author_name for verdict in holding)),
    }


def _given_password(request: HttpRequest) -> str | None:
    """Return the password of the request's header; None if it has none that can be read."""
    scheme, _, encoded = header(request, "Authorization").partition(" ")
    if scheme.lower() != "basic":
        return None
    try:
        return base64.b64decode(encoded, validate=True).decode().partition(":")[2]
    except (binascii.Error, ValueError):
        return None
