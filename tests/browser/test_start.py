"""The start page, sign-in and teams, as people use them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page

from designer.document import Spec
from designer.models import Design, Person, Team
from tests.browser.shifts import assert_nothing_moved
from tests.browser.soon import expect

PASSWORD = "columns-wide-open"
BAD = '{\n "name": "Balloons",\n "tabels": []\n}'


def local_designs(*names: str) -> list[Design]:
    me = Person.objects.get_or_create_local()
    team = me.teams.get()
    return [Design.objects.start(Spec(name=name), team=team, by=me) for name in names]


def test_pasted_json_is_mended_in_place_and_opens(
    page: Page, allowed_console_errors: list[str], accessible: Callable[[], None]
) -> None:
    allowed_console_errors.append("422")
    page.goto("/")
    page.locator("#import summary").click()
    page.get_by_label("JSON", exact=True).fill(BAD)
    page.get_by_role("button", name="Create design").click()

    page.get_by_role("button", name="line 3").click()
    accessible()
    expect(page.get_by_label("JSON", exact=True)).to_be_focused()
    assert page.evaluate("getSelection().toString()") == ' "tabels": []'
    page.keyboard.type(' "tables": []')
    page.get_by_role("button", name="Create design").click()

    page.wait_for_url("**/designs/*/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Balloons")


def test_designs_are_found_as_one_types_and_nothing_moves_when_their_figures_arrive(page: Page) -> None:
    local_designs(*(f"design {n}" for n in range(6)), "Balloons")
    page.goto("/")
    expect(page.locator(".design-line .computed").first).to_contain_text("no bill yet")
    assert_nothing_moved(page, most=0.005)

    page.get_by_label("Search by name").press_sequentially("ball")

    expect(page.locator(".design-line")).to_have_count(1)
    expect(page.get_by_label("Search by name")).to_be_focused()
    expect(page).to_have_url("/?q=ball")  # a part of the word finds it, too
    expect(page.locator(".design-line .computed")).to_contain_text("no bill yet")


def test_keys_beside_the_map_are_whole_on_a_phone(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/")
    expect(page.locator(".cure-keys li").first).to_be_visible()
    cut = "keys => keys.filter(e => e.scrollWidth > e.clientWidth).map(e => e.textContent)"
    assert page.locator(".cure-keys li").evaluate_all(cut) == []


def test_a_design_is_deleted_and_brought_back_by_the_keyboard_alone(page: Page) -> None:
    local_designs("Balloons")
    page.goto("/")
    actions = page.locator(".design-line summary")
    actions.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Delete")).to_be_visible()
    page.keyboard.press("Escape")
    expect(actions).to_be_focused()

    page.keyboard.press("Enter")
    page.get_by_role("button", name="Delete").focus()
    page.keyboard.press("Enter")

    expect(page.get_by_role("button", name="Restore")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".design-line")).to_contain_text("Balloons")


@pytest.fixture
def platform(settings: Any) -> Team:
    settings.KEYWRIGHT_MODE = "team"
    team = Team.objects.create(name="Platform")
    for name, role in (("ana", "owner"), ("ben", "viewer")):
        team.add(Person.objects.create_user(f"{name}@example.com", PASSWORD, name=name.title()), role)  # type: ignore[arg-type]
    return team


def sign_in(page: Page, name: str, live_server: Any) -> None:
    client = Client()
    client.force_login(Person.objects.get(name=name))
    page.context.add_cookies(
        [{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}]
    )


@pytest.mark.parametrize(("language", "schemes"), [("ja", ["light", "dark"]), ("en", [])])
def test_pages_of_people_are_accessible_and_fit(
    page: Page, accessible: Callable[..., None], platform: Team, live_server: Any, schemes: list[str], language: str
) -> None:
    ana = Person.objects.get(name="Ana")
    design = Design.objects.start(Spec(name="Balloons"), team=platform, by=ana)
    _, token = platform.invite("editor", by=ana, email="eve@example.com")
    page.set_viewport_size({"width": 360, "height": 800})

    def look(address: str) -> None:
        page.goto(address)
        expect(page.locator("html")).to_have_attribute("lang", language)
        if schemes:  # what axe looks at is the same in every language
            accessible(*schemes)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, address

    look("/sign-in")
    look(f"/invitations/{token}")
    sign_in(page, "Ana", live_server)
    for address in (
        "/account", "/teams/", f"/teams/{platform.pk}/", f"/teams/{platform.pk}/tokens", "/api/",
        f"/?team={platform.pk}",
    ):  # fmt: skip
        look(address)
    page.locator(".design-line summary").click()
    if schemes:
        accessible(*schemes)
    eve = Person.objects.create_user("eve@example.com", name="Eve")
    platform.add(eve, "owner")
    platform.invite("viewer", by=eve)
    page.goto(f"/teams/{platform.pk}/")
    page.locator(f"form[action$='/people/{eve.pk}/remove'] button").click()
    expect(page.get_by_role("main").get_by_role("listitem")).to_contain_text("2")  # hers, and the one to her
    if schemes:
        accessible(*schemes)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    sign_in(page, "Ben", live_server)
    look(f"/designs/{design.key}/")
