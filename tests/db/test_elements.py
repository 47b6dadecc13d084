"""Adding and removing elements in the editor."""

import json

import pytest
from django.test import Client

from designer.document.load import from_data
from designer.models import Design, Membership, Person, Team


@pytest.fixture
def design() -> Design:
    team = Team.objects.create(name="Platform")
    me = Person.objects.get_or_create_local()
    team.add(me, "owner")
    kind = {"id": "k", "name": "rows", "key": [{"id": "s", "kind": "field", "field": "d"}]}
    spec = from_data(
        {"fields": [{"id": "d", "name": "device"}], "tables": [{"id": "t", "name": "readings", "row_kinds": [kind]}]}
    )
    return Design.objects.start(spec, team=team, by=me)


def head(design: Design) -> Design:
    return Design.objects.get(pk=design.pk)


def test_what_is_added_opens_and_the_page_is_read_once(client: Client, design: Design) -> None:
    answer = client.post(f"/designs/{design.key}/add", {"parent": "k", "list": "reads"})

    read = head(design).spec.tables[0].row_kinds[0].reads[0]
    assert read.name == "By device"
    assert answer["HX-Push-Url"] == f"/designs/{design.key}/at/{read.id}"
    assert 'value="By device"' in answer.content.decode()
    assert json.loads(answer["HX-Trigger"])["kw:saved"]["structure"] is False


def test_a_sentence_adds_a_read_and_opens_its_table(client: Client, design: Design) -> None:
    address = f"/designs/{design.key}/sentence"
    refused = client.post(address, {"sentence": "Show all orders of one customer, 5/s"})
    unread = client.post(address, {"sentence": "make it fast"})
    answer = client.post(address, {"sentence": "Show all readings of one device, 5/s"})

    assert (refused.status_code, unread.status_code) == (422, 422)
    assert "No table stores orders. Tables: readings." in refused.content.decode()
    (read,) = head(design).spec.tables[0].row_kinds[0].reads
    assert (read.name, read.rate_per_second) == ("All readings of one device", 5)
    assert answer["HX-Push-Url"] == f"/designs/{design.key}/at/t"


def test_what_is_in_use_says_by_what_and_goes_with_its_uses_as_one_change(client: Client, design: Design) -> None:
    address = f"/designs/{design.key}/at/d/remove"
    answer = client.post(address, {"open": "d"})

    assert answer.status_code == 409
    assert "device is in use" in answer.content.decode()
    assert head(design).spec == design.spec

    answer = client.post(address, {"open": "d", "uses": "1"})
    assert head(design).spec.fields == ()
    assert head(design).number == 2
    assert answer["HX-Push-Url"] == f"/designs/{design.key}/"
    assert "Removed: device" in answer.content.decode()
    assert 'data-slot="sheet"' in answer.content.decode(), "the home of the design is open"


def test_what_was_changed_since_it_was_shown_is_not_removed(client: Client, design: Design) -> None:
    answer = client.post(f"/designs/{design.key}/at/t/remove", {"was": "0" * 64})

    assert answer.status_code == 409
    assert "t" in head(design).spec.by_id


def test_the_search_answers_with_links(client: Client, design: Design) -> None:
    text = client.get(f"/designs/{design.key}/find", {"words": "dev"}).content.decode()
    assert f'href="/designs/{design.key}/at/d"' in text
    pages = client.get(f"/designs/{design.key}/find", {"words": "re"}).content.decode()
    assert [name for name in ("review", "replay", "links") if f"/designs/{design.key}/{name}/" in pages] == [
        "review", "replay",
    ]  # fmt: skip
    assert (
        f"/designs/{design.key}/links/" in client.get(f"/designs/{design.key}/find", {"words": "sha"}).content.decode()
    )
    Membership.objects.update(role="viewer")
    assert "/links/" not in client.get(f"/designs/{design.key}/find", {"words": "sha"}).content.decode()
    assert "No results for “&lt;x&gt;”." in client.get(f"/designs/{design.key}/find", {"words": "<x>"}).content.decode()
