"""One access log under the keys of two designs, each beside its model.

A log whose requests can be held is read in the request and not kept; a longer one is kept until a worker has read it.
"""

import io
from collections.abc import Mapping, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import RequestParameters, form, query, upload
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from estimator.contexts import current_context
from estimator.estimates.context import Context
from estimator.models import AccessLog, AskedReplay
from estimator.presentation.replay_keys import candidate_names, designs_under
from estimator.presentation.replay_page import ReplayColumn, ReplayPage
from estimator.runs import delivery
from estimator.runs.limits import TooManyRunsError
from estimator.traces import ReplayError, ReplayPlan, TraceFormError, UnreadLines, read_log
from estimator.traces.events import KEY_READERS, KeyForm
from estimator.traces.forms import told_columns
from estimator.traces.replays.replay_plan import log_keys, log_keys_beside
from estimator.views.traces import GONE, STOPPED, progress_page

from .sides import find_side, offers, visible_designs

FILE_BYTES_MAX = 7_500_000
LOG_BYTES_MAX = 32 << 20
"""Of what is compressed in an upload and read in the request; workers read the whole of longer logs."""
GIVEN = ("table", "row_kind", "log_key", "with", "other_key", "keys", "columns")
ADVISOR, TEXT = "advisor", "text"
KEY_FORMS = {"text": N_("text"), "hex": N_("hexadecimal"), "base64": "Base64"}
NO_FILE = Text(N_("choose a file"))
TOO_LARGE = Text(N_("the file is larger than 7.5 MB: compress it, or use the command"))
DAMAGED = Text(N_("the file is damaged or cut off"))
NO_TABLE = Text(N_("{design} has no table {table}"))
NO_ROW_KEY = Text(N_("the design has no table with row keys"))

Other = tuple[Text, Spec]
"""The name of the second column, and its design."""


@require_http_methods(["GET", "HEAD", "POST"])
def replay(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form; of a log, what it does under both keys, or how far a worker has read it (`log`); stop that."""
    design = design_for(request, key, "view")
    token = form(request).get("digest", "") or query(request).get("log", "")
    if token:
        logs = AccessLog.objects.filter(person=current_person(request), design=design.pk, digest=token)
        log = logs.defer("data", "checkpoint").first()
        if log is not None and "stop" in form(request):
            log.cancel()
            return redirect(f"{request.path}?log={log.digest}")
        if log is not None and log.is_active:
            return progress_page(request, log)
        outcome: ReplayPage | AccessLog | Text | None = _outcome(log)
    else:
        outcome = _replay(request, design) if request.method == "POST" else None
    if isinstance(outcome, AccessLog):
        return redirect(f"{request.path}?log={outcome.digest}")
    is_refused, parameters = isinstance(outcome, Text), form(request) if request.method == "POST" else query(request)
    tables = _tables(design.spec)
    of_kind = {kind.id: table.id for table in tables for kind in table.row_kinds}
    context: dict[str, Any] = {
        "design": design, "problem": outcome if is_refused else None, "key_forms": KEY_FORMS,
        "may_edit": can_edit(request, design),
        "page": outcome if isinstance(outcome, ReplayPage) else None, "offers": offers(request, design),
        "tables": tables, "candidates": candidate_names(), "text": TEXT,
        "has_row_kinds": any(len(table.row_kinds) > 1 for table in tables),
        "given": {
            "table": of_kind.get(parameters.get("kind", "")), "row_kind": parameters.get("kind", ""),
            **_given_lines(parameters),
        },
    }  # fmt: skip
    return page(request, "reviews/replay/replay.html", context, status=422 if is_refused else 200)


def _outcome(log: AccessLog | None) -> ReplayPage | Text:
    """Return what a log that is no longer read did under its keys, or why it did nothing."""
    if log is None:
        return GONE
    if log.state == "cancelled":
        return STOPPED
    if (result := log.replay_result) is None:
        return log.failure_text or GONE
    return ReplayPage(tuple(ReplayColumn(name, replay) for name, replay in result.columns), result.unread)


def _given_lines(given: RequestParameters) -> dict[str, str]:
    values = {
        name: given.line(name, most=1_000) for name in GIVEN if name in given or name not in ("table", "row_kind")
    }
    return values if values["with"] or not values["other_key"] else {**values, "with": TEXT}


def _tables(spec: Spec) -> list[Table]:
    """Return the tables whose requests can be replayed."""
    return [table for table in spec.tables if table.row_kinds and all(kind.key for kind in table.row_kinds)]


def _replay(request: HttpRequest, design: Design) -> ReplayPage | AccessLog | Text:
    """Return what the page shows, a longer log that waits for a worker, or why nothing can be replayed."""
    parameters = form(request)
    current_context()  # refuses whoever took their share of processor time
    data = upload(request, "file", most_bytes=FILE_BYTES_MAX) or b""
    if not data:
        return NO_FILE
    if len(data) > FILE_BYTES_MAX:
        return TOO_LARGE
    tables = _tables(design.spec)
    table = next(
        (table for table in tables if table.id == parameters.line("table", most=40)), tables[0] if tables else None
    )
    if table is None:
        return NO_ROW_KEY
    mine = Text(N_("Key of this design"))
    other = _find_other(request, design, table)
    if isinstance(other, Text):
        return other
    plans = []
    for name, spec in ((mine, design.spec), *([other] if other else [])):
        plan_table = next(
            (candidate for candidate in spec.tables if table.label in (candidate.id, candidate.name)), None
        )
        plan_table = plan_table or (spec.tables[0] if len(spec.tables) == 1 else None)
        if plan_table is None:
            return Text(NO_TABLE.message, {"design": name, "table": table.label})
        plans.append((name, spec, plan_table))
    log_key = parameters.line("log_key", most=1_000)
    try:
        keys_of_log = log_keys(design.spec, table, log_key, _row_kind(request, table))
        keys, columns = (
            parameters.choice("keys", KEY_READERS, "text"),
            told_columns(parameters.line("columns", most=200)),
        )
        # Where the log's keys are the design's own, they need not be translated for the first column.
        result = current_context().beside(
            plans, _read_under, data, keys_of_log, not log_key, keys, columns,
            raises=(ReplayError, TraceFormError, OSError, EOFError),
        )  # fmt: skip
        if isinstance(result, ReplayPage):
            return result
        log, is_new = AccessLog.objects.find_or_queue(
            current_person(request), data, columns=",".join(columns), keys=keys, keeps_keys=True,
            replay=AskedReplay(design, result),
        )  # fmt: skip
        if is_new:
            delivery.send()
        return log
    except TooManyRunsError as error:
        return Text(error.sentence, error.params)
    except (ReplayError, TraceFormError) as error:
        return Text(error.message, error.params)
    except (OSError, EOFError):
        return DAMAGED


def _read_under(
    context: Context, plans: list[tuple[Text, Spec, Table]], data: bytes, log_keys: Mapping[str, str], is_own: bool,
    keys: KeyForm, columns: Sequence[str],
) -> ReplayPage | list[dict[str, Any]]:  # fmt: skip
    """Replay a log under each key, or return the columns of a run for one that is too long to be held.

    Another process calls it.
    """
    replays = _plan_replays(plans, log_keys=log_keys, is_own=is_own)
    unread = _read(data, [plan for _, plan in replays], keys=keys, columns=columns)
    if unread.is_cut or any(plan.is_sampled for _, plan in replays):
        return [AskedReplay.column(*pair) for pair in replays]
    return ReplayPage(tuple(ReplayColumn(name, plan.result(context)) for name, plan in replays), unread)


def _plan_replays(
    plans: Sequence[tuple[Text, Spec, Table]], *, log_keys: Mapping[str, str], is_own: bool
) -> list[tuple[Text, ReplayPlan]]:
    """Return the plan under each key; `is_own` tells that the log's keys are those of the first design."""
    mine, replays = plans[0][2], list[tuple[Text, ReplayPlan]]()
    for number, (name, spec, table) in enumerate(plans):
        keys_of_log = None if is_own and not number else log_keys_beside(mine, log_keys, table)
        replays.append((name, ReplayPlan.for_table(spec, table, keys_of_log).sharing([plan for _, plan in replays])))
    return replays


def _read(data: bytes, plans: Sequence[ReplayPlan], *, keys: KeyForm, columns: Sequence[str]) -> UnreadLines:
    """Read a log, until it is seen to be too long to be held."""
    unread, stream = UnreadLines(), io.BytesIO(data)
    for events in read_log(stream, unread, columns=columns, keys=keys, bytes_max=LOG_BYTES_MAX):
        for plan in plans:
            plan.add(events)
        # By the position in the upload, because nobody knows how long a compressed log is before it is unpacked.
        unread.read_share = min(stream.tell() / len(data), 1.0)
        if any(plan.is_sampled for plan in plans):
            break
    return unread


def _row_kind(request: HttpRequest, table: Table) -> str:
    """Return the row kind that the form names, if it is one of the table."""
    name = form(request).line("row_kind", most=40)
    return name if any(kind.id == name for kind in table.row_kinds) else ""


def _find_other(request: HttpRequest, design: Design, table: Table) -> Other | Text | None:
    """Return the second design that the form names, or what is wrong with it; None if it names none."""
    parameters = form(request)
    # Whoever writes a key wants it, whether or not the list above it says so.
    token = parameters.line("with", most=80) or (TEXT if parameters.line("other_key", most=1_000) else "")
    if token.partition(":")[0] == ADVISOR or token == TEXT:
        name = parameters.line("other_key", most=1_000) if token == TEXT else token
        try:
            return next(designs_under(design.spec, table, name, current_context(), _row_kind(request, table)))
        except ReplayError as error:
            return Text(error.message, error.params)
    if not token or token == "now":
        return None
    try:
        side = find_side(visible_designs(request), design, token)
    except Http404:
        return Text(N_("there is no such design"))
    return side.label, side.spec
