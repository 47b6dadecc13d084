"""Additions, changes, moves and removals between two designs by element, in the document's order."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designer.document import Element, Model, Spec
from designer.document.base import slots, walk
from designer.document.design import paths
from designer.document.dump import plain
from designer.document.edits import Batch, Edit, Insert, Remove, Set
from designer.document.key import AnySegment
from designer.document.keytext import render_key
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.wording import described, element_label, places, what_is
from designer.wording.formatting import english

from .alignment import listed
from .values import LONGEST, apart, exactly, summary, value_words

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
class Change:
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
    stands: "Stands | None" = None
    """Where it comes to stand, if it is put somewhere."""


@dataclass(frozen=True)
class Stands:
    """A place in a list of the second design."""

    parent: str
    list: str
    followers: tuple[str, ...]
    """Ids of what stands after it."""
    place: int


def changes(before: Spec, after: Spec) -> tuple[Change, ...]:
    """Every change from one design to the other, which must be `aligned`."""
    return tuple(_Changes(before, after).of("", before, after))


class _Changes:
    """The walk through both documents at once."""

    def __init__(self, before: Spec, after: Spec) -> None:
        self.before, self.after = before, after
        self.places = (places(before), places(after))

    def of(self, at: str, before: Model, after: Model) -> Iterator[Change]:
        """Yield the changes of an element and its descendants."""
        if before is after or (isinstance(before, Table) and before == after):
            return
        yield from self._changed(at, N_("Design") if isinstance(before, Spec) else _what(before), before, after)
        lists = dict(listed(before))
        for name, now in listed(after):
            if name == "instance.clusters":
                yield from self._instance()
            yield from self._list(at, name, lists.get(name, ()), now)

    def _instance(self) -> Iterator[Change]:
        found = tuple(self._fields("", self.before.instance, self.after.instance, "instance."))
        if found:
            yield Change("changed", "", N_("Instance"), (), Text(""), Text(""), found)

    def _list(self, at: str, name: str, was: Sequence[Element], now: Sequence[Element]) -> Iterator[Change]:
        own, theirs = {e.id: e for e in was}, {e.id: e for e in now}
        kept = [e.id for e in was if e.id in theirs]
        moved = _moved(kept, [e.id for e in now if e.id in own])
        for id_ in _merged(list(own), list(theirs)):
            if id_ not in theirs:
                if id_ not in self.after.by_id:
                    yield self._removed(own[id_])
                continue
            element, stands = theirs[id_], _stands(at, name, now, id_)
            if id_ not in self.before.by_id:
                yield self._added(element, stands)
                yield from self._inside_new(element)
                continue
            if id_ in moved or id_ not in own:
                yield self._moved(was, now, element, stands)
            yield from self.of(id_, self.before.by_id[id_], element)

    def _inside_new(self, element: Element) -> Iterator[Change]:
        """Yield the elements that moved into a new element."""
        for name, now in listed(element):
            for one in now:
                if one.id in self.before.by_id:
                    yield self._moved((), now, one, _stands(element.id, name, now, one.id))
                    yield from self.of(one.id, self.before.by_id[one.id], one)
                else:
                    yield from self._inside_new(one)

    # --- one change ---------------------------------------------------------------------------------------------------

    def _changed(self, at: str, what: str, before: Model, after: Model) -> Iterator[Change]:
        if isinstance(before, AnySegment) and isinstance(after, AnySegment):
            yield from self._segment(at, before, after)
            return
        found = tuple(self._fields(at, before, after))
        if found:
            yield Change("changed", at, what, self.places[1].get(at, ()), Text(""), Text(""), found)

    def _segment(self, at: str, before: Any, after: Any) -> Iterator[Change]:
        """Yield the change of a segment as a whole."""
        if before != after:
            pair = ((self.before, before), (self.after, after))
            was, now = (Text("{key}", {"key": render_key(spec, (one,))}) for spec, one in pair)
            yield Change("changed", at, N_("Key segment"), self.places[1][at], was, now)

    def _added(self, element: Element, stands: "Stands") -> Change:
        inside = sum(1 for part in walk(element) if isinstance(part, Element) and part.id not in self.before.by_id) - 1
        said, place = summary(self.after, element), self.places[1][element.id]
        return Change("added", element.id, _what(element), place, Text(""), said, inside=inside, stands=stands)

    def _removed(self, element: Element) -> Change:
        inside = sum(1 for part in walk(element) if isinstance(part, Element) and part.id not in self.after.by_id) - 1
        said, place = summary(self.before, element), self.places[0][element.id]
        return Change("removed", element.id, _what(element), place, said, Text(""), inside=inside)

    def _moved(self, was: Sequence[Element], now: Sequence[Element], element: Element, stands: "Stands") -> Change:
        id_ = element.id
        if any(one.id == id_ for one in was):
            old, new = (_after(spec, held, id_) for spec, held in ((self.before, was), (self.after, now)))
        else:
            old, new = (Text(N_("in {place}"), {"place": " › ".join(p[id_][:-1])}) for p in self.places)
        return Change("moved", id_, _what(element), self.places[1][id_], old, new, stands=stands)

    # --- fields -------------------------------------------------------------------------------------------------------

    def _fields(self, at: str, before: Model, after: Model, prefix: str = "") -> Iterator[FieldChange]:
        for name in value_fields(before, after, prefix):
            yield self._field(at, name)

    def _field(self, at: str, name: str) -> FieldChange:
        title = described(self.after, at, name)[0]
        texts = [_held(spec, at, name) for spec in (self.before, self.after)]
        if all(isinstance(text, str) and len(text) > LONGEST for text in texts):
            was, now = (Text("{text}", {"text": text}) for text in apart(*texts))
            return FieldChange(name, title, was, now)
        was, now = value_words(self.before, at, name), value_words(self.after, at, name)
        if was == now:
            was, now = (value_words(spec, at, name, plainly=True) for spec in (self.before, self.after))
        if english("{was}", {"was": was}) == english("{now}", {"now": now}):
            was, now = (exactly(text, words) for text, words in zip(texts, (was, now), strict=True))
        return FieldChange(name, title, was, now)


def value_fields(before: Model, after: Model, prefix: str = "") -> Iterator[str]:
    """Yield the fields with another value, including those of parts without ids, except element lists."""
    for name in type(before).model_fields:
        if name in ("id", "format") or name not in type(after).model_fields:
            continue
        slot = slots(type(before)).get(name)
        was, now = getattr(before, name), getattr(after, name)
        if was == now or (slot is not None and slot.many and slot.holds_elements):
            continue
        if slot is not None and slot.required and len(slot.classes) == 1:
            if prefix or name != "instance":
                yield from value_fields(was, now, f"{prefix}{name}.")
            continue
        yield f"{prefix}{name}"


def _held(spec: Spec, at: str, name: str) -> Any:
    owner: Any = spec.by_id[at] if at else spec
    for step in name.split("."):
        owner = getattr(owner, step)
    return plain(owner)


def _what(model: Model) -> str:
    if isinstance(model, AnySegment):
        return N_("Key segment")
    return (what_is(model) if isinstance(model, Element) else "") or N_("Primary key column")


def _stands(parent: str, name: str, held: Sequence[Element], at: str) -> "Stands":
    ids = [one.id for one in held]
    place = ids.index(at)
    return Stands(parent, name, tuple(ids[place + 1 :]), place)


def _after(spec: Spec, held: Sequence[Element], at: str) -> Text:
    place = [one.id for one in held].index(at)
    if place == 0:
        return Text(N_("first"))
    return Text(N_("after {element}"), {"element": element_label(spec, held[place - 1].id)})


def _moved(was: Sequence[str], now: Sequence[str]) -> set[str]:
    """Return the smallest set to move from one order to the other: all but a longest increasing run."""
    places = {id_: place for place, id_ in enumerate(was)}
    tails: list[int] = []
    ends: list[str] = []
    before: dict[str, str | None] = {}
    for id_ in now:
        at = bisect_left(tails, places[id_])
        before[id_] = ends[at - 1] if at else None
        tails[at : at + 1], ends[at : at + 1] = [places[id_]], [id_]
    stays, last = set[str](), ends[-1] if ends else None
    while last is not None:
        stays.add(last)
        last = before[last]
    return set(now) - stays


def _merged(was: Sequence[str], now: Sequence[str]) -> list[str]:
    """Both lists in one: the new order, what is gone after what it stood behind."""
    merged, there = list(now), set(now)
    for place, id_ in enumerate(was):
        if id_ not in there:
            behind = next((other for other in reversed(was[:place]) if other in merged), None)
            merged.insert(0 if behind is None else merged.index(behind) + 1, id_)
    return merged


# --- the changes as edits ---------------------------------------------------------------------------------------------


def batch(before: Spec, after: Spec, each: Sequence[Change]) -> Batch:
    """Return the edits that make the changes in the first design: removals, insertions, then values."""
    out = {change.at for change in each if change.sign in ("removed", "moved")}
    removes: list[Edit] = [Remove(at=at) for at in out]
    puts = [change for change in each if change.stands is not None]
    depths = {element.id: len(path) for path, element in paths(after)}
    puts.sort(key=lambda change: (depths[change.at], -_place(change)))  # outer ones first; in a list the last first
    coming = {part.id for put in puts for part in walk(after.by_id[put.at]) if isinstance(part, Element)}
    inserts = [_insert(before, after, change, out, coming) for change in puts]
    sets = [edit for change in each if change.sign == "changed" for edit in _sets(before, after, change)]
    return Batch(edits=(*removes, *inserts, *sets))


def _place(change: Change) -> int:
    return change.stands.place if change.stands else 0


def _insert(before: Spec, after: Spec, change: Change, out: set[str], coming: set[str]) -> Insert:
    stands = change.stands
    assert stands is not None
    there = {one.id for one in _list_in(before, stands)} - out | coming
    follows = next((id_ for id_ in stands.followers if id_ in there), None)
    if change.sign == "added":
        element = _without(plain(after.by_id[change.at]), set(before.by_id))
    else:
        element = _without(plain(before.by_id[change.at]), out - {change.at})
    return Insert(parent=stands.parent, list=stands.list, element=element, before=follows)


def _list_in(spec: Spec, stands: Stands) -> Sequence[Element]:
    owner = spec.by_id.get(stands.parent) if stands.parent else spec
    return dict(listed(owner)).get(stands.list, ()) if owner is not None else ()


def _without(data: Any, ids: set[str]) -> Any:
    """Plain data without the elements of these ids in it: they are put in by themselves."""
    if isinstance(data, list):
        return [_without(one, ids) for one in data if not (isinstance(one, dict) and one.get("id") in ids)]
    return {name: _without(held, ids) for name, held in data.items()} if isinstance(data, dict) else data


def _sets(before: Spec, after: Spec, change: Change) -> Iterator[Edit]:
    at = change.at
    if at and type(before.by_id[at]) is not type(after.by_id[at]):  # a segment of another kind in its place
        for parent in (after, *after.elements()):
            for name, held in listed(parent):
                ids = [one.id for one in held]
                if at in ids:
                    follows = next(iter(ids[ids.index(at) + 1 :]), None)
                    owner = parent.id if isinstance(parent, Element) else ""
                    yield Remove(at=at)
                    yield Insert(parent=owner, list=name, element=plain(after.by_id[at]), before=follows)
        return
    names = [field.name for field in change.fields]
    if at and not names:
        names = list(value_fields(before.by_id[at], after.by_id[at]))
    for name in names:
        yield Set(at=at, name=name, value=_held(after, at, name), was=_held(before, at, name))


__all__ = ["SIGNS", "Change", "FieldChange", "Sign", "Stands", "batch", "changes"]
