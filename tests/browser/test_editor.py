"""The frame of the editor: from blank to a bill, the outline, adding and removing, keys, focus, narrow screens."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route

from designer.document import Spec
from designer.document.edits import Batch, Insert
from designer.examples import example
from designer.models import Design, Person
from tests.browser.soon import expect

SAVING = "form:is(.saving, .typed)"


def started(slug: str | None = "iot-fleet") -> Design:
    me = Person.objects.get_or_create_local()
    team = me.memberships.select_related("team")[0].team
    return Design.objects.start(example(slug).spec if slug else Spec(), team=team, by=me)


def test_from_blank_to_a_picture_and_a_bill_with_four_inputs(page: Page, accessible: Callable[[], None]) -> None:
    page.goto(f"/designs/{started(None).key}/")
    expect(page.locator("#insight")).to_contain_text("Start with a table")
    inputs = {
        "Design name": "Weather balloons",
        "Name": "readings",
        "Row key, as text": "{location}#{balloon_id}#{time}",
        "Rows per second": "5000",
    }
    for label, text in inputs.items():
        page.get_by_label(label, exact=True).fill(text)
    expect(page.locator("#state")).to_contain_text("r2")
    expect(page.locator(SAVING)).to_have_count(0)
    assert len(inputs) <= 6
    page.get_by_role("button", name="Add table").click()

    insight = page.locator("#insight")
    expect(page.locator("#element-title")).to_be_focused()
    expect(page.locator("#key-facts")).to_contain_text("#balloon")
    expect(insight.locator("figcaption")).to_contain_text("Writes spread evenly")
    expect(insight.locator(".ticker")).to_contain_text(re.compile(r"\$[1-9][\d,.]+ per month"))
    expect(page).to_have_title("readings · Weather balloons · Keywright")
    accessible()

    page.locator("#parts").get_by_role("link", name="balloon_id").click()  # a guess is corrected where it is shown
    expect(page.locator("#element-title")).to_contain_text("balloon_id")
    expect(page.locator("#element-title")).to_be_focused()
    before = insight.locator(".guesses").inner_text()
    page.get_by_label("Distinct values").fill("250")
    expect(insight.locator(".guesses")).not_to_have_text(before)
    expect(page.locator(SAVING)).to_have_count(0)


def test_the_outline_is_walked_searched_and_edited_by_the_keyboard(
    page: Page, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors += ["409", "404"]  # what is open may be asked for again in the moment in which it goes
    page.goto(f"/designs/{started().key}/")
    press, parts = page.keyboard.press, page.locator("#parts")
    press("/")
    page.keyboard.type("hour")
    expect(page.locator("#found a")).to_have_count(1)
    press("Enter")
    expect(page.locator("#element-title")).to_be_focused()
    expect(page.locator("#element-title")).to_contain_text("A vehicle's last hour")
    expect(page.locator("#o-read-hour")).to_have_attribute("aria-current", "page")
    expect(page.locator("#found")).to_be_empty()

    press("g")
    press("o")
    expect(page.locator("#o-read-hour")).to_be_focused()
    press("Delete")
    expect(page.locator("#said")).to_contain_text("Removed: A vehicle's last hour")
    expect(page.locator("#o-read-hour")).to_have_count(0)
    expect(page).to_have_url(re.compile("/at/vehicle-day$"))
    press("Control+z")
    expect(page.locator("#o-read-hour")).to_be_visible()

    page.locator("#o-vehicle").focus()
    press("ArrowUp")
    press("Delete")
    expect(page.locator("#said")).to_contain_text("fleet is in use")
    expect(page.get_by_role("button", name="Remove with its references")).to_be_focused()
    press("Tab")
    press("Enter")
    expect(page.locator("#said")).to_be_empty()
    expect(parts.locator("#o-fleet")).to_be_visible()

    held: list[Route] = []
    page.route("**/find?*", lambda route: held.append(route))
    press("/")
    with page.expect_request("**/find?words=w"):
        press("w")
    with page.expect_request("**/find?words=weeks"):  # in the place of the first, which nobody waits for any more
        page.keyboard.type("eeks")
    press("ArrowDown")  # nothing is found yet
    press("Enter")
    assert not page.evaluate("document.body.matches('.offline')")
    held[-1].continue_()
    expect(page.locator("#element-title")).to_contain_text("Two weeks of a vehicle")


def test_what_is_added_begins_sensibly_with_the_focus_in_its_name(page: Page) -> None:
    page.goto(f"/designs/{started('machine-metrics').key}/")
    page.get_by_role("button", name="Find").click()
    page.locator("#parts").get_by_role("button", name="Add to Reads").first.focus()
    page.keyboard.press("Enter")

    name = page.get_by_label("Name", exact=True)
    expect(name).to_be_focused()
    expect(name).to_have_value(re.compile("^By "))
    page.keyboard.type("of one machine")
    expect(page.locator("#outline [aria-current]")).to_be_visible()
    expect(page.locator("#outline [aria-current]")).to_contain_text("of one machine")
    expect(page).to_have_title(re.compile("^of one machine · "))
    expect(page.locator(SAVING)).to_have_count(0)
    page.go_back()
    expect(page.locator("#o-design")).to_have_attribute("aria-current", "page")


def test_the_shortcuts_are_listed_and_the_language_switch_keeps_the_place(
    page: Page, accessible: Callable[[], None]
) -> None:
    page.goto(f"/designs/{started('timestamp-first').key}/at/metrics")
    page.evaluate("document.body.dispatchEvent(new Event('keydown', { bubbles: true }))")  # as of a taken suggestion
    page.keyboard.press("?")
    expect(page.locator("#shortcuts")).to_be_visible()
    accessible()
    page.keyboard.press("Escape")
    expect(page.locator("#shortcuts")).to_be_hidden()

    page.keyboard.press("Control+k")
    page.keyboard.type("keyb")
    expect(page.locator("#found")).to_have_text("Keyboard shortcuts")
    page.keyboard.press("Enter")
    expect(page.locator("#shortcuts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    page.keyboard.type("keyb")
    expect(page.locator("#found")).to_have_text("Keyboard shortcuts")
    page.keyboard.press("ArrowDown")
    expect(page.locator("#found button")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#find")).to_be_hidden()

    page.get_by_role("button", name="Find").click()
    page.locator("#o-machine").click()
    expect(page).to_have_url(re.compile("/at/machine$"))
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page).to_have_url(re.compile("/at/machine$"))


@pytest.mark.parametrize("width", [360, 1000])
def test_the_outline_and_the_insight_are_at_hand_on_narrow_screens(
    page: Page, accessible: Callable[[], None], width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"/designs/{started('timestamp-first').key}/at/metrics")
    expect(page.locator("#mark-metrics .severity")).to_be_attached()
    page.get_by_role("button", name="Find").click()
    page.locator("#o-machine").click()
    expect(page.locator("#element-title")).to_have_text("machine")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    accessible()

    page.get_by_role("link", name="Cost" if width == 360 else "Insight").click()
    expect(page.locator("#insight")).to_be_in_viewport()
    expect(page.locator("#insight")).to_be_focused()


def test_several_are_chosen_moved_and_removed_in_one_step_by_keyboard_and_menu(
    page: Page, accessible: Callable[..., None]
) -> None:
    design = started()
    page.goto(f"/designs/{design.key}/at/vehicle-now")
    expect(page.locator("#insight .ticker")).to_be_visible()
    press, parts = page.keyboard.press, page.locator("#parts")
    page.locator("#o-read-vehicle").focus()
    press("Space")
    press("Shift+ArrowDown")
    expect(parts.locator("a.chosen")).to_have_count(2)
    expect(page.locator("#happened")).to_have_text("2 chosen")
    press(".")
    menu = page.locator("#element-menu")
    expect(menu).to_contain_text("2 chosen")
    accessible()
    menu.get_by_role("button", name="alerts").click()
    expect(page.locator("#said")).to_contain_text("Moved: One vehicle now, All vehicles of a fleet now")
    expect(page.locator("li:has(> #o-alerts)").locator("#o-read-vehicle")).to_be_visible()
    assert Design.objects.get(pk=design.pk).number == 2
    page.locator("#said").get_by_role("button", name="Undo").click()
    expect(page.locator("li:has(> #o-latest)").locator("#o-read-vehicle")).to_be_visible()

    page.locator("#o-read-day").click(button="right")
    menu.get_by_role("button", name="Select").click()  # as by touch: then each tap chooses
    page.locator("#o-read-open").click()
    expect(parts.locator("a.chosen")).to_have_count(2)
    page.locator("#o-read-open").press("Escape")
    expect(parts.locator("a.chosen")).to_have_count(0)

    page.locator("#o-read-day").click(button="right")
    menu.get_by_role("button", name="Duplicate").click()
    expect(page.locator("#said")).to_contain_text("Duplicated")
    expect(parts.get_by_role("link", name="A fleet's alerts of a day_2")).to_be_visible()
    page.locator("#o-read-open").click(modifiers=["Control"])
    parts.get_by_role("link", name="A fleet's alerts of a day_2").click(modifiers=["Control"])
    press("Delete")
    expect(page.locator("#said")).to_contain_text("Removed")
    expect(page.locator("#o-read-open")).to_have_count(0)
    assert "read-open" not in Design.objects.get(pk=design.pk).spec.by_id

    press("g")
    press("d")
    card = page.locator("#schema article")
    latest, alerts = card.filter(has=page.locator("#open-latest")), card.filter(has=page.locator("#open-alerts"))
    latest.locator("h3").click(modifiers=["Control"], position={"x": 1, "y": 1})
    read = latest.get_by_role("link", name="One vehicle now")
    read.click(modifiers=["Control"])
    expect(card.locator("a.chosen")).to_have_count(2)
    press("Escape")
    press("Control+x")
    expect(page.locator("#happened")).to_have_text("1 cut. Select a table and press Ctrl V.")
    alerts.locator("#open-alerts").focus()
    press("Control+v")
    expect(page.locator("#said")).to_contain_text("Moved: One vehicle now")
    expect(alerts.get_by_role("link", name="One vehicle now")).to_be_visible()


def families_of(design: Design) -> dict[str, list[str]]:
    spec = Design.objects.get(pk=design.pk).spec
    families = [family for table in spec.tables for family in table.families]
    return {family.id: [column.id for column in family.columns] for family in families}


def test_what_the_outline_of_a_large_design_folds_is_dragged_on_the_sheet(page: Page) -> None:
    design = started("continents-cities")
    fields = [Insert(parent="", list="fields", element={"id": f"unused{n}", "name": f"unused{n}"}) for n in range(60)]
    table = Insert(parent="", list="tables", element={"id": "other", "name": "other"})
    design.apply(Batch(edits=(*fields, table)), by=design.made_by)
    page.goto(f"/designs/{design.key}/rows")
    heads = page.locator("#schema th")
    expect(page.locator("#insight .ticker")).to_be_visible()
    expect(page.locator("#o-about, #o-air")).to_have_count(0)
    heads.locator("a[href$='/at/air']").click(button="right")
    menu = page.locator("#element-menu")
    expect(menu.get_by_role("button", name="about", exact=True)).to_be_visible()
    expect(menu.get_by_role("button", name="other")).to_have_count(0)  # columns go to families, not to tables
    page.keyboard.press("Escape")
    heads.locator("a[href$='/at/text']").scroll_into_view_if_needed()  # a scroll while dragging starts at another head
    heads.locator("a[href$='/at/air']").drag_to(heads.locator("a[href$='/at/text']"))
    expect(page.locator("#said")).to_contain_text("Moved: ")
    assert families_of(design) == {"now": ["visitors", "weather"], "about": ["text", "air"]}

    page.goto(f"/designs/{design.key}/")
    page.locator("#schema article a[href$='/at/about']").drag_to(page.locator("#open-other"))
    expect(page.locator("#said")).to_contain_text("Moved: ")
    tables = Design.objects.get(pk=design.pk).spec.tables
    assert [[family.id for family in table.families] for table in tables] == [["now"], ["about"]]


def test_columns_go_to_another_family_by_dragging_the_menu_and_the_keyboard(page: Page) -> None:
    design = started("continents-cities")
    page.goto(f"/designs/{design.key}/at/about")
    expect(page.locator("#insight .ticker")).to_be_visible()
    said, menu = page.locator("#said"), page.locator("#element-menu")
    page.locator("#o-air").drag_to(page.locator("#o-about"))
    expect(said).to_contain_text("Moved: ")
    expect(page.locator("li:has(> #o-about)").locator("#o-air")).to_be_visible()
    assert families_of(design) == {"now": ["visitors", "weather"], "about": ["text", "air"]}

    page.locator("#o-air").click(button="right")
    menu.get_by_role("button", name="now", exact=True).click()
    expect(page.locator("li:has(> #o-now)").locator("#o-air")).to_be_visible()
    assert families_of(design) == {"now": ["visitors", "weather", "air"], "about": ["text"]}

    page.locator("#o-weather").focus()
    page.keyboard.press("Control+x")
    expect(page.locator("#happened")).to_have_text("1 cut. Select a column family and press Ctrl V.")
    page.locator("#o-text").focus()  # a column stands for its family
    page.keyboard.press("Control+v")
    expect(page.locator("li:has(> #o-about)").locator("#o-weather")).to_be_visible()
    assert families_of(design) == {"now": ["visitors", "air"], "about": ["text", "weather"]}

    page.goto(f"/designs/{design.key}/rows")  # each column of the rows has its head
    heads = page.locator("#schema th")
    heads.locator("a[href$='/at/visitors']").drag_to(heads.locator("a[href$='/at/text']"))
    expect(said).to_contain_text("Moved: ")
    assert families_of(design) == {"now": ["air"], "about": ["text", "weather", "visitors"]}
