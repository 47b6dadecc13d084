"""The key builder: a row's key as text, saved as one edit, and said to be readable or not while it is typed."""

import json
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from designer.document import Spec
from designer.document.dump import plain
from designer.document.edits import Batch, Conflict, Insert
from designer.document.engines import description_of
from designer.document.field import Field
from designer.document.keytext import BadKeyText
from designer.document.table import RowKind
from designer.document.texts import N_, Text
from designer.document.validation_errors import problems
from designer.editing import forms
from designer.editing.forms import NoNumber
from designer.editing.key_builder import carried, key_at, moved
from designer.editing.new_design import key_edit
from designer.editing.pasted_keys import Pattern, accepted, changed, columns_text, found
from designer.imports.keys import Lines, Seen, fit, read_lines
from designer.imports.keys.fit import Fit
from designer.imports.keys.lines import MOST_BYTES
from designer.models import Design
from designer.wording import colour_class, key_chips, key_of

from ..access import design_for, person
from .editor import NoEdit, stored


@require_POST
def write(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Make a row kind's key read as the text that was typed, unless it reads otherwise than the one who typed knows."""
    design = design_for(request, key, "edit")
    kind, text, was = _kind(design.spec, at), request.POST.get("text", ""), request.POST.get("was", "")
    now = key_of(design.spec, kind)
    try:
        edit = key_edit(design.spec, kind, text)
        if edit.edits and now != was:
            context = {"design": design, "kind": kind, "theirs": now, "mine": text}
            return render(request, "designer/editor/keys/_conflict.html", context, status=409)
        saved = design.apply(edit, by=person(request))
    except BadKeyText as wrong:
        return _unreadable(request, text, wrong)
    except Conflict as reason:
        return render(request, "designer/editor/_message.html", {"text": reason.text}, status=409)
    return stored(request, design, saved)


@require_POST
def check(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Check the text of a key during input: return the fields that it adds, or the place of the error."""
    design = design_for(request, key, "edit")
    kind, text = _kind(design.spec, at), request.POST.get("text", "")
    try:
        batch = key_edit(design.spec, kind, text)
    except BadKeyText as wrong:
        return _unreadable(request, text, wrong)
    return render(request, "designer/editor/keys/_readable.html", {"new": _new_fields(batch)})


@require_POST
def move(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Put a segment before another one of its list or of another column (`to`), or at the end, as a chip is dropped."""
    design = design_for(request, key, "edit")
    shown, chip = key_at(design.spec, at), request.POST.get("id", "")
    groups = [group for group in (shown.groups if shown else ()) if not group.fixed]
    own = next((group for group in groups if any(segment.id == chip for segment in group.segments)), None)
    to = next((group for group in groups if group.parent == request.POST.get("to")), own)
    if own is None or to is None:
        raise Http404
    before = request.POST.get("before") or None
    edit = moved(own.segments, chip, before) if to is own else carried(own, to, chip, before)
    try:
        saved = design.apply(edit, by=person(request))
    except Conflict as reason:
        return render(request, "designer/editor/_message.html", {"text": reason.text}, status=409)
    return stored(request, design, saved)


def _kind(spec: Spec, at: str) -> RowKind:
    kind = spec.by_id.get(at)
    if not isinstance(kind, RowKind):
        raise Http404
    return kind


def _new_fields(batch: Batch) -> list[str]:
    return [str(e.element["name"]) for e in batch.edits if isinstance(e, Insert) and e.list == "fields"]


def _unreadable(request: HttpRequest, text: str, wrong: BadKeyText) -> HttpResponse:
    """Return the error message, and the text with a mark at the error."""
    context = {"text": forms.text_of(wrong), "before": text[: wrong.at], "behind": text[wrong.at :]}
    return render(request, "designer/editor/keys/_unreadable.html", context, status=422)


# --- pasted keys ------------------------------------------------------------------------------------------------


@require_POST
def paste(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Show the pattern of pasted keys; after a change, show the keys that it still fits."""
    design = design_for(request, key, "edit")
    kind, lines = _kind(design.spec, at), read_lines(_pasted(request))
    if len(lines.keys) < LEAST:
        text = Text(N_("Enter at least {least} keys, one per line: fewer are not enough."), {"least": LEAST})
        return render(request, "designer/editor/_message.html", {"text": text}, status=422)
    seen: tuple[Seen, ...] = ()
    if "key" in request.POST:
        try:
            pattern = _changed(request, design.spec)
        except BadKeyText as wrong:
            return _unreadable(request, request.POST["key"], wrong)
        except (NoNumber, ValidationError) as wrong:
            return _wrong(request, wrong)
    else:
        pattern, proposal = found(design.spec, lines.keys)
        seen = proposal.seen
    return render(
        request, "designer/editor/keys/_proposal.html", _proposal(request, design, kind, lines, pattern, seen)
    )


@require_POST
def accept(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Take the proposed pattern for the key, with its fields, as one edit."""
    design = design_for(request, key, "edit")
    kind = _kind(design.spec, at)
    try:
        if key_of(design.spec, kind) != request.POST.get("was", ""):
            raise Conflict(Text(N_("The key changed after you pasted these keys: propose a key again.")), at=at)
        saved = design.apply(accepted(design.spec, kind, _changed(request, design.spec)), by=person(request))
    except BadKeyText as wrong:
        return _unreadable(request, request.POST["key"], wrong)
    except (NoNumber, ValidationError, Conflict) as wrong:
        return _wrong(request, wrong)
    return stored(request, design, saved)


LEAST = 3


def _wrong(request: HttpRequest, wrong: Exception) -> HttpResponse:
    """Return the message for an invalid figure, in the document's words."""
    text = problems(wrong, Field)[0].text if isinstance(wrong, ValidationError) else forms.text_of(wrong)
    return render(request, "designer/editor/_message.html", {"text": text}, status=422)


def _pasted(request: HttpRequest) -> bytes:
    """Return the uploaded file if there is one, else the text."""
    file = request.FILES.get("file")
    return file.read(MOST_BYTES + 1) if file is not None else request.POST.get("keys", "").encode(errors="replace")


def _changed(request: HttpRequest, spec: Spec) -> Pattern:
    """Return the pattern in the form of the proposal."""
    try:
        fields = [Field.model_validate(one) for one in json.loads(request.POST.get("fields", "[]"))[:MOST_FIELDS]]
    except (ValueError, TypeError):
        raise NoEdit(N_("The edit is invalid: reload the page and try again.")) from None
    given = {field.id: _given(request, field) for field in fields}
    return changed(spec, fields, request.POST.get("key", ""), given)


MOST_FIELDS = 50


def _given(request: HttpRequest, field: Field) -> dict[str, Any]:
    """Name, kind and number of values of one field, as far as the form has them."""
    name, kind, distinct = (request.POST.get(f"{what}-{field.id}") for what in ("name", "kind", "distinct"))
    given: dict[str, Any] = {"name": name.strip()} if name and name.strip() else {}
    given |= {"kind": kind or None} if kind is not None else {}
    number = forms.number(distinct) if distinct else None
    return given | ({"distinct": None if number is None else int(number)} if distinct is not None else {})


def _in_colours(pattern: Pattern, matched: Fit) -> list[list[tuple[str, str, str]]]:
    """Return keys that the pattern fits: style classes, text and delimiter of each segment."""
    colours = [colour_class(pattern.spec, segment) for segment in pattern.segments]
    return [[(colours[place], text, after) for place, text, after in key] for key in matched.cut]


def _proposal(
    request: HttpRequest, design: Design, kind: RowKind, lines: Lines, pattern: Pattern, seen: Sequence[Seen]
) -> dict[str, Any]:
    known = {one.segment: one for one in seen}
    matched = fit(pattern.spec, pattern.segments, lines.keys)
    of_fields = {one.field: one for one in seen if one.field}
    in_columns = description_of(design.spec).is_key_in_columns(kind)
    return {
        "design": design, "kind": kind, "lines": lines, "pattern": pattern, "spec": pattern.spec,
        "was": key_of(design.spec, kind), "fit": matched, "cut": _in_colours(pattern, matched),
        "segments": [(chip, known.get(chip.id)) for chip in key_chips(pattern.spec, pattern.segments)],
        "fields": [(field, of_fields.get(field.id)) for field in pattern.used],
        "data": json.dumps([plain(field) for field in pattern.used], ensure_ascii=False),
        "kinds": forms.control(Spec(fields=(Field(id="x"),)), "x", "kind").options,
        "columns": columns_text(pattern) if in_columns else "",
    }  # fmt: skip
