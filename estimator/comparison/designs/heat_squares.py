"""The strips of tables in two designs as coloured squares, for text that carries no picture."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from estimator.presentation.sheet.strips import BusiestHour, busiest_hour, range_shares

from .effects import DesignWithEstimate, changed_label
from .heat import MOST_TABLES

SQUARES = 32
LEVELS = ((0.05, "⬜"), (0.25, "🟦"), (0.5, "🟩"), (0.75, "🟨"), (1.0, "🟧"))
"""Each colour up to a share of what a node can do, or a partition key on Tablestore."""
OVER = "🟥"
LEGEND = " ".join(f"{square} ≤ {share:.0%}" for share, square in LEVELS) + f" {OVER} above {{limit}}"


@dataclass(frozen=True)
class SquareStrips:
    """A table's load over its keys at the busiest hour, before and after; empty where it is not known."""

    name: str
    before: str
    after: str
    has_nodes: bool


def square_strips(before: DesignWithEstimate, after: DesignWithEstimate) -> tuple[SquareStrips, ...]:
    """Return the first tables whose strips differ."""
    return tuple(islice(_strips(before, after), MOST_TABLES))


def _strips(before: DesignWithEstimate, after: DesignWithEstimate) -> Iterator[SquareStrips]:
    hours = [busiest_hour(side.spec, side.estimate) for side in (before, after)]
    has_nodes = any(hour.has_nodes for hour in hours if hour is not None)
    for id_ in {**after.estimate.tables, **before.estimate.tables}:
        first, other = (_strip(side, id_, hour) for side, hour in zip((before, after), hours, strict=True))
        if first != other:
            yield SquareStrips(changed_label(before.spec, after.spec, id_), first, other, has_nodes)


def _strip(side: DesignWithEstimate, table: str, hour: BusiestHour | None) -> str:
    part = side.estimate.tables.get(table)
    shares = range_shares(part.traffic.heat, hour, SQUARES) if part and part.traffic and hour else None
    if shares is None:
        return ""
    return "".join(_square(float(share)) for share in shares)


def _square(share: float) -> str:
    return next((square for most, square in LEVELS if share <= most), OVER)
