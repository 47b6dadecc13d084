"""Template tags of the editor's parts that are rendered once for equal contents: most edits leave most of them alone.

A kept part sees only what its tag gives it, so it can depend on nothing else; the language and where the site's
addresses begin are part of its key.
"""

import hashlib
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import template
from django.template import Context
from django.template.loader import get_template
from django.urls import get_script_prefix
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from designer.document import Spec
from designer.document.edits import hash_of
from designer.editing import forms
from designer.editing.key_builder import Addition, KeyView, SegmentList
from designer.editing.key_builder import additions as additions_to
from designer.models.memory import MEMORY
from designer.templatetags.editing_tags import kinds_of_list, label_or_type

register = template.Library()

FRAGMENTS = "fragments"
"""The kind of these parts in the memory of a process."""
NEW_ID = f"new-{secrets.token_hex(8)}"
"""Stands in kept parts for the id of what a button adds: each reader gets another."""


@dataclass(frozen=True)
class DesignAddress:
    """Data of the design that a kept part needs: the beginning of its addresses."""

    key: str


def render_once(name: str, seen: Mapping[str, Any], depends_on: object) -> SafeString:
    """Return a part of a page, rendered once for equal `depends_on`, a plain value on which all that it shows rests."""
    text = f"{name} {get_script_prefix()} {get_language()} {depends_on!r}"
    place = hashlib.blake2b(text.encode(), digest_size=16).digest()
    return MEMORY.get(FRAGMENTS, place, lambda: _template(name).render(Context(dict(seen))))


def _template(name: str) -> template.Template:
    result: template.Template = get_template(name).template  # type: ignore[attr-defined]
    return result


def _given(context: Context) -> dict[str, Any]:
    """Return what every kept part sees."""
    return {"design": DesignAddress(context["design"].key), "may_edit": context.get("may_edit")}


@register.simple_tag(takes_context=True)
def kept_control(context: Context, control: forms.Control, at: str) -> SafeString:
    """Return a control as a form; one that shows more of the design than its own field is rendered each time."""
    name = "designer/editor/_control.html"
    if _shows_more(control):
        with context.push(control=control, at=at):
            return _template(name).render(context)
    variables = _given(context) | {"control": control, "at": at}
    return render_once(name, variables, variables)


def _shows_more(control: forms.Control) -> bool:
    return bool(control.editor) or control.field == "where" or any(map(_shows_more, control.inside))


@register.simple_tag(takes_context=True)
def kept_list(context: Context, listed: forms.ElementList, at: str) -> SafeString:
    """Return a list of elements: it depends on their labels, on what they hold, and on what can be added."""
    spec: Spec = context["spec"]
    whole = str(context.get("whole_list", ""))
    entries = tuple(
        (visible_element.id, label_or_type(visible_element.id, spec), hash_of(visible_element))
        for visible_element in listed.visible_elements(whole)
    )
    heads = (listed.field, listed.title, listed.help, len(listed.elements), listed.field == whole)
    common = _given(context)
    kinds = kinds_of_list(spec, at, listed.field)
    variables = common | {"list": listed, "at": at, "spec": spec, "MOST_SHOWN": forms.MOST_SHOWN, "whole_list": whole}
    return render_once("designer/editor/_list.html", variables, (common, at, heads, entries, kinds))


@register.simple_tag(takes_context=True)
def kept_builder(context: Context, key: KeyView) -> SafeString:
    """Return the chips of a key, and what can be added to it."""
    spec: Spec = context["spec"]
    added = tuple(additions(spec, group) for group in key.groups)
    common = _given(context)
    variables = common | {"key": key, "spec": spec}
    opened = key.open_element.id if key.open_element else ""
    text = render_once("designer/editor/keys/_groups.html", variables, (common, key.groups, key.kind.id, opened, added))
    first, *rest = text.split(NEW_ID)
    return mark_safe(first + "".join(secrets.token_hex(5) + piece for piece in rest))


@register.simple_tag
def additions(spec: Spec, group: SegmentList) -> tuple[Addition, ...]:
    """Return the possible additions to a key's segments, each with its edit."""
    return tuple(additions_to(spec, group, lambda: NEW_ID))
