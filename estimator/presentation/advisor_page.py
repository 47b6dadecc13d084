"""Page of the key advisor: the present key and the candidates as lines of one table."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from designer.document import Spec
from designer.document.money import Currency, Money
from designer.document.table import RowKind
from designer.document.texts import N_, Text
from designer.wording import Chip, key_chips
from designer.wording.formatting import at_least
from estimator.advice.advisor import Advice, Candidate, Measures, ReadService, advise
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate

from .charts.heatmap import heatmap
from .charts.types import HeatMap
from .charts.utilisation import NodeLoad, node_load
from .design_page import analysis_key

Mark = Literal["", "better", "worse"]

NOTICED = 1.1
"""Figures that differ by less are not marked."""


@dataclass(frozen=True)
class AdvisorMetric:
    """One figure of a line; marked where it differs from the present key's."""

    label: str
    unit: str
    value: Any
    mark: Mark = ""


@dataclass(frozen=True)
class ReadAccess:
    """Access of one read, and whether it differs from the present one."""

    served: ReadService
    mark: Mark


@dataclass(frozen=True)
class CandidateRow:
    """One key."""

    candidate: Candidate
    groups: tuple[tuple[str, tuple[Chip, ...]], ...]
    """Name and chips of each primary-key column; on Bigtable one without a name."""
    figures: tuple[AdvisorMetric, ...]
    reads: tuple[ReadAccess, ...]
    heat: HeatMap | None


@dataclass(frozen=True)
class AdvicePage:
    """The advice on one row kind."""

    advice: Advice
    labels: tuple[str, ...]
    lines: tuple[CandidateRow, ...]
    """The present key first."""
    better: int

    @property
    def light_advice(self) -> Advice:
        """The advice with its candidates, without their loads."""
        every = tuple(line.candidate for line in self.lines)
        return replace(self.advice, present=every[0] if every else None, candidates=every[1:])


PAGES = "pages of the advisor"


def advice_page(spec: Spec, row_kind: str, context: Context) -> AdvicePage:
    """Return the page of one row kind, cached by document; raise KeyError if there is no such row kind."""
    key = (row_kind, analysis_key(spec, context))
    if not isinstance(spec.by_id.get(row_kind), RowKind):
        raise KeyError(row_kind)
    page: AdvicePage = context.get_or_compute(PAGES, key, spec, _page_of, row_kind)
    return page


def _page_of(context: Context, spec: Spec, row_kind: str) -> AdvicePage:
    return _page(spec, advise(spec, row_kind, context), context)


def _page(spec: Spec, advice: Advice, context: Context) -> AdvicePage:
    now = advice.present
    every = (now, *advice.candidates) if now else ()
    nodes = node_load(spec, estimate(spec, context))
    lines = tuple(_line(spec, candidate, now.measures, advice.currency, nodes) for candidate in every if now)
    labels = tuple(figure.label for figure in lines[0].figures) if lines else ()
    return AdvicePage(_without_loads(advice), labels, lines, sum(candidate.better for candidate in advice.candidates))


def _without_loads(advice: Advice) -> Advice:
    """Return the advice without the loads, which the heatmaps have been made of."""
    return Advice(advice.kind, None, (), advice.tried, advice.missing, advice.currency)


def _line(
    spec: Spec, candidate: Candidate, present: Measures, currency: Currency, nodes: NodeLoad
) -> CandidateRow:  # fmt: skip
    traffic = candidate.traffic
    light = Candidate(
        candidate.text,
        candidate.kind,
        candidate.edit,
        candidate.measures,
        candidate.better,
        candidate.why,
        candidate.unsafe,
    )
    return CandidateRow(
        candidate=light,
        groups=tuple(_groups(spec, candidate)),
        figures=tuple(_figures(candidate.measures, present, currency)),
        reads=tuple(_readings(candidate.measures, present)),
        heat=heatmap(traffic, against="absolute", nodes=_same_nodes(candidate, present, nodes)) if traffic else None,
    )


def _same_nodes(candidate: Candidate, present: Measures, nodes: NodeLoad) -> NodeLoad:
    """Return the load of as many nodes as there are under the present key."""
    mine, before = candidate.measures.node_share, present.node_share
    if nodes.mean_share is None or not mine or not before or candidate.traffic is None:
        return nodes
    mean = nodes.mean_share * mine / before
    return NodeLoad(mean, max(mean, float(candidate.traffic.heat.node_share.max(initial=0.0))))


def _groups(spec: Spec, candidate: Candidate) -> Iterator[tuple[str, tuple[Chip, ...]]]:
    """Return chips of a key by column; of a key without columns, under no name."""
    columns = () if candidate.kind.key else candidate.kind.key_columns
    for name, segments in [(c.name, c.parts) for c in columns] or [("", candidate.kind.key)]:
        yield name, key_chips(spec, segments)


BUSIEST = N_("Busiest place")
GROWS = N_("Load headroom")
NODE_TIME = N_("Node CPU time")
UNIT_TIME = N_("Throughput")
ROW = N_("Largest row")
PARTITION = N_("Largest key value")
FOUND = N_("Findings")
MONTH = N_("Per month")


def _figures(m: Measures, present: Measures, currency: Currency) -> Iterator[AdvisorMetric]:
    idle = m.burden is not None and m.burden < LEAST
    heavy = Text(N_("below {least_factor}"), {"least_factor": LEAST}) if idle else m.burden
    yield AdvisorMetric(BUSIEST, "" if idle else "factor", heavy, _mark(m.burden, present.burden, floor=0.05))
    yield AdvisorMetric(GROWS, "factor", _capped_factor(m), _mark(_inverse(m), _inverse(present), floor=0.05))
    label = UNIT_TIME if m.partitioned else NODE_TIME
    unit, scale = ("cu_per_second", 10_000.0) if m.partitioned else ("nodes", 1.0)
    node = None if m.node_share is None else m.node_share * scale
    yield AdvisorMetric(label, unit, node, _mark(m.node_share, present.node_share, floor=0.01))
    size = PARTITION if m.partitioned else ROW
    yield AdvisorMetric(size, "bytes", m.largest_bytes, _mark(m.largest_bytes, present.largest_bytes, floor=2.0**20))
    sign = Text(N_("errors: {errors}, warnings: {warnings}"), {"errors": m.errors, "warnings": m.warnings})
    grave = (10.0 * m.errors + m.warnings, 10.0 * present.errors + present.warnings)  # an error counts as ten warnings
    yield AdvisorMetric(FOUND, "", sign, _mark(*grave, floor=0.5))
    cost: Money | Text | None = Money(m.cost, currency) if m.cost is not None else None
    unit = "cost"
    if m.cost_open:
        unit, cost = "", Text(at_least("{cost}"), {"cost": cost})
    yield AdvisorMetric(MONTH, unit, cost, _mark(_float(m.cost), _float(present.cost), floor=1.0, noticed=1.01))


LEAST = 0.01
"""Below a hundredth of what warns, how much less does not matter."""
CAP = 1_000.0
"""From here on load can grow as much as anybody asks."""


def _capped_factor(m: Measures) -> float | None:
    return None if m.reachable_factor is None else min(m.reachable_factor, CAP)


def _inverse(m: Measures) -> float | None:
    return 1 / m.reachable_factor if m.reachable_factor else None


def _float(value: Any) -> float | None:
    return None if value is None else float(value)


def _mark(value: float | None, now: float | None, *, floor: float, noticed: float = NOTICED) -> Mark:
    if value is None or now is None:
        return ""
    value, now = max(value, floor), max(now, floor)
    return "better" if value * noticed < now else "worse" if value > noticed * now else ""


_COSTS: tuple[tuple[Callable[[ReadService], float], float], ...] = (
    (lambda one: one.waste_factor, 2.0),
    (lambda one: one.ranges, 1.0),
    (lambda one: one.rows_scanned, 10.0),
)
"""What a read costs the engine, and up to where that is nothing."""


def _readings(m: Measures, present: Measures) -> Iterator[ReadAccess]:
    was = {plan.read: plan for plan in present.reads}
    for plan in m.reads:
        marks = {_mark(cost(plan), cost(was[plan.read]), floor=floor) for cost, floor in _COSTS}
        yield ReadAccess(plan, "worse" if "worse" in marks else "better" if "better" in marks else "")
