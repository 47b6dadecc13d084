"""Names and limits: valid for the target, the same whatever happens around them, and one each."""

import re
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from designer.document.key import as_bytes
from designer.document.load import from_data
from designer.imports import read
from reviews.exports import format_named
from reviews.exports.shared import names
from reviews.exports.shared.bigtable import plan_tables
from reviews.exports.shared.instance import planned_instance
from reviews.exports.shared.names import (
    CLUSTER,
    FAMILY,
    INSTANCE,
    PROFILE,
    TABLE,
    TABLESTORE,
    WORD,
    assign_names,
    label,
    stem,
)
from reviews.exports.shared.result import ExportRemarks
from tests.contexts import Content
from tests.designs import HOSTILE, hostile

EVERY = {"table": TABLE, "family": FAMILY, "instance": INSTANCE, "cluster": CLUSTER, "profile": PROFILE,
         "tablestore": TABLESTORE, "word": WORD}  # fmt: skip
TEXTS = st.text(max_size=70) | st.sampled_from(HOSTILE)


@pytest.mark.parametrize("kind", EVERY)
@given(wanted=st.lists(TEXTS, max_size=6))
def test_every_made_name_is_one_there_and_no_two_are_the_same(kind: str, wanted: list[str]) -> None:
    made = assign_names([(f"e{n}", text) for n, text in enumerate(wanted)], EVERY[kind])

    assert all(EVERY[kind].is_valid(name) for name in made.values())
    assert len(set(made.values())) == len(wanted)


def test_a_valid_name_stays_and_a_made_one_does_not_hang_on_its_neighbours() -> None:
    alone = assign_names([("a", "Wetter!")], TABLE)
    among = assign_names([("z", "readings"), ("b", "Wetter?"), ("a", "Wetter!"), ("c", "Wetter")], TABLE)

    assert among["z"] == "readings"
    assert among["a"] == alone["a"] != among["b"]
    assert re.fullmatch(r"Wetter-[0-9a-f]{6}", alone["a"])


def test_of_two_tables_of_one_name_the_first_keeps_it() -> None:
    assert assign_names([("a", "x"), ("b", "x")], TABLE)["a"] == "x"
    assert assign_names([("a", "x"), ("b", "x")], TABLE)["b"] == assign_names([("b", "x!")], TABLE)["b"]


def test_a_remark_says_whether_a_name_is_taken_or_not_valid() -> None:
    remarks = ExportRemarks()
    assign_names([("a", "x"), ("b", "x"), ("c", "x!")], TABLE, remarks)

    texts = {remark.at: str(remark).partition("; exported as ")[0] for remark in remarks.build_result().notes}
    assert texts == {"b": '"x" is the name of another element already', "c": '"x!" is not a valid name in this format'}


def test_of_two_clusters_of_one_name_the_second_is_said_to_have_a_name_that_is_taken() -> None:
    clusters = [{"id": id_, "name": "main-cluster", "region": "us-central1"} for id_ in ("a", "b")]
    remarks = ExportRemarks()
    planned_instance(Content(from_data({"instance": {"name": "shop-main", "clusters": clusters}})), remarks, tool="cbt")

    texts = [str(remark) for remark in remarks.build_result().notes if remark.at == "b"]
    assert any(text.startswith('"main-cluster" is the name of another element already') for text in texts)


@pytest.mark.parametrize(
    ("kind", "longest", "shortest"),
    [(TABLE, 50, 1), (FAMILY, 64, 1), (INSTANCE, 33, 6), (CLUSTER, 30, 6), (PROFILE, 50, 1)],
)
def test_lengths_are_those_of_the_admin_api(kind: names.NameRules, longest: int, shortest: int) -> None:
    assert kind.is_valid("a" * longest)
    assert not kind.is_valid("a" * (longest + 1))
    assert kind.is_valid("a" * shortest)
    assert not kind.is_valid("a" * (shortest - 1))


@given(st.lists(st.from_regex(r"[a-z0-9_-]{1,40}", fullmatch=True), unique=True, max_size=8))
def test_labels_of_different_ids_differ_and_can_stand_in_terraform(ids: list[str]) -> None:
    labels = [label(one) for one in ids]

    assert len(set(labels)) == len(ids)
    assert all(re.fullmatch(r"[a-z][a-z0-9_-]*", one) for one in labels)


@given(TEXTS)
def test_a_files_name_is_a_plain_word(text: str) -> None:
    assert re.fullmatch(r"[a-z0-9][a-z0-9-]*", stem(text))


def test_a_rename_of_the_design_keeps_the_instance_that_has_a_name() -> None:
    spec = from_data({"name": "First", "instance": {"name": "weather-prod"}})

    def name(given: Any) -> str:
        return planned_instance(Content(given), ExportRemarks(), tool="x").name

    assert name(spec) == name(spec.model_copy(update={"name": "Second"})) == "weather-prod"
    assert name(from_data({"name": "Weather balloons 2"})) == "weather-balloons-2"
    assert name(from_data({"name": "42"})) != name(from_data({"name": "43"}))
    assert name(from_data({"name": "天気"})).startswith("bigtable-")


def test_clusters_of_names_without_a_latin_letter_keep_theirs_when_others_go() -> None:
    zones = {"c": "asia-northeast1-a", "d": "asia-northeast2-b", "e": ""}
    every = [{"id": id_, "name": "東京", "zone": zone, "nodes": {"kind": "fixed", "count": 1}}
             for id_, zone in zones.items()]  # fmt: skip

    def names(*shown: int) -> dict[str, str]:
        spec = from_data({"name": "天気", "instance": {"clusters": [every[n] for n in shown]}})
        return {one.cluster.id: one.name for one in planned_instance(Content(spec), ExportRemarks(), tool="x").clusters}

    made = names(0, 1, 2)
    assert list(made.values())[:2] == ["asia-northeast1-a", "asia-northeast2-b"]
    assert made["e"].startswith("cluster-")
    assert names(1, 2) == {id_: made[id_] for id_ in ("d", "e")}


# --- limits -----------------------------------------------------------------------------------------------------------


def refused(table: dict[str, Any], **instance: Any) -> list[str]:
    remarks = ExportRemarks()
    spec = from_data({"tables": [{"id": "t", "name": "t", **table}], "instance": instance})
    list(plan_tables(spec, remarks))
    planned_instance(Content(spec), remarks, tool="x")
    return [remark.at for remark in remarks.build_result().refusals]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"change_stream_days": 1}, {"change_stream_days": 0.9}),
        ({"change_stream_days": 7}, {"change_stream_days": 7.5}),
        ({"infrequent_access_days": 30}, {"infrequent_access_days": 29}),
        ({"split_keys": ["a" * 4096]}, {"split_keys": ["a" * 4097]}), ({"split_keys": ["a"]}, {"split_keys": [""]}),
    ],
)  # fmt: skip
def test_what_the_admin_api_does_not_take_of_a_table_is_refused_at_the_limit(good: Any, bad: Any) -> None:
    assert refused(good) == []
    assert refused(bad) == ["t"]


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"kept_days": 3}, {"kept_days": 2}), ({"kept_days": 90}, {"kept_days": 91}), ({}, {"kind": "hot"}),
        ({"every_hours": 24}, {"every_hours": 12}), ({}, {"copies": ["us-east1"]}), ({}, {"automated": False}),
    ],
)  # fmt: skip
def test_only_daily_standard_backups_are_a_tables_own(good: Any, bad: Any) -> None:
    assert refused({"backups": [{"id": "b", **good}]}) == []
    assert refused({"backups": [{"id": "b", **bad}]}) == ["b"]


def test_infrequent_access_needs_ssd() -> None:
    assert refused({"infrequent_access_days": 30}, storage="hdd") == ["t"]


def scaled(**said: Any) -> dict[str, Any]:
    nodes = {"kind": "autoscaling", "min": 1, "max": 5, **said}
    return {"clusters": [{"id": "c", "name": "cluster-a", "zone": "us-east1-b", "nodes": nodes}]}


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ({"cpu_target": 0.1}, {"cpu_target": 0.09}), ({"cpu_target": 0.8}, {"cpu_target": 0.81}),
        ({}, {"cpu_target": 0.555}),
        ({"storage_target_gib": 2_560}, {"storage_target_gib": 2_559}),
        ({"storage_target_gib": 5_120}, {"storage_target_gib": 5_121}), ({}, {"min": 0}),
    ],
)  # fmt: skip
def test_autoscaling_beyond_its_limits_is_refused_by_cluster(good: Any, bad: Any) -> None:
    assert refused({}, **scaled(**good)) == []
    assert refused({}, **scaled(**bad)) == ["c"]


def test_what_is_guessed_is_written_and_noted_by_its_element() -> None:
    remarks = ExportRemarks()
    spec = from_data({"tables": [{"id": "t", "name": "t", "backups": [{"id": "b"}]}], "instance": scaled()})

    list(plan_tables(spec, remarks))
    planned_instance(Content(spec), remarks, tool="x")

    noted = [(note.at, str(note)) for note in remarks.build_result().notes if "assumed value" in str(note)]
    assert [at for at, _ in noted] == ["b", "", "c"]
    assert noted[2][1] == 'the design does not specify "CPU target"; exported with the assumed value 60\u00a0%'


def test_a_profile_of_data_boost_has_neither_transactions_nor_a_priority() -> None:
    def profile(**said: Any) -> list[str]:
        made = {"id": "p", "name": "boost", "routing": "single", "clusters": ["c"], "data_boost": True, **said}
        return refused({}, app_profiles=[made], **scaled())

    assert profile() == []
    assert profile(priority="low") == profile(transactions=True) == profile(routing="multi") == ["p"]


@pytest.mark.parametrize("zone", ["$(id)", "us-east1-b"])
def test_a_zone_that_is_none_or_of_another_region_is_refused_by_cluster(zone: str) -> None:
    cluster = {
        "id": "c",
        "name": "cluster-a",
        "region": "us-east4",
        "zone": zone,
        "nodes": {"kind": "fixed", "count": 1},
    }

    assert refused({}, clusters=[cluster]) == ["c"]


def test_cbt_is_given_its_arguments_in_their_order() -> None:
    clusters = [{"id": f"c{n}", "name": f"cluster-{n}", "zone": zone, "nodes": {"kind": "fixed", "count": 3}}
                for n, zone in enumerate(("us-east1-b", ""))]  # fmt: skip
    profiles = [{"id": "p1", "name": "any"},
                {"id": "p2", "name": "one", "routing": "single", "clusters": ["c0"], "transactions": True}]  # fmt: skip
    instance = {"name": "prod-1", "storage": "hdd", "clusters": clusters, "app_profiles": profiles}
    spec = from_data({"name": "Some name", "instance": instance})

    text = format_named("cbt").make(Content(spec)).files[0].text

    assert text.splitlines()[-4:] == [
        """cbt createinstance "$INSTANCE" 'Some name' cluster-0 us-east1-b 3 HDD""",
        """cbt createcluster cluster-1 "${ZONE_CLUSTER_1:?set ZONE_CLUSTER_1}" 3 HDD""",
        """cbt createappprofile "$INSTANCE" any any route-any""",
        """cbt createappprofile "$INSTANCE" one one route-to=cluster-0:transactional-writes""",
    ]


@given(st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=9))
def test_any_delimiter_survives_yaml_and_json(delimiter: str) -> None:
    after = "".join(f"\\x{byte:02x}" for byte in delimiter.encode())
    key = [{"id": "k1", "kind": "salt", "modulo": 2, "after": after}, {"id": "k2", "kind": "salt", "modulo": 2}]
    spec = from_data({"tables": [{"id": "t", "name": "t", "row_kinds": [{"id": "r", "key": key}]}]})
    made = format_named("row_key_schema").make(Content(spec))
    if made.refusals:
        assert delimiter[0] in "0123456789abcdef-"
        return

    for one in made.files:
        (table,) = read(one.data, "row_key_schema").spec.tables
        assert as_bytes(table.row_kinds[0].key[0].after) == delimiter.encode()
    plain = next(one.text for one in made.files if one.name.endswith("yaml"))
    assert yaml.safe_load(plain)["encoding"]["delimitedBytes"]["delimiter"] == delimiter


def test_every_name_in_every_file_of_a_hostile_design_is_made_the_same_way() -> None:
    wanted = set(assign_names(((t.id, t.name) for t in hostile().tables), TABLE).values())

    for name in ("cbt", "gcloud", "terraform"):
        text = "".join(one.text for one in format_named(name).make(Content(hostile())).files)
        assert all(each in text for each in wanted), name
