"""What is said of reads behind a bucket of time: of a span, of the newest rows, of many ranges."""

import pytest

from designer.document import Spec
from designer.document.load import load
from estimator.advice.questions import lint
from tests.contexts import context, estimate

DAYS = """
start: 2026-12-01
fields:
  node: distinct=2k, popularity=uniform
  metric: distinct=150, popularity=uniform
activities:
  A metric is sampled: 30k/s
tables:
  samples:
    key: '{key}'
    writes:
      - A metric is sampled
    reads:
      Read: 20/s by node, {read}
    families:
      m:
        gc: max_age(60d)
        columns:
          v: float(8B)
"""


def samples(key: str, read: str) -> Spec:
    return load(DAYS.replace("{key}", key).replace("{read}", read))


def plan_of(spec: Spec):
    return next(iter(estimate(spec).tables.values())).reads[0]


def codes(spec: Spec) -> set[str]:
    return {finding.rule for finding in lint(spec, estimate(spec), context())}


@pytest.mark.parametrize(("bucket", "hours"), [("month", 365.24 + 1), ("day", 12 + 1), ("bucket=10m", 1 + 1 / 12)])
def test_a_span_meets_the_buckets_whole_behind_which_an_unknown_part_stands(bucket: str, hours: float) -> None:
    spec = samples(f"{{node}}#{{time:{bucket}}}#{{metric}}#{{time}}", "time=1h")

    plan = plan_of(spec)

    assert plan.rows_scanned == pytest.approx(15 * 3_600 * hours, rel=0.02)
    assert plan.rows_returned == pytest.approx(15 * 3_600, rel=0.02)
    assert ("K021" in codes(spec)) is (hours > 2)


@pytest.mark.parametrize("reverse", ["", ", reverse=true"])
@pytest.mark.parametrize("day", ["time:day", "time:day:rev"])
@pytest.mark.parametrize("time", ["time:rev", "time"])
def test_no_scan_finds_the_newest_rows_where_a_part_divides_the_day(day: str, time: str, reverse: str) -> None:
    spec = samples(f"{{node}}#{{{day}}}#{{metric}}#{{{time}}}", f"newest_rows=20{reverse}")
    made = estimate(spec)

    assert plan_of(spec).rows_scanned == pytest.approx(15 * 43_200, rel=0.01)  # today's bucket so far, in the mean
    assert [one for one in lint(spec, made, context()) if one.rule == "K015"] == []


@pytest.mark.parametrize(("time", "read_otherwise"), [("time", True), ("time:rev", False)])
def test_a_reverse_scan_is_offered_where_all_times_run_one_way(time: str, read_otherwise: bool) -> None:
    spec = samples(f"{{node}}#{{time:day}}#{{{time}}}", "newest_rows=20")

    found = [one for one in lint(spec, estimate(spec), context()) if one.rule == "K015"]

    assert [one.fix_safe for one in found] == [True] * read_otherwise


def test_no_reverse_scan_is_offered_where_other_values_stand_between_the_times() -> None:
    spec = samples("{time:day}#{metric}#{node}#{time:rev}", "newest_rows=20")

    assert [one.fix for one in lint(spec, estimate(spec), context()) if one.rule == "K015" and one.fix] == []


SALTED = """
start: 2026-12-01
fields:
  user: distinct=2M, popularity=uniform
activities:
  A user does something: 2k/s
tables:
  actions:
    key: '{salt:VALUES}#{user}#{time:rev}'
    writes:
      - A user does something
    reads:
      Newest actions: 300/s by user, newest_rows=20
    families:
      a:
        gc: max_age(60d)
        columns:
          body: json(300B)
"""
HASHED = """
start: 2026-12-01
fields:
  region: distinct=200, popularity=uniform
activities:
  A reading: 1k/s
tables:
  by_bucket:
    key: '{hash(time:bucket=5m):8}#{region}#{time}'
    writes:
      - A reading
    reads:
      A span: 2/s by region, time=SPAN
    families:
      r:
        gc: max_age(30d)
        columns:
          v: float(8B)
"""


@pytest.mark.parametrize("values", [100, 101, 128, 5_000])
def test_a_read_of_all_salts_is_one_range_for_each(values: int) -> None:
    spec = load(SALTED.replace("VALUES", str(values)))

    plan = plan_of(spec)

    assert plan.ranges == values
    assert plan.rows_scanned < 20 * values
    assert not codes(spec) & {"Q001", "I026"}


def test_each_range_of_a_salt_costs_as_much() -> None:
    few, many = (plan_of(load(SALTED.replace("VALUES", text))) for text in ("1000", "65536"))

    assert few.ranges == 1_000
    assert many.ranges == 65_536
    assert many.node_seconds < 66 * few.node_seconds


@pytest.mark.parametrize(("span", "hours"), [("8h", 8), ("10h", 10), ("14d", 336)])
def test_a_span_asks_for_each_bucket_of_a_hashed_time(span: str, hours: float) -> None:
    spec = load(HASHED.replace("SPAN", span))

    plan = plan_of(spec)

    assert plan.ranges == pytest.approx(hours * 12 + 1)
    assert plan.rows_scanned == pytest.approx(1_000 / 200 * 3_600 * hours, rel=0.02)
    assert not codes(spec) & {"Q001", "K007", "K021"}
