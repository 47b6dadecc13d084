"""Alignment of the elements of one design with those of another.

Two designs of one origin share ids, and an id denotes one element permanently. Designs that share less than half of
their ids are strangers: elements with equal name and kind are matched, from the outside in. So are those parts of
files without ids (key segments, mostly) whose ids were derived from their position.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from designer.document import Element, Model, Spec
from designer.document.base import children, slots
from designer.document.ids import make_unique
from designer.document.key import AnySegment
from designer.document.references import POINTERS
from designer.wording import element_label, segment_source

MatchedBy = Literal["id", "name"]


@dataclass(frozen=True)
class Alignment:
    """The second design with the ids of the first: what has one id in both is one element."""

    spec: Spec
    by: MatchedBy
    own_ids: Mapping[str, str] = field(default_factory=dict)
    """The ids that elements had in the second design itself, where those are others."""


def align(before: Spec, after: Spec) -> Alignment:
    """Return the second design with the first one's ids; the same document where they share them."""
    by: MatchedBy = "id" if _is_related(before, after) else "name"
    # An id made from a place says nothing about the element: with a new first segment, every later one would seem
    # changed.
    positional_ids = _positional_ids(before) & _positional_ids(after)
    same = dict(_by_id(before, after, positional_ids)) if by == "id" else {}
    if by == "name" or positional_ids:
        _by_name(before, after, same, None if by == "name" else positional_ids)
    # A new element must not take the id of one that the first design has, or both would seem to be one.
    used_ids, ids = {*before.by_id, *same.values()}, dict(same)
    for element in after.elements():
        if element.id not in ids:
            ids[element.id] = make_unique(element.id, used_ids, ending="-new", first=0)
            used_ids.add(ids[element.id])
    if all(old == new for old, new in ids.items()):
        return Alignment(after, by)
    return Alignment(replace_ids(after, ids), by, {new: old for old, new in ids.items() if old != new})


def sort_of(element: Element) -> str:
    """Return an element's type; all kinds of key segments are one type."""
    return "Segment" if isinstance(element, AnySegment) else type(element).__name__


def element_lists(model: Model) -> Iterator[tuple[str, tuple[Element, ...]]]:
    """Yield the lists of elements of a model and its parts without ids: `tables`, `instance.clusters`."""
    for name, slot in slots(type(model)).items():
        value = getattr(model, name)
        if slot.many and slot.has_elements:
            yield name, value
        elif slot.required and not slot.many:
            yield from ((f"{name}.{inner}", elements) for inner, elements in element_lists(value))


def _is_related(before: Spec, after: Spec) -> bool:
    common = sum(1 for id_, element in before.by_id.items() if is_same_element(after.by_id.get(id_), element))
    # Of the smaller design, so that one that has doubled in size is still the same document.
    return 2 * common >= min(len(before.by_id), len(after.by_id))


def is_same_element(element: Element | None, other: Element) -> bool:
    """Return whether elements of one id are of one type."""
    return element is not None and sort_of(element) == sort_of(other)


def _by_id(before: Spec, after: Spec, positional_ids: set[str]) -> Iterator[tuple[str, str]]:
    for element in after.elements():
        if element.id not in positional_ids and is_same_element(before.by_id.get(element.id), element):
            yield element.id, element.id


def _positional_ids(spec: Spec) -> set[str]:
    """Ids that say nothing but the place in a list: `k-key-0` of the first segment."""
    ids: set[str] | None = spec.result_cache.get("filled_from_place")
    if ids is None:
        lists = (elements for owner in (spec, *spec.elements()) for _, elements in element_lists(owner))
        ids = {
            element.id
            for elements in lists
            for place, element in enumerate(elements)
            if element.id.endswith(f"-{place}")
        }
        spec.result_cache["filled_from_place"] = ids
    return ids


def _by_name(before: Spec, after: Spec, same: dict[str, str], ids: set[str] | None) -> None:
    """Match what is not matched yet, in the lists of elements that are the same; with `ids`, of these ids alone."""
    visited = set[str]()

    def look(part: Model, other: Model) -> None:
        lists = dict(element_lists(part))
        for name, theirs in element_lists(other):
            mine = lists.get(name, ())
            used_ids = set(same.values())
            open_mine = [e for e in mine if e.id not in used_ids and (ids is None or e.id in ids)]
            open_theirs = [e for e in theirs if e.id not in same and (ids is None or e.id in ids)]
            same.update(_matching_pairs(before, after, open_mine, open_theirs))
            here = {element.id: element for element in mine}
            for element in theirs:
                if (twin := here.get(same.get(element.id, ""))) is not None:
                    visited.add(element.id)
                    look(twin, element)

    look(before, after)
    for element in after.elements():
        twin = before.by_id.get(same.get(element.id, ""))
        if twin is not None and element.id not in visited:  # it moved to another list
            look(twin, element)


def _matching_pairs(
    before: Spec, after: Spec, mine: Sequence[Element], theirs: Sequence[Element]
) -> Iterator[tuple[str, str]]:
    """Pairs of one name and kind, the n-th with the n-th; then, where one row kind is left on both sides, these."""
    waiting = dict(zip(_labels(before, mine), mine, strict=True))
    remaining = []
    for label, element in zip(_labels(after, theirs), theirs, strict=True):
        twin = waiting.pop(label, None)
        if twin is None:
            remaining.append(element)
        else:
            yield element.id, twin.id
    if len(remaining) == len(waiting) == 1 and sort_of(remaining[0]) == "RowKind":
        yield remaining[0].id, next(iter(waiting.values())).id


def _labels(spec: Spec, elements: Sequence[Element]) -> list[tuple[str, str, int]]:
    counts: Counter[tuple[str, str]] = Counter()
    labels = []
    for element in elements:
        label = (type(element).__name__, label_of(spec, element))
        labels.append((*label, counts[label]))
        counts[label] += 1
    return labels


def label_of(spec: Spec, element: Any) -> str:
    """Return what an element is called, or made from; "" where nobody named it."""
    if isinstance(element, AnySegment):
        return segment_source(spec, element)
    name = element_label(spec, element.id)
    return "" if name == element.id and not element.given_name else name


def replace_ids(model: Any, ids: Mapping[str, str]) -> Any:
    """Return the model with every id replaced as in `ids`."""
    new: dict[str, Any] = {}
    for name in type(model).model_fields:
        value = getattr(model, name)
        if (type(model), name) in POINTERS or name == "id" or (name == "at" and hasattr(model, "rule")):
            new[name] = tuple(ids.get(i, i) for i in value) if isinstance(value, tuple) else ids.get(value, value)
    for name, number, _ in children(model):
        if number is None:
            new[name] = replace_ids(getattr(model, name), ids)
        elif name not in new:
            new[name] = tuple(replace_ids(item, ids) for item in getattr(model, name))
    return model.model_copy(update=new)
