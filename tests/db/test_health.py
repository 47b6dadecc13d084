"""The site's own pages."""

import pytest
from django.db import DatabaseError, connection
from django.test import Client


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
