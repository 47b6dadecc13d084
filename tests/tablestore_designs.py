"""A design for Tablestore with keys, columns, indexes and reads of every kind, over few values."""

from typing import Any

from designer.document import Spec
from designer.document.load import from_data

USER = {"kind": "field", "field": "user"}
DAY = {"kind": "time", "resolution": "day"}


def _columns(table: str, *named: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"id": f"{table}-{name}", "qualifier": name, "value": {"kind": kind, "typical_bytes": 12, "max_bytes": 40}}
        for name, kind in named
    ]


def _table(name: str, key: list[dict[str, Any]], reads: dict[str, dict[str, Any]], **more: Any) -> dict[str, Any]:
    columns = more.pop("columns", _columns(name, ("n", "integer"), ("note", "text")))
    writes = [] if "derived_from" in more else [{"id": f"{name}-w", "activity": "a"}]
    return {
        "id": name, "name": name, "families": [{"id": f"{name}-f", "columns": columns}],
        "row_kinds": [{"id": f"{name}-r", "key_columns": key, "writes": writes, "reads": [
            {"id": f"{name}-{read.replace(' ', '-')}", "name": read, **said} for read, said in reads.items()]}], **more,
    }  # fmt: skip


def _column(id_: str, name: str, type_: str, *segments: dict[str, Any]) -> dict[str, Any]:
    parts = [{"id": f"{id_}-{place}", **segment} for place, segment in enumerate(segments)]
    return {"id": id_, "name": name, "type": type_, "segments": parts}


def design() -> Spec:
    """Keys of every type and reads of every kind that GetRow and GetRange answer."""
    of_user: list[dict[str, Any]] = [{"field": "user"}]
    text_day = {**DAY, "pattern": "%Y-%m-%d"}
    tables = [
        _table("events", [_column("e1", "user", "STRING", USER), _column("e2", "day", "INTEGER", {**DAY, "unit": "s"}),
                          _column("e3", "item", "BINARY", {"kind": "field", "field": "item"})], {
            "one": {"binds": [*of_user, {"field": "item"}], "exact_time": True},
            "of user": {"binds": of_user}, "days": {"binds": of_user, "time": {"days": 2}},
            "days back": {"binds": of_user, "time": {"days": 2}, "reverse": True},
            "newest": {"binds": of_user, "newest_rows": 2, "reverse": True},
            "begun": {"binds": [{"field": "user", "prefix": True}]},
            "begun back": {"binds": [{"field": "user", "prefix": True}], "reverse": True},
            "several": {"binds": of_user, "keys_per_call": 3}, "all": {}, "back": {"reverse": True},
            "versions": {"binds": of_user, "newest_versions": 1}, "recent": {"binds": of_user, "cell_days": 0.25},
            "column": {"binds": of_user, "columns": ["events-ratio"]}, "item": {"binds": [{"field": "item"}]},
        }, columns=_columns("events", ("ratio", "float"), ("raw", "protobuf"), ("rare", "text")),
           tablestore={"max_versions": 2, "ttl_seconds": 86_400}),
        _table("salted", [_column("s1", "salt", "INTEGER", {"kind": "salt", "fields": ["item"], "modulo": 3}),
                          _column("s2", "user_day", "STRING", {**USER, "after": "#"}, text_day)], {
            "salted days": {"binds": of_user, "time": {"days": 2}},
            "salted back": {"binds": of_user, "time": {"days": 2}, "reverse": True},
        }),
        _table("orders", [_column("o1", "user", "STRING", USER),
                          _column("o2", "order", "INTEGER", {"kind": "field", "field": "order"})], {
            "newest orders": {"binds": of_user, "newest_rows": 2, "reverse": True},
        }, columns=_columns("orders", ("shop", "text"), ("amount", "integer"), ("weight", "float"))),
        _table("by_shop", [_column("b1", "shop", "STRING", {"kind": "field", "field": "shop"})], {
            "of a shop": {"binds": [{"field": "shop"}]}, "all shops": {"reverse": True},
        }, columns=_columns("by_shop", ("amount", "integer")), derived_from={"table": "orders", "how": "global_index"}),
        _table("by_amount", [_column("l1", "user", "STRING", USER),
                             _column("l2", "amount", "INTEGER", {"kind": "field", "field": "amount"})], {
            "of an amount": {"binds": [*of_user, {"field": "amount"}]},
        }, columns=[], derived_from={"table": "orders", "how": "local_index"}),
    ]  # fmt: skip
    return from_data({
        "name": "Reads", "engine": "tablestore", "start": "2026-01-01", "horizon_months": 1,
        "fields": [
            {"id": "user", "name": "user", "distinct": 9, "values": {"kind": "pattern", "text": "ü{n}"}},
            {"id": "item", "name": "item", "kind": "bytes", "distinct": 9, "values": {
                "kind": "random", "min": 3, "max": 3}},
            {"id": "order", "name": "order", "kind": "integer", "distinct": 9, "growth_per_day": 5,
             "assigned": "sequential", "values": {"kind": "range", "min": -4, "max": 9_000}},
            {"id": "shop", "name": "shop", "distinct": 3, "values": {"kind": "pattern", "text": "s{n}"}},
            {"id": "amount", "name": "amount", "kind": "integer", "distinct": 5, "values": {
                "kind": "range", "min": -2, "max": 2}},
        ],
        "activities": [{"id": "a", "name": "a", "rate_per_second": 0.01}],
        "tables": tables,
    })  # fmt: skip
