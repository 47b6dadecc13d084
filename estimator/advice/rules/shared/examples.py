"""Small designs for the examples in rule files: one table, one row kind, one activity unless told otherwise.

Sizes are small (at most a thousand ids) and rates large enough for the effect, so that tests and rule pages are quick.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from designer.document import Spec

Part = Mapping[str, Any]

DEVICE: Part = {
    "id": "device",
    "name": "device_id",
    "kind": "string",
    "values": {"kind": "pattern", "text": "d{n:04}"},
    "distinct": 1_000,
    "assigned": "arbitrary",
    "popularity": {"kind": "uniform"},
}
"""A thousand devices, equally busy, with ids of one width."""

USER: Part = {**DEVICE, "id": "user", "name": "user_id", "values": {"kind": "pattern", "text": "u{n:04}"}}

TENANT: Part = {
    "id": "tenant",
    "name": "tenant",
    "kind": "string",
    "values": {"kind": "pattern", "text": "t{n:02}"},
    "distinct": 50,
    "assigned": "arbitrary",
    "popularity": {"kind": "uniform"},
}

KEPT_A_MONTH: Part = {"kind": "max_age", "age_days": 30}
NEWEST_ONLY: Part = {"kind": "max_versions", "versions": 1}


def field_part(field: str, after: str = "", *transforms: Part) -> Part:
    """Build a segment that shows a field; its id is the field's with the suffix `_part`."""
    return {"id": f"{field}_part", "kind": "field", "field": field, "after": after, "transforms": transforms}


def time_part(after: str = "", **settings: Any) -> Part:
    """Build a segment with the time of the event, to the millisecond unless set."""
    return {"id": "time_part", "kind": "time", "after": after, **settings}


def hash_part(*fields: str, digits: int = 8, after: str = "") -> Part:
    """Build a segment with a hash of fields."""
    return {"id": "hash_part", "kind": "hash", "fields": fields, "digits": digits, "after": after}


def salt_part(modulo: int, *fields: str, after: str = "#") -> Part:
    """Build a segment that spreads rows over `modulo` values."""
    return {"id": "salt_part", "kind": "salt", "fields": fields, "modulo": modulo, "after": after}


def read_part(**settings: Any) -> Part:
    """Build a read at ten requests per second; `binds` may be given as ids of fields."""
    binds = tuple({"field": b} if isinstance(b, str) else b for b in settings.pop("binds", ()))
    return {"id": "read", "name": "look up", "rate_per_second": 10, "binds": binds, **settings}


def cluster_part(node_count: int) -> Part:
    """Build a cluster with a fixed number of nodes."""
    nodes = {"kind": "fixed", "count": node_count}
    return {"id": "cluster", "name": "main", "region": "us-central1", "nodes": nodes}


def readings_on_nodes(node_count: int) -> Spec:
    """Build a design of 20,000 readings per second on so many nodes."""
    return readings(field_part("device", "#"), time_part(), per_second=20_000, clusters=(cluster_part(node_count),))


def key_column(name: str, *segments: Part, type: str = "STRING") -> Part:  # noqa: A002
    """One of Tablestore's primary-key columns; its id is its name's with `_column` behind it."""
    return {"id": f"{name}_column", "name": name, "type": type, "segments": segments}


def tablestore_design(*columns: Part, **settings: Any) -> Spec:
    """Build a design for Tablestore with these primary-key columns."""
    usual: dict[str, Any] = {"clusters": ({"id": "cluster", "name": "main", "region": "cn-hangzhou"},), "gc": None}
    return design(engine="tablestore", key_columns=columns, **{**usual, **settings})


def readings(*key: Part, per_second: float, **settings: Any) -> Spec:
    """Build a design of a thousand devices, each with regular readings, whose last hour is read."""
    pace = {"arrival": {"kind": "every", "seconds": 1_000 / per_second, "field": "device"}}
    usual: dict[str, Any] = {"activity": pace, "reads": (read_part(binds=("device",), time={"days": 1 / 24}),)}
    return design(*key, per_second=per_second, **{**usual, **settings})


def history(arrival: Part, *, per_second: float) -> Spec:
    """Build a design with a row per device and hour, written on arrival, whose last hour is read."""
    return design(
        field_part("device", "#"),
        time_part(resolution="hour"),
        per_second=per_second,
        write={"mode": "new_cell"},
        activity={"name": "history", "arrival": arrival},
        reads=(read_part(binds=("device",), time={"days": 1 / 24}),),
    )


def design(
    *key: Part,
    key_columns: Sequence[Part] = (),
    fields: Sequence[Part] = (DEVICE,),
    per_second: float | None = 5_000,
    activity: Part | None = None,
    write: Part | None = None,
    reads: Sequence[Part] = (),
    gc: Part | None = KEPT_A_MONTH,
    column: Part | None = None,
    family: Part | None = None,
    table: Part | None = None,
    clusters: Sequence[Part] = ({"id": "cluster", "name": "main", "region": "us-central1"},),
    **settings: Any,
) -> Spec:
    """Build a design of one table from defaults and the given parts; ids are named after the parts' kinds."""
    usual_column = {"id": "column", "qualifier": "v", "value": {"kind": "json", "typical_bytes": 200}}
    usual_family = {"id": "family", "name": "m", "gc": gc, "columns": [{**usual_column, **(column or {})}]}
    kind = {
        "id": "rows",
        "name": "rows",
        "key": key,
        "key_columns": key_columns,
        "writes": [{"id": "write", "name": "store", "activity": "activity", "mode": "append_row", **(write or {})}],
        "reads": reads,
    }
    usual_activity = {
        "id": "activity",
        "name": "events",
        "rate_per_second": per_second,
        "draws": [{"field": part["id"]} for part in fields],
    }
    usual_table = {
        "id": "table",
        "name": "events",
        "row_kinds": [kind],
        "families": [{**usual_family, **(family or {})}],
    }
    return Spec.model_validate(
        {
            "name": "Example",
            "horizon_months": 12,
            "fields": list(fields),
            "activities": [{**usual_activity, **(activity or {})}],
            "tables": [{**usual_table, **(table or {})}],
            "instance": {"clusters": list(clusters)},
            **settings,
        }
    )


def documents(typical_bytes: float, *, kind: str = "random", largest_bytes: int | None = None, **more: object) -> Spec:
    """Ten documents a day for each of a thousand devices, the newest of which is read now and then."""
    value: Part = {"kind": kind, "typical_bytes": typical_bytes, "max_bytes": largest_bytes}
    return design(
        field_part("device"),
        **{
            "per_second": 0.001,
            "write": {"mode": "overwrite"},
            "gc": {"kind": "max_versions", "versions": 1},
            "column": {"value": value},
            "reads": (read_part(binds=("device",), rate_per_second=0.01, latency="batch"),),
            **more,
        },  # type: ignore[arg-type]
    )
