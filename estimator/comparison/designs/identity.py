"""Ids for the elements of a text that people wrote: those of the design that it was made from.

Texts leave ids out. What keeps its name is the same element, and so is what was clearly renamed: at its place in the
list with the same content or a similar name, or elsewhere with the same name.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any

from designer.document import Element, Model, Spec
from designer.document.dump import to_plain_data
from designer.document.ids import make_unique
from designer.document.key import AnySegment

from .alignment import element_lists, is_same_element, label_of, replace_ids, sort_of

ALIKE = 0.5
"""Elements whose content, or names, have so much in common are one that was changed."""
MOST_COMPARED = 40
"""Among more elements that could be each other, only those at the same place in the list are compared."""


def identify(before: Spec, after: Spec, written_ids: Collection[str] = ()) -> Spec:
    """Return the second design with the first one's ids where both have the same element.

    Ids that the text gives itself (`written_ids`) are kept.
    """
    pairs = _Pairs(before, after)
    for element in after.elements():
        if element.id in written_ids and is_same_element(before.by_id.get(element.id), element):
            pairs.join(before.by_id[element.id], element)
    # Names decide within lists first; only what is left looks for a twin elsewhere.
    pairs.walk(before, after)
    pairs.join_across_lists()
    used_ids, ids = {*before.by_id}, dict(pairs.same)
    for element in after.elements():
        if element.id not in ids:
            ids[element.id] = make_unique(element.id, used_ids, ending="-new", first=0)
            used_ids.add(ids[element.id])
    return after if all(old == new for old, new in ids.items()) else replace_ids(after, ids)


@dataclass
class _Pairs:
    """Pairs of elements of two designs that are the same."""

    before: Spec
    after: Spec
    same: dict[str, str] = field(default_factory=dict)
    """Ids of the second design → of the first."""
    joined: set[str] = field(default_factory=set)
    """Ids of the first design that are in `same`."""

    def join(self, mine: Element, theirs: Element) -> None:
        self.same[theirs.id] = mine.id
        self.joined.add(mine.id)

    def walk(self, part: Model, other: Model) -> None:
        """Join what is in the lists of two parts that are the same, and what is in that."""
        lists = dict(element_lists(part))
        for name, theirs in element_lists(other):
            self._join_list(lists.get(name, ()), theirs)
            for element in theirs:
                if (twin := self.before.by_id.get(self.same.get(element.id, ""))) is not None:
                    self.walk(twin, element)

    def _join_list(self, mine: Sequence[Element], theirs: Sequence[Element]) -> None:
        waiting = dict(self._with_labels(mine, self.joined, self._old_label, {}))
        for label, element in self._with_labels(theirs, self.same, self._new_label, self.same):
            if (twin := waiting.pop(label, None)) is not None:
                self.join(twin, element)
        for old, new in _gaps(mine, theirs, self.same, self.joined):
            self._join_by_likeness(old, new)

    def _with_labels(
        self, elements: Sequence[Element], done: Collection[str], label: Callable[[Element], str], ids: dict[str, str]
    ) -> Iterator[tuple[tuple[str, str, int], Element]]:
        """Yield what is not joined yet with its type, label (else content), and number among those of the same."""
        counts: Counter[tuple[str, str]] = Counter()
        for element in elements:
            if element.id not in done:
                key = (type(element).__name__, label(element) or repr(sorted(_content(element, ids).items())))
                yield (*key, counts[key]), element
                counts[key] += 1

    def _join_by_likeness(self, mine: Sequence[Element], theirs: Sequence[Element]) -> None:
        """Join elements between the same neighbours whose content or names are alike, the most alike first."""
        # Likeness of all pairs is quadratic: 1,000 renamed columns would be a million comparisons of texts.
        if len(mine) * len(theirs) > MOST_COMPARED**2:
            scored = [(self._likeness(element, other), n, n) for n, (element, other) in enumerate(zip(mine, theirs))]  # noqa: B905
        else:
            scored = [
                (self._likeness(element, other), m, n)
                for m, element in enumerate(mine)
                for n, other in enumerate(theirs)
            ]
        # Greedily the most alike pair first, and of equals the one nearest to its old place.
        for likeness, m, n in sorted(scored, key=lambda score: (-score[0], abs(score[1] - score[2]), score[1])):
            if likeness >= ALIKE and mine[m].id not in self.joined and theirs[n].id not in self.same:
                self.join(mine[m], theirs[n])

    def join_across_lists(self) -> None:
        """Join what went to another list under the same name."""
        gone: dict[tuple[str, str], list[Element]] = {}
        for element in self.before.elements():
            if element.id not in self.joined and not isinstance(element, AnySegment):
                gone.setdefault((sort_of(element), self._old_label(element)), []).append(element)
        for element in self.after.elements():
            label = "" if element.id in self.same or isinstance(element, AnySegment) else self._new_label(element)
            for twin in gone.get((sort_of(element), label), ()) if label else ():
                if twin.id not in self.joined and self._content_likeness(twin, element) >= ALIKE:
                    self.join(twin, element)
                    self.walk(twin, element)
                    break

    def _old_label(self, element: Element) -> str:
        return _qualifier(element) or label_of(self.before, element)

    def _new_label(self, element: Element) -> str:
        """Return the label, in the words of the first design where it names an element of that."""
        if isinstance(element, AnySegment):
            return label_of(self.before, _with_references(element, self.same))
        return _qualifier(element) or label_of(self.after, element)

    def _likeness(self, element: Element, other: Element) -> float:
        if type(element) is not type(other):
            return 0.0
        was, now = self._old_label(element), self._new_label(other)
        of_names = SequenceMatcher(None, was, now).ratio() if was and now else 0.0
        return max(self._content_likeness(element, other), of_names)

    def _content_likeness(self, element: Element, other: Element) -> float:
        mine, theirs = _content(element, {}), _content(other, self.same)
        total = mine.total() + theirs.total()
        return 2 * (mine & theirs).total() / total if total else 1.0


def _gaps(
    mine: Sequence[Element], theirs: Sequence[Element], same: dict[str, str], joined: set[str]
) -> Iterator[tuple[list[Element], list[Element]]]:
    """Yield what is left on both sides after the same neighbour."""
    open_mine: dict[str, list[Element]] = {"": []}
    last = ""
    for element in mine:
        last = element.id if element.id in joined else last
        open_mine.setdefault(last, [])
        if element.id not in joined:
            open_mine[last].append(element)
    open_theirs: dict[str, list[Element]] = {}
    last = ""
    for element in theirs:
        last = same.get(element.id, last)
        if element.id not in same:
            open_theirs.setdefault(last, []).append(element)
    for place, new in open_theirs.items():
        if open_mine.get(place):
            yield open_mine[place], new


def _qualifier(element: Element) -> str:
    return str(getattr(element, "qualifier", ""))


def _content(element: Element, ids: dict[str, str]) -> Counter[tuple[str, str]]:
    """Return what an element says but for its name, with references by the ids of the first design."""
    return Counter(_leaves(to_plain_data(_with_references(element, ids))))


def _leaves(data: Any, path: str = "") -> Iterator[tuple[str, str]]:
    """Yield the values of plain data with the names that lead to them, but for names and ids of elements."""
    if isinstance(data, dict):
        for name, value in data.items():
            if name not in ("id", "name", "qualifier"):
                yield from _leaves(value, f"{path}.{name}")
    elif isinstance(data, list):
        for value in data:
            yield from _leaves(value, path)
    else:
        yield path, str(data)


def _with_references(element: Element, ids: dict[str, str]) -> Element:
    """Return the element with references to what is joined by the ids of the first design."""
    return replace_ids(element, {**ids, element.id: element.id}) if ids else element
