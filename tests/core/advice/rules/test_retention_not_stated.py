"""G008 on Tablestore: the answers are times to live."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.load import load
from estimator.advice.questions import lint
from estimator.results import Finding
from tests.contexts import context, estimate

MESSAGES = """
format: 1
name: Messages
engine: tablestore
fields:
  timeline: distinct=10M, popularity=uniform
activities:
  A message is pushed: 20k/s
tables:
  sync:
    key_columns: '[timeline] {timeline} | [sequence INTEGER auto]'
    writes:
      - A message is pushed
    reads:
      Sync: 10k/s by timeline, newest_rows=30, reverse=true
    families:
      m:
        columns:
          text: text(200)
instance:
  clusters:
    main: cn-hangzhou
"""


def _asked(spec: Spec) -> list[Finding]:
    return [one for one in lint(spec, estimate(spec), context()) if one.rule == "G008"]


@pytest.mark.parametrize(("place", "seconds"), [(0, 30 * 86_400), (3, -1)])
def test_how_long_rows_are_kept_is_asked_and_answered_by_a_time_to_live(place: int, seconds: int) -> None:
    spec = load(MESSAGES, name="messages.yaml")
    (question,) = _asked(spec)

    answered = apply(spec, question.choices[place].edit)[0]

    assert (question.at, question.field) == ("sync", "tablestore")
    assert answered.tables[0].tablestore is not None
    assert answered.tables[0].tablestore.ttl_seconds == seconds
    assert _asked(answered) == []
