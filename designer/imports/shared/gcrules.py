"""Garbage-collection rules as the tools print them → rules of a document."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from designer.document.family import MaxAge, MaxVersions

DAY_MS = 86_400_000
_UNITS_MS = {
    "w": 604_800_000.0,
    "d": 86_400_000.0,
    "h": 3_600_000.0,
    "m": 60_000.0,
    "s": 1_000.0,
    "ms": 1.0,
    "us": 1e-3,
    "µs": 1e-3,
    "ns": 1e-6,
}
_DURATION = re.compile(r"(\d+(?:\.\d*)?)(ms|us|µs|ns|w|d|h|m|s)")
_TOKEN = re.compile(r"\s*(\(|\)|\|\||&&|age\(\)\s*>\s*\S+?(?=[\s)]|$)|versions\(\)\s*>\s*\d+)")
MOST_DEPTH = 32
MOST_CHARACTERS = 20_000
"""Of a rule as text; a family's rule is 500 bytes at most, serialised."""
MOST_OF_DURATION = 100

Data = dict[str, Any]


class InvalidRuleError(ValueError):
    """A text that is no rule."""


def duration_ms(text: str) -> float:
    """Return a duration in milliseconds.

    The notations are those of Go, the API and the provider: `720h`, `1h30m`, `2592000s`, `1w`. [ms]
    """
    # A duration has a few digits; a megabyte of them would make a number that takes minutes to read.
    matches = list(_DURATION.finditer(text)) if len(text) <= MOST_OF_DURATION else []
    # `finditer` skips what it does not know, which must not be dropped from a rule that deletes data.
    if not matches or "".join(match[0] for match in matches) != text:
        raise InvalidRuleError(text)
    return sum(float(match[1]) * _UNITS_MS[match[2]] for match in matches)


def age_rule(ms: float) -> Data:
    """Build a rule of one age."""
    days = ms / DAY_MS
    return _valid_rule({"kind": "max_age", "age_days": int(days) if days == int(days) else days})


def versions_rule(number: Any) -> Data:
    """Build a rule of a number of versions."""
    return _valid_rule({"kind": "max_versions", "versions": int(number)})


def _valid_rule(data: Data) -> Data:
    """Return the data of a rule of one condition; of a number that no document holds it is no rule."""
    try:
        (MaxAge if data["kind"] == "max_age" else MaxVersions).model_validate(data)
    except ValidationError:
        raise InvalidRuleError(json.dumps(data)) from None
    return data


def from_api(rule: Any, depth: int = 0) -> Data:
    """Convert a GcRule of the admin API, as JSON."""
    if not isinstance(rule, dict) or depth > MOST_DEPTH:
        raise InvalidRuleError(str(rule))
    if "maxAge" in rule:
        return age_rule(duration_ms(str(rule["maxAge"])))
    if "maxNumVersions" in rule:
        return versions_rule(rule["maxNumVersions"])
    for kind in ("union", "intersection"):
        if kind in rule:
            rules = [from_api(inner, depth + 1) for inner in rule[kind].get("rules", ())]
            # A group without rules has none by which a cell could be collected.
            return {"kind": kind, "rules": rules} if rules else {"kind": "never"}
    raise InvalidRuleError(json.dumps(rule))


def from_terraform(rule: Any, depth: int = 0) -> Data:
    """Convert the provider's `gc_rules` from their JSON."""
    if not isinstance(rule, dict) or depth > MOST_DEPTH:
        raise InvalidRuleError(str(rule))
    if "max_age" in rule:
        return age_rule(duration_ms(str(rule["max_age"])))
    if "max_version" in rule:
        return versions_rule(rule["max_version"])
    rules = [from_terraform(inner, depth + 1) for inner in rule.get("rules", ())]
    if not rules:
        raise InvalidRuleError(json.dumps(rule))
    mode = str(rule.get("mode", "")).lower()
    if len(rules) == 1:
        return rules[0]
    if mode not in ("union", "intersection"):
        raise InvalidRuleError(json.dumps(rule))
    return {"kind": mode, "rules": rules}


def from_cbt(text: str) -> Data | None:
    """Parse a rule in the output format of `cbt ls`; an empty rule gives None."""
    if text.strip() in ("", "<never>", "<default>", "[default]"):
        return None
    tokens = list(_tokens(text)) if len(text) <= MOST_CHARACTERS else []
    rule = _parse_terms(tokens, 0)
    if tokens:
        raise InvalidRuleError(text)
    return rule


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while text[at:].strip():
        match = _TOKEN.match(text, at)
        if match is None:
            raise InvalidRuleError(text[at:].strip())
        yield match[1]
        at = match.end()


def _parse_terms(tokens: list[str], depth: int) -> Data:
    """Terms with one and the same sign between them: cbt puts every group into parentheses."""
    if depth > MOST_DEPTH:
        raise InvalidRuleError("(")
    rules = [_parse_term(tokens, depth)]
    sign = tokens[0] if tokens and tokens[0] in ("||", "&&") else ""
    while tokens and tokens[0] in ("||", "&&"):
        # A mix of both without parentheses has no meaning that cbt would print.
        if tokens.pop(0) != sign:
            raise InvalidRuleError(sign)
        rules.append(_parse_term(tokens, depth))
    return {"kind": "union" if sign == "||" else "intersection", "rules": rules} if sign else rules[0]


def _parse_term(tokens: list[str], depth: int) -> Data:
    token = tokens.pop(0) if tokens else ""
    if token == "(":
        inner = _parse_terms(tokens, depth + 1)
        if not tokens or tokens.pop(0) != ")":
            raise InvalidRuleError("(")
        return inner
    name, _, argument = token.partition(">")
    argument = argument.strip()
    if name.startswith("versions"):
        return versions_rule(argument)
    if name.startswith("age"):
        return age_rule(
            int(argument) / 1_000 if argument.isdigit() else duration_ms(argument)
        )  # a bare number is microseconds
    raise InvalidRuleError(token)


def family_kind(value_type: Any) -> str | None:
    """Return a family's kind for its value type, or None for any other type.

    The type is the API's JSON or a tool's short word.
    """
    if value_type in (None, "", {}):
        return "ordinary"
    if isinstance(value_type, str):
        short = {"intsum": "sum", "intmin": "min", "intmax": "max", "inthll": "hll"}
        if value_type in short:
            return short[value_type]
        try:
            value_type = json.loads(value_type)
        except ValueError:
            return None
    aggregate = value_type.get("aggregateType") if isinstance(value_type, Mapping) else None
    if not isinstance(aggregate, Mapping):
        return "ordinary" if value_type == {} else None
    names = {"sum": "sum", "min": "min", "max": "max", "hllppUniqueCount": "hll"}
    return next((kind for name, kind in names.items() if name in aggregate), None)
