"""K001, K002, K003, K008, K023 on figures made by hand: a key's length, its hashes and salts."""

import numpy as np
import pytest

from designer.document import Spec
from designer.wording.formatting import english
from estimator.advice.rules.shared.examples import (
    DEVICE,
    USER,
    design,
    field_part,
    hash_part,
    read_part,
    salt_part,
    time_part,
)
from estimator.results import BytesByCause
from tests.core.advice.rules.asked import found, in_columns, mended, severities
from tests.core.advice.rules.made import cluster_nodes, family_growth, front, growth, plan, segment, traffic, write_load


def key_after(spec, finding):
    return mended(spec, finding).tables[0].row_kinds[0].key


# --- K001 -----------------------------------------------------------------------------------------------------


def test_a_table_without_a_key_stores_nothing():
    (finding,) = found(design(), "K001")

    assert (finding.severity, finding.at) == ("error", "rows")
    assert len(found(in_columns(design()), "K001")) == 1


@pytest.mark.parametrize(("least", "expected"), [(0, ["error"]), (1, [])])
def test_a_key_that_can_be_no_bytes_at_all_is_refused(least, expected):
    assert (
        severities(design(field_part("device")), "K001", facts=(segment("device_part", bytes_min=least),)) == expected
    )


def test_one_part_that_is_always_there_is_enough():
    spec = design(field_part("device"), field_part("user"), fields=(DEVICE, USER))

    assert found(spec, "K001", facts=(segment("device_part", bytes_min=0),)) == []


def test_a_random_text_may_be_empty_even_if_no_sample_is():
    def texts(after="", *transforms, **values):
        random = {"kind": "random", "min": 0, "max": 9, **values}
        return design(field_part("device", after, *transforms), fields=({**DEVICE, "values": random},))

    assert len(found(texts(), "K001")) == 1
    assert found(texts(min=1), "K001") == []
    assert found(texts("#"), "K001") == []
    assert found(texts("", {"kind": "pad", "width": 2}), "K001") == []


def test_tablestore_takes_an_empty_text_as_a_key():
    spec = in_columns(design(field_part("device")), 0)

    assert found(spec, "K001", facts=(segment("device_part", bytes_min=0),)) == []


@pytest.mark.parametrize(("counts", "expected"), [(False, ["column1"]), (True, [])])
def test_tablestore_takes_no_row_without_the_value_of_a_column_that_it_does_not_count_itself(counts, expected):
    document = in_columns(design(field_part("device")), 0, 1).model_dump(mode="json", exclude_unset=True)
    document["tables"][0]["row_kinds"][0]["key_columns"][1] |= {"type": "INTEGER", "auto_increment": counts}

    assert [f.at for f in found(Spec.model_validate(document), "K001")] == expected


# --- K002 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("longest", "expected"), [(4_096, []), (4_097, ["error"])])
def test_a_key_above_four_kib_is_refused(longest, expected):
    assert severities(design(field_part("device")), "K002", bytes_max=longest) == expected


# --- K003 -----------------------------------------------------------------------------------------------------


def stored_growth(key_bytes, total=1_000.0):
    causes = BytesByCause(key_bytes, 0.0, 0.0, 0.0, total - key_bytes, 0.0)
    return growth(families=(family_growth(bytes_by_cause=causes),))


@pytest.mark.parametrize(("typical", "expected"), [(100.0, []), (100.1, ["note"])])
def test_a_key_above_100_bytes_is_long(typical, expected):
    assert (
        severities(design(field_part("device")), "K003", bytes_typical=typical, growth=stored_growth(400.0)) == expected
    )


@pytest.mark.parametrize(("key_bytes", "expected"), [(50.0, ["note"]), (49.9, [])])
def test_a_long_key_of_large_rows_is_not_worth_a_word(key_bytes, expected):
    assert (
        severities(design(field_part("device")), "K003", bytes_typical=120.0, growth=stored_growth(key_bytes))
        == expected
    )


def test_a_long_key_says_what_is_long_in_it_and_its_share_of_the_bytes():
    spec = design(field_part("device", "#"), field_part("user"), fields=(DEVICE, USER))

    (finding,) = found(
        spec,
        "K003",
        bytes_typical=120.0,
        facts=(segment("user_part", bytes_typical=90.0),),
        growth=stored_growth(400.0),
    )

    assert finding.at == "user_part"
    assert "user_id takes 90 B of it" in english(finding.message, finding.params)
    assert "Keys take 40\u00a0% of the stored bytes: 400 B before compression." in english(
        finding.message, finding.params
    )


@pytest.mark.parametrize(("typical", "fixed"), [(128.0, True), (128.1, False)])
def test_a_hash_before_its_value_is_shortened_if_that_is_enough(typical, fixed):
    spec = design(hash_part("device", digits=32, after="#"), field_part("device"))
    facts = (segment("hash_part", bytes_typical=33.0),)

    (finding,) = found(spec, "K003", bytes_typical=typical, facts=facts)

    assert (finding.fix is not None) == fixed
    assert not fixed or key_after(spec, finding)[0].digits == 4


def test_a_readable_time_loses_its_signs_but_no_part():
    spec = design(field_part("device", "#"), time_part(pattern="%Y-%m-%dT%H:%M:%SZ"))
    facts = (segment("time_part", bytes_typical=90.0),)

    (finding,) = found(spec, "K003", bytes_typical=104.0, facts=facts)

    assert key_after(spec, finding)[1].pattern == "%Y%m%d%H%M%S"


# --- K008 -----------------------------------------------------------------------------------------------------

LAST_DAY = (read_part(binds=("device",), time={"days": 1}),)
FANNED = plan("multi_range", bound=("device_part",), open_at="time_part", ranges=16.0)


def salted_design(modulo=16, *fields, nodes=None, reads=LAST_DAY):
    cluster = {"id": "cluster", "name": "main", "region": "us-central1", **({"nodes": nodes} if nodes else {})}
    return design(salt_part(modulo, *fields), field_part("device", "#"), time_part(), reads=reads, clusters=(cluster,))


def test_each_read_that_does_not_know_the_salt_becomes_one_per_value():
    (finding,) = found(salted_design(), "K008", reads=(FANNED,))

    assert (finding.severity, finding.at) == ("note", "salt_part")
    assert "Each read needs 16 requests, 160/s in total." in english(finding.message, finding.params)


def test_a_salt_that_readers_know_or_never_reach_costs_nothing():
    known = plan("range", bound=("salt_part", "device_part"), open_at="time_part")
    behind = design(field_part("device", "#"), salt_part(16), time_part(), reads=LAST_DAY)

    assert found(salted_design(16, "device"), "K008", reads=(known,)) == []
    assert found(behind, "K008", reads=(plan("scan", open_at="device_part"),)) == []
    assert found(salted_design(1), "K008", reads=(FANNED,)) == []


@pytest.mark.parametrize(("count", "tied"), [(16, True), (15, False)])
def test_a_salt_with_as_many_values_as_nodes_is_tied_to_them(count, tied):
    (finding,) = found(salted_design(nodes={"kind": "fixed", "count": count}), "K008", reads=(FANNED,))

    assert ("as many values as main has nodes" in english(finding.message, finding.params)) == tied


def test_a_computed_or_scaled_node_count_ties_a_salt_too():
    computed = (cluster_nodes(nodes_by_month=np.array([8.0, 16.0])),)

    (by_load,) = found(salted_design(), "K008", reads=(FANNED,), nodes=computed)
    (scaled,) = found(salted_design(nodes={"kind": "autoscaling", "min": 4, "max": 16}), "K008", reads=(FANNED,))

    assert (by_load.params["cluster"], scaled.params["cluster"]) == ("main", "main")


@pytest.mark.parametrize(("node_seconds", "offered"), [(0.0399, True), (0.04, False)])
def test_a_field_takes_the_salts_place_if_its_busiest_value_bears_the_load(node_seconds, offered):
    """A thousand equal devices, 5,000 rows a second: 5 a second each, a fifth of a node at 0.04 s a row."""
    made = traffic(writes=(write_load(node_seconds_per_row=node_seconds),))

    (finding,) = found(salted_design(), "K008", reads=(FANNED,), traffic=made)

    assert (finding.fix is not None) == offered
    assert not offered or [s.id for s in key_after(salted_design(), finding)] == ["device_part", "time_part"]


def test_a_field_that_some_reader_lacks_does_not_take_the_salts_place():
    spec = salted_design(reads=(*LAST_DAY, {**read_part(), "id": "other"}))

    (finding,) = found(spec, "K008", reads=(FANNED,), traffic=traffic())

    assert finding.fix is None


# --- K023 -----------------------------------------------------------------------------------------------------


def hash_first(digits, *key):
    return design(hash_part("device", digits=digits, after="#"), *(key or (field_part("device"),)))


@pytest.mark.parametrize(("nodes", "expected"), [(25.0, []), (26.0, ["note"])])
def test_ten_prefixes_for_each_node_are_enough(nodes, expected):
    facts = (segment("device_part", "sequence"),)
    sized = (cluster_nodes(nodes_by_month=np.array([1.0, nodes])),)

    got = found(hash_first(2), "K023", facts=facts, nodes=sized)

    assert [f.severity for f in got] == expected
    for finding in got:
        assert (
            "hash(device_id) gives 256 prefixes before the growing part of the key of events, for 26 "
            "nodes. The busiest node gets 10 prefixes, 1.6\u00a0% more than its share."
        ) in english(finding.message, finding.params)
        assert key_after(hash_first(2), finding)[0].digits == 4


def test_few_prefixes_do_not_matter_where_values_spread_behind_them():
    sized = (cluster_nodes(nodes_by_month=np.array([100.0])),)

    assert found(hash_first(1), "K023", nodes=sized) == []


@pytest.mark.parametrize(("per_second", "expected"), [(1_000.0, []), (1_001.0, ["note"])])
def test_prefixes_are_held_against_the_partitions_that_the_load_asks_for(per_second, expected):
    spec = in_columns(hash_first(1), 0)
    facts, made = (segment("device_part", "sequence"),), traffic(writes=(write_load(per_second),))

    assert severities(spec, "K023", facts=facts, traffic=made) == expected


@pytest.mark.parametrize(("digits", "expected"), [(8, []), (9, ["note"])])
def test_four_digits_more_than_enough_are_too_many(digits, expected):
    assert severities(hash_first(digits), "K023") == expected


def test_the_digits_of_a_hash_that_stands_for_its_value_are_needed():
    assert found(design(hash_part("device", digits=32, after="#"), time_part()), "K023") == []


def test_many_nodes_need_more_digits():
    sized = (cluster_nodes(nodes_by_month=np.array([6_554.0])),)

    (finding,) = found(hash_first(32), "K023", nodes=sized)

    assert finding.params["digits"] == 5


def test_few_prefixes_stand_under_the_fronts_that_they_make():
    facts, fronts = (segment("device_part", "sequence"),), (front("device_part", 0.5),)

    (finding,) = found(hash_first(1), "K026", facts=facts, traffic=traffic(fronts=fronts), nodes=(cluster_nodes(),))

    assert [f.rule for f in finding.under] == ["K023"]
