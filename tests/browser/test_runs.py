"""A run from its button to its result, as a person sees it."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page

from designer.examples import example
from designer.models import Design, Person
from estimator.runs import delivery
from estimator.worker.worker import run_next_step
from tests.browser.soon import expect
from tests.jobs import tiny  # noqa: F401 - registers a kind that takes as long as it is told


@pytest.fixture
def design(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Design:
    """With a worker in this process: a thread for every message."""

    def work() -> None:
        while run_next_step("w"):
            pass
        connection.close()

    def send(count: int = 1) -> bool:
        threading.Thread(target=work).start()
        return True

    monkeypatch.setattr(delivery, "send", send)
    local = Person.objects.get_or_create_local()
    return Design.objects.start(example("mobile-devices").spec, team=local.teams.get(), by=local)


def test_compression_is_measured_by_a_button_and_a_long_run_is_watched_and_cancelled(
    page: Page, live_server: Any, accessible: Any, design: Design, tmp_path: Path, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors.extend(["htmx:sendError", "net::ERR_FAILED"])
    gate = tmp_path / "gate"  # which nobody opens: it goes on until it is cancelled, however late that is
    page.goto(f"{live_server.url}/designs/{design.key}/of/{design.head_id}/")
    page.get_by_role("button", name="Measure compression of").first.click()
    expect(page.get_by_text("measured on")).to_be_visible()
    page.locator("#main").get_by_role("link", name="Estimate").click()
    expect(page.get_by_text(re.compile(r"measured on [\d,]+ blocks")).first).to_be_visible()

    from estimator.models import Run

    run, _ = Run.objects.find_or_start(design, "tiny", {"windows": 20, "seconds": 9.0, "gate": str(gate)}, None)
    page.goto(f"{live_server.url}/designs/{design.key}/runs/{run.pk}/")
    expect(page.get_by_text(re.compile(r"window \d"))).to_be_visible()
    accessible()
    page.route("**/progress*", lambda route: route.abort())
    expect(page.get_by_role("alert")).to_contain_text("The server is not responding.")
    page.unroute("**/progress*")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.get_by_role("button", name="Cancel run").click()
    expect(page.get_by_text("cancelled")).to_be_visible()
    expect(page.get_by_role("button", name="Run again")).to_be_visible()
    page.goto(f"{live_server.url}/designs/{design.key}/runs/")
    expect(page.get_by_role("row")).to_have_count(3)
    accessible()
