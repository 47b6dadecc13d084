"""Two versions of one field side by side: what differs between them, in words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from designer import forms
from designer.spec import Spec
from designer.spec.edits import Conflict, Set, apply


@dataclass(frozen=True)
class Side:
    """One thing that differs; `title` is empty where the field is one value."""

    title: tuple[str, ...]
    """Messages and numbers, from the outside in."""
    mine: str | None
    theirs: str | None


def sides(spec: Spec, mine: Set, theirs: forms.Control) -> tuple[Side, ...]:
    """What differs between what somebody gave and what the head has."""
    given = _given(spec, mine, theirs)
    if given is None:
        return (Side((), _shown(theirs, mine.value), _shown(theirs, theirs.value)),)
    here, there = dict(_leaves(given, ())), dict(_leaves(theirs, ()))
    return tuple(
        Side(place, here.get(place), there.get(place))
        for place in dict.fromkeys((*here, *there))
        if here.get(place) != there.get(place)
    )


def _given(spec: Spec, mine: Set, theirs: forms.Control) -> forms.Control | None:
    """The control as it would be if mine stood."""
    try:
        changed, _ = apply(spec, mine.model_copy(update={"was": theirs.value}))
    except Conflict:
        return None
    return forms.control(changed, mine.at, mine.name)


def _leaves(control: forms.Control, place: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str | None]]:
    if control.options or not control.inside:
        kind = control.value.get("kind") if isinstance(control.value, dict) else control.value
        yield place, _shown(control, kind)
    for number, inner in enumerate(control.inside, 1):
        yield from _leaves(inner, (*place, inner.title or str(number)))


def _shown(control: forms.Control, value: Any) -> str | None:
    """A value as its input shows it; None is not set."""
    if value is None or value == [] or value == {}:
        return None
    labels = {option.value: option.label for option in control.options}
    if isinstance(value, list):
        return ", ".join(str(labels.get(item, item)) if isinstance(item, str | int | float) else "…" for item in value)
    return str(labels.get(value, value)) if isinstance(value, str | int | float | bool) else "…"
