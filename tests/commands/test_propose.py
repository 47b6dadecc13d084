"""`keywright propose`: schemas from sentences as text, as JSON, and as a file that people write."""

import json

import jsonschema
import pytest

from config.commandline import main
from designer.document.load import load
from estimator.presentation.advice_data import schemas_schema

ORDERS = (
    "2k orders per second are placed by customers, keep 7 years",
    "read one order by id 3k/s",
    "list all orders of a customer in the last month, 200/s",
)


@pytest.fixture
def propose(capsys, tmp_path, monkeypatch):
    """The command with options, its exit code, and what it printed."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main("keywright", ["propose", "--today", "2026-12-01", *arguments])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


def test_schemas_are_printed_with_keys_reads_and_what_was_rejected(propose) -> None:
    code, text, _ = propose(*ORDERS)

    assert code == 0
    assert "{customer}#{time}#{order_id}  orders" in text
    assert "All orders of one customer in the last month" in text
    assert "One table keyed by customer#time#order_id" in text
    assert "0.99" not in text, "one record is one row"


def test_a_taken_schema_is_a_file_as_people_write_it(propose) -> None:
    code, text, _ = propose("--take", "1", "--name", "Orders", *ORDERS)

    assert code == 0
    assert "ids:" not in text
    assert "gc: max_age(7y)" in text
    assert "time=1mo" in text
    spec = load(text, name="orders.keywright.yaml")
    assert [table.name for table in spec.tables] == ["orders", "orders_by_customer"]


@pytest.mark.parametrize("region", ["", "europe-west1"])
def test_json_follows_its_schema_and_says_a_missing_price(propose, region: str) -> None:
    code, text, _ = propose("--json", *(["--region", region] if region else []), *ORDERS)
    data = json.loads(text)

    assert code == 0
    jsonschema.validate(data, schemas_schema())
    best = data["schemas"][0]
    assert best["serves_all"]
    assert (best["monthly_cost"] is None, best["complete"]) == ((True, False) if region else (False, True))
    assert (best["tables"][0]["monthly_cost"] is None) == bool(region)


@pytest.mark.parametrize(
    ("sentences", "error"),
    [
        (["top 10 players of a game 5/s"], "Did you mean “Show all players of one game, 5/s”?"),
        (["200 devices each report every 1 s", "nonsense"], "Sentence 2, “nonsense”"),
        (["show the latest of one device 50/s"], "First describe what is stored."),
        (["kept 90 days"], "kept 90 days"),
        (["--take", "9", *ORDERS], "--take 1 to "),
    ],
)
def test_sentences_that_say_no_application_are_refused_with_their_place(propose, sentences, error: str) -> None:
    code, text, problem = propose(*sentences)

    assert (code, text) == (2, "")
    assert error in problem
