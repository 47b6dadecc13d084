"""References from one element of a design document to another."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from .access import Bind, Read, Write
from .activity import Activity, Draw, Every
from .base import Element, Model, Path, SharedPart, children, path_text, reachable_classes, slots
from .family import Column, Family
from .field import NOTHING, Field
from .instance import AppProfile, Cluster
from .key import DerivedSegment, FieldSegment, HashSegment, SaltSegment, TimeSegment
from .table import Derived, KnownSize, RowKind, Table

POINTERS: dict[tuple[type[Model], str], type[Element]] = {
    (Field, "belongs_to"): Field,
    (Field, "unique_within"): Field,
    (Draw, "field"): Field,
    (Every, "field"): Field,
    (FieldSegment, "field"): Field,
    (TimeSegment, "field"): Field,
    (DerivedSegment, "field"): Field,
    (HashSegment, "fields"): Field,
    (SaltSegment, "fields"): Field,
    (Bind, "field"): Field,
    (Write, "activity"): Activity,
    (Write, "columns"): Column,
    (Write, "selected_by"): Field,
    (Write, "app_profile"): AppProfile,
    (Read, "families"): Family,
    (Read, "columns"): Column,
    (Read, "row_kinds"): RowKind,
    (Read, "app_profile"): AppProfile,
    (RowKind, "columns"): Column,
    (KnownSize, "prefix"): Field,
    (Derived, "table"): Table,
    (AppProfile, "clusters"): Cluster,
}
"""Every model's field that holds ids of other elements, and the kind of element meant.

`Ignore.at` is not here: an accepted risk may outlive its element, which is a note and no error.
"""

WORDS: dict[type[Element], str] = {
    Field: "field", Activity: "activity", Column: "column", AppProfile: "app profile",
    Family: "family", Table: "table", Cluster: "cluster", RowKind: "row kind",
}  # fmt: skip


@dataclass(frozen=True)
class Reference:
    """One pointer: its path in the document, the element that holds it (if any), the id it points to."""

    path: Path
    holder: str | None
    to: str
    target: type[Element]

    @property
    def place(self) -> str:
        """The path as people read it."""
        return path_text(self.path)

    @property
    def target_type(self) -> str:
        """The kind of element that is meant, in words."""
        return WORDS[self.target]


@cache
def _pointers(model: type[Model]) -> tuple[tuple[str, type[Element]], ...]:
    return tuple((name, POINTERS[model, name]) for name in model.model_fields if (model, name) in POINTERS)


@cache
def _points(model: type[Model]) -> bool:
    """Return whether a model of this class, or any model below it, may contain a reference."""
    return any(map(_pointers, reachable_classes(model)))


def references(model: Model, *, path: Path = (), holder: str | None = None) -> Iterator[Reference]:
    """Every pointer below the model, in document order."""
    holder = model.id if isinstance(model, Element) else holder
    for name, target in _pointers(type(model)):
        value = getattr(model, name)
        if isinstance(value, tuple):
            for number, to in enumerate(value):
                yield Reference((*path, name, number), holder, to, target)
        elif value is not None and value != NOTHING:
            yield Reference((*path, name), holder, value, target)
    for name, index, child in children(model):
        if not _points(type(child)):
            continue
        at = (*path, name) if index is None else (*path, name, index)
        yield from references(child, path=at, holder=holder)


def targets(model: Model) -> "list[Target]":
    """Return the id that each pointer below the model names, and the kind of element that it means."""
    result: list[Target] = []
    _collect_targets(model, result)
    return result


Target = tuple[str, type[Element]]


def _collect_targets(model: Model, targets: list[Target]) -> None:
    if isinstance(model, SharedPart):
        # The part is the same object from one edit to the next, so that this is asked again and again.
        if "targets" not in model.derived:
            inner: list[Target] = []
            _collect_inner_targets(model, inner)
            model.derived["targets"] = tuple(dict.fromkeys(inner))
        targets += model.derived["targets"]
    else:
        _collect_inner_targets(model, targets)


def _collect_inner_targets(model: Model, targets: list[Target]) -> None:
    for name, target in _pointers(type(model)):
        value = getattr(model, name)
        if isinstance(value, tuple):
            targets += [(to, target) for to in value]
        elif value is not None and value != NOTHING:
            targets.append((value, target))
    for name in _slots_with_pointers(type(model)):
        value = getattr(model, name)
        for child in (value,) if isinstance(value, Model) else value or ():
            _collect_targets(child, targets)


@cache
def _slots_with_pointers(model: type[Model]) -> tuple[str, ...]:
    """Return the fields of a class in whose models there may be a reference."""
    return tuple(name for name, slot in slots(model).items() if any(map(_points, slot.classes)))


def uses(model: Model, id: str) -> tuple[Reference, ...]:  # noqa: A002
    """Return the references to one element, which would dangle if the element were removed."""
    return tuple(reference for reference in references(model) if reference.to == id)
