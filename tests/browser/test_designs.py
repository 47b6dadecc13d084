"""A person looks at built-in designs: gallery, one design, its heatmap, findings and bill."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from tests.browser.soon import expect

FLEET = "/examples/iot-fleet/"


def test_the_heatmap_is_there_at_once_and_explored_by_the_keyboard_alone_when_it_is_in_view(page: Page) -> None:
    page.goto(FLEET)
    heat = page.locator("#heat-telemetry")
    expect(heat.locator("svg image").first).to_be_attached()

    heat.scroll_into_view_if_needed()
    expect(heat.locator("[data-ready]")).to_be_attached()
    expect(heat.locator("svg image").first).to_be_hidden()

    heat.get_by_role("radio", name="Writes").focus()
    page.keyboard.press("ArrowRight")
    expect(heat.locator("[data-title]")).to_contain_text("read requests")
    expect(heat.get_by_role("radio", name="Reads")).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(heat.locator("[data-top]")).to_have_text("2 nodes")
    assert "#" not in page.url  # the address of a map by itself is copied, that of the page stays


def test_a_map_shows_what_is_chosen_once_its_figures_are_there_and_holds_until_then(
    page: Page, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors.append("net::ERR_FAILED")
    held: list[Route] = []
    page.goto(FLEET)
    heat = page.locator("#heat-telemetry")
    heat.scroll_into_view_if_needed()
    expect(heat.locator("[data-ready]")).to_be_attached()
    page.route("**/writes.bin", lambda route: held.append(route), times=1)
    page.route("**/reads.bin", lambda route: route.abort(), times=1)

    with page.expect_request("**/writes.bin"):
        heat.get_by_role("radio", name="Writes").check()
    heat.locator(".map-field").hover()
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 900, "height": 700})
    heat.locator(".map-stage").press("ArrowDown")
    expect(heat.locator("[data-said]")).to_contain_text("node")

    held[0].continue_()
    expect(heat.locator("[data-title]")).to_contain_text("rows written")
    heat.get_by_role("radio", name="Reads").click()
    expect(heat.locator("[data-failure]")).to_contain_text("The map could not be loaded")
    expect(heat.get_by_role("radio", name="Writes")).to_be_checked()
    heat.get_by_role("radio", name="Reads").check()
    expect(heat.locator("[data-title]")).to_contain_text("read requests")
    expect(heat.locator("[data-failure]")).to_be_empty()


def test_lines_are_read_moment_by_moment_by_the_keyboard_in_the_place_of_their_picture(page: Page) -> None:
    page.goto(FLEET)
    chart = page.locator("#chart-week-telemetry .drawing")
    chart.scroll_into_view_if_needed()
    page.locator("#heat-telemetry [data-ready]").wait_for(state="attached")
    assert not page.evaluate("Boolean(window.Plotly)")  # nobody has looked closer yet
    below = page.locator("#chart-week-telemetry .figures")
    stood = below.evaluate(
        "element => element.getBoundingClientRect().top - element.closest('figure').getBoundingClientRect().top"
    )

    held: list[Route] = []
    page.route("**/week-telemetry.json", lambda route: held.append(route), times=1)
    with page.expect_request("**/week-telemetry.json"):
        chart.focus()
    page.keyboard.press("End")  # while it loads
    held[0].continue_()

    expect(chart.locator("output")).to_have_text("Sun 23:00 · this table: 1.18 nodes")
    expect(chart.locator(".hoverlayer")).to_contain_text("Sun 23:00 · this table: 1.18 nodes")
    expect(chart.locator("> svg")).to_be_hidden()
    moved = below.evaluate(
        "element => element.getBoundingClientRect().top - element.closest('figure').getBoundingClientRect().top"
    )
    assert abs(moved - stood) < 2


def test_a_design_is_whole_without_scripts(browser: object, live_server: object) -> None:
    context = browser.new_context(java_script_enabled=False)  # type: ignore[attr-defined]
    page = context.new_page()
    page.goto(f"{live_server.url}/examples/mobile-devices/")  # type: ignore[attr-defined]

    expect(page.locator("figure.heatmap svg").first).to_be_visible()
    page.get_by_role("radio", name="Reads").first.check()
    page.get_by_role("button", name="Show").first.click()

    expect(page).to_have_url(re.compile("of=reads"))
    expect(page.locator("figure.heatmap svg").first).to_be_visible()
    context.close()


def looked_at(page: Page, address: str) -> None:
    """The page with what can be opened open, and its first heatmap drawn."""
    page.goto(address)
    if page.locator(".heat").count():
        page.locator("#guesses summary").click()
        page.locator(".heat").first.scroll_into_view_if_needed()
        page.locator(".heat [data-ready]").first.wait_for(state="attached")


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    "address", ["/examples/timestamp-first/", "/examples/campus-months/", "/rules/", "/rules/K004/"]
)
def test_every_page_is_accessible_and_fits(
    page: Page, accessible: Callable[..., None], language: str, address: str
) -> None:
    page.set_viewport_size({"width": 360 if language == "ja" else 1440, "height": 900})

    looked_at(page, address)

    expect(page.locator("html")).to_have_attribute("lang", language)
    accessible(*(("light", "dark") if language == "en" else ()))  # colours are the same in every language
    for width in (360, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_design_of_several_tables_is_accessible_and_fits(page: Page, accessible: Callable[[], None]) -> None:
    page.set_viewport_size({"width": 360, "height": 900})

    looked_at(page, FLEET)

    accessible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_rules_are_searched_by_the_keyboard_without_leaving_the_place(page: Page) -> None:
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto("/rules/")
    words = page.get_by_role("searchbox")
    words.focus()
    top = words.bounding_box()

    page.keyboard.type("unpadded")
    expect(page.locator("#rule-list li")).to_have_count(1)
    expect(page.locator("#rule-list li")).to_contain_text("K009")
    expect(page.get_by_role("status")).to_have_text(
        re.compile(r"^1 of \d+ rules · Show all rules$"), use_inner_text=True
    )
    expect(words).to_be_focused()
    expect(page).to_have_url(re.compile(r"/rules/\?q=unpadded"))
    assert words.bounding_box() == top

    page.keyboard.press("Tab")
    expect(page.get_by_label("Engine")).to_be_focused()
    page.get_by_label("Severity").select_option("error")
    expect(page.locator("#rule-list .empty")).to_be_visible()
    page.get_by_role("link", name="Show all rules").click()
    expect(page.locator("#rule-list li").first).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value("")
