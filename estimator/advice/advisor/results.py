"""Results of the key advisor: present key and candidates with the same figures; no computation."""

import datetime
from dataclasses import dataclass
from decimal import Decimal

from designer.document.edits import Batch
from designer.document.money import Currency
from designer.document.table import RowKind
from designer.document.texts import Text
from estimator.results import Access, TableTraffic, UnknownReason


@dataclass(frozen=True)
class ReadService:
    """One read as the engine would serve it."""

    read: str
    name: str
    access: Access
    ranges: float
    rows_scanned: float
    rows_returned: float
    per_second: float | None
    node_share: float
    """Node time of all its requests: 1 is one busy node."""

    @property
    def waste_factor(self) -> float:
        """Rows scanned per wanted row, at least 1."""
        return max(self.rows_scanned / max(self.rows_returned, 1.0), 1.0)


@dataclass(frozen=True)
class Measures:
    """One key, measured: what lacks an input is None."""

    burden: float | None
    """How many times the busiest front, row or partition-key value, which nothing spreads, takes what it may:
    from 1 on it warns."""
    reachable_factor: float | None
    """By how much all load could grow before something is full."""
    fronts: float | None
    """How many growing ends take the writes, effectively; None where none grows."""
    reads: tuple[ReadService, ...]
    node_share: float | None
    """Node time of the table in its busiest hour."""
    largest_bytes: float | None
    """The largest row at the end of the horizon; on Tablestore what the largest partition-key value holds."""
    small_bytes: float
    """Up to here size does not matter."""
    partitioned: bool
    """The size is of a partition-key value."""
    large_from: datetime.date | None
    """When the largest row passes 100 MB; None: not within the horizon."""
    errors: int
    warnings: int
    """Findings that stand on their own, as pages count them."""
    remaining: tuple[tuple[str, str], ...]
    """Code and severity of each error and warning that is left, consequences too, gravest first."""
    cost: Decimal | None
    """Money of the last month."""
    cost_open: bool
    """Lines of that bill have no price: it is at least this."""
    personal_first: bool
    """Personal data is what the key begins with."""
    score: float = 0.0
    """Trouble in doublings, less is better: 10 an error, 2 a warning, then load, node time, money and size."""


@dataclass(frozen=True)
class Candidate:
    """A complete key with what it would do."""

    text: str
    kind: RowKind
    """The row kind with this key, and with reads that ask as they then have to."""
    edit: Batch | None
    """What turns the present key into it; None of the present key itself."""
    measures: Measures
    better: bool = False
    """Measurably better than the present key; else as good, or a trade-off."""
    why: tuple[Text, ...] = ()
    unsafe: tuple[Text, ...] = ()
    """What has to change with it: readers, stored rows. Empty: only the key changes, and how readers spell it."""
    traffic: TableTraffic | None = None

    @property
    def is_safe(self) -> bool:
        """True if nothing but the key has to change."""
        return not self.unsafe


@dataclass(frozen=True)
class Advice:
    """The present key first, then the candidates, the best first; none where nothing is worth a change."""

    kind: str
    present: Candidate | None
    candidates: tuple[Candidate, ...]
    tried: int
    missing: tuple[UnknownReason, ...] = ()
    """What is not known yet, so that less can be said."""
    currency: Currency = "USD"
