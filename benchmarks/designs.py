"""A design of many tables, for figures about the whole of an estimate."""

from typing import Any

from designer.document import Spec

TENANT: dict[str, Any] = {"kind": "field", "field": "tenant"}
DEVICE: dict[str, Any] = {"kind": "field", "field": "device"}
USER: dict[str, Any] = {"kind": "field", "field": "user"}
REGION: dict[str, Any] = {"kind": "field", "field": "region"}
NEWEST: dict[str, Any] = {"kind": "time", "reversed": True}
DAY: dict[str, Any] = {"kind": "time", "resolution": "day", "pattern": "%Y%m%d"}
HASH: dict[str, Any] = {"kind": "hash", "fields": ["user"]}

SHAPES = ((TENANT, DEVICE, NEWEST), (HASH, USER), (USER, NEWEST), (REGION, DEVICE, DAY), (DEVICE, USER))
"""Keys, taken in turn."""


def wide_design(tables: int = 50, *, columns: int = 4) -> Spec:
    """`tables` tables over four fields, each with its own activity, two families, one write and three reads."""
    return Spec.model_validate(
        {
            "name": f"{tables} tables",
            "fields": [
                _field("region", 40, "region{n:02}"),
                _field("tenant", 2_000, "tenant{n:04}", popularity={"kind": "zipf", "theta": 1.0}),
                _field("device", 1_000_000, "d{n:07}", belongs_to="tenant"),
                _field("user", 5_000_000, "u{n:08}", popularity={"kind": "zipf", "theta": 0.99}),
            ],
            "activities": [
                {"id": f"a{n}", "rate_per_second": 200 + 37 * n, "profile": {"kind": "diurnal"}} for n in range(tables)
            ],
            "tables": [_table(n, columns=columns) for n in range(tables)],
            "instance": {"clusters": [{"id": "main", "region": "us-central1", "zone": "us-central1-b"}]},
        }
    )


def _field(name: str, distinct: int, text: str, **more: Any) -> dict[str, Any]:
    values = {"kind": "pattern", "text": text}
    return {"id": name, "name": name, "distinct": distinct, "values": values, "assigned": "arbitrary", **more}


def _table(n: int, *, columns: int) -> dict[str, Any]:
    id = f"t{n}"  # noqa: A001
    shape = SHAPES[n % len(SHAPES)]
    last = len(shape) - 1
    timed = NEWEST in shape or DAY in shape
    newest = {"newest_versions": 1}
    binds = [{"field": s["field"]} for s in shape if s["kind"] == "field"]
    return {
        "id": id,
        "name": f"table_{n}",
        "history_months": 3,
        "families": [
            _family(f"{id}-m", {"kind": "max_age", "age_days": 30 + n}, columns=columns),
            _family(f"{id}-state", {"kind": "max_versions", "versions": 3}, columns=1),
        ],
        "row_kinds": [
            {
                "id": f"{id}-rows",
                "key": [{**s, "id": f"{id}-key{i}", "after": "#" if i < last else ""} for i, s in enumerate(shape)],
                "writes": [{"id": f"{id}-write", "activity": f"a{n}", "mode": "append_row" if timed else "overwrite"}],
                "reads": [
                    {"id": f"{id}-point", "rate_per_second": 100, "binds": binds, "exact_time": True, **newest},
                    {"id": f"{id}-hour", "rate_per_second": 20, "binds": binds, "time": {"days": 1 / 24}, **newest},
                    {"id": f"{id}-newest", "rate_per_second": 50, "binds": binds, "newest_rows": 10, **newest},
                ],
            }
        ],
    }


def _family(id: str, gc: dict[str, Any], *, columns: int) -> dict[str, Any]:  # noqa: A002
    value = {"kind": "json", "typical_bytes": 120}
    return {
        "id": id,
        "name": id[-1],
        "gc": gc,
        "columns": [{"id": f"{id}{c}", "qualifier": f"q{c}", "value": value} for c in range(columns)],
    }
