"""What is said of keys that begin with a hash of a time, and how their reads are planned."""

from typing import Any

import pytest

from designer.document import Spec
from designer.document.key import TimeSegment
from designer.document.keytext import parse_key
from designer.wording.formatting import english
from estimator.advice.rules.shared.examples import USER, design, read_part
from estimator.results import Finding, ReadPlan
from tests.contexts import estimate
from tests.core.advice.rules.pipeline import found

SPAN = read_part(time={"days": 0.25}, rate_per_second=0.001)


def _design(key: str, *, per_second: float = 5_000, reads: tuple[Any, ...] = (SPAN,)) -> Spec:
    blank = design(fields=(USER,), per_second=per_second, reads=reads)
    segments = parse_key(blank, key).segments
    return design(
        *(one.model_dump(mode="json") for one in segments), fields=(USER,), per_second=per_second, reads=reads
    )


def _finding(spec: Spec, code: str) -> Finding | None:
    return next((one for one in found(spec) if one.rule == code), None)


def _plan(spec: Spec) -> ReadPlan:
    [plan] = estimate(spec).tables["table"].reads
    return plan


@pytest.mark.parametrize(("per_second", "severity"), [(20_000, "warning"), (10, "note")])
def test_a_hash_of_a_bucket_does_not_spread_the_writes_within_it(per_second: float, severity: str) -> None:
    finding = _finding(_design("{hash(time:hour):6}#{user}#{time}", per_second=per_second), "K004")

    assert finding is not None
    assert finding.severity == severity
    said = english(finding.message, finding.params).replace("\N{NO-BREAK SPACE}", " ")
    assert "A hash of the bucket does not spread the writes within it: 100 % of the writes" in said


def test_a_hash_of_a_week_is_followed_by_splits_and_one_of_few_values_has_places_that_were_split_long_ago() -> None:
    week = _finding(_design("{hash(time:week):6}#{user}#{time}"), "K004")

    assert week is not None
    assert "long enough for splits to follow" in english(week.message, week.params)
    assert _finding(_design("{hash(time:hour):1}#{user}#{time}"), "K004") is None


def test_a_hash_of_the_time_itself_spreads_the_writes_and_a_read_of_a_span_asks_for_each_of_its_values() -> None:
    spec = _design("{hash(time)}#{time}")

    assert _finding(spec, "K004") is None
    apart = _finding(spec, "K007")
    assert apart is not None
    assert "once for each value of hash(time). It needs 65,500 scans" in english(apart.message, apart.params)
    assert (_plan(spec).access, _plan(spec).ranges) == ("multi_range", 65_536)
    assert _plan(_design("{hash(time):8}#{time}")).access == "scan"  # of so many, each costs more than the rows


def test_a_read_of_a_span_asks_for_one_hash_after_the_other() -> None:
    plan = _plan(_design("{hash(time:hour)}#{time}"))

    assert (plan.access, plan.bound) == ("multi_range", ("time",))
    assert 6 < plan.ranges < 8


def test_the_newest_rows_are_asked_bucket_by_bucket_behind_a_hash() -> None:
    reads = (read_part(newest_rows=10, rate_per_second=0.1),)

    plan = _plan(_design("{hash(time:hour)}#{time:rev}", reads=reads))

    assert plan.rows_scanned < 20
    assert plan.ranges < 1.1


def test_a_hash_alone_hides_the_time_and_buckets_that_share_one_are_counted() -> None:
    spec = _design("{hash(time:hour)}#{user}", per_second=10)
    finding = _finding(spec, "K006")

    assert finding is not None
    assert finding.severity == "warning"
    assert "share a hash" in english(finding.message, finding.params)
    long = _finding(_design("{hash(time:hour):12}#{user}", per_second=10), "K006")
    assert long is not None
    assert long.severity == "note"
    assert _finding(_design("{hash(time:hour)}#{user}#{time}", per_second=10), "K006") is None


def test_a_long_hash_of_the_time_is_needed_where_nothing_else_tells_events_apart() -> None:
    assert _finding(_design("{hash(time):16}#{user}", per_second=100), "K023") is None
    assert _finding(_design("{hash(time):16}#{time}", per_second=100), "K023") is not None


def test_a_read_without_a_time_cannot_compute_the_hash_of_its_bucket() -> None:
    reads = (read_part(binds=("user",), rate_per_second=0.01),)
    spec = _design("{hash(time:hour)}#{user}#{time}", reads=reads, per_second=100)

    finding = _finding(spec, "K007")

    assert finding is not None
    assert isinstance(spec.find(finding.at), TimeSegment)
