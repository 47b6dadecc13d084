"""Preview of a fix before it is applied: the comparison of the design with and without it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from designer.document.edits import Edit, EditConflictError, apply
from designer.document.texts import N_, Text
from designer.wording.edit_messages import describe_edits
from estimator.engines import engine_of
from estimator.presentation.design_page import DesignPage, FindingView, RowKindView, design_page
from estimator.presentation.sheet.verdict import hottest_share
from estimator.results import Bill, Finding

from .designs import DesignWithEstimate, Effects
from .designs.change_messages import signed_amount, times_text
from .designs.effects import changed_label, effects
from .designs.heat import HeatPair, heat_pair
from .fixes import GRAVE, added_findings

MOST_TABLES = 2
"""Of so many tables the heat is drawn; a fix seldom touches more."""
MOST_FIXES = 3
"""The fixes of so many findings are tried for a recommended change: each takes an estimate's time."""
MOST_READS = 2
"""So many changed reads are among the figures of a change."""
FEWER = 1.05
"""From this ratio on, a count is called fewer or more."""


@dataclass(frozen=True)
class KeyChange:
    """A row kind's key before and after; None where it is not there."""

    name: str
    before: RowKindView | None
    after: RowKindView | None


@dataclass(frozen=True)
class FigureChange:
    """One figure without and with a fix, and the difference; None where it is in the figures themselves."""

    name: Text
    before: Text
    after: Text
    difference: Text | None
    is_better: bool | None
    """None if it is neither better nor worse."""


@dataclass(frozen=True)
class Preview:
    """Everything that an edit changes in what is computed."""

    done: tuple[Text, ...]
    """What the edit does to the document, in words."""
    before: DesignPage
    after: DesignPage
    effects: Effects

    @property
    def keys(self) -> tuple[KeyChange, ...]:
        """Row keys that are written otherwise, or hold other values."""
        return tuple(self._keys())

    def _keys(self) -> Iterator[KeyChange]:
        was, now = _kinds(self.before), _kinds(self.after)
        for id_ in {**was, **now}:
            old, new = was.get(id_), now.get(id_)
            if (old.text if old else "") != (new.text if new else "") or (old and new and old.samples != new.samples):
                yield KeyChange(changed_label(self.before.spec, self.after.spec, id_), old, new)

    @property
    def heat(self) -> tuple[HeatPair, ...]:
        """The first tables whose heat is another, drawn on one scale."""
        sides = (_side(self.before), _side(self.after))
        pairs = (heat_pair(*sides, change.table) for change in self.effects.heat[:MOST_TABLES])
        return tuple(pair for pair in pairs if pair is not None)

    @property
    def figures(self) -> tuple[FigureChange, ...]:
        """The figures that a decision rests on: busiest node, rows scanned, nodes and money, where they differ."""
        return tuple(self._figures())

    def _figures(self) -> Iterator[FigureChange]:
        was, now = hottest_share(self.before), hottest_share(self.after)
        # Shares are written in whole per cent; a difference below that would read "80 % to 80 %".
        if was is not None and now is not None and f"{was:.2f}" != f"{now:.2f}":
            busiest = N_("Load of the busiest node")
            if not engine_of(self.before.spec).HAS_NODES:
                busiest = N_("Load of the busiest partition key")
            change = round(100 * now) - round(100 * was)  # of the shares as they are told
            points = Text(N_("{sign}{points} percentage points"), {"sign": _sign(change), "points": abs(change)})
            yield FigureChange(Text(busiest), _share(was), _share(now), points, now < was)
        for read in self.effects.reads[:MOST_READS]:
            if read.before and read.after and read.before.has_actual_rows and read.after.has_actual_rows:
                name = Text(N_("Rows scanned by “{read}”"), {"read": read.name})
                yield _count_change(name, read.before.rows_to_scan, read.after.rows_to_scan)
        was, now = (sum(float(node.nodes_by_month[-1]) for node in page.estimate.nodes) for page in self._pages)
        if was != now:
            nodes = Text("{sign}{count}", {"sign": _sign(now - was), "count": abs(now - was)})
            before, after = (Text("{count}", {"count": count}) for count in (was, now))
            yield FigureChange(Text(N_("Nodes")), before, after, nodes, now < was)
        first, other = self.bills
        if first and other and self.changes_bill:
            before, after = (Text("{total_cost}", {"total_cost": bill.money(bill.total)}) for bill in (first, other))
            yield FigureChange(Text(N_("A month")), before, after, self.difference, other.total < first.total)

    @property
    def _pages(self) -> tuple[DesignPage, DesignPage]:
        return self.before, self.after

    @property
    def resolved_findings(self) -> tuple[FindingView, ...]:
        """Findings that are no longer there, or not as they were."""
        return _remarks(self.before, self.effects.gone)

    @property
    def new_findings(self) -> tuple[FindingView, ...]:
        """Findings that are new, or otherwise than they were."""
        return _remarks(self.after, self.effects.came)

    @property
    def trade(self) -> Text | None:
        """Number of errors and warnings that come with the fix; None if there are none."""
        added = added_findings(self.before.findings, self.after.findings)
        message = N_("The fix adds {count_findings} to review, listed below.")
        return Text(message, {"count_findings": len(added)}) if added else None

    @property
    def bills(self) -> tuple[Bill | None, Bill | None]:
        """The bill of the last month without and with the fix."""
        return self.before.estimate.bill, self.after.estimate.bill

    @property
    def changes_bill(self) -> bool:
        """True if the fix changes the bill."""
        totals = [bill.total if bill else None for bill in self.bills]
        return totals[0] != totals[1]

    @property
    def difference(self) -> Text | None:
        """Signed change of the monthly bill by the fix; None if zero or not comparable."""
        money = self.effects.money
        return signed_amount(money) if money is not None and money.amount else None


def preview(page: DesignPage, edit: Edit) -> Preview:
    """Return what is different after an edit that applies to this page's document.

    Raises
    ------
    EditConflictError
        If it does not apply.
    """
    following, _ = apply(page.spec, edit)
    after = design_page(following, page.context)
    done = tuple(describe_edits(page.spec, following, edit))
    return Preview(done, page, after, effects(_side(page), _side(after)))


def fixable_risks(page: DesignPage) -> tuple[FindingView, ...]:
    """Return the gravest errors and warnings that have a fix, as many as are tried for a recommended change."""
    fixes = (risk for risk in page.risks if risk.severity in GRAVE and risk.finding.fix is not None)
    return tuple(islice(fixes, MOST_FIXES))


def recommended_change(page: DesignPage) -> tuple[FindingView, Preview] | None:
    """Return the gravest finding with a fix that adds no error and no warning, and what the fix changes.

    None if no fix of the gravest findings is such.
    """
    for remark in fixable_risks(page):
        try:
            change = preview(page, remark.finding.fix) if remark.finding.fix is not None else None
        except EditConflictError:
            continue
        if change is not None and change.trade is None:
            return remark, change
    return None


def _sign(change: float) -> str:
    return "−" if change < 0 else "+"


def _share(share: float) -> Text:
    return Text("{load_share}", {"load_share": share})


def _count_change(name: Text, was: float, now: float) -> FigureChange:
    before, after = (Text("{count}", {"count": count}) for count in (was, now))
    if min(was, now) <= 0 or max(was, now) < FEWER * min(was, now):
        return FigureChange(name, before, after, None, None)
    return FigureChange(name, before, after, times_text(was, now), now < was)


def _side(page: DesignPage) -> DesignWithEstimate:
    return DesignWithEstimate(page.spec, page.estimate, page.findings)


def _kinds(page: DesignPage) -> dict[str, RowKindView]:
    return {kind.row_kind.id: kind for table in page.tables for kind in table.kinds}


def _remarks(page: DesignPage, findings: tuple[Finding, ...]) -> tuple[FindingView, ...]:
    finding_ids = {id(finding) for finding in findings}
    return tuple(remark for remark in page.all_remarks.values() if id(remark.finding) in finding_ids)
