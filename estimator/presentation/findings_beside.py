"""Findings to show beside the open element in the editor."""

from collections import Counter
from collections.abc import Iterator, Mapping

from designer.document import Element, Model, Spec
from designer.document.base import children, walk
from designer.document.table import Table
from designer.editing import forms

from .design_page import GRAVITY, DesignPage, FindingView, TablePage


def containing_table(page: DesignPage, at: str) -> TablePage | None:
    """Return the table that contains an element, or else the first table."""
    table_id = _table_of(page.spec, at)
    return None if table_id is None else page.table(table_id)


def _table_of(spec: Spec, at: str) -> Table | None:
    for table in spec.tables if at in spec.by_id else ():
        if any(isinstance(part, Element) and part.id == at for part in walk(table)):
            return table
    return spec.tables[0] if spec.tables else None


def findings_by_place(
    page: DesignPage, at: str, whole: str = ""
) -> tuple[tuple[str, bool, tuple[FindingView, ...]], ...]:
    """Return the places in the open element's page with their findings, or those of one of its lists in whole.

    Each is the place's id, whether it has room for sentences, and the findings; a place without any is empty.
    """
    if at and at not in page.spec.by_id and at != forms.INSTANCE:
        return ()
    return tuple(_list_places(page, at, whole) if whole else _places(page, at))


def _places(page: DesignPage, at: str) -> Iterator[tuple[str, bool, tuple[FindingView, ...]]]:
    if at == forms.INSTANCE:
        yield from _instance_places(page)
        return
    own = page.findings_by_element.get(at, ())
    fields = forms.control_fields(page.spec, at)
    for field in fields:
        yield forms.control_id(at, field) + "-beside", True, tuple(r for r in own if r.finding.field == field)
    yield "element-beside", True, tuple(r for r in own if r.finding.field not in fields)
    yield from _list_places(page, at)


def _list_places(page: DesignPage, at: str, whole: str = "") -> Iterator[tuple[str, bool, tuple[FindingView, ...]]]:
    """Yield the findings of the entries of an element's lists that are shown, or of one list in whole."""
    for element_list in forms.lists(page.spec, at):
        for element in element_list.visible_elements(whole) if whole in ("", element_list.field) else ():
            yield f"beside-{element.id}", False, page.findings_within(element)


def _instance_places(page: DesignPage) -> Iterator[tuple[str, bool, tuple[FindingView, ...]]]:
    """Yield the findings of the instance, which has no id: those of its fields, clusters and app profiles."""
    own = tuple(r for r in page.findings_by_element.get("", ()) if (r.finding.field or "").startswith("instance"))
    fields = [field for field in forms.control_fields(page.spec, forms.INSTANCE) if field != "instance.prices"]
    for field in fields:
        yield forms.control_id("", field) + "-beside", True, tuple(r for r in own if r.finding.field == field)
    yield "element-beside", True, tuple(r for r in own if r.finding.field not in fields)
    for element_list in forms.lists(page.spec, forms.INSTANCE):
        for element in element_list.elements:
            yield f"beside-{element.id}", False, page.findings_within(element)


def outline_marks(page: DesignPage) -> tuple[tuple[str, Mapping[str, int]], ...]:
    """Return, for each element with findings about it or in it, how many there are of the gravest severity."""
    severities: dict[str, Counter[str]] = {}

    def look(part: Model, holders: tuple[str, ...]) -> None:
        if isinstance(part, Element):
            holders = (*holders, part.id)
            for remark in page.findings_by_element.get(part.id, ()):
                for holder in holders:
                    severities.setdefault(holder, Counter())[remark.severity] += 1
        for _, _, child in children(part):
            look(child, holders)

    look(page.spec, ())
    return tuple((at, _gravest_count(counts)) for at, counts in severities.items() if set(counts) - {"accepted"})


def _gravest_count(counts: Mapping[str, int]) -> Mapping[str, int]:
    worst = min(counts, key=GRAVITY.index)
    return {worst: counts[worst]}
