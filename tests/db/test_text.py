"""A design as text: what is written becomes edits of its history, or is told with its place and changes nothing."""

import json
from typing import Any

import pytest
from django.test import Client

from designer.document.edits import Batch, Set
from designer.document.load import from_data
from designer.models import Design, Person, Team

HTMX = {"HX-Request": "true"}
DATA = {
    "name": "Balloons",
    "fields": [{"id": "b", "name": "balloon"}],
    "activities": [{"id": "9f00112233", "name": "reports", "rate_per_second": 5}],
    "tables": [
        {
            "id": "4f00112233",
            "name": "readings",
            "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "field", "field": "b"}]}],
            "families": [{"id": "f", "name": "m", "columns": [{"id": "c", "qualifier": "v"}]}],
        },
        {"id": "5f00112233", "name": "latest"},
    ],
}


@pytest.fixture
def design(ana: Person, team: Team) -> Design:
    return Design.objects.start(from_data(json.loads(json.dumps(DATA))), team=team, by=ana)


@pytest.fixture
def client(ana: Person) -> Client:
    client = Client(headers=HTMX)
    client.force_login(ana)
    return client


def shown(client: Client, design: Design) -> dict[str, Any]:
    return client.get(f"/designs/{design.key}/of/{head(design).head_id}/text").json()


def write(client: Client, design: Design, text: str, was: str, **more: str) -> Any:
    return client.post(f"/designs/{design.key}/text/write", {"text": text, "was": json.dumps(was), **more})


def head(design: Design) -> Design:
    return Design.objects.get(pk=design.pk)


def test_the_text_holds_no_id_that_people_did_not_choose(client: Client, design: Design) -> None:
    now = shown(client, design)

    assert "00112233" not in now["text"]
    assert "key: '{balloon}'" in now["text"]
    assert now["colours"] == {"balloon": 1}
    assert "4f00112233" in head(design).spec.by_id


def test_what_is_written_is_one_step_of_the_history_with_the_same_elements(client: Client, design: Design) -> None:
    now = shown(client, design)
    text = now["text"].replace("readings", "samples").replace("5/s", "6/s")
    response = write(client, design, text, now["sha256"])
    newest = design.revisions.order_by("-number")[0]

    assert response.status_code == 200
    assert json.loads(response["HX-Trigger"])["kw:saved"]["sha256"] == head(design).head_id
    assert head(design).spec.find("4f00112233").name == "samples"
    assert head(design).spec.find("9f00112233").rate_per_second == 6
    assert isinstance(newest.applied_edit, Batch)
    assert newest.number == 2


def test_typing_on_in_one_value_is_one_step(client: Client, design: Design, ana: Person) -> None:
    for before, after in (("5/s", "50/s"), ("50/s", "500/s")):
        now = shown(client, design)
        write(client, design, now["text"].replace(before, after), now["sha256"])

    assert head(design).number == 2
    head(design).undo(by=ana)
    assert head(design).spec.find("9f00112233").rate_per_second == 5


def test_what_is_wrong_is_told_by_line_and_stores_nothing(client: Client, design: Design) -> None:
    now = shown(client, design)
    response = write(client, design, now["text"].replace("{balloon}", "{baloon}"), now["sha256"])

    assert response.status_code == 422
    assert 'data-line="9" data-column="12"' in response.content.decode()
    assert head(design).number == 1


def test_a_removal_is_shown_before_it_is_made(client: Client, design: Design) -> None:
    now = shown(client, design)
    text = now["text"].replace("  latest: {}\n", "")
    response = write(client, design, text, now["sha256"])

    assert text != now["text"]
    assert response.status_code == 409
    assert "removed latest" in response.content.decode()
    assert head(design).number == 1
    assert write(client, design, text, now["sha256"], confirm="1").status_code == 200
    assert "5f00112233" not in head(design).spec.by_id


def test_what_is_pasted_is_shown_before_it_is_applied(client: Client, design: Design) -> None:
    now = shown(client, design)
    response = write(client, design, now["text"].replace("5/s", "6/s"), now["sha256"], review="1")

    assert response.status_code == 409
    assert "Rate changed from 5/s to 6/s" in response.content.decode()
    assert head(design).number == 1


def test_what_others_changed_elsewhere_stays_and_comes_back_as_text(
    client: Client, design: Design, ana: Person
) -> None:
    now = shown(client, design)
    head(design).apply(Set(at="b", name="distinct", value=7, was=None), by=ana)
    response = write(client, design, now["text"].replace("5/s", "6/s"), now["sha256"]).content.decode()

    assert head(design).spec.find("b").distinct == 7
    assert head(design).spec.find("9f00112233").rate_per_second == 6
    assert "distinct=7" in response
    assert '"mine": null' not in response


@pytest.mark.parametrize(("keep", "rate"), [("mine", 6), ("theirs", 9)])
def test_a_conflict_is_told_and_decided(client: Client, design: Design, ana: Person, keep: str, rate: int) -> None:
    now = shown(client, design)
    ben = Person.objects.create_user("ben@example.com", name="Ben")
    design.team.add(ben, "editor")
    head(design).apply(Set(at="9f00112233", name="rate_per_second", value=9, was=5), by=ben)
    text = now["text"].replace("5/s", "6/s")
    response = write(client, design, text, now["sha256"])

    assert response.status_code == 409
    assert "Ben changed this" in response.content.decode()
    assert 'data-line="6"' in response.content.decode()
    assert write(client, design, text, now["sha256"], keep=keep).status_code == 200
    assert head(design).spec.find("9f00112233").rate_per_second == rate


def test_the_same_text_sent_twice_is_stored_once(client: Client, design: Design) -> None:
    now = shown(client, design)
    text = now["text"].replace("  latest: {}\n", "  latest: {}\n  newest: {}\n")
    for _ in range(2):
        assert write(client, design, text, now["sha256"]).status_code == 200

    assert head(design).number == 2
    assert [table.name for table in head(design).spec.tables] == ["readings", "latest", "newest"]


def test_a_text_of_a_content_that_is_not_this_designs_is_shown_first(
    client: Client, design: Design, ana: Person, team: Team
) -> None:
    other = Design.objects.start(from_data({"name": "Other"}), team=team, by=ana)
    response = write(client, design, "format: 1\nname: Other\n", other.head_id)

    assert response.status_code == 409
    assert "data-review" in response.content.decode()
    assert head(design).number == 1


def test_a_viewer_reads_the_text_and_writes_nothing(design: Design) -> None:
    viewer = Person.objects.create_user("viewer@example.com", name="Vic")
    design.team.add(viewer, "viewer")
    client = Client(headers=HTMX)
    client.force_login(viewer)
    panel = client.get(f"/designs/{design.key}/text").content.decode()

    assert "data-read-only" in panel
    assert "hx-post" not in panel
    assert write(client, design, "format: 1", design.head_id).status_code == 403


def test_the_address_of_the_panel_opened_by_hand_is_the_editor_with_the_text_open(
    client: Client, design: Design
) -> None:
    answer = client.get(f"/designs/{design.key}/text", headers={"HX-Request": ""})
    assert answer["Location"] == f"/designs/{design.key}/#text"
