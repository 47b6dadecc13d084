"""Range of the bill and of the load if assumed values differ."""

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class AssumedRange:
    """Least and greatest figures with other values in place of assumed ones, each of which differs alone."""

    low: Decimal | None
    """The last month's total, in the currency of the bill; None if no assumed value moves it by a hundredth."""
    high: Decimal | None
    low_share: float | None
    """Load of the busiest node at its peak; of a partition where the engine has no nodes; None as above."""
    high_share: float | None
    is_served: bool = True
    """False if with some of the values the design is more than the engine can serve: the greatest is not known."""
