"""Descriptions of edits for the history, as messages that are translated on display."""

from collections.abc import Iterator
from typing import Any

from designer.document import Element, Spec
from designer.document.edits import Batch, Clear, Edit, Insert, Move, Remove, ReplaceAll, Set
from designer.document.edits.lookup import find_owner, find_position
from designer.document.table import RowKind
from designer.document.texts import N_, Text, TextList, build_text

from . import describe_value, element_label, element_locations, field_title, key_of, shorten, transform_words
from .formatting import english_text

LONGEST = 60
"""Texts are cut to so many characters."""
MOST_CHANGES = 3
"""So many changes of a batch are told; the others are counted."""


def describe_edit(before: Spec, after: Spec, edit: Edit) -> Text:
    """Return the description of this edit between two documents."""
    match edit:
        case Set() | Clear():
            return _describe_set(before, after, edit)
        case Insert():
            return build_text(
                N_("{list}: added {element}"), list=_list_title(after, edit), element=_element_name(after, edit.element)
            )
        case Remove():
            return build_text(N_("removed {element}"), element=shorten(element_label(before, edit.at), LONGEST))
        case Move():
            return _describe_move(before, after, edit.at)
        case Batch():
            return _describe_batch(before, after, edit)
        case ReplaceAll():
            return Text(N_("replaced the whole design"))


def describe_edits(before: Spec, after: Spec, edit: Edit) -> Iterator[Text]:
    """Yield the description of each change in the edit.

    An element that was removed and inserted again has moved.
    """
    for step in edit.edits if isinstance(edit, Batch) else (edit,):
        if isinstance(step, Batch):
            yield from describe_edits(before, after, step)
        elif isinstance(step, Remove) and step.at in after.by_id:
            yield describe_edit(before, after, Move(at=step.at))
        elif not (isinstance(step, Insert) and step.element.get("id") in before.by_id):
            yield describe_edit(before, after, step)


def _describe_move(before: Spec, after: Spec, at: str) -> Text:
    """Return from where to where an element moved: between the elements that list it, or within its list."""
    element = shorten(element_label(after, at), LONGEST)
    (old_holder, old_position), (new_holder, new_position) = (_list_position(spec, at) for spec in (before, after))
    if old_holder == new_holder:
        message = N_("moved {element} from position {was} to {now}")
        return build_text(message, element=element, was=old_position, now=new_position)
    old_way, new_way = (list(element_locations(spec)[at][:-1]) for spec in (before, after))
    while len(old_way) > 1 and len(new_way) > 1 and old_way[0] == new_way[0]:  # between two families of one table
        del old_way[0], new_way[0]
    was, now = (shorten(" › ".join(way), LONGEST) for way in (old_way, new_way))
    return build_text(N_("moved {element} from {was} to {now}"), element=element, was=was, now=now)


def _list_position(spec: Spec, at: str) -> tuple[str, int]:
    """Return the element that lists another, and its position in that list, counted from 1."""
    parent, _, _, _, index = find_position(spec, at)
    return parent, index + 1


def _describe_set(before: Spec, after: Spec, edit: Set | Clear) -> Text:
    title, unit = field_title(after if edit.at in after.by_id else before, edit.at, edit.name)
    what = {"title": Text(title), "element": shorten(element_label(after, edit.at), LONGEST) if edit.at else ""}
    was, now = (_display_value(spec, edit, unit) for spec in (before, after))
    if edit.at and edit.name == "name" and was and now:
        return build_text(N_("renamed {was} to {now}"), was=was, now=now)
    if now is None:
        message = N_("{element}: {title} cleared") if edit.at else N_("{title} cleared")
        return build_text(message, **what)
    if isinstance(now, Text) and edit.name == "gc":  # a sentence by itself
        message = N_("{element}: {now} Before: {was}") if was else N_("{element}: {now}")
        return build_text(message, **what, now=now, was=was)
    if was is None:
        message = N_("{element}: {title} set to {now}") if edit.at else N_("{title} set to {now}")
        return build_text(message, **what, now=now)
    if english_text(was) == english_text(now):  # a list of as many items, or a number that rounds to the same
        message = N_("{element}: {title} changed ({now})") if edit.at else N_("{title} changed ({now})")
        if isinstance(_value(after, edit), float):
            message = N_("{element}: {title} changed by less than the rounding of {now}")
        return build_text(message, **what, now=now)
    message = (
        N_("{element}: {title} changed from {was} to {now}") if edit.at else N_("{title} changed from {was} to {now}")
    )
    return build_text(message, **what, was=was, now=now)


def _value(spec: Spec, edit: Set | Clear) -> Any:
    _, owner, field = find_owner(spec, edit.at, edit.name)
    return getattr(owner, field)


def _display_value(spec: Spec, edit: Set | Clear, unit: str) -> Text | str | None:
    """Return a field's value as the description shows it, or None if it is not set."""
    value = _value(spec, edit)
    if value is None or value == ():
        return None
    if isinstance(value, str):
        return shorten(element_label(spec, value) if value in spec.by_id else value, LONGEST) or None
    if isinstance(value, tuple) and all(isinstance(item, str) for item in value):
        names = TextList(element_label(spec, item) for item in value)
        return Text("{values}", {"values": names}) if len(str(names)) <= LONGEST else shorten(str(names), LONGEST)
    if isinstance(value, tuple) and edit.name == "transforms":
        return Text("{values}", {"values": tuple(map(transform_words, value))})
    if isinstance(value, tuple):
        return build_text(N_("{count} items"), count=len(value))
    return describe_value(value, unit)


def _list_title(spec: Spec, edit: Insert) -> Text:
    """Return the title of the list into which an element was inserted."""
    title, _ = field_title(spec, edit.parent, edit.list)
    return Text(title)


def _element_name(spec: Spec, element: dict[str, Any]) -> str:
    existing = spec.by_id.get(str(element.get("id")))
    return shorten(element_label(spec, existing.id), LONGEST) if isinstance(existing, Element) else ""


def _describe_batch(before: Spec, after: Spec, batch: Batch) -> Text:
    """Return the batch's label and its changes; of many, the first and the number of the others."""
    changes = [*_describe_keys(before, after, batch), *_describe_others(before, after, batch)]
    visible, more = TextList(changes[:MOST_CHANGES]), len(changes) - MOST_CHANGES
    if not changes:
        return Text(batch.label) if batch.label else build_text(N_("{count} changes at once"), count=0)
    text = build_text(N_("{changes}, and {more} more"), changes=visible, more=more) if more > 0 else None
    text = text or Text("{changes}", {"changes": visible})
    return build_text("{label}: {changes}", label=Text(batch.label), changes=text) if batch.label else text


def _describe_keys(before: Spec, after: Spec, edit: Edit) -> Iterator[Text]:
    """Yield each row key that is otherwise afterwards, whole: its parts alone would not show it."""
    touched = set(_touched_ids(edit))
    for _, kind in after.row_kinds():
        was = before.by_id.get(kind.id)
        if isinstance(was, RowKind) and touched & (_part_ids(was) | _part_ids(kind)):
            keys = key_of(before, was), key_of(after, kind)
            if keys[0] and keys[0] != keys[1]:
                name = shorten(element_label(after, kind.id), LONGEST)
                was_key, now_key = (shorten(key, LONGEST) for key in keys)
                yield build_text(N_("key of {kind} changed from {was} to {now}"), kind=name, was=was_key, now=now_key)


def _describe_others(before: Spec, after: Spec, edit: Edit) -> Iterator[Text]:
    """Yield the changes outside of the keys that `_describe_keys` tells."""
    key_parts: set[str] = set()
    for _, kind in after.row_kinds():
        was = before.by_id.get(kind.id)
        if isinstance(was, RowKind) and key_of(before, was) and key_of(before, was) != key_of(after, kind):
            key_parts |= _part_ids(was) | _part_ids(kind)
    for step in edit.edits if isinstance(edit, Batch) else (edit,):
        if isinstance(step, Batch):
            yield from _describe_others(before, after, step)
        elif not key_parts.intersection(_touched_ids(step)) and _is_visible(before, after, step):
            yield from describe_edits(before, after, step)


def _is_visible(before: Spec, after: Spec, step: Edit) -> bool:
    """Return False for a step within an element that another step adds or removes as a whole."""
    match step:
        case Set() | Clear():
            was, now = before.by_id.get(step.at), after.by_id.get(step.at)
            return not step.at or (now is not None and type(was) is type(now))
        case Insert():
            return not step.parent or (step.parent in before.by_id and step.parent in after.by_id)
        case Remove():
            return step.at in before.by_id
        case Move():
            return step.at in after.by_id
        case _:
            return True


def _touched_ids(edit: Edit) -> Iterator[str]:
    match edit:
        case Batch():
            for step in edit.edits:
                yield from _touched_ids(step)
        case Insert():
            yield str(edit.element.get("id"))
        case Set() | Clear() | Remove() | Move():
            yield edit.at


def _part_ids(kind: RowKind) -> set[str]:
    """Return the ids of the parts of a row kind's key."""
    columns = kind.key_columns
    return {part.id for part in (*kind.key, *columns, *(segment for column in columns for segment in column.segments))}
