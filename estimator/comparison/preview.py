"""What a fix would change, seen before it is applied: keys, reads, heat, money and findings of both documents."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.edits import Edit, apply
from designer.document.texts import Text
from designer.wording import places
from designer.wording.edit_messages import told_each
from estimator.presentation.charts.heatmap import heatmap
from estimator.presentation.charts.types import HeatMap
from estimator.presentation.design_page import DesignPage, Kind, Remark, design_page
from estimator.results import Bill, ReadPlan

MOST_TABLES = 2
"""Of so many tables the heat is shown; a fix seldom touches more."""


@dataclass(frozen=True)
class KeyChange:
    """A row kind's key before and after; None where it is not there."""

    name: str
    before: Kind | None
    after: Kind | None


@dataclass(frozen=True)
class ReadChange:
    """How a read is served before and after."""

    name: str
    before: ReadPlan | None
    after: ReadPlan | None


@dataclass(frozen=True)
class HeatChange:
    """A table's heatmap of writes before and after, each against its own busiest cell; and its name."""

    name: str
    before: HeatMap | None
    after: HeatMap | None


@dataclass(frozen=True)
class Preview:
    """Everything that an edit changes in what is computed."""

    done: tuple[Text, ...]
    """What the edit does to the document, in words."""
    after: DesignPage
    keys: tuple[KeyChange, ...]
    reads: tuple[ReadChange, ...]
    heat: tuple[HeatChange, ...]
    bill_before: Bill | None
    bill_after: Bill | None
    gone: tuple[Remark, ...]
    came: tuple[Remark, ...]

    @property
    def money_moves(self) -> bool:
        """Whether the bill becomes another one."""
        totals = [bill.total if bill else None for bill in (self.bill_before, self.bill_after)]
        return totals[0] != totals[1]


def preview(shown: DesignPage, edit: Edit) -> Preview:
    """What is different after an edit that applies to this page's document.

    Raises
    ------
    Conflict
        If it does not apply.
    """
    following, _ = apply(shown.spec, edit)
    after = design_page(following)
    return Preview(
        done=tuple(told_each(shown.spec, following, edit)),
        after=after,
        keys=tuple(_keys(shown, after)),
        reads=tuple(_reads(shown, after)),
        heat=tuple(_heat(shown, after))[:MOST_TABLES],
        bill_before=shown.estimate.bill,
        bill_after=after.estimate.bill,
        gone=_only_in(shown, after),
        came=_only_in(after, shown),
    )


def _keys(shown: DesignPage, after: DesignPage) -> Iterator[KeyChange]:
    before, now = _kinds(shown), _kinds(after)
    for id_ in {**before, **now}:
        old, new = before.get(id_), now.get(id_)
        if (old.text if old else "") != (new.text if new else "") or (old and new and old.samples != new.samples):
            yield KeyChange(_named(shown.spec, after.spec, id_), old, new)


def _kinds(page: DesignPage) -> dict[str, Kind]:
    return {kind.it.id: kind for table in page.tables for kind in table.kinds}


def _reads(shown: DesignPage, after: DesignPage) -> Iterator[ReadChange]:
    before, now = _plans(shown), _plans(after)
    for id_ in {**before, **now}:
        old, new = before.get(id_), now.get(id_)
        if _served(old) != _served(new):
            yield ReadChange(_named(shown.spec, after.spec, id_), old, new)


def _plans(page: DesignPage) -> dict[str, ReadPlan]:
    return {plan.read: plan for part in page.estimate.tables.values() for plan in part.reads}


def _served(plan: ReadPlan | None) -> tuple[object, ...]:
    """What a reader notices, to two figures."""
    if plan is None:
        return ()
    return (plan.access, *(f"{value:.2g}" for value in (plan.ranges, plan.rows_scanned, plan.bytes_scanned)))


def _heat(shown: DesignPage, after: DesignPage) -> Iterator[HeatChange]:
    before, now = shown.estimate.tables, after.estimate.tables
    for id_ in {**before, **now}:
        if before.get(id_) is not now.get(id_):  # parts of tables that nothing changed in are the very same
            maps = [heatmap(p.traffic) if p and p.traffic else None for p in (before.get(id_), now.get(id_))]
            if any(maps):
                yield HeatChange(_named(shown.spec, after.spec, id_), maps[0], maps[1])


def _only_in(page: DesignPage, other: DesignPage) -> tuple[Remark, ...]:
    there = {_what(remark) for remark in other.all_remarks.values()}
    return tuple(remark for remark in page.all_remarks.values() if _what(remark) not in there)


def _what(remark: Remark) -> tuple[str, str, str, bool]:
    return (remark.finding.rule, remark.finding.at, remark.severity, remark.finding.ignored is None)


def _named(before: Spec, after: Spec, id: str) -> str:  # noqa: A002
    """As it is called now, with its table where there are several."""
    spec = before if id in before.by_id else after
    where = places(spec)[id]
    return " › ".join(dict.fromkeys((where[0], where[-1]))) if len(spec.tables) > 1 else where[-1]
