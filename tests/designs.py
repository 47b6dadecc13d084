"""Designs that many tests share: one with forty tables, one of assumed values, one whose names are to do harm."""

from functools import cache
from typing import Any

from designer.document import Spec
from designer.document.load import from_data

HOSTILE = (
    '"; rm -rf / #',
    "'; $(touch /tmp/owned) `id` '",
    '${file("/etc/passwd")} %{ for x in y }',
    "$${x} %%{y} $$ \\",
    "two\nlines\r\nand\u2028more\x85",
    ']}\n}\nresource "x" "y" {',
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x","y")',
    "+1|a|b",
    "@SUM(A1)",
    "-x --flag",
    "#{`id`} '\\''",
    "'''\"\"\"\\",
    "\u202eright to left\u2066",
    "\x00\x1b[31m",
    "- a: &x !!python/object:os.system",
    "[x](javascript:alert(1)) ![](http://x) <!-- -->",
    "天気 🎈 e\u0301",
    "a" * 300,
    "",
    ",",
    "null",
    "EOF",
)
"""Texts that end strings, comments and lines of one syntax or another, or that are no names anywhere."""


_STATED = {"assigned": "arbitrary", "belongs_to": "-", "popularity": {"kind": "uniform"}}


@cache
def forty_tables() -> Spec:
    """A large design: forty tables of several shapes, three families each, two clusters, three app profiles."""
    return from_data(
        {
            "name": "Forty tables",
            "description": "A design as large as teams have them.",
            "start": "2026-11-22",  # stated, so that its tables are computed once for whatever day a test is in
            "fields": [
                {"id": "tenant", "name": "tenant", "distinct": 500, "values": _counted_values("t{n:03}"), **_STATED},
                {"id": "device", "name": "device", "distinct": 20_000, "values": _counted_values("d{n:05}"), **_STATED},
            ],
            "activities": [{"id": f"a{n}", "name": f"Event {n}", "rate_per_second": 40 + n} for n in range(40)],
            "tables": [_table(n) for n in range(40)],
            "instance": {
                "name": "forty-tables",
                "storage": "ssd",
                "clusters": [
                    {
                        "id": "iowa",
                        "name": "iowa-main",
                        "region": "us-central1",
                        "zone": "us-central1-b",
                        "nodes": _fixed_nodes(3),
                    },
                    {
                        "id": "oregon",
                        "name": "oregon-copy",
                        "region": "us-west1",
                        "zone": "us-west1-a",
                        "nodes": _fixed_nodes(3),
                    },
                ],
                "app_profiles": [
                    {"id": "any", "name": "serving"},
                    {"id": "one", "name": "jobs", "routing": "single", "clusters": ["iowa"], "priority": "low"},
                    {"id": "tx", "name": "tx", "routing": "single", "clusters": ["iowa"], "transactions": True},
                ],
            },
        }
    )


def many_tables(count: int) -> Spec:
    """The first tables of the large design: from twelve on, pages show each as a line, and tests share sixteen."""
    return forty_tables().model_copy(update={"tables": forty_tables().tables[:count]})


def _fixed_nodes(count: int) -> dict[str, Any]:
    return {"kind": "fixed", "count": count}


def _counted_values(text: str) -> dict[str, Any]:
    return {"kind": "pattern", "text": text}


_RULES: tuple[dict[str, Any] | None, ...] = (
    {"kind": "max_age", "age_days": 30},
    {"kind": "max_versions", "versions": 3},
    {"kind": "union", "rules": [{"kind": "max_age", "age_days": 0.5}, {"kind": "max_versions", "versions": 1}]},
    {"kind": "intersection", "rules": [{"kind": "max_age", "age_days": 7}, {"kind": "max_versions", "versions": 2}]},
    {"kind": "never"},
    None,
    {
        "kind": "union",
        "rules": [
            {"kind": "intersection",
             "rules": [{"kind": "max_age", "age_days": 1}, {"kind": "max_versions", "versions": 2}]},
            {"kind": "max_age", "age_days": 400},
        ],
    },
)  # fmt: skip


def _table(n: int) -> dict[str, Any]:
    keys = [{"id": f"t{n}-k1", "kind": "field", "field": "tenant", "after": "#"},
            {"id": f"t{n}-k2", "kind": "field", "field": "device", "after": "#"},
            {"id": f"t{n}-k3", "kind": "time", "resolution": "day", "pattern": "%Y%m%d"}]  # fmt: skip
    families = [
        {"id": f"t{n}-f{place}", "name": name, "columns": [{"id": f"t{n}-f{place}-c", "qualifier": "v"}],
         **({"gc": rule} if (rule := _RULES[(n + place) % len(_RULES)]) else {})}
        for place, name in enumerate(("m", "s", "raw"))
    ]  # fmt: skip
    return {
        "id": f"t{n}", "name": f"table_{n}", "families": families,
        "split_keys": ["t100", "t200"] if n % 4 == 0 else [],
        "row_kinds": [{
            "id": f"t{n}-r", "name": "rows", "key": keys,
            "writes": [{"id": f"t{n}-w", "activity": f"a{n}"}],
            "reads": [{"id": f"t{n}-q", "name": "one device", "rate_per_second": 5,
                       "binds": [{"field": "tenant"}, {"field": "device"}]}],
        }],
    }  # fmt: skip


def scanned_profiles(*, mode: str = "overwrite", **tenant: Any) -> Spec:
    """Rows of tenants in a region with prices, scanned often; what is not said of the tenant is assumed."""
    key = [{"id": "s", "kind": "field", "field": "tenant"}]
    value = {"kind": "random", "typical_bytes": 20_000, "max_bytes": 20_000}
    return from_data({
        "fields": [{"id": "tenant", "name": "tenant", **tenant}],
        "activities": [{"id": "a", "name": "saved", "rate_per_second": 2_000}],
        "tables": [{
            "id": "t", "name": "profiles",
            "row_kinds": [{
                "id": "k", "key": key, "writes": [{"id": "w", "activity": "a", "mode": mode}],
                "reads": [{"id": "r", "name": "All", "rate_per_second": 20}],
            }],
            "families": [{
                "id": "f", "name": "f", "gc": {"kind": "max_versions", "versions": 1},
                "columns": [{"id": "c", "qualifier": "c", "value": value}],
            }],
        }],
        "instance": {"clusters": [{"id": "cluster", "region": "us-central1"}]},
    })  # fmt: skip


@cache
def hostile() -> Spec:
    """A design of hostile names: of itself, its tables, families, fields, qualifiers, profiles, reasons, split keys."""
    bad = list(HOSTILE)
    tables = [
        {
            "id": f"t{n}", "name": text, "description": text,
            "families": [{"id": f"t{n}-f", "name": text, "gc": {"kind": "max_age", "age_days": 1},
                          "columns": [{"id": f"t{n}-c", "qualifier": text.replace("\\", "\\\\")}]}],
            "split_keys": [text.replace("\\", "\\\\")] if text else ["\\xff\\x00a"],
            "row_kinds": [{"id": f"t{n}-r", "name": text, "key": [
                {"id": f"t{n}-k1", "kind": "field", "field": f"f{n}", "after": "#"},
                {"id": f"t{n}-k2", "kind": "literal", "text": text.replace("\\", "\\\\")},
            ], "writes": [{"id": f"t{n}-w", "name": text, "activity": f"a{n}"}],
                "reads": [{"id": f"t{n}-q", "name": text, "rate_per_second": 1, "binds": [{"field": f"f{n}"}]}]}],
        }
        for n, text in enumerate(bad)
    ]  # fmt: skip
    return from_data(
        {
            "name": bad[0] + bad[2] + bad[4],
            "description": "\n".join(bad),
            "fields": [{"id": f"f{n}", "name": text, "kind": "string", "distinct": 10} for n, text in enumerate(bad)],
            "activities": [{"id": f"a{n}", "name": text, "rate_per_second": 1} for n, text in enumerate(bad)],
            "tables": tables,
            "instance": {
                "name": bad[0],
                "clusters": [
                    {"id": "c", "name": bad[1], "region": bad[5], "zone": "europe-west1-b", "nodes": _fixed_nodes(1)}
                ],
                "app_profiles": [
                    {"id": f"p{n}", "name": text, "routing": "single", "clusters": ["c"]} for n, text in enumerate(bad)
                ],
            },
            "ignores": [{"id": "i", "rule": "K004", "at": "t0", "reason": bad[0], "owner": bad[6]}],
        }
    )
