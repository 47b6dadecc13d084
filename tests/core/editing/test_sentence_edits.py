"""A sentence about an existing design becomes a read of the table that serves it, a table, or an owner."""

from itertools import count
from typing import Any

import pytest

from designer.application import read_text
from designer.document import Spec
from designer.document.access import Read
from designer.document.edits import apply
from designer.document.field import Field
from designer.document.load import from_data
from designer.document.table import Table
from designer.editing.sentence_edits import SentenceEditError, add_sentence
from designer.examples import example
from designer.wording import key_text
from designer.wording.formatting import english


def added(spec: Spec, text: str) -> tuple[Spec, Any]:
    numbers = count()
    addition = add_sentence(
        spec,
        read_text(text),
        new_id=lambda: f"n{next(numbers)}",
        translate=lambda text: english(text.message, text.params),
    )
    after, _ = apply(spec, addition.edit)
    return after, after.find(addition.element)


FLEET = from_data(
    {
        "engine": "bigtable",
        "name": "Fleet",
        "fields": [{"id": "d", "name": "device_id"}, {"id": "t", "name": "tenant", "distinct": 50}],
        "tables": [
            {"id": "reports", "name": "reports", "row_kinds": [{"id": "by-device", "key": [
                {"id": "k1", "kind": "field", "field": "d", "after": "#"},
                {"id": "k2", "kind": "time", "reversed": True},
            ]}]},
            {"id": "index", "name": "reports_by_tenant", "derived_from": {"table": "reports", "how": "index_table"},
             "row_kinds": [{"id": "by-tenant", "key": [
                {"id": "k3", "kind": "field", "field": "t", "after": "#"}, {"id": "k4", "kind": "time", "after": "#"},
                {"id": "k5", "kind": "field", "field": "d"},
            ]}]},
        ],
    }
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "kind", "binds", "rest"),
    [
        ("Show the latest 20 reports of one device, 5/min", "by-device", ["d"],
         {"newest_rows": 20, "name": "Latest 20 reports of one device"}),
        ("show the latest of one device, 50/s", "by-device", ["d"], {"newest_rows": 1, "rate_per_second": 50.0}),
        ("All reports of one tenant in the last 1 h, 5/s", "by-tenant", ["t"], {"time": {"days": 1 / 24}}),
        ("Show all devices of one tenant in the last 2 d, 5/s", "by-tenant", ["t"], {"time": {"days": 2}}),
    ],
)  # fmt: skip
def test_a_read_goes_to_the_table_whose_key_leads_to_it(
    text: str, kind: str, binds: list[str], rest: dict[str, Any]
) -> None:
    after, read = added(FLEET, text)

    assert isinstance(read, Read)
    assert read in next(rows for table in after.tables for rows in table.row_kinds if rows.id == kind).reads
    assert [bind.field for bind in read.binds] == binds
    written = read.model_dump(exclude_defaults=True)
    assert {name: written.get(name) for name in rest} == pytest.approx(rest) if "time" not in rest else True
    if "time" in rest:
        assert read.time is not None
        assert read.time.days == pytest.approx(rest["time"]["days"])


def test_one_record_by_its_id_is_a_point_read() -> None:
    after, read = added(example("sequential-id").spec, "Show one order by its id, 200/s")

    assert isinstance(read, Read)
    assert read.newest_rows is None
    assert [after.find(bind.field).label for bind in read.binds] == ["order"]


def test_records_become_a_table_with_their_rate_and_lifetime() -> None:
    after, table = added(FLEET, "An alert of one tenant is added 20/s, kept 30 days")

    assert isinstance(table, Table)
    assert (table.name, key_text(after, table.row_kinds[0].segments)) == ("alerts", "{tenant}#{time:rev}#{alert_id}")
    assert table.families[0].gc is not None
    assert after.activities[-1].rate_per_second == 20


def test_things_that_report_have_their_number_and_interval() -> None:
    after, _ = added(FLEET, "3,000 gateways each report a status every 1 min")

    arrival = after.activities[-1].arrival
    assert arrival is not None
    assert (arrival.kind, getattr(arrival, "seconds", 0)) == ("every", 60)
    gateway = after.find(getattr(arrival, "field", ""))
    assert isinstance(gateway, Field)
    assert (gateway.name, gateway.distinct) == ("gateway", 3000)


def test_an_owner_is_that_of_the_fields() -> None:
    _, field = added(FLEET, "200,000 devices belong to 1,000 tenants")

    assert isinstance(field, Field)
    assert (field.distinct, field.belongs_to) == (200_000, "t")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "Show the latest 20 reports of one customer, 5/min",
            "No field is called customer. Fields: device_id, tenant.",
        ),
        ("Show all invoices of one tenant, 5/min", "No table stores invoices. Tables: reports, reports_by_tenant."),
    ],
)
def test_a_name_that_the_design_lacks_is_said(text: str, said: str) -> None:
    with pytest.raises(SentenceEditError) as raised:
        added(FLEET, text)

    assert english(raised.value.text.message, raised.value.text.params) == said


def test_what_is_kept_in_a_table_of_primary_key_columns_is_its_time_to_live() -> None:
    design, table = added(Spec(engine="tablestore"), "A click of one of 5M users is added 100/s, kept 30 days")
    assert table.tablestore.ttl_seconds == 30 * 86_400
    assert table.families[0].gc is None
    assert [(field.name, field.distinct) for field in design.fields if field.name == "user"] == [("user", 5_000_000)]


def test_the_latest_of_each_thing_is_read_from_a_table_without_a_time() -> None:
    with pytest.raises(SentenceEditError) as error:
        added(FLEET, "show the latest of each device of one tenant, 5/s")
    assert english(error.value.text.message, error.value.text.params) == (
        "No table holds the latest of each device_id. Add one with the key {tenant}#{device}: each write overwrites it."
    )
