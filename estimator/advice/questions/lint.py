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
    spec: Spec, made: Estimate, context: Context, failures: list[RuleFailure] | None = None
) -> tuple[Finding, ...]:
    """Return the findings, gravest first: no error and no warning depends on assumed values alone.

    Each table with a grave finding is judged again with other values in place of the assumed ones: even distributions,
    numbers without bound. A finding that goes is part of a question about the first assumed value that it depends on;
    one that becomes milder is milder. A rule that fails is added to `failures` where a list is given.
    """
    spec = with_fits(spec, context.cache)
    every = judge(RULES.values(), spec, made, failures)
    grave = [one for one in every if one.finding.severity in GRAVE]
    again = Scenarios(spec, made, context, failures)
    guesses = open_guesses(spec, _tables_of(again, grave))
    every, paired = _with_findings_of_pairs(again, every)
    grave = [one for one in every if one.finding.severity in GRAVE]
    # Nothing is assumed about the tables with grave findings, so every finding stands as it is.
    if not guesses:
        return arrange(RULES.values(), spec, every, context.today, questions=paired)
    sure = again.severities(guesses, grave)
    open_ = [one for one in grave if _goes(one, sure)]
    # A sure consequence without its cause would have no explanation and no fix, so the cause stays, as a note.
    causes = _causes([one for one in grave if one not in open_], open_)
    open_ = [one for one in open_ if one not in causes]
    kept = [_as_note(one) if one in causes else _milder(one, sure) for one in every if one not in open_]
    return arrange(RULES.values(), spec, kept, context.today, questions=(*_questions(again, open_, guesses), *paired))


def _with_findings_of_pairs(again: Scenarios, every: Sequence[Judgment]) -> tuple[list[Judgment], tuple[Finding, ...]]:
    """Return the findings that stay if few values go with one owner, and the questions about pairs with the others."""
    asking = [one for one in every if one.rule.code == PAIRS]
    tables = {again.table_of[one.finding.at] for one in asking}
    near = [
        one
        for one in every
        if one.finding.severity in GRAVE and (not is_local(one.rule) or again.table_of.get(one.finding.at) in tables)
    ]
    if not asking or not near:
        return list(every), ()
    sure = again.with_few_pairs(tables, near)
    going = [one for one in near if _goes(one, sure)]
    below: dict[str, list[Judgment]] = {one.finding.at: [] for one in asking}
    for one in going:
        mine = (a.finding.at for a in asking if again.table_of[a.finding.at] == again.table_of.get(one.finding.at))
        below[next(mine, asking[0].finding.at)].append(one)
    left = [one for one in every if one not in going and one not in asking]
    return left, tuple(as_asked(one.finding, group_by_cause(below[one.finding.at])) for one in asking)


def _goes(one: Judgment, sure: Mapping[Place, Severity]) -> bool:
    """Return True if a finding is no longer grave."""
    return sure.get(place_of(one)) not in GRAVE


def _causes(sure: Iterable[Judgment], open_: Sequence[Judgment]) -> list[Judgment]:
    """Return the open findings that explain a sure one: what is found anyway is shown with its cause and its fix."""
    wanted = {(code, one.cause) for one in sure for code in one.rule.under}
    return [one for one in open_ if any((one.rule.code, element) in wanted for element in one.found.about)]


def _as_note(one: Judgment) -> Judgment:
    """Return a finding that is only as grave as what stands under it."""
    return replace(one, finding=replace(one.finding, severity="note"))


def _milder(one: Judgment, sure: Mapping[Place, Severity]) -> Judgment:
    """Return a finding that is only certain to be a warning as such."""
    severity = sure.get(place_of(one))
    if severity is None or SEVERITIES.index(severity) <= SEVERITIES.index(one.finding.severity):
        return one
    return replace(one, finding=replace(one.finding, severity=severity))


def _tables_of(again: Scenarios, grave: Iterable[Judgment]) -> frozenset[str]:
    """Return the ids of the tables that findings are about; all tables if one is about more than a table."""
    found = {again.table_of.get(one.finding.at, "") if is_local(one.rule) else "" for one in grave}
    return frozenset(table.id for table in again.spec.tables) if "" in found else frozenset(found)


def _questions(again: Scenarios, open_: Sequence[Judgment], guesses: Sequence[OpenGuess]) -> tuple[Finding, ...]:
    """Return a question for each assumed value on which findings depend, the most important first."""
    if not open_:
        return ()
    asked, left = _group_by_guess(again, [one for one in open_ if is_local(one.rule)], guesses)
    wide = [one for one in open_ if not is_local(one.rule)]
    more, wide = _group_by_guess(again, wide, _busiest(again.made, guesses)) if wide else ([], [])
    for guess, mine in more:
        known = next((one for one in asked if one[0] == guess), None)
        known[1].extend(mine) if known else asked.append((guess, mine))
    if left or wide:  # they depend on several values together
        asked = asked or [(guesses[0], [])]
        asked[0][1].extend((*left, *wide))
    heads = [(guess, group_by_cause(mine)) for guess, mine in asked]
    heads.sort(key=lambda one: (-sum(f.severity == "error" for f in one[1]), -len(one[1])))
    # Only the questions that decide most findings are billed, and then the money decides their order.
    billed = [(*one, again.swing(one[0]) if place < BILLED else None) for place, one in enumerate(heads)]
    billed.sort(key=lambda one: -(one[2] or 0))
    return tuple(question(again.spec, *one, again.made) for one in billed)


def _group_by_guess(
    again: Scenarios, findings: Sequence[Judgment], guesses: Sequence[OpenGuess]
) -> tuple[Asked, list[Judgment]]:
    """Return the first assumed value without which each finding goes, and the findings that stay without any."""
    asked: Asked = []
    left = list(findings)
    for guess in guesses:
        near = [one for one in left if not is_local(one.rule) or _reaches(again, guess, one)]
        if near:
            sure = again.severities([guess], near)
            mine = [one for one in near if _goes(one, sure)]
            left = [one for one in left if one not in mine]
            asked += [(guess, mine)] if mine else []
    return asked, left


def _reaches(again: Scenarios, guess: OpenGuess, one: Judgment) -> bool:
    table = again.table_of.get(one.finding.at)
    return table is None or table in guess.tables


def _busiest(made: Estimate, guesses: Iterable[OpenGuess]) -> list[OpenGuess]:
    """Return the assumed values of the tables with the most node time."""
    parts = made.tables
    load = {id: p.traffic.node_share_by_month[-1] if p.traffic else 0.0 for id, p in parts.items()}  # noqa: A001
    return sorted(guesses, key=lambda guess: -sum(load[table] for table in guess.tables))[:BUSIEST]
