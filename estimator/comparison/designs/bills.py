"""Two bills as one: line by line what is more and what is less, in the price book's currency."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from designer.document.money import Money
from designer.document.texts import N_, Text, build_text
from estimator.kernels.pricing.repricing import Key, LineChange, key_lines, pair_lines
from estimator.results import Bill, BillLine, Estimate

State = Literal["compared", "currencies", "none_before", "none_after", "none"]


@dataclass(frozen=True)
class BillDifference:
    """The last month's bills of two designs."""

    before: Bill | None
    after: Bill | None
    books: tuple[str, str]
    """Names of the price books."""
    lines: tuple[LineChange, ...]
    """All lines of both; none where nothing can be compared."""

    @property
    def state(self) -> State:
        """Comparability of the bills, or the reason why they cannot be compared."""
        if self.before is None or self.after is None:
            return "none" if self.before is self.after else "none_before" if self.before is None else "none_after"
        return "compared" if self.before.currency == self.after.currency else "currencies"

    @property
    def changed_lines(self) -> tuple[LineChange, ...]:
        """Lines whose amount is another, or that come, go, gain or lose a price."""
        return tuple(line for line in self.lines if line.difference != 0 and not _is_unpriced(line))

    @property
    def difference(self) -> Money | None:
        """The second less the first, of the lines that have a price on both; None where they cannot be compared."""
        if self.before is None or self.after is None or self.state != "compared":
            return None
        # A line that has a price on one side only would look like money saved or spent, so it counts on neither.
        uncounted = unpriced_keys(self.before, self.after)
        return Money(total(self.after, uncounted) - total(self.before, uncounted), self.after.currency)

    @property
    def share(self) -> float | None:
        """The difference, of what is compared of the first bill; None where that is nothing."""
        if self.difference is None or self.before is None or self.after is None:
            return None
        compared = total(self.before, unpriced_keys(self.before, self.after))
        return float(self.difference.amount / compared) if compared else None

    @property
    def open_lines(self) -> int:
        """Lines without a price, on either: they are in no difference."""
        return sum(1 for line in self.lines if line.difference is None)

    @property
    def notes(self) -> tuple[Text, ...]:
        """Notes to show beside the difference."""
        return tuple(self._notes())

    def _notes(self) -> Iterator[Text]:
        if self.state == "currencies" and self.before and self.after:
            first, other = self.before.currency, self.after.currency
            yield build_text(
                N_("The bills are in {first} and {second} and are not converted."), first=first, second=other
            )
        if self.state == "none_before":
            yield Text(N_("The first design has no bill."))
        if self.state == "none_after":
            yield Text(N_("The second design has no bill."))
        if self.state == "none":
            yield Text(N_("Neither design has a bill."))
        if self.books[0] != self.books[1] and self.state in ("compared", "currencies"):
            message = N_("The price books differ: {first} and {second}.")
            yield build_text(message, first=self.books[0], second=self.books[1])
        if self.before and self.after and self.before.month != self.after.month:
            message = N_(
                "The horizons differ: {first_months} and {second_months}. Each bill is for the last month of its "
                "horizon."
            )
            yield build_text(message, first_months=self.before.month + 1, second_months=self.after.month + 1)
        if self.open_lines:
            yield Text(N_("Lines without a price, excluded from the difference: {lines}."), {"lines": self.open_lines})


def bill_difference(before: Estimate, after: Estimate) -> BillDifference:
    """Return the comparison of the bills of two estimates."""
    first, other = before.bill, after.bill
    lines = tuple(pair_lines(first, other)) if first and other and first.currency == other.currency else ()
    return BillDifference(first, other, (before.price_book, after.price_book), lines)


def unpriced_keys(before: Bill, after: Bill) -> frozenset[Key]:
    """Lines without a price on either bill: what they cost is not known, so they are in no difference."""
    unknown = {
        id(line) for pair in pair_lines(before, after) if pair.difference is None for line in (pair.old, pair.new)
    }
    return frozenset(key for bill in (before, after) for key, line in key_lines(bill).items() if id(line) in unknown)


def has_one_sided_price(before: Bill, after: Bill) -> bool:
    """Return whether a line is priced in only one bill, so that the rest does not show the difference."""

    def is_open(line: BillLine | None) -> bool:
        return line is not None and line.cost is None

    return any(is_open(pair.old) != is_open(pair.new) for pair in pair_lines(before, after))


def total(bill: Bill, uncounted: frozenset[Key]) -> Decimal:
    """Return the total of a bill's other lines."""
    costs = (line.cost for key, line in key_lines(bill).items() if key not in uncounted)
    return sum((cost for cost in costs if cost is not None), Decimal("0.00"))


def _is_unpriced(line: LineChange) -> bool:
    return all(bill_line is None or bill_line.cost is None for bill_line in (line.old, line.new))
