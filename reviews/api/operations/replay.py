"""The requests of an access log under the key of a design and another one."""

import io
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Status

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.http.parameters import body
from designer.templatetags.keywright import translate_text
from estimator.contexts import current_context
from estimator.estimates.context import Context
from estimator.models import AccessLog, AskedReplay
from estimator.presentation.replay_keys import designs_under
from estimator.runs import delivery
from estimator.traces import ReplayError, ReplayPlan, TraceFormError, UnreadLines, read_log
from estimator.traces.events import KeyForm
from estimator.traces.forms import told_columns
from estimator.traces.replays.replay_plan import log_keys, log_keys_beside
from estimator.traces.report import unread_data
from reviews.api import trace_schemas
from reviews.api.access import design_of, token_of
from reviews.api.errors import BODY, FAILURES, PlacedError
from reviews.api.site import api, creation_answer

from .traces import DAMAGED, LOG_BYTES_MAX, LOG_FILE

PlannedReplay = tuple[Text, Spec, Table, dict[str, str] | None]
UNREPLAYED = N_("The access log cannot be replayed: {reason}.")


class UnreplayedTraceError(DesignError):
    """An access log that cannot be replayed."""

    status = 422


@api.post(
    "/designs/{key}/replay",
    response={200: trace_schemas.ReplayInfo, **BODY, **FAILURES},
    tags=["computed"],
    operation_id="replayLog",
    summary=N_("The requests of an access log under the key of a table and another one, beside the model"),
    url_name="api_replay",
)
def replay(request: HttpRequest, key: str, asked: trace_schemas.ReplayAsked) -> Any:
    spec, data = design_of(request, key, "view").spec, asked.text.encode("utf-8", "replace")
    return _replay_data(request, spec, data, asked, columns=asked.columns, place="text")


@api.post(
    "/designs/{key}/replay/file",
    response={200: trace_schemas.ReplayInfo, **BODY, **FAILURES},
    tags=["computed"],
    operation_id="replayLogFile",
    summary=N_("The same for an access log as a file: the body is text, gzip, zstd or Parquet"),
    openapi_extra=LOG_FILE,
    url_name="api_replay_file",
)
def replay_file(request: HttpRequest, key: str, asked: Query[trace_schemas.ReplayFileAsked]) -> Any:
    spec = design_of(request, key, "view").spec
    return _replay_data(request, spec, body(request), asked, columns=told_columns(asked.columns), place="body")


def _replay_data(
    request: HttpRequest,
    spec: Spec,
    data: bytes,
    asked: trace_schemas.ReplayOptions,
    *,
    columns: Sequence[str],
    place: str,
) -> dict[str, Any]:
    """Return the requests of a log under one key or several; `place` is where the request has the log."""
    try:
        plans = _plans(request, spec, asked)
        result: dict[str, Any] = current_context().beside(
            plans, _read_under, data, columns, asked.keys, raises=(ReplayError, TraceFormError, OSError, EOFError)
        )
    except (ReplayError, TraceFormError) as error:
        raise UnreplayedTraceError(UNREPLAYED, reason=Text(error.message, error.params)).at(place) from error
    except (OSError, EOFError) as error:
        raise UnreplayedTraceError(UNREPLAYED, reason=DAMAGED).at(place) from error
    return result


def _read_under(
    context: Context, planned: list[PlannedReplay], data: bytes, columns: Sequence[str], keys: KeyForm
) -> dict[str, Any]:
    """Return what a log does under each key; another process calls it."""
    plans = [plan for _, plan in _make_plans(planned)]
    unread, stream = UnreadLines(), io.BytesIO(data)
    for events in read_log(stream, unread, columns=columns, keys=keys, bytes_max=LOG_BYTES_MAX):
        for plan in plans:
            plan.add(events)
        unread.read_share = min(stream.tell() / len(data), 1.0)
    return _answer_data([plan.result(context).data(shows_keys=True) for plan in plans], unread)


def _answer_data(replays: list[dict[str, Any]], unread: UnreadLines) -> dict[str, Any]:
    log_data = {"columns": unread.columns, "unread": unread_data(unread), "is_cut": unread.is_cut}
    return {"replays": replays, **log_data, "read_share": unread.read_share if unread.is_cut else 1.0}


# --- runs, of logs that are longer ---


@api.post(
    "/designs/{key}/replay/runs",
    response={200: trace_schemas.ReplayRunInfo, 201: trace_schemas.ReplayRunInfo, **BODY, **FAILURES},
    tags=["runs"],
    operation_id="startReplay",
    summary=N_("Replay all requests of a long access log in the background; the body is its file"),
    openapi_extra=LOG_FILE,
    url_name="api_replay_runs",
)
def start(request: HttpRequest, response: HttpResponse, key: str, asked: Query[trace_schemas.ReplayFileAsked]) -> Any:
    design, columns = design_of(request, key, "view"), told_columns(asked.columns)
    try:
        plans = _make_plans(_plans(request, design.spec, asked))
    except ReplayError as error:
        raise UnreplayedTraceError(UNREPLAYED, reason=Text(error.message, error.params)).at("body") from error
    replay = AskedReplay(design, [AskedReplay.column(*plan) for plan in plans])
    log, is_new = AccessLog.objects.find_or_queue(
        token_of(request).by, body(request), columns=",".join(columns), keys=asked.keys, keeps_keys=True, replay=replay
    )
    if not is_new:
        return Status(200, _run_data(log))
    transaction.on_commit(delivery.send)
    return creation_answer(response, _run_data(log), "api_replay_run", key, log.digest)


@api.get(
    "/designs/{key}/replay/runs/{run}",
    response={200: trace_schemas.ReplayRunInfo, **FAILURES},
    tags=["runs"],
    operation_id="getReplay",
    summary=N_("Progress of a replay, and its result when it is done"),
    url_name="api_replay_run",
)
def progress(request: HttpRequest, key: str, run: str) -> Any:
    return _run_data(_find_run(request, key, run))


@api.post(
    "/designs/{key}/replay/runs/{run}/cancel",
    response={200: trace_schemas.ReplayRunInfo, **FAILURES},
    tags=["runs"],
    operation_id="cancelReplay",
    summary=N_("Cancel a replay and delete its file"),
    url_name="api_replay_run_cancel",
)
def cancel(request: HttpRequest, key: str, run: str) -> Any:
    log = _find_run(request, key, run)
    log.cancel()
    log.refresh_from_db(fields=["state"])
    return _run_data(log)


def _find_run(request: HttpRequest, key: str, run: str) -> AccessLog:
    """Return a replay of this design that a token of the same person has started."""
    mine = AccessLog.objects.filter(design=design_of(request, key, "view").pk, person=token_of(request).by)
    log = mine.filter(digest=run).defer("data", "checkpoint").first()
    if log is None:
        raise Http404
    return log


def _run_data(log: AccessLog) -> dict[str, Any]:
    reason, replay_result = log.failure_text, log.replay_result
    result = None
    if replay_result is not None:
        result = _answer_data(
            [replay.data(shows_keys=True) for _, replay in replay_result.columns], replay_result.unread
        )
    state = {"id": log.digest, "state": log.state, "fraction": log.fraction, "asked": log.asked}
    return {**state, "reason": translate_text(reason) if reason else "", "result": result}


OWN = Text(N_("Key of this design"))
ANOTHER = Text(N_("Another design"))


def _make_plans(planned: list[PlannedReplay]) -> list[tuple[Text, ReplayPlan]]:
    """Return the plans, which read what they have in common once."""
    plans: list[tuple[Text, ReplayPlan]] = []
    for name, spec, table, keys in planned:
        plans.append((name, ReplayPlan.for_table(spec, table, keys).sharing([other for _, other in plans])))
    return plans


def _plans(request: HttpRequest, spec: Spec, asked: trace_schemas.ReplayOptions) -> list[PlannedReplay]:
    """Return each design with its table, and the log's keys where these are others than the table's."""
    tables = [table for table in spec.tables if asked.table in ("", table.id, table.name)]
    if len(tables) != 1:
        raise ReplayError(N_("name one table of the design"))
    (table,) = tables
    keys = log_keys(spec, table, asked.log_key, asked.row_kind)
    plans: list[PlannedReplay] = [(OWN, spec, table, keys if asked.log_key else None)]
    others = designs_under(spec, table, asked.other_key, current_context(), asked.row_kind) if asked.other_key else ()
    designs = [*others, *([(ANOTHER, _other_design(request, asked.other_design))] if asked.other_design else [])]
    for name, other in designs:
        matches = [
            candidate for candidate in other.tables if table.label in (candidate.id, candidate.name)
        ] or other.tables
        if len(matches) != 1:
            raise ReplayError(N_("the other design has no table {table}"), table=table.label)
        plans.append((name, other, matches[0], log_keys_beside(table, keys, matches[0])))
    return plans


def _other_design(request: HttpRequest, key: str) -> Spec:
    try:
        return design_of(request, key, "view").spec
    except Http404:
        raise PlacedError(N_("Your team has no such design."), place=("other_design",)) from None
