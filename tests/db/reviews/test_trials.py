"""*Try it* in the browser: what a trial does, results that are kept, and refusals."""

import io
import json
import math
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from designer.document.load import from_data
from designer.examples import example
from designer.models import Design, Person
from reviews.models import KeptTrial
from reviews.models.trials import KEPT_MOST
from reviews.trials import TrialFinding, TrialResult
from reviews.trials.reports import as_json
from reviews.views.trials import trial_plan

KEY = [{"id": "s1", "kind": "field", "field": "user", "after": "#"}, {"id": "s2", "kind": "time", "resolution": "day"}]


@pytest.fixture
def design() -> Design:
    local = Person.objects.get_or_create_local()
    data = {
        "name": "Orders", "start": "2026-01-01", "fields": [{"id": "user", "name": "user", "distinct": 5}],
        "activities": [{"id": "a", "name": "a", "rate_per_second": 1}],
        "tables": [{"id": "t", "name": "orders", "families": [{"id": "f", "name": "cf", "columns": [
            {"id": "c", "qualifier": "q"}]}], "row_kinds": [{"id": "r", "key": KEY,
            "writes": [{"id": "w", "activity": "a"}],
            "reads": [{"id": "x", "name": "Of a user", "binds": [{"field": "user"}]}]}]}],
    }  # fmt: skip
    return Design.objects.start(from_data(data), team=local.teams.get(), by=local)


def result_of(design: Design, **changes: Any) -> TrialResult:
    plan = trial_plan(design)
    assert plan is not None
    tables = tuple(replace(one, found=one.written) for one in plan.tables)
    run = {"target": "localhost:8086", "date": "2026-11-26", "tables": tables, **changes}
    return replace(plan, **run)


def send(client: Client, design: Design, text: str) -> Any:
    stream = io.BytesIO(text.encode())
    stream.name = "result.json"
    return client.post(f"/designs/{design.key}/try/", {"file": stream}, follow=True)


def words(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_the_page_shows_what_a_trial_does(client: Client, design: Design) -> None:
    shown = words(client.get(f"/designs/{design.key}/try/"))

    assert "python3 run.py --with bigtable try DESIGN.json" in shown
    assert "Of a user" in shown
    assert "cf never" in shown


def test_a_result_is_kept_once_and_shown_with_its_findings(client: Client, design: Design) -> None:
    findings = (
        TrialFinding("rows_missing", "x", {"count": 3}),
        TrialFinding("left", "", {"table": "<b>", "reason": "z"}),
    )
    text = as_json(result_of(design, findings=findings))

    shown = words(send(client, design, text))
    send(client, design, text)

    assert "2 differences" in shown
    assert "<b>Of a user</b>: 3 of the rows that the caller wants are not returned" in shown
    assert "table &lt;b&gt; could not be deleted" in shown
    assert "another revision" not in shown
    assert design.trials.count() == 1
    client.post(f"/designs/{design.key}/try/", {"remove": str(design.trials.get().pk)})
    assert not design.trials.exists()


def test_a_result_of_another_content_is_marked(client: Client, design: Design) -> None:
    assert "of another revision" in words(send(client, design, as_json(result_of(design, sha256="0" * 64))))


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "keywright-try/1"}', "[" * 100_000])
def test_what_is_no_result_is_refused(client: Client, design: Design, text: str) -> None:
    response = send(client, design, text)

    assert response.status_code == 422
    assert "this is not what try --json prints" in words(response)
    assert not design.trials.exists()


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf, 10**400], ids=("nan", "inf", "-inf", "long"))
def test_numbers_that_cannot_be_shown_are_refused(client: Client, design: Design, number: float) -> None:
    finding = TrialFinding("rows_missing", "x", {"count": 3})
    data = json.loads(as_json(result_of(design, findings=(finding,))))
    for place, name in ((data["reads"][0], "rows_wanted"), (data["reads"][0]["designed"], "ranges"),
                        (data["findings"][0]["params"], "count")):  # fmt: skip
        was, place[name] = place[name], number

        assert send(client, design, json.dumps(data)).status_code == 422
        place[name] = was

    assert not design.trials.exists()
    assert client.get(f"/designs/{design.key}/try/").status_code == 200


def test_a_text_that_cannot_be_stored_is_refused(client: Client, design: Design) -> None:
    data = json.loads(as_json(result_of(design)))

    assert send(client, design, json.dumps({**data, "target": "\ud800"})).status_code == 422


def test_a_plan_is_no_result(client: Client, design: Design) -> None:
    response = send(client, design, as_json(result_of(design, target="")))

    assert (response.status_code, "it has not run" in words(response)) == (422, True)


def test_old_results_make_room(client: Client, design: Design) -> None:
    person = Person.objects.get_or_create_local()
    for number in range(KEPT_MOST + 2):
        KeptTrial.store(design, result_of(design, date=f"day {number}"), by=person)

    assert [one.result.date for one in design.trials.all()][:1] == [f"day {KEPT_MOST + 1}"]
    assert design.trials.count() == KEPT_MOST


def test_an_installed_site_tells_the_command_of_an_installed_copy(
    client: Client, design: Design, settings: Any
) -> None:
    settings.KEYWRIGHT_PROGRAM = "keywright"

    assert "> keywright try DESIGN.json --emulator" in words(client.get(f"/designs/{design.key}/try/"))
    assert ">keywright trace LOG --resume STATE<" in words(client.get("/designs/access-log"))


def test_a_design_for_tablestore_is_tried_by_its_own_client(client: Client) -> None:
    local = Person.objects.get_or_create_local()
    other = Design.objects.start(example("campus-cards").spec, team=local.teams.get(), by=local)

    shown = words(client.get(f"/designs/{other.key}/try/"))
    kept = send(client, other, as_json(result_of(other)))

    assert "--with tablestore try DESIGN.json --endpoint https://INSTANCE.REGION.ots.aliyuncs.com" in shown
    assert "PK (CardID STRING, OrderNumber INTEGER)" in shown
    assert "OTS_ACCESS_KEY_SECRET" in shown
    assert "No difference" in words(kept)
