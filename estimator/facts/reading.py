"""Access of rules to a design with its estimate: one row kind at a time, with all that is known of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar, cast

from designer.document import Spec, effective_value
from designer.document.access import Read, Write
from designer.document.key import (
    LiteralSegment,
    Segment,
)
from designer.document.table import RowKind, Table
from designer.document.texts import Text
from estimator.results import (
    AppendPoint,
    Estimate,
    HotRow,
    KeyFacts,
    LeadValues,
    ReadPlan,
    RowGrowth,
    RowKindSize,
    SegmentFacts,
    TablePart,
    TableTraffic,
    WriteLoad,
)

from .clusters import hot_rows

Made = TypeVar("Made")


@dataclass(frozen=True)
class RowKindFacts:
    """One row kind of a table beside what the estimate says of it; what lacks is None or empty."""

    spec: Spec
    table: Table
    kind: RowKind
    part: TablePart | None

    @property
    def facts(self) -> KeyFacts | None:
        """Facts known about its keys."""
        return self.part.keys.get(self.kind.id) if self.part else None

    @property
    def is_written_by_engine(self) -> bool:
        """True if no client sends its writes: those of a view or a secondary index."""
        return self.table.derived_from is not None and self.table.derived_from.is_written_by_engine

    @cached_property
    def load_subject_ids(self) -> tuple[str, ...]:
        """Ids that a load on its key concerns: the row kind, its table and its writes."""
        return self.kind.id, self.table.id, *(write.id for write in self.kind.writes)

    def before_open(self, plan: ReadPlan) -> tuple[Segment, ...]:
        """Return the segments before the one at which a read's knowledge ends; all if it does not end."""
        order = [segment.id for segment in self.kind.segments]
        end = order.index(plan.open_at) if plan.open_at in order else len(order)
        return self.kind.segments[:end]

    def reads_ending_at(self, segment: Segment) -> tuple[str, ...]:
        """Return the reads whose knowledge of the key ends at a segment."""
        return tuple(read.id for read, plan in self.reads if plan.open_at == segment.id)

    @property
    def traffic(self) -> TableTraffic | None:
        """Of the whole table."""
        return self.part.traffic if self.part else None

    @property
    def unknown_load_reason(self) -> Text | None:
        """Reason that its load is unknown although the rate of every write is known; None otherwise."""
        if self.traffic is not None or self.part is None or not self.part.because:
            return None
        activities = [self.spec.find(write.activity) if write.activity else None for write in self.kind.writes]
        if any(
            activity is None or effective_value(self.spec, activity, "rate_per_second") is None
            for activity in activities
        ):
            return None
        because = self.part.because[0]
        return Text(because.message, because.params) if self.kind.writes else None

    @cached_property
    def growth(self) -> RowGrowth | None:
        """Of this row kind."""
        kinds = self.part.growth.kinds if self.part and self.part.growth else ()
        return next((kind for kind in kinds if kind.row_kind == self.kind.id), None)

    @property
    def size(self) -> RowKindSize | None:
        """Its rows and their mean cells at the end of the horizon; None while no rate is known."""
        return self.part.sizes.get(self.kind.id) if self.part else None

    @cached_property
    def segments(self) -> tuple[tuple[Segment, SegmentFacts], ...]:
        """The key's segments with their facts; empty while no key can be made."""
        facts_by_id = {fact.id: fact for fact in self.facts.segments} if self.facts else {}
        return tuple((segment, facts_by_id[segment.id]) for segment in self.kind.segments if segment.id in facts_by_id)

    @cached_property
    def leading_segment(self) -> tuple[Segment, SegmentFacts] | None:
        """The first segment that is not the same in every key."""
        return next(((s, facts) for s, facts in self.segments if not isinstance(s, LiteralSegment)), None)

    def segment(self, id: str) -> Segment | None:  # noqa: A002
        """One segment of the key."""
        return next((segment for segment in self.kind.segments if segment.id == id), None)

    @property
    def partition_key(self) -> str:
        """Id of Tablestore's first primary-key column; of the row kind where there are none."""
        return self.kind.key_columns[0].id if self.kind.key_columns else self.kind.id

    @cached_property
    def reads(self) -> tuple[tuple[Read, ReadPlan], ...]:
        """Its reads as the engine serves them; those that cannot be planned are left out."""
        plans = {plan.read: plan for plan in self.part.reads} if self.part else {}
        return tuple((read, plans[read.id]) for read in self.kind.reads if read.id in plans)

    def is_integer_column(self, segment: Segment) -> bool:
        """Return True if a segment is alone in a primary-key column of integers.

        Those sort as numbers and not as text.
        """
        return any(column.type == "INTEGER" and segment in column.segments for column in self.kind.key_columns)

    def ordered_reader(self, segment: Segment) -> Read | None:
        """Return the busiest read that finds its rows up to this segment and goes through several of its values."""
        open_here = [(read, plan) for read, plan in self.reads if plan.open_at == segment.id]
        busiest = max(open_here, key=lambda pair: pair[1].per_second or 0.0, default=None)
        return busiest[0] if busiest else None

    def is_given_by_all_reads(self, field: str) -> bool:
        """Return True if every read knows this field's full value."""
        return all(any(b.field == field and b.is_whole for b in read.binds) for read in self.kind.reads)

    @cached_property
    def writes(self) -> tuple[tuple[Write, WriteLoad], ...]:
        """Its writes with their load; those without are left out."""
        loads = {load.write: load for load in self.traffic.writes} if self.traffic else {}
        return tuple((write, loads[write.id]) for write in self.kind.writes if write.id in loads)

    @property
    def busiest_write(self) -> str:
        """Id of the write of most rows, or the row kind's own while none is known."""
        busiest = max(self.writes, key=lambda pair: pair[1].peak_rows_per_second, default=None)
        return busiest[0].id if busiest else self.kind.id

    @cached_property
    def append_points(self) -> tuple[AppendPoint, ...]:
        """Append points of prefixes at which its writes land."""
        own = {write.id for write in self.kind.writes}
        return tuple(front for front in self.traffic.fronts if front.write in own) if self.traffic else ()

    @cached_property
    def leading_values(self) -> tuple[LeadValues, ...]:
        """Spread of its writes over the values of its first segments."""
        return tuple(lead for lead in self.traffic.leads if lead.row_kind == self.kind.id) if self.traffic else ()

    @cached_property
    def hot_rows(self) -> tuple[HotRow, ...]:
        """The busiest single row per write and read, of a read in the cluster that serves the most of it."""
        own = {access.id for access in (*self.kind.writes, *self.kind.reads)}
        return tuple(row for row in hot_rows(self.spec, self.traffic) if row.access in own) if self.traffic else ()


def row_kinds(spec: Spec, estimate: Estimate) -> tuple[RowKindFacts, ...]:
    """Every row kind of the design; put together once for all rules that look at this estimate."""
    return compute_once("row_kinds", _row_kinds, spec, estimate)


def _row_kinds(spec: Spec, estimate: Estimate) -> tuple[RowKindFacts, ...]:
    return tuple(RowKindFacts(spec, table, kind, estimate.tables.get(table.id)) for table, kind in spec.row_kinds())


def rows_by_table(spec: Spec, estimate: Estimate) -> Mapping[str, tuple[RowKindFacts, ...]]:
    """Return the row kinds of every table by its id; tables without any are included."""
    return compute_once("rows_by_table", _rows_by_table, spec, estimate)


def _rows_by_table(spec: Spec, estimate: Estimate) -> Mapping[str, tuple[RowKindFacts, ...]]:
    kinds_by_table: dict[str, list[RowKindFacts]] = {table.id: [] for table in spec.tables}
    for rows in row_kinds(spec, estimate):
        kinds_by_table[rows.table.id].append(rows)
    return {table: tuple(kinds) for table, kinds in kinds_by_table.items()}


def compute_once(name: str, make: Callable[[Spec, Estimate], Made], spec: Spec, estimate: Estimate) -> Made:
    """Return a result that several rules share, computed once for a design and its estimate."""
    cached = estimate.derived_values.get(name)
    if cached is None or cached[0] is not spec:
        cached = estimate.derived_values[name] = (spec, make(spec, estimate))
    return cast(Made, cached[1])
