"""A person edits and watches what it comes to: findings mended and accepted, heat, money, nothing that jumps."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from designer.examples import example
from designer.models import Design, Person, Revision
from designer.wording.formatting import english
from tests.browser.shifts import assert_nothing_moved
from tests.browser.soon import expect


def started(slug: str = "timestamp-first") -> Design:
    me = Person.objects.get_or_create_local()
    team = me.memberships.select_related("team")[0].team
    return Design.objects.start(example(slug).spec, team=team, by=me)


LATE = """document.getElementById("company").innerHTML = '<ul class="company"><li><a class="person">BM</a></li></ul>';
document.getElementById("review-count").innerHTML = '<span class="count stale">! 2</span>';"""


@pytest.mark.fresh_page
def test_a_key_that_begins_with_time_is_fixed_and_the_heat_evens_out(
    page: Page, accessible: Callable[[], None]
) -> None:
    loaded: list[str] = []
    page.on("request", lambda request: loaded.append(request.url))
    page.goto(f"/designs/{started().key}/")
    insight, panel, verdict = page.locator("#insight"), page.locator("#panel"), page.locator("#verdict")
    expect(verdict).to_contain_text("One node takes all new writes")
    assert_nothing_moved(page, most=0.02)

    insight.locator("[data-keep^=K004] > summary").click()
    insight.get_by_role("button", name="Preview changes").click()
    expect(panel).to_contain_text("changes stored keys or queries")
    expect(panel.get_by_text("with the fix: Writes spread evenly")).to_be_visible()
    accessible()
    panel.get_by_role("button", name="Apply fix").click()

    expect(verdict).to_contain_text("Nothing runs hot.")
    expect(panel).to_be_hidden()
    expect(insight.locator(".since")).to_have_text("−$949 vs start")
    assert not [url for url in loaded if "plotly" in url or "js/map" in url]

    page.locator("#said").get_by_role("button", name="Undo").click()
    expect(verdict).to_contain_text("One node takes all new writes")
    expect(insight.locator(".since")).to_have_text("")
    told = Revision.objects.get(number=2).text.translate(english)
    assert told.startswith("Start the key with the field that has the most values: key of One reading changed from")


@pytest.mark.parametrize("width", [360, 1440])
def test_the_header_stands_in_its_place_before_the_rest_of_the_page_has_come(
    browser: Browser, live_server: Any, width: int
) -> None:
    context = browser.new_context(
        java_script_enabled=False, base_url=live_server.url, viewport={"width": width, "height": 900}
    )
    page, address = context.new_page(), f"/designs/{started().key}/"

    def places() -> list[object]:
        return [page.locator(part).bounding_box() for part in (".brand", ".trail", ".site-tools")]

    answer = page.goto(address)
    assert answer
    whole, html = places(), answer.text()
    begun = html[: html.index("</header>")]
    page.route(f"**{address}", lambda route: route.fulfill(body=begun, content_type="text/html"))
    page.goto(address)
    assert places() == whole

    page.unroute_all()
    page.goto(address)
    stood = [page.locator(part).bounding_box() for part in (".counted", "#centre")]
    page.evaluate(LATE)  # who else is here, and what is open of the review
    assert page.locator("#company .person").is_visible()
    assert [page.locator(part).bounding_box() for part in (".counted", "#centre")] == stood
    context.close()


@pytest.mark.parametrize("width", [360, 1440])
def test_nothing_moves_when_a_finding_comes_beside_its_control(
    page: Page, accessible: Callable[[], None], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"/designs/{started('karte').key}/at/s")
    beside = page.locator("#c-s-gc > .beside")
    expect(beside).to_contain_text("F009")
    expect(page.locator("#insight .ticker")).to_contain_text("$")
    assert_nothing_moved(page, most=0.002)

    beside.get_by_role("button", name="F009").focus()
    expect(beside.get_by_role("button", name="Why?")).to_be_in_viewport()
    accessible()


def test_a_risk_is_accepted_by_the_keyboard_alone_and_stays_open_to_be_revoked(page: Page) -> None:
    page.goto(f"/designs/{started().key}/")
    insight, panel = page.locator("#insight"), page.locator("#panel")
    insight.locator("[data-keep^=K004] > summary").focus()
    page.keyboard.press("Enter")
    insight.get_by_role("button", name="Accept the risk…").focus()
    page.keyboard.press("Enter")
    expect(panel.get_by_label("Reason")).to_be_focused()
    page.keyboard.type("A single writer, loaded once")
    expect(panel.get_by_label("Owner")).not_to_have_value("")
    panel.get_by_role("button", name="Accept risk", exact=True).focus()
    page.keyboard.press("Enter")

    expect(insight.locator(".remark.accepted[data-keep^=K004]")).to_be_visible()
    expect(insight.locator("h2")).to_be_focused()  # what it was asked from has gone
    expect(insight).to_contain_text("A single writer, loaded once")
    expect(insight.locator(".counts .accepted")).to_contain_text("1")

    insight.get_by_role("button", name="Revoke").click()
    expect(insight.locator(".remark.accepted")).to_have_count(0)


def test_what_is_invalid_keeps_the_last_valid_answer_and_says_so(page: Page, allowed_console_errors: list[str]) -> None:
    allowed_console_errors += ["422", "500"]
    page.route("**/insight?*", lambda route: route.fulfill(status=500), times=1)  # which is asked again
    page.goto(f"/designs/{started().key}/")
    insight = page.locator("#insight")
    expect(insight.locator(".ticker")).to_contain_text("$1,684.80")

    page.get_by_role("textbox", name="Horizon").fill("soon")
    expect(insight.get_by_text("last valid result")).to_be_visible()
    expect(insight.locator(".ticker")).to_contain_text("$1,684.80")

    page.get_by_role("textbox", name="Horizon").fill("24")
    expect(insight.get_by_text("last valid result")).to_be_hidden()


def test_the_heat_is_switched_and_a_guess_leads_to_its_control(page: Page) -> None:
    page.goto(f"/designs/{started().key}/at/metrics")
    insight = page.locator("#insight")
    insight.get_by_role("radio", name="Writes").focus()
    page.keyboard.press("ArrowRight")
    expect(insight.locator("figcaption")).to_contain_text("of the reads go to one of")
    expect(insight.get_by_role("radio", name="Reads")).to_be_focused()

    insight.get_by_role("button", name="assumed values").click()
    page.locator("#panel").get_by_role("row", name="not specified as personal data").get_by_role("link").click()

    expect(page.locator("#c-machine-personal-in")).to_be_focused()
    expect(page).to_have_url(f"{page.url.partition('/at/')[0]}/at/machine")


@pytest.mark.parametrize("language", ["ja"])
@pytest.mark.parametrize("width", [360, 1440])
def test_the_editor_with_its_insight_is_accessible_in_the_dark(
    page: Page, accessible: Callable[[], None], width: int, language: str
) -> None:
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"/designs/{started('iot-fleet').key}/at/telemetry")
    expect(page.locator("#insight .ticker")).to_contain_text("5,442.94")
    expect(page.locator(".effects")).not_to_be_empty()
    page.locator("#insight summary").first.click()
    expect(page.locator("#insight .sources").first).to_be_visible()

    accessible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
