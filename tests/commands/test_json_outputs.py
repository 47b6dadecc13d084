"""What commands print with `--json` names its format and is what its schema says; every command with it has one."""

import io
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from designer.document import dump
from designer.examples import example
from estimator.kernels.pricing import PriceBook
from estimator.price_books.shelf import load_book
from reviews.management.commands.spec_schema import SCHEMAS

LOG = b"time,operation,key,bytes\n" + b"".join(
    b"%d,get,user%04d#%d,%d\n" % (1_790_000_000 + 60 * n, n * n % 97, n, 80 + n % 9) for n in range(300)
)
NAMED = {"design", "yaml", "webhook", "lint", "estimate", "propose", "diff", "observe", "drift", "try"}
"""Whose outputs other tests hold to their schemas."""


def read_output(*arguments: str) -> str:
    out = io.StringIO()
    with suppress(SystemExit):
        call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.fixture
def design(tmp_path: Path) -> str:
    path = tmp_path / "design.json"
    path.write_text(dump(example("timestamp-first").spec))
    return str(path)


CALLS: dict[str, tuple[str, ...]] = {
    "advise": ("advise", "DESIGN", "--most", "2", "--json"),
    "compression": ("measure_compression", "DESIGN", "--json"),
    "heatmap": ("heatmap", "DESIGN", "--json"),
    "simulate": ("simulate", "DESIGN", "--json"),
    "trace": ("trace", "LOG", "--json"),
    "prices-list": ("prices", "list", "--json"),
    "prices-show": ("prices", "show", "--sku", "bigtable.node", "--json"),
    "prices-diff": ("prices", "diff", "BOOK", "BOOK", "--json"),
    "prices-reprice": ("prices", "reprice", "DESIGN", "--book", "BOOK", "--json"),
}


@pytest.mark.parametrize("output", CALLS)
def test_what_is_printed_is_what_its_schema_says(output: str, design: str, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_bytes(LOG)
    book: PriceBook = load_book()
    places = {"DESIGN": design, "LOG": str(tmp_path / "log.csv"), "BOOK": book.name}
    data = json.loads(read_output(*(places.get(one, one) for one in CALLS[output])))
    assert data["format"] == f"keywright-{output}/1"
    schema = SCHEMAS[output]()
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(data)


def test_keys_name_their_format(design: str, capfdbinary: Any) -> None:
    call_command("keys", design, "--count", "3", "--json")
    data = json.loads(capfdbinary.readouterr().out)
    Draft202012Validator(SCHEMAS["keys"]()).validate(data)
    assert (data["format"], len(data["keys"])) == ("keywright-keys/1", 3)


@pytest.mark.django_db
def test_each_line_of_the_doctor_names_its_format() -> None:
    lines = read_output("doctor", "--json").splitlines()
    validator = Draft202012Validator(SCHEMAS["doctor"]())
    assert lines
    for line in lines:
        validator.validate(json.loads(line))


def test_every_schema_is_held_to_its_output() -> None:
    assert set(SCHEMAS) == NAMED | set(CALLS) | {"keys", "doctor", "prices-import"}
    for name, make in SCHEMAS.items():
        properties = make().get("properties", {})
        assert name in ("design", "yaml", "webhook") or properties["format"].keys() & {"const", "enum"}, name


def test_no_command_prints_json_without_a_format() -> None:
    """Every `json.dumps` of a command is of named data: a new output without a format is found here."""
    root = Path(__file__).parents[2]
    folders = ("estimator/management/commands", "estimator/management/pricebooks", "config/management/commands",
               "reviews/management/commands")  # fmt: skip
    silent = []
    for path in (path for folder in folders for path in (root / folder).glob("*.py")):
        text = path.read_text()
        is_named = any(word in text for word in NAMING)
        silent += [path.name] * ("json.dumps" in text and not is_named)
    assert silent == []


NAMING = ("with_format", "format_of", "_data(", "as_data", "SCHEMAS", "keywright-approved/1")
