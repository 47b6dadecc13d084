"""I027: settings that the engine refuses, alone or beside another one."""

import pytest

from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.instance.settings_excluded import RULE
from estimator.advice.rules.shared.examples import (
    field_part,
    key_column,
    read_part,
    readings,
    tablestore_design,
    time_part,
)
from tests.core.advice.rules.made import TODAY, estimate

WEST = {"id": "west", "name": "west", "region": "us-west1"}
EAST = {"id": "east", "name": "east", "region": "us-east1"}
BOOST = {"id": "boost", "name": "boost", "routing": "single", "clusters": ["west"], "data_boost": True}


def of(*, table=None, read=None, write=None, age_days=90, **instance):
    return readings(
        field_part("device", "#"),
        time_part(),
        per_second=100,
        gc={"kind": "max_age", "age_days": age_days},
        table=table,
        write=write,
        reads=(read_part(binds=("device",), time={"days": 60}, **(read or {})),),
        instance={"clusters": [WEST, EAST], **instance},
    )


def findings_of(spec):
    return [f for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]


def messages_of(spec):
    return [english(f.message, f.params) for f in findings_of(spec)]


@pytest.mark.parametrize(
    ("table", "storage", "reasons"),
    [
        ({"infrequent_access_days": 29}, "ssd", "infrequent access begins after 29 days (minimum 30 days)"),
        ({"infrequent_access_days": 60}, "hdd", "infrequent access requires SSD"),
        ({"change_stream_days": 8}, "ssd", "the change stream is kept for 8 days (allowed: 1 day to 7 days)"),
    ],
)
def test_what_a_table_cannot_have_is_said_and_mended(table, storage, reasons):
    spec = of(table=table, storage=storage)

    assert messages_of(spec) == [f"The engine rejects the settings of events: {reasons}."]
    (finding,) = findings_of(spec)
    assert finding.fix_safe
    assert messages_of(apply(spec, finding.fix)[0]) == []


@pytest.mark.parametrize(
    "table", [{"infrequent_access_days": 30}, {"change_stream_days": 1}, {"change_stream_days": 7}]
)
def test_the_nearest_that_is_accepted_is_quiet(table):
    assert findings_of(of(table=table)) == []


def test_data_boost_reads_through_one_cluster():
    spec = of(read={"app_profile": "boost"}, app_profiles=[{**BOOST, "routing": "multi", "clusters": []}])

    assert messages_of(spec) == [
        "The engine rejects the settings of boost: Data Boost requires single-cluster routing."
    ]
    mended, _ = apply(spec, findings_of(spec)[0].fix)
    assert (findings_of(mended), mended.instance.app_profiles[0].clusters) == ([], ("west",))


@pytest.mark.parametrize(
    ("settings", "reasons"),
    [
        ({"transactions": True}, "Data Boost is read-only and does not support single-row transactions"),
        ({"priority": "low"}, "Data Boost does not support priorities"),
        ({"row_affinity": True}, "row affinity requires multi-cluster routing"),
        ({"clusters": ["west", "east"]}, "single-cluster routing requires exactly one cluster"),
        ({"clusters": []}, "single-cluster routing requires exactly one cluster"),
        (
            {"routing": "multi", "priority": "medium"},
            "Data Boost requires single-cluster routing, Data Boost does not support priorities",
        ),
    ],
)
def test_settings_of_an_app_profile_that_exclude_each_other_are_said_and_mended(settings, reasons):
    spec = of(read={"app_profile": "boost", "latency": "batch"}, app_profiles=[{**BOOST, **settings}])

    assert messages_of(spec) == [f"The engine rejects the settings of boost: {reasons}."]
    mended = apply(spec, findings_of(spec)[0].fix)[0]
    assert (findings_of(mended), mended.instance.app_profiles[0].clusters) == ([], ("west",))


def test_data_boost_requires_single_cluster_routing_also_where_there_is_one_cluster():
    profile = {**BOOST, "routing": "multi", "clusters": []}
    spec = of(read={"app_profile": "boost"}, clusters=[WEST], app_profiles=[profile])

    assert messages_of(spec) == [
        "The engine rejects the settings of boost: Data Boost requires single-cluster routing."
    ]
    assert findings_of(apply(spec, findings_of(spec)[0].fix)[0]) == []


def test_a_profile_of_the_only_cluster_need_not_name_it():
    assert findings_of(of(clusters=[WEST], app_profiles=[{**BOOST, "clusters": [], "data_boost": False}])) == []


def test_data_boost_does_not_read_backwards():
    spec = of(read={"app_profile": "boost", "newest_rows": 20, "reverse": True}, app_profiles=[BOOST])

    assert messages_of(spec) == [
        "The engine rejects the settings of boost: Data Boost does not support reverse scans (look up)."
    ]


def test_transactions_through_several_clusters_are_one_finding():
    spec = of(app_profiles=[{"id": "any", "name": "any", "routing": "multi", "transactions": True}])

    assert [f.rule for f in findings(spec, estimate(spec), TODAY) if f.at == "any"] == ["I002"]


def test_data_boost_cannot_write():
    (sentence,) = messages_of(of(write={"app_profile": "boost"}, app_profiles=[BOOST]))

    assert sentence == "The engine rejects the settings of boost: Data Boost cannot serve writes (store)."


@pytest.mark.parametrize(
    ("instance", "days", "quiet"),
    [
        ({}, 30, False),  # of sixty days thirty are in infrequent access
        ({}, 60, True),
        ({"edition": "enterprise_plus"}, 30, True),
        ({"storage": "hdd"}, None, False),
        ({"storage": "hdd", "edition": "enterprise_plus"}, None, True),
    ],
)
def test_what_data_boost_reads_depends_on_the_edition(instance, days, quiet):
    spec = of(table={"infrequent_access_days": days}, read={"app_profile": "boost"}, app_profiles=[BOOST], **instance)

    assert (findings_of(spec) == []) == quiet


def test_cells_that_are_gone_before_they_are_cold_are_no_reason_to_refuse_data_boost():
    spec = of(table={"infrequent_access_days": 30}, read={"app_profile": "boost"}, app_profiles=[BOOST], age_days=7)

    assert findings_of(spec) == []


def test_the_in_memory_tier_says_all_that_it_lacks():
    spec = of(
        in_memory=True, storage="hdd", clusters=[{**WEST, "kms_key": "projects/p/locations/l/keyRings/r/cryptoKeys/k"}]
    )

    (sentence,) = messages_of(spec)

    assert "requires Enterprise Plus, the in-memory tier requires SSD, the in-memory tier excludes" in sentence
    assert findings_of(of(in_memory=True, edition="enterprise_plus")) == []


@pytest.mark.parametrize(("chars", "reason"), [(50, None), (51, "the table name has 51 characters (maximum 50)")])
def test_a_table_name_has_up_to_fifty_characters(chars, reason):
    assert [reason] * bool(reason) == [
        message[:-1].partition(": ")[2] for message in messages_of(of(table={"name": "t" * chars}))
    ]


@pytest.mark.parametrize(("chars", "count"), [(64, 0), (65, 1)])
def test_a_family_name_has_up_to_64_characters(chars, count):
    families = [{"id": "family", "name": "f" * chars, "columns": [{"id": "c", "qualifier": "c"}]}]
    results = messages_of(of(table={"families": families}))

    assert len(results) == count
    assert all("has 65 characters (maximum 64)" in result for result in results)


@pytest.mark.parametrize(("versions", "reason"), [((127, 128), None), ((128, 129), "has 501 B (maximum 500 B)")])
def test_a_garbage_collection_rule_has_up_to_500_bytes_in_the_admin_api(versions, reason):
    # A union is a tag and two bytes of length; each member a tag and a length. An age of 1 to 24 days is a tag, a
    # length, a tag and three bytes of seconds; versions are a tag and one byte up to 127, two from 128 on:
    # 3 + 61 · (2 + 6) + (2 + 2) + (2 + 3) = 500.
    ages = [{"kind": "max_age", "age_days": 1 + day / 8} for day in range(61)]
    gc = {"kind": "union", "rules": [*ages, *({"kind": "max_versions", "versions": count} for count in versions)]}
    families = [{"id": "family", "name": "f", "gc": gc, "columns": [{"id": "c", "qualifier": "c"}]}]

    sentences = messages_of(of(table={"families": families}))

    assert len(sentences) == bool(reason)
    assert all(f"the garbage-collection rule of family f {reason}" in sentence for sentence in sentences)


@pytest.mark.parametrize(
    ("table", "column", "attribute", "reasons"),
    [
        ("t" * 255, "c" * 255, "a" * 255, []),
        ("t" * 256, "c", "a", ["the table name has 256 B (maximum 255 B)"]),
        ("t", "c", "表" * 86, [f"the column name {'表' * 39}… has 258 B (maximum 255 B)"]),  # three bytes each
        (
            "t",
            "c" * 256,
            "a" * 300,
            [
                f"the column name {letter * 39}… has {count} B (maximum 255 B)"
                for letter, count in (("c", 256), ("a", 300))
            ],
        ),
    ],
)
def test_names_of_tablestore_have_up_to_255_bytes(table, column, attribute, reasons):
    spec = tablestore_design(
        {**key_column("device", field_part("device")), "name": column},
        table={"name": table},
        column={"qualifier": attribute},
        write={"mode": "overwrite"},
    )

    assert messages_of(spec) == (
        [f"The engine rejects the settings of {table}: {', '.join(reasons)}."] if reasons else []
    )
