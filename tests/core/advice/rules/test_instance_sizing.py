"""Rules about how many nodes there are and what that costs: headroom, a second cluster, surplus, commitments."""

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from designer.document.edits import apply
from designer.document.money import Money
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.engines import GiB
from estimator.results import BillLine, Failover
from tests.core.advice.rules.made import TODAY, bill, cluster_nodes, estimate, growth, traffic

KEY = (field_part("device", "#"), time_part())


def judge(code, spec, made):
    return [f for f in findings(spec, made, TODAY) if f.rule == code]


def findings_of(code, spec, *, failovers=(), **parts):
    return judge(code, spec, replace(estimate(spec, **parts), failovers=failovers))


def message_of(finding):
    return english(finding.message, finding.params)


def fixed_cluster(count, id="cluster", **more):  # noqa: A002
    return {"id": id, "name": id, "region": "us-central1", "nodes": {"kind": "fixed", "count": count}, **more}


def scaled_cluster(least, most, id="cluster"):  # noqa: A002
    return {"id": id, "name": id, "region": "us-central1", "nodes": {"kind": "autoscaling", "min": least, "max": most}}


def of_clusters(*clusters, latency="sensitive", table=None, **instance):
    look = read_part(binds=("device",), latency=latency)
    return design(*KEY, reads=(look,), table=table, instance={"clusters": clusters, **instance})


def line(item, cost, *, at="cluster", quantity=730, sku=None):
    return BillLine(
        item=item, label="", params={}, at=at, sku=sku or f"bigtable.{item}", where="us-central1",
        quantity=Decimal(quantity), unit="", unit_price=None, price_source="", price_seen="",
        price_origin="missing" if cost is None else "book", cost=None if cost is None else Decimal(cost), low=None,
        high=None, formula="",
    )  # fmt: skip


# --- I003 ---------------------------------------------------------------------------------------------------------


def lost_cluster(load, *, automatic=None, cluster="cluster", other="other"):
    return Failover(cluster, other, load_nodes=load, automatic_nodes=load if automatic is None else automatic)


def pair(*nodes):
    return of_clusters(fixed_cluster(nodes[0]), fixed_cluster(nodes[1], "other"))


def sized_clusters(*nodes):
    ids = ("cluster", "other")
    return tuple(cluster_nodes(cluster=c, nodes_by_month=np.array([n, n])) for c, n in zip(ids, nodes, strict=True))


@pytest.mark.parametrize(
    ("load", "automatic", "severities"),
    [(9.0, 9.0, []), (9.01, 9.01, ["warning"]), (9.01, 9.0, ["note"]), (20.0, 0.0, ["note"])],
)
def test_a_cluster_that_a_loss_fills_by_nine_tenths_warns_if_it_comes_by_itself(load, automatic, severities):
    parts = {"nodes": sized_clusters(10, 10), "failovers": (lost_cluster(load, automatic=automatic),)}

    assert [f.severity for f in findings_of("I003", pair(10, 10), **parts)] == severities


def test_the_fullest_is_named_and_all_get_enough():
    spec, failovers = pair(10, 10), (lost_cluster(10.0), lost_cluster(12.0, cluster="other", other="cluster"))
    (finding,) = findings_of("I003", spec, nodes=sized_clusters(10, 10), failovers=failovers)

    mended, _ = apply(spec, finding.fix)

    assert (finding.at, finding.effect) == ("other", pytest.approx(1.2))
    assert (
        "If cluster fails, other must serve a load of 12 nodes with 10 nodes. Its utilisation then "
        "reaches 120\u00a0% in the busiest hour."
    ) in message_of(finding)
    assert [c.nodes.count for c in mended.instance.clusters] == [17, 20]  # at the target of 60 %


def test_an_autoscaled_cluster_may_use_its_most_nodes():
    spec = of_clusters(scaled_cluster(3, 20), scaled_cluster(3, 20, "other"))

    assert findings_of("I003", spec, nodes=sized_clusters(5, 5), failovers=(lost_cluster(18.0),)) == []
    (finding,) = findings_of("I003", spec, nodes=sized_clusters(5, 5), failovers=(lost_cluster(18.1),))
    mended, _ = apply(spec, finding.fix)
    assert mended.instance.clusters[0].nodes.max == 31


def test_enough_for_a_loss_keeps_to_the_bounds_and_steps_of_the_autoscaler():
    nodes = {"kind": "autoscaling", "min": 2, "max": 20}
    pair_ = [{"id": c, "region": f"us-{c}1", "node_scaling": 2, "nodes": nodes} for c in ("cluster", "other")]
    spec = of_clusters(*pair_)

    (finding,) = findings_of("I003", spec, nodes=sized_clusters(20, 20), failovers=(lost_cluster(18.1),))
    mended, _ = apply(spec, finding.fix)

    assert (mended.instance.clusters[0].nodes.min, mended.instance.clusters[0].nodes.max) == (4, 32)
    assert findings_of("I008", mended) == []


def test_nodes_that_follow_the_need_do_not_follow_a_loss():
    clusters = [{"id": "cluster", "region": "us-central1"}, {"id": "other", "region": "us-west1"}]
    spec = of_clusters(*clusters)

    (finding,) = findings_of("I003", spec, nodes=sized_clusters(5, 5), failovers=(lost_cluster(5.0),))

    assert finding.severity == "warning"
    assert apply(spec, finding.fix)[0].instance.clusters[0].nodes.count == 9


# --- I004 ---------------------------------------------------------------------------------------------------------

BILLED = (line("node", "474.50"), line("storage", "8.50"), line("backup", "3.00", at="backup"))


def test_a_second_cluster_costs_what_the_first_one_does():
    (finding,) = findings_of("I004", of_clusters(fixed_cluster(1)), bills=(bill(*BILLED),))

    assert finding.severity == "note"
    assert finding.params["added_cost"] == Money(Decimal("483.00"), "USD")


def test_without_a_price_it_is_said_what_is_open_instead_of_a_number():
    (finding,) = findings_of(
        "I004", of_clusters(fixed_cluster(1)), bills=(bill(line("node", None), line("storage", "8.50")),)
    )

    assert message_of(finding).endswith("Its cost is open: there is no price for nodes.")


@pytest.mark.parametrize(
    "quiet",
    [
        of_clusters(fixed_cluster(1), fixed_cluster(1, "other")),
        of_clusters(fixed_cluster(1), latency="batch"),
        of_clusters(),
    ],
)
def test_several_clusters_and_readers_that_do_not_wait_need_no_second_one(quiet):
    assert findings_of("I004", quiet, bills=(bill(*BILLED),)) == []


def test_nothing_is_said_of_a_second_cluster_while_nothing_is_billed():
    assert findings_of("I004", of_clusters(fixed_cluster(1))) == []


# --- I007 ---------------------------------------------------------------------------------------------------------

KNOWN = {"traffic": traffic(), "growth": growth()}


def needing(needed, high):
    return (cluster_nodes(needed_by_month=np.array([1.0, needed]), needed_high=float(high)),)


@pytest.mark.parametrize(
    ("nodes", "needed", "high", "spare"),
    [(6, 3, 5, None), (7, 3, 5, 2), (7, 3, 7, None), (8, 3, 7, 1), (2, 1, 1, None), (3, 1, 1, 2)],
)
def test_nodes_above_twice_the_need_and_above_the_cautious_need_are_surplus(nodes, needed, high, spare):
    notes = findings_of("I007", of_clusters(fixed_cluster(nodes)), nodes=needing(needed, high), **KNOWN)

    assert [f.params["spare_nodes"] for f in notes] == ([] if spare is None else [spare])


def test_surplus_nodes_are_said_in_money_of_the_bill():
    parts = {"nodes": needing(3, 5), "bills": (bill(line("node", "4745.00", quantity=7300)),), **KNOWN}

    (finding,) = findings_of("I007", of_clusters(fixed_cluster(10)), **parts)

    assert message_of(finding).endswith("The other 5 nodes are idle and cost $2,370 a month.")


def test_surplus_nodes_without_a_price_say_so():
    parts = {"nodes": needing(3, 5), "bills": (bill(line("node", None)),), **KNOWN}

    (finding,) = findings_of("I007", of_clusters(fixed_cluster(10)), **parts)

    assert message_of(finding).endswith("Their cost is open: there is no price for nodes.")


def test_what_a_loss_asks_for_is_no_surplus():
    spec, parts = pair(10, 10), {"nodes": needing(3, 5), **KNOWN}

    assert (
        findings_of("I007", spec, failovers=(lost_cluster(3.0),), **parts) == []
    )  # ⌈3 ÷ 60 %⌉ = 5 needed, twice that are there
    assert len(findings_of("I007", spec, failovers=(lost_cluster(2.4),), **parts)) == 1


@pytest.mark.parametrize("lacking", ["traffic", "growth"])
def test_nothing_is_surplus_while_the_need_is_not_known(lacking):
    assert findings_of("I007", of_clusters(fixed_cluster(50)), nodes=needing(1, 1), **{**KNOWN, lacking: None}) == []


def test_an_autoscaled_cluster_is_never_oversized():
    assert findings_of("I007", of_clusters(scaled_cluster(10, 50)), nodes=needing(1, 1), **KNOWN) == []


# --- I016 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("gib", "nodes", "told"), [(3.99, 2, True), (4.0, 2, False), (3.99, 1, False)])
def test_little_data_on_several_nodes_is_a_note(gib, nodes, told):
    parts = {"nodes": sized_clusters(nodes, nodes)[:1], "growth": growth(physical_bytes=np.array([0.0, gib * GiB]))}

    assert [f.severity for f in findings_of("I016", of_clusters(fixed_cluster(nodes)), **parts)] == ["note"] * told


def test_a_test_of_the_spread_takes_a_hundred_gib_for_each_node():
    parts = {"nodes": sized_clusters(2, 2)[:1], "growth": growth(physical_bytes=np.array([0.0, GiB]))}

    (finding,) = findings_of("I016", of_clusters(fixed_cluster(2)), **parts)

    assert message_of(finding).endswith("Load tests are meaningful from 200 GiB.")


# --- I022 ---------------------------------------------------------------------------------------------------------


def month(committed, covered):
    """A one-year commitment of so many dollars a month on demand, of which so many are used."""
    fee, used = Decimal(committed) * Decimal("0.8"), -Decimal(covered)
    return bill(line("commitment_covered", used, at=""), line("commitment", fee, at="", quantity=committed))


@pytest.mark.parametrize(
    ("covered", "severities"),
    [((950, 950), []), ((949, 949), ["warning"]), ((1000, 900), []), ((1000, 898), ["warning"])],
)
def test_a_commitment_unused_by_more_than_a_twentieth_warns_over_the_horizon(covered, severities):
    bills = tuple(month(1000, used) for used in covered)

    assert [f.severity for f in findings_of("I022", of_clusters(fixed_cluster(1)), bills=bills)] == severities


def test_a_commitment_that_still_saves_says_so_and_one_that_does_not_says_what_it_costs():
    spec = of_clusters(fixed_cluster(1))

    (saves,) = findings_of("I022", spec, bills=(month(1000, 900),))
    (loses,) = findings_of("I022", spec, bills=(month(1000, 500),))

    assert "$80 (10\u00a0%) of the $800.00 monthly commitment covers no nodes" in message_of(saves)
    assert "The commitment still saves $100" in message_of(saves)
    assert "$300 more than without a commitment" in message_of(loses)


def test_no_commitment_and_one_whose_price_is_open_are_left_alone():
    spec = of_clusters(fixed_cluster(1))
    open_ = bill(line("commitment_covered", None, at=""), line("commitment", None, at=""))

    assert findings_of("I022", spec, bills=(bill(*BILLED),)) == findings_of("I022", spec, bills=(open_,)) == []


# --- I024 ---------------------------------------------------------------------------------------------------------

GROWN = growth(physical_bytes=np.array([0.0, 10 * GiB]))


def test_a_table_without_a_backup_says_how_much_could_not_be_restored():
    (finding,) = findings_of("I024", of_clusters(fixed_cluster(1)), growth=GROWN)

    assert message_of(finding) == "events has no backup. An accidental delete would permanently lose 10 GiB."


def with_table(spec, table):
    shape = spec.model_dump(exclude_unset=True)
    return type(spec).model_validate({**shape, "tables": [*shape["tables"], table]})


def test_a_table_with_a_backup_needs_no_other():
    assert findings_of("I024", of_clusters(fixed_cluster(1), table={"backups": [{"id": "b"}]}), growth=GROWN) == []


def test_a_table_that_is_made_from_another_needs_none():
    view = {"id": "view", "name": "view", "derived_from": {"table": "table", "how": "materialised_view"}}
    spec = with_table(of_clusters(fixed_cluster(1), table={"backups": [{"id": "b"}]}), view)
    made = estimate(spec, growth=GROWN)

    assert judge("I024", spec, replace(made, tables={"view": replace(made.tables["table"], table="view")})) == []


def test_many_tables_without_a_backup_are_one_note_at_the_largest():
    spec = with_table(of_clusters(fixed_cluster(1)), {"id": "big", "name": "big"})
    made = estimate(spec, growth=GROWN)
    part = made.tables["table"]
    bigger = replace(part, table="big", growth=growth(physical_bytes=np.array([0.0, 30 * GiB])))

    (finding,) = judge("I024", spec, replace(made, tables={"table": part, "big": bigger}))

    assert (finding.at, finding.effect) == ("big", 40.0)
    assert message_of(finding).startswith(
        "2 tables have no backup; the largest are big, events. An accidental delete would permanently lose 40 GiB."
    )


@pytest.mark.parametrize(("age_days", "told"), [((7, 7), False), ((7, 7.01), True), ((7, None), True)])
def test_what_is_gone_after_a_week_anyway_needs_no_backup(age_days, told):
    rules = [{"kind": "max_age", "age_days": days} if days else None for days in age_days]
    families = [{"id": f"family{n}", "gc": gc} for n, gc in enumerate(rules)]

    assert bool(findings_of("I024", of_clusters(fixed_cluster(1), table={"families": families}), growth=GROWN)) == told


@pytest.mark.parametrize(("tables", "told"), [(7, False), (8, True), (None, True)])
def test_what_is_dropped_with_its_table_after_a_week_needs_no_backup(tables, told):
    table = {"rotation": {"period": "day", "kept_tables": tables}}

    assert bool(findings_of("I024", of_clusters(fixed_cluster(1), table=table), growth=GROWN)) == told


def test_a_table_whose_size_is_not_known_is_left_alone():
    assert findings_of("I024", of_clusters(fixed_cluster(1))) == []
