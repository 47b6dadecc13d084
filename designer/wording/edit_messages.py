"""Descriptions of edits for the history, as messages that are translated on display."""

from collections.abc import Iterator
from typing import Any

from designer.document import Element, Spec
from designer.document.edits import Batch, Clear, Edit, Insert, Move, Remove, ReplaceAll, Set
from designer.document.edits.lookup import owner_of
from designer.document.texts import N_, Text, said

from . import described, element_label, in_words, shorten, transform_words

LONGEST = 60
"""Texts are cut to so many characters."""


def told(before: Spec, after: Spec, edit: Edit) -> Text:
    """Return the description of this edit between two documents."""
    match edit:
        case Set() | Clear():
            return _set(before, after, edit)
        case Insert():
            return said(N_("{list}: added {element}"), list=_list(after, edit), element=_named(after, edit.element))
        case Remove():
            return said(N_("removed {element}"), element=shorten(element_label(before, edit.at), LONGEST))
        case Move():
            return said(N_("moved {element}"), element=shorten(element_label(after, edit.at), LONGEST))
        case Batch():
            return Text(edit.label) if edit.label else _several(before, after, edit)
        case ReplaceAll():
            return Text(N_("replaced the whole design"))


def told_each(before: Spec, after: Spec, edit: Edit) -> Iterator[Text]:
    """Yield the description of each change in the edit.

    An element that was removed and inserted again has moved.
    """
    for each in edit.edits if isinstance(edit, Batch) else (edit,):
        if isinstance(each, Batch):
            yield from told_each(before, after, each)
        elif isinstance(each, Remove) and each.at in after.by_id:
            yield told(before, after, Move(at=each.at))
        elif not (isinstance(each, Insert) and each.element.get("id") in before.by_id):
            yield told(before, after, each)


def _set(before: Spec, after: Spec, edit: Set | Clear) -> Text:
    title, unit = described(after if edit.at in after.by_id else before, edit.at, edit.name)
    what = {"title": Text(title), "element": shorten(element_label(after, edit.at), LONGEST) if edit.at else ""}
    was, now = (_shown(spec, edit, unit) for spec in (before, after))
    if edit.at and edit.name == "name" and was and now:
        return said(N_("renamed {was} to {now}"), was=was, now=now)
    if now is None:
        message = N_("{element}: {title} cleared") if edit.at else N_("{title} cleared")
        return said(message, **what)
    if isinstance(now, Text) and edit.name == "gc":  # a sentence by itself
        message = N_("{element}: {now} Before: {was}") if was else N_("{element}: {now}")
        return said(message, **what, now=now, was=was)
    if was is None:
        message = N_("{element}: {title} set to {now}") if edit.at else N_("{title} set to {now}")
        return said(message, **what, now=now)
    message = (
        N_("{element}: {title} changed from {was} to {now}") if edit.at else N_("{title} changed from {was} to {now}")
    )
    return said(message, **what, was=was, now=now)


def _shown(spec: Spec, edit: Set | Clear, unit: str) -> Text | str | None:
    """Return a field's value as the description shows it, or None if it is not set."""
    _, owner, field = owner_of(spec, edit.at, edit.name)
    value: Any = getattr(owner, field)
    if value is None or value == ():
        return None
    if isinstance(value, str):
        return shorten(element_label(spec, value) if value in spec.by_id else value, LONGEST) or None
    if isinstance(value, tuple) and all(isinstance(item, str) for item in value):
        return shorten(", ".join(element_label(spec, item) for item in value), LONGEST)
    if isinstance(value, tuple) and edit.name == "transforms":
        return Text("{values}", {"values": tuple(map(transform_words, value))})
    if isinstance(value, tuple):
        return said(N_("{count} items"), count=len(value))
    return in_words(value, unit)


def _list(spec: Spec, edit: Insert) -> Text:
    """Return the title of the list into which an element was inserted."""
    title, _ = described(spec, edit.parent, edit.list)
    return Text(title)


def _named(spec: Spec, element: dict[str, Any]) -> str:
    held = spec.by_id.get(str(element.get("id")))
    return shorten(element_label(spec, held.id), LONGEST) if isinstance(held, Element) else ""


def _several(before: Spec, after: Spec, batch: Batch) -> Text:
    """Return the description of the first change, and the number of further changes."""
    if not batch.edits:
        return said(N_("{count} changes at once"), count=0)
    first = told(before, after, batch.edits[0])
    more = len(batch.edits) - 1
    return said(N_("{first}, and {more} more"), first=first, more=more) if more else first
