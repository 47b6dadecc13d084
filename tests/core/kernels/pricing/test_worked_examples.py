"""The published worked examples of money and sizing, to the cent and to the node; numbers as in their sources."""

import json
from decimal import Decimal

import numpy as np
import pytest

from designer.document import Spec
from estimator.engines import TiB, bigtable
from estimator.kernels.capacity.amounts import BillMonth, Charge, price_by_tier, price_charge
from estimator.kernels.capacity.demand import build_demand
from estimator.kernels.capacity.nodes import nodes_for_storage, sizing_rule
from estimator.kernels.growth.table import compute_growth
from estimator.kernels.pricing import build_bills, cluster_nodes
from estimator.kernels.pricing.lines.change_stream import stream_gib
from estimator.price_books.prices import Prices
from estimator.price_books.shelf import load_book
from estimator.results import TablePart
from tests.cases import cases
from tests.core.kernels.pricing.parts import bill_of, by_item, cluster, growth, nodes_for, part, plan, spec_of, traffic

B1 = """
{
  "name": "One node in Tokyo", "start": "2023-07-01", "horizon_months": 1,
  "tables": [{"id": "t", "name": "t", "gib_stored": 50}],
  "instance": {
    "storage": "ssd", "month_hours": 720,
    "clusters": [{"id": "tokyo", "region": "asia-northeast1", "nodes": {"kind": "fixed", "count": 1}}],
    "prices": [
      {"sku": "bigtable.node.enterprise", "where": "asia-northeast1", "usd": "0.85", "source": "G-gen, July 2023"},
      {"sku": "bigtable.storage.ssd", "where": "asia-northeast1", "usd": "0.22", "source": "G-gen, July 2023"}
    ]
  }
}
"""


def test_b1_the_tokyo_cluster_costs_623_dollars():
    spec = Spec.model_validate(json.loads(B1))
    table = spec.tables[0]
    parts = {
        "t": TablePart("t", keys={}, reads=(), traffic=None, growth=compute_growth(spec, table, {})[0], because=())
    }

    bill = build_bills(spec, parts, cluster_nodes(spec, parts), load_book())[-1]

    assert [(line.item, line.cost) for line in bill.lines] == [
        ("node", Decimal("612.00")),
        ("storage", Decimal("11.00")),
    ]
    assert bill.total == bill.low == bill.high == Decimal("623.00")
    assert not bill.open_lines
    assert {line.price_origin for line in bill.lines} == {"you"}
    assert bill.lines[0].formula.format(**bill.lines[0].params) == "1.0 × 720 × $0.85"


def test_b2_three_ssd_nodes_and_100_gib():
    bill = bill_of(spec_of(clusters=[cluster(nodes=3)]), part(grown=growth(100, 100)))

    assert by_item(bill) == {"node": Decimal("1423.50"), "storage": Decimal("17.00")}
    assert bill.total == Decimal("1440.50")


def test_b3_two_hdd_clusters():
    entered = [{"sku": "bigtable.node.enterprise.hdd", "usd": "0.26"}]
    clusters = [cluster("c1", nodes=4), cluster("c2", nodes=4, zone="us-central1-b")]
    spec = spec_of(storage="hdd", prices=entered, clusters=clusters)

    bill = bill_of(spec, part(grown=growth(200, 200)))

    assert by_item(bill) == {"node": Decimal("1518.40"), "storage": Decimal("10.40")}
    assert {line.label for line in bill.lines if line.item == "node"} == {"HDD nodes of {cluster}"}
    assert bill.total == Decimal("1528.80")


@pytest.mark.parametrize(("years", "nodes"), [(1, "1138.80"), (3, "854.10")])
def test_b4_a_commitment_for_all_nodes(years, nodes):
    spec = spec_of(clusters=[cluster(nodes=3)], commitment={"years": years, "all_nodes": True})

    totals = by_item(bill_of(spec, part(grown=growth(100, 100))))

    assert totals["node"] + totals["commitment_covered"] + totals["commitment"] == Decimal(nodes)
    assert totals["storage"] == Decimal("17.00")


@cases(
    "start, to, gb, usd",
    [
        ("us-central1", "us-central1", 250, "5.00"),
        ("us-central1", "northamerica-northeast1", 100, "2.00"),
        ("europe-west1", "europe-north1", 70, "1.40"),
        ("asia-northeast1", "asia-south1", 50, "4.00"),
        ("southamerica-east1", "southamerica-west1", 100, "14.00"),
        ("us-central1", "australia-southeast1", 50, "5.00"),
        ("asia-southeast2", "asia-northeast1", 50, "5.00"),
        ("us-central1", "europe-west1", 200, "16.00"),
    ],
)
def test_b5_network_between_regions(start, to, gb, usd):
    read = {"id": "r", "rate_per_second": gb * 2**30 / (730 * 3600) / 1e6, "where": {"region": to, "zone": f"{to}-b"}}
    tables = [{"id": "t", "row_kinds": [{"id": "k", "reads": [read]}]}]
    spec = spec_of(tables=tables, clusters=[cluster(region=start, zone=f"{start}-a", nodes=1)])

    bill = bill_of(spec, part(grown=growth(0, 0), reads=[plan(bytes_returned=1e6)]))

    assert by_item(bill)["egress"] == Decimal(usd)


def charge(amount, sku, where):
    return Charge("x", "x", "x", (sku,), where, Decimal(amount), "GiB", "{amount} × {unit_price}")


def month():
    spec = spec_of(clusters=[cluster(nodes=1)])
    parts = {"t": part(grown=growth(0, 0))}
    demand, nodes = build_demand(spec, parts), cluster_nodes(spec, parts)
    return BillMonth(spec, Prices(load_book()), 0, spec.start, False, demand, nodes)


def test_b5_the_routes_add_up_to_47_dollars_40():
    amounts = {"same_region": 250, "us_canada": 100, "europe": 70, "asia": 50, "south_america": 100,
               "indonesia_oceania": 50, "between_continents": 200}  # fmt: skip

    lines = [price_charge(month(), charge(gb, f"network.interregion.{name}", "")) for name, gb in amounts.items()]

    assert sum(line.cost for line in lines) == Decimal("47.40")


def test_b6_internet_egress_to_china_comes_in_two_tiers():
    lines = list(price_by_tier(month(), charge(8_500, "network.internet.premium", "china"), Decimal(0)))

    assert [(line.quantity, line.cost) for line in lines] == [(1024, Decimal("235.52")), (7476, Decimal("1644.72"))]


@pytest.mark.parametrize(("stored_tb", "nodes"), [(10, 4), (25, 10), (35, 14)])
def test_s2_storage_target_of_2_5_tb_per_node(stored_tb, nodes):
    auto = {"kind": "autoscaling", "min": 1, "max": 20, "storage_target_gib": 2_560}
    spec = spec_of(clusters=[cluster(nodes=auto)])

    found = nodes_for(spec, part(grown=growth(0, stored_tb * 1024)))

    assert found[0].nodes_by_month[-1] == nodes
    assert found[0].limited_by == "storage"


@pytest.mark.parametrize(("fast_tb", "cold_tb", "nodes"), [(6, 0, 2), (5, 27, 1), (5, 28, 2)])
def test_s3_tiered_storage_takes_the_larger_of_two_counts(fast_tb, cold_tb, nodes):
    auto = {"kind": "autoscaling", "min": 1, "max": 20, "storage_target_gib": 5_120}
    spec = spec_of(clusters=[cluster(nodes=auto)])
    rule = sizing_rule(spec, spec.instance.clusters[0], waiting=True)
    stored, cold = np.array((fast_tb + cold_tb) * 1024.0), np.array(cold_tb * 1024.0)

    assert nodes_for_storage(stored, cold, rule) == nodes


def test_s4_nine_tb_on_three_hdd_nodes_is_18_75_percent():
    spec = spec_of(storage="hdd", clusters=[cluster(nodes=3)])

    assert nodes_for(spec, part(grown=growth(0, 9 * 1024)))[0].storage_share_by_month[-1] == 0.1875


@pytest.mark.parametrize(("clusters", "factor"), [([3], 1), ([6], 2), ([3, 3], 1)])
def test_s6_a_second_cluster_adds_no_capacity_for_writes(clusters, factor):
    write = bigtable.CAPACITIES["ssd"].write.node_seconds(1024)
    rows_per_second = 3 * 14_000 * 0.6 * factor
    spec = spec_of(clusters=[cluster(f"c{i}", nodes=n) for i, n in enumerate(clusters)])
    busy = traffic(0.0, rows_per_second * write, read_share=0.0)

    found = nodes_for(spec, part(grown=growth(0, 0), busy=busy))

    assert all(each.short_from is None for each in found)
    assert [each.needed_by_month[-1] for each in found] == clusters
    more = nodes_for(spec, part(grown=growth(0, 0), busy=traffic(0.0, rows_per_second * write * 1.01, read_share=0.0)))
    assert all(each.short_from is not None for each in more)


def test_s7_a_change_stream_of_100_gib_a_day_kept_seven_days():
    assert stream_gib(100, 7) == 1_050
    spec = spec_of(
        tables=[{"id": "t", "change_stream_days": 7}], clusters=[cluster("c1", nodes=1), cluster("c2", nodes=1)]
    )

    bill = bill_of(spec, part(grown=growth(0, 0, changed_gib_per_day=100)))

    streams = [line for line in bill.lines if line.item == "change_stream"]
    assert [line.quantity for line in streams] == [1050, 1050]
    assert streams[0].cost == Decimal("178.50")


def test_five_tb_is_5120_gib():
    assert bigtable.LIMITS["node_bytes_ssd"].value == 5 * TiB
