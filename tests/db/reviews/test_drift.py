"""Drift in the browser: files laid beside a design, and refusals."""

import io
import json
from typing import Any

import pytest
from django.test import Client

from designer.document.load import from_data
from designer.models import Design, Person

TABLE = {"name": "projects/p/instances/i/tables/orders", "granularity": "MILLIS", "columnFamilies": {
    "cf": {"gcRule": {"maxAge": "2592000s"}}}}  # fmt: skip


@pytest.fixture
def design() -> Design:
    local = Person.objects.get_or_create_local()
    data = {"name": "Orders", "tables": [{"id": "t", "name": "orders", "families": [
        {"id": "f", "name": "cf", "gc": {"kind": "max_age", "age_days": 90}}]}]}  # fmt: skip
    return Design.objects.start(from_data(data), team=local.teams.get(), by=local)


def send(client: Client, design: Design, *texts: str, **more: str) -> Any:
    streams = []
    for number, text in enumerate(texts):
        streams.append(io.BytesIO(text.encode()))
        streams[-1].name = f"{number}.json"
    return client.post(f"/designs/{design.key}/drift/", {"file": streams, **more})


def words(response: Any) -> str:
    return " ".join(response.content.decode().split())


def test_differences_are_shown_with_their_places(client: Client, design: Design) -> None:
    assert client.get(f"/designs/{design.key}/drift/").status_code == 200
    shown = words(send(client, design, json.dumps(TABLE)))
    assert "1 difference" in shown
    assert "table orders, family cf, garbage collection: maxage=30d, designed maxage=90d" in shown
    assert "table/orders/family/cf/gc" in shown
    assert "No difference" in words(send(client, design, json.dumps(TABLE), ignore="cluster/* table/*/family"))


def test_a_file_that_cannot_be_compared_is_named(client: Client, design: Design) -> None:
    unread = send(client, design, json.dumps(TABLE), "a#1\nb#2\n")
    assert (unread.status_code, "1.json: not recognised: it looks like lines of text" in words(unread)) == (422, True)
    assert send(client, design).status_code == 422
