"""Two people in one design, a lost connection, the back button: nothing typed is lost, nothing stale is shown."""

import re
from collections.abc import Callable, Generator
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, Route

from designer.document.edits import Remove, Set
from designer.document.load import from_data
from designer.models import Design, Person, Team
from designer.models.memory import MEMORY
from tests.browser.soon import PATIENCE_MS, expect

SPEC = {
    "name": "Balloons",
    "tables": [
        {
            "id": "t", "name": "readings", "description": "all",
            "families": [{"id": "f", "name": "m", "gc": {"kind": "max_age", "age_days": 30}}],
        }
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def _team_mode(settings: Any) -> None:
    settings.KEYWRIGHT_MODE = "team"


@pytest.fixture
def allowed_console_errors() -> list[str]:
    return [
        "409",
        "422",
        "404",
        "401",
        "ERR_INTERNET_DISCONNECTED",
        "ERR_FAILED",
        "htmx:sendError",
    ]


@pytest.fixture
def team(live_server: Any) -> Team:
    return Team.objects.create(name="Platform")


def member(team: Team, name: str) -> Person:
    person = Person.objects.create_user(f"{name.lower()}@example.com", name=name)
    team.add(person, "editor")
    return person


@pytest.fixture
def ana(team: Team) -> Person:
    return member(team, "Ana")


@pytest.fixture
def ben(team: Team) -> Person:
    return member(team, "Ben Moor")


@pytest.fixture
def design(team: Team, ana: Person) -> Design:
    return Design.objects.start(from_data(SPEC), team=team, by=ana)


def sign_in(context: BrowserContext, person: Person, url: str) -> None:
    client = Client()
    client.force_login(person)
    value = client.cookies[django_settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": django_settings.SESSION_COOKIE_NAME, "value": value, "url": url}])


@pytest.fixture
def anas(page: Page, ana: Person, design: Design, live_server: Any) -> Page:
    sign_in(page.context, ana, live_server.url)
    page.goto(f"/designs/{design.key}/at/t")
    return page


@pytest.fixture
def bens(browser: Browser, ben: Person, design: Design, live_server: Any) -> Generator[Page, None, None]:
    context = browser.new_context(base_url=live_server.url, locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    sign_in(context, ben, live_server.url)
    page = context.new_page()
    page.goto(f"/designs/{design.key}/at/t")
    yield page
    context.close()


def head(design: Design) -> Any:
    return Design.objects.get(pk=design.pk).spec


def stored(page: Page, design: Design, *, sequence: int) -> None:
    expect(page.locator("#editor")).to_have_attribute("data-sequence", str(sequence))
    assert Design.objects.get(pk=design.pk).sequence >= sequence


def test_two_people_see_each_other_and_what_the_other_changes(anas: Page, bens: Page, design: Design) -> None:
    expect(anas.locator("#company .person")).to_have_text(re.compile("BM"))
    expect(anas.locator("#outline a[href$='/at/t'] .here")).to_have_text("BM")

    bens.get_by_label("Name", exact=True).fill("cells")
    expect(anas.get_by_label("Name", exact=True)).to_have_value("cells")
    expect(anas.locator("#outline a[href$='/at/t']")).to_contain_text("cells")

    anas.get_by_label("Description").fill("more")
    expect(bens.get_by_label("Description")).to_have_value("more")
    table = head(design).find("t")
    assert (table.name, table.description) == ("cells", "more")


def test_what_somebody_types_in_is_not_swapped_and_both_versions_are_shown(
    anas: Page, bens: Page, design: Design, accessible: Callable[[], None]
) -> None:
    mine = anas.get_by_label("Name", exact=True)
    expect(anas.locator("#company .person")).to_be_visible()
    mine.click()

    bens.get_by_label("Name", exact=True).fill("cells")
    bens.get_by_label("Description").click()
    expect(anas.locator(".theirs")).to_contain_text("Ben Moor changed this")
    expect(mine).to_have_value("readings")
    expect(mine).to_be_focused()

    mine.press("End")
    mine.press_sequentially("X")
    sides = anas.locator(".conflict .side")
    expect(sides.nth(0)).to_contain_text("readingsX")
    expect(sides.nth(1)).to_contain_text("cells")
    accessible()
    sides.nth(0).get_by_role("button", name="Keep mine").click()
    expect(anas.locator(".conflict")).to_have_count(0)
    expect(bens.get_by_label("Name", exact=True)).to_have_value("readingsX")
    assert head(design).find("t").name == "readingsX"


def test_theirs_comes_when_the_field_is_left_untouched(anas: Page, design: Design, ben: Person) -> None:
    mine = anas.get_by_label("Name", exact=True)
    mine.click()
    design.apply(Set(at="t", name="name", value="cells", was="readings"), by=ben)
    expect(anas.locator(".theirs")).to_be_visible()

    anas.get_by_label("Description").click()

    expect(mine).to_have_value("cells")


def test_what_another_changed_is_not_overwritten_where_the_page_is_read_before_the_news_of_it(
    anas: Page, design: Design, ben: Person
) -> None:
    silent = [True]
    anas.route("**/news?*", lambda route: route.fulfill(status=204) if silent else route.continue_())
    design.apply(Set(at="t", name="description", value="theirs", was="all"), by=ben)
    anas.get_by_label("Description").focus()
    anas.get_by_label("Name", exact=True).evaluate("(name) => { name.value = 'cells'; htmx.trigger(name, 'input'); }")
    expect(anas.locator("section.element")).to_have_attribute("data-sequence", "3")  # read anew, with Ben's change

    silent.clear()
    anas.keyboard.press("Control+A")
    anas.keyboard.type("mine")

    expect(anas.locator(".conflict")).to_contain_text("theirs")
    expect(anas.get_by_label("Description")).to_have_value("mine")
    assert head(design).find("t").description == "theirs"


def test_a_removed_element_is_said_keeps_what_was_typed_and_comes_back(anas: Page, design: Design, ben: Person) -> None:
    anas.route("**/edit", lambda route: route.abort())
    anas.get_by_label("Description").fill("long thoughts")
    expect(anas.get_by_text("The connection is lost.")).to_be_visible()
    design.apply(Remove(at="t"), by=ben)
    anas.unroute("**/edit")

    expect(anas.locator("#removed")).to_contain_text("Ben Moor removed “readings”")
    expect(anas.get_by_label("Description")).to_have_value("long thoughts")
    anas.get_by_role("button", name="Restore").click()

    expect(anas.locator("#removed")).to_have_count(0)
    expect(anas.locator("form.unsaved")).to_have_count(0)
    assert head(design).find("t").description == "long thoughts"

    Design.objects.get(pk=design.pk).apply(Remove(at="t"), by=ben)
    expect(anas.locator("#removed")).to_be_visible()
    anas.get_by_label("Description").fill("longer thoughts")
    anas.get_by_role("link", name="All tables").click()
    expect(anas.locator("section.element")).to_have_attribute("data-at", "")
    Design.objects.get(pk=design.pk).restore_element("t", by=ben)
    anas.get_by_role("button", name="Find").click()
    anas.locator("#outline a[href$='/at/t']").click()
    expect(anas.locator("#centre #c-t-description-in")).to_have_value("longer thoughts")
    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    assert head(design).find("t").description == "longer thoughts"


def test_a_lost_connection_says_so_keeps_what_is_typed_and_catches_up(
    anas: Page, context: BrowserContext, design: Design, ben: Person, accessible: Callable[[], None]
) -> None:
    context.set_offline(True)
    anas.get_by_label("Name", exact=True).fill("cells")
    anas.get_by_label("Description").fill("more")
    expect(anas.get_by_text("The connection is lost.")).to_be_visible()
    expect(anas.locator("#state")).to_have_text(re.compile(r"r\d+ not saved yet"), use_inner_text=True)
    accessible()
    design.apply(Set(at="", name="horizon_months", value=24), by=ben)

    context.set_offline(False)

    expect(anas.get_by_text("The connection is lost.")).to_be_hidden()
    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    spec = head(design)
    assert (spec.find("t").name, spec.find("t").description, spec.horizon_months) == ("cells", "more", 24)
    stored(anas, design, sequence=4)


def test_an_answer_that_was_lost_is_no_conflict_with_oneself(
    anas: Page, design: Design, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors.append("500")
    lost: list[Route] = []
    told: list[bool] = []

    def swallow(route: Route) -> None:
        lost.append(route)
        if len(lost) == 1:
            route.fetch()  # it is stored, but nobody hears of it
        if len(told) == 1:
            told.append(True)
            route.fulfill(status=500)  # asked again, the server fails, which tells nothing of the first
        elif told:
            route.continue_()
        else:
            route.abort()

    anas.route("**/edit", swallow)
    name = anas.get_by_label("Name", exact=True)
    name.fill("cells")
    expect(anas.get_by_text("The connection is lost.")).to_be_visible()
    told.append(True)
    name.fill("cells of readings")

    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    expect(anas.locator(".conflict")).to_have_count(0)
    assert head(design).find("t").name == "cells of readings"


def test_who_is_signed_out_signs_in_elsewhere_and_loses_nothing(
    anas: Page,
    context: BrowserContext,
    design: Design,
    ana: Person,
    live_server: Any,
    allowed_console_errors: list[str],
) -> None:
    allowed_console_errors.append("403")  # what the page tries again before it has read the new token
    context.clear_cookies(name=django_settings.SESSION_COOKIE_NAME)
    anas.get_by_label("Name", exact=True).fill("cells")
    expect(anas.get_by_text("You are no longer signed in.")).to_be_visible()
    assert anas.url.endswith("/at/t")

    context.clear_cookies()  # signing in gives another token, too
    sign_in(context, ana, live_server.url)
    anas.evaluate("window.dispatchEvent(new Event('focus'))")  # coming back from the other tab

    expect(anas.get_by_text("You are no longer signed in.")).to_be_hidden()
    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    assert head(design).find("t").name == "cells"


def test_of_two_that_are_opened_the_last_one_stays_whichever_answers_first(
    anas: Page, design: Design, ben: Person, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors.append("502")
    element = anas.locator("section.element")
    held: list[Route] = []
    anas.route("**/at/f", lambda route: held.append(route), times=1)
    anas.get_by_role("button", name="Find").click()
    with anas.expect_request("**/at/f"):
        anas.locator("#outline a[href$='/at/f']").click()
    anas.get_by_role("link", name="All tables").click()
    expect(element).to_have_attribute("data-at", "")
    with anas.expect_response("**/at/f"):
        held[0].continue_()
    assert element.get_attribute("data-at") == ""

    anas.route("**/at/t", lambda route: route.abort(), times=1)  # what is gone back to cannot be read at first
    anas.go_back()
    expect(element).to_have_attribute("data-at", "t")
    anas.route("**/at/t", lambda route: route.fulfill(status=502), times=1)  # nor what another changed
    design.apply(Set(at="t", name="name", value="cells", was="readings"), by=ben)
    expect(anas.get_by_label("Name", exact=True)).to_have_value("cells")

    anas.route("**/at/f", lambda route: held.append(route), times=1)
    anas.get_by_role("button", name="Find").click()
    with anas.expect_request("**/at/f"):
        anas.locator("#outline a[href$='/at/f']").click()
    title = anas.get_by_label("Design name")
    title.press("X")
    held[1].continue_()
    expect(element).to_have_attribute("data-at", "f")
    expect(title).to_be_focused()


def test_back_shows_what_is_there_now_and_parked_text_is_back_in_its_place(anas: Page, design: Design) -> None:
    anas.get_by_label("Name", exact=True).fill("cells")
    anas.get_by_role("button", name="Find").click()
    anas.locator("#outline a[href$='/at/f']").hover()
    anas.mouse.down()
    anas.evaluate("outline.innerHTML += ''; htmx.process(outline);")  # the list comes anew while it is pressed
    anas.mouse.up()
    expect(anas.locator("section.element")).to_have_attribute("data-at", "f")
    anas.locator("#c-f-gc input[type=text]").first.fill("soon")
    expect(anas.locator("#c-f-gc.unsaved .problem")).not_to_be_empty()

    anas.go_back()
    expect(anas.locator("section.element")).to_have_attribute("data-at", "t")
    expect(anas.get_by_label("Name", exact=True)).to_have_value("cells")
    expect(anas.locator("#outline a[aria-current=page]")).to_contain_text("cells")
    expect(anas.locator("#insight")).to_have_attribute("data-slot", re.compile("at=t"))
    expect(anas.locator("#insight.stale")).to_have_count(0)
    expect(anas.locator("#parked")).to_contain_text("soon")

    held: list[Route] = []  # the reminder that asks for it has been written anew before its answer comes
    anas.route("**/at/f", lambda route: held.append(route), times=1)
    with anas.expect_response("**/edit"):
        anas.locator("#parked a").click()
        anas.get_by_label("Name", exact=True).fill("rows")
    anas.route("**/edit", lambda route: held.append(route))
    with anas.expect_request("**/edit"):  # what is unsaved is sent again
        held[0].continue_()
    expect(anas.locator("#outline a[aria-current=page]")).to_have_attribute("href", re.compile("/at/f$"))
    age = anas.locator("#centre #c-f-gc input[type=text]").first
    expect(age).to_have_value("soon")
    age.fill("45")
    age.press("Tab")
    with anas.expect_response("**/edit"):
        held[1].continue_()
    anas.unroute("**/edit")
    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    assert head(design).find("f").gc.age_days == 45


def test_fast_typing_in_two_controls_on_a_slow_line_is_all_saved(anas: Page, design: Design) -> None:
    held: list[Route] = []
    holds = [True]
    saving = anas.locator("form.control.saving")

    def type_in_both(letters: str) -> None:
        for letter in letters:
            for label in ("Name", "Description"):
                anas.get_by_label(label, exact=True).focus()
                anas.keyboard.press("End")
                anas.keyboard.press(letter)

    def answer() -> None:
        while held:
            held.pop(0).continue_()

    anas.route("**/edit", lambda route: held.append(route) if holds else route.continue_())
    type_in_both("a")
    expect(saving).to_have_count(2)
    type_in_both("bc")  # while the first letter is on its way
    answer()
    stored(anas, design, sequence=3)
    expect(saving).to_have_count(2)
    type_in_both("def")  # while the next two are
    holds.clear()
    answer()

    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    table = head(design).find("t")
    assert (table.name, table.description) == ("readingsabcdef", "allabcdef")
    expect(anas.locator(".theirs, .conflict")).to_have_count(0)


def test_typing_goes_on_through_a_conflict_and_the_choice_is_of_all_of_it(
    anas: Page, design: Design, ana: Person, ben: Person
) -> None:
    name = anas.get_by_label("Name", exact=True)
    name.click()
    design.apply(Set(at="t", name="name", value="cells", was="readings"), by=ben)
    name.press("End")
    mine = anas.locator(".conflict .side").first
    for typed in ("readingsa", "readingsab", "readingsabc"):  # the conflict is told after the first, and follows
        name.press(typed[-1])
        expect(mine).to_contain_text(typed)
    expect(name).to_have_value("readingsabc")
    Design.objects.get(pk=design.pk).apply(Set(at="t", name="name", value="items", was="cells"), by=ben)
    expect(anas.locator(".conflict .side").last).to_contain_text("items")  # what would be taken is what is shown

    anas.get_by_role("button", name="Take theirs").press("Enter")

    expect(name).to_have_value("items")
    expect(anas.locator("form.control:is(.unsaved, .typed, .saving)")).to_have_count(0)
    held: list[Route] = []
    anas.route("**/at/t", lambda route: held.append(route), times=1)
    with anas.expect_request("**/at/t"):
        Design.objects.get(pk=design.pk).apply(Set(at="t", name="name", value="cells", was="items"), by=ben)
    expect(name).to_be_focused()
    Design.objects.get(pk=design.pk).apply(Set(at="t", name="name", value="rows", was="cells"), by=ana)
    held[0].continue_()  # what is read now is newer than all that was told
    expect(anas.locator(".theirs")).to_contain_text("You changed this in another window")
    anas.get_by_role("button", name="Show", exact=True).click()
    expect(name).to_have_value("rows")

    name.click()
    Design.objects.get(pk=design.pk).apply(Set(at="t", name="name", value="cells", was="rows"), by=ben)
    name.press("End")
    name.press("X")
    expect(anas.locator(".conflict .side").last).to_contain_text("cells")
    Design.objects.get(pk=design.pk).apply(Set(at="t", name="name", value="rows", was="cells"), by=ben)
    expect(anas.locator(".conflict")).to_have_count(0)  # nothing stands against it any more
    assert head(design).find("t").name == "rowsX"


@pytest.mark.fresh_page
def test_leaving_right_after_typing_saves_and_leaving_what_cannot_be_saved_warns(anas: Page, design: Design) -> None:
    asked: list[str] = []
    anas.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))

    anas.get_by_label("Description").fill("more")
    anas.get_by_role("link", name="History").click()
    expect(anas.get_by_role("heading", level=1)).to_have_text("History")
    anas.go_back()
    expect(anas.get_by_label("Description")).to_have_value("more")
    assert not asked

    anas.get_by_label("History stored").fill("some")
    expect(anas.locator("form.control.unsaved .problem")).not_to_be_empty()
    with anas.expect_event("dialog"):
        anas.get_by_role("link", name="History").click()
    assert asked == ["beforeunload"]
    expect(anas.get_by_label("History stored")).to_have_value("some")


def test_a_page_that_was_open_over_an_update_says_so_and_keeps_what_is_typed(
    anas: Page, design: Design, settings: Any, monkeypatch: pytest.MonkeyPatch, accessible: Callable[..., None]
) -> None:
    anas.get_by_role("button", name="More").click()
    anas.get_by_role("button", name="As text").click()
    text = anas.locator(".cm-content")
    text.click()
    expect(text).to_be_focused()
    monkeypatch.setattr(staticfiles_storage, "manifest_hash", "of-the-next-release", raising=False)
    settings.ROOT_URLCONF = "tests.browser.moved_addresses"
    MEMORY.clear()  # a release comes with new processes
    updated, description = anas.locator("#updated"), anas.get_by_label("Description")
    expect(updated).to_contain_text("Keywright was updated")

    anas.keyboard.press("Control+End")
    anas.keyboard.type("half a line")
    expect(anas.locator("#c-design-text-problem li").first).to_be_visible()
    description.fill("typed before the reload")
    expect(anas.get_by_text("Not saved: Keywright was updated.")).to_be_visible()
    accessible("light", "dark")
    updated.get_by_role("button", name="Reload").click()

    expect(updated).to_be_hidden()
    expect(description).to_have_value("typed before the reload")
    expect(text).to_contain_text("half a line")
    stored(anas, design, sequence=2)
    assert head(design).find("t").description == "typed before the reload"
    expect(anas.locator("#kept")).to_be_hidden()
