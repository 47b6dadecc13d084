"""The start page and a wrong address, by axe."""

import re
from collections.abc import Callable
from typing import Any

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.soon import expect


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_start_page_is_accessible(page: Page, accessible: Callable[..., None], language: str) -> None:
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    for width, schemes in ((360, ("light", "dark")), (1440, ("dark", "light"))):
        page.set_viewport_size({"width": width, "height": 900})

        accessible(*(schemes if language == "en" else ()))  # colours are the same in every language
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_wrong_address_leads_back(
    page: Page, accessible: Callable[[], None], allowed_console_errors: list[str]
) -> None:
    allowed_console_errors.append("404")
    page.goto("/no-such-page")

    accessible()
    page.get_by_role("main").get_by_role("link").click()
    expect(page).to_have_url("/")


LOW_CONTROLS = """() => [...document.querySelectorAll("button, .button, select, input")]
    .filter((each) => !["checkbox", "radio", "range", "hidden", "file"].includes(each.type))
    .filter((each) => each.checkVisibility() && each.getBoundingClientRect().width > 1)
    .filter((each) => each.getBoundingClientRect().height < 44)
    .map((each) => each.outerHTML.slice(0, 80))"""


def test_controls_are_high_enough_for_fingers(browser: Browser, live_server: Any) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, base_url=live_server.url
    )
    page = context.new_page()
    for path in ("/", "/rules/", "/examples/mobile-devices/"):
        page.goto(path)
        assert page.evaluate(LOW_CONTROLS) == []
        assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()


def test_bars_and_signs_are_printed_though_browsers_leave_backgrounds_out(page: Page) -> None:
    page.goto("/examples/mobile-devices/")
    expect(page.locator(".months .last").first).to_be_visible()
    accent = page.evaluate("getComputedStyle(document.querySelector('.months .last')).backgroundColor")
    red, green, blue = (int(number) for number in re.findall(r"\d+", accent)[:3])

    with pypdfium2.PdfDocument(page.pdf(print_background=False)) as document:
        pictures = [sheet.render().to_pil().convert("RGB") for sheet in document]

    printed = sum(count for picture in pictures for count, colour in picture.getcolors(1 << 24) or ()
                  if colour == (red, green, blue))  # fmt: skip
    assert printed >= 100, "the bar of the last month"
