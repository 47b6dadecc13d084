"""A reader that is written and read back between two chunks comes to the same result; nothing else is read back."""

import io
import os
import pickle
from typing import Any

import pytest

from designer.document import Spec
from designer.examples import examples
from estimator.traces import ReplayPlan, ResumableReader, dump_reader, load_reader, reading, streams
from estimator.traces.replays.load_report import replay_data
from estimator.traces.replays.replay_plan import log_keys
from estimator.traces.report import summary_data
from tests.contexts import context

LOG = b"time,operation,key,bytes\n" + b"".join(
    b"%d,%s,user%04d#%d,%d\n" % (1_790_000_000 + n, b"put" if n % 3 else b"get", n * n % 997, n, 80 + n % 9)
    if n % 7_919
    else b"no,request\n"
    for n in range(16_000)
)
BYTES_AT_ONCE = 1 << 18
"""So few that there are several chunks of a short log."""
SPEC = Spec.model_validate(
    {
        "fields": [{"id": "user", "name": "user"}, {"id": "n", "name": "n", "kind": "integer"}],
        "tables": [
            {
                "id": "t",
                "row_kinds": [
                    {
                        "id": "k",
                        "key": [
                            {"kind": "hash", "id": "h", "fields": ["user"], "after": "#"},
                            {"kind": "field", "id": "s", "field": "user"},
                        ],
                    }
                ],
            }
        ],
    }
)


def new_reader() -> ResumableReader:
    keys = log_keys(SPEC, SPEC.tables[0], "{user}#{n}")
    plan = ReplayPlan.for_table(SPEC, SPEC.tables[0], keys, most_requests=5_000)
    return ResumableReader(columns=(), keys="text", plans=[plan])


def results_of(reader: ResumableReader) -> Any:
    return summary_data(reader.summary()), replay_data(reader.plans[0].result(context()).replay)


def test_what_is_kept_between_two_chunks_goes_on_to_the_same_result(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (reading, streams):
        monkeypatch.setattr(module, "BYTES_AT_ONCE", BYTES_AT_ONCE)
    whole = new_reader()
    for _ in range(2):
        assert list(whole.read(io.BytesIO(LOG)))
    left, chunks = new_reader(), 0
    while left.logs < 2:
        for _ in left.read(io.BytesIO(LOG)):
            chunks += 1
            file = io.BytesIO()
            dump_reader(left, file)
            again = load_reader(io.BytesIO(file.getvalue()))
            assert again is not None
            left = again
            break
    assert chunks == 2 * -(-len(LOG) // BYTES_AT_ONCE)
    assert results_of(left) == results_of(whole)


def test_kinds_of_rows_are_kept_with_what_waits_to_be_counted() -> None:
    forms = (b"user#%06d", b"event#%06d#2026-11-27", b"order#%06d#open")
    log = b"".join(b"%d,put,%b,9\n" % (1_790_000_000 + n, forms[n % 3] % n) for n in range(70_000))
    whole, left = (ResumableReader(columns=(), keys="text") for _ in range(2))
    list(whole.read(io.BytesIO(log)))
    while not left.logs:
        for _ in left.read(io.BytesIO(log)):
            file = io.BytesIO()
            dump_reader(left, file)
            again = load_reader(io.BytesIO(file.getvalue()))
            assert again is not None
            left = again
            break
    assert len(whole.summary().tables) == 3
    assert summary_data(left.summary()) == summary_data(whole.summary())


def test_a_reader_is_kept_with_the_replay_of_any_design() -> None:
    plans = [
        ReplayPlan.for_table(each.spec, table)
        for each in examples()
        for table in each.spec.tables
        if len(table.row_kinds) == 1 and table.row_kinds[0].key
    ]
    file = io.BytesIO()
    dump_reader(ResumableReader(columns=(), keys="text", plans=plans), file)
    again = load_reader(io.BytesIO(file.getvalue()))
    assert again is not None
    assert [plan.spec for plan in again.plans] == [plan.spec for plan in plans]


class Payload:
    def __reduce__(self) -> Any:
        return os.mkdir, ("it-ran",)


def test_what_is_no_reader_is_not_read_and_runs_nothing() -> None:
    for content in (pickle.dumps(Payload()), pickle.dumps(3), b"", b"what is this"):
        assert load_reader(io.BytesIO(content)) is None
    assert not os.path.exists("it-ran")
