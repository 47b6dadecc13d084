"""Measured of a design by axe: with a comparison, and with kept figures beside the forecast."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from designer.document import Spec
from designer.models import Design, Person
from tests.browser.soon import expect
from tests.core.observations.fleet import DESIGN, FILES, MADE_FILES


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_comparison_is_accessible_and_kept(
    page: Page, transactional_db: None, accessible: Callable[..., None], language: str
) -> None:
    local = Person.objects.get_or_create_local()
    design = Design.objects.start(Spec.model_validate(DESIGN), team=local.teams.get(), by=local)
    schemes = ("light", "dark") if language == "en" else ()
    page.goto(f"/designs/{design.key}/measured/")
    page.set_input_files("#measured-file", [str(FILES / name) for name in MADE_FILES])
    page.locator("form.importing > p > button").click()
    expect(page.locator("#compared-title")).to_be_visible()
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        accessible(*schemes)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("button[name=keep]").click()
    expect(page.locator("#kept-title")).to_be_visible()
    accessible(*schemes)
