"""The model beside replayed requests: the same where the log is drawn from what the model says, and else told apart."""

from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.keytext import parse_key
from designer.examples import examples
from estimator.estimates.estimate import estimate
from estimator.traces import EventBlock, EventSample, ModelBeside, Replay, compare_with_model, design_from_trace, replay
from estimator.traces.blocks import TraceEvent
from estimator.traces.replays.model_report import model_data, model_lines
from tests.contexts import context

from .test_summary import device_log, read

LOG = device_log()


def measured_design(**changes: Any) -> Spec:
    data: Any = to_plain_data(design_from_trace(read(LOG), name="measured"))
    for activity in data["activities"]:
        activity["rate_per_second"] *= changes.get("factor", 1)
    return Spec.model_validate(data)


def beside(spec: Spec, key: str | None = None, *, log: list[TraceEvent] = LOG) -> tuple[ModelBeside, Replay]:
    sample = EventSample()
    sample.add(EventBlock.from_events(log))
    (table,) = spec.tables
    own = table.row_kinds[0].key
    replayed = replay(sample, spec, own, parse_key(spec, key).segments if key else own)
    found = compare_with_model(spec, table, replayed, context())
    assert found is not None
    return found, replayed


def test_a_design_made_of_a_log_agrees_with_its_replay() -> None:
    found, _ = beside(measured_design())
    assert {one.operation for one in found.operations} == {"read", "write"}
    for one in found.operations:
        assert one.replayed_per_second == pytest.approx(one.modelled_per_second, rel=0.01)
        (busiest,) = one.ranges
        assert busiest.replayed_share == pytest.approx(busiest.modelled_share, abs=0.06)
    assert found.replayed_node_share == pytest.approx(found.modelled_node_share, rel=0.01)


def test_reads_through_data_boost_take_no_node_time_in_the_model_either() -> None:
    plain = to_plain_data(measured_design())
    plain["instance"] = {"app_profiles": [{"id": "boost", "routing": "single", "data_boost": True}]}
    for asked in plain["tables"][0]["row_kinds"][0]["reads"]:
        asked["app_profile"] = "boost"
    found, _ = beside(Spec.model_validate(plain))
    assert found.modelled_node_share > 0
    assert found.replayed_node_share == pytest.approx(found.modelled_node_share, rel=0.01)


def test_the_nodes_of_the_busiest_second_are_those_of_its_requests() -> None:
    time_s = LOG[0].time_s + 3_600
    keys = (b"device00001#%d" % (time_s * 1_000 + n) for n in range(5_000))
    burst = [TraceEvent(time_s, "write", key, 100, "metrics") for key in keys]
    found, _ = beside(measured_design(), log=sorted([*LOG, *burst]))
    writes = next(one for one in found.operations if one.operation == "write")
    assert found.peak is not None
    assert found.peak.window_seconds == 1
    assert found.peak.replayed == pytest.approx(5_000 * writes.node_seconds, rel=0.01)
    assert found.peak.replayed > 100 * found.peak.modelled
    assert found.peak.replayed_range < found.peak.replayed, "its window is longer than a second"
    row = next(line for line in model_lines(found) if line.startswith("  nodes for the busiest second "))
    assert f"{found.peak.replayed:.3g}" in row
    data = model_data(found)
    assert data is not None
    assert data["peak_nodes"]["replayed"] == found.peak.replayed


def test_deletions_are_compared_with_deletions_and_not_with_writes() -> None:
    log = [one._replace(operation="delete", value_bytes=None) if n % 9 == 0 else one for n, one in enumerate(LOG)]
    found, _ = beside(design_from_trace(read(log)), log=log)
    assert {one.operation for one in found.operations} == {"read", "write", "delete"}
    for one in found.operations:
        assert one.replayed_per_second == pytest.approx(one.modelled_per_second, rel=0.01)
    assert found.replayed_node_share == pytest.approx(found.modelled_node_share, rel=0.01)
    per_second = found.traffic.heat.writes_per_second.sum(axis=0)
    parts = [found.traffic_of(name) for name in ("write", "delete")]
    assert sum(part.heat.writes_per_second.sum(axis=0) for part in parts if part) == pytest.approx(per_second)
    assert float(found.replayed_monthly_bill or 0) == pytest.approx(float(found.monthly_bill or 0), rel=0.001)


def test_a_rate_that_the_design_has_too_low_is_told() -> None:
    found, _ = beside(measured_design(factor=0.25))
    writes = next(one for one in found.operations if one.operation == "write")
    assert writes.replayed_per_second == pytest.approx(4 * writes.modelled_per_second, rel=0.01)
    row = next(line for line in model_lines(found) if line.startswith("  writes "))
    assert "+300" in row or "+299" in row
    data = model_data(found)
    assert data is not None
    pair = data["operations"]["write"]["rate_per_second"]
    assert pair["replayed"] > pair["modelled"]


def test_the_bill_with_the_log_s_rates_is_the_one_of_a_design_with_these_rates() -> None:
    high, _ = beside(measured_design(factor=1_000))
    plain, _ = beside(measured_design())
    assert high.monthly_bill is not None
    assert plain.monthly_bill is not None
    assert high.replayed_monthly_bill is not None
    assert float(high.replayed_monthly_bill) == pytest.approx(float(plain.monthly_bill), rel=0.02)


def test_a_design_without_rates_has_no_model_to_compare() -> None:
    data: Any = to_plain_data(measured_design())
    del data["activities"][0]["rate_per_second"]
    spec = Spec.model_validate(data)
    sample = EventSample()
    sample.add(EventBlock.from_events(LOG[:100]))
    key = spec.tables[0].row_kinds[0].key
    assert compare_with_model(spec, spec.tables[0], replay(sample, spec, key, key), context()) is None
    assert "an input of the design is missing" in next(model_lines(None))
    assert model_data(None) is None


def test_a_design_that_is_only_read_has_a_bill_with_the_log_s_rates_too() -> None:
    spec = next(each.spec for each in examples() if each.spec.engine == "bigtable" and not each.spec.activities)
    (table,) = spec.tables
    (kind,) = table.row_kinds
    facts = estimate(spec, context()).tables[table.id].keys[kind.id]
    sample = EventSample()
    sample.add(
        EventBlock.from_events([TraceEvent(1.79e9 + n, "read", k, None, "") for n, k in enumerate(facts.samples)])
    )
    found = compare_with_model(spec, table, replay(sample, spec, kind.key, kind.key), context())
    assert found is not None
    assert found.replayed_monthly_bill is not None


def test_the_busiest_range_of_a_log_is_within_what_chance_makes_of_the_model() -> None:
    found, _ = beside(measured_design())
    assert found.peak is not None
    low, middle, high = found.peak.modelled_range
    mean = float(found.traffic.heat.node_share.max())
    assert mean < low <= middle <= high < 20 * mean, "few requests a window: some range is busier than its mean"
    assert low * 0.8 <= found.peak.replayed_range <= high * 1.25
    row = next(line for line in model_lines(found) if line.startswith("  node time, busiest range"))
    assert f" to {high:.9f} nodes)" in row
    data = model_data(found)
    assert data is not None
    assert data["peak_nodes"]["busiest_range"]["modelled_high"] == high


def test_the_busiest_range_of_rows_that_are_written_over_is_that_of_a_busy_user() -> None:
    random = np.random.default_rng(4)
    users = np.where(random.random(20_000) < 0.25, 777, random.integers(0, 2_000, 20_000)).tolist()
    ids = random.integers(0, 20, 20_000).tolist()
    log = [
        TraceEvent(1_790_000_000.0 + 4 * n, "write" if n % 3 else "read", b"user%05d#%02d" % (user, item), 100, "rows")
        for n, (user, item) in enumerate(zip(users, ids, strict=True))
    ]
    spec = Spec.model_validate(to_plain_data(design_from_trace(read(log), name="measured")))
    found, _ = beside(spec, log=log)

    for one in found.operations:
        (busiest,) = one.ranges
        assert busiest.replayed_share == pytest.approx(0.27, abs=0.03)
        assert busiest.modelled_share == pytest.approx(busiest.replayed_share, abs=0.03)
    assert found.peak is not None
    assert found.peak.modelled_range.low <= found.peak.replayed_range <= 1.3 * found.peak.modelled_range.high
