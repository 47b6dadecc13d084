"""Parts of the editor that are rendered once for equal contents: they look as if they were rendered anew."""

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from django.test import Client

from designer.document.edits import Edit, Insert, Move, Remove, Set, hash_of
from designer.document.load import from_data
from designer.memory import Cache
from designer.models import Design, Person, Team
from designer.models.memory import MEMORY
from designer.templatetags import kept_tags

SPEC: dict[str, Any] = {
    "name": "Balloons",
    "fields": [
        {"id": "region", "name": "region", "distinct": 40},
        {"id": "balloon", "name": "balloon", "distinct": 1000},
    ],
    "activities": [{"id": "reports", "name": "reports", "rate_per_second": 200}],
    "instance": {"clusters": [{"id": "main", "region": "us-central1", "zone": "us-central1-b"}]},
    "tables": [
        {
            "id": "t",
            "name": "readings",
            "families": [{"id": "f", "name": "m", "columns": [{"id": "c", "qualifier": "speed"}]}],
            "row_kinds": [
                {
                    "id": "rows",
                    "key": [
                        {"id": "k1", "kind": "field", "field": "balloon", "after": "#"},
                        {"id": "k2", "kind": "time"},
                    ],
                    "writes": [{"id": "w", "activity": "reports"}],
                    "reads": [{"id": "r", "rate_per_second": 10, "binds": [{"field": "balloon"}]}],
                }
            ],
        }
    ],
}
PLACES = ("", "instance", "at/balloon", "at/reports", "at/t", "at/f", "at/rows", "at/k1", "at/w", "at/r")
NEW_ID = re.compile(r"(&quot;id\\&quot;: ?\\&quot;)([0-9a-f]{10})")


def edits(design: Design) -> Iterator[Edit]:
    """Yield edits of the head, each of something that other elements show."""
    yield Set(at="balloon", name="name", value="sonde", was="balloon")
    yield Set(at="reports", name="rate_per_second", value=300.0, was=200.0)
    yield Insert(parent="", list="fields", element={"id": "place", "name": "place"})
    yield Set(at="k1", name="field", value="region", was="balloon")
    yield Move(at="k2", before="k1", was_before=None)
    yield Set(at="c", name="qualifier", value="height", was="speed")
    yield Remove(at="r", was_hash=hash_of(design.spec.by_id["r"]))
    yield Set(at="balloon", name="name", value="balloon", was="sonde")


def read(client: Client, design: Design, address: str) -> str:
    answer = client.get(f"/designs/{design.key}/{address}", headers={"HX-Request": "true"})
    if answer.status_code == 404:
        return "removed"
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.fixture
def design(team: Team, ana: Person) -> Design:
    MEMORY.clear(kept_tags.FRAGMENTS)
    return Design.objects.start(from_data(SPEC), team=team, by=ana)


@pytest.fixture
def readers(ana: Person, team: Team) -> list[Client]:
    """Who may edit, who may not, and who reads Japanese."""
    clients = [Client()]
    clients[0].force_login(ana)
    for name, role, language in (("ben", "viewer", ""), ("chie", "editor", "ja")):
        person = Person.objects.create_user(f"{name}@example.com", name=name, language=language)
        team.add(person, role)
        clients.append(Client())
        clients[-1].force_login(person)
    return clients


@pytest.mark.slow
def test_after_every_edit_each_part_is_as_if_rendered_anew(
    design: Design, readers: list[Client], ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for edit in edits(design):
        design.apply(edit, by=ana)
        computed = f"of/{design.head_id}/parts?names=insight%2Ceffects%2Cmarks&at="
        kept = compare(design, readers, [*PLACES, computed, f"{computed}rows", f"{computed}t"], monkeypatch)
        assert len({texts[0] for texts in kept}) == len(readers)


def test_after_an_edit_the_parts_that_show_it_are_as_if_rendered_anew(
    design: Design, readers: list[Client], ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    for edit in islice(edits(design), 2):
        compare(design, readers[:1], ["", "at/reports", "at/rows", "at/w"], monkeypatch)
        design.apply(edit, by=ana)
    compare(design, readers, ["", "at/reports", "at/rows", "at/w"], monkeypatch)


def compare(
    design: Design, readers: list[Client], addresses: list[str], monkeypatch: pytest.MonkeyPatch
) -> list[list[str]]:
    """Return parts as each reader gets them, which are those without what is kept."""
    kept = [[read(client, design, each) for each in addresses] for client in readers]
    with monkeypatch.context() as patched:
        patched.setattr(kept_tags, "MEMORY", Cache(0))
        for client, texts in zip(readers, kept, strict=True):
            for address, text in zip(addresses, texts, strict=True):
                assert NEW_ID.sub("", text) == NEW_ID.sub("", read(client, design, address)), address
    return kept


def test_each_reader_gets_new_ids_for_what_can_be_added(design: Design, readers: list[Client]) -> None:
    pages = [read(readers[0], design, "at/rows") for _ in range(2)]
    first, second = ({found[1] for found in NEW_ID.findall(page)} for page in pages)
    assert len(first) > 3
    assert not first & second
    assert kept_tags.NEW_ID not in pages[1]


def test_the_parts_of_other_elements_are_not_rendered_again(
    design: Design, readers: list[Client], ana: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    [read(readers[0], design, each) for each in PLACES]
    design.apply(Set(at="reports", name="rate_per_second", value=300.0, was=200.0), by=ana)
    rendered: list[object] = []
    made = kept_tags.Context
    monkeypatch.setattr(kept_tags, "Context", lambda seen: rendered.append(seen) or made(seen))

    for each in ("at/t", "at/f", "at/rows", "at/r"):
        read(readers[0], design, each)

    assert rendered == []
    read(readers[0], design, "at/reports")
    assert len(rendered) == 1


def test_effects_are_sent_of_entries_that_are_shown_and_of_a_whole_list_when_it_is(
    team: Team, ana: Person, readers: list[Client]
) -> None:
    many = [{"id": f"a{n}", "name": f"a{n}", "rate_per_second": 1 + n} for n in range(35)]
    design = Design.objects.start(from_data({"name": "Many", "activities": many}), team=team, by=ana)
    client = readers[0]
    address = f"of/{design.head_id}/effects?at="

    assert re.findall(r'id="effect-a(\d+)"', read(client, design, address)) == [str(n) for n in range(30)]
    assert "&amp;list=activities" not in read(client, design, "")
    whole = read(client, design, "?list=activities")
    assert 'data-slot="effects?at=&amp;list=activities"' in whole
    assert len(re.findall(r'id="effect-a\d+"', whole)) == 35
    assert len(re.findall(r'id="effect-a\d+"', read(client, design, f"{address}&list=activities"))) == 35
