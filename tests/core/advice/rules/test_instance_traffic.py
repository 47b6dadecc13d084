"""Rules about who meets whom on an instance: batch and serving, readers elsewhere, sorted loads, hot neighbours."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.money import Money
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import DEVICE, design, field_part, read_part, time_part
from estimator.engines import GiB
from estimator.results import BillLine
from tests.core.advice.rules.made import (
    TODAY,
    bill,
    cluster_nodes,
    estimate,
    front,
    growth,
    keys,
    placement,
    plan,
    segment,
    traffic,
    write_load,
)

KEY = (field_part("device", "#"), time_part())


def judge(code, spec, made):
    return [one for f in findings(spec, made, TODAY) for one in (f, *f.under) if one.rule == code]


def findings_of(code, spec, **parts):
    return judge(code, spec, estimate(spec, **parts))


def message_of(finding):
    return english(finding.message, finding.params)


def clusters(*ids, count=10):
    nodes = {"kind": "fixed", "count": count}
    return [{"id": id, "name": id, "region": f"us-{id}1", "nodes": nodes} for id in ids]  # noqa: A001


# --- I010 ---------------------------------------------------------------------------------------------------------


def with_report(*ids, waits="sensitive", profile=None, at=None):
    look = read_part(binds=("device",), latency=waits)
    to = {} if profile is None else {"app_profile": "p"}
    report = read_part(id="report", name="report", latency="batch", profile=at, **to)
    named = [] if profile is None else [{"id": "p", **profile}]
    return design(*KEY, reads=(look, report), instance={"clusters": clusters(*ids or ("west",)), "app_profiles": named})


def busy(nodes, *, per_second=1.0):
    """The report keeps so many nodes busy; lookups a hundredth of one."""
    return (
        plan("scan", read="report", per_second=per_second, node_seconds=nodes / per_second),
        plan("point", per_second=100.0, node_seconds=1e-4),
    )


TEN = (cluster_nodes(cluster="west", nodes_by_month=np.array([10.0, 10.0])),)


@pytest.mark.parametrize(("nodes", "severities"), [(1.99, []), (2.0, ["warning"])])
def test_batch_work_of_a_fifth_of_the_nodes_warns(nodes, severities):
    findings_ = findings_of("I010", with_report(), reads=busy(nodes), nodes=TEN)

    assert [f.severity for f in findings_] == severities


def test_batch_work_is_judged_while_it_runs():
    all_day, short = with_report(), with_report(at={"kind": "batch", "hours": 4})

    assert findings_of("I010", all_day, reads=busy(1.0), nodes=TEN) == []
    (finding,) = findings_of("I010", short, reads=busy(1.0), nodes=TEN)  # six times the mean
    assert message_of(finding).startswith(
        "report uses 6 nodes of west while it runs, 60\u00a0% of its nodes. Latency-sensitive reads such as look up"
    )


@pytest.mark.parametrize(
    "quiet",
    [
        with_report(waits="batch"),
        with_report(profile={"routing": "single", "clusters": ["west"], "data_boost": True}),
        with_report(profile={"routing": "single", "clusters": ["west"], "priority": "low"}),
    ],
)
def test_batch_work_that_nobody_waits_beside_or_that_steps_back_is_fine(quiet):
    assert findings_of("I010", quiet, reads=busy(9.0), nodes=TEN) == []


def batch_from(hour):
    return {"kind": "batch", "start_hour": hour, "hours": 4}


@pytest.mark.parametrize(("hour", "expected"), [(2, []), (10, [6.0])])
def test_batch_work_slows_those_only_who_wait_at_that_time(hour, expected):
    """Lookups come from 9 to 17 o'clock; the report runs for 4 hours at six times its mean."""
    spec = with_report(at=batch_from(hour))
    document = spec.model_dump(mode="json", exclude_unset=True)
    document["tables"][0]["row_kinds"][0]["reads"][0]["profile"] = {"kind": "batch", "start_hour": 9, "hours": 8}

    noted = findings_of("I010", Spec.model_validate(document), reads=busy(1.0), nodes=TEN)

    assert [f.params["batch_nodes"] for f in noted] == pytest.approx(expected)


@pytest.mark.parametrize(("hour", "nodes"), [(1, 12.0), (4, 12.0), (5, 6.0), (9, 6.0)])
def test_batches_at_different_hours_are_not_added_up(hour, nodes):
    spec = with_report(at=batch_from(2))
    document = spec.model_dump(mode="json", exclude_unset=True)
    reads = document["tables"][0]["row_kinds"][0]["reads"]
    reads.append({**reads[1], "id": "second", "name": "second", "profile": batch_from(hour + 1)})
    plans = (*busy(1.0), plan("scan", read="second", per_second=1.0, node_seconds=1.0))

    (finding,) = findings_of("I010", Spec.model_validate(document), reads=plans, nodes=TEN)

    assert finding.params["batch_nodes"] == pytest.approx(nodes)


def test_each_of_several_clusters_has_its_share_of_both_reads():
    spec = with_report("west", "east")
    sized = (*TEN, cluster_nodes(cluster="east", nodes_by_month=np.array([10.0, 10.0])))

    noted = findings_of("I010", spec, reads=busy(8.0), nodes=sized)

    assert [(f.params["batch_nodes"], f.params["waiting_per_second"]) for f in noted] == [(4.0, 50.0)] * 2


def test_batch_work_on_a_cluster_of_its_own_is_fine():
    apart = with_report("west", "east", profile={"routing": "single", "clusters": ["east"]})
    whole = apart.model_dump(mode="json", exclude_unset=True)
    whole["instance"]["app_profiles"].append({"id": "q", "routing": "single", "clusters": ["west"]})
    whole["tables"][0]["row_kinds"][0]["reads"][0]["app_profile"] = "q"
    sized = (*TEN, cluster_nodes(cluster="east", nodes_by_month=np.array([10.0, 10.0])))

    assert findings_of("I010", Spec.model_validate(whole), reads=busy(9.0), nodes=sized) == []


# --- I012 ---------------------------------------------------------------------------------------------------------


def reading_from(region="asia-northeast1", **where):
    return design(
        *KEY,
        reads=(read_part(binds=("device",), where={"region": region, **where}),),
        instance={"clusters": clusters("west")},
    )


def line(item, cost, *, at, where="", unit_price=None, quantity=100):
    return BillLine(
        item=item, label="", params={}, at=at, sku=f"sku.{item}", where=where, quantity=Decimal(quantity), unit="GiB",
        unit_price=None if unit_price is None else Decimal(unit_price), price_source="", price_seen="",
        price_origin="missing" if cost is None else "book", cost=None if cost is None else Decimal(cost), low=None,
        high=None, formula="",
    )  # fmt: skip


def egress_bills(egress, node="1000", *, route="us-west1>asia-northeast1"):
    crossing = line("egress", egress, at="read", where=route, unit_price=None if egress is None else "0.08")
    return (bill(line("node", node, at="west"), crossing),)


@pytest.mark.parametrize(
    ("egress", "severities"),
    [("10.00", []), ("10.11", ["note"]), ("111.00", ["note"]), ("112.00", ["warning"])],
)
def test_answers_across_regions_are_noted_from_a_hundredth_and_warn_from_a_tenth_of_the_bill(egress, severities):
    notes = findings_of("I012", reading_from(), bills=egress_bills(egress))

    assert [f.severity for f in notes] == severities


def test_it_warns_where_a_cluster_near_the_readers_would_pay_for_itself():
    other = line("change_stream", "100000", at="table")  # something else makes the bill large
    crossing, node = line("egress", "1200", at="read", where="a>b", unit_price="0.08"), line("node", "1000", at="west")
    spec = reading_from()

    (finding,) = findings_of("I012", spec, bills=(bill(other, crossing, node),))

    assert finding.severity == "warning"
    assert finding.params["near_cost"] == Money(Decimal("1000.00"), "USD")


def test_a_cluster_near_the_readers_must_be_sent_every_write():
    sent = growth(mutation_bytes_per_second=GiB / 3_600)  # one GiB an hour, 730 a month

    (finding,) = findings_of("I012", reading_from(), bills=egress_bills("200"), growth=sent)

    assert finding.params["near_cost"] == Money(Decimal("1058.40"), "USD")


def test_without_a_price_the_volume_is_said_instead_of_money():
    (finding,) = findings_of("I012", reading_from(), bills=egress_bills(None))

    assert finding.severity == "note"
    assert message_of(finding).endswith(
        "receive 100 GiB a month across regions. The cost is open: there is no price for egress."
    )


def test_on_tablestore_readers_elsewhere_are_readers_on_the_internet():
    look = read_part(binds=("device",), where={"region": "cn-shanghai"})
    spec = design(*KEY, engine="tablestore", reads=(look,), instance={})
    egress, storage = line("internet_egress", "200", at="read", where="cn-hangzhou"), line("storage", "800", at="table")

    (finding,) = findings_of("I012", spec, bills=(bill(storage, egress),))

    assert finding.severity == "warning"
    assert message_of(finding).endswith("The cost of a nearby cluster is not available.")


@pytest.mark.parametrize(
    ("spec", "route"),
    [
        (reading_from("us-west1", zone="us-west1-b"), "us-west1>us-west1"),
        (design(*KEY, reads=(read_part(where={"internet": "asia"}),), instance={"clusters": clusters("west")}), "asia"),
    ],
)
def test_readers_in_another_zone_or_on_the_internet_are_not_in_another_region(spec, route):
    assert findings_of("I012", spec, bills=egress_bills("900", route=route)) == []


def test_reads_of_one_region_are_one_finding_at_the_largest():
    spec = design(
        *KEY,
        reads=tuple(read_part(id=name, where={"region": "asia-east1"}) for name in ("few", "many")),
        instance={"clusters": clusters("west")},
    )
    few, many = (
        line("egress", 40 * q, at=at, where="us-west1>asia-east1", quantity=q) for at, q in (("few", 1), ("many", 2))
    )

    (finding,) = findings_of("I012", spec, bills=(bill(line("node", 500, at="west"), few, many),))

    assert (finding.at, finding.params["egress_cost"]) == ("many", Money(Decimal(120), "USD"))


# --- I019 ---------------------------------------------------------------------------------------------------------


def loading(*, sorted=True, engine="bigtable"):  # noqa: A002
    arrival = {"kind": "backfill", "days": 30, "sorted": sorted}
    return design(*KEY, engine=engine, activity={"arrival": arrival})


def arriving(rate, node_seconds):
    return traffic(writes=(write_load(rate, node_seconds_per_row=node_seconds),))


def test_a_load_of_history_is_noted_with_its_share_of_what_is_written():
    (finding,) = findings_of("I025", loading(sorted=False), traffic=arriving(50.0, 1e-4))

    assert (finding.severity, finding.at, finding.params["load_share"]) == ("note", "activity", 1.0)
    assert findings_of("I025", loading(), traffic=arriving(0.0, 1e-4)) == []


@pytest.mark.parametrize(("rate", "told"), [(1_999.0, False), (2_000.0, True)])
def test_a_load_in_key_order_warns_from_a_fifth_of_a_node(rate, told):
    warnings = findings_of("I019", loading(), traffic=arriving(rate, 1e-4))

    assert [f.severity for f in warnings] == ["warning"] * told


@pytest.mark.parametrize(("rate", "told"), [(999.0, False), (1_000.0, True)])
def test_on_tablestore_it_is_noted_from_what_one_partition_takes(rate, told):
    notes = findings_of("I019", loading(engine="tablestore"), traffic=arriving(rate, 0.0))

    assert ["one partition at a time" in message_of(f) for f in notes] == [True] * told


def test_a_load_in_key_order_says_what_one_node_must_do_and_shuffling_mends_it():
    spec, load = loading(), arriving(20_000.0, 1e-4)
    (finding,) = findings_of("I019", spec, traffic=load)

    mended, _ = apply(spec, finding.fix)

    assert "One node must serve this load, 200\u00a0% of its limit. The threshold is 2,000/s." in message_of(finding)
    assert findings_of("I019", mended, traffic=load) == []


def test_a_shuffled_load_and_a_steady_stream_are_fine():
    assert findings_of("I019", loading(sorted=False), traffic=arriving(50_000.0, 1e-4)) == []
    assert findings_of("I019", design(*KEY), traffic=arriving(50_000.0, 1e-4)) == []


# --- I023 ---------------------------------------------------------------------------------------------------------


def two_tables(*, latency="sensitive", key=KEY, at=("west",)):
    spec = design(*key, fields=(DEVICE,), instance={"clusters": clusters(*at)})
    look = read_part(id="look", binds=("device",), latency=latency)
    other = {"id": "other", "name": "other", "row_kinds": [{"id": "k", "reads": [look]}]}
    whole = spec.model_dump(mode="json", exclude_unset=True)
    return Spec.model_validate({**whole, "tables": [*whole["tables"], other]})


def meeting(spec, utilisation, *, limited_by="front", per_second=100.0, **parts):
    full = placement(
        cluster="west", peak_utilisation=utilisation, limited_by=limited_by, limiting_table="table", nodes=4
    )
    made = estimate(spec, placements=(full,), **parts)
    other = replace(made.tables["table"], table="other", reads=(plan("point", read="look", per_second=per_second),))
    return replace(made, tables={**made.tables, "other": other})


@pytest.mark.parametrize(
    ("utilisation", "limited_by", "severities"),
    [(0.9, "front", []), (0.91, "front", ["warning"]), (0.91, "row", ["warning"]), (2.0, "cluster", [])],
)
def test_readers_beside_a_table_that_fills_a_node_are_warned_of(utilisation, limited_by, severities):
    spec = two_tables()

    notes = judge("I023", spec, meeting(spec, utilisation, limited_by=limited_by))

    assert [(f.severity, f.at) for f in notes] == [(severity, "table") for severity in severities]


def test_it_says_how_many_meet_the_full_node():
    spec = two_tables()

    (finding,) = judge("I023", spec, meeting(spec, 1.2))

    assert "Latency-sensitive reads of other share these nodes: about 25/s of 100/s reach the full node." in message_of(
        finding
    )


def test_it_counts_the_share_of_reads_that_comes_to_the_full_cluster():
    spec = two_tables(at=("west", "east"))

    (finding,) = judge("I023", spec, meeting(spec, 1.2))

    assert (finding.params["waiting_per_second"], finding.params["slowed_per_second"]) == (50.0, 12.5)


def test_a_neighbour_that_nobody_waits_for_does_not_mind():
    spec = two_tables(latency="batch")

    assert judge("I023", spec, meeting(spec, 1.2)) == []


def test_it_stands_under_the_rule_that_says_why_the_node_is_full():
    spec = two_tables(key=(time_part("#"), field_part("device")))
    facts = {"keys": keys(spec, segment("time_part", "time")), "traffic": traffic(fronts=(front("time_part", 1.5),))}

    (cause,) = [f for f in findings(spec, meeting(spec, 1.5, **facts), TODAY) if f.rule == "K004"]

    assert "I023" in [f.rule for f in cause.under]
