"""Contents of a comparison page for team members and for visitors with a link.

It does not depend on Django.
"""

import datetime
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from designer.document.money import Money
from designer.document.texts import N_, Text
from estimator.comparison.designs import CONSEQUENCES, SIGNS, Comparison, DescribedChange, Effects, Sign
from estimator.comparison.designs.change_messages import Consequence, consequences
from estimator.comparison.designs.heat import HeatPair, heat_pairs
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.charts.heatmap import AGAINST, OF, Against, Of
from estimator.presentation.charts.utilisation import node_load
from estimator.presentation.design_page import FindingView, finding_views
from estimator.results import Finding

from .comparison_rows import (
    BillBar,
    ConsequenceRow,
    MigrationStep,
    bill_bars,
    consequence_rows,
    migration_steps,
    same_figures,
)

Outcome = Literal["", "cured", "broken", "both", "neither"]
FULL_SHARE = 1.0
"""Load of a node at its limit."""

SIGN_WORDS: Mapping[Sign, str] = {
    "added": N_("added"),
    "changed": N_("changed"),
    "moved": N_("moved"),
    "removed": N_("removed"),
}
LEADS_TO: Mapping[str, str] = {
    "data": N_("stored data"),
    "reads": N_("reads"),
    "findings": N_("findings"),
    "cost": N_("cost"),
    "heat": N_("heat"),
}
ANCHORS = {"reads": "consequences", "findings": "findings", "cost": "bill", "heat": "heat"}
"""Sections of the page that tell all of what changes lead to, by its kind."""


@dataclass(frozen=True)
class ComparisonOptions:
    """Query of a comparison: the changes to show, and the form of the heatmap."""

    signs: tuple[str, ...] = ()
    """None named: all."""
    leads: str = ""
    of: Of = "writes"
    against: Against = AGAINST[0]

    @staticmethod
    def from_query(query: Mapping[str, Sequence[str]]) -> "ComparisonOptions":
        """Build the options from a query; invalid values are ignored."""

        def one(name: str) -> str:
            return (query.get(name) or [""])[-1]

        signs = tuple(sign for sign in query.get("sign") or () if sign in SIGNS)
        leads = one("leads") if one("leads") in CONSEQUENCES else ""
        return ComparisonOptions(
            signs,
            leads,
            next((of for of in OF if of == one("of")), "writes"),
            next((against for against in AGAINST if against == one("against")), AGAINST[0]),
        )


class ComparisonPage:
    """All that is shown of a comparison; without the cost, nothing of money is."""

    signs, sign_words, leads_to, anchors = SIGNS, SIGN_WORDS, LEADS_TO, ANCHORS

    def __init__(
        self, compared: Comparison, options: ComparisonOptions = ComparisonOptions(), *, today: datetime.date,
        shows_cost: bool = True,
    ) -> None:  # fmt: skip
        self.comparison, self.options, self.today, self.shows_cost = compared, options, today, shows_cost

    @cached_property
    def changes(self) -> tuple[DescribedChange, ...]:
        """The changes that are asked for."""
        return tuple(change for change in self.comparison.changes if self._is_selected(change))

    @property
    def has_filter(self) -> bool:
        """True if there is something to choose from, or something was chosen."""
        return len(self.comparison.changes) > 1 or bool(self.options.signs or self.options.leads)

    def _is_selected(self, change: DescribedChange) -> bool:
        if self.options.signs and change.change.sign not in self.options.signs:
            return False
        return not self.options.leads or self.options.leads in change.consequences

    def consequences(self, change: DescribedChange) -> tuple[Consequence, ...]:
        """Return the visible consequences of a change."""
        effects = consequences(change.stored, change.step.effects if change.is_first_of_step else Effects())
        return tuple(consequence for consequence in effects if self.shows_cost or consequence.kind != "cost")

    @cached_property
    def rows(self) -> tuple[tuple[DescribedChange, tuple[Consequence, ...]], ...]:
        """The changes with what they lead to."""
        return tuple((change, self.consequences(change)) for change in self.changes)

    @cached_property
    def outcome(self) -> Outcome:
        """The one of the two designs that carries its load; "" if that is unknown."""
        sides = (self.comparison.before, self.comparison.after)
        loads = [node_load(side.spec, side.estimate) for side in sides]
        if any(load.mean_share is None for load in loads):
            return ""
        before, after = (load.hottest_share <= FULL_SHARE for load in loads)
        return ("both" if before else "cured") if after else "broken" if before else "neither"

    @property
    def cost_sentence(self) -> Text | None:
        """Return what the second design costs more or less; None if it is unknown, hidden or nothing."""
        money = self.comparison.bill.difference if self.shows_cost else None
        if money is None or not money.amount:
            return None
        message = N_("It costs {difference_cost} less a month.")
        if money.amount > 0:
            message = N_("It costs {difference_cost} more a month.")
        return Text(message, {"difference_cost": Money(abs(money.amount), money.currency)})

    @cached_property
    def consequence_rows(self) -> tuple[ConsequenceRow, ...]:
        """Figures, reads and stored data that differ, the gravest first."""
        return consequence_rows(self.comparison, shows_cost=self.shows_cost)

    @cached_property
    def same_figures(self) -> tuple[tuple[Text, Text], ...]:
        """The figures that are the same in both designs, with their value."""
        return same_figures(self.comparison, shows_cost=self.shows_cost)

    @property
    def counts_sentence(self) -> tuple[Text, ...]:
        """Number of figures and reads that are better and worse, and whether stored rows must be rewritten."""
        counts = Counter(row.outcome for row in self.consequence_rows)
        messages = {"better": N_("Better: {count}."), "worse": N_("Worse: {count}.")}
        texts = [Text(text, {"count": counts[name]}) for name, text in messages.items() if counts[name]]  # type: ignore[index]
        return (*texts, *([Text(N_("Stored data must be rewritten."))] if counts["rewrite"] else ()))

    @cached_property
    def migration_steps(self) -> tuple[MigrationStep, ...]:
        """Steps for stored rows and readers."""
        return migration_steps(self.comparison, self.today)

    @cached_property
    def choices(self) -> Mapping[str, str]:
        """Options for the filter of changes."""
        return {name: title for name, title in LEADS_TO.items() if self.shows_cost or name != "cost"}

    @cached_property
    def removed_findings(self) -> tuple[FindingView, ...]:
        """Findings of the first design that the second does not have."""
        return self._remarks(self.comparison.before.spec, self.comparison.together.gone)

    @cached_property
    def new_findings(self) -> tuple[FindingView, ...]:
        """Findings that the second design has and the first had not."""
        return self._remarks(self.comparison.after.spec, self.comparison.together.came)

    @staticmethod
    def _remarks(spec: object, findings: tuple[Finding, ...]) -> tuple[FindingView, ...]:
        return finding_views(spec, tuple(findings))  # type: ignore[arg-type]

    @cached_property
    def heat(self) -> tuple[HeatPair, ...]:
        """Heatmaps of the tables that differ, each pair on one scale."""
        return heat_pairs(
            self.comparison.before, self.comparison.after, of=self.options.of, against=self.options.against
        )

    @cached_property
    def lines(self) -> tuple[LineChange, ...]:
        """Lines of the bills: those that differ first, then the rest."""
        changed = self.comparison.bill.changed_lines
        return (*changed, *(line for line in self.comparison.bill.lines if line not in changed))

    @cached_property
    def bars(self) -> tuple[BillBar, BillBar] | None:
        """Bars of the two bills; None where they cannot be compared line by line."""
        bars = bill_bars(self.comparison, self.lines)
        return None if bars is None else (bars[0], bars[2])

    @cached_property
    def lines_with_bars(self) -> tuple[tuple[LineChange, BillBar | None], ...]:
        """The lines, each with the bar of its difference."""
        bars = bill_bars(self.comparison, self.lines)
        return tuple((line, bars[1].get(at) if bars else None) for at, line in enumerate(self.lines))
