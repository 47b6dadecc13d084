"""Bill lines: what is on them, what stays open, and that each can be redone on paper."""

import datetime
from decimal import Decimal

import pytest

from estimator.kernels.capacity.amounts import cents, format_decimal, round_quantity
from estimator.kernels.pricing import build_bills, cluster_nodes
from estimator.kernels.pricing.lines import line_kinds
from estimator.kernels.pricing.lines.backups import backup_gib
from estimator.price_books.shelf import load_book
from tests.core.kernels.pricing.parts import bill_of, by_item, cluster, growth, part, plan, spec_of, traffic

SECONDS = 730 * 3600


def lines_of(bill, item):
    return [line for line in bill.lines if line.item == item]


def table(**more):
    return {"id": "t", "name": "t"} | more


def reading(**more):
    return table(row_kinds=[{"id": "k", "reads": [{"id": "r", "name": "r", "rate_per_second": 1} | more]}])


def test_half_cents_go_up():
    assert cents(Decimal("0.125")) == Decimal("0.13")
    assert cents(Decimal("2.675")) == Decimal("2.68")


def test_amounts_stand_on_the_bill_as_they_are_multiplied():
    assert round_quantity(1 / 3) == Decimal("0.333")
    assert format_decimal(Decimal("1234.500")) == "1,234.5"
    assert format_decimal(Decimal(50)) == "50"


def test_every_kind_of_line_is_found_by_its_name():
    assert [name for name, _ in line_kinds()][:2] == ["nodes", "storage"]
    assert len(line_kinds()) >= 11


def test_every_line_is_redone_by_its_own_figures():
    tables = [
        table(
            change_stream_days=3, backups=[{"id": "b"}], infrequent_access_days=30,
            row_kinds=[{"id": "k", "reads": [{"id": "r", "rate_per_second": 50, "where": {"internet": "worldwide"}}]}],
        )
    ]  # fmt: skip
    clusters = [cluster("c1"), cluster("c2", region="us-west1")]
    prices = [{"sku": "bigtable.backup", "usd": "0.03"}, {"sku": "bigtable.storage.infrequent_access", "usd": "0.01"}]
    spec = spec_of(tables=tables, clusters=clusters, prices=prices)
    grown = growth(10, 33.3, mutation_bytes_per_second=5e5, changed_gib_per_day=1.7, infrequent_gib=[0, 4])

    bill = bill_of(spec, part(grown=grown, busy=traffic(0.5, 0.9), reads=[plan(bytes_returned=7_000)]))

    assert {line.item for line in bill.lines} >= {"node", "storage", "change_stream", "backup", "internet_egress",
                                                  "replication", "infrequent_access"}  # fmt: skip
    for line in bill.lines:
        assert line.cost == cents(line.quantity * line.unit_price)
        assert line.low <= line.cost <= line.high
        assert line.price_source
        assert line.formula.format(**line.params)
        assert line.label.format(**line.params)
    assert bill.total == sum(line.cost for line in bill.lines)


def test_storage_is_the_months_average_in_every_cluster():
    bill = bill_of(spec_of(clusters=[cluster("c1"), cluster("c2")]), part(grown=growth(100, 200)))

    assert [line.quantity for line in lines_of(bill, "storage")] == [150, 150]


def test_each_month_has_its_bill_and_its_first_day():
    spec = spec_of(months=3, start="2026-11-15", clusters=[cluster(nodes=1)])
    parts = {"t": part(grown=growth(0, 10, 20, 30))}

    found = build_bills(spec, parts, cluster_nodes(spec, parts), load_book())

    assert [bill.month for bill in found] == [0, 1, 2]
    assert [bill.first_day for bill in found] == [
        datetime.date(2026, 11, 15), datetime.date(2026, 12, 15), datetime.date(2027, 1, 15)
    ]  # fmt: skip
    assert [lines_of(bill, "storage")[0].quantity for bill in found] == [5, 15, 25]


def test_the_storage_band_is_that_of_its_bytes():
    bill = bill_of(spec_of(clusters=[cluster(nodes=1)]), part(grown=growth(100, 100, band=(0.5, 2.0))))

    line = lines_of(bill, "storage")[0]
    assert (line.low, line.cost, line.high) == (Decimal("8.50"), Decimal("17.00"), Decimal("34.00"))


def test_nodes_that_follow_the_need_have_the_band_of_the_need():
    bill = bill_of(spec_of(clusters=[cluster()]), part(grown=growth(0, 0), busy=traffic(3.0, 3.0)))

    line = lines_of(bill, "node")[0]
    assert (line.low, line.cost, line.high) == (Decimal("2372.50"), Decimal("2372.50"), Decimal("4745.00"))


def test_a_region_without_a_price_leaves_open_lines_and_says_so():
    bill = bill_of(spec_of(clusters=[cluster(region="europe-west1", nodes=2)]), part(grown=growth(10, 10)))

    assert [line.item for line in bill.open_lines] == ["node", "storage"]
    assert bill.total == 0
    for line in bill.open_lines:
        assert line.cost is None
        assert line.unit_price is None
        assert line.price_origin == "missing"
    assert bill.open_lines[0].quantity == 1_460


def test_a_table_of_unknown_size_keeps_the_total_open():
    bill = bill_of(spec_of(clusters=[cluster(nodes=1)]), part())

    assert [(line.item, line.at) for line in bill.open_lines] == [("unknown_table", "t")]


def test_enterprise_plus_has_its_own_price():
    bill = bill_of(spec_of(edition="enterprise_plus", clusters=[cluster(nodes=1)]), part(grown=growth(0, 0)))

    assert lines_of(bill, "node")[0].cost == Decimal("620.50")


def test_hdd_nodes_say_that_they_are_priced_as_nodes():
    bill = bill_of(spec_of(storage="hdd", clusters=[cluster(nodes=1)]), part(grown=growth(0, 0)))

    assert "HDD" in lines_of(bill, "node")[0].label
    assert lines_of(bill, "node")[0].cost == Decimal("474.50")


def test_replication_sends_each_mutation_to_every_other_region_once():
    clusters = [
        cluster("c1", nodes=1),
        cluster("c2", region="us-west1", nodes=1),
        cluster("c3", region="europe-west1", nodes=1),
    ]
    profiles = [{"id": "p", "routing": "single", "clusters": ["c1"]}]
    kinds = [{"id": "k", "writes": [{"id": "w", "activity": "a", "app_profile": "p"}]}]
    spec = spec_of(
        tables=[table(row_kinds=kinds)], activities=[{"id": "a", "rate_per_second": 1}],
        clusters=clusters, app_profiles=profiles,
    )  # fmt: skip

    bill = bill_of(spec, part(grown=growth(0, 0, mutation_bytes_per_second=2**30 / 3600)))

    sent = {line.at: (line.quantity, line.unit_price) for line in lines_of(bill, "replication")}
    assert sent == {"c2": (730, Decimal("0.02")), "c3": (730, Decimal("0.08"))}


def test_a_region_sends_the_bytes_that_are_written_in_it_on_named_days_and_until_the_end():
    clusters = [cluster("us", nodes=1), cluster("eu", region="europe-west1", nodes=1)]
    profiles = [{"id": f"to-{id_}", "routing": "single", "clusters": [id_]} for id_ in ("us", "eu")]
    sale = {"name": "sale", "date": "2026-01-20", "factor": 5}
    activities = [
        {"id": "heartbeat", "rate_per_second": 1_000, "peak_days": [sale]},
        {"id": "photo", "rate_per_second": 10, "ends_on": "2026-01-11"},
    ]
    writes = [
        {"id": "beat", "activity": "heartbeat", "app_profile": "to-us"},
        {"id": "upload", "activity": "photo", "app_profile": "to-eu"},
    ]
    kinds = [{"id": "k", "writes": writes}]
    spec = spec_of(tables=[table(row_kinds=kinds)], activities=activities, clusters=clusters, app_profiles=profiles)
    row_bytes = {"beat": 100.0, "upload": 1_000_000.0}

    # At the end of the month only heartbeats are written.
    bill = bill_of(spec, part(grown=growth(0, 0, mutation_bytes_per_second=1e5, mutation_bytes=row_bytes)))

    sent = {line.at: float(line.quantity) * 2**30 for line in lines_of(bill, "replication")}
    # 730 hours, and 4 more days of the one of the sale; 10 days of uploads.
    assert sent["eu"] == pytest.approx(1_000 * 100 * (730 + 4 * 24) * 3_600, rel=1e-5)
    assert sent["us"] == pytest.approx(10 * 1_000_000 * 10 * 86_400, rel=1e-5)


def test_what_changes_on_named_days_is_in_the_change_stream():
    sale = {"name": "sale", "date": "2026-01-20", "factor": 74}
    kinds = [{"id": "k", "writes": [{"id": "w", "activity": "a"}]}]
    spec = spec_of(
        tables=[table(row_kinds=kinds, change_stream_days=1)], clusters=[cluster(nodes=1)],
        activities=[{"id": "a", "rate_per_second": 1, "peak_days": [sale]}],
    )  # fmt: skip

    (line,) = lines_of(bill_of(spec, part(grown=growth(0, 0, changed_gib_per_day=10))), "change_stream")

    # The mean day of 730 hours has 10 GiB, and 73 · 24 ÷ 730 times as much of the sale.
    assert float(line.quantity) == pytest.approx(10 * (1 + 73 * 24 / 730) * 1.5)


def test_replication_within_a_region_is_free_and_says_that_it_is_assumed():
    spec = spec_of(clusters=[cluster("c1", nodes=1), cluster("c2", nodes=1, zone="us-central1-b")])

    found = lines_of(bill_of(spec, part(grown=growth(0, 0, mutation_bytes_per_second=1e6))), "replication")

    assert {line.price_origin for line in found} == {"free"}
    assert "assumed" in found[0].price_source


def test_one_cluster_replicates_nothing():
    bill = bill_of(spec_of(clusters=[cluster(nodes=1)]), part(grown=growth(0, 0, mutation_bytes_per_second=1e6)))

    assert "replication" not in by_item(bill)


def test_a_reader_beside_the_cluster_pays_nothing():
    spec = spec_of(tables=[reading(where={"region": "us-central1"})], clusters=[cluster(nodes=1)])

    assert "egress" not in by_item(bill_of(spec, part(grown=growth(0, 0), reads=[plan()])))


def test_a_reader_of_which_only_the_zone_is_known_is_in_its_region():
    spec = spec_of(
        tables=[reading(where={"zone": "europe-west1-b"})],
        clusters=[cluster(nodes=1), cluster("eu", region="europe-west1", nodes=1)],
    )

    assert "egress" not in by_item(bill_of(spec, part(grown=growth(0, 0), reads=[plan()])))


def test_internet_volumes_of_all_reads_to_one_place_count_together():
    each = 800 * 2**30 / SECONDS
    reads = [{"id": f"r{i}", "rate_per_second": 1, "where": {"internet": "worldwide"}} for i in range(2)]
    spec = spec_of(tables=[table(row_kinds=[{"id": "k", "reads": reads}])], clusters=[cluster(nodes=1)])

    bill = bill_of(spec, part(grown=growth(0, 0), reads=[plan(f"r{i}", bytes_returned=each) for i in range(2)]))

    found = [(line.at, line.quantity, line.unit_price) for line in lines_of(bill, "internet_egress")]
    assert found == [
        ("r0", 800, Decimal("0.12")), ("r1", 224, Decimal("0.12")), ("r1", 576, Decimal("0.11"))
    ]  # fmt: skip


def test_a_volume_above_the_last_known_tier_is_open():
    spec = spec_of(tables=[reading(where={"internet": "australia"})], clusters=[cluster(nodes=1)])

    bill = bill_of(spec, part(grown=growth(0, 0), reads=[plan(bytes_returned=2_000 * 2**30 / SECONDS)]))

    found = lines_of(bill, "internet_egress")
    assert [(line.quantity, line.cost) for line in found] == [(1024, Decimal("194.56")), (976, None)]


def test_reads_that_grow_return_more_each_month():
    spec = spec_of(
        months=2, tables=[reading(where={"internet": "worldwide"}, growth_per_month=1.0)], clusters=[cluster(nodes=1)]
    )
    parts = {"t": part(grown=growth(0, 0, 0), reads=[plan(bytes_returned=2**30 / SECONDS)])}

    found = build_bills(spec, parts, cluster_nodes(spec, parts), load_book())

    assert [lines_of(bill, "internet_egress")[0].quantity for bill in found] == [Decimal("1.5"), Decimal("3")]


def test_backups_are_between_what_changed_and_full_copies():
    assert backup_gib(100, 2, 7, 24) == (114, 14, 700)
    assert backup_gib(1, 10, 7, 24) == (7, 7, 7)


def test_a_copy_in_another_region_is_at_least_a_full_one():
    backup = {"id": "b", "kept_days": 7, "every_hours": 24, "copies": ["us-west1", "us-central1"]}
    spec = spec_of(tables=[table(backups=[backup])], clusters=[cluster(nodes=1)], prices=[
        {"sku": "bigtable.backup", "usd": "0.02"},
    ])  # fmt: skip
    bill = bill_of(spec, part(grown=growth(1_000, 1_000)))

    # Of 1,000 GiB that do not change: beside the table nothing, elsewhere 1,000 × $0.02.
    lows = {line.where: line.low for line in lines_of(bill, "backup")}
    assert lows == {"us-central1": 0, "us-west1": Decimal("20.00")}


def test_a_backup_is_open_until_a_price_is_entered_and_counts_copies():
    backup = {"id": "b", "kept_days": 7, "every_hours": 24, "copies": ["us-west1"]}
    given = part(grown=growth(100, 100, changed_gib_per_day=2))
    spec = spec_of(tables=[table(backups=[backup])], clusters=[cluster(nodes=1)])
    entered = spec_of(
        tables=[table(backups=[backup])], clusters=[cluster(nodes=1)],
        prices=[{"sku": "bigtable.backup.standard", "usd": "0.05"}],
    )  # fmt: skip

    assert [line.cost for line in lines_of(bill_of(spec, given), "backup")] == [None, None]
    assert [(line.where, line.cost) for line in lines_of(bill_of(entered, given), "backup")] == [
        ("us-central1", Decimal("5.70")), ("us-west1", Decimal("5.70"))
    ]  # fmt: skip


def test_infrequent_access_is_taken_from_storage_and_has_its_own_open_line():
    spec = spec_of(tables=[table(infrequent_access_days=30)], clusters=[cluster(nodes=1)])

    bill = bill_of(spec, part(grown=growth(100, 100, infrequent_gib=[60, 60], band=(0.5, 2.0))))

    (fast,) = lines_of(bill, "storage")
    assert (fast.quantity, fast.low, fast.high) == (40, Decimal("3.40"), Decimal("13.60"))  # 20 and 80 GiB at $0.17
    assert [(line.quantity, line.cost) for line in lines_of(bill, "infrequent_access")] == [(60, None)]


def test_data_boost_takes_at_least_sixty_units_a_request():
    profiles = [{"id": "p", "routing": "single", "clusters": ["c1"], "data_boost": True}]
    spec = spec_of(tables=[reading(app_profile="p")], clusters=[cluster("c1", nodes=1)], app_profiles=profiles)

    small = lines_of(bill_of(spec, part(grown=growth(0, 0), reads=[plan(node_seconds=0.01)])), "data_boost")[0]
    large = lines_of(bill_of(spec, part(grown=growth(0, 0), reads=[plan(node_seconds=2.0)])), "data_boost")[0]

    assert small.quantity == SECONDS * 60
    assert large.quantity == SECONDS * 2_000
    assert small.cost is None


def test_data_boost_is_priced_where_its_profile_goes():
    profiles = [{"id": "p", "routing": "single", "clusters": ["c2"], "data_boost": True}]
    clusters = [cluster("c1", nodes=1), cluster("c2", nodes=1, region="europe-west1")]
    spec = spec_of(tables=[reading(app_profile="p")], clusters=clusters, app_profiles=profiles)

    (line,) = lines_of(bill_of(spec, part(grown=growth(0, 0), reads=[plan(node_seconds=0.01)])), "data_boost")

    assert line.where == "europe-west1"


@pytest.mark.parametrize(
    ("prices", "lines"),
    # Two nodes for 730 hours: 1,460 × $0.10 = $146.
    [([], []), ([{"sku": "bigtable.in_memory.node_hour", "usd": "0.10"}], [(1460, Decimal("146.00"))])],
)
def test_the_in_memory_tier_has_a_line_where_it_has_a_price(prices, lines):
    spec = spec_of(in_memory=True, edition="enterprise_plus", clusters=[cluster(nodes=2)], prices=prices)
    bill = bill_of(spec, part(grown=growth(0, 0)))

    assert [(line.quantity, line.cost) for line in lines_of(bill, "in_memory")] == lines


@pytest.mark.parametrize(
    ("commitment", "nodes_usd"),
    [
        ({"years": 1, "nodes": 2}, "1233.70"),  # 2 × 0.65 × 730 × 0.8 + 0.65 × 730
        ({"years": 1, "usd_per_hour": "1.30"}, "1233.70"),
        ({"years": 1, "nodes": 6}, "2277.60"),  # paid, used or not
    ],
)
def test_a_commitment_is_paid_and_covers_what_is_used(commitment, nodes_usd):
    bill = bill_of(spec_of(clusters=[cluster(nodes=3)], commitment=commitment), part(grown=growth(0, 0)))

    totals = by_item(bill)
    assert totals["node"] + totals["commitment_covered"] + totals["commitment"] == Decimal(nodes_usd)
    assert lines_of(bill, "commitment")[0].label == "Commitment, 1 year"


@pytest.mark.parametrize(
    ("commitment", "covered"), [({"nodes": 4}, 4 * 44 + 124), ({"all_nodes": True}, 10 * 44 + 124)]
)
def test_a_commitment_covers_an_autoscaled_cluster_hour_by_hour(commitment, covered):
    week = [1.0] * 44 + [0.01] * 124  # 10 nodes, then 1
    scaled = {"kind": "autoscaling", "min": 1, "max": 10}
    spec = spec_of(clusters=[cluster(nodes=scaled)], commitment={"years": 1, **commitment})

    bill = bill_of(spec, part(grown=growth(0, 0), busy=traffic(0.0, 6.0, week=week)))

    going = sum(min(left, commitment.get("nodes", 10)) - 1 for left in (5, 2))  # they leave by halves
    credit = lines_of(bill, "commitment_covered")[0].cost
    assert float(credit) == pytest.approx(-(covered + going) / 168 * 730 * 0.65, abs=0.02)
    assert -credit <= by_item(bill)["node"]


def test_no_band_of_an_autoscaled_cluster_leaves_its_bounds():
    scaled = {"kind": "autoscaling", "min": 5, "max": 6}

    node = lines_of(bill_of(spec_of(clusters=[cluster(nodes=scaled)]), part(busy=traffic(0.0, 3.0))), "node")[0]

    assert (node.low, node.high) == (5 * 730 * Decimal("0.65"), 6 * 730 * Decimal("0.65"))


def test_a_commitment_for_all_nodes_counts_those_that_have_a_price_so_that_the_total_stays_a_lower_bound():
    clusters = [cluster("c1", nodes=3), cluster("c2", region="europe-west1", nodes=9)]
    spec = spec_of(clusters=clusters, commitment={"years": 3, "all_nodes": True})

    totals = by_item(bill_of(spec, part(grown=growth(0, 0))))

    assert totals["node"] + totals["commitment_covered"] + totals["commitment"] == Decimal("854.10")


@pytest.mark.parametrize(
    ("month_hours", "start", "hours"),
    [("calendar", "2027-02-01", 672), ("calendar", "2027-03-01", 744), (720, "2027-03-01", 720)],
)
def test_a_commitment_for_all_of_fixed_nodes_saves_its_percentage_in_every_month(month_hours, start, hours):
    commitment = {"years": 1, "all_nodes": True}
    spec = spec_of(start=start, month_hours=month_hours, clusters=[cluster(nodes=10)], commitment=commitment)

    totals = by_item(bill_of(spec, part(grown=growth(0, 0))))

    # 10 nodes at $0.65, a fifth less.
    assert totals["commitment"] == Decimal("6.50") * hours * Decimal("0.8")
    assert totals["node"] + totals["commitment_covered"] == 0


def test_a_commitment_on_nodes_without_a_price_is_open():
    spec = spec_of(clusters=[cluster(region="europe-west1", nodes=1)], commitment={"years": 1, "all_nodes": True})

    assert {line.cost for line in bill_of(spec, part(grown=growth(0, 0))).lines if "commitment" in line.item} == {None}


def test_an_instance_without_tables_has_no_bill():
    spec = spec_of()

    assert build_bills(spec, {}, cluster_nodes(spec, {}), load_book()) == ()
