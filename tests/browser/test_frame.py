"""The frame of every page: language, colour scheme, skip link."""

from playwright.sync_api import Page, expect


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
