"""The model of a table as it is in the middle of a log: what the design has written by then, at the rates of then."""

import datetime
from dataclasses import dataclass, replace

import numpy as np

from designer.document import Spec
from designer.document.design import HORIZON_MONTHS_MAX
from designer.document.durations import DAY_SECONDS, MONTH_DAYS
from designer.document.family import MaxVersions, Union
from designer.document.table import RowKind, Table
from estimator.estimates.context import Context
from estimator.estimates.estimate import estimate, table_part
from estimator.kernels.population.timeline import until_day
from estimator.results import Estimate, TablePart, TableTraffic

DAYS_MIN = 1e-3


@dataclass(frozen=True)
class DatedModel:
    """A table on a day."""

    spec: Spec
    """The design with a horizon that ends then."""
    table: Table
    made: Estimate
    """Of all tables then."""
    month: Spec
    """The design with a horizon that ends with the month, which is what is billed."""
    billed: Estimate
    """Of all tables at the end of that month."""
    day: datetime.date
    begins_with_log: bool
    """True if the table begins with the log: the design starts later, or has no start date."""

    @property
    def part(self) -> TablePart:
        """The table then."""
        return self.made.tables[self.table.id]


def dated_model(spec: Spec, table: Table, first_s: float, last_s: float, context: Context) -> DatedModel:
    """Return the model in the middle of a log, of a design that starts before it; else of a table that it begins.

    A later log than the longest horizon is compared with the end of that. With rows that come evenly, the mean rows
    that a scan meets in the log are those of its middle.
    """
    middle_s = (first_s + last_s) / 2
    day, first = (datetime.datetime.fromtimestamp(at, datetime.UTC).date() for at in (middle_s, first_s))
    begins_with_log = spec.start is None or spec.start >= first
    start = first if spec.start is None or begins_with_log else spec.start
    midnight = datetime.datetime.combine(start, datetime.time(), datetime.UTC)
    since_s = first_s if begins_with_log else midnight.timestamp()
    # A horizon of no length would hold no rows; a thousandth of a day is 86 seconds.
    days = float(np.clip((middle_s - since_s) / DAY_SECONDS, DAYS_MIN, HORIZON_MONTHS_MAX * MONTH_DAYS))
    begun = spec.model_copy(update={"start": start})
    dated = until_day(begun, days)
    month = until_day(begun, float(np.ceil(days / MONTH_DAYS)) * MONTH_DAYS)
    dated_estimate, billed = estimate(dated, context), estimate(month, context)
    return DatedModel(dated, dated.find(table.id), dated_estimate, month, billed, day, begins_with_log)


def traffic_by_rows(model: DatedModel, context: Context, kind: RowKind | None = None) -> TableTraffic | None:
    """Return the load of the table, or of its rows of one kind alone, in ranges that hold about equally many rows.

    The model's own ranges hold equal bytes: of rows that keep what is written over, the busy ones fill many of them.
    """
    whole = model.part.traffic
    one_version = MaxVersions(versions=1)
    families = tuple(
        family.model_copy(update={"gc": one_version if family.gc is None else Union(rules=(family.gc, one_version))})
        for family in model.table.families
    )
    kinds = {} if kind is None else {"row_kinds": (kind,)}
    lean = model.table.model_copy(update={"families": families, **kinds})
    if whole is None or lean == model.table:
        return whole
    tables = tuple(lean if table.id == lean.id else table for table in model.spec.tables)
    traffic = table_part(model.spec.model_copy(update={"tables": tables}), lean, context).traffic
    if traffic is None:
        return None
    # What a request costs is still that of the rows as they are.
    shares = {load.access: load.node_share for load in whole.heat.loads}
    loads = tuple(replace(load, node_share=shares.get(load.access, load.node_share)) for load in traffic.heat.loads)
    return replace(traffic, heat=replace(traffic.heat, loads=loads))


__all__ = ["DatedModel", "dated_model", "traffic_by_rows"]
