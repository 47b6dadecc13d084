"""What a log tells of a table, and the design made of it, for requests whose rates, hours and keys are known."""

import datetime
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from designer.document import Spec, load
from designer.document.activity import Week
from designer.document.compact import dump_compact
from designer.document.dump import to_plain_data
from designer.document.popularity import Zipf
from designer.wording import key_of
from estimator.advice.questions import lint
from estimator.estimates.estimate import estimate
from estimator.presentation.assumed_values import assumed_beside_log
from estimator.presentation.trace_page import TraceTableView
from estimator.traces import TraceReader, TraceSummary, UnreadLines, design_from_trace
from estimator.traces.blocks import EventBlock, TraceEvent
from estimator.traces.design import open_figures
from estimator.traces.hours import hours_of_week, requests_over_time
from estimator.traces.kind_counts import FieldUse
from estimator.traces.report import summary_data, summary_lines
from estimator.traces.summary import COUNTERS_BYTES, TABLES_MAX
from tests.contexts import context

MONDAY_S = 1_789_948_800.0
"""21 September 2026, 00:00 UTC."""
HOUR_S, DAY_S = 3_600.0, 86_400.0
DEVICES, DAYS = 400, 14


def device_log(seed: int = 1) -> list[TraceEvent]:
    """Two weeks of devices: three times as busy from 8 to 16 o'clock; one write in four; Zipf 0.8 of 400 devices."""
    random = np.random.default_rng(seed)
    hours = np.where((np.arange(24) >= 8) & (np.arange(24) < 16), 60, 20)
    times = np.concatenate(
        [MONDAY_S + DAY_S * day + HOUR_S * (h + random.random(n)) for day in range(DAYS) for h, n in enumerate(hours)]
    )
    shares = np.arange(1.0, DEVICES + 1) ** -0.8
    devices = random.permutation(DEVICES)[random.choice(DEVICES, times.size, p=shares / shares.sum())]
    kinds = np.where(random.random(times.size) < 0.25, "write", "read")
    sizes = random.integers(90, 111, times.size)
    return [
        TraceEvent(time, kind, b"device%05d#%d" % (device, time * 1_000), size if kind == "write" else None, "metrics")
        for time, kind, device, size in zip(
            times.tolist(), kinds.tolist(), devices.tolist(), sizes.tolist(), strict=True
        )
    ]


def read(events: list[TraceEvent]) -> TraceSummary:
    reader = TraceReader(UnreadLines())
    for place in range(0, len(events), 1_000):
        reader.add(EventBlock.from_events(events[place : place + 1_000]))
    return reader.summary()


@pytest.fixture(scope="module")
def log() -> list[TraceEvent]:
    return device_log()


@pytest.fixture(scope="module")
def summary(log: list[TraceEvent]) -> TraceSummary:
    return read(log)


@pytest.fixture(scope="module")
def design(summary: TraceSummary) -> Spec:
    return design_from_trace(summary, name="measured")


def test_every_request_is_counted(log: list[TraceEvent], summary: TraceSummary) -> None:
    assert summary.events == len(log) == DAYS * (8 * 60 + 16 * 20)
    (table,) = summary.tables
    assert {use.operation: use.requests for use in table.operations} == {
        kind: sum(event.operation == kind for event in log) for kind in ("read", "write")
    }
    assert summary.span_days == pytest.approx(DAYS, abs=0.02)
    assert table.matching_share == 1


def test_the_hours_of_the_week_are_those_of_the_log(log: list[TraceEvent], summary: TraceSummary) -> None:
    total = sum(use.hours for use in summary.tables[0].operations)
    by_day = np.asarray(total).reshape(7, 24)
    assert by_day[:, 8:16] == pytest.approx(60, rel=0.02)
    assert by_day[:, :8] == pytest.approx(20, rel=0.02)
    assert by_day.sum() == pytest.approx(len(log) / 2, rel=0.001)


def test_hours_that_a_log_does_not_cover_are_like_the_same_hours_of_other_days() -> None:
    hours = {int(MONDAY_S // HOUR_S) + n: 10 * (n % 24) for n in range(30)}
    found = hours_of_week(hours, MONDAY_S, MONDAY_S + 30 * HOUR_S).reshape(7, 24)
    assert found == pytest.approx(np.tile(10 * np.arange(24), (7, 1)))
    few = hours_of_week({int(MONDAY_S // HOUR_S): 90}, MONDAY_S, MONDAY_S + HOUR_S)
    assert few == pytest.approx(np.full(168, 90)), "one hour tells no shape"


def test_the_log_of_one_calendar_day_tells_the_hours_of_a_day() -> None:
    minutes = [(hour, minute) for hour in range(24) for minute in (range(60) if 8 <= hour < 16 else (0, 56))]
    events = [TraceEvent(MONDAY_S + HOUR_S * h + 60 * m, "read", b"d%05d" % m, None, "") for h, m in minutes]
    profile: Any = design_from_trace(read(events)).tables[0].row_kinds[0].reads[0].profile
    hours = np.array(profile.hours).reshape(7, 24)
    assert hours[:, 8:16].min() > 20 * hours[:, :8].max()


def test_requests_over_time_are_counts_beside_the_profile_of_the_week(
    log: list[TraceEvent], summary: TraceSummary
) -> None:
    for use in summary.tables[0].operations:
        steps = use.over_time
        assert steps is not None
        mine = [event.time_s for event in log if event.operation == use.operation]
        counts, _ = np.histogram(mine, bins=MONDAY_S + HOUR_S * np.arange(DAYS * 24 + 1))
        assert (steps.first_s, steps.step_seconds) == (MONDAY_S, HOUR_S)
        assert steps.logged_per_second[1:-1] * HOUR_S == pytest.approx(counts[1:-1])
        weekly = counts.reshape(2, 168).mean(axis=0)
        assert steps.modelled_per_second[1:167] * HOUR_S == pytest.approx(weekly[1:167], rel=1e-3)


def test_long_logs_are_shown_by_days_and_endless_ones_not_at_all() -> None:
    week, first_s = np.full(168, 10.0), MONDAY_S + 20 * HOUR_S
    hours = {int(first_s / HOUR_S) + n: n % 24 for n in range(20 * 24)}
    days = requests_over_time(hours, week, first_s, first_s + 20 * DAY_S)
    assert days is not None
    assert (days.first_s, days.step_seconds, days.logged_per_second.size) == (MONDAY_S + DAY_S, DAY_S, 20)
    assert days.logged_per_second[3] * DAY_S == pytest.approx(sum(range(24)))
    assert days.modelled_per_second * HOUR_S == pytest.approx(10)
    assert requests_over_time(hours, week, 0.0, 1e11) is None
    assert requests_over_time(hours, week, first_s, first_s + 600) is None


def test_the_design_has_the_key_rates_and_distribution_of_the_log(log: list[TraceEvent], design: Spec) -> None:
    (table,), (field,) = design.tables, design.fields
    (kind,) = table.row_kinds
    assert (table.name, key_of(design, kind)) == ("metrics", "{device}#{time}")
    assert isinstance(field.popularity, Zipf)
    assert field.popularity.theta == pytest.approx(0.8, abs=0.05)
    assert field.distinct == DEVICES
    (activity,), (read,) = design.activities, kind.reads
    writes = sum(event.operation == "write" for event in log)
    assert activity.rate_per_second == pytest.approx(writes / DAYS / DAY_S, rel=0.001)
    assert read.rate_per_second == pytest.approx((len(log) - writes) / DAYS / DAY_S, rel=0.001)
    value = table.families[0].columns[0].value
    assert (value.typical_bytes, value.max_bytes) == (pytest.approx(100, abs=1), 110)


def test_each_figure_of_the_design_names_the_log_as_its_origin(log: list[TraceEvent], design: Spec) -> None:
    (field,), (activity,), (column,) = design.fields, design.activities, design.tables[0].families[0].columns
    (read,) = design.tables[0].row_kinds[0].reads
    for element, name in (
        (field, "distinct"), (field, "popularity"), (activity, "rate_per_second"), (read, "rate_per_second"),
        (column, "value"), (activity, "profile"), (read, "profile"),
    ):  # fmt: skip
        origin = design.find_measured(element.id, name)
        assert origin is not None, name
        assert (origin.source, origin.lines) == ("trace", len(log))
        assert origin.date.isoformat() == "2026-10-04"


def test_a_profile_that_was_edited_has_its_origin_no_more(design: Spec) -> None:
    (activity,) = design.activities
    hours = list(activity.profile.hours)  # type: ignore[union-attr]
    written = load(dump_compact(design).encode(), name="d.yaml")
    assert written.find_measured(activity.id, "profile") is not None
    hours[5] += 0.25
    changed = activity.model_copy(update={"profile": Week(hours=tuple(hours))})
    edited = design.model_copy(update={"activities": (changed,)})
    assert edited.find_measured(activity.id, "profile") is None
    assert edited.find_measured(activity.id, "rate_per_second") is not None


@pytest.mark.parametrize(
    ("pattern", "key"),
    [
        ("u{n}#{at:%Y%m%d}", '{id}#{time:day:"%Y%m%d"}'),
        ("{at:%Y%m%d}u{n}", '{time:day:"%Y%m%d"}{id}'),
        ("{at:%Y%m}#u{n}", '{time:month:"%Y%m"}#{id}'),
        ("20200101#u{n}", "20200101#{id}"),
        ("20261399#u{n}", "20261399#{id}"),
        ("7{n}#{m}", "{id}#{id2}"),
    ],
)
def test_the_days_of_a_short_log_are_known_in_its_keys(pattern: str, key: str) -> None:
    day = datetime.datetime(2026, 11, 19, tzinfo=datetime.UTC)
    random = np.random.default_rng(2)
    times = [day + datetime.timedelta(seconds=20 * n) for n in range(3_000)]
    keys = [pattern.format(at=at, n=1_000 + random.integers(300), m=random.integers(10**6)) for at in times]

    found = read(
        [TraceEvent(at.timestamp(), "write", made.encode(), 9, "t") for at, made in zip(times, keys, strict=True)]
    )

    design = design_from_trace(found)
    assert key_of(design, design.tables[0].row_kinds[0]) == key


def test_the_design_can_be_judged_and_written(design: Spec) -> None:
    found = estimate(design, context())
    traffic = found.tables["t1"].traffic
    assert traffic is not None
    assert traffic.writes[0].rows_per_second == pytest.approx(design.activities[0].rate_per_second)
    assert all(f.severity != "error" for f in lint(design, found, context()))
    assert load(dump_compact(design), name="x.yaml") == design


def test_the_report_names_what_was_measured(summary: TraceSummary) -> None:
    text = "\n".join(summary_lines(summary))
    assert "metrics: {device}#{time}, 100 % of the requests" in text
    assert "write: 2,720 requests, 8.1/h on average" in text
    assert "Zipf θ = 0." in text
    data = summary_data(summary)
    assert data["tables"][0]["operations"][0]["requests_by_hour_of_week"][9] == pytest.approx(45, rel=0.2)
    assert all(math.isfinite(share) for share in (row["share"] for row in data["tables"][0]["busiest_keys"]))


def test_tables_are_apart_with_fields_of_their_own(log: list[TraceEvent]) -> None:
    other = [event._replace(table="other", key=b"x" + event.key) for event in log[:500]]
    deleted = [event._replace(operation="delete", table="other") for event in other[:50]]
    design = design_from_trace(read([*log[:2_000], *other, *deleted]))
    assert [table.name for table in design.tables] == ["metrics", "other"]
    assert len({field.name for field in design.fields}) == len(design.fields) == 2
    modes = [write.mode for write in design.tables[1].row_kinds[0].writes]
    assert modes == [None, "delete_row"]
    assert load(dump_compact(design), name="x.yaml") == design


def test_more_tables_than_are_read_are_counted(log: list[TraceEvent]) -> None:
    found = read([log[0]._replace(table=f"t{n}") for n in range(TABLES_MAX + 7)])
    assert (len(found.tables), found.left_out) == (TABLES_MAX, 7)


def test_keys_without_a_pattern_make_a_table_without_a_key() -> None:
    found = read([TraceEvent(MONDAY_S + n, "read", b"k", None, "") for n in range(300)])
    design = design_from_trace(found)
    assert design.tables[0].row_kinds[0].key == ()
    assert "no key pattern found" in "\n".join(summary_lines(found))


def test_the_busiest_hour_of_a_short_log_is_its_mean_rate() -> None:
    found = read([TraceEvent(MONDAY_S + 0.3 * n, "write", b"k%d#%d" % (n % 7, n), None, "") for n in range(1_000)])
    assert found.tables[0].operations[0].busiest_per_second == pytest.approx(1 / 0.3, rel=0.01)
    day = [TraceEvent(MONDAY_S + 30.0 * n, "write", b"k", None, "") for n in range(2_880)]
    burst = [TraceEvent(MONDAY_S + 5 * HOUR_S + 1.0 * n, "write", b"k", None, "") for n in range(3_600)]
    busy = read(sorted([*day, *burst])).tables[0].operations[0]
    assert busy.busiest_per_second == pytest.approx(1 + 1 / 30, rel=0.001)


def test_a_few_times_far_outside_are_told_of(log: list[TraceEvent]) -> None:
    found = read([*log[:4_000], log[0]._replace(time_s=MONDAY_S - 400 * DAY_S)])
    assert found.has_outlying_times
    assert "nearly all requests came within" in "\n".join(summary_lines(found))
    assert not read(log[:4_000]).has_outlying_times


def test_memory_is_shared_by_all_tables() -> None:
    reader = TraceReader(UnreadLines())
    for number in range(TABLES_MAX):
        events = [TraceEvent(MONDAY_S + n, "write", b"k%d#%d" % (n, n), None, f"t{number}") for n in range(300)]
        reader.add(EventBlock.from_events(events))
    reader.summary()
    reader._share_memory()
    limits = [kind.keys.limit_bytes for kind in reader._kinds]
    assert sum(limits) <= COUNTERS_BYTES / 2, "half of the counters are of keys"


def test_values_that_are_written_and_others_that_are_read_are_all_counted() -> None:
    found = read(
        [
            TraceEvent(MONDAY_S + n, "read" if n % 3 else "write", b"user%05d#x" % (n * 7_919 % 9_000), None, "")
            for n in range(9_000)
        ]
    )
    assert [use.distinct for use in found.tables[0].fields] == [9_000]


def _written(order: list[int]) -> Spec:
    events = [
        TraceEvent(MONDAY_S + 2 * n, "write", b"order#%07d" % number, None, "orders") for n, number in enumerate(order)
    ]
    return design_from_trace(read(events), name="Orders")


def test_ids_in_sequence_grow_by_what_the_log_writes_and_have_no_largest() -> None:
    spec = _written(list(range(1, 40_001)))

    (field,) = spec.fields
    assert field.values is None
    assert field.distinct == 40_000
    assert field.growth_per_day == pytest.approx(43_200, rel=0.01)
    assert field.assigned == "sequential"


def test_values_that_come_once_each_in_no_order_are_as_many_and_do_not_grow() -> None:
    spec = _written(np.random.default_rng(1).permutation(40_000).tolist())

    (field,) = spec.fields
    assert (field.growth_per_day, field.assigned) == (None, "arbitrary")
    assert field.distinct == 40_000, "none beyond the largest, as none is left out below it"


def _users(values: int, requests: int) -> Spec:
    random = np.random.default_rng(2)
    drawn = enumerate(random.integers(0, values, requests).tolist())
    return design_from_trace(
        read([TraceEvent(MONDAY_S + 60 * n, "read", b"user#%d" % who, None, "") for n, who in drawn])
    )


def test_a_number_of_values_that_still_grows_with_the_lines_is_no_measurement() -> None:
    spec = _users(700, 50)
    (field,) = spec.fields
    assert (field.distinct, field.values) == (None, None), "left open, to be asked"
    assert spec.find_measured(field.id, "distinct") is None
    assert (field.id, "distinct") in {(one.at, one.name) for one in assumed_beside_log(spec, {"t1"})}
    many = _users(700, 20_000)
    assert many.fields[0].distinct == 700
    assert many.find_measured(many.fields[0].id, "distinct") is not None


def test_a_number_of_values_that_is_no_count_is_marked() -> None:
    random = np.random.default_rng(2)
    for requests, is_estimate in ((2_000, True), (40_000, False)):
        drawn = random.integers(0, 900, requests).tolist()
        found = read([TraceEvent(MONDAY_S + n, "read", b"user#%d" % who, None, "") for n, who in enumerate(drawn)])
        (use,) = found.tables[0].fields
        came = len(set(drawn))
        assert use.came == came
        assert (use.is_estimate, use.fits["read"].is_estimate) == (is_estimate, is_estimate)
        told = f"{use.distinct:,} values (estimated: {came:,} came)" if is_estimate else f"{came:,} values,"
        assert f"user_id, read: {told}" in "\n".join(summary_lines(found))
        (row,) = TraceTableView(found.tables[0]).fields
        assert (row.distinct, row.is_estimate, row.is_bound) == (use.distinct, is_estimate, False)


def test_the_report_says_how_many_values_there_are_at_least() -> None:
    events = [TraceEvent(MONDAY_S + n, "read", b"user#%d" % (n * 7_919 % 40_009), None, "") for n in range(300)]
    found = read([*events, events[0], events[1]])
    (use,) = found.tables[0].fields
    assert use.at_least == 300
    assert use.estimate > 10_000
    assert "user_id: at least 300 values; new ones still come" in "\n".join(summary_lines(found))
    (data,) = summary_data(found)["tables"][0]["fields"]
    assert data["at_least"] == use.at_least
    (row,) = TraceTableView(found.tables[0]).fields
    assert (row.distinct, row.is_estimate, row.is_bound) == (300, False, True)
    (field,) = design_from_trace(found).fields
    assert field.distinct is None


@pytest.mark.parametrize("first_s", [50 * 60, 0, 20 * 60])
@pytest.mark.parametrize("hours", [0.2, 3, 12, 30, 200])
def test_no_hour_is_busier_than_the_busiest_one(first_s: float, hours: float) -> None:
    burst = [MONDAY_S + first_s + n for n in range(400)]
    later = [burst[-1] + 3_600 * n for n in np.arange(0.1, hours, 1.0).tolist()]
    found = read([TraceEvent(at, "read", b"user#%03d" % (at % 37), None, "") for at in [*burst, *later]])
    (use,) = found.tables[0].operations
    assert use.busiest_per_second >= use.hours.mean() / HOUR_S
    assert use.busiest_per_second * HOUR_S >= 400 if hours > 1 else use.busiest_per_second > 0
    if hours < 24:
        span = later[-1] - burst[0]
        assert use.hours.mean() / HOUR_S == pytest.approx(use.requests / span), "the mean of a short log is its mean"


def test_names_in_the_first_keys_are_no_limit_where_the_log_has_more() -> None:
    values = {"kind": "enumeration", "items": [{"value": "a"}, {"value": "b"}]}
    use = FieldUse("s", "kind", 18, {}, at_least=18, estimate=53)
    field = Spec.model_validate({"fields": [{"id": "kind", "name": "kind", "values": values}]}).fields[0]

    figures = open_figures(use, field)

    (made,) = Spec.model_validate({"fields": [{**to_plain_data(field), **figures}]}).fields
    assert made.values is None
    assert open_figures(replace(use, at_least=1, estimate=2), field).get("values", "kept") == "kept"


def steady(days: tuple[int, ...], *, hours: int = 24) -> list[TraceEvent]:
    times = [MONDAY_S + DAY_S * day + 60 * minute for day in days for minute in range(60 * hours)]
    return [TraceEvent(time, "read", b"device%05d" % (number % 50), None, "") for number, time in enumerate(times)]


def test_a_time_without_requests_that_chance_does_not_explain_is_told_with_its_ends() -> None:
    summary = read(steady((0, 3)))

    assert summary.gap_s == (MONDAY_S + DAY_S, MONDAY_S + 3 * DAY_S)
    assert summary.gap_days == 2
    assert any(
        line.startswith("no requests in 2 days, 2026-09-22 00:00 to 2026-09-24 00:00 UTC:")
        for line in summary_lines(summary)
    )


def test_a_few_quiet_hours_or_few_requests_are_no_gap() -> None:
    assert read(steady((0, 1))).gap_s is None
    assert read(steady((0, 1), hours=19)).gap_s is None  # 5 hours between
    assert read(steady((0, 1), hours=17)).gap_s == (MONDAY_S + 17 * HOUR_S, MONDAY_S + DAY_S)
    assert read(steady((0, 3))[::60]).gap_s is None  # one an hour: 48 in the gap


def test_requests_within_a_second_tell_no_rate() -> None:
    sentence = "all requests came within a second, so the log tells no rate: those below are as if it were one second"

    assert sentence in summary_lines(read(steady((0,))[:1]))
    assert sentence not in summary_lines(read(steady((0,))[:2]))
