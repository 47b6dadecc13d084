"""What an access log tells, and a design made of it."""

import io
import json
import secrets
from typing import Any

from django.http import HttpRequest

from designer.document import dump
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from estimator.traces import (
    TraceFormError,
    TraceReader,
    UnreadLines,
    design_from_trace,
    hash_keys,
    read_log,
)
from estimator.traces.report import summary_data
from reviews.api import schemas
from reviews.api.access import require_permission
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import api

LOG_BYTES_MAX = 64 << 20
"""Of a log; the command reads longer ones."""


class UnreadTraceError(DesignError):
    """An access log that tells nothing."""

    status = 422


@api.post(
    "/traces",
    response={200: schemas.TraceInfo, **BODY, **FAILURES},
    tags=["imports"],
    operation_id="readTrace",
    summary=N_("Keys, rates, hours and access distributions of an access log, as a design too; nothing is saved"),
    url_name="api_traces",
)
def read_trace(request: HttpRequest, asked: schemas.TraceAsked) -> Any:
    require_permission(request, "view")
    unread = UnreadLines()
    reader = TraceReader(unread)
    try:
        stream = io.BytesIO(asked.text.encode("utf-8", "replace"))
        for events in read_log(stream, unread, columns=asked.columns, keys=asked.keys, bytes_max=LOG_BYTES_MAX):
            reader.add(events)
    except TraceFormError as error:
        reason = Text(error.message, error.params)
        raise UnreadTraceError(N_("The access log cannot be read: {reason}."), reason=reason) from error
    summary = reader.summary()
    if not summary.events:
        raise UnreadTraceError(N_("No line of the access log tells a request."))
    if asked.hash_keys:
        summary = hash_keys(summary, secrets.token_bytes(32))
    return {"report": summary_data(summary), "document": json.loads(dump(design_from_trace(summary, name=asked.name)))}
