"""Filters and definitions in the message types of Google's client library, and back."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from designer.document.durations import DAY_SECONDS
from reviews.exports.shared import gc
from reviews.trials.filters import AgeLimit, CellFilter, CellLimit, ColumnChoice, KeyRegex, VersionLimit, any_of, quote
from reviews.trials.trial import EngineError, EngineUnreachableError

TYPES = {"intsum": "sum", "intmin": "min_", "intmax": "max_", "inthll": "hllpp_unique_count"}
"""Aggregates by cbt's name; the library adds an underscore to names of Python's own."""


def row_filter(filters: Sequence[CellFilter], now_us: int) -> Any:
    """Return filters as one, None where there is none; ages are counted from a moment."""
    from google.cloud.bigtable_v2 import types

    made = [_one_filter(one, now_us) for one in filters]
    if len(made) < 2:
        return made[0] if made else None
    return types.RowFilter(chain=types.RowFilter.Chain(filters=made))


def _one_filter(one: CellFilter, now_us: int) -> Any:
    from google.cloud.bigtable_v2 import types

    match one:
        case KeyRegex(pattern=pattern):
            return types.RowFilter(row_key_regex_filter=pattern)
        case VersionLimit(count=count):
            return types.RowFilter(cells_per_column_limit_filter=count)
        case CellLimit(count=count):
            return types.RowFilter(cells_per_row_limit_filter=count)
        case AgeLimit(days=days):
            start = (now_us - round(days * DAY_SECONDS * 1_000_000)) // 1000 * 1000
            return types.RowFilter(timestamp_range_filter={"start_timestamp_micros": start})
    return _columns_filter(one)


def _columns_filter(one: ColumnChoice) -> Any:
    from google.cloud.bigtable_v2 import types

    def regex(names: Iterable[str]) -> str:
        return any_of([quote(name.encode()) for name in names]).decode()

    whole = [name for name, qualifiers in one.columns if qualifiers is None]
    made = [types.RowFilter(family_name_regex_filter=regex(whole))] if whole else []
    for name, qualifiers in one.columns:
        if qualifiers is not None:
            both = [
                types.RowFilter(family_name_regex_filter=regex([name])),
                types.RowFilter(column_qualifier_regex_filter=qualifiers),
            ]
            made.append(types.RowFilter(chain=types.RowFilter.Chain(filters=both)))
    if not made:
        return types.RowFilter(block_all_filter=True)
    return made[0] if len(made) == 1 else types.RowFilter(interleave=types.RowFilter.Interleave(filters=made))


def gc_rule(rule: gc.Rule | None) -> Any:
    """Return a rule as the API takes it."""
    from google.cloud.bigtable_admin_v2 import types

    match rule:
        case gc.Age(ms):
            return types.GcRule(max_age={"seconds": ms // 1000, "nanos": ms % 1000 * 1_000_000})
        case gc.Versions(count):
            return types.GcRule(max_num_versions=count)
        case gc.AnyOf(rules):
            return types.GcRule(union=types.GcRule.Union(rules=[gc_rule(one) for one in rules]))
        case gc.AllOf(rules):
            return types.GcRule(intersection=types.GcRule.Intersection(rules=[gc_rule(one) for one in rules]))
    return None


def rule_of(told: Any) -> gc.Rule | None:
    """Return a rule that the engine tells."""
    if "max_num_versions" in told:
        return gc.Versions(told.max_num_versions)
    if "max_age" in told:
        return gc.Age(round(told.max_age.total_seconds() * 1000))
    for name, kind in (("union", gc.AnyOf), ("intersection", gc.AllOf)):
        if name in told:
            return kind(tuple(one for one in map(rule_of, getattr(told, name).rules) if one is not None))
    return None


def value_type(type_: str | None) -> Any:
    """Return the type of an aggregate of whole numbers, as cbt makes it."""
    from google.cloud.bigtable_admin_v2 import types

    if type_ is None:
        return None
    whole = types.Type(int64_type={"encoding": {"big_endian_bytes": {}}})
    return types.Type(aggregate_type={"input_type": whole, TYPES[type_]: {}})


def type_text(told: Any) -> str:
    """Return a family's type as cbt has it, empty where it is ordinary."""
    if "aggregate_type" not in told:
        return ""
    return next((text for text, name in TYPES.items() if name in told.aggregate_type), "aggregate")


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
