"""The one result, and the part of it that each table has for itself."""

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Literal

from designer.document.money import Currency

from .assumed_range import AssumedRange
from .bill import Bill, Outlook, Sensitivity
from .capacity import CapacityUnits, ClusterNodes, Failover, Placement
from .growth import RowKindSize, TableGrowth
from .keys import KeyFacts
from .reads import ReadPlan
from .traffic import TableTraffic
from .unknown import Params, Refusal, UnknownReason


@dataclass(frozen=True)
class TablePart:
    """Everything about one table that needs no other table."""

    counts_once: ClassVar[bool] = True

    table: str
    keys: Mapping[str, KeyFacts]
    """By row kind."""
    reads: tuple[ReadPlan, ...]
    traffic: TableTraffic | None
    growth: TableGrowth | None
    because: tuple[UnknownReason, ...]
    sizes: Mapping[str, RowKindSize] = field(default_factory=dict)
    """By row kind: rows and mean cells of each column at the end of the horizon; empty while no rate is known."""
    refused_if_skewed: Refusal | None = None
    """Why the table could not be served with the assumed skews; all else is then of even distributions instead."""
    assumed_even: tuple[str, ...] = ()
    """Ids of the fields with these distributions."""


@dataclass(frozen=True)
class AppliedCalibration:
    """Measurements of an existing cluster, and the factors by which they change the model."""

    of: Literal["throughput", "compression"]
    factor: float
    """Measured ÷ published throughput, or ÷ modelled bytes on disk."""
    message: str
    params: Params


@dataclass(frozen=True)
class Estimate:
    """The one result: everything computed from a document."""

    counts_once: ClassVar[bool] = True

    sha256: str
    """Of the document."""
    tables: Mapping[str, TablePart]
    nodes: tuple[ClusterNodes, ...]
    placements: tuple[Placement, ...]
    bills: tuple[Bill, ...]
    """One per month of the horizon; empty where nothing can be priced."""
    sensitivities: tuple[Sensitivity, ...]
    """Of the last month's total to other inputs; computed where they are shown, as the outlooks are."""
    outlooks: tuple[Outlook, ...]
    price_book: str
    price_book_date: datetime.date | None
    because: tuple[UnknownReason, ...]
    currency: Currency = "USD"
    """Of the bills, the sensitivities and the outlooks: the price book's."""
    capacity_units: tuple[CapacityUnits, ...] = ()
    """Of each table of a Tablestore design, which has no nodes and no placements."""
    failovers: tuple[Failover, ...] = ()
    """One per cluster of an instance with several."""
    calibrations: tuple[AppliedCalibration, ...] = ()
    """What was taken from an existing cluster in the place of published and modelled figures."""

    assumed_range: AssumedRange | None = None
    """Of the last month's total and of the load; computed where it is shown."""

    @cached_property
    def derived_values(self) -> dict[str, Any]:
        """Values that callers derived from the estimate, by name; not part of it."""
        return {}

    @property
    def missing_inputs(self) -> tuple[UnknownReason, ...]:
        """Inputs without which the load of a table is not known, each once; what cannot be served lacks none."""
        unknown = (part for part in self.tables.values() if part.traffic is None)
        reasons = (reason for part in unknown for reason in part.because if not isinstance(reason, Refusal))
        return tuple({(reason.message, reason.at): reason for reason in reasons}.values())

    @property
    def bill(self) -> Bill | None:
        """The last month's bill, at the end of the horizon."""
        return self.bills[-1] if self.bills else None
