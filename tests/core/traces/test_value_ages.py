"""Reads that are mostly for new values are *latest*, with their θ; reads of values of any age are not."""

from collections.abc import Callable

import numpy as np
import pytest

from designer.document.popularity import Latest
from designer.wording import key_of
from estimator.traces import TraceEvent, design_from_trace
from estimator.traces.byte_columns import ByteColumn
from estimator.traces.report import summary_lines
from estimator.traces.value_ages import ValueAges
from tests.cases import cases

from .test_summary import DAY_S, MONDAY_S, read

REQUESTS = 20_000


def newest_first(theta: float, before: int, writes: float) -> list[tuple[int, bytes]]:
    """Requests whose reads are Zipf by age, with so many values written before the first of them."""
    random = np.random.default_rng(1)
    sums = np.cumsum(np.arange(1.0, before + REQUESTS + 1) ** -theta)
    there, found = before, list[tuple[int, bytes]]()
    for is_write, draw in zip(random.random(REQUESTS) < writes, random.random(REQUESTS), strict=True):
        if is_write:
            there += 1
            found.append((1, b"%d" % there))
        elif there:
            found.append((0, b"%d" % (there - int(np.searchsorted(sums, draw * sums[there - 1])))))
    return found


def ages_of(requests: list[tuple[int, bytes]]) -> ValueAges:
    ages = ValueAges()
    for first in range(0, len(requests), 1_000):
        codes, values = zip(*requests[first : first + 1_000], strict=True)
        column = ByteColumn.from_cells(values)
        ages.add(np.array(codes), column.hashes(), column)
    return ages


@pytest.mark.parametrize(("theta", "before"), [(0.5, 0), (0.99, 0), (1.5, 0), (0.99, 5_000), (0.7, 5_000)])
def test_theta_and_the_number_of_values_are_recovered(theta: float, before: int) -> None:
    ages = ages_of(newest_first(theta, before, 0.3))
    fit = ages.fit()
    assert fit is not None
    assert isinstance(fit.popularity, Latest)
    assert fit.popularity.theta == pytest.approx(theta, abs=0.03)
    assert fit.distinct == pytest.approx(before + ages.births, rel=0.05)
    assert fit.error_share < 0.01
    assert ages.is_rising
    assert ages.new_share == 1


@pytest.mark.parametrize(
    "value",
    [
        lambda random, n, is_write: n if is_write else random.integers(0, n + 1),
        lambda random, n, is_write: random.integers(0, 300),
        lambda random, n, is_write: int(random.zipf(1.5)),
    ],
    ids=["of any age", "the same values", "the same busy values"],
)
def test_nothing_else_is_latest(value: Callable[..., int]) -> None:
    random = np.random.default_rng(1)
    drawn = [(int(random.random() < 0.3), n) for n in range(REQUESTS)]
    assert ages_of([(code, b"%d" % value(random, n, code)) for code, n in drawn]).fit() is None


def test_exponential_ages_are_for_new_values_and_the_fit_says_how_far_off_it_is() -> None:
    random = np.random.default_rng(1)
    ages, drawn = [], list[tuple[int, bytes]]()
    for n in range(1, REQUESTS):
        drawn.append((1, b"%d" % n))
        ages.append(min(int(random.exponential(200)), n - 1))
        drawn.append((0, b"%d" % (n - ages[-1])))
    found = ages_of(drawn)
    fit = found.fit()
    assert fit is not None
    assert isinstance(fit.popularity, Latest)
    assert fit.is_poor, "no θ makes exponential ages"
    assert fit.newest_half == pytest.approx(np.median(ages) + 1, abs=1)
    step_s = 2.0
    log = [
        TraceEvent(MONDAY_S + n * step_s, ("read", "write")[code], b"order#" + value.zfill(6), None, "orders")
        for n, (code, value) in enumerate(drawn)
    ]
    summary = read(log)
    assert isinstance(design_from_trace(summary).fields[0].popularity, Latest)
    (line,) = (line for line in summary_lines(summary) if "order_id, read" in line)
    assert f"half of the requests are for the newest {fit.newest_half}; the fit is poor, off by " in line


def test_a_design_of_such_a_log_reads_the_newest() -> None:
    requests = newest_first(0.99, 2_000, 0.3)
    step_s = DAY_S / len(requests)
    log = [
        TraceEvent(MONDAY_S + n * step_s, ("read", "write")[code], b"order#" + value, None, "orders")
        for n, (code, value) in enumerate(requests)
    ]
    summary = read(log)
    spec = design_from_trace(summary)
    (field,), (kind,) = spec.fields, spec.tables[0].row_kinds
    assert key_of(spec, kind) == "order#{order_id}"
    assert isinstance(field.popularity, Latest)
    assert field.popularity.theta == pytest.approx(0.99, abs=0.03)
    assert field.assigned == "sequential"
    assert field.growth_per_day == pytest.approx(sum(code for code, _ in requests), rel=0.001)
    for figure in ("popularity.theta", "growth_per_day", "distinct"):
        assert spec.find_measured(field.id, figure) is not None, figure
    (line,) = (line for line in summary_lines(summary) if "order_id, read" in line)
    assert "the newest most, θ = 0.99, the newest " in line


@cases("ids, assigned", [
        (range(1_000_000, 1_003_000), "sequential"),
        ([n * 7_919 % 3_000 + 1_000_000 for n in range(3_000)], "arbitrary"),
        ([n * 7_919 % 300 + 1_000_000 for n in range(3_000)], None),
    ])  # fmt: skip
def test_numbers_that_are_made_in_no_order_are_not_taken_to_be_counted(ids, assigned) -> None:
    """Those that came before tell nothing: people who were there come in any order."""
    log = [TraceEvent(MONDAY_S + n * 20, "write", b"order#%d" % id_, None, "orders") for n, id_ in enumerate(ids)]

    (field,) = design_from_trace(read(log)).fields

    assert field.assigned == assigned
