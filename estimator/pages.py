"""What the pages of one design show, gathered once per document: estimate, findings, charts, rows of tables."""

import datetime
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from designer.spec import Spec
from designer.spec.dump import fingerprint
from designer.spec.guesses import assumptions
from designer.spec.table import RowKind, Table
from designer.words import Chip, described, key_chips, key_of, places

from . import cost
from .cache import Memory
from .charts.every import charts
from .charts.kinds import Chart
from .compression.memory import MEASURED
from .estimate import estimate
from .pricing import Pricing, pricing
from .results import Estimate, Finding, KeyFacts, ReadPlan, SegmentFacts, TablePart, WriteLoad
from .rules import RULES, Rule, findings
from .segments import cut


@dataclass(frozen=True)
class Answer:
    """Everything computed from one document on one day."""

    estimate: Estimate
    findings: tuple[Finding, ...]


ANSWERS: Memory[Answer] = Memory(limit_bytes=256 << 20)


def answer(spec: Spec) -> Answer:
    """The estimate and the findings of a document, remembered by its content."""
    today = _today()

    def made() -> Answer:
        found = estimate(spec)
        return Answer(found, findings(spec, found, today))

    book = spec.instance.price_book
    return ANSWERS.get((fingerprint(spec), today, MEASURED.kept, book is None or cost.is_here(book)), made)


@dataclass(frozen=True)
class Remark:
    """One finding as a page shows it."""

    number: int
    finding: Finding
    rule: Rule | None
    place: tuple[str, ...]
    under: tuple["Remark", ...] = ()

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
    samples: tuple[tuple[tuple[int, str, str], ...], ...]
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

    place: tuple[str, ...]
    title: str
    unit: str
    value: Any
    why: str


@dataclass(frozen=True)
class DesignPage:
    """All that the page of one design shows."""

    spec: Spec
    estimate: Estimate
    remarks: tuple[Remark, ...]
    beside: Mapping[str, tuple[Remark, ...]]
    counts: Mapping[str, int]
    tables: tuple[TablePage, ...]
    guesses: tuple[Guessed, ...]
    charts: Mapping[str, Callable[[], Chart]]
    priced: Pricing | None


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()


def design_page(spec: Spec) -> DesignPage:
    """Gathers the page of one document."""
    found = answer(spec)
    remarks = _remarks(spec, found.findings)
    beside: dict[str, tuple[Remark, ...]] = {}
    for remark in (r for top in remarks for r in (top, *top.under)):
        beside[remark.finding.at] = (*beside.get(remark.finding.at, ()), remark)
    counts = Counter(remark.severity for remark in remarks)
    return DesignPage(
        spec=spec,
        estimate=found.estimate,
        remarks=remarks,
        beside=beside,
        counts={name: counts[name] for name in ("error", "warning", "note", "accepted") if counts[name]},
        tables=tuple(_table(spec, table, found.estimate.tables[table.id]) for table in spec.tables),
        guesses=tuple(_guessed(spec)),
        charts=charts(spec, found.estimate),
        priced=pricing(spec, found.estimate, today=_today()),
    )


def _remarks(spec: Spec, found: tuple[Finding, ...]) -> tuple[Remark, ...]:
    numbers, at = iter(range(1, 10_000)), places(spec)

    def remark(finding: Finding) -> Remark:
        number = next(numbers)
        under = tuple(map(remark, finding.under))
        return Remark(number, finding, RULES.get(finding.rule), at.get(finding.at, ()), under)

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
        samples=tuple(cut(key, kind.segments, facts.segments) for key in facts.samples) if facts else (),
        writes=tuple(Access(write, loads.get(write.id)) for write in kind.writes),
        reads=tuple(Access(read, plans.get(read.id)) for read in kind.reads),
    )


def _guessed(spec: Spec) -> list[Guessed]:
    rows, at = [], places(spec)
    for assumption in assumptions(spec):
        title, unit = described(spec, assumption.at, assumption.name)
        rows.append(Guessed(at.get(assumption.at, ()), title, unit, assumption.value, assumption.why))
    return rows
