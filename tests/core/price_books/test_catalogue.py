"""Price books made from the Cloud Billing Catalog: what is read, what is refused, and what is left out and listed."""

import datetime
import json
from decimal import Decimal

import pytest

from estimator.engines import GiB
from estimator.kernels.pricing import read_book
from estimator.price_books.catalogue import CatalogueError, build_price_book
from estimator.price_books.shelf import load_book
from tests.cases import cases
from tests.core.kernels.pricing.parts import bill_of, cluster, growth, part, plan, spec_of
from tests.core.price_books.catalogue import page, priced, sku, storage

TODAY = datetime.date(2026, 11, 21)


def book_of(*skus, day=TODAY, **more):
    return build_price_book(page(*skus), name="bigtable-test", day=day, **more)


def prices_of(*skus, **more):
    found = book_of(*skus, **more).book.prices
    return {key: tuple((t.from_gb, t.amount) for t in tiers) for key, tiers in found.items()}


def why(*skus, **more):
    """Why the first SKU is left out, beside a node that is known."""
    node = sku("Node in europe-west4", "0.8", regions=["europe-west4"])
    return book_of(*skus, node, **more).left_out[0].why


@cases(
    "description, unit, ours",
    [
        ("Cloud Bigtable: Server node in Belgium", "h", "bigtable.node.enterprise"),
        ("Bigtable Enterprise nodes in Belgium", "h", "bigtable.node.enterprise"),
        ("HDD node in Belgium", "h", "bigtable.node.enterprise.hdd"),
        ("Enterprise Plus node in Belgium", "h", "bigtable.node.enterprise_plus"),
        ("Enterprise Plus HDD node in Belgium", "h", "bigtable.node.enterprise_plus.hdd"),
        ("SSD storage in Belgium", "GiBy.mo", "bigtable.storage.ssd"),
        ("Storage on HDD in europe-west1 region", "GiBy.mo", "bigtable.storage.hdd"),
        ("Infrequent Access storage in Belgium", "GiBy.mo", "bigtable.storage.infrequent_access"),
        ("Backup storage in europe-west1 region", "GiBy.mo", "bigtable.backup.standard"),
        ("HDD backup storage in europe-west1 region", "GiBy.mo", "bigtable.backup.standard.hdd"),
        ("Hot backup storage in europe-west1 region", "GiBy.mo", "bigtable.backup.hot"),
        ("In-memory tier of Enterprise Plus nodes", "h", "bigtable.in_memory.node_hour"),
        ("Data Boost serverless processing units", "s", "bigtable.data_boost.spu_second"),
    ],
)
def test_every_kind_of_sku_is_known_by_its_words(description, unit, ours):
    assert prices_of(sku(description, priced("0.26", unit=unit))) == {(ours, "europe-west1"): ((0, Decimal("0.26")),)}


def test_the_resource_group_says_what_the_description_leaves_out():
    found = prices_of(
        storage("Storage in Belgium", "0.2", group="SSDStorage"),
        sku("Bigtable in Belgium", "0.7", group="HddNode"),
        storage("Storage", "0.03", group="HddBackupStorage"),
    )

    assert {name for name, _ in found} == {
        "bigtable.storage.ssd",
        "bigtable.node.enterprise.hdd",
        "bigtable.backup.standard.hdd",
    }


def test_a_sku_of_several_regions_prices_each_of_them():
    found = prices_of(sku("Node", "0.7", regions=["europe-west1", "europe-west3"]))

    assert set(found) == {("bigtable.node.enterprise", "europe-west1"), ("bigtable.node.enterprise", "europe-west3")}


def test_a_sku_of_the_whole_world_holds_everywhere():
    assert prices_of(storage("SSD storage", "0.2", regions=["global"])) == {
        ("bigtable.storage.ssd", ""): ((0, Decimal("0.2")),)
    }


def test_a_figure_says_its_sku_the_address_and_since_when():
    node = sku("Node in Belgium", priced("0.715", effective="2026-03-01T08:00:00.123456789Z"), id="AAAA-BBBB-CCCC")

    price = book_of(node).book.prices["bigtable.node.enterprise", "europe-west1"][0]

    assert price.seen == "2026-11-21"
    assert price.source == (
        "Cloud Billing Catalog, SKU AAAA-BBBB-CCCC (Node in Belgium), effective 2026-03-01, "
        "https://cloudbilling.googleapis.com/v1/services/C3BE-24A5-0975/skus"
    )


def test_a_figure_was_seen_when_somebody_saw_the_catalogue_whatever_day_its_book_is_of():
    later = build_price_book(page(sku("Node", "0.7")), day=datetime.date(2026, 11, 2), read_on=TODAY).book

    assert later.date == datetime.date(2026, 11, 2)
    assert later.prices["bigtable.node.enterprise", "europe-west1"][0].seen == "2026-11-21"
    assert later.name == "bigtable-2026-11-02-catalog"


def test_the_text_is_a_book_by_itself():
    found = book_of(sku("Node", "0.7"), storage("SSD storage", "0.2"))

    assert read_book(found.text) == found.book
    assert (found.book.name, found.book.date, found.book.engine) == ("bigtable-test", TODAY, "bigtable")


# --- exact figures --------------------------------------------------------------------------------------------


def test_units_and_nanos_are_added_exactly():
    node = sku("Node", priced("12.000000001"))

    assert prices_of(node)["bigtable.node.enterprise", "europe-west1"] == ((0, Decimal("12.000000001")),)


@pytest.mark.parametrize(
    ("unit", "amount", "ours"),
    [
        ("GiBy.mo", "0.17", "0.17"),
        ("GBy.mo", "0.17", "0.18253611008"),  # a GiB is 1.073741824 GB
    ],
)
def test_decimal_gigabytes_become_binary_ones(unit, amount, ours):
    ssd = sku("SSD storage", priced(amount, unit=unit))

    assert prices_of(ssd)["bigtable.storage.ssd", "europe-west1"] == ((0, Decimal(ours)),)


def test_an_hours_price_of_data_boost_is_told_by_the_second_and_says_that_it_is_rounded():
    boost = book_of(sku("Data Boost", priced("1", unit="h"))).book

    price = boost.prices["bigtable.data_boost.spu_second", "europe-west1"][0]

    assert price.amount * 3600 == pytest.approx(Decimal(1), abs=Decimal("1e-15"))
    assert "rounded" in price.note


def test_a_unit_that_its_factor_contradicts_is_left_out():
    wrong = sku("SSD storage", priced("0.17", unit="GiBy.mo", baseUnitConversionFactor=10**9 * 31 * 86_400))

    assert "does not agree with its factor" in why(wrong)


def test_tiers_go_by_gib_of_the_month():
    egress = sku(
        "Network Internet Data Transfer Out from Iowa to China (excluding Hong Kong)",
        priced((0, "0.23"), (1, "0.22"), unit="TiBy"),
        regions=["us-central1"],
    )

    found = prices_of(egress)["network.internet.premium", "us-central1>china"]

    assert found == ((0, Decimal("0.23") / 1024), (1024, Decimal("0.22") / 1024))


def test_tiers_that_go_by_the_day_or_by_nodes_are_left_out():
    daily = priced((0, "0.1"), (10, "0.05"), unit="GiBy", interval="DAILY")

    assert "DAILY" in why(sku("Network Internet Egress to Asia", daily, regions=["us-central1"]))
    assert "by volume" in why(sku("Node", priced((0, "0.7"), (100, "0.6"))))


# --- the price of the day -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("day", "amount"),
    [
        (datetime.date(2026, 11, 30), "0.65"),
        (datetime.date(2026, 12, 1), "0.70"),
        (datetime.date(2027, 1, 1), "0.75"),
    ],
)
def test_of_several_prices_the_one_in_effect_on_the_day_is_taken(day, amount):
    node = sku(
        "Node",
        priced("0.70", effective="2026-12-01T00:00:00Z"),
        priced("0.65", effective="2020-01-01T00:00:00Z"),
        priced("0.75", effective="2027-01-01T00:00:00Z"),
    )

    assert prices_of(node, day=day)["bigtable.node.enterprise", "europe-west1"][0][1] == Decimal(amount)


def test_a_price_of_the_future_is_no_price_of_today():
    later = sku("Node", priced("0.70", effective="2027-01-01T00:00:00Z"))

    assert why(later) == "it has a price from 2027-01-01 on, not on 2026-11-21"
    assert why(sku("Node")) == "it has a price at no time, not on 2026-11-21"


# --- what is left out -----------------------------------------------------------------------------------------


@cases(
    "left, reason",
    [
        (sku("Node", "0.5", usage="Commit1Yr"), "a commitment's price"),
        (sku("Node", "0.5", usage="Preemptible"), "usage type is Preemptible"),
        (sku("Node", "0.5", service="Compute Engine"), "of another service: Compute Engine"),
        (sku("Commitment v1: nodes", "0.5"), "not known"),
        (sku("Storage", priced("0.1", unit="GiBy.mo")), "not known"),
        (storage("SSD and HDD storage", "0.1"), "not known"),
        (storage("Infrequent access storage moved", "0.1"), "not known"),
        (sku("Something new", "0.1"), "not known"),
        (sku("Node", priced("0.5", unit="mo")), "its unit mo cannot be told as node-hour"),
        (sku("Node", "0.5", regions=["europe"]), "sold in europe, which is no region"),
        (sku("Node", "0.5", regions=[]), "no region"),
        (sku("Node", priced("0.5", unit="h", tieredRates=[])), "do not begin at nothing"),
        (sku("Network Inter Region Egress to Narnia", priced("0.1", unit="GiBy")), "not known"),
    ],
)
def test_what_is_not_known_is_listed_and_never_guessed(left, reason):
    found = book_of(left, sku("Node in europe-west4", "0.8", regions=["europe-west4"]))

    assert [(one.sku, one.description) for one in found.left_out] == [(left["skuId"], left["description"])]
    assert reason in found.left_out[0].why
    assert len(found.book.prices) == 1


def test_two_skus_that_price_one_thing_differently_are_both_left_out():
    first, second = sku("Node", "0.7", id="A"), sku("Server node", "0.8", id="B")
    other = storage("SSD storage", "0.2")

    found = book_of(first, second, other)

    assert [one.sku for one in found.left_out] == ["A", "B"]
    assert "A and B price bigtable.node.enterprise differently" in found.left_out[0].why
    assert list(found.book.prices) == [("bigtable.storage.ssd", "europe-west1")]


def test_two_skus_of_one_price_make_one_row():
    assert len(prices_of(sku("Node", "0.7", id="A"), sku("Server node", "0.7", id="B"))) == 1


# --- the network ----------------------------------------------------------------------------------------------


def test_routes_go_from_a_region_to_a_part_of_the_world():
    europe = sku("Network Inter Region Egress from Iowa to EMEA", priced("0.05", unit="GiBy"), regions=["us-central1"])
    copies = sku("Replication data transfer from Iowa to Asia", priced("0.08", unit="GiBy"), regions=["us-central1"])
    zones = sku("Network Inter Zone Data Transfer", priced("0.01", unit="GiBy"), regions=["us-central1"])

    assert set(prices_of(europe, copies, zones)) == {
        ("network.interregion", "us-central1>europe"),
        ("network.interregion", "us-central1>middle_east"),
        ("network.interregion", "us-central1>africa"),
        ("bigtable.replication", "us-central1>asia"),
        ("network.interregion.same_region", "us-central1>us-central1"),
    }


def test_another_books_network_prices_stand_in_with_their_own_source_where_asked():
    shipped = load_book("bigtable-2026-11-20")

    alone = book_of(sku("Node", "0.7")).book
    found = book_of(sku("Node", "0.7"), besides=shipped).book

    assert not [sku for sku, _ in alone.prices if sku.startswith("network.")]
    asia = found.prices["network.interregion.asia", ""][0]
    assert (asia.amount, asia.seen) == (Decimal("0.08"), "2024-07-01")
    assert asia.source.endswith("by way of bigtable-2026-11-20")
    assert len(found.prices["network.internet.premium", "worldwide"]) == 3
    assert ("bigtable.node.enterprise", "us-central1") not in found.prices


def test_a_bill_finds_the_prices_of_its_regions_and_routes():
    book = book_of(
        sku("Node", "0.7", regions=["europe-west1"]),
        sku("Node in Iowa", "0.6", regions=["us-central1"]),
        storage("SSD storage", "0.2", regions=["europe-west1", "us-central1"]),
        storage("HDD backup storage", "0.01"),
        storage("SSD backup storage", "0.03"),
        sku("Replication from Iowa to EMEA", priced("0.05", unit="GiBy"), regions=["us-central1"]),
        sku("Network Internet Egress to Asia", priced("0.1", unit="GiBy"), regions=["us-central1"]),
        sku("Network Internet Egress from Belgium to Asia", priced("0.2", unit="GiBy"), regions=["europe-west1"]),
    ).book
    read = {"id": "r", "rate_per_second": 1, "where": {"internet": "asia"}}
    table = {"id": "t", "row_kinds": [{"id": "k", "reads": [read]}], "backups": [{"id": "b", "automated": False}]}
    spec = spec_of(tables=[table], clusters=[cluster("be", "europe-west1", nodes=1), cluster("ia", nodes=1)])
    returned = plan(bytes_returned=GiB / (730 * 3_600))

    bill = bill_of(spec, part(grown=growth(10, 10, mutation_bytes_per_second=1_000.0), reads=[returned]), book=book)

    prices = {(line.item, line.where): line.unit_price for line in bill.lines}
    assert prices == {
        ("node", "europe-west1"): Decimal("0.7"),
        ("node", "us-central1"): Decimal("0.6"),
        ("storage", "europe-west1"): Decimal("0.2"),
        ("storage", "us-central1"): Decimal("0.2"),
        ("replication", "us-central1>europe-west1"): Decimal("0.05"),
        ("replication", "europe-west1>us-central1"): None,
        ("internet_egress", "europe-west1>asia"): Decimal("0.2"),
        ("internet_egress", "us-central1>asia"): Decimal("0.1"),
        ("backup", "europe-west1"): Decimal("0.03"),
    }
    assert [line.quantity for line in bill.lines if line.item == "internet_egress"] == [Decimal("0.5")] * 2


# --- files ----------------------------------------------------------------------------------------------------


def test_pages_may_stand_in_a_list_or_one_after_another_or_be_skus_alone():
    first, second = sku("Node", "0.7"), storage("SSD storage", "0.2")
    pages = [{"skus": [first], "nextPageToken": "x"}, {"skus": [second], "nextPageToken": ""}]
    texts = [json.dumps(pages), "\n".join(map(json.dumps, pages)), json.dumps([first, second])]

    assert [len(build_price_book(text, name="b", day=TODAY).book.prices) for text in texts] == [2, 2, 2]


def test_a_sku_on_two_pages_is_one():
    node = sku("Node", "0.7")

    assert len(build_price_book(page(node) + page(node), name="b", day=TODAY).book.prices) == 1


def test_a_book_is_in_the_catalogues_currency():
    yen = sku("Node", priced("101.4", currency="JPY"))

    found = book_of(yen).book

    assert found.currency == "JPY"
    assert found.prices["bigtable.node.enterprise", "europe-west1"][0].amount == Decimal("101.4")


NODE = sku("Node", "0.7", id="N")


@cases(
    "text, said",
    [
        ("", "no SKU in it"),
        ("<html>", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"skus": NaN}', "no JSON"),
        ("{}", "no list named skus"),
        ('{"error": {"code": 403, "message": "The key is not valid."}}', "it says: The key is not valid"),
        (page(), "no SKU in it"),
        (page(NODE, nextPageToken="more"), "more pages belong to it"),
        (page(NODE) + '{"skus": 3}', "page 2: there is no list"),
        (page("x"), r"skus\[0\] is no SKU but a text"),
        (page({**NODE, "skuId": ""}), r"skus\[0\] has no skuId"),
        (page({**NODE, "description": 3}), r"skus\[0\] has no description"),
        (page({**NODE, "category": []}), r"skus\[0\].category must be an object, not a list"),
        (page({**NODE, "serviceRegions": [3]}), r"skus\[0\].serviceRegions must hold texts"),
        (page({**NODE, "pricingInfo": [3]}), r"skus\[0\].pricingInfo\[0\] is no price but a number"),
        (page(sku("Node", priced("1", effective="soon"))), r"pricingInfo\[0\].effectiveTime is no time"),
        (page(sku("Node", priced("1", unit=""))), r"pricingExpression has no usageUnit"),
        (page(sku("Node", priced("1", tieredRates=[{}]))), r"tieredRates\[0\] has no unitPrice"),
        (page(sku("Node", priced("1", tieredRates=[{"unitPrice": {"units": "1"}}]))), "has no currencyCode"),
        (
            page(sku("Node", priced("1", tieredRates=[{"unitPrice": {"currencyCode": "USD", "nanos": 10**9}}]))),
            "fewer than 1,000,000,000 nanos",
        ),
        (
            page(sku("Node", priced("1", tieredRates=[{"unitPrice": {"currencyCode": "USD", "units": "one"}}]))),
            "unitPrice.units is no number",
        ),
        (page(sku("Node", priced((10**40, "1")))), "startUsageAmount is no number: 10000"),
        (page(sku("Node", priced("1", baseUnitConversionFactor="1e-999999999"))), "Factor is no number"),
        (page(NODE) + page({**NODE, "description": "Other node"}), "something else of SKU N"),
        (page(NODE, storage("SSD storage", "1"), sku("HDD node", priced("1", currency="EUR"))), "EUR and USD"),
        (page(sku("Node", priced("1", currency="CHF"))), "in CHF; books are in USD"),
        (page(sku("Something new", "1")), "None of its 1 SKUs"),
        (page(sku("Node", "1", id="A"), sku("Server node", "2", id="B")), "contradict each other"),
    ],
)
def test_a_file_of_another_shape_is_refused_with_a_sentence_and_the_place(text, said):
    with pytest.raises(CatalogueError, match=said):
        build_price_book(text, name="b", day=TODAY)
