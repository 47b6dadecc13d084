"""Files that are refused, each with a sentence that names the place; and what is not refused."""

import json
import time

import pytest
from pydantic import ValidationError

from designer.document import InvalidDocumentError, Spec, dump, fingerprint, load, load_file
from designer.document.schema import classes
from designer.document.upgrades import upgrade

DESIGN = """{
  "format": 1,
  "name": "Phones",
  "fields": [
    {"id": "device", "name": "device", "kind": "string", "distinct": 1000},
    {"id": "model", "name": "model", "kind": "string",
      "values": {"kind": "enumeration", "items": [{"value": "a"}, {"value": "b", "weight": 2}]}}
  ],
  "activities": [
    {"id": "seen", "name": "A device is seen", "rate_per_second": 10}
  ],
  "tables": [
    {
      "id": "readings",
      "row_kinds": [
        {
          "id": "reading",
          "key": [
            {"id": "k1", "kind": "field", "field": "device", "after": "#"},
            {"id": "k2", "kind": "time", "pattern": "%Y%m%d"}
          ],
          "writes": [{"id": "w1", "activity": "seen"}]
        }
      ],
      "families": [
        {
          "id": "stats",
          "name": "stats",
          "gc": {"kind": "union", "rules": [
            {"kind": "max_age", "age_days": 30},
            {"kind": "max_versions", "versions": 1}
          ]},
          "columns": [{"id": "temperature", "qualifier": "t"}]
        }
      ]
    }
  ],
  "instance": {"prices": [{"sku": "node", "usd": "0.65"}]}
}
"""

# ruff: noqa: E501  (a table of sentences)
BROKEN = [
    ("a misspelt key", '"age_days"', '"max_age_days"',
     'line 30: tables[0].families[0].gc.rules[0].max_age_days: unknown key; did you mean "age_days"?'),
    ("an unknown key", '"age_days": 30', '"age_days": 30, "colour": "red"',
     "line 30: tables[0].families[0].gc.rules[0].colour: unknown key; use one of kind, age_days"),
    ("a needed key that lacks", '"age_days": 30', '"kind": "max_age"', "line 30: tables[0].families[0].gc.rules[0].kind: duplicate key"),
    ("an unknown kind", '"max_versions"', '"max_version"',
     'line 31: tables[0].families[0].gc.rules[1].kind: "max_version" is not allowed here; did you mean "max_versions"?'),
    ("a wrong choice", '"name": "Phones"', '"engine": "bigtabel"',
     'line 3: engine: "bigtabel" is not one of bigtable, tablestore; did you mean "bigtable"?'),
    ("a key that stands twice", '"name": "Phones"', '"format": 1',
     "line 3: format: duplicate key; the first is on line 2"),
    ("an id that stands twice", '"id": "k2"', '"id": "k1"',
     'line 20: tables[0].row_kinds[0].key[1].id: the id "k1" is used more than once, first at tables[0].row_kinds[0].key[0]'),
    ("a reference to nothing", '"field": "device"', '"field": "devise"',
     'line 19: tables[0].row_kinds[0].key[0].field: no field has the id "devise"; did you mean "device"?'),
    ("a reference to another kind of thing", '"field": "device"', '"field": "seen"',
     'line 19: tables[0].row_kinds[0].key[0].field: "seen" is the id of an element of another kind, not of a field'),
    ("a negative rate", '"rate_per_second": 10', '"rate_per_second": -10',
     "line 10: activities[0].rate_per_second: -10 is too small: the minimum is 0"),
    ("an infinite rate", '"rate_per_second": 10', '"rate_per_second": 1e999',
     "line 10: activities[0].rate_per_second: must be a finite number"),
    ("a rate that is no number", '"rate_per_second": 10', '"rate_per_second": NaN',
     "line 10: activities[0].rate_per_second: must be a finite number"),
    ("a text for a rate", '"rate_per_second": 10', '"rate_per_second": "often"',
     'line 10: activities[0].rate_per_second: "often" is not a number'),
    ("a cardinality of 0", '"distinct": 1000', '"distinct": 0',
     "line 5: fields[0].distinct: 0 is too small: the minimum is 1"),
    ("more values than are listed", '"kind": "string",\n', '"kind": "string", "distinct": 3,\n',
     "line 6: fields[1].distinct: 3 distinct values exceed the 2 possible values"),
    ("more values than the alphabet can spell", '"distinct": 1000',
     '"distinct": 1000, "values": {"kind": "random", "min": 2, "max": 2, "alphabet": "0-9"}',
     "line 5: fields[0].distinct: 1000 distinct values exceed the 100 possible values"),
    ("a busiest value that others are above", '"distinct": 1000',
     '"distinct": 1000, "popularity": {"kind": "zipf", "theta": 0.99, "busiest": [0.1]}',
     "line 5: fields[0].popularity.busiest: the next value would receive 0.116,"),
    ("a busiest value of however many that others are above", '"kind": "string", "distinct": 1000',
     '"kind": "string", "popularity": {"kind": "zipf", "theta": 1.4, "busiest": [0.2, 0.1]}',
     "line 5: fields[0].popularity.busiest: the next value would receive 0.225,"),
    ("a busiest value that an activity draws", '"rate_per_second": 10',
     '"draws": [{"field": "model", "popularity": {"kind": "zipf", "theta": 0.9, "busiest": [0.4]}}]',
     "line 10: activities[0].draws[0].popularity.busiest: the next value would receive 0.6, more than the 0.4 of"),
    ("a value that is listed twice", '"value": "b"', '"value": "a"',
     'line 7: fields[1].values.items: the value "a" is listed more than once'),
    ("a price of -1", '"usd": "0.65"', '"usd": "-1"', 'line 38: instance.prices[0].usd: "-1" is too small'),
    ("a bad id", '"id": "seen"', '"id": "Seen it"', 'line 10: activities[0].id: "Seen it" is not an id'),
    ("seconds for a date", '"name": "Phones",', '"name": "Phones", "start": 0,',
     "line 3: start: 0 is not a date; use the format 2026-01-31"),
    ("seconds in a text for a date", '"name": "Phones",', '"name": "Phones", "start": "1764201600",',
     'line 3: start: "1764201600" is not a date; use the format 2026-01-31'),
    ("a part of a date that does not exist", "%Y%m%d", "%Y%q",
     'line 20: tables[0].row_kinds[0].key[1].pattern: "%q" is not a date directive'),
    ("a date that is also raw", '"%Y%m%d"', '"%Y%m%d", "raw": true',
     "line 20: tables[0].row_kinds[0].key[1].raw: readable text cannot be raw"),
    ("a list that is none", '"columns": [{"id": "temperature", "qualifier": "t"}]', '"columns": "t"',
     'line 33: tables[0].families[0].columns: "t" is not a list'),
    ("a lone backslash", '"after": "#"', '"after": "\\\\#"', "line 19: tables[0].row_kinds[0].key[0].after: write a backslash as \\\\, a byte"),
    ("an empty policy", '[\n            {"kind": "max_age", "age_days": 30},\n            {"kind": "max_versions", "versions": 1}\n          ]',
     "[]", "line 29: tables[0].families[0].gc.rules: at least one is required"),
    ("a comma too many", '"name": "Phones",', '"name": "Phones",,', "line 3: invalid JSON: "),
    ("a newer format", '"format": 1', '"format": 7', "line 2: format: the format 7 is newer than 1, the newest format that"),
    ("two counters", '"distinct": 1000', '"values": {"kind": "pattern", "text": "a{n}-{n:03}"}',
     "line 5: fields[0].values.text: \"a{n}-{n:03}\" needs exactly one counter, {n} or zero-padded {n:06}"),
    ("a range backwards", '"distinct": 1000', '"values": {"kind": "range", "min": 5, "max": 2}',
     "line 5: fields[0].values.min: 5 is greater than max, which is 2"),
    ("fields that own each other", '"distinct": 1000', '"belongs_to": "device"',
     "line 5: fields[0].belongs_to: belongs_to refers back to this field in a cycle"),
    ("words for a number", '"kind": "string",\n', '"kind": "integer",\n', "line 7: fields[1].values.items[0].value: 'a' is not a number"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "sentence"), [case[1:] for case in BROKEN], ids=[case[0] for case in BROKEN])
def test_a_broken_file_is_refused_with_line_and_place(old: str, new: str, sentence: str) -> None:
    assert old in DESIGN

    with pytest.raises(InvalidDocumentError) as refused:
        load(DESIGN.replace(old, new, 1))

    assert str(refused.value).startswith(sentence)


def test_the_unbroken_file_loads() -> None:
    assert load(DESIGN).find("stats").gc.rules[0].age_days == 30


def test_all_that_is_wrong_is_told_at_once_up_to_ten() -> None:
    two = DESIGN.replace('"distinct": 1000', '"distinct": 0').replace('"age_days": 30', '"age_days": -30')
    with pytest.raises(InvalidDocumentError, match=r"line 5: .*\nline 30: ") as refused:
        load(two)
    assert len(refused.value.problems) == 2

    many = {"fields": [{"id": f"f{n}", "distinct": 0} for n in range(14)]}
    with pytest.raises(InvalidDocumentError, match=r"and 4 more$") as refused:
        load(json.dumps(many), name="many.json")
    assert len(str(refused.value).splitlines()) == 11
    assert str(refused.value).startswith("many.json, line 1: fields[0].distinct: 0 is too small")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "the file is empty"),
        (b"[]", "a design is a JSON object"),
        (b'{"name": "\xff"}', "line 1: not UTF-8 text: contains the byte 0xff"),
        (b'{"name": "' + b"x" * 2_000_000 + b'"}', "the design is larger than 2 MB"),
        (b'{"a":' * 65 + b"1" + b"}" * 65, "lists and objects are nested more than 64 levels deep"),
        (b"[" * 1_000_000, "lists and objects are nested more than 64 levels deep"),
        (b'{"horizon_months": ' + b"9" * 5_000 + b"}", "contains a number with thousands of digits"),
        (b'{"name": "\\ud800"}', "contains an unpaired surrogate (\\ud800)"),
        (b'{"name": "a', "line 1: invalid JSON: unterminated string"),
        (b'{"name": 1, "name": 2', "line 1: invalid JSON"),
        (b'"' + b'\\"' * 900_000, "line 1: invalid JSON"),
    ],
    ids=lambda held: held[:12] if isinstance(held, bytes) else None,
)
def test_what_is_no_design_is_refused_quickly(text: bytes, sentence: str) -> None:
    start = time.process_time()

    with pytest.raises(InvalidDocumentError) as refused:
        load(text)

    assert str(refused.value).startswith(sentence)
    assert time.process_time() - start < 2


def test_a_missing_file_is_named(tmp_path) -> None:
    with pytest.raises(InvalidDocumentError, match=r"none\.json: file not found"):
        load_file(tmp_path / "none.json")
    with pytest.raises(InvalidDocumentError, match="this is a directory"):
        load_file(tmp_path)


def test_unfinished_and_oversized_designs_are_not_refused() -> None:
    load("{}")
    load('{"tables": [{}]}')
    load('{"tables": [{"row_kinds": [{"key": [{"kind": "literal", "text": "%s"}]}]}]}' % ("x" * 5_120))
    load('{"instance": {"clusters": [{"region": "mars-north1"}]}}')
    assert load('{"fields": [{"name": "trip", "distinct": 1e15}]}').fields[0].distinct == 10**15
    load('{"fields": [{"kind": "string", "distinct": 5000, "values": {"kind": "pattern", "text": "u{n:02}"}}]}')


def test_missing_ids_come_from_names_and_places_and_are_always_the_same() -> None:
    text = """{"fields": [{"name": "Device Id"}, {}, {"id": "events"}],
      "tables": [{"name": "events", "row_kinds": [
        {"key": [{"kind": "field", "field": "device-id"}, {"kind": "time"}]}]}],
      "instance": {"clusters": [{"name": "tokyo"}, {}]}}"""

    spec = load(text)

    assert [element.id for element in spec.elements()] == [
        "device-id", "fields-1", "events", "tables-events", "tables-events-row-kinds-0",
        "tables-events-row-kinds-0-key-0", "tables-events-row-kinds-0-key-1", "tokyo", "clusters-1",
    ]  # fmt: skip
    assert load(text) == spec


def test_load_and_dump_are_each_others_inverse() -> None:
    spec = load(DESIGN)

    assert load(dump(spec)) == spec
    assert dump(load(dump(spec))) == dump(spec)
    assert fingerprint(load(dump(spec))) == fingerprint(spec)
    assert fingerprint(spec) != fingerprint(load(DESIGN.replace("Phones", "Telephones")))


def test_what_is_not_set_is_absent_from_the_file() -> None:
    assert dump(Spec()) == '{\n  "format": 1\n}\n'
    assert '"weight": 1' not in dump(load(DESIGN))


def test_an_older_format_is_upgraded_step_by_step() -> None:
    steps = {1: lambda data: {"title": data["name"]}, 2: lambda data: {"heading": data["title"]}}

    assert upgrade({"name": "x"}, steps, current=3) == {"heading": "x", "format": 3}
    assert upgrade({"format": 2, "title": "x"}, steps, current=3) == {"heading": "x", "format": 3}


@pytest.mark.parametrize(
    "text",
    [
        r'{"b": {"x": 1, "x": 2}, "\u12',
        r'{"x": 1, "x": 2, c\q: 3, c\q: 4}',
        r'{"o": {"x": 1, "x": 1}, "c\q": 3}',
        r'{"x": 1, "x": 2, "\ud800": ]]}}',
        '{"x": 1, "x": 2}}}]',
    ],
)
def test_a_key_that_is_there_twice_before_a_broken_rest_is_refused_with_a_line(text: str) -> None:
    with pytest.raises(InvalidDocumentError) as refused:
        load(text)

    assert refused.value.problems[0].line == 1


def test_what_takes_a_number_takes_no_truth_and_no_text_and_the_other_way_round() -> None:
    """Of every class and field, as its schema says: pydantic alone takes true for 1 and "1", too."""

    def is_refused(model: type, name: str, value: object) -> bool:
        try:
            model.__pydantic_validator__.validate_python({name: value})
        except ValidationError as error:
            return any(one["loc"][:1] == (name,) and one["type"] != "missing" for one in error.errors())
        return False

    numbers = truths = 0
    for model in classes():
        for name, field in model.model_fields.items():
            for count in (0, 1, 168):  # itself, or a list of so many
                one, truth, text = ([held] * count if count else held for held in (1, True, "1"))
                if not is_refused(model, name, one):
                    numbers += 1
                    assert is_refused(model, name, truth), f"{model.__name__}.{name} takes true for 1"
                    place = f"{model.__name__}.{name}"
                    assert is_refused(model, name, text) or "Decimal" in str(field.annotation), place
            if not is_refused(model, name, True):
                truths += 1
                assert is_refused(model, name, "true"), f"{model.__name__}.{name} takes a text for true"
    assert (numbers > 50, truths > 20) == (True, True)
