"""The editor: a design's elements as forms that save as one types.

A form posts one edit; the answer brings the new preconditions out of band and announces what is the head now, so that
insight and outline are read again. What somebody types in is never swapped.
"""

import json
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_POST, require_safe
from pydantic import TypeAdapter, ValidationError

from designer.document import Spec
from designer.document.dump import dump
from designer.document.edits import Conflict, Edit, Invalid, Set
from designer.document.key import AnySegment
from designer.document.texts import N_, Text
from designer.editing import forms, parts
from designer.editing.conflict_sides import sides
from designer.editing.key_builder import Key, key_at
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.models import Design, NothingToUndo, Person, Saved
from designer.permissions import may
from designer.wording import element_label, what_is

from ..access import design_for, may_edit, person
from .books import with_book
from .outline import holders, outline
from .presence import removed


class NoEdit(DesignError):
    """Error for posted data that is not an edit."""


@require_safe
def editor(request: HttpRequest, key: str, at: str = "") -> HttpResponse:
    """Show the page of a design, with one element open."""
    design = design_for(request, key, "view")
    spec = design.spec
    if at and at not in spec.by_id and at != forms.INSTANCE:
        found = removed(request, design, at)
        if found is None:
            raise Http404
        return found
    centre = "designer/editor/_instance.html" if at == forms.INSTANCE else "designer/editor/_centre.html"
    context = shown(request, design, spec, at) | {"centre": centre}
    return page(request, "designer/editor/editor.html", context, part=centre)


@require_safe
def callers(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form that assigns an app profile to each write and read."""
    design = design_for(request, key, "view")
    return render(
        request, "designer/editor/instance/_callers.html", shown(request, design, design.spec, forms.INSTANCE)
    )


@require_POST
def edit(request: HttpRequest, key: str) -> HttpResponse:
    """Apply one edit: of a control's form, or given as data by a button."""
    design = design_for(request, key, "edit")
    given = _edit_of(request, design.spec)
    try:
        saved = design.apply(with_book(design.spec, given), by=person(request))
    except Invalid as invalid:
        return _refused(request, design, given, invalid, status=422)
    except Conflict as conflict:
        return _refused(request, design, given, conflict, status=409)
    by_form = given if isinstance(given, Set) and "edit" not in request.POST else None
    return _answer(request, design, by_form, saved)


@require_POST
def undo(request: HttpRequest, key: str) -> HttpResponse:
    """Take back one's own last change."""
    before = request.POST.get("before", "")
    return _step(request, design_for(request, key, "edit"), "undo", before=int(before) if before.isdecimal() else None)


@require_POST
def redo(request: HttpRequest, key: str) -> HttpResponse:
    """Bring back what one's last undo took."""
    return _step(request, design_for(request, key, "edit"), "redo")


@require_POST
def bring_back(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Put back an element that somebody removed."""
    design = design_for(request, key, "edit")
    try:
        saved = design.bring_back(at, by=person(request))
    except (Conflict, NothingToUndo) as reason:
        return _not_done(request, reason)
    if not request.headers.get("HX-Request"):
        return redirect("element", design.key, at)
    return _answer(request, design, None, saved)


def _step(request: HttpRequest, design: Design, way: str, **skip: int | None) -> HttpResponse:
    me = person(request)
    try:
        saved = getattr(design, way)(by=me, **skip)
    except Conflict as conflict:
        who = design.last_to_change(conflict.at, conflict.name) if conflict.name else None
        if way == "undo":
            return _blocked(request, design, conflict, who=None if who == me else who, before=skip["before"])
        return _not_done(request, conflict)
    except NothingToUndo as reason:
        return _not_done(request, reason)
    return _answer(request, design, None, saved)


def _blocked(
    request: HttpRequest, design: Design, conflict: Conflict, *, who: Person | None, before: int | None
) -> HttpResponse:
    """One's own change that cannot be taken back, why, and the one before it, which perhaps can."""
    me = person(request)
    blocked = design.undoable(me, before=before)
    text = conflict.text
    if who is not None and blocked is not None:
        message = N_(
            "“{what}” cannot be undone: {who} changed the same item later. The history can restore any revision."
        )
        text = Text(message, {"who": str(who), "what": blocked.text})
    elif blocked is not None:
        message = N_("“{what}” cannot be undone: {why}. The history can restore any revision.")
        text = Text(message, {"what": blocked.text, "why": conflict.text})
    earlier = design.undoable(me, before=blocked.number) if blocked else None
    context = {"design": design, "text": text, "earlier": earlier, "before": blocked.number if blocked else 0}
    return render(request, "designer/editor/_blocked.html", context, status=409)


def _not_done(request: HttpRequest, reason: Conflict | NothingToUndo) -> HttpResponse:
    text = reason.text if isinstance(reason, Conflict) else reason.sentence
    return render(request, "designer/editor/_message.html", {"text": text}, status=409)


@require_GET
def control(request: HttpRequest, key: str) -> HttpResponse:
    """One control as the head has it: to take theirs, or to see a part that others changed."""
    design = design_for(request, key, "view")
    at, name = request.GET.get("at", ""), request.GET.get("name", "")
    if at and at not in design.spec.by_id:
        raise Http404
    try:
        found = forms.control(design.spec, at, name)
    except Conflict:
        raise Http404 from None
    context = {
        "design": design, "spec": design.spec, "at": at, "control": found, "may_edit": may_edit(request, design),
    }  # fmt: skip
    return render(request, "designer/editor/_control.html", context)


@require_safe
def document(request: HttpRequest, key: str) -> HttpResponse:
    """Return the head revision's document as a file."""
    design = design_for(request, key, "view")
    headers = {"Content-Disposition": f'attachment; filename="design-{design.key}-r{design.number}.json"'}
    return HttpResponse(dump(design.spec), content_type="application/json", headers=headers)


# --- one edit -----------------------------------------------------------------------------------------------------


def _edit_of(request: HttpRequest, spec: Spec) -> Edit:
    """Return the posted edit."""
    try:
        if "edit" in request.POST:
            return TypeAdapter(Edit).validate_json(request.POST["edit"])
        at, name, was = request.POST["at"], request.POST["name"], json.loads(request.POST.get("was") or "null")
    except (ValidationError, ValueError, KeyError):
        raise NoEdit(N_("The edit is invalid: reload the page and try again.")) from None
    if at and at not in spec.by_id:
        return Set(at=at, name=name, value=None, was=was)  # it was removed: applying says so
    data = dict(request.POST.lists())
    value = forms.posted(spec, at, name, data, was=was)
    do = request.POST.get("do", "")
    if do == "fill":
        return Set(at=at, name=name, value=forms.filled(spec, at, name), was=was)
    item = forms.first_item(spec, at, name, value) if do == "add " else None
    return Set(at=at, name=name, value=forms.reshaped(value, do, item), was=was)


def stored(request: HttpRequest, design: Design, saved: Saved) -> HttpResponse:
    """Return the page updates after an edit that no control made."""
    return _answer(request, design, None, saved)


def _answer(request: HttpRequest, design: Design, form: Set | None, saved: Saved) -> HttpResponse:
    """Return the page updates after a stored edit: the control's new precondition, and the new head."""
    context: dict[str, Any] = {"design": design}
    if form is not None:
        context["control"] = forms.control(saved.spec, form.at, form.name)
        # inputs that came or went are shown anew; else nothing is touched that somebody may be typing in
        steady = context["control"].editor in parts.STEADY
        context |= {
            "at": form.at,
            "spec": saved.spec,
            "form": form,
            "whole": not steady and forms.skeleton(form.was) != forms.skeleton(form.value),
        }
        key = key_at(saved.spec, form.at)  # its text and chips stand on the same page as the segment's settings
        context["key"] = key if key and form.at != key.kind.id else None
    response = render(request, "designer/editor/_saved.html", context)
    event = {
        "sequence": saved.sequence,
        "sha256": design.head_id,
        "structure": form is None,
        "changed": saved.changed,
    }
    response["HX-Trigger"] = json.dumps({"kw:saved": event})
    return response


def _refused(request: HttpRequest, design: Design, given: Edit, reason: Conflict, *, status: int) -> HttpResponse:
    """Return the problem next to the control, and keep the input."""
    if "edit" in request.POST or not isinstance(given, Set):
        return render(request, "designer/editor/_message.html", {"text": reason.text}, status=status)
    context: dict[str, Any] = {"at": given.at, "name": given.name, "reason": reason, "design": design}
    head = Design.objects.select_related("head").get(pk=design.pk)
    if status == 409 and reason.name and given.at in {"", *head.spec.by_id}:
        theirs = forms.control(head.spec, given.at, given.name)
        who = head.last_to_change(given.at, given.name)
        context |= {"theirs": theirs, "sides": sides(head.spec, given, theirs), "who": who}
        context["myself"] = who == person(request)
    return render(request, "designer/editor/_refused.html", context, status=status)


# --- the page -----------------------------------------------------------------------------------------------------


def shown(request: HttpRequest, design: Design, spec: Spec, at: str) -> dict[str, Any]:
    """Return the template context of the page with one element open."""
    role = person(request).role_in(design.team_id)
    key = key_at(spec, at)
    whole = key.kind.id if key and isinstance(key.opened, AnySegment) else at  # a segment is open within its row kind
    return {
        **(_key(spec, key) if key else {}),
        "design": design,
        "spec": spec,
        "at": at,
        "INSTANCE": forms.INSTANCE,
        "element": spec.by_id.get(at) if at else spec,
        "controls": _controls(spec, at),
        "lists": forms.lists(spec, at),
        "outline": outline(spec, whole),
        "what": what_is(spec.by_id[whole], spec.engine) if whole in spec.by_id else "",
        "trail": [(holder, element_label(spec, holder)) for holder in holders(spec, whole) if holder != whole],
        "title": forms.control(spec, "", "name"),
        "may_edit": may(role, "edit"),
    }


def _controls(spec: Spec, at: str) -> tuple[forms.Control, ...]:
    """Return the controls of the open element; the design's name is edited in the page's head."""
    if at == forms.INSTANCE:
        return ()
    return tuple(control for control in forms.controls(spec, at) if at or control.field != "name")


def _key(spec: Spec, key: Key) -> dict[str, Any]:
    """Return the template context of a row kind: its key, then its other settings."""
    kind = key.kind.id
    rest = tuple(listed for listed in forms.lists(spec, kind) if listed.field not in ("key", "key_columns"))
    return {"key": key, "kind_controls": forms.controls(spec, kind), "kind_lists": rest}
