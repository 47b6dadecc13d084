"""The outline of a design: what there is to open, in groups to which things can be added; and how to find it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from designer.document import Element, Model, Spec, groups
from designer.document.base import slots
from designer.document.design import path_of, paths
from designer.document.table import RowKind
from designer.wording import element_label, element_locations, element_type, is_named

ALL_OPEN = 60
"""A design of up to so many elements is shown whole; of a larger one only what is open is unfolded."""
MOST = 50
"""So many entries of one list are shown; the page of what holds them lists all."""
FOUND = 40
"""So many are shown of what a search finds."""
HIDDEN = frozenset(("key", "key_columns", "qualifier_from", "segments"))
"""What is shown where it is, not by entries of its own."""
ORDER = ("fields", "tables", "activities", "instance.clusters", "instance.app_profiles", "ignores")
NOT_ADDED = frozenset(("ignores",))
"""What is not added from here: a risk is accepted beside its finding."""


@dataclass(frozen=True)
class OutlineEntry:
    """One element of the outline."""

    id: str
    name: str
    """Empty where nobody named it."""
    what: str
    """What kind of thing it is."""
    open: bool
    groups: tuple["OutlineGroup", ...] = ()
    is_collapsed: bool = False
    """Whether there is something below it that is not shown until it is opened."""


@dataclass(frozen=True)
class OutlineGroup:
    """A list of elements: `list` of `parent`, as an edit that adds to it says it."""

    title: str
    parent: str
    list: str
    entries: tuple[OutlineEntry, ...]
    left_out: int
    """How many entries are not shown."""

    @property
    def can_add(self) -> bool:
        """True if elements can be added to the group in the outline."""
        return self.list not in NOT_ADDED


def outline(spec: Spec, at: str) -> tuple[OutlineGroup, ...]:
    """Fields, tables with what is in them, activities, clusters and app profiles; `at` is what is open."""
    way = ancestor_ids(spec, at)
    builder = _Outline(spec, way[-1] if way else "", frozenset(way), len(spec.by_id) <= ALL_OPEN)
    top = {group.list: group for group in builder.groups(spec, "")}
    return tuple(top[name] for name in ORDER if name in top and (top[name].entries or top[name].can_add))


def ancestor_ids(spec: Spec, at: str) -> tuple[str, ...]:
    """Return the ids from the outermost element down to this one.

    Elements below the outline's depth are left out.
    """
    part: object = spec
    ids: list[str] = []
    for step in path_of(spec, at) if at else ():
        if step in HIDDEN:
            break
        part = part[step] if isinstance(part, tuple) else getattr(part, str(step))  # type: ignore[index]
        if isinstance(part, Element):
            ids.append(part.id)
    return tuple(ids)


@dataclass(frozen=True)
class _Outline:
    spec: Spec
    at: str
    way: frozenset[str]
    is_full: bool

    def groups(self, owner: Model, parent: str, prefix: str = "") -> Iterator[OutlineGroup]:
        for name, slot in slots(type(owner)).items():
            if slot.required and not slot.many:
                yield from self.groups(getattr(owner, name), parent, f"{prefix}{name}.")
            if not slot.many or not slot.has_elements or name in HIDDEN:
                continue
            if not groups.has_meaning(self.spec, owner, name):
                continue
            elements: tuple[Element, ...] = getattr(owner, name)
            # What is open is always shown, also behind the first fifty.
            visible = [element for n, element in enumerate(elements) if n < MOST or element.id in self.way]
            entries = tuple(self.entry(element) for element in visible)
            title = groups.title(self.spec, type(owner), name)
            yield OutlineGroup(title, parent, f"{prefix}{name}", entries, len(elements) - len(visible))

    def entry(self, element: Element) -> OutlineEntry:
        unfolded = self.is_full or element.id in self.way or isinstance(element, RowKind)
        within = tuple(self.groups(element, element.id)) if unfolded and _holds(type(element)) else ()
        folded = not unfolded and any(getattr(element, name) for name in _holds(type(element)))
        name = element_label(self.spec, element.id)
        label = name if is_named(element, name) else ""
        return OutlineEntry(
            element.id, label, element_type(element, self.spec.engine), element.id == self.at, within, folded
        )


@cache
def _holds(model: type[Model]) -> tuple[str, ...]:
    return tuple(n for n, slot in slots(model).items() if slot.many and slot.has_elements and n not in HIDDEN)


@dataclass(frozen=True)
class Hit:
    """Search result with its location."""

    id: str
    name: str
    trail: tuple[str, ...]


def search(spec: Spec, query: str) -> tuple[Hit, ...]:
    """Return the elements whose name contains the search words, beginning with matches at its start."""
    search_text, trails = query.strip().casefold(), element_locations(spec)
    hits = [
        Hit(element.id, name, trails[element.id][:-1])
        for path, element in paths(spec)
        if not HIDDEN.intersection(map(str, path))
        and search_text in (name := element_label(spec, element.id)).casefold()
    ]
    return (
        tuple(sorted(hits, key=lambda hit: not hit.name.casefold().startswith(search_text))[:FOUND])
        if search_text
        else ()
    )
