"""Every test here may use the database: SQLite by default, PostgreSQL with `-p tests.postgres`."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from designer.http.shares import REQUESTS, TAKEN
from designer.models import Person, Team
from designer.views.accounts import sessions  # noqa: F401 - notes who signs in, before any address is read
from tests.markup import compact


@pytest.fixture(autouse=True)
def _database(db: None) -> None:
    return None


@pytest.fixture(autouse=True)
def _shares() -> None:
    """People of other tests have the same numbers."""
    TAKEN.clear()
    REQUESTS.clear()


@pytest.fixture(autouse=True)
def _language() -> Iterator[None]:
    """The language that a request was answered in stays that of the thread: the next test begins without."""
    yield
    translation.deactivate()


@pytest.fixture(autouse=True)
def _compact_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests read pages without the line breaks and indents of templates."""
    request = Client.request

    def compact_request(client: Client, **environment: Any) -> Any:
        response = request(client, **environment)
        if not response.streaming and response.headers.get("Content-Type", "").startswith("text/html"):
            response.content = compact(response.content.decode()).encode()
        return response

    monkeypatch.setattr(Client, "request", compact_request)


@pytest.fixture
def ana(settings: Any) -> Person:
    """Somebody with an account, on a site of teams."""
    settings.KEYWRIGHT_MODE = "team"
    return Person.objects.create_user("ana@example.com", name="Ana")


@pytest.fixture
def team(ana: Person) -> Team:
    """Hers."""
    team = Team.objects.create(name="Platform")
    team.add(ana, "owner")
    return team


@pytest.fixture
def anas(ana: Person, team: Team) -> Client:
    """Her browser."""
    client = Client()
    client.force_login(ana)
    return client
