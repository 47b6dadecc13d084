"""A design goes out by a link: a stranger looks, speaks and decides; a key changes; a PDF is taken; the link ends."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route

from designer.document.load import from_data
from designer.examples import example
from designer.models import Design, Person
from tests.browser.drawn import inks
from tests.browser.soon import PATIENCE_MS, expect
from tests.pdfs import page_texts

PASSWORD = "columns-wide-open"
KEY = [
    {"id": "a", "kind": "field", "field": "tenant", "after": "#"},
    {"id": "b", "kind": "field", "field": "device", "after": "#"},
    {"id": "c", "kind": "time"},
]
SPEC = {
    "name": "Fleet",
    "description": "Where every car was.",
    "fields": [{"id": "tenant", "name": "tenant"}, {"id": "device", "name": "device"}],
    "activities": [{"id": "act", "name": "reports", "rate_per_second": 4000}],
    "tables": [{
        "id": "t", "name": "readings",
        "row_kinds": [{"id": "k", "key": KEY, "writes": [{"id": "w", "activity": "act"}]}],
        "families": [{"id": "f", "name": "m", "columns": [{"id": "col", "qualifier": "v"}]}],
    }],
    "instance": {"clusters": [{"id": "cl", "name": "main", "region": "us-east1"}]},
}  # fmt: skip


@pytest.fixture
def stranger(browser: Browser, live_server: object, page: Page) -> Iterator[Page]:
    """Somebody else's browser, on a phone."""
    context = browser.new_context(locale="en-GB", viewport={"width": 360, "height": 740})
    context.set_default_timeout(PATIENCE_MS)
    there, problems = context.new_page(), list[str]()
    there.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    there.on("pageerror", lambda error: problems.append(str(error)))
    yield there
    context.close()
    assert not [text for text in problems if "404" not in text]


def test_tables_of_a_review_are_read_on_a_phone_without_scrolling_sideways(page: Page) -> None:
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(example("iot-fleet").spec, team=me.teams.get(), by=me)
    page.set_viewport_size({"width": 390, "height": 844})

    page.goto(f"/designs/{design.key}/review/")

    lines = page.get_by_role("table").filter(has=page.get_by_role("columnheader", name="Unit price"))
    price = lines.get_by_role("cell").filter(has_text="$0.65").first
    expect(price).to_have_attribute("data-label", "Unit price")
    wide = "[...document.querySelectorAll('.scroll-x')].filter(e => e.scrollWidth > e.clientWidth + 1).length"
    assert page.evaluate(wide) == 0


SHADES_OF_ANOTHER_COLOUR = """() => [...document.querySelectorAll(".scroll-x")].filter((box) => {
  let under = box;
  while (getComputedStyle(under).backgroundColor === "rgba(0, 0, 0, 0)") under = under.parentElement;
  const cover = getComputedStyle(box).backgroundImage.match(/(rgba?|color)\\([^)]*\\)/)?.[0];
  return cover && cover !== getComputedStyle(under).backgroundColor;
}).map((box) => box.textContent.trim().slice(0, 60))"""
"""Tables whose edges are covered by another colour than that of the surface that they lie on."""
BROKEN_WORDS = """(words) => [...document.querySelectorAll("th, dt")].filter(({ textContent }) =>
  words.includes(textContent.trim())).filter((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return cell.offsetHeight && new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(({ textContent }) => textContent.trim())"""


@pytest.mark.parametrize("language", ["ja"])
def test_headings_of_tables_break_between_words_and_no_half_of_a_review_is_empty(page: Page, language: str) -> None:
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(example("timestamp-first").spec, team=me.teams.get(), by=me)
    page.set_viewport_size({"width": 1440, "height": 900})

    page.goto(f"/designs/{design.key}/review/")
    expect(page.locator(".recommended table")).to_be_visible()

    assert page.evaluate(SHADES_OF_ANOTHER_COLOUR) == []
    assert page.evaluate(BROKEN_WORDS, ["バイト", "レート", "ピーク"]) == []
    flat = page.locator(":is(.columns > .flat, .halves > .multiples > .flat:only-child)")
    tracks = "e => getComputedStyle(e.closest('.columns, .halves')).gridTemplateColumns.split(' ').length"
    assert [each.evaluate(tracks) for each in flat.all()] == [1, 1]
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"/designs/{design.key}/review/talk/heat/{design.spec.tables[0].id}")
    for label in page.locator(".choosing label").all():
        named = page.locator(f"#{label.get_attribute('for')}")
        above, below = label.bounding_box(), named.bounding_box()
        assert above
        assert below
        assert (above["x"], above["y"] + above["height"] <= below["y"]) == (below["x"], True)


def test_a_stranger_reviews_by_a_link_until_it_is_revoked(
    page: Page, stranger: Page, accessible: Callable[..., None], tmp_path: Path
) -> None:
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(from_data(SPEC), team=me.teams.get(), by=me)

    page.goto(f"/designs/{design.key}/")
    page.get_by_role("link", name="Share").click()
    page.get_by_label("Name", exact=True).fill("platform review")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_label("Expires after").select_option("7 days")
    expect(page.locator("#exposed")).to_contain_text("the bill, line by line")
    page.get_by_label("cost: the bill").uncheck()
    expect(page.locator("#exposed s")).to_contain_text(["the bill, line by line", "download as JSON"])
    page.get_by_label("cost: the bill").check()
    expect(page.locator("#exposed s")).to_have_count(0)
    accessible("light", "dark")
    page.get_by_role("button", name="Create link").click()
    address = page.get_by_label("Link address").input_value()

    stranger.goto(address)
    stranger.get_by_label("Password").fill(PASSWORD)
    stranger.get_by_role("button", name="Open link").click()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Fleet")
    expect(stranger.locator("#verdicts")).to_contain_text("no verdict yet")
    stranger.locator(".heat").first.scroll_into_view_if_needed()
    expect(stranger.locator(".heat [data-ready]")).to_have_count(1)
    panel = stranger.locator("#panel")
    stranger.locator(".of-heat .talk").first.click()
    expect(panel).to_contain_text("A cell of the heatmap of readings")
    stranger.keyboard.press("Escape")
    stranger.locator(".map-field").click(position={"x": 0, "y": 2})
    expect(panel).to_contain_text("writes of table “readings” at 00:00")
    stranger.keyboard.press("Escape")
    held: list[Route] = []  # an answer that comes when something else is being talked about
    stranger.route(re.compile(r"/talk\?on="), lambda route: held.append(route), times=1)
    with stranger.expect_request(re.compile(r"/talk\?on=")) as late:
        stranger.locator(".table-name .talk").first.click()
    stranger.locator(".family .talk").first.click()
    panel.get_by_label("Your name").fill("Rey")
    panel.get_by_label("Comment").fill("Why is nothing ever collected?")
    with stranger.expect_event("requestfinished", lambda request: request == late.value):
        held[0].continue_()
    panel.get_by_role("button", name="Add comment").click()
    expect(panel).to_contain_text("from the link “platform review”")
    stranger.keyboard.press("Escape")
    expect(stranger.locator("#talked")).to_contain_text("on family “m”")
    expect(stranger.locator(".family .talk.open").first).to_be_visible()
    expect(stranger.locator(".heat [data-ready]")).to_have_count(1)  # nothing that is swapped beside it undoes it
    stranger.locator("#verdicts-keys").get_by_role("button", name="Approve").click()
    expect(stranger.locator("#verdicts-keys")).to_contain_text("approved through a link")
    assert stranger.evaluate("document.documentElement.scrollWidth") == 360

    page.goto(f"/designs/{design.key}/at/k")
    page.get_by_label("Row key, as text").fill("{device}#{tenant}#{time}")
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_contain_text("r2")
    expect(page.locator("#review-count .stale")).to_contain_text("outdated verdicts")
    expect(page.locator("[data-slot].stale")).to_have_count(0)  # what is left in the middle of it logs an error

    stranger.reload()
    expect(stranger.locator("#verdicts-keys")).to_contain_text("This section has changed since.")
    expect(stranger.locator("#verdicts-families")).to_contain_text("no verdict yet")
    stranger.locator("#verdicts-keys").get_by_role("link", name="What changed").click()
    expect(stranger.get_by_role("heading", level=1)).to_have_text("What changed")
    expect(stranger.locator("#changes")).to_contain_text("device")

    page.goto(f"/designs/{design.key}/review/")
    expect(page.locator("#talked")).to_contain_text("Why is nothing ever collected?")
    page.locator("#talked a").first.click()
    page.locator("#panel").get_by_role("button", name="Resolve").click()
    expect(page.locator("#talked")).to_contain_text("0 open")
    page.keyboard.press("Escape")
    accessible("light", "dark")

    page.get_by_role("link", name="PDF").click()
    expect(page.get_by_role("button", name="Download PDF")).to_be_visible()
    accessible()
    page.get_by_label("Growth").uncheck()
    page.get_by_label("Language").select_option("ja")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download PDF").click()
    file = tmp_path / waiting.value.suggested_filename
    waiting.value.save_as(file)
    texts = ["".join(text.split()) for text in page_texts(file.read_bytes())]
    assert file.name == "fleet.pdf"
    assert Design.objects.get(pk=design.pk).head_id in texts[0]
    assert "目次" in texts[1]
    assert "キー範囲ごとの負荷" in texts[1]
    assert "増加" not in texts[1]
    assert "Rey" in "".join(texts)
    drawn = inks(file)
    assert all(0.002 < ink < 0.6 for ink in drawn), "every page has something on it, and is not black"
    assert len(drawn) == len(texts)

    page.goto(f"/designs/{design.key}/links/")
    page.get_by_text("Revoke…").click()
    expect(page.locator(".revoking")).to_contain_text("was created by you on")
    page.get_by_role("button", name="Revoke link").click()
    expect(page.get_by_text("No active links share this design.")).to_be_visible()
    stranger.goto(address)
    expect(stranger.get_by_role("heading", level=1)).to_have_text("Page not found")
