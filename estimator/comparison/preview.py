"""Preview of a fix before it is applied: the comparison of the design with and without it."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document.edits import Edit, apply
from designer.document.texts import N_, Text
from designer.wording.edit_messages import describe_edits
from estimator.presentation.design_page import DesignPage, FindingView, RowKindView, design_page
from estimator.results import Bill, Finding

from .designs import DesignWithEstimate, Effects
from .designs.change_messages import signed_amount
from .designs.effects import changed_label, effects
from .designs.heat import HeatPair, heat_pair
from .fixes import added_findings

MOST_TABLES = 2
"""Of so many tables the heat is drawn; a fix seldom touches more."""


@dataclass(frozen=True)
class KeyChange:
    """A row kind's key before and after; None where it is not there."""

    name: str
    before: RowKindView | None
    after: RowKindView | None


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
        pairs = (heat_pair(*sides, one.table) for one in self.effects.heat[:MOST_TABLES])
        return tuple(pair for pair in pairs if pair is not None)

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
    Conflict
        If it does not apply.
    """
    following, _ = apply(page.spec, edit)
    after = design_page(following, page.context)
    done = tuple(describe_edits(page.spec, following, edit))
    return Preview(done, page, after, effects(_side(page), _side(after)))


def _side(page: DesignPage) -> DesignWithEstimate:
    return DesignWithEstimate(page.spec, page.estimate, page.findings)


def _kinds(page: DesignPage) -> dict[str, RowKindView]:
    return {kind.row_kind.id: kind for table in page.tables for kind in table.kinds}


def _remarks(page: DesignPage, findings: tuple[Finding, ...]) -> tuple[FindingView, ...]:
    wanted = {id(finding) for finding in findings}
    return tuple(remark for remark in page.all_remarks.values() if id(remark.finding) in wanted)
