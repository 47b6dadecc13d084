"""R004, R005, R006, R009, R010 (and what R003 leaves alone) on figures made by hand."""

import datetime

import numpy as np
import pytest

from designer.document.edits import apply
from designer.document.key import TimeSegment
from designer.document.load import load
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.shared.examples import design, field_part, read_part, time_part
from estimator.engines import MiB
from estimator.facts.cycles import dated_pattern, repeat_period
from estimator.results import EntityShares
from tests.cases import cases
from tests.contexts import estimate as whole_estimate
from tests.core.advice.rules.made import (
    TODAY,
    cell,
    column_size,
    crossing,
    estimate,
    family_growth,
    growth,
    keys,
    plan,
    row_growth,
    row_size,
    traffic,
    write_load,
)

JUNE = datetime.date(2026, 6, 1)


def of_rule(code, spec, made):
    return [f for found in findings(spec, made, TODAY) for f in (found, *found.under) if f.rule == code]


# --- R003 -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bucket_seconds", "expected"), [(60.0, ["warning"]), (59.0, [])])
def test_a_row_of_one_event_is_no_matter_of_buckets(bucket_seconds, expected):
    spec = design(field_part("device", "#"), time_part(resolution="minute" if bucket_seconds == 60 else "second"))
    kind = row_growth(
        largest_bytes=np.array([0.0, 150.0 * MiB]),
        bucket_seconds=bucket_seconds,
        crossings=(crossing("row_bytes_recommended", 100 * MiB, JUNE),),
    )

    found = of_rule("R003", spec, estimate(spec, keys=keys(spec), growth=growth(kinds=(kind,))))

    assert [f.severity for f in found] == expected


# --- R004 -----------------------------------------------------------------------------------------------------

NAMES = ("pressure", "temp", "humidity", "altitude")


def events(
    *,
    columns=NAMES,
    rows_read=360.0,
    rows=1e9,
    asked=None,
    events_per_row=1.0,
    mode="append_row",
    peak=100.0,
    value_bytes=5.0,
    narrow_per_second=None,
    scanned=None,
    entities=1e3,
):
    made_of = [{"id": name, "qualifier": name, "value": {"kind": "integer"}} for name in columns]
    reads = [read_part(binds=("device",), time={"days": 1 / 24}, **(asked or {}))]
    read_cells = rows_read * len(columns)
    seen = {"rows_scanned": scanned or rows_read, "rows_returned": rows_read, "cells_returned": read_cells}
    plans = [plan("range", node_seconds=0.01, **seen)]
    if narrow_per_second is not None:
        reads.append(read_part(id="narrow", binds=("device",), exact_time=True))
        plans.append(plan("point", read="narrow", rows_returned=1.0, per_second=narrow_per_second))
    busy = {"profile": {"kind": "week", "hours": [peak] + [1.0] * 167}, "rate_per_second": (peak + 167) / 168}
    spec = design(
        field_part("device", "#"),
        time_part(),
        write={"mode": mode},
        family={"columns": made_of},
        reads=tuple(reads),
        activity=busy,
    )
    made = estimate(
        spec,
        keys=keys(spec),
        sizes=row_size(*(column_size(name, cell=cell(value_bytes)) for name in columns), rows=rows),
        reads=tuple(plans),
        growth=growth(
            kinds=(row_growth(events_per_row=events_per_row),),
            compression_origin="measured",
            compressed_share=0.5,
            entities={"write": EntityShares(np.array([1 / entities]), np.array([entities]))},
        ),
        traffic=traffic(writes=(write_load(100.0, peak_rows_per_second=peak),)),
    )
    return of_rule("R004", spec, made)


def test_a_row_per_event_says_what_one_column_would_save():
    """Four cells of 20 + 1 + 1 + 8 + 5 + 12 = 47 bytes against one of 20 + 1 + 1 + 8 + 4·7 + 12 = 70."""
    (found,) = events()

    assert found.severity == "note"
    assert found.params["disk_share"] == pytest.approx(1 - 70 / 188)
    assert found.params["saved_gib"] == pytest.approx(1e9 * (188 - 70) * 0.5 / 2**30)
    assert found.fix is not None
    assert not found.fix_safe


def test_a_bucket_that_would_hold_single_events_is_not_proposed():
    """A hundred events a second of a thousand devices are 360 an hour each; with an id of each event, one."""
    (of_devices,), (of_events,) = events(), events(entities=1e9)

    assert "bucket" in of_devices.params
    assert "bucket" not in of_events.params


@pytest.mark.parametrize(("rows_read", "expected"), [(10.0, ["note"]), (9.9, [])])
def test_reads_of_ten_rows_per_range_make_a_row_per_event_a_note(rows_read, expected):
    assert [f.severity for f in events(rows_read=rows_read)] == expected


@pytest.mark.parametrize(("scanned", "expected"), [(719.0, ["note"]), (720.0, [])])
def test_a_read_that_looks_for_a_few_rows_among_many_says_nothing_of_cells(scanned, expected):
    assert [f.severity for f in events(rows_read=360.0, scanned=scanned)] == expected


@pytest.mark.parametrize(
    "case",
    [
        {"columns": ("all",)},
        {"mode": "new_cell"},
        {"asked": {"columns": ("temp",)}},
        {"asked": {"value_share": 0.5}},
    ],
    ids=["serialised", "cells", "one column", "part of a value"],
)
def test_a_row_per_event_is_fine(case):
    assert events(**case) == []


@pytest.mark.parametrize(("rows", "expected"), [(18.3e6, ["note"]), (18.1e6, [])])
def test_less_than_a_gib_is_not_worth_a_line(rows, expected):
    """118 bytes a row, half of it on disk: a GiB at 18.2 million rows."""
    assert [f.severity for f in events(rows=rows)] == expected


@pytest.mark.parametrize(("value_bytes", "expected"), [(52.9, ["note"]), (53.1, [])])
def test_less_than_a_fifth_is_not_worth_a_line(value_bytes, expected):
    """Two cells of 42 + v bytes against one of 46 + 2 v: 38 ÷ (84 + 2 v) is a fifth at 53."""
    assert [f.severity for f in events(columns=NAMES[:2], value_bytes=value_bytes)] == expected


@pytest.mark.parametrize(("narrow_per_second", "expected"), [(9.9, ["note"]), (10.0, [])])
def test_what_most_requests_take_decides_about_a_row_per_event(narrow_per_second, expected):
    assert [f.severity for f in events(narrow_per_second=narrow_per_second)] == expected


@pytest.mark.parametrize(("events_per_row", "expected"), [(1.99, ["note"]), (2.0, [])])
def test_a_row_of_two_events_is_a_bucket(events_per_row, expected):
    assert [f.severity for f in events(events_per_row=events_per_row)] == expected


@pytest.mark.parametrize(
    ("peak", "bucket"),
    [(1e5, "hour"), (114_000.0, "hour"), (118_000.0, "minute")],
)
def test_a_bucket_is_offered_only_while_its_largest_row_is_small(peak, bucket):
    """An hour of the busiest entity has peak ÷ 1,000 · 3,600 events of 250 bytes: 100 MiB at 116,000 a second."""
    (found,) = events(peak=peak)

    assert str(found.params["bucket"]) == bucket
    assert found.params["largest_bytes"] < 100 * MiB


# --- R005 -----------------------------------------------------------------------------------------------------


def series(
    *, mode="new_cell", bounded=False, last_mib=30.0, bucket=None, column=None, family=None, table=None, **asked
):
    reads = (read_part(binds=("device",), **asked),)
    spec = design(
        field_part("device"), write={"mode": mode}, gc=None, column=column, family=family, reads=reads, table=table
    )
    largest = {"largest_bytes": np.array([0.0, last_mib * MiB]), "largest_events": {"write": 130_000.0}}
    kind = row_growth(**largest, bucket_seconds=bucket)
    made = estimate(
        spec,
        keys=keys(spec),
        growth=growth(kinds=(kind,), families=(family_growth(bounded=bounded),)),
        sizes=row_size(column_size(cells_stored=100.0)),
    )
    return of_rule("R005", spec, made)


def test_a_series_of_versions_says_how_many_and_when_the_row_is_too_large():
    (found,) = series(column={"presence": 0.5})

    assert found.severity == "warning"
    assert found.params["versions"] == pytest.approx(65_000)
    assert found.params["date"] == datetime.date(2029, 5, 2)


@pytest.mark.parametrize(("last_mib", "expected"), [(10.01, ["warning"]), (9.99, ["note"])])
def test_a_row_that_takes_more_than_ten_years_is_a_note(last_mib, expected):
    assert [f.severity for f in series(last_mib=last_mib)] == expected


@pytest.mark.parametrize(
    "case",
    [
        {"bounded": True},
        {"bucket": 604_800.0},
        {"mode": "overwrite"},
        {"newest_versions": 1},
        {"column": {"qualifier_from": [{**field_part("device"), "id": "name"}]}},
    ],
    ids=["bounded", "bucket", "overwritten", "only the newest is read", "a column per value"],
)
def test_versions_are_no_series_without_bound(case):
    assert series(**case) == []


@pytest.mark.parametrize(
    ("asked", "gc"),
    [
        ({"newest_versions": 50}, {"kind": "max_versions", "versions": 50}),
        ({"cell_days": 7}, {"kind": "max_age", "age_days": 7}),
    ],
)
def test_the_bound_that_is_offered_is_what_readers_ask_for(asked, gc):
    (found,), (live,) = series(**asked), series(**asked, table={"history_months": 1})

    assert found.fix.value == live.fix.value == gc
    assert (found.fix_safe, live.fix_safe) == (True, False)  # what is stored goes for good
    assert found.fix_label != live.fix_label


def test_what_the_family_says_is_needed_is_the_bound():
    (found,) = series(family={"needed": {"versions": 3, "age_days": 30}})

    kept = {"kind": "max_versions", "versions": 3}, {"kind": "max_age", "age_days": 30}
    assert found.fix.value == {"kind": "intersection", "rules": list(kept)}


def test_no_bound_is_offered_where_a_reader_wants_all():
    (found,) = series()

    assert found.fix is None


# --- R006 -----------------------------------------------------------------------------------------------------


def landing_findings(*, together=True, rows_per_event=1, second=None, derived=None, known=True):
    writes = [{"id": "write", "activity": "activity", "together": together, "rows_per_event": rows_per_event}]
    kinds = [{"id": "rows", "key": (field_part("device"),), "writes": writes}]
    spec = design(table={"row_kinds": kinds})
    if second is not None:
        other = {
            "id": "other",
            "row_kinds": [
                {
                    "id": "others",
                    "key": [{**field_part("device"), "id": "p"}],
                    "writes": [{"id": "w2", "activity": second}],
                }
            ],
            "derived_from": derived,
        }
        spec = spec.model_validate(
            {
                **spec.model_dump(mode="json", exclude_unset=True),
                "activities": [{"id": "activity"}, {"id": "elsewhere"}],
                "tables": [spec.tables[0].model_dump(mode="json", exclude_unset=True), other],
            }
        )
    made = estimate(spec, traffic=traffic(writes=(write_load(100.0 * rows_per_event),)) if known else None)
    return of_rule("R006", spec, made)


def test_what_must_land_together_in_two_tables_warns_with_the_rate():
    (found,) = landing_findings(second="activity")

    assert (found.severity, found.effect) == ("warning", 100.0)
    assert found.params["rows_per_event"] == 2


def test_several_rows_of_one_event_warn():
    (found,) = landing_findings(rows_per_event=3)

    assert found.effect == pytest.approx(200.0)


@pytest.mark.parametrize(
    "case",
    [
        {},
        {"together": False, "second": "activity"},
        {"second": "elsewhere"},
        {"second": "activity", "derived": {"table": "table", "how": "materialised_view"}},
    ],
    ids=["one row", "not together", "another activity", "a view that the engine keeps"],
)
def test_one_row_is_atomic(case):
    assert landing_findings(**case) == []


def test_rows_that_must_land_together_warn_before_a_rate_is_known():
    (found,) = landing_findings(second="activity", known=False)

    assert "2 rows in events, other" in english(found.message, found.params)


# --- R009 -----------------------------------------------------------------------------------------------------


def span_findings(
    minutes, *, largest_mib=0.1, events_per_row=60.0, narrow_per_second=None, exact=False, more=None, **parts
):
    reads = [read_part(binds=("device",), time={"days": minutes / 1_440}, exact_time=exact)]
    plans = [plan("range", per_second=10.0)]
    if narrow_per_second is not None:
        reads.append(read_part(id="narrow", binds=("device",), exact_time=True))
        plans.append(plan("point", read="narrow", per_second=narrow_per_second))
    key = (field_part("device", "#"), time_part(resolution="minute", pattern="%Y%m%d%H%M"))
    spec = design(*key, reads=tuple(reads), **parts)
    if more is not None:
        (table,) = spec.tables
        (rows,) = table.row_kinds
        writes = (*rows.writes, rows.writes[0].model_copy(update={"id": "more", "mode": more}))
        rows = rows.model_copy(update={"writes": writes})
        spec = spec.model_copy(update={"tables": (table.model_copy(update={"row_kinds": (rows,)}),)})
    kind = row_growth(
        bucket_seconds=60.0, events_per_row=events_per_row, largest_bytes=np.array([0.0, largest_mib * MiB])
    )
    made = estimate(spec, keys=keys(spec), growth=growth(kinds=(kind,)), reads=tuple(plans))
    return of_rule("R009", spec, made)


@pytest.mark.parametrize(("minutes", "expected"), [(101, ["note"]), (100, [])])
def test_more_than_a_hundred_buckets_are_too_many(minutes, expected):
    assert [f.severity for f in span_findings(minutes)] == expected


def test_the_coarser_bucket_is_the_finest_that_does():
    """10,000 minutes are 167 hours, and 7 days."""
    assert [str(f.params["bucket"]) for f in span_findings(1_440)] == ["hour"]
    assert [str(f.params["bucket"]) for f in span_findings(10_000, largest_mib=0.01)] == ["day"]


@pytest.mark.parametrize(("largest_mib", "expected"), [(1.66, ["note"]), (1.67, [])])
def test_a_bucket_that_would_grow_too_large_is_not_asked_for(largest_mib, expected):
    """Sixty times 1.667 MiB are 100 MiB."""
    assert [f.severity for f in span_findings(1_440, largest_mib=largest_mib)] == expected


@pytest.mark.parametrize(("events_per_row", "expected"), [(2.0, ["note"]), (1.99, [])])
def test_a_row_per_event_is_no_bucket(events_per_row, expected):
    assert [f.severity for f in span_findings(1_440, events_per_row=events_per_row)] == expected


@pytest.mark.parametrize(("narrow_per_second", "expected"), [(9.9, ["note"]), (10.0, [])])
def test_what_most_requests_want_decides(narrow_per_second, expected):
    assert [f.severity for f in span_findings(1_440, narrow_per_second=narrow_per_second)] == expected


@pytest.mark.parametrize("mode", ["add_to_aggregate", "overwrite", "increment"])
def test_counters_of_a_longer_bucket_need_a_column_for_each_shorter_time(mode):
    """One counter for an hour says nothing of its minutes, so no edit is offered that would add them up."""
    kind = {"kind": "sum"} if mode == "add_to_aggregate" else {}
    (finding,) = span_findings(1_440, write={"mode": mode}, family=kind)

    assert "One row per hour, with a column for each minute, gives" in english(finding.message, finding.params)
    assert finding.fix is None
    assert finding.params["largest_bytes"] == pytest.approx(60 * 0.1 * MiB)


@pytest.mark.parametrize(
    ("gc", "offered"),
    [
        ({"kind": "max_versions", "versions": 1}, False),  # an hour would hold the newest of sixty minutes' cells
        ({"kind": "max_versions", "versions": 3_000}, False),
        ({"kind": "max_versions", "versions": 10**6}, True),  # more than ever come
        ({"kind": "union", "rules": [{"kind": "max_versions", "versions": 60}, {"kind": "max_age", "age_days": 9}]},
         False),
        ({"kind": "max_age", "age_days": 30}, True),
    ],
)  # fmt: skip
def test_versions_of_a_longer_bucket_push_each_other_out(gc, offered):
    (finding,) = span_findings(1_440, write={"mode": "new_cell"}, gc=gc)

    assert ("with a column for each minute" in english(finding.message, finding.params)) != offered
    assert (finding.fix is not None) == offered


def test_cells_under_names_made_from_fields_push_nothing_out():
    named = {"qualifier_from": [{**time_part(), "id": "name_part"}]}
    (finding,) = span_findings(
        1_440, write={"mode": "new_column"}, column=named, gc={"kind": "max_versions", "versions": 1}
    )

    assert finding.fix is not None


@pytest.mark.parametrize(("more", "has_fix"), [("increment", False), ("delete_cell", True)])
def test_one_write_that_adds_up_is_enough_to_offer_no_longer_bucket(more, has_fix):
    """An edit was offered where any other write of the same row left what was there."""
    (finding,) = span_findings(1_440, more=more)

    assert (finding.fix is not None) == has_fix


def test_a_caller_that_knows_the_bucket_reads_one():
    assert span_findings(1_440, exact=True) == []


# --- R010 -----------------------------------------------------------------------------------------------------


@cases(
    "pattern, resolution, expected",
    [
        ("week%-V", "week", "year"),
        ("%Gw%V", "week", None),
        ("%Y-%V", "week", None),
        ("%m", "month", "year"),
        ("%Y%m", "month", None),
        ("%B%d", "day", "year"),
        ("%d", "day", "month"),
        ("%Y-%d", "day", "month"),
        ("%j", "day", "year"),
        ("%a", "day", "week"),
        ("%H", "hour", "day"),
        ("%Y%m%d%H", "hour", None),
        ("%Y%m%d%M", "minute", "hour"),
        ("%m%d%H", "hour", "year"),
        ("%Y%m%d %H", "day", None),
        ("%Y", "year", None),
        ("", "week", None),
    ],
)
def test_a_name_repeats_after_what_it_lacks(pattern, resolution, expected):
    assert repeat_period((TimeSegment(id="t", resolution=resolution, pattern=pattern),)) == expected


def test_two_parts_of_one_time_tell_it_together():
    year = TimeSegment(id="y", resolution="year", pattern="%Y")
    month = TimeSegment(id="m", resolution="month", pattern="%m")

    assert repeat_period((year, month)) is None


@pytest.mark.parametrize(
    ("pattern", "resolution", "expected"),
    [
        ("week%-V", "week", "%G-week%-V"),
        ("%V", "week", "%Gw%V"),
        ("%m%d", "day", "%Y%m%d"),
        ("%d", "day", "%Y%m%d"),
        ("%H", "hour", "%Y%m%d%H"),
        ("%Y-%d", "day", None),
        ("%a", "day", None),
    ],
)
def test_the_date_is_put_in_front_where_that_is_enough(pattern, resolution, expected):
    segment = TimeSegment(id="t", resolution=resolution, pattern=pattern)

    assert dated_pattern(segment) == expected
    if expected:
        assert repeat_period((segment.model_copy(update={"pattern": expected}),)) is None


def repeating(*, days=730.0, mode="new_cell", gc=None, table=None, pattern="week%V"):
    spec = design(
        field_part("device", "#"),
        time_part(resolution="week", pattern=pattern),
        write={"mode": mode},
        gc=gc or {"kind": "max_age", "age_days": days},
        table=table,
    )
    return spec, of_rule("R010", spec, estimate(spec))


@pytest.mark.parametrize(
    ("mode", "versions", "seconds", "expected"),
    [
        ("overwrite", 1, 864, []),  # a ring of hours: the newest value of each
        ("new_cell", 4, 864, []),  # of 3,600 / 864 = 4.2 events of an hour, the newest of the last day
        ("new_cell", 7, 3_600, [7]),  # one event an hour: those of seven days
        ("new_cell", 1_000, 3_600, [366]),  # more than a year has days
    ],
)
def test_as_many_cycles_share_a_row_as_the_versions_that_are_kept_reach_back(mode, versions, seconds, expected):
    spec = design(
        field_part("device", "#"),
        time_part(resolution="hour", pattern="%H"),
        activity={"arrival": {"kind": "every", "seconds": seconds, "field": "device"}},
        per_second=None,
        write={"mode": mode},
        gc={"kind": "max_versions", "versions": versions},
    )

    assert [one.params["rounds"] for one in of_rule("R010", spec, whole_estimate(spec))] == expected


def test_weeks_without_their_year_meet_after_a_year():
    spec, (found,) = repeating()

    assert (found.severity, found.at) == ("warning", "time_part")
    assert found.params["date"] == datetime.date(2027, 1, 1)
    mended, _ = apply(spec, found.fix)
    assert mended.find("time_part").pattern == "%G-week%V"


@pytest.mark.parametrize(("days", "expected"), [(365.25, 1), (365.2, 0)])
def test_what_is_gone_before_the_name_comes_back_meets_nothing(days, expected):
    assert len(repeating(days=days)[1]) == expected


def test_versions_alone_do_not_take_last_years_cells_away():
    assert len(repeating(gc={"kind": "max_versions", "versions": 1})[1]) == 1


@pytest.mark.parametrize("mode", ["increment", "add_to_aggregate"])
def test_statistics_by_the_week_of_the_year_are_meant(mode):
    assert repeating(mode=mode)[1] == []


def test_a_table_with_two_years_of_history_has_met_already():
    _, (found,) = repeating(table={"history_months": 24}, days=1_000)

    assert found.params["date"] == datetime.date(2026, 1, 1)
    assert found.params["rounds"] == 3


@pytest.mark.parametrize("period", ["week", "month"])
def test_a_table_that_is_written_for_less_than_a_cycle_meets_no_other(period):
    rotating = {"rotation": {"period": period, "kept_tables": 5}}

    assert repeating(table=rotating)[1] == []


def test_weeks_in_rotating_tables_are_computed() -> None:
    spec = design(
        field_part("device", "#"),
        time_part(resolution="week", pattern="week%V"),
        per_second=10,
        write={"mode": "new_cell"},
        table={"rotation": {"period": "month", "kept_tables": 5}},
    )

    assert whole_estimate(spec).tables["table"].growth is not None


def test_rows_that_an_id_tells_apart_get_no_bucket() -> None:
    spec = load(MESSAGES, name="messages.yaml")
    (finding,) = of_rule("R004", spec, whole_estimate(spec))

    assert "per range from messages" in str(finding)
    assert "Alternatively" not in str(finding)


MESSAGES = """
format: 1
name: Messages
fields:
  channel: distinct=8M, popularity=uniform
  message_id: uuid
activities:
  A message is sent: 30k/s
tables:
  messages:
    key: '{channel}#{time:rev}#{message_id}'
    writes:
      - A message is sent
    reads:
      Newest messages: 80k/s by channel, newest_rows=50
    families:
      m:
        gc: max_age(365d)
        columns:
          body: bytes(300B)
          from: bytes(20B)
instance:
  clusters:
    main: us-central1
"""
