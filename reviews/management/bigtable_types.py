"""Filters and definitions in the message types of Google's client library, and back."""

import json
import re
from collections.abc import Sequence
from typing import Any

from designer.document.durations import DAY_SECONDS
from reviews.exports.key_code.cell_filters import CellFilter, filter_message
from reviews.exports.shared import gc
from reviews.trials.trial import EngineError, EngineUnreachableError

TYPES = {"intsum": "sum", "intmin": "min_", "intmax": "max_", "inthll": "hllpp_unique_count"}
"""Aggregates by cbt's name; the library adds an underscore to names of Python's own."""


def row_filter(filters: Sequence[CellFilter], now_us: int) -> Any:
    """Return filters as one, None where there is none; ages are counted from a moment."""
    from google.cloud.bigtable_v2 import types

    def start_us(days: float) -> str:
        return str((now_us - round(days * DAY_SECONDS * 1_000_000)) // 1000 * 1000)

    return types.RowFilter.from_json(json.dumps(filter_message(filters, start_us))) if filters else None


def gc_rule(rule: gc.Rule | None) -> Any:
    """Return a rule as the API takes it."""
    from google.cloud.bigtable_admin_v2 import types

    match rule:
        case gc.Age(ms):
            return types.GcRule(max_age={"seconds": ms // 1000, "nanos": ms % 1000 * 1_000_000})
        case gc.Versions(count):
            return types.GcRule(max_num_versions=count)
        case gc.AnyOf(rules):
            return types.GcRule(union=types.GcRule.Union(rules=[gc_rule(rule) for rule in rules]))
        case gc.AllOf(rules):
            return types.GcRule(intersection=types.GcRule.Intersection(rules=[gc_rule(rule) for rule in rules]))
    return None


def rule_of(raw_rule: Any) -> gc.Rule | None:
    """Return a rule that the engine tells."""
    if "max_num_versions" in raw_rule:
        return gc.Versions(raw_rule.max_num_versions)
    if "max_age" in raw_rule:
        return gc.Age(round(raw_rule.max_age.total_seconds() * 1000))
    for name, kind in (("union", gc.AnyOf), ("intersection", gc.AllOf)):
        if name in raw_rule:
            return kind(tuple(rule for rule in map(rule_of, getattr(raw_rule, name).rules) if rule is not None))
    return None


def value_type(type_: str | None) -> Any:
    """Return the type of an aggregate of whole numbers, as cbt makes it."""
    from google.cloud.bigtable_admin_v2 import types

    if type_ is None:
        return None
    whole = types.Type(int64_type={"encoding": {"big_endian_bytes": {}}})
    return types.Type(aggregate_type={"input_type": whole, TYPES[type_]: {}})


def type_text(raw_type: Any) -> str:
    """Return a family's type as cbt has it, empty where it is ordinary."""
    if "aggregate_type" not in raw_type:
        return ""
    return next((text for text, name in TYPES.items() if name in raw_type.aggregate_type), "aggregate")


class TrialErrors:
    """Turns the library's errors into one of the trial."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        from google.api_core.exceptions import DeadlineExceeded, GoogleAPIError, RetryError, ServiceUnavailable
        from google.auth.exceptions import GoogleAuthError

        if isinstance(error, ServiceUnavailable | DeadlineExceeded | RetryError | GoogleAuthError):
            raise EngineUnreachableError(first_line(error)) from error
        if isinstance(error, GoogleAPIError):
            raise EngineError(first_line(error)) from error


def first_line(error: Exception) -> str:
    """Return the reason that an error gives."""
    text = (str(error).splitlines() or [type(error).__name__])[0]
    return re.sub(r"\s+", " ", text)[:300]
