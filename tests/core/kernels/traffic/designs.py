"""Small designs as dicts, and the real way from one to its traffic."""

from designer.document import Spec
from estimator.kernels.growth import table_growth_and_sizes
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.kernels.traffic import plan_reads, table_traffic
from estimator.results.grain import FULL

DIURNAL = {"kind": "diurnal", "peak_to_mean": 1.8, "peak_hour": 20}
NEWEST = {"kind": "max_versions", "versions": 1}
MONTH = {"kind": "max_age", "age_days": 30}


def field(name, distinct, **more):
    return {
        "id": name, "name": name, "distinct": distinct, "kind": "string", "assigned": "arbitrary",
        "popularity": {"kind": "uniform"}, **more,
    }  # fmt: skip


def of(name, after="#", **more):
    return {"kind": "field", "field": name, "after": after, **more}


TIME = {"kind": "time", "resolution": "millisecond", "after": "#"}


def design(
    *key,
    fields=(),
    per_second=5_000.0,
    activity=None,
    write=None,
    reads=(),
    gc=MONTH,
    value_bytes=500,
    table=None,
    **spec,
):
    """One table with one row kind, one write and some reads."""
    segments = [{"id": f"s{i}", **segment} for i, segment in enumerate(key)]
    rate = {} if per_second is None else {"rate_per_second": per_second}
    column = {"id": "c", "qualifier": "c", "value": {"typical_bytes": value_bytes}}
    return Spec.model_validate(
        {
            "fields": list(fields),
            "activities": [{"id": "a", **rate, **(activity or {})}],
            "tables": [
                {
                    "id": "t",
                    "families": [{"id": "f", "name": "f", "gc": gc, "columns": [column]}],
                    "row_kinds": [
                        {
                            "id": "k",
                            "key": segments,
                            "writes": [{"id": "w", "activity": "a", **(write or {})}],
                            "reads": [{"id": f"r{i}", **read} for i, read in enumerate(reads)],
                        }
                    ],
                    **(table or {}),
                }
            ],
            **spec,
        }
    )


def traffic_of(spec, table=0, ids_max=8192, grain=FULL):
    """Traffic of one table of a design."""
    found = spec.tables[table]
    patterns = {kind.id: compile_pattern(spec, kind.id, ids_max=ids_max) for kind in found.row_kinds}
    growth, sizes = table_growth_and_sizes(spec, found, patterns)
    keys = {kind: key_summary(pattern) for kind, pattern in patterns.items()}
    return table_traffic(spec, found, patterns, sizes, growth, plan_reads(spec, found, keys, sizes), grain)
