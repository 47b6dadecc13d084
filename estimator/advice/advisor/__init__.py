"""Candidate row keys.

Many are compared coarsely, the best few again in full; nothing here is random, and nothing is remembered.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.document import Spec
from designer.document.keytext import BadKeyText
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import key_of
from estimator.advice.questions import lint
from estimator.advice.rules import findings
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate, instance_estimate, table_estimate
from estimator.results import Because, Estimate, TablePart
from estimator.results.grain import COARSE, FULL, Grain

from .candidate_keys import drafts
from .candidate_messages import unsafe, why
from .keys import as_edit, as_text, with_key
from .measuring import BURDEN_FLOOR, measures
from .ranking import is_bearable, is_better, ranked, undominated
from .results import Advice, Candidate, Measures, Served

__all__ = ["MOST", "SHOWN", "Advice", "Candidate", "Measures", "Served", "advise"]

MOST = 50
"""Candidates that are measured coarsely."""
SHOWN = 5
"""... and in full."""
_SPARE = 1.3
"""Drafts beyond those, for keys that turn out to be the present one, or no keys at all."""


@dataclass(frozen=True)
class _Measured:
    """A key that has been measured; `changes` of the present one is nothing."""

    text: str
    changes: float
    spec: Spec
    measures: Measures
    made: Estimate


def advise(spec: Spec, row_kind: str, context: Context, *, most: int = MOST) -> Advice:
    """Return the best keys for a row kind, each with its effects and the changes it requires.

    Raises
    ------
    KeyError
        If the design has no such row kind.
    """
    table, kind = next(((t, k) for t, k in spec.row_kinds() if k.id == row_kind), (None, None))
    if table is None or kind is None:
        raise KeyError(row_kind)
    if not kind.segments:
        return Advice(
            row_kind,
            None,
            (),
            0,
            (Because(N_("No row key yet. Enter one to compare it with alternatives."), row_kind),),
        )
    about = _About(spec, table, kind, context)
    now = about.coarse(key_of(spec, kind), 0.0)
    tried = about.tried(most, salted=now is None or _needs_spreading(now.measures))
    allowed = [one for one in tried if now is None or _allowed(one.measures, now.measures)]
    best = ranked(undominated(ranked(allowed), now))[:SHOWN]
    return about.advice(best, len(tried))


def _needs_spreading(now: Measures) -> bool:
    """Return whether the present key carries half of its load limit or holds too much, or is unknown."""
    return now.burden is None or now.burden > BURDEN_FLOOR or (now.largest_bytes or 0.0) > now.small_bytes


def _allowed(then: Measures, now: Measures) -> bool:
    """No error that the present key has not, and not much worse in all."""
    had = {rule for rule, severity in now.remaining if severity == "error"}
    return (
        is_bearable(then, now)
        and then.errors <= now.errors
        and all(r in had for r, severity in then.remaining if severity == "error")
    )


@dataclass(frozen=True)
class _About:
    """One row kind, and how its keys are measured."""

    spec: Spec
    table: Table
    kind: RowKind
    context: Context

    def coarse(self, text: str, changes: float) -> _Measured | None:
        """Measured on few ids and ranges, the table alone on its instance; None of what is no key."""
        return self._measured(text, changes, COARSE, {})

    def full(self, text: str, changes: float, parts: Mapping[str, TablePart]) -> _Measured | None:
        """Measured as the design's own pages show it; with the compression that was measured of the present key."""
        return self._measured(text, changes, FULL, parts)

    def _measured(self, text: str, changes: float, grain: Grain, parts: Mapping[str, TablePart]) -> _Measured | None:
        try:
            spec = with_key(self.spec, self.table, self.kind, text, alone=grain is not FULL)
        except BadKeyText:
            return None
        table = next(t for t in spec.tables if t.id == self.table.id)
        known = parts.get(table.id)
        measured = known.growth.measured if known and known.growth else None
        part = table_estimate(spec, table, measured, grain=grain, cache=self.context.cache)
        made = instance_estimate(spec, {**parts, table.id: part}, self.context.price_books)
        context = self.context
        found = lint(spec, made, context) if grain is FULL else findings(spec, made, context.today)
        kind = next(k for k in table.row_kinds if k.id == self.kind.id)
        return _Measured(text, changes, spec, measures(spec, table, kind, made, found), made)

    def tried(self, most: int, *, salted: bool) -> list[_Measured]:
        """Keys other than the present one, measured coarsely."""
        present, seen, found = key_of(self.spec, self.kind), set[str](), list[_Measured]()
        for draft in drafts(self.spec, self.kind, round(_SPARE * most), salted=salted):
            text = as_text(self.spec, self.kind, draft)
            if text != present and text not in seen and len(found) < most:
                seen.add(text)
                one = self.coarse(text, draft.changes)
                if one is not None and one.made.tables[self.table.id].keys.get(self.kind.id):
                    found.append(one)
        return found

    def advice(self, best: list[_Measured], tried: int) -> Advice:
        """Return the advice from the best keys, measured again in full, without those that became worse."""
        made = estimate(self.spec, self.context)
        now = self._as_it_is(made)
        again = [one for one in (self.full(b.text, b.changes, made.tables) for b in best) if one is not None]
        kept = undominated([one for one in again if _allowed(one.measures, now.measures)], now)
        order = sorted(ranked(kept), key=lambda one: not is_better(one.measures, now.measures))
        return Advice(
            kind=self.kind.id,
            present=Candidate(now.text, self.kind, None, now.measures, traffic=now.made.tables[self.table.id].traffic),
            candidates=tuple(self._candidate(one, now) for one in order),
            tried=tried,
            missing=_missing(now.made, self.table, self.kind),
            currency=now.made.currency,
        )

    def _as_it_is(self, made: Estimate) -> _Measured:
        found = lint(self.spec, made, self.context)
        measured = measures(self.spec, self.table, self.kind, made, found)
        return _Measured(key_of(self.spec, self.kind), 0.0, self.spec, measured, made)

    def _candidate(self, one: _Measured, now: _Measured) -> Candidate:
        changed = next(k for _, k in one.spec.row_kinds() if k.id == self.kind.id)
        return Candidate(
            text=one.text,
            kind=changed,
            edit=as_edit(self.spec, self.kind, one.text, changed),
            measures=one.measures,
            better=is_better(one.measures, now.measures),
            why=why(now.measures, one.measures),
            unsafe=unsafe(self.spec, self.table, self.kind, changed, now.measures, one.measures),
            traffic=one.made.tables[self.table.id].traffic,
        )


def _missing(made: Estimate, table: Table, kind: RowKind) -> tuple[Because, ...]:
    """Return the unknown parts of the estimate that limit the advice."""
    found = list(made.tables[table.id].because)
    if not kind.reads:
        found.append(Because(N_("No reads are defined for these rows, so only writes are compared."), kind.id))
    return tuple(found)
