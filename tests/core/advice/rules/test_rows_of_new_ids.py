"""What is assumed and asked of ids that each event brings."""

import pytest

from designer.document import effective_value
from designer.document.load import load
from estimator.advice.questions import lint
from tests.contexts import context, estimate

CRASHES = """
start: 2026-12-01
fields:
  ooid: values=random(32, 32, alphabet=0-9a-f)
activities:
  A crash comes in: 60/s
tables:
  crashes:
    key: 'KEY'
    writes:
      Save: A crash comes in, mode=append_row
    reads:
      One crash: 10/s by ooid, exact_time=true
    families:
      raw:
        gc: max_age(60d)
        columns:
          meta: json(2kB)
"""
DOCUMENTS = """
start: 2026-12-01
fields:
  case: distinct=200k, growth=2k/d
  document: distinct=2M, growth=20k/d, belongs_to=case
activities:
  A document is scanned: RATE
tables:
  documents:
    key: '{case}#{document}'
    writes:
      - A document is scanned
    reads:
      List of a case: 10/s by case, columns=[title]
    families:
      d:
        gc: max_versions(1)
        columns:
          title: text(60B)
          scan: random(20MB, 90MB)
"""


@pytest.mark.parametrize("key", ['{time:day:"%y%m%d"}{ooid}', '{hash(ooid):1}{time:day:"%y%m%d"}{ooid}'])
def test_an_appended_id_of_very_many_values_is_new_with_each_event(key: str) -> None:
    spec = load(CRASHES.replace("KEY", key))
    made = estimate(spec)

    (size,) = made.tables[spec.tables[0].id].sizes.values()

    assert size.rows == pytest.approx(60 * 86_400 * 63.5, rel=0.01)
    found = lint(spec, made, context())
    assert not [one.rule for one in found if one.severity == "question" or one.rule.startswith("R00")]


CHUNKS = """
start: 2027-01-01
fields:
  NAME: values=random(64, 64, alphabet=0-9a-f)
  model: distinct=5, belongs_to=-
activities:
  prefill: 5/s
tables:
  chunks:
    key: '{NAME}#{model}'
    writes:
      - prefill, mode=append_row
    families:
      cf:
        gc: max_age(1d)
        columns:
          data: random(1MiB)
"""


@pytest.mark.parametrize(("name", "is_new"), [("chunk", True), ("prompt_hash", True), ("device", False)])
def test_an_appended_digest_is_new_with_each_event_wherever_it_stands(name: str, is_new: bool) -> None:
    spec = load(CHUNKS.replace("NAME", name))
    made = estimate(spec)

    (size,) = made.tables["chunks"].sizes.values()

    assert (size.rows == pytest.approx(5 * 86_400 * 4.5, rel=0.01)) is is_new  # 1 day and half a week of garbage
    assert (not [one for one in lint(spec, made, context()) if one.severity == "question"]) is is_new


FLUSHED = """
start: 2027-01-01
fields:
  series: distinct=1M
  chunk: uuid
activities:
  flushed: arrival=every(6h, series)
tables:
  chunks:
    key: '{series}#{time:day:unit=bucket}#{chunk}'
    writes:
      - flushed, mode=append_row
    families:
      cf:
        gc: max_age(30d)
        columns:
          c: empty
"""


def test_an_id_of_events_at_an_interval_is_new_with_each() -> None:
    spec = load(FLUSHED)
    made = estimate(spec)

    (size,) = made.tables["chunks"].sizes.values()

    assert effective_value(spec, spec.find("chunk"), "growth_per_day") == 4e6  # 1M series, four times a day
    assert size.rows == pytest.approx(4e6 * 33.5, rel=0.01)
    assert "K012" not in {one.rule for one in lint(spec, made, context())}


@pytest.mark.parametrize(("rate", "asks"), [("20k/d", False), ("60k/d", True)])
def test_an_id_that_grows_by_what_is_written_asks_not_whether_events_add_rows(rate: str, asks: bool) -> None:
    spec = load(DOCUMENTS.replace("RATE", rate))

    assert any(one.rule == "G003" for one in lint(spec, estimate(spec), context())) is asks


LOGGED = """
start: 2027-01-01
fields:
  app: distinct=200
  event_id: kind=uuid
activities:
  A line is logged: 2k/s
tables:
  lines:
    key: 'KEY'
    writes:
      - A line is logged
    reads:
      One line: 20/s by app & event_id
    families:
      d:
        gc: max_age(30d)
        columns:
          text: json(1kB)
"""


@pytest.mark.parametrize(
    "segment", ["{event_id}", "{hash(event_id):sha256:64}", "{hash(event_id):md5:32}", "{hash(event_id):base64url:22}"]
)
def test_a_whole_hash_of_an_id_tells_events_apart_as_the_id_does(segment: str) -> None:
    spec = load(LOGGED.replace("KEY", "{app}:" + segment))
    made = estimate(spec)
    (size,) = made.tables[spec.tables[0].id].sizes.values()

    assert size.rows == pytest.approx(2_000 * 86_400 * 33.5, rel=0.01)
    assert not [one for one in lint(spec, made, context()) if one.severity in ("question", "warning", "error")]


def test_a_few_digits_of_a_hash_tell_few_events_apart() -> None:
    spec = load(LOGGED.replace("KEY", "{app}:{hash(event_id):4}"))
    (size,) = estimate(spec).tables[spec.tables[0].id].sizes.values()

    assert size.rows <= 200 * 16**4


LINES = """
start: 2027-01-01
fields:
  order_id: ID
  line: integer, unique_within=order_id
activities:
  An order is placed: 20/s
tables:
  lines:
    key: '{order_id}#{line:pad3}'
    writes:
      - An order is placed, rows_per_event=5
    reads:
      Lines of an order: 10/s by order_id
    families:
      l:
        gc: max_age(30d)
        columns:
          d: json(100B)
"""


@pytest.mark.parametrize("id_", ["uuid", "integer, assigned=sequential"])
def test_rows_of_one_event_have_one_new_id(id_: str) -> None:
    spec = load(LINES.replace("ID", id_))
    made = estimate(spec)

    (plan,), (size,) = made.tables["lines"].reads, made.tables["lines"].sizes.values()

    assert effective_value(spec, spec.find("order-id"), "growth_per_day") == 20 * 86_400
    assert size.rows == pytest.approx(5 * 20 * 86_400 * 33.5, rel=0.01)  # 30 days and half a week of garbage
    # 5 lines, of orders that are still there: no one asks for the others.
    assert plan.rows_returned == plan.rows_scanned == pytest.approx(5, rel=0.01)
    assert "K009" not in {each.rule for each in lint(spec, made, context())}  # an order has no thousand lines


def test_an_id_is_asked_for_while_its_row_is_there() -> None:
    spec = load(CRASHES.replace("KEY", "{ooid}/{name}").replace("fields:", "fields:\n  name: distinct=3, belongs_to=-"))
    made = estimate(spec)

    (plan,) = made.tables["crashes"].reads

    assert plan.rows_returned == pytest.approx(1)  # one crash of 60 a second in 60 days, and not one of all of a year
