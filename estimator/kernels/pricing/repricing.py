"""The bill of one design with two price books, line by line, and the edit that changes the book."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from decimal import Decimal

from designer.document import Spec
from designer.document.edits import Set
from estimator.price_books.prices import PriceBook
from estimator.results import Bill, BillLine, Estimate

from .cost_models import cost_model_of


@dataclass(frozen=True)
class LineChange:
    """One line of the bill with either book; None where only the other has it, as a tier of its own."""

    old: BillLine | None
    new: BillLine | None

    @property
    def line(self) -> BillLine:
        """Either of them, for its label."""
        line = self.new or self.old
        assert line is not None
        return line

    @property
    def difference(self) -> Decimal | None:
        """New less old; None where either is open."""
        costs = [Decimal(0) if line is None else line.cost for line in (self.old, self.new)]
        return None if costs[0] is None or costs[1] is None else costs[1] - costs[0]


@dataclass(frozen=True)
class Repricing:
    """Effect of another price book on the last month's bill."""

    old_book: PriceBook
    new_book: PriceBook
    old: Bill
    new: Bill
    lines: tuple[LineChange, ...]
    """All lines, in the order of the bill; none where the books' currencies differ: nothing is converted."""
    edit: Set

    @property
    def is_comparable(self) -> bool:
        """True if the two bills are in one currency."""
        return self.old.currency == self.new.currency

    @property
    def difference(self) -> Decimal | None:
        """Of all lines that have a price with both books; None where nothing can be compared."""
        if not self.is_comparable:
            return None
        return sum((change.difference or Decimal(0) for change in self.lines), Decimal("0.00"))

    @property
    def changed_lines(self) -> tuple[LineChange, ...]:
        """Lines whose amount is another, or that gain or lose a price."""
        return tuple(change for change in self.lines if change.difference != 0 and not _is_open(change))

    @property
    def newly_priced_count(self) -> int:
        """Lines that only the new book prices: what they cost is in no difference."""
        return sum(1 for c in self.lines if c.old and c.old.cost is None and c.new and c.new.cost is not None)

    @property
    def unpriced_count(self) -> int:
        """Lines that only the old book prices."""
        return sum(1 for c in self.lines if c.new and c.new.cost is None and c.old and c.old.cost is not None)


def _is_open(change: LineChange) -> bool:
    return all(line is None or line.cost is None for line in (change.old, change.new))


def reprice(spec: Spec, estimate: Estimate, *, old: PriceBook, new: PriceBook) -> Repricing | None:
    """Return an estimate's last monthly bill with two books; None if there is no table to bill."""
    bills = [bill for book in (old, new) for bill in cost_model_of(spec).last_bills(spec, estimate, book)]
    if not bills:
        return None
    lines = tuple(pair_lines(*bills)) if old.currency == new.currency else ()
    edit = Set(at="", name="instance.price_book", value=new.name, was=spec.instance.price_book)
    return Repricing(old, new, bills[0], bills[1], lines, edit)


Key = tuple[str, str, str, int]
"""What a line stands for: its item, its element, its place, and which of several such lines it is."""


def pair_lines(old: Bill, new: Bill) -> list[LineChange]:
    """Lines that stand for one thing; what stands there several times is told apart by its place among them."""
    before, after = key_lines(old), key_lines(new)
    same = {**{key: key for key in before if key in after}, **_moved_keys(before, after)}
    changes = [LineChange(line, after[same[key]] if key in same else None) for key, line in before.items()]
    used_keys = frozenset(same.values())
    for place, (key, line) in enumerate(after.items()):
        if key not in used_keys:
            # New lines stand where the new bill has them, so that tiers of one charge stay together.
            changes.insert(min(place, len(changes)), LineChange(None, line))
    return changes


def _moved_keys(before: Collection[Key], after: Collection[Key]) -> dict[Key, Key]:
    """Lines that are the only one of their item and element which the other bill has not there: it has moved."""
    gone, come = ([key for key in keys if key not in other] for keys, other in ((before, after), (after, before)))
    alone = (Counter(key[:2] for key in keys) for keys in (gone, come))
    # Two lines of an item that have gone and one that has come cannot be paired without a guess.
    counts = [{of for of, times in counter.items() if times == 1} for counter in alone]
    there = {key[:2]: key for key in come}
    return {key: there[key[:2]] for key in gone if key[:2] in counts[0] & counts[1]}


def key_lines(bill: Bill) -> dict[Key, BillLine]:
    counts: Counter[tuple[str, str, str]] = Counter()
    lines: dict[Key, BillLine] = {}
    for line in bill.lines:
        key = (line.item, line.at, line.where)
        lines[(*key, counts[key])] = line
        counts[key] += 1
    return lines
