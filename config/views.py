"""Pages of the site itself: is it well, and what is said when it is not. The start page is the designer's."""

import sys

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.defaults import server_error

from config.limits import PROGRAMS
from config.monitoring.health import ALIVE, READY, Check
from config.monitoring.metrics import figures
from designer.document.texts import N_
from designer.http.parameters import has_header, header, remote_address
from designer.http.problems import problem_response

AWAY = N_("The database is not responding: try again in a few seconds.")
FAULT = N_("This is an error in Keywright, not in your input. Your saved work is safe. Try again.")
"""What programs are told; pages have more to say."""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 while the database and its disk take writes, else 503; for whoever restarts what is not alive."""
    return _answer(ALIVE)


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """200 when the database is migrated, too, and the queue answers; for whoever sends people here."""
    return _answer(ALIVE, READY)


def _answer(*checks: Check) -> JsonResponse:
    results = [check.result() for check in checks]
    is_well = all(result.is_well for result in results)
    body = {"status": "ok" if is_well else "unavailable"}
    for result in results:
        body |= result.parts
    return JsonResponse(body, status=200 if is_well else 503)


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the figures for Prometheus to whom the setting allows; to everybody else there are none."""
    by_proxy = has_header(request, "X-Forwarded-For") or has_header(request, "Forwarded")
    allowed = settings.KEYWRIGHT_METRICS.allows(
        remote_address(request), header(request, "Authorization"), by_proxy=by_proxy
    )
    request_figures = figures()
    if not allowed or request_figures is None:
        raise Http404
    text, kind = request_figures.text()
    return HttpResponse(text, content_type=kind)


def internal_error(request: HttpRequest) -> HttpResponse:
    """Return the page for an internal error: 500, or 503 if the database is unavailable or read-only.

    The editor keeps its unsaved edit until then.
    """
    problem = sys.exc_info()[1]
    away = isinstance(problem, OperationalError | InterfaceError)
    if request.path.startswith(PROGRAMS):
        headers = {"Retry-After": "5"} if away else {}
        return problem_response(503 if away else 500, gettext(AWAY if away else FAULT), headers=headers)
    if not away:
        return server_error(request)
    # SQLite says "database or disk is full", PostgreSQL quotes the system's "No space left on device"; neither has an
    # error class for it.
    is_full = "full" in str(problem) or "No space left" in str(problem)
    body = render_to_string("503.html", {"full": is_full, "can_retry": request.method == "GET"})
    return HttpResponse(body, status=503, headers={"Retry-After": "5"})
