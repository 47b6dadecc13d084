"""Which findings stand beside what is open in the editor."""

from collections.abc import Iterator

from designer import forms
from designer.spec import Element
from designer.spec.base import walk

from .pages import DesignPage, Remark, TablePage


def table_of(shown: DesignPage, at: str) -> TablePage | None:
    """The table that an element belongs to; else the first."""
    for table in shown.tables:
        if any(isinstance(part, Element) and part.id == at for part in walk(table.it)):
            return table
    return shown.tables[0] if shown.tables else None


def beside(shown: DesignPage, at: str) -> tuple[tuple[str, tuple[Remark, ...]], ...]:
    """Ids of places in the open element's page with the findings that belong there; a place without any is empty."""
    if at and at not in shown.spec.by_id:
        return ()
    return tuple(_places(shown, at))


def _places(shown: DesignPage, at: str) -> Iterator[tuple[str, tuple[Remark, ...]]]:
    own = shown.beside.get(at, ())
    fields = [control.field for control in forms.controls(shown.spec, at)]
    for field in fields:
        yield forms.control_id(at, field) + "-beside", tuple(r for r in own if r.finding.field == field)
    yield "element-beside", tuple(r for r in own if r.finding.field not in fields)
    for listed in forms.lists(shown.spec, at):
        for element in listed.elements:
            yield f"beside-{element.id}", shown.beside.get(element.id, ())
