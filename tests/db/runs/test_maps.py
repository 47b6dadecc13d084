"""Maps in the browser: the live estimate's figures in every form, and nothing where there is none."""

import csv
import io
import json

import pytest
from django.test import Client

BASE = "/examples/saas-tenants/map/audit/"

pytestmark = pytest.mark.django_db


def test_the_page_of_a_map_shows_its_picture_and_its_hottest_ranges_without_any_script(client: Client) -> None:
    text = client.get(BASE).content.decode()

    assert "<svg" in text
    assert "20 hottest ranges: Node CPU time" in text


def test_what_is_drawn_weighs_little_and_comes_with_every_word_in_the_readers_language(client: Client) -> None:
    picture = client.get(f"{BASE}writes.bin")
    head = json.loads(client.get(f"{BASE}head.json", headers={"Accept-Language": "ja"}).content)

    assert picture.headers["Content-Encoding"] == "gzip"
    assert len(picture.content) <= 250_000
    assert (head["ranges"], head["windows"], len(head["keys"])) == (1024, 96, 1023)
    assert head["metrics"]["reads"]["label"] == "読み取り"
    unit = head["metrics"]["writes"]["unit"]
    assert (unit["pattern"], unit["factor"], unit["small"]["pattern"]) == ("{}/秒", 1, "{}/時")


def test_one_cell_is_exact_with_whole_keys_and_all_metrics(client: Client) -> None:
    cell = json.loads(client.get(f"{BASE}cell.json?range=1023&window=28").content)
    csv_text = client.get(f"{BASE}writes.csv?ranges=1023-1024&windows=28-29").content.decode("utf-8-sig")
    header, row = csv.reader(io.StringIO(csv_text))

    assert [figure["label"] for figure in cell["figures"]] == ["Writes", "Reads", "Node CPU time"]
    assert float(row[2]) == pytest.approx(cell["figures"][0]["value"])
    assert row[:2] == [cell["start"], ""]
    assert header[2].endswith("T07:00Z")


def test_what_is_shown_can_be_taken_as_png(client: Client) -> None:
    answer = client.get(f"{BASE}writes.png?ranges=0-8&windows=0-4&brightness=2&against=absolute")

    assert answer.content.startswith(b"\x89PNG")
    assert 'filename="audit-writes-per_second.png"' in answer.headers["Content-Disposition"]


@pytest.mark.parametrize("where", ["nowhere.bin", "reads.bin?ranges=9-3&windows=x", "cell.json?range=99999999"])
def test_odd_questions_are_answered_with_the_whole_map_or_not_at_all(client: Client, where: str) -> None:
    assert client.get(f"{BASE}{where}").status_code == (404 if where.startswith("nowhere") else 200)
    assert client.get(f"/examples/saas-tenants/map/nowhere/{where}").status_code == 404
