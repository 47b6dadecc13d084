"""Q010: reads of a shorter time than that of their rows."""

from designer.document.edits import apply
from designer.wording.formatting import english
from estimator.advice.questions import lint
from estimator.advice.rules.reads.span_within_row import RULE
from tests.contexts import context, estimate


def test_a_read_of_hours_gets_rows_of_months_until_it_limits_the_cells() -> None:
    spec = RULE.bad()
    before = estimate(spec)

    (found,) = (one for one in lint(spec, before, context()) if one.rule == RULE.code)
    after = estimate(apply(spec, found.fix)[0])

    assert "asks for 6 hours, but each row of events holds 30.4 days" in english(found.message, found.params)
    (was,), (now,) = before.tables["table"].reads, after.tables["table"].reads
    assert now.bytes_returned < was.bytes_returned / 20
