"""Every error as problem details: a full sentence that says what to do, and the place where there is one."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, get_args
from urllib.parse import quote

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from pydantic import Field

from designer.document.base import Path, path_text
from designer.document.edits import Edit, EditConflictError, InvalidResultError
from designer.document.texts import N_, Text
from designer.document.validation_errors import SHOWN, InvalidDocumentError, Problem, sentence
from designer.http.errors import DesignError
from designer.http.parameters import UnreadableInputError, query
from designer.http.problems import problem_response
from designer.templatetags.keywright import translate


class Wrong(Schema):
    """One thing that is wrong."""

    sentence: str = Field(description=N_("The error and the next step."))
    place: str = Field(
        default="", description=N_("Location in the document or the request, for example tables[0].row_kinds[0].key.")
    )
    pointer: str | None = Field(
        default=None, description=N_("The same location in the request as a JSON pointer, for example #/tables/0/name.")
    )
    line: int | None = Field(default=None, description=N_("Line in the JSON text of the request."))


class Failure(Schema):
    """Problem details (RFC 9457): a sentence, and the single problems with their places."""

    type: str = Field(description=N_("URI of the error type."))
    title: str = Field(description=N_("Kind of the error in a few words."))
    status: int = Field(description=N_("Status of the response."))
    detail: str = Field(description=N_("A sentence with the error and the next step."))
    error: str = Field(description=N_("The same sentence, for clients of earlier versions."))
    problems: list[Wrong] = Field(description=N_("The errors one by one, with their places."))


FAILURES: dict[int, Any] = dict.fromkeys((400, 401, 403, 404, 422, 429, 503), Failure)
"""What every operation may answer besides."""


BODY: dict[int, Any] = {400: Failure, 413: Failure}
"""What every operation may answer that reads a body."""
OF_CONTENT = (400, 422)
"""Statuses of requests whose content is wrong: their answers say which part, the whole body where it is no part."""
NOT_JSON = ("body", "Idempotency-Key")
"""Places that are not in a JSON body: a body that is a file, and headers."""
KINDS = frozenset(get_args(one.model_fields["kind"].annotation)[0] for one in get_args(get_args(Edit)[0]))


def _list_problems(problems: Iterable[Problem], *, prefix: str = "") -> list[dict[str, Any]]:
    """Return problems of a document, or with a prefix those of an element of the design, which is not the request."""
    return [
        _build_problem(p.text, (*filter(None, (prefix,)), *p.path), p.line, is_of_request=not prefix) for p in problems
    ]


def _build_problem(text: Text, path: Path, line: int | None = None, *, is_of_request: bool = True) -> dict[str, Any]:
    return {
        "sentence": translate(text.message, text.params),
        "place": path_text(path),
        "pointer": json_pointer(path) if is_of_request else None,
        "line": line,
    }


def json_pointer(path: Path) -> str:
    """Return a path as a JSON pointer in a fragment (RFC 6901)."""
    # "~" first, or the "~1" of a slash would be escaped again.
    steps = (str(step).replace("~", "~0").replace("/", "~1") for step in path)
    return "#" + "".join(f"/{quote(step)}" for step in steps)


def _request_place(error: Mapping[str, Any]) -> Path:
    """Return the place of an error in the request: a parameter, or a place in the submitted body."""
    path: Path = ()
    for step in error["loc"]:
        # A union's tag is a step of pydantic's location, but not of the JSON. A field can be called like a kind: only
        # behind a number is it a tag.
        if step not in KINDS or (path and not isinstance(path[-1], int)):  # the kind of an edit is no step of its JSON
            path = (*path, step)
    return (*path, "kind") if error["type"] == "union_tag_invalid" else path


class PlacedError(DesignError):
    """Error for one value of a request, whose place is told."""

    status = 422

    def __init__(self, sentence: str, *, place: Path, **params: Any) -> None:
        super().__init__(sentence, **params)
        self.at(*place)


def _is_in_body(request: HttpRequest, place: Path) -> bool:
    """Return whether a place is in a JSON body: into none leads a header, the query, or a body that is a file."""
    if place and place[0] in NOT_JSON:
        return False
    with suppress(UnreadableInputError):  # the query itself is what is wrong
        return not place or place[0] not in query(request)
    return False


def error_response(request: HttpRequest, error: DesignError) -> HttpResponse:
    """Return what a caller can mend as problem details, with the time to wait, if there is one."""
    # RFC 9110 requires the header with a 401, and clients choose their scheme by it.
    headers = {"WWW-Authenticate": 'Bearer realm="Keywright"'} if error.status == 401 else {}
    if error.retry_seconds:
        headers["Retry-After"] = f"{error.retry_seconds}"
    detail, name = translate(error.sentence, error.params), getattr(error, "problem_name", "")
    problems = []
    if error.place or error.status in OF_CONTENT:
        is_in_body = _is_in_body(request, error.place)
        problems = [_build_problem(Text(error.sentence, error.params), error.place, is_of_request=is_in_body)]
    return problem_response(error.status, detail, problems, name=name, headers=headers)


def install_handlers(api: NinjaAPI) -> None:
    """Answer what a caller can mend as problem details; anything else is a bug and stays a 500."""

    @api.exception_handler(DesignError)
    def mendable(request: HttpRequest, error: DesignError) -> HttpResponse:
        return error_response(request, error)

    @api.exception_handler(Http404)
    def missing(request: HttpRequest, error: Http404) -> HttpResponse:
        # One answer for "does not exist" and "not yours": the difference would tell which designs exist.
        return problem_response(404, translate(N_("Not found, or not accessible with this token."), {}))

    @api.exception_handler(InvalidDocumentError)
    def unusable(request: HttpRequest, error: InvalidDocumentError) -> HttpResponse:
        detail = translate(N_("The design is invalid. Fix these errors."), {})
        return problem_response(422, detail, _list_problems(error.problems[:SHOWN]), name="invalid-document")

    @api.exception_handler(EditConflictError)
    def conflict(request: HttpRequest, error: EditConflictError) -> HttpResponse:
        problems = (
            _list_problems(error.problems, prefix=error.at if error.inside else "")
            if isinstance(error, InvalidResultError)
            else []
        )
        at = [_build_problem(error.text, tuple(filter(None, (error.at, error.name))), is_of_request=False)]
        # 409: what the edit is about was changed, so that it can be made anew. 422: its result would be meaningless.
        status = 422 if isinstance(error, InvalidResultError) else 409
        detail = translate(N_("The edit does not apply to the current design."), {})
        return problem_response(status, detail, problems or at, name="edit-conflict")

    @api.exception_handler(HttpError)
    def unread(request: HttpRequest, error: HttpError) -> HttpResponse:
        # Raised by Ninja for a body that is no JSON; its own text names the parser.
        text = Text(N_("The request body must be a valid JSON object."))
        return problem_response(error.status_code, translate(text.message, {}), [_build_problem(text, ())])

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        problems = [
            _build_problem(sentence(error), _request_place(error), is_of_request=error.get("source") == "body")
            for error in error.errors[:SHOWN]
        ]
        return problem_response(422, translate(N_("The request is not valid for this address."), {}), problems)
