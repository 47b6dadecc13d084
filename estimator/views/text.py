"""A design as text beside its sheet: what is written there becomes edits, or is told with its place."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST, require_safe

from designer.document import InvalidDocumentError, Spec, fingerprint
from designer.document.compact import dump_compact
from designer.document.compact.vocabulary import vocabulary
from designer.document.edits import EditConflictError
from designer.document.texts import N_
from designer.http.beside import read_beside
from designer.http.parameters import RequestParameters, form, header
from designer.models import Design, SaveResult
from designer.views.access import can_edit, current_person, design_for, share
from designer.views.editor.editor import saved_response
from designer.wording import element_label
from designer.wording.edit_messages import describe_edits
from designer.wording.field_colours import field_colour
from estimator.comparison.text_edits import TextEdit, as_one_edit, read_text, settle

from .sources import source

FEW = 8
"""So many changes that remove nothing are saved as they are written; others are shown before."""
SHOWN = 40
"""So many changes are listed before they are made."""
PHRASES = (
    N_("Find"), N_("Replace"), N_("next"), N_("previous"), N_("all"), N_("match case"), N_("regexp"), N_("by word"),
    N_("replace"), N_("replace all"), N_("close"), N_("Go to line"), N_("go"), N_("current match"), N_("on line"),
    N_("replaced match on line $"), N_("replaced $ matches"), N_("Control character"), N_("Completions"),
    N_("Diagnostics"), N_("No diagnostics"), N_("$ unchanged lines"),
)  # fmt: skip
"""Texts of the editor component, by which it asks for their translation."""
KEEP = ("mine", "theirs")
FORM = "c-design-text"


@require_GET
def panel(request: HttpRequest, key: str) -> HttpResponse:
    """Show the text of a design, to be written in by whoever may edit it."""
    design = design_for(request, key, "view")
    if not header(request, "HX-Request"):
        return redirect(f"{reverse('editor', args=[key])}#text")
    words = vocabulary(design.spec.engine)
    for part in words["parts"].values():
        for name in part["names"].values():
            title = name["title"]
            name["title"] = gettext(title)
    context = {"design": design, "may_edit": can_edit(request, design), "now": _text_of_head(design)}
    context["words"] = {"words": words, "phrases": {phrase: gettext(phrase) for phrase in PHRASES}}
    return render(request, "estimator/text/panel.html", context)


@require_safe
def content(request: HttpRequest, **where: str) -> HttpResponse:
    """Return one content of a design as text, for a panel that is open."""
    about = source(request, where)
    return share(request, about.design, JsonResponse(_text_data(about.spec, where["sha256"])))


@require_POST
def write(request: HttpRequest, key: str) -> HttpResponse:
    """Make the design what a text says, by edits of the content that the text was made from.

    What removes something, or changes much, is shown first; `confirm` makes it. `keep` decides conflicts.
    """
    design, parameters = design_for(request, key, "edit"), form(request)
    base = _base(design, parameters.json_data("was"))
    try:
        text, before = parameters.get("text", ""), base or design.spec
        read: TextEdit = read_beside(_read_whole, before, text, length=len(text), raises=(InvalidDocumentError,))
    except InvalidDocumentError as invalid:
        context = {"problems": invalid.problems, "form": FORM}
        return render(request, "estimator/text/_problems.html", context, status=422)
    if "confirm" not in parameters and _is_to_be_seen(read, parameters, is_base_known=base is not None):
        sentences = tuple(describe_edits(read.before, read.spec, as_one_edit(read.edits)))
        review: dict[str, Any] = {
            "count": len(sentences), "removed": read.removed_count, "changes": sentences[:SHOWN],
            "rest": max(0, len(sentences) - SHOWN), "form": FORM,
        }  # fmt: skip
        return render(request, "estimator/text/_review.html", review, status=409)
    edits = read.edits
    if keep := parameters.choice("keep", KEEP, ""):
        edits = settle(design.spec, edits, keep_mine=keep == "mine")
    try:
        saved = design.apply(as_one_edit(edits), by=current_person(request))
    except EditConflictError as conflict:
        return _conflict_response(request, design, read, conflict)
    return _stored_response(request, design, read, saved)


def _read_whole(before: Spec, text: str) -> TextEdit:
    """Return what a text changes, with its edits."""
    read = read_text(before, text)
    read.edits  # noqa: B018 - kept with it
    return read


def _base(design: Design, was: Any) -> Spec | None:
    """Return the content that a text was made from, if it is one of this design."""
    if was == design.head_id:
        return design.spec
    revision = design.revisions.select_related("document").filter(document=str(was)).first()
    return revision.document.spec if revision else None


def _is_to_be_seen(read: TextEdit, given: RequestParameters, *, is_base_known: bool) -> bool:
    """Return whether changes are shown before they are made."""
    if not read.changes:
        return False
    return not is_base_known or "review" in given or read.removed_count > 0 or len(read.changes) > FEW


def _stored_response(request: HttpRequest, design: Design, read: TextEdit, saved: SaveResult) -> HttpResponse:
    response = saved_response(request, design, saved)
    now = _text_of_head(design)
    is_mine = fingerprint(saved.spec) == fingerprint(read.spec)
    now |= {"mine": None if is_mine else dump_compact(read.spec, with_ids=False)}
    response.content += render(request, "estimator/text/_stored.html", {"now": now, "form": FORM}).content
    return response


def _conflict_response(
    request: HttpRequest, design: Design, read: TextEdit, conflict: EditConflictError
) -> HttpResponse:
    head = Design.objects.select_related("head").get(pk=design.pk)
    who = head.last_editor(conflict.at, conflict.name) if conflict.name else None
    context = {
        "conflict": conflict, "place": read.place(conflict.at, conflict.name), "form": FORM,
        "who": None if who == current_person(request) else who,
    }  # fmt: skip
    return render(request, "estimator/text/_conflict.html", context, status=409)


def _text_of_head(design: Design) -> dict[str, Any]:
    return _text_data(design.spec, design.head_id) | {"sequence": design.sequence}


def _text_data(spec: Spec, sha256: str) -> dict[str, Any]:
    """Return a content as text, with the colours of its fields by their names."""
    text = dump_compact(spec, with_ids=False)
    colours = {element_label(spec, field.id): field_colour(spec, field.id) for field in spec.fields}
    return {"sha256": sha256, "text": text, "colours": colours}
