"""Shared parts of the rules about large rows: date of passing a limit, bucket that prevents it."""

import datetime
from typing import Any

from designer.document import Spec
from designer.document.key import segment_fields
from designer.document.texts import N_, Text
from designer.wording import element_label, resolution_name
from estimator.engines import bigtable
from estimator.facts.buckets import finer_bucket, largest_bytes
from estimator.facts.default_skew import assumed_skew_field, assumed_skew_sentence
from estimator.facts.reading import RowKindFacts
from estimator.results.growth import LIVE_SHARE

from .examples import KEPT_A_MONTH, design, field_part, read_part, time_part
from .fixes import set_bucket
from .rule import Violation

HARD = "row_bytes"
RECOMMENDED = "row_bytes_recommended"
FINER = N_("One row per {bucket}")


def crossing_date(rows: RowKindFacts, limit: str) -> datetime.date | None:
    """Return the date on which the largest row passes a limit; None if after the horizon or unknown."""
    crossings = rows.growth.crossings if rows.growth else ()
    return next((crossing.date for crossing in crossings if crossing.limit == limit), None)


LIVE = N_(" ({live_bytes} live, the rest not collected yet)")
UNCOLLECTED = N_(
    "The row of {entity} in {table} has at most {live_bytes} of live cells. With expired cells that are not "
    "collected yet, it may exceed {limit_bytes} from {date} and reach {largest_bytes}."
)
GUESSED = N_(
    "The row of {entity} in {table} exceeds {limit_bytes} on {date} and reaches {largest_bytes}{live}. "
    "This assumes a default distribution for {field}; the design does not specify one. 99 of 100 "
    "rows stay below {p99_bytes}."
)


def assumed_field_of_rare_rows(rows: RowKindFacts, limit: str) -> str | None:
    """Return the field with only an assumed skew, if at most one row in a hundred passes the limit."""
    common = rows.growth is not None and float(rows.growth.p99_bytes.max()) >= bigtable.LIMITS[limit].value
    return None if common else assumed_skew_field(rows)


def live_largest_bytes(rows: RowKindFacts) -> float | None:
    """Return the size of the largest row without expired cells, over the horizon; None if not known [bytes]."""
    return float(rows.growth.live_largest_bytes.max()) if rows.growth and rows.growth.live_largest_bytes.size else None


def is_only_uncollected(rows: RowKindFacts, limit: str) -> bool:
    """Return True if only cells that are not collected yet take the largest row above a limit."""
    crossings = rows.growth.sure_crossings if rows.growth else ()
    return crossing_date(rows, limit) is not None and all(c.date is None for c in crossings if c.limit == limit)


def row_finding(rows: RowKindFacts, limit: str, *, message: str = "") -> Violation | None:
    """Build a finding about the largest row of a row kind, if it passes the limit."""
    date = crossing_date(rows, limit)
    if date is None or rows.growth is None:
        return None
    params: dict[str, Any] = {
        "table": rows.table.label,
        "entity": row_name(rows),
        "date": date,
        "limit_bytes": bigtable.LIMITS[limit].value,
        "largest_bytes": largest_bytes(rows),
        "live": "",
        "guess": assumed_skew_sentence(rows),
    }
    live = live_largest_bytes(rows)
    if live is not None:
        params["live_bytes"] = live
        if live < LIVE_SHARE * params["largest_bytes"]:
            params["live"] = Text(LIVE, {"live_bytes": live})
    if is_only_uncollected(rows, limit):
        message = message or UNCOLLECTED
    else:
        # The date on which live cells alone pass the limit; with uncollected ones it would be earlier, and not sure.
        params["date"] = next(c.date for c in rows.growth.sure_crossings if c.limit == limit)
    finer = finer_bucket(rows)
    fix = set_bucket(finer.segment, finer.resolution) if finer else None
    if finer:
        params["bucket"] = resolution_name(finer.resolution)
    if (field := assumed_field_of_rare_rows(rows, limit)) is not None:
        params |= {"field": field, "p99_bytes": float(rows.growth.p99_bytes.max())}
        message = message or GUESSED
    return Violation(
        at=rows.kind.id,
        params=params,
        effect=largest_bytes(rows),
        message=message,
        fix=fix,
        fix_label=FINER if fix is not None else "",
        about=(rows.kind.id, rows.table.id),
    )


def row_name(rows: RowKindFacts) -> str | Text:
    """Return the text that names the largest row; where all rows are alike, by the fields of their key."""
    if rows.growth is not None and rows.growth.largest_entity:
        return rows.growth.largest_entity
    if not rows.kind.has_generated_id or rows.kind.name:
        return rows.kind.label
    fields = dict.fromkeys(name for segment in rows.kind.segments for name in segment_fields(segment))
    names = tuple(element_label(rows.spec, name) for name in fields)
    return Text(N_("each {fields}"), {"fields": names}) if names else rows.table.label


def bucketed_design(resolution: str, per_second: float, pattern: str) -> Spec:
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
        field_part("sensor", "#"),
        time_part(resolution=resolution, pattern=pattern),
        fields=(sensor,),
        per_second=per_second,
        write={"mode": "new_cell"},
        reads=(read_part(binds=("sensor",), exact_time=True),),
        gc=KEPT_A_MONTH,
    )
