"""What a trial makes, writes and reads of a design, before anything is asked of an engine."""

from collections.abc import Iterator
from dataclasses import dataclass

from designer.document import Spec
from designer.document.access import Read
from designer.document.table import RowKind
from designer.document.texts import N_, Text
from designer.wording import describe_read
from estimator.results import Estimate, NotComputableError, ReadPlan
from reviews.exports.key_code.plan import plan_keys
from reviews.exports.shared.bigtable import ExportTable, plan_tables
from reviews.exports.shared.result import ExportRemark, ExportRemarks

from .requests import ReadPlanner, ReadRequests
from .sample import KindSample, TrialRow, sample_kind

ROWS = 100
"""Of each row kind, unless another number is asked for."""
ROWS_MAX = 10_000


@dataclass(frozen=True)
class TrialTable:
    """A table with the rows that it gets."""

    export: ExportTable
    rows: tuple[TrialRow, ...]
    """In the order of keys."""


@dataclass(frozen=True)
class PlannedRead:
    """One read, with what is asked for it."""

    table: ExportTable
    kind: RowKind
    read: Read
    about: tuple[Text, ...]
    asked: ReadRequests
    designed: ReadPlan | None
    """What the estimate says of it at the end of the horizon."""


@dataclass(frozen=True)
class TrialPlan:
    """A trial of a design."""

    spec: Spec
    tables: tuple[TrialTable, ...]
    reads: tuple[PlannedRead, ...]
    not_tried: tuple[ExportRemark, ...]
    """Parts of the design that no trial can make or ask, by element."""


def plan_trial(spec: Spec, made: Estimate, *, rows: int = ROWS) -> TrialPlan:
    """Return what a trial does with so many sample rows of each row kind.

    Parameters
    ----------
    spec
        A design for Bigtable.
    made
        Its estimate.
    rows
        Of each row kind; fewer where rows are large or where the fields have few values.
    """
    remarks = ExportRemarks()
    codes = {code.id: code for code in plan_keys(spec, remarks)}
    tables: list[TrialTable] = []
    reads: list[PlannedRead] = []
    for export in plan_tables(spec, remarks):
        samples = dict(_samples(spec, made, export, rows, remarks))
        by_key = {row.key: row for sample in samples.values() for row in sample.rows if row.cells}
        planned = TrialTable(export, tuple(by_key[key] for key in sorted(by_key)))
        tables.append(planned)
        families = {family.family.id: family.name for family in export.families}
        for kind_id, sample in samples.items():
            if kind_id not in codes:
                continue
            planner = ReadPlanner(spec, export.table, families, sample, codes[kind_id], planned.rows)
            plans = {plan.read: plan for plan in made.tables[export.table.id].reads}
            for read, code in zip(sample.kind.reads, codes[kind_id].reads, strict=True):
                if read.row_kinds:
                    remarks.refuse(read.id, N_("reads of several row kinds are not tried"))
                    continue
                try:
                    asked = planner.plan(read, code)
                except ValueError as error:
                    remarks.refuse(read.id, N_("its ranges cannot be made: {reason}"), reason=str(error))
                    continue
                about = describe_read(spec, read)
                reads.append(PlannedRead(export, sample.kind, read, about, asked, plans.get(read.id)))
    return TrialPlan(spec, tuple(tables), tuple(reads), remarks.build_result().refusals)


def _samples(
    spec: Spec, made: Estimate, export: ExportTable, rows: int, remarks: ExportRemarks
) -> Iterator[tuple[str, KindSample]]:
    families = {family.family.id for family in export.families}
    for kind in export.table.row_kinds:
        try:
            part = made.tables.get(export.table.id)
            sample = sample_kind(spec, export.table, kind, part, families=families, rows=rows)
        except NotComputableError as error:
            remarks.refuse(kind.id, "{reason}", reason=Text(error.because.message, dict(error.because.params)))
            continue
        except ValueError as error:
            remarks.refuse(kind.id, N_("no sample rows can be made: {reason}"), reason=str(error))
            continue
        for column in sample.cut_columns:
            remarks.refuse(column, N_("values of more than 4 MiB are written as 4 MiB"))
        yield kind.id, sample
