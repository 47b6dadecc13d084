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
        ("settings", None),
        ("2026-11-24", None),
        ("", None),
    ],
)
def test_a_key_without_braces_says_what_was_probably_meant(text: str, meant: str | None):
    assert suggested_key(text) == meant
