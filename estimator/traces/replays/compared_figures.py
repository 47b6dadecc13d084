"""The figures of a replay beside the model's: one list for the command, the page and the API."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, cast

from designer.document.money import Currency, Money
from designer.document.texts import N_, Text

from .model_beside import ComparedOperation, ModelBeside

_TITLES = {
    "read": (
        *(N_("reads"), N_("reads, busiest range")),
        *(N_("reads, busiest row"), N_("reads that the busiest row allows")),
    ),
    "write": (
        *(N_("writes"), N_("writes, busiest range")),
        *(N_("writes, busiest row"), N_("writes that the busiest row allows")),
    ),
    "delete": (
        *(N_("deletions"), N_("deletions, busiest range")),
        *(N_("deletions, busiest row"), N_("deletions that the busiest row allows")),
    ),
    "scan": (
        *(N_("scans"), N_("scans, busiest range")),
        *(N_("scans, busiest prefix"), N_("scans that the busiest prefix allows")),
    ),
}


@dataclass(frozen=True)
class ReplayedFigure:
    """One figure of the log beside the model's."""

    title: Text
    unit: str
    """As the suffix of a name."""
    replayed: Any
    """None: the log cannot tell."""
    modelled: Any
    """None: the model has no such figure."""
    is_bound: bool = False
    """True if the log's figure is a lower bound, from which there is no difference."""
    span: tuple[Any, Any] | None = None
    """Nine of ten logs of the model's load lie between these, where chance moves the figure; `modelled` is the middle.
    """

    @property
    def _are_known(self) -> bool:
        return self.replayed is not None and self.modelled is not None and not self.is_bound

    @property
    def points(self) -> float | None:
        """Difference of two shares, in percentage points."""
        return 100 * (self.replayed - self.modelled) if self.unit == "share" and self._are_known else None

    @property
    def difference_share(self) -> float | None:
        """Difference as a share of the model's figure."""
        if self.unit == "share" or not self._are_known or not float(self._plain(self.modelled)) > 0:
            return None
        return float(self._plain(self.replayed)) / float(self._plain(self.modelled)) - 1

    @property
    def signed_points(self) -> str:
        """The difference of two shares, with its sign; empty where there is none."""
        if self.points is None:
            return ""
        points = f"{abs(self.points):.1f}"
        return points if float(points) == 0 else f"{'+' if self.points > 0 else '−'}{points}"

    @staticmethod
    def _plain(value: Any) -> Any:
        return value.amount if isinstance(value, Money) else value


def compared_figures(beside: ModelBeside) -> Iterator[ReplayedFigure]:
    """Yield the figures of both."""
    for operation in beside.operations:
        yield from _operation_figures(operation)
    for scan in beside.scans:
        title = Text(N_("rows scanned by {read}"), {"read": scan.name})
        is_bound = scan.has_many and not beside.begins_with_log
        yield ReplayedFigure(title, "rows", scan.replayed_rows, scan.modelled_rows, is_bound)
    if beside.operations:
        shares = beside.replayed_node_share, beside.modelled_node_share
        yield ReplayedFigure(Text(N_("node time, mean")), "nodes", *shares)
    if (sized := beside.sized) is not None:
        yield ReplayedFigure(Text(N_("node time, busiest hour")), "nodes", sized.replayed_busy, sized.modelled_busy)
        if sized.modelled is not None:
            yield ReplayedFigure(Text(N_("nodes needed")), "nodes", sized.replayed, sized.modelled)
    if beside.peak is not None:
        title = Text(N_("nodes for the busiest second"))
        if beside.peak.window_seconds != 1:
            title = Text(N_("nodes for the busiest {window_seconds}"), {"window_seconds": beside.peak.window_seconds})
        yield ReplayedFigure(title, "nodes", beside.peak.replayed, beside.peak.modelled)
        title = Text(N_("node time, busiest range"))
        low, middle, high = beside.peak.modelled_range
        yield ReplayedFigure(title, "nodes", beside.peak.replayed_range, middle, span=(low, high))
    if beside.reachable is not None:
        yield ReplayedFigure(Text(N_("reachable throughput (λ*)")), "factor", *beside.reachable)
    if beside.monthly_bill is not None and beside.replayed_monthly_bill is not None:
        currency = cast(Currency, beside.currency)
        replayed, modelled = (Money(amount, currency) for amount in (beside.replayed_monthly_bill, beside.monthly_bill))
        yield ReplayedFigure(Text(N_("the bill of a month")), "bill", replayed, modelled)


def _operation_figures(operation: ComparedOperation) -> Iterator[ReplayedFigure]:
    rate, in_range, row, allowed = map(Text, _TITLES[operation.operation])
    yield ReplayedFigure(rate, "rate_per_second", operation.replayed_per_second, operation.modelled_per_second)
    for part in operation.ranges:
        title = (
            Text(N_("{figure} of {row_kind}"), {"figure": in_range, "row_kind": part.name}) if part.name else in_range
        )
        yield ReplayedFigure(title, "share", part.replayed_share, part.modelled_share)
    yield ReplayedFigure(row, "share", operation.replayed_row_share, operation.modelled_row_share)
    replayed, modelled = operation.replayed_most_per_second, operation.modelled_most_per_second
    if replayed is not None and modelled is not None:
        yield ReplayedFigure(allowed, "rate_per_second", replayed, modelled)
