"""The page that says what the API can do, made from its own OpenAPI description, and that description itself."""

from functools import cache
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe

from designer.document.texts import N_
from designer.http.pages import page
from designer.permissions import may
from designer.templatetags.keywright import say
from designer.views.access import person

from .description import SECTIONS, operations, shapes
from .descriptions import told
from .operations import api
from .site import LANGUAGE

PREFIX = "/api/v1"


@cache
def described() -> dict[str, Any]:
    """Return the OpenAPI description."""
    return told(dict(api.get_openapi_schema(path_prefix=PREFIX + "/")))


@login_not_required
@require_safe
def openapi(request: HttpRequest) -> JsonResponse:
    """For tools that make clients."""
    return JsonResponse(described())


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    """For people."""
    known = described()
    owned = [m.team for m in person(request).memberships.select_related("team") if may(m.role, "manage")]  # type: ignore[arg-type]
    context = {
        "sections": [(title, [one for one in operations(known) if one.tag == tag]) for tag, title in SECTIONS.items()],
        "shapes": shapes(known), "address": request.build_absolute_uri(PREFIX), "owned": owned,
        "language": LANGUAGE,
    }  # fmt: skip
    return page(request, "reviews/api/api.html", context)


@csrf_exempt
@login_not_required
def nothing(request: HttpRequest, rest: str) -> JsonResponse:
    """Any other address below the API's."""
    sentence = N_("Not found. See /api/ for all endpoints.")
    return JsonResponse({"error": say(sentence, {}), "problems": []}, status=404)


def no_method(allowed: str) -> JsonResponse:
    """Return the error for a method that an address does not allow; HEAD is allowed with GET."""
    allowed = ", ".join(sorted(allowed.replace("GET", "GET, HEAD").split(", ")))
    sentence = say(N_("This address supports only {methods}."), {"methods": allowed})
    return JsonResponse({"error": sentence, "problems": []}, status=405, headers={"Allow": allowed})
