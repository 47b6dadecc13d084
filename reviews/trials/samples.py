"""Samples of the tables of a design: the rows of each row kind, or why there are none."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from designer.document import Spec
from designer.document.access import Read
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from estimator.results import Estimate, NotComputableError
from reviews.exports.shared.result import ExportRemarks

from .requests import RangePlanner
from .sample import ORDINARY_VALUES, CellValues, KindSample, TrialRow, sample_kind
from .tables import TrialTable


@dataclass(frozen=True)
class SampledTable:
    """A table with the samples of its row kinds, by their ids."""

    table: TrialTable
    samples: Mapping[str, KindSample]
    ranges: Mapping[str, Callable[[Read], RangePlanner]]
    """Of those row kinds whose reads can be tried."""


@dataclass(frozen=True)
class SampleMaker:
    """Makes samples of row kinds."""

    spec: Spec
    made: Estimate
    rows: int
    remarks: ExportRemarks

    def samples(
        self, table: Table, families: Iterable[str], values: CellValues = ORDINARY_VALUES
    ) -> Iterator[tuple[str, KindSample]]:
        """Yield the sample of each row kind with cells in these families; a kind that cannot have one is refused."""
        for kind in table.row_kinds:
            sample = self._sample(table, kind, frozenset(families), values)
            if sample is None:
                continue
            if values.needs_cell:
                sample = replace(sample, rows=tuple(row for row in sample.rows if row.cells))
            for column in sample.cut_columns:
                self.remarks.refuse(
                    column, N_("values of more than {most_bytes} are written shorter"), most_bytes=values.bytes_max
                )
            yield kind.id, sample

    def _sample(self, table: Table, kind: RowKind, families: frozenset[str], values: CellValues) -> KindSample | None:
        part = self.made.tables.get(table.id)
        try:
            return sample_kind(self.spec, table, kind, part, families=families, rows=self.rows, values=values)
        except NotComputableError as error:
            self.remarks.refuse(kind.id, "{reason}", reason=Text(error.because.message, dict(error.because.params)))
        except ValueError as error:
            self.remarks.refuse(kind.id, N_("no sample rows can be made: {reason}"), reason=str(error))
        return None


def sorted_rows(samples: Iterable[KindSample]) -> tuple[TrialRow, ...]:
    """Return the rows of all samples in the order of keys, each key once."""
    by_key = {row.key: row for sample in samples for row in sample.rows}
    return tuple(by_key[key] for key in sorted(by_key))
