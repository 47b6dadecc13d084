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
from designer.document.edits import Edit, EditConflictError, InvalidResultError, Set, rename_index_tables
from designer.document.key import AnySegment
from designer.document.texts import N_, Text
from designer.editing import forms, parts
from designer.editing.conflict_sides import compare_versions
from designer.editing.key_builder import KeyView, key_at
from designer.http.errors import DesignError
from designer.http.pages import page
from designer.http.parameters import RequestParameters, form, header, query
from designer.models import Design, NothingToUndoError, Person, SaveResult
from designer.permissions import is_allowed
from designer.wording import element_label, element_type

from ..access import can_edit, current_person, design_for, share
from .books import add_price_book
from .effort import check_effort
from .outline import ancestor_ids, outline
from .presence import removed_element_page


class InvalidEditError(DesignError):
    """Error for posted data that is not an edit."""


@require_safe
def editor(request: HttpRequest, key: str, at: str = "", view: str = "sheet") -> HttpResponse:
    """Show the page of a design, with one element open; `view` is how its home shows the tables."""
    design = design_for(request, key, "view")
    spec = design.spec
    if at and at not in spec.by_id and at != forms.INSTANCE:
        response = removed_element_page(request, design, at)
        if response is None:
            raise Http404
        return response
    centre = "designer/editor/_instance.html" if at == forms.INSTANCE else "designer/editor/_centre.html"
    context = page_context(request, design, spec, at) | {"centre": centre, "view": view}
    if request.htmx and context["whole_list"]:  # type: ignore[attr-defined]
        return _list_response(request, context)
    answer = page(request, "designer/editor/editor.html", context, part=centre)
    return share(request, design, answer, sequence=design.sequence)


def _list_response(request: HttpRequest, context: dict[str, Any]) -> HttpResponse:
    """Return one list of the open element, with all of its elements."""
    of_kind, name = context.get("kind_lists", ()), context["whole_list"]
    for element_list in (*context["lists"], *of_kind):
        if element_list.field == name:
            at = context["key"].kind.id if element_list in of_kind else context["at"]
            return render(request, "designer/editor/_list.html", {**context, "list": element_list, "at": at})
    raise Http404


@require_safe
def callers(request: HttpRequest, key: str) -> HttpResponse:
    """Show the form that assigns an app profile to each write and read."""
    design = design_for(request, key, "view")
    return render(
        request, "designer/editor/instance/_callers.html", page_context(request, design, design.spec, forms.INSTANCE)
    )


@require_POST
def edit(request: HttpRequest, key: str) -> HttpResponse:
    """Apply one edit: of a control's form, or given as data by a button."""
    design = design_for(request, key, "edit")
    posted_edit = _read_edit(request, design.spec)
    try:
        # What follows from the edit is one edit with it: one undo takes back both.
        whole = add_price_book(design.spec, rename_index_tables(design.spec, posted_edit))
        saved = design.apply(whole, by=current_person(request))
    except InvalidResultError as invalid:
        return _rejected_response(request, design, posted_edit, invalid, status=422)
    except EditConflictError as conflict:
        return _rejected_response(request, design, posted_edit, conflict, status=409)
    # A button that posts data has no control whose precondition could be answered.
    by_form = posted_edit if isinstance(posted_edit, Set) and "edit" not in form(request) else None
    return _control_response(request, design, by_form, saved)


@require_POST
def undo(request: HttpRequest, key: str) -> HttpResponse:
    """Take back one's own last change."""
    design, before = design_for(request, key, "edit"), form(request).number("before")
    return _undo_or_redo(request, design, "undo", before=before)


@require_POST
def redo(request: HttpRequest, key: str) -> HttpResponse:
    """Bring back what one's last undo took."""
    return _undo_or_redo(request, design_for(request, key, "edit"), "redo")


@require_POST
def bring_back(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Put back an element that somebody removed."""
    design = design_for(request, key, "edit")
    try:
        saved = design.restore_element(at, by=current_person(request))
    except (EditConflictError, NothingToUndoError) as reason:
        return _failure_response(request, reason)
    if not header(request, "HX-Request"):
        return redirect("element", design.key, at)
    return _control_response(request, design, None, saved)


def _undo_or_redo(request: HttpRequest, design: Design, direction: str, **skip: int | None) -> HttpResponse:
    me = current_person(request)
    try:
        saved = getattr(design, direction)(by=me, **skip)
    except EditConflictError as conflict:
        who = design.last_editor(conflict.at, conflict.name) if conflict.name else None
        if direction == "undo":
            return _blocked_undo_page(
                request, design, conflict, editor_person=None if who == me else who, before=skip["before"]
            )
        return _failure_response(request, conflict)
    except NothingToUndoError as reason:
        return _failure_response(request, reason)
    return _control_response(request, design, None, saved)


def _blocked_undo_page(
    request: HttpRequest,
    design: Design,
    conflict: EditConflictError,
    *,
    editor_person: Person | None,
    before: int | None,
) -> HttpResponse:
    """One's own change that cannot be taken back, why, and the one before it, which perhaps can."""
    me = current_person(request)
    blocked = design.last_undoable_revision(me, before=before)
    text = conflict.text
    if editor_person is not None and blocked is not None:
        message = N_(
            "“{what}” cannot be undone: {who} changed the same item later. The history can restore any revision."
        )
        text = Text(message, {"who": str(editor_person), "what": blocked.text})
    elif blocked is not None:
        message = N_("“{what}” cannot be undone: {why}. The history can restore any revision.")
        text = Text(message, {"what": blocked.text, "why": conflict.text})
    earlier = design.last_undoable_revision(me, before=blocked.number) if blocked else None
    context = {"design": design, "text": text, "earlier": earlier, "before": blocked.number if blocked else 0}
    return render(request, "designer/editor/_blocked.html", context, status=409)


def _failure_response(request: HttpRequest, reason: EditConflictError | NothingToUndoError) -> HttpResponse:
    text = reason.text if isinstance(reason, EditConflictError) else reason.sentence
    return render(request, "designer/editor/_message.html", {"text": text}, status=409)


@require_GET
def control(request: HttpRequest, key: str) -> HttpResponse:
    """One control as the head has it: to take theirs, or to see a part that others changed."""
    design = design_for(request, key, "view")
    at, name = query(request).get("at", ""), query(request).get("name", "")
    if at and at not in design.spec.by_id:
        raise Http404
    try:
        field_control = forms.control(design.spec, at, name)
    except EditConflictError:
        raise Http404 from None
    context = {
        "design": design, "spec": design.spec, "at": at, "control": field_control,
        "may_edit": can_edit(request, design),
    }  # fmt: skip
    return render(request, "designer/editor/_control.html", context)


# --- one edit -----------------------------------------------------------------------------------------------------


def _read_edit(request: HttpRequest, spec: Spec) -> Edit:
    """Return the posted edit."""
    parameters = form(request)
    try:
        if "edit" in parameters:
            edit: Edit = TypeAdapter(Edit).validate_python(parameters.json_data("edit"))
            # The data is anybody's: no button makes a batch of thousands, but a client may send one.
            check_effort(edit, spec)
            return edit
        at, name, was = parameters["at"], parameters["name"], parameters.json_data("was")
        if at and at not in spec.by_id:
            return Set(at=at, name=name, value=None, was=was)  # it was removed: applying says so
        return Set(at=at, name=name, value=_read_posted_value(parameters, spec, at, name, was), was=was)
    except (ValidationError, EditConflictError, forms.InvalidActionError, KeyError):
        raise InvalidEditError(N_("The edit is invalid: reload the page and try again.")) from None


def _read_posted_value(given: RequestParameters, spec: Spec, at: str, name: str, was: Any) -> Any:
    """Return the value of a control's inputs, after what its button does."""
    value, do = forms.read_posted_value(spec, at, name, given.lists(), previous=was), given.get("do", "")
    if do == "fill":
        return forms.initial_part(spec, at, name)
    return forms.reshape(value, do, forms.initial_item(spec, at, name, value) if do == "add " else None)


def saved_response(request: HttpRequest, design: Design, saved: SaveResult) -> HttpResponse:
    """Return the page updates after an edit that no control made."""
    return _control_response(request, design, None, saved)


def _control_response(request: HttpRequest, design: Design, form: Set | None, saved: SaveResult) -> HttpResponse:
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
            "whole": not steady and forms.value_structure(form.was) != forms.value_structure(form.value),
        }
        key = key_at(saved.spec, form.at)  # its text and chips stand on the same page as the segment's settings
        context["key"] = key if key and form.at != key.kind.id else None
    response = render(request, "designer/editor/_saved.html", context)
    event = {
        "sequence": saved.sequence,
        "sha256": design.head_id,
        "structure": form is None,
        "changed": saved.has_changed,
    }
    # An event and no swapped part: the page's scripts decide what of it is outdated, and ask for that by the new hash.
    response["HX-Trigger"] = json.dumps({"kw:saved": event})
    return response


def _rejected_response(
    request: HttpRequest, design: Design, edit_data: Edit, reason: EditConflictError, *, status: int
) -> HttpResponse:
    """Return the problem next to the control, and keep the input."""
    if "edit" in form(request) or not isinstance(edit_data, Set):
        return render(request, "designer/editor/_message.html", {"text": reason.text}, status=status)
    context: dict[str, Any] = {"at": edit_data.at, "name": edit_data.name, "reason": reason, "design": design}
    # Read anew: `design` is what this request began with, and the conflict is with what came since.
    head = Design.objects.select_related("head").get(pk=design.pk)
    if status == 409 and reason.name and edit_data.at in {"", *head.spec.by_id}:
        theirs = forms.control(head.spec, edit_data.at, edit_data.name)
        who = head.last_editor(edit_data.at, edit_data.name)
        context |= {"theirs": theirs, "sides": compare_versions(head.spec, edit_data, theirs), "who": who}
        context["myself"] = who == current_person(request)
    return render(request, "designer/editor/_refused.html", context, status=status)


# --- the page -----------------------------------------------------------------------------------------------------


def page_context(request: HttpRequest, design: Design, spec: Spec, at: str) -> dict[str, Any]:
    """Return the template context of the page with one element open."""
    role = current_person(request).role_in(design.team_id)
    key = key_at(spec, at)
    whole = (
        key.kind.id if key and isinstance(key.open_element, AnySegment) else at
    )  # a segment is open within its row kind
    return {
        **(_key_context(spec, key) if key else {}),
        "design": design,
        "spec": spec,
        "at": at,
        "view": "sheet",
        "INSTANCE": forms.INSTANCE,
        "element": spec.by_id.get(at) if at else spec,
        "controls": _open_controls(spec, at),
        "lists": forms.lists(spec, at),
        "outline": outline(spec, whole),
        "what": element_type(spec.by_id[whole], spec.engine) if whole in spec.by_id else "",
        "trail": [(holder, element_label(spec, holder)) for holder in ancestor_ids(spec, whole) if holder != whole],
        "title": forms.control(spec, "", "name"),
        "may_edit": is_allowed(role, "edit"),
        "MOST_SHOWN": forms.MOST_SHOWN,
        "whole_list": query(request).get("list", ""),
    }


def _open_controls(spec: Spec, at: str) -> tuple[forms.Control, ...]:
    """Return the controls of the open element; the design's name is edited in the page's head."""
    if at == forms.INSTANCE:
        return ()
    return tuple(control for control in forms.controls(spec, at) if at or control.field != "name")


def _key_context(spec: Spec, key: KeyView) -> dict[str, Any]:
    """Return the template context of a row kind: its key, then its other settings."""
    kind = key.kind.id
    rest = tuple(
        element_list for element_list in forms.lists(spec, kind) if element_list.field not in ("key", "key_columns")
    )
    return {"key": key, "kind_controls": forms.controls(spec, kind), "kind_lists": rest}
