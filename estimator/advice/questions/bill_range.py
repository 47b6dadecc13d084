"""The bills of a design whose assumed values are something else: from the least to the most."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from math import prod

from designer.document import Spec
from estimator.estimates.context import Context
from estimator.estimates.skew import STEEP
from estimator.results import Estimate

from .open_guesses import Changes, OpenGuess, open_guesses
from .scenarios import Scenarios
from .wording import LEAST

MOST_COMBINATIONS = 81
"""So many are billed: of more, each value changes alone."""

Changed = tuple[tuple[OpenGuess, Changes], ...]
"""Assumed values with what is there in place of each."""


@dataclass(frozen=True)
class BillRange:
    """The last month's total with other values in place of assumed ones."""

    low: Decimal
    high: Decimal
    guesses: tuple[OpenGuess, ...]
    """All that are open."""
    is_complete: bool
    """True if every combination was billed, and False if each value changed alone."""
    has_unserved: bool
    """True if with some of the values nothing can serve the design: the most is then not known."""


def bill_range(spec: Spec, made: Estimate, context: Context) -> BillRange | None:
    """Return the range of the last month's bill over what may be in place of assumed values.

    None if there is no bill, or if nothing moves it.
    """
    if made.bill is None or not (guesses := open_guesses(spec, [table.id for table in spec.tables])):
        return None
    again = Scenarios(spec, made, context)
    each = [tuple((guess, other) for other in alternatives(guess)) for guess in guesses]
    is_complete = prod(len(one) + 1 for one in each) <= MOST_COMBINATIONS
    changed = _combinations(each) if is_complete else (((one),) for others in each for one in others)
    totals = [again.total(one) for one in changed]
    amounts = [made.bill.total, *(amount for amount in totals if amount is not None)]
    low, high = min(amounts), max(amounts)
    if high - low < LEAST and None not in totals:
        return None
    return BillRange(low, high, guesses, is_complete, None in totals)


def _combinations(each: Sequence[Changed]) -> Iterator[Changed]:
    """Yield what is changed, for every combination in which something is."""
    options: Iterable[Sequence[tuple[OpenGuess, Changes] | None]] = ((None, *one) for one in each)
    for chosen in product(*options):
        if found := tuple(one for one in chosen if one is not None):
            yield found


def alternatives(guess: OpenGuess) -> tuple[Changes, ...]:
    """Return what may be in place of an assumed value: what its question bills, steeper popularity, new cells."""
    if guess.rule == "G001":
        return (guess.billed, ((guess.at, {"popularity": STEEP}),))
    if guess.rule == "G003":
        return (guess.billed, ((guess.at, {"mode": "new_cell"}),))
    return (guess.billed,)
