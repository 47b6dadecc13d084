"""A design as text beside its sheet: both ways, with errors at their place, shown before it removes something."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page

from designer.models import Design
from tests.browser.soon import expect
from tests.browser.test_editor import SAVING, started


def opened(page: Page, slug: str = "karte") -> Design:
    design = started(slug)
    page.goto(f"/designs/{design.key}/")
    expect(page.locator("#verdict")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(editor(page)).to_be_focused()
    return design


def editor(page: Page) -> Locator:
    return page.get_by_role("textbox", name="The design as text")


def find(page: Page, words: str) -> None:
    """Select words in the text by its own search."""
    page.keyboard.press("Control+f")
    expect(page.locator(".cm-search input[name=search]")).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(editor(page)).to_be_focused()


def test_text_and_sheet_follow_each_other_and_the_cursor_stays(
    page: Page, allowed_console_errors: list[str], accessible: Callable[..., None]
) -> None:
    allowed_console_errors += ["422", "409"]
    page.set_viewport_size({"width": 1440, "height": 900})
    design = opened(page)
    rate = page.locator("#schema .source input[name=v]").first

    find(page, "something: 4k/s")
    page.keyboard.type("something: 5k/s")
    expect(page.locator("#state")).to_contain_text("r2")
    expect(rate).to_have_value("5,000")

    find(page, "newest_rows=50")
    page.keyboard.press("ArrowRight")
    page.keyboard.type("x")
    expect(page.locator("#c-design-text-problem")).to_contain_text('"50x" is not a whole number')
    expect(page.locator(".cm-lintRange-error")).to_have_text("newest_rows=50x")
    expect(page.locator("#state")).to_contain_text("not saved yet")
    rate.fill("6000")
    expect(editor(page)).to_contain_text("something: 6k/s")
    expect(editor(page)).to_contain_text("50x")
    page.get_by_role("button", name=re.compile(r"^Line \d+")).click()
    expect(editor(page)).to_be_focused()
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    expect(page.locator("#c-design-text-problem")).to_be_empty()
    expect(page.locator(SAVING)).to_have_count(0)
    accessible("light", "dark")

    now = Design.objects.get(pk=design.pk).spec
    assert now.find("event").rate_per_second == 6000
    assert now.find("read-newest").newest_rows == 50

    page.keyboard.press("Control+Home")
    page.keyboard.type("# one row per visitor\n")
    expect(page.locator(SAVING)).to_have_count(0)
    page.reload()
    expect(editor(page)).to_contain_text("# one row per visitor")


def test_the_line_that_is_written_stays_in_view_when_its_problem_is_listed_below(
    page: Page, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors += ["422"]
    opened(page)
    editor(page).focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nbogus: 1")
    expect(page.locator("#c-design-text-problem")).to_contain_text("unknown key")

    line = page.locator(".cm-activeLine", has_text="bogus")
    expect(line).to_be_in_viewport()
    scroller = page.locator(".cm-scroller").bounding_box()
    written = line.bounding_box()
    assert scroller is not None
    assert written is not None
    assert written["y"] + written["height"] <= scroller["y"] + scroller["height"] + 1


def test_what_is_pasted_is_compared_before_it_applies_and_is_one_step(
    page: Page, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors += ["409"]
    design = opened(page)
    page.keyboard.press("Control+a")
    page.evaluate(
        """text => { const data = new DataTransfer(); data.setData("text/plain", text);
            document.querySelector(".cm-content").dispatchEvent(
                new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })) }""",
        "format: 1\nname: Visitors\nfields:\n  user_id: distinct=5M\ntables:\n  users:\n    key: '{user_id}'\n",
    )
    review = page.locator("[data-review]")
    expect(review).to_contain_text("removed events")
    expect(page.locator(".cm-deletedChunk").first).to_be_visible()
    assert Design.objects.get(pk=design.pk).number == 1

    page.keyboard.press("Control+Enter")
    expect(page.locator("#state")).to_contain_text("r2")
    expect(review).to_have_count(0)
    now = Design.objects.get(pk=design.pk)
    assert [table.name for table in now.spec.tables] == ["users"]
    assert "user-id" in now.spec.by_id
    assert now.number == 2

    page.locator('[data-key="Control+z"]').click()
    expect(editor(page)).to_contain_text("KARTE: state and events of users")


@pytest.mark.parametrize("language", ["ja"])
def test_on_a_phone_the_text_fills_the_screen_and_leads_back(page: Page, language: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"/designs/{started('karte').key}/")
    expect(page.locator("#verdict")).to_be_visible()
    page.locator("[popovertarget=preferences]").first.click()
    page.locator("#preferences [data-text-toggle]").click()
    expect(page.locator(".cm-content")).to_be_visible()
    box = page.locator("#text").bounding_box()
    assert box
    assert (box["x"], box["width"]) == (0, 390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

    page.locator(".text-back").click()
    expect(page.locator("#text")).to_be_hidden()
