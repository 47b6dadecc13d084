"""Tablestore's secondary indexes: exported with their table, read back, refused where the service refuses them."""

import ast
import json
from typing import Any

from designer.document import Spec
from designer.document.load import from_data
from designer.imports import read
from reviews.exports.tablestore import make
from reviews.exports.terraform import make as terraform
from tests.cases import cases
from tests.contexts import Content

Data = dict[str, Any]


def design(**changed: Any) -> Data:
    """Calls by number and time, and two indexes: of the called number, and of the station within a caller."""
    columns = [{"id": f"c-{name}", "qualifier": name, "value": {"kind": kind}}
               for name, kind in (("called", "text"), ("seconds", "integer"), ("station", "integer"))]  # fmt: skip

    def index(name: str, how: str, keys: list[tuple[str, str]], covered: list[str]) -> Data:
        return {"id": name, "name": name, "derived_from": {"table": "calls", "how": how},
                "row_kinds": [{"id": f"r-{name}", "key_columns": [
                    {"id": f"{name}-{each}", "name": each, "type": kind} for each, kind in keys]}],
                "families": [{"id": f"f-{name}", "columns": [
                    {"id": f"{name}-{each}-a", "qualifier": each} for each in covered]}]}  # fmt: skip

    calls = {"id": "calls", "name": "calls", "tablestore": {"max_versions": 1, "ttl_seconds": -1},
             "row_kinds": [{"id": "r", "key_columns": [
                 {"id": "k1", "name": "number", "type": "INTEGER"}, {"id": "k2", "name": "start", "type": "INTEGER"}]}],
             "families": [{"id": "f", "columns": columns}]}  # fmt: skip
    return {
        "name": "Calls", "engine": "tablestore",
        "tables": [
            {**calls, **changed},
            index("by_called", "global_index", [("called", "STRING"), ("number", "INTEGER")], ["seconds"]),
            index("by_station", "local_index", [("number", "INTEGER"), ("station", "INTEGER")], []),
        ],
    }  # fmt: skip


def request_of(spec: Spec) -> Data:
    (request,) = json.loads(make(Content(spec)).files[0].text)
    assert isinstance(request, dict)
    return request


def test_indexes_are_in_the_request_of_their_table_with_the_columns_that_they_need() -> None:
    request = request_of(from_data(design()))

    assert request["table_meta"]["defined_column"] == [
        {"name": "called", "type": "DCT_STRING"}, {"name": "seconds", "type": "DCT_INTEGER"},
        {"name": "station", "type": "DCT_INTEGER"},
    ]  # fmt: skip
    assert request["index_metas"] == [
        {"name": "by_called", "primary_key": ["called", "number"], "defined_column": ["seconds"],
         "index_update_mode": "IUM_ASYNC_INDEX", "index_type": "IT_GLOBAL_INDEX"},
        {"name": "by_station", "primary_key": ["number", "station"], "defined_column": [],
         "index_update_mode": "IUM_SYNC_INDEX", "index_type": "IT_LOCAL_INDEX"},
    ]  # fmt: skip


def test_the_program_makes_the_same_indexes() -> None:
    program = make(Content(from_data(design()))).files[1].text
    spoken: list[Any] = []

    class Recorder:
        def __getattr__(self, name: str) -> Any:
            return lambda *arguments, **named: (name, arguments, tuple(named.items()))

    class Client:
        def __init__(self, *_: Any) -> None:
            pass

        def create_table(self, *arguments: Any) -> None:
            spoken.append(arguments)

    recorder = Recorder()
    names = ("CapacityUnit", "ReservedThroughput", "SecondaryIndexMeta", "TableMeta", "TableOptions")
    kinds = type("SecondaryIndexType", (), {"LOCAL_INDEX": "local", "GLOBAL_INDEX": "global"})
    parts = [one for one in ast.parse(program).body if not isinstance(one, ast.ImportFrom | ast.Import | ast.If)]
    environ = {f"OTS_{one}": one for one in ("ENDPOINT", "ACCESS_KEY_ID", "ACCESS_KEY_SECRET", "INSTANCE")}
    space: Data = {name: getattr(recorder, name) for name in names} | {
        "OTSClient": Client, "PK_AUTO_INCR": "auto", "SecondaryIndexType": kinds, "print": lambda *_: None,
        "os": type("os", (), {"environ": environ}),
    }  # fmt: skip
    exec(compile(ast.Module(parts, []), "program", "exec"), space)
    space["main"]()

    ((meta, _, _, indexes),) = spoken
    assert meta[1] == ("calls", [("number", "INTEGER"), ("start", "INTEGER")],
                       [("called", "STRING"), ("seconds", "INTEGER"), ("station", "INTEGER")])  # fmt: skip
    assert [one[1] for one in indexes] == [
        ("by_called", ["called", "number"], ["seconds"], "global"),
        ("by_station", ["number", "station"], [], "local"),
    ]


def test_streams_and_encryption_are_in_the_request_and_the_program_says_that_it_lacks_them() -> None:
    settings = {"max_versions": 1, "ttl_seconds": -1, "stream_hours": 48, "encrypted": True}

    made = make(Content(from_data(design(tablestore=settings))))
    (request,) = json.loads(made.files[0].text)

    assert request["stream_spec"] == {"enable_stream": True, "expiration_time": 48}
    assert request["sse_spec"] == {"enable": True, "key_type": "SSE_KMS_SERVICE"}
    assert sum("SDK for Python" in str(note) for note in made.notes) == 2


def test_what_was_exported_comes_back() -> None:
    settings = {"max_versions": 1, "ttl_seconds": -1, "stream_hours": 48, "encrypted": True}
    text = make(Content(from_data(design(tablestore=settings)))).files[0].text

    found = read(text)

    assert found.remarks == ()
    calls, called, station = found.spec.tables
    assert calls.tablestore is not None
    assert (calls.tablestore.stream_hours, calls.tablestore.encrypted) == (48, True)
    assert [one.derived_from.how for one in (called, station) if one.derived_from] == ["global_index", "local_index"]
    assert [(one.name, one.type) for one in called.row_kinds[0].key_columns] == [
        ("called", "STRING"), ("number", "INTEGER"),
    ]  # fmt: skip
    assert request_of(found.spec) == json.loads(text)[0]


def test_the_names_of_sdks_are_understood() -> None:
    data = {"table_meta": {"table_name": "t", "schema_of_primary_key": [["gid", "INTEGER"]],
                           "defined_columns": [["i", "INTEGER"], ["s", "STRING"]]},
            "secondary_indexes": [{"index_name": "x", "primary_key_names": ["i", "s", "other"],
                                   "defined_column_names": [], "index_type": 1}]}  # fmt: skip

    found = read(json.dumps(data))

    assert [(one.name, one.type) for one in found.spec.tables[1].row_kinds[0].key_columns] == [
        ("i", "INTEGER"), ("s", "STRING"), ("other", "STRING"),
    ]  # fmt: skip
    assert found.spec.tables[1].derived_from is not None
    assert found.spec.tables[1].derived_from.how == "local_index"
    assert [one.where for one in found.remarks] == ["x"]


def test_updates_are_prohibited_where_rows_go_by_their_time_to_live() -> None:
    lasting, going = (
        request_of(from_data(design(tablestore={"max_versions": 1, "ttl_seconds": ttl})))["table_options"]
        for ttl in (-1, 864_000)
    )

    assert "allow_update" not in lasting
    assert going["allow_update"] is False


def refused(change: Any) -> list[tuple[str, str]]:
    data = design()
    change(data["tables"])
    return [(one.at, str(one)) for one in make(Content(from_data(data))).refusals]


@cases("change, at, said", [
        (lambda tables: tables[0]["tablestore"].update(max_versions=2), "by_called", "require one version"),
        (lambda tables: (tables[0]["tablestore"].update(ttl_seconds=864_000), tables[0]["row_kinds"][0].update(
            writes=[{"id": "w", "mode": "overwrite"}])), "by_station", "cannot be updated"),
        (lambda tables: tables[1]["row_kinds"][0]["key_columns"][0].update(name="x"), "by_called", "by its name"),
        (lambda tables: tables[1]["row_kinds"][0].update(key_columns=[]), "by_called", "one to four"),
        (lambda tables: tables[2]["row_kinds"][0]["key_columns"].reverse(), "by_station", "partition key"),
        (lambda tables: tables[1]["families"][0]["columns"][0].update(qualifier="x"), "by_called", "attribute column"),
        (lambda tables: tables[2]["derived_from"].update(table="by_called"), "by_station", "not in the files"),
        (lambda tables: tables.extend({**tables[1], "id": f"i{n}", "name": f"i{n}", "row_kinds": [{
            "id": f"r{n}", "key_columns": [{"id": f"k{n}-", "name": "called"}]}], "families": []} for n in range(4)),
         "i3", "at most five"),
    ])  # fmt: skip
def test_indexes_that_the_service_does_not_make_are_refused(change: Any, at: str, said: str) -> None:
    assert any(place == at and said in text for place, text in refused(change))


def test_bigtable_has_no_indexes_of_its_own() -> None:
    data = design()
    data["engine"] = "bigtable"

    made = terraform(Content(from_data(data)))

    assert [one.at for one in made.refusals] == ["by_called", "by_station"]
