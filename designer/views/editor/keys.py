"""The key builder: a row's key as text, saved as one edit, and said to be readable or not while it is typed."""

import json
from collections.abc import Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST
from pydantic import ValidationError

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, EditConflictError, Insert
from designer.document.engines import description_of
from designer.document.field import Field
from designer.document.keytext import KeyTextError
from designer.document.table import RowKind
from designer.document.texts import N_, Text
from designer.document.validation_errors import InvalidDocumentError, problems
from designer.editing import forms
from designer.editing.forms import InvalidNumberError
from designer.editing.key_builder import build_column_move, build_move, key_at
from designer.editing.new_design import key_edit
from designer.editing.pasted_keys import ProposedKey, apply_changes, build_acceptance, columns_text, find_pattern
from designer.http.parameters import RequestParameters, form, upload
from designer.imports import foreign_text, refuse_non_keys
from designer.imports.keys import KeyLines, SegmentObservation, match_keys, read_lines
from designer.imports.keys.fit import Fit
from designer.imports.keys.lines import MOST_BYTES
from designer.models import Design
from designer.wording import colour_class, key_chips, key_of

from ..access import current_person, design_for
from .editor import InvalidEditError, saved_response


@require_POST
def write(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Make a row kind's key read as the text that was typed, unless it reads otherwise than the one who typed knows."""
    design = design_for(request, key, "edit")
    kind, parameters = _find_row_kind(design.spec, at), form(request)
    text, was = parameters.get("text", ""), parameters.get("was", "")
    now = key_of(design.spec, kind)
    try:
        edit = key_edit(design.spec, kind, text)
        # A key that would not change conflicts with nobody, whatever was typed meanwhile.
        if edit.edits and now != was:
            context = {"design": design, "kind": kind, "theirs": now, "mine": text}
            return render(request, "designer/editor/keys/_conflict.html", context, status=409)
        saved = design.apply(edit, by=current_person(request))
    except KeyTextError as wrong:
        return _key_error_response(request, text, wrong)
    except EditConflictError as reason:
        return render(request, "designer/editor/_message.html", {"text": reason.text}, status=409)
    return saved_response(request, design, saved)


@require_POST
def check(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Check the text of a key during input: return the fields that it adds, or the place of the error."""
    design = design_for(request, key, "edit")
    kind, text = _find_row_kind(design.spec, at), form(request).get("text", "")
    try:
        batch = key_edit(design.spec, kind, text)
    except KeyTextError as wrong:
        return _key_error_response(request, text, wrong)
    return render(request, "designer/editor/keys/_readable.html", {"new": _new_fields(batch)})


@require_POST
def move(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Put a segment before another one of its list or of another column (`to`), or at the end, as a chip is dropped."""
    design = design_for(request, key, "edit")
    key_view, parameters = key_at(design.spec, at), form(request)
    chip = parameters.get("id", "")
    groups = [group for group in (key_view.groups if key_view else ()) if not group.is_fixed]
    own = next((group for group in groups if any(segment.id == chip for segment in group.segments)), None)
    to = next((group for group in groups if group.parent == parameters.get("to")), own)
    if own is None or to is None:
        raise Http404
    before = parameters.get("before") or None
    edit = build_move(own.segments, chip, before) if to is own else build_column_move(own, to, chip, before)
    try:
        saved = design.apply(edit, by=current_person(request))
    except EditConflictError as reason:
        return render(request, "designer/editor/_message.html", {"text": reason.text}, status=409)
    return saved_response(request, design, saved)


def _find_row_kind(spec: Spec, at: str) -> RowKind:
    kind = spec.by_id.get(at)
    if not isinstance(kind, RowKind):
        raise Http404
    return kind


def _new_fields(batch: Batch) -> list[str]:
    return [str(e.element["name"]) for e in batch.edits if isinstance(e, Insert) and e.list == "fields"]


def _key_error_response(request: HttpRequest, text: str, error: KeyTextError) -> HttpResponse:
    """Return the error message, and the text with a mark at the error."""
    context = {"text": forms.error_text(error), "before": text[: error.at], "behind": text[error.at :]}
    return render(request, "designer/editor/keys/_unreadable.html", context, status=422)


# --- pasted keys ------------------------------------------------------------------------------------------------


@require_POST
def paste(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Show the pattern of pasted keys; after a change, show the keys that it still fits."""
    design = design_for(request, key, "edit")
    kind, pasted = _find_row_kind(design.spec, at), _read_pasted(request)
    lines = read_lines(pasted)
    pasted_text = pasted[:MOST_BYTES].decode(errors="replace")
    try:
        refuse_non_keys(pasted_text)
    except InvalidDocumentError as wrong:
        return render(request, "designer/editor/_message.html", {"text": wrong.problems[0].text}, status=422)
    if len(lines.keys) < LEAST:
        text = Text(N_("Enter at least {least} keys, one per line: fewer are not enough."), {"least": LEAST})
        return render(request, "designer/editor/_message.html", {"text": text}, status=422)
    observations: tuple[SegmentObservation, ...] = ()
    if "key" in form(request):
        try:
            pattern = _read_proposal(request, design.spec)
        except KeyTextError as wrong:
            return _key_error_response(request, form(request).get("key", ""), wrong)
        except (InvalidNumberError, ValidationError) as wrong:
            return _figure_error_response(request, wrong)
    else:
        pattern, proposal = find_pattern(design.spec, lines.keys)
        observations = proposal.observations
    return render(
        request,
        "designer/editor/keys/_proposal.html",
        {
            **_proposal_context(request, design, kind, lines, pattern, observations),
            "appearance": foreign_text(pasted_text),
        },
    )


@require_POST
def accept(request: HttpRequest, key: str, at: str) -> HttpResponse:
    """Take the proposed pattern for the key, with its fields, as one edit."""
    design = design_for(request, key, "edit")
    kind = _find_row_kind(design.spec, at)
    try:
        if key_of(design.spec, kind) != form(request).get("was", ""):
            raise EditConflictError(
                Text(N_("The key changed after you pasted these keys: propose a key again.")), at=at
            )
        saved = design.apply(
            build_acceptance(design.spec, kind, _read_proposal(request, design.spec)), by=current_person(request)
        )
    except KeyTextError as wrong:
        return _key_error_response(request, form(request).get("key", ""), wrong)
    except (InvalidNumberError, ValidationError, EditConflictError) as wrong:
        return _figure_error_response(request, wrong)
    return saved_response(request, design, saved)


LEAST = 3


def _figure_error_response(request: HttpRequest, error: Exception) -> HttpResponse:
    """Return the message for an invalid figure, in the document's words."""
    text = problems(error, Field)[0].text if isinstance(error, ValidationError) else forms.error_text(error)
    return render(request, "designer/editor/_message.html", {"text": text}, status=422)


def _read_pasted(request: HttpRequest) -> bytes:
    """Return the uploaded file if there is one, else the text."""
    file = upload(request, "file", most_bytes=MOST_BYTES)
    return form(request).get("keys", "").encode() if file is None else file


def _read_proposal(request: HttpRequest, spec: Spec) -> ProposedKey:
    """Return the pattern in the form of the proposal."""
    parameters = form(request)
    try:
        fields = [Field.model_validate(raw_field) for raw_field in parameters.json_data("fields", "[]")[:MOST_FIELDS]]
    except (ValueError, TypeError, KeyError):  # a slice is a key of an object from Python 3.12 on
        raise InvalidEditError(N_("The edit is invalid: reload the page and try again.")) from None
    changes = {field.id: _read_field(parameters, field) for field in fields}
    return apply_changes(spec, fields, parameters.get("key", ""), changes)


MOST_FIELDS = 50


def _read_field(posted: RequestParameters, field: Field) -> dict[str, Any]:
    """Name, kind and number of values of one field, as far as the form has them."""
    name, kind, distinct = (posted.get(f"{what}-{field.id}") for what in ("name", "kind", "distinct"))
    changes: dict[str, Any] = {"name": name.strip()} if name and name.strip() else {}
    changes |= {"kind": kind or None} if kind is not None else {}
    number = forms.parse_number(distinct, name="distinct") if distinct else None
    return changes | ({"distinct": None if number is None else int(number)} if distinct is not None else {})


def _in_colours(pattern: ProposedKey, matched: Fit) -> list[list[tuple[str, str, str]]]:
    """Return keys that the pattern fits: style classes, text and delimiter of each segment."""
    colours = [colour_class(pattern.spec, segment) for segment in pattern.segments]
    return [[(colours[place], text, after) for place, text, after in key] for key in matched.cut]


def _proposal_context(
    request: HttpRequest,
    design: Design,
    kind: RowKind,
    lines: KeyLines,
    pattern: ProposedKey,
    observations: Sequence[SegmentObservation],
) -> dict[str, Any]:
    by_segment = {observation.segment: observation for observation in observations}
    matched = match_keys(pattern.spec, pattern.segments, lines.keys)
    of_fields = {observation.field: observation for observation in observations if observation.field}
    in_columns = description_of(design.spec).is_key_in_columns(kind)
    return {
        "design": design, "kind": kind, "lines": lines, "pattern": pattern, "spec": pattern.spec,
        "was": key_of(design.spec, kind), "fit": matched, "cut": _in_colours(pattern, matched),
        "segments": [(chip, by_segment.get(chip.id)) for chip in key_chips(pattern.spec, pattern.segments)],
        "fields": [(field, of_fields.get(field.id)) for field in pattern.used_fields],
        "data": json.dumps([to_plain_data(field) for field in pattern.used_fields], ensure_ascii=False),
        "kinds": forms.control(Spec(fields=(Field(id="x"),)), "x", "kind").options,
        "columns": columns_text(pattern) if in_columns else "",
    }  # fmt: skip
