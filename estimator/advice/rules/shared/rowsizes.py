"""Shared parts of the rules about large rows: date of passing a limit, bucket that prevents it."""

import datetime
from typing import Any

from designer.document import Spec
from designer.document.texts import N_
from designer.wording import resolution_name
from estimator.engines import bigtable
from estimator.facts.buckets import finer_bucket, largest_bytes
from estimator.facts.default_skew import guessed_skew
from estimator.facts.reading import Rows

from .examples import KEPT_A_MONTH, design, of, read, time
from .fixes import rebucketed
from .rule import Found

HARD = "row_bytes"
RECOMMENDED = "row_bytes_recommended"
FINER = N_("One row per {bucket}")


def crossed(rows: Rows, limit: str) -> datetime.date | None:
    """Return the date on which the largest row passes a limit; None if after the horizon or unknown."""
    crossings = rows.growth.crossings if rows.growth else ()
    return next((crossing.date for crossing in crossings if crossing.limit == limit), None)


GUESSED = N_(
    "The row of {entity} in {table} exceeds {limit_bytes} on {date} and reaches {largest_bytes}. "
    "This assumes a default distribution for {field}; the design does not specify one. 99 of 100 "
    "rows stay below {p99_bytes}."
)


def rests_on_guess(rows: Rows, limit: str) -> str | None:
    """Return the field with only an assumed skew, if at most one row in a hundred passes the limit."""
    common = rows.growth is not None and float(rows.growth.p99_bytes.max()) >= bigtable.LIMITS[limit].value
    return None if common else guessed_skew(rows)


def row_finding(rows: Rows, limit: str, *, message: str = "") -> Found | None:
    """Build a finding about the largest row of a row kind, if it passes the limit."""
    date = crossed(rows, limit)
    if date is None or rows.growth is None:
        return None
    params: dict[str, Any] = {
        "table": rows.table.label,
        "entity": rows.growth.largest_entity or rows.kind.label,
        "date": date,
        "limit_bytes": bigtable.LIMITS[limit].value,
        "largest_bytes": largest_bytes(rows),
    }
    finer = finer_bucket(rows)
    fix = rebucketed(finer.segment, finer.resolution) if finer else None
    if finer:
        params["bucket"] = resolution_name(finer.resolution)
    if (field := rests_on_guess(rows, limit)) is not None:
        params |= {"field": field, "p99_bytes": float(rows.growth.p99_bytes.max())}
        message = message or GUESSED
    return Found(
        at=rows.kind.id,
        params=params,
        effect=largest_bytes(rows),
        message=message,
        fix=fix,
        fix_label=FINER if fix is not None else "",
        about=(rows.kind.id, rows.table.id),
    )


def bucketed(resolution: str, per_second: float, pattern: str) -> Spec:
    """Build a design of a hundred sensors that add a column per event to one row per bucket."""
    sensor = {
        "id": "sensor",
        "name": "sensor",
        "values": {"kind": "pattern", "text": "s{n:03}"},
        "distinct": 100,
        "popularity": {"kind": "uniform"},
        "assigned": "arbitrary",
    }
    return design(
        of("sensor", "#"),
        time(resolution=resolution, pattern=pattern),
        fields=(sensor,),
        per_second=per_second,
        write={"mode": "new_cell"},
        reads=(read(binds=("sensor",), exact_time=True),),
        gc=KEPT_A_MONTH,
    )
