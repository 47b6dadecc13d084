"""The whole document: `Spec`. References are checked here, and nothing else is: engine limits are rules."""

import datetime
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

from pydantic import Field as _Field

from .activity import Activity
from .base import Element, Flaw, Id, Model, Path, children, list_field, optional_field, path_text, walk
from .field import Field
from .instance import Instance
from .references import Reference, references
from .table import RowKind, Table
from .texts import N_, Text, build_text

FORMAT: Literal[1] = 1
"""The version of the document's format; older ones are upgraded on load (`upgrades.py`)."""

Engine = Literal["bigtable", "tablestore"]


class Ignore(Element):
    """A risk that the team accepts: one rule's finding on one element."""

    rule: str = _Field(title="Rule", pattern=r"^[A-Z]\d{3}$")
    at: Id = _Field(title="About", description="The element of the finding. If it is removed, a note reports it.")
    reason: str = _Field(title="Reason", min_length=1)
    owner: str = _Field(title="Owner", min_length=1)
    until: datetime.date | None = _Field(default=None, title="Until")
    effect: float | None = _Field(
        title="Effect at acceptance",
        default=None,
        description="The measured effect at acceptance. If it doubles, a note reports it.",
    )

    @property
    def label(self) -> str:
        """Code of the rule."""
        return self.rule


class Spec(Model):
    """A design document."""

    counts_once: ClassVar[bool] = True

    format: Literal[1] = FORMAT
    name: str = _Field(default="", title="Name")
    description: str = _Field(title="Description", default="", description="Markdown.")
    engine: Engine = _Field(default="bigtable", title="Engine")
    horizon_months: int | None = optional_field(
        "Horizon", unit="months", guess=12, ge=1, le=120, why=N_("a common planning period")
    )
    start: datetime.date | None = optional_field("Start date", guess="2026-01-01")
    fields: tuple[Field, ...] = list_field("Fields")
    activities: tuple[Activity, ...] = list_field("Activities")
    tables: tuple[Table, ...] = list_field("Tables")
    instance: Instance = Instance()
    ignores: tuple[Ignore, ...] = list_field("Accepted risks")

    def flaws(self) -> Iterator[Flaw]:
        elements = dict[str, Path]()
        for path, element in paths(self):
            if element.id in elements:
                message = N_('the id "{id}" is used more than once, first at {first}')
                yield Flaw((*path, "id"), build_text(message, id=element.id, first=path_text(elements[element.id])))
            elements.setdefault(element.id, path)
        for reference in self.pointers:
            target = self.by_id.get(reference.to)
            if target is None:
                yield Flaw(reference.path, self._unknown_id_text(reference))
            elif not isinstance(target, reference.target):
                message = N_('"{id}" is the id of an element of another kind, not of a {wanted}')
                yield Flaw(reference.path, build_text(message, id=reference.to, wanted=reference.target_type))
        yield from self._reference_cycles()

    def _unknown_id_text(self, reference: Reference) -> Text:
        """Return the message for an id that does not exist, with the id that was probably meant."""
        few = len(self.by_id) <= 2_000  # among more, looking for one that is alike takes too long
        alike = {e.id: e.id for e in self.elements() if isinstance(e, reference.target)} if few else {}
        alike |= {self.find(id_).name: id_ for id_ in alike.values() if hasattr(self.find(id_), "name")}
        near = get_close_matches(reference.to, alike, n=1)
        if not near:
            message = N_('no {wanted} has the id "{id}"')
            return build_text(message, wanted=reference.target_type, id=reference.to)
        message = N_('no {wanted} has the id "{id}"; did you mean "{meant}"?')
        return build_text(message, wanted=reference.target_type, id=reference.to, meant=alike[near[0]])

    def _reference_cycles(self) -> Iterator[Flaw]:
        """Chains of `belongs_to`, `unique_within` or `derived_from` that come back to where they began."""
        for name in ("belongs_to", "unique_within"):
            owners = {field.id: getattr(field, name) for field in self.fields}
            circling = _cyclic_elements(owners)
            for number, field in enumerate(self.fields):
                if field.id in circling:
                    message = N_("{name} refers back to this field in a cycle")
                    yield Flaw(("fields", number, name), build_text(message, name=name))
        sources = {table.id: table.derived_from.table for table in self.tables if table.derived_from}
        circling = _cyclic_elements(sources)
        for number, table in enumerate(self.tables):
            if table.id in circling:
                yield Flaw(("tables", number, "derived_from"), build_text(N_("derived_from refers back to this table")))

    def __copy__(self) -> Self:
        """Return a copy with an empty cache, because `model_copy` may change the copy."""
        copied = super().__copy__()
        for name in ("by_id", "pointers", "result_cache"):
            copied.__dict__.pop(name, None)
        return copied

    @cached_property
    def result_cache(self) -> dict[Any, Any]:
        """Cache for functions of the document, which compute their results once per document."""
        return {}

    def elements(self) -> Iterator[Element]:
        """Every element that has an id, in document order."""
        return (part for part in walk(self) if isinstance(part, Element))

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """Every element by its id."""
        return {element.id: element for element in self.elements()}

    @cached_property
    def pointers(self) -> tuple[Reference, ...]:
        """Every reference to an element, in document order."""
        return tuple(references(self))

    def find(self, id: str) -> Any:  # noqa: A002
        """Return the element with this id.

        Raises
        ------
        KeyError
            If no element has this id.
        """
        return self.by_id[id]

    def row_kinds(self) -> Iterator[tuple[Table, RowKind]]:
        """Every row kind with its table."""
        return ((table, kind) for table in self.tables for kind in table.row_kinds)


def paths(spec: Spec) -> Iterator[tuple[Path, Element]]:
    """Every element with the way to it, in document order."""
    return _paths(spec, ())


def _paths(model: Model, path: Path) -> Iterator[tuple[Path, Element]]:
    if isinstance(model, Element):
        yield path, model
    for name, number, child in children(model):
        yield from _paths(child, (*path, name) if number is None else (*path, name, number))


def _cyclic_elements(steps: Mapping[str, str | None] | Mapping[str, str]) -> set[str]:
    """Return the elements that are part of a cycle of steps."""
    done, circling = set[str](), set[str]()
    for start in steps:
        way = dict[str, int]()
        at: str | None = start
        while at is not None and at not in done and at not in way:
            way[at] = len(way)
            at = steps.get(at)
        if at is not None and at in way:
            circling |= {step for step, number in way.items() if number >= way[at]}
        done.update(way)
    return circling


__all__ = ["FORMAT", "Engine", "Id", "Ignore", "Spec"]
