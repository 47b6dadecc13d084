"""Errors for programs: problem details (RFC 9457) with the place of each problem, wherever a request is refused."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import JsonResponse
from django.utils.translation import gettext

from designer.document.texts import N_

MEDIA_TYPE = "application/problem+json"
REFERENCE = "/api/#problem-"
"""Where each type is described; the page lists them all."""
BY_STATUS: Mapping[int, str] = {
    400: "unreadable-request",
    401: "token-required",
    403: "not-permitted",
    404: "not-found",
    405: "method-not-allowed",
    409: "conflict",
    412: "outdated-document",
    413: "request-too-large",
    422: "invalid-request",
    428: "precondition-required",
    429: "too-many-requests",
    500: "internal-error",
    503: "try-again",
}
"""The type of an error that names none itself."""
TITLES: Mapping[str, str] = {
    "unreadable-request": N_("The request cannot be read"),
    "token-required": N_("A token is required"),
    "not-permitted": N_("The token does not permit this"),
    "not-found": N_("Not found"),
    "method-not-allowed": N_("Method not allowed"),
    "conflict": N_("The state of the design does not allow this"),
    "edit-conflict": N_("The edit does not apply"),
    "outdated-document": N_("The document has changed"),
    "request-too-large": N_("The request is too large"),
    "invalid-request": N_("The request is invalid"),
    "invalid-document": N_("The design is invalid"),
    "key-reused": N_("The idempotency key belongs to another request"),
    "precondition-required": N_("A precondition is required"),
    "too-many-requests": N_("Too many requests"),
    "internal-error": N_("Internal error"),
    "try-again": N_("Try again later"),
}
"""By type, what went wrong in a few words: the same each time."""


def problem_data(status: int, detail: str, problems: Iterable[Any] = (), *, name: str = "") -> dict[str, Any]:
    """Return the members of RFC 9457, with `error` and `problems` for clients of before."""
    name = name or BY_STATUS.get(status, "invalid-request")
    return {
        "type": REFERENCE + name,
        "title": gettext(TITLES[name]),
        "status": status,
        "detail": detail,
        "error": detail,
        "problems": list(problems),
    }


def problem_response(
    status: int, detail: str, problems: Iterable[Any] = (), *, name: str = "", headers: Mapping[str, str] | None = None
) -> JsonResponse:
    """Return an error for a program; `detail` is a full sentence, `name` a type other than that of the status."""
    data = problem_data(status, detail, problems, name=name)
    return JsonResponse(data, status=status, content_type=MEDIA_TYPE, headers=headers)
