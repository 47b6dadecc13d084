"""G009: pairs of two unrelated fields, their answers, and the range that they leave open."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.load import load
from estimator.advice.questions import lint
from estimator.advice.questions.assumed_range import assumed_range
from estimator.results import Finding
from tests.contexts import context, estimate

INBOX = """
format: 1
name: Inbox
fields:
  user: distinct=40M, growth=1k/d, popularity=uniform
  channel: distinct=8M, popularity=uniform
activities:
  A message is sent: 30k/s
tables:
  inbox:
    key: '{hash(user,channel):4}#{user}#{channel}'
    writes:
      - A message is sent
    reads:
      The state of a channel: 20k/s by user & channel
    families:
      s:
        gc: max_versions(1)
        columns:
          unread: integer
instance:
  clusters:
    main: us-central1
"""


def _spec(old: str = "", new: str = "") -> Spec:
    assert old in INBOX
    return load(INBOX.replace(old, new), name="inbox.yaml")


def _asked(spec: Spec) -> list[Finding]:
    return [one for one in lint(spec, estimate(spec), context()) if one.rule == "G009"]


def test_an_answer_makes_a_field_of_the_pairs_in_key_hash_and_reads() -> None:
    spec = _spec()
    (question,) = _asked(spec)

    answered = apply(spec, question.choices[1].edit)[0]

    (kind,) = answered.tables[0].row_kinds
    pairs = answered.find("channel_of_user")
    assert (pairs.belongs_to, pairs.distinct, pairs.growth_per_day) == ("user", 4_000_000_000, 100_000)
    assert [getattr(s, "field", None) or getattr(s, "fields", None) for s in kind.segments] == [
        ("user", "channel_of_user"), "user", "channel_of_user",
    ]  # fmt: skip
    assert [bind.field for bind in kind.reads[0].binds] == ["user", "channel_of_user"]
    assert _asked(answered) == []


def test_each_answer_bounds_the_rows_that_it_says() -> None:
    spec = _spec("growth=1k/d, ", "")
    (question,) = _asked(spec)

    rows = [float(estimate(apply(spec, one.edit)[0]).tables["inbox"].growth.rows[-1]) for one in question.choices]

    assert rows[:2] == pytest.approx([4e8, 4e9], rel=1e-3)
    assert rows[2] == pytest.approx(4e10, rel=0.1)
    assert question.effect == pytest.approx(rows[3], rel=0.01)


def test_the_range_of_the_bill_holds_few_pairs() -> None:
    spec = _spec()
    made = estimate(spec)
    (question,) = _asked(spec)
    few = estimate(apply(spec, question.choices[0].edit)[0])

    found = assumed_range(spec, made, context())

    assert found is not None
    assert found.low is not None
    assert float(found.low) < float(few.bill.total) * 1.01 < float(made.bill.total)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("channel: distinct=8M", "channel: distinct=8M, belongs_to=user"),
        ("channel: distinct=8M", "channel: distinct=50"),
        ("      - A message is sent", "      - A message is sent, mode=append_row"),
        ("#{user}#{channel}'", "#{user}#{channel}#{time}'"),
        ("30k/s", "1/min"),
        ("    key:", "    known: [prefix=user, prefix_rows=40, date=2026-11-01]\n    key:"),
    ],
    ids=["an owner", "all pairs stored", "each event adds a row", "a time", "few events", "a known partition"],
)
def test_what_limits_the_rows_leaves_no_question(old: str, new: str) -> None:
    assert _asked(_spec(old, new)) == []


def test_a_read_by_the_second_field_alone_leaves_no_number_to_choose() -> None:
    (question,) = _asked(_spec("by user & channel", "by channel"))

    assert [one.label for one in question.choices] == ["Each event adds a row"]


@pytest.mark.parametrize("form", ["integer", "integer, values=range(1, 8000000)"])
def test_values_with_a_largest_number_get_room_for_all_pairs(form: str) -> None:
    spec = _spec("channel: distinct=8M", f"channel: {form}, distinct=8M")
    (question,) = _asked(spec)

    pairs = apply(spec, question.choices[1].edit)[0].find("channel_of_user")

    assert (pairs.kind, pairs.values, pairs.distinct) == ("integer", None, 4_000_000_000)
    assert assumed_range(spec, estimate(spec), context()) is not None


COLUMNS = INBOX.replace("{hash(user,channel):4}#{user}#{channel}", "{hash(user):4}#{user}").replace(
    "unread: integer", "unread: integer, qualifier_from='{channel}'"
)


def test_pairs_of_a_key_and_its_qualifiers_are_asked_for() -> None:
    spec = load(COLUMNS, name="inbox.yaml")
    (question,) = _asked(spec)

    few, *_, endless = [apply(spec, choice.edit)[0] for choice in question.choices]

    (column,) = few.tables[0].families[0].columns
    assert [segment.field for segment in column.qualifier_from] == ["channel_of_user"]
    cells = [estimate(one).tables["inbox"].sizes for one in (few, spec)]
    columns = [next(iter(sizes.values())).columns[0] for sizes in cells]
    few_cells, all_cells = (column.cells_stored - column.cells_superseded for column in columns)
    assert few_cells == pytest.approx(10, rel=0.01)
    assert question.params["cells_each"] == pytest.approx(all_cells)
    assert _asked(few) == []
    assert _asked(endless) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("channel: distinct=8M", "channel: distinct=8M, belongs_to=user"),
        ("channel: distinct=8M", "channel: distinct=50"),
        ("30k/s", "1/min"),
    ],
    ids=["an owner", "all pairs stored", "few events"],
)
def test_what_limits_the_columns_leaves_no_question(old: str, new: str) -> None:
    assert old in COLUMNS
    assert _asked(load(COLUMNS.replace(old, new), name="inbox.yaml")) == []


DRIVERS = """
format: 1
name: Drivers near me
start: 2027-01-01
fields:
  geohash: string, distinct=200k, popularity=uniform
  driver: uuid, distinct=300k, popularity=uniform
activities:
  A position: arrival=every(5s, driver)
tables:
  positions:
    key: '{geohash}#{driver}'
    writes:
      - A position, mode=overwrite
    reads:
      Drivers near: 2k/s by geohash
    families:
      p:
        gc: union(max_versions(1), max_age(1h))
        columns:
          l: protobuf(40B, 80B)
instance:
  clusters:
    main: us-central1, us-central1-a, nodes=autoscaling(5, 20)
"""
"""Drivers by the cell of a geohash in which they are, as dynamodb-geo and H3 indexes store them. Which cells a driver
visits is not said: each event in any cell would make 13.4 thousand million rows, of which a read met 120,000."""


def test_findings_that_few_pairs_take_away_are_part_of_the_question() -> None:
    spec = load(DRIVERS, name="drivers.yaml")

    found = lint(spec, estimate(spec), context())

    (question,) = (one for one in found if one.rule == "G009")
    assert [(one.rule, one.severity) for one in question.under] == [("I006", "question")]
    assert [one.rule for one in found if one.severity in ("error", "warning")] == []


def test_an_answer_brings_back_what_depends_on_it() -> None:
    spec = load(DRIVERS, name="drivers.yaml")
    (question,) = _asked(spec)

    few, every = (apply(spec, question.choices[i].edit)[0] for i in (0, -1))

    grave = [{f.rule for f in lint(s, estimate(s), context()) if f.severity == "error"} for s in (few, every)]
    assert grave == [set(), {"I006"}]
