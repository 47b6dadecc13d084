"""No command lets a design write to a terminal or a CI log: a hostile one is given to each that prints its texts.

`fmt` and `export` to standard output print files, byte by byte.
"""

import json
import sys
import unicodedata

import pytest

from config.commandline import main
from designer.document import dump
from designer.wording.printable import printable_json
from tests.designs import HOSTILE, hostile

STEERING = {"\u061c", "\u200e", "\u200f", *map(chr, range(0x2028, 0x202F)), *map(chr, range(0x2066, 0x206A)), "\ufeff"}


def steering(text: str) -> set[str]:
    return {sign for sign in text if sign in STEERING or (unicodedata.category(sign) == "Cc" and sign != "\n")}


STEERS = "two\r\nlines\u2028more\x85 \u202eright to left\u2066 \x00\x1b[31m"


def design(**changes):
    """Return as JSON a design of one table whose every name steers; one is enough, and soon estimated."""
    data = json.loads(dump(hostile()))
    data |= {"name": STEERS, "tables": data["tables"][4:5], "fields": data["fields"][4:5], "ignores": []}
    data["activities"] = data["activities"][4:5]
    for each in (data["tables"][0], data["tables"][0]["row_kinds"][0], data["fields"][0], data["activities"][0]):
        each["name"] = STEERS
    data["tables"][0] |= changes
    return json.dumps(data)


@pytest.fixture
def files(tmp_path):
    quoted = json.dumps(STEERS)
    table = f"projects/p/instances/i/tables/{STEERS}"
    times = [f"2026-01-01T00:00:0{second}Z" for second in range(9)]
    texts = {
        "tables": json.dumps([{"name": table, "columnFamilies": {STEERS: {"gcRule": {"maxNumVersions": 1}}}}]),
        "stats": json.dumps({"name": table, "stats": {"rowCount": "10", "logicalDataBytes": "100"}}),
        "log": "time,op,key\n" + "".join(f"{time},read,\x1b[31m\u202e{time}\n" for time in times),
        "broken": f'{{"tables": [{{"id": "t", {quoted}: 1, "name": 5}}]}}',
        "before": design(),
        "after": design(name=f"{STEERS}x", description=STEERS),
        "terraform": f'resource "google_bigtable_table" "x" {{\n  name = {quoted}\n  other = {quoted}\n}}\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return {name: tmp_path / name for name in texts}


COMMANDS = [
    "lint before", "lint before --format json", "lint before --format github", "estimate before",
    "estimate before --json", "diff before after --together", "diff before after --together --markdown",
    "diff before after --together --json", "import terraform", "advise before", "heatmap before",
    "keys before --count 10", "keys before --table t4 --count 10", "simulate before", "measure_compression before",
    "export before --to terraform --out OUT", "export before --to cbt --out OUT", "lint before --select STEERS",
    "drift before tables", "drift before tables --format json", "observe before stats", "trace log", "lint broken",
]  # fmt: skip


@pytest.mark.parametrize("line", COMMANDS)
def test_nothing_of_a_hostile_design_steers_a_terminal(files, tmp_path, line, capfd) -> None:
    words = files | {"OUT": tmp_path / "out", "STEERS": STEERS}
    main("manage.py", [str(words.get(word, word)) for word in line.split()])
    sys.stdout.flush()
    printed, said = capfd.readouterr()

    assert printed or said
    assert "Keywright; --traceback" not in said
    assert steering(printed) | steering(said) == set()


def test_json_with_escapes_is_the_same_value() -> None:
    text = json.dumps(HOSTILE, ensure_ascii=False, indent=1)

    assert json.loads(printable_json(text)) == list(HOSTILE)
    assert steering(printable_json(text)) == set()


def test_columns_stay_lines(root, capfd) -> None:
    main("manage.py", ["estimate", str(root / "designer/examples/campus-cards.json")])
    sys.stdout.flush()

    assert "\\n" not in capfd.readouterr().out
