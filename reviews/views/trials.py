"""A design tried on an engine: what a trial does, the command, and results that were kept."""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from designer.document import Spec, fingerprint
from designer.document.engines import description_of
from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import form, query, uploads
from designer.models import Design
from designer.views.access import can_edit, current_person, design_for
from designer.wording import element_label
from estimator.contexts import current_context
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.presentation.design_page import MANY_TABLES, analysis_key
from reviews.models import KeptTrial
from reviews.trials import ROWS, TrialResult, describe_plan, plan_trial
from reviews.trials.reports import BYTES_MAX, UnreadResultError, read_result

PLANS = "plans of trials"
NO_FILE = Text(N_("choose a file"))
NO_RESULT = Text(N_("this is not what try --json prints"))
NOT_RUN = Text(N_("this is a plan and not a result: it has not run"))


@dataclass(frozen=True)
class TrialView:
    """A result with its sentences."""

    result: TrialResult
    findings: tuple[tuple[str, Text], ...]
    """Each with the name of its element."""
    is_current: bool
    """It is of the design as it is now."""
    kept: KeptTrial | None = None


@require_http_methods(["GET", "HEAD", "POST"])
def trial(request: HttpRequest, key: str) -> HttpResponse:
    """Show what a trial does and the last result; keep an uploaded one, `remove` a kept one."""
    design = design_for(request, key, "edit" if request.method == "POST" else "view")
    problem: Text | None = None
    if request.method == "POST":
        if number := form(request).number("remove"):
            KeptTrial.objects.filter(design=design, pk=number).delete()
            return redirect(request.path)
        outcome = _read_upload(request)
        if isinstance(outcome, TrialResult):
            KeptTrial.store(design, outcome, by=current_person(request))
            return redirect(request.path)
        problem = outcome
    described = description_of(design.spec)
    # In a clone the engine's client is in a folder of its own; an installed copy says which extra it lacks.
    program = settings.KEYWRIGHT_PROGRAM
    client = "" if program == "keywright" else f" --with {design.spec.engine}"
    context: dict[str, Any] = {
        "design": design, "may_edit": can_edit(request, design), "problem": problem, "trials": _kept_trials(design),
        **_plan_context(trial_plan(design), is_whole=query(request).get("whole") == "1"),
        "needs": described.trial_needs,
        "command": f"{program}{client} try DESIGN.json {described.trial_options} --json > result.json",
    }  # fmt: skip
    return page(request, "reviews/trials/trial.html", context, status=422 if problem else 200)


def trial_plan(design: Design) -> TrialResult:
    """Return what a trial of the design does."""
    spec, context = design.spec, current_context()
    key = (design.key, analysis_key(spec, context))
    plan: TrialResult = context.get_or_compute(PLANS, key, spec, _plan_of, design.key)
    return plan


def _plan_context(plan: TrialResult, *, is_whole: bool) -> dict[str, Any]:
    """Return what the page lists of a plan: the first tables and reads of a large design, and how many there are."""
    counts = {"table_count": len(plan.tables), "read_count": len(plan.reads)}
    if not is_whole:
        plan = replace(plan, tables=plan.tables[:MANY_TABLES], reads=plan.reads[: 2 * MANY_TABLES])
    return {"plan": plan, **counts}


def _plan_of(context: Context, spec: Spec, name: str) -> TrialResult:
    return describe_plan(plan_trial(spec, estimate(spec, context)), design=name, rows=ROWS)


def _kept_trials(design: Design) -> list[TrialView]:
    now = fingerprint(design.spec)
    return [
        _with_sentences(design.spec, trial, is_current=trial.result.sha256 == now)
        for trial in KeptTrial.objects.filter(design=design).select_related("by")
    ]


def _with_sentences(spec: Spec, kept: KeptTrial, *, is_current: bool) -> TrialView:
    result = kept.result
    findings = tuple(
        (element_label(spec, finding.element) if finding.element else "", finding.text) for finding in result.findings
    )
    return TrialView(result, findings, is_current, kept)


def _read_upload(request: HttpRequest) -> TrialResult | Text:
    files = uploads(request, "file", most_bytes=BYTES_MAX)
    if not files:
        return NO_FILE
    try:
        result = read_result(files[0][1])
    except UnreadResultError:
        return NO_RESULT
    return result if result.target else NOT_RUN
