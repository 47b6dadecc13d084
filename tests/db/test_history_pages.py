"""The history as a page: read, filtered, named and restored; what was removed is said and comes back."""

from typing import Any

import pytest
from django.test import Client

from designer.document import Spec
from designer.document.edits import Insert, Remove, Set
from designer.document.load import from_data
from designer.models import Design, Document, Person, Team


@pytest.fixture(autouse=True)
def _team_mode(settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "team"


@pytest.fixture
def people() -> tuple[Person, Person]:
    ana, ben = (Person.objects.create_user(f"{name}@example.com", name=name) for name in ("Ana", "Ben"))
    return ana, ben


@pytest.fixture
def design(people: tuple[Person, Person]) -> Design:
    team = Team.objects.create()
    for person in people:
        team.add(person, "editor")
    spec = from_data({"name": "Balloons", "tables": [{"id": "t", "name": "readings", "families": [{"id": "f"}]}]})
    design = Design.objects.start(spec, team=team, by=people[0])
    design.apply(Set(at="t", name="name", value="cells", was="readings"), by=people[1])
    return design


@pytest.fixture
def client(people: tuple[Person, Person]) -> Client:
    client = Client()
    client.force_login(people[0])
    return client


def test_history_translates_messages_that_only_earlier_versions_wrote(design: Design, client: Client) -> None:
    words = {"message": "moved {element}", "params": {"element": "readings"}}
    design.revisions.filter(number=2).update(words=words)

    page = client.get(f"/designs/{design.key}/history", headers={"Accept-Language": "ja"}).content.decode()

    assert "readings を移動" in page


def test_history_tells_who_did_what_and_leads_to_what_it_looked_like(design: Design, client: Client) -> None:
    page = client.get(f"/designs/{design.key}/history").content.decode()

    assert "renamed readings to cells" in page
    assert f"/designs/{design.key}/of/{design.revisions.get(number=1).document_id}/" in page
    assert page.count(">Restore<") == 1  # not what is so already

    design.apply(Insert(parent="", list="fields", element={"id": "d", "name": "site"}), by=design.made_by)
    places = {"kind": "enumeration", "items": [{"value": "home"}, {"value": "work"}]}
    design.apply(Set(at="d", name="values", value=places, was=None), by=design.made_by)
    assert "set to home, work" in client.get(f"/designs/{design.key}/history").content.decode()


def test_history_is_filtered_by_person_and_name(design: Design, client: Client, people: tuple[Person, Person]) -> None:
    client.post(f"/designs/{design.key}/history/1/name", {"name": "agreed"})

    bens = client.get(f"/designs/{design.key}/history", {"who": people[1].pk}).content.decode()
    named = client.get(f"/designs/{design.key}/history", {"named": "1"}).content.decode()

    assert ('id="r2"' in bens, 'id="r1"' in bens) == (True, False)
    assert ('id="r2"' in named, 'id="r1"' in named) == (False, True)
    assert 'value="agreed"' in named


def test_a_removed_element_says_who_removed_it_and_comes_back_with_all_that_was_in_it(
    design: Design, client: Client, people: tuple[Person, Person]
) -> None:
    design.apply(Remove(at="t"), by=people[1])
    design.apply(Insert(parent="", list="tables", element={"id": "u"}), by=people[1])
    address = f"/designs/{design.key}/at/f"

    response = client.get(address)
    assert response.status_code == 404
    assert "Ben removed “f”." in response.content.decode()

    assert client.post(f"/designs/{design.key}/back/f").headers["Location"] == address
    spec = Design.objects.get(pk=design.pk).spec
    assert [table.id for table in spec.tables] == ["u", "t"]  # it was the last
    assert spec.find("t").name == "cells"
    assert client.get(address).status_code == 200
    assert client.post(f"/designs/{design.key}/back/f", headers={"HX-Request": "true"}).status_code == 409


def test_what_an_earlier_revision_did_not_have_comes_back_alone(
    design: Design, client: Client, people: tuple[Person, Person]
) -> None:
    design.apply(Insert(parent="", list="tables", element={"id": "u", "name": "new"}), by=people[0])
    design.restore(1, by=people[1])
    design.apply(Set(at="", name="horizon_months", value=24), by=people[1])

    client.post(f"/designs/{design.key}/back/u")

    spec = Design.objects.get(pk=design.pk).spec
    assert ([table.id for table in spec.tables], spec.horizon_months) == (["t", "u"], 24)
    assert spec.find("t").name == "readings"


def test_what_never_was_is_not_found(design: Design, client: Client) -> None:
    assert client.get(f"/designs/{design.key}/at/nothing").status_code == 404
    assert client.post(f"/designs/{design.key}/back/nothing", headers={"HX-Request": "true"}).status_code == 409


def test_who_types_while_a_revision_is_named_leaves_it_as_it_was_named(
    client: Client, design: Design, people: tuple[Person, Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, store = people[0], Document.get_or_store
    first = Set(at="", name="description", value="a", was=design.spec.description)
    design.apply(first, by=ana)
    number, sha256 = design.number, design.head_id

    def name_meanwhile(spec: Spec, text: str) -> Document:
        monkeypatch.undo()
        client.post(f"/designs/{design.key}/history/{number}/name", {"name": "agreed"})
        return store(spec, text)

    monkeypatch.setattr(Document, "get_or_store", name_meanwhile)
    design.apply(Set(at="", name="description", value="ab", was="a"), by=ana)

    named = design.revisions.get(number=number)
    assert (named.name, named.document_id, design.number) == ("agreed", sha256, number + 1)
