"""Rules about what an instance is set to: regions, routing, autoscaling, storage type, backups."""

import numpy as np
import pytest

from designer.document.dump import to_plain_data
from designer.document.edits import apply
from designer.document.instance import Calibration
from designer.document.load import from_data
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.advice.rules.tables import secondary_index_unfit
from estimator.engines import TiB
from tests.cases import cases
from tests.core.advice.rules.made import TODAY, estimate, growth, plan, traffic, write_load

KEY = (field_part("device", "#"), time_part())


def findings_of(code, spec, **parts):
    return [f for f in findings(spec, estimate(spec, **parts), TODAY) if f.rule == code]


def message_of(finding):
    return english(finding.message, finding.params)


def clusters(*regions, **more):
    return [{"id": f"c{n}", "name": f"c{n}", "region": region, **more} for n, region in enumerate(regions)]


def of_instance(*regions, reads=(), write=None, table=None, **instance):
    named = {"clusters": clusters(*regions or ("us-central1",)), **instance}
    return design(*KEY, reads=reads, write=write, table=table, instance=named)


# --- I001 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("count", "at"), [(8, []), (9, ["c8"])])
def test_a_ninth_region_is_one_too_many(count, at):
    spec = of_instance(*(f"us-central{n}" for n in range(count)))

    assert [f.at for f in findings_of("I001", spec)] == at


def test_many_zones_of_one_region_are_one_region_but_a_zone_takes_one_cluster():
    zones = [{"id": f"z{n}", "region": "us-central1", "zone": f"us-central1-{'abcdefghij'[n]}"} for n in range(9)]
    apart = design(*KEY, instance={"clusters": zones})
    same = design(*KEY, instance={"clusters": [*zones[:2], {**zones[0], "id": "again"}]})

    assert findings_of("I001", apart) == []
    (finding,) = findings_of("I001", same)
    assert (finding.at, finding.severity) == ("again", "error")
    assert (
        message_of(finding)
        == "Clusters z0 and again are both in us-central1-a. Each zone can hold only one cluster of an instance."
    )


def test_clusters_of_which_no_zone_is_said_are_no_neighbours():
    assert findings_of("I001", of_instance("us-central1", "us-central1")) == []


# --- I002 ---------------------------------------------------------------------------------------------------------

PROFILES = [
    {"id": "any", "routing": "multi"},
    {"id": "one", "routing": "single", "clusters": ["c0"], "transactions": True},
    {"id": "off", "routing": "single", "clusters": ["c0"]},
]


def transacting(profile, *regions, mode="increment"):
    to = {} if profile is None else {"app_profile": profile}
    return of_instance(*regions, write={"mode": mode, **to}, app_profiles=PROFILES)


@cases("mode", ["increment", "read_modify_write", "check_and_mutate"])
@cases(
    "profile, regions, severities",
    [
        (None, 1, []),
        (None, 2, ["error"]),
        ("any", 1, ["error"]),
        ("one", 2, []),
        ("off", 2, ["error"]),
    ],
)
def test_a_transaction_needs_a_profile_with_one_cluster_that_allows_it(mode, profile, regions, severities):
    spec = transacting(profile, *("us-central1", "us-west1")[:regions], mode=mode)

    assert [f.severity for f in findings_of("I002", spec)] == severities


@pytest.mark.parametrize("mode", ["append_row", "overwrite", "add_to_aggregate"])
def test_other_writes_may_go_anywhere(mode):
    assert findings_of("I002", transacting("any", "us-central1", "us-west1", mode=mode)) == []


def test_what_is_refused_is_said_with_its_rate_as_written_or_as_asked_for():
    spec = transacting("any", "us-central1", "us-west1")

    (known,) = findings_of("I002", spec, traffic=traffic(writes=(write_load(7.0),)))
    (unknown,) = findings_of("I002", spec)

    assert "The engine rejects every request: 7/s." in message_of(known)
    assert "The engine rejects every request: 5,000/s." in message_of(unknown)


def test_switching_transactions_on_mends_it():
    spec = transacting("off", "us-central1", "us-west1")
    (finding,) = findings_of("I002", spec)

    mended, _ = apply(spec, finding.fix)

    assert findings_of("I002", mended) == []


def test_a_profile_that_promises_both_cannot_be_made():
    spec = of_instance("us-central1", app_profiles=[{"id": "p", "routing": "multi", "transactions": True}])

    (finding,) = findings_of("I002", spec)

    assert (finding.at, finding.severity) == ("p", "error")


# --- I008 ---------------------------------------------------------------------------------------------------------


def scaled_design(least, most, *, storage="ssd", step=1, **targets):
    nodes = {"kind": "autoscaling", "min": least, "max": most, **targets}
    return design(
        *KEY, instance={"storage": storage, "clusters": clusters("us-central1", nodes=nodes, node_scaling=step)}
    )


@cases("spec, wrong", [
        (scaled_design(1, 10), None),
        (scaled_design(1, 11), "a minimum of 2 nodes for a maximum of 11 nodes (now 1 node)"),
        (scaled_design(0, 5), "a minimum of 1 node for a maximum of 5 nodes (now 0 nodes)"),
        (scaled_design(2, 20, step=2), None),
        (scaled_design(3, 20, step=2), "even node counts with 2× node scaling"),
        (scaled_design(1, 5, cpu_target=0.1), None),
        (scaled_design(1, 5, cpu_target=0.8), None),
        (scaled_design(1, 5, cpu_target=0.81), "a CPU target from 10\u00a0% to 80\u00a0% (now 81\u00a0%)"),
        (scaled_design(1, 5, cpu_target=0.09), "a CPU target from 10\u00a0% to 80\u00a0% (now 9\u00a0%)"),
        (scaled_design(1, 5, storage_target_gib=2_560), None),
        (scaled_design(1, 5, storage_target_gib=5_120), None),
        (
            scaled_design(1, 5, storage_target_gib=2_559),
            "a storage target from 2,560 GiB to 5,120 GiB per node (now 2,559 GiB)",
        ),
        (scaled_design(1, 5, storage_target_gib=8_192, storage="hdd"), None),
        (
            scaled_design(1, 5, storage_target_gib=16_385, storage="hdd"),
            "a storage target from 8,192 GiB to 16,384 GiB per node (now 16,385 GiB)",
        ),
    ])  # fmt: skip
def test_the_autoscaler_is_held_to_what_the_engine_takes_and_mended(spec, wrong):
    notes = findings_of("I008", spec)

    assert [message_of(f) for f in notes] == (
        [f"The engine rejects the autoscaler settings of c0. It requires {wrong}."] if wrong else []
    )
    for finding in notes:
        assert findings_of("I008", apply(spec, finding.fix)[0]) == []


@pytest.mark.parametrize(("count", "step", "even"), [(3, 2, 4), (4, 2, None), (3, 1, None)])
def test_a_fixed_count_is_even_with_node_scaling_by_two(count, step, even):
    nodes = {"kind": "fixed", "count": count}
    spec = design(*KEY, instance={"clusters": clusters("us-central1", nodes=nodes, node_scaling=step)})

    assert [f.fix.value["count"] for f in findings_of("I008", spec)] == ([even] if even else [])


def test_all_that_is_wrong_with_an_autoscaler_is_one_finding_with_one_fix():
    spec = scaled_design(1, 31, cpu_target=0.9, storage_target_gib=1, step=2)
    (finding,) = findings_of("I008", spec)

    mended, _ = apply(spec, finding.fix)

    assert len(finding.params["wanted"]) == 3
    assert mended.instance.clusters[0].nodes.model_dump() == {
        "kind": "autoscaling", "min": 4, "max": 32, "cpu_target": 0.8, "storage_target_gib": 2_560,
    }  # fmt: skip


# --- I009, I013 ---------------------------------------------------------------------------------------------------


def stored_growth(tib):
    return growth(physical_bytes=np.array([tib * TiB, tib * TiB / 2]))


def looked_up(per_second, **more):
    return (plan("point", per_second=per_second, ranges=1.0, **more),)


def on(storage, *, latency="sensitive", nodes=None, **profile):
    to = {"app_profile": "p"} if profile else {}
    return design(
        *KEY,
        reads=(read_part(binds=("device",), latency=latency, **to),),
        instance={
            "storage": storage,
            "clusters": clusters("us-central1", **({"nodes": {"kind": "fixed", "count": nodes}} if nodes else {})),
            "app_profiles": ({"id": "p", **profile},) if profile else (),
        },
    )


@pytest.mark.parametrize(("tib", "severities"), [(9.99, ["warning"]), (10.0, [])])
def test_hdd_below_ten_terabytes_warns(tib, severities):
    findings_ = findings_of("I009", on("hdd"), growth=stored_growth(tib))

    assert [f.severity for f in findings_] == severities


@pytest.mark.parametrize(
    ("per_second", "nodes", "severities"),
    # Somebody waits: 10.5 TiB ÷ 9,830 GiB (60 % of 16 TiB) are two nodes, of 500 lookups a second each.
    [(1_000, None, []), (1_001, None, ["warning"]), (2_000, 4, []), (2_001, 4, ["warning"])],
)
def test_hdd_warns_of_more_lookups_than_the_nodes_for_the_data_serve(per_second, nodes, severities):
    findings_ = findings_of("I009", on("hdd", nodes=nodes), growth=stored_growth(10.5), reads=looked_up(per_second))

    assert [f.severity for f in findings_] == severities


def test_lookups_of_hdd_are_those_that_were_measured():
    # 1,000/s at half of a node: 2,000/s, four times what is published. Two nodes for the data serve 4,000/s.
    measured = Calibration(nodes=1, cpu_share=0.5, reads_per_second=1_000, storage="hdd")
    spec = on("hdd")
    spec = spec.model_copy(update={"instance": spec.instance.model_copy(update={"calibration": measured})})

    counts = [
        len(findings_of("I009", spec, growth=stored_growth(10.5), reads=looked_up(rate))) for rate in (4_000, 4_001)
    ]

    assert counts == [0, 1]


@pytest.mark.parametrize("quiet", [on("ssd"), on("hdd", latency="batch"), on("hdd", data_boost=True)])
def test_reads_that_nobody_waits_for_do_not_speak_against_hdd(quiet):
    assert findings_of("I009", quiet, growth=stored_growth(10.5), reads=looked_up(50_000)) == []


def test_hdd_with_too_many_lookups_says_what_ssd_would_need():
    (finding,) = findings_of("I009", on("hdd"), growth=stored_growth(1), reads=looked_up(8_500))

    assert "The lookups need 17 nodes on HDD, or 0.5 nodes on SSD. The threshold is 500/s." in message_of(finding)


def test_an_unfit_choice_of_hdd_is_told_once_with_its_finality_under_it():
    (finding,) = [
        f for f in findings(on("hdd"), estimate(on("hdd"), growth=stored_growth(1)), TODAY) if f.rule == "I009"
    ]

    assert [f.rule for f in finding.under] == ["I013"]


@pytest.mark.parametrize(
    ("storage", "tib", "latency", "told"),
    [
        ("hdd", 20, "sensitive", True),
        ("ssd", 10, "batch", True),
        ("ssd", 9.99, "batch", False),
        ("ssd", 20, "sensitive", False),
    ],
)
def test_that_the_storage_type_is_final_is_said_where_the_choice_is_open(storage, tib, latency, told):
    notes = findings_of("I013", on(storage, latency=latency), growth=stored_growth(tib), reads=looked_up(1))

    assert [f.severity for f in notes] == (["note"] if told else [])


def test_nothing_is_said_of_a_storage_type_while_the_size_is_not_known():
    assert findings_of("I009", on("hdd")) == findings_of("I013", on("hdd")) == []


# --- I011 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "looked", "regions", "told"),
    [
        (None, None, 1, False),
        ("any", "any", 1, False),
        (None, None, 2, True),
        ("any", "one", 2, True),
        ("one", "any", 2, True),
        ("one", "one", 2, False),
        ("one", "other", 2, True),
    ],
)
def test_a_read_that_must_see_its_own_write_shares_one_cluster_with_it(written, looked, regions, told):
    profiles = [*PROFILES, {"id": "other", "routing": "single", "clusters": ["c1"]}][: 4 if regions > 1 else 3]
    to = [{} if profile is None else {"app_profile": profile} for profile in (written, looked)]
    look = read_part(binds=("device",), sees_own_write=True, **to[1])
    spec = of_instance(
        *("us-central1", "us-west1")[:regions], write=to[0], reads=(look,), app_profiles=profiles
    )  # fmt: skip

    assert [f.severity for f in findings_of("I011", spec)] == (["note"] if told else [])


def test_a_read_that_may_be_a_moment_old_is_left_alone():
    assert findings_of("I011", of_instance("us-central1", "us-west1", reads=(read_part(binds=("device",)),))) == []


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("materialised_view", True), ("global_index", True), ("local_index", False), ("dual_write", False),
        ("index_table", False),
    ],
)  # fmt: skip
def test_a_view_or_a_global_index_is_behind_its_table_also_in_one_cluster(how, told):
    data = to_plain_data(secondary_index_unfit.RULE.bad())
    index = data["tables"][1]
    index["derived_from"]["how"] = how
    index["row_kinds"][0]["reads"][0]["sees_own_write"] = True

    notes = findings_of("I011", from_data(data))

    assert [english(f.message, f.params) for f in notes] == (
        [
            "look up on by_amount must read its own writes, but the engine updates by_amount in the background, after "
            "a write to purchases has been confirmed."
        ]
        if told
        else []
    )


# --- I014 ---------------------------------------------------------------------------------------------------------


@cases(
    "backup, wrong",
    [
        ({"kept_days": 3}, None),
        ({"kept_days": 2.9}, "retention is 2.9 days (minimum 3 days)"),
        ({"kept_days": 90}, None),
        ({"kept_days": 90.1}, "retention is 90.1 days (maximum 90 days)"),
        ({"kept_days": 30, "copies": ["us-west1"]}, None),
        ({"kept_days": 31, "copies": ["us-west1"]}, "copies are kept for 31 days (maximum 30 days)"),
        ({"kept_days": 0.25, "automated": False}, None),
        ({"kept_days": 0.24, "automated": False}, "retention is 5.76 hours (minimum 6 hours)"),
        ({"every_hours": 12}, "the interval is 12 hours (automated backups require 24 hours)"),
        ({"every_hours": 12, "automated": False}, None),
        ({"copies": ["us-west1", " "]}, "the destination region is not specified"),
        ({}, None),
        ({"kind": "hot"}, None),
        ({"kind": "hot", "infrequent": 30}, "a table with infrequent access has no hot backups"),
        ({"kind": "hot", "storage": "hdd"}, "hot backups require SSD"),
        ({"infrequent": 30}, None),
    ],
)
def test_a_backup_is_held_to_what_the_engine_takes_and_mended(backup, wrong):
    backup = dict(backup)
    cold, storage = backup.pop("infrequent", None), backup.pop("storage", "ssd")
    spec = of_instance(table={"backups": [{"id": "backup", **backup}], "infrequent_access_days": cold}, storage=storage)
    notes = findings_of("I014", spec)

    assert [message_of(f) for f in notes] == ([f"The engine rejects this backup of events: {wrong}."] if wrong else [])
    for finding in notes:
        assert findings_of("I014", apply(spec, finding.fix)[0]) == []


@pytest.mark.parametrize(("days", "count"), [(365, 0), (366, 1)])
def test_enterprise_plus_keeps_backups_for_a_year(days, count):
    spec = of_instance(table={"backups": [{"id": "backup", "kept_days": days}]}, edition="enterprise_plus")

    assert len(findings_of("I014", spec)) == count


def test_all_that_is_wrong_with_a_backup_is_one_finding():
    spec = of_instance(table={"backups": [{"id": "backup", "kept_days": 1, "every_hours": 1, "copies": [""]}]})
    (finding,) = findings_of("I014", spec)

    mended, _ = apply(spec, finding.fix)

    assert len(finding.params["reasons"]) == 3
    assert findings_of("I014", mended) == []
