"""Additions, changes, moves and removals between two designs by element, in the document's order."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designer.document import Element, Model, Spec
from designer.document.base import slots, walk
from designer.document.design import paths
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Edit, Insert, Remove, Set
from designer.document.key import AnySegment
from designer.document.keytext import render_key
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.wording import element_label, element_locations, element_type, field_title
from designer.wording.formatting import english

from .alignment import element_lists
from .values import LONGEST, excerpts_where_different, summary, value_words, with_exact_value

Sign = Literal["added", "changed", "moved", "removed"]
SIGNS: Mapping[Sign, str] = {"added": "+", "changed": "~", "moved": "→", "removed": "−"}
"""Each kind of change by a sign, besides its colour."""


@dataclass(frozen=True)
class FieldChange:
    """One field of an element, old and new."""

    name: str
    title: str
    """A message."""
    was: Text
    now: Text


@dataclass(frozen=True)
class ElementChange:
    """Change of one element; `at` is empty for the design itself and its instance, which have no id."""

    sign: Sign
    at: str
    what: str
    """The kind of element, as a message."""
    place: tuple[str, ...]
    """The names from the outermost element down to it."""
    was: Text
    now: Text
    """The element in a line, or where it stood and stands; empty where its fields say it."""
    fields: tuple[FieldChange, ...] = ()
    inside: int = 0
    """So many elements were added or removed with it."""
    stands: "ListPosition | None" = None
    """Where it comes to stand, if it is put somewhere."""


@dataclass(frozen=True)
class ListPosition:
    """A place in a list of the second design."""

    parent: str
    list: str
    followers: tuple[str, ...]
    """Ids of what stands after it."""
    place: int


def changes(before: Spec, after: Spec) -> tuple[ElementChange, ...]:
    """Every change from one design to the other, which must be `aligned`."""
    return tuple(_ChangeCollector(before, after).of_element("", before, after))


class _ChangeCollector:
    """The walk through both documents at once."""

    def __init__(self, before: Spec, after: Spec) -> None:
        self.before, self.after = before, after
        self.places = (element_locations(before), element_locations(after))

    def of_element(self, at: str, before: Model, after: Model) -> Iterator[ElementChange]:
        """Yield the changes of an element and its descendants."""
        # Comparing whole tables first skips the walk through most of a large document.
        if before is after or (isinstance(before, Table) and before == after):
            return
        yield from self._element_changes(
            at, N_("Design") if isinstance(before, Spec) else _kind_of(before), before, after
        )
        lists = dict(element_lists(before))
        for name, now in element_lists(after):
            if name == "instance.clusters":
                yield from self._instance()
            yield from self._list(at, name, lists.get(name, ()), now)

    def _instance(self) -> Iterator[ElementChange]:
        field_changes = tuple(self._fields("", self.before.instance, self.after.instance, "instance."))
        if field_changes:
            yield ElementChange("changed", "", N_("Instance"), (), Text(""), Text(""), field_changes)

    def _list(self, at: str, name: str, before: Sequence[Element], after: Sequence[Element]) -> Iterator[ElementChange]:
        own, theirs = {e.id: e for e in before}, {e.id: e for e in after}
        common_ids = [e.id for e in before if e.id in theirs]
        moved_ids = _smallest_moves(common_ids, [e.id for e in after if e.id in own])
        for id_ in _merge_orders(list(own), list(theirs)):
            if id_ not in theirs:
                if id_ not in self.after.by_id:
                    yield self._removal(own[id_])
                continue
            element, stands = theirs[id_], _list_position(at, name, after, id_)
            if id_ not in self.before.by_id:
                yield self._addition(element, stands)
                # An element can be older than the new parent that it stands in; it has moved and is not new.
                yield from self._moves_into_new(element)
                continue
            if id_ in moved_ids or id_ not in own:
                yield self._move(before, after, element, stands)
            yield from self.of_element(id_, self.before.by_id[id_], element)

    def _moves_into_new(self, element: Element) -> Iterator[ElementChange]:
        """Yield the elements that moved into a new element."""
        for name, now in element_lists(element):
            for inner in now:
                if inner.id in self.before.by_id:
                    yield self._move((), now, inner, _list_position(element.id, name, now, inner.id))
                    yield from self.of_element(inner.id, self.before.by_id[inner.id], inner)
                else:
                    yield from self._moves_into_new(inner)

    # --- one change ---------------------------------------------------------------------------------------------------

    def _element_changes(self, at: str, what: str, before: Model, after: Model) -> Iterator[ElementChange]:
        if isinstance(before, AnySegment) and isinstance(after, AnySegment):
            yield from self._segment(at, before, after)
            return
        field_changes = tuple(self._fields(at, before, after))
        if field_changes:
            yield ElementChange("changed", at, what, self.places[1].get(at, ()), Text(""), Text(""), field_changes)

    def _segment(self, at: str, before: Any, after: Any) -> Iterator[ElementChange]:
        """Yield the change of a segment as a whole."""
        if before != after:
            pair = ((self.before, before), (self.after, after))
            was, now = (Text("{key}", {"key": render_key(spec, (segment,))}) for spec, segment in pair)
            yield ElementChange("changed", at, N_("Key segment"), self.places[1][at], was, now)

    def _addition(self, element: Element, stands: "ListPosition") -> ElementChange:
        inside = sum(1 for part in walk(element) if isinstance(part, Element) and part.id not in self.before.by_id) - 1
        text, place = summary(self.after, element), self.places[1][element.id]
        return ElementChange(
            "added", element.id, _kind_of(element), place, Text(""), text, inside=inside, stands=stands
        )

    def _removal(self, element: Element) -> ElementChange:
        inside = sum(1 for part in walk(element) if isinstance(part, Element) and part.id not in self.after.by_id) - 1
        text, place = summary(self.before, element), self.places[0][element.id]
        return ElementChange("removed", element.id, _kind_of(element), place, text, Text(""), inside=inside)

    def _move(
        self, before: Sequence[Element], after: Sequence[Element], element: Element, stands: "ListPosition"
    ) -> ElementChange:
        id_ = element.id
        if any(sibling.id == id_ for sibling in before):
            old, new = (
                _following_sibling(spec, elements, id_)
                for spec, elements in ((self.before, before), (self.after, after))
            )
        else:
            old, new = (Text(N_("in {place}"), {"place": " › ".join(p[id_][:-1])}) for p in self.places)
        return ElementChange("moved", id_, _kind_of(element), self.places[1][id_], old, new, stands=stands)

    # --- fields -------------------------------------------------------------------------------------------------------

    def _fields(self, at: str, before: Model, after: Model, prefix: str = "") -> Iterator[FieldChange]:
        for name in value_fields(before, after, prefix):
            yield self._field(at, name)

    def _field(self, at: str, name: str) -> FieldChange:
        title = field_title(self.after, at, name)[0]
        texts = [_field_value(spec, at, name) for spec in (self.before, self.after)]
        if all(isinstance(text, str) and len(text) > LONGEST for text in texts):
            was, now = (Text("{text}", {"text": text}) for text in excerpts_where_different(*texts))
            return FieldChange(name, title, was, now)
        was, now = value_words(self.before, at, name), value_words(self.after, at, name)
        # Words round: 1,000,001 and 1,000,002 are both "1 million", and a change must show a difference.
        if was == now:
            was, now = (value_words(spec, at, name, plainly=True) for spec in (self.before, self.after))
        if english("{was}", {"was": was}) == english("{now}", {"now": now}):
            was, now = (with_exact_value(text, words) for text, words in zip(texts, (was, now), strict=True))
        return FieldChange(name, title, was, now)


def value_fields(before: Model, after: Model, prefix: str = "") -> Iterator[str]:
    """Yield the fields with another value, including those of parts without ids, except element lists."""
    for name in type(before).model_fields:
        if name in ("id", "format") or name not in type(after).model_fields:
            continue
        slot = slots(type(before)).get(name)
        was, now = getattr(before, name), getattr(after, name)
        if was == now or (slot is not None and slot.many and slot.has_elements):
            continue
        if slot is not None and slot.required and len(slot.classes) == 1:
            if prefix or name != "instance":
                yield from value_fields(was, now, f"{prefix}{name}.")
            continue
        yield f"{prefix}{name}"


def _field_value(spec: Spec, at: str, name: str) -> Any:
    owner: Any = spec.by_id[at] if at else spec
    for step in name.split("."):
        owner = getattr(owner, step)
    return to_plain_data(owner)


def _kind_of(model: Model) -> str:
    if isinstance(model, AnySegment):
        return N_("Key segment")
    return (element_type(model) if isinstance(model, Element) else "") or N_("Primary key column")


def _list_position(parent: str, name: str, elements: Sequence[Element], at: str) -> "ListPosition":
    ids = [element.id for element in elements]
    place = ids.index(at)
    return ListPosition(parent, name, tuple(ids[place + 1 :]), place)


def _following_sibling(spec: Spec, elements: Sequence[Element], at: str) -> Text:
    place = [element.id for element in elements].index(at)
    if place == 0:
        return Text(N_("first"))
    return Text(N_("after {element}"), {"element": element_label(spec, elements[place - 1].id)})


def _smallest_moves(was: Sequence[str], after: Sequence[str]) -> set[str]:
    """Return the smallest set to move from one order to the other: all but a longest increasing run."""
    places = {id_: place for place, id_ in enumerate(was)}
    tails: list[int] = []
    ends: list[str] = []
    before: dict[str, str | None] = {}
    for id_ in after:
        # Longest increasing subsequence by patience sorting: `tails` has the least end of the runs of each length.
        # Whatever is not in the run has moved.
        at = bisect_left(tails, places[id_])
        before[id_] = ends[at - 1] if at else None
        tails[at : at + 1], ends[at : at + 1] = [places[id_]], [id_]
    stays, last = set[str](), ends[-1] if ends else None
    while last is not None:
        stays.add(last)
        last = before[last]
    return set(after) - stays


def _merge_orders(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Both lists in one: the new order, what is gone after what it stood behind."""
    merged, there = list(after), set(after)
    for place, id_ in enumerate(before):
        if id_ not in there:
            behind = next((other for other in reversed(before[:place]) if other in merged), None)
            merged.insert(0 if behind is None else merged.index(behind) + 1, id_)
    return merged


# --- the changes as edits ---------------------------------------------------------------------------------------------


def batch(before: Spec, after: Spec, element_changes: Sequence[ElementChange]) -> Batch:
    """Return the edits that make the changes in the first design: removals, insertions, then values."""
    out = {change.at for change in element_changes if change.sign in ("removed", "moved")}
    removes: list[Edit] = [Remove(at=at) for at in out]
    puts = [change for change in element_changes if change.stands is not None]
    depths = {element.id: len(path) for path, element in paths(after)}
    puts.sort(key=lambda change: (depths[change.at], -_place(change)))  # outer ones first; in a list the last first
    # What another edit of the batch will put in can be named as the element to stand before.
    coming = {part.id for put in puts for part in walk(after.by_id[put.at]) if isinstance(part, Element)}
    inserts = [_insert(before, after, change, out, coming) for change in puts]
    sets = [
        edit for change in element_changes if change.sign == "changed" for edit in _field_edits(before, after, change)
    ]
    return Batch(edits=(*removes, *inserts, *sets))


def _place(change: ElementChange) -> int:
    return change.stands.place if change.stands else 0


def _insert(before: Spec, after: Spec, change: ElementChange, out: set[str], coming: set[str]) -> Insert:
    stands = change.stands
    assert stands is not None
    there = {sibling.id for sibling in _elements_at(before, stands)} - out | coming
    follows = next((id_ for id_ in stands.followers if id_ in there), None)
    if change.sign == "added":
        # Older elements inside of a new one are moved there by edits of their own.
        element = _drop_elements(to_plain_data(after.by_id[change.at]), set(before.by_id))
    else:
        element = _drop_elements(to_plain_data(before.by_id[change.at]), out - {change.at})
    return Insert(parent=stands.parent, list=stands.list, element=element, before=follows)


def _elements_at(spec: Spec, stands: ListPosition) -> Sequence[Element]:
    owner = spec.by_id.get(stands.parent) if stands.parent else spec
    return dict(element_lists(owner)).get(stands.list, ()) if owner is not None else ()


def _drop_elements(data: Any, ids: set[str]) -> Any:
    """Plain data without the elements of these ids in it: they are put in by themselves."""
    if isinstance(data, list):
        return [
            _drop_elements(entry, ids) for entry in data if not (isinstance(entry, dict) and entry.get("id") in ids)
        ]
    return {name: _drop_elements(value, ids) for name, value in data.items()} if isinstance(data, dict) else data


def _field_edits(before: Spec, after: Spec, change: ElementChange) -> Iterator[Edit]:
    at = change.at
    if at and type(before.by_id[at]) is not type(after.by_id[at]):  # a segment of another kind in its place
        for parent in (after, *after.elements()):
            for name, elements in element_lists(parent):
                ids = [element.id for element in elements]
                if at in ids:
                    follows = next(iter(ids[ids.index(at) + 1 :]), None)
                    owner = parent.id if isinstance(parent, Element) else ""
                    yield Remove(at=at)
                    yield Insert(parent=owner, list=name, element=to_plain_data(after.by_id[at]), before=follows)
        return
    names = [field.name for field in change.fields]
    if at and not names:
        names = list(value_fields(before.by_id[at], after.by_id[at]))
    for name in names:
        yield Set(at=at, name=name, value=_field_value(after, at, name), was=_field_value(before, at, name))


__all__ = ["SIGNS", "ElementChange", "FieldChange", "ListPosition", "Sign", "batch", "changes"]
