"""An access log corrects a design: its changes are shown with what they do, then applied as one."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from designer.document.texts import N_, Text
from designer.http.pages import page
from designer.http.parameters import form, query
from designer.models import Design
from designer.views.access import current_person, design_for
from designer.wording.edit_messages import describe_edit
from estimator.comparison.preview import preview
from estimator.contexts import current_context
from estimator.models import AccessLog
from estimator.presentation.assumed_values import assumed_beside_log
from estimator.presentation.design_page import design_page
from estimator.traces import TraceSummary, correct_design

LABEL = N_("corrected from an access log")
GONE = Text(N_("the log is no longer on this server: choose the file again"))
CHANGED = Text(N_("the design has changed since: look at the changes again"))


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, key: str) -> HttpResponse:
    """Show the changes that a log (`?log=`) makes to a design; make them, if the design is what was shown."""
    design = design_for(request, key, "edit")
    parameters = form(request) if request.method == "POST" else query(request)
    digest = parameters.get("log", "")
    log = AccessLog.objects.filter(person=current_person(request), digest=digest).defer("data", "checkpoint").first()
    summary = log.summary if log is not None else None
    if summary is None:
        return _show(request, design, digest, problem=GONE)
    if request.method == "POST":
        if parameters.get("head") != design.head_id:
            return _show(request, design, digest, summary, problem=CHANGED)
        edit = correct_design(design.spec, summary).edit(LABEL)
        if edit is not None:
            design.apply(edit, by=current_person(request))
        return redirect("editor", design.key)
    return _show(request, design, digest, summary)


def _show(
    request: HttpRequest, design: Design, digest: str, summary: TraceSummary | None = None, problem: Text | None = None
) -> HttpResponse:
    context: dict[str, Any] = {
        "design": design, "may_edit": True, "digest": digest, "problem": problem, "summary": summary,
        "changes": (), "left_open": (), "preview": None, "assumed": (),
    }  # fmt: skip
    if summary is not None:
        correction = correct_design(design.spec, summary)
        edit = correction.edit(LABEL)
        context |= {"left_open": correction.left_open, "assumed": assumed_beside_log(design.spec, correction.tables)}
        if edit is not None:
            outcome = preview(design_page(design.spec, current_context()), edit)
            after = outcome.after.spec
            context |= {
                "preview": outcome,
                "assumed": assumed_beside_log(after, correction.tables),
                "changes": [describe_edit(design.spec, after, change) for change in correction.changes],
            }
    return page(request, "estimator/corrections/correction.html", context, status=422 if problem else 200)
