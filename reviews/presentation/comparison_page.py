"""Contents of a comparison page for team members and for visitors with a link.

It does not depend on Django.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from designer.document.texts import N_
from estimator.comparison.designs import CONSEQUENCES, SIGNS, Comparison, Effects, Sign, Told
from estimator.comparison.designs.change_messages import Consequence, consequences
from estimator.comparison.designs.heat import HeatPair, heat_pairs
from estimator.kernels.pricing.repricing import LineChange
from estimator.presentation.charts.heatmap import AGAINST, OF, Against, Of
from estimator.presentation.design_page import Remark, remarks_of
from estimator.results import Finding

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


@dataclass(frozen=True)
class Asked:
    """Query of a comparison: the changes to show, and the form of the heatmap."""

    signs: tuple[str, ...] = ()
    """None named: all."""
    leads: str = ""
    of: Of = "writes"
    against: Against = "relative"

    @staticmethod
    def by(given: Mapping[str, Sequence[str]]) -> "Asked":
        """Build the options from a query; invalid values are ignored."""

        def one(name: str) -> str:
            return (given.get(name) or [""])[-1]

        signs = tuple(sign for sign in given.get("sign") or () if sign in SIGNS)
        leads = one("leads") if one("leads") in CONSEQUENCES else ""
        return Asked(
            signs,
            leads,
            next((of for of in OF if of == one("of")), "writes"),
            next((against for against in AGAINST if against == one("against")), "relative"),
        )


class ComparisonPage:
    """All that is shown of a comparison; without the cost, nothing of money is."""

    signs, sign_words, leads_to = SIGNS, SIGN_WORDS, LEADS_TO

    def __init__(self, found: Comparison, asked: Asked = Asked(), *, shows_cost: bool = True) -> None:
        self.found, self.asked, self.shows_cost = found, asked, shows_cost

    @cached_property
    def changes(self) -> tuple[Told, ...]:
        """The changes that are asked for."""
        return tuple(told for told in self.found.changes if self._is_asked(told))

    def _is_asked(self, told: Told) -> bool:
        if self.asked.signs and told.change.sign not in self.asked.signs:
            return False
        return not self.asked.leads or self.asked.leads in told.consequences

    def consequences(self, told: Told) -> tuple[Consequence, ...]:
        """Return the visible consequences of a change."""
        found = consequences(told.stored, told.step.effects if told.leads else Effects())
        return tuple(one for one in found if self.shows_cost or one.kind != "cost")

    @cached_property
    def rows(self) -> tuple[tuple[Told, tuple[Consequence, ...]], ...]:
        """The changes with what they lead to."""
        return tuple((told, self.consequences(told)) for told in self.changes)

    @property
    def rewrites(self) -> bool:
        """True if a change requires stored data to be rewritten or deleted."""
        return any(told.stored for told in self.found.changes)

    @cached_property
    def choices(self) -> Mapping[str, str]:
        """Options for the filter of changes."""
        return {name: title for name, title in LEADS_TO.items() if self.shows_cost or name != "cost"}

    @cached_property
    def gone(self) -> tuple[Remark, ...]:
        """Findings of the first design that the second does not have."""
        return self._remarks(self.found.before.spec, self.found.together.gone)

    @cached_property
    def came(self) -> tuple[Remark, ...]:
        """Findings that the second design has and the first had not."""
        return self._remarks(self.found.after.spec, self.found.together.came)

    @staticmethod
    def _remarks(spec: object, found: tuple[Finding, ...]) -> tuple[Remark, ...]:
        return remarks_of(spec, tuple(found))  # type: ignore[arg-type]

    @cached_property
    def heat(self) -> tuple[HeatPair, ...]:
        """Heatmaps of the tables that differ, each pair on one scale."""
        return heat_pairs(self.found.before, self.found.after, of=self.asked.of, against=self.asked.against)

    @cached_property
    def lines(self) -> tuple[LineChange, ...]:
        """Lines of the bills: those that differ first, then the rest."""
        changed = self.found.bill.changed
        return (*changed, *(line for line in self.found.bill.lines if line not in changed))
