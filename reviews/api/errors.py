"""Every error as JSON: a full sentence that says what to do, and the place in the document where there is one."""

from collections.abc import Iterable, Mapping
from typing import Any, get_args

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from pydantic import Field

from designer.document.base import Path, path_text
from designer.document.edits import Edit, EditConflictError, InvalidResultError
from designer.document.texts import N_, Text
from designer.document.validation_errors import SHOWN, InvalidDocumentError, Problem, sentence
from designer.http.errors import DesignError
from designer.templatetags.keywright import say


class Wrong(Schema):
    """One thing that is wrong."""

    sentence: str = Field(description=N_("The error and the next step."))
    place: str = Field(
        default="", description=N_("Location in the document or the request, for example tables[0].row_kinds[0].key.")
    )
    line: int | None = Field(default=None, description=N_("Line in the JSON text of the request."))


class Failure(Schema):
    """Error response: a sentence, and the single problems."""

    error: str = Field(description=N_("A sentence with the error and the next step."))
    problems: list[Wrong] = Field(default=[], description=N_("All errors, if there are several."))


FAILURES: dict[int, Any] = dict.fromkeys((401, 403, 404, 422, 429, 503), Failure)
"""What every operation may answer besides."""


BODY: dict[int, Any] = {400: Failure, 413: Failure}
"""What every operation may answer that reads a body."""
KINDS = frozenset(get_args(one.model_fields["kind"].annotation)[0] for one in get_args(get_args(Edit)[0]))


def _list_problems(problems: Iterable[Problem], *, prefix: str = "") -> list[dict[str, Any]]:
    return [_build_problem(p.text, (*filter(None, (prefix,)), *p.path), p.line) for p in problems]


def _build_problem(text: Text, path: Path, line: int | None = None) -> dict[str, Any]:
    return {"sentence": say(text.message, text.params), "place": path_text(path), "line": line}


def _request_place(error: Mapping[str, Any]) -> Path:
    """Return the place of an error in the request: a parameter, or a place in the submitted body."""
    path: Path = ()
    for step in error["loc"]:
        if step not in KINDS or (path and not isinstance(path[-1], int)):  # the kind of an edit is no step of its JSON
            path = (*path, step)
    return (*path, "kind") if error["type"] == "union_tag_invalid" else path


def install_handlers(api: NinjaAPI) -> None:
    """Answer what a caller can mend as JSON; anything else is a bug and stays a 500."""

    def answer(request: HttpRequest, status: int, error: str, problems: Iterable[Any] = ()) -> HttpResponse:
        made = api.create_response(request, {"error": error, "problems": list(problems)}, status=status)
        if status == 401:
            made["WWW-Authenticate"] = 'Bearer realm="Keywright"'
        return made

    @api.exception_handler(DesignError)
    def mendable(request: HttpRequest, error: DesignError) -> HttpResponse:
        made = answer(request, error.status, say(error.sentence, error.params))
        if error.retry_seconds:
            made["Retry-After"] = f"{error.retry_seconds}"
        return made

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> HttpResponse:
        return answer(request, 404, say(N_("Not found, or not accessible with this token."), {}))

    @api.exception_handler(InvalidDocumentError)
    def unusable(request: HttpRequest, error: InvalidDocumentError) -> HttpResponse:
        told = say(N_("The design is invalid. Fix these errors."), {})
        return answer(request, 422, told, _list_problems(error.problems[:SHOWN]))

    @api.exception_handler(EditConflictError)
    def conflict(request: HttpRequest, error: EditConflictError) -> HttpResponse:
        found = (
            _list_problems(error.problems, prefix=error.at if error.inside else "")
            if isinstance(error, InvalidResultError)
            else []
        )
        at = [_build_problem(error.text, tuple(filter(None, (error.at, error.name))))]
        status = 422 if isinstance(error, InvalidResultError) else 409
        return answer(request, status, say(N_("The edit does not apply to the current design."), {}), found or at)

    @api.exception_handler(HttpError)
    def unread(request: HttpRequest, error: HttpError) -> HttpResponse:
        return answer(request, error.status_code, say(N_("The request body is not valid JSON."), {}))

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        found = [_build_problem(sentence(one), _request_place(one)) for one in error.errors[:SHOWN]]
        return answer(request, 422, say(N_("The request is not valid for this address."), {}), found)
