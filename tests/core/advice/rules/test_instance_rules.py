"""I005, I006, I015 on figures made by hand."""

import datetime
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from designer.document.instance import Cluster
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.facts.clusters import enough_nodes
from estimator.results import BillLine
from tests.core.advice.rules.made import (
    TODAY,
    bill,
    cluster_nodes,
    estimate,
    front,
    keys,
    placement,
    plan,
    segment,
    traffic,
)

JUNE = datetime.date(2026, 6, 1)
FIXED = {"id": "cluster", "name": "main", "region": "us-central1", "nodes": {"kind": "fixed", "count": 3}}

TWO = (FIXED, {**FIXED, "id": "second", "name": "second", "region": "us-east1"})
GOOD_KEY = (field_part("device", "#"), time_part())


def findings_of(code, *, latency="sensitive", key=GOOD_KEY, facts=(), clusters=(FIXED,), **parts):
    spec = design(*key, reads=(read_part(binds=("device",), latency=latency),), clusters=clusters)
    made = estimate(spec, keys=keys(spec, *facts), **parts)
    return [f for f in findings(spec, made, TODAY) if f.rule == code]


def test_data_above_the_limit_of_the_nodes_is_an_error_with_its_day():
    (finding,) = findings_of(
        "I005", nodes=(cluster_nodes(full_from=JUNE, storage_share_by_month=np.array([0.5, 1.2])),)
    )

    assert finding.severity == "error"
    assert "full from 1 Jun 2026" in english(finding.message, finding.params)


@pytest.mark.parametrize(
    ("latency", "share", "expected"),
    [
        ("sensitive", 0.6, []),
        ("sensitive", 0.61, ["warning"]),
        ("batch", 0.7, []),
        ("batch", 0.71, ["warning"]),
    ],
)
def test_data_above_the_recommended_share_warns(latency, share, expected):
    sized = cluster_nodes(storage_share_by_month=np.array([0.1, share]))

    assert [f.severity for f in findings_of("I005", latency=latency, nodes=(sized,))] == expected


def test_a_cluster_of_batch_reads_may_be_fuller_than_one_that_serves():
    clusters = [{"id": name, "name": name, "region": "us-central1"} for name in ("cluster", "scans")]
    profiles = [{"id": f"to_{c['id']}", "routing": "single", "clusters": [c["id"]]} for c in clusters]
    reads = (
        read_part(id="lookup", binds=("device",), app_profile="to_cluster"),
        read_part(id="report", latency="batch", app_profile="to_scans"),
    )
    spec = design(*GOOD_KEY, reads=reads, instance={"clusters": clusters, "app_profiles": profiles})
    share = np.array([0.1, 0.67])
    sized = [replace(cluster_nodes(storage_share_by_month=share), cluster=c["id"]) for c in clusters]

    made = estimate(spec, nodes=tuple(sized))

    assert [f.at for f in findings(spec, made, TODAY) if f.rule == "I005"] == ["cluster"]  # 60 %, and 70 % of scans


def test_too_few_nodes_say_from_when_and_for_how_long():
    sized = cluster_nodes(short_from=JUNE, short_hours_per_month=120.0, load_by_month=np.array([1.0, 2.4]))

    (finding,) = findings_of("I006", nodes=(sized,))

    assert (finding.severity, finding.effect) == ("warning", 120.0)
    assert "From 1 Jun 2026, main has too few nodes." in english(finding.message, finding.params)


@pytest.mark.parametrize(
    ("enough", "share", "offered", "said"),
    [
        (100, 1.0, True, "Provide 100 nodes."),
        (101, 0.4, True, "Provide 101 nodes."),
        (101, 0.5, False, "causes 50\u00a0% of the load"),
    ],
)
def test_nodes_out_of_reach_that_one_read_asks_for_are_not_offered(enough, share, offered, said):
    sized = cluster_nodes(short_from=JUNE, needed_by_month=np.array([2.0, enough]))
    reads = (plan("scan", node_seconds=40.0, per_second=share),)
    load = traffic(week_node_share=np.full(168, 40.0))

    (finding,) = findings_of("I006", nodes=(sized,), reads=reads, traffic=load)

    assert (finding.fix is not None) == offered
    assert said in english(finding.message, finding.params)


def test_a_read_through_data_boost_causes_no_load_that_nodes_lack():
    reads = (read_part(id="report", latency="batch", app_profile="boost"),)
    profiles = ({"id": "boost", "routing": "single", "clusters": ["cluster"], "data_boost": True},)
    spec = design(*GOOD_KEY, reads=reads, instance={"clusters": (FIXED,), "app_profiles": profiles})
    sized = cluster_nodes(short_from=JUNE, needed_by_month=np.array([2.0, 101.0]))
    plans = (plan("scan", read="report", node_seconds=4_000.0, per_second=0.01),)
    made = estimate(spec, nodes=(sized,), reads=plans, traffic=traffic(week_node_share=np.full(168, 40.0)))

    (finding,) = [f for f in findings(spec, made, TODAY) if f.rule == "I006"]

    assert finding.fix is not None
    assert "Provide 101 nodes." in english(finding.message, finding.params)


def test_what_is_too_full_is_given_the_nodes_for_its_data_and_not_for_its_load():
    sized = cluster_nodes(needed_by_month=np.array([2.0, 50.0]), storage_share_by_month=np.array([0.1, 0.9]))

    (finding,) = findings_of("I005", nodes=(sized,))

    assert finding.params["enough_nodes"] == 5  # 0.9 × 3 ÷ 0.6 = 4.5


def test_enough_nodes_are_fine():
    assert findings_of("I006", nodes=(cluster_nodes(),), placements=(placement(),)) == []


@pytest.mark.parametrize(
    ("utilisation", "expected"), [(1.01, ["error"]), (1.0, ["warning"]), (0.91, ["warning"]), (0.9, [])]
)
def test_one_full_node_through_skew_warns(utilisation, expected):
    full = placement(peak_utilisation=utilisation, limited_by="front", limiting_table="table")

    assert [f.severity for f in findings_of("I006", placements=(full,))] == expected


@pytest.mark.parametrize(("solid", "said"), [(0.91, "Adding nodes does not help."), (0.9, "90\u00a0% of a node")])
def test_more_nodes_are_said_to_be_of_no_use_only_where_one_thing_fills_a_node(solid, said):
    full = placement(peak_utilisation=1.1, reachable_factor=1 / solid, limited_by="front", limiting_table="table")

    (finding,) = findings_of("I006", placements=(full,))

    assert said in english(finding.message, finding.params)


def test_one_full_node_through_skew_stands_under_the_rule_that_explains_it():
    (finding,) = findings_of(
        "K004",
        key=(time_part("#"), field_part("device")),
        facts=(segment("time_part", "time"),),
        traffic=traffic(fronts=(front("time_part", 1.5),)),
        placements=(placement(peak_utilisation=1.5, reachable_factor=0.6, limited_by="front", limiting_table="table"),),
    )

    assert [f.rule for f in finding.under] == ["I006"]
    assert finding.under[0].params["reachable_share"] == 0.6


def test_a_line_whose_quantity_is_not_known_lacks_no_price():
    assert findings_of("I015", bills=(bill(line("storage", "iowa", quantity=0)),)) == []


def line(sku, where, usd=None, *, quantity=50):
    return BillLine(
        item=sku, label="Backups", params={}, at="cluster", sku=sku, where=where, quantity=Decimal(quantity),
        unit="GiB", unit_price=None, price_source="", price_seen="", price_origin="missing", cost=usd, low=None,
        high=None, formula="",
    )  # fmt: skip


def test_the_prices_that_an_element_lacks_are_one_note_with_all_their_places():
    lines = (
        line("backup", "tokyo"),
        line("backup", "tokyo"),
        line("backup", "iowa"),
        line("egress", "iowa"),
        line("node", "iowa", Decimal(10)),
    )

    (note,) = findings_of("I015", bills=(bill(*lines),))

    assert (note.severity, note.at) == ("note", "cluster")
    assert english(note.message, note.params) == (
        "The price book has no price for backups in iowa, tokyo (100 GiB), egress in iowa (50 GiB). "
        "The month's total is at least $10.00."
    )


def test_a_full_node_of_a_cluster_that_nobody_declared_is_said_at_the_table():
    full = placement(cluster="assumed-cluster", peak_utilisation=1.5, limited_by="front", limiting_table="table")

    (finding,) = findings_of("I006", placements=(full,))

    assert finding.at == "table"
    assert "hottest node of the assumed cluster" in english(finding.message, finding.params)


def test_one_cause_that_fills_nodes_of_several_clusters_is_one_finding_with_the_worst_of_them():
    skew = {"limited_by": "front", "limiting_table": "table"}
    full = [placement(cluster=one["id"], peak_utilisation=at, reachable_factor=1 / at, **skew)
            for one, at in zip(TWO, (1.2, 2.0), strict=True)]  # fmt: skip

    (finding,) = findings_of("I006", placements=tuple(full), clusters=TWO)

    assert (finding.at, finding.effect, finding.severity) == ("cluster", 2.0, "error")
    assert "2 clusters cannot carry their load: main, second. In second, 50" in english(finding.message, finding.params)


def test_clusters_with_too_few_nodes_are_one_finding_whose_fix_scales_each():
    load = {"short_from": JUNE, "load_by_month": np.array([1.0, 2.4]), "needed_by_month": np.array([2.0, 9.0])}
    short = [cluster_nodes(cluster=one["id"], short_hours_per_month=hours, **load)
             for one, hours in zip(TWO, (120.0, 60.0), strict=True)]  # fmt: skip

    (finding,) = findings_of("I006", nodes=tuple(short), clusters=TWO)

    assert english(finding.message, finding.params).startswith("2 clusters have too few nodes: main, second. In main,")
    assert [edit.at for edit in finding.fix.edits] == ["cluster", "second"]
    assert english(finding.fix_label, finding.params) == "Scale 2 clusters to the nodes that each needs"


def test_a_month_of_which_nothing_has_a_price_is_not_said_to_cost_at_least_nothing():
    (note,) = findings_of("I015", bills=(bill(line("node", "iowa")),))

    assert english(note.message, note.params).endswith("Without it, the month has no total.")


@pytest.mark.parametrize(("needed", "enough"), [(4.5, 5), (999.2, 1_000), (1_632.0, 1_640), (296_706.0, 297_000)])
def test_more_nodes_than_a_thousand_are_told_in_three_digits_and_are_enough(needed, enough):
    assert enough_nodes(Cluster(id="main"), cluster_nodes(needed_by_month=np.array([1.0, needed]))) == enough


@pytest.mark.parametrize(
    ("access", "rows", "shown"), [("point", 0.998, 1.0), ("point", 0.0, 0.0), ("range", 0.3, 0.3), ("point", 2.5, 2.5)]
)
def test_who_knows_the_whole_key_of_a_row_reads_one_row(access, rows, shown):
    read = replace(plan(access), rows_scanned=rows, rows_returned=rows)

    assert (read.rows_to_scan, read.rows_to_return) == (shown, shown)
