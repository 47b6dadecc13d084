"""Results of an access log, and a design made of it."""

import io
import json
import secrets
from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest
from ninja import Query

from designer.document import dump
from designer.document.texts import N_, Text
from designer.http.beside import read_beside
from designer.http.errors import DesignError
from designer.http.parameters import body
from designer.templatetags.keywright import translate_text
from estimator.presentation.assumed_values import assumed_beside_log, assumed_data
from estimator.traces import (
    TraceFormError,
    TraceReader,
    UnreadLines,
    design_from_trace,
    hash_keys,
    read_log,
)
from estimator.traces.events import KeyForm
from estimator.traces.forms import told_columns
from estimator.traces.report import summary_data
from estimator.traces.summary import TraceSummary
from reviews.api import trace_schemas
from reviews.api.access import require_permission
from reviews.api.errors import BODY, FAILURES
from reviews.api.site import api

LOG_BYTES_MAX = 64 << 20
"""Of a log; the command reads longer ones."""


UNREAD = N_("The access log cannot be read: {reason}.")
DAMAGED = Text(N_("the file is damaged or cut off"))
LOG_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            kind: {"schema": {"type": "string", "format": "binary"}}
            for kind in (
                *("application/octet-stream", "text/csv", "application/x-ndjson", "application/gzip"),
                *("application/zstd", "application/vnd.apache.parquet"),
            )
        },
    }
}
"""What the file is, its first bytes tell, whatever the request says."""


class UnreadTraceError(DesignError):
    """An access log that tells nothing."""

    status = 422


@api.post(
    "/traces",
    response={200: trace_schemas.TraceInfo, **BODY, **FAILURES},
    tags=["imports"],
    operation_id="readTrace",
    summary=N_("Keys, rates, hours and access distributions of an access log, also as a design; nothing is saved"),
    url_name="api_traces",
)
def read_trace(request: HttpRequest, asked: trace_schemas.TraceAsked) -> Any:
    require_permission(request, "view")
    return _trace_data(
        asked.text.encode("utf-8", "replace"), asked, columns=asked.columns, name=asked.name, place="text"
    )


@api.post(
    "/traces/file",
    response={200: trace_schemas.TraceInfo, **BODY, **FAILURES},
    tags=["imports"],
    operation_id="readTraceFile",
    summary=N_("The same for an access log as a file: the body is text, gzip, zstd or Parquet"),
    openapi_extra=LOG_FILE,
    url_name="api_traces_file",
)
def read_trace_file(request: HttpRequest, asked: Query[trace_schemas.TraceFileAsked]) -> Any:
    require_permission(request, "view")
    columns = told_columns(asked.columns)
    return _trace_data(body(request), asked, columns=columns, name=asked.design_name, place="body")


def _trace_data(
    data: bytes,
    asked: trace_schemas.TraceAsked | trace_schemas.TraceFileAsked,
    *,
    columns: Sequence[str],
    name: str,
    place: str,
) -> dict[str, Any]:
    """Return what a log tells, and a design of it; `place` is where the request has the log."""
    try:
        summary: TraceSummary = read_beside(
            _read_log, data, columns, asked.keys, length=len(data), raises=(TraceFormError, OSError, EOFError)
        )
    except TraceFormError as error:
        raise UnreadTraceError(UNREAD, reason=Text(error.message, error.params)).at(place) from error
    except (OSError, EOFError) as error:
        raise UnreadTraceError(UNREAD, reason=DAMAGED).at(place) from error
    if not summary.events:
        raise UnreadTraceError(N_("No line of the access log contains a request.")).at(place)
    if asked.hash_keys:
        summary = hash_keys(summary, secrets.token_bytes(32))
    design = design_from_trace(summary, name=name)
    assumed = assumed_data(assumed_beside_log(design, {table.id for table in design.tables}), translate=translate_text)
    return {"report": summary_data(summary), "document": json.loads(dump(design)), "assumed": assumed}


def _read_log(data: bytes, columns: Sequence[str], keys: KeyForm) -> TraceSummary:
    """Return what a log tells."""
    unread = UnreadLines()
    reader = TraceReader(unread)
    for events in read_log(io.BytesIO(data), unread, columns=columns, keys=keys, bytes_max=LOG_BYTES_MAX):
        reader.add(events)
    return reader.summary()
