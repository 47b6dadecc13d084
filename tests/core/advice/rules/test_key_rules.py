"""K006, K007, K009, K010, K011, K014 on figures made by hand."""

import pytest

from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.keys.delimiter_in_value import ENCODE
from estimator.advice.rules.shared.examples import (
    DEVICE,
    TENANT,
    USER,
    design,
    field_part,
    hash_part,
    read_part,
    salt_part,
    time_part,
)
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.results import Witness
from tests.cases import cases
from tests.core.advice.rules.asked import found, mended
from tests.core.advice.rules.made import TODAY, estimate, hot_row, keys, plan, segment, traffic, write_load

# --- K006 -----------------------------------------------------------------------------------------------------


def test_a_hash_alone_is_found_and_says_how_many_values_are_hidden():
    (finding,) = found(design(hash_part("user", digits=16), fields=(USER,), reads=(read_part(),)), "K006")

    assert finding.severity == "warning"
    assert "1,000 values" in english(finding.message, finding.params)


def test_a_short_hash_alone_says_how_many_share_a_row():
    (finding,) = found(design(hash_part("user", digits=2), fields=(USER,)), "K006")

    assert finding.params["sharing"] == pytest.approx(1_000 * (1 - (255 / 256) ** 999))


@pytest.mark.parametrize(
    ("reads", "expected"),
    [
        ((read_part(binds=("tenant", "device")),), ["note"]),
        ((read_part(binds=("tenant",)),), ["note"]),  # it takes all devices below the tenant
        ((read_part(binds=("device",)),), ["note", "warning"]),  # the tenants lie behind one another
        ((read_part(binds=("tenant", {"field": "device", "prefix": True})),), ["note", "warning"]),
        ((), ["note", "note"]),  # nobody is known to need them
    ],
)
def test_hashes_whose_values_all_reads_know_are_one_note(reads, expected):
    key = (hash_part("tenant", digits=16), {**hash_part("device", digits=16), "id": "second"})
    spec = design(*key, fields=(DEVICE, TENANT), reads=reads)

    assert sorted(f.severity for f in found(spec, "K006")) == expected


def test_a_hash_before_its_value_is_fine():
    assert found(design(hash_part("user", after="_"), field_part("user"), fields=(USER,)), "K006") == []


def test_a_hash_of_personal_data_is_fine():
    assert found(design(hash_part("user"), fields=({**USER, "personal": True},)), "K006") == []


# --- K007 and Q001 --------------------------------------------------------------------------------------------

BEHIND_HASH = (hash_part("device", after="#"), field_part("tenant", "#"), time_part())


def test_a_hash_before_what_a_read_knows_stands_under_the_scan_that_it_causes():
    spec = design(*BEHIND_HASH, fields=(DEVICE, TENANT), reads=(read_part(binds=("tenant",)),))
    scan = plan(
        "scan", open_at="hash_part", filtered=("tenant_part",), rows_scanned=1e6, rows_returned=2e4, node_seconds=1
    )

    made = estimate(spec, keys=keys(spec), reads=(scan,), traffic=traffic())
    every = [f for f in findings(spec, made, TODAY) if f.rule == "Q001"]

    assert [f.rule for f in every[0].under] == ["K007"]
    assert every[0].under[0].params["scanned_factor"] == 50


def test_a_hash_that_the_read_can_fill_in_is_fine():
    spec = design(*BEHIND_HASH, fields=(DEVICE, TENANT), reads=(read_part(binds=("device", "tenant")),))

    assert found(spec, "K007", reads=(plan("prefix", bound=("hash_part", "tenant_part"), open_at="time_part"),)) == []


def test_a_salt_before_a_known_field_warns_and_says_how_many_scans_it_takes():
    spec = design(
        salt_part(16), field_part("tenant", "#"), time_part(), fields=(TENANT,), reads=(read_part(binds=("tenant",)),)
    )
    spread = plan("multi_range", open_at="time_part", ranges=16.0, node_seconds=16 * 54e-6 + 1e-3)

    (finding,) = found(spec, "K007", facts=(segment("salt_part", distinct=16.0),), reads=(spread,))

    assert (finding.severity, finding.params["ranges"], finding.params["ranges_without"]) == ("warning", 16, 1)


@pytest.mark.parametrize(("node_seconds", "severity"), [(0.00893, "warning"), (0.00895, "note")])
def test_a_salt_before_a_known_field_warns_from_a_tenth_more_node_time(node_seconds, severity):
    """16 scans instead of 1 are 15 seeks of 54.17 µs more: a tenth where all takes no more than 165, or 8.938 ms."""
    spec = design(
        salt_part(16), field_part("tenant", "#"), time_part(), fields=(TENANT,), reads=(read_part(binds=("tenant",)),)
    )
    spread = plan("multi_range", open_at="time_part", ranges=16.0, node_seconds=node_seconds, per_second=1e-3)

    got = found(spec, "K007", facts=(segment("salt_part", distinct=16.0),), reads=(spread,))

    assert [f.severity for f in got] == [severity]


def test_a_salt_before_a_range_of_time_is_a_note_while_it_costs_little():
    spec = design(salt_part(16), time_part(), reads=(read_part(time={"days": 1}),))
    spread = plan("multi_range", open_at="time_part", ranges=16.0, node_seconds=1.0, per_second=0.1)

    assert [f.severity for f in found(spec, "K007", facts=(segment("salt_part", distinct=16.0),), reads=(spread,))] == [
        "note"
    ]


def test_a_salt_behind_an_open_segment_is_not_what_breaks_the_range():
    spec = design(
        field_part("device", "#"),
        salt_part(16),
        field_part("tenant"),
        fields=(DEVICE, TENANT),
        reads=(read_part(binds=("tenant",)),),
    )

    assert found(spec, "K007", reads=(plan("scan", open_at="device_part"),)) == []


@cases(
    "returned, seconds, per_second, severity",
    [
        (10.0, 0.001, 10.0, "warning"),
        (10.0, 0.00099, 10.0, "note"),
        (10.0, 1.0, 1e-6, "warning"),
        (10.0, 0.99, 1e-6, "note"),
        (500_001.0, 1.0, 10.0, None),
        (500_000.0, 1.0, 10.0, "warning"),
        (10.0, 1.0, 10.0, "error"),
        (10.0, 1.0, None, "warning"),
        (10.0, 0.5, None, "note"),
    ],
)
def test_a_full_scan_warns_where_it_takes_a_hundredth_of_a_node_or_somebody_waits(
    returned, seconds, per_second, severity
):
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(),))
    scan = plan("scan", rows_scanned=1e6, rows_returned=returned, node_seconds=seconds, per_second=per_second)

    got = [f.severity for f in found(spec, "Q001", reads=(scan,), traffic=traffic())]

    assert got == ([severity] if severity else [])


def test_a_full_scan_says_its_share_of_the_load():
    spec = design(field_part("device", "#"), time_part(), reads=(read_part(),))

    (finding,) = found(
        spec, "Q001", reads=(plan("scan", rows_scanned=1e6, node_seconds=0.01, per_second=10.0),), traffic=traffic()
    )

    assert finding.params["load_share"] == pytest.approx(0.2)
    assert "At 10/s, that uses 0.1 nodes, 20\u00a0% of the table's load." in english(finding.message, finding.params)


# --- K009 -----------------------------------------------------------------------------------------------------


def orders(*transforms, reads=(), **field):
    usual = {"id": "order", "name": "order", "kind": "integer", "values": {"kind": "range", "min": 1, "max": 9_999_999}}
    return design(
        field_part("tenant", "#"),
        field_part("order", "", *transforms),
        fields=(TENANT, {**usual, **field}),
        reads=reads,
    )


LISTED = plan("prefix", bound=("tenant_part",), open_at="order_part")
UNSORTED = segment("order_part", text_order=False, fixed_width=False)
BY_TENANT = (read_part(binds=("tenant",)),)
PAD_6 = {"kind": "pad", "width": 6}


def test_unpadded_numbers_that_a_read_goes_through_show_two_that_sort_wrongly():
    (finding,) = found(orders(distinct=1_000, reads=BY_TENANT), "K009", facts=(UNSORTED,), reads=(LISTED,))

    assert finding.severity == "warning"
    assert "10 sorts before 9" in english(finding.message, finding.params)


def test_unpadded_numbers_that_every_read_knows_are_fine():
    spec = orders(distinct=1_000, reads=(read_part(binds=("tenant", "order")),))

    assert found(spec, "K009", facts=(UNSORTED,), reads=(plan("point", bound=("tenant_part", "order_part")),)) == []


def test_numbers_of_one_length_are_fine():
    spec = orders(distinct=1_000, values={"kind": "range", "min": 1_000, "max": 9_999}, reads=BY_TENANT)

    assert found(spec, "K009", facts=(UNSORTED,), reads=(LISTED,)) == []


@pytest.mark.parametrize(("growth_per_day", "expected"), [(273, []), (274, ["error"])])
def test_padding_that_is_outgrown_within_the_horizon_is_an_error(growth_per_day, expected):
    """Beyond 900,000 orders, 273 a day for 365.25 days are 99,713 more; 274 are 100,078."""
    spec = orders(PAD_6, distinct=900_000, growth_per_day=growth_per_day, assigned="sequential", reads=BY_TENANT)

    assert [f.severity for f in found(spec, "K009", facts=(UNSORTED,), reads=(LISTED,))] == expected


def test_padding_that_is_outgrown_says_when():
    spec = orders(PAD_6, distinct=900_000, growth_per_day=1_000, assigned="sequential", reads=BY_TENANT)

    (finding,) = found(spec, "K009", facts=(UNSORTED,), reads=(LISTED,))

    assert finding.params["date"].isoformat() == "2026-04-11"
    assert "1000000 then sorts before 999999, and look up returns the wrong rows." in english(
        finding.message, finding.params
    )


def test_hexadecimal_digits_are_outgrown_and_widened_as_such():
    hexadecimal = {"kind": "hex", "width": 5}
    spec = orders(hexadecimal, distinct=900_000, growth_per_day=1_000, assigned="sequential", reads=BY_TENANT)

    (finding,) = found(spec, "K009", facts=(UNSORTED,), reads=(LISTED,))

    assert finding.params["date"].isoformat() == "2026-05-29"  # 16⁵ = 1,048,576: 148 days behind the start
    assert (finding.params["high"], finding.params["low"]) == ("100000", "fffff")
    assert mended(spec, finding).tables[0].row_kinds[0].key[1].transforms[0].width == 6  # 9,999,999 is 98967f


@pytest.mark.parametrize(("top", "expected"), [(999, ["warning"]), (9_999, [])])
def test_numbers_counted_down_vary_in_length_where_they_come_near_zero(top, expected):
    spec = orders({"kind": "descending", "top": top}, values={"kind": "range", "min": 1, "max": 999}, reads=BY_TENANT)

    assert [f.severity for f in found(spec, "K009", facts=(UNSORTED,), reads=(LISTED,))] == expected


def test_numbers_of_half_hours_gain_a_digit_in_2027():
    """The millionth half hour since 1970 begins on 2027-01-15 at 8:00."""
    spec = design(field_part("device", "#"), time_part(bucket_seconds=1_800, unit="bucket"), reads=BY_TENANT[:0])
    spec = spec.model_copy(update={"horizon_months": 24})
    unsorted = segment("time_part", "time", text_order=False)

    (finding,) = found(spec, "K009", facts=(unsorted,))

    assert (finding.params["high"], finding.params["low"]) == ("1000000", "999999")
    assert mended(spec, finding).tables[0].row_kinds[0].key[1].unit == "s"
    assert found(spec.model_copy(update={"horizon_months": 12}), "K009", facts=(unsorted,)) == []


def test_unpadded_numbers_without_any_read_are_a_note():
    assert [f.severity for f in found(orders(distinct=1_000), "K009", facts=(UNSORTED,))] == ["note"]


# --- K010, K011 -----------------------------------------------------------------------------------------------

AMBIGUOUS = Witness(("a", "b-c"), ("a-b", "c"), b"a-b-c", b"a-b-c", "device_part")
DISORDERED = Witness(("a100",), ("a1001",), b"a100:", b"a1001:", "device_part")


def test_two_tuples_with_one_key_are_shown():
    spec = design(field_part("device", "-"), field_part("user"), fields=(DEVICE, USER))

    (finding,) = found(spec, "K010", ambiguous=AMBIGUOUS)

    assert finding.severity == "error"
    assert "In events, the different tuples (a, b-c) and (a-b, c) have the same key a-b-c." in english(
        finding.message, finding.params
    )


def test_values_with_every_delimiter_are_percent_encoded():
    values = {"kind": "enumeration", "items": [{"value": value} for value in ("a", "a-b", "#,!|~", "b-c", "c")]}
    users = [{**each, "values": values, "distinct": None} for each in (USER, DEVICE)]
    spec = design(field_part("user", "-"), field_part("device"), fields=tuple(users))
    kind = spec.tables[0].row_kinds[0].id
    summary = key_summary(compile_pattern(spec, kind))

    (finding,) = found(spec, "K010", facts=summary.segments, ambiguous=summary.ambiguous)

    changed = mended(spec, finding)
    (first, _) = changed.tables[0].row_kinds[0].key
    assert (finding.fix_label, first.transforms[-1].kind, first.after) == (ENCODE, "percent", "#")
    assert key_summary(compile_pattern(changed, kind)).ambiguous is None


@pytest.mark.parametrize(("at", "under", "alone"), [("order_part", ["K011"], []), ("tenant_part", [], ["K011"])])
def test_numbers_that_their_delimiter_disturbs_as_well_are_one_cause(at, under, alone):
    spec = orders(distinct=1_000, reads=(*BY_TENANT, {**read_part(), "id": "all"}))
    turned = Witness(("1",), ("10",), b"10:", b"1:", at)
    plans = (LISTED, plan("scan", read="all", open_at="tenant_part"))
    made = estimate(spec, keys=keys(spec, UNSORTED, disordered=(turned,)), reads=plans)

    every = [f for f in findings(spec, made, TODAY) if f.rule in ("K009", "K011")]

    assert [[u.rule for u in f.under if u.rule == "K011"] for f in every if f.rule == "K009"] == [under]
    assert [f.rule for f in every if f.rule == "K011"] == alone


def test_a_delimiter_that_disturbs_the_order_matters_only_where_a_read_goes_through_values():
    through = design(field_part("device", ":"), time_part(), reads=(read_part(),))
    known = design(field_part("device", ":"), time_part(), reads=(read_part(binds=("device",)),))

    assert len(found(through, "K011", disordered=(DISORDERED,), reads=(plan("scan", open_at="device_part"),))) == 1
    assert found(known, "K011", disordered=(DISORDERED,), reads=(plan("prefix", open_at="time_part"),)) == []


# --- K014 -----------------------------------------------------------------------------------------------------


def overwritten(mode="overwrite", *key):
    return design(*(key or (field_part("device"),)), write={"mode": mode})


def hot(spec, row, load=None):
    made = traffic(hot_rows=(row,), writes=(load or write_load(1.0, bytes_per_row=10.0),))
    return [f.severity for f in found(spec, "K014", traffic=made)]


@pytest.mark.parametrize(("node_share", "expected"), [(0.2, ["warning"]), (0.1999, [])])
def test_one_row_that_takes_a_fifth_of_a_node_warns(node_share, expected):
    assert hot(design(field_part("device")), hot_row(node_share, per_second=0.0)) == expected


@pytest.mark.parametrize(
    ("routing", "node_share", "expected"),
    [
        # Half of the requests in each of two clusters: a fifth of one node is two fifths of a node in both.
        (None, 0.39, []),
        (None, 0.4, ["warning"]),
        ("single", 0.2, ["warning"]),
        ("single", 0.19, []),
    ],
)
def test_one_row_that_is_read_takes_a_fifth_of_a_node_of_one_cluster(routing, node_share, expected):
    profiles = ({"id": "p", "routing": routing, "clusters": ["c1"]},) if routing else ()
    instance = {"clusters": ({"id": "c1"}, {"id": "c2"}), "app_profiles": profiles}
    read = read_part(binds=("device",), rate_per_second=100.0, **({"app_profile": "p"} if routing else {}))
    spec = design(field_part("device"), reads=(read,), instance=instance)

    assert hot(spec, hot_row(node_share, access=read["id"], per_second=0.0)) == expected


@pytest.mark.parametrize(("per_minute", "expected"), [(60.0, ["warning"]), (59.9, [])])
def test_a_typical_row_that_is_overwritten_every_second_warns(per_minute, expected):
    assert hot(overwritten(), hot_row(median_per_minute=per_minute)) == expected


def test_new_rows_are_not_overwritten():
    assert hot(overwritten("append_row"), hot_row(median_per_minute=600.0)) == []
    assert (
        hot(
            overwritten("new_cell", field_part("device", "#"), time_part(resolution="week")),
            hot_row(median_per_minute=600.0),
        )
        == []
    )


@pytest.mark.parametrize(("per_second", "expected"), [(1.0, ["note"]), (0.99, [])])
def test_only_the_hottest_row_above_once_a_second_is_a_note(per_second, expected):
    assert hot(overwritten(), hot_row(per_second=per_second, median_per_minute=1.0)) == expected


@pytest.mark.parametrize(("bytes_per_row", "expected"), [(173.4, ["warning"]), (173.3, ["note"])])
def test_a_weeks_old_cells_above_100_mib_warn(bytes_per_row, expected):
    """1/s for 604,800 s: 100 MiB are 173.38 bytes each."""
    load = write_load(10.0, bytes_per_row=bytes_per_row)

    assert hot(overwritten(), hot_row(share=0.1, per_second=1.0), load) == expected


def test_a_large_row_of_overwritten_cells_stands_under_the_hot_row():
    from datetime import date

    from tests.core.advice.rules.made import crossing, growth, row_growth

    spec = overwritten()
    hot_one = hot_row(share=0.1, per_second=1.0, median_per_minute=60.0)
    made = estimate(
        spec,
        keys=keys(spec),
        traffic=traffic(hot_rows=(hot_one,), writes=(write_load(10.0, bytes_per_row=300.0),)),
        growth=growth(
            kinds=(
                row_growth(
                    crossings=(crossing("row_bytes_recommended", 1e8, date(2026, 2, 1)),),
                    live_crossings=(crossing("row_bytes_recommended", 1e8, None),),
                ),
            )
        ),
    )

    grave = [f for f in findings(spec, made, TODAY) if f.rule == "K014"]

    assert [(f.rule, [u.rule for u in f.under]) for f in grave] == [("K014", ["R002"])]


@pytest.mark.parametrize(("node_seconds", "severity"), [(0.00163, "note"), (0.00162, "warning")])
def test_a_salt_before_a_range_of_time_warns_where_it_doubles_the_node_time(node_seconds, severity):
    """16 scans instead of 1 are 15 seeks of 54.17 µs more: a doubling where all takes no more than 30, or 1.625 ms."""
    spec = design(salt_part(16), time_part(), reads=(read_part(time={"days": 1}),))
    spread = plan("multi_range", open_at="time_part", ranges=16.0, node_seconds=node_seconds, per_second=1_000.0)

    got = found(spec, "K007", facts=(segment("salt_part", distinct=16.0),), reads=(spread,))

    assert [f.severity for f in got] == [severity]
