"""Comparisons of documents, with estimates and findings made once and remembered. Knows no Django."""

import datetime
import time
from collections.abc import Callable, Hashable

from designer.document import Spec, fingerprint
from estimator.advice.rules import findings
from estimator.estimates.estimate import estimate
from estimator.kernels import pricing as cost
from estimator.kernels.compression.memory import MEASURED
from estimator.presentation.design_page import Answer, answer
from estimator.results.memory import Memory

from .designs import Comparison, Side, aligned, compare

See = Callable[[Spec, Answer], Side]
"""What somebody may see of a document and of what was computed of it."""


def whole(spec: Spec, made: Answer) -> Side:
    """Everything."""
    return Side(spec, made.estimate, made.findings)


PATIENCE_SECONDS = 3.0
"""So long a page computes steps; the changes that are left are told of together."""


def _weight(found: Comparison) -> int:
    """About what it keeps alive: the parts of its tables."""
    tables = len(found.before.estimate.tables) + len(found.after.estimate.tables)
    return 100_000 + 1_000_000 * tables + 5_000 * len(found.changes)


COMPARISONS: Memory[Comparison] = Memory(limit_bytes=96 << 20, weigh=_weight)


def compared(before: Spec, after: Spec, *, see: See = whole, seen_as: Hashable = "") -> Comparison:
    """Two documents as somebody may see them.

    What `see` leaves out of a document or its estimate is in nothing that is told: neither in the changes nor in what
    each leads to. `seen_as` names what is left out, always the same for the same; without a name nothing is remembered.
    """
    if see is not whole and not seen_as:
        return _compared(before, after, see)
    books = tuple(_is_here(spec.instance.price_book) for spec in (before, after))
    key = (fingerprint(before), fingerprint(after), _today(), MEASURED.kept, books, seen_as)
    return COMPARISONS.get(key, lambda: _compared(before, after, see))


def _compared(before: Spec, after: Spec, see: See) -> Comparison:
    alignment, today = aligned(before, after), _today()
    sides = whole(before, answer(before)), whole(alignment.spec, answer(alignment.spec))
    started = time.monotonic()

    def on_the_way(spec: Spec) -> Side | None:
        if time.monotonic() - started > PATIENCE_SECONDS:
            return None
        made = estimate(spec, what_if=False)
        return Side(spec, made, findings(spec, made, today))

    def seen(side: Side) -> Side:
        return see(side.spec, Answer(side.estimate, side.findings))

    return compare(*sides, alignment=alignment, compute=on_the_way, see=seen)


def _is_here(book: str | None) -> bool:
    return book is None or cost.is_here(book)


def _today() -> datetime.date:
    return datetime.datetime.now(datetime.UTC).date()
