"""What the sources recommend and what they warn of, as small designs: the former pass, the latter are caught.

Loads are above the thresholds of the load rules (a fifth of a node is about 2,800 rows of 1 KiB a second), so that
passing means something. The built-in designs of the groups "recommended" and "time series" must pass, too.
"""

import re
from collections.abc import Callable
from typing import Literal, NamedTuple

from designer.document import Spec
from estimator.advice.rules.shared.examples import (
    DEVICE,
    NEWEST_ONLY,
    Part,
    design,
    field_part,
    hash_part,
    read_part,
    time_part,
)
from tests.core.advice.rules import tablestore_catalogue

PER_SECOND = 20_000
"""More than one node serves, in rows of any size."""

BELOW_PER_SECOND = 20


class Caught(NamedTuple):
    """A design that a rule must find, and the same with little load, where the finding is a note or gone."""

    code: str
    spec: Callable[[], Spec]
    below: Callable[[], Spec] | None = None
    """None: the rule does not depend on load."""
    severity_below: Literal["note"] | None = "note"
    severity: Literal["error", "note"] | None = None
    """None: the rule's own."""


def pad(width: int) -> Part:
    return {"kind": "pad", "width": width}


def ids(id: str, text: str, **more: object) -> Part:  # noqa: A002
    return {**DEVICE, "id": id, "name": id, "values": {"kind": "pattern", "text": text}, **more}


def numbers(id: str, low: int, high: int, **more: object) -> Part:  # noqa: A002
    usual = {
        "kind": "integer",
        "values": {"kind": "range", "min": low, "max": high},
        "distinct": min(1_000, high - low),
    }
    return {**DEVICE, "id": id, "name": id, **usual, **more}


TYPE: Part = {
    "id": "type",
    "name": "device_type",
    "values": {"kind": "enumeration", "items": [{"value": "phone", "weight": 80}, {"value": "tablet", "weight": 20}]},
}
HEX = {**DEVICE, "values": {"kind": "random", "min": 8, "max": 8, "alphabet": "a-f0-9"}}
CITY = (
    {
        "id": "continent",
        "values": {"kind": "enumeration", "items": [{"value": "asia", "weight": 60}, {"value": "europe"}]},
    },
    ids("country", "country{n:02}", distinct=50, belongs_to="continent"),
    ids("city", "city{n:04}", belongs_to="country"),
)
DOMAIN = {
    **DEVICE,
    "id": "domain",
    "name": "domain",
    "kind": "domain",
    "values": {"kind": "pattern", "text": "drive.site{n:03}.com"},
}
LOCATION = {
    "id": "location",
    "values": {
        "kind": "enumeration",
        "items": [{"value": "us-west2"}, {"value": "asia-south1"}, {"value": "europe-west1"}],
    },
}
BALLOON = numbers("balloon", 100_000, 999_999, distinct=240_000, belongs_to="location")
MINUTELY = {"arrival": {"kind": "every", "seconds": 60, "field": "balloon"}, "rate_per_second": None}
MINUTE_NAME = {"id": "minute", "kind": "time", "resolution": "minute", "pattern": "t%Y-%m-%d-%H%M"}
USER = ids("user", "u{n:06}", popularity={"kind": "zipf", "theta": 0.3})
OVERWRITE = {"mode": "overwrite"}
SMALL = {"value": {"kind": "json", "typical_bytes": 40}}
DAY = {"resolution": "day", "pattern": "%Y%m%d"}
WEEK = {"resolution": "week", "pattern": "%Gw%V"}
DAY_OF_CELLS = (read_part(binds=("device",), cell_days=1),)
MINUTE = {"resolution": "minute", "pattern": "%Y-%m-%d-%H%M"}


def at(rate: float, *key: Part, **settings: object) -> Callable[[], Spec]:
    """The design, made when asked for, at this rate."""
    return lambda: design(*key, **{"per_second": rate, **settings})  # type: ignore[arg-type]


def _counter_part(field: str, rate: float) -> Part:
    """Numbers that are counted up, a new one with each event."""
    new = {"growth_per_day": rate * 86_400, "assigned": "sequential", "popularity": {"kind": "latest"}}
    return numbers(field, 1, 10**15 - 1, **new)


MUST_PASS: dict[str, Callable[[], Spec]] = {
    "phone#4c410523#20200501": at(
        PER_SECOND,
        field_part("type", "#"),
        field_part("device", "#"),
        time_part(**DAY),
        fields=(TYPE, {**HEX, "distinct": 100_000}),
        write=OVERWRITE,
        gc={"kind": "union", "rules": [NEWEST_ONLY, {"kind": "max_age", "age_days": 60}]},
        reads=(read_part(binds=("type", "device"), time={"days": 7}),),
    ),
    "asia#india#bangalore": at(
        PER_SECOND,
        field_part("continent", "#"),
        field_part("country", "#"),
        field_part("city"),
        fields=(CITY[0], CITY[1], {**CITY[2], "distinct": 40_000, "values": {"kind": "pattern", "text": "city{n:05}"}}),
        write=OVERWRITE,
        gc=NEWEST_ONLY,
        column=SMALL,
        reads=(read_part(binds=("continent", "country")),),
    ),
    "machine_4223421#1425330757685": at(
        PER_SECOND,
        field_part("machine", "#"),
        time_part(),
        fields=(ids("machine", "machine_{n}", values={"kind": "pattern", "text": "machine_{n}", "start": 4_223_421}),),
        reads=(read_part(binds=("machine",), time={"days": 1}),),
    ),
    "machine_4223421#reversed time": at(
        PER_SECOND,
        field_part("machine", "#"),
        time_part(reversed=True),
        fields=(ids("machine", "machine_{n}", values={"kind": "pattern", "text": "machine_{n}", "start": 4_223_421}),),
        reads=(read_part(binds=("machine",), newest_rows=20),),
    ),
    "altostrat#phone#4c410523#20200501": at(
        PER_SECOND,
        field_part("tenant", "#"),
        field_part("type", "#"),
        field_part("device", "#"),
        time_part(**DAY),
        fields=(
            ids("tenant", "tenant{n:02}", distinct=20, popularity={"kind": "weights", "weights": [40], "rest": 60}),
            TYPE,
            {**HEX, "distinct": 100_000},
        ),
        write=OVERWRITE,
        gc={"kind": "union", "rules": [NEWEST_ONLY, {"kind": "max_age", "age_days": 60}]},
        reads=(read_part(binds=("tenant", "type", "device"), time={"days": 7}),),
    ),
    "com.google.drive": at(
        PER_SECOND,
        field_part("domain", "#", {"kind": "reverse_domain"}),
        field_part("page"),
        fields=(DOMAIN, ids("page", "p{n:07}", distinct=1_000_000)),
        write=OVERWRITE,
        gc=NEWEST_ONLY,
        reads=(read_part(binds=({"field": "domain", "prefix": True},)),),
    ),
    "{hash}_{user_id}": at(
        PER_SECOND,
        hash_part("user", digits=4, after="_"),
        field_part("user"),
        fields=({**USER, "distinct": 100_000, "popularity": {"kind": "uniform"}},),
        write=OVERWRITE,
        gc=NEWEST_ONLY,
        column=SMALL,
        reads=(read_part(binds=("user",)),),
    ),
    "{hash}_{user_id}_{reversed time}": at(
        PER_SECOND,
        hash_part("user", digits=4, after="_"),
        field_part("user", "_"),
        time_part(reversed=True),
        fields=(USER,),
        reads=(read_part(binds=("user",), newest_rows=50),),
    ),
    "us-west2#3698#2021w09, a new cell each minute": at(
        PER_SECOND,
        field_part("location", "#"),
        field_part("balloon", "#"),
        time_part(**WEEK),
        fields=(LOCATION, BALLOON),
        activity=MINUTELY,
        write={"mode": "new_cell"},
        column={"value": {"kind": "small_integers", "typical_bytes": 5}},
        reads=(read_part(binds=("location", "balloon"), exact_time=True),),
    ),
    "us-west2#3698#week1, a new column each minute": at(
        PER_SECOND,
        field_part("location", "#"),
        field_part("balloon", "#"),
        time_part(resolution="week", pattern="week%-V"),
        fields=(LOCATION, BALLOON),
        activity=MINUTELY,
        write={"mode": "new_column"},
        column={"qualifier_from": (MINUTE_NAME,), "value": {"kind": "small_integers", "typical_bytes": 5}},
        reads=(read_part(binds=("location", "balloon"), exact_time=True),),
    ),
    "us-west2#3698#2021-03-05-1200, serialised": at(
        PER_SECOND,
        field_part("location", "#"),
        field_part("balloon", "#"),
        time_part(**MINUTE),
        fields=(LOCATION, BALLOON),
        activity=MINUTELY,
        column={"value": {"kind": "protobuf", "typical_bytes": 30}},
        reads=(read_part(binds=("location", "balloon"), time={"days": 0.5}),),
    ),
    "000016,a100,66661": at(
        PER_SECOND,
        field_part("number", ",", pad(6)),
        field_part("seller", ","),
        field_part("item"),
        fields=(
            numbers("number", 1, 900_000, distinct=100_000),
            ids("seller", "a{n}", values={"kind": "pattern", "text": "a{n}", "start": 100}),
            numbers("item", 10_000, 99_999),
        ),
        gc=NEWEST_ONLY,
        write=OVERWRITE,
        reads=(read_part(binds=("number",)),),
    ),
    **tablestore_catalogue.PASS,
}
"""By the key as the source shows it."""


def _both(code: str, *key: Part, severity_below: Literal["note"] | None = "note", **settings: object) -> Caught:
    return Caught(code, at(PER_SECOND, *key, **settings), at(BELOW_PER_SECOND, *key, **settings), severity_below)


def _users_in_sequence(per_second: float) -> Callable[[], Spec]:
    return at(
        per_second,
        field_part("user", "", pad(15)),
        fields=(_counter_part("user", per_second),),
        reads=(read_part(binds=("user",)),),
    )


def _counter(seconds: float) -> Callable[[], Spec]:
    return at(
        0,
        field_part("device", "#"),
        {"id": "metric", "kind": "literal", "text": "memusage"},
        fields=(HEX,),
        activity={"arrival": {"kind": "every", "seconds": seconds, "field": "device"}, "rate_per_second": None},
        write=OVERWRITE,
        gc=NEWEST_ONLY,
        column={"value": {"kind": "integer", "typical_bytes": 8}},
        reads=(read_part(binds=("device",)),),
    )


def _one_byte_cells(columns: int) -> Callable[[], Spec]:
    """A kilobyte a row, one byte per cell, read as it was written."""
    value = {"kind": "small_integers", "typical_bytes": 1}
    names = [f"c{number:04}" for number in range(columns)]
    return at(
        BELOW_PER_SECOND,
        field_part("device", "#"),
        time_part(),
        activity={"arrival": {"kind": "every", "seconds": 50, "field": "device"}},
        family={"columns": [{"id": name, "qualifier": name, "value": value} for name in names]},
        reads=(read_part(binds=("device",), exact_time=True),),
    )


def _in_tables(*names: str) -> Spec:
    """The same readings in several tables."""
    spec = at(
        PER_SECOND, field_part("device", "#"), time_part(), reads=(read_part(binds=("device",), newest_rows=10),)
    )()
    text = spec.tables[0].model_dump_json(exclude_unset=True)
    tables = [spec.tables[0].model_copy(update={"name": names[0]})]
    for number, name in enumerate(names[1:]):
        own = re.sub(r'"id":"(\w+)"', rf'"id":"\1-{number}"', text)
        tables.append(spec.tables[0].model_validate_json(own).model_copy(update={"name": name}))
    return spec.model_copy(update={"tables": tuple(tables)})


def _leaving_tenants(*key: Part) -> Spec:
    """A tenant leaves each month, and its rows with it."""
    leaves = {"id": "leave", "name": "leave", "activity": "leaving", "mode": "delete_row", "selected_by": ["tenant"]}
    store = {"id": "write", "name": "store", "activity": "activity"}
    fields = (ids("tenant", "t{n:02}", distinct=50), {**DEVICE, "belongs_to": "tenant"})
    reads = (read_part(binds=("tenant", "device"), newest_rows=9),)
    return design(
        *key,
        fields=fields,
        activities=[
            {"id": "activity", "rate_per_second": PER_SECOND},
            {"id": "leaving", "rate_per_second": 1 / (30 * 86_400)},
        ],
        table={"row_kinds": [{"id": "rows", "key": key, "writes": [store, leaves], "reads": reads}]},
    )


def _state_of(per_second: float) -> Callable[[], Spec]:
    """A small state beside a large report, both newest only; the state is what is read."""
    report = {"id": "report", "qualifier": "report", "value": {"kind": "json", "typical_bytes": 20_000}}
    state = {"id": "state", "qualifier": "s", "value": {"kind": "integer"}}
    return at(
        10,
        field_part("device"),
        write=OVERWRITE,
        gc=NEWEST_ONLY,
        family={"columns": [report, state]},
        reads=(read_part(binds=("device",), columns=("state",), newest_versions=1, rate_per_second=per_second),),
    )


def _two_histories(distinct: int) -> Callable[[], Spec]:
    """A thousand versions of one column are read, one of the other."""
    thousand = {"kind": "max_versions", "versions": 1_000}
    value = {"kind": "json", "typical_bytes": 5_000}
    newest = {**read_part(binds=("device",), columns=("settings",), newest_versions=1), "id": "newest"}
    return at(
        0,
        field_part("device"),
        fields=({**DEVICE, "distinct": distinct, "values": {"kind": "pattern", "text": "d{n:06}"}},),
        activity={"arrival": {"kind": "every", "seconds": 8_640, "field": "device"}, "rate_per_second": None},
        write={"mode": "new_cell"},
        family={
            "gc": thousand,
            "columns": [
                {"id": "states", "qualifier": "s", "value": value},
                {"id": "settings", "qualifier": "c", "value": value},
            ],
        },
        reads=(read_part(binds=("device",), columns=("states",), newest_versions=1_000), newest),
    )


MUST_BE_CAUGHT: dict[str, Caught] = {
    "a time alone": _both("K004", time_part(), reads=(read_part(time={"days": 1}),)),
    "a time first": _both(
        "K004", time_part("#"), field_part("device"), reads=(read_part(binds=("device",), exact_time=True),)
    ),
    "a readable day first": _both("K004", time_part("#", **DAY), field_part("device"), write=OVERWRITE),
    "a reversed time first": _both(
        "K004", time_part("#", reversed=True), field_part("device"), reads=(read_part(newest_rows=100),)
    ),
    "users 1, 2, 3 first": Caught("K005", _users_in_sequence(PER_SECOND), _users_in_sequence(BELOW_PER_SECOND)),
    "three regions, then time": _both(
        "K026", field_part("location", "#"), time_part("#"), field_part("device"), fields=(LOCATION, DEVICE)
    ),
    "4c410523#memusage overwritten every second": Caught("K014", _counter(1), _counter(3_600), None),
    "a hash in place of the id": Caught(
        "K006",
        at(
            PER_SECOND,
            hash_part("device", digits=16, after="#"),
            time_part(),
            reads=(read_part(binds=("device",), newest_rows=9),),
        ),
        severity="note",
    ),
    "a salt before the range that is read": Caught(
        "K007",
        at(
            PER_SECOND,
            {"id": "salt_part", "kind": "salt", "fields": (), "modulo": 32, "after": "#"},
            field_part("tenant", "#"),
            field_part("device", "#"),
            time_part(),
            fields=(ids("tenant", "tenant{n:02}", distinct=20), DEVICE),
            reads=(read_part(binds=("tenant", "device"), time={"days": 1 / 24 / 60}),),
        ),
    ),
    "unpadded numbers (3 > 20)": Caught(
        "K009",
        at(
            PER_SECOND,
            field_part("device", "#"),
            field_part("number"),
            fields=(DEVICE, numbers("number", 1, 2_000_000, distinct=1_000)),
            write=OVERWRITE,
            gc=NEWEST_ONLY,
            reads=(read_part(binds=("device",)),),
        ),
    ),
    "no delimiter between texts of any length": Caught(
        "K010",
        at(
            PER_SECOND,
            field_part("number"),
            field_part("item"),
            fields=(numbers("number", 1, 2_000), numbers("item", 1, 2_000)),
            write=OVERWRITE,
            gc=NEWEST_ONLY,
            reads=(read_part(binds=("number", "item")),),
        ),
    ),
    "a colon after ids of any length (a100: and a1001:)": Caught(
        "K011",
        at(
            PER_SECOND,
            field_part("number", ":", pad(6)),
            field_part("seller", ":"),
            field_part("item"),
            fields=(
                numbers("number", 1, 900_000),
                ids("seller", "a{n}", values={"kind": "pattern", "text": "a{n}", "start": 100}, distinct=2_000),
                numbers("item", 1_000, 9_999),
            ),
            write=OVERWRITE,
            gc=NEWEST_ONLY,
            reads=(read_part(binds=("number",)),),
        ),
    ),
    "drive.google.com as it is, read by parent domain": Caught(
        "K017",
        at(
            PER_SECOND,
            field_part("domain"),
            fields=(DOMAIN,),
            write=OVERWRITE,
            gc=NEWEST_ONLY,
            reads=(read_part(binds=({"field": "domain", "prefix": True},)),),
        ),
    ),
    "a read that knows nothing of the key's beginning": Caught(
        "Q001",
        at(
            PER_SECOND,
            field_part("device", "#"),
            field_part("user"),
            fields=(DEVICE, USER),
            write=OVERWRITE,
            gc=NEWEST_ONLY,
            reads=(read_part(binds=("user",)),),
        ),
    ),
    "a row that collects cells for ever": Caught(
        "F004",
        at(
            PER_SECOND,
            field_part("device"),
            fields=({**DEVICE, "distinct": 100_000, "values": {"kind": "pattern", "text": "d{n:06}"}},),
            write={"mode": "new_cell"},
            gc=None,
            reads=(read_part(binds=("device",)),),
        ),
    ),
    "a table per year": Caught("T002", lambda: _in_tables("events_2025", "events_2026")),
    "a table per customer": Caught("T002", lambda: _in_tables("readings_altostrat", "readings_cymbal")),
    "readings of tenants by device, and tenants that leave": Caught(
        "T004", lambda: _leaving_tenants(field_part("device", "#"), time_part())
    ),
    "a report dragged along by those who want the state": Caught("F008", _state_of(5_000), _state_of(50)),
    "a column of a thousand versions beside one of a single version": Caught(
        "F003", _two_histories(100_000), _two_histories(10_000)
    ),
    "a read of two months where one is kept": Caught(
        "F011",
        at(
            PER_SECOND, field_part("device", "#"), time_part(), reads=(read_part(binds=("device",), time={"days": 60}),)
        ),
    ),
    "a row of a year": Caught(
        "R001",
        at(
            PER_SECOND,
            field_part("device", "#"),
            time_part(resolution="year", pattern="%Y"),
            write={"mode": "new_cell"},
            reads=(read_part(binds=("device",), exact_time=True, newest_versions=100),),
            gc={"kind": "max_age", "age_days": 730},
        ),
    ),
    "1,024 one-byte cells": Caught("C003", _one_byte_cells(1_024), _one_byte_cells(49), None),
    "week1 of every year": Caught(
        "R010",
        at(
            PER_SECOND,
            field_part("device", "#"),
            time_part(resolution="week", pattern="week%-V"),
            fields=({**DEVICE, "distinct": 100_000, "values": {"kind": "pattern", "text": "d{n:06}"}},),
            write={"mode": "new_cell"},
            reads=(read_part(binds=("device",), exact_time=True),),
            gc={"kind": "max_age", "age_days": 400},
        ),
    ),
    "a series of versions of one cell": Caught(
        "R005",
        at(PER_SECOND, field_part("device"), write={"mode": "new_cell"}, gc=None, reads=DAY_OF_CELLS),
        at(0.1, field_part("device"), write={"mode": "new_cell"}, gc=None, reads=DAY_OF_CELLS),
    ),
    "more data than the nodes may hold": Caught(
        "I005",
        at(
            PER_SECOND,
            field_part("device", "#"),
            time_part(),
            column={"value": {"kind": "random", "typical_bytes": 2_000}},
            gc={"kind": "max_age", "age_days": 365},
            reads=(read_part(binds=("device",), newest_rows=10),),
            clusters=(
                {"id": "cluster", "name": "main", "region": "us-central1", "nodes": {"kind": "fixed", "count": 8}},
            ),
        ),
    ),
    "one node for the load of several": Caught(
        "I006",
        at(
            PER_SECOND,
            field_part("device", "#"),
            time_part(),
            reads=(read_part(binds=("device",), newest_rows=10),),
            clusters=(
                {"id": "cluster", "name": "main", "region": "us-central1", "nodes": {"kind": "fixed", "count": 1}},
            ),
        ),
        severity="error",
    ),
    "a region without a public price": Caught(
        "I015",
        at(
            PER_SECOND,
            field_part("device", "#"),
            time_part(),
            reads=(read_part(binds=("device",), newest_rows=10),),
            clusters=({"id": "cluster", "name": "main", "region": "me-central2"},),
        ),
    ),
    **{wrong: Caught(*case) for wrong, case in tablestore_catalogue.CAUGHT.items()},
}
"""By what is wrong; the code is the rule that must say so."""
