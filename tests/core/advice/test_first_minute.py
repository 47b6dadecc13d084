"""The first minute: an ordinary key and a rate, and nothing is wrong that nobody has said.

A new user types a key and events a second; all else is assumed. No finding may be an error or a warning that another
answer would take away: what depends on an answer is a question, and there are few of them.
"""

import itertools
import re

import pytest

from designer.document import Engine, Spec
from designer.document.edits import apply
from designer.editing.new_design import first_table
from estimator.advice.questions import lint
from estimator.results import Finding
from tests.contexts import context, estimate

KEYS = (
    # ids
    "{uuid}", "{order_id}", "{order_number}", "{event_id}", "{message_id}", "{request_id}", "{transaction_id}",
    "{session_id}", "{trace_id}", "{user_id}", "{device_id}", "{video_id}", "{sku}", "{isbn}",
    "{hash(user_id)}#{user_id}", "{salt(order_id):16}#{order_id}",
    # e-mail addresses, addresses of the web, domains
    "{email}", "{email}#{time:rev}", "{phone}", "{url}", "{url}#{time}", "{url:domain}", "{domain:domain}",
    # of a tenant, a channel, an account
    "{tenant}#{device}", "{tenant}#{user_id}", "{tenant_id}#{order_id}", "{account_id}#{transaction_id}",
    "{tenant}#{device}#{time}", "{tenant}#{user}#{time:rev}", "{channel}#{message_id}", "{chat_room}#{message_id}",
    "{channel}#{bucket}#{message_id}", "{channel_id}#{time:day}#{message_id}", "{topic}#{partition}#{offset}",
    # with a time
    "{order_id}#{time}", "{device_id}#{time}", "{device_id}#{time:rev}", "{sensor}#{time:second}",
    "{user_id}#{time:rev:unit=us}", "{user_id}#{event_id}", "{customer_id}#{order_id}#{time}",
    "{host}#{metric}#{time}", "{ip}#{time}", "{vehicle}#{time:hour}", "{user_id}#{time:day}",
    "{conversation_id}#{time:rev}#{message_id}", "{region}#{user_id}", "{country}#{city}#{user_id}",
    "{game_id}#{move_number}",
)  # fmt: skip
RARER_KEYS = (
    "{hex_id}", "{ulid}", "{ksuid}", "{snowflake_id}", "{user_id}#{ulid}", "{ipv6}", "{ip_address}#{time}", "{msisdn}",
    "{tenant_id}/{device_id}/{time}", "{channel_id}:{bucket}:{message_id}", "{customer}|{order}", "{geohash}#{time}",
    "{host:domain}/{path}", "{tx_hash}", "{account}#{time}", "{vin}#{time:hour}", "{symbol}#{time}", "{store_id}#{sku}",
    "{repo}#{commit_sha}", "{hotel_id}#{date}#{room}", "{follower}#{followee}", "{trace_id}#{span_id}",
    "{service}#{operation}#{time:rev}#{trace_id}", "{lang}#{word}", "{user_id}_{yyyymmdd}", "{meter}#{time:bucket=15m}",
    "USER#${userId}#ORDER#${orderId}", "{userId}#{createdAt}", "{deviceId}#{hourBucket}#{ts}", "{uid}#{week}",
    "{payload_hash}", "{sensor}#{time_bucket}#{ts}",
)  # fmt: skip
ORDINARY = (
    *itertools.product(KEYS, (10_000,)),
    *itertools.product(KEYS[::4], (1,)),
    *(
        pytest.param(key, rate, marks=pytest.mark.slow)
        for place, key in enumerate(KEYS)
        for rate in (1, 100)
        if place % 4 or rate > 1
    ),
)
"""Keys with their events a second: there is more to find of many; of one a second all keys are long tests."""
MOST_QUESTIONS = 2


def _typed(key: str, per_second: float, engine: Engine = "bigtable") -> Spec:
    ids = (f"n{number}" for number in itertools.count())
    blank = Spec(name="New", engine=engine)
    table = first_table(blank, name="events", key=key, per_second=per_second, new_id=lambda: next(ids))
    return apply(blank, table)[0]


def _found(spec: Spec) -> tuple[Finding, ...]:
    return lint(spec, estimate(spec), context())


@pytest.mark.parametrize(("key", "per_second"), ORDINARY)
def test_an_ordinary_key_has_no_error_no_warning_and_few_questions(key: str, per_second: float) -> None:
    found = _found(_typed(key, per_second))

    assert [(each.rule, str(each)) for each in found if each.severity in ("error", "warning")] == []
    assert len([each for each in found if each.severity == "question"]) <= MOST_QUESTIONS


@pytest.mark.slow
@pytest.mark.parametrize("per_second", [1, 10_000])
@pytest.mark.parametrize("key", RARER_KEYS)
def test_a_rarer_key_is_as_quiet(key: str, per_second: float) -> None:
    test_an_ordinary_key_has_no_error_no_warning_and_few_questions(key, per_second)


@pytest.mark.slow
@pytest.mark.parametrize("per_second", [1, 10_000])
@pytest.mark.parametrize("key", [*KEYS, *RARER_KEYS])
def test_keys_of_columns_are_as_quiet(key: str, per_second: float) -> None:
    """What a partition gathers is a question of its own there, beside how long it is kept and what a write does."""
    parts = [part for part in re.findall(r"\{[^{}]*\}", key) if "salt(" not in part and "hash(" not in part]
    columns = " | ".join(f"[c{place}] {part}" for place, part in enumerate(parts[:4]))
    found = _found(_typed(columns, per_second, "tablestore"))

    assert [(each.rule, str(each)) for each in found if each.severity in ("error", "warning")] == []
    assert len([each for each in found if each.severity == "question"]) <= MOST_QUESTIONS + 1


def test_what_no_answer_takes_away_is_found_in_the_first_minute() -> None:
    for key in ("{time}#{device_id}", "{time:day}#{time}#{user_id}"):
        grave = {each.rule for each in _found(_typed(key, 10_000)) if each.severity in ("error", "warning")}
        assert "K004" in grave, key
