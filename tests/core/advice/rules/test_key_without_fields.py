"""K030: keys whose names stand outside of braces."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.document.keytext.meant import meant_key
from designer.wording import key_text
from estimator.advice.questions import lint
from estimator.advice.rules.keys.key_without_fields import RULE
from estimator.advice.rules.shared.examples import design
from estimator.estimates.estimate import estimate
from tests.cases import cases
from tests.contexts import context


@cases(
    "text, meant",
    [
        ("device_id#timestamp", "{device_id}#{timestamp}"),
        ("tenant:user/day", "{tenant}:{user}/{day}"),
        ("<device>#<time>", "{device}#{time}"),
        ("$device|$time", "{device}|{time}"),
        ("PRIMARY KEY ((a, b), c)", "{a}#{b}#{c}"),
        ("Bytes.add(user, ts)", "{user}#{ts}"),
        ("PK=user_id, SK=created_at", "{user_id}#{created_at}"),
        ("partition key: user_id, sort key: created_at", "{user_id}#{created_at}"),
        ("user_id (HASH), created_at (RANGE)", "{user_id}#{created_at}"),
        ("PK=USER#<user_id> SK=ORDER#<order_id>", "USER#{user_id}#ORDER#{order_id}"),
        ("pk: USER#user_id; sk: ORDER#${order_id}", "USER#{user_id}#ORDER#{order_id}"),
        ("[tenant][device]", "{tenant}#{device}"),
        ("[hostname][log-event][timestamp]", "{hostname}#{log-event}#{timestamp}"),
        ("<user><day>", "{user}#{day}"),
        ("a + b", "{a}#{b}"),
        ("a+b+c", "{a}#{b}#{c}"),
        ('user_id + "_" + ts', "{user_id}_{ts}"),
        ("'o#' + order_id || '#' || day", "o#{order_id}#{day}"),
        ("md5(user) + user", "{hash(user):md5:32}#{user}"),
        ("hash(a) + '{' + a", "{hash(a)}{{{a}"),
        ("PRIMARY KEY (user_id, created_at) WITH CLUSTERING ORDER BY (created_at DESC)", "{user_id}#{created_at:rev}"),
        ("user_id, event_time DESC", "{user_id}#{event_time:rev}"),
        ("USER#<id>", "USER#{id}"),
        ("<user>.<ts>", "{user}.{ts}"),
        ("Bytes.toBytes(userId) + Bytes.toBytes(Long.MAX_VALUE - ts)", "{userId}#{ts:rev}"),
        ("concat(user, '#', 9999999999999 - event.ts)", "{user}#{ts:rev}"),
        ('user_id + "#" + reverse(ts)', "{user_id}#{ts:rev}"),
        ("hash(user) % 16 + '#' + user", "{salt(user):16}#{user}"),
        ("md5(user).substring(0,4) + user", "{hash(user):md5:4}#{user}"),
        ("hash(userid)|userid|reverse ts", "{hash(userid)}|{userid}|{ts:rev}"),
        (":user/:ts", "{user}/{ts}"),
        ("pk: CUSTOMER#<customerId>", "CUSTOMER#{customerId}"),
        ("message_id uuid PRIMARY KEY", "{message_id}"),
        ("hash(account) % 100 # account # ts", "{salt(account):100}#{account}#{ts}"),
        ("user_id-yyyymmdd-type", "{user_id}-{yyyymmdd}-{type}"),
        ("user-settings", None),
        ("com.google.maps/index.html", None),
        ("v1.2", None),
        ("[settings]", None),
        ("1 + 2", None),
        ("settings", None),
        ("2026-11-24", None),
        ("", None),
    ],
)
def test_a_key_without_braces_says_what_was_probably_meant(text: str, meant: str | None):
    assert meant_key(text) == meant


@pytest.mark.parametrize(
    "text",
    ["[tenant][device]", 'user + "_" + device', "a + b", "sha256(a) + '#' + a", "device + (Long.MAX_VALUE - ts)"],
)
def test_one_click_makes_the_key_that_was_meant(text: str):
    literal = {"id": "s", "kind": "literal", "text": text}
    spec = Spec.model_validate({"tables": [{"id": "t", "row_kinds": [{"id": "k", "key": [literal]}]}]})

    found = next(iter(RULE.check(spec, estimate(spec, context()))))
    assert found.fix is not None
    fixed, _ = apply(spec, found.fix)

    assert key_text(fixed, fixed.tables[0].row_kinds[0].key) == meant_key(text)


def test_what_follows_from_one_row_for_all_stands_below_it():
    literal = {"id": "s", "kind": "literal", "text": "user_id#timestamp"}
    spec = design(literal, per_second=100, write={"mode": "new_cell"}, gc=None)

    found = [each for each in lint(spec, estimate(spec, context()), context()) if each.severity != "note"]

    assert [each.rule for each in found] == ["K030"]
    assert {"R001", "F004"} <= {each.rule for each in found[0].under}


@pytest.mark.parametrize(("opening", "closing"), [("(", ")"), ("str(", ")")])
def test_parentheses_without_end_mean_nothing(opening: str, closing: str) -> None:
    assert meant_key(opening * 3_000 + "user" + closing * 3_000) is None
    assert meant_key("a + " + opening * 3_000 + "user" + closing * 3_000) is None
    assert meant_key("a + " + opening * 3 + "user" + closing * 3) == "{a}#{user}"
