"""Subject of a comment, as text that survives renames and removals.

A subject is an element, a finding, a bill line or a cell. The text is a JSON list that begins with its
kind. Its label comes from the displayed document; a subject that no longer exists keeps the label from the
time of the comment.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from designer.document import Model, Spec
from designer.document.texts import N_
from designer.wording import element_label, element_locations, field_title
from designer.wording.formatting import Text
from estimator.presentation.design_page import DesignAnalysis
from estimator.results import Bill, BillLine, Finding, each_finding
from reviews.verdicts.section_contents import section_of_field
from reviews.verdicts.sections import SECTIONS, Section, section_of, titles

KINDS: Mapping[str, int] = {"element": 2, "finding": 2, "line": 4, "heat": 5, "section": 1}
"""How many texts follow the kind: element and field; rule and element; item, element, SKU, where; table, what is
counted, first and last key of the range (hexadecimal), clock time; the section's name."""
LONGEST = 2_000
CLOCK = re.compile(r"[0-2][0-9]:[0-5][0-9]")


@dataclass(frozen=True)
class Anchor:
    """Subject of a comment."""

    kind: str
    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """As it is stored and posted."""
        # One way to write it: threads on the same subject are found by comparing this text.
        return json.dumps([self.kind, *self.parts], ensure_ascii=False, separators=(",", ":"))

    @property
    def at(self) -> str:
        """The id of the element that it is on; empty where it is on none."""
        return self.parts[1 if self.kind in ("finding", "line") else 0] if self.kind != "section" else ""


def element(at: str, field: str = "") -> Anchor:
    """Return the anchor of an element, or of one of its fields."""
    return Anchor("element", (at, field))


def finding(rule: str, at: str) -> Anchor:
    """Return the anchor of a rule's finding on an element."""
    return Anchor("finding", (rule, at))


def line(of: BillLine) -> Anchor:
    """Return the anchor of a line of the bill."""
    return Anchor("line", (of.item, of.at, of.sku, of.where))


def section(name: Section) -> Anchor:
    """Return the anchor of a whole section."""
    return Anchor("section", (name,))


def heat(table: str, of: str, first: bytes, last: bytes, clock: str) -> Anchor:
    """Return the anchor of a cell of a table's heatmap: a range of keys at a time of the day.

    Empty bytes are the ends of the key range.
    """
    return Anchor("heat", (table, of, first.hex(), last.hex(), clock))


def parse_anchor(text: str) -> Anchor | None:
    """Parse an anchor from its text; return None if the text is not an anchor."""
    # The text comes from a form or an address and is stored; PostgreSQL takes no NUL in a text.
    if len(text) > LONGEST or "\0" in text:
        return None
    try:
        # RecursionError: brackets nested a thousand deep fit within the limit.
        kind, *parts = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        return None
    right = isinstance(kind, str) and KINDS.get(kind) == len(parts) and all(isinstance(p, str) for p in parts)
    if not right or (kind == "section" and parts[0] not in SECTIONS) or (kind == "heat" and not _is_cell(parts)):
        return None
    return Anchor(kind, tuple(parts))


def _is_cell(parts: list[str]) -> bool:
    if parts[1] not in HEAT_LABELS or CLOCK.fullmatch(parts[4]) is None:
        return False
    try:
        return all(bytes.fromhex(part) is not None for part in parts[2:4])
    except ValueError:
        return False


def section_at(spec: Spec, anchor: Anchor) -> Section:
    """Return the section to which an anchor belongs."""
    match anchor.kind:
        case "section":
            return next(name for name in SECTIONS if name == anchor.parts[0])
        case "line":
            return "cost"
        case "element":
            return section_of_field(spec, *anchor.parts)
        case _:
            return section_of(spec, anchor.at)


def has_subject(spec: Spec, analysis: DesignAnalysis, anchor: Anchor) -> bool:
    """Return whether the subject of an anchor exists in this document."""
    match anchor.kind:
        case "section":
            return True
        case "finding":
            return find_finding(analysis, anchor) is not None
        case "line":
            return _find_line(analysis.estimate.bill, anchor) is not None
        case "element":
            return _is_declared(spec, *anchor.parts)
        case _:
            return anchor.at in spec.by_id


def _is_declared(spec: Spec, at: str, field: str) -> bool:
    """Return whether this is an element, or a field that an element or the design declares.

    No other attribute is accessed.
    """
    holder: object = spec.by_id.get(at) if at else spec
    for step in field.split(".") if field else ():
        # The name comes from outside: getattr would otherwise reach any attribute or method of an object.
        if not isinstance(holder, Model) or step not in type(holder).model_fields:
            return False
        holder = getattr(holder, step)
    return bool(field) or isinstance(holder, Model)


def find_finding(analysis: DesignAnalysis, anchor: Anchor) -> Finding | None:
    """Return the finding of an anchor."""
    return next(
        (finding for finding in each_finding(analysis.findings) if (finding.rule, finding.at) == anchor.parts), None
    )


def _find_line(bill: Bill | None, anchor: Anchor) -> BillLine | None:
    lines = bill.lines if bill else ()
    return next((bill_line for bill_line in lines if line(bill_line) == anchor), None)


ELEMENTS: Mapping[str, str] = {
    "Field": N_("field “{name}”"),
    "Activity": N_("activity “{name}”"),
    "Table": N_("table “{name}”"),
    "RowKind": N_("row kind “{name}”"),
    "Family": N_("family “{name}”"),
    "Column": N_("column “{name}”"),
    "Write": N_("write “{name}”"),
    "Read": N_("read “{name}”"),
    "Backup": N_("backup “{name}”"),
    "KnownSize": N_("known size “{name}”"),
    "Cluster": N_("cluster “{name}”"),
    "AppProfile": N_("app profile “{name}”"),
    "Ignore": N_("accepted risk “{name}”"),
    "KeyColumn": N_("primary key column “{name}”"),
}


def anchor_label(spec: Spec, analysis: DesignAnalysis, anchor: Anchor) -> Text:
    """Return the label of an anchor; the label of a missing subject is only its id."""
    match anchor.kind:
        case "section":
            return Text(titles(spec.engine)[section_at(spec, anchor)])
        case "finding":
            if not anchor.at:
                return Text(N_("finding {rule}"), {"rule": anchor.parts[0]})
            return Text(
                N_("finding {rule} on {what}"), {"rule": anchor.parts[0], "what": _element_label(spec, anchor.at)}
            )
        case "line":
            bill_line = _find_line(analysis.estimate.bill, anchor)
            label = Text(bill_line.label, _label_params(bill_line.params)) if bill_line else anchor.parts[0]
            return Text(N_("bill line “{label}”"), {"label": label})
        case "heat":
            what = _element_label(spec, anchor.at)
            clock = {"what": what, "clock": anchor.parts[4]}
            return Text(HEAT_LABELS[anchor.parts[1]], clock)
        case _:
            return _field_label(spec, anchor)


HEAT_LABELS: Mapping[str, str] = {
    "writes": N_("writes of {what} at {clock}"),
    "reads": N_("reads of {what} at {clock}"),
    "node_time": N_("node CPU time of {what} at {clock}"),
}
"""Labels of the cells of a heatmap, by what it shows."""


def _label_params(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters that a label needs for later display: texts and plain numbers."""
    return {name: param for name, param in params.items() if isinstance(param, str | int | float | Text)}


def _field_label(spec: Spec, anchor: Anchor) -> Text:
    what = _element_label(spec, anchor.at) if anchor.at else Text(N_("the design"))
    if not anchor.parts[1] or not _is_declared(spec, *anchor.parts):
        return what
    title, _ = field_title(spec, anchor.at, anchor.parts[1])
    return Text(N_("{field} of {what}"), {"field": Text(title), "what": what})


def _element_label(spec: Spec, at: str) -> Text:
    element = spec.by_id.get(at)
    if element is None:
        return Text(N_("“{name}”"), {"name": at})
    message = ELEMENTS.get(type(element).__name__, N_("key segment “{name}”"))
    what, place = Text(message, {"name": element_label(spec, at)}), element_locations(spec)[at]
    # The place is only said where two elements of a kind have the same name.
    if len(place) == 1 or _count_names(spec)[type(element), place[-1]] < 2:
        return what
    return Text(N_("{what} in {place}"), {"what": what, "place": " › ".join(place[:-1])})


def _count_names(spec: Spec) -> Counter[tuple[type, str]]:
    """Return the number of elements of each kind and name."""
    return Counter((type(element), element_locations(spec)[element.id][-1]) for element in spec.elements())


__all__ = [
    "Anchor",
    "anchor_label",
    "element",
    "find_finding",
    "finding",
    "has_subject",
    "heat",
    "line",
    "parse_anchor",
    "section",
    "section_at",
]
