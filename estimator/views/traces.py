"""An access log of a table that exists: what it tells, and a design made of it."""

import datetime
import hashlib
import io
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.views.decorators.http import require_http_methods

from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import form, query, upload
from designer.models import Design
from designer.views.access import current_person
from designer.views.designs.designs import redirect_to_design, team_of, teams_of
from designer.views.editor.books import begin_today
from estimator.contexts import current_context
from estimator.estimates.context import ComputeStep, Context
from estimator.presentation.trace_page import TracePage
from estimator.traces import TraceFormError, TraceReader, TraceSummary, UnreadLines, design_from_trace, read_log
from estimator.traces.events import KEY_READERS, KeyForm

UNDER_WAY, UNDER_WAY_MAX = "access logs under way", datetime.timedelta(minutes=3)
RETRY_SECONDS = 2
TRACES = "access logs"
"""What the cache holds, by the content of the file and how it was read."""
FILE_BYTES_MAX, LOG_BYTES_MAX = 7_500_000, 64 << 20
"""Of an uploaded file, and of what is compressed in it; the rest of a longer log is not read."""
KEY_FORMS = {"text": N_("text"), "hex": N_("hexadecimal"), "base64": "Base64"}
DAMAGED = Text(N_("the file is damaged or cut off"))
TOO_LARGE = Text(N_("the file is larger than 7.5 MB: compress it, or use the command"))
NO_REQUESTS = Text(N_("no line tells a request"))
GONE = Text(N_("the log is no longer on this server: choose the file again"))


@require_http_methods(["GET", "HEAD", "POST"])
def access_log(request: HttpRequest) -> HttpResponse:
    """Read the log of the form, show what it tells (`log`), or (`save`) make a design of it and open it."""
    given = form(request)
    if request.method == "POST" and "save" not in given:
        digest = _read_upload(request)
        return _trace_page(request, digest) if isinstance(digest, Text) else redirect(f"{request.path}?log={digest}")
    digest = given.get("digest", "") if request.method == "POST" else query(request).get("log", "")
    found: TraceSummary | Text | None = None
    if digest:
        cache = current_context().cache
        found = cache.find(TRACES, digest)
        if found is None and _is_recent(cache.find(UNDER_WAY, digest)):
            response = page(request, "estimator/traces/under_way.html", {})
            response["Refresh"] = f"{RETRY_SECONDS}"
            return response
        found = found or GONE
    if isinstance(found, TraceSummary) and request.method == "POST":
        return _open_design(request, found)
    return _trace_page(request, found, digest)


def _trace_page(request: HttpRequest, found: TraceSummary | Text | None, digest: str = "") -> HttpResponse:
    given, is_refused = form(request), isinstance(found, Text)
    context: dict[str, Any] = {
        "keys": given.get("keys", ""), "columns": given.line("columns", most=200), "key_forms": KEY_FORMS,
        "trace": TracePage(found) if isinstance(found, TraceSummary) else None, "digest": digest,
        "problem": found if is_refused else None, "teams": teams_of(request),
    }  # fmt: skip
    return page(request, "estimator/traces/traces.html", context, status=422 if is_refused else 200)


def _is_recent(begun: datetime.datetime | None) -> bool:
    """Return whether a log that was begun then may still be read."""
    return begun is not None and timezone.now() - begun < UNDER_WAY_MAX


def _read_upload(request: HttpRequest) -> str | Text:
    """Read the uploaded log, in another process where there is one; return what finds it again, or what is wrong."""
    given, context = form(request), current_context()
    data = upload(request, "file", most_bytes=FILE_BYTES_MAX) or b""
    if len(data) > FILE_BYTES_MAX:
        return TOO_LARGE
    keys: KeyForm = given.choice("keys", KEY_READERS, "text")
    columns = given.line("columns", most=200).replace(" ", "")
    digest = hashlib.sha256(b"\0".join((data, columns.encode(), keys.encode()))).hexdigest()
    if context.processes is not None and not context.cache.has(TRACES, digest):

        def keep(found: TraceSummary | Text, seconds: float) -> None:
            context.cache.put(TRACES, digest, found, seconds=seconds)

        context.cache.put(UNDER_WAY, digest, timezone.now(), seconds=1.0)
        step = ComputeStep(_summarize, (data, columns, keys), keep)
        try:
            context.processes.compute((TRACES, digest), context, None, (step,))
        except DesignError as error:
            if not error.is_under_way:
                raise
            return digest
    found = context.cache.get(TRACES, digest, lambda: _summarize(context, None, data, columns, keys))
    return found if isinstance(found, Text) else digest


def _summarize(context: Context, subject: None, data: bytes, columns: str, keys: KeyForm) -> TraceSummary | Text:
    """Return what a log tells, or why it tells nothing; another process calls it too."""
    unread = UnreadLines()
    reader = TraceReader(unread)
    names = tuple(filter(None, columns.split(",")))
    try:
        for events in read_log(io.BytesIO(data), unread, columns=names, keys=keys, bytes_max=LOG_BYTES_MAX):
            reader.add(events)
    except TraceFormError as error:
        return Text(error.message, error.params)
    except (OSError, EOFError):
        return DAMAGED
    summary = reader.summary()
    return summary if summary.events else NO_REQUESTS


def _open_design(request: HttpRequest, summary: TraceSummary) -> HttpResponse:
    name = form(request).line("name", most=200)
    spec = begin_today(design_from_trace(summary, name=name))
    words = Text(N_("created from an access log"))
    made = Design.objects.start(spec, team=team_of(request), by=current_person(request), description=words)
    return redirect_to_design(request, made)
