"""What is added, changed, moved and removed between two designs, element by element, in the order of the document."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from designer.spec import Element, Model, Spec
from designer.spec.base import slots, walk
from designer.spec.dump import plain
from designer.spec.edits import Batch, Edit, Insert, Move, Remove, Set
from designer.spec.keytext import render_key
from designer.spec.texts import N_, Text
from designer.words import described, name_of, places, what_is

from .aligned import listed, sort_of
from .values import LONGEST, apart, summary, value_words

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
    """What happened to one element; to the design itself and its instance, which have no id, where `at` is empty."""

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
    edits: tuple[Edit, ...] = ()
    """What does this to the first design; see `alone`."""


def changes(before: Spec, after: Spec) -> tuple[Change, ...]:
    """Every change from one design to the other, which must be `aligned`."""
    return tuple(_Changes(before, after).of("", before, after))


class _Changes:
    """The walk through both documents at once."""

    def __init__(self, before: Spec, after: Spec) -> None:
        self.before, self.after = before, after
        self.places = (places(before), places(after))

    def of(self, at: str, before: Model, after: Model) -> Iterator[Change]:
        """What changed in an element and below it."""
        if isinstance(before, Spec) and isinstance(after, Spec):
            yield from self._changed("", N_("Design"), before, after)
            yield from self._lists("", before, after)
            return
        yield from self._changed(at, _what(before), before, after)
        yield from self._lists(at, before, after)

    def _lists(self, at: str, before: Model, after: Model) -> Iterator[Change]:
        lists = dict(listed(before))
        for name, now in listed(after):
            if name == "instance.clusters":
                yield from self._instance()
            yield from self._list(at, name, lists.get(name, ()), now)

    def _instance(self) -> Iterator[Change]:
        found = tuple(self._fields("", self.before.instance, self.after.instance, "instance."))
        if found:
            edits = self._edits("", found)
            yield Change("changed", "", N_("Instance"), (), Text(""), Text(""), found, edits=edits)

    def _list(self, at: str, name: str, was: Sequence[Element], now: Sequence[Element]) -> Iterator[Change]:
        own, theirs = {e.id: e for e in was}, {e.id: e for e in now}
        kept = [e.id for e in was if e.id in theirs]
        moved = _moved(kept, [e.id for e in now if e.id in own])
        for id_ in _merged(list(own), list(theirs)):
            if id_ not in theirs:
                if id_ not in self.after.by_id:
                    yield self._removed(own[id_])
                continue
            element = theirs[id_]
            if id_ not in self.before.by_id:
                yield self._added(at, name, now, element)
                continue
            if id_ in moved or id_ not in own:
                yield self._moved(at, name, was, now, element, inside=id_ in own)
            yield from self.of(id_, self.before.by_id[id_], element)

    # --- one change ---------------------------------------------------------------------------------------------------

    def _changed(self, at: str, what: str, before: Model, after: Model) -> Iterator[Change]:
        if hasattr(before, "after") and hasattr(after, "after") and before != after:
            yield self._segment(at, before, after)
            return
        found = tuple(self._fields(at, before, after))
        if found:
            place = self.places[1].get(at, ())
            yield Change("changed", at, what, place, Text(""), Text(""), found, edits=self._edits(at, found))

    def _segment(self, at: str, before: Any, after: Any) -> Change:
        """A segment reads best as a whole; one of another kind is put into its place."""
        was, now = (
            Text("{key}", {"key": render_key(spec, (one,))})
            for spec, one in ((self.before, before), (self.after, after))
        )
        if type(before) is type(after):
            edits = self._edits(at, tuple(self._fields(at, before, after)))
        else:
            edits = (Remove(at=at), self._insertion(after))
        return Change("changed", at, N_("Key segment"), self.places[1][at], was, now, edits=edits)

    def _added(self, at: str, name: str, now: Sequence[Element], element: Element) -> Change:
        inside, place = _count(element), self.places[1][element.id]
        before = _next(now, element.id, self.before.by_id)
        edit = Insert(parent=at, list=name, element=plain(element), before=before)
        said = summary(self.after, element)
        return Change("added", element.id, _what(element), place, Text(""), said, inside=inside, edits=(edit,))

    def _removed(self, element: Element) -> Change:
        said, place = summary(self.before, element), self.places[0][element.id]
        edits = (Remove(at=element.id),)
        return Change("removed", element.id, _what(element), place, said, Text(""), inside=_count(element), edits=edits)

    def _moved(
        self, at: str, name: str, was: Sequence[Element], now: Sequence[Element], element: Element, *, inside: bool
    ) -> Change:
        id_ = element.id
        follows = _next(now, id_, {e.id for e in was} if inside else self.before.by_id)
        if inside:
            old, new = (_stands(spec, held, id_) for spec, held in ((self.before, was), (self.after, now)))
            edits: tuple[Edit, ...] = (Move(at=id_, before=follows, was_before=_after(was, id_)),)
        else:
            old, new = (Text(N_("in {place}"), {"place": " › ".join(p[id_][:-1])}) for p in self.places)
            as_was = plain(self.before.by_id[id_])
            edits = (Remove(at=id_), Insert(parent=at, list=name, element=as_was, before=follows))
        return Change("moved", id_, _what(element), self.places[1][id_], old, new, edits=edits)

    # --- fields -------------------------------------------------------------------------------------------------------

    def _fields(self, at: str, before: Model, after: Model, prefix: str = "") -> Iterator[FieldChange]:
        for name in type(before).model_fields:
            if name in ("id", "format") or name not in type(after).model_fields:
                continue
            slot = slots(type(before)).get(name)
            was, now = getattr(before, name), getattr(after, name)
            if was == now or (slot is not None and slot.many and slot.holds_elements):
                continue
            if slot is not None and slot.required and len(slot.classes) == 1:
                if prefix or name != "instance":
                    yield from self._fields(at, was, now, f"{prefix}{name}.")
                continue
            yield self._field(at, f"{prefix}{name}")

    def _field(self, at: str, name: str) -> FieldChange:
        title = described(self.after, at, name)[0]
        texts = [_held(spec, at, name) for spec in (self.before, self.after)]
        if all(isinstance(text, str) and len(text) > LONGEST for text in texts):
            was, now = (Text("{text}", {"text": text}) for text in apart(*texts))
            return FieldChange(name, title, was, now)
        was, now = value_words(self.before, at, name), value_words(self.after, at, name)
        if was == now:
            was, now = (value_words(spec, at, name, plainly=True) for spec in (self.before, self.after))
        return FieldChange(name, title, was, now)

    def _edits(self, at: str, found: Sequence[FieldChange]) -> tuple[Edit, ...]:
        return tuple(
            Set(at=at, name=f.name, value=_held(self.after, at, f.name), was=_held(self.before, at, f.name))
            for f in found
        )

    def _insertion(self, element: Element) -> Insert:
        """The edit that puts an element of the second design where it stands there."""
        for owner in (self.after, *self.after.elements()):
            for name, held in listed(owner):
                if any(one.id == element.id for one in held):
                    parent = owner.id if isinstance(owner, Element) else ""
                    follows = _next(held, element.id, self.before.by_id)
                    return Insert(parent=parent, list=name, element=plain(element), before=follows)
        raise KeyError(element.id)


def _held(spec: Spec, at: str, name: str) -> Any:
    owner: Any = spec.by_id[at] if at else spec
    for step in name.split("."):
        owner = getattr(owner, step)
    return plain(owner)


def _what(model: Model) -> str:
    if hasattr(model, "after"):
        return N_("Key segment")
    return (what_is(model) if isinstance(model, Element) else "") or N_("Primary-key column")


def _count(element: Element) -> int:
    return sum(1 for part in walk(element) if isinstance(part, Element)) - 1


def _next(held: Sequence[Element], at: str, there: Any) -> str | None:
    """The first after this one that is already there."""
    ids = [one.id for one in held]
    return next((one for one in ids[ids.index(at) + 1 :] if one in there), None)


def _after(held: Sequence[Element], at: str) -> str | None:
    ids = [*(one.id for one in held), None]
    return ids[ids.index(at) + 1]


def _stands(spec: Spec, held: Sequence[Element], at: str) -> Text:
    place = [one.id for one in held].index(at)
    if place == 0:
        return Text(N_("first"))
    return Text(N_("after {element}"), {"element": name_of(spec, held[place - 1].id)})


def _moved(was: Sequence[str], now: Sequence[str]) -> set[str]:
    """The fewest that must move for one order to become the other: all but a longest increasing run."""
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


def batch(each: Sequence[Change]) -> Batch:
    """All edits of some changes, in an order in which they apply: what goes, what comes, values, places."""
    edits = [edit for change in each for edit in change.edits]
    order: dict[type[Any], int] = {Remove: 0, Insert: 1, Set: 2, Move: 3}
    return Batch(edits=tuple(sorted(edits, key=lambda edit: order[type(edit)])))


__all__ = ["SIGNS", "Change", "FieldChange", "Sign", "batch", "changes", "sort_of"]
