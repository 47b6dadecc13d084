"""Schemas that others have published: the key and what is known of the data, with what their sources say of them.

Rates and numbers of values are ours where the source gives none: of the size of which the source speaks.
"""

from dataclasses import dataclass, field
from typing import Any

from designer.document import Engine, Spec
from designer.document.dump import to_plain_data
from designer.document.keytext import parse_columns, parse_key
from designer.document.load import from_data

HBASE = "HBase Reference Guide, https://hbase.apache.org/book.html#schema.casestudies"
BIGTABLE_PAPER = "F. Chang et al., Bigtable: A Distributed Storage System for Structured Data, OSDI 2006"
SCHEMA_DESIGN = "https://cloud.google.com/bigtable/docs/schema-design"
TIME_SERIES = "https://cloud.google.com/bigtable/docs/schema-design-time-series"
OPENTSDB = "https://opentsdb.net/docs/build/html/user_guide/backends/hbase.html"
DISCORD = "https://discord.com/blog/how-discord-stores-billions-of-messages"

EVEN = {"popularity": {"kind": "uniform"}}
SOME_LEAD = {"popularity": {"kind": "zipf", "theta": 0.6}}
NEWEST_ONLY = {"kind": "max_versions", "versions": 1}


CLUSTERS: dict[Engine, list[dict[str, str]]] = {
    "bigtable": [
        {"id": "a", "name": "a", "region": "us-central1", "zone": "us-central1-a"},
        {"id": "b", "name": "b", "region": "us-east1", "zone": "us-east1-b"},
    ],
    "tablestore": [{"id": "a", "name": "a", "region": "cn-hangzhou"}],
}


@dataclass(frozen=True)
class Published:
    """One row kind as its source describes it."""

    name: str
    source: str
    key: str
    per_second: float
    fields: dict[str, dict[str, Any]]
    reads: tuple[dict[str, Any], ...]
    faults: tuple[str, ...] = ()
    """Rules of which one has to find what the source warns of; empty: the source recommends the schema."""
    columns: tuple[dict[str, Any], ...] = ({"qualifier": "d", "value": {"kind": "json", "typical_bytes": 400}},)
    gc: dict[str, Any] | None = field(default_factory=lambda: {"kind": "max_age", "age_days": 30})
    write: dict[str, Any] = field(default_factory=dict)
    more_writes: tuple[dict[str, Any], ...] = ()
    """Of the same events."""
    table: dict[str, Any] = field(default_factory=dict)
    family: dict[str, Any] = field(default_factory=dict)
    clusters: int = 2
    arrival: dict[str, Any] | None = None
    """In place of the rate: how often each of a field's values writes."""
    rows: float | None = None
    """At the end of the horizon, as counted by hand."""
    engine: Engine = "bigtable"
    """On Tablestore the key is text of primary-key columns."""

    @property
    def spec(self) -> Spec:
        """The design document."""
        counted = [name for name, facts in self.fields.items() if "distinct" in facts]
        known = [{"id": name, "name": name, "distinct": 10} for name in counted]
        blank = from_data({"engine": self.engine, "fields": known})
        if self.engine == "tablestore":
            parsed: Any = parse_columns(blank, self.key, new_fields=True)
            key = {"key_columns": [to_plain_data(column) for column in parsed.columns]}
        else:
            parsed = parse_key(blank, self.key, new_fields=True)
            key = {"key": [to_plain_data(segment) for segment in parsed.segments]}
        ids = {one["name"]: one["id"] for one in known} | {new.name: new.id for new in parsed.new_fields}
        columns = []
        for place, column in enumerate(self.columns):
            shown, more = _qualifier(ids, column, place)
            columns.append({"id": f"c{place}", **shown})
            ids |= more
        named = {name: self.fields.get(name, {}) for name in (*ids, *(self.fields.keys() - ids.keys()))}
        fields = [{"id": ids.get(name, name), "name": name, **facts} for name, facts in named.items()]
        for one in fields:
            for owner in one.keys() & {"belongs_to", "unique_within"}:
                one[owner] = ids.get(one[owner], one[owner])
        reads = [
            {"id": f"read-{n}", **one, "binds": [_bind(ids, name) for name in one.get("binds", ())]}
            for n, one in enumerate(self.reads)
        ]
        writes = [{"id": "write", "activity": "event", **self.write}]
        writes += [{"id": f"write-{n}", "activity": "event", **one} for n, one in enumerate(self.more_writes)]
        rate = {"rate_per_second": self.per_second}
        if self.arrival is not None:
            rate = {"arrival": {**self.arrival, "field": ids[self.arrival["field"]]}}
        family: dict[str, Any] = {
            "id": "family", "name": "d", "columns": columns, **self.family,
        }  # fmt: skip
        if self.gc is not None:
            family["gc"] = self.gc
        return from_data(
            {
                "name": self.name,
                "start": "2027-01-01",
                "horizon_months": 12,
                "engine": self.engine,
                "fields": fields,
                "activities": [{"id": "event", "name": "event", **rate}],
                "tables": [
                    {
                        "id": "table",
                        "name": "table",
                        "row_kinds": [
                            {
                                "id": "rows",
                                "name": "rows",
                                **key,
                                "writes": writes,
                                "reads": reads,
                            }
                        ],
                        "families": [family],
                        **({} if self.engine == "tablestore" else {"backups": [{"id": "backup"}]}),
                        **self.table,
                    }
                ],
                "instance": {"clusters": CLUSTERS[self.engine][: self.clusters]},
            }
        )


def _qualifier(ids: dict[str, str], column: dict[str, Any], place: int) -> tuple[dict[str, Any], dict[str, str]]:
    """Return a column with a text of fields in `qualifier_from` as its segments, and ids of its new fields by name."""
    text = column.get("qualifier_from")
    if not isinstance(text, str):
        return column, {}
    known = from_data({"fields": [{"id": field, "name": name} for name, field in ids.items()]})
    parsed = parse_key(known, text, new_fields=True)
    segments = [{**to_plain_data(segment), "id": f"q{place}-{n}"} for n, segment in enumerate(parsed.segments)]
    return {**column, "qualifier_from": segments}, {new.name: new.id for new in parsed.new_fields}


def _bind(ids: dict[str, str], name: str | dict[str, Any]) -> dict[str, Any]:
    """Return a value that a caller knows; of `name*` its beginning, of `name 8` eight values, `name 1…3` a range."""
    if not isinstance(name, str):
        return {**name, "field": ids.get(name["field"], name["field"])}
    name, _, values = name.partition(" ")
    first, is_range, last = values.partition("…")
    if is_range:
        ends = {"from_value": first, "to_value": last}
        return {"field": ids.get(name, name), **{end: value for end, value in ends.items() if value}}
    stem = name.rstrip("*")
    return {"field": ids.get(stem, stem), "prefix": name.endswith("*"), "values": int(values or 1)}


def read_data(rate: float, *binds: str, **more: Any) -> dict[str, Any]:
    return {"rate_per_second": rate, "binds": binds, **more}
