"""What stands beside the editor: findings with their fixes, accepted risks, where figures come from."""

import datetime
import html
import json
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from config.processes.process_pool import StillComputingError
from designer.document.edits import Clear, Remove, Set
from designer.document.instance import Instance
from designer.document.load import from_data
from designer.examples import example
from designer.models import Design, Person, Team
from designer.models.memory import MEMORY
from estimator.advice.rules import RULES
from estimator.comparison.preview import preview
from estimator.contexts import set_processes
from estimator.presentation import design_page as design_pages
from estimator.presentation import sheet as presentation_sheet
from estimator.views import design as design_view
from estimator.views import insight
from tests.contexts import design_page
from tests.designs import forty_tables, many_tables, scanned_profiles
from tests.markup import compact

HTMX = {"HX-Request": "true"}


@pytest.fixture
def design(ana: Person, team: Team) -> Design:
    return Design.objects.start(example("timestamp-first").spec, team=team, by=ana)


@pytest.fixture
def client(ana: Person) -> Client:
    client = Client(headers=HTMX)
    client.force_login(ana)
    return client


class Busy:
    """Processes that are still computing."""

    def compute(self, *args: Any, **named: Any) -> None:
        raise StillComputingError


@pytest.fixture
def large_design(ana: Person, team: Team) -> Iterator[Design]:
    """A design that another process computes, which does not end."""
    set_processes(Busy())
    MEMORY.clear()
    yield Design.objects.start(forty_tables(), team=team, by=ana)
    set_processes(None)


def below(design: Design, what: str, client: Client, **headers: str) -> str:
    """What stands at an address below the design's present content."""
    head = Design.objects.get(pk=design.pk).head_id
    response = client.get(f"/designs/{design.key}/of/{head}/{what}", headers=headers)
    assert response.status_code == 200
    return response.content.decode()


def accepted(client: Client, design: Design, **given: str) -> Any:
    """The answer to somebody who accepts that the key begins with time."""
    key = design.spec.tables[0].row_kinds[0].key[0].id
    return client.post(f"/designs/{design.key}/accept", {"rule": "K004", "at": key, **given})


def test_parts_that_are_asked_for_together_are_what_they_are_alone(client: Client, design: Design) -> None:
    together = json.loads(below(design, "parts?names=insight,effects,marks,other&at=metrics", client))

    alone = {name: below(design, f"{name}?at=metrics", client) for name in ("insight", "effects", "marks")}
    assert {name: compact(part) for name, part in together.items()} == alone


def test_insight_tells_findings_heat_growth_nodes_and_money(client: Client, design: Design) -> None:
    page = below(design, "insight?at=metrics", client)

    assert "The key of metrics starts with time" in page
    assert "go to one of" in page
    assert "<image" in page
    assert page.count('class="spark"') == 3
    assert 'data-total="' in page
    assert "price list" in page
    assert "35 assumed values" in page


def test_the_home_tells_money_findings_and_larger_worlds(client: Client, design: Design) -> None:
    page = below(design, "insight", client)

    assert "Cost in Dec 2027" in page
    assert "The key of metrics starts with time" in page
    assert "10× traffic" not in page  # it would be computed with every answer to an edit
    assert "10× traffic" in below(design, "what-if", client)
    assert "35 assumed values" in page
    assert "<image" not in page  # the heat of every table is on the sheet


def test_the_sheet_of_a_design_opens_elements_in_place(client: Client, design: Design) -> None:
    page = below(design, "sheet", client)
    table = design.spec.tables[0]

    assert "One node takes all new writes" in page
    for element in (
        table,
        *table.row_kinds[0].writes,
        *table.row_kinds[0].reads,
        *table.families,
        *design.spec.activities,
    ):
        assert f'href="/designs/{design.key}/at/{element.id}"' in page
    assert "What else does it do?" in page


@pytest.mark.parametrize("named", [True, False])
def test_where_a_design_runs_opens_its_instance(client: Client, ana: Person, design: Design, *, named: bool) -> None:
    clusters = [{"id": "c", "name": "main", "region": "us-east1"}] if named else []
    spec = design.spec.model_copy(update={"instance": Instance.model_validate({"clusters": clusters})})
    page = below(Design.objects.start(spec, team=design.team, by=ana), "sheet", client)

    runs_on = page[page.index("Runs on") :]
    assert re.search(r'<a href="/designs/[^"]+/instance"[^>]*><b\s*>(main|us-central1)', runs_on)


def test_the_sheet_of_many_tables_has_a_line_for_each(client: Client, ana: Person, design: Design) -> None:
    many = Design.objects.start(many_tables(16), team=design.team, by=ana)
    page = below(many, "sheet", client)

    lines = re.findall(r"<tr data-words=.*?</tr>", page, re.DOTALL)
    assert len(lines) == 16
    assert "<article" not in page
    many_lines = presentation_sheet.MOST_LINES * sum(map(len, lines)) // 16
    assert len(page) - sum(map(len, lines)) + many_lines <= 100_000  # of two hundred tables


def test_keys_of_many_tables_are_on_screen_before_anything_is_computed(
    client: Client, ana: Person, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(design_pages, "estimate", lambda *asked: pytest.fail("computed"))
    many = Design.objects.start(many_tables(16), team=design.team, by=ana)
    page = compact(client.get(reverse("editor", args=[many.key])).content.decode())

    expected = re.findall(r'<ul class="expected">(.*?)</ul>', page, re.DOTALL)[0]
    assert [name in expected for name in (table.label for table in many.spec.tables)] == [True] * 16
    assert expected.count('class="row-key"') == sum(len(table.row_kinds) for table in many.spec.tables)
    assert "tenant" in expected


def test_lines_and_findings_beyond_the_first_come_when_they_are_asked_for(
    client: Client, ana: Person, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presentation_sheet, "MOST_LINES", 10)
    monkeypatch.setattr(design_view, "MOST_FINDINGS", 1)
    many = Design.objects.start(many_tables(16), team=design.team, by=ana)
    estimate = reverse("content", args=[many.key, many.head_id])
    whole_page = Client()
    whole_page.force_login(ana)

    def names(page: str) -> set[str]:
        return set(re.findall(r'<tr\s+data-words=.*?data-name="([^"]*)"', page, re.DOTALL))

    def findings(page: str) -> list[str]:
        return re.findall(r'<details\s+class="finding[^>]*id="(finding-\d+)"', page)

    for address in (f"{estimate}sheet", estimate):
        asker = client if address.endswith("sheet") else whole_page
        first, more = asker.get(address).content.decode(), client.get(f"{address}?part=lines").content.decode()
        assert (len(names(first)), len(names(more)), len(names(first) | names(more))) == (10, 6, 16)
        assert 'data-total="16"' in first
        assert f'hx-get="{address if asker is client else ""}?part=lines"' in first
    for address in (estimate, reverse("review", args=[many.key])):
        first, every = whole_page.get(address).content.decode(), client.get(f"{address}?part=findings").content.decode()
        assert len(findings(first)) <= 2 < len(findings(every))
        low, high = map(int, re.findall(r'data-findings="(\d+)-(\d+)">\s*<a\s+href="\?part=findings', first)[0])
        left = {int(one.removeprefix("finding-")) for one in {*findings(every)} - {*findings(first)}}
        assert low == min(left) <= max(left) <= high
        assert "?part=findings" not in every
        assert findings(whole_page.get(f"{address}?whole=1").content.decode()) == findings(every)


def test_pages_of_many_tables_send_each_part_when_it_is_asked_for(client: Client, ana: Person, design: Design) -> None:
    many = Design.objects.start(many_tables(16), team=design.team, by=ana)
    table = many.spec.tables[3].id
    estimate = reverse("content", args=[many.key, many.head_id])
    review, editor = reverse("review", args=[many.key]), reverse("editor", args=[many.key])

    without_htmx = Client()
    without_htmx.force_login(ana)

    def ask(address: str, *, whole: bool = False) -> str:
        answer = (without_htmx if whole else client).get(address)
        assert answer.status_code == 200, address
        return answer.content.decode()

    def tables_in(page: str) -> int:
        return len(re.findall(r'<section class="block table"', page))

    first = ask(estimate, whole=True)
    assert (tables_in(first), tables_in(ask(f"{estimate}?whole=1", whole=True))) == (0, 16)
    assert f'href="?part=table&amp;table={table}#table-{table}"' in first
    only = ask(f"{estimate}?part=table&table={table}")
    assert only.strip().startswith(f'<section class="block table" id="table-{table}"')
    boosted = client.get(f"{estimate}?part=table&table={table}", headers={"HX-Request": "true", "HX-Boosted": "true"})
    assert (tables_in(boosted.content.decode()), "<main" in boosted.content.decode()) == (1, False)
    without_script = ask(f"{estimate}?part=table&table={table}", whole=True)
    assert (tables_in(without_script), "<main" in without_script) == (1, True)
    rows = r"<tr"
    assert len(re.findall(rows, ask(f"{estimate}?part=activities"))) == 40
    assert len(re.findall(rows, ask(f"{review}?part=activities"))) == 40
    assert len(re.findall(rows, ask(f"{estimate}?part=guesses"))) > 100 > len(re.findall(rows, first))
    longest = re.findall(r'data-findings="(\d+)-(\d+)"[^?]*\?part=finding&amp;finding=(\d+)#', first)[0]
    assert f'id="finding-{longest[1]}"' not in first
    assert f'id="finding-{longest[1]}"' in ask(f"{estimate}?part=finding&finding={longest[2]}")
    for wrong in ("part=table&table=none", "part=finding&finding=99999"):
        assert client.get(f"{estimate}?{wrong}").status_code == 404

    reviewed = ask(review, whole=True)
    assert len(reviewed) < 200_000
    for section in ("keys", "families", "workload"):
        assert f'hx-get="?part={section}&amp;table=' not in reviewed
        assert ask(f"{review}?part={section}").count(f'hx-get="?part={section}&amp;table=') == 16
        part = ask(f"{review}?part={section}&table={table}")
        assert ("<main" in part, 'class="halves"' in part) == (False, True)

    edited = ask(editor, whole=True)
    assert (edited.count('/remove"'), "?list=activities" in edited) == (16 + 30 + len(many.spec.fields), True)
    assert ask(f"{editor}?list=activities").count('/remove"') == len(many.spec.activities)


@pytest.fixture
def asked(ana: Person, team: Team) -> Design:
    """A design that does not say how busy its busiest tenant is."""
    kind = {
        "id": "k",
        "key": [{"id": "s", "kind": "field", "field": "tenant"}],
        "writes": [{"id": "w", "activity": "a", "mode": "overwrite"}],
    }
    gc = {"kind": "max_versions", "versions": 1}
    family = {"id": "f", "name": "f", "gc": gc, "columns": [{"id": "c", "qualifier": "v"}]}
    spec = from_data(
        {
            "fields": [{"id": "tenant", "name": "tenant", "distinct": 10_000}],
            "activities": [{"id": "a", "name": "saved", "rate_per_second": 2_000}],
            "tables": [{"id": "t", "name": "profiles", "row_kinds": [kind], "families": [family]}],
        }
    )
    return Design.objects.start(spec, team=team, by=ana)


def test_a_question_is_answered_on_the_sheet(client: Client, asked: Design) -> None:
    page = below(asked, "sheet", client)
    assert "How busy is the busiest tenant?</h3>" in page
    assert "The answer decides 1 finding" in page
    assert "How busy is the busiest" not in below(asked, "insight", client)

    answers = re.findall(r'data-answer\s+hx-post="([^"]*)"\s+hx-vals="([^"]*)"', page)
    address, edit = answers[0]
    assert len(answers) == 3
    assert client.post(address, json.loads(html.unescape(edit))).status_code == 200

    assert "How busy is the busiest" not in below(asked, "sheet", client)
    assert "No open questions." in below(asked, "sheet", client)
    assert Design.objects.get(pk=asked.pk).spec.fields[0].popularity is not None


def test_the_effect_of_an_answer_is_shown_before_it_is_saved(client: Client, asked: Design) -> None:
    assert 'class="remark question"' in below(asked, "insight?at=tenant", client)

    opened = below(asked, "findings/1", client)
    assert "All are equally busy" in opened
    assert "Depends on the answer:" in opened
    assert "fix/1?choice=0" in opened
    assert "Save answer" in below(asked, "fix/1?choice=0", client)


def test_an_answer_that_is_not_there_is_not_found(client: Client, asked: Design) -> None:
    head = Design.objects.get(pk=asked.pk).head_id
    for choice in ("9", "x", "99999"):
        assert client.get(f"/designs/{asked.key}/of/{head}/fix/1?choice={choice}").status_code == 404


def test_the_heat_is_of_what_was_asked_for(client: Client, design: Design) -> None:
    page = below(design, "insight?at=metrics&of=reads&against=absolute", client)

    assert 'value="reads" checked' in page
    assert 'value="absolute" checked' in page
    assert "of the reads go to one of" in page
    assert "one node</text>" in page


def test_a_finding_stands_beside_the_control_with_its_sentence_and_its_fix(client: Client, design: Design) -> None:
    kind = design.spec.tables[0].row_kinds[0]
    page = below(design, f"effects?at={kind.key[0].id}", client)

    beside = page.partition('id="element-beside"')[2].partition("</span></span></span>")[0]
    assert "starts with time" in beside
    assert "Fix…" in beside


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ("", ["stored", "per month", "$1,684.80"]),
        (
            "-instance",
            ["per month", 'id="effect-main"', "nodes 3", ">cost per month $", 'id="c-design-instance-edition-origin"'],
        ),
        ("main", ["nodes", "of its storage used", "per month"]),
        ("metrics", ["rows", "busy at the peak"]),
        ("reading", ["key", "per row"]),
        ("read-hour", ["access path", "rows scanned", "36M", "effect grave"]),
        ("key-time", ["size in key", "values"]),
        ("m", ["per row", "share of table"]),
        ("gone", []),
    ],
)
def test_where_a_thing_has_a_measured_effect_it_is_said(
    client: Client, design: Design, at: str, said: list[str]
) -> None:
    page = below(design, f"effects?at={at}", client)

    assert [text for text in said if text not in page] == []


def test_each_value_tells_where_it_comes_from(client: Client, design: Design) -> None:
    page = "".join(below(design, f"effects?at={at}", client) for at in ("metrics", "machine", "read-hour"))
    origin = {part.partition('"')[0].partition("-")[2]: part for part in page.split('id="c-')[1:]}

    assert 'class="origin you"' in origin["distinct-origin"]
    assert 'class="origin you"' in origin["hour-rate_per_second-origin"]
    assert 'aria-label="not specified as intentional"' in origin["keep_forever-origin"]
    assert 'aria-label="assumed from the kinds of value; not measured"' in origin["compressed_share-origin"]
    assert "class=" not in origin["name-origin"].partition("</span>")[0]


def test_a_fix_says_what_it_changes_before_it_is_applied(client: Client, design: Design) -> None:
    page = below(design, "fix/1", client)

    assert "changes stored keys or queries" in page
    assert "{time}#{machine}" in page
    assert "{machine}#{time}" in page
    assert "Writes spread evenly" in page
    assert "Removes:" in page
    assert "K004" in page
    assert "$1,684.80" in page
    assert "$735.80" in page
    assert "The last hour of a machine" in page
    assert "<li>moved machine from position 2 to 1</li>" in page
    assert design.revisions.count() == 1


def test_a_finding_that_a_fix_only_weakens_is_shown_as_it_was_and_as_it_will_be() -> None:
    shown = design_page(RULES["C011"].bad())
    fix = next(one.finding.fix for one in shown.remarks if one.finding.rule == "C011")
    assert fix is not None
    made = preview(shown, fix)

    assert [
        [(one.finding.rule, one.severity) for one in side] for side in (made.resolved_findings, made.new_findings)
    ] == [
        [("C011", "error")],
        [("C011", "note")],
    ]


def test_of_several_tables_a_preview_says_which_a_key_or_a_read_is_of() -> None:
    shown = design_page(RULES["T002"].bad())
    fix = next(one.finding.fix for one in shown.remarks if one.finding.rule == "T002")
    assert fix is not None

    assert [one.name for one in preview(shown, fix).keys][:2] == ["readings_altostrat › rows", "readings_cymbal › rows"]


def test_what_was_typed_over_is_nothing_to_show_for_an_open_page_and_no_page_by_itself(
    client: Client, design: Design, ana: Person
) -> None:
    design.apply(Set(at="", name="description", value="a", was=design.spec.description), by=ana)
    over = f"/designs/{design.key}/of/{design.head_id}/insight"
    design.apply(Set(at="", name="description", value="ab", was="a"), by=ana)
    by_address = Client()
    by_address.force_login(ana)

    assert (client.get(over).status_code, by_address.get(over).status_code) == (204, 404)


def test_a_finding_without_a_fix_has_no_preview(client: Client, design: Design) -> None:
    head = design.head_id
    assert client.get(f"/designs/{design.key}/of/{head}/fix/4").status_code == 404
    assert client.get(f"/designs/{design.key}/of/{head}/findings/99").status_code == 404


def test_a_risk_is_accepted_with_reason_owner_and_end_and_revoked(client: Client, design: Design) -> None:
    response = accepted(client, design, reason="One writer", owner="Ana", until="2030-01-31")

    ignore = Design.objects.get().spec.ignores[0]
    assert (ignore.rule, ignore.reason, ignore.owner) == ("K004", "One writer", "Ana")
    assert ignore.until == datetime.date(2030, 1, 31)
    assert ignore.effect is not None
    assert ignore.effect > 0
    assert json.loads(response["HX-Trigger"])["kw:saved"]["structure"] is True
    page = below(design, "insight", client)
    assert '<details class="remark accepted"' in page
    assert "K004" in page
    assert "accepted" in page

    edit = Remove(at=ignore.id)
    client.post(f"/designs/{design.key}/edit", {"edit": edit.model_dump_json()})
    assert '<details class="remark accepted"' not in below(design, "insight", client)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"reason": " ", "owner": "Ana"}, "Enter a reason for accepting the risk."),
        ({"reason": "One writer", "owner": ""}, "Enter the person responsible."),
        ({"reason": "One writer", "owner": "Ana", "until": "soon"}, "&quot;soon&quot; is not a valid date"),
        ({"reason": "One writer", "owner": "Ana", "until": "2020-02-29"}, "29 Feb 2020 has passed"),
    ],
)
def test_an_acceptance_that_lacks_something_says_what(
    client: Client, design: Design, given: dict[str, str], problem: str
) -> None:
    response = accepted(client, design, **given)

    assert response.status_code == 422
    assert problem in response.content.decode()
    assert design.revisions.count() == 1


def test_the_form_to_accept_a_risk_names_who_asks(client: Client, design: Design) -> None:
    page = below(design, "accept/1", client)

    assert 'name="owner" type="text" required value="Ana"' in page
    assert "starts with" in page


def test_a_viewer_sees_everything_and_changes_nothing(design: Design) -> None:
    ben = Person.objects.create_user("ben@example.com", name="Ben")
    design.team.add(ben, "viewer")
    client = Client(headers=HTMX)
    client.force_login(ben)

    assert accepted(client, design, reason="r", owner="o").status_code == 403
    assert "Accept the risk" not in below(design, "findings/1", client)
    assert client.get(f"/designs/{design.key}/of/{design.head_id}/accept/1").status_code == 403
    assert "Apply fix" not in below(design, "fix/1", client)


def test_all_guesses_are_in_one_place_with_the_way_to_correct_them(client: Client, design: Design) -> None:
    page = below(design, "guesses", client)

    assert page.count("<tr>") == 36
    assert f'href="/designs/{design.key}/at/machine#c-machine-personal"' in page
    assert '#c-design-instance-in_memory"' in page
    opened = page.partition('#c-design-instance-in_memory"')[0].rpartition('href="')[2]
    assert client.get(opened).status_code == 200


def test_the_bill_says_which_skew_is_only_guessed(client: Client, design: Design, ana: Person) -> None:
    even = {"kind": "uniform"}
    of_tenants = Design.objects.start(scanned_profiles(distinct=50_000, popularity=even), team=design.team, by=ana)
    said = "some values of tenant are taken to be far busier than others"  # which does not move this bill
    stated = below(of_tenants, "", client)
    assert said not in stated

    of_tenants.apply(Clear(at="tenant", name="popularity", was=even), by=ana)

    guessed = below(of_tenants, "", client)
    assert said in guessed


def test_a_design_that_is_blank_has_an_insight_too(client: Client, ana: Person, design: Design) -> None:
    from designer.document import Spec

    blank = Design.objects.start(Spec(name="Blank"), team=design.team, by=ana)

    page = below(blank, "insight", client)

    assert "Start with a table: its findings" in page


def test_on_tablestore_units_stand_in_the_place_of_nodes(client: Client, ana: Person, design: Design) -> None:
    cards = Design.objects.start(example("campus-cards").spec, team=design.team, by=ana)

    page = below(cards, "insight?at=purchases", client)

    assert "read units" in page
    assert "nodes," not in page
    assert "CN¥" in page


def test_findings_that_do_not_fit_are_asked_for(
    client: Client, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(insight, "FIRST", 1)

    page = below(design, "insight", client)
    assert page.count('<details class="remark ') == 1
    assert "2 more findings" in page
    assert below(design, "findings", client).count('<details class="remark ') == 2


def test_money_of_the_fix_is_that_of_the_design_after_it(client: Client, ana: Person, design: Design) -> None:
    from tests.contexts import design_page

    finding = design_page(design.spec).remarks[0].finding
    client.post(f"/designs/{design.key}/edit", {"edit": finding.fix.model_dump_json()})  # type: ignore[union-attr]

    bill = design_page(Design.objects.get().spec).estimate.bill
    assert bill is not None
    assert bill.total == Decimal("735.80")


def test_a_rule_shows_its_examples_as_they_come_out(client: Client) -> None:
    assert 'hx-get="/rules/K004/bad"' in client.get("/rules/K004/").content.decode()

    bad, good = (client.get(f"/rules/K004/{which}").content.decode() for which in ("bad", "good"))

    assert "K004" in bad
    assert "go to one of" in bad
    assert "no findings" in good
    assert "Writes spread evenly" in good
    assert client.get("/rules/K004/worse").status_code == 404
    assert "0 B p99" in client.get("/rules/I025/near_miss").content.decode()  # nothing stored has a picture, too


def test_the_bill_leads_to_why_it_differs_from_the_calculator(client: Client) -> None:
    assert 'href="/calculator/"' in client.get("/examples/timestamp-first/").content.decode()

    page = client.get("/calculator/").content.decode()
    assert "<h1>Why the bill differs from Google" in page
    assert "180 days" in page


def test_an_old_price_book_says_so_beside_the_money(
    client: Client, design: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "prices are" not in below(design, "insight", client)

    monkeypatch.setattr("estimator.contexts._today", lambda: datetime.date(2027, 9, 1))
    assert "prices are 285 days old" in below(design, "insight", client)


def test_an_edit_asks_the_database_as_often_for_a_thousand_elements_as_for_one(client: Client, design: Design) -> None:
    def questions(tables: int) -> int:
        families = [[{"id": f"t{n}f{m}"} for m in range(4)] for n in range(tables)]
        spec = from_data({"tables": [{"id": f"t{n}", "families": each} for n, each in enumerate(families)]})
        one = Design.objects.start(spec, team=design.team, by=Person.objects.get(email="ana@example.com"))
        for value, was in ((13, None), (14, 13)):
            data = {"at": "", "name": "horizon_months", "was": json.dumps(was), "v": str(value)}
            with CaptureQueriesContext(connection) as asked:
                assert client.post(f"/designs/{one.key}/edit", data).status_code == 200
        return len([query for query in asked if "SAVEPOINT" not in query["sql"]])

    assert questions(0) == questions(200) <= 10


def test_a_page_of_what_is_still_computed_says_so_and_asks_again(client: Client, large_design: Design) -> None:
    address = f"/designs/{large_design.key}/of/{large_design.head_id}/"
    page = client.get(address, headers={"HX-Request": ""})
    assert (page.status_code, page["Retry-After"], page["Refresh"]) == (503, "2", "2")
    assert "It opens automatically in a few seconds" in page.content.decode()
    assert "Something went wrong" not in page.content.decode()

    part = client.get(f"{address}insight")
    assert (part.status_code, part["Retry-After"]) == (503, "2")
    edit = client.get(f"/designs/{large_design.key}/")
    assert edit.status_code == 200


def test_a_design_that_says_too_little_is_not_said_to_have_no_findings(client: Client, team: Team, ana: Person) -> None:
    tables = [{"id": "t", "name": "orders", "families": [{"id": "d", "name": "d"}]}]
    design = Design.objects.start(from_data({"name": "x", "tables": tables}), team=team, by=ana)

    content = client.get(reverse("content", args=[design.key, design.head_id])).content.decode()
    pages = [" ".join(re.sub(r"<[^>]+>", " ", page).split()) for page in (below(design, "insight", client), content)]

    for page in pages:
        assert "not judged yet" in page
        assert "1 thing is needed before load and cost can be judged: “orders” has no writes." in page
        assert "no findings" not in page
        assert "No rule reports" not in page
