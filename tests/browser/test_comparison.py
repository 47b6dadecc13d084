"""Somebody looks at what changed: from the history to the changes, through them by keys, to the variants."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from designer.document.edits import Move, Remove, Set
from designer.examples import example
from designer.models import Design, Person
from tests.browser.soon import expect


def test_from_the_history_through_the_changes_to_a_variant_that_becomes_the_design(
    page: Page, accessible: Callable[[], None], allowed_console_errors: list[str]
) -> None:
    allowed_console_errors.extend(["htmx:sendError", "net::ERR_FAILED"])
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(example("machine-metrics").spec, team=me.teams.get(), by=me)
    kind = design.spec.tables[0].row_kinds[0]
    first, second = (segment.id for segment in kind.key)
    design.apply(Move(at=second, before=first, was_before=None), by=me)
    design.apply(Remove(at=kind.reads[-1].id), by=me)
    variant = Design.objects.start(design.spec, team=design.team, by=me, variant_of=design)
    variant.apply(Set(at="", name="instance.storage", value="hdd", was="ssd"), by=me)

    page.goto(f"/designs/{design.key}/history")
    page.get_by_role("link", name="Compare revision 1 with the current version").click()
    changes = page.locator(".changes > .change")
    expect(changes).to_have_count(2)
    expect(changes.first).to_contain_text("all stored keys of metrics must be rewritten")
    accessible()

    page.keyboard.press("n")
    expect(changes.first).to_be_focused()
    page.keyboard.press("n")
    expect(changes.last).to_be_focused()
    page.keyboard.press("p")
    expect(changes.first).to_be_focused()

    held: list[Route] = []  # the answer to the first choice does not come before the second is made
    page.route("**/compare/1/now?sign=moved&*", lambda route: held.append(route), times=1)
    with page.expect_request("**/compare/1/now?sign=moved&*"):
        page.locator("#sign-moved").check()
    page.get_by_role("checkbox", name="removed").check()
    expect(page.locator("[name=sign][checked]")).to_have_count(2)  # as it was answered
    page.locator("#sign-moved").uncheck()
    expect(changes).to_have_count(1)
    expect(page).to_have_url(f"/designs/{design.key}/compare/1/now?sign=removed&leads=&of=writes&against=absolute")
    page.get_by_role("radio", name="Reads").check()
    expect(page.locator("#of-reads[checked]")).to_be_checked()  # as it was answered
    expect(changes).to_have_count(1)

    page.go_back()
    expect(page.get_by_role("radio", name="Writes")).to_be_checked()
    page.get_by_label("Colour scheme").select_option("dark")
    expect(page.locator("html")).to_have_attribute("data-scheme", "dark")
    page.route("**/compare/1/now?*", lambda route: route.abort(), times=1)
    page.get_by_role("radio", name="Reads").check()
    expect(page.get_by_role("alert")).to_contain_text("Loading failed.")

    page.get_by_role("link", name="Variants").click()
    expect(page.get_by_role("row", name="Storage")).to_contain_text("HDD")
    accessible()
    page.get_by_role("button", name="Use variant").click()
    expect(page.locator("#state")).to_contain_text("r4")


LEAST_LETTER_PX = 12.5
TALL = """() => [...document.querySelectorAll(".bill-difference td")].filter((cell) =>
  cell.offsetHeight > 1.6 * parseFloat(getComputedStyle(cell).lineHeight)).map((cell) => cell.innerText)"""
"""Figures of the bill that take more than a line, with the words before them."""


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_compared_bill_has_a_line_for_each_figure_on_a_phone(page: Page, language: str) -> None:
    me = Person.objects.get_or_create_local()
    dear, cheap = (
        Design.objects.start(example(name).spec, team=me.teams.get(), by=me)
        for name in ("timestamp-first", "machine-metrics")
    )
    page.set_viewport_size({"width": 390, "height": 844})

    page.goto(f"/designs/{dear.key}/compare/now/{cheap.key}")

    expect(page.locator(".bill-difference td[data-label]").first).to_be_visible()
    assert page.evaluate(TALL) == []
    letters = "texts => texts.map(e => e.getBoundingClientRect()).filter(box => box.height).map(box => box.height)"
    assert min(page.locator(".heat-pair text").evaluate_all(letters)) >= LEAST_LETTER_PX
    names = page.locator("#comparison > .verdict")
    expect(names).to_contain_text("Machine metrics")
    expect(names).not_to_contain_text("(r1)")

    page.goto(f"/designs/{dear.key}/compare/1/now")
    expect(page.locator(".empty")).to_be_visible()
    assert page.locator("#comparison form, #comparison table").count() == 0
