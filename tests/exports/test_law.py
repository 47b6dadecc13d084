"""The law of exports: every field that a design sets changes the files or a remark, or a note names it as omitted.

The design is the stored file that sets every field of every class, with an instance and backups that tools accept, so
that no refusal of a whole part hides what is inside of it.
"""

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from designer.document import FORMAT, Spec, fingerprint
from designer.document.base import Model, path_text, slots
from designer.document.engines import description_of
from designer.document.groups import title
from designer.document.instance import Autoscaling
from designer.document.load import from_data
from designer.document.schema import classes
from designer.document.validation_errors import InvalidDocumentError
from designer.wording.formatting import english
from reviews.exports import NAMES, ExportResult, format_named
from tests.contexts import Content

Data = dict[str, Any]
Path_ = tuple[str | int, ...]

STORED = Path(__file__).parents[1] / f"core/document/formats/{FORMAT}.json"
PEOPLES = ("pdf", "markdown", "csv")
"""Documents for people, of computed figures, which almost every field moves."""
TOOLS = [name for name in NAMES if name not in (*PEOPLES, "json")]
REFUSED = {("cbt", Autoscaling)}
"""Parts whose whole element the format refuses, so that nothing inside of them changes anything."""
PARTLY = {
    "row_key_schema": {"FieldSegment.transforms", "DerivedSegment.transforms"},
    "hbase": {"Instance.storage", "Spec.start"},
    "terraform": {"Spec.start"},
    "cbt": {"Spec.start"},
    "gcloud": {"Spec.start"},
    "tablestore": {"Instance.tablestore_type"},
}
"""Omitted fields with a value that matters: big-endian numbers are a type, on some storage a setting is refused,
and the name of the first table of a set has its date."""
FIXED = {"id", "kind", "format", "engine"}
"""Fields that are no choice of a part: its id, its class, and what the whole document is for."""


@cache
def stored_file_text() -> str:
    return STORED.read_text(encoding="utf-8")


@cache
def rich(engine: str) -> Data:
    """Return the data of a design that sets every field, and that tools accept; it is shared, and not to be changed."""
    data: Data = json.loads(stored_file_text())
    data["engine"] = engine
    events = data["tables"][0]
    events |= {"backups": [{"id": "b1", "kept_days": 14.0}], "split_keys": ["g", "t"], "deletion_protection": True}
    data["tables"].append({
        "id": "plain", "name": "plain", "split_keys": ["g", "t"], "families": [
            {"id": "pf1", "name": "age", "gc": {"kind": "max_age", "age_days": 5.0}},
            {"id": "pf2", "name": "versions", "gc": {"kind": "max_versions", "versions": 4}},
        ],
        "tablestore": {"ttl_seconds": 90_000, "max_versions": 2, "reserved_read_cu": 3, "reserved_write_cu": 4},
        "row_kinds": [{"id": "pr", "key_columns": [
            {"id": "pk1", "name": "a", "segments": [{"id": "ps1", "kind": "field", "field": "device"}]},
            {"id": "pk2", "name": "b", "type": "INTEGER"},
        ]}] if engine == "tablestore" else [{"id": "pr", "name": "rows", "key": [
            {"id": "ps1", "kind": "literal", "text": "p", "after": "#"},
            {"id": "ps2", "kind": "field", "field": "line", "after": "#"},
            {"id": "ps3", "kind": "derived", "field": "line", "how": {"kind": "bucket", "size": 10}, "after": "#"},
            {"id": "ps4", "kind": "time", "pattern": "%Y%m%d"},
        ]}],
    })  # fmt: skip
    if engine == "tablestore":
        events["row_kinds"][0]["reads"][1].pop("row_kinds")  # which are in the other table then
        data["tables"].append({"id": "keyed", "name": "keyed", "row_kinds": events["row_kinds"][:1]})
        events["row_kinds"] = events["row_kinds"][1:]
        events["tablestore"] = data["tables"][-2]["tablestore"]
    data["tables"].append({"id": "raw", "name": "raw", "row_kinds": [{"id": "rr", "key": [
        {"id": "rs", "kind": "time", "raw": True}]}]})  # fmt: skip
    if engine == "bigtable":
        grades = {"kind": "enumeration", "items": [{"value": "a"}, {"value": "b"}]}
        data["fields"].insert(-1, {"id": "grade", "name": "grade", "values": grades})
        data["tables"].append({"id": "listed", "name": "listed", "row_kinds": [{"id": "lr", "key": [
            {"id": "ls1", "kind": "field", "field": "tenant", "after": "#"},
            {"id": "ls2", "kind": "field", "field": "token", "after": "#"},
            {"id": "ls3", "kind": "field", "field": "grade"},
        ]}]})  # fmt: skip
    tokyo = {"id": "c1", "name": "tokyo-main", "region": "asia-northeast1", "zone": "asia-northeast1-a"}
    osaka = {"id": "c2", "name": "osaka-copy", "region": "asia-northeast2", "zone": "asia-northeast2-a"}
    scaling = {"kind": "autoscaling", "min": 1, "max": 9, "cpu_target": 0.5, "storage_target_gib": 3000.0}
    data["instance"] |= {
        "storage": "ssd",
        "clusters": [
            {**tokyo, "nodes": {"kind": "fixed", "count": 3}},
            *([] if engine == "tablestore" else [{**osaka, "nodes": scaling}]),
        ],
        "app_profiles": [
            {"id": "batch", "name": "batch", "routing": "single", "clusters": ["c1"], "priority": "low"},
            {"id": "serving", "name": "serving"},
            {"id": "tx", "name": "tx", "routing": "single", "clusters": ["c1"], "transactions": True},
            {"id": "boost", "name": "boost", "routing": "single", "clusters": ["c1"], "data_boost": True},
        ],
        "tablestore_type": "high_performance",
    }
    return data


def parts(model: type[Model], value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, type[Model]]]:
    """Yield the path and the class of every part in a document's data."""
    if isinstance(value, dict):
        yield path, model
        for name, slot in slots(model).items():
            inner = value.get(name)
            for number, one in enumerate(inner if isinstance(inner, list) else [inner]):
                if isinstance(one, dict):
                    cls = slot.kinds[one["kind"]] if slot.kinds else slot.classes[0]
                    yield from parts(cls, one, (*path, name, number) if slot.many else (*path, name))


def at(data: Any, path: Path_) -> Any:
    for step in path:
        data = data[step]
    return data


@cache
def candidates() -> dict[tuple[type[Model], str], list[Any]]:
    """Values that the field of a class has anywhere in the stored file; those of fields of models stand there too."""
    data = json.loads(stored_file_text())
    values: dict[tuple[type[Model], str], list[Any]] = {}
    for path, model in parts(Spec, data):
        for name, value in at(data, path).items():
            values.setdefault((model, name), []).append(value)
    return values


def copy_on_path(data: Any, path: Path_) -> Any:
    """Return the data with copies of what the path leads through, down to the part at its end."""
    held = dict(data) if isinstance(data, dict) else list(data)
    if path:
        held[path[0]] = copy_on_path(data[path[0]], path[1:])
    return held


def otherwise(engine: str, path: Path_, model: type[Model], name: str) -> Iterator[Spec]:
    """Yield the design with one field of one part set to something else: to a stored value, then to nothing."""
    places = range(len(other_values(engine, path, model, name)))
    return (spec for place in places if (spec := changed_spec(engine, path, model, name, place)) is not None)


@cache
def other_values(engine: str, path: Path_, model: type[Model], name: str) -> list[Any]:
    """Return what the field is set to instead of what it is; None stands for leaving it out."""
    current = at(rich(engine), path).get(name)
    near = [current + 1] if type(current) in (int, float) else [current[:-1]] if isinstance(current, list) else []
    near += [f"{current} too"] if isinstance(current, str) else []
    return [value for value in (*candidates().get((model, name), ()), *near, None) if value != current]


@cache
def changed_spec(engine: str, path: Path_, model: type[Model], name: str, place: int) -> Spec | None:
    """Return the design with one of the other values, None if it is no design; read once for all formats."""
    value = other_values(engine, path, model, name)[place]
    changed = copy_on_path(rich(engine), path)
    if value is None:
        del at(changed, path)[name]
    else:
        at(changed, path)[name] = value
    try:
        return from_data(changed)
    except InvalidDocumentError:
        return None


def outcome(name: str, spec: Spec) -> tuple[ExportResult, tuple[object, ...], tuple[object, ...]]:
    """Return the result, its files without the hash of the design, and its remarks but for that of omissions."""
    made = outcome_of(name, spec)
    files = tuple((file.name, file.text.replace(fingerprint(spec), "")) for file in made.files)
    return made, files, tuple((one.at, str(one)) for one in (*made.notes, *made.refusals) if "titles" not in one.params)


def outcome_of(name: str, spec: Spec) -> ExportResult:
    return format_named(name).make(Content(spec))


def omitted_titles(made: ExportResult) -> set[str]:
    return {english(text.message, text.params) for one in made.notes for text in one.params.get("titles", ())}


@cache
def rich_spec(engine: str) -> Spec:
    return from_data(rich(engine))


@cache
def rich_parts(engine: str) -> dict[Path_, type[Model]]:
    return dict(parts(Spec, rich(engine)))


def is_omitted(name: str, path: Path_, model: type[Model], field: str) -> bool:
    """Return whether the format omits the field, or one that the part is in."""
    omits, has_field = format_named(name).omits, description_of(rich_spec(format_named(name).engines[0])).has_field
    return field in omits.get(model, ()) or not has_field(model, field) or is_inside_omitted(name, path)


def is_inside_omitted(name: str, path: Path_) -> bool:
    """Return whether a part is in a field that the format omits."""
    engine = format_named(name).engines[0]
    omits, has_field = format_named(name).omits, description_of(rich_spec(engine)).has_field
    ways = rich_parts(engine)
    above = ((ways[path[:length]], step) for length, step in enumerate(path) if isinstance(step, str))
    return any(one in omits.get(cls, ()) or not has_field(cls, one) for cls, one in above)


def fields(name: str) -> dict[tuple[type[Model], str], list[Path_]]:
    """Return where the fields stand that the design of a format sets."""
    data = rich(format_named(name).engines[0])
    places: dict[tuple[type[Model], str], list[Path_]] = {}
    for path, model in rich_parts(format_named(name).engines[0]).items():
        for field in at(data, path):
            if field not in FIXED:
                places.setdefault((model, field), []).append(path)
    return places


def test_the_design_holds_every_class_and_sets_what_the_stored_file_sets() -> None:
    held = {model for _, model in parts(Spec, rich("bigtable"))}

    assert [model.__name__ for model in classes() if model not in held] == []


@pytest.mark.parametrize("name", [*TOOLS, "csv"])
def test_every_field_changes_a_file_or_a_remark_or_is_named_as_omitted(name: str) -> None:
    engine = format_named(name).engines[0]
    _, files, remarks = outcome(name, rich_spec(engine))

    silent = [
        f"{model.__name__}.{field} ({path_text(places[0])})"
        for (model, field), places in fields(name).items()
        if (name, model) not in REFUSED
        and not all(is_omitted(name, path, model, field) for path in places)
        and not any(
            outcome(name, changed)[1:] != (files, remarks)
            for path in places
            for changed in otherwise(engine, path, model, field)
        )
    ]

    assert silent == []


ALMOST_ALL = [pytest.param(name, marks=[pytest.mark.slow] * (name == "pdf")) for name in NAMES if name != "json"]
"""Of these, the PDF computes ranges of what is assumed, which takes seconds."""


@pytest.mark.parametrize("name", ALMOST_ALL)
def test_a_note_names_what_a_format_omits(name: str) -> None:
    spec = rich_spec(format_named(name).engines[0])

    titles = {each.rpartition(" › ")[2] for each in omitted_titles(outcome_of(name, spec))}

    expected = {
        title(spec, model, field)
        for (model, field), places in fields(name).items()
        for path in places
        if field in format_named(name).omits.get(model, ()) and not is_inside_omitted(name, path)
    }
    assert expected
    assert expected - titles == set()


@pytest.mark.parametrize("name", TOOLS)
def test_what_a_note_names_as_omitted_is_not_in_the_files(name: str) -> None:
    engine = format_named(name).engines[0]
    _, files, _ = outcome(name, rich_spec(engine))

    present = [
        f"{model.__name__}.{field}"
        for (model, field), places in fields(name).items()
        for path in places[:1]
        for changed in islice(otherwise(engine, path, model, field), 1)
        if field in format_named(name).omits.get(model, ()) and outcome(name, changed)[1] != files
    ]

    assert set(present) <= PARTLY.get(name, set())
