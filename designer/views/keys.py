"""The key builder: a row's key as text, saved as one edit, and said to be readable or not while it is typed."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from designer import forms
from designer.building import key_at, moved
from designer.spec import Spec
from designer.spec.edits import Batch, Conflict, Insert
from designer.spec.keytext import BadKeyText
from designer.spec.table import RowKind
from designer.starting import key_edit
from designer.words import key_of

from .access import design_for, person
from .editor import stored


@require_POST
def write(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Make a row kind's key read as the text that was typed, unless it reads otherwise than the one who typed knows."""
    design = design_for(request, key, "edit")
    kind, text, was = _kind(design.spec, at), request.POST.get("text", ""), request.POST.get("was", "")
    now = key_of(design.spec, kind)
    if now not in (was, text):
        context = {"design": design, "kind": kind, "theirs": now, "mine": text}
        return render(request, "designer/editor/key/_conflict.html", context, status=409)
    try:
        saved = design.apply(key_edit(design.spec, kind, text), by=person(request))
    except BadKeyText as wrong:
        return _unreadable(request, text, wrong)
    except Conflict as reason:
        return render(request, "designer/editor/_said.html", {"text": reason.text}, status=409)
    return stored(request, design, saved)


@require_POST
def check(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """What a text would come to, while it is typed: the fields that it adds, or where it cannot be read."""
    design = design_for(request, key, "edit")
    kind, text = _kind(design.spec, at), request.POST.get("text", "")
    try:
        batch = key_edit(design.spec, kind, text)
    except BadKeyText as wrong:
        return _unreadable(request, text, wrong)
    return render(request, "designer/editor/key/_readable.html", {"new": _new_fields(batch)})


@require_POST
def move(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Put a segment before another one of its list, or at the end, as a chip is dropped."""
    design = design_for(request, key, "edit")
    shown, chip = key_at(design.spec, at), request.POST.get("id", "")
    groups = (group.segments for group in (shown.groups if shown else ()))
    segments = next((each for each in groups if any(segment.id == chip for segment in each)), None)
    if segments is None:
        raise Http404
    try:
        saved = design.apply(moved(segments, chip, request.POST.get("before") or None), by=person(request))
    except Conflict as reason:
        return render(request, "designer/editor/_said.html", {"text": reason.text}, status=409)
    return stored(request, design, saved)


def _kind(spec: Spec, at: str) -> RowKind:
    kind = spec.by_id.get(at)
    if not isinstance(kind, RowKind):
        raise Http404
    return kind


def _new_fields(batch: Batch) -> list[str]:
    return [str(e.element["name"]) for e in batch.edits if isinstance(e, Insert) and e.list == "fields"]


def _unreadable(request: HttpRequest, text: str, wrong: BadKeyText) -> HttpResponse:
    """The sentence, and the text with a mark at the place."""
    context = {"text": forms.text_of(wrong), "before": text[: wrong.at], "behind": text[wrong.at :]}
    return render(request, "designer/editor/key/_unreadable.html", context, status=422)
