"""Candidate row keys.

Many are compared coarsely, the best few again in full; nothing here is random, and nothing is remembered.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from designer.document import Spec
from designer.document.keytext import KeyTextError
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import key_of
from estimator.advice.questions import lint
from estimator.advice.rules import findings
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate, instance_estimate, table_estimate
from estimator.estimates.fits import with_fits
from estimator.results import Estimate, TablePart, UnknownReason
from estimator.results.grain import COARSE, FULL, Grain

from .candidate_keys import draft_keys
from .candidate_messages import benefits, required_changes
from .keys import key_change_edit, key_text, set_key
from .measuring import BURDEN_FLOOR, measures
from .ranking import drop_dominated, is_bearable, is_better, rank_candidates
from .results import Advice, Candidate, Measures, ReadService

__all__ = ["MOST", "SHOWN", "Advice", "Candidate", "Measures", "ReadService", "advise"]

MOST = 50
"""Candidates that are measured coarsely."""
SHOWN = 5
"""... and in full."""
_SPARE = 1.3
"""Drafts beyond those, for keys that turn out to be the present one, or no keys at all."""


@dataclass(frozen=True)
class _MeasuredKey:
    """A key that has been measured; `changes` of the present one is nothing."""

    text: str
    changes: float
    spec: Spec
    measures: Measures
    made: Estimate


def advise(spec: Spec, row_kind: str, context: Context, *, maximum: int = MOST) -> Advice:
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
            (UnknownReason(N_("No row key yet. Enter one to compare it with alternatives."), row_kind),),
        )
    about = _KeyMeasurer(with_fits(spec), table, kind, context)
    now = about.measure_coarsely(key_of(spec, kind), 0.0)
    # A salt makes each range read 4 to 64 times as many requests, so it is tried only where the load asks for it.
    tried = about.try_keys(maximum, salted=now is None or _needs_spreading(now.measures))
    allowed = [candidate for candidate in tried if now is None or _is_allowed(candidate.measures, now.measures)]
    # Ranked before as well, because of candidates that are alike the first one stays.
    best = rank_candidates(drop_dominated(rank_candidates(allowed), now))[:SHOWN]
    return about.build_advice(best, len(tried))


def _needs_spreading(present: Measures) -> bool:
    """Return whether the present key carries half of its load limit or holds too much, or is unknown."""
    return (
        present.burden is None or present.burden > BURDEN_FLOOR or (present.largest_bytes or 0.0) > present.small_bytes
    )


def _is_allowed(then: Measures, present: Measures) -> bool:
    """Return whether a key has no error that the present key has not, and is not much worse in all."""
    had = {rule for rule, severity in present.remaining if severity == "error"}
    return (
        is_bearable(then, present)
        and then.errors <= present.errors
        and all(r in had for r, severity in then.remaining if severity == "error")
    )


@dataclass(frozen=True)
class _KeyMeasurer:
    """One row kind, and how its keys are measured."""

    spec: Spec
    table: Table
    kind: RowKind
    context: Context

    def measure_coarsely(self, text: str, changes: float) -> _MeasuredKey | None:
        """Measured on few ids and ranges, the table alone on its instance; None of what is no key."""
        return self._measure(text, changes, COARSE, {})

    def measure_fully(self, text: str, changes: float, parts: Mapping[str, TablePart]) -> _MeasuredKey | None:
        """Measured as the design's own pages show it; with the compression that was measured of the present key."""
        return self._measure(text, changes, FULL, parts)

    def _measure(self, text: str, changes: float, grain: Grain, parts: Mapping[str, TablePart]) -> _MeasuredKey | None:
        try:
            spec = set_key(self.spec, self.table, self.kind, text, table_only=grain is not FULL)
        except KeyTextError:
            return None
        table = next(t for t in spec.tables if t.id == self.table.id)
        earlier_part = parts.get(table.id)
        measured = earlier_part.growth.measured if earlier_part and earlier_part.growth else None
        part = table_estimate(spec, table, measured, grain=grain, cache=self.context.cache)
        estimate = instance_estimate(spec, {**parts, table.id: part}, self.context.price_books)
        context = self.context
        # `lint` judges tables again without assumed values, which is too slow for 50 coarse candidates.
        lint_findings = lint(spec, estimate, context) if grain is FULL else findings(spec, estimate, context.today)
        kind = next(k for k in table.row_kinds if k.id == self.kind.id)
        return _MeasuredKey(text, changes, spec, measures(spec, table, kind, estimate, lint_findings), estimate)

    def try_keys(self, maximum: int, *, salted: bool) -> list[_MeasuredKey]:
        """Keys other than the present one, measured coarsely."""
        present, tried_texts, measured_keys = key_of(self.spec, self.kind), set[str](), list[_MeasuredKey]()
        for draft in draft_keys(self.spec, self.kind, round(_SPARE * maximum), salted=salted):
            text = key_text(self.spec, self.kind, draft)
            if text != present and text not in tried_texts and len(measured_keys) < maximum:
                tried_texts.add(text)
                candidate = self.measure_coarsely(text, draft.changes)
                if candidate is not None and candidate.made.tables[self.table.id].keys.get(self.kind.id):
                    measured_keys.append(candidate)
        return measured_keys

    def build_advice(self, best: list[_MeasuredKey], tried: int) -> Advice:
        """Return the advice from the best keys, measured again in full, without those that became worse."""
        present_estimate = estimate(self.spec, self.context)
        now = self._present_candidate(present_estimate)
        again = [
            candidate
            for candidate in (self.measure_fully(b.text, b.changes, present_estimate.tables) for b in best)
            if candidate is not None
        ]
        retained = drop_dominated(
            [candidate for candidate in again if _is_allowed(candidate.measures, now.measures)], now
        )
        # Sorting is stable: first those that are better than the present key, each group in its rank.
        order = sorted(rank_candidates(retained), key=lambda candidate: not is_better(candidate.measures, now.measures))
        return Advice(
            kind=self.kind.id,
            present=Candidate(now.text, self.kind, None, now.measures, traffic=now.made.tables[self.table.id].traffic),
            candidates=tuple(self._candidate(candidate, now) for candidate in order),
            tried=tried,
            missing=_missing_inputs(now.made, self.table, self.kind),
            currency=now.made.currency,
        )

    def _present_candidate(self, estimate: Estimate) -> _MeasuredKey:
        findings = lint(self.spec, estimate, self.context)
        measured = measures(self.spec, self.table, self.kind, estimate, findings)
        return _MeasuredKey(key_of(self.spec, self.kind), 0.0, self.spec, measured, estimate)

    def _candidate(self, measured_key: _MeasuredKey, now: _MeasuredKey) -> Candidate:
        changed = next(k for _, k in measured_key.spec.row_kinds() if k.id == self.kind.id)
        return Candidate(
            text=measured_key.text,
            kind=changed,
            edit=key_change_edit(self.spec, self.kind, measured_key.text, changed),
            measures=measured_key.measures,
            better=is_better(measured_key.measures, now.measures),
            why=benefits(now.measures, measured_key.measures),
            unsafe=required_changes(self.spec, self.table, self.kind, changed, now.measures, measured_key.measures),
            traffic=measured_key.made.tables[self.table.id].traffic,
        )


def _missing_inputs(estimate: Estimate, table: Table, kind: RowKind) -> tuple[UnknownReason, ...]:
    """Return the unknown parts of the estimate that limit the advice."""
    reasons = list(estimate.tables[table.id].because)
    if not kind.reads:
        reasons.append(UnknownReason(N_("No reads are defined for these rows, so only writes are compared."), kind.id))
    return tuple(reasons)
