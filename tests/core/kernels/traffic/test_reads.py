"""The read planner: what is found by the key, and what is scanned for it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.designs import wide_design
from designer.document import Spec
from designer.document.key import FieldSegment, HashSegment, LiteralSegment, SaltSegment, TimeSegment
from designer.document.keytext.read import parse_key
from estimator.engines import bigtable
from estimator.estimates.estimate import table_estimate
from estimator.kernels.traffic.reads import plan_reads
from estimator.results import BytesByCause, ColumnSize, KeyFacts, RowKindSize, SegmentFacts
from tests.cases import cases

ROWS = 1_000_000.0


class Facts:
    """Facts of a row kind whose key is not compiled."""

    def __init__(self, spec, kind):
        self.spec, self.kind = spec, kind

    def facts(self):
        segments = tuple(map(self._segment, self.kind.segments))
        return KeyFacts("k", segments, 1, 20, 40, (), None, (), 1e6, True, 0.0)

    def _segment(self, s):
        grows = "time" if isinstance(s, TimeSegment) else None
        if isinstance(s, FieldSegment) and self.spec.find(s.field).assigned == "sequential":
            grows = "sequence"
        match s:
            case FieldSegment():
                distinct = self.spec.find(s.field).distinct
            case HashSegment():
                distinct = 16.0**s.digits
            case SaltSegment():
                distinct = s.modulo
            case LiteralSegment():
                distinct = 1
            case _:
                distinct = 1e6
        ordered = not (isinstance(s, TimeSegment) and "%d%m" in s.pattern)
        return SegmentFacts(s.id, 1, 8, 16, distinct, grows, True, True, ordered)


SSD = bigtable.CAPACITIES["ssd"]

FIELDS = [
    {"id": "device", "distinct": 1000, "popularity": {"kind": "uniform"}},
    {"id": "metric", "distinct": 20, "popularity": {"kind": "uniform"}},
    {"id": "tenant", "distinct": 1000, "popularity": {"kind": "uniform"}},
    {
        "id": "amount",
        "kind": "integer",
        "values": {"kind": "range", "min": 1, "max": 10_000},
        "distinct": 10_000,
        "popularity": {"kind": "uniform"},
    },
    {"id": "site", "kind": "domain", "distinct": 10_000, "popularity": {"kind": "uniform"}},
]
DEVICE = {"kind": "field", "field": "device", "after": "#"}
METRIC = {"kind": "field", "field": "metric", "after": "#"}
TENANT = {"kind": "field", "field": "tenant", "after": "#"}
MS = {"kind": "time"}
REVERSED = {"kind": "time", "reversed": True}
DAY = {"kind": "time", "resolution": "day", "pattern": "%Y%m%d", "after": "#"}
WEEK = {"kind": "time", "resolution": "week", "pattern": "%G%V"}
HASH = {"kind": "hash", "fields": ["device"], "after": "_"}
SALT = {"kind": "salt", "modulo": 8, "fields": ["device"], "after": "#"}
RANDOM_SALT = {"kind": "salt", "modulo": 8, "after": "#"}
LITERAL = {"kind": "literal", "text": "e#"}


def device(**more):
    return {"field": "device", **more}


def plan(
    key,
    read,
    *,
    fields=FIELDS,
    more_kinds=(),
    rows=ROWS,
    cells=1.0,
    gc=None,
    beside=(),
    table=None,
    superseded=0.0,
    activity=None,
    stamp=None,
    **more,
):
    segments = [{"id": f"s{i}", **segment} for i, segment in enumerate(key)]
    kind = {"id": "k", "key": segments, "reads": [{"id": "r", **read}], "writes": [{"id": "w", "activity": "a"}]}
    columns = [{"id": id_, **({"timestamp": stamp} if stamp else {})} for id_ in ("c1", "c2")]
    families = [
        {"id": "f1", "columns": [*columns[:1], *({"id": c} for c in beside)], "gc": gc},
        {"id": "f2", "columns": columns[1:], "gc": gc},
    ]
    spec = Spec.model_validate(
        {
            **more,
            "fields": fields,
            "activities": [{"id": "a", "rate_per_second": 1, **(activity or {})}],
            "tables": [
                {
                    "id": "t",
                    "row_kinds": [kind, *({"id": k} for k in more_kinds)],
                    "families": families,
                    **(table or {}),
                }
            ],
        }
    )
    cell = BytesByCause(key=20, family=1, qualifier=1, timestamp=8, value=70, overhead=12)
    in_f1 = tuple(ColumnSize(c, "f1", cell, 1, cells, superseded) for c in ("c1", *beside))
    sizes = {
        k: RowKindSize(k, rows, (*in_f1, ColumnSize("c2", "f2", cell, 1, cells, superseded)))
        for k in ("k", *more_kinds)
    }
    return plan_reads(spec, spec.tables[0], {"k": Facts(spec, spec.tables[0].row_kinds[0]).facts()}, sizes)[0]


def test_a_whole_key_is_a_point():
    found = plan([DEVICE, MS], {"binds": [device()], "exact_time": True})

    assert (found.access, found.ranges, found.rows_scanned, found.rows_returned) == ("point", 1, 1, 1)
    assert found.bound == ("s0", "s1")
    assert found.open_at is None
    assert found.bytes_scanned == pytest.approx(200)  # two cells of 100 bytes
    assert found.bytes_returned == pytest.approx(180)  # the key of 20 bytes is sent once
    assert found.cells_returned == 2


def test_a_known_beginning_is_a_prefix():
    found = plan([DEVICE, MS], {"binds": [device()]})

    assert (found.access, found.open_at, found.bound) == ("prefix", "s1", ("s0",))
    assert found.rows_scanned == pytest.approx(ROWS / 1000)


def test_nothing_known_is_a_scan_of_everything():
    found = plan([DEVICE, MS], {"time": {"days": 1}})

    assert (found.access, found.open_at, found.filtered) == ("scan", "s0", ("s1",))
    assert found.rows_scanned == ROWS
    assert found.rows_returned == pytest.approx(ROWS / 365, rel=0.01)


def test_a_hash_of_a_time_is_known_to_who_knows_the_exact_time():
    fields = [*FIELDS, {"id": "ts", "name": "ts", "kind": "timestamp"}]
    key = [{"kind": "hash", "fields": ["ts"], "digits": 4, "after": "#"}, DEVICE, {"kind": "time", "field": "ts"}]

    exact = plan(key, {"binds": [device()], "exact_time": True}, fields=fields)
    span = plan(key, {"binds": [device()], "time": {"days": 1}}, fields=fields)

    assert (exact.access, exact.rows_scanned) == ("point", pytest.approx(1))
    assert span.access == "scan"


PROFILE = "{user}#profile"
ORDER = "{user}#order#{time}"


def plan_of_kinds(read, *keys):
    """Plan a read of the first of several row kinds; the first has 1,000 rows, the others 100,000."""
    users = Spec(fields=[{"id": "user", "name": "user", "distinct": 1000}])
    kinds = [
        {"id": f"k{place}", "key": [s.model_dump() for s in parse_key(users, key).segments],
         "writes": [{"id": f"w{place}", "activity": "a"}], "columns": [f"c{place}"]}
        for place, key in enumerate(keys)
    ]  # fmt: skip
    kinds[0]["reads"] = [{"id": "r", "binds": [{"field": "user", "popularity": {"kind": "uniform"}}], **read}]
    for place, kind in enumerate(kinds):
        for number, segment in enumerate(kind["key"]):
            segment["id"] = f"k{place}s{number}"
    columns = [{"id": f"c{place}"} for place in range(len(keys))]
    spec = Spec.model_validate(
        {
            "fields": users.fields,
            "activities": [{"id": "a", "rate_per_second": 1}],
            "tables": [{"id": "t", "row_kinds": kinds, "families": [{"id": "f", "columns": columns}]}],
        }
    )
    cell = BytesByCause(key=20, family=1, qualifier=1, timestamp=8, value=70, overhead=12)
    table = spec.tables[0]
    sizes = {
        kind.id: RowKindSize(
            kind.id, 1_000 if place == 0 else 100_000, (ColumnSize(f"c{place}", "f", cell, 1, 1, 0.0),)
        )
        for place, kind in enumerate(table.row_kinds)
    }
    facts = {kind.id: Facts(spec, kind).facts() for kind in table.row_kinds}
    return plan_reads(spec, table, facts, sizes)[0]


def test_one_scan_returns_the_rows_of_the_kinds_that_it_asks_for_and_meets_those_between_them():
    found = plan_of_kinds({"row_kinds": ["k1"]}, PROFILE, ORDER, "{user}#note#{time}")

    assert (found.access, found.bound, found.ranges) == ("prefix", ("k0s0",), 1)
    assert found.rows_returned == pytest.approx(1 + 100)
    assert found.cells_returned == pytest.approx(1 + 100)
    assert found.rows_scanned == pytest.approx(1 + 100 + 100)
    assert found.bytes_returned == pytest.approx(101 * 100)


def test_a_point_asks_for_its_own_row_kind_only():
    found = plan_of_kinds({}, PROFILE, ORDER)

    assert (found.access, found.rows_scanned) == ("point", 1)


def test_a_prefix_scans_the_rows_of_other_kinds_that_lie_within_it():
    scanned = plan_of_kinds({}, "{user}#{time}", "{user}#note#{time}").rows_scanned

    assert scanned == pytest.approx(1 + 100)
    assert plan_of_kinds({}, "{user}#order#{time}", "{user}#note#{time}").rows_scanned == pytest.approx(1)


def test_a_limit_takes_one_row_kind_after_the_other():
    first = plan_of_kinds({"row_kinds": ["k1"], "row_limit": 5}, PROFILE, ORDER)
    last = plan_of_kinds({"row_kinds": ["k1"], "row_limit": 5, "reverse": True}, PROFILE, ORDER)

    assert first.rows_returned == last.rows_returned == pytest.approx(5)
    assert first.rows_scanned == last.rows_scanned == pytest.approx(5)


def test_a_scan_without_a_leading_literal_meets_the_other_row_kinds():
    assert plan([DEVICE], {}, more_kinds=("other",)).rows_scanned == 2 * ROWS
    assert plan([LITERAL, DEVICE], {}, more_kinds=("other",)).rows_scanned == ROWS
    assert plan([LITERAL, DEVICE], {}).access == "scan"


def test_a_time_range_is_a_range_of_its_share_of_the_rows():
    found = plan([DEVICE, MS], {"binds": [device()], "time": {"days": 36.5}})

    assert (found.access, found.ranges) == ("range", 1)
    assert found.rows_scanned == pytest.approx(ROWS / 1000 / 10, rel=0.01)


def test_what_stands_behind_an_open_segment_is_filtered_and_not_found():
    found = plan([TENANT, DEVICE, MS], {"binds": [device()]})

    assert (found.access, found.open_at, found.filtered) == ("scan", "s0", ("s1",))
    assert found.rows_returned == pytest.approx(ROWS / 1000)


def test_a_hash_is_known_when_its_inputs_are():
    assert plan([HASH, DEVICE, MS], {"binds": [device()]}).bound == ("s0", "s1")
    assert plan([HASH, DEVICE, MS], {"binds": [device()]}).rows_scanned == pytest.approx(ROWS / 1000)
    assert plan([HASH, DEVICE, MS], {}).access == "scan"


def test_a_salt_of_an_unknown_field_means_a_range_for_each():
    salted = plan([RANDOM_SALT, DEVICE, MS], {"binds": [device()]})

    assert (salted.access, salted.ranges) == ("multi_range", 8)
    assert salted.rows_scanned == pytest.approx(ROWS / 1000)
    once = plan([DEVICE, MS], {"binds": [device()]})
    assert salted.node_seconds - once.node_seconds == pytest.approx(7 * SSD.read.seconds)
    assert plan([SALT, DEVICE, MS], {"binds": [device()]}).ranges == 1


def test_a_salt_over_time_means_a_range_for_each_even_without_the_field():
    found = plan([SALT, MS], {"time": {"days": 1}})

    assert (found.access, found.ranges) == ("multi_range", 8)


def test_a_salt_with_nothing_known_behind_it_is_a_scan():
    assert plan([SALT, DEVICE], {}).access == "scan"


def test_an_unknown_enumeration_of_few_values_is_asked_for_value_by_value():
    found = plan([METRIC, DEVICE], {"binds": [device()]})

    assert (found.access, found.ranges, found.rows_scanned) == ("multi_point", 20, 20)
    assert plan([TENANT, DEVICE], {"binds": [device()]}).access == "scan"  # 1,000 are too many


def test_a_salt_of_an_enumeration_that_is_listed_itself_makes_no_more_ranges():
    """Whoever lists the metrics knows the salt of each: 20 ranges, and not one for each salt of each."""
    salted = {**SALT, "fields": ["metric"]}

    assert plan([salted, METRIC, DEVICE], {"binds": [device()]}).ranges == 20
    assert plan([METRIC, DEVICE], {"binds": [device()]}).ranges == 20


def test_an_enumeration_that_owns_the_known_field_has_the_row_once():
    fields = [{**FIELDS[0], "belongs_to": "metric"}, *FIELDS[1:]]
    found = plan([METRIC, DEVICE], {"binds": [device()]}, fields=fields)

    assert (found.ranges, found.rows_scanned) == (20, 1)


def test_an_owner_is_not_known_because_its_child_is():
    fields = [{**FIELDS[0], "belongs_to": "tenant"}, *FIELDS[1:]]

    assert plan([TENANT, DEVICE, MS], {"binds": [device()]}, fields=fields).access == "scan"
    both = plan([TENANT, DEVICE, MS], {"binds": [device(), {"field": "tenant"}]}, fields=fields)
    assert both.rows_scanned == pytest.approx(ROWS / 1000)  # a device's tenant leaves no fewer rows


@pytest.mark.parametrize(
    "front", [{**HASH, "digits": 16}, {**HASH, "fields": ["tenant", "device"], "digits": 16}, {**SALT, "modulo": 4}]
)
def test_a_known_text_of_an_owner_leaves_no_fewer_rows_of_what_belongs_to_it(front):
    fields = [{**FIELDS[0], "belongs_to": "tenant"}, FIELDS[1] | {"belongs_to": "device"}, *FIELDS[2:]]
    known = {"binds": [{"field": "tenant"}, device(), {"field": "metric"}]}
    found = plan([front, METRIC, MS], known, fields=fields)

    assert found.rows_scanned == pytest.approx(ROWS / 20)  # all rows of one of the 20 metrics
    assert found.rows_returned == pytest.approx(found.rows_scanned)


def test_an_owner_that_only_its_known_child_tells_filters_nothing():
    fields = [{**FIELDS[0], "belongs_to": "tenant"}, *FIELDS[1:]]
    found = plan([DEVICE, MS], {"binds": [device(), {"field": "tenant"}]}, fields=fields)

    assert found.rows_returned == found.rows_scanned == pytest.approx(ROWS / 1_000)


def test_independent_known_fields_leave_fewer_rows():
    found = plan([DEVICE, METRIC, MS], {"binds": [device(), {"field": "metric"}]})

    assert found.rows_scanned == pytest.approx(ROWS / 20_000)


def test_a_span_of_weeks_meets_one_weekly_row_more_than_it_is_long():
    """A year and a week of weekly rows meet any moment of the year; 35 days at a random one meet six of them."""
    one = plan([DEVICE, WEEK], {"binds": [device()], "time": {"days": 7}})
    assert (one.access, one.ranges) == ("range", 1)
    assert one.rows_scanned == pytest.approx(ROWS / 1000 * 14 / 372, rel=0.01)
    five = plan([DEVICE, WEEK], {"binds": [device()], "time": {"days": 35}})
    assert (five.access, five.ranges) == ("range", 1)
    assert five.rows_scanned == pytest.approx(ROWS / 1000 * 42 / 372, rel=0.01)


@pytest.mark.parametrize("hours", [1, 6, 24, 30, 100])
def test_a_span_meets_as_many_days_as_are_counted_at_random_moments(hours):
    ends = np.random.default_rng(3).uniform(100, 200, 200_000)
    counted = np.floor(ends) - np.floor(ends - hours / 24) + 1

    asked = plan([{**DAY, "pattern": "%d%m%Y"}, DEVICE], {"binds": [device()], "time": {"days": hours / 24}})

    assert asked.rows_scanned == pytest.approx(counted.mean(), rel=0.005)


def test_the_exact_time_is_one_row():
    assert plan([DEVICE, WEEK], {"binds": [device()], "exact_time": True}).access == "point"
    hour = plan([DEVICE, WEEK], {"binds": [device()], "time": {"days": 1 / 24}})
    assert (hour.access, hour.rows_scanned) == ("point", pytest.approx(1 + 1 / 168))


@pytest.mark.parametrize(
    ("written", "kept"), [({"pattern": "%G%V"}, "week"), ({"pattern": "%Y%m%d"}, "day"), ({"unit": "s"}, "second")]
)
def test_a_time_is_as_coarse_as_it_is_written(written, kept):
    asked = {"binds": [device()], "time": {"days": 35}}

    assert plan([DEVICE, {**MS, **written}], asked) == plan([DEVICE, {**MS, **written, "resolution": kept}], asked)


def test_buckets_before_a_known_field_are_asked_for_one_by_one():
    found = plan([DAY, DEVICE], {"binds": [device()], "time": {"days": 5}})

    assert (found.access, found.ranges) == ("multi_point", 6)
    assert found.rows_scanned == pytest.approx(6, rel=0.001)  # the day that has just begun may have no row yet


def test_buckets_are_asked_for_one_by_one_while_that_costs_less_than_to_scan_and_filter():
    for days in (99, 100, 200):
        found = plan([DAY, DEVICE], {"binds": [device()], "time": {"days": days}})

        assert (found.access, found.ranges) == ("multi_point", days + 1)
    few_rows = plan([DAY, DEVICE], {"binds": [device()], "time": {"days": 200}}, rows=10_000)
    assert (few_rows.access, few_rows.open_at, few_rows.filtered) == ("range", "s0", ("s1",))


def test_a_day_first_then_the_time_is_one_range():
    found = plan([DEVICE, DAY, MS], {"binds": [device()], "time": {"days": 1}})

    assert (found.access, found.bound, found.open_at) == ("range", ("s0",), "s1")
    assert found.rows_scanned == pytest.approx(ROWS / 1000 / 365.25)


def test_a_time_whose_text_does_not_sort_is_no_range():
    unsorted = {**DAY, "pattern": "%d%m%Y"}

    assert plan([DEVICE, unsorted], {"binds": [device()], "time": {"days": 5}}).ranges == 6
    assert plan([DEVICE, unsorted], {"binds": [device()], "time": {"days": 200}}).access == "prefix"


def test_newest_rows_of_reversed_time_are_read_and_no_more():
    found = plan([DEVICE, REVERSED], {"binds": [device()], "newest_rows": 10})

    assert (found.access, found.rows_scanned, found.rows_returned) == ("range", 10, 10)


def test_newest_rows_of_ascending_time_need_a_reverse_scan():
    ascending = plan([DEVICE, MS], {"binds": [device()], "newest_rows": 10})
    backwards = plan([DEVICE, MS], {"binds": [device()], "newest_rows": 10, "reverse": True})

    assert (ascending.rows_scanned, ascending.rows_returned) == (pytest.approx(ROWS / 1000), 10)
    assert backwards.rows_scanned == 10


@pytest.mark.parametrize(("reverse", "scanned"), [(False, 10), (True, pytest.approx(ROWS / 1000))])
def test_numbers_counted_down_have_the_newest_row_first(reverse, scanned):
    order = {"id": "order", "kind": "integer", "distinct": 10**6, "assigned": "sequential"}
    down = [{"kind": "descending", "top": 10**9 - 1}, {"kind": "pad", "width": 9}]
    key = [DEVICE, {"kind": "field", "field": "order", "transforms": down}]

    found = plan(key, {"binds": [device()], "newest_rows": 10, "reverse": reverse}, fields=[*FIELDS, order])

    assert (found.rows_scanned, found.rows_returned) == (scanned, 10)


def test_newest_rows_are_looked_for_in_every_salt():
    found = plan([RANDOM_SALT, DEVICE, REVERSED], {"binds": [device()], "newest_rows": 10})

    assert (found.ranges, found.rows_scanned, found.rows_returned) == (8, 80, 10)


def test_a_filter_makes_newest_rows_scan_further():
    found = plan([DEVICE, REVERSED], {"binds": [device()], "newest_rows": 10, "match_share": 0.1})

    assert (found.rows_scanned, found.rows_returned) == (pytest.approx(100), 10)


def test_a_row_limit_ends_a_scan_in_any_key_and_either_direction():
    for key in ([DEVICE, REVERSED], [DEVICE, MS], [DEVICE, METRIC, MS]):
        found = plan(key, {"binds": [device()], "row_limit": 10})
        assert (found.access, found.rows_scanned, found.rows_returned) == ("range", 10, 10)
        assert plan(key, {"binds": [device()], "row_limit": 10, "reverse": True}).rows_scanned == 10
    assert plan([DEVICE, MS], {"row_limit": 10}).rows_scanned == 10
    assert plan([METRIC, DEVICE, MS], {"binds": [device()], "row_limit": 10, "match_share": 0.1}).ranges == 20


def amount(text="pad", **ends):
    """A number from 1 to 10,000 in the key, padded or not, and a read of a range of it."""
    transforms = [{"kind": "pad", "width": 5}] if text == "pad" else [{"kind": "reverse_digits"}]
    segment = {"kind": "field", "field": "amount", "after": "#", "transforms": transforms}
    return segment, {"binds": [{"field": "amount", **ends}]}


def test_a_range_of_numbers_is_one_range_where_the_key_sorts_as_they_do():
    padded, read = amount(from_value="1001", to_value="2000")
    found = plan([padded, MS], read)
    assert (found.access, found.ranges, found.filtered) == ("range", 1, ())
    assert found.rows_scanned == pytest.approx(ROWS / 10)
    assert plan([padded, MS], amount(from_value="9001")[1]).rows_scanned == pytest.approx(ROWS / 10)
    assert plan([padded, MS], amount(to_value="5000")[1]).rows_scanned == pytest.approx(ROWS / 2)
    by_thousand = {"kind": "derived", "field": "amount", "how": {"kind": "bucket", "size": 1000}, "after": "#"}
    assert plan([by_thousand, MS], amount(from_value="1500", to_value="2500")[1]).rows_scanned == pytest.approx(
        ROWS / 5
    )


def test_a_range_of_numbers_filters_where_the_key_sorts_otherwise():
    turned, read = amount("reversed", from_value="1001", to_value="2000")
    found = plan([turned, MS], read)

    assert (found.access, found.filtered) == ("scan", ("s0",))
    assert (found.rows_scanned, found.rows_returned) == (pytest.approx(ROWS), pytest.approx(ROWS / 10))


def test_a_range_and_a_row_limit_start_at_a_key_and_take_n():
    padded, read = amount(from_value="9001")
    assert plan([DEVICE, padded], {"binds": [device(), *read["binds"]], "row_limit": 5}).rows_scanned == 5


@pytest.mark.parametrize(
    ("ends", "says"),
    [
        ({"from_value": "many"}, "not a number"),
        ({"from_value": "20", "to_value": "3"}, "before it begins"),
        ({"from_value": "3", "prefix": True}, "remove one of the two"),
        ({"from_value": "3", "values": 2}, "remove one of the two"),
    ],
)
def test_a_range_that_means_nothing_is_refused(ends, says):
    padded, read = amount(**ends)
    with pytest.raises(ValueError, match=says):
        plan([padded], read)


def test_a_read_has_one_limit_of_rows():
    with pytest.raises(ValueError, match="remove one of the two limits"):
        plan([DEVICE], {"newest_rows": 3, "row_limit": 3})


def test_keys_per_call_and_values_per_field_multiply():
    assert plan([DEVICE], {"binds": [device()], "keys_per_call": 50}).rows_scanned == 50
    assert plan([DEVICE], {"binds": [device(values=3)], "keys_per_call": 50}).ranges == 150
    assert plan([HASH, DEVICE], {"binds": [device(values=3)]}).ranges == 3
    assert plan([DEVICE, MS], {"binds": [device(values=3)]}).rows_scanned == pytest.approx(3 * ROWS / 1000)


def test_a_parent_domain_is_found_only_in_reversed_order():
    site = {"kind": "field", "field": "site", "after": "#"}
    backwards = {**site, "transforms": [{"kind": "reverse_domain"}]}
    read = {"binds": [{"field": "site", "prefix": True}]}

    assert plan([site, MS], read).access == "scan"
    assert plan([backwards, MS], read).access == "prefix"
    assert plan([backwards, MS], read).rows_scanned == pytest.approx(ROWS / 100)


def test_an_answer_has_a_rows_key_once_and_a_family_once_for_its_cells():
    # Stored: 11 cells of 100 bytes. Sent: the key (20), two families (1 each), and of each cell a qualifier of 1, a
    # timestamp of 8 and a value of 70: 20 + 2 + 11 × 79 = 891.
    found = plan([DEVICE], {"binds": [device()]}, beside=[f"d{number}" for number in range(9)])

    assert (found.bytes_scanned, found.bytes_returned) == (pytest.approx(1_100), pytest.approx(891))


@pytest.mark.parametrize(
    ("read", "share"),
    # Rows stay for 33.5 days: 30, and 3.5 until they are collected.
    [
        ({"cell_days": 1}, 1 / 33.5),
        ({"cell_days": 100}, 1.0),
        ({"time": {"days": 4}, "cell_days": 1}, 1 / 4),
        ({"time": {"days": 4, "age_days": 2}, "cell_days": 1}, 0.0),
        ({"exact_time": True, "cell_days": 1}, 1.0),
    ],
)
def test_rows_of_one_event_are_returned_where_their_cells_are_new_enough(read, share):
    def plan_of(**more):
        return plan([DEVICE, MS], {"binds": [device()], **more}, gc={"kind": "max_age", "age_days": 30})

    found, every = plan_of(**read), plan_of(**{**read, "cell_days": None})

    assert found.rows_scanned == every.rows_scanned
    assert found.rows_returned == pytest.approx(every.rows_returned * share)
    assert found.bytes_returned == pytest.approx(every.bytes_returned * share)


def test_only_wanted_columns_are_returned_and_only_their_families_read():
    found = plan([DEVICE], {"binds": [device()], "columns": ["c2"]})

    assert (found.bytes_scanned, found.bytes_returned) == (pytest.approx(100), pytest.approx(100))
    assert plan([DEVICE], {"binds": [device()], "families": ["f1"]}).cells_returned == 1


def test_columns_beside_the_wanted_one_in_its_family_are_dragged_along():
    found = plan([DEVICE], {"binds": [device()], "columns": ["c1"]}, beside=("c3", "c4"))

    assert found.bytes_dragged == pytest.approx(200)
    assert found.bytes_scanned == pytest.approx(300)
    assert plan([DEVICE], {"binds": [device()]}, beside=("c3",)).bytes_dragged == 0


def test_popular_entities_are_asked_for_more_often_and_have_more_rows():
    skewed = [{**FIELDS[0], "popularity": {"kind": "zipf", "theta": 0.99}}, *FIELDS[1:]]
    asked = plan([DEVICE, MS], {"binds": [device()]}, fields=skewed)
    anybody = plan([DEVICE, MS], {"binds": [device(popularity={"kind": "uniform"})]}, fields=skewed)
    squares = sum(i**-1.98 for i in range(1, 1001)) / sum(i**-0.99 for i in range(1, 1001)) ** 2

    assert asked.rows_scanned == pytest.approx(ROWS * squares, rel=1e-3)
    assert anybody.rows_scanned == pytest.approx(ROWS / 1000)


def test_popular_rows_that_fill_are_larger_unless_all_are_full():
    skewed = [{**FIELDS[0], "popularity": {"kind": "zipf", "theta": 0.99}}, *FIELDS[1:]]
    filling = plan([DEVICE], {"binds": [device()]}, fields=skewed, cells=10)
    bounded = plan(
        [DEVICE], {"binds": [device()]}, fields=skewed, cells=10, gc={"kind": "max_versions", "versions": 20}
    )

    assert filling.cells_returned > 300
    assert bounded.cells_returned == pytest.approx(20, rel=0.01)  # each device has had far more than 20 events


def test_versions_that_wait_for_their_collection_are_not_read():
    gc = {"kind": "max_versions", "versions": 3}
    kept, all_of_it = (plan([DEVICE], {"binds": [device()]}, cells=2.5, gc=gc, superseded=s) for s in (0.5, 0.0))

    assert kept.cells_returned == pytest.approx(2 * 2.0)
    assert all_of_it.cells_returned == pytest.approx(2 * 2.5)


def test_newest_versions_limit_what_is_returned_and_not_what_is_read():
    found = plan([DEVICE], {"binds": [device()], "newest_versions": 1}, cells=10)

    assert found.cells_returned == 2
    assert found.bytes_scanned == pytest.approx(2000)


def test_how_a_read_is_served_is_known_before_any_rate_is():
    spec = Spec.model_validate(
        {
            "fields": FIELDS,
            "activities": [{"id": "a"}],
            "tables": [
                {
                    "id": "t",
                    "row_kinds": [
                        {
                            "id": "k",
                            "key": [{"id": "s0", **DEVICE}, {"id": "s1", **MS}],
                            "writes": [{"id": "w", "activity": "a"}],
                            "reads": [{"id": "r", "binds": [device()]}, {"id": "q"}],
                        }
                    ],
                }
            ],
        }
    )
    table = spec.tables[0]
    prefix, scan = plan_reads(spec, table, {"k": Facts(spec, table.row_kinds[0]).facts()}, {})

    assert (prefix.access, scan.access) == ("prefix", "scan")
    assert prefix.rows_scanned == pytest.approx(scan.rows_scanned / 1000)
    assert prefix.rows_total is None
    assert prefix.per_second is None


SEGMENTS = {
    "device": DEVICE, "metric": METRIC, "tenant": TENANT, "hash": HASH, "salt": SALT, "random": RANDOM_SALT,
    "day": DAY, "ms": MS, "reversed": REVERSED, "literal": LITERAL,
}  # fmt: skip
KEYS = st.lists(st.sampled_from(sorted(SEGMENTS)), min_size=1, max_size=5, unique=True)
TIMES = st.sampled_from([{}, {"time": {"days": 1}}, {"time": {"days": 5}}, {"time": {"days": 200, "age_days": 30}}])
BINDS = st.lists(st.sampled_from(["device", "metric", "tenant"]), unique=True)
MORE = st.sampled_from([{}, {"newest_rows": 7}, {"newest_rows": 7, "reverse": True}, {"match_share": 0.5}])


def asked(names, binds, time, more=None):
    return plan([SEGMENTS[name] for name in names], {"binds": [{"field": f} for f in binds], **time, **(more or {})})


@given(KEYS, BINDS, TIMES, MORE)
def test_no_more_is_returned_than_scanned_and_no_more_scanned_than_there_is(names, binds, time, more):
    found = asked(names, binds, time, more)

    assert 0 <= found.rows_returned <= found.rows_scanned * (1 + 1e-9) or found.open_at is None
    assert found.rows_scanned <= max(ROWS, found.ranges)
    assert found.bytes_returned <= found.bytes_scanned * (1 + 1e-9) + 1e-9
    assert found.node_seconds > 0
    assert found.ranges >= 1


@given(KEYS, BINDS, TIMES, st.sampled_from(["device", "metric", "tenant"]))
def test_knowing_more_never_scans_more(names, binds, time, another):
    less = asked(names, [b for b in binds if b != another], time)
    more = asked(names, [*(b for b in binds if b != another), another], time)

    assert more.rows_scanned <= less.rows_scanned * (1 + 1e-9) or more.open_at is None


@given(KEYS, BINDS, TIMES)
def test_the_parts_of_a_plan_hang_together(names, binds, time):
    found = asked(names, binds, time)
    places = [f"s{i}" for i in range(len(names))]

    assert (found.open_at is None) == (found.access in ("point", "multi_point"))
    if found.open_at is not None:
        at = places.index(found.open_at)
        assert all(places.index(s) < at for s in found.bound)
        assert all(places.index(s) > at for s in found.filtered)
    assert (found.ranges > 1) == found.access.startswith("multi")


@cases(
    "key, read, share",
    [
        ([DEVICE, MS], {"time": {"days": 33.5}}, 0.0),
        ([DEVICE, MS], {"time": {"days": 67}}, 0.5),
        ([DEVICE, MS], {"time": {"days": 1, "age_days": 33.5}}, 1.0),
        ([DEVICE, TENANT, MS], {"time": {"days": 1}}, 1 - 33.5 / 365),  # which cannot be found: all is looked at
        ([DEVICE, MS], {}, 1 - 33.5 / 365),
        ([DEVICE, MS], {"cell_days": 33.5}, 0.0),
        ([DEVICE, REVERSED], {"newest_rows": 10}, 0.0),
        ([DEVICE, MS], {"newest_rows": 10}, 1 - 33.5 / 365),  # a scan forward passes the old ones
        ([DEVICE, MS], {"exact_time": True, "age_days": 33.4}, 0.0),
        ([DEVICE, MS], {"exact_time": True, "age_days": 33.5}, 1.0),
    ],
)
def test_what_is_looked_at_in_infrequent_access_is_read_at_its_pace(key, read, share):
    """From the age of 30 days on, when it has been compacted; a node does 100 such reads a second, or 36 MB."""
    asked = {"binds": [device()], **read}
    kept = {"kind": "max_age", "age_days": 365}
    fast, tiered = plan(key, asked, gc=kept), plan(key, asked, gc=kept, table={"infrequent_access_days": 30})

    slower = share * fast.bytes_scanned * (1 / 36e6 - 1 / 220e6)
    seek = (1 / 100 - 1_024 / 36e6) if share else 0.0
    assert tiered.node_seconds - fast.node_seconds == pytest.approx(seek + slower)


@pytest.mark.parametrize(
    ("read", "share"),
    [
        # January to April have 31, 28, 31 and 30 days, and a rate of 1, 2, 4 and 8: 451 in all. Cold are those of
        # January and 25.5 days of February, 63.5 days before May.
        ({}, 82 / 451),
        # Of the last 92 days, the last 3 of January and all of February to April: 423, of which 3 + 51 are cold.
        ({"time": {"days": 92}}, 54 / 423),
        # All of what is older; and of a time before the first row, which would be as old.
        ({"time": {"days": 10, "age_days": 70}}, 1.0),
        ({"time": {"days": 10, "age_days": 200}}, 1.0),
    ],
)
def test_of_a_table_that_grows_little_is_old(read, share):
    growing = {"activity": {"growth_per_month": 1.0}, "start": "2026-01-01", "horizon_months": 4}
    asked, never = {"binds": [device()], **read}, {"kind": "never"}
    fast, tiered = (
        plan([DEVICE, MS], asked, gc=never, table=table, **growing) for table in ({}, {"infrequent_access_days": 60})
    )

    slower = share * fast.bytes_scanned * (1 / 36e6 - 1 / 220e6)
    assert tiered.node_seconds - fast.node_seconds == pytest.approx(1 / 100 - 1_024 / 36e6 + slower, rel=1e-3)


@pytest.mark.parametrize(("stamp", "is_cold"), [("server", False), ("event", True)])
def test_what_a_backfill_has_just_written_is_not_in_infrequent_access_but_for_cells_of_past_times(stamp, is_cold):
    """A month of writes of a year's history, of which a day 100 days ago is read."""
    history = {"activity": {"arrival": {"kind": "backfill", "days": 365}}, "horizon_months": 1, "stamp": stamp}
    asked = {"binds": [device()], "time": {"days": 1, "age_days": 100}}
    never = {"kind": "never"}
    fast, tiered = (
        plan([DEVICE, MS], asked, gc=never, table=table, **history) for table in ({}, {"infrequent_access_days": 30})
    )

    assert (tiered.node_seconds > fast.node_seconds) == is_cold


@pytest.mark.parametrize(
    ("read", "share"),
    # Rows stay for 43.5 days (40, and 3.5 until a compaction); those of the last 10, beyond 33.5, are cold.
    [({}, 10 / 43.5), ({"age_days": 1}, 0.0), ({"age_days": 40}, 1.0)],
)
def test_a_row_of_one_write_is_looked_for_on_the_tier_that_has_it(read, share):
    order = {"id": "order", "name": "order_id", "kind": "uuid"}
    key, asked = [{"id": "s1", "kind": "field", "field": "order"}], {"binds": [{"field": "order"}], **read}
    kept = {"kind": "max_age", "age_days": 40}
    fast, tiered = (
        plan(key, asked, fields=[order], gc=kept, table=table) for table in ({}, {"infrequent_access_days": 30})
    )

    slower = share * fast.bytes_scanned * (1 / 36e6 - 1 / 220e6)
    assert tiered.node_seconds - fast.node_seconds == pytest.approx(share * (1 / 100 - 1_024 / 36e6) + slower)


@pytest.mark.parametrize("popularity", [{"kind": "uniform"}, {"kind": "zipf", "theta": 0.9}])
def test_a_new_id_behind_another_field_is_in_one_row(popularity):
    reads = [{"id": "r", "binds": [{"field": "link"}]}, {"id": "all", "binds": [{"field": "account"}]}]
    key = [{"id": "s1", "kind": "field", "field": "account", "after": "#"}]
    kind = {"id": "k", "writes": [{"id": "w", "activity": "a"}], "reads": reads}
    spec = Spec.model_validate({
        "fields": [
            {"id": "account", "distinct": 1_000, "popularity": popularity},
            {"id": "link", "name": "link_id", "kind": "uuid"},
        ],
        "activities": [{"id": "a", "rate_per_second": 50}],
        "tables": [{
            "id": "t",
            "row_kinds": [{**kind, "key": [*key, {"id": "s2", "kind": "field", "field": "link"}]}],
            "families": [{"id": "f", "columns": [{"id": "c"}]}],
        }],
    })  # fmt: skip
    by_link, by_account = table_estimate(spec, spec.tables[0]).reads
    assert by_link.rows_returned == pytest.approx(1, rel=0.01)
    assert by_account.rows_returned < by_account.rows_total / (1_000 if popularity["kind"] == "uniform" else 10) * 1.01


def test_a_scan_passes_the_rows_there_are_until_it_has_the_newest_of_one_value() -> None:
    """Of a million rows an eighth has the salt of one device, and a thousandth the device."""
    of_salt, of_device = (asked(["reversed", name], ["device"], {}, {"newest_rows": 7}) for name in ("salt", "device"))

    assert of_salt.rows_scanned == pytest.approx(56)
    assert of_device.rows_scanned == pytest.approx(7_000)


def test_rows_that_keep_no_cell_do_not_hide_that_others_hold_many():
    """The mean row has fewer cells with each month in which rows stay without any; today's row has as many."""
    spec = wide_design(29)
    spec = spec.model_copy(update={"tables": spec.tables[28:]})
    bytes_of_hour = [
        next(
            plan for plan in table_estimate(months, months.tables[0]).reads if plan.read.endswith("hour")
        ).bytes_scanned
        for months in (spec.model_copy(update={"horizon_months": count}) for count in (6, 7, 12))
    ]

    assert bytes_of_hour[1:] == pytest.approx(bytes_of_hour[:1] * 2, rel=0.02)
