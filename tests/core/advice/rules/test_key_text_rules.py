"""K017, K020, K022, K025 on figures made by hand: what stands in a key as text."""

import pytest

from designer.wording.formatting import english
from estimator.advice.rules import findings
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
from tests.cases import cases
from tests.contexts import estimate as whole_estimate
from tests.core.advice.rules.asked import found, mended, severities
from tests.core.advice.rules.made import TODAY, plan, segment, traffic, write_load

# --- K017 -----------------------------------------------------------------------------------------------------

SITE = {**DEVICE, "id": "site", "name": "site", "kind": "domain", "values": {"kind": "pattern", "text": "w{n:04}.com"}}
BY_PARENT = {"binds": ({"field": "site", "prefix": True},), "latency": "batch"}


def sites(*transforms, binds=BY_PARENT["binds"], **field):
    return design(
        field_part("site", "", *transforms),
        fields=({**SITE, **field},),
        reads=(read_part(**{**BY_PARENT, "binds": binds}),),
    )


def scan(**more):
    return plan("scan", open_at="site_part", rows_scanned=1_000.0, rows_returned=1_000.0, **more)


@pytest.mark.parametrize(
    ("node_seconds", "per_second", "expected"),
    [(0.001, 10.0, "warning"), (0.00099, 10.0, "note"), (0.001, None, "warning"), (0.0001, 0.0, "note")],
)
def test_a_domain_in_natural_order_warns_where_the_scan_takes_a_hundredth_of_a_node(node_seconds, per_second, expected):
    reads = (scan(node_seconds=node_seconds, per_second=per_second),)

    assert severities(sites(), "K017", reads=reads) == [expected]


def test_a_parent_domain_is_taken_to_have_the_square_root_of_all():
    (finding,) = found(sites(), "K017", reads=(scan(),))

    assert finding.params["wanted"] == pytest.approx(1_000 / 1_000**0.5)


def test_a_domain_that_is_reversed_or_asked_for_as_a_whole_is_fine():
    assert found(sites({"kind": "reverse_domain"}), "K017", reads=(scan(),)) == []
    assert found(sites(binds=("site",)), "K017", reads=(scan(),)) == []
    assert found(sites(kind="string"), "K017", reads=(scan(),)) == []


def test_a_domain_behind_what_the_read_lacks_is_not_what_scatters_the_rows():
    spec = design(field_part("device", "#"), field_part("site"), fields=(DEVICE, SITE), reads=(read_part(**BY_PARENT),))

    assert found(spec, "K017", reads=(plan("scan", open_at="device_part", rows_scanned=1_000.0),)) == []


@pytest.mark.parametrize(("scanned", "expected"), [(20.0, 1), (19.9, 0)])
def test_a_parent_domain_of_nearly_all_rows_is_no_waste(scanned, expected):
    spec = design(field_part("site"), fields=(SITE,), reads=(read_part(**BY_PARENT, match_share=0.5),))
    reads = (plan("scan", open_at="site_part", rows_scanned=scanned, rows_returned=10.0),)

    assert len(found(spec, "K017", reads=reads)) == expected


def test_a_full_scan_for_a_parent_domain_stands_under_the_domain():
    (finding,) = found(sites(), "K017", reads=(scan(node_seconds=0.01),))

    assert [f.rule for f in finding.under] == ["Q001"]
    assert mended(sites(), finding).tables[0].row_kinds[0].key[0].transforms[0].kind == "reverse_domain"


# --- K020 -----------------------------------------------------------------------------------------------------

PERSON = {**USER, "personal": True}


def people(*key, **field):
    return design(*key, fields=({**PERSON, **field}, DEVICE))


def test_a_personal_field_in_a_key_is_found_once_with_how_many_people_it_names():
    (finding,) = found(people(hash_part("user", after="_"), field_part("user")), "K020")

    assert (finding.severity, finding.at) == ("warning", "user_part")
    assert "1,000 values are readable in keys" in english(finding.message, finding.params)


def test_what_nobody_marked_as_personal_is_fine():
    assert found(people(field_part("user"), personal=False), "K020") == []
    assert found(people(field_part("user"), personal=None), "K020") == []


def test_a_plain_hash_of_personal_data_is_still_personal():
    (finding,) = found(people(hash_part("user", digits=16)), "K020")

    assert "The key of events contains an unkeyed hash of user_id, which is personal data." in english(
        finding.message, finding.params
    )
    assert "If the hash uses a secret key, accept this finding." in english(finding.message, finding.params)


@pytest.mark.parametrize(("modulo", "expected"), [(101, ["warning"]), (100, [])])
def test_a_salt_that_ten_people_share_points_at_nobody(modulo, expected):
    facts = (segment("salt_part", distinct=float(modulo)),)

    assert severities(people(salt_part(modulo, "user"), field_part("device")), "K020", facts=facts) == expected


def test_a_part_of_personal_data_that_few_share_is_still_personal():
    initial = {"id": "part", "kind": "derived", "field": "user", "how": {"kind": "part", "length": 4}}

    assert severities(people(initial), "K020", facts=(segment("part", distinct=101.0),)) == ["warning"]
    assert severities(people(initial), "K020", facts=(segment("part", distinct=100.0),)) == []


def test_a_family_named_after_a_person_is_found():
    values = {"kind": "enumeration", "items": [{"value": "alice"}, {"value": "bob"}, {"value": "jo"}]}
    fields = ({"id": "user", "name": "user", "personal": True, "values": values}, DEVICE)

    def named(name):
        return severities(design(field_part("device"), fields=fields, family={"name": name}), "K020")

    assert named("notes-of-Alice") == named("bobs") == ["warning"]
    assert named("job") == []


# --- K022 -----------------------------------------------------------------------------------------------------


BY_DEVICE = (read_part(binds=("device",)),)


def floors(*transforms, low=-5, reads=BY_DEVICE, **field):
    values = {"kind": "range", "min": low, "max": 20}
    floor = {"id": "floor", "name": "floor", "kind": "integer", "values": values, "assigned": "arbitrary"}
    return design(
        field_part("device", "#"),
        field_part("floor", "", *transforms),
        fields=(DEVICE, {**floor, **field}),
        reads=reads,
    )


GOES_THROUGH = (plan("prefix", bound=("device_part",), open_at="floor_part"),)


@pytest.mark.parametrize(("low", "expected"), [(-2, ["warning"]), (-1, []), (1, [])])
def test_two_negative_numbers_sort_the_wrong_way_round(low, expected):
    assert severities(floors({"kind": "pad", "width": 3}, low=low), "K022", reads=GOES_THROUGH) == expected


def test_negative_numbers_that_every_read_knows_are_fine():
    spec = floors(reads=(read_part(binds=("device", "floor")),))

    assert found(spec, "K022", reads=(plan("point", bound=("device_part", "floor_part")),)) == []


def test_negative_numbers_without_any_read_are_a_note():
    assert severities(floors(reads=()), "K022") == ["note"]


def test_an_offset_that_leaves_nothing_below_zero_is_fine():
    assert found(floors({"kind": "offset", "by": 5}), "K022", reads=GOES_THROUGH) == []
    assert len(found(floors({"kind": "offset", "by": 3}), "K022", reads=GOES_THROUGH)) == 1


def test_a_number_that_is_counted_down_from_too_little_is_counted_down_from_more():
    spec = floors({"kind": "descending", "top": 9}, {"kind": "pad", "width": 2}, low=1)

    (finding,) = found(spec, "K022", reads=GOES_THROUGH)

    assert finding.params["low"] == "-11"
    descending, pad = mended(spec, finding).tables[0].row_kinds[0].key[1].transforms
    assert (descending.top, pad.width) == (99, 2)
    assert found(mended(spec, finding), "K022", reads=GOES_THROUGH) == []


def test_the_fix_adds_what_makes_the_least_zero_and_pads():
    (finding,) = found(floors(), "K022", reads=GOES_THROUGH)

    offset, pad = mended(floors(), finding).tables[0].row_kinds[0].key[1].transforms
    assert (offset.by, pad.width) == (5, 2)
    assert "Add 5 to floor and pad to 2 digits" in english(finding.fix_label, finding.params)


def test_the_fix_pads_to_the_largest_number_that_may_come_though_few_are_in_use_yet():
    spec = floors(assigned="sequential", distinct=3, values={"kind": "range", "min": -5, "max": 2_000})

    (finding,) = found(spec, "K022", reads=GOES_THROUGH)

    assert mended(spec, finding).tables[0].row_kinds[0].key[1].transforms[1].width == 4


def test_fractions_have_no_digits_to_pad_to():
    (finding,) = found(floors(kind="float"), "K022", reads=GOES_THROUGH)

    assert finding.fix is None


# --- K025 -----------------------------------------------------------------------------------------------------

OPEN_TIME = segment("time_part", text_order=False)


LAST_WEEK = (read_part(binds=("device",), time={"days": 7}),)
LAST_MONTH = (read_part(binds=("device",), time={"days": 30}),)


def dated_design(*patterns, resolution="minute", reads=LAST_WEEK):
    times = [
        {"id": f"time{n}", "kind": "time", "pattern": pattern, "resolution": resolution, "after": "#"}
        for n, pattern in enumerate(patterns)
    ]
    return design(field_part("device", "#"), *times, reads=reads)


def by_time(spec, **more):
    facts = tuple(segment(s.id, text_order=False) for s in spec.tables[0].row_kinds[0].key[1:])
    usual = {"open_at": "time0", "bound": ("device_part",), "rows_scanned": 500.0, "rows_returned": 10.0}
    return found(spec, "K025", facts=facts, reads=(plan("prefix", **{**usual, **more}),))


@cases(
    "pattern, earlier, later",
    [
        ("%d.%m.%Y", "31.12.2026", "01.01.2027"),
        ("%m/%d/%Y", "12/31/2026", "01/01/2027"),
        ("%Y-%-m-%-d", "2027-9-30", "2027-10-1"),
        ("%Y%b%d", "2027Jan31", "2027Feb01"),
        ("%Y%m%d %I:%M", "20270209 12:00", "20270209 01:00"),
        ("%Y%m%d %I:%M %p", "20270209 12:00 PM", "20270209 01:00 PM"),
        ("%Yw%V", "2025w52", "2025w01"),
        ("%Y%m%d%-H", "202702099", "2027020910"),
    ],
)
def test_times_whose_text_is_out_of_order_show_two_that_sort_wrongly(pattern, earlier, later):
    (finding,) = by_time(dated_design(pattern, reads=LAST_MONTH))

    assert finding.severity == "warning"
    assert (finding.params["earlier"], finding.params["later"]) == (f"{earlier}#", f"{later}#")


@cases("pattern", ["%Y%m%d", "%y%m%d%H", "%Gw%V", "%Y-%m-%d %a", "%Y%j", "week%V", "%H", "%d"])
def test_times_in_order_or_without_their_year_are_fine(pattern):
    assert by_time(dated_design(pattern)) == []


def test_two_segments_that_show_one_time_are_judged_together():
    assert by_time(dated_design("%Y%m", "%d")) == []
    assert [f.at for f in by_time(dated_design("%Y", "%d", "%m"), open_at="time1")] == ["time1"]


@pytest.mark.parametrize(
    "asked",
    [
        read_part(binds=("device",), exact_time=True),
        read_part(binds=("device",)),
        read_part(binds=("device",), time={"days": 0.0001}),
    ],
)
def test_order_does_not_matter_where_no_read_goes_by_time(asked):
    assert by_time(dated_design("%d.%m.%Y", reads=(asked,))) == []
    assert by_time(dated_design("%d.%m.%Y"), open_at="device_part") == []


def test_the_newest_rows_need_the_order_too():
    spec = dated_design("%d.%m.%Y", reads=(read_part(binds=("device",), newest_rows=10),))

    (finding,) = by_time(spec)

    assert "look up reads by time, so it scans 500 rows in 1 range to return 10." in english(
        finding.message, finding.params
    )


def test_a_time_out_of_order_without_any_read_is_a_note():
    assert [f.severity for f in by_time(dated_design("%d.%m.%Y", reads=()))] == ["note"]


@pytest.mark.parametrize(("hottest", "fixed"), [(0.19, True), (0.2, False)])
def test_times_are_put_in_order_unless_that_makes_a_busy_end(hottest, fixed):
    from estimator.results import LeadValues

    spec = dated_design("%d.%m.%Y %H:%M")
    load = traffic(
        writes=(write_load(14_000.0, node_seconds_per_row=1 / 14_000),),
        leads=(LeadValues("rows", 1, hottest, b"d0001", 10.0),),
    )
    facts = (segment("time0", text_order=False),)
    reads = (plan("prefix", open_at="time0", bound=("device_part",)),)

    (finding,) = found(spec, "K025", facts=facts, reads=reads, traffic=load)

    assert (finding.fix is not None) == fixed
    assert not fixed or mended(spec, finding).tables[0].row_kinds[0].key[1].pattern == "%Y%m%d%H%M"


def test_a_time_that_leads_is_not_put_in_order():
    spec = design(time_part(pattern="%d%m%Y", resolution="day"), reads=(read_part(time={"days": 7}),))

    (finding,) = found(spec, "K025", facts=(OPEN_TIME,), reads=(plan("scan", open_at="time_part"),), traffic=traffic())

    assert finding.fix is None


def test_a_time_that_no_range_is_of_is_said_to_read_rows_of_any_time():
    spec = design(
        field_part("device", "#"), time_part(pattern="%d%m%Y%H%M%S", resolution="second"), per_second=10,
        reads=(read_part(binds=("device",), time={"days": 1}),),
    )  # fmt: skip

    (finding,) = (f for f in findings(spec, whole_estimate(spec), TODAY) if f.rule == "K025")

    # Of a thousand devices, each has 864 rows a day, for 30 days and half a week until they are collected: 28,900.
    assert finding.params["scanned"] == pytest.approx(28_900, rel=0.01)
    assert (
        "asks for 1 day, but no range of keys is of that time: each request reads 28,800 rows of any time"
        in english(finding.message, finding.params)
    )
