"""Accepted risks: a finding that the team lives with, and the notes when that no longer holds."""

import datetime
from collections.abc import Iterator, Sequence
from dataclasses import replace

from designer.document import Ignore, Spec
from designer.document.edits import removal
from designer.document.texts import N_
from estimator.results import Finding

CODE = "A001"
DOUBLED = 2.0
"""An accepted effect that has grown by this factor is worth another look."""

ENDED = N_("{owner} accepted {rule} until {until}. That date has passed, and the finding is open again.")
GROWN = N_("{owner} accepted {rule} at an effect of {accepted}. The effect is now {effect}.")
REMOVE = N_("Remove the acceptance")
ELSEWHERE = N_("{owner} accepted {rule} for the id {at}, but the rule finds something at the id {elsewhere}.")
UNUSED = N_("{owner} accepted {rule}, but the rule no longer finds anything there.")


def apply_acceptances(spec: Spec, findings: Sequence[Finding], today: datetime.date) -> tuple[Finding, ...]:
    """Return the findings with accepted ones marked, and a note per acceptance that no longer applies.

    Accepting a cause accepts its consequences; accepting a note accepts only notes, and graver consequences are then
    independent. The last day of an acceptance still counts.
    """
    valid = [ignore for ignore in spec.ignores if not _is_expired(ignore, today)]
    marked = (
        tuple(marked_finding for finding in findings for marked_finding in _apart(_mark_accepted(finding, valid)))
        if valid
        else findings
    )
    return (*marked, *_notes(spec, marked, today))


def _apart(finding: Finding) -> Iterator[Finding]:
    """Yield an accepted finding without its open consequences, then these; an open one stays as it is."""
    if finding.ignored is None:
        yield finding
        return
    yield replace(finding, under=tuple(below for below in finding.under if below.ignored is not None))
    yield from (below for below in finding.under if below.ignored is None)


def _is_expired(ignore: Ignore, today: datetime.date) -> bool:
    return ignore.until is not None and today > ignore.until


def _mark_accepted(finding: Finding, ignores: Sequence[Ignore], by: Ignore | None = None) -> Finding:
    own = next((ignore for ignore in ignores if _matches(ignore, finding)), by)
    if own is None and not finding.under:
        return finding
    under = tuple(
        # Who accepts a note has not seen that an error follows from it.
        _mark_accepted(f, ignores, own if finding.severity != "note" or f.severity == "note" else None)
        for f in finding.under
    )
    return replace(finding, ignored=own, under=under)


def _matches(ignore: Ignore, finding: Finding) -> bool:
    return ignore.rule == finding.rule and ignore.at == finding.at


def _notes(spec: Spec, findings: Sequence[Finding], today: datetime.date) -> Iterator[Finding]:
    flat = [f for finding in findings for f in (finding, *finding.under)]
    for ignore in spec.ignores:
        matching = [f for f in flat if _matches(ignore, f)]
        effect = max((f.effect for f in matching if f.effect is not None), default=None)
        if not matching:
            # In a file, an acceptance may name the table of a key, or the place as a report spells it.
            others = [f.at for f in flat if f.rule == ignore.rule and f.ignored is None]
            note = _note(ignore, ELSEWHERE, at=ignore.at, elsewhere=others[0]) if others else _note(ignore, UNUSED)
            yield replace(note, fix=removal(spec, ignore.id), fix_label=REMOVE)
        elif _is_expired(ignore, today):
            yield _note(ignore, ENDED, until=ignore.until)
        elif effect is not None and ignore.effect and effect >= DOUBLED * ignore.effect:
            yield _note(ignore, GROWN, accepted=ignore.effect, effect=effect)


def _note(ignore: Ignore, message: str, **params: object) -> Finding:
    return Finding(
        rule=CODE,
        severity="note",
        at=ignore.id,
        field="",
        message=message,
        params={"owner": ignore.owner, "rule": ignore.rule, **params},
        effect=None,
        fix=None,
        fix_safe=True,
        fix_label="",
    )
