"""The findings of a design, and questions in place of those that depend on assumed values alone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from designer.document import Spec
from estimator.estimates.context import Context
from estimator.estimates.fits import with_fits
from estimator.results import Estimate, Finding, Severity

from ..rules import RULES
from ..rules.shared.root_causes import SEVERITIES, Judgment, group_by_cause
from ..rules.shared.run import RuleFailure, arrange, judge
from .open_guesses import OpenGuess, open_guesses
from .scenarios import Place, Scenarios, is_local, place_of
from .wording import as_asked, question

GRAVE: tuple[Severity, ...] = ("error", "warning")
PAIRS = "G009"
"""The question about pairs of values that nothing limits."""
BUSIEST = 4
"""What a finding about several tables depends on is looked for among so many assumed values of the busiest."""
BILLED = 3
"""The effect on the bill is told of so many questions: each takes as long as a bill."""

Asked = list[tuple[OpenGuess, list[Judgment]]]
"""Assumed values with the findings that depend on each."""


def lint(
    spec: Spec, estimate: Estimate, context: Context, failures: list[RuleFailure] | None = None
) -> tuple[Finding, ...]:
    """Return the findings, gravest first: no error and no warning depends on assumed values alone.

    Each table with a grave finding is judged again with other values in place of the assumed ones: even distributions,
    numbers without bound. A finding that goes is part of a question about the first assumed value that it depends on;
    one that becomes milder is milder. A rule that fails is added to `failures` where a list is given.
    """
    spec = with_fits(spec, context.cache)
    every = judge(RULES.values(), spec, estimate, failures)
    grave = [judgment for judgment in every if judgment.finding.severity in GRAVE]
    again = Scenarios(spec, estimate, context, failures)
    guesses = open_guesses(spec, _tables_of(again, grave))
    every, paired = _with_findings_of_pairs(again, every)
    grave = [judgment for judgment in every if judgment.finding.severity in GRAVE]
    # Nothing is assumed about the tables with grave findings, so every finding stands as it is.
    if not guesses:
        return arrange(RULES.values(), spec, every, context.today, questions=paired)
    sure = again.severities(guesses, grave)
    open_ = [judgment for judgment in grave if _goes(judgment, sure)]
    # A sure consequence without its cause would have no explanation and no fix, so the cause stays, as a note.
    causes = _causes([judgment for judgment in grave if judgment not in open_], open_)
    open_ = [judgment for judgment in open_ if judgment not in causes]
    retained = [
        _as_note(judgment) if judgment in causes else _milder(judgment, sure)
        for judgment in every
        if judgment not in open_
    ]
    return arrange(
        RULES.values(), spec, retained, context.today, questions=(*_questions(again, open_, guesses), *paired)
    )


def _with_findings_of_pairs(again: Scenarios, every: Sequence[Judgment]) -> tuple[list[Judgment], tuple[Finding, ...]]:
    """Return the findings that stay if few values go with one owner, and the questions about pairs with the others."""
    asking = [judgment for judgment in every if judgment.rule.code == PAIRS]
    tables = {again.table_of[judgment.finding.at] for judgment in asking}
    near = [
        judgment
        for judgment in every
        if judgment.finding.severity in GRAVE
        and (not is_local(judgment.rule) or again.table_of.get(judgment.finding.at) in tables)
    ]
    if not asking or not near:
        return list(every), ()
    sure = again.with_few_pairs(tables, near)
    going = [judgment for judgment in near if _goes(judgment, sure)]
    below: dict[str, list[Judgment]] = {judgment.finding.at: [] for judgment in asking}
    for dependent in going:
        mine = (
            a.finding.at for a in asking if again.table_of[a.finding.at] == again.table_of.get(dependent.finding.at)
        )
        below[next(mine, asking[0].finding.at)].append(dependent)
    remaining = [judgment for judgment in every if judgment not in going and judgment not in asking]
    return remaining, tuple(
        as_asked(judgment.finding, group_by_cause(below[judgment.finding.at])) for judgment in asking
    )


def _goes(judgment: Judgment, sure: Mapping[Place, Severity]) -> bool:
    """Return True if a finding is no longer grave."""
    return sure.get(place_of(judgment)) not in GRAVE


def _causes(sure: Iterable[Judgment], open_: Sequence[Judgment]) -> list[Judgment]:
    """Return the open findings that explain a sure one: what is found anyway is shown with its cause and its fix."""
    causes = {(code, judgment.cause) for judgment in sure for code in judgment.rule.under}
    return [
        judgment
        for judgment in open_
        if any((judgment.rule.code, element) in causes for element in judgment.found.about)
    ]


def _as_note(judgment: Judgment) -> Judgment:
    """Return a finding that is only as grave as what stands under it."""
    return replace(judgment, finding=replace(judgment.finding, severity="note"))


def _milder(judgment: Judgment, sure: Mapping[Place, Severity]) -> Judgment:
    """Return a finding that is only certain to be a warning as such."""
    severity = sure.get(place_of(judgment))
    if severity is None or SEVERITIES.index(severity) <= SEVERITIES.index(judgment.finding.severity):
        return judgment
    return replace(judgment, finding=replace(judgment.finding, severity=severity))


def _tables_of(again: Scenarios, grave: Iterable[Judgment]) -> frozenset[str]:
    """Return the ids of the tables that findings are about; all tables if one is about more than a table."""
    table_ids = {again.table_of.get(judgment.finding.at, "") if is_local(judgment.rule) else "" for judgment in grave}
    return frozenset(table.id for table in again.spec.tables) if "" in table_ids else frozenset(table_ids)


def _questions(again: Scenarios, open_: Sequence[Judgment], guesses: Sequence[OpenGuess]) -> tuple[Finding, ...]:
    """Return a question for each assumed value on which findings depend, the most important first."""
    if not open_:
        return ()
    groups, remaining = _group_by_guess(again, [judgment for judgment in open_ if is_local(judgment.rule)], guesses)
    wide = [judgment for judgment in open_ if not is_local(judgment.rule)]
    more, wide = _group_by_guess(again, wide, _busiest(again.made, guesses)) if wide else ([], [])
    for guess, mine in more:
        group = next((pair for pair in groups if pair[0] == guess), None)
        group[1].extend(mine) if group else groups.append((guess, mine))
    if remaining or wide:  # they depend on several values together
        groups = groups or [(guesses[0], [])]
        groups[0][1].extend((*remaining, *wide))
    heads = [(guess, group_by_cause(mine)) for guess, mine in groups]
    heads.sort(key=lambda head: (-sum(f.severity == "error" for f in head[1]), -len(head[1])))
    # Only the questions that decide most findings are billed, and then the money decides their order.
    billed = [(*head, again.swing(head[0]) if place < BILLED else None) for place, head in enumerate(heads)]
    billed.sort(key=lambda entry: -(entry[2] or 0))
    return tuple(question(again.spec, *entry, again.made) for entry in billed)


def _group_by_guess(
    again: Scenarios, findings: Sequence[Judgment], guesses: Sequence[OpenGuess]
) -> tuple[Asked, list[Judgment]]:
    """Return the first assumed value without which each finding goes, and the findings that stay without any."""
    groups: Asked = []
    remaining = list(findings)
    for guess in guesses:
        near = [judgment for judgment in remaining if not is_local(judgment.rule) or _reaches(again, guess, judgment)]
        if near:
            sure = again.severities([guess], near)
            mine = [judgment for judgment in near if _goes(judgment, sure)]
            remaining = [judgment for judgment in remaining if judgment not in mine]
            groups += [(guess, mine)] if mine else []
    return groups, remaining


def _reaches(again: Scenarios, guess: OpenGuess, judgment: Judgment) -> bool:
    table = again.table_of.get(judgment.finding.at)
    return table is None or table in guess.tables


def _busiest(estimate: Estimate, guesses: Iterable[OpenGuess]) -> list[OpenGuess]:
    """Return the assumed values of the tables with the most node time."""
    parts = estimate.tables
    load = {id: p.traffic.node_share_by_month[-1] if p.traffic else 0.0 for id, p in parts.items()}  # noqa: A001
    return sorted(guesses, key=lambda guess: -sum(load[table] for table in guess.tables))[:BUSIEST]
