"""Tablestore: partition-key values in the place of nodes, and reads as the service bills them."""

import pytest

from designer.document import Spec
from designer.document.dump import to_plain_data
from estimator.engines.tablestore import as_stored
from estimator.kernels.growth import table_growth_and_sizes
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.kernels.traffic import plan_reads, table_traffic
from estimator.results import ReadPlan, TableTraffic

KiB = 1024
CARD = {"id": "card", "values": {"kind": "pattern", "text": "{n:010}"}, "distinct": 1_000, "assigned": "arbitrary",
        "popularity": {"kind": "uniform"}}  # fmt: skip
SHOP = {"id": "shop", "values": {"kind": "pattern", "text": "a{n}", "start": 100}, "distinct": 50,
        "assigned": "arbitrary", "popularity": {"kind": "weights", "weights": [25], "rest": 75}}  # fmt: skip


def of(field: str, kind: str = "STRING") -> dict:
    return {"id": f"c-{field}", "name": field, "type": kind,
            "segments": [{"id": f"{field}-s", "kind": "field", "field": field}]}  # fmt: skip


TIME = {"id": "c-time", "name": "time", "type": "INTEGER", "segments": [{"id": "time-s", "kind": "time"}]}
SEQ = {"id": "c-seq", "name": "seq", "type": "INTEGER", "auto_increment": True}


def order(per_second: float) -> dict:
    return {"id": "order", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 10**15},
            "distinct": 1_000, "growth_per_day": per_second * 86_400, "assigned": "sequential",
            "popularity": {"kind": "latest"}}  # fmt: skip


def cards(
    *columns: dict, per_second: float = 2_000, value_bytes: int = 100, reads: tuple = (), **table: object
) -> Spec:
    kind = {"id": "rows", "key_columns": columns, "writes": [{"id": "w", "activity": "act"}], "reads": reads}
    column = {"id": "v", "qualifier": "v", "value": {"kind": "text", "typical_bytes": value_bytes}}
    family = {"id": "f", "name": "f", "columns": [column]}
    return Spec.model_validate(
        {"engine": "tablestore", "horizon_months": 1, "fields": [CARD, SHOP, order(per_second)],
         "activities": [{"id": "act", "rate_per_second": per_second}],
         "tables": [{"id": "t", "row_kinds": [kind], "families": [family]}]}
    )  # fmt: skip


def traffic(spec: Spec) -> TableTraffic:
    table = as_stored(spec.tables[0])
    patterns = {"rows": compile_pattern(spec, "rows")}
    grown, sizes = table_growth_and_sizes(spec, table, patterns)
    return table_traffic(
        spec, table, patterns, sizes, grown, plan_reads(spec, table, {"rows": key_summary(patterns["rows"])}, sizes)
    )


def plan(spec: Spec) -> ReadPlan:
    table = as_stored(spec.tables[0])
    patterns = {"rows": compile_pattern(spec, "rows")}
    _, sizes = table_growth_and_sizes(spec, table, patterns)
    return plan_reads(spec, table, {"rows": key_summary(patterns["rows"])}, sizes)[0]


def test_the_busiest_partition_key_value_takes_its_share_of_the_operations():
    busy = traffic(cards(of("shop"), TIME)).partition

    assert busy is not None
    assert busy.per_second == pytest.approx(0.25 * 2_000)
    assert busy.node_share == pytest.approx(0.25 * 2_000 / 10_000)  # a capacity unit each
    assert busy.distinct == 50


def test_its_bytes_are_its_share_of_the_table():
    spec = cards(of("shop"), TIME)
    busy = traffic(spec).partition

    assert busy is not None
    assert busy.largest_share == pytest.approx(0.25)
    row_bytes = len("shop") + len("a100") + len("time") + 8 + len("v") + 100
    assert busy.largest_bytes == pytest.approx(0.25 * 2_000 * 86_400 * 365.25 / 12 * row_bytes)


@pytest.mark.parametrize(
    "field",
    [
        {"kind": "uuid"},
        {"kind": "integer", "assigned": "sequential", "unique_within": "shop"},
        {"kind": "integer", "assigned": "sequential", "unique_within": "card"},
    ],
)
def test_rows_of_random_ids_and_of_numbers_within_an_owner_are_as_many_as_events(field):
    data = to_plain_data(cards(of("shop"), of("card"), of("order")))
    data["fields"][-1] = {"id": "order", "name": "message_id", **field}

    busy = traffic(Spec.model_validate(data)).partition

    assert busy is not None
    assert busy.largest_share == pytest.approx(0.25)


def test_a_value_that_is_there_holds_a_row_at_least():
    few = traffic(cards(of("card"), TIME, per_second=1e-4)).partition  # 263 rows, of a thousand cards

    assert few is not None
    assert few.largest_bytes == pytest.approx(len("card") + 10 + len("time") + 8 + len("v") + 100)


def test_reads_and_writes_on_one_value_add_up():
    reads = ({"id": "r", "rate_per_second": 800, "binds": [{"field": "shop"}], "newest_rows": 5, "reverse": True},)
    busy = traffic(cards(of("shop"), TIME, reads=reads)).partition

    assert busy is not None
    assert busy.per_second == pytest.approx(0.25 * 2_800)


def test_a_counted_partition_key_is_one_front():
    (front,) = traffic(cards(of("order", "INTEGER"), TIME)).fronts

    assert (front.segment, front.share) == ("order-s", 1.0)
    assert front.per_second == pytest.approx(2_000)


def test_growth_behind_the_partition_key_is_no_front():
    assert not traffic(cards(of("card"), TIME)).fronts
    assert not traffic(cards(of("shop"), SEQ)).fronts


def test_partitions_are_no_more_than_partition_key_values():
    assert traffic(cards(of("shop"), TIME, per_second=200_000)).tablets == 50
    assert traffic(cards(of("card"), TIME, per_second=10)).tablets == 1


def test_bounds_are_shown_as_tuples():
    bound = traffic(cards(of("card"), TIME)).heat.bounds[512]

    assert bound.text.startswith("(0000000")  # type: ignore[attr-defined]


def read(**more: object) -> tuple[dict]:
    return ({"id": "r", "rate_per_second": 1, **more},)


def test_a_bound_beginning_of_the_columns_is_one_range():
    found = plan(cards(of("card"), of("shop"), TIME, reads=read(binds=[{"field": "card"}])))

    assert (found.access, found.bound, found.open_at) == ("prefix", ("card-s",), "shop-s")


def test_the_beginning_of_the_first_columns_text_is_a_range_as_well():
    found = plan(cards(of("shop"), TIME, reads=read(binds=[{"field": "shop", "prefix": True}])))

    assert (found.access, found.open_at) == ("prefix", "shop-s")


def test_a_row_is_billed_with_its_key_and_the_columns_that_are_asked_for():
    whole = read(binds=[{"field": "card"}, {"field": "shop"}], exact_time=True)
    found = plan(cards(of("card"), of("shop"), TIME, value_bytes=9 * KiB, reads=whole))

    key_bytes = len("card") + 10 + len("shop") + 4 + len("time") + 8
    assert found.access == "point"
    assert found.bytes_scanned == pytest.approx(key_bytes + len("v") + 9 * KiB, abs=1)
    assert found.node_seconds * 10_000 == pytest.approx(3)


def test_a_range_is_billed_by_the_bytes_that_it_scans_before_the_filter():
    asked = read(binds=[{"field": "card"}], newest_rows=10, reverse=True, match_share=0.1)
    found = plan(cards(of("card"), TIME, value_bytes=2_000, reads=asked))

    assert found.rows_scanned == pytest.approx(100)
    assert found.node_seconds * 10_000 == pytest.approx(found.bytes_scanned / 4_096, abs=1)
    assert found.rows_returned == pytest.approx(10)


def test_nobody_knows_what_the_service_counted():
    asked = read(binds=[{"field": "card"}], time={"days": 1})

    assert plan(cards(of("card"), SEQ, reads=asked)).access == "prefix"
    assert plan(cards(of("card"), TIME, reads=asked)).access == "range"
