"""Measures how small a table becomes on disk; the live estimate uses what was measured."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from designer.document import Spec
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.http.errors import DesignError
from designer.wording import element_label
from estimator.estimates.context import Context
from estimator.kernels.compression.content import TableContent
from estimator.kernels.compression.measure import measure_content
from estimator.kernels.compression.table_content import table_content
from estimator.results import Measurement

from . import PARAMETERS, ProgressCallback, RunPlan, RunType

SECONDS = 1.0
"""Of a table of small values, on one core."""
MEMORY_BYTES = 120 << 20


def canonical(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """Only which table."""
    return {"table": str(parameters.get("table", ""))}


def plan(spec: Spec, parameters: Mapping[str, Any], context: Context) -> RunPlan:
    """Plan the measurement of the table's content."""
    table = spec.by_id.get(parameters["table"])
    if not isinstance(table, Table):
        raise DesignError(N_("This table was removed from the design.")).at(PARAMETERS, "table")
    return RunPlan(seconds=SECONDS, memory_bytes=MEMORY_BYTES, held=table_content(spec, table, context.cache))


def work(planned: RunPlan, first: int, last: int, beat: ProgressCallback) -> bytes:
    """Return the measurement."""
    beat(0.0, Text(N_("compressing sample blocks")))
    content: TableContent = planned.held
    return json.dumps(asdict(measure_content(content))).encode()


def finish(planned: RunPlan, shards: Iterable[bytes], beat: ProgressCallback) -> dict[str, bytes]:
    """Return the measurement unchanged."""
    return {"measurement": b"".join(shards)}


def measurement(parts: Mapping[str, bytes]) -> Measurement:
    """Return the measurement in a result."""
    return Measurement(**json.loads(parts["measurement"]))


def title(spec: Spec, parameters: Mapping[str, Any]) -> Text:
    """Return the title of the run, with its table."""
    return Text(N_("Compression of {table}"), {"table": element_label(spec, parameters["table"])})


KIND = RunType(title, canonical, plan, work, finish, measurement=measurement)
