"""What pages and answers say of their release."""

import re
from typing import Any

import pytest
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client

from designer.http.release import HEADER
from designer.http.version import VERSION


def told(client: Client) -> tuple[str, str]:
    """Return the release of a whole page, and of an answer to a script of a page."""
    page: Any = client.get("/rules/")
    found = re.search(r'<html[^>]* data-release="([^"]+)"', page.content.decode())
    assert found is not None
    assert HEADER not in page.headers
    return found[1], client.get("/rules/", HTTP_HX_REQUEST="true").headers[HEADER]


def test_pages_and_answers_name_one_release_that_changes_with_the_scripts(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_page, of_answer = told(client)
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "of-the-next-release", raising=False)

    assert of_page == of_answer
    assert VERSION not in of_page
    assert len({of_page, *told(client)}) == 2


def test_an_answer_that_is_an_error_names_its_release_too(anas: Client) -> None:
    answer: Any = anas.post("/designs/0123456789ab/no-such-address", HTTP_HX_REQUEST="true")

    assert answer.status_code == 404
    assert "If Keywright was updated while the page was open" in answer.content.decode()
    assert HEADER in answer.headers
