"""Findings that are there in any case are shown with their cause; what names nothing for people is not shown."""

from designer.document.load import load
from designer.wording.formatting import english
from estimator.advice.questions import lint
from tests.contexts import context, estimate

ORDERS = """
format: 1
name: Orders
fields:
  username: distinct=2M
  order_ksuid: {}
activities:
  An order is placed: 50/s
  An order changes: 100/s
tables:
  orders:
    key: '{username}#{order_ksuid}'
    writes:
      - An order is placed
      - An order changes, mode=overwrite
    reads:
      - 100/s by username, newest_rows=10
    families:
      d:
        gc: max_versions(1)
        columns:
          v: json(800)
"""


def test_what_is_found_in_any_case_stands_under_its_cause_with_the_fix_of_that() -> None:
    spec = load(ORDERS, name="orders.yaml")

    found = {one.rule: one for one in lint(spec, estimate(spec), context())}
    cause = found["K015"]

    assert (cause.severity, cause.own_severity) == ("warning", "note")
    assert cause.fix is not None
    assert [(one.rule, one.fix) for one in cause.under] == [("Q002", None)]
    assert not any(one.severity == "question" for one in found.values())


def test_a_read_without_a_name_is_named_by_what_it_knows() -> None:
    spec = load(ORDERS, name="orders.yaml")

    (cause,) = (one for one in lint(spec, estimate(spec), context()) if one.rule == "K015")

    assert english(cause.message, cause.params).startswith("Read by username reads the newest 10 rows")
    assert english(cause.fix_label, cause.params) == "Use a reverse scan for Read by username"
