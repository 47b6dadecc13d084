"""Template tags and filters of the editor: ids of controls, values as JSON, edits as data for buttons."""

import json
import secrets
import zlib
from collections.abc import Sequence
from typing import Any

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from designer import wording as words
from designer.document import Element, Spec
from designer.document.base import slots, tag
from designer.document.compact.quantities import length_text
from designer.document.edits import Batch, Insert, Move, Remove, hash_of
from designer.document.edits.lookup import declaring_model
from designer.document.table import RowKind
from designer.document.validation_errors import Problem
from designer.editing import forms
from designer.editing.key_builder import KeyView, SegmentList, build_removal, build_step_move
from designer.models.memory import MEMORY
from designer.templatetags.keywright import translate
from designer.wording import Chip
from designer.wording.formatting import exact_number

register = template.Library()

GROUPED_FROM, GROUPED_TO = 1_000, 10**15
"""Numbers that an input shows in groups of three digits."""


@register.simple_tag
def control_id(at: str, field: str, name: str = "v") -> str:
    """Return the page id of a control, or of an input in it."""
    return forms.control_id(at, field, name)


@register.simple_tag
def control_of(spec: Spec, at: str, field: str) -> forms.Control:
    """Return the control of one field of an element."""
    return forms.control(spec, at, field)


@register.filter
def key_in_chips(kind: RowKind, spec: Spec) -> tuple[Chip, ...]:
    """Return the row key of a row kind in chips."""
    return words.key_chips(spec, kind.segments)


@register.simple_tag(takes_context=True)
def outline_of_design(context: Context, at: str, *, oob: bool = False) -> SafeString:
    """Return the outline with an element open; most edits leave it as it was, so it is kept."""
    names = ("design", "outline", "may_edit", "INSTANCE")
    fields = tuple(field.label for field in (context.get("spec") or context["design"].spec).fields)
    page_context: dict[str, Any] = {name: context.get(name) for name in names}
    page_context |= {"at": at, "oob": oob, "fields": fields}
    shown = (page_context["outline"], fields, page_context["may_edit"])
    place = (page_context["design"].key, *shown, at, oob, get_language())
    return MEMORY.get("outline", place, lambda: render_to_string("designer/editor/_outline.html", page_context))


@register.filter
def as_json(value: Any) -> str:
    """Return a value in the form in which a precondition is posted."""
    return json.dumps(value, ensure_ascii=False)


@register.filter
def unique_problems(found: Sequence[Problem] | None, name: str) -> list[tuple[Problem, bool]]:
    """Each problem of a control once, and whether its place must be said: a quoted input tells it without."""
    problems = found or ()
    quoted = {str(problem.text): problem for problem in reversed(problems) if "given" in problem.text.params}
    first = [problem for problem in problems if quoted.get(str(problem.text), problem) is problem]
    return [(problem, str(problem.text) not in quoted and len(problem.path) > 1 + name.count(".")) for problem in first]


@register.filter
def version(control: forms.Control) -> str:
    """Differs wherever a control would look different: its value, its choices or what is guessed."""
    return f"{zlib.crc32(repr(control).encode()):08x}"


@register.filter
def below_v(name: str) -> str:
    """Return the path inside the value from an input's name."""
    return name.removeprefix("v").removeprefix(".")


@register.filter
def at_most(number: int, most: int) -> int:
    """Return the smaller of two numbers."""
    return min(number, most)


@register.filter
def shown(control: forms.Control) -> str:
    """Return a value as its input contains it."""
    if control.value is None:
        return ""
    if isinstance(control.value, list):
        return ", ".join(str(item) for item in control.value)
    return _with_unit(control) or _group_digits(control) or str(control.value)


@register.filter
def unit_beside(control: forms.Control) -> str:
    """Return the unit that stands beside an input: none where the input has one."""
    return "" if _with_unit(control) else control.unit


def _with_unit(control: forms.Control) -> str:
    """Return a length of time with the unit in which it is no fraction, as people type it; empty for other values."""
    is_number = control.kind in ("number", "whole") and isinstance(control.value, int | float)
    return length_text(control.value, control.field) if is_number else ""


def _group_digits(control: forms.Control) -> str:
    """Return a large number with its thousands separated, to the last digit; empty for other values."""
    is_number = control.kind in ("number", "whole") and isinstance(control.value, int | float)
    return f"{exact_number(control.value):,}" if is_number and GROUPED_FROM <= abs(control.value) < GROUPED_TO else ""


@register.filter
def guess_words(value: Any, unit: str = "") -> str:
    """Return an assumed value in words."""
    if isinstance(value, dict):
        return translate(words.KINDS.get(str(value.get("kind")), str(value.get("kind", ""))), {})
    return words.describe_value(value, unit).translate(translate)


@register.filter
def guess_beside(value: Any, unit: str = "") -> str:
    """Return an assumed value in words for a field with its unit beside it, which is not said twice."""
    words_ = guess_words(value, unit)
    number, _, rest = words_.partition(" ")
    if unit.endswith("per second"):
        return words_.removesuffix("/s")
    if unit == "bytes":
        return number if rest == "B" else words_
    return number if rest and rest.rstrip("s") == translate(unit, {}).rstrip("s") else words_


@register.simple_tag
def kinds_of_list(spec: Spec, at: str, field: str) -> tuple[forms.Option, ...]:
    """Return the options for an addition to a list: a single one, or one for each of several kinds."""
    owner, name = declaring_model(spec, at, field)
    classes = slots(type(owner))[name].classes
    if len(classes) == 1:
        return (forms.Option("", ""),)
    return tuple(forms.Option(tag(cls), words.KINDS.get(str(tag(cls)), str(tag(cls)))) for cls in classes)


def _vals(edit: Any) -> SafeString:
    return mark_safe(escape(json.dumps({"edit": edit.model_dump_json()})))


@register.simple_tag
def edit_vals(edit: Any, label: str = "") -> SafeString:
    """Return an edit in the form that a button posts.

    A label, if given, replaces the history's description of the edit; it must have no parameters.
    """
    if label and "{" not in label:
        edit = Batch(label=label, edits=edit.edits if isinstance(edit, Batch) else (edit,))
    return _vals(edit)


@register.simple_tag
def insert_edit(at: str, field: str, kind: str = "") -> SafeString:
    """Build the edit that adds a new element with a new id."""
    element: dict[str, Any] = {"id": secrets.token_hex(5), **({"kind": kind} if kind else {})}
    return _vals(Insert(parent=at, list=field, element=element))


@register.simple_tag
def remove_edit(spec: Spec, id: str) -> SafeString:  # noqa: A002
    """Build the edit that removes an element in its current state."""
    return _vals(Remove(at=id, was_hash=hash_of(spec.by_id[id])))


@register.simple_tag
def removal_data(spec: Spec, id: str, open: str) -> SafeString:  # noqa: A002
    """Return the data that a remove button posts: the displayed state of the element, and the open element."""
    return mark_safe(escape(json.dumps({"was": hash_of(spec.by_id[id]), "open": open})))


@register.filter
def label_or_type(id: str, spec: Spec) -> str:  # noqa: A002
    """Return the label of the element, or its type where it has none."""
    name, element = words.element_label(spec, id), spec.by_id[id]
    return name if words.is_named(element, name) else translate(words.element_type(element, spec.engine), {})


@register.simple_tag
def move_edit(spec: Spec, elements: Sequence[Element], place: int, by: int) -> SafeString:
    """Build the edit that moves an element by one position."""

    def at(n: int) -> str | None:
        return elements[n].id if n < len(elements) else None

    before = at(place - 1) if by < 0 else at(place + 2)
    return _vals(Move(at=elements[place].id, before=before, was_before=at(place + 1)))


@register.simple_tag
def segment_move(key: KeyView, chip: Chip, by: int) -> SafeString:
    """Build the edit that moves a segment of a key by one position, or into the next column.

    Return "" at the end.
    """
    edit = build_step_move(key.groups, chip.id, by)
    return _vals(edit) if edit else SafeString()


@register.simple_tag
def segment_remove(group: SegmentList, place: int) -> SafeString:
    """Build the edit that removes a segment from a key."""
    return _vals(build_removal(group.segments, place))
