"""A person simulates a design, reads the map by keys and pointer, and takes its split keys."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from designer.examples import example
from designer.models import Design, Person
from estimator.runs import delivery
from estimator.worker.worker import run_next_step
from tests.browser.soon import expect


@pytest.fixture
def design(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Design:
    """Whose runs are done before the request that asks for them ends."""

    def send(count: int = 1) -> bool:
        while run_next_step("w"):
            pass
        return True

    monkeypatch.setattr(delivery, "send", send)
    local = Person.objects.get_or_create_local()
    return Design.objects.start(example("timestamp-first").spec, team=local.teams.get(), by=local)


def test_a_day_is_simulated_explored_and_its_split_keys_are_used(
    page: Page, live_server: Any, accessible: Callable[[], None], design: Design
) -> None:
    page.goto(f"{live_server.url}/designs/{design.key}/")
    page.get_by_role("link", name="Simulate").click()
    expect(page.get_by_role("button", name="Simulate")).to_be_visible()
    accessible()
    page.get_by_role("button", name="Simulate").click()

    explorer = page.locator("[data-explorer]")
    expect(explorer).to_have_attribute("data-ready", "")
    accessible()

    page.get_by_role("link", name="Show", exact=True).first.click()
    expect(page).to_have_url(re.compile(r"#(of=\w+&)?view=\d+-1024\."))
    view, live = explorer.locator(".map-view"), explorer.locator("[data-live]")
    expect(view).to_contain_text("key ranges")

    # by keys alone: the hottest cell, pinned, closer, back, all
    explorer.get_by_role("application").focus()
    for key in ("h", "p"):
        page.keyboard.press(key)
    expect(live).to_contain_text("Pinned: ")
    expect(explorer.locator("[data-pins] li")).to_contain_text("Node CPU time")
    near = view.text_content()
    page.keyboard.press("z")
    expect(view).not_to_have_text(near or "")
    page.keyboard.press("Backspace")
    expect(view).to_have_text(near or "")
    page.keyboard.press("r")
    expect(view).to_have_text("Showing the full map")
    page.keyboard.press("ArrowLeft")
    expect(live).to_contain_text("of this window")
    page.keyboard.press("+")
    expect(explorer.locator("output")).to_contain_text("×2")

    # by pointer: a box; the address brings all of it back
    box = explorer.locator(".map-field").bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 220, box["y"] + 120, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"view=.*&pin=0\.\d+\.\d+&bright=1"))
    seen = view.text_content() or ""
    expect(explorer.locator("caption")).to_have_text(re.compile("hottest"))
    page.reload()
    expect(view).to_have_text(seen)
    expect(explorer.locator("[data-pins] li")).to_have_count(1)
    accessible()

    page.get_by_label("One key per line").fill("17\n18")
    page.get_by_role("button", name="Use split keys").click()
    expect(page.get_by_text("The split keys were added to the design")).to_be_visible()
    expect(page.get_by_text("2 split keys: 17, 18")).to_be_visible()
