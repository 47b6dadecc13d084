"""The PDF of a design that is stored: its revision, the verdicts, the choices of the page, and no stale copy of it."""

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from designer.document.edits import Set
from designer.document.load import from_data
from designer.models import Design, Person, Team
from reviews.models import Verdict
from reviews.verdicts.sections import hashes
from tests.contexts import answer
from tests.pdfs import page_texts

BALLOONS = {"name": "Balloons 髙", "tables": [{"id": "t", "name": "readings", "row_kinds": [{"id": "k"}]}]}


@pytest.fixture
def design(settings: Any) -> Design:
    settings.KEYWRIGHT_MODE = "team"
    ana = Person.objects.create_user("ana@example.com", name="Ana")
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    return Design.objects.start(from_data(BALLOONS), team=team, by=ana)


def taken(design: Design, **choices: Any) -> HttpResponse:
    client = Client()
    client.force_login(Person.objects.get(name="Ana"))
    address = reverse("export_file", args=[design.key, design.head_id, "pdf", "design.pdf"])
    return client.get(address, choices)  # type: ignore[return-value]


def pages(answer: HttpResponse) -> list[str]:
    return [" ".join(text.split()) for text in page_texts(answer.content)]


def verdict(design: Design, section: str, *, approves: bool, **more: Any) -> None:
    hash_ = hashes(design.spec, answer(design.spec).estimate)[section]  # type: ignore[index]
    Verdict.objects.create(
        design=design,
        section=section,
        approves=approves,
        hash=hash_,
        number=design.number,
        sha256=design.head_id,
        **more,
    )


def test_it_says_its_revision_and_the_verdicts_that_hold_and_those_that_are_out_of_date(design: Design) -> None:
    ben = Person.objects.create_user("ben@example.com", name="Ben")
    verdict(design, "keys", approves=True, person=ben, text="Spreads well")
    verdict(design, "workload", approves=False, visitor=True, name="Kenji", text="Too little is known")
    design.apply(Set(at="t", name="name", value="events", was="readings"), by=Person.objects.get(name="Ana"))

    response = taken(design, section="review", chosen="1")

    first, *rest = pages(response)
    assert "revision 2" in first
    assert "no-cache" in response.headers["Cache-Control"]
    keys, workload = first.index("Keys approved"), first.index("Workload changes requested")
    assert "outdated" in first[keys:workload]
    assert "outdated" not in first[workload : workload + 60]
    assert "through a link" in first[workload:]
    assert "Too little is known" in " ".join(rest)


def test_its_sections_and_its_language_are_chosen_whatever_the_language_of_the_page(design: Design) -> None:
    assert len(pages(taken(design, chosen="1"))) == 1
    japanese = pages(taken(design, chosen="1", section="keys", language="ja"))
    assert "目次" in japanese[1]
    assert "髙" in japanese[0]
    assert "Contents" in pages(taken(design, section=["keys", "cost"]))[1]


def test_the_same_revision_gives_the_same_bytes(design: Design) -> None:
    first = taken(design).content
    Design.objects.update(edited=timezone.now())

    assert taken(design).content == first
