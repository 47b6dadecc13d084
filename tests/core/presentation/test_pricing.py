"""What closes lines of a bill that have no price."""

from designer.document.load import from_data
from designer.examples import example
from designer.wording.formatting import english
from estimator.presentation.pricing import missing_bill, ways_to_close
from tests.contexts import estimate
from tests.core.advice.rules.test_cannot_be_served import HOSTILE, build


def said(spec):
    return [english(way.message, way.params) for way in ways_to_close(estimate(spec).bill.open_lines)]


def test_open_lines_of_the_catalogue_name_the_command_that_brings_them():
    told = said(example("iot-fleet").spec)

    assert told[0] == "`keywright prices fetch` brings every price of the public catalogue"
    assert "sku=bigtable.backup.standard, amount=…" in told[-1]
    assert len(told) == 2


def test_a_bill_without_open_lines_says_nothing_and_tablestore_names_no_catalogue_that_it_has_not():
    streamed = from_data({
        "engine": "tablestore", "start": "2026-01-01",
        "activities": [{"id": "a", "rate_per_second": 100}],
        "tables": [{"id": "t", "tablestore": {"stream_hours": 24}, "row_kinds": [{
            "id": "k", "key_columns": [{"id": "c", "segments": [{"id": "s", "kind": "time"}]}],
            "writes": [{"id": "w", "activity": "a"}]}]}],
        "instance": {"clusters": [{"id": "cl", "region": "cn-hangzhou"}]},
    })  # fmt: skip

    assert said(example("mobile-devices").spec) == []
    assert all("catalogue" not in one for one in said(streamed))
    assert "prices` of the instance" in said(streamed)[0]


def missing(spec):
    text = missing_bill(spec, estimate(spec))
    return english(text.message, text.params)


def test_what_cannot_be_served_has_no_bill_for_that_reason_though_tables_and_prices_are_there():
    reason = missing(build(**HOSTILE["a scan of 10^12 rows"]))

    assert reason.startswith("No nodes and no bill:")
    assert "requires a table" not in reason


def test_a_design_without_tables_or_without_its_price_book_says_what_to_enter():
    bare = from_data({"engine": "tablestore"})
    assert missing(bare) == "No bill yet. A bill requires at least one table and a price book."
    assert missing(from_data({})).startswith("No bill yet. A bill requires a table, and a cluster")
    priced = from_data({"instance": {"price_book": "bigtable-1999-01-01"}})
    assert missing(priced).startswith("No bill: the price book bigtable-1999-01-01 is not available.")
