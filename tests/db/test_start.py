"""The start page: finding, starting, copying, archiving and deleting designs; what is wrong is said in place."""

import datetime
import html
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from designer.document import Spec, effective_value, fingerprint
from designer.document.edits import Clear, Set, apply
from designer.models import Design, Document, Person, Team
from designer.models.memory import MEMORY
from designer.views.designs.start import PAGE_SIZE
from designer.views.editor.books import add_price_book, pin_price_book
from estimator.models import Worker
from estimator.runs import delivery
from estimator.worker import sweeper as sweeping
from estimator.worker.sweeper import Sweeper

HTMX = {"HX-Request": "true"}


@pytest.fixture
def client(ana: Person, team: Team) -> Client:
    return signed_in(ana)


def signed_in(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def started(team: Team, by: Person, *names: str) -> list[Design]:
    return [Design.objects.start(Spec(name=name), team=team, by=by) for name in names]


def page(client: Client, address: str = "/", **headers: Any) -> str:
    return html.unescape(client.get(address, **headers).content.decode())


def names(text: str) -> list[str]:
    """Designs of the list, in its order."""
    lines = text.split('<p class="name">')[1:]
    return [line.partition("</p>")[0].partition(">")[2].partition("<")[0] for line in lines]


def test_an_empty_page_says_what_to_do(client: Client) -> None:
    assert "Describe your application above" in page(client)


def test_designs_are_listed_newest_first_and_found_by_any_part_of_their_name(
    client: Client, team: Team, ana: Person
) -> None:
    balloons, *_ = started(team, ana, "Weather balloons", "Tills")
    balloons.apply(Set(at="", name="description", value="x", was=""), by=ana)

    assert names(page(client)) == ["Weather balloons", "Tills"]
    part = page(client, "/?q=BALL", headers=HTMX)
    assert names(part) == ["Weather balloons"]
    assert "<html" not in part
    assert "No designs match “zz”." in page(client, "/?q=zz")


def test_long_lists_have_pages_that_keep_what_was_asked(client: Client, team: Team, ana: Person) -> None:
    started(team, ana, *(f"design {n}" for n in range(PAGE_SIZE + 2)), "other")

    first, second = page(client, "/?q=design"), page(client, "/?q=design&page=2")

    assert f"page 1 of 2, {PAGE_SIZE + 2} designs" in first
    assert 'href="/?q=design&page=2#designs"' in first
    assert names(second) == ["design 1", "design 0"]


def test_with_several_teams_the_list_is_narrowed_to_one(client: Client, team: Team, ana: Person) -> None:
    other = Team.objects.create(name="Billing")
    other.add(ana, "editor")
    started(team, ana, "Balloons")
    started(other, ana, "Invoices")

    assert names(page(client)) == ["Invoices", "Balloons"]
    assert names(page(client, f"/?team={other.pk}")) == ["Invoices"]
    assert f'value="{other.pk}" selected' in page(client, f"/?team={other.pk}")


def test_a_page_asks_the_database_as_often_for_many_designs_as_for_one(
    client: Client, team: Team, ana: Person, django_assert_max_num_queries: Any
) -> None:
    started(team, ana, *(f"design {n}" for n in range(PAGE_SIZE)))

    with django_assert_max_num_queries(8):
        page(client)


def test_a_blank_design_has_its_name_and_keeps_the_newest_price_book(client: Client) -> None:
    client.post("/designs/new", {"name": "Balloons"})

    spec = Design.objects.get().spec
    assert spec.name == "Balloons"
    assert str(spec.instance.price_book).startswith("bigtable-")


def test_a_design_that_changes_its_engine_changes_its_price_book_with_it(client: Client, ana: Person) -> None:
    client.post("/designs/new", {"name": "Balloons"})
    design = Design.objects.get()

    posted = {"at": "", "name": "engine", "was": '"bigtable"', "v": "tablestore"}
    assert client.post(f"/designs/{design.key}/edit", posted).status_code == 200
    design.refresh_from_db()
    assert str(design.spec.instance.price_book).startswith("tablestore-")

    design.undo(by=ana)
    assert str(design.spec.instance.price_book).startswith("bigtable-")


def test_a_copy_of_an_example_is_ones_own_and_every_example_offers_it(client: Client) -> None:
    answer = client.post("/designs/new", {"example": "mobile-devices"})

    design = Design.objects.get()
    assert answer["Location"] == f"/designs/{design.key}/"
    assert design.title == "Mobile devices"
    assert design.revisions.get().text.params == {"name": "Mobile devices"}
    assert 'name="example" value="mobile-devices"' in page(client)
    assert 'name="example" value="mobile-devices"' in page(client, "/examples/mobile-devices/")
    assert client.post("/designs/new", {"example": "none"}).status_code == 422


GOOD = '{"name": "Imported", "instance": {"price_book": "my-book"}}'


@pytest.mark.parametrize("way", ["file", "json"])
def test_a_file_or_pasted_json_becomes_a_design_that_keeps_the_book_it_names(client: Client, way: str) -> None:
    client.post("/designs/new", {way: SimpleUploadedFile("d.json", GOOD.encode()) if way == "file" else GOOD})

    spec = Design.objects.get().spec
    assert (spec.name, spec.instance.price_book) == ("Imported", "my-book")


BAD = '{\n "name": "x",\n "tables": [{"name": "t", "famlies": []}]\n}'


def test_what_is_wrong_with_json_is_said_with_its_line_and_what_was_typed_stays(client: Client) -> None:
    answer = client.post("/designs/new", {"json": BAD, "name": "<b>"})

    text = answer.content.decode()
    assert answer.status_code == 422
    assert 'data-line="3"' in text
    assert "did you mean &quot;families&quot;" in text
    assert "&quot;famlies&quot;: []" in text
    assert 'value="&lt;b&gt;"' in text
    part = client.post("/designs/new", {"json": BAD}, headers=HTMX)
    assert (part.status_code, "<html" in part.content.decode()) == (422, False)
    assert not Design.objects.exists()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b" " * 2_000_001, "larger than 2 MB"),
        (b"\xff", "not UTF-8"),
        (b"[" * 100, "more than 64 levels deep"),
        (b"", "file is empty"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_the_reason(client: Client, content: bytes, said: str) -> None:
    answer = client.post("/designs/new", {"file": SimpleUploadedFile("d.json", content)}, headers=HTMX)

    assert answer.status_code == 422
    assert said in answer.content.decode()


def test_an_import_by_htmx_opens_the_design_as_a_whole_page(client: Client) -> None:
    answer = client.post("/designs/new", {"json": GOOD}, headers=HTMX)

    assert answer["HX-Redirect"] == f"/designs/{Design.objects.get().key}/"


def test_a_variant_remembers_what_it_left_from_and_a_copy_does_not(client: Client, team: Team, ana: Person) -> None:
    (design,) = started(team, ana, "Balloons")
    design.apply(Set(at="", name="description", value="x", was=""), by=ana)

    client.post(f"/designs/{design.key}/copy", {"variant": "1"})
    client.post(f"/designs/{design.key}/copy")
    client.post(f"/designs/{design.key}/copy", {"variant": "1"})

    variant, copy, another = Design.objects.exclude(pk=design.pk).order_by("pk")
    assert another.title == "Balloons (variant 2)"
    assert (variant.variant_of, variant.variant_number, variant.title) == (design, 2, "Balloons (variant)")
    assert (copy.variant_of, copy.title) == (None, "Balloons (copy)")
    assert "variant of Balloons, revision 2" in page(client)


def test_an_archived_design_is_put_away_and_taken_out_again(client: Client, team: Team, ana: Person) -> None:
    (design,) = started(team, ana, "Balloons")

    assert client.post(f"/designs/{design.key}/archive", {"list": "q=Ball"})["Location"] == "/?q=Ball"
    assert names(page(client)) == []
    assert names(page(client, "/?show=archived")) == ["Balloons"]
    client.post(f"/designs/{design.key}/archive", {"back": "1"})
    assert names(page(client)) == ["Balloons"]


def test_a_deleted_design_is_brought_back_at_once_or_from_the_list_of_deleted_ones(
    client: Client, team: Team, ana: Person
) -> None:
    (design,) = started(team, ana, "Balloons")

    after = client.post(f"/designs/{design.key}/delete")["Location"]
    assert "“Balloons” was deleted" in page(client, after)
    assert client.get(f"/designs/{design.key}/").status_code == 404
    assert names(page(client)) == []
    assert "Balloons" in page(client, "/?show=deleted")

    client.post(f"/designs/{design.key}/undelete")
    assert names(page(client)) == ["Balloons"]

    for do in ("archive", "delete"):
        client.post(f"/designs/{design.key}/{do}")
    assert names(page(client, client.post(f"/designs/{design.key}/undelete")["Location"])) == ["Balloons"]


def test_a_viewer_may_copy_into_a_team_of_their_own_and_nothing_else(team: Team, ana: Person) -> None:
    (design,) = started(team, ana, "Balloons")
    vera = Person.objects.create_user("vera@example.com")
    team.add(vera, "viewer")
    client = signed_in(vera)

    assert "You cannot create designs in any of your teams." in page(client)
    assert 'class="menu' not in page(client)
    own = Team.objects.create(name="Vera's")
    own.add(vera, "owner")
    assert "Duplicate" in page(client)
    assert 'value="1"' not in page(client).partition("Duplicate")[2].partition("</details>")[0]
    client.post(f"/designs/{design.key}/copy")
    assert Design.objects.get(team=own).title == "Balloons (copy)"


def test_text_from_people_is_escaped(client: Client, team: Team, ana: Person) -> None:
    (design,) = started(team, ana, "<script>x</script>")
    Design.objects.filter(pk=design.pk).update(edited=timezone.now() - datetime.timedelta(hours=3))

    text = client.get("/?q=<script>").content.decode()

    assert "<script>x" not in text
    assert "&lt;script&gt;x" in text
    assert "3 hours ago" in text


def test_a_new_design_begins_today_and_keeps_the_date_that_a_file_states(client: Client) -> None:
    before = timezone.now().date()
    client.post("/designs/new", {"name": "Blank"})
    client.post("/designs/new", {"json": '{"name": "Dated", "start": "2027-03-01"}'})

    found = {design.title: design.spec.start for design in Design.objects.all()}

    assert before <= found["Blank"] <= timezone.now().date()
    assert found["Dated"] == datetime.date(2027, 3, 1)


def test_a_stored_design_without_a_start_date_starts_on_the_day_it_was_stored(client: Client) -> None:
    client.post("/designs/new", {"name": "Blank"})
    design = Design.objects.get()
    undated = apply(design.spec, Clear(at="", name="start", was=str(design.spec.start)))[0]

    Document.get_or_store(undated)
    stored = Document.objects.get(pk=fingerprint(undated))
    Document.objects.filter(pk=stored.pk).update(first_seen=datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC))
    MEMORY.clear("documents")  # as another process finds it

    spec = Document.objects.get(pk=stored.pk).spec
    assert spec.start is None
    assert effective_value(spec, spec, "start") == datetime.date(2027, 3, 1)


def test_the_engine_takes_a_book_along_only_where_one_is_named() -> None:
    to_tablestore = Set(at="", name="engine", value="tablestore", was="bigtable")

    book = apply(pin_price_book(Spec()), add_price_book(pin_price_book(Spec()), to_tablestore))[0].instance.price_book

    assert str(book).startswith("tablestore-")
    assert add_price_book(Spec(), to_tablestore) is to_tablestore


def test_a_body_that_is_far_too_large_is_refused_before_it_is_read(client: Client) -> None:
    answer = client.post("/designs/new", {"json": "x" * 8_000_001}, headers=HTMX)

    assert answer.status_code == 413
    assert "at most 8 MB" in answer.content.decode()


def test_what_went_wrong_is_said_in_the_readers_language(client: Client) -> None:
    answer = client.post("/designs/new", {"example": "none"}, headers={"Accept-Language": "ja"})

    assert answer.status_code == 422
    assert "Unknown example" not in answer.content.decode()


def test_a_teams_worker_removes_what_was_deleted_long_ago(
    team: Team, ana: Person, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "send", lambda count=1: True)
    monkeypatch.setattr(sweeping.connection, "close", lambda: None)
    monkeypatch.setattr(sweeping, "send_events", lambda: None)  # its thread would outlast this test's database
    (design,) = started(team, ana, "Balloons")
    Design.objects.filter(pk=design.pk).update(deleted=timezone.now() - datetime.timedelta(days=31))

    settings.TEAM = True
    worker = Sweeper("w", 1)
    worker.stop()
    worker.run()  # once, as it is to stop

    assert not Design.objects.exists()


def test_a_worker_is_heard_of_whatever_a_sweep_raises(monkeypatch: pytest.MonkeyPatch, team: Team) -> None:
    worker, raised = Sweeper("w", 1), list[Exception]()

    def fail() -> None:
        raised.append(RuntimeError("no library names this error"))
        if len(raised) == 2:
            worker._over.set()
        raise raised[-1]

    monkeypatch.setattr(sweeping, "sweep", fail)
    monkeypatch.setattr(sweeping, "connection", SimpleNamespace(close=lambda: None))  # the test's own stays open
    monkeypatch.setattr(sweeping.settings, "KEYWRIGHT_LEASE_SECONDS", 0.03)
    worker.run()

    assert len(raised) == 2
    assert Worker.objects.get(name="w").slots == 1


def test_a_queue_that_fails_in_a_way_of_its_own_is_one_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broker:
        def send_task(self, *_: Any, **__: Any) -> None:
            raise RuntimeError("loading the dataset in memory")

    monkeypatch.setattr(delivery, "import_string", lambda _: Broker())
    assert delivery.send() is False


def test_the_start_page_shows_a_mistake_and_the_cure_that_its_finding_proposes(client: Client) -> None:
    before, after = page(client, "/cure", headers=HTMX).split('class="cure-side after"')

    assert "$1,684.80" in before
    assert "at 144\xa0% of its limit" in before
    assert (before.count("severity error"), before.count("severity warning")) == (1, 1)
    assert before.index(">time<") < before.index(">machine<")
    assert re.search(r"<li>\d+ \w{3} \d\d:\d\d</li>", before), "the keys beside the map are times"
    assert "$735.80" in after
    assert after.count("severity good") == 2
    assert after.index(">machine<") < after.index(">time<")
