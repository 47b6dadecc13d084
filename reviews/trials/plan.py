"""Tables, rows and reads of a trial of a design, planned before anything is asked of an engine."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from designer.document import Spec
from designer.document.access import Read
from designer.document.engines import description_of
from designer.document.texts import N_
from designer.wording import describe_read
from estimator.results import Estimate
from reviews.exports.key_code.codes import KeyCode
from reviews.exports.key_code.plan import plan_keys
from reviews.exports.shared.bigtable import plan_tables
from reviews.exports.shared.result import ExportRemark, ExportRemarks

from .byte_ranges import ByteRanges
from .requests import ReadPlanner
from .sample import KindSample
from .samples import SampledTable, SampleMaker, sorted_rows
from .tables import BigtableTable, PlannedRead, TrialTable
from .tablestore import sample_tables

ROWS = 100
"""Of each row kind, unless another number is asked for."""
ROWS_MAX = 10_000


@dataclass(frozen=True)
class TrialPlan:
    """A trial of a design."""

    spec: Spec
    tables: tuple[TrialTable, ...]
    reads: tuple[PlannedRead, ...]
    not_tried: tuple[ExportRemark, ...]
    """Parts of the design that no trial can make or ask, by element."""


def plan_trial(spec: Spec, estimate: Estimate, *, rows: int = ROWS) -> TrialPlan:
    """Return what a trial does with so many sample rows of each row kind.

    Parameters
    ----------
    spec
        A design.
    estimate
        Its estimate.
    rows
        Of each row kind; fewer where rows are large or where the fields have few values.
    """
    remarks = ExportRemarks()
    samples = SampleMaker(spec, estimate, rows, remarks)
    sampled = (sample_tables if description_of(spec).has_key_columns else _sample_tables)(samples)
    tables: list[TrialTable] = []
    reads: list[PlannedRead] = []
    for sampled_table in sampled:
        tables.append(sampled_table.table)
        plans = {plan.read: plan for plan in estimate.tables[sampled_table.table.table.id].reads}
        for kind_id, ranges in sampled_table.ranges.items():
            planner = ReadPlanner(
                spec, sampled_table.table.table, sampled_table.table.families, sampled_table.samples[kind_id],
                sampled_table.table.rows,
                sampled_table.table.has_column_filters,
            )  # fmt: skip
            for read in planner.sample.kind.reads:
                if read.row_kinds:
                    remarks.refuse(read.id, N_("reads of several row kinds are not tried"))
                    continue
                try:
                    read_requests = planner.plan(read, ranges(read))
                except ValueError as error:
                    remarks.refuse(read.id, N_("its ranges cannot be made: {reason}"), reason=str(error))
                    continue
                about = describe_read(spec, read)
                reads.append(
                    PlannedRead(
                        sampled_table.table, planner.sample.kind, read, about, read_requests, plans.get(read.id)
                    )
                )
    return TrialPlan(spec, tuple(tables), tuple(reads), remarks.build_result().refusals)


def _sample_tables(samples: SampleMaker) -> Iterator[SampledTable]:
    """Yield the tables of a design for Bigtable with their samples."""
    spec = samples.spec
    codes = {code.id: code for code in plan_keys(spec, samples.remarks)}
    for export in plan_tables(spec, samples.remarks):
        names = {family.family.id: family.name for family in export.families}
        kind_samples = dict(samples.samples(export.table, names))
        table = BigtableTable(export.table, export.name, names, sorted_rows(kind_samples.values()), export)
        yield SampledTable(table, kind_samples, {
            kind_id: partial(_byte_ranges, spec, sample, codes[kind_id])
            for kind_id, sample in kind_samples.items() if kind_id in codes
        })  # fmt: skip


def _byte_ranges(spec: Spec, sample: KindSample, code: KeyCode, read: Read) -> ByteRanges:
    return ByteRanges(spec, sample, code.reads[sample.kind.reads.index(read)])
