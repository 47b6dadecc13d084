"""Data of the pages of one design, computed once per document: estimate, findings, charts, table rows."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

from designer.document import Element, Spec
from designer.document.assumptions import assumptions
from designer.document.base import walk
from designer.document.dump import fingerprint
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.editing import forms
from designer.wording import Chip, colour_class, described, element_label, key_chips, key_of, places
from estimator.advice.questions import lint
from estimator.advice.rules import RULES, Rule
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate
from estimator.estimates.what_if import WhatIf, what_if
from estimator.facts.default_skew import skewed_by_guess
from estimator.results import Estimate, Finding, KeyFacts, ReadPlan, SegmentFacts, TablePart, WriteLoad

from .charts.registry import charts
from .charts.types import Chart
from .pricing import Pricing, book_age, pricing
from .segments import cut


@dataclass(frozen=True)
class Answer:
    """Everything computed from one document on one day."""

    estimate: Estimate
    findings: tuple[Finding, ...]


ANSWERS = "answers"


def answer(spec: Spec, context: Context) -> Answer:
    """Return the estimate and the findings of a document, cached by its content."""

    def compute() -> Answer:
        found = estimate(spec, context)
        made = Answer(found, lint(spec, found, context))
        found.remembered.clear()  # what rules put together is several times larger than the estimate
        return made

    return context.cache.get(ANSWERS, answer_key(spec, context), compute)


def answer_key(spec: Spec, context: Context) -> Hashable:
    """Return all that an answer depends on."""
    book = context.price_books.find(spec)
    return fingerprint(spec), context.today, len(context.measurements), (book.name, book.date) if book else None


GRAVITY = ("error", "warning", "question", "note", "accepted")


@dataclass(frozen=True)
class Remark:
    """One finding as a page shows it."""

    number: int
    finding: Finding
    rule: Rule | None
    places: Callable[[], Mapping[str, tuple[str, ...]]] = field(compare=False, repr=False)
    under: tuple["Remark", ...] = ()

    @property
    def place(self) -> tuple[str, ...]:
        """The names from the table (or other outermost element) down to what it is about."""
        return self.places().get(self.finding.at, ())

    @property
    def under_title(self) -> str:
        """Title of the findings under it, as a message."""
        if self.finding.is_summary:
            return N_("Elements:")
        return N_("Depends on the answer:") if self.finding.severity == "question" else N_("Consequences:")

    @property
    def severity(self) -> str:
        """The class of its sign: accepted risks are quiet."""
        return "accepted" if self.finding.ignored else self.finding.severity


@dataclass(frozen=True)
class Access:
    """A write or a read with what was computed for it."""

    it: Any
    load: WriteLoad | ReadPlan | None


@dataclass(frozen=True)
class Segments:
    """A key segment with its facts."""

    chip: Chip
    facts: SegmentFacts | None


@dataclass(frozen=True)
class Kind:
    """One row kind: its key, sample keys cut into segments, writes and reads."""

    it: RowKind
    chips: tuple[Chip, ...]
    text: str
    facts: KeyFacts | None
    segments: tuple[Segments, ...]
    samples: tuple[tuple[tuple[str, str, str], ...], ...]
    writes: tuple[Access, ...]
    reads: tuple[Access, ...]


@dataclass(frozen=True)
class TablePage:
    """One table of the page."""

    it: Table
    part: TablePart
    kinds: tuple[Kind, ...]
    bytes_by_family: Mapping[str, Any]


@dataclass(frozen=True)
class Guessed:
    """One assumption as a page shows it."""

    at: str
    """The element that it is on; empty for the design and its instance."""
    name: str
    place: tuple[str, ...]
    title: str
    unit: str
    value: Any
    why: str

    @property
    def opens(self) -> str:
        """Element to open in the editor to correct the value; the instance has a separate page."""
        return forms.INSTANCE if not self.at and self.name.startswith("instance.") else self.at


class DesignPage:
    """All that the page of one design shows; each part is made when it is first asked for."""

    def __init__(self, spec: Spec, made: Answer, context: Context) -> None:
        self.spec = spec
        self.context = context
        self.estimate = made.estimate
        self.findings = made.findings

    @cached_property
    def remarks(self) -> tuple[Remark, ...]:
        """Every finding, consequences under their cause."""
        return remarks_of(self.spec, self.findings)

    @cached_property
    def all_remarks(self) -> Mapping[int, Remark]:
        """Every finding by its number, consequences too."""
        return {remark.number: remark for top in self.remarks for remark in (top, *top.under)}

    @cached_property
    def beside(self) -> Mapping[str, tuple[Remark, ...]]:
        """The findings by the element that they are about; the parts of a summary, not the summary."""
        found: dict[str, tuple[Remark, ...]] = {}
        for remark in self.all_remarks.values():
            if remark.finding.is_summary:
                continue
            found[remark.finding.at] = (*found.get(remark.finding.at, ()), remark)
        return found

    def below(self, element: Element) -> tuple[Remark, ...]:
        """Return the findings about an element and everything in it, gravest first."""
        ids = (part.id for part in walk(element) if isinstance(part, Element))
        found = (remark for id in ids for remark in self.beside.get(id, ()))  # noqa: A001
        return tuple(sorted(found, key=lambda remark: (GRAVITY.index(remark.severity), remark.number)))

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Number of findings of each severity, with accepted ones counted separately."""
        counts = Counter(remark.severity for remark in self.remarks)
        return {name: counts[name] for name in GRAVITY if counts[name]}

    @cached_property
    def tables(self) -> tuple[TablePage, ...]:
        """Every table."""
        return tuple(map(self.table, self.spec.tables))

    def table(self, table: Table) -> TablePage:
        """One table."""
        return _table(self.spec, table, self.estimate.tables[table.id])

    @cached_property
    def guesses(self) -> tuple[Guessed, ...]:
        """Assumed values of fields without an entered value."""
        return tuple(_guessed(self.spec))

    @cached_property
    def skewed_by_guess(self) -> tuple[str, ...]:
        """Names of fields of which it is only guessed that few values take most of the traffic."""
        return tuple(one.label for one in skewed_by_guess(self.spec))

    @cached_property
    def what_if(self) -> WhatIf:
        """Inputs that change the bill, an assumed skew among them, and the design in a larger world."""
        return what_if(self.spec, self.estimate, self.context)

    @cached_property
    def charts(self) -> Mapping[str, Callable[[], Chart]]:
        """Every chart by its name."""
        return charts(self.spec, self.estimate, self.context)

    @property
    def old_days(self) -> int | None:
        """The age of the price book, if it should be renewed."""
        return book_age(self.spec, self.estimate, self.context)

    @cached_property
    def priced(self) -> Pricing | None:
        """State of the prices."""
        return pricing(self.spec, self.estimate, self.context)


def design_page(spec: Spec, context: Context) -> DesignPage:
    """Return the page of one document."""
    return DesignPage(spec, answer(spec, context), context)


def remarks_of(spec: Spec, found: tuple[Finding, ...]) -> tuple[Remark, ...]:
    numbers, at = iter(range(1, 10_000)), cache(partial(places, spec))

    def remark(finding: Finding) -> Remark:
        number = next(numbers)
        under = tuple(map(remark, finding.under))
        return Remark(number, finding, RULES.get(finding.rule), at, under)

    return tuple(map(remark, found))


def _table(spec: Spec, table: Table, part: TablePart) -> TablePage:
    loads = {load.write: load for load in part.traffic.writes} if part.traffic else {}
    plans = {plan.read: plan for plan in part.reads}
    by_family: dict[str, Any] = {}
    for growth in part.growth.families if part.growth else ():
        by_family[growth.family] = (*by_family.get(growth.family, ()), growth)
    return TablePage(table, part, tuple(_kind(spec, kind, part, loads, plans) for kind in table.row_kinds), by_family)


def _kind(
    spec: Spec, kind: RowKind, part: TablePart, loads: Mapping[str, WriteLoad], plans: Mapping[str, ReadPlan]
) -> Kind:
    facts = part.keys.get(kind.id)
    chips = key_chips(spec, kind.segments)
    each: tuple[SegmentFacts | None, ...] = facts.segments if facts else (None,) * len(chips)
    return Kind(
        it=kind,
        chips=chips,
        text=key_of(spec, kind),
        facts=facts,
        segments=tuple(Segments(chip, fact) for chip, fact in zip(chips, each, strict=True)),
        samples=tuple(_sample(spec, kind, key, facts.segments) for key in facts.samples) if facts else (),
        writes=tuple(Access(write, loads.get(write.id)) for write in kind.writes),
        reads=tuple(Access(read, plans.get(read.id)) for read in kind.reads),
    )


def _guessed(spec: Spec) -> list[Guessed]:
    rows, at = [], places(spec)
    for assumption in assumptions(spec):
        title, unit = described(spec, assumption.at, assumption.name)
        value = element_label(spec, assumption.value) if assumption.name == "belongs_to" else assumption.value
        place = at.get(assumption.at, ())
        rows.append(Guessed(assumption.at, assumption.name, place, title, unit, value, assumption.why))
    return rows


def _sample(spec: Spec, kind: RowKind, key: bytes, facts: tuple[SegmentFacts, ...]) -> tuple[tuple[str, str, str], ...]:
    """Return (style classes, text, delimiter) per segment of a sample key; per column where it is cut at columns."""
    parts = cut(key, kind.segments, facts)
    heads = [column.parts[0] for column in kind.key_columns if column.parts]
    each = kind.segments if not heads or len(parts) != len(heads) else heads
    return tuple(
        (colour_class(spec, each[place]) if place < len(each) else "field-0", text, after)
        for place, text, after in parts
    )
