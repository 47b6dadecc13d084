"""Pages of the site itself: is it well, and what is said when it is not. The start page is the designer's."""

import sys

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from django.views.defaults import server_error

from config.limits import PROGRAMS
from designer.document.texts import N_

AWAY = N_("The database is not responding: try again in a few seconds.")
FAULT = N_("This is an error in Keywright, not in your input. Your saved work is safe. Try again.")
"""What programs are told; pages have more to say."""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """200 when the database answers, else 503; for load balancers and Compose."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            cursor.fetchone()
    except DatabaseError:
        return JsonResponse({"status": "unavailable", "database": "no answer"}, status=503)
    return JsonResponse({"status": "ok", "database": connection.vendor})


def internal_error(request: HttpRequest) -> HttpResponse:
    """Return the page for an internal error: 500, or 503 if the database is unavailable or read-only.

    The editor keeps its unsaved edit until then.
    """
    problem = sys.exc_info()[1]
    away = isinstance(problem, OperationalError | InterfaceError)
    if request.path.startswith(PROGRAMS):
        told = {"error": gettext(AWAY if away else FAULT), "problems": []}
        return JsonResponse(told, status=503 if away else 500, headers={"Retry-After": "5"} if away else {})
    if not away:
        return server_error(request)
    said = render_to_string("503.html", {"full": "full" in str(problem) or "No space left" in str(problem)})
    return HttpResponse(said, status=503, headers={"Retry-After": "5"})
