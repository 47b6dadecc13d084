"""Values that the caller of a read knows, and those that it requests."""

import math
from typing import Any

from designer.document import Spec
from designer.document.access import Bind, Read
from designer.document.durations import MONTH_DAYS, YEAR_DAYS
from designer.document.texts import N_, Text, TextList

from .names import element_label

_ONE = (
    (1 / 24, N_("the last hour")), (1, N_("the last day")), (7, N_("the last week")),
    (MONTH_DAYS, N_("the last month")), (YEAR_DAYS, N_("the last year")),
)  # fmt: skip


def last_days(days: float) -> Text:
    """Return a span of time that ends now."""
    message = next((sentence for span, sentence in _ONE if math.isclose(days, span)), N_("the last {days_days}"))
    return Text(message, {"days_days": days})


def _range_text(bind: Bind, field: dict[str, Any]) -> Text:
    bounds = field | {"first": bind.from_value, "last": bind.to_value}
    if bind.from_value is None:
        return Text(N_("{field} to {last}"), bounds)
    if bind.to_value is None:
        return Text(N_("{field} from {first}"), bounds)
    return Text(N_("{field} from {first} to {last}"), bounds)


def _row_limit_message(read: Read) -> str:
    if read.reverse:
        return N_("the last {rows} rows in key order") if read.row_limit != 1 else N_("the last row in key order")
    return N_("the first {rows} rows in key order") if read.row_limit != 1 else N_("the first row in key order")


def describe_read(spec: Spec, read: Read) -> tuple[Text, ...]:
    """Values that the caller of a read knows, and those that it requests."""
    parts: list[Text] = []
    for bind in read.binds:
        field = {"field": element_label(spec, bind.field)}
        if bind.is_range:
            parts.append(_range_text(bind, field))
        elif bind.prefix:
            parts.append(Text(N_("a prefix of {field}"), field))
        elif bind.values > 1:
            parts.append(Text(N_("{values} values of {field}"), field | {"values": bind.values}))
        else:
            parts.append(Text("{field}", field))
    if read.exact_time:
        parts.append(Text(N_("the exact time")))
    if read.time:
        span = {"days_days": read.time.days, "age_days": read.time.age_days}
        since = Text(N_("{days_days}, ending {age_days} ago"), span)
        parts.append(since if read.time.age_days else last_days(read.time.days))
    if read.newest_rows:
        message = N_("the newest {rows} rows") if read.newest_rows > 1 else N_("the newest row")
        parts.append(Text(message, {"rows": read.newest_rows}))
    if read.row_limit:
        parts.append(Text(_row_limit_message(read), {"rows": read.row_limit}))
    if read.row_kinds:
        names = TextList(element_label(spec, kind) for kind in read.row_kinds)
        parts.append(Text(N_("also rows of {kinds}"), {"kinds": names}))
    if read.newest_columns:
        message = N_("the newest {columns} columns") if read.newest_columns > 1 else N_("the newest column")
        parts.append(Text(message, {"columns": read.newest_columns}))
    if read.newest_versions:
        message = N_("the newest {versions} versions") if read.newest_versions > 1 else N_("the newest version")
        parts.append(Text(message, {"versions": read.newest_versions}))
    if read.match_share is not None and read.match_share < 1:
        parts.append(Text(N_("a filter that keeps {match_share} of the rows"), {"match_share": read.match_share}))
    if read.value_share is not None and read.value_share < 1:
        parts.append(Text(N_("{value_share} of each value"), {"value_share": read.value_share}))
    if read.keys_per_call and read.keys_per_call > 1:
        parts.append(Text(N_("{keys} keys per call"), {"keys": read.keys_per_call}))
    if read.reverse:
        parts.append(Text(N_("reverse scan")))
    return tuple(parts) or (Text(N_("everything")),)
