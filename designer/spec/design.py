"""The whole document: `Spec`. References are checked here, and nothing else is: engine limits are rules."""

import datetime
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import Field as _Field
from pydantic import model_validator

from .activity import Activity
from .base import Element, Id, Model, described, listed, walk
from .field import Field
from .instance import Instance
from .references import references
from .table import RowKind, Table

FORMAT: Literal[1] = 1
"""The version of the document's format; older ones are upgraded on load (`upgrades.py`)."""

Engine = Literal["bigtable", "tablestore"]


class Ignore(Element):
    """A risk that the team accepts: one rule's finding on one element."""

    rule: str = _Field(pattern=r"^[A-Z]\d{3}$")
    at: Id = _Field(description="The element that the finding is about; it may be gone, and then a note says so.")
    reason: str = _Field(min_length=1)
    owner: str = _Field(min_length=1)
    until: datetime.date | None = None
    effect: float | None = _Field(
        default=None, description="The measured effect when it was accepted; a doubling is a note."
    )


class Spec(Model):
    """A design document."""

    format: Literal[1] = FORMAT
    name: str = ""
    description: str = _Field(default="", description="Markdown.")
    engine: Engine = "bigtable"
    horizon_months: int | None = described("Horizon", unit="months", guess=12, ge=1, le=120)
    start: datetime.date | None = described("Start date", guess="2026-01-01")
    fields: tuple[Field, ...] = listed("Fields")
    activities: tuple[Activity, ...] = listed("Activities")
    tables: tuple[Table, ...] = listed("Tables")
    instance: Instance = Instance()
    ignores: tuple[Ignore, ...] = listed("Accepted risks")

    @model_validator(mode="after")
    def _ids_and_references(self) -> Self:
        doubled = [each for each, n in Counter(e.id for e in self.elements()).items() if n > 1]
        if doubled:
            raise ValueError(f"the id {doubled[0]!r} is used more than once")
        for reference in references(self):
            target = self.by_id.get(reference.to)
            if target is None:
                raise ValueError(f"{reference.place}: there is no {reference.wanted} with the id {reference.to!r}")
            if not isinstance(target, reference.target):
                raise ValueError(f"{reference.place}: {reference.to!r} is not the id of a {reference.wanted}")
        return self

    def elements(self) -> Iterator[Element]:
        """Every element that has an id, in document order."""
        return (part for part in walk(self) if isinstance(part, Element))

    @cached_property
    def by_id(self) -> dict[str, Element]:
        """Every element by its id."""
        return {element.id: element for element in self.elements()}

    def find(self, id: str) -> Any:  # noqa: A002
        """The element with this id; KeyError if there is none."""
        return self.by_id[id]

    def row_kinds(self) -> Iterator[tuple[Table, RowKind]]:
        """Every row kind with its table."""
        return ((table, kind) for table in self.tables for kind in table.row_kinds)


__all__ = ["FORMAT", "Engine", "Id", "Ignore", "Spec"]
