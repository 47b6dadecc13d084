"""The first door of the start page: sentences, the schemas that answer them, and the design that one becomes."""

import datetime
import html
import re

import pytest
from django.test import Client

from designer.models import Design, Person, Team
from designer.wording import key_of
from tests.core.application.test_sentences import IOT

HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(ana: Person, team: Team) -> Client:
    client = Client()
    client.force_login(ana)
    return client


def post_page(client: Client, address: str, **data: object) -> str:
    return html.unescape(client.post(address, data, headers=HTMX).content.decode())


def fields(text: str) -> dict[str, list[str]]:
    """What the sentences on a page would post."""
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", text):
        name, value = re.search(r'name="([\w-]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and name[1] != "typed" and value and value[1]:
            found.setdefault(name[1], []).append(value[1])
    return found


def test_three_typed_sentences_become_a_design_in_five_inputs(client: Client) -> None:
    start = html.unescape(client.get("/").content.decode())
    example = fields(start.partition('<section class="does')[2].partition("</section>")[0])
    assert example["kind"] == ["report", "latest", "range"]

    text, inputs, form = "", 0, example
    for sentence in IOT:
        text, inputs = post_page(client, "/designs/sentences", typed=sentence, **form), inputs + 1
        form = fields(text)
    assert form["kind"] == ["report", "latest", "range"], "the example gives way to the first sentence"
    assert "autofocus" in text, "the next one is typed at once"

    answer, inputs = post_page(client, "/designs/schemas", **form), inputs + 1
    assert answer.count('class="heat-strip"') >= 2
    assert "Each device belongs to one tenant." in answer
    assert answer.index("Recommended") < answer.index("Alternative 1")
    (use, *others) = re.findall(r'name="use"\s+value="([^"]+)"', answer)
    assert 1 <= len(others) <= 2

    response = client.post("/designs/schemas", {**form, "use": use}, headers=HTMX)
    inputs += 1
    design = Design.objects.get()
    assert response["HX-Redirect"] == f"/designs/{design.key}/"
    assert inputs <= 10
    assert design.spec.start == datetime.datetime.now(datetime.UTC).date()
    made = {table.name: key_of(design.spec, table.row_kinds[0]) for table in design.spec.tables}
    assert made == {"reports": "{device}#{time:rev}", "reports_by_tenant": "{tenant}#{time}#{device}"}
    assert design.title == "Devices"


def test_a_read_that_scans_more_than_it_returns_has_no_tick_in_a_schema(client: Client) -> None:
    form: dict[str, list[str]] = {}
    for sentence in (
        "20k sensors each report every 10s, kept 90 days",
        "show the latest of one sensor, 50/s",
        "show all sensors of one building in the last hour, 5/min, within 1 s",
    ):
        form = fields(post_page(client, "/designs/sentences", typed=sentence, **form))

    answer = post_page(client, "/designs/schemas", **form)

    reads = re.findall(r'class="severity (\w+)">[^<]*</span>\s*<span class="way">([^<]*)', answer)
    assert {service for service, way in reads if way.startswith("scan")} == {"warning"}
    assert {service for service, way in reads if way.startswith("short range")} == {"good"}


def test_sentences_become_a_design_for_the_chosen_engine(client: Client) -> None:
    order = {"kind": "event", "0-record": "order", "0-rate": "5/s", "engine": "tablestore"}
    answer = post_page(client, "/designs/schemas", **order)
    assert "≥\u00a0CN¥" in answer
    (use,) = dict.fromkeys(re.findall(r'name="use"\s+value="([^"]+)"', answer))
    refused = post_page(client, "/designs/schemas", **{**order, "engine": "bigtable", "use": use})
    assert "The sentences changed" in refused
    client.post("/designs/schemas", {**order, "use": use}, headers=HTMX)
    assert Design.objects.get().spec.engine == "tablestore"

    client.post("/designs/new", {"name": "Orders", "engine": "tablestore"})
    assert {each.spec.engine for each in Design.objects.all()} == {"tablestore"}


def test_what_is_not_understood_stays_typed_and_is_marked(client: Client) -> None:
    text = post_page(client, "/designs/sentences", typed="show the latest of one device, 50 per fortnight")
    assert "<mark>50 per fortnight</mark>" in text
    assert 'value="show the latest of one device, 50 per fortnight"' in text
    assert 'aria-invalid="true"' in text


def test_a_sentence_of_which_nothing_is_understood_is_repeated_once_beside_it(client: Client) -> None:
    text = post_page(client, "/designs/sentences", typed="our moon has no sellers")
    assert text.count("our moon has no sellers") == 2
    assert "<mark>" not in text


def test_the_nearest_sentence_is_offered_and_taken_by_one_click(client: Client) -> None:
    typed = "update a user's profile, 50/s"
    text = post_page(client, "/designs/sentences", typed=typed)
    assert "“update” is not understood." in text
    assert "<mark>update</mark> a user's profile, 50/s" in text
    assert "A profile of one user is added 50/s" in text
    assert fields(text) == {}

    text = post_page(client, "/designs/sentences", typed=typed, nearest=0)
    assert fields(text) == {"kind": ["event"], "0-record": ["profile"], "0-by": ["one user"], "0-rate": ["50/s"]}
    assert fields(post_page(client, "/designs/sentences", typed=typed, nearest=7)) == {}


def test_what_a_sentence_does_not_say_is_an_empty_slot_that_a_later_one_fills(client: Client) -> None:
    text = post_page(client, "/designs/sentences", typed="users post messages")
    assert fields(text) == {"kind": ["event"], "0-record": ["message"], "0-by": ["one user"]}
    assert "Fill in this part of the sentence." in post_page(client, "/designs/schemas", **fields(text))

    text = post_page(client, "/designs/sentences", typed="we keep 30 days of messages", **fields(text))
    assert fields(text)["0-kept"] == ["30 days"]


def test_one_typed_text_becomes_two_sentences_where_it_counts_owners(client: Client) -> None:
    text = post_page(client, "/designs/sentences", typed="50,000 sensors in 200 buildings report every minute")
    assert fields(text) == {
        "kind": ["report", "owner"], "0-count": ["50,000"], "0-things": ["sensors"], "0-interval": ["1 min"],
        "1-count": ["50,000"], "1-things": ["sensors"], "1-owner_count": ["200"], "1-owners": ["buildings"],
    }  # fmt: skip


def test_the_nearest_sentence_comes_with_what_its_things_belong_to(client: Client) -> None:
    typed = "100k turbines in 40 farms send 5 values every second"
    text = post_page(client, "/designs/sentences", typed=typed)
    assert "100k turbines each report a value every 1 s; 100k turbines belong to 40 farms" in text
    assert fields(post_page(client, "/designs/sentences", typed=typed, nearest=0))["kind"] == ["report", "owner"]


def test_an_article_goes_with_the_record_behind_it(client: Client) -> None:
    text = post_page(client, "/designs/sentences", typed="orders arrive at 300/s")
    assert "<span>An</span>" in re.sub(r"<span\s*>\s*", "<span>", text).replace("An </span>", "An</span>")


def test_sentences_are_added_by_choosing_and_removed(client: Client) -> None:
    text = post_page(client, "/designs/sentences", add="event")
    assert fields(text) == {"kind": ["event"], "0-record": ["message"], "0-by": ["one channel and one user"],
                            "0-rate": ["2k/s"], "0-kept": ["1 year"]}  # fmt: skip
    assert fields(post_page(client, "/designs/sentences", remove=0, **fields(text))) == {}


def test_problems_lead_to_their_slot_and_changed_sentences_are_not_used_unseen(client: Client) -> None:
    order = {"kind": "event", "0-record": "order", "0-rate": "5 per moon"}
    answer = post_page(client, "/designs/schemas", **order)
    assert 'href="#slot-0-rate"' in answer
    assert "“5 per moon” is not understood" in answer
    assert "First describe what is stored." in post_page(client, "/designs/schemas")

    order |= {"0-rate": "5/s"}
    assert "The sentences changed" in post_page(client, "/designs/schemas", use="0123456789abcdef-0", **order)
    assert not Design.objects.exists()


@pytest.mark.parametrize(
    ("rate", "by", "said"),
    [
        ("900m/s", "one shop", "Recommended"),
        ("5/s", "one 😀", "not understood"),
        ("1/d", "", "Use this"),
    ],
)
def test_absurd_figures_and_names_are_answered_in_words(client: Client, rate: str, by: str, said: str) -> None:
    order = {"kind": ["event", "latest"], "0-record": "order", "0-rate": rate, "0-by": by}
    assert said in post_page(
        client, "/designs/schemas", **order, **{"1-by": "one shop", "1-rate": "1/s", "1-newest": "1"}
    )
