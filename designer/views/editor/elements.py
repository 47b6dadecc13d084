"""Adding and removing elements: what is added opens, what is removed can come back, what is in use says by what."""

import json
import secrets
from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from designer.application import KINDS, UnknownSentenceError, read_text
from designer.document import Spec
from designer.document.edits import Batch, EditConflictError, ElementInUseError, Insert, Remove, removal_with_uses
from designer.document.keytext import KeyTextError
from designer.document.texts import N_, Text, TextList
from designer.editing import forms, selection, sentence_edits
from designer.editing.element_defaults import initial_data
from designer.editing.new_design import first_table
from designer.http.parameters import form, query
from designer.models import Design, SaveResult
from designer.templatetags.keywright import translate
from designer.wording import element_label, element_locations

from ..access import can_edit, current_person, design_for
from .editor import InvalidEditError, page_context, saved_response
from .outline import ancestor_ids, search

TEXT_COMMAND = N_("Open the design as text")
PAGES: Mapping[str, str] = {
    "history": N_("History"), "runs": N_("Simulate"), "compare": N_("Compare"), "review": N_("Review"),
    "links": N_("Share"), "exports": N_("Export"), "variants": N_("Variants"), "measured": N_("Measured"),
    "drift": N_("Drift"), "trial": N_("Try it"), "replay": N_("Replay"), "import_tables": N_("Import tables"),
}  # fmt: skip
"""Pages of a design that the search leads to, beside its elements, by the names of their addresses."""
FORMATS: Mapping[str, str] = {
    "exports": "Terraform gcloud cbt PDF JSON YAML",
    "import_tables": "Terraform gcloud cbt CQL DynamoDB HBase",
}
"""Names that lead to a page, too."""
OF_EDITORS = frozenset(("links", "import_tables"))
"""Pages that nobody else may open."""
TOLD_AS = {"remove": N_("Removed: {names}"), "duplicate": N_("Duplicated: {names}"), "move": N_("Moved: {names}")}
"""What can be done to several elements, with what is told of it."""
MOST_CHOSEN = 200
TOLD = 5
"""So many of what was changed at once are named."""
REMOVED = N_("removed an element with its references")


@require_GET
def find(request: HttpRequest, key: str) -> HttpResponse:
    """Show the results of a search in the outline."""
    design, words = design_for(request, key, "view"), query(request).line("words")
    search_text = words.strip().casefold()
    context = {"design": design, "words": words.strip(), "hits": search(design.spec, words)}
    may_edit = can_edit(request, design)
    offered = (
        {name: title for name, title in PAGES.items() if may_edit or name not in OF_EDITORS} if search_text else {}
    )
    context["pages"] = {
        name: title
        for name, title in offered.items()
        if any(word.startswith(search_text) for word in f"{gettext(title)} {FORMATS.get(name, '')}".casefold().split())
    }
    context["text_command"] = (
        TEXT_COMMAND if len(search_text) > 1 and search_text in gettext(TEXT_COMMAND).casefold() else ""
    )
    return render(request, "designer/editor/elements/_search_results.html", context)


@require_POST
def add(request: HttpRequest, key: str) -> HttpResponse:
    """Add a new element with initial values, and open it."""
    design, parameters = design_for(request, key, "edit"), form(request)
    parent, name, new_id = parameters.get("parent", ""), parameters.get("list", ""), secrets.token_hex(5)
    try:
        element = initial_data(
            design.spec, parent, name, id=new_id, kind=parameters.get("kind", ""), format_message=_format_message
        )
        element |= {"region": parameters["region"]} if "region" in parameters and name == "instance.clusters" else {}
        saved = design.apply(Insert(parent=parent, list=name, element=element), by=current_person(request))
    except KeyError:
        raise InvalidEditError(N_("The edit is invalid: reload the page and try again.")) from None
    except EditConflictError as conflict:
        return render(request, "designer/editor/_message.html", {"text": conflict.text}, status=409)
    return opened_response(request, design, saved, new_id)


@require_POST
def add_table(request: HttpRequest, key: str) -> HttpResponse:
    """Add a table from a name, a key as text and a rate, and open it."""
    design = design_for(request, key, "edit")
    parameters = form(request)
    name, text = parameters.get("table", "").strip(), parameters.get("key", "")
    try:
        rate = forms.parse_number(parameters.get("rate", ""), name="rate_per_second")
        batch = first_table(design.spec, name=name, key=text, per_second=rate, new_id=_new_id)
        saved = design.apply(batch, by=current_person(request))
    except (KeyTextError, forms.InvalidNumberError, EditConflictError) as wrong:
        context = {"text": forms.error_text(wrong)}
        return render(request, "designer/editor/_message.html", context, status=422)
    return opened_response(request, design, saved, saved.spec.tables[-1].row_kinds[0].id)


@require_POST
def add_sentence(request: HttpRequest, key: str) -> HttpResponse:
    """Add what a sentence says to the design, and open it."""
    design, text = design_for(request, key, "edit"), form(request).line("sentence", most=300)
    try:
        sentence = read_text(text, {kind.name: gettext(kind.template) for kind in KINDS})
        added = sentence_edits.add_sentence(design.spec, sentence, new_id=_new_id, translate=_translate)
        saved = design.apply(added.edit, by=current_person(request))
    except (UnknownSentenceError, sentence_edits.SentenceEditError, EditConflictError) as problem:
        return render(request, "designer/editor/_message.html", {"text": problem.text}, status=422)
    return opened_response(request, design, saved, added.shown_at)


def _translate(text: Text) -> str:
    return translate(text.message, text.params)


def _new_id() -> str:
    return secrets.token_hex(5)


def _format_message(message: str, **params: str) -> str:
    return gettext(message).format(**params)


@require_POST
def remove(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Remove an element as it was shown; what is in use only together with its uses."""
    design, parameters = design_for(request, key, "edit"), form(request)
    spec = design.spec
    if at not in spec.by_id:
        raise Http404
    # Taken before the removal, after which the element has neither a label nor parents.
    name, way = element_label(spec, at), ancestor_ids(spec, at)
    # The hash of what was shown: nobody removes an element that somebody has changed since.
    edit = (
        _remove_with_uses(spec, at) if "uses" in parameters else Remove(at=at, was_hash=parameters.get("was") or None)
    )
    try:
        saved = design.apply(edit, by=current_person(request))
    except ElementInUseError as used:
        context = {
            "design": design,
            "at": at,
            "name": name,
            "uses": _list_uses(spec, used),
            "open": parameters.get("open", ""),
        }
        return render(request, "designer/editor/elements/_in_use.html", context, status=409)
    except EditConflictError as conflict:
        return render(request, "designer/editor/_message.html", {"text": conflict.text}, status=409)
    words = {"design": design, "text": Text(TOLD_AS["remove"], {"names": name})}
    # What is open may have been inside of what is gone; then its nearest parent that is left is opened.
    if parameters.get("open", "") not in (*saved.spec.by_id, "", forms.INSTANCE):
        remaining = [ancestor for ancestor in way if ancestor in saved.spec.by_id]
        return opened_response(request, design, saved, remaining[-1] if remaining else "", context=words)
    response = saved_response(request, design, saved)
    response.content += render(request, "designer/editor/elements/_gone.html", words).content
    return response


@require_POST
def change_several(request: HttpRequest, key: str) -> HttpResponse:
    """Remove, duplicate or move the chosen elements, in one step."""
    design, parameters = design_for(request, key, "edit"), form(request)
    spec, do = design.spec, parameters.choice("do", TOLD_AS, "")
    ids = selection.outermost(spec, parameters.texts("id")[:MOST_CHOSEN])
    if not do or not ids:
        raise InvalidEditError(N_("The edit is invalid: reload the page and try again."))
    if do == "remove" and "uses" not in parameters and (users := selection.users_outside(spec, ids)):
        at = element_locations(spec)
        uses = tuple((user, element_label(spec, user), at.get(user, ())[:-1]) for user in users)
        context = {"design": design, "ids": ids, "uses": uses, "open": parameters.get("open", "")}
        return render(request, "designer/editor/elements/_several_in_use.html", context, status=409)
    try:
        edit = _edit_of_several(spec, ids, do, parameters.get("target", ""))
        saved = design.apply(edit, by=current_person(request))
    except KeyError:
        raise Http404 from None
    except EditConflictError as conflict:
        return render(request, "designer/editor/_message.html", {"text": conflict.text}, status=409)
    # What moved may have got another name there.
    named_spec = saved.spec if do == "move" else spec
    names = TextList(
        (*(element_label(named_spec, element_id) for element_id in ids[:TOLD]), *("…" for _ in ids[TOLD : TOLD + 1]))
    )
    words = {"design": design, "text": Text(TOLD_AS[do], {"names": names})}
    opened = parameters.get("open", "")
    if opened not in (*saved.spec.by_id, "", forms.INSTANCE):
        remaining = [ancestor for ancestor in ancestor_ids(spec, opened) if ancestor in saved.spec.by_id]
        return opened_response(request, design, saved, remaining[-1] if remaining else "", context=words)
    response = saved_response(request, design, saved)
    response.content += render(request, "designer/editor/elements/_gone.html", words).content
    return response


def _edit_of_several(spec: Spec, ids: tuple[str, ...], do: str, target: str) -> Batch:
    if do == "move":
        return selection.move(spec, ids, target)
    if do == "remove":
        return selection.remove(spec, ids)
    return selection.duplicate(spec, ids, new_id=_new_id)[0]


def _remove_with_uses(spec: Spec, at: str) -> Batch:
    return removal_with_uses(spec, at).model_copy(update={"label": REMOVED})


def _list_uses(spec: Spec, error: ElementInUseError) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return the elements that refer to an element, each once: id, name and location."""
    at = element_locations(spec)
    holders = dict.fromkeys(use.holder for use in error.uses if use.holder)
    return tuple((holder, element_label(spec, holder), at.get(holder, ())[:-1]) for holder in holders)


def opened_response(
    request: HttpRequest, design: Design, saved: SaveResult, at: str, *, context: dict[str, Any] | None = None
) -> HttpResponse:
    """Return the response to a change after which another element is open.

    Without an element, the design is open; `context` describes a removed element.
    """
    event = json.loads(saved_response(request, design, saved)["HX-Trigger"])
    event["kw:saved"]["structure"] = False  # what is on the page comes with this answer
    response = render(
        request,
        "designer/editor/elements/_opened.html",
        {**page_context(request, design, saved.spec, at), "gone": context},
    )
    response["HX-Trigger"] = json.dumps(event)
    response["HX-Push-Url"] = reverse("element", args=[design.key, at]) if at else reverse("editor", args=[design.key])
    # The form that was sent would otherwise swap its own target, which is the list or the outline that it stands in.
    response["HX-Retarget"], response["HX-Reswap"] = "#centre", "innerHTML"
    return response
