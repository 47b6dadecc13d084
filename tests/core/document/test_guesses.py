"""What is assumed where nothing is set, and what is not."""

import datetime
import math

import pytest

from designer.document import Spec, assumptions, dump, effective_value, guess, load, owner_id, write_mode
from designer.document.access import Read
from designer.document.activity import Every
from designer.document.dump import to_plain_data
from designer.document.edits import Set, apply
from designer.document.field_names import DEVICE_PER_SECOND, PERSON_PER_SECOND, kind_of, role_of
from designer.document.guesses import DEFAULT, MEAN_TO_MOST, busiest_share, capacity, steep_popularity
from designer.document.keytext import parse_key
from designer.document.load import from_data
from designer.document.new_ids import EVENTS_PER_SESSION
from designer.document.popularity import Uniform, Zipf
from tests.cases import cases


def _guessed(spec: Spec) -> dict[tuple[str, str], object]:
    return {(found.at, found.name): found.value for found in assumptions(spec)}


def test_the_instances_guesses_are_the_designs() -> None:
    spec = load("""{"instance": {"clusters": [
      {"id": "c", "nodes": {"kind": "autoscaling", "min": 1, "max": 3}}]}}""")

    guessed = _guessed(spec)

    assert guessed["", "instance.edition"] == "enterprise"
    assert guessed["", "horizon_months"] == 12
    assert guessed["c", "nodes.cpu_target"] == 0.6
    assert not any(name == "edition" for at, name in guessed)


def test_what_another_engine_has_is_not_assumed() -> None:
    here, there = (_guessed(Spec(engine=engine)) for engine in ("bigtable", "tablestore"))

    assert ("", "instance.tablestore_type") not in here
    assert ("", "instance.edition") not in there
    assert there["", "instance.tablestore_type"] == "high_performance"


def test_what_has_no_meaning_beside_the_rest_is_not_assumed() -> None:
    spec = load("""{"fields": [{"id": "at", "name": "created_at"}, {"id": "user", "name": "user"}],
      "tables": [{"id": "t", "rows_stored": 5, "row_kinds": [{"id": "r",
        "key": [{"id": "k1", "kind": "time"}, {"id": "k2", "kind": "time", "reversed": true}]}]}]}""")

    guessed = _guessed(spec)

    assert ("at", "values") not in guessed
    assert ("user", "fan_out") not in guessed
    assert ("t", "history_months") not in guessed
    assert ("k1", "reverse_from") not in guessed
    assert guessed["k2", "reverse_from"] == 2**63 - 1


@pytest.mark.parametrize("name", ["date", "stay_date", "day"])
def test_dates_of_which_there_are_so_many_are_no_times_of_events(name: str) -> None:
    assert kind_of(name, distinct=None) == "timestamp"
    assert kind_of(name, distinct=730) is None


@pytest.mark.parametrize("name", ["ulid", "event_ksuid", "order_uuidv7", "snowflake_id", "object_id"])
def test_ids_that_begin_with_the_time_are_guessed_to_be_in_sequence(name: str) -> None:
    named, plain = (Spec(fields=({"id": "f", "name": each},)) for each in (name, "uuid"))

    assert effective_value(named, named.fields[0], "assigned") == "sequential"
    assert effective_value(plain, plain.fields[0], "assigned") == "arbitrary"


@cases(
    "key, mode, per_day",
    [
        ("{message_id}", "check_and_mutate", 8_640_000),
        ("{user_id}", "check_and_mutate", 0),
        ("{signature}", "append_row", 8_640_000),
        ("{user_id}", "append_row", 8_640_000),
        ("{user_id}#{time:day}", "append_row", 0),
        ("{message_id}", "read_modify_write", 0),
        ("{session_id}#{time}", None, 8_640_000 / EVENTS_PER_SESSION),
        ("{user_id}#{time}", None, 0),
    ],
)
def test_a_message_put_if_absent_is_new_and_sessions_end(key: str, mode: str | None, per_day: float) -> None:
    spec = _keyed(key, mode=mode)

    assert effective_value(spec, spec.fields[0], "growth_per_day") == per_day


def test_every_guess_says_why() -> None:
    spec = load("""{"fields": [{"id": "user", "name": "user"}], "activities": [{"id": "a"}],
      "tables": [{"id": "t", "backups": [{"id": "b"}], "tablestore": {},
        "row_kinds": [{"id": "r", "writes": [{"id": "w"}], "reads": [{"id": "q"}],
          "key": [{"id": "k", "kind": "time", "reversed": true}]}],
        "families": [{"id": "f", "columns": [{"id": "c"}]}]}],
      "instance": {"clusters": [{"id": "tokyo", "nodes": {"kind": "autoscaling", "min": 1, "max": 3}}]}}""")
    for engine in ("bigtable", "tablestore"):
        for found in assumptions(spec.model_copy(update={"engine": engine})):
            assert found.why, found
            assert found.why != DEFAULT, found


def test_what_is_set_is_no_guess() -> None:
    spec = load('{"fields": [{"id": "user", "name": "user", "distinct": 7}]}')

    assert effective_value(spec, spec.fields[0], "distinct") == 7
    assert ("user", "distinct") not in _guessed(spec)


def test_a_guess_never_makes_a_field_contradict_itself() -> None:
    spec = load('{"fields": [{"id": "a", "name": "is_open", "distinct": 9}, {"id": "b", "name": "has_tea"}]}')

    assert effective_value(spec, spec.fields[0], "kind") == "string"
    assert effective_value(spec, spec.fields[1], "kind") == "boolean"
    assert capacity(spec, spec.fields[1]) == 2
    assert effective_value(spec, spec.fields[1], "distinct") == 2


@pytest.mark.parametrize(
    ("name", "kind"),
    [("age", "integer"), ("user_age", "integer"), ("message", None), ("enum", None), ("seq", "integer")],
)
def test_a_word_inside_another_says_nothing_of_a_fields_values(name, kind):
    assert kind_of(name, distinct=None) == kind


def test_a_changed_copy_guesses_anew() -> None:
    spec = load("""{"fields": [{"id": "device", "distinct": 60}],
      "activities": [{"id": "ping", "arrival": {"kind": "every", "seconds": 60, "field": "device"}}]}""")
    assert guess(spec, spec.activities[0], "rate_per_second").value == 1
    more = spec.fields[0].model_copy(update={"distinct": 120})

    changed = spec.model_copy(update={"fields": (more,)})

    assert changed.find("device").distinct == 120
    assert guess(changed, changed.activities[0], "rate_per_second").value == 2


def _keyed(key: str, per_second: float = 100, *, mode: str | None = None, **fields: dict) -> Spec:
    """A table with this key, written at this rate; fields by name are set further."""
    spec = Spec()
    read = parse_key(spec, key, new_fields=True)
    made = [{**to_plain_data(field), **fields.get(field.name, {})} for field in read.new_fields]
    write = {"id": "w", "activity": "a", **({"mode": mode} if mode else {})}
    kind = {"id": "k", "key": [to_plain_data(segment) for segment in read.segments], "writes": [write]}
    activity = {"id": "a", "rate_per_second": per_second}
    return from_data({"fields": made, "activities": [activity], "tables": [{"id": "t", "row_kinds": [kind]}]})


def _of(spec: Spec, name: str, what: str) -> object:
    return effective_value(spec, next(field for field in spec.fields if field.name == name), what)


@cases(
    "key, field",
    [
        ("{uuid}", "uuid"),
        ("{order_id}", "order_id"),
        ("{order_number}", "order_number"),
        ("{customer}#{order_id}", "order_id"),
        ("{channel}#{time:day}#{message_id}", "message_id"),
        ("{topic}#{partition}#{offset}", "offset"),
        ("{game_id}#{move_number}", "move_number"),
        ("{record_uuid}", "record_uuid"),
        ("{address}#{tx_hash}", "tx_hash"),
        ("{video_id}", "video_id"),
        ("{salt(trace_id):16}#{trace_id}", "trace_id"),
    ],
)
def test_an_id_that_new_rows_are_keyed_by_is_new_with_each_event(key: str, field: str) -> None:
    spec = _keyed(key, per_second=100)

    assert _of(spec, field, "growth_per_day") == 100 * 86_400
    assert _of(spec, field, "popularity") == Uniform()
    assert write_mode(spec, spec.find("w")) == "append_row"


@pytest.mark.parametrize(
    ("key", "per_second"),
    [
        ("{customer}#{order_id}", 300),  # each row has an id of its own
        ("{customer}#{order_id}#{item}", 100),  # three items of an order
        ("{order_id}#{time}", 300),
    ],
)
def test_rows_of_one_event_share_its_id_where_another_field_tells_them_apart(key: str, per_second: float) -> None:
    data = to_plain_data(_keyed(key))
    data["tables"][0]["row_kinds"][0]["writes"][0] |= {"mode": "append_row", "rows_per_event": 3}

    assert _of(from_data(data), "order_id", "growth_per_day") == per_second * 86_400


def test_ids_of_events_are_no_typical_number_per_owner() -> None:
    spec = _keyed("{customer}#{order_id}", customer={"distinct": 5_000_000}, order_id={"belongs_to": "customer"})

    # 864,000 events a day do not add to 50,000 million orders that nobody has placed.
    assert _of(spec, "order_id", "distinct") == _of(_keyed("{order_id}"), "order_id", "distinct")


@pytest.mark.parametrize(
    "key",
    [
        "{user_id}",
        "{tenant}#{device_id}",
        "{email}",
        "{url}",
        "{user_uuid}",
        "{user_id}#{time:day}",
        "{room_id}#{user}",
    ],
)
def test_what_comes_again_does_not_grow_and_its_rows_are_updated(key: str) -> None:
    spec = _keyed(key)

    assert all(effective_value(spec, field, "growth_per_day") == 0 for field in spec.fields)
    assert write_mode(spec, spec.find("w")) == "overwrite"


def test_a_time_in_the_key_tells_events_apart() -> None:
    for key in ("{device}#{time}", "{device}#{time:second}", '{device}#{time:"%Y%m%d%H%M%S"}'):
        spec = _keyed(key)
        assert write_mode(spec, spec.find("w")) == "append_row"
    daily = _keyed('{device}#{time:"%Y%m%d"}')
    assert write_mode(daily, daily.find("w")) == "overwrite"
    assert _of(_keyed("{user_id}#{time}"), "user_id", "growth_per_day") == 0


@pytest.mark.parametrize(
    ("key", "order"),
    [
        ("{channel}#{message_id}", "sequential"),
        ("{channel}#{message_uuid}", "arbitrary"),
        ("{channel}#{time}#{message_id}", "arbitrary"),
    ],
)
def test_ids_are_in_order_where_only_they_can_say_what_is_newest(key: str, order: str) -> None:
    spec = _keyed(key)
    (table,), name = spec.tables, spec.fields[-1].name
    (kind,) = table.row_kinds
    reads = (Read(id="r", newest_rows=20),)
    newest = spec.model_copy(
        update={"tables": (table.model_copy(update={"row_kinds": (kind.model_copy(update={"reads": reads}),)}),)}
    )

    assert _of(spec, name, "assigned") == "arbitrary"
    assert _of(newest, name, "assigned") == order


@pytest.mark.parametrize(
    ("key", "accounts"),
    [
        ("{account}#{time}", 1_000_000),
        ("{account_id}#{transaction_id}", 1_000_000),
        ("{account}#{device}#{time}", 1_000),
    ],
)
def test_an_account_with_nobody_below_it_is_one_persons(key: str, accounts: int) -> None:
    assert _of(_keyed(key, 10_000), _keyed(key).fields[0].name, "distinct") == accounts
    assert _of(_keyed(key, 1), _keyed(key).fields[0].name, "distinct") == 1_000


@cases("name, most_per_second", [
        ("customer_email", 0.1), ("email_address", 0.1), ("student_id", 0.1), ("cookie_id", 0.1),
        ("mac_address", 10), ("imei", 10), ("license_plate", 10), ("vin", 10),
    ])  # fmt: skip
def test_ids_of_people_and_of_devices_are_as_busy_as_these(name: str, most_per_second: float) -> None:
    assert role_of(name).most_per_second == most_per_second


def test_orders_in_use_at_first_go_on_where_each_event_is_said_to_append_one() -> None:
    so_many = {"distinct": 10_000_000}

    assert _of(_keyed("{order}", mode="append_row", order=so_many), "order", "growth_per_day") == 8_640_000
    assert _of(_keyed("{hash(order):4}#{order}", mode="append_row", order=so_many), "order", "distinct") == 10_000_000
    assert _of(_keyed("{order}", mode="overwrite", order=so_many), "order", "growth_per_day") == 0
    assert _of(_keyed("{order}", order=so_many), "order", "growth_per_day") == 0
    assert _of(_keyed("{driver}", mode="append_row", driver=so_many), "driver", "growth_per_day") == 0


def test_what_is_said_about_an_id_is_kept() -> None:
    assert _of(_keyed("{order_id}", order_id={"growth_per_day": 5}), "order_id", "growth_per_day") == 5
    again = _keyed("{order_id}", order_id={"popularity": {"kind": "zipf", "theta": 0.9}})
    assert _of(again, "order_id", "growth_per_day") == 0
    assert _of(_keyed("{order_id}", mode="overwrite"), "order_id", "growth_per_day") == 0
    few = _keyed("{order_id}", order_id={"values": {"kind": "range", "min": 1, "max": 500}})
    assert _of(few, "order_id", "growth_per_day") == 0


def test_a_field_declared_sequential_grows_by_what_is_written() -> None:
    sequential = {"assigned": "sequential", "distinct": 10**9}

    assert _of(_keyed("{click}", 9_000, click=sequential), "click", "growth_per_day") == 9_000 * 86_400
    assert _of(_keyed("{user_id}", mode="append_row", user_id=sequential), "user_id", "growth_per_day") == 100 * 86_400
    assert _of(_keyed("{user_id}#{time}", user_id=sequential), "user_id", "growth_per_day") == 0


@cases("key, name", [("{user_id}", "user_id"), ("{device_id}#{time}", "device_id"), ("{email}", "email")])
@cases("per_second", [1, 100, 10_000, 10_000_000])
def test_nobody_acts_faster_than_people_and_devices_do(key: str, name: str, per_second: float) -> None:
    spec = _keyed(key, per_second)
    field = next(field for field in spec.fields if field.name == name)
    popularity, distinct = effective_value(spec, field, "popularity"), effective_value(spec, field, "distinct")
    most = DEVICE_PER_SECOND if name == "device_id" else PERSON_PER_SECOND

    share = 1 / distinct if popularity == Uniform() else busiest_share(popularity.theta, distinct)

    assert share * per_second <= most
    assert isinstance(popularity, Zipf)


@cases("theta", [0.05, 0.5, 0.9])
@cases("values", [2, 1_000, 100_000])
def test_the_busiest_share_is_that_of_the_sum(theta: float, values: int) -> None:
    assert busiest_share(theta, values) == pytest.approx(1 / sum(i**-theta for i in range(1, values + 1)), rel=0.02)


def test_there_are_so_many_values_that_none_is_busier_than_the_busiest() -> None:
    law = {"kind": "zipf", "theta": 0.99, "busiest": [0.08]}
    spec = _keyed("{colour}#{time}", 100, colour={"popularity": law})
    said = _keyed("{colour}#{time}", 100, colour={"popularity": law | {"busiest": [0.3]}})

    assert _of(spec, "colour", "distinct") == 28_693
    assert _of(said, "colour", "distinct") == _of(_keyed("{colour}#{time}"), "colour", "distinct")


def test_devices_after_a_tenant_belong_to_it_and_scale_with_it() -> None:
    spec = _keyed("{tenant}#{device}#{time}", tenant={"distinct": 50})

    assert owner_id(spec, "device") == "tenant"
    assert _of(spec, "device", "distinct") == 5_000
    assert _of(spec, "device", "popularity") == Uniform()
    assert owner_id(_keyed("{device}#{tenant}"), "tenant") is None
    assert owner_id(_keyed("{region}#{device}"), "device") is None


@cases(
    "key, name, facts, owner",
    [
        ("{tenant}#{metric}", "metric", {"distinct": 500_000}, "tenant"),
        ("{tenant}#{metric}", "metric", {"distinct": 500_000, "popularity": {"kind": "uniform"}}, None),
        ("{tenant}#{metric}", "metric", {}, None),  # names of metrics are usually those of all tenants
        ("{tenant}#{metric}", "metric", {"distinct": 20}, None),
        ("{region}#{device}", "device", {}, "region"),
        ("{tenant}#{site}#{probe}", "probe", {}, "site"),
        ("{metric}#{probe}", "probe", {}, None),  # a probe can be of many metrics
        ("{tenant}#{metric}", "metric", {"distinct": 500_000, "popularity": {"kind": "zipf", "theta": 0.5}}, None),
        ("{tenant}#{metric}", "metric", {"distinct": 500_000, "busiest_share": 0.2}, None),
        ("{tenant}#{metric}", "metric", {"distinct": 500_000, "belongs_to": "-"}, None),
    ],
)
def test_what_has_events_of_its_own_at_an_interval_belongs_to_what_stands_before_it(key, name, facts, owner) -> None:
    spec = _keyed(key + "#{time}", tenant={"distinct": 1_000}, **{name: facts})
    (activity,) = spec.activities
    assert owner_id(spec, name) is None, "nothing says so yet"

    ticking = activity.model_copy(update={"arrival": Every(seconds=10, field=name)})

    assert owner_id(spec.model_copy(update={"activities": (ticking,)}), name) == owner


def test_of_two_that_follow_each_other_one_owns_the_other() -> None:
    spec = _keyed("{tenant}#{site}#{time}")
    (activity,) = spec.activities
    arrivals = [(name, Every(seconds=10, field=name)) for name in ("tenant", "site")]
    both = tuple(activity.model_copy(update={"id": f"{name}-acts", "arrival": arrival}) for name, arrival in arrivals)
    kind = spec.tables[0].row_kinds[0]
    turned = kind.model_copy(update={"id": "turned", "key": (kind.key[1], kind.key[0], *kind.key[2:])})
    table = spec.tables[0].model_copy(update={"row_kinds": (kind, turned)})
    spec = spec.model_copy(update={"activities": both, "tables": (table,)})

    assert (owner_id(spec, "site"), owner_id(spec, "tenant")) == ("tenant", None)


def test_a_device_can_be_said_to_belong_to_nothing() -> None:
    spec = _keyed("{tenant}#{device}", device={"belongs_to": "-"})

    assert owner_id(spec, "device") is None
    assert load(dump(spec)) == spec


def test_owners_never_go_in_a_circle() -> None:
    spec = _keyed("{tenant}#{device}", tenant={"belongs_to": "device"})

    assert owner_id(spec, "device") is None
    assert owner_id(spec, "tenant") == "device"


def test_a_document_without_a_start_date_starts_on_its_readers_day_and_does_not_hold_it() -> None:
    day = datetime.date(2027, 3, 1)
    bare = load('{"name": "Orders"}')
    read = bare.with_default_start(day)
    edited, _ = apply(read, Set(at="", name="name", value="Sales", was="Orders"))
    dated, _ = apply(read, Set(at="", name="start", value="2028-01-01", was=None))

    assert guess(read, read, "start").value == effective_value(edited, edited, "start") == day
    assert (read, dump(read)) == (bare, dump(bare))
    assert effective_value(dated, dated, "start") == datetime.date(2028, 1, 1)
    assert dated.with_default_start(day) is dated


@pytest.mark.parametrize("values", [1_000, 50_000, 1_000_000, 200_000_000])
def test_the_busiest_of_many_is_assumed_a_thousand_times_as_busy_as_the_mean(values: int) -> None:
    spec = _keyed("{channel}#{time}", 100, channel={"distinct": values})
    assumed = _of(spec, "channel", "popularity")

    steep = steep_popularity(spec, spec.find("channel"))

    assert busiest_share(assumed.theta, values) * values <= 1_000
    assert assumed.theta == 0.9 or busiest_share(assumed.theta + 0.05, values) * values > 1_000
    assert busiest_share(steep.theta, values) <= busiest_share(assumed.theta, values) * 10.001
    assert assumed.theta < steep.theta <= 0.99 + 1e-9


def test_an_id_that_closes_a_key_with_a_time_is_new_with_each_event() -> None:
    keys = "{user_id}#{time}#{interaction_id}"

    assert _of(_keyed(keys), "interaction_id", "growth_per_day") == 100 * 86_400
    assert _of(_keyed("{user_id}#{time}#{device_id}"), "device_id", "growth_per_day") == 0
    assert _of(_keyed("{interaction_id}#{time}"), "interaction_id", "growth_per_day") == 0
    assert _of(_keyed("{idempotency_key}"), "idempotency_key", "growth_per_day") == 100 * 86_400


def test_a_slot_that_is_said_to_count_up_does() -> None:
    counted = _keyed("{slot:hex16}", slot={"kind": "integer", "assigned": "sequential"})
    ring = _keyed("{slot:hex16}", slot={"kind": "integer", "assigned": "sequential", "distinct": 16})

    assert _of(counted, "slot", "growth_per_day") == 100 * 86_400
    assert _of(ring, "slot", "growth_per_day") == 0


@pytest.mark.parametrize(
    ("key", "field", "most"),
    [
        ("{customer}#{time}#{order_id}", "customer", 100 / 86_400),
        ("{user_id}#{booking_id}", "user_id", 100 / 86_400),
        ("{account}#{payment_id}", "account", 100 / 86_400),
        ("{customer}#{device}#{order_id}", "customer", None),
        ("{customer}#{metric}#{time}", "customer", None),
        ("{tenant}#{order_id}", "tenant", None),
    ],
)
def test_people_who_buy_are_as_many_as_their_purchases_need(key: str, field: str, most: float | None) -> None:
    spec = _keyed(key, per_second=2_000)
    needed = 1_000 if most is None else math.ceil(2_000 / (most * MEAN_TO_MOST))

    assert _of(spec, field, "distinct") == needed
