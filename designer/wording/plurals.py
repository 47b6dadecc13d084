"""Nouns after a count: "1 row" and "2 rows". An English message has the plural after its parameter."""

import re
from collections.abc import Iterable
from string import Formatter

SINGULAR = {
    "blocks": "block", "bytes": "byte", "cells": "cell", "clusters": "cluster", "columns": "column",
    "cycles": "cycle", "days": "day", "designs": "design", "devices": "device", "digits": "digit",
    "domains": "domain", "events": "event", "families": "family", "fields": "field", "hours": "hour", "items": "item",
    "keys": "key", "levels": "level", "minutes": "minute", "months": "month", "mutations": "mutation",
    "nodes": "node", "partitions": "partition", "points": "point", "prefixes": "prefix", "ranges": "range",
    "reads": "read", "regions": "region", "requests": "request", "rows": "row", "scans": "scan",
    "tables": "table", "tablets": "tablet", "times": "time", "units": "unit", "values": "value",
    "versions": "version", "weeks": "week", "writes": "write", "years": "year",
}  # fmt: skip
"""Nouns that messages count."""

COUNTED = {
    "tables": ("table", "tables", "テーブル", "個"),
    "families": ("column family", "column families", "列ファミリー", "個"),
    "columns": ("column", "columns", "列", "個"),
    "row_kinds": ("row kind", "row kinds", "行の種類", "個"),
    "writes": ("write", "writes", "書き込み", "個"),
    "reads": ("read", "reads", "読み取り", "個"),
    "fields": ("field", "fields", "フィールド", "個"),
    "activities": ("activity", "activities", "アクティビティ", "個"),
    "clusters": ("cluster", "clusters", "クラスタ", "個"),
    "elements": ("element", "elements", "要素", "個"),
    "designs": ("design", "designs", "設計", "件"),
    "findings": ("finding", "findings", "指摘", "件"),
}
"""What is counted, by the last part of a name such as `count_tables`: singular, plural, Japanese and its counter."""

_AFTER_ONE = re.compile(
    r"^( (?:append |column |other |more |random |sample |typical )?)(" + "|".join(SINGULAR) + r")\b"
)


def agreeing(message: str, texts: Iterable[tuple[str, str]]) -> str:
    """Return an English message with the nouns after parameters that are shown as 1 in the singular."""
    ones = {name for name, text in texts if text == "1"}
    if not ones:
        return message
    pieces, is_one = [], False
    for literal, name, spec, conversion in Formatter().parse(message):
        pieces.append(_escape_braces(_AFTER_ONE.sub(lambda m: m[1] + SINGULAR[m[2]], literal) if is_one else literal))
        if name is not None:
            pieces.append("{" + name + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}")
        is_one = name in ones
    return "".join(pieces)


def _escape_braces(literal: str) -> str:
    return literal.replace("{", "{{").replace("}", "}}")
