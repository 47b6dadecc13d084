"""Price books: what is refused, what is found, and what is left open."""

import datetime
import json
from decimal import Decimal

import pytest

from designer.document.instance import PriceOverride
from estimator.kernels.pricing import BookError, read_book
from estimator.price_books.prices import Prices
from estimator.price_books.regions import area, network_sku
from estimator.price_books.shelf import load_book
from tests.cases import cases


def row(**changed):
    given = {"sku": "s", "where": "r", "unit": "GiB", "usd": "0.10", "source": "a page", "seen": "2026-11-20",
             "confidence": "high"}  # fmt: skip
    return {key: value for key, value in (given | changed).items() if value is not None}


def book(*rows):
    return json.dumps({"name": "b", "engine": "bigtable", "date": "2026-11-20", "prices": list(rows)})


@cases(
    "rows, said",
    [
        ([row(source=None)], r"prices\[0\] has no source"),
        ([row(source=" ")], r"prices\[0\] has no source"),
        ([row(), row(sku="t", seen=None)], r"prices\[1\] has no seen"),
        ([row(unit=None)], "has no unit"),
        ([row(usd="-1")], "must not be negative"),
        ([row(usd="NaN")], "must not be negative, infinite"),
        ([row(usd="much")], "is no number"),
        ([row(usd=0.1)], "written as text"),
        ([row(usd=None)], "must be a decimal number"),
        ([row(), row()], r"prices\[1\] prices s in r a second time"),
        ([row(to_gb=10), row(from_gb=20)], "leaves a gap"),
        ([row(from_gb=1)], "leaves a gap"),
        ([1], r"prices\[0\] is no price: 1"),
        ([row(), None], r"prices\[1\] is no price: None"),
        ([row(usd=[])], "must be a decimal number"),
        ([row(to_gb={})], "must be a decimal number"),
    ],
)
def test_a_book_that_cannot_be_vouched_for_is_refused_with_the_place(rows, said):
    with pytest.raises(BookError, match=said):
        read_book(book(*rows))


@cases(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"name": "b"}',
        '{"name": "b", "engine": "e", "date": "x", "prices": []}',
        '{"name": "b", "engine": "e", "date": "2027-01-01", "prices": null}',
        '{"name": "b", "engine": "e", "date": "2027-01-01", "prices": {"a": 1}}',
        '{"name": [1], "engine": "e", "date": "2027-01-01", "prices": []}',
        '{"name": "b", "engine": {}, "date": "2027-01-01", "prices": []}',
    ],
)
def test_what_is_no_book_is_refused(text):
    with pytest.raises(BookError, match="no price book"):
        read_book(text)


def test_an_unknown_book_names_those_that_there_are():
    with pytest.raises(BookError, match="bigtable-2026-11-20"):
        load_book("bigtable-1999-01-01")


def test_the_newest_book_is_the_default_and_becomes_old():
    newest = load_book()

    assert newest.date == datetime.date(2026, 11, 20)
    assert newest.outdated_days(datetime.date(2027, 5, 19)) is None
    assert newest.outdated_days(datetime.date(2027, 5, 20)) == 181


def test_every_price_of_the_book_has_a_source_and_a_day():
    prices = [price for tiers in load_book().prices.values() for price in tiers]

    assert len(prices) > 15
    assert all(p.source and p.seen and p.amount >= 0 for p in prices)


@pytest.mark.parametrize(
    ("sku", "where", "usd"),
    [
        ("bigtable.node.enterprise", "us-central1", "0.65"),
        ("bigtable.node.enterprise_plus", "us-central1", "0.85"),
        ("bigtable.node.enterprise", "us-west1", "0.65"),
        ("bigtable.storage.ssd", "us-central1", "0.17"),
        ("bigtable.storage.hdd", "us-central1", "0.026"),
        ("network.interregion.asia", "a>b", "0.08"),
        ("network.internet.premium", "australia", "0.19"),
    ],
)
def test_public_prices_of_2026(sku, where, usd):
    assert Prices(load_book()).tiers((sku,), where)[0].amount == Decimal(usd)


@pytest.mark.parametrize(
    ("sku", "where"),
    [
        ("bigtable.node.enterprise", "asia-northeast1"),
        ("bigtable.node.enterprise", "europe-west1"),
        ("bigtable.node.enterprise_plus", "us-west1"),
        ("bigtable.storage.hdd", "us-west1"),
        ("bigtable.storage.infrequent_access", "us-central1"),
        ("bigtable.backup.standard", "us-central1"),
    ],
)
def test_what_has_no_public_price_of_today_has_none(sku, where):
    assert Prices(load_book()).tiers((sku,), where) == ()


def test_an_entered_price_goes_before_the_books():
    entered = (
        PriceOverride(sku="bigtable.node.enterprise", where="us-central1", usd=Decimal("0.5"), source="contract"),
    )

    found = Prices(load_book(), entered).tiers(("bigtable.node.enterprise",), "us-central1")[0]

    assert (found.amount, found.source, found.origin) == (Decimal("0.5"), "contract", "you")
    assert Prices(load_book(), entered).tiers(("bigtable.node.enterprise",), "us-west1")[0].amount == Decimal("0.65")


def test_an_entered_price_without_a_place_holds_everywhere_but_where_one_is_entered():
    entered = (PriceOverride(sku="x", usd=Decimal(1)), PriceOverride(sku="x", where="r", usd=Decimal(2)))

    assert Prices(load_book(), entered).tiers(("x",), "elsewhere")[0].amount == 1
    assert Prices(load_book(), entered).tiers(("x",), "r")[0].amount == 2


def test_an_hdd_node_has_the_price_of_a_node_until_it_has_its_own():
    skus = ("bigtable.node.enterprise.hdd", "bigtable.node.enterprise")
    own = (PriceOverride(sku=skus[0], usd=Decimal("0.3")),)

    assert Prices(load_book()).tiers(skus, "us-central1")[0].amount == Decimal("0.65")
    assert Prices(load_book(), own).tiers(skus, "us-central1")[0].amount == Decimal("0.3")


@cases(
    "first, second, sku",
    [
        ("us-east1", "us-east1", "same_region"),
        ("us-east1", "northamerica-northeast2", "us_canada"),
        ("us-east1", "northamerica-south1", "between_continents"),
        ("asia-southeast1", "asia-east1", "asia"),
        ("asia-southeast2", "asia-east1", "indonesia_oceania"),
        ("australia-southeast1", "australia-southeast2", "indonesia_oceania"),
        ("africa-south1", "europe-west1", "between_continents"),
        ("me-west1", "me-central1", "between_continents"),
    ],
)
def test_routes_follow_the_names_of_regions(first, second, sku):
    assert network_sku(first, second) == network_sku(second, first) == f"network.interregion.{sku}"


def test_a_region_that_is_none_has_no_route():
    assert area("moon-base1") is None
    assert network_sku("moon-base1", "us-east1") is None


# --- currencies ---------------------------------------------------------------------------------------------------


def in_yuan(**more):
    given = {"sku": "s", "where": "r", "unit": "GiB", "source": "a page", "seen": "2026-11-20", "confidence": "high"}
    prices = [{**given, "cny": "0.01"} | more]
    return read_book(
        json.dumps({"name": "n", "engine": "e", "date": "2026-11-20", "currency": "CNY", "prices": prices})
    )


def test_a_book_has_one_currency_and_every_price_in_it_says_so():
    assert in_yuan().currency == in_yuan().prices["s", "r"][0].currency == "CNY"
    with pytest.raises(BookError, match=r"prices\[0\].cny must be a decimal number"):
        in_yuan(cny=None, usd="0.01")
    with pytest.raises(BookError, match="currency must be one of"):
        read_book(json.dumps({"name": "n", "engine": "e", "date": "2026-11-20", "currency": "XYZ", "prices": []}))


def test_a_price_entered_in_another_currency_than_the_books_is_not_used():
    dollars = (PriceOverride(sku="s", usd=Decimal("0.5")),)
    yuan = (PriceOverride(sku="s", amount=Decimal("0.5"), currency="CNY"),)

    assert Prices(in_yuan(), dollars).tiers(("s",), "r")[0].amount == Decimal("0.01")
    assert Prices(in_yuan(), yuan).tiers(("s",), "r")[0].amount == Decimal("0.5")


@pytest.mark.parametrize("given", [{}, {"usd": 1, "amount": 1, "currency": "CNY"}, {"amount": 1}, {"currency": "CNY"}])
def test_an_entered_price_is_in_one_currency(given):
    with pytest.raises(ValueError, match="a price is either usd, or amount with currency"):
        PriceOverride(sku="s", **given)
