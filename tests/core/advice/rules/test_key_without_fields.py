"""K030: keys whose names stand outside of braces."""

import pytest

from designer.document import Spec
from designer.document.edits import apply
from designer.wording import key_text
from estimator.advice.rules.keys.key_without_fields import RULE, suggested_key
from estimator.estimates.estimate import estimate
from tests.contexts import context


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
        ("[tenant][device]", "{tenant}#{device}"),
        ("[hostname][log-event][timestamp]", "{hostname}#{log-event}#{timestamp}"),
        ("<user><day>", "{user}#{day}"),
        ("a + b", "{a}#{b}"),
        ("a+b+c", "{a}#{b}#{c}"),
        ('user_id + "_" + ts', "{user_id}_{ts}"),
        ("'o#' + order_id || '#' || day", "o#{order_id}#{day}"),
        ("md5(user) + user", "{hash(user):md5}#{user}"),
        ("hash(a) + '{' + a", "{hash(a)}{{{a}"),
        ("[settings]", None),
        ("1 + 2", None),
        ("settings", None),
        ("2026-11-24", None),
        ("", None),
    ],
)
def test_a_key_without_braces_says_what_was_probably_meant(text: str, meant: str | None):
    assert suggested_key(text) == meant


@pytest.mark.parametrize("text", ["[tenant][device]", 'user + "_" + device', "a + b", "sha256(a) + '#' + a"])
def test_one_click_makes_the_key_that_was_meant(text: str):
    literal = {"id": "s", "kind": "literal", "text": text}
    spec = Spec.model_validate({"tables": [{"id": "t", "row_kinds": [{"id": "k", "key": [literal]}]}]})

    found = next(iter(RULE.check(spec, estimate(spec, context()))))
    assert found.fix is not None
    fixed, _ = apply(spec, found.fix)

    shown = key_text(fixed, fixed.tables[0].row_kinds[0].key)
    assert shown.replace("sha256:4", "sha256") == suggested_key(text)
