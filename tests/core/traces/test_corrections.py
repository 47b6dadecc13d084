"""What a log corrects in a design that exists: values of known truth, their origin, and what is left alone."""

from typing import Any

import numpy as np
import pytest

from designer.document import Spec
from designer.document.compact import dump_compact
from designer.document.dump import to_plain_data
from designer.document.edits import apply
from designer.document.load import load
from designer.document.popularity import Uniform, Zipf
from designer.wording import measured_text
from designer.wording.formatting import english
from estimator.traces import TraceEvent, TraceSummary, correct_design, design_from_trace

from .test_summary import DAYS, DEVICES, device_log, read


@pytest.fixture(scope="module")
def summary() -> TraceSummary:
    return read(device_log())


def drawn(summary: TraceSummary, **changes: Any) -> Spec:
    """Return a design with the log's key and names of its own, and with guesses that are wrong."""
    data: Any = to_plain_data(design_from_trace(summary))
    (field,), (activity,), (table,) = data["fields"], data["activities"], data["tables"]
    field |= {"name": "sensor", "distinct": 7, "popularity": {"kind": "uniform"}}
    activity |= {"rate_per_second": 5.0}
    del activity["profile"]
    table["families"][0]["columns"][0]["value"] = {"typical_bytes": 4_000}
    activity |= changes
    return Spec.model_validate({**data, "measured": []})


def corrected(spec: Spec, summary: TraceSummary) -> Spec:
    edit = correct_design(spec, summary).edit("corrected")
    assert edit is not None
    made, inverse = apply(spec, edit)
    assert apply(made, inverse)[0] == spec, "one change, which can be undone"
    return made


def test_wrong_values_become_those_of_the_log_with_the_log_as_their_origin(summary: TraceSummary) -> None:
    made = corrected(drawn(summary), summary)
    field, activity, column = made.fields[0], made.activities[0], made.tables[0].families[0].columns[0]
    assert (field.name, field.distinct) == ("sensor", DEVICES)
    assert isinstance(field.popularity, Zipf)
    assert field.popularity.theta == pytest.approx(0.8, abs=0.06)
    writes = next(use.requests for use in summary.tables[0].operations if use.operation == "write")
    assert activity.rate_per_second == pytest.approx(writes / (DAYS * 86_400), rel=0.001)
    assert activity.profile is not None
    assert column.value is not None
    assert column.value.typical_bytes == pytest.approx(100, abs=1)
    for at, name in ((field.id, "distinct"), (activity.id, "rate_per_second"), (column.id, "value.typical_bytes")):
        origin = made.find_measured(at, name)
        assert origin is not None
        assert (origin.source, origin.lines) == ("trace", summary.events)
        assert measured_text(origin).params["lines"] == summary.events


def test_what_the_design_has_already_is_no_change(summary: TraceSummary) -> None:
    made = corrected(drawn(summary), summary)
    again = correct_design(made, summary)
    assert (again.changes, again.edit("x")) == ((), None)


def test_what_several_values_could_explain_is_left_with_its_reason(summary: TraceSummary) -> None:
    spec = drawn(summary, growth_per_month=0.05)
    told = [text.message for text in correct_design(spec, summary).left_open]
    assert any("grows" in message for message in told)
    assert all(change.name != "rate_per_second" or change.at != spec.activities[0].id
               for change in correct_design(spec, summary).changes)  # fmt: skip
    data: Any = to_plain_data(drawn(summary))
    data["tables"][0]["name"] = "other"
    data["tables"].append({"id": "t9", "name": "more"})
    strange = correct_design(Spec.model_validate(data), summary)
    assert (strange.changes, strange.left_open[0].params) == ((), {"name": "metrics"})


def skewed_log() -> list[TraceEvent]:
    """Writes of all devices alike, and reads of few of them most of the time."""
    random = np.random.default_rng(4)
    shares = np.arange(1.0, 201) ** -1.2
    events = []
    for n in range(40_000):
        is_read = n % 2 == 0
        device = random.choice(200, p=shares / shares.sum()) if is_read else random.integers(200)
        key = b"d%03d#%d" % (device, 1_790_000_000_000 + 1_000 * n)
        events.append(TraceEvent(1_790_000_000.0 + n, "read" if is_read else "write", key, 50, "metrics"))
    return events


def test_reads_that_are_spread_otherwise_than_writes_have_a_distribution_of_their_own() -> None:
    summary = read(skewed_log())
    measured = design_from_trace(summary)
    plain: Any = to_plain_data(measured)
    del plain["tables"][0]["row_kinds"][0]["reads"][0]["binds"][0]["popularity"]
    plain["measured"] = []
    made = corrected(Spec.model_validate(plain), summary)

    for design in (measured, made, load(dump_compact(made), name="x.yaml")):
        (one,) = design.tables[0].row_kinds[0].reads
        assert isinstance(design.fields[0].popularity, Uniform)
        assert isinstance(one.binds[0].popularity, Zipf)
        assert one.binds[0].popularity.theta == pytest.approx(1.2, abs=0.05)
        origin = design.find_measured(one.id, "binds")
        assert origin is not None
        assert (origin.source, origin.lines) == ("trace", summary.events)
    assert correct_design(made, summary).changes == ()


def test_a_log_that_names_no_table_is_of_none_where_the_design_has_several(summary: TraceSummary) -> None:
    spec = drawn(summary)
    (table,) = spec.tables
    others = [table.model_copy(update={"id": name, "name": name, "row_kinds": (), "families": ()}) for name in "ab"]
    both = spec.model_copy(update={"tables": tuple(others)})
    found = correct_design(both, read([event._replace(table="") for event in device_log()]))
    assert found.edit("corrected") is None
    (left,) = found.left_open
    assert english(left.message, left.params) == "The log does not say of which table it is, and the design has 2."
