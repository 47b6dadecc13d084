"""The sheet: the home of a design, which is looked at as a whole, and its lines of many tables."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from designer.document import Spec
from designer.document.load import from_data
from designer.document.popularity import Uniform
from designer.examples import example
from designer.models import Design, Person
from tests.browser.shifts import assert_nothing_moved
from tests.browser.soon import expect
from tests.designs import many_tables, scanned_profiles

ON_THE_FIRST_SCREEN = """selector => [...document.querySelectorAll(selector)].filter(each => {
    const { top, bottom, width, height } = each.getBoundingClientRect();
    return each.checkVisibility() && width > 1 && height > 1 && bottom > 0 && top < innerHeight;
}).length"""
WORDS = r"""() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    let count = 0;
    while (texts.nextNode()) {
        const text = texts.currentNode, parent = text.parentElement;
        if (!parent.checkVisibility()) continue;
        const box = parent.getBoundingClientRect();  // cuts off a long sentence
        for (const word of text.data.matchAll(/\S*[\p{L}\d]\S*/gu)) {
            range.setStart(text, word.index);
            range.setEnd(text, word.index + word[0].length);
            const { top, bottom, width } = range.getBoundingClientRect();
            count += width > 1 && bottom > 0 && top < innerHeight && top < box.bottom;
        }
    }
    return count;
}"""


def opened(page: Page, spec: Spec) -> Design:
    """A design in the editor, with its sheet."""
    me = Person.objects.get_or_create_local()
    team = me.memberships.select_related("team")[0].team
    design = Design.objects.start(spec, team=team, by=me)
    page.goto(f"/designs/{design.key}/")
    expect(page.locator("#verdict")).to_be_visible()
    return design


@pytest.mark.fresh_page
def test_the_first_screen_of_a_design_is_its_tables_with_few_words_and_controls(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    opened(page, example("karte").spec)
    expect(page.locator("#insight")).to_contain_text("10× traffic")

    assert_nothing_moved(page, most=0.02)
    assert page.locator("#schema article").count() == 2
    assert page.evaluate(WORDS) <= 320
    assert page.evaluate(ON_THE_FIRST_SCREEN, "a, button, input, select, textarea, summary") <= 40
    expect(page.locator(".wires path")).to_have_count(2)
    below_the_header = "() => document.querySelector('#verdict').getBoundingClientRect().top - "
    below_the_header += "document.querySelector('.site-header').getBoundingClientRect().bottom"
    assert page.evaluate(below_the_header) >= 12


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"status": 500}, "The server could not compute this."),
        ({"status": 429, "headers": {"Retry-After": "50"}}, "The server is busy."),
        ({}, "Not loaded: the connection is lost."),
    ],
)
def test_a_first_answer_that_fails_is_told_in_its_place_and_asked_for_again(
    page: Page,
    accessible: Callable[[], None],
    allowed_console_errors: list[str],
    answer: dict[str, Any],
    told: str,
) -> None:
    allowed_console_errors += ["status of 500", "status of 429", "ERR_FAILED"]
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(example("karte").spec, team=me.memberships.select_related("team")[0].team, by=me)
    page.route("**/of/**", lambda route: route.fulfill(**answer) if answer else route.abort())
    page.goto(f"/designs/{design.key}/")
    for place in ("#schema", "#insight"):
        expect(page.locator(place).get_by_text(told)).to_be_visible()
        expect(page.locator(place)).not_to_contain_text("Computing", use_inner_text=True)
    accessible()

    page.unroute("**/of/**")
    # The page tries by itself, too, at times before anybody could press a button.
    page.evaluate("document.querySelector('[data-again]:not([hidden])')?.click()")

    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#insight .sum")).to_be_visible()
    expect(page.locator(".missing")).to_have_count(0)


def test_a_phone_has_tables_rows_findings_cost_and_search_in_a_bar_below(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, example("karte").spec)
    bar, search = page.locator(".bottom-bar"), page.locator(".outline-toggle")
    expect(bar).to_have_text(re.compile(r"Tables\s+Rows\s+3 notes\s+Cost\s*\$2,503"), use_inner_text=True)
    expect(bar.locator("[aria-current]")).to_have_text("Tables")

    bar.get_by_role("link", name="Rows").click()
    expect(page.locator(".stored-kind").first).to_be_visible()
    expect(bar.locator("[aria-current]")).to_have_text("Rows")
    bar.get_by_role("link", name="3 notes").click()
    expect(page.locator("#remarks")).to_be_in_viewport()
    search.click()
    page.locator("#find").fill("events")
    page.locator("#found a").first.click()
    expect(page.locator("#element-title")).to_contain_text("events")
    expect(page.locator("#find")).to_be_hidden()
    expect(bar.locator("[aria-current]")).to_have_count(0)


@pytest.mark.parametrize(("width", "language"), [(360, "ja"), (900, "en"), (1440, "ja")])
def test_the_sheet_is_accessible_and_fits(
    page: Page, accessible: Callable[..., None], width: int, language: str
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    opened(page, example("iot-fleet").spec)
    expect(page.locator("#insight .sum")).to_be_visible()

    accessible("light", "dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_thing_on_a_card_opens_its_element_and_the_way_back_is_the_sheet(page: Page) -> None:
    held: list[Route] = []
    page.route("**/what-if", lambda route: held.append(route), times=1)
    with page.expect_request("**/what-if"):
        opened(page, scanned_profiles())
    page.locator("#schema").get_by_role("link", name="profiles").first.click()
    expect(page.locator("section.element")).to_have_attribute("data-at", "t")
    expect(page.locator("#insight [hx-get$=what-if]")).to_have_count(0)
    with page.expect_response("**/what-if"):
        held[0].continue_()  # the page that asked for it has been left

    page.get_by_role("link", name="All tables").click()
    expect(page.locator("#verdict")).to_be_visible()
    expect(page.locator("#money-band")).to_contain_text("if assumed values differ")


def test_the_rows_of_all_tables_are_a_view_of_the_same_page(page: Page) -> None:
    design = opened(page, example("karte").spec)
    page.locator("#view-rows").press("Enter")
    expect(page.locator("#schema table.stored")).to_have_count(2)
    expect(page.locator("#verdict")).to_be_focused()
    assert page.url.endswith(f"/designs/{design.key}/rows")

    page.locator("#view-tables").press("Enter")
    expect(page.locator("#schema article.table-card")).to_have_count(2)


def test_n_and_p_go_through_the_findings(page: Page) -> None:
    opened(page, example("karte").spec)
    findings = page.locator("#insight .remark")
    expect(findings).to_have_count(3)

    page.keyboard.press("n")
    expect(findings.nth(0).locator("summary")).to_be_focused()
    page.keyboard.press("n")
    expect(findings.nth(1).locator("summary")).to_be_focused()
    expect(findings.nth(1)).to_have_attribute("open", "")
    expect(findings.nth(1)).to_contain_text("I024")
    assert findings.nth(1).locator(".sentence").evaluate("sentence => sentence.innerText").count(". ") == 1
    expect(findings.nth(0)).not_to_have_attribute("open", "")
    page.keyboard.press("p")
    page.keyboard.press("p")
    expect(findings.nth(2).locator("summary")).to_be_focused()


@pytest.mark.parametrize("slug", ["karte", "iot-fleet"])
def test_rows_on_a_phone_are_read_without_scrolling_sideways(page: Page, slug: str) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, example(slug).spec)
    page.get_by_role("link", name="Rows").click()
    expect(page.locator(".stored tbody tr").first).to_be_visible()

    hidden = """() => [...document.querySelectorAll(".stored :is(.part .seg, .cell code, .load)")].filter((each) => {
        const { left, right, width } = each.getBoundingClientRect();
        return width > 0 && (left < 0 || right > innerWidth);
    }).length"""
    assert page.evaluate("[...document.querySelectorAll('.scroll-x')].every(e => e.scrollWidth <= e.clientWidth)")
    assert page.evaluate(hidden) == 0
    expect(page.locator(".stored-reads .asked").first).to_be_visible()


def test_long_names_do_not_widen_the_rows_on_a_phone(page: Page) -> None:
    long = "a_name_that_is_as_long_as_names_of_tables_and_columns_are_in_a_large_company"
    column = {"id": "c", "qualifier": long[:60]}
    design = from_data({
        "fields": [{"id": "d", "name": long}],
        "activities": [{"id": "a", "name": long, "rate_per_second": 1000}],
        "tables": [{
            "id": "t", "name": long,
            "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "field", "field": "d"}],
                           "writes": [{"id": "w", "activity": "a"}]}],
            "families": [{"id": "f", "name": "m", "columns": [column]}],
        }],
    })  # fmt: skip
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, design)
    page.get_by_role("link", name="Rows").click()
    expect(page.locator(".stored tbody tr").first).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") == 390
    covered = """() => [...document.querySelectorAll(".stored tbody .cell")].filter((cell) =>
        cell.getBoundingClientRect().right > cell.closest("tr").querySelector(".load").getBoundingClientRect().left)"""
    assert page.evaluate(covered) == []
    whole = "[...document.querySelectorAll('.stored .seg')].every((part) => part.scrollWidth <= part.clientWidth)"
    assert page.evaluate(whole)
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.evaluate(whole), "long texts were cut where neighbours are alike, not where they differ"


def test_many_reads_stand_below_the_rows_and_do_not_pull_them_apart(page: Page) -> None:
    reads = [
        {"id": f"r{n}", "name": f"Question {n} of a device", "rate_per_second": 1, "binds": [{"field": "d"}]}
        for n in range(14)
    ]
    design = from_data({
        "fields": [{"id": "d", "name": "device"}],
        "activities": [{"id": "a", "rate_per_second": 1000}],
        "tables": [{
            "id": "t", "name": "readings",
            "families": [{"id": "f", "name": "m", "columns": [{"id": "c", "qualifier": "v"}]}],
            "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "field", "field": "d"}], "reads": reads,
                           "writes": [{"id": "w", "activity": "a"}]}],
        }],
    })  # fmt: skip
    page.set_viewport_size({"width": 1440, "height": 900})
    opened(page, design)
    page.locator("#view-rows").click()
    expect(page.locator(".stored-reads .asked").last).to_be_visible()

    heights = page.locator(".stored tbody tr").evaluate_all("rows => rows.map((row) => row.offsetHeight)")
    assert max(heights) <= 32, "28 px are enough for a row"


def test_a_name_from_right_to_left_leaves_the_figure_behind_it_in_its_place(page: Page) -> None:
    design = from_data({
        "fields": [{"id": "d", "name": "device"}],
        "activities": [{"id": "a", "rate_per_second": 2000}],
        "tables": [{
            "id": "t", "name": "readings", "families": [{"id": "f", "name": "m"}],
            "row_kinds": [{"id": "k", "key": [{"id": "s", "kind": "field", "field": "d"}],
                           "writes": [{"id": "w", "name": "Write שלום עולם", "activity": "a"}]}],
        }],
    })  # fmt: skip
    opened(page, design)
    page.locator("#view-rows").click()
    expect(page.locator(".stored-writes b")).to_have_text("2,000/s")

    name, rate = (page.locator(f".stored-writes {tag}").first.bounding_box() for tag in ("a", "b"))
    assert name is not None
    assert rate is not None
    assert name["x"] + name["width"] <= rate["x"]


def test_a_date_below_a_strip_is_whole_however_narrow_the_card(page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    opened(page, example("karte").spec)
    dates = page.locator(".key-axis .seg[title]:visible")
    cut = "all => all.filter(e => e.scrollWidth > e.clientWidth || e.getBoundingClientRect().right > "
    cut += "e.closest('li').getBoundingClientRect().right + 1).length"

    expect(dates).to_have_count(4)
    assert dates.evaluate_all(cut) == 0
    page.get_by_role("button", name="Text").click()
    expect(dates).to_have_count(2)
    assert dates.evaluate_all(cut) == 0


def test_a_rate_is_edited_where_it_is_read_and_the_sheet_follows(page: Page) -> None:
    design = opened(page, example("karte").spec)
    expect(page.locator("#insight")).to_contain_text("10× traffic")
    rate = page.get_by_label("Mean rate of A visitor does something, per second")
    rate.fill("40000")
    expect(page.locator("#insight .since")).to_contain_text("vs start")
    rate.press("Tab")  # what somebody types in is not swapped
    expect(page.locator("#schema article").first).to_contain_text("91,3")

    design.refresh_from_db()
    assert design.spec.activities[0].rate_per_second == 40_000
    page.locator('[data-key="Control+z"]').click()
    expect(page.locator("#schema article").first).to_contain_text("9,130/s")


def test_many_tables_are_searched_and_sorted(page: Page, accessible: Callable[[], None]) -> None:
    opened(page, many_tables(16))
    rows = page.locator("#schema tbody tr:visible")
    expect(rows).to_have_count(16)
    accessible()

    page.get_by_label("Find a table, field or read").fill("table_1")
    expect(rows).to_have_count(7)
    expect(page.get_by_text("7 of 16 tables")).to_be_visible()
    page.get_by_label("Find a table, field or read").fill("")
    page.get_by_label("Sort by").select_option("Cost")
    costs = [float(row.get_attribute("data-cost") or 0) for row in rows.all()]

    assert costs == sorted(costs, reverse=True)
    page.get_by_label("Group by prefix").check()
    expect(page.get_by_role("rowheader", name="table (16)")).to_be_visible()


def saved_by(*fields: str) -> Spec:
    """A design that does not say how busy the busiest of some fields are, each the key of a table."""
    return from_data(
        {
            "fields": [{"id": field, "name": field, "distinct": 10_000} for field in fields],
            "activities": [{"id": "a", "name": "saved", "rate_per_second": 2_000}],
            "tables": [
                {
                    "id": f"t-{field}",
                    "name": f"by_{field}",
                    "row_kinds": [
                        {
                            "id": f"k-{field}",
                            "key": [{"id": f"s-{field}", "kind": "field", "field": field}],
                            "writes": [{"id": f"w-{field}", "activity": "a", "mode": "overwrite"}],
                        }
                    ],
                    "families": [{"id": f"f-{field}", "name": "f", "gc": {"kind": "max_versions", "versions": 1}}],
                }
                for field in fields
            ],
        }
    )


def test_one_question_is_asked_at_a_time_and_a_key_answers_it(page: Page, accessible: Callable[[], None]) -> None:
    design = opened(page, saved_by("tenant", "shop"))
    question = page.locator("#questions h3:visible")
    expect(question).to_have_count(1)
    first = question.inner_text()
    accessible()

    page.get_by_role("button", name="Later").click()
    expect(question).not_to_have_text(first)
    expect(page.locator("#questions")).to_be_focused()
    page.keyboard.press("1")
    expect(page.get_by_text("Answer saved.")).to_be_visible()
    expect(page.get_by_text("Questions without an answer: 1.")).to_be_visible()

    page.get_by_role("button", name="Show them again").click()
    expect(question).to_have_text(first)
    page.get_by_role("button", name="All are equally busy").click()
    expect(page.get_by_text("No open questions.")).to_be_visible()
    design.refresh_from_db()
    assert all(field.popularity == Uniform() for field in design.spec.fields)


def test_a_value_that_is_not_saved_yet_stays_when_the_sheet_comes_anew(
    page: Page, allowed_console_errors: list[str]
) -> None:
    allowed_console_errors += ["ERR_FAILED", "htmx:sendError"]
    design = opened(page, example("karte").spec)
    late: list[Route] = []
    page.route("**/of/*/sheet*", lambda route: late.append(route))
    rate = page.locator(".in-place input.number")
    rate.fill("2k")
    rate.press("Enter")
    expect(page.locator("#state")).to_contain_text("r2")
    page.wait_for_function("document.querySelector('#schema.stale')")
    page.route("**/edit", lambda route: route.abort())
    rate.fill("3k")
    rate.press("Enter")
    expect(page.locator(".in-place.unsaved")).to_be_visible()
    page.locator("#verdict").evaluate("verdict => { verdict.focus(); verdict.dataset.old = ''; }")

    for route in late:
        route.continue_()
    page.unroute("**/of/*/sheet*")
    expect(page.locator("#verdict[data-old]")).to_have_count(0)
    expect(rate).to_have_value("3k")
    page.unroute("**/edit")
    expect(page.locator("form.unsaved")).to_have_count(0)
    design.refresh_from_db()
    assert design.spec.activities[0].rate_per_second == 3000


def test_a_question_is_answered_once_however_often_keys_are_pressed(page: Page) -> None:
    opened(page, example("karte").spec)
    sent: list[Route] = []

    def count(route: Route) -> None:
        sent.append(route)
        route.continue_()

    page.route("**/edit", count)
    page.keyboard.press("1")
    page.keyboard.press("2")
    expect(page.get_by_text("No open questions.")).to_be_visible()
    expect(page.locator("#state")).to_contain_text("r2")
    assert len(sent) == 1


def test_a_key_goes_to_what_else_the_application_does_and_the_open_search_folds(page: Page) -> None:
    opened(page, example("karte").spec)
    page.keyboard.press("Control+k")
    expect(page.locator("#find")).to_be_focused()
    page.locator("#verdict").focus()
    expect(page.locator("#find")).to_be_hidden()

    page.keyboard.press("a")
    expect(page.locator("#add-sentence")).to_be_focused()
    expect(page.locator("#add-sentence")).to_have_value("")


def test_a_design_without_tables_begins_with_a_sentence(page: Page) -> None:
    me = Person.objects.get_or_create_local()
    design = Design.objects.start(Spec(name="Blank"), team=me.memberships.select_related("team")[0].team, by=me)
    page.goto(f"/designs/{design.key}/")
    page.get_by_label("What does it do?").fill("200,000 devices each report every 10 s, kept 90 days")
    page.keyboard.press("Enter")
    expect(page.locator("#element-title")).to_contain_text("device_reports")
    expect(page.locator(".stored-kind")).to_be_visible()


def test_a_question_that_nobody_can_answer_is_not_asked_again_in_the_session(page: Page) -> None:
    opened(page, saved_by("tenant"))
    page.get_by_role("button", name="I don’t know").click()
    expect(page.get_by_text("Questions without an answer: 1.")).to_be_visible()

    page.reload()
    expect(page.get_by_text("Questions without an answer: 1.")).to_be_visible()
    expect(page.locator("#questions h3:visible")).to_have_count(0)
