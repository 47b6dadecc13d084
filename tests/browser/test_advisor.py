"""A person asks for advice on a key and uses it."""

from collections.abc import Callable

from playwright.sync_api import Page

from designer.examples import example
from designer.models import Design, Person
from tests.browser.soon import expect


def test_a_better_key_is_found_looked_at_and_used(
    page: Page, accessible: Callable[[], None], live_server: object
) -> None:
    me = Person.objects.get_or_create_local()
    team = me.memberships.select_related("team")[0].team
    design = Design.objects.start(example("timestamp-first").spec, team=team, by=me)
    page.goto(f"/designs/{design.key}/at/reading")

    page.get_by_text("Suggest keys").focus()
    page.keyboard.press("Enter")
    better = page.locator(".candidates tbody").nth(1)
    expect(better).to_contain_text("spreads writes over 300,000 append points")
    better.get_by_text("Reads, findings and heat").click()
    expect(better.locator("svg image").first).to_be_attached()
    accessible()

    better.get_by_role("button", name="Use key: {machine}#{time}").click()

    expect(page.get_by_label("Row key, as text")).to_have_value("{machine}#{time}")
    expect(page.locator("#insight [data-keep^=K004]")).to_have_count(0)
