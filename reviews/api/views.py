"""The page that says what the API can do, made from its own OpenAPI description, and that description itself."""

from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from designer.document.texts import N_
from designer.http.pages import page
from designer.http.problems import TITLES, problem_response
from designer.permissions import is_allowed
from designer.templatetags.keywright import translate
from designer.views.access import current_person

from .description import SECTIONS, operations, shapes
from .descriptions import add_descriptions
from .operations import api
from .site import LANGUAGE

PREFIX = "/api/v1"
SERVER = "This server"


@cache
def openapi_description() -> dict[str, Any]:
    """Return the OpenAPI description."""
    return add_descriptions(dict(api.get_openapi_schema(path_prefix=PREFIX + "/")))


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """Return the description for tools that make clients, with the address of this server."""
    servers = [{"url": request.build_absolute_uri("/").rstrip("/"), "description": SERVER}]
    return JsonResponse({**openapi_description(), "servers": servers})


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """Show the API's page for people."""
    description = openapi_description()
    owned = [m.team for m in current_person(request).memberships.select_related("team") if is_allowed(m.role, "manage")]  # type: ignore[arg-type]
    context = {
        "sections": [
            (title, [entry for entry in operations(description) if entry.tag == tag]) for tag, title in SECTIONS.items()
        ],
        "shapes": shapes(description), "problems": TITLES, "address": request.build_absolute_uri(PREFIX),
        "owned": owned,
        "language": LANGUAGE,
    }  # fmt: skip
    return page(request, "reviews/api/api.html", context)


@csrf_exempt
@login_not_required
def not_found(request: HttpRequest, rest: str) -> HttpResponse:
    """Answer any other address below the API's."""
    return problem_response(404, translate(N_("Not found. See /api/ for all endpoints."), {}))
