"""T006 around the documented rate of a tunnel."""

from designer.document.dump import to_plain_data
from designer.document.load import from_data
from estimator.advice.rules import findings
from estimator.advice.rules.tables.stream_too_fast import MOST_ROWS, RULE
from tests.contexts import estimate
from tests.core.advice.rules.made import TODAY


def found(data):
    spec = from_data(data)
    return [f for f in findings(spec, estimate(spec), TODAY) if f.rule == RULE.code]


def test_a_stream_is_too_fast_from_the_documented_rate_on_and_only_where_there_is_one():
    data = to_plain_data(RULE.bad())
    without = {**data, "tables": [{**data["tables"][0], "tablestore": {"ttl_seconds": 31_536_000}}]}

    assert [(f.at, f.params["kept_hours"], f.params["most_per_second"]) for f in found(data)] == [
        ("table", 24, MOST_ROWS)
    ]
    assert MOST_ROWS == 100_000
    assert found(without) == []
