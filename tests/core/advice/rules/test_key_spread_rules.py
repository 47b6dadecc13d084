"""K013, K015, K018, K021 on figures made by hand, and loads on Tablestore's partitions."""

import numpy as np
import pytest

from designer.wording.formatting import english
from estimator.advice.rules.shared.examples import (
    DEVICE,
    TENANT,
    USER,
    design,
    field_part,
    hash_part,
    read_part,
    time_part,
)
from estimator.advice.rules.shared.fixes.index_table import ADD_INDEX_TABLE
from estimator.facts.load import newest_read
from estimator.facts.reading import row_kinds
from estimator.results import LeadValues, PartitionLoad
from tests.core.advice.rules.asked import found, in_columns, mended, severities
from tests.core.advice.rules.made import (
    cluster_nodes,
    estimate,
    front,
    growth,
    hot_row,
    plan,
    segment,
    traffic,
    write_load,
)

ONE_NODE = write_load(10_000.0, node_seconds_per_row=1e-4)


def leading_traffic(hottest_share, depth=1, effective=2.0, **more):
    lead = LeadValues("rows", depth, hottest_share, b"t01#", effective)
    return traffic(**{"leads": (lead,), "writes": (ONE_NODE,), **more})


# --- K013 -----------------------------------------------------------------------------------------------------

GROWING = segment("time_part", "time")


def by_tenant(*key):
    return design(*(key or (field_part("tenant", "#"), time_part())), fields=(TENANT, DEVICE))


@pytest.mark.parametrize(
    ("share", "expected"), [(0.2, ["warning"]), (0.1999, ["note"]), (0.02, ["note"]), (0.0199, [])]
)
def test_a_leading_value_at_whose_end_rows_grow_warns_from_a_fifth_of_a_node(share, expected):
    fronts = (front("time_part", 0.001),)

    assert severities(by_tenant(), "K013", facts=(GROWING,), traffic=leading_traffic(share, fronts=fronts)) == expected


def test_a_leading_value_that_finer_parts_spread_is_good_practice():
    assert found(by_tenant(field_part("tenant", "#"), field_part("device")), "K013", traffic=leading_traffic(0.9)) == []
    assert found(by_tenant(), "K013", facts=(GROWING,), traffic=leading_traffic(0.9)) == []


def test_a_front_further_behind_is_not_the_leading_values_own():
    spec = by_tenant(field_part("tenant", "#"), field_part("device", "#"), time_part())

    assert found(spec, "K013", facts=(GROWING,), traffic=leading_traffic(0.9, fronts=(front("time_part", 0.01),))) == []


def test_a_leading_value_that_is_the_whole_key_is_named_with_its_share():
    (finding,) = found(by_tenant(field_part("tenant")), "K013", traffic=leading_traffic(0.4))

    assert finding.severity == "warning"
    assert (
        "The key of events starts with tenant, and no segment spreads the load of t01#. This value "
        "alone receives 40\u00a0% of the writes (4,000/s)."
    ) in english(finding.message, finding.params)
    assert "The threshold is 2,000/s per value." in english(finding.message, finding.params)


@pytest.mark.parametrize(("popularity", "said"), [(None, True), ({"kind": "zipf", "theta": 0.9}, False)])
def test_a_skew_that_is_only_guessed_is_said_to_be_with_the_front_and_the_value(popularity, said):
    tenant = {"id": "tenant", "name": "tenant", "distinct": 1_000, "popularity": popularity}
    spec = design(field_part("tenant", "#"), time_part(), fields=(tenant, DEVICE))

    (front_,) = found(spec, "K026", facts=(GROWING,), traffic=leading_traffic(0.4, fronts=(front("time_part", 0.4),)))

    for finding in (front_, *front_.under):
        assert ("assumes a default distribution for tenant" in english(finding.message, finding.params)) == said


def test_a_leading_value_stands_under_the_fronts_and_under_the_row_that_it_causes():
    fronts = (front("time_part", 0.4),)
    (by_time,) = found(by_tenant(), "K026", facts=(GROWING,), traffic=leading_traffic(0.4, fronts=fronts))
    (row,) = found(by_tenant(field_part("tenant")), "K014", traffic=leading_traffic(0.4, hot_rows=(hot_row(0.4),)))

    assert [f.rule for f in by_time.under] == ["K013"]
    assert [f.rule for f in row.under] == ["K013"]


@pytest.mark.parametrize(
    ("per_second", "expected"), [(1_000.0, ["warning"]), (999.0, ["note"]), (100.0, ["note"]), (99.0, [])]
)
def test_a_value_of_a_partition_key_warns_from_1000_operations_a_second(per_second, expected):
    spec = in_columns(by_tenant(field_part("tenant"), field_part("device")), 0, 1)
    busy = PartitionLoad(hottest="t01", per_second=per_second, share=0.4)

    got = found(spec, "K013", traffic=traffic(partition=busy))

    assert [(f.severity, f.at) for f in got] == [(severity, "column0") for severity in expected]
    for finding in got:
        assert "The partition key of events is c0. t01 alone receives 40\u00a0% of the operations" in english(
            finding.message, finding.params
        )


# --- K026 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("effective", "told"), [(2.9, True), (3.0, False)])
def test_fronts_below_the_number_of_nodes_are_held_against_it(effective, told):
    fronts = (front("time_part", 0.4, effective=effective),)

    (finding,) = found(by_tenant(), "K026", facts=(GROWING,), traffic=traffic(fronts=fronts), nodes=(cluster_nodes(),))

    assert ("The cluster has 3 nodes." in english(finding.message, finding.params)) == told


# --- loads on Tablestore --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("per_second", "expected"), [(1_000.0, "warning"), (999.0, "note")])
def test_the_growing_end_of_a_partition_key_warns_from_1000_operations_a_second(per_second, expected):
    fronts = (front("time_part", 0.01, per_second=per_second),)
    facts = (GROWING, segment("device_part", "sequence"))
    first = in_columns(design(time_part("#"), field_part("device")), 0)
    counted = in_columns(design(field_part("device")), 0)
    of_device = (front("device_part", 0.01, per_second=per_second),)

    (by_time,) = found(first, "K004", facts=facts, traffic=traffic(fronts=fronts))
    (by_number,) = found(counted, "K005", facts=facts, traffic=traffic(fronts=of_device))

    assert (by_time.severity, by_number.severity) == (expected, expected)
    assert "in one partition. The threshold is 1,000/s" in english(by_time.message, by_time.params)
    assert "in one partition. The threshold is 1,000/s" in english(by_number.message, by_number.params)


def test_a_counted_partition_key_gets_a_hash_before_it_unless_it_is_read_in_order():
    def fix(types=("STRING",), **asked):
        spec = in_columns(design(field_part("device"), reads=(read_part(**asked),)), 0, types=types)
        facts, fronts = (segment("device_part", "sequence"),), (front("device_part", 0.5),)
        (finding,) = found(spec, "K005", facts=facts, traffic=traffic(fronts=fronts))
        return finding.fix and mended(spec, finding).tables[0].row_kinds[0].key_columns[0].segments

    hashed_first = fix(binds=("device",))

    assert [(s.kind, getattr(s, "digits", None)) for s in hashed_first] == [("hash", 4), ("field", None)]
    assert fix(("INTEGER",), binds=("device",)) == hashed_first  # in a column of text then
    assert fix(newest_rows=10) is None


def test_a_time_in_the_first_column_changes_places_with_a_column_of_many_values():
    spec = in_columns(design(time_part(), field_part("device"), reads=(read_part(binds=("device",)),)), 0, 1)
    made = traffic(fronts=(front("time_part", 0.5, per_second=5_000.0),))

    def columns(gib):
        held = growth(physical_bytes=np.array([0.0, gib * 2**30]))
        (finding,) = found(spec, "K004", facts=(GROWING,), traffic=made, growth=held)
        return finding.fix and [c.id for c in mended(spec, finding).tables[0].row_kinds[0].key_columns]

    assert columns(10_000) == ["column1", "column0"]
    assert columns(10_001) is None


# --- K018 -----------------------------------------------------------------------------------------------------

SITE = {**DEVICE, "id": "site", "name": "site", "kind": "domain"}


def by_site(*key, **field):
    return design(field_part("site", "#"), *key, fields=({**SITE, **field}, DEVICE))


@pytest.mark.parametrize(("effective", "expected"), [(3.0, ["warning"]), (3.01, [])])
def test_three_domains_that_take_the_writes_are_few(effective, expected):
    made = leading_traffic(0.5, effective=effective, fronts=(front("time_part", 0.5),))

    assert severities(by_site(time_part()), "K018", facts=(GROWING,), traffic=made) == expected


@pytest.mark.parametrize(("share", "expected"), [(0.2, ["note"]), (0.1999, [])])
def test_few_domains_whose_pages_spread_the_load_are_a_note(share, expected):
    assert severities(by_site(field_part("device")), "K018", traffic=leading_traffic(share)) == expected


def test_what_is_no_domain_or_does_not_lead_is_not_counted_among_few_domains():
    assert found(by_site(field_part("device"), kind="string"), "K018", traffic=leading_traffic(0.9)) == []
    behind = design(field_part("device", "#"), field_part("site"), fields=(SITE, DEVICE))
    assert found(behind, "K018", traffic=leading_traffic(0.9)) == []


def test_few_domains_are_said_once():
    made = leading_traffic(0.5, fronts=(front("time_part", 0.5),))

    assert found(by_site(time_part()), "K013", facts=(GROWING,), traffic=made) == []


# --- K015 -----------------------------------------------------------------------------------------------------


ASCENDING_TIME = time_part()


def newest(*others, times=ASCENDING_TIME, profile=None, rows=20, **asked):
    reads = (read_part(binds=("device",), newest_rows=rows, app_profile=profile, **asked), *others)
    profiles = [{"id": "boost", "name": "boost", "routing": "single", "clusters": ["cluster"], "data_boost": True}]
    clusters = [{"id": "cluster", "name": "main", "region": "us-central1"}]
    instance = {"clusters": clusters, "app_profiles": profiles}
    return design(field_part("device", "#"), times, reads=reads, instance=instance)


def ascending(scanned=1_000.0, access="prefix", **more):
    usual = {"bound": ("device_part",), "open_at": "time_part", "rows_scanned": scanned, "rows_returned": 20.0}
    return {"facts": (GROWING,), "reads": (plan(access, **{**usual, **more}),)}


@pytest.mark.parametrize(("profile", "loads"), [(None, True), ("boost", False)])
def test_the_newest_rows_of_all_load_the_end_of_a_table_unless_through_data_boost(profile, loads):
    reads = (read_part(newest_rows=20, app_profile=profile),)
    instance = newest().instance.model_dump(mode="json", exclude_unset=True)
    spec = design(time_part("#", reversed=True), field_part("device"), reads=reads, instance=instance)
    often = plan("range", bound=(), per_second=20_000.0, node_seconds=1e-4)

    (rows,) = row_kinds(spec, estimate(spec, reads=(often,)))

    assert (newest_read(rows) is not None) == loads


@pytest.mark.parametrize(("scanned", "expected"), [(20.1, ["note"]), (20.0, [])])
def test_the_newest_rows_behind_all_others_are_a_note(scanned, expected):
    assert severities(newest(), "K015", **ascending(scanned)) == expected


@pytest.mark.parametrize(("per_second", "severity"), [(204.1, "warning"), (204.0, "note")])
def test_the_newest_rows_behind_all_others_warn_from_a_fifth_of_a_node_passed_over(per_second, severity):
    """Of a millisecond, 980 of a thousand rows are passed over."""
    often = ascending(node_seconds=1e-3, per_second=per_second)

    assert severities(newest(), "K015", **often) == [severity]


def test_a_reverse_scan_is_offered_and_is_safe():
    (finding,) = found(newest(), "K015", **ascending())

    assert finding.fix_safe
    assert mended(newest(), finding).tables[0].row_kinds[0].reads[0].reverse is True
    assert "A forward scan reads 1,000 rows to reach them (50×)." in english(finding.message, finding.params)


def test_with_data_boost_the_time_is_reversed_instead():
    spec = newest(profile="boost")

    (finding,) = found(spec, "K015", **ascending())

    assert not finding.fix_safe
    assert mended(spec, finding).tables[0].row_kinds[0].key[1].reversed is True
    (readable,) = found(newest(profile="boost", times=time_part(pattern="%Y%m%d%H%M%S")), "K015", **ascending())
    assert readable.fix is None


@pytest.mark.parametrize(("rows", "fixed"), [(50, "reverse"), (51, "reversed")])
def test_a_long_scan_is_not_reversed_but_the_time_is(rows, fixed):
    (finding,) = found(newest(rows=rows), "K015", **ascending())

    assert finding.fix.name == fixed
    other = {**read_part(binds=("device",)), "id": "other"}
    (shared,) = found(newest(other, rows=rows), "K015", **ascending())
    assert shared.fix.name == "reverse"


def test_the_newest_numbers_are_behind_all_others_too():
    counted = {"facts": (segment("time_part", "sequence"),), "reads": ascending()["reads"]}

    assert severities(newest(), "K015", **counted) == ["note"]


def test_newest_first_is_fine_where_time_or_scan_is_reversed():
    assert found(newest(reverse=True), "K015", **ascending()) == []
    assert found(newest(times=time_part(reversed=True)), "K015", **ascending()) == []
    assert found(newest(), "K015", **ascending(open_at="device_part", access="scan")) == []


# --- K021 -----------------------------------------------------------------------------------------------------

METRIC = {**TENANT, "id": "metric", "name": "metric"}


def metrics(*key, reads):
    return design(*key, fields=(DEVICE, METRIC, USER), reads=reads)


KNOWN = (read_part(binds=("device", "metric"), time={"days": 1}, latency="batch"),)
APART = (field_part("device", "#"), time_part("#"), field_part("metric"))


def apart(access="range", **more):
    usual = {"bound": ("device_part",), "open_at": "time_part", "filtered": ("metric_part",), "node_seconds": 0.001}
    return (plan(access, **{**usual, "rows_scanned": 1_000.0, "rows_returned": 20.0, **more}),)


@pytest.mark.parametrize(
    ("node_seconds", "returned", "expected"),
    [(0.001, 20.0, ["warning"]), (0.00099, 20.0, ["note"]), (0.001, 500.0, ["warning"]), (0.001, 501.0, [])],
)
def test_rows_behind_a_gap_warn_where_scanning_for_them_takes_a_hundredth_of_a_node(node_seconds, returned, expected):
    reads = apart(node_seconds=node_seconds, rows_returned=returned)

    assert severities(metrics(*APART, reads=KNOWN), "K021", facts=(GROWING,), reads=reads) == expected


def test_what_is_known_is_put_before_the_gap_if_all_readers_know_it():
    spec = metrics(*APART, reads=KNOWN)

    (finding,) = found(spec, "K021", facts=(GROWING,), reads=apart())

    key = mended(spec, finding).tables[0].row_kinds[0].key
    assert [(s.id, s.after) for s in key] == [("device_part", "#"), ("metric_part", "#"), ("time_part", "")]
    assert "look up specifies metric, but time comes before it in the key of events." in english(
        finding.message, finding.params
    )
    other = {**read_part(binds=("device",)), "id": "other"}
    (shared,) = found(metrics(*APART, reads=(*KNOWN, other)), "K021", facts=(GROWING,), reads=apart())
    assert shared.fix_label == ADD_INDEX_TABLE, "the other read keeps its order"


def test_a_hash_before_what_is_known_is_another_matter():
    spec = metrics(hash_part("user", after="#"), field_part("metric"), reads=KNOWN)

    assert found(spec, "K021", reads=apart(bound=(), open_at="hash_part")) == []


def test_rows_apart_stand_under_the_time_or_the_full_scan_that_parts_them():
    leads = metrics(time_part("#"), field_part("device"), reads=KNOWN)
    scan = apart(access="range", bound=(), filtered=("device_part",))
    made = traffic(fronts=(front("time_part", 0.5),))

    (first,) = found(leads, "K004", facts=(GROWING,), reads=scan, traffic=made)
    (full,) = found(metrics(field_part("user", "#"), field_part("device"), reads=KNOWN), "Q001", reads=(
        plan("scan", open_at="user_part", filtered=("device_part",), rows_scanned=1e6, node_seconds=1.0),
    ))  # fmt: skip

    assert [f.rule for f in first.under] == ["K021"]
    assert [f.rule for f in full.under] == ["K021"]


@pytest.mark.parametrize(("per_second", "expected"), [(20.6, ["warning"]), (20.5, []), (None, [])])
def test_a_part_that_is_asked_for_value_by_value_warns_where_that_takes_a_hundredth_of_a_node(per_second, expected):
    """10 seeks of 54.17 µs instead of one are 0.486 ms more: a hundredth of a node at 20.58/s."""
    spec = metrics(field_part("metric", "#"), field_part("device"), reads=(read_part(binds=("device",)),))
    listed = plan("multi_point", bound=("device_part",), ranges=10.0, node_seconds=5.4e-4, per_second=per_second)
    facts = (segment("metric_part", distinct=10.0),)

    assert severities(spec, "K021", facts=facts, reads=(listed,)) == expected
