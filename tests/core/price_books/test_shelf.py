"""Where price books are found, which one a design is priced with, and what another would change."""

import datetime
import json
from decimal import Decimal

import pytest

from designer.document import Spec
from designer.document.edits import apply
from estimator.kernels.pricing import BookError, read_book, reprice
from estimator.price_books import folders as bookshelf
from estimator.price_books.comparison import book_changes
from estimator.price_books.shelf import list_shelf, load_book, read_price_books
from tests.contexts import estimate, instance_estimate
from tests.core.kernels.pricing.parts import cluster, growth, part, spec_of

SHIPPED = "bigtable-2026-11-20"
IOWA = "us-central1"


def row(sku, amount, where=IOWA, **more):
    return {"sku": sku, "where": where, "unit": "h", "usd": amount, "source": "a page", "seen": "2027",
            "confidence": "high"} | more  # fmt: skip


def text(name, *rows, **more):
    return json.dumps({"name": name, "engine": "bigtable", "date": "2027-02-01", "prices": rows} | more)


@pytest.fixture
def folder(tmp_path):
    """A folder that books are found in, for one test."""
    before = bookshelf.book_folders()
    bookshelf.set_folders(tmp_path)
    yield tmp_path
    bookshelf.set_folders(*before)


@pytest.fixture
def put(folder):
    """Puts a book there."""

    def write(name, *rows, **more):
        (folder / f"{name}.json").write_text(text(name, *rows, **more), encoding="utf-8")
        return load_book(name)

    return write


# --- the shelf ------------------------------------------------------------------------------------------------


def test_an_imported_book_is_found_by_its_name_and_is_nobodys_default(put):
    mine = put("mine", row("bigtable.node.enterprise", "0.9"))

    assert load_book("mine") is mine
    assert load_book().name == SHIPPED
    assert read_price_books().newest("bigtable", "USD", today=mine.date) is mine
    assert read_price_books().newest("bigtable", "USD", today=datetime.date(2027, 1, 31)).name == SHIPPED
    assert read_price_books().newest("bigtable", "JPY", today=mine.date) is None


def test_the_name_of_a_book_that_comes_with_the_application_cannot_be_taken(put):
    assert put(SHIPPED, row("x", "1")).date == datetime.date(2026, 11, 20)


def test_a_book_that_calls_itself_otherwise_or_is_broken_is_refused_and_hides_no_other(put, folder):
    put("mine", row("x", "1"))
    (folder / "other.json").write_text(text("mine", row("x", "1")))
    (folder / "broken.json").write_bytes(b"\xff{")

    with pytest.raises(BookError, match="calls itself 'mine'"):
        load_book("other")
    with pytest.raises(BookError, match=r"broken\.json"):
        load_book("broken")
    with pytest.raises(BookError, match=rf"there are: {SHIPPED}, mine\."):
        load_book("nowhere")
    names = [one.name for one in list_shelf()]
    assert [name for name in names if not name.startswith("tablestore-")] == [SHIPPED, "broken", "mine", "other"]


@pytest.mark.parametrize("prices", ["null", "[1]", "7"])
def test_a_broken_book_breaks_no_other(put, folder, prices):
    mine = put("mine", row("x", "1"))
    given = f'{{"name": "broken", "engine": "bigtable", "date": "2027-02-01", "prices": {prices}}}'
    (folder / "broken.json").write_text(given, encoding="utf-8")

    assert read_price_books().load("mine", engine="bigtable") is mine
    with pytest.raises(BookError, match=r"broken\.json"):
        load_book("broken")


def test_a_book_of_another_engine_prices_nothing_here(put):
    put("mine", row("x", "1"))

    with pytest.raises(BookError, match="is for bigtable, not for tablestore"):
        load_book("mine", engine="tablestore")


def test_a_design_that_names_a_book_that_is_not_here_has_nodes_and_no_bill():
    spec = spec_of(clusters=[cluster(nodes=1)], price_book="gone")

    found = instance_estimate(spec, {"t": part(grown=growth(1, 1))})

    assert found.nodes
    assert found.bills == found.sensitivities == found.outlooks == ()
    assert (found.price_book, found.price_book_date) == ("gone", None)
    assert "No bill: the price book gone is not available." in str(found.because[0])


# --- re-pricing -----------------------------------------------------------------------------------------------

NODE, SSD = "bigtable.node.enterprise", "bigtable.storage.ssd"


def repriced(*rows, spec=None, **more):
    """100 GiB on one node in Iowa: $474.50 and $17.00 with the book that comes with the application."""
    spec = spec or spec_of(clusters=[cluster(nodes=1)])
    made = instance_estimate(spec, {"t": part(grown=growth(100, 100))})
    return reprice(spec, made, old=load_book(), new=read_book(text("new", *rows, **more)))


def test_repricing_says_each_line_that_changes_and_by_how_much():
    found = repriced(row(NODE, "0.70"), row(SSD, "0.17"))

    assert [(c.line.item, c.difference) for c in found.lines] == [("node", Decimal("36.50")), ("storage", 0)]
    assert [c.line.item for c in found.changed_lines] == ["node"]
    assert (found.old.total, found.new.total, found.difference) == (
        Decimal("491.50"),
        Decimal("528.00"),
        Decimal("36.50"),
    )


def test_a_line_that_loses_its_price_is_counted_and_is_in_no_difference():
    found = repriced(row(NODE, "0.60"))

    assert (found.unpriced_count, found.newly_priced_count, found.difference) == (1, 0, Decimal("-36.50"))
    assert [c.line.item for c in found.changed_lines] == ["node", "storage"]


def test_a_line_that_gains_its_price_is_no_rise():
    spec = spec_of(clusters=[cluster(region="europe-west1", nodes=1)])

    found = repriced(row(NODE, "0.80", where="europe-west1"), spec=spec)

    assert (found.unpriced_count, found.newly_priced_count, found.difference) == (0, 1, 0)


def test_bills_in_two_currencies_are_not_compared():
    yen = {key: value for key, value in row(NODE, "0").items() if key != "usd"} | {"jpy": "100"}

    found = repriced(yen, currency="JPY")

    assert (found.is_comparable, found.difference, found.lines) == (False, None, ())
    assert found.new.total == Decimal("73000.00")


def test_the_edit_of_a_repricing_names_the_book():
    spec = spec_of(clusters=[cluster(nodes=1)])

    changed, _ = apply(spec, repriced(row(NODE, "0.70"), spec=spec).edit)

    assert changed.instance.price_book == "new"


def test_a_design_without_tables_has_nothing_to_reprice():
    empty = Spec()

    assert reprice(empty, estimate(empty), old=load_book(), new=load_book()) is None


# --- comparing books ------------------------------------------------------------------------------------------


def books(*pairs):
    return [read_book(text(name, *rows)) for name, rows in zip(("old", "new"), pairs, strict=True)]


def test_books_differ_by_what_is_added_removed_and_changed():
    old, new = books(
        [row("a", "0.10"), row("b", "1"), row("c", "3", to_gb="10"), row("c", "2", from_gb="10")],
        [row("a", "0.11"), row("d", "1"), row("c", "3", to_gb="10"), row("c", "1", from_gb="10")],
    )

    found = book_changes(old, new)

    assert [(one.any_price.sku, one.new.amount) for one in found.added] == [("d", 1)]
    assert [(one.any_price.sku, one.old.amount) for one in found.removed] == [("b", 1)]
    assert [(c.any_price.sku, c.any_price.from_gb, c.share) for c in found.changed] == [
        ("a", 0, Decimal("0.1")),
        ("c", 10, Decimal("-0.5")),
    ]


def test_a_rise_from_nothing_has_no_percentage():
    old, new = books([row("a", "0")], [row("a", "1")])

    assert book_changes(old, new).changed[0].share is None


def test_a_figure_whose_source_alone_changed_has_not_changed():
    old, new = books([row("a", "0.10")], [row("a", "0.1", source="another page", seen="2028")])

    assert book_changes(old, new).changed == ()


def test_books_in_two_currencies_are_not_compared():
    yen = read_book(text("yen", currency="JPY"))

    with pytest.raises(BookError, match="in USD and yen in JPY"):
        book_changes(load_book(), yen)
