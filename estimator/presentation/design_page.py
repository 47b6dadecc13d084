"""Data of the pages of one design, computed once per document: estimate, findings, charts, table rows."""

import datetime
import itertools
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any, TypeVar

from designer.document import Element, Spec
from designer.document.base import walk
from designer.document.dump import fingerprint
from designer.document.money import Money
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.wording import Chip, colour_class, element_locations, key_chips, key_of
from estimator.advice.questions import lint
from estimator.advice.questions.assumed_range import assumed_range
from estimator.advice.questions.bill_questions import BillQuestion, bill_questions
from estimator.advice.rules import RULES, Rule
from estimator.estimates.context import MANY_ROW_KINDS, TABLES_HERE, ComputeStep, Context, Processes
from estimator.estimates.estimate import estimate, known_parts, part_key, store_parts, table_part, with_parts
from estimator.estimates.fits import with_fits
from estimator.estimates.what_if import WhatIf, what_if
from estimator.facts.default_skew import assumed_skew_fields
from estimator.results import AssumedRange, Estimate, Finding, KeyFacts, ReadPlan, SegmentFacts, TablePart, WriteLoad

from .assumed_range import assumed_even
from .assumed_values import AssumedValue, assumed_values
from .charts.registry import charts
from .charts.types import Chart
from .pricing import PriceStatus, book_age, missing_bill, price_status
from .segments import split_key


@dataclass(frozen=True)
class DesignAnalysis:
    """Everything computed from one document on one day."""

    estimate: Estimate
    findings: tuple[Finding, ...]


ANSWERS = "answers"
TABLES_AT_ONCE = 8
"""So many tables another process computes before it may turn to another design."""
PAGES = "pages of designs"
Derived = TypeVar("Derived")
TABLE_SECONDS = 0.0005
"""So long the page of a large design makes of each table what it shows of all."""


def analyze(spec: Spec, context: Context) -> DesignAnalysis:
    """Return the estimate and the findings of a document, cached by its content."""
    key, cache = analysis_key(spec, context), context.cache
    if context.processes is not None and not cache.has(ANSWERS, key):
        parts = known_parts(spec, context)
        if len(parts) < len(spec.tables) or len(spec.tables) > TABLES_HERE:
            _analyze_elsewhere(spec, context, context.processes, parts)
    return cache.get(ANSWERS, key, lambda: _analyze(spec, context))


def _analyze(spec: Spec, context: Context) -> DesignAnalysis:
    result = estimate(spec, context)
    analysis = DesignAnalysis(result, lint(spec, result, context))
    result.derived_values.clear()  # what rules put together is several times larger than the estimate
    return analysis


def _analyze_elsewhere(
    spec: Spec, context: Context, processes: Processes, parts: Mapping[str, TablePart]
) -> None:  # fmt: skip
    """Let another process compute the parts of tables, few at a time, then the answer; store here what is new."""
    key = analysis_key(spec, context)
    unknown = [table for table in spec.tables if table.id not in parts]
    ids = [table.id for table in unknown]

    def keep(answer: tuple[DesignAnalysis, Mapping[str, TablePart]], seconds: float) -> None:
        analysis, new = answer
        store_parts(spec, context, new, seconds)
        estimate = with_parts(spec, analysis.estimate, {**parts, **new})
        context.cache.put(ANSWERS, key, replace(analysis, estimate=estimate), seconds=seconds)

    steps = (*part_steps(ids), ComputeStep(_analysis_and_parts, (ids,), keep))
    row_kinds = sum(len(table.row_kinds) for table in unknown)
    is_brief = row_kinds < MANY_ROW_KINDS and len(spec.tables) <= TABLES_HERE
    processes.compute((ANSWERS, key), context, spec, steps, is_brief=is_brief)


def part_steps(ids: Sequence[str]) -> tuple[ComputeStep, ...]:
    """Return the steps that compute the parts of these tables, few at a time; none where one step does for all."""
    if len(ids) <= TABLES_AT_ONCE:
        return ()
    groups = (ids[at : at + TABLES_AT_ONCE] for at in range(0, len(ids), TABLES_AT_ONCE))
    return tuple(ComputeStep(_compute_parts, (group,)) for group in groups)


def _compute_parts(context: Context, spec: Spec, ids: Sequence[str]) -> None:
    for id in ids:  # noqa: A001
        table_part(spec, spec.find(id), context)


def _analysis_and_parts(
    context: Context, spec: Spec, ids: Sequence[str]
) -> tuple[DesignAnalysis, Mapping[str, TablePart]]:
    """Return the answer without its tables, and the parts of these: whoever asks knows the others."""
    analysis = _analyze(spec, context)
    new = {id: table_part(spec, spec.find(id), context) for id in ids}  # noqa: A001
    return replace(analysis, estimate=replace(analysis.estimate, tables={})), new


def analysis_key(spec: Spec, context: Context) -> Hashable:
    """Return all that an answer depends on."""
    book = context.price_books.find(spec)
    known_book = (book.name, book.date) if book else None
    return fingerprint(spec), spec.default_start, context.today, len(context.measurements), known_book


COSTS = ("spare_cost", "saving_cost", "unused_cost", "saved_cost", "egress_cost", "cold_cost", "uncollected_cost")
"""Names of amounts of money in findings that are their own; others are of something that they compare."""
MANY_TABLES = 12
"""From so many tables on, a page has a line for each, which opens when it is asked for."""
GRAVITY = ("error", "warning", "question", "note", "accepted")


@dataclass(frozen=True)
class FindingView:
    """One finding as a page shows it."""

    number: int
    finding: Finding
    rule: Rule | None
    places: Callable[[], Mapping[str, tuple[str, ...]]] = field(compare=False, repr=False)
    under: tuple["FindingView", ...] = ()

    @property
    def place(self) -> tuple[str, ...]:
        """The names from the table (or other outermost element) down to what it is about."""
        return self.places().get(self.finding.at, ())

    @property
    def cost(self) -> Money | None:
        """Its cost, or the saving of its fix, a month; None if it is not about money."""
        costs = (self.finding.params.get(name) for name in COSTS)
        return next((cost for cost in costs if isinstance(cost, Money) and cost.amount), None)

    @property
    def date(self) -> datetime.date | None:
        """The day from which it happens; None where it does from the first day, or is not about time."""
        date = self.finding.params.get("date")
        return date if isinstance(date, datetime.date) else None

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
class AccessView:
    """A write or a read with what was computed for it."""

    access: Any
    load: WriteLoad | ReadPlan | None


@dataclass(frozen=True)
class SegmentView:
    """A key segment with its facts."""

    chip: Chip
    facts: SegmentFacts | None


@dataclass(frozen=True)
class RowKindView:
    """One row kind: its key, sample keys cut into segments, writes and reads."""

    row_kind: RowKind
    chips: tuple[Chip, ...]
    text: str
    facts: KeyFacts | None
    segments: tuple[SegmentView, ...]
    samples: tuple[tuple[tuple[str, str, str], ...], ...]
    writes: tuple[AccessView, ...]
    reads: tuple[AccessView, ...]


@dataclass(frozen=True)
class TablePage:
    """One table of the page; its row kinds are made when they are first asked for."""

    spec: Spec
    table: Table
    part: TablePart

    @cached_property
    def kinds(self) -> tuple[RowKindView, ...]:
        """Keys, writes and reads of every row kind."""
        loads = {load.write: load for load in self.part.traffic.writes} if self.part.traffic else {}
        plans = {plan.read: plan for plan in self.part.reads}
        return tuple(_kind(self.spec, kind, self.part, loads, plans) for kind in self.table.row_kinds)

    @cached_property
    def bytes_by_family(self) -> Mapping[str, Any]:
        """Growth of each family, by causes."""
        growths: dict[str, Any] = {}
        for growth in self.part.growth.families if self.part.growth else ():
            growths[growth.family] = (*growths.get(growth.family, ()), growth)
        return growths


class DesignPage:
    """All that the page of one design shows; each part is made when it is first asked for."""

    def __init__(self, spec: Spec, analysis: DesignAnalysis, context: Context) -> None:
        self.spec = with_fits(spec, context.cache)
        self.context = context
        self.estimate = analysis.estimate
        self.findings = analysis.findings
        self._derived: dict[str, Any] = {}

    def derive(self, name: str, make: Callable[[], Derived]) -> Derived:
        """Return what is made of this page once, by its name; it must not hold the page."""
        if name not in self._derived:
            self._derived[name] = make()
        result: Derived = self._derived[name]
        return result

    @cached_property
    def remarks(self) -> tuple[FindingView, ...]:
        """Every finding, consequences under their cause."""
        return finding_views(self.spec, self.findings)

    @property
    def missing_bill(self) -> Text:
        """The reason for which there is no bill."""
        return missing_bill(self.spec, self.estimate)

    @cached_property
    def risks(self) -> tuple[FindingView, ...]:
        """The findings that are neither accepted nor questions, the largest first."""
        return tuple(remark for remark in self.remarks if remark.severity in ("error", "warning", "note"))

    @cached_property
    def open_questions(self) -> tuple[FindingView, ...]:
        """The questions, the most important first."""
        return tuple(remark for remark in self.remarks if remark.severity == "question")

    @cached_property
    def all_remarks(self) -> Mapping[int, FindingView]:
        """Every finding by its number, consequences too."""
        return {remark.number: remark for top in self.remarks for remark in (top, *top.under)}

    @cached_property
    def findings_by_element(self) -> Mapping[str, tuple[FindingView, ...]]:
        """The findings by the element that they are about; the parts of a summary, not the summary."""
        by_element: dict[str, tuple[FindingView, ...]] = {}
        for remark in self.all_remarks.values():
            if remark.finding.is_summary:
                continue
            by_element[remark.finding.at] = (*by_element.get(remark.finding.at, ()), remark)
        return by_element

    def findings_within(self, element: Element) -> tuple[FindingView, ...]:
        """Return the findings about an element and everything in it, gravest first."""
        return self.derive(f"findings within {element.id}", lambda: self._find_within(element))

    def _find_within(self, element: Element) -> tuple[FindingView, ...]:
        ids = (part.id for part in walk(element) if isinstance(part, Element))
        remarks = (remark for id in ids for remark in self.findings_by_element.get(id, ()))  # noqa: A001
        return tuple(sorted(remarks, key=lambda remark: (GRAVITY.index(remark.severity), remark.number)))

    def has_fix(self, element: Element) -> bool:
        """Return True if an error or a warning about an element, or about something in it, has a fix."""
        remarks = self.findings_within(element)
        return any(view.finding.fix is not None for view in remarks if view.severity in ("error", "warning"))

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
        return TablePage(self.spec, table, self.estimate.tables[table.id])

    @property
    def grave_remarks(self) -> tuple[FindingView, ...]:
        """Errors, warnings and questions."""
        return tuple(remark for remark in self.remarks if remark.severity != "note")

    @property
    def notes(self) -> tuple[FindingView, ...]:
        """Findings that need nobody's decision."""
        return tuple(remark for remark in self.remarks if remark.severity == "note")

    @property
    def has_many_tables(self) -> bool:
        """True if tables are a line each, opened one at a time."""
        return len(self.spec.tables) >= MANY_TABLES

    @cached_property
    def assumed_values(self) -> tuple[AssumedValue, ...]:
        """Assumed values of fields without an entered value."""
        return assumed_values(self.spec)

    @cached_property
    def assumed_skew_names(self) -> tuple[str, ...]:
        """Names of fields of which it is only guessed that few values take most of the traffic."""
        even = assumed_even(self.estimate)
        return tuple(field.label for field in assumed_skew_fields(self.spec) if field.id not in even)

    @cached_property
    def what_if(self) -> WhatIf:
        """Inputs that change the bill, an assumed skew among them, and the design in a larger world."""
        return what_if(self.spec, self.estimate, self.context)

    @cached_property
    def assumed_range(self) -> AssumedRange | None:
        """Range of the bill and of the load if assumed values differ."""
        return assumed_range(self.spec, self.estimate, self.context)

    def load_key(self, table: Table) -> Hashable:
        """Return all on which the load of a table depends."""
        if self.spec.instance.calibration is not None:  # it may change every table
            return table.id, analysis_key(self.spec, self.context)
        return part_key(with_fits(self.spec, self.context.cache), table, self.context)

    @cached_property
    def bill_questions(self) -> tuple[BillQuestion, ...]:
        """Assumed values that decide much of the bill, and no finding."""
        return bill_questions(self.spec, self.estimate, self.context)

    @cached_property
    def charts(self) -> Mapping[str, Callable[[], Chart]]:
        """Every chart by its name."""
        return charts(self.spec, self.estimate, self.context)

    @property
    def old_days(self) -> int | None:
        """The age of the price book, if it should be renewed."""
        return book_age(self.spec, self.estimate, self.context)

    @cached_property
    def price_status(self) -> PriceStatus | None:
        """State of the prices."""
        return price_status(self.spec, self.estimate, self.context)


def design_page(spec: Spec, context: Context) -> DesignPage:
    """Return the page of one document."""
    return kept_page(spec, analyze(spec, context), context)


def kept_page(spec: Spec, analysis: DesignAnalysis, context: Context) -> DesignPage:
    """Return the page of a document with nothing left out; of many tables it is kept once it is asked for again."""
    if len(spec.tables) <= TABLES_HERE:
        return DesignPage(spec, analysis, context)
    key, cache = analysis_key(spec, context), context.cache
    page: DesignPage | None = cache.find(PAGES, key)
    if page is None:
        page = DesignPage(spec, analysis, context)
        # Kept when it is asked for again: it grows after it was weighed, and most contents of a design that is edited
        # are shown once.
        is_asked_again = cache.has(PAGES, key)
        cache.put(PAGES, key, page if is_asked_again else None, seconds=TABLE_SECONDS * len(spec.tables))
    return page


def finding_views(spec: Spec, findings: tuple[Finding, ...]) -> tuple[FindingView, ...]:
    numbers, at = itertools.count(1), cache(partial(element_locations, spec))

    def remark(finding: Finding) -> FindingView:
        number = next(numbers)
        under = tuple(map(remark, finding.under))
        return FindingView(number, finding, RULES.get(finding.rule), at, under)

    return tuple(map(remark, findings))


def _kind(
    spec: Spec, kind: RowKind, part: TablePart, loads: Mapping[str, WriteLoad], plans: Mapping[str, ReadPlan]
) -> RowKindView:
    facts = part.keys.get(kind.id)
    chips = key_chips(spec, kind.segments)
    segment_facts: tuple[SegmentFacts | None, ...] = facts.segments if facts else (None,) * len(chips)
    return RowKindView(
        row_kind=kind,
        chips=chips,
        text=key_of(spec, kind),
        facts=facts,
        segments=tuple(SegmentView(chip, fact) for chip, fact in zip(chips, segment_facts, strict=True)),
        samples=tuple(_sample(spec, kind, key, facts.segments) for key in facts.samples) if facts else (),
        writes=tuple(AccessView(write, loads.get(write.id)) for write in kind.writes),
        reads=tuple(AccessView(read, plans.get(read.id)) for read in kind.reads),
    )


def _sample(spec: Spec, kind: RowKind, key: bytes, facts: tuple[SegmentFacts, ...]) -> tuple[tuple[str, str, str], ...]:
    """Return (style classes, text, delimiter) per segment of a sample key; per column where it is cut at columns."""
    parts = split_key(key, kind.segments, facts)
    heads = [column.parts[0] for column in kind.key_columns if column.parts]
    segments = kind.segments if not heads or len(parts) != len(heads) else heads
    return tuple(
        (colour_class(spec, segments[place]) if place < len(segments) else "field-0", text, after)
        for place, text, after in parts
    )
