"""An access log of a table that exists: what it tells, and a design made of it."""

from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form, query, upload, upload_title
from designer.models import Design
from designer.views.access import current_person
from designer.views.designs.designs import redirect_to_design, team_of, teams_of
from designer.views.editor.books import begin_today
from estimator.contexts import current_context
from estimator.models import AccessLog
from estimator.presentation.trace_page import TracePage
from estimator.runs import delivery
from estimator.traces import TraceSummary, design_from_trace
from estimator.traces.events import KEY_READERS, KeyForm
from estimator.traces.forms import told_columns
from estimator.worker.log_reader import read_next_log

RETRY_SECONDS = 2
DESIGNS_MAX = 30
"""So many designs are offered to be corrected."""
FILE_BYTES_MAX = 7_500_000
"""Of an uploaded file: what a request may hold leaves room for no more."""
SMALL_BYTES = 30_000
"""A plain log of so few bytes is read at once, in some 50 ms; longer ones are for a worker."""
PACKED = (b"\x1f\x8b", b"\x28\xb5", b"PAR1")
KEY_FORMS = {"text": N_("text"), "hex": N_("hexadecimal"), "base64": "Base64"}
TOO_LARGE = Text(N_("the file is larger than 7.5 MB: compress it, or use the command"))
GONE = Text(N_("the log is no longer on this server: choose the file again"))
STOPPED = Text(N_("reading was stopped, and the file was deleted"))


@require_http_methods(["GET", "HEAD", "POST"])
def access_log(request: HttpRequest) -> HttpResponse:
    """Queue the log of the form, show what it tells (`log`), stop it (`stop`), or make a design of it (`save`)."""
    parameters = form(request)
    if request.method == "POST" and not parameters.keys() & {"save", "stop"}:
        queued = _queue_upload(request)
        if isinstance(queued, Text):
            return _trace_page(request, queued)
        return redirect(_address(request, queued, name=upload_title(request, "file")))
    digest = parameters.get("digest", "") if request.method == "POST" else query(request).get("log", "")
    if not digest:
        return _trace_page(request, None)
    if corrected := query(request).get("correct"):
        return redirect(f"{reverse('correct', args=[corrected])}?{urlencode({'log': digest})}")
    log = AccessLog.objects.filter(person=current_person(request), digest=digest).defer("data", "checkpoint").first()
    if log is not None and "stop" in parameters:
        log.cancel()
        return redirect(_address(request, log))
    if log is not None and log.is_active:
        return progress_page(request, log)
    outcome = _outcome(log)
    if isinstance(outcome, TraceSummary) and "save" in parameters:
        return _open_design(request, outcome)
    return _trace_page(request, outcome, log)


def _address(request: HttpRequest, log: AccessLog, *, name: str = "") -> str:
    """Return the address of what a log tells; the name of its file is offered for the design."""
    return f"{request.path}?{urlencode({'log': log.digest} | ({'name': name} if name else {}))}"


def _outcome(log: AccessLog | None) -> TraceSummary | Text:
    """Return what a log that is no longer read tells, or why it tells nothing."""
    if log is None:
        return GONE
    if log.state == "cancelled":
        return STOPPED
    return log.summary or log.failure_text or GONE


def progress_page(request: HttpRequest, log: AccessLog) -> HttpResponse:
    """Show how far a log is read, again and again."""
    response = page(request, "estimator/traces/under_way.html", {"log": log})
    response["Refresh"] = f"{RETRY_SECONDS}"
    return response


def _trace_page(request: HttpRequest, found: TraceSummary | Text | None, log: AccessLog | None = None) -> HttpResponse:
    parameters, is_refused = form(request), isinstance(found, Text)
    context: dict[str, Any] = {
        "keys": log.keys if log else parameters.get("keys", ""), "key_forms": KEY_FORMS, "log": log,
        "keeps_keys": log.keeps_keys if log else "keep_keys" in parameters,
        "columns": log.columns if log else parameters.line("columns", most=200), "days": settings.KEYWRIGHT_RESULT_DAYS,
        "trace": TracePage(found) if isinstance(found, TraceSummary) else None,
        "design_name": query(request).line("name"), "teams": teams_of(request),
        "problem": found if is_refused else None,
        "designs": _designs(request) if isinstance(found, TraceSummary) else (),
    }  # fmt: skip
    return page(request, "estimator/traces/traces.html", context, status=422 if is_refused else 200)


def _designs(request: HttpRequest) -> list[Design]:
    """Return the designs that the log could correct, the last edited first."""
    mine = Design.objects.visible_to(current_person(request)).filter(archived=None)
    return list(mine.order_by("-edited").distinct()[:DESIGNS_MAX])


def _queue_upload(request: HttpRequest) -> AccessLog | Text:
    """Store the uploaded log for a worker and return its row, or what is wrong with it."""
    current_context()  # refuses whoever took their share of processor time
    parameters = form(request)
    data = upload(request, "file", most_bytes=FILE_BYTES_MAX) or b""
    if len(data) > FILE_BYTES_MAX:
        return TOO_LARGE
    keys: KeyForm = parameters.choice("keys", KEY_READERS, "text")
    columns = ",".join(told_columns(parameters.line("columns", most=200)))
    try:
        log, is_new = AccessLog.objects.find_or_queue(
            current_person(request), data, columns=columns, keys=keys, keeps_keys="keep_keys" in parameters
        )
    except DesignError as error:
        return Text(error.sentence, error.params)
    is_small = len(data) <= SMALL_BYTES and not data.startswith(PACKED)
    if is_new and not (is_small and read_next_log(log)):
        delivery.send()
    return log


def _open_design(request: HttpRequest, summary: TraceSummary) -> HttpResponse:
    name = form(request).line("name", most=200)
    spec = begin_today(design_from_trace(summary, name=name))
    words = Text(N_("created from an access log"))
    design = Design.objects.start(spec, team=team_of(request), by=current_person(request), description=words)
    return redirect_to_design(request, design)
