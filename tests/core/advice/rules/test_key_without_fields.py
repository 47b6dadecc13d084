"""K030: keys whose names stand outside of braces."""

import pytest

from estimator.advice.rules.keys.key_without_fields import suggested_key


@pytest.mark.parametrize(
    ("text", "meant"),
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
        ("settings", None),
        ("2026-11-24", None),
        ("", None),
    ],
)
def test_a_key_without_braces_says_what_was_probably_meant(text: str, meant: str | None):
    assert suggested_key(text) == meant
