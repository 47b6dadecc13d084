"""Editors of parts, by a client without scripts: buttons and inputs of one form post one value."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from designer.models import Design, Person, Team
from designer.spec import Spec
from designer.spec.edits import value_of
from designer.spec.load import from_data

DESIGN: Any = {
    "name": "Balloons",
    "fields": [{"id": "balloon", "name": "balloon", "distinct": 1000}],
    "activities": [{"id": "a", "name": "a reading", "rate_per_second": 100}],
    "tables": [{"id": "t", "name": "readings", "families": [{"id": "f"}]}],
}


@pytest.fixture
def design() -> Design:
    team = Team.objects.create(name="Platform")
    ana = Person.objects.create_user("ana@example.com", name="Ana")
    team.add(ana, "owner")
    return Design.objects.start(from_data(DESIGN), team=team, by=ana)


@pytest.fixture
def client(design: Design, settings: Any) -> Client:
    settings.KEYWRIGHT_MODE = "team"
    client = Client(headers={"HX-Request": "true"})
    client.force_login(Person.objects.get())
    return client


def head(design: Design) -> Spec:
    return Design.objects.get(pk=design.pk).spec


def post(client: Client, design: Design, at: str, name: str, **inputs: Any) -> str:
    data = {"at": at, "name": name, "was": json.dumps(value_of(head(design), at, name)), **inputs}
    response = client.post(f"/designs/{design.key}/edit", data)
    assert response.status_code == 200, response.content.decode()
    return str(response.content.decode())


def test_a_policy_is_built_by_its_buttons_alone(client: Client, design: Design) -> None:
    shown = post(client, design, "f", "gc", do="rule keep age")
    assert "Deletes cells older than 30 days." in shown

    shown = post(client, design, "f", "gc", **{"v.kind": "max_age", "v.age_days": "45"}, do="rule group ")
    assert 'name="v.rules.1.versions"' in shown
    assert "older than 45 days or not among the newest 3" in shown


def test_a_typed_number_brings_the_sentence_and_the_picture_but_not_the_input(client: Client, design: Design) -> None:
    post(client, design, "f", "gc", do="rule keep age")

    shown = post(client, design, "f", "gc", **{"v.kind": "max_age", "v.age_days": "60"})

    assert re.search(
        r'id="c-f-gc-live" hx-swap-oob="true">\s*<p class="sentence">Deletes cells older than 60 days', shown
    )
    assert 'name="v.age_days"' not in shown
