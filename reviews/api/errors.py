"""Every error as JSON: a full sentence that says what to do, and the place in the document where there is one."""

from collections.abc import Iterable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from pydantic import Field

from config.errors import DesignError
from designer.spec.base import place
from designer.spec.edits import Conflict, Invalid
from designer.spec.texts import N_
from designer.spec.unusable import SHOWN, Problem, Unusable
from designer.templatetags.keywright import say


class Wrong(Schema):
    """One thing that is wrong."""

    sentence: str = Field(description="What is wrong, and what to do.")
    place: str = Field(
        default="", description="Where in the document or the request, as in tables[0].row_kinds[0].key."
    )
    line: int | None = Field(default=None, description="Of the JSON text that was sent.")


class Failure(Schema):
    """Why there is no answer."""

    error: str = Field(description="A sentence that says what was wrong and what to do.")
    problems: list[Wrong] = Field(default=[], description="Each thing that is wrong, where there are several.")


FAILURES: dict[int, Any] = dict.fromkeys((401, 403, 404, 422, 429), Failure)
"""What every operation may answer besides."""


def _wrong(problems: Iterable[Problem]) -> list[dict[str, Any]]:
    return [{"sentence": say(p.text.message, p.text.params), "place": place(p.path), "line": p.line} for p in problems]


def install(api: NinjaAPI) -> None:
    """Answer what a caller can mend as JSON; anything else is a bug and stays a 500."""

    def answer(request: HttpRequest, status: int, error: str, problems: Iterable[Any] = ()) -> HttpResponse:
        made = api.create_response(request, {"error": error, "problems": list(problems)}, status=status)
        if status == 401:
            made["WWW-Authenticate"] = 'Bearer realm="Keywright"'
        return made

    @api.exception_handler(DesignError)
    def mendable(request: HttpRequest, error: DesignError) -> HttpResponse:
        made = answer(request, error.status, say(error.sentence, error.params))
        if error.status == 429:
            made["Retry-After"] = f"{int(error.params.get('minutes', 1)) * 60}"
        return made

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return answer(request, 404, say(N_("There is nothing at this address that this token reaches."), {}))

    @api.exception_handler(Unusable)
    def unusable(request: HttpRequest, error: Unusable) -> HttpResponse:
        told = say(N_("This is no design that can be used; what is wrong is listed below."), {})
        return answer(request, 422, told, _wrong(error.problems[:SHOWN]))

    @api.exception_handler(Conflict)
    def conflict(request: HttpRequest, error: Conflict) -> HttpResponse:
        found = _wrong(error.problems) if isinstance(error, Invalid) else []
        at = [
            {
                "sentence": say(error.text.message, error.text.params),
                "place": ".".join(filter(None, (error.at, error.name))),
            }
        ]
        status = 422 if isinstance(error, Invalid) else 409
        return answer(request, status, say(N_("The edit does not apply to the design as it is now."), {}), found or at)

    @api.exception_handler(HttpError)
    def unread(request: HttpRequest, error: HttpError) -> HttpResponse:
        return answer(request, error.status_code, say(N_("The body of the request is no JSON that can be read."), {}))

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        found = [{"sentence": one["msg"], "place": ".".join(map(str, one["loc"]))} for one in error.errors]
        return answer(request, 422, say(N_("The request is not as this address expects it."), {}), found)
