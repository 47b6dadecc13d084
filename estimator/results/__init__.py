"""Frozen result values.

Nothing is computed here. Arrays are float64 and read-only; money is Decimal; an unknown is None and a `UnknownReason`
says why. Shares are 0…1; texts are message templates with named parameters.
"""

from .assumed_range import AssumedRange
from .bill import Bill, BillLine, Outlook, Sensitivity
from .capacity import Addend, CapacityUnits, ClusterNodes, Failover, Placement, UnitSide
from .estimate import AppliedCalibration, Estimate, TablePart
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
    SizeCourse,
    TableGrowth,
)
from .heat import Heat
from .keys import ColumnFacts, KeyFacts, SegmentFacts, Witness
from .reads import Access, ReadCourse, ReadPlan
from .traffic import (
    AccessHours,
    AppendPoint,
    HotRow,
    IndivisibleLoad,
    LeadValues,
    NamedPattern,
    PartitionLoad,
    PatternName,
    TableTraffic,
    WriteLoad,
)
from .unknown import NoKeyError, NotComputableError, Params, Refusal, UnknownReason

__all__ = [
    "Access",
    "AccessHours",
    "Addend",
    "AppendPoint",
    "AppliedCalibration",
    "AssumedRange",
    "Bill",
    "BillLine",
    "BytesByCause",
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
    "Heat",
    "HotRow",
    "IndivisibleLoad",
    "KeyFacts",
    "LeadValues",
    "Measurement",
    "NamedPattern",
    "NoKeyError",
    "NotComputableError",
    "Outlook",
    "Params",
    "PartitionLoad",
    "PatternName",
    "Placement",
    "ReadCourse",
    "ReadPlan",
    "Refusal",
    "RowGrowth",
    "RowKindSize",
    "SegmentFacts",
    "Sensitivity",
    "Severity",
    "SizeCourse",
    "TableGrowth",
    "TablePart",
    "TableTraffic",
    "UnitSide",
    "UnknownReason",
    "Witness",
    "WriteLoad",
    "each_finding",
]
