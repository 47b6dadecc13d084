"""The work of one operation: node time, or what stands in its place on engines without nodes."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from designer.document import Engine, Spec
from designer.document.access import Write
from designer.document.family import Family
from designer.document.table import Table
from estimator.results import ReadPlan

from . import bigtable, tablestore


class WorkModel(Protocol):
    """Model of an engine's work per operation, as its module implements it."""

    def write_seconds(
        self, spec: Spec, table: Table, write: Write, families: Iterable[Family],
        *, key_bytes: float, row_bytes: float, above_bytes: float, cells: float,
    ) -> float:  # fmt: skip
        """Return the work of one row written, its key included in `row_bytes`; the largest is `above_bytes` larger."""

    def read_seconds(self, plan: ReadPlan) -> float:
        """Return the work of one request as it is planned."""

    def scan_seconds_of(self, spec: Spec, plan: ReadPlan, rows: float) -> float:
        """Return the work of a planned request that scans so many rows of the same size instead."""


MODELS: Mapping[Engine, WorkModel] = {"bigtable": bigtable, "tablestore": tablestore}


def work_of(spec: Spec) -> WorkModel:
    """Return the model of the work on a design's engine."""
    return MODELS[spec.engine]
