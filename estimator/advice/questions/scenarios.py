"""The design judged again with other values in place of assumed ones: its rules and its bill."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from designer.document import Element, Spec, effective_value
from designer.document.base import walk
from designer.document.edits import apply
from estimator.estimates.calibration import calibrate
from estimator.estimates.context import Context
from estimator.estimates.estimate import instance_estimate, table_part
from estimator.facts.unlimited_rows import open_pairs
from estimator.kernels import pricing
from estimator.results import Estimate, Refusal, Severity, TablePart, UnknownReason
from estimator.results.grain import JUDGED, SHARED, Grain

from ..rules.shared.fixes import relate
from ..rules.shared.root_causes import SEVERITIES, Judgment
from ..rules.shared.rule import Rule
from ..rules.shared.run import RuleFailure, judge
from .open_guesses import MORE, Changes, OpenGuess, with_values

Place = tuple[str, str, str]
"""Rule, element and field of a finding."""

UNLIKELY = 100
"""A bill so many times as high is that of a design which nobody would run (our judgement): it says nothing."""
WIDE = ("R006",)
"""Rules about more than one table beside those of tables and the instance."""


def place_of(judgment: Judgment) -> Place:
    """Return where a finding is, and of which rule."""
    return judgment.finding.rule, judgment.finding.at, judgment.finding.field


def is_local(rule: Rule) -> bool:
    """Return True if what a rule finds depends on one table alone."""
    return rule.code[0] not in "TI" and rule.code not in WIDE


def few_pairs(spec: Spec, estimate: Estimate, tables: Collection[str]) -> Spec:
    """Return the design in which few values go with one owner, where these tables hold any pair.

    Ten for each value of either field: of fewer, some values would be in no pair at all. Where the share of the busiest
    owner is known, so is the crowd below it.
    """
    fits, related = spec.fits, spec
    for pair in open_pairs(spec, estimate):
        if pair.rows.table.id in tables and pair.has_members_of_owner and pair.owner.busiest_share is None:
            values = [float(effective_value(spec, field, "distinct")) for field in (pair.member, pair.owner)]
            number = math.ceil(MORE * max(values[0] / values[1], 1.0))
            related = apply(related, relate(replace(pair, rows=replace(pair.rows, spec=related)), number))[0]
    return spec if related is spec else related.with_fits(fits)


class Scenarios:
    """A design and its estimate, to be judged again."""

    def __init__(
        self, spec: Spec, estimate: Estimate, context: Context, failures: list[RuleFailure] | None = None
    ) -> None:
        self.spec, self.made, self.context, self.failures = spec, estimate, context, failures
        self.table_of: Mapping[str, str] = {
            part.id: table.id for table in spec.tables for part in walk(table) if isinstance(part, Element)
        }
        """Ids of tables by the ids of what is in them."""

    def severities(self, guesses: Sequence[OpenGuess], findings: Sequence[Judgment]) -> dict[Place, Severity]:
        """Return the gravest severity of each of these findings that stays without the effect of assumed values."""
        changes = tuple(change for guess in guesses for change in guess.other)
        again = {table for guess in guesses for table in guess.tables}
        local = [finding for finding in findings if is_local(finding.rule)]
        wide = [finding for finding in findings if not is_local(finding.rule)]
        return {**self._local(changes, local), **self._wide(changes, again, wide)}

    def with_few_pairs(self, tables: Collection[str], findings: Sequence[Judgment]) -> dict[Place, Severity]:
        """Return the gravest severity of each of these findings that stays if few values go with one owner."""
        spec = few_pairs(self.spec, self.made, tables)
        parts = self._parts(spec, tables, SHARED)
        return self._gravest(findings, spec, instance_estimate(spec, parts, self.context.price_books))

    def swing(self, guess: OpenGuess) -> Decimal | None:
        """Return by how much the bill of the last month changes with another value; None if that is not known.

        Nor is there one with the assumed value if that could not be served: the bill is already of another then.
        """
        bill, book = self.made.bill, self.context.price_books.find(self.spec)
        # The table has been computed with even distributions already, because the assumed skew could not be served.
        if bill is None or any(guess.at in self.made.tables[table].assumed_even for table in guess.tables):
            return None
        spec = with_values(self.spec, guess.billed)
        parts = calibrate(spec, self._parts(spec, guess.tables, SHARED)).parts
        bills = pricing.compute_costs(spec, parts, book).bills
        if not bills or bills[-1].total > UNLIKELY * bill.total:
            return None
        return abs(bills[-1].total - bill.total)

    def _local(self, changes: Changes, findings: Sequence[Judgment]) -> dict[Place, Severity]:
        """Judge the tables of these findings alone: the others cannot change them."""
        if not findings:
            return {}
        tables = {self.table_of.get(finding.finding.at, "") for finding in findings}
        # Rules of one table see that table only, so a design with 100 tables is not judged as a whole for each guess.
        fewer = tuple(table for table in self.spec.tables if table.id in tables or "" in tables)
        spec = with_values(self.spec.model_copy(update={"tables": fewer}), changes)
        estimate = replace(self.made, tables=calibrate(spec, self._parts(spec, tables)).parts)
        return self._gravest(findings, spec, estimate)

    def _wide(self, changes: Changes, again: Iterable[str], findings: Sequence[Judgment]) -> dict[Place, Severity]:
        if not findings:
            return {}
        spec = with_values(self.spec, changes)
        parts = self._parts(spec, again, SHARED)
        return self._gravest(findings, spec, instance_estimate(spec, parts, self.context.price_books))

    def _parts(self, spec: Spec, again: Iterable[str], grain: Grain = JUDGED) -> dict[str, TablePart]:
        """Return the parts of the tables; those that no other value reaches are in the estimate, if not calibrated."""
        # A calibration rescales all tables together, and its result is in the estimate's parts: it must start from
        # plain ones.
        reached = {table.id for table in spec.tables} if spec.instance.calibration is not None else set(again)
        new = {t.id: table_part(spec, t, self.context, grain=grain) for t in spec.tables if t.id in reached}
        return {**self.made.tables, **new}

    def _gravest(self, findings: Iterable[Judgment], spec: Spec, estimate: Estimate) -> dict[Place, Severity]:
        """Return the severities that findings still have; those of a rule that fails here stay as they are."""
        before = {place_of(finding): finding for finding in findings}
        failures: list[RuleFailure] = []
        rules = {judgment.rule.code: judgment.rule for judgment in before.values()}.values()
        severities: dict[Place, Severity] = {}
        for current in judge(rules, spec, estimate, None if self.failures is None else failures):
            place, severity = place_of(current), current.finding.severity
            if place in before and (
                place not in severities or SEVERITIES.index(severity) < SEVERITIES.index(severities[place])
            ):
                severities[place] = severity
        # A rule that fails on the variant has not shown that its finding goes.
        for failure in failures:
            severities |= {
                place: judgment.finding.severity for place, judgment in before.items() if judgment.rule == failure.rule
            }
        if refused := self._refused_tables(spec, estimate):
            severities |= {
                place: judgment.finding.severity for place, judgment in before.items() if self._is_at(judgment, refused)
            }
        if self.failures is not None:
            failed_rules = [failure.rule for failure in self.failures]
            self.failures += [failure for failure in failures if failure.rule not in failed_rules]
        return severities

    def _refused_tables(self, spec: Spec, estimate: Estimate) -> set[str]:
        """Return the tables that cannot be served with the other values: nothing in them is better for it.

        The empty id is in it if the instance is one that cannot be served.
        """
        tables = {table.id for table in spec.tables if _is_refused(estimate.tables[table.id].because)}
        return tables | {""} if tables or _is_refused(estimate.because) else set()

    def _is_at(self, judgment: Judgment, tables: set[str]) -> bool:
        return not is_local(judgment.rule) or self.table_of.get(judgment.finding.at, "") in tables


def _is_refused(because: Iterable[UnknownReason]) -> bool:
    return any(isinstance(reason, Refusal) for reason in because)
