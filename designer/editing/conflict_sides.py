"""Two versions of one field side by side: what differs between them, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer.document import Model, Spec
from designer.document.edits import EditConflictError, Set, apply
from designer.document.edits.lookup import find_owner
from designer.document.texts import Text
from designer.wording import describe_value

from . import forms

MOST = 12
"""Values that hold more are compared as sentences, where there are some."""


@dataclass(frozen=True)
class FieldVersions:
    """One thing that differs; `title` is empty where the field is one value."""

    title: tuple[str, ...]
    """Messages and numbers, from the outside in."""
    mine: Text | str | None
    theirs: Text | str | None


def compare_versions(spec: Spec, mine: Set, theirs: forms.Control) -> tuple[FieldVersions, ...]:
    """Return the differences between the submitted values and the head revision."""
    changed = _apply_submitted(spec, mine, theirs)
    if changed is None:
        return (FieldVersions((), _display_value(theirs, mine.value), _display_value(theirs, theirs.value)),)
    control = forms.control(changed, mine.at, mine.name)
    here, there = dict(_leaves(control, ())), dict(_leaves(theirs, ()))
    whole = _compare_sentences(changed, spec, mine)
    if whole and (forms.value_structure(control.value) != forms.value_structure(theirs.value) or len(here) > MOST):
        return (whole,)
    return tuple(
        FieldVersions(place, here.get(place), there.get(place))
        for place in dict.fromkeys((*here, *there))
        if here.get(place) != there.get(place)
    )


def _compare_sentences(mine: Spec, theirs: Spec, edit: Set) -> FieldVersions | None:
    """Both as sentences, where there are some and they differ."""
    both = []
    for spec in (mine, theirs):
        _, owner, field = find_owner(spec, edit.at, edit.name)
        value = getattr(owner, field)
        both.append(describe_value(value) if isinstance(value, Model) else None)
    return FieldVersions((), *both) if any(both) and both[0] != both[1] else None


def _apply_submitted(spec: Spec, mine: Set, theirs: forms.Control) -> Spec | None:
    """Return the design with the submitted edit applied, or None if it cannot be applied."""
    try:
        # As if it had been made on the current state: only so can both values be shown by the same form.
        return apply(spec, mine.model_copy(update={"was": theirs.value}))[0]
    except EditConflictError:
        return None


def _leaves(control: forms.Control, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str | None]]:
    if not control.inside or (control.kind == "part" and control.options):
        kind = control.value.get("kind") if isinstance(control.value, dict) else control.value
        yield place, _display_value(control, kind)
    for number, inner in enumerate(control.inside, 1):
        yield from _leaves(inner, (*place, inner.title or str(number)))


def _display_value(control: forms.Control, value: Any) -> str | None:
    """Return a value as its input displays it, or None if it is not set."""
    if value is None or value == [] or value == {}:
        return None
    labels = {option.value: option.label for option in control.options}
    if isinstance(value, list):
        return ", ".join(str(labels.get(item, item)) if isinstance(item, str | int | float) else "…" for item in value)
    return str(labels.get(value, value)) if isinstance(value, str | int | float | bool) else "…"
