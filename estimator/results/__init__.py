"""Frozen result values.

Nothing is computed here. Arrays are float64 and read-only; money is Decimal; an unknown is None and a `Because`
says why. Shares are 0…1; texts are message templates with named parameters.
"""

from .bill import Bill, BillLine, Outlook, Sensitivity
from .capacity import Addend, CapacityUnits, ClusterNodes, Failover, Placement, UnitSide
from .estimate import Calibrated, Estimate, TablePart
from .finding import Choice, Finding, Severity, each_finding
from .growth import (
    BytesByCause,
    ColumnSize,
    Crossing,
    EntityShares,
    FamilyGrowth,
    Measurement,
    RowGrowth,
    RowKindSize,
    TableGrowth,
)
from .heat import Heat
from .keys import ColumnFacts, KeyFacts, SegmentFacts, Witness
from .reads import Access, ReadPlan
from .traffic import Front, HotRow, LeadValues, NamedPattern, PartitionLoad, PatternName, TableTraffic, WriteLoad
from .unknown import Because, Open, Params

__all__ = [
    "Access",
    "Addend",
    "Because",
    "Bill",
    "BillLine",
    "BytesByCause",
    "Calibrated",
    "CapacityUnits",
    "Choice",
    "ClusterNodes",
    "ColumnFacts",
    "ColumnSize",
    "Crossing",
    "EntityShares",
    "Estimate",
    "Failover",
    "FamilyGrowth",
    "Finding",
    "Front",
    "Heat",
    "HotRow",
    "KeyFacts",
    "LeadValues",
    "Measurement",
    "NamedPattern",
    "Open",
    "Outlook",
    "Params",
    "PartitionLoad",
    "PatternName",
    "Placement",
    "ReadPlan",
    "RowGrowth",
    "RowKindSize",
    "SegmentFacts",
    "Sensitivity",
    "Severity",
    "TableGrowth",
    "TablePart",
    "TableTraffic",
    "UnitSide",
    "Witness",
    "WriteLoad",
    "each_finding",
]
