"""The site's own pages."""

import pytest
from django.db import DatabaseError, OperationalError, connection
from django.test import Client

from designer.models import Person


def test_a_site_whose_database_answers_is_healthy(client: Client) -> None:
    response = client.get("/healthz")

    assert response.status_code == 200
    assert response.json() == {"status": "ok", "database": connection.vendor}


def test_a_site_whose_database_is_gone_says_so(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> None:
        raise DatabaseError

    with monkeypatch.context() as patch:
        patch.setattr(connection, "cursor", gone)
        response = client.get("/healthz")

    assert response.status_code == 503
    assert response.json()["status"] == "unavailable"


@pytest.mark.parametrize(
    ("problem", "status", "said"),
    [
        (OperationalError("database or disk is full"), 503, "Free some space"),
        (OperationalError("server closed the connection unexpectedly"), 503, "try again in a moment"),
        (ZeroDivisionError("x"), 500, "an error in Keywright"),
    ],
)
def test_what_a_page_cannot_say_without_the_database_says_why(
    client: Client, monkeypatch: pytest.MonkeyPatch, problem: Exception, status: int, said: str
) -> None:
    def away(*_: object, **__: object) -> None:
        raise problem

    client.raise_request_exception = False
    with monkeypatch.context() as patch:
        patch.setattr(Person.objects, "get_or_create_local", away)
        response = client.get("/")

    assert (response.status_code, said in response.content.decode()) == (status, True)
