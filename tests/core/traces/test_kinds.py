"""Kinds of rows in one log, told apart by the form of their keys; a design with each, and what a log corrects of it."""

import hashlib

import numpy as np
import pytest

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.edits import apply
from designer.imports.keys import ShapeFinder, find_shapes
from designer.wording import key_of
from estimator.estimates.estimate import estimate
from estimator.presentation.replay_keys import designs_under
from estimator.traces import (
    EventBlock,
    ReplayError,
    ReplayPlan,
    TraceEvent,
    TraceSummary,
    correct_design,
    design_from_trace,
)
from estimator.traces.replays.replay import replay_kinds
from estimator.traces.replays.replay_plan import log_keys, log_keys_beside
from estimator.traces.report import summary_data, summary_lines
from tests.cases import cases
from tests.contexts import context

from .test_summary import HOUR_S, MONDAY_S, read

USERS, REQUESTS = 400, 6_000


def inbox_log() -> list[TraceEvent]:
    """Half the requests are for users, a third writes messages of them, the rest reads orders."""
    random = np.random.default_rng(1)
    events = []
    for number, time_s in enumerate(np.sort(MONDAY_S + 2 * HOUR_S * random.random(REQUESTS)).tolist()):
        user = random.integers(USERS)
        if number % 6 < 3:
            events.append(TraceEvent(time_s, "read", b"user#%d" % user, None, "inbox"))
        elif number % 6 < 5:
            events.append(TraceEvent(time_s, "write", b"user#%d#msg#%d" % (user, number), 900, "inbox"))
        else:
            events.append(TraceEvent(time_s, "read", b"order#%08d" % random.integers(10**8), None, "inbox"))
    return events


@pytest.fixture(scope="module")
def summary() -> TraceSummary:
    return read(inbox_log())


@pytest.fixture(scope="module")
def design(summary: TraceSummary) -> Spec:
    return design_from_trace(summary)


def test_each_kind_has_its_own_key_and_all_of_its_requests(summary: TraceSummary) -> None:
    found = {
        use.kind: (use.matching_share, {o.operation: o.requests for o in use.operations}) for use in summary.tables
    }
    assert found == {
        "order": (1, {"read": REQUESTS // 6}),
        "user": (1, {"read": REQUESTS // 2}),
        "msg": (1, {"write": REQUESTS // 3}),
    }
    assert {use.table for use in summary.tables} == {"inbox"}
    assert "inbox: 3 row kinds, distinguished by the form of their keys" in list(summary_lines(summary))
    assert [use.requests_share for use in summary.tables] == pytest.approx([1 / 6, 1 / 2, 1 / 3])
    assert "inbox, user: user#{user_id}, 50\u00a0% of the table's requests" in list(summary_lines(summary))
    assert [table["kind"] for table in summary_data(summary)["tables"]] == ["order", "user", "msg"]


def test_the_design_has_one_table_with_a_row_kind_for_each(design: Spec) -> None:
    (table,) = design.tables
    keys = {kind.name: key_of(design, kind) for kind in table.row_kinds}
    assert keys == {
        "order": "order#{order_id:pad8}",
        "user": "user#{user_id}",
        "msg": 'user#{user_id}#{"msg"}#{msg_id}',
    }
    assert [field.name for field in design.fields] == ["order_id", "user_id", "msg_id"], (
        "both kinds have one field of users"
    )
    assert {kind.name: list(kind.columns) for kind in table.row_kinds} == {
        "order": ["t1-c"], "user": ["t1-k2-c"], "msg": ["t1-k3-c"],
    }  # fmt: skip
    assert estimate(design, context()).tables[table.id].traffic is not None


def test_a_log_corrects_each_row_kind_that_it_tells(summary: TraceSummary, design: Spec) -> None:
    data = to_plain_data(design)
    (messages,) = data["activities"]
    messages["rate_per_second"] = 99.0
    (user,) = (kind for kind in data["tables"][0]["row_kinds"] if kind["name"] == "user")
    user["reads"][0]["rate_per_second"] = 77.0
    edit = correct_design(Spec.model_validate({**data, "measured": []}), summary).edit("corrected")
    assert edit is not None
    made = apply(Spec.model_validate({**data, "measured": []}), edit)[0]
    assert made.activities == design.activities
    assert made.tables == design.tables
    data["tables"][0]["row_kinds"] = data["tables"][0]["row_kinds"][1:]
    left = correct_design(Spec.model_validate(data), summary).left_open
    sentence = "inbox: no row kind has keys of the form order#{order_id:pad8}, as in the log."
    assert [str(text) for text in left] == [sentence]


def test_a_replay_takes_the_requests_of_all_kinds(design: Spec) -> None:
    (table,), log = design.tables, inbox_log()
    plan = ReplayPlan.for_table(design, table)
    plan.add(EventBlock.from_events(log))
    found = plan.result(context())
    (load,), told = found.replay.loads, found.replay
    assert (told.requests, told.other_pattern) == (REQUESTS, 0)
    assert load.rows == len({event.key for event in log})
    assert load.key == 'order#{order_id:pad8}, user#{user_id}, user#{user_id}#{"msg"}#{msg_id}'
    assert sorted(told.keys) == sorted(event.key for event in log)
    assert found.beside is not None
    for one in found.beside.operations:
        assert one.replayed_per_second == pytest.approx(one.modelled_per_second, rel=0.01)
    assert [scan.replayed_rows for scan in found.beside.scans] == [1, 1]
    with pytest.raises(ReplayError, match="specify the one whose key this is: order, user, msg"):
        log_keys(design, table, "{user_id}")
    with pytest.raises(ReplayError, match="several row kinds"):
        next(designs_under(design, table, "advisor", context()))
    with pytest.raises(ReplayError, match="has no row kind usr: order, user, msg"):
        next(designs_under(design, table, "advisor", context(), "usr"))


def test_one_of_several_kinds_is_replayed_under_another_key(design: Spec) -> None:
    (table,), log = design.tables, inbox_log()
    _, made = next(designs_under(design, table, "{msg_id}#{user_id}", context(), "msg"))
    plan = ReplayPlan.for_table(made, made.tables[0], log_keys(design, table))
    plan.add(EventBlock.from_events(log))
    found = plan.result(context()).replay

    def other_key(key: bytes) -> bytes:
        parts = key.split(b"#")
        return b"%b#%b" % (parts[3], parts[1]) if parts[2:3] == [b"msg"] else key

    assert (found.requests, found.other_pattern, len(found.loads)) == (REQUESTS, 0, 2)
    assert sorted(found.keys) == sorted(other_key(event.key) for event in log)
    assert found.loads[1].rows == len({other_key(event.key) for event in log})


def test_another_design_gets_the_requests_of_the_row_kinds_that_it_has_too(design: Spec) -> None:
    (table,), log = design.tables, inbox_log()
    fewer = table.model_copy(update={"row_kinds": table.row_kinds[1:]})
    keys = log_keys_beside(table, log_keys(design, table), fewer)
    assert list(keys) == [kind.id for kind in fewer.row_kinds]
    plan = ReplayPlan.for_table(design, fewer, keys)
    plan.add(EventBlock.from_events(log))
    orders = sum(event.key.startswith(b"order#") for event in log)
    found = replay_kinds(plan.sample, design, plan.keys)
    assert (found.requests, found.other_pattern) == (REQUESTS - orders, orders)
    renamed = [kind.model_copy(update={"id": f"{kind.id}2", "name": "x"}) for kind in fewer.row_kinds]
    with pytest.raises(ReplayError, match="none of these row kinds"):
        log_keys_beside(table, log_keys(design, table), table.model_copy(update={"row_kinds": tuple(renamed)}))


def test_any_words_and_names_make_a_design() -> None:
    keys = [b"U.x#%d" % n for n in range(30)] + [b"U.x#%d#Msg.X#2026-11-%02d" % (n, n % 9 + 1) for n in range(30)]
    keys += [b"U.x#%d#Msg.X#2026-11-%02d#%d" % (n, n % 9 + 1, n) for n in range(30)]
    spec = design_from_trace(read([TraceEvent(MONDAY_S + n, "write", key, 9, "T.1") for n, key in enumerate(keys)]))
    assert [kind.name for kind in spec.tables[0].row_kinds] == ["U.x", "Msg.X", "Msg.X2"]


@cases(
    "keys, sizes",
    [
        ([b"%s#dev%05d" % (region, n) for n in range(100) for region in (b"eu", b"us", b"ap")], [300]),
        ([b"/".join([b"site", *[b"part%d" % (n % 7)] * (1 + n % 3)]) for n in range(300)], [300]),
        ([b"dev%05d#%d" % (n, 1_790_000_000 + n) for n in range(300)], [300]),
        ([b"user#%d" % n for n in range(300)] + [b"user#8#msg"] * 2, [302]),
        ([b"user%d" % n for n in range(50)] + [b"user%d#%d" % (n, n) for n in range(50)], [50, 50]),
        (
            [b"A note on %d: part %s" % (n, b"xyz"[n % 3 :]) for n in range(50)] + [b"Note %d" % n for n in range(50)],
            [100],
        ),
        ([b"user#%d" % n for n in range(300)] + [b"user#%d#day#2026-11-27" % n for n in range(50)], [300, 50]),
        (
            [b"u#1#m#%d" % n for n in range(50)] + [b"u#%d#d#2026-11-%02d" % (n, n % 9 + 1) for n in range(50)],
            [50, 50],
        ),
        ([b"order#%06d" % n for n in range(50)] + [b"user#%d" % (n % 30) for n in range(50)], [50, 50]),
        ([b"u%04d#%d" % (n, n) for n in range(60)] + [b"d%08d#%d" % (n, n) for n in range(40)], [60, 40]),
        ([b"u#%04d#%d" % (n, n) for n in range(60)] + [b"d#%08d#%d" % (n, n) for n in range(40)], [60, 40]),
        ([b"dev%d#%010d" % (n, n * 7) for n in range(60)] + [b"dev%d#%013d" % (n, n * 7) for n in range(40)], [60, 40]),
        (
            [b"u%d#2026-11-%02d" % (n, n % 28 + 1) for n in range(60)] + [b"u%d#%d" % (n, n) for n in range(40)],
            [60, 40],
        ),
        (
            [b"u%d#2026-11-%02d" % (n, n % 28 + 1) for n in range(60)] + [b"o%d#%d" % (n, n) for n in range(40)],
            [60, 40],
        ),
        ([b"%s%d#%d" % (region, n, n) for n in range(100) for region in (b"eu", b"us", b"ap")], [300]),
        ([b"%s#%d" % (hashlib.md5(b"%d" % n).hexdigest()[:8].encode(), n) for n in range(2_000)], [2_000]),
        ([b"u%d#%d" % (n, n) for n in range(3_000)], [3_000]),
        ([b"x%s#%d" % (b"ab9"[n % 3 :], n) for n in range(300)], [300]),
    ],
)
def test_only_keys_of_other_forms_are_kinds(keys: list[bytes], sizes: list[int]) -> None:
    shapes = find_shapes(sorted(set(keys)))
    places = ShapeFinder(shapes).find(keys)
    assert sorted(map(places.count, range(len(shapes))), reverse=True) == sizes


def test_two_forms_of_old_keys_with_as_many_parts_are_two_row_kinds() -> None:
    random = np.random.default_rng(6)
    events = []
    for number in range(6_000):
        key = b"u%04d#%d" if number % 3 else b"d%08d#%d"
        made = key % (random.integers(400), 1_000 * (MONDAY_S + number + random.random()))
        events.append(TraceEvent(MONDAY_S + number, "write", made, 90, "old"))
    summary = read(events)
    design = design_from_trace(summary)
    keys = [key_of(design, kind) for kind in design.tables[0].row_kinds]
    assert keys == ["{id}#{time}", "{id_2}#{time}"]
    assert [field.values.text for field in design.fields] == ["d{n:08}", "u{n:04}"]  # type: ignore[union-attr]
    assert [use.requests_share for use in summary.tables] == pytest.approx([1 / 3, 2 / 3])
    plan = ReplayPlan.for_table(design, design.tables[0])
    plan.add(EventBlock.from_events(events))
    assert plan.result(context()).replay.other_pattern == 0


@pytest.mark.parametrize("is_owned", [True, False])
def test_values_that_always_come_with_the_same_other_one_belong_to_it(is_owned: bool) -> None:
    random = np.random.default_rng(1)
    users = random.zipf(1.6, 6_000) % 500
    regions = users % 7 if is_owned else random.integers(7, size=users.size)
    events = [
        TraceEvent(MONDAY_S + 10.0 * n, "write", b"region%d#user%04d" % (region, user), 90, "")
        for n, (region, user) in enumerate(zip(regions.tolist(), users.tolist(), strict=True))
    ]
    design = design_from_trace(read(events))
    region, user = design.fields
    assert user.belongs_to == (region.id if is_owned else None)
    if is_owned:  # the model's busiest row is that of the log, not its share in each region by chance
        plan = ReplayPlan.for_table(design, design.tables[0])
        plan.add(EventBlock.from_events(events))
        beside = plan.result(context()).beside
        assert beside is not None
        (write,) = beside.operations
        assert write.modelled_row_share == pytest.approx(write.replayed_row_share, rel=0.1)


def scan_log(*, bare: bool = False) -> list[TraceEvent]:
    """Half of the requests write items of orders, a third reads all of an order, the rest all of a shop."""
    random = np.random.default_rng(4)
    found = []
    for number, time_s in enumerate(np.sort(MONDAY_S + 2 * HOUR_S * random.random(REQUESTS)).tolist()):
        shop, order = b"s%03d" % random.integers(40), b"%06d" % random.integers(1_000)
        if number % 6 < 3:
            key = b"shop#%b#%b#%08d" % (shop, order, random.integers(10**8))
            found.append(TraceEvent(time_s, "write", key, 120, ""))
        else:
            key = b"shop#%b#%b#" % (shop, order) if number % 6 < 5 else b"shop#%b#" % shop
            found.append(TraceEvent(time_s, "scan" if bare else "read", key[:-1] if bare else key, None, ""))
    return found


@pytest.mark.parametrize("bare", [False, True], ids=["reads of prefixes", "scans without their last delimiter"])
def test_reads_of_prefixes_are_scans_of_the_rows_below(bare: bool) -> None:
    log = scan_log(bare=bare)
    summary = read(log)
    (use,) = summary.tables
    assert use.matching_share == 1
    found = {(one.operation, one.prefix): one.requests for one in use.operations}
    assert found == {("write", 0): REQUESTS // 2, ("scan", 3): REQUESTS // 3, ("scan", 2): REQUESTS // 6}
    lines = "\n".join(summary_lines(summary))
    assert f"scan of shop#{{shop_id}}#: {REQUESTS // 6:,} requests" in lines
    spec = design_from_trace(summary)
    (kind,) = spec.tables[0].row_kinds
    names = {field.id: field.name for field in spec.fields}
    bound = {tuple(names[bind.field] for bind in each.binds): each for each in kind.reads}
    assert {len(names) for names in bound} == {1, 2}
    seconds = log[-1].time_s - log[0].time_s
    for fields, each in bound.items():
        expected = REQUESTS // (6 if len(fields) == 1 else 3) / seconds
        assert each.rate_per_second == pytest.approx(expected, rel=0.001)
        assert spec.find_measured(each.id, "rate_per_second") is not None
    planned = {plan.read: plan.access for plan in estimate(spec, context()).tables[spec.tables[0].id].reads}
    assert set(planned.values()) == {"prefix"}


def test_a_log_corrects_the_rates_of_scans_by_what_they_know() -> None:
    summary = read(scan_log())
    spec = design_from_trace(summary)
    data = to_plain_data(spec)
    for each in data["tables"][0]["row_kinds"][0]["reads"]:
        each["rate_per_second"] = 7.0
    wrong = Spec.model_validate({**data, "measured": []})
    edit = correct_design(wrong, summary).edit("corrected")
    assert edit is not None
    made = apply(wrong, edit)[0]
    for one, other in zip(made.tables[0].row_kinds[0].reads, spec.tables[0].row_kinds[0].reads, strict=True):
        assert one.rate_per_second == other.rate_per_second
    data["tables"][0]["row_kinds"][0]["reads"] = []
    left = [str(text) for text in correct_design(Spec.model_validate({**data, "measured": []}), summary).left_open]
    assert sum("the log reads all rows below" in text for text in left) == 2


def test_a_row_whose_key_ends_with_a_delimiter_is_a_row_if_it_is_written() -> None:
    log = [TraceEvent(MONDAY_S + n, "write", b"dir#%03d#" % (n % 300), 9, "") for n in range(900)]
    log += [TraceEvent(MONDAY_S + 900 + n, "read", b"dir#%03d#" % (n % 300), None, "") for n in range(900)]
    (use,) = read(log).tables
    assert {(one.operation, one.prefix): one.requests for one in use.operations} == {
        ("write", 0): 900,
        ("read", 0): 900,
    }


def test_scans_among_other_requests_are_counted_wherever_they_stand() -> None:
    keys = [b"user%05d#%d" % (n % 90, 1_790_000_000_000 + n) for n in range(60_000)]
    keys[::7] = [key.partition(b"#")[0] + b"#" for key in keys[::7]]
    (table,) = read([TraceEvent(1_790_000_000.0 + n, "read", key, 5, "") for n, key in enumerate(keys)]).tables
    uses = {use.operation: use.requests for use in table.operations}
    scans = len(range(0, 60_000, 7))
    assert uses == {"read": 60_000 - scans, "scan": scans}
    assert table.matching_share == 1
