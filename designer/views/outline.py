"""The outline of a design: what there is to open, in the document's order."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.spec import Element, Model, Spec
from designer.spec.base import children
from designer.spec.design import Ignore
from designer.spec.key import KeyColumn
from designer.spec.table import RowKind, Table
from designer.words import name_of


@dataclass(frozen=True)
class Entry:
    """One element of the outline; `list` names the list that it stands in, such as `tables`."""

    id: str
    name: str
    kind: str
    list: str
    open: bool
    below: tuple["Entry", ...]

    @property
    def holds_open(self) -> bool:
        """Whether it, or something below it, is what is open."""
        return self.open or any(entry.holds_open for entry in self.below)


def outline(spec: Spec, at: str) -> tuple[Entry, ...]:
    """Every element that has a page, below what it belongs to."""
    return tuple(_below(spec, spec, at))


def _below(spec: Spec, part: Model, at: str) -> Iterator[Entry]:
    for name, _, child in children(part):
        if not isinstance(child, Element):
            yield from _below(spec, child, at)
        elif isinstance(child, Ignore) or name in ("key", "qualifier_from", "segments"):
            continue  # shown where they are, not on pages of their own
        elif isinstance(child, RowKind) and isinstance(part, Table) and len(part.row_kinds) == 1:
            yield Entry(child.id, name_of(spec, child.id), "key", name, child.id == at, ())
            yield from _below(spec, child, at)
        else:
            below = () if isinstance(child, KeyColumn) else tuple(_below(spec, child, at))
            kind = type(child).__name__.lower()
            yield Entry(child.id, name_of(spec, child.id), kind, name, child.id == at, below)
