"""From nothing to a reviewed PDF: what an application does, its schema, a review by link, the document."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page

from designer.models import Design
from designer.wording import key_of
from tests.browser.soon import PATIENCE_MS, expect
from tests.browser.test_sheet import ON_THE_FIRST_SCREEN
from tests.core.application.test_sentences import IOT
from tests.pdfs import page_texts

CHAT = (
    "A message of one channel and one user is added 2k/s, kept 1 year",
    "Show the latest 50 messages of one channel, 5k/s, within 200 ms",
)
ORDERS = (
    "An order of one customer is added 300/s, kept 2 years",
    "Show the latest 20 orders of one customer, 200/s",
)


class Hands:
    """Somebody's mouse, finger or keyboard, and how often it acted: a text that is typed is one action."""

    def __init__(self, page: Page) -> None:
        self.page, self.actions = page, 0

    def click(self, place: Locator) -> None:
        place.click()
        self.actions += 1

    def enter(self, place: Locator) -> None:
        """Press Enter on a thing that the keyboard reaches."""
        assert place.evaluate("element => element.tabIndex") >= 0
        place.press("Enter")
        self.actions += 1

    def choose(self, place: Locator, option: str) -> None:
        place.select_option(option)
        self.actions += 1

    def type(self, place: Locator, text: str) -> None:
        place.fill(text)
        self.actions += 1

    def say(self, *sentences: str) -> None:
        for sentence in sentences:
            self.page.locator("#typed").fill(sentence)
            self.page.keyboard.press("Enter")
            expect(self.page.locator("#typed")).to_have_value("")
            expect(self.page.locator("#typed")).to_be_focused()
            self.actions += 1


def review_and_download(hands: Hands, act: Callable[[Locator], None], reviewer: Page, folder: Path) -> str:
    """Share the open design, have each section approved by the link, and return the words of the PDF."""
    page = hands.page
    if page.viewport_size and page.viewport_size["width"] < 600:
        act(page.locator("summary, button").filter(has_text="More").locator("visible=true").last)
    act(page.get_by_role("link", name="Share").locator("visible=true"))
    hands.type(page.get_by_label("Name", exact=True), "platform review")
    act(page.get_by_role("button", name="Create link"))
    expect(page.get_by_label("Link address")).to_be_focused()
    reviewer.goto(page.get_by_label("Link address").input_value())
    for section in reviewer.locator(".deciding").all():
        section.get_by_label("Your name").fill("Rey")
        section.get_by_role("button", name="Approve").click()
        expect(section).to_contain_text("approved through a link")
        hands.actions += 1
    act(page.get_by_role("link", name="Review", exact=True))
    expect(page.locator("#verdicts .standing.link")).to_have_count(reviewer.locator(".deciding").count())
    act(page.get_by_role("link", name="PDF"))
    with page.expect_download() as waiting:
        act(page.get_by_role("button", name="Download PDF"))
    waiting.value.save_as(folder / "design.pdf")
    return "".join(page_texts((folder / "design.pdf").read_bytes()))


@pytest.fixture
def reviewer(browser: Browser, live_server: object) -> Iterator[Page]:
    """Somebody else's browser."""
    context = browser.new_context(locale="en-GB")
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def test_a_fleet_in_two_regions_is_a_reviewed_pdf_after_25_actions_with_the_mouse(
    page: Page, reviewer: Page, accessible: Callable[[], None], tmp_path: Path
) -> None:
    hands = Hands(page)
    page.goto("/")
    hands.say(*IOT)
    expect(page.locator(".schema-choice").first).to_contain_text("reports_by_tenant")
    expect(page.locator(".schema-choice .schema-tables").first).to_be_in_viewport()
    accessible()
    hands.click(page.get_by_role("button", name="Use this").first)
    page.wait_for_url("**/designs/*/")
    assert hands.actions <= 10, "to the first picture"
    expect(page.locator(".table-card .strip svg")).to_have_count(2)
    page.set_viewport_size({"width": 1440, "height": 900})
    expect(page.locator("#insight")).to_contain_text("10× traffic")
    assert page.evaluate(ON_THE_FIRST_SCREEN, "a, button, input, select, textarea, summary") <= 38

    for number, region in enumerate(("us-central1", "europe-west1"), start=1):
        name = "^us-central1.* assumed$" if number == 1 else "^Instance$"
        hands.click(page.get_by_role("link", name=re.compile(name)))
        hands.choose(page.locator("#new-cluster"), region)
        hands.click(page.get_by_role("button", name="Add", exact=True))
        expect(page.locator("#state")).to_contain_text(f"r{number + 1}")
        expect(page.locator("#new-cluster")).to_have_count(0)  # the cluster that was added has opened

    words = review_and_download(hands, hands.click, reviewer, tmp_path)
    assert hands.actions <= 25
    assert "europe-west1" in words
    assert "reports_by_tenant" in words


def test_a_chat_is_a_reviewed_pdf_by_the_keyboard_alone(page: Page, reviewer: Page, tmp_path: Path) -> None:
    hands = Hands(page)
    page.goto("/")
    hands.say(*CHAT)
    expect(page.locator(".schema-choice").first).to_contain_text("Latest 50 messages")
    hands.enter(page.get_by_role("button", name="Use this").first)
    page.wait_for_url("**/designs/*/")
    expect(page.locator(".table-card .strip svg")).to_have_count(1)

    words = review_and_download(hands, hands.enter, reviewer, tmp_path)

    assert hands.actions <= 20
    assert "message_id" in words


def test_orders_on_tablestore_are_a_reviewed_pdf_on_a_phone(page: Page, reviewer: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    hands = Hands(page)
    page.goto("/")
    hands.click(page.locator("#application").get_by_text("Tablestore"))
    hands.say(*ORDERS)
    expect(page.locator(".schema-choice").first).to_contain_text("Latest 20 orders")
    hands.click(page.get_by_role("button", name="Use this").first)
    page.wait_for_url("**/designs/*/")
    assert page.evaluate("document.documentElement.scrollWidth") == 390

    words = review_and_download(hands, hands.click, reviewer, tmp_path)

    spec = Design.objects.get().spec
    assert key_of(spec, spec.tables[0].row_kinds[0]) == (
        "[customer] {customer} | [time INTEGER] {time} | [order_id] {order_id}"
    )
    bar = page.locator(".design-tools").bounding_box()
    assert bar is not None
    assert round(bar["y"] + bar["height"]) == 844, "the tools of a design stand in a bar below"
    assert hands.actions <= 20
    assert "Tablestore" in words
