"""The frame of every page: language, colour scheme, skip link."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.soon import expect


def test_the_colour_scheme_is_remembered(page: Page) -> None:
    page.goto("/")
    page.get_by_label("Colour scheme").select_option("dark")
    page.reload()

    expect(page.get_by_label("Colour scheme")).to_have_value("dark")
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")


def test_the_language_can_be_switched_and_back(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="日本語").click()

    expect(page.locator("html")).to_have_attribute("lang", "ja")
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_keyboard_reaches_the_content_first(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")

    expect(page.locator("main")).to_be_focused()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_start_page_is_accessible(page: Page, accessible: Callable[..., None], language: str) -> None:
    page.goto("/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    for width, schemes in ((360, ("light", "dark")), (1440, ("dark", "light"))):
        page.set_viewport_size({"width": width, "height": 900})

        accessible(*(schemes if language == "en" else ()))  # colours are the same in every language
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_wrong_address_leads_back(
    page: Page, accessible: Callable[[], None], allowed_console_errors: list[str], language: str
) -> None:
    allowed_console_errors.append("404")
    response = page.goto("/no-such-page")

    assert response is not None
    assert response.status == 404
    expect(page.locator("html")).to_have_attribute("lang", language)
    accessible()
    page.get_by_role("main").get_by_role("link").click()
    expect(page).to_have_url("/")
