"""A design in a column of figures, to stand beside variants of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from designer.document import Spec, assumed
from designer.document.money import Money
from designer.document.texts import N_, Text
from designer.wording import element_label, gc_sentence, in_words, key_of
from estimator.results import Estimate, each_finding

from .bills import half_priced, open_keys, total
from .effects import Side

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
class Row:
    """One figure of all designs, the baseline's first."""

    title: Text
    unit: str
    cells: tuple[Cell, ...]

    @property
    def differs(self) -> bool:
        """True if some design has another value than the baseline."""
        return len({_told(cell.value) for cell in self.cells}) > 1


@dataclass(frozen=True)
class Figure:
    """Compared figure, its unit and the better direction."""

    title: Text
    unit: str
    of: Callable[[Side], Any]
    better: Better = None
    month: int = -1
    """Of the bill: which month's."""


def rows(sides: Sequence[Side]) -> tuple[Row, ...]:
    """All figures of designs that are `aligned` with the first, the baseline."""
    figures = (*FIGURES, *_structure(sides))
    made = (_row(figure, sides) for figure in figures)
    return tuple(row for row in made if any(cell.value is not None for cell in row.cells))


def _row(figure: Figure, sides: Sequence[Side]) -> Row:
    base, *others = sides
    cells = [Cell(figure.of(base), _is_open(figure, base))]
    cells += [_cell(figure, base, side) for side in others]
    return Row(figure.title, figure.unit, tuple(cells))


def _cell(figure: Figure, base: Side, side: Side) -> Cell:
    one, other = figure.of(base), figure.of(side)
    cell = Cell(other, _is_open(figure, side))
    if figure.unit == "cost":
        bills = (base.estimate.bills[figure.month], side.estimate.bills[figure.month]) if one and other else None
        if bills is None or bills[0].currency != bills[1].currency or half_priced(*bills):
            return cell
        uncounted = open_keys(*bills)
        amounts = [total(bill, uncounted) for bill in bills]
        more: Money | float = bills[1].money(amounts[1] - amounts[0])
        gap, of = float(amounts[1] - amounts[0]), float(amounts[0])
    elif isinstance(one, int | float) and isinstance(other, int | float):
        more = gap = float(other - one)
        of = float(one)
    else:
        return cell
    differs = gap and (figure.unit == "cost" or _told(one) != _told(other))
    better = "better" if (gap < 0) == (figure.better == "less") else "worse"
    verdict = better if differs and figure.better else ""
    return replace(cell, more=more, share=gap / of if of and differs else None, verdict=verdict)


def _is_open(figure: Figure, side: Side) -> bool:
    return figure.unit == "cost" and bool(side.estimate.bills and side.estimate.bills[figure.month].open_lines)


def _told(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)


# --- figures ----------------------------------------------------------------------------------------------------------


def _bill(side: Side) -> Money | None:
    bill = side.estimate.bill
    return bill.money(bill.total) if bill else None


def _first_bill(side: Side) -> Money | None:
    bills = side.estimate.bills
    return bills[0].money(bills[0].total) if len(bills) > 1 else None


def _most(values: Iterator[float]) -> float | None:
    return max(map(float, values), default=None)


def _sum(values: Iterator[float]) -> float | None:
    each = list(map(float, values))
    return sum(each) if each else None


def _count(severity: str) -> Callable[[Side], int]:
    return lambda side: sum(
        1 for f in each_finding(side.findings) if f.single_severity == severity and f.ignored is None
    )


def _growth(made: Estimate) -> Iterator[Any]:
    return (part.growth for part in made.tables.values() if part.growth)


def _traffic(made: Estimate) -> Iterator[Any]:
    return (part.traffic for part in made.tables.values() if part.traffic)


def _scans(side: Side) -> int:
    return sum(1 for part in side.estimate.tables.values() for plan in part.reads if plan.access == "scan")


def _crosses(side: Side) -> Text | None:
    """Return the message on the date when the largest row passes the first of the engine's limits."""
    kinds = [kind for grown in _growth(side.estimate) for kind in grown.kinds]
    first = min((crossing.date for kind in kinds for crossing in kind.crossings if crossing.date), default=None)
    if first is not None:
        return Text("{date}", {"date": first})
    return Text(N_("not within the horizon")) if kinds else None


FIGURES: tuple[Figure, ...] = (
    Figure(Text(N_("Bill, last month")), "cost", _bill, "less"),
    Figure(Text(N_("Bill, first month")), "cost", _first_bill, "less", 0),
    Figure(
        Text(N_("Nodes at the end of the horizon")), "count",
        lambda s: _sum(n.nodes_by_month[-1] for n in s.estimate.nodes), "less",
    ),
    Figure(
        Text(N_("Capacity units read")), "cu_per_second",
        lambda s: _sum(u.read.used_per_second[-1] for u in s.estimate.capacity_units), "less",
    ),
    Figure(
        Text(N_("Capacity units written")), "cu_per_second",
        lambda s: _sum(u.write.used_per_second[-1] for u in s.estimate.capacity_units), "less",
    ),
    Figure(
        Text(N_("Hottest range, share of the table's load")), "share",
        lambda s: _most(t.hottest_range_share for t in _traffic(s.estimate)), "less",
    ),
    Figure(
        Text(N_("Hottest node at the peak")), "share",
        lambda s: _most(p.peak_utilisation for p in s.estimate.placements), "less",
    ),
    Figure(
        Text(N_("Load headroom (reachable throughput)")), "factor",
        lambda s: min((float(p.reachable_factor) for p in s.estimate.placements), default=None), "more",
    ),
    Figure(
        Text(N_("Data stored at the end of the horizon")), "bytes",
        lambda s: _sum(g.physical_bytes[-1] for g in _growth(s.estimate)), "less",
    ),
    Figure(
        Text(N_("Rows at the end of the horizon")), "count", lambda s: _sum(g.rows[-1] for g in _growth(s.estimate)),
    ),
    Figure(
        Text(N_("Largest row at the end of the horizon")), "bytes",
        lambda s: _most(k.largest_bytes[-1] for g in _growth(s.estimate) for k in g.kinds), "less",
    ),
    Figure(Text(N_("Row limit exceeded on")), "", _crosses),
    Figure(Text(N_("Reads that scan a whole table")), "count", _scans, "less"),
    Figure(Text(N_("Errors")), "count", _count("error"), "less"),
    Figure(Text(N_("Warnings")), "count", _count("warning"), "less"),
    Figure(Text(N_("Questions")), "count", _count("question"), "less"),
    Figure(Text(N_("Notes")), "count", _count("note"), "less"),
    Figure(Text(N_("Accepted risks")), "count", lambda s: len(s.spec.ignores)),
)  # fmt: skip
"""What is computed. λ* is the least over the clusters."""


def _structure(sides: Sequence[Side]) -> Iterator[Figure]:
    """Yield the figures of the designs' structure, on which most other figures depend."""
    yield Figure(Text(N_("Engine")), "", lambda s: in_words(s.spec.engine))
    yield Figure(Text(N_("Storage")), "", lambda s: in_words(assumed(s.spec, s.spec.instance, "storage")))
    yield Figure(Text(N_("Edition")), "", lambda s: in_words(assumed(s.spec, s.spec.instance, "edition")))
    yield Figure(Text(N_("Clusters")), "", _clusters)
    yield Figure(Text(N_("Horizon")), "months", lambda s: int(assumed(s.spec, s.spec, "horizon_months")))
    for id_, title in _named(sides, "kinds"):
        yield Figure(Text(N_("Key of {name}"), {"name": title}), "key", _of(id_, lambda spec, kind: key_of(spec, kind)))
    for id_, title in _named(sides, "families"):
        yield Figure(Text(N_("Family {name}"), {"name": title}), "", _of(id_, lambda _, family: gc_sentence(family.gc)))


def _clusters(side: Side) -> str | None:
    return ", ".join(sorted(one.region or one.name for one in side.spec.instance.clusters)) or None


def _of(id_: str, tell: Callable[[Spec, Any], Any]) -> Callable[[Side], Any]:
    return lambda side: tell(side.spec, side.spec.by_id[id_]) if id_ in side.spec.by_id else None


def _named(sides: Sequence[Side], what: Literal["kinds", "families"]) -> Iterator[tuple[str, str]]:
    found: dict[str, str] = {}
    for side in sides:
        for table in side.spec.tables:
            held: tuple[Any, ...] = table.row_kinds if what == "kinds" else table.families
            for one in held:
                alone = what == "kinds" and len(held) == 1
                name = table.name if alone else f"{table.name} › {element_label(side.spec, one.id)}"
                found.setdefault(one.id, name)
    yield from found.items()
