"""The start page and a wrong address, by axe."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

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
