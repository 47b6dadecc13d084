"""Bills of Tablestore designs: the published examples to the cent, and what each line counts."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from designer.wording.formatting import english
from estimator.engines import GiB
from estimator.engines.tablestore import GB_BYTES
from estimator.kernels.pricing import tablestore
from estimator.kernels.pricing.limit_headroom import first_exceeded_limit
from estimator.kernels.pricing.sensitivities import rank_inputs
from estimator.kernels.pricing.tablestore import compute_costs
from estimator.price_books.shelf import load_book
from estimator.results import ReadCourse
from tests.core.kernels.pricing.tablestore.designs import design, lines, part, plan, priced

DAYS = 30
"""The month of these designs: 720 hours."""


@pytest.mark.parametrize(
    ("reserved", "reserved_cost", "metered_cost"), [(0, "0", "864.00"), (4_000, "53.76", "518.40")]
)
def test_ten_thousand_reads_a_second_in_hangzhou_cost_what_the_examples_say(
    reserved, reserved_cost, metered_cost
):  # T4
    found = lines(priced(design(reads=(10_000,), reserved=(reserved, 0))))

    billed = [found[item].cost / DAYS if item in found else 0 for item in ("reserved_read", "metered_read")]
    assert billed == [Decimal(reserved_cost), Decimal(metered_cost)]


def test_reads_as_many_as_are_reserved_cost_the_reservation_and_at_best_nothing_more():  # T4
    found = lines(priced(design(reads=(10_000,), reserved=(10_000, 0))))

    assert found["reserved_read"].cost / DAYS == Decimal("134.40")
    assert found["metered_read"].low == 0  # all seconds alike, as the example has it
    assert 0 < found["metered_read"].cost / DAYS < Decimal("4")  # half of the seconds are above their mean


def test_a_capacity_instance_meters_everything_at_its_own_price():  # T5
    found = lines(priced(design(reads=(10_000,), reserved=(4_000, 0), kind="capacity")))

    assert found["metered_read"].cost / DAYS == Decimal("345.60")
    assert "reserved_read" not in found


def test_the_same_reads_in_the_us_cost_dollars():  # T6
    found = priced(design(reads=(10_000,), region="us-west-1"), currency="USD")

    assert lines(found)["metered_read"].cost / DAYS == Decimal("259.20")
    assert found.bills[-1].currency == "USD"


def test_reads_are_metered_and_leave_the_region_by_what_they_scan_in_the_month():
    """1, 2 and 3 units a read at the start and after each month; the first month's mean is above that of its ends."""
    spec = design(reads=(100,), read={"where": {"region": "us-east1"}})
    work = np.array([1.0, 2.0, 3.0]), np.array([1.8, 2.5])
    course = ReadCourse(work[0] / 10_000, work[1] / 10_000, np.array([400.0, 900.0]))
    given = part(spec, read=replace(plan(scanned=3 * 4_096, returned=1_000.0), course=course))

    bills = [{line.item: float(line.quantity) for line in bill.lines} for bill in priced(spec, given).bills]

    hours = 720
    metered = [bill["metered_read"] for bill in bills]
    assert metered[1] / metered[0] == pytest.approx(2.5 / 1.8)
    assert [bill["internet_egress"] for bill in bills] == pytest.approx(
        [100 * each * hours * 3_600 / GB_BYTES for each in (400, 900)], abs=1e-3
    )


def test_storage_is_billed_by_the_hour_of_what_is_there_on_average():
    spec = design(months=1)
    (line,) = [each for each in priced(spec, part(spec, 50 * GiB, 150 * GiB)).bills[-1].lines if each.item == "storage"]

    assert (line.quantity, line.unit, line.cost) == (100 * 720, "GB-hour", Decimal("108.00"))
    assert (line.low, line.high) == (line.cost, Decimal("115.96"))  # of decimal GB, should these be meant


def test_what_storage_costs_can_be_redone_on_paper():
    spec = design(months=1)
    (line,) = [each for each in priced(spec, part(spec, 0.0, 5.5554e12)).bills[-1].lines if each.item == "storage"]

    said = english(line.formula, line.params)
    assert said == "2,586.935 GiB × 720 hours, 1,862,593.2 GB-hours × CN¥0.0015"
    assert line.cost == (Decimal("2586.935") * 720 * Decimal("0.0015")).quantize(Decimal("0.01"))


def test_writes_have_no_public_price_and_stay_open_with_their_quantity():
    found = priced(design(writes=("append_row",), activity={"rate_per_second": 100.0}))

    line = lines(found)["metered_write"]
    assert (line.quantity, line.cost) == (Decimal("25920.000"), None)
    assert found.bills[-1].open_lines == (line,)


def test_an_entered_price_closes_a_line():
    prices = [{"sku": "tablestore.write.metered.high_performance", "amount": "0.02", "currency": "CNY"}]
    found = lines(priced(design(writes=("append_row",), activity={"rate_per_second": 100.0}, prices=prices)))

    assert (found["metered_write"].cost, found["metered_write"].price_origin) == (Decimal("518.40"), "you")


def test_a_further_region_stays_open_until_somebody_enters_what_it_costs():
    others = ("cn-beijing", "cn-hangzhou", "", "cn-beijing")
    price = {"sku": "tablestore.other_region", "where": "cn-beijing", "amount": "12.50", "currency": "CNY"}

    (line,) = priced(design(others=others)).bills[-1].open_lines
    assert (line.item, line.where, line.quantity, line.cost) == ("other_region", "cn-beijing", 1, None)
    assert lines(priced(design(others=others, prices=[price])))["other_region"].cost == Decimal("12.50")


def test_bursts_share_a_second_and_meter_more():
    usual = {"rate_per_second": 100.0}
    bursts = usual | {"arrival": {"kind": "bursts", "size": 50}}
    alike, apart = (
        lines(priced(design(writes=("append_row",), activity=activity, reserved=(0, 120))))["metered_write"].quantity
        for activity in (usual, bursts)
    )

    assert apart > 5 * alike


def test_writes_at_even_intervals_meter_nothing_below_the_reservation():
    every = {"rate_per_second": 100.0, "arrival": {"kind": "every", "seconds": 10, "field": "card"}}

    assert "metered_write" not in lines(priced(design(writes=("append_row",), activity=every, reserved=(0, 100))))


def test_a_batch_of_a_quarter_of_an_hour_meters_what_is_above_the_reservation_while_it_runs():
    nightly = {
        "rate_per_second": 10.0, "profile": {"kind": "batch", "start_hour": 1, "hours": 0.25},
        "arrival": {"kind": "every", "seconds": 10, "field": "card"},
    }  # fmt: skip

    metered = lines(priced(design(writes=("append_row",), activity=nightly, reserved=(0, 360))))["metered_write"]

    # 960 a second for 900 s a night; over its whole hour the mean of 240 would be below the reservation.
    assert float(metered.quantity) * 10_000 == pytest.approx((960 - 360) * 900 * DAYS, rel=1e-4)


def test_a_named_day_of_a_batch_of_a_quarter_of_an_hour_meters_what_it_adds_while_it_runs():
    nightly = {
        "rate_per_second": 10.0, "profile": {"kind": "batch", "start_hour": 1, "hours": 0.25},
        "arrival": {"kind": "every", "seconds": 10, "field": "card"},
        "peak_days": [{"name": "sale", "date": "2026-02-10", "factor": 2}],
    }  # fmt: skip
    priced_design = priced(design(writes=("append_row",), activity=nightly, reserved=(0, 360)))
    usual, busy = (lines_of_month(priced_design, month) for month in (0, 1))

    # 1,920 a second for 900 s in the place of 960, both above the reservation of 360.
    assert (busy - usual) * 10_000 == pytest.approx(960 * 900, rel=1e-3)


def lines_of_month(priced_design, month):
    """Metered units of a month, in tens of thousands."""
    return sum(float(line.quantity) for line in priced_design.bills[month].lines if line.item == "metered_write")


def test_a_named_day_meters_what_it_adds():
    peak = {"rate_per_second": 100.0, "peak_days": [{"name": "sale", "date": "2026-02-10", "factor": 11}]}
    (usual, busy) = (
        priced(design(writes=("append_row",), activity=peak)).bills[month].lines[-1].quantity for month in (0, 1)
    )

    assert float(busy - usual) * 10_000 == pytest.approx(10 * 100 * 86_400)


@pytest.mark.parametrize("reserved", [0, 40])
def test_a_load_that_ends_meters_what_it_writes_until_then(reserved):
    sales = [{"name": date, "date": date, "factor": 11} for date in ("2026-01-05", "2026-01-20")]
    ended = {
        "rate_per_second": 100.0, "ends_on": "2026-01-11", "peak_days": sales,
        "arrival": {"kind": "every", "seconds": 10, "field": "card"},
    }  # fmt: skip

    found = priced(design(writes=("append_row",), activity=ended, reserved=(0, reserved)))

    first, second = ({line.item: line.quantity for line in bill.lines} for bill in found.bills)
    # Ten days, of which one is eleven times as busy; the second sale is after the end.
    assert float(first["metered_write"]) * 10_000 == pytest.approx((100 - reserved) * 864_000 + 1_000 * 86_400)
    assert "metered_write" not in second


def test_readers_of_a_stream_read_what_is_written_on_named_days_and_until_the_end():
    sale = {"name": "sale", "date": "2026-01-05", "factor": 11}
    ended = {"rate_per_second": 100.0, "ends_on": "2026-01-11", "peak_days": [sale]}

    found = priced(design(writes=("append_row",), activity=ended, settings={"stream_hours": 48}))

    (read,) = (line for line in found.bills[0].lines if line.item == "stream_read")
    # 142 bytes a row, as below; ten days, one of them eleven times as busy.
    assert float(read.quantity) * 10_000 * 4_096 == pytest.approx(142 * (100 * 864_000 + 1_000 * 86_400), rel=1e-4)


@pytest.mark.parametrize(
    ("where", "sent"),
    [
        ({"internet": "asia"}, True),
        ({"region": "cn-beijing"}, True),
        ({"zone": "cn-beijing-a"}, True),
        ({"region": "cn-hangzhou"}, False),
        ({"zone": "cn-hangzhou-b"}, False),
    ],
)
def test_readers_on_the_internet_or_in_another_region_pay_for_what_they_get(where, sent):
    found = lines(priced(design(reads=(1_000,), read={"where": where})))

    assert ("internet_egress" in found) == sent
    if sent:
        assert float(found["internet_egress"].quantity) == pytest.approx(1_000 * 1_000 * 720 * 3_600 / GiB, rel=1e-6)


def test_reserved_throughput_is_not_counted_where_high_performance_is_not_known_to_exist():
    def reserves(**given):
        units = priced(design(reads=(10,), reserved=(100, 0), **given)).capacity_units
        return units[0].instance, units[0].read.reserved

    assert reserves(kind=None) == ("high_performance", 100)
    assert reserves(kind=None, region="ap-northeast-1") == ("capacity", 0)
    assert reserves(kind=None, region="ap-northeast-2") == ("high_performance", 0)
    assert reserves(kind="high_performance", region="ap-northeast-1") == ("high_performance", 100)
    assert reserves(kind="capacity") == ("capacity", 0)


def test_a_reserved_read_unit_in_hangzhou_pays_from_15_6_percent_of_use():
    (units,) = priced(design(reads=(10,), reserved=(100, 0))).capacity_units

    assert units.read.pays_from_share == pytest.approx(0.1556, abs=1e-4)
    assert units.read.reserved_used_share == pytest.approx(0.1, rel=1e-6)
    assert units.write.pays_from_share is None


def test_units_are_explained_so_that_they_can_be_redone():
    (units,) = priced(design(reads=(100,), writes=("check_and_mutate",))).capacity_units

    assert [(addend.value, addend.unit) for addend in units.explanation[:2]] == [
        (1.0, "cu_per_second"),
        (100.0, "cu_per_second"),
    ]
    assert units.read.used_per_second[-1] == 101


def test_books_name_a_source_a_day_and_one_currency():
    for currency in ("USD", "CNY"):
        book = load_book(engine="tablestore", currency=currency)
        assert book.currency == currency
        assert all(p.source and p.seen and p.currency == currency for each in book.prices.values() for p in each)


def test_what_a_table_can_reserve_and_its_busiest_value_are_limits():
    def limits(factor):
        spec = design(reads=(10_000 * factor,), reserved=(4_000, 0), months=12)
        return tuple(tablestore.limits(spec, {"t": part(spec, 0.0, 100 * GiB, read=plan(scanned=5_000))}))

    found = first_exceeded_limit(limits(1), limits(10), 10.0)

    assert found.limit.params["limit_cu"] == 100_000
    assert 1 < found.headroom < 10


def test_tables_are_billed_one_by_one():
    spec = design(reads=(100,))
    (table,) = spec.tables
    other = table.model_copy(update={"id": "u", "name": "other"})
    both = spec.model_copy(update={"tables": (table, other)})
    parts = {"t": part(spec), "u": replace(part(spec), table="u")}

    found = compute_costs(both, parts, load_book(engine="tablestore", currency="CNY"))

    metered = [(line.at, line.item) for line in found.bills[-1].lines[1:]]
    assert metered == [("t", "metered_read"), ("u", "metered_read")]


def test_seconds_that_vary_and_expired_versions_move_the_bill():
    spec = design(reads=(10_000,), reserved=(10_000, 0))
    parts = {"t": part(spec, read=plan(scanned=2_000))}

    book = load_book(engine="tablestore", currency="CNY")
    found = {each.name: each for each in rank_inputs(tablestore.bands(spec, parts, book))}

    assert found["seconds"].low < found["seconds"].high


def test_what_reads_a_stream_is_metered_and_what_it_keeps_has_no_price():
    """A row of 20 + 8 bytes of key with its names, and 100 bytes of amount."""
    streamed = design(writes=("append_row",), activity={"rate_per_second": 10_000}, settings={"stream_hours": 48})
    found = lines(priced(streamed))
    (flow,) = tablestore.usage_of(streamed, {"t": part(streamed)}).tables[0].flows
    kept, read = found["stream_storage"], found["stream_read"]

    assert flow.bytes_written == 4 + 20 + 4 + 8 + 6 + 100
    assert (kept.cost, kept.price_origin, kept.sku) == (None, "missing", "tablestore.stream.storage")
    assert float(kept.quantity) == pytest.approx(10_000 * 142 * 48 * 3_600 * 720 / GiB, rel=1e-5)
    assert float(read.quantity) == pytest.approx(10_000 * 142 / 4_096 * 720 * 3_600 / 10_000, rel=1e-5)
    assert read.cost == round(read.quantity * Decimal("0.01"), 2)
    assert read.high == found["metered_write"].quantity * Decimal("0.01")  # a request for each row: a unit each


def test_each_reader_of_a_stream_reads_all_of_it_and_a_reservation_may_cover_it():
    settings = {"stream_hours": 48}
    one = lines(priced(design(writes=("append_row",), activity={"rate_per_second": 10_000}, settings=settings)))
    several = design(
        writes=("append_row",), activity={"rate_per_second": 10_000}, reserved=(1_000, 0),
        settings=settings | {"stream_readers": 3},
    )  # fmt: skip
    found = lines(priced(several))
    unread = lines(priced(design(writes=("append_row",), settings=settings | {"stream_readers": 0})))

    assert float(found["stream_read"].quantity) == pytest.approx(3 * float(one["stream_read"].quantity), rel=1e-5)
    assert (found["stream_read"].low, one["stream_read"].low) == (0, one["stream_read"].cost)
    assert "stream_read" not in unread
    assert "stream_storage" in unread
