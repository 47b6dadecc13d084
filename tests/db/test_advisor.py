"""The key advisor beside the key builder, and on the command line."""

import html
import json
import re
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from designer.document import dump
from designer.examples import example
from designer.models import Design, Person, Team
from designer.wording import key_of

HTMX = {"HX-Request": "true"}


@pytest.fixture
def design(team: Team, ana: Person) -> Design:
    return Design.objects.start(example("timestamp-first").spec, team=team, by=ana)


@pytest.fixture
def client(ana: Person) -> Client:
    client = Client(headers=HTMX)
    client.force_login(ana)
    return client


def advice(client: Client, design: Design, kind: str = "reading") -> str:
    response = client.get(f"/designs/{design.key}/advice/{kind}", follow=True)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


def test_the_present_key_comes_first_and_the_better_one_says_why(client: Client, design: Design) -> None:
    page = advice(client, design)

    now, better = page.index("{time}#{machine}"), page.index("{machine}#{time}")
    assert now < better
    assert "One of 2 alternative keys is measurably better." in page
    assert "spreads writes over 300,000 append points" in page
    assert "▲" in page


def test_money_is_at_least_so_much_where_a_price_is_not_known(client: Client, ana: Person, team: Team) -> None:
    orders = Design.objects.start(example("campus-orders").spec, team=team, by=ana)

    assert ">≥\u00a0CN¥8,989.58" in advice(client, orders, "purchase-row")


def test_using_a_candidate_changes_the_key_by_one_edit_that_can_be_undone(client: Client, design: Design) -> None:
    edit = re.search(r'hx-vals="(\{"edit".*?\})" hx-target', advice(client, design))
    assert edit is not None

    client.post(f"/designs/{design.key}/edit", json.loads(edit[1]))

    design.refresh_from_db()
    (_, kind), *_ = design.spec.row_kinds()
    assert key_of(design.spec, kind) == "{machine}#{time}"
    client.post(f"/designs/{design.key}/undo")
    design.refresh_from_db()
    assert design.spec == example("timestamp-first").spec


def test_advice_stands_below_the_contents_hash_and_may_be_kept(client: Client, design: Design) -> None:
    response = client.get(f"/designs/{design.key}/advice/reading")

    assert response.status_code == 302
    assert response["Location"] == f"/designs/{design.key}/of/{design.head_id}/advice/reading"
    kept = client.get(response["Location"])
    assert "max-age=600" in kept["Cache-Control"]
    assert f'data-advised="{design.head_id}"' in kept.content.decode()


def test_the_heat_of_a_candidate_is_drawn_when_it_is_asked_for(client: Client, design: Design) -> None:
    below = f"/designs/{design.key}/of/{design.head_id}/advice/reading/heat"

    page = client.get(f"{below}/1").content.decode()

    assert "<image" in page
    assert client.get(f"{below}/7").status_code == 404


def test_a_viewer_reads_advice_and_cannot_use_it(team: Team, design: Design) -> None:
    ben = Person.objects.create_user("ben@example.com", name="Ben")
    team.add(ben, "viewer")
    client = Client(headers=HTMX)
    client.force_login(ben)

    page = advice(client, design)

    assert "{machine}#{time}" in page
    assert "Use key" not in page


@pytest.mark.parametrize("kind", ["metrics", "nothing"])
def test_what_is_no_row_kind_has_no_advice(client: Client, design: Design, kind: str) -> None:
    assert client.get(f"/designs/{design.key}/advice/{kind}", follow=True).status_code == 404


def test_the_address_of_advice_leads_whoever_opens_it_by_hand_to_the_key(ana: Person, design: Design) -> None:
    client = Client()
    client.force_login(ana)

    answer = client.get(f"/designs/{design.key}/advice/reading")

    assert answer.headers["Location"] == f"/designs/{design.key}/at/reading"


def test_a_stranger_gets_no_advice(design: Design) -> None:
    client = Client(headers=HTMX)
    client.force_login(Person.objects.create_user("eve@example.com", name="Eve"))

    assert client.get(f"/designs/{design.key}/advice/reading", follow=True).status_code == 404


# --- the command ---------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "design.json"
    path.write_text(dump(example("timestamp-first").spec), encoding="utf-8")
    return path


def test_the_command_prints_the_keys_and_why(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("advise", str(file), "--today", "2026-11-20")

    printed = capsys.readouterr().out
    assert re.search(r"now +\{time\}#\{machine\}", printed)
    assert re.search(r"1 better +\{machine\}#\{time\} +< 0.01×", printed)
    assert "drops from 6.25× to < 0.01× the warning threshold" in printed
    assert "1 + removes I006, K004, K021, Q002" in printed


def test_the_command_gives_the_edit_as_json(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("advise", str(file), "--json", "--table", "metrics", "--today", "2026-11-20")

    (found,) = json.loads(capsys.readouterr().out)["row_kinds"]
    (best,) = found["candidates"]
    assert best["key"] == "{machine}#{time}"
    assert (best["only_the_key_changes"], found["present"]["only_the_key_changes"]) == (True, None)
    assert best["edit"]["kind"] == "batch"
    assert found["present"]["edit"] is None
