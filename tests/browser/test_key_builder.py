"""A person builds a row key: by keyboard on chips, as text, and from keys of a table that exists."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from designer.document.load import from_data
from designer.models import Design, Person
from tests.browser.soon import expect

SPEC = {
    "name": "Fleet",
    "fields": [{"id": "tenant", "name": "tenant"}, {"id": "device", "name": "device"}],
    "tables": [
        {
            "id": "t", "name": "readings",
            "row_kinds": [
                {"id": "k", "key": [
                    {"id": "a", "kind": "field", "field": "tenant", "after": "#"},
                    {"id": "b", "kind": "field", "field": "device", "after": "#"},
                    {"id": "c", "kind": "time"},
                ]}
            ],
        }
    ],
}  # fmt: skip


@pytest.fixture
def allowed_console_errors() -> list[str]:
    return ["422", "ERR_FAILED", "htmx:sendError", "htmx:timeout"]  # what is never answered is given up in the end


@pytest.fixture
def address(live_server: object) -> str:
    me = Person.objects.get_or_create_local()
    team = me.memberships.select_related("team")[0].team
    return f"/designs/{Design.objects.start(from_data(SPEC), team=team, by=me).key}/at/k"


def test_segments_are_moved_by_the_keyboard_and_the_text_says_the_same(
    page: Page, accessible: Callable[[], None], address: str
) -> None:
    page.goto(address)
    text = page.get_by_label("Row key, as text")
    chips = page.locator("#builder .chip")
    expect(page.locator("#key-facts .samples li").first).to_be_visible()
    expect(page.locator("#facts-c")).to_contain_text("increases with time")

    chips.nth(0).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Shift+ArrowRight")  # before the first is answered
    expect(text).to_have_value("{device}#{time}#{tenant}")
    expect(chips.nth(2)).to_be_focused()
    for _ in range(3):  # once more than there are places
        page.keyboard.press("Shift+ArrowLeft")
    expect(text).to_have_value("{tenant}#{device}#{time}")
    expect(chips.nth(0)).to_be_focused()

    chips.nth(2).focus()
    page.keyboard.press("Shift+ArrowLeft")
    expect(text).to_have_value("{tenant}#{time}#{device}")
    expect(chips.nth(1)).to_be_focused()
    expect(page.locator("body > .visually-hidden[role=status]")).to_have_text("time is now 2 of 3")
    page.keyboard.press("ArrowRight")
    expect(chips.nth(2)).to_be_focused()
    page.keyboard.press("Delete")
    expect(text).to_have_value("{tenant}#{time}")
    page.keyboard.press("Control+z")
    expect(page.locator("#builder .facts").nth(2)).to_contain_text("spreads keys")  # of a chip that came back
    chips.nth(2).focus()

    page.keyboard.press("Enter")
    page.locator("#opened").get_by_role("button", name="Add").click()
    expect(text).to_have_value("{tenant}#{time}#{device:pad6}")
    expect(page.locator(".stale")).to_have_count(0)  # what is being computed again is pale
    accessible()

    text.fill("{tenant}#{time:re}")
    expect(page.locator("#key-text .unreadable mark")).to_have_text("re}")
    text.fill("{site}#{device}#{time:rev}")
    expect(page.locator("#key-text .problem")).to_contain_text("New field: site")
    text.press("Enter")
    expect(chips).to_have_text(["site", "device", "time:rev"])
    expect(text).to_be_focused()

    page.route("**/check", lambda route: None)  # never answered
    with page.expect_request("**/check"):
        text.fill("{site}#{time:rev}")
    text.press("Enter")
    assert not page.evaluate("document.body.matches('.offline')")
    expect(chips).to_have_text(["site", "time:rev"])
    page.route("**/text", lambda route: route.abort(), times=1)
    text.fill("{site}#{time:re}")
    text.press("Enter")
    expect(page.locator("#key-text .unreadable mark")).to_have_text("re}")


def test_segments_go_into_another_primary_key_column_by_pointer_and_by_keyboard(page: Page) -> None:
    fields = [{"id": name, "name": name} for name in ("shop", "till", "night")]
    columns = [
        {"id": "c1", "name": "place", "segments": [
            {"id": "s1", "kind": "field", "field": "shop", "after": "#"},
            {"id": "s2", "kind": "field", "field": "till"},
        ]},
        {"id": "c2", "name": "when", "segments": [{"id": "s3", "kind": "field", "field": "night"}]},
    ]  # fmt: skip
    tables = [{"id": "t", "name": "sales", "row_kinds": [{"id": "k", "key_columns": columns}]}]
    spec = from_data({"engine": "tablestore", "fields": fields, "tables": tables})
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(spec, team=me.memberships.select_related("team")[0].team, by=me)
    page.goto(f"/designs/{design.key}/at/k")
    text = page.get_by_label("Primary key, as text")
    expect(page.locator("#key-facts .samples li").first).to_be_visible()

    page.locator("#chip-s2").focus()
    page.keyboard.press("Shift+ArrowRight")
    expect(text).to_have_value("[place] {shop} | [when] {till}#{night}")
    expect(page.locator("#chip-s2")).to_be_focused()
    expect(page.locator("body > .visually-hidden[role=status]")).to_have_text("till is now in column when")
    page.keyboard.press("Shift+ArrowLeft")
    expect(text).to_have_value("[place] {shop}#{till} | [when] {night}")

    page.locator("#chip-s3").drag_to(page.locator("#chip-s1"), target_position={"x": 2, "y": 8})
    expect(text).to_have_value("[place] {night}#{shop}#{till} | [when]")
    no_line = re.compile("/(move|news)")  # nor does an answer to the page's own question tell that there is one again
    page.route(no_line, lambda route: route.abort())
    page.locator("#chip-s1").drag_to(page.locator(".segments[data-group=c2]"))
    expect(page.locator("#connection")).to_contain_text("The connection is lost", use_inner_text=True)
    page.unroute(no_line)
    expect(page.locator("#connection")).to_have_text("", use_inner_text=True)
    page.locator("#chip-s1").drag_to(page.locator(".segments[data-group=c2]"))
    expect(text).to_have_value("[place] {night}#{till} | [when] {shop}")
    assert design.revisions.count() == 5


def test_fields_and_transforms_are_completed_behind_a_brace_and_enter_keeps_what_is_typed(
    page: Page, accessible: Callable[[], None], address: str
) -> None:
    page.goto(address)
    text, words = page.locator("#key-text-in"), page.locator("#key-words:not([hidden]) li")
    text.fill("")
    page.keyboard.type("{te")
    expect(words).to_have_text(["tenant"])
    accessible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(text).to_have_value("{tenant")
    page.keyboard.type("}#{time:re")
    words.filter(has_text="rev").click()
    expect(text).to_be_focused()
    page.keyboard.type("}#{de")
    expect(words).to_have_text(["device"])
    page.keyboard.press("Escape")
    expect(words).to_have_count(0)
    page.keyboard.type("pot}")
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_contain_text("r2")
    expect(text).to_have_value("{tenant}#{time:rev}#{depot}")


def test_pasted_keys_become_the_key_once_they_are_looked_at(
    page: Page, accessible: Callable[[], None], address: str
) -> None:
    page.goto(address)
    page.get_by_text("Propose a key from existing keys").click()
    keys = [f"user{n % 40:05}#{1_790_000_000_000 + n * 7_001}" for n in range(200)]
    page.get_by_label("Keys of an existing table, one per line").fill("\n".join([*keys, "garbage"]))
    page.get_by_role("button", name="Propose key").click()

    proposal = page.locator(".proposal")
    expect(proposal.locator("#proposed-key")).to_have_value("{user}#{time}")
    expect(proposal.locator(".unfit")).to_contain_text("garbage")
    expect(page.locator(".stale")).to_have_count(0)
    accessible()
    proposal.get_by_label("Name").fill("person")
    proposal.get_by_role("button", name="Use this key").click()

    expect(page.get_by_label("Row key, as text")).to_have_value("{person}#{time}")
    expect(proposal).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(page.get_by_label("Row key, as text")).to_have_value("{tenant}#{device}#{time}")
