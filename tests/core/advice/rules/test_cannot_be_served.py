"""I026 on designs above and below what the engines are known to serve."""

import json

import pytest

from designer.document import Spec
from designer.wording.formatting import english
from estimator.advice.rules import findings
from estimator.advice.rules.instance.cannot_be_served import RULE
from estimator.advice.rules.shared.examples import NEWEST_ONLY, design, field_part, read_part, time_part
from estimator.engines import ENGINES
from estimator.presentation.plain_data import to_plain
from tests.contexts import TODAY, estimate, what_if
from tests.core.advice.rules.pipeline import found

SCAN = read_part(rate_per_second=1_000)
HOSTILE = {
    "writes": {"per_second": 1e15},
    "reads": {"reads": (read_part(binds=("device",), rate_per_second=1e15),)},
    "a scan of 10^12 rows": {"per_second": 400_000, "reads": (SCAN,)},
    "bytes": {"per_second": 1e9, "column": {"value": {"kind": "random", "typical_bytes": 90_000_000}}},
    "nodes": {"clusters": ({"id": "c", "name": "main", "nodes": {"kind": "fixed", "count": 10**12}},)},
}
"""Each asks for something that cannot exist."""

hostile = pytest.mark.parametrize("changes", HOSTILE.values(), ids=HOSTILE)


def build(**changes) -> Spec:
    return design(field_part("device", "#"), time_part(), **changes)


def refusals(spec: Spec) -> list[str]:
    return [english(one.message, one.params) for one in found(spec) if one.rule == RULE.code]


@hostile
def test_a_design_that_cannot_exist_has_no_nodes_and_no_bill_and_one_finding_says_why(changes):
    spec = build(**changes)
    made = estimate(spec)

    assert (made.nodes, made.bills, made.placements) == ((), (), ())
    assert made.because
    assert len(refusals(spec)) == 1


@hostile
def test_no_figure_of_such_a_design_is_beyond_what_exists(changes):
    spec = build(**changes)
    made = estimate(spec)
    known = [part for part in made.tables.values() if part.traffic or part.growth]

    assert all(part.growth is None or part.growth.physical_bytes.max() <= 10 * 2**60 for part in known)
    assert all(part.traffic is None or part.traffic.node_share_by_month.max() <= 500_000 for part in known)
    json.dumps(to_plain(made), allow_nan=False)


def test_the_cause_is_named_with_its_place():
    spec = build(**HOSTILE["a scan of 10^12 rows"])

    (finding,) = (one for one in found(spec) if one.rule == RULE.code)

    assert finding.at == "read"
    assert refusals(spec) == [
        "“look up” needs more than 500,000 nodes: this cannot be served. Each request scans 241 TiB."
    ]


def test_a_read_through_data_boost_is_never_the_cause_of_too_many_nodes():
    boost = {"id": "boost", "routing": "single", "clusters": ["c"], "data_boost": True}
    report = read_part(id="report", latency="batch", rate_per_second=90_000_000, app_profile="boost")
    instance = {"clusters": ({"id": "c", "name": "main"},), "app_profiles": (boost,)}
    newest = {
        "write": {"mode": "overwrite"},
        "gc": NEWEST_ONLY,
        "column": {"value": {"kind": "random", "typical_bytes": 3_000}},
    }
    spec = design(
        field_part("device"),
        per_second=4.9e9,
        reads=(report,),
        instance=instance,
        table={"rows_stored": 10**6},
        **newest,
    )

    (finding,) = (one for one in found(spec) if one.rule == RULE.code)

    assert finding.at == "write"
    assert [plan.refused for plan in estimate(spec).tables["table"].reads] == [None]
    assert "needs more than 500,000 nodes" in english(finding.message, finding.params)


def test_all_else_of_a_table_stays_known_where_only_a_read_cannot_be_served():
    made = estimate(build(**HOSTILE["reads"]))
    part = made.tables["table"]
    refused = [plan for plan in part.reads if plan.refused is not None]

    assert made.bill is None
    assert part.growth is not None
    assert part.traffic is not None
    assert [plan.node_seconds for plan in refused] == [0.0]


def test_one_fault_of_a_key_is_not_hidden_by_a_read_that_cannot_be_served():
    spec = design(time_part(), per_second=20_000, reads=(read_part(newest_rows=50),))

    found = {each.rule: each for each in findings(spec, estimate(spec), TODAY)}

    assert found["K004"].severity in ("warning", "error")
    assert {"I026", "Q001"} <= {each.rule for each in found["K015"].under}


def test_a_range_of_numbers_that_do_not_sort_explains_what_cannot_be_served():
    number = {"id": "number", "name": "position", "kind": "integer", "distinct": 250_000_000, "assigned": "arbitrary"}
    kind = {"id": "chromosome", "name": "chromosome", "distinct": 25}
    span = {"field": "number", "from_value": "1000", "to_value": "2000"}
    region = read_part(rate_per_second=1_000, binds=("chromosome", span))
    key = (field_part("chromosome", ":"), field_part("number", ":"), field_part("device"))
    spec = design(*key, fields=(number, kind, {"id": "device", "name": "device", "distinct": 16}), reads=(region,))

    found = {each.rule: each for each in findings(spec, estimate(spec), TODAY)}

    assert "K021" not in found, "the number is not known behind itself"
    assert {"K021", RULE.code} & {each.rule for each in found["K009"].under} == {RULE.code}


def test_what_the_tables_need_together_stands_under_the_read_that_needs_most_of_it():
    device = {"id": "device", "name": "device", "distinct": 1_000_000_000}
    scan = read_part(rate_per_second=12, match_share=1e-6)
    spec = design(field_part("device", "#"), time_part(), fields=(device,), per_second=10_000, reads=(scan,))
    made = estimate(spec)
    assert not made.tables["table"].because, "the table alone is just about served"

    grave = [each for each in findings(spec, made, TODAY) if each.severity == "error"]

    assert "I026" not in {each.rule for each in grave}
    assert "I026" in {below.rule for each in grave for below in each.under}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_limit_of_requests_is_where_the_finding_begins(engine):
    limit = ENGINES[engine].SERVICE_SCALE.requests_per_second
    tiny = {"value": {"kind": "integer"}}
    spec = build(per_second=limit * 1.01, column=tiny, gc={"kind": "max_age", "age_days": 1}, engine=engine)

    assert estimate(spec).bill is None
    assert refusals(spec)


def test_ten_times_the_traffic_has_no_total_where_it_cannot_be_served():
    spec = build(per_second=1e9, gc={"kind": "max_age", "age_days": 1})
    found_now = {one.name: one for one in what_if(spec, estimate(spec)).outlooks}

    assert estimate(spec).bill is not None
    assert found_now["traffic_x10"].cost is None
    assert found_now["year_more"].cost is not None


def test_a_read_of_rows_above_the_limit_is_said_and_takes_no_node_time():
    huge = {"value": {"kind": "random", "typical_bytes": 300 * 2**20}}
    asked = read_part(binds=("device",), rate_per_second=50)
    spec = build(per_second=0.001, column=huge, reads=(asked,))
    made = estimate(spec)
    (plan,) = made.tables["table"].reads

    assert english(plan.refused.message, plan.refused.params) == (
        "“look up” returns rows of more than 256 MiB, which the engine refuses. Its load is not counted."
    )
    assert plan.refused in made.tables["table"].because
    assert made.nodes[0].load_by_month.max() < 0.1
    assert plan.node_seconds == 0


def test_a_key_that_begins_with_a_time_says_why_its_load_is_not_known():
    spec = design(time_part("#"), field_part("device"), per_second=1e15)
    said = [english(one.message, one.params) for one in found(spec) if one.rule == "K004"]
    unrated = design(time_part("#"), field_part("device"), per_second=None)

    assert len(said) == 1
    assert "“events” stores more than 10 EiB: this cannot be served." in said[0]
    assert "not specified" not in said[0]
    assert "The write rate is not specified" in next(
        english(one.message, one.params) for one in found(unrated) if one.rule == "K004"
    )
