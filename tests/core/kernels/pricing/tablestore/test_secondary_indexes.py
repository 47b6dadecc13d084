"""Units that indexes of the service take: the documentation's own example, and a bill to the cent."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from designer.document import Spec
from designer.document.load import from_data, load
from estimator.estimates.table_inputs import table_inputs
from estimator.kernels.capacity.tablestore.index_reads import index_read_units, indexes_of
from estimator.kernels.capacity.tablestore.instance_usage import usage_of
from estimator.kernels.pricing.tablestore import compute_costs
from estimator.price_books.shelf import load_book
from tests.cases import cases
from tests.contexts import estimate
from tests.core.kernels.pricing.tablestore.designs import part


def example(columns: tuple[str, ...] = (), mode: str = "overwrite", *, size: float = 100, auto: bool = False) -> Spec:
    """The documentation's table, with Index0 (Col0, PK0, PK1 | Col2) and Index1 (Col1, Col0, PK0, PK1)."""

    def key(owner: str, *names: str) -> list[dict[str, Any]]:
        return [{"id": f"{owner}-{name.lower()}", "name": name, "type": "INTEGER", "segments": [
            {"kind": "literal", "id": f"{owner}-{name.lower()}-s", "text": "1"}]} for name in names]  # fmt: skip

    keys = key("table", "PK0", "PK1")
    keys[1] |= {"auto_increment": auto, "segments": [] if auto else keys[1]["segments"]}
    attributes = [{"id": f"Col{n}".lower(), "qualifier": f"Col{n}", "value": {"kind": "random", "typical_bytes": size}}
                  for n in range(4)]  # fmt: skip
    write = {"id": "w", "activity": "a", "mode": mode, "columns": [one.lower() for one in columns]}
    covered = {"id": "i0-col2", "qualifier": "Col2", "value": {"kind": "random", "typical_bytes": size}}

    def index(id_: str, names: tuple[str, ...], families: list[dict[str, Any]]) -> dict[str, Any]:
        return {"id": id_, "name": id_, "derived_from": {"table": "table", "how": "global_index"}, "families": families,
                "row_kinds": [{"id": f"{id_}-k", "key_columns": key(id_, *names),
                               "writes": [{"id": f"{id_}-w", "activity": "a", "mode": "append_row"}]}]}  # fmt: skip

    return from_data({
        "engine": "tablestore", "start": "2026-01-01", "horizon_months": 1,
        "instance": {"month_hours": 720, "tablestore_type": "high_performance",
                     "clusters": [{"id": "cl", "region": "cn-hangzhou"}], "prices": [
                         {"sku": "tablestore.write.metered.high_performance", "amount": "0.02", "currency": "CNY"}]},
        "activities": [{"id": "a", "rate_per_second": 10}],
        "tables": [
            {"id": "table", "name": "Table", "families": [{"id": "f", "columns": attributes}],
             "row_kinds": [{"id": "k", "key_columns": keys, "writes": [write]}]},
            index("i0", ("Col0", "PK0", "PK1"), [{"id": "i0-f", "columns": [covered]}]),
            index("i1", ("Col1", "Col0", "PK0", "PK1"), []),
        ],
    })  # fmt: skip


def units_of(spec: Spec) -> float:
    table = spec.tables[0]
    kind = table.row_kinds[0]
    return index_read_units(spec, table, kind, kind.writes[0], indexes=indexes_of(spec, table))


@cases(
    "columns, mode, units",
    [
        (("Col3",), "overwrite", 0),
        (("Col3",), "append_row", 0),
        (("Col1",), "append_row", 1),
        (("Col0", "Col1"), "append_row", 1),
        (("Col1",), "overwrite", 1),
        (("Col2",), "overwrite", 1),
        ((), "overwrite", 1),
        ((), "delete_row", 1),
    ],
)
def test_the_documented_example_reads_so_many_units(columns: tuple[str, ...], mode: str, units: float) -> None:
    assert units_of(example(columns, mode)) == units


def test_old_rows_are_read_by_what_their_indexed_columns_hold() -> None:
    assert units_of(example(("Col1",), size=4_096)) == 3  # Col0 and Col1 with their names: 8,200 bytes
    assert units_of(example(("Col2",), size=4_096)) == 2  # of Index0 alone: Col0
    assert units_of(example((), "append_row", size=4_096)) == 1


def test_an_auto_increment_key_saves_the_read_of_new_rows() -> None:
    assert units_of(example((), "append_row", auto=True)) == 0
    assert units_of(example((), "overwrite", auto=True)) == 1


def test_a_table_without_indexes_reads_nothing() -> None:
    spec = example()
    alone = spec.model_copy(update={"tables": spec.tables[:1]})

    assert indexes_of(alone, alone.tables[0]) == ()


def test_the_bill_has_the_reads_and_the_written_index_rows_to_the_cent() -> None:
    """10 writes/s of 30 days: 25.92 M reads at 0.01 and 3 × 25.92 M writes at 0.02 CNY per 10,000 units."""
    spec = example((), "append_row")
    parts = {table.id: replace(part(spec), table=table.id, reads=()) for table in spec.tables}

    bill = compute_costs(spec, parts, load_book(engine="tablestore", currency="CNY")).bills[0]
    costs = {(line.at, line.item): line.cost for line in bill.lines}

    assert costs["table", "metered_read"] == Decimal("25.92")
    assert [costs[at, "metered_write"] for at in ("table", "i0", "i1")] == [Decimal("51.84")] * 3
    assert usage_of(spec, parts).tables[1].units.read.used_units.max() == 0


BY_STATUS = """
format: 1
name: Orders by status
engine: tablestore
start: 2026-12-01
horizon: 6
fields:
  order: distinct=1M, popularity=uniform
  status: values=pattern("s{n}", start=1), distinct=5, popularity=uniform
activities:
  A status changes: 1k/s
tables:
  orders:
    key_columns: '[order] {order}'
    writes:
      - A status changes, mode=overwrite
    families:
      o:
        columns:
          status: text(8B)
          note: text(1kB)
  by_status:
    key_columns: 'KEY'
    writes:
      - A status changes, mode=overwrite
    reads:
      Of a status: 1/s by status
    families:
      o:
        columns:
          note: text(1kB)
    derived_from: orders, global_index
"""


@pytest.mark.parametrize(
    "key", ["[status] {status} | [order] {order}", "[status] {status} | [t] {time} | [order] {order}"]
)
def test_an_index_has_one_row_of_each_order_whatever_statuses_it_had(key: str) -> None:
    """Of 1M orders each has one of 5 statuses at a time: 200,000 are found by one, not all that ever had it."""
    index = estimate(load(BY_STATUS.replace("KEY", key), name="orders.yaml")).tables["by-status"]
    assert index.growth is not None
    assert index.reads is not None

    assert index.growth.rows[-1] == pytest.approx(1e6)
    assert index.reads[0].rows_returned == pytest.approx(200_000, rel=1e-3)


def test_a_change_of_the_key_of_a_table_is_one_of_its_index() -> None:
    """Its rows are counted by that key, so what was computed before must not serve after it."""
    spec = load(BY_STATUS.replace("KEY", "[status] {status} | [order] {order}"), name="orders.yaml")
    text = BY_STATUS.replace("'[order] {order}'", "'[order] {order} | [line] {line}'")
    text = text.replace("  status: values", "  line: distinct=3, popularity=uniform\n  status: values")
    longer = load(text.replace("KEY", "[status] {status} | [order] {order}"), name="orders.yaml")

    assert table_inputs(spec, spec.tables[1]) != table_inputs(longer, longer.tables[1])
    growth = estimate(longer).tables["by-status"].growth
    assert growth is not None
    assert growth.rows[-1] == pytest.approx(3e6, rel=1e-3)
