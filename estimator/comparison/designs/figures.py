"""A design in a column of figures, to stand beside variants of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from designer.document import Spec, effective_value
from designer.document.money import Money
from designer.document.texts import N_, Text, TextList
from designer.wording import describe_value, element_label, gc_sentence, key_of
from estimator.results import Estimate, each_finding

from .bills import has_one_sided_price, total, unpriced_keys
from .effects import DesignWithEstimate

Better = Literal["less", "more"] | None


@dataclass(frozen=True)
class Cell:
    """One figure of one design, and how it stands to the baseline's."""

    value: Any
    """A number, an amount of money, a text; None where it is not known."""
    at_least: bool = False
    """Of a bill with lines that have no price."""
    more: Money | float | None = None
    """The difference from the baseline, for money and counts."""
    share: float | None = None
    """The difference, of the baseline's."""
    verdict: str = ""
    """"better", "worse", or empty."""


@dataclass(frozen=True)
class ComparisonRow:
    """One figure of all designs, the baseline's first."""

    title: Text
    unit: str
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool:
        """True if some design has another value than the baseline."""
        return len({_value_text(cell.value) for cell in self.cells}) > 1


@dataclass(frozen=True)
class ComparisonMetric:
    """Compared figure, its unit and the better direction."""

    title: Text
    unit: str
    of: Callable[[DesignWithEstimate], Any]
    better: Better = None
    month: int = -1
    """Of the bill: which month's."""


def rows(sides: Sequence[DesignWithEstimate]) -> tuple[ComparisonRow, ...]:
    """All figures of designs that are `aligned` with the first, the baseline."""
    return known_rows((*FIGURES, *_structure(sides)), sides)


def known_rows(figures: Sequence[ComparisonMetric], sides: Sequence[DesignWithEstimate]) -> tuple[ComparisonRow, ...]:
    """Return these figures, without those that are known of no design."""
    rows = (_row(figure, sides) for figure in figures)
    return tuple(row for row in rows if any(cell.value is not None for cell in row.cells))


def _row(figure: ComparisonMetric, sides: Sequence[DesignWithEstimate]) -> ComparisonRow:
    base, *others = sides
    cells = [Cell(figure.of(base), _is_lower_bound(figure, base))]
    cells += [_cell(figure, base, side) for side in others]
    return ComparisonRow(figure.title, figure.unit, tuple(cells))


def _cell(figure: ComparisonMetric, base: DesignWithEstimate, side: DesignWithEstimate) -> Cell:
    base_value, other = figure.of(base), figure.of(side)
    cell = Cell(other, _is_lower_bound(figure, side))
    if figure.unit == "cost":
        # Bills are compared by their priced lines, not by their totals: a line without a price on one side would show
        # as a difference.
        bills = (base.estimate.bills[figure.month], side.estimate.bills[figure.month]) if base_value and other else None
        if bills is None or bills[0].currency != bills[1].currency or has_one_sided_price(*bills):
            return cell
        uncounted = unpriced_keys(*bills)
        amounts = [total(bill, uncounted) for bill in bills]
        more: Money | float = bills[1].money(amounts[1] - amounts[0])
        gap, of = float(amounts[1] - amounts[0]), float(amounts[0])
    elif isinstance(base_value, int | float) and isinstance(other, int | float):
        more = gap = float(other - base_value)
        of = float(base_value)
    else:
        return cell
    # Money differs by any amount, other figures where three digits show it.
    differs = gap and (figure.unit == "cost" or _value_text(base_value) != _value_text(other))
    better = "better" if (gap < 0) == (figure.better == "less") else "worse"
    verdict = better if differs and figure.better else ""
    return replace(cell, more=more, share=gap / of if of and differs else None, verdict=verdict)


def _is_lower_bound(figure: ComparisonMetric, side: DesignWithEstimate) -> bool:
    return figure.unit == "cost" and bool(side.estimate.bills and side.estimate.bills[figure.month].open_lines)


def _value_text(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


# --- figures ----------------------------------------------------------------------------------------------------------


def _bill(side: DesignWithEstimate) -> Money | None:
    bill = side.estimate.bill
    return bill.money(bill.total) if bill else None


def _first_bill(side: DesignWithEstimate) -> Money | None:
    bills = side.estimate.bills
    return bills[0].money(bills[0].total) if len(bills) > 1 else None


def _maximum(values: Iterator[float]) -> float | None:
    return max(map(float, values), default=None)


def _sum(values: Iterator[float]) -> float | None:
    numbers = list(map(float, values))
    return sum(numbers) if numbers else None


def _count(severity: str) -> Callable[[DesignWithEstimate], int]:
    return lambda side: sum(
        1 for f in each_finding(side.findings) if f.single_severity == severity and f.ignored is None
    )


def _growth(estimate: Estimate) -> Iterator[Any]:
    return (part.growth for part in estimate.tables.values() if part.growth)


def _traffic(estimate: Estimate) -> Iterator[Any]:
    return (part.traffic for part in estimate.tables.values() if part.traffic)


def _scans(side: DesignWithEstimate) -> int:
    return sum(1 for part in side.estimate.tables.values() for plan in part.reads if plan.access == "scan")


def _crossing_message(side: DesignWithEstimate) -> Text | None:
    """Return the message on the date when the largest row passes the first of the engine's limits."""
    kinds = [kind for grown in _growth(side.estimate) for kind in grown.kinds]
    first = min((crossing.date for kind in kinds for crossing in kind.crossings if crossing.date), default=None)
    if first is not None:
        return Text("{date}", {"date": first})
    return Text(N_("not within the horizon")) if kinds else None


HOTTEST_NODE = ComparisonMetric(
    Text(N_("Hottest node at the peak")), "share",
    lambda s: _maximum(p.peak_utilisation for p in s.estimate.placements), "less",
)  # fmt: skip
BUSIEST_PARTITION_KEY = ComparisonMetric(
    Text(N_("Busiest partition key at the peak, share of its limit")), "share",
    lambda s: _maximum(t.indivisible_node_share for t in _traffic(s.estimate) if t.partition), "less",
)  # fmt: skip
"""In place of nodes, which Tablestore has none of."""
SERVED_LOAD = ComparisonMetric(
    Text(N_("Load that is served")), "share",
    lambda s: min((min(float(p.reachable_factor), 1.0) for p in s.estimate.placements), default=None), "more",
)  # fmt: skip
BILLS: tuple[ComparisonMetric, ...] = (
    ComparisonMetric(Text(N_("Bill, last month")), "cost", _bill, "less"),
    ComparisonMetric(Text(N_("Bill, first month")), "cost", _first_bill, "less", 0),
)
STORED_BYTES = ComparisonMetric(
    Text(N_("Data stored at the end of the horizon")), "bytes",
    lambda s: _sum(g.physical_bytes[-1] for g in _growth(s.estimate)), "less",
)  # fmt: skip
ROWS = ComparisonMetric(
    Text(N_("Rows at the end of the horizon")), "count", lambda s: _sum(g.rows[-1] for g in _growth(s.estimate)),
)  # fmt: skip
LARGEST_ROW = ComparisonMetric(
    Text(N_("Largest row at the end of the horizon")), "bytes",
    lambda s: _maximum(k.largest_bytes[-1] for g in _growth(s.estimate) for k in g.kinds), "less",
)  # fmt: skip
CAPACITY: tuple[ComparisonMetric, ...] = (
    ComparisonMetric(
        Text(N_("Nodes at the end of the horizon")), "count",
        lambda s: _sum(n.nodes_by_month[-1] for n in s.estimate.nodes), "less",
    ),
    ComparisonMetric(
        Text(N_("Capacity units read")), "cu_per_second",
        lambda s: _sum(u.read.used_per_second[-1] for u in s.estimate.capacity_units), "less",
    ),
    ComparisonMetric(
        Text(N_("Capacity units written")), "cu_per_second",
        lambda s: _sum(u.write.used_per_second[-1] for u in s.estimate.capacity_units), "less",
    ),
)  # fmt: skip
"""What an engine is paid for, by the unit that it has."""
LOADS: tuple[ComparisonMetric, ...] = (
    *CAPACITY,
    ComparisonMetric(
        Text(N_("Hottest range, share of the table's load")), "share",
        lambda s: _maximum(t.hottest_range_share for t in _traffic(s.estimate)), "less",
    ),
    HOTTEST_NODE,
    BUSIEST_PARTITION_KEY,
    ComparisonMetric(
        Text(N_("Load headroom (reachable throughput)")), "factor",
        lambda s: min((float(p.reachable_factor) for p in s.estimate.placements), default=None), "more",
    ),
    STORED_BYTES,
    ROWS,
    LARGEST_ROW,
    ComparisonMetric(Text(N_("Row limit exceeded on")), "", _crossing_message),
    ComparisonMetric(Text(N_("Reads that scan a whole table")), "count", _scans, "less"),
)  # fmt: skip
FIGURES: tuple[ComparisonMetric, ...] = (
    *BILLS,
    *LOADS,
    ComparisonMetric(Text(N_("Errors")), "count", _count("error"), "less"),
    ComparisonMetric(Text(N_("Warnings")), "count", _count("warning"), "less"),
    ComparisonMetric(Text(N_("Questions")), "count", _count("question"), "less"),
    ComparisonMetric(Text(N_("Notes")), "count", _count("note"), "less"),
    ComparisonMetric(Text(N_("Accepted risks")), "count", lambda s: len(s.spec.ignores)),
)
"""What is computed. λ* is the least over the clusters."""


def _structure(sides: Sequence[DesignWithEstimate]) -> Iterator[ComparisonMetric]:
    """Yield the figures of the designs' structure, on which most other figures depend."""
    yield ComparisonMetric(Text(N_("Engine")), "", lambda s: describe_value(s.spec.engine))
    yield ComparisonMetric(
        Text(N_("Storage")), "", lambda s: describe_value(effective_value(s.spec, s.spec.instance, "storage"))
    )
    yield ComparisonMetric(
        Text(N_("Edition")), "", lambda s: describe_value(effective_value(s.spec, s.spec.instance, "edition"))
    )
    yield ComparisonMetric(Text(N_("Clusters")), "", _clusters)
    yield ComparisonMetric(
        Text(N_("Horizon")), "months", lambda s: int(effective_value(s.spec, s.spec, "horizon_months"))
    )
    for id_, title in _element_names(sides, "kinds"):
        yield ComparisonMetric(
            Text(N_("Key of {name}"), {"name": title}), "key", _by_element(id_, lambda spec, kind: key_of(spec, kind))
        )
    for id_, title in _element_names(sides, "families"):
        yield ComparisonMetric(
            Text(N_("Family {name}"), {"name": title}), "", _by_element(id_, lambda _, family: gc_sentence(family.gc))
        )


def _clusters(side: DesignWithEstimate) -> TextList | None:
    return TextList(sorted(cluster.known_region or cluster.name for cluster in side.spec.instance.clusters)) or None


def _by_element(id_: str, tell: Callable[[Spec, Any], Any]) -> Callable[[DesignWithEstimate], Any]:
    return lambda side: tell(side.spec, side.spec.by_id[id_]) if id_ in side.spec.by_id else None


def _element_names(
    sides: Sequence[DesignWithEstimate], what: Literal["kinds", "families"]
) -> Iterator[tuple[str, str]]:
    names: dict[str, str] = {}
    for side in sides:
        for table in side.spec.tables:
            elements: tuple[Any, ...] = table.row_kinds if what == "kinds" else table.families
            for element in elements:
                alone = what == "kinds" and len(elements) == 1
                name = table.name if alone else f"{table.name} › {element_label(side.spec, element.id)}"
                names.setdefault(element.id, name)
    yield from names.items()
