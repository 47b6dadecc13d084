"""Parts of the estimate beside the open element in the editor: figures, findings, effects of a fix."""

import datetime
import getpass
import secrets
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from designer.document import Spec
from designer.document.design import Ignore
from designer.document.dump import to_plain_data
from designer.document.edits import EditConflictError, Insert
from designer.document.texts import N_, Text
from designer.editing import forms
from designer.http.parameters import form, header, query
from designer.views.access import current_person, design_for, share
from designer.views.editor.editor import saved_response
from estimator.comparison.preview import preview
from estimator.contexts import current_context
from estimator.presentation.charts.heatmap import AGAINST, OF
from estimator.presentation.design_page import DesignPage, FindingView, design_page
from estimator.presentation.effects import effects_of
from estimator.presentation.findings_beside import containing_table, findings_by_place
from estimator.presentation.findings_beside import outline_marks as marks_of
from estimator.presentation.insight import figures, guess_count
from estimator.presentation.origins import origins
from estimator.templatetags.analysis_tags import render_of_analysis

from .sources import source

Part = Callable[[HttpRequest, dict[str, Any]], str]
"""Renders a part of the editor from the context of a content."""
SAID_IN_LISTS = 2
"""So many effects are said of an entry of a list."""
MOST_GUESSES = 300
"""So many guesses are listed beside the editor; the page of the estimate has them all."""
FIRST = 6
"""So many findings are in the list at once; the rest is asked for."""


@require_safe
def insight(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the insight column of the editor, with the heatmap of the table of the open element (`?at=`)."""
    context = source(request, where).context
    return share(request, context["design"], HttpResponse(_insight(request, context)))


@require_safe
def effects(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the effects of the open element (`?at=`), beside its controls and its entries, or of a whole `?list=`."""
    context = source(request, where).context
    return share(request, context["design"], HttpResponse(_effects(request, context)))


@require_safe
def marks(request: HttpRequest, **where: str) -> HttpResponse:
    """Short marks for the outline: where findings are, and how grave."""
    context = source(request, where).context
    return share(request, context["design"], HttpResponse(_marks(request, context)))


def parts_response(
    request: HttpRequest, where: dict[str, str], more: Mapping[str, Part], *, seconds: float
) -> HttpResponse:
    """Return several parts of one content in one answer, as JSON: those whose names (`?names=`) are given.

    `more` are those of packages that build on this one. Several people get the answer for so many seconds.
    """
    context, names = source(request, where).context, query(request).get("names", "").split(",")
    parts = {name: part(request, dict(context)) for name, part in {**PARTS, **more}.items() if name in names}
    return share(request, context["design"], JsonResponse(parts), seconds=seconds)


def _insight(request: HttpRequest, context: dict[str, Any]) -> str:
    view: DesignPage = context["page"]
    at = query(request).get("at", "")
    of, against = (query(request).choice(name, names, names[0]) for name, names in (("of", OF), ("against", AGAINST)))
    table = containing_table(view, at)
    has_heat = table is not None and table.part.traffic is not None
    context |= {
        "at": at, "table": table, "of": of, "against": against,
        "first": (remarks := _listed(view, at))[:FIRST], "rest": max(0, len(remarks) - FIRST),
        "has_heat": has_heat, "figures": tuple(figures(view, table)),
        "guesses": guess_count(view.spec), "explains": table is not None and view.has_fix(table.table),
    }  # fmt: skip
    return render_to_string("estimator/insight/insight.html", context, request)


def _effects(request: HttpRequest, context: dict[str, Any]) -> str:
    view: DesignPage = context["page"]
    at = query(request).get("at", "")
    if at and at not in view.spec.by_id and at != forms.INSTANCE:
        return ""
    effects, whole = partial(effects_of, view.spec, view.estimate), query(request).get("list", "")
    lists = (element_list for element_list in forms.lists(view.spec, at) if whole in ("", element_list.field))
    inside = (element for element_list in lists for element in element_list.visible_elements(whole))
    context |= {
        "own": () if whole else effects("" if at == forms.INSTANCE else at),
        "entries": tuple((element.id, effects(element.id)[:SAID_IN_LISTS]) for element in inside),
        "beside": findings_by_place(view, at, whole),
        "origins": () if whole else origins(view.spec, view.estimate, at),
    }
    return render_to_string("estimator/insight/effects.html", context, request)


def _marks(_: HttpRequest, context: dict[str, Any]) -> str:
    view: DesignPage = context["page"]
    return render_of_analysis(context, "estimator/insight/marks.html", {"marks": lambda: marks_of(view)})


PARTS: Mapping[str, Part] = {"insight": _insight, "effects": _effects, "marks": _marks}
"""What an editor asks for together after each edit."""


@require_safe
def findings(request: HttpRequest, **where: str) -> HttpResponse:
    """Show the findings that do not fit in the initial list."""
    context = source(request, where).context
    remarks = _listed(context["page"], query(request).get("at", ""))[FIRST:]
    return render(request, "estimator/insight/_remarks.html", context | {"remarks": remarks})


def _listed(shown: DesignPage, at: str) -> tuple[FindingView, ...]:
    """Return the findings of the list beside the open element; questions are on the sheet, if that is open."""
    return shown.remarks if at else tuple(remark for remark in shown.remarks if remark.severity != "question")


@require_safe
def finding(request: HttpRequest, number: str, **where: str) -> HttpResponse:
    """One finding: why, what instead, when it is fine, its fix; in the list, or (for a panel) with its sentence."""
    context = source(request, where).context
    context["remark"] = _remark(context["page"], number)
    context["in_panel"] = header(request, "HX-Target") == "panel-body"
    return render(request, "estimator/insight/finding.html", context)


@require_safe
def fix(request: HttpRequest, number: str, **where: str) -> HttpResponse:
    """Show the changes that the fix of a finding (or `?choice=`, an answer) would make, before it is applied."""
    context = source(request, where).context
    remark = _remark(context["page"], number)
    finding, chosen = remark.finding, query(request).number("choice")
    answers = finding.choices[chosen : chosen + 1] if chosen is not None else ()
    edit = answers[0].edit if answers else finding.fix
    if edit is None:
        raise Http404
    context |= {"remark": remark, "answer": answers[0] if answers else None, "edit": edit}
    context["preview"] = preview(context["page"], edit)
    return render(request, "estimator/insight/fix.html", context)


@require_safe
def acceptance(request: HttpRequest, number: str, **where: str) -> HttpResponse:
    """Show the form for accepting the risk of a finding, to people who may edit."""
    design_for(request, where["key"], "edit")
    context = source(request, where).context
    context |= {"remark": _remark(context["page"], number), "owner": _owner(request, context["page"].spec)}
    return render(request, "estimator/insight/accept.html", context)


@require_safe
def guesses(request: HttpRequest, **where: str) -> HttpResponse:
    """All guesses in one place, each with the way to where it is corrected."""
    context = source(request, where).context
    all_of_them = context["page"].assumed_values
    context |= {"guesses": all_of_them[:MOST_GUESSES], "rest": max(0, len(all_of_them) - MOST_GUESSES)}
    return render(request, "estimator/insight/guesses.html", context)


def _remark(page: DesignPage, number: str) -> FindingView:
    remark = page.all_remarks.get(int(number))
    if remark is None:
        raise Http404
    return remark


@require_POST
def accept(request: HttpRequest, key: str) -> HttpResponse:
    """Accept the risk that a finding tells of: a reason, who answers for it, and until when."""
    design, parameters = design_for(request, key, "edit"), form(request)
    view = design_page(design.spec, current_context())
    rule, at = parameters.get("rule", ""), parameters.get("at", "")
    remark = next((r for r in view.findings_by_element.get(at, ()) if r.finding.rule == rule), None)
    if remark is None:
        raise Http404  # somebody has mended it meanwhile
    problem = _problem(parameters)
    if problem is None:
        ignore = _ignore(parameters, remark)
        try:
            saved = design.apply(
                Insert(parent="", list="ignores", element=to_plain_data(ignore)), by=current_person(request)
            )
        except EditConflictError as conflict:
            problem = conflict.text
        else:
            response = saved_response(request, design, saved)
            response["HX-Reswap"] = "none"
            return response
    context: dict[str, Any] = {"design": design, "remark": remark, "given": parameters, "problem": problem}
    context["owner"] = _owner(request, design.spec)
    return render(request, "estimator/insight/_accept.html", context, status=422)


def _owner(request: HttpRequest, spec: Spec) -> str:
    """Return the default owner of a risk: the person who asks.

    The local person gets the account's name at first, then the last name entered: "you" would be somebody else to
    each reader.
    """
    me = current_person(request)
    if me.name or not me.is_local:
        return str(me)
    if spec.ignores:
        return spec.ignores[-1].owner
    with suppress(OSError, KeyError, ImportError):  # an account without a name
        return getpass.getuser()
    return str(me)


def _problem(given: Any) -> Text | None:
    if not given.get("reason", "").strip():
        return Text(N_("Enter a reason for accepting the risk."))
    if not given.get("owner", "").strip():
        return Text(N_("Enter the person responsible."))
    try:
        until = datetime.date.fromisoformat(given["until"]) if given.get("until") else None
    except ValueError:
        return Text(N_('"{until}" is not a valid date'), {"until": given["until"]})
    if until and until < datetime.datetime.now(datetime.UTC).date():
        return Text(N_("The date {until} has passed. Enter a future date."), {"until": until})
    return None


def _ignore(given: Any, remark: FindingView) -> Ignore:
    """Return the accepted risk with its current effect."""
    until = given.get("until")
    return Ignore(
        id=secrets.token_hex(5),
        rule=remark.finding.rule,
        at=remark.finding.at,
        reason=given["reason"].strip(),
        owner=given["owner"].strip(),
        until=datetime.date.fromisoformat(until) if until else None,
        effect=remark.finding.effect,
    )
