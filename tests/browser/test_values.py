"""Special editors by the keyboard alone: a day's shape, garbage collection; the instance's page."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from designer.examples import example
from designer.models import Design, Person
from tests.browser.soon import expect


def started() -> Design:
    me = Person.objects.get_or_create_local()
    team = me.memberships.select_related("team")[0].team
    return Design.objects.start(example("machine-metrics").spec, team=team, by=me)


def head(design: Design, at: str) -> Any:
    return Design.objects.get(pk=design.pk).spec.find(at)


def test_a_days_shape_is_drawn_by_arrow_keys_and_the_focus_stays(page: Page, accessible: Callable[[], None]) -> None:
    design = started()
    activity = design.spec.activities[0].id
    page.goto(f"/designs/{design.key}/at/{activity}")
    bars = page.locator("input.bar")
    expect(bars).to_have_count(24)
    state, before = page.locator("#state"), bars.nth(1).input_value()

    bars.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(state).to_contain_text("r2")
    expect(page.locator(f"#c-{activity}-profile-kind")).to_have_value("week")
    page.keyboard.press("Shift+ArrowUp")
    expect(bars.nth(1)).to_be_focused()
    expect(page.locator(f"#c-{activity}-profile-hour-1")).to_have_value(bars.nth(1).input_value())
    expect(page.locator("form:is(.saving, .typed)")).to_have_count(0)

    hours = head(design, activity).profile.hours
    assert hours[1] == hours[25] == int(bars.nth(1).input_value()) > int(before)
    accessible()

    box = bars.nth(3).bounding_box()
    assert box
    page.mouse.move(box["x"] + 2, box["y"] + 1)
    page.mouse.down()
    bars.nth(3).dispatch_event("pointercancel")  # what began as drawing became something else
    drawn, ahead = bars.nth(3).input_value(), bars.nth(6).input_value()
    page.mouse.move(box["x"] + 4 * box["width"], box["y"] + box["height"] - 1)
    page.mouse.up()
    assert bars.nth(6).input_value() == ahead
    expect(page.locator("form:is(.saving, .typed)")).to_have_count(0)
    assert head(design, activity).profile.hours[3] == int(drawn)


def test_a_policy_is_built_by_the_keyboard_alone(page: Page, accessible: Callable[[], None]) -> None:
    design = started()
    family = design.spec.tables[0].families[0].id
    page.goto(f"/designs/{design.key}/at/{family}")
    control = page.locator(f"#c-{family}-gc")

    control.get_by_role("button", name="By age").focus()
    page.keyboard.press("Enter")
    expect(control.get_by_label("Age", exact=True)).to_be_visible()
    control.get_by_label("Age", exact=True).fill("45")
    expect(control.locator(".sentence")).to_contain_text("45 days")
    control.get_by_role("button", name="Group", exact=True).focus()
    page.keyboard.press("Enter")

    expect(control.locator(".sentence")).to_have_text(
        "Deletes a cell when it is older than 45 days or not among the newest 3."
    )
    expect(page.locator(f"#c-{family}-gc-in")).to_be_focused()
    expect(control.locator(".survival li")).to_have_count(3)

    held: list[Route] = []
    page.route("**/edit", lambda route: held.append(route), times=1)
    control.get_by_role("button", name="+ Rule").focus()
    with page.expect_request("**/edit"):
        page.keyboard.press("Enter")
    control.get_by_label("Age", exact=True).first.fill("60")  # in what the answer replaces
    held[0].continue_()
    expect(control.locator(".sentence")).to_contain_text("older than 60 days")
    rules = control.get_by_role("button", name="Remove rule")
    for count in (3, 2):
        expect(rules).to_have_count(count)
        rules.last.focus()
        page.keyboard.press("Enter")
    expect(control.locator(".sentence")).to_have_text("Deletes cells older than 60 days.")
    accessible()


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_instance_has_everything_on_one_page(page: Page, accessible: Callable[[], None], language: str) -> None:
    design = started()
    page.set_viewport_size({"width": 360, "height": 800})
    page.goto(f"/designs/{design.key}/instance")
    price = page.locator(".price-list input.number").first
    expect(price).to_be_visible()
    assert page.evaluate("centre.scrollWidth <= centre.clientWidth")
    accessible()

    price.fill("0.5")
    price.press("Enter")
    another = page.locator(".price-list input.number").nth(1)
    another.fill("0.2")  # while the first is stored
    expect(page.locator("#state")).to_contain_text("r2")
    another.press("Enter")
    expect(page.locator(".price-list tbody tr").nth(1)).to_contain_text("0.20")
    expect(page.locator(".price-list tbody tr").first).to_contain_text("0.50")
    expect(page.locator("form.prices")).to_have_count(1)
    expect(page.locator("form.saving")).to_have_count(0)
