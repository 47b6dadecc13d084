"""Schemas for published and ordinary applications: served in time, by the field's rules, and for the least money."""

import datetime
from functools import cache

import pytest

from designer.application import read_text, understand
from designer.document import Engine, Spec, load
from designer.document.dump import dump
from designer.wording import key_of
from designer.wording.formatting import english
from estimator.advice.questions import lint
from estimator.advice.schemas import ProposedSchema, SchemaAdvice, search_schemas
from tests.contexts import context
from tests.core.application.test_sentences import IOT

GAME = (
    "5,000 players belong to 50 regions",
    "A player is added 4/s, kept 30 days",
    "A server is added 1/s, kept 30 days",
    "A session of one server and one player is added 4/s, kept 30 days",
    "A state of one server, one player and one session is added 71/s, kept 30 days",
    "Show all states of one session and one server, 6/s",
    "Show all states of one server in the last 10 s, 6/s",
    "Show the latest 20 sessions of one player, 3/s",
    "Show one server by its id, 5/s",
)
"""An online game: NoSE's published example (M. J. Mior et al., TKDE 29(10), 2017), its weights as rates a second."""


ORDERS = ("Show the latest 20 orders of one customer, 200/s",)


@cache
def search(*texts: str, engine: Engine = "bigtable") -> SchemaAdvice:
    application, problems = understand([read_text(text) for text in texts])
    assert not problems
    return search_schemas(
        application, context(), name="Searched", base=Spec(engine=engine, start=datetime.date(2027, 1, 1))
    )


def keys(schema: ProposedSchema) -> dict[str, str]:
    return {table.name: key_of(schema.spec, table.row_kinds[0]) for table in schema.spec.tables}


def test_a_fleet_gets_a_table_by_device_and_an_index_table_by_tenant() -> None:
    advice = search(*IOT)
    best, *others = advice.schemas

    assert others
    assert keys(best) == {"reports": "{device}#{time:rev}", "reports_by_tenant": "{tenant}#{time}#{device}"}
    assert [question.served_by for question in best.questions] == ["short_range", "range"]
    assert best.is_served
    main, index = best.tables
    assert (main.index_of, index.index_of) == ("", "reports")
    assert index.writes_per_second == pytest.approx(20_000), "an index table is written as often"
    assert best.cost is not None
    (wide,) = others
    assert keys(wide) == {"reports": "{device}#{time:hour:rev}", "reports_by_tenant": "{tenant}#{time}#{device}"}
    assert wide.is_served
    assert wide.cost is not None
    saved = best.cost.amount - wide.cost.amount
    assert 0 < saved < best.cost.amount / 10, "more would make it the recommended one"
    assert best.why is not None
    assert best.why.params["saved_cost"].amount == saved
    rejected = [english(text.message, text.params) for text in advice.rejected]
    assert any(text.startswith("One table keyed by") and "scans" in text for text in rejected)


def test_a_rejected_key_that_cannot_serve_a_read_says_so_and_not_what_it_would_cost() -> None:
    texts = ("An order of one customer is added 300/s, kept 1 year", "Show one order by its id, 500/s")
    advice = search(*texts, "Show the latest 20 orders of one customer, 200/s")
    assert advice.rejected
    assert all(text.params["more_cost"].amount < 1_000 for text in advice.rejected if "more_cost" in text.params)
    assert any("“One order by its id” scans" in english(text.message, text.params) for text in advice.rejected)


def test_a_schema_is_a_whole_design_that_is_saved_and_read_back() -> None:
    for schema in search(*IOT).schemas:
        assert load(dump(schema.spec)) == schema.spec
        assert schema.spec.name == "Searched"
        assert schema.spec.start == datetime.date(2027, 1, 1)
        assert not schema.estimate.because
        found = lint(schema.spec, schema.estimate, context())
        assert {finding.severity for finding in found} <= {"note", "question"}
        assert all(family.gc is not None for table in schema.spec.tables for family in table.families)


def test_the_published_game_is_served_by_points_and_short_ranges_throughout() -> None:
    best = search(*GAME).schemas[0]

    assert {question.served_by for question in best.questions} <= {"point", "short_range"}
    made = keys(best)
    assert made["servers"] == "{server}"
    assert any(key.startswith("{server}#{time}") for key in made.values()), "equality first, then the range"
    # One server is added a second and 71 states are: 71 of one server, and 17.75 of a session, while they are kept. Of
    # a server that is asked for more, as some are assumed to be busier.
    states_of_session = best.questions[0].plan
    assert 71 < states_of_session.rows_scanned < 200
    assert 17.75 < states_of_session.rows_returned < 60
    assert any(key.startswith("{player}#{time:rev}") for key in made.values())


def test_on_tablestore_keys_are_columns_read_backwards_and_a_salt_is_in_the_first() -> None:
    orders = search(
        "An order of one customer and one shop is added 300/s, kept 1 year",
        "Show one order by its id, 500/s",
        "Show the latest 20 orders of one customer, 200/s",
        engine="tablestore",
    ).schemas[0]
    assert keys(orders) == {
        "orders": "[order_id] {order_id}",
        "orders_by_customer": "[customer] {customer} | [time INTEGER] {time} | [order_id] {order_id}",
    }
    assert orders.has_open_lines, "no page names the price of a write unit"
    assert "error" not in {finding.severity for finding in lint(orders.spec, orders.estimate, context())}
    assert orders.spec.activities[0].name == "An order is added"

    metrics = search(
        "100k hosts each report a metric every 10 s, kept 30 days",
        "Show all metrics in the last 1 min, 1/s, within 1 min",
        engine="tablestore",
    ).schemas[0]
    assert keys(metrics)["metrics"].startswith("[salt] {salt(host):")


@pytest.mark.parametrize(
    ("kept", "ttl_seconds", "most_rows"),
    [
        ("30 days", 2_592_000, 800e6),  # 300/s × 2,592,000 s = 777.6 M, and what waits for collection
        ("1.5 days", 129_600, 80e6),  # 300/s × 129,600 s = 38.88 M; collection takes up to a day
        ("forever", -1, 9.5e9),  # 300/s × 31,536,000 s = 9.46 bn in the year
    ],
)
def test_on_tablestore_what_is_kept_is_the_time_to_live_of_the_table(
    kept: str, ttl_seconds: int, most_rows: float
) -> None:
    best = search(f"An order of one customer is added 300/s, kept {kept}", *ORDERS, engine="tablestore").schemas[0]
    (table,) = best.spec.tables
    assert table.tablestore is not None
    assert table.tablestore.ttl_seconds == ttl_seconds
    growth = best.estimate.tables[table.id].growth
    assert growth is not None
    assert growth.rows[-1] <= most_rows
    assert "G008" not in {finding.rule for finding in lint(best.spec, best.estimate, context())}, "it is answered"


def test_on_tablestore_nothing_is_set_where_no_sentence_says_how_long() -> None:
    best = search("An order of one customer is added 300/s", *ORDERS, engine="tablestore").schemas[0]
    assert best.spec.tables[0].tablestore is None


def test_an_id_of_a_record_is_not_named_like_its_value() -> None:
    best = search("A score of one player is added 3k/s, kept 30 days", "Show the latest 10 scores of one player, 50/s")
    assert keys(best.schemas[0]) == {"scores": "{player}#{time:rev}#{score_id}"}


@pytest.mark.parametrize(("per_hour", "tables"), [(1, 1), (400_000, 2)])
def test_the_set_of_tables_changes_as_writes_grow(per_hour: int, tables: int) -> None:
    texts = (f"A state of one server and one session is added {per_hour}/h, kept 30 days", *GAME[5:7])
    best = search(*texts).schemas[0]
    assert len(best.tables) == tables
    assert best.is_served


def test_a_question_that_may_take_long_gets_no_table_of_its_own() -> None:
    write = "An order of one customer and one shop is added 20/s, kept 30 days"
    customer = "Show all orders of one customer and one shop, 50/s"
    served = search(write, customer, "Show all orders of one shop in the last 1 h, 1/day").schemas[0]
    patient = search(write, customer, "Show all orders of one shop in the last 1 h, 1/day, within 1 h").schemas[0]
    assert (len(served.tables), len(patient.tables)) == (2, 1)


def test_new_records_of_all_are_spread_by_a_salt_where_one_range_could_not_take_them() -> None:
    advice = search("A click is added 20k/s, kept 7 days", "Show all clicks in the last 1 min, 1/min, within 1 min")
    (table,) = advice.schemas[0].spec.tables
    assert key_of(advice.schemas[0].spec, table.row_kinds[0]).startswith("{salt(click_id):")
    assert any("one range" in english(text.message, text.params) for text in advice.rejected)


def test_records_that_nothing_reads_are_stored_by_what_tells_them_apart() -> None:
    (schema, *_) = search("200 devices each report every 1 min").schemas
    assert keys(schema) == {"reports": "{device}#{time}"}
    assert search_schemas(understand([])[0], context()).schemas == ()


def test_the_newest_of_rows_that_hold_an_hour_are_read_from_enough_of_them() -> None:
    advice = search(
        "1000 devices each report every 10 s, kept 9 days", "Show the latest 900 reports of one device, 1/s"
    )
    rows = {
        key_of(schema.spec, kind): read.newest_rows
        for schema in advice.schemas
        for _, kind in schema.spec.row_kinds()
        for read in kind.reads
    }
    assert rows == {"{device}#{time:rev}": 900, "{device}#{time:hour:rev}": 4}


def test_what_is_kept_forever_is_said_in_the_design() -> None:
    best = search("A score of one player is added 3k/s, kept for ever").schemas[0]
    (family,) = best.spec.tables[0].families
    assert family.needed is not None
    assert family.needed.forever


def test_the_latest_of_each_thing_is_read_from_rows_that_each_report_overwrites() -> None:
    texts = ("50,000 sensors each report every 1 min, kept 90 days", "50,000 sensors belong to 200 buildings")
    best = search(*texts, "show the latest of each sensor of one building, 2/s", "show the latest of one sensor, 20/s")
    schema, history = best.schemas[:2]

    assert keys(schema) == {"reports": "{sensor}#{time:rev}", "latest_reports_by_building": "{building}#{sensor}"}
    states = schema.spec.tables[1]
    assert states.derived_from is not None
    (read,) = states.row_kinds[0].reads
    assert (read.time, read.newest_rows) == (None, None), "the prefix is read whole"
    plan = schema.questions[0].plan
    # 50,000 sensors ÷ 200 buildings, of which a read hits the larger ones more often.
    assert plan.rows_scanned == plan.rows_to_return == pytest.approx(250, rel=0.02)
    assert schema.tables[1].writes_per_second == pytest.approx(50_000 / 60)
    assert schema.questions[0].served_by == "short_range"
    rows = schema.estimate.tables[states.id].growth
    assert rows is not None
    assert rows.rows[-1] == pytest.approx(50_000, rel=0.01), "a row for each sensor, and no history"

    # In a history, each sensor has reported once within the last minute.
    assert keys(history)["reports_by_building"] == "{building}#{time}#{sensor}"
    (read,) = history.spec.tables[1].row_kinds[0].reads
    assert read.time is not None
    assert read.time.days == pytest.approx(1 / 1440)


def test_states_are_never_all_that_is_stored() -> None:
    write = "A message of one channel and one user is added 20/s, kept 30 days"
    best, *_ = search(write, "Show the latest message of each channel of one user, 5/s").schemas
    assert sorted(keys(best)) == ["latest_messages_by_user", "messages"]
    assert best.tables[0].index_of == ""


@pytest.mark.parametrize(("kept", "days"), [("30 days", 30), ("1 h", 1)])
def test_what_is_kept_on_tablestore_has_that_time_to_live(kept: str, days: int) -> None:
    write = f"A click of one user is added 100/s, kept {kept}"
    (table,) = search(write, engine="tablestore").schemas[0].spec.tables
    assert table.families[0].gc is None, "the engine has none by family"
    assert table.tablestore is not None
    assert table.tablestore.ttl_seconds == days * 86_400, "a day is the least that the engine takes"


def test_how_many_values_are_assumed_is_said() -> None:
    texts = ("A scan of one parcel is added 40/s, kept 30 days", "show all scans of one parcel, 2/s")
    said = [english(text.message, text.params) for text in search(*texts).assumptions]
    assert said == ["10,000 parcels, as no sentence counts them. To say how many, write “one of 5M parcels”."]
    assert search(texts[0].replace("one parcel", "one of 5M parcels"), texts[1]).assumptions == ()


def test_there_are_as_many_of_what_is_added_as_its_sentence_says() -> None:
    posts = ("users publish 3000 posts/s", "users like 5k posts per second")
    best = search(*posts, "show all likes of one post, 500/s", "get post by id, 500/s").schemas[0]

    (post,) = [field for field in best.spec.fields if field.name == "post"]
    assert post.growth_per_day == 3_000 * 86_400
    assert {question.served_by for question in best.questions} == {"short_range", "point"}
    assert best.questions[0].plan.rows_scanned < 10, "5 likes for 3 posts, and not 5,000/s for a fixed number of posts"


def test_a_key_that_cannot_take_its_writes_is_not_rejected_for_its_money() -> None:
    write = "3000 hosts each write 100 log lines/s, kept 14 days"
    for text in search(write, "all log lines in the last 1 min, 1/min, within 1 min").rejected:
        assert "more_cost" not in text.params or text.params["more_cost"].amount < 10**6


def test_what_finds_one_record_is_its_id_or_unique() -> None:
    links = search(
        "A link of one user is added 5k/s", "Show one link by its code, 200k/s", "Show all links of one user, 5/s"
    )
    orders = search("An order is added 2k/s", "Show one order by its id, 100/s", "Show one order by its tracking, 50/s")

    assert keys(links.schemas[0])["links"] == "{code}"
    assert [one.name for one in links.schemas[0].questions] == ["One link by its code", "All links of one user"]
    assert keys(orders.schemas[0]) == {"orders": "{order_id}", "orders_by_tracking": "{tracking}#{order_id}"}
    assert [one.plan.rows_to_return for one in orders.schemas[0].questions] == pytest.approx([1, 1], abs=0.01)
