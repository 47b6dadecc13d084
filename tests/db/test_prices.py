"""`manage.py prices`: books made from files and from the API, shown, compared and tried on designs."""

import datetime
import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from jsonschema import Draft202012Validator

from designer.document import dump, load
from designer.document.compact import dump_compact
from designer.document.edits import Set, apply
from designer.examples import example
from designer.management.base import CommandError
from designer.models.memory import MEMORY
from estimator.contexts import current_context
from estimator.management.json_outputs import SCHEMAS
from estimator.presentation import design_page as pages
from estimator.price_books import folders as bookshelf
from tests.core.price_books.catalogue import page, priced, sku, storage

SHIPPED = "bigtable-2026-11-20"
IOWA = {"regions": ["us-central1"]}
SKUS = (sku("Node in Iowa", "0.70", **IOWA), storage("SSD storage in Iowa", "0.17", **IOWA))
KEY = "AIzaSy-not-a-real-key"


@pytest.fixture(autouse=True)
def shelf(tmp_path):
    """Where imported books go, for one test."""
    before = bookshelf.book_folders()
    bookshelf.set_folders(tmp_path / "shelf")
    yield tmp_path / "shelf"
    bookshelf.set_folders(*before)


@pytest.fixture
def file(tmp_path):
    """Writes a file."""

    def write(text, name="catalog.json"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def prices(*arguments):
    out = StringIO()
    call_command("prices", *arguments, stdout=out)
    return out.getvalue()


def refused(*arguments):
    with pytest.raises(CommandError) as error:
        prices(*arguments)
    assert error.value.returncode == 2
    return str(error.value)


# --- import ---------------------------------------------------------------------------------------------------


def test_a_book_is_made_named_by_its_day_and_found_by_designs(file, shelf):
    route = sku("Network Inter Region Egress to Asia", priced("0.1", unit="GiBy"), **IOWA)

    said = prices("import", file(page(*SKUS, route, sku("Something new", "1"))), "--date", "2026-11-21")

    assert (shelf / "bigtable-2026-11-21-catalog.json").exists()
    assert "3 prices in USD, of 1 region\n" in said
    assert "Something new  europe-west1  its description is not known" in said
    assert "bigtable-2026-11-21-catalog" in prices("list")


def test_an_import_as_json_says_the_same(file):
    said = json.loads(prices("import", file(page(*SKUS, sku("Something new", "1"))), "--name", "mine", "--json"))
    Draft202012Validator(SCHEMAS["prices-import"]()).validate(said)

    assert (said["book"], said["prices"]) == ("mine", 2)
    assert [one["why"] for one in said["left_out"]] == ["its description is not known"]


def test_a_books_name_never_comes_to_mean_another_book(file, shelf):
    dearer = page(sku("Node in Iowa", "0.80", **IOWA))
    prices("import", file(page(*SKUS)), "--name", "mine")
    before = (shelf / "mine.json").read_bytes()

    assert "unchanged" in prices("import", file(page(*SKUS)), "--name", "mine")
    assert "exists with other contents" in refused("import", file(dearer), "--name", "mine")
    assert "is the name of" in refused("import", file(dearer), "--name", SHIPPED)
    assert (shelf / "mine.json").read_bytes() == before


def test_a_book_that_was_seen_on_another_day_is_the_same_book(file, shelf):
    prices("import", file(page(*SKUS)), "--name", "mine", "--date", "2026-11-21")
    kept = (shelf / "mine.json").read_text().replace('"seen": "', '"seen": "2025 or ')
    (shelf / "mine.json").write_text(kept)

    assert "unchanged" in prices("import", file(page(*SKUS)), "--name", "mine", "--date", "2026-11-21")
    assert (shelf / "mine.json").read_text() == kept


def test_skus_of_other_services_are_counted_together(file):
    others = (sku(f"Core {n}", "1", service="Compute Engine") for n in range(3))

    said = prices("import", file(page(*SKUS, *others)))

    assert "3 SKUs of other services" in said
    assert "Core" not in said


def test_what_cannot_be_imported_leaves_nothing_behind(file, shelf, tmp_path):
    assert "page 2: there is no list named skus" in refused("import", file(page(*SKUS) + "{}"))
    assert "No such file" in refused("import", str(tmp_path / "nowhere.json"))
    assert "small letters" in refused("import", file(page(*SKUS)), "--name", "../mine")
    assert "ends in .json" in refused("import", file(page(*SKUS)), "--out", str(tmp_path / "mine.txt"))
    assert not shelf.exists()


def test_a_book_may_be_put_elsewhere_and_says_so(file, tmp_path):
    said = prices("import", file(page(*SKUS)), "--out", str(tmp_path / "elsewhere.json"))

    assert "Designs find it by its name once it lies in" in said
    assert json.loads((tmp_path / "elsewhere.json").read_text())["name"] == "elsewhere"


def test_network_prices_of_another_book_stand_in_where_asked(file):
    assert "has no network prices" in prices("import", file(page(*SKUS)), "--name", "alone")
    prices("import", file(page(*SKUS)), "--name", "both", "--network-from", SHIPPED)

    assert "network.interregion.asia" in prices("show", "both")


# --- show, diff -----------------------------------------------------------------------------------------------


def test_a_book_is_shown_by_region_and_sku():
    said = prices("show", "--region", "us-central1", "--sku", "bigtable.node")

    assert "bigtable.node.enterprise_plus  us-central1  $0.85" in said
    assert "  us-west1  " not in said
    assert "network" not in said
    shown = json.loads(prices("show", SHIPPED, "--sku", "network.internet", "--region", "china", "--json"))
    assert [(p["from_gb"], p["to_gb"], p["amount"]) for p in shown["prices"]] == [
        ("0", "1024", "0.23"),
        ("1024", "10240", "0.22"),
    ]


def test_a_book_of_half_a_year_ago_says_that_it_is_old(file):
    node = sku("Node", priced("1", effective="2020-01-01T00:00:00Z"))
    prices("import", file(page(node)), "--date", "2021-01-01", "--name", "old")

    assert "days old: its prices may have changed" in prices("show", "old")
    assert "days old: its prices may have changed" in prices("list")


def test_two_books_differ_by_per_cent(file):
    prices("import", file(page(*SKUS)), "--name", "mine")

    said = prices("diff", SHIPPED, "mine")

    assert "~  bigtable.node.enterprise" in said
    assert "$0.65 → $0.70  node-hour  +7.7 %" in said
    assert "1 changed, 0 added" in said
    changed = json.loads(prices("diff", SHIPPED, "mine", "--json"))["changed"]
    assert [(one["sku"], one["old"], one["new"], one["share"]) for one in changed] == [
        ("bigtable.node.enterprise", "0.65", "0.7", "0.076923")
    ]
    assert "there is no price book 'nowhere'" in refused("diff", SHIPPED, "nowhere")


# --- reprice --------------------------------------------------------------------------------------------------


def test_repricing_shows_the_difference_and_writes_only_when_told(file):
    design = file(dump(example("karte").spec), "design.json")
    prices("import", file(page(*SKUS)), "--name", "mine", "--network-from", SHIPPED)

    said = prices("reprice", design, "--book", "mine")

    assert 'set instance.price_book to "mine" (it was unset)' in said
    assert "difference" in said
    assert load(open(design).read()).instance.price_book is None  # noqa: SIM115
    assert "written" in prices("reprice", design, "--book", "mine", "--write")
    assert load(open(design).read()).instance.price_book == "mine"  # noqa: SIM115
    assert "names mine already" in prices("reprice", design, "--book", "mine", "--write")


def test_repricing_keeps_a_file_of_yaml_yaml_with_its_comments(file):
    text = "# Ours since 2025.\n" + dump_compact(example("karte").spec)
    design = file(text, "design.keywright.yaml")
    prices("import", file(page(*SKUS)), "--name", "mine", "--network-from", SHIPPED)

    prices("reprice", design, "--book", "mine", "--write")

    written = Path(design).read_text(encoding="utf-8")
    assert written.startswith("# Ours since 2025.\n")
    assert load(written, name=design).instance.price_book == "mine"
    assert set(text.splitlines()) <= set(written.splitlines())


def test_a_book_that_designs_would_not_find_is_not_written_into_one(file, tmp_path):
    design = file(dump(example("karte").spec), "design.json")
    prices("import", file(page(*SKUS)), "--out", str(tmp_path / "elsewhere.json"))

    said = refused("reprice", design, "--book", str(tmp_path / "elsewhere.json"), "--write")

    assert "left as it is" in said
    assert load(open(design).read()).instance.price_book is None  # noqa: SIM115
    assert "--write needs a file" in refused("reprice", "-", "--write")


# --- fetch ----------------------------------------------------------------------------------------------------


class Api(BaseHTTPRequestHandler):
    """The Cloud Billing API: answers by page token."""

    answers: dict  # by token: (status, headers, body)
    asked: list

    def do_GET(self):
        token = self.path.partition("pageToken=")[2].partition("&")[0]
        self.asked.append((self.path, self.headers.get("X-Goog-Api-Key")))
        status, headers, body = self.answers[token]
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


@contextmanager
def api(**answers):
    """A server on this machine, by token: a text, or status and text."""
    whole = {
        token.removeprefix("first"): (200, {}, one.encode()) if isinstance(one, str) else one
        for token, one in answers.items()
    }
    handler = type("Handler", (Api,), {"answers": whole, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/", handler.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def test_all_pages_are_fetched_with_the_key_in_a_header(shelf):
    first, second = page(SKUS[0], nextPageToken="two"), page(SKUS[1])

    with api(first=first, two=second) as (address, asked):
        said = prices("fetch", "--key", KEY, "--address", address, "--name", "fetched")

    assert "2 prices in USD" in said
    assert (shelf / "fetched.json").exists()
    assert [key for _, key in asked] == [KEY, KEY]
    assert all("services/C3BE-24A5-0975/skus?currencyCode=USD&pageSize=5000" in path for path, _ in asked)
    assert KEY not in said + "".join(path for path, _ in asked)


def test_the_key_may_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("KEYWRIGHT_BILLING_KEY", KEY)

    with api(first=page(*SKUS)) as (address, asked):
        prices("fetch", "--address", address, "--name", "fetched")

    assert [key for _, key in asked] == [KEY]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ((403, {}, b'{"error": {"message": "Key AIzaSy-not-a-real-key is blocked."}}'), "Key (the key) is blocked"),
        ((400, {}, b"nothing"), "is the key right?"),
        ((429, {}, b"{}"), "too many requests"),
        ((503, {}, b"{}"), "try again later"),
        ((302, {"Location": "http://127.0.0.1:1/"}, b""), "redirect"),
        ("<html>", "no JSON"),
        ("[]", "no page of SKUs"),
        ((200, {}, b"\xff"), "no JSON"),
        ((200, {"Content-Length": "100"}, b"{"), "no JSON"),
        (page(*SKUS, nextPageToken="loop"), "do not end"),
        ("{}", "no list named skus"),
    ],
)
def test_what_the_api_answers_otherwise_is_a_sentence_without_the_key(answer, said, shelf):
    with api(first=answer, loop=page(*SKUS, nextPageToken="loop")) as (address, _):
        sentence = refused("fetch", "--key", KEY, "--address", address)

    assert said in sentence
    assert KEY not in sentence
    assert not shelf.exists()


def test_nobody_listening_no_key_or_an_open_line_are_sentences(monkeypatch):
    monkeypatch.delenv("KEYWRIGHT_BILLING_KEY", raising=False)
    with api(first="{}") as (address, _):
        pass

    assert "could not be reached" in refused("fetch", "--key", KEY, "--address", address)
    assert "by https only" in refused("fetch", "--key", KEY, "--address", "http://example.com/v1/")
    assert "an API key is needed" in refused("fetch")
    assert "no API key has" in refused("fetch", "--key", "a\nb", "--address", address)


def test_an_api_that_does_not_answer_is_given_up(monkeypatch):
    from estimator.management import billing

    with ThreadingHTTPServer(("127.0.0.1", 0), Api) as server:  # listens, and never answers
        address = f"http://127.0.0.1:{server.server_port}/v1/"
        with pytest.raises(billing.CatalogueFetchError, match=r"did not answer within 0\.2 seconds"):
            billing.catalogue(KEY, address=address, timeout_seconds=0.2)


# --- the page -------------------------------------------------------------------------------------------------


@pytest.fixture
def opened(client):
    """The page of a built-in design, in a language."""
    MEMORY.clear(pages.ANSWERS)

    def read(slug, language="en"):
        response = client.get(f"/examples/{slug}/", headers={"Accept-Language": language})
        assert response.status_code == 200
        return response.content.decode()

    yield read
    MEMORY.clear(pages.ANSWERS)


def test_a_page_says_what_a_newer_book_would_change_and_changes_nothing(file, opened):
    before = opened("karte")
    rows = (sku("Node in Iowa", "0.70", **IOWA), storage("SSD storage in Iowa", "0.17", **IOWA))
    prices("import", file(page(*rows)), "--name", "mine")

    after = opened("karte")

    assert 'id="repricing"' not in before
    assert "Newer price book mine of" in after
    assert re.search(
        r"Newer price book mine of [^<:]*: <strong class=\"number\"> ?\+\$[\d,.]+ per month", " ".join(after.split())
    )
    assert "bigtable-2026-11-20</th>" in after
    assert "新しい価格表 mine（" in opened("karte", "ja")


def test_a_page_says_when_its_book_is_old(opened, monkeypatch):
    monkeypatch.setattr("estimator.contexts._today", lambda: datetime.date(2027, 5, 20))

    assert "This price book is 181 days old" in opened("karte")


def test_an_estimate_says_that_a_newer_book_prices_it_otherwise(file, capsys):
    design = file(dump(example("karte").spec), "design.json")
    prices("import", file(page(*SKUS)), "--name", "mine")

    call_command("estimate", design)

    assert re.search(r"mine is newer: \+\$[\d,.]+ a month", capsys.readouterr().out)


def test_a_bill_appears_when_the_missing_book_is_imported(file):
    spec = example("karte").spec
    pinned, _ = apply(spec, Set(at="", name="instance.price_book", value="mine"))

    before = pages.analyze(pinned, current_context()).estimate
    prices("import", file(page(*SKUS)), "--name", "mine")
    after = pages.analyze(pinned, current_context()).estimate

    assert (before.bill, before.price_book_date) == (None, None)
    assert after.bill is not None
    assert after.price_book == "mine"
