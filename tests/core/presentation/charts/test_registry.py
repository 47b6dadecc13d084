"""Charts by name: those of a table are made of that table alone."""

import pytest

from designer.examples import example
from estimator.presentation.charts import registry
from estimator.presentation.charts.heatmap import AGAINST, OF
from estimator.presentation.charts.registry import charts
from tests.contexts import context, estimate

SPEC = example("table-per-customer").spec
ESTIMATE = estimate(SPEC)


def test_every_name_leads_to_its_chart_and_no_other_to_one() -> None:
    makers = charts(SPEC, ESTIMATE, context())

    names = {
        *(f"heat-{table.id}-{of}-{against}" for table in SPEC.tables for of in OF for against in AGAINST),
        *(f"{chart}-{table.id}" for table in SPEC.tables for chart in ("week", "stored", "causes")),
        *(f"rows-{kind.id}" for table in SPEC.tables for kind in table.row_kinds),
    }
    assert {name for name in makers if name.partition("-")[0] in ("heat", "week", "stored", "causes", "rows")} == names
    assert all(callable(makers[name]) for name in makers)
    others = ("heat", "heat-x-writes-absolute", "week-x", "rows-", "stored", "x")
    assert [makers.get(name) for name in others] == [None] * len(others)


def test_only_the_table_of_a_chart_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    tables: list[str] = []
    monkeypatch.setattr(registry, "key_reader", lambda spec, part: tables.append(part.table))
    makers = charts(SPEC, ESTIMATE, context())
    assert tables == []
    name = SPEC.tables[0].id
    assert makers[f"week-{name}"]

    assert set(tables) == {name}
