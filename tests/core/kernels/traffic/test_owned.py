"""Reads of what belongs to a large owner: a user of the tenant that has 40 % of all has no more rows than another's."""

import pytest

from designer.document import Spec
from estimator.kernels import growth
from estimator.kernels.keys import compile_pattern, key_summary
from estimator.kernels.traffic import plan_reads
from estimator.results import ReadPlan, TableGrowth

LARGE = {"kind": "weights", "weights": [40], "rest": 60}


def test_a_user_of_a_large_tenant_has_the_rows_of_one_user():
    tenant = {"id": "tenant", "name": "t", "distinct": 50, "popularity": LARGE}
    user = {"id": "user", "name": "u", "distinct": 20_000, "popularity": {"kind": "uniform"}, "belongs_to": "tenant"}
    spec = _events([tenant, {**user, "fan_out": {"law": LARGE}}], ["tenant", "user"])
    grown, plan = _planned(spec)

    assert plan.rows_scanned == pytest.approx(grown.rows[-1] / 20_000, rel=0.02)


def test_the_newest_rows_of_a_tenant_are_looked_for_in_what_each_of_its_users_has():
    """Of 41 users that are asked for one by one 40 / 5 are in the tenant of the one that is drawn, each with 3 rows."""
    tenant = {"id": "tenant", "name": "t", "distinct": 5}
    user = {"id": "user", "name": "u", "distinct": 41, "popularity": {"kind": "uniform"}, "belongs_to": "tenant"}
    spec = _events([tenant, user], ["tenant", "user"], binds=[{"field": "tenant"}], newest_rows=3)
    _, plan = _planned(spec)

    assert (plan.ranges, plan.rows_returned) == (41, 3)
    assert plan.rows_scanned == pytest.approx(3 * (1 + 40 / 5), rel=0.02)


def _planned(spec: Spec) -> tuple[TableGrowth, ReadPlan]:
    table = spec.tables[0]
    patterns = {"k": compile_pattern(spec, "k")}
    grown, sizes = growth.table_growth_and_sizes(spec, table, patterns)
    return grown, plan_reads(spec, table, {"k": key_summary(patterns["k"])}, sizes)[0]


def _events(fields: list[dict[str, object]], names: list[str], **read: object) -> Spec:
    key = [{"id": f"{name}-part", "kind": "field", "field": name, "after": "#"} for name in names]
    kind = {
        "id": "k",
        "key": [*key, {"id": "time", "kind": "time", "reversed": "newest_rows" in read}],
        "writes": [{"id": "w", "activity": "act"}],
        "reads": [{"id": "r", "rate_per_second": 1, "binds": [{"field": name} for name in names], **read}],
    }
    family = {"id": "f", "name": "f", "gc": {"kind": "max_age", "age_days": 30}, "columns": [{"id": "c"}]}
    return Spec.model_validate(
        {
            "fields": fields,
            "activities": [{"id": "act", "rate_per_second": 100}],
            "tables": [{"id": "t", "row_kinds": [kind], "families": [family]}],
        }
    )


@pytest.mark.parametrize("more", [{}, {"belongs_to": "customer"}])
def test_who_knows_an_order_and_its_customer_asks_for_an_order_that_was_placed(more):
    customer = {"id": "customer", "name": "customer", "distinct": 5_000_000, "popularity": {"kind": "uniform"}}
    order = {"id": "order", "name": "order_id", "kind": "uuid", **more}
    item = {"id": "item", "name": "item", "distinct": 1_000_000, "belongs_to": "-", "popularity": {"kind": "uniform"}}
    names = ("customer", "order", "item")
    spec = _events([customer, order, item], names, binds=[{"field": "customer"}, {"field": "order"}])
    kind = spec.tables[0].row_kinds[0]
    write = kind.writes[0].model_copy(update={"mode": "append_row", "rows_per_event": 3.0})
    kind = kind.model_copy(update={"writes": (write,)})
    spec = spec.model_copy(update={"tables": (spec.tables[0].model_copy(update={"row_kinds": (kind,)}),)})

    _, plan = _planned(spec)

    # An order that is asked for has its three rows: ids that each event brings are asked for while they have rows.
    assert plan.rows_returned == pytest.approx(3.0, rel=1e-6)


@pytest.mark.parametrize(
    "user",
    [
        {"distinct": 1_000_000, "growth_per_day": 1_000},
        {"distinct": 1_000_000, "growth_per_day": 1_000, "lifetime_days": 365},
        {"distinct": 1_000_000, "lifetime_days": 30},
    ],
    ids=str,
)
def test_an_id_of_each_event_gives_the_crowd_that_a_time_gives(user):
    """Of users who come and go, ids gave 0.58, 1.45 and 0.09 times the rows that times gave."""
    users = {"id": "user", "name": "user", "popularity": {"kind": "uniform"}, **user}
    event, binds = {"id": "event", "name": "event_id"}, [{"field": "user"}]

    grown, by_time = _planned(_events([users, event], ["user"], binds=binds))
    _, by_id = _planned(_events([users, event], ["user", "event"], binds=binds))

    assert by_id.rows_returned == pytest.approx(by_time.rows_returned, rel=0.1)
    if "lifetime_days" not in user:
        users_at_end = 1_000_000 + 1_000 * (grown.dates[-1] - grown.dates[0]).days
        assert by_id.rows_returned == pytest.approx(grown.rows[-1] / users_at_end, rel=0.02)
