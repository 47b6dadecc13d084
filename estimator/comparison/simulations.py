"""Comparison of two simulations, by figure, in words and in cost.

Includes the vitals of a table of both and those that only one of them has.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import cast

from designer.document.money import Currency, Money
from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.presentation.labels import PATTERNS
from estimator.presentation.run_page import DiagnosisView, RunPage, Vital
from estimator.simulation.diagnoses import HOT_ROW_NODES

SLIGHT = 0.005
"""What differs by less is neither better nor worse, but for money."""

ALIKE = 0.05
"""What is refused of loads that differ by more is not compared: a day's and a month's. Of rows
and key ranges that differ by less nothing is said."""


LEAST = {"factor": 0.01, "share": 0.001}
"""The least that is written in digits (`designer.wording.formatting`), by unit."""


@dataclass(frozen=True)
class Difference:
    """One figure of two runs."""

    first: Vital
    second: Vital
    comparable: bool = True

    @property
    def pair(self) -> tuple[Vital, Vital]:
        """The first's and the second's."""
        return self.first, self.second

    @property
    def by(self) -> float | Decimal | None:
        """The second's less the first's."""
        first, other = self.first.value, self.second.value
        if first is None or other is None or self.first.unit != self.second.unit:
            return None
        return other - first  # type: ignore[operator]  # of one kind each

    @property
    def is_slight(self) -> bool:
        """They differ by less than is ever written of their unit: +< 0.01× would say nothing."""
        return bool(self.by) and abs(float(self.by or 0)) < LEAST.get(self.first.unit, 0.0)

    @property
    def is_equal(self) -> bool:
        """Nothing differs, the key that it is about included."""
        return (self.first.value, self.first.where) == (self.second.value, self.second.where)

    @property
    def relative_distance(self) -> float:
        """Distance of the two values, as a share of the larger."""
        first, other = float(self.first.value or 0), float(self.second.value or 0)
        return abs(other - first) / max(abs(first), abs(other), 1e-12)

    @property
    def is_idle(self) -> bool:
        """Rows and key ranges that keep no node busy in either: more or less of that is no news."""
        most = max(float(self.first.value or 0), float(self.second.value or 0))
        return self.first.name in ("row", "range") and most < HOT_ROW_NODES

    @property
    def kind(self) -> str:
        """Judgement of the second value, better or worse, where one exists."""
        less = self.first.less_is_better
        if not self.by or less is None or not self.comparable:
            return ""
        if (self.relative_distance < SLIGHT or self.is_idle) and self.first.name != "cost":
            return ""
        return "better" if (self.by < 0) == less else "worse"


def differences(first: RunPage, second: RunPage) -> tuple[Difference, ...]:
    """All figures of two runs, side by side."""
    pairs = [Difference(a, b) for a, b in zip(first.vitals, second.vitals, strict=True)]
    # A month refuses more operations than a day of the same load, so counts are compared between equal loads only.
    alike = all(pair.relative_distance <= ALIKE for pair in pairs if pair.first.name == "operations")
    return tuple(replace(pair, comparable=alike or pair.first.name != "refused") for pair in pairs)


def table_differences(first: RunPage, second: RunPage, table: str) -> tuple[Difference, ...]:
    """Return the vitals of a table of both, side by side; those of only one run are left out."""
    if not {table} <= first.run.tables.keys() & second.run.tables.keys():
        return ()
    return tuple(Difference(a, b) for a, b in zip(first.table_vitals(table), second.table_vitals(table), strict=True))


_WORDS = {
    ("hottest", "less"): N_(
        "The load on the hottest node is {second_share} of its capacity in the second, {first_share} in the first."
    ),
    ("refused", "less"): N_("The second rejects {by} fewer operations."),
    ("refused", "more"): N_("The second rejects {by} more operations."),
    ("reachable", "less"): N_(
        "The second has less headroom: it can reach {second_factor} its load, the first {first_factor}."
    ),
    ("reachable", "more"): N_(
        "The second has more headroom: it can reach {second_factor} its load, the first {first_factor}."
    ),
    ("nodes", "less"): N_("The maximum of the second is {by_nodes} lower."),
    ("nodes", "more"): N_("The maximum of the second is {by_nodes} higher."),
    ("cost", "less"): N_("The second costs {cost} a month less."),
    ("cost", "more"): N_("The second costs {cost} a month more."),
    ("cost known", "less"): N_("Among lines with a price, the second costs {cost} a month less."),
    ("cost known", "more"): N_("Among lines with a price, the second costs {cost} a month more."),
}


def describe(differences: tuple[Difference, ...], currency: str) -> tuple[Text, ...]:
    """Return the differences between two runs as sentences, without equal figures."""
    sentences = []
    for difference in differences:
        if not difference.kind or not difference.by:
            continue
        way = "less" if difference.by < 0 else "more"
        name = (
            f"{difference.first.name} known"
            if difference.first.at_least or difference.second.at_least
            else difference.first.name
        )
        message = _WORDS.get((name, way)) or _WORDS.get((name, "less"))
        if message is None or (difference.first.name == "hottest" and abs(float(difference.by)) < 0.01):
            continue
        by, unit = abs(float(difference.by)), difference.first.unit
        params = {
            f"first_{unit}": difference.first.value, f"second_{unit}": difference.second.value,
            "by": by, "by_nodes": by,
            "cost": Money(Decimal(str(by)), cast(Currency, currency), is_modelled=True),
        }  # fmt: skip
        sentences.append(Text(message, params))
    return tuple(sentences)


_STANDS_OUT = {
    ("row", "nodes"): N_(
        "At the peak, the busiest row of {table} requires {second_nodes} in the second and {first_nodes} in the first."
    ),
    ("row", "share"): N_(
        "Peak load on the busiest row of {table}, relative to the limit of one key value: {second_share} "
        "in the second, {first_share} in the first."
    ),
    ("range", "nodes"): N_(
        "At the peak, the busiest key range of {table} requires {second_nodes} in the second and "
        "{first_nodes} in the first."
    ),
    ("range", "share"): N_(
        "Peak load on the busiest key range of {table}, relative to the limit of one key value: "
        "{second_share} in the second, {first_share} in the first."
    ),
}


def describe_table(
    first: RunPage, second: RunPage, table: str, differences: tuple[Difference, ...]
) -> tuple[Text, ...]:
    """Return sentences on changed patterns, and on the shown table's busiest row and key range."""
    return (*_patterns(first, second), *_peak_messages(first.name(table), differences))


def _patterns(first: RunPage, second: RunPage) -> Iterator[Text]:
    for name, table in first.run.tables.items():
        other = second.run.tables.get(name)
        if (
            other is None
            or not table.patterns
            or not other.patterns
            or table.patterns[0].name == other.patterns[0].name
        ):
            continue
        message = N_("The load pattern of {table} is {second} in the second ({second_share}), {first} in the first "
    "({first_share}).")  # fmt: skip
        yield Text(message, {
            "table": first.name(name),
            "first": Text(PATTERNS[table.patterns[0].name]), "first_share": table.patterns[0].share,
            "second": Text(PATTERNS[other.patterns[0].name]), "second_share": other.patterns[0].share,
        })  # fmt: skip


def _peak_messages(table: str, differences: tuple[Difference, ...]) -> Iterator[Text]:
    for peak in differences:
        unit, values = peak.first.unit, (peak.first.value, peak.second.value)
        if (peak.first.name, unit) not in _STANDS_OUT or None in values or peak.relative_distance < ALIKE:
            continue
        if not peak.is_idle:
            params = {"table": table, f"first_{unit}": values[0], f"second_{unit}": values[1]}
            yield Text(_STANDS_OUT[peak.first.name, unit], params)


def diagnoses_only_in(first: RunPage, second: RunPage) -> tuple[DiagnosisView, ...]:
    """Diagnoses of the first that the second has not, by what they say of which table."""
    there = {(view.diagnosis.message, view.diagnosis.table) for view in second.diagnoses}
    return tuple(view for view in first.diagnoses if (view.diagnosis.message, view.diagnosis.table) not in there)
