"""Fair shares of processor time: measured for everybody that a request is made for, refused with the time to wait."""

from typing import Any

import pytest
from django.test import Client

from designer.document import Spec
from designer.http import shares
from designer.http.shares import ProcessorTime
from designer.models import Design, Person, Team, Token
from reviews.models import Link


class Clock:
    """A clock that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def processor_time(monkeypatch: pytest.MonkeyPatch) -> ProcessorTime:
    """Processor time on a server that others use, too."""
    made = ProcessorTime(Clock())
    made.add(shares.PROCESS, 1100)
    monkeypatch.setattr(shares, "TAKEN", made)
    return made


@pytest.fixture
def design(ana: Person, team: Team) -> Design:
    return Design.objects.start(Spec(name="Small"), team=team, by=ana)


def insight(design: Design) -> str:
    return f"/designs/{design.key}/of/{design.head_id}/insight"


def test_the_window_slides() -> None:
    clock = Clock()
    processor_time = ProcessorTime(clock)
    processor_time.add(("person", 1), 20)
    clock.now += 30
    processor_time.add(("person", 1), 15)

    assert processor_time.wait_seconds(("person", 1), 36) == 0
    assert processor_time.wait_seconds(("person", 1), 35) == processor_time.wait_seconds(("person", 1), 16) == 30
    assert processor_time.wait_seconds(("person", 1), 10) == 60
    assert processor_time.wait_seconds(("person", 2), 10) == 0
    clock.now += 28
    assert processor_time.wait_seconds(("person", 1), 30) == shares.LEAST_WAIT_SECONDS
    clock.now += 2
    assert processor_time.wait_seconds(("person", 1), 30) == 0


def test_holders_of_the_last_minute_are_all_that_is_kept() -> None:
    clock = Clock()
    processor_time = ProcessorTime(clock)
    for number in range(500):
        processor_time.add(("link", number), 0.1)
        clock.now += 1

    assert len(processor_time) <= shares.WINDOW_SECONDS + 1


def test_a_request_takes_of_the_share_of_its_person_and_team(
    anas: Client, ana: Person, team: Team, design: Design, processor_time: ProcessorTime
) -> None:
    assert anas.get(insight(design)).status_code == 200

    for holder in (("person", ana.pk), ("team", team.pk)):
        assert processor_time.wait_seconds(holder, 1e-5)  # type: ignore[arg-type]
        assert not processor_time.wait_seconds(holder, 30)  # type: ignore[arg-type]


@pytest.mark.parametrize(("language", "words"), [("en", "Try again in 1 minute."), ("ja", "プロセッサ時間")])
def test_above_it_a_sentence_stands_in_the_place_of_the_figures(
    anas: Client, ana: Person, design: Design, processor_time: ProcessorTime, language: str, words: str
) -> None:
    processor_time.add(("person", ana.pk), 31)
    refused = anas.get(insight(design), headers={"HX-Request": "true", "Accept-Language": language})

    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert words in refused.content.decode()
    assert "<html" not in refused.content.decode()
    assert "no-store" in refused["Cache-Control"]
    processor_time.clock.now += 60  # type: ignore[attr-defined]
    assert anas.get(insight(design)).status_code == 200


def test_a_page_of_a_spent_share_is_no_fault_and_offers_to_try_again(
    ana: Person, design: Design, processor_time: ProcessorTime
) -> None:
    link, token = Link.objects.start(design=design, name="Review", role="link_view", made_by=ana)
    processor_time.add(("link", link.pk), 61)
    refused = Client().get(f"/review/{token}/")
    page = refused.content.decode()

    assert refused.status_code == 429
    assert "<h1>Try again shortly</h1>" in " ".join(page.split()).replace("<h1> ", "<h1>").replace(" </h1>", "</h1>")
    assert "Something went wrong" not in page
    assert f'href="/review/{token}/">Try again</a>' in page


def test_edits_are_saved_and_pages_without_an_estimate_answer_all_the_same(
    anas: Client, ana: Person, design: Design, processor_time: ProcessorTime
) -> None:
    processor_time.add(("person", ana.pk), 31)
    edit = {"at": "", "name": "description", "was": "null", "v": "Kites"}

    assert anas.post(f"/designs/{design.key}/edit", edit, headers={"HX-Request": "true"}).status_code == 200
    assert Design.objects.get().spec.description == "Kites"
    assert anas.get(f"/designs/{design.key}/").status_code == 200


def test_visitors_of_a_link_take_of_its_share_and_not_of_its_teams(
    ana: Person, team: Team, anas: Client, design: Design, processor_time: ProcessorTime
) -> None:
    link, token = Link.objects.start(design=design, name="Review", role="link_view", made_by=ana)
    address = f"/review/{token}/"
    assert Client().get(address).status_code == 200
    assert processor_time.wait_seconds(("link", link.pk), 1e-5)
    assert not processor_time.wait_seconds(("team", team.pk), 1e-5)
    processor_time.add(("link", link.pk), 21)
    refused = Client().get(address)

    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert "Visitors used this link" in refused.content.decode()
    assert anas.get(insight(design)).status_code == 200


def test_programs_are_refused_as_json(ana: Person, team: Team, design: Design, processor_time: ProcessorTime) -> None:
    issued, text = Token.objects.issue(team, name="CI", scope="read", by=ana)
    client = Client(headers={"Authorization": f"Bearer {text}"})
    estimate = f"/api/v1/designs/{design.key}/estimate"
    assert client.get(estimate).status_code == 200
    processor_time.add(("token", issued.pk), 21)
    refused = client.get(estimate)

    assert (refused.status_code, refused["Retry-After"]) == (429, "60")
    assert refused.json()["error"].startswith("This token used its share")
    assert client.get(f"/api/v1/designs/{design.key}").status_code == 200


def test_a_server_that_nobody_else_uses_is_free_to_whoever_uses_it(
    anas: Client, ana: Person, design: Design, processor_time: ProcessorTime
) -> None:
    processor_time.clear()
    processor_time.add(("person", ana.pk), 59)
    processor_time.add(shares.PROCESS, 60)
    assert anas.get(insight(design)).status_code == 200

    processor_time.add(shares.PROCESS, 2)
    assert anas.get(insight(design)).status_code == 429


def test_alone_nobody_has_to_be_fair(
    anas: Client, ana: Person, design: Design, processor_time: ProcessorTime, settings: Any
) -> None:
    settings.KEYWRIGHT_MODE = "embedded"
    me = Person.objects.get_or_create_local()
    mine = Design.objects.start(Spec(name="Mine"), team=me.memberships.select_related("team")[0].team, by=me)
    processor_time.add(("person", me.pk), 1000)

    assert Client(SERVER_NAME="localhost").get(insight(mine)).status_code == 200


def test_a_search_for_schemas_is_refused_though_it_is_posted(
    anas: Client, ana: Person, processor_time: ProcessorTime
) -> None:
    processor_time.add(("person", ana.pk), 31)
    answer = anas.post("/designs/schemas", {"kind": "event", "0-record": "order", "0-rate": "5/s"})
    assert answer.status_code == 429
    assert answer["Retry-After"]
