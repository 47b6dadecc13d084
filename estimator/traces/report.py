"""Results of a log, as lines of text in English and as plain data."""

import datetime
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from designer.document import Spec
from designer.document.key import as_text
from designer.document.keytext import render_key
from designer.document.popularity import Latest, Popularity, Uniform, Weights, Zipf
from designer.document.texts import N_, Text, TextList
from designer.wording.formatting import english, format_value

from .blocks import HOUR_SECONDS
from .events import UnreadLines
from .kind_counts import FieldUse
from .popularity import PopularityFit
from .row_uses import NextRequest
from .summary import OperationUse, TableUse, TraceSummary

MINUTES = "%Y-%m-%d %H:%M"
TOLD_FROM = 0.01
"""If busy values must exceed others by so much to be told from a law, the report says so."""
APART = N_(
    "Apart from the others’ skew (Zipf, θ {theta}): values with {shares} of the requests, which no distribution of a "
    "design holds."
)
UNTOLD = N_(
    "A value that has less than {least_share} more than the tenth busiest may be no part of it: too few requests."
)
LATE_SHARE = 0.01
"""If so many requests stand behind later ones, the report says so."""


def summary_lines(summary: TraceSummary) -> Iterator[str]:
    """Yield the lines of the report."""
    span = english("{span_days}", {"span_days": summary.span_days})
    first, last = summary.first, summary.last
    yield f"{_request_count(summary.events)} in {span}, {first:{MINUTES}} to {last:{MINUTES}} UTC"
    if summary.unread.columns:
        yield "columns: " + ", ".join(f"{column} = {name}" for column, name in summary.unread.columns.items())
        if "operation" not in summary.unread.columns:
            yield "no column of operations was found: every request counts as a read"
    yield from _line_count_lines(summary.unread)
    if summary.unread.is_cut:
        yield "only a part of the log was read, which is longer"
    for reason, count in summary.unread.counts.most_common():
        line_numbers = summary.unread.first[reason]
        numbers = ", ".join([*map(str, line_numbers), *(["…"] if count > len(line_numbers) else [])])
        lines = "1 line" if count == 1 else f"{count:,} lines"
        yield f"not read: {lines}, {reason} (line {numbers})"
    if summary.unread.sizes:
        yield f"sizes that are no number of bytes: {_request_count(summary.unread.sizes)}, which count without one"
    if summary.unread.likely_keys != "text":
        form = summary.unread.likely_keys
        yield f"the keys look like {form} and were read as text: --keys {form} reads what they stand for"
    yield from _time_lines(summary)
    if summary.left_out:
        yield f"left out: {summary.left_out:,} requests of further tables"
    for name, uses in groupby(summary.tables, attrgetter("table")):
        kinds = tuple(uses)
        if len(kinds) > 1:
            yield ""
            yield f"{name or 'table'}: {len(kinds)} row kinds, distinguished by the form of their keys"
        for table in kinds:
            yield ""
            yield from _table_lines(table)


def _time_lines(summary: TraceSummary) -> Iterator[str]:
    """Yield what the times of the log leave open."""
    if summary.unread.has_no_zone:
        yield "times name no zone, so they were read as UTC"
    if summary.late_share >= LATE_SHARE:
        late = format_value("share", summary.late_share)
        yield f"{late} of the requests are a minute or more older than one before them: sort the log for what follows"
    if summary.has_outlying_times:
        most = english("{most_days}", {"most_days": summary.most_days})
        yield f"nearly all requests came within {most}: check the others' times, by which rates are too low"
    elif summary.gap_s is not None:
        gap = english("{gap_days}", {"gap_days": summary.gap_days})
        begin, end = (datetime.datetime.fromtimestamp(time_s, datetime.UTC) for time_s in summary.gap_s)
        yield (
            f"no requests in {gap}, {begin:{MINUTES}} to {end:{MINUTES}} UTC: where the log leaves them out, "
            "rates on average are too low"
        )
    if summary.is_of_a_moment:
        yield "all requests came within a second, so the log tells no rate: those below are as if it were one second"


def _line_count_lines(unread: UnreadLines) -> Iterator[str]:
    """Yield how the lines add up, if some are no request."""
    others = ((unread.headers, "header"), (unread.blank, "blank"), (unread.counts.total(), "not read"))
    parts = [f"{count:,} {what}" for count, what in others if count]
    if parts:
        yield f"{unread.lines:,} lines: {_request_count(unread.requests)}, {', '.join(parts)}"


def _request_count(requests: int) -> str:
    return f"{requests:,} request{'' if requests == 1 else 's'}"


def _table_lines(table: TableUse) -> Iterator[str]:
    key = key_text(table)
    share = format_value("share", table.matching_share)
    name = ", ".join(filter(None, (table.table or "table", table.kind)))
    if not key:
        yield f"{name}: no key pattern found"
    elif not table.kind:
        yield f"{name}: {key}, {share} of the requests"
    else:
        of_table = format_value("share", table.requests_share)
        others = "" if table.matching_share == 1 else f"; the pattern fits {share} of them"
        yield f"{name}: {key}, {of_table} of the table's requests{others}"
    for operation in table.operations:
        yield f"  {_operation_line(operation, table)}"
    for field in table.fields:
        yield from (f"  {line}" for line in _field_lines(field, table))
    busiest = ", ".join(f"{as_text(key)} {format_value('share', share)}" for key, share in table.busiest_keys[:3])
    yield f"  busiest keys: {busiest}"
    if table.largest_rows:
        rows = (
            f"{as_text(row.key)} {format_value('bytes', row.bytes)} ({row.operation})" for row in table.largest_rows
        )
        yield f"  largest rows, by one request: {', '.join(rows)}"
    for kind in dict.fromkeys(step.operation for step in table.next_requests):
        yield f"  {_next_line(kind, [step for step in table.next_requests if step.operation == kind])}"


def _next_line(operation: str, following: Sequence[NextRequest]) -> str:
    parts = []
    for next_request in following:
        share = format_value("share", next_request.share)
        if next_request.median_seconds is None:
            parts.append(f"{share} nothing")
        else:
            gap = english("{gap_seconds}", {"gap_seconds": next_request.median_seconds})
            parts.append(f"{share} {next_request.following} (median {gap})")
    window = english("{window_seconds}", {"window_seconds": following[0].window_seconds})
    return (
        f"after a {operation}, for the same row within {window}, of a sample of {following[0].followed:,}: "
        f"{', '.join(parts)}"
    )


def key_text(table: TableUse) -> str:
    """Return the pattern of a table's keys as text; empty if none was found."""
    proposal = table.proposal
    return render_key(Spec(fields=proposal.fields), proposal.segments) if proposal.segments else ""


def prefix_text(use: OperationUse, table: TableUse) -> str:
    """Return what scans know of the keys as text; empty for other operations."""
    return render_key(Spec(fields=table.proposal.fields), table.proposal.segments[: use.prefix]) if use.prefix else ""


def _operation_line(use: OperationUse, table: TableUse) -> str:
    mean = format_value("rate_per_second", float(use.hours.mean()) / HOUR_SECONDS)
    busiest = format_value("rate_per_second", use.busiest_per_second)
    name = f"{use.operation} of {prefix_text(use, table)}" if use.prefix else use.operation
    line = f"{name}: {_request_count(use.requests)}, {mean} on average, {busiest} in the busiest hour"
    if use.peak_hour is not None:
        line += f", peak at {use.peak_hour:02}:00 UTC"
    if use.mean_bytes is not None:
        mean_bytes, largest = (format_value("bytes", size) for size in (use.mean_bytes, use.largest_bytes))
        line += f", {mean_bytes} on average, at most {largest}"
    return line


def _field_lines(use: FieldUse, table: TableUse) -> Iterator[str]:
    name = next((field.name for field in table.proposal.fields if field.id == use.field), use.field)
    names = {field.id: field.name for field in table.proposal.fields}
    owner = next((field.belongs_to for field in table.proposal.fields if field.id == use.field), None)
    if owner in names:
        yield f"{name}: each value belongs to one {names[owner]}"
    if not use.fits:
        yield f"{name}: {_value_count(use)}, nearly each of its own request"
    for operation, fit in sorted(use.fits.items()):
        yield f"{name}, {operation}: {_value_count(fit)}, {describe_popularity(fit)}"
    if not use.is_known:
        yield (
            f"{name}: at least {use.at_least:,} values; new ones still come with the lines, so their number is open "
            f"(estimate: {use.estimate:,})"
        )


def _value_count(use: FieldUse | PopularityFit) -> str:
    """Return a number of values, marked where it is more than a count."""
    if not use.is_estimate:
        return f"{use.distinct:,} values"
    return f"{use.distinct:,} values (estimated: {f'{use.came:,} came' if use.came else 'a sample was counted'})"


def describe_popularity(fit: PopularityFit) -> str:
    """Return a fit in words."""
    points = 100 * fit.error_share
    quality = f"the fit is {'poor, ' if fit.is_poor else ''}off by {points:.1f} percentage points at most"
    first = "newest" if isinstance(fit.popularity, Latest) else "busiest"
    if fit.newest_half is not None:
        quality = f"half of the requests are for the newest {fit.newest_half:,}; {quality}"
    sentence = apart_text(fit)
    apart = f". {english(sentence.message, sentence.params)}" if sentence else ""
    return f"{_law(fit.popularity)}, the {first} {format_value('share', fit.busiest_share)}; {quality}{apart}"


def apart_text(fit: PopularityFit) -> Text | None:
    """Return a sentence about busy values that are no part of the law, or from where on they would be told."""
    if fit.apart_law is not None:
        shares = TextList(Text("{busy_share}", {"busy_share": share}) for share in fit.apart)
        return Text(APART, {"shares": shares, "theta": fit.apart_law.theta})
    if isinstance(fit.popularity, Zipf) and fit.told_from >= TOLD_FROM:
        return Text(UNTOLD, {"least_share": fit.told_from})
    return None


def _law(popularity: Popularity) -> str:
    match popularity:
        case Uniform():
            return "evenly used"
        case Zipf():
            above = len(popularity.busiest)
            busy = f"{above} busy value{'s' * (above > 1)} above " if above else ""
            return f"{busy}Zipf θ = {popularity.theta:g}"
        case Latest():
            return f"the newest most, θ = {popularity.theta:g}"
        case Weights() if len(popularity.weights) == 1:
            return "one busy value beside an even rest"
        case Weights():
            return f"{len(popularity.weights)} busy values beside an even rest"
    return popularity.kind


def summary_data(summary: TraceSummary) -> dict[str, Any]:
    """Return the summary as plain data: times in ISO 8601, rates per second."""
    unread = summary.unread
    return {
        "format": 1,
        "events": summary.events,
        "first": summary.first.isoformat(),
        "last": summary.last.isoformat(),
        "left_out_events": summary.left_out,
        "columns": dict(unread.columns),
        "lines": line_data(unread),
        "unread": unread_data(unread),
        "is_cut": unread.is_cut,
        "tables": [_table_data(table) for table in summary.tables],
    }


def line_data(unread: UnreadLines) -> dict[str, int]:
    """Return how the lines add up as plain data."""
    return {
        "all": unread.lines,
        "requests": unread.requests,
        "headers": unread.headers,
        "blank": unread.blank,
        "unread": unread.counts.total(),
        "unread_sizes": unread.sizes,
    }


def unread_data(unread: UnreadLines) -> list[dict[str, Any]]:
    """Return the reasons for which lines were not read as plain data."""
    return [
        {"reason": reason, "lines": count, "first_lines": unread.first[reason]}
        for reason, count in unread.counts.most_common()
    ]


def _table_data(table: TableUse) -> dict[str, Any]:
    return {
        "table": table.table,
        "kind": table.kind,
        "key": key_text(table),
        "matching_share": table.matching_share,
        "requests_share": table.requests_share,
        "operations": [_operation_data(use, table) for use in table.operations],
        "fields": [_field_data(use) for use in table.fields],
        "busiest_keys": [{"key": as_text(key), "share": share} for key, share in table.busiest_keys],
        "largest_rows": [
            {"key": as_text(row.key), "bytes": row.bytes, "operation": row.operation} for row in table.largest_rows
        ],
        "next_requests": [
            {
                "operation": next_request.operation,
                "following": next_request.following or None,
                "share": next_request.share,
                "median_seconds": next_request.median_seconds,
                "followed": next_request.followed,
                "window_seconds": next_request.window_seconds,
            }
            for next_request in table.next_requests
        ],
    }


def _operation_data(use: OperationUse, table: TableUse) -> dict[str, Any]:
    return {
        "operation": use.operation,
        "prefix": prefix_text(use, table) or None,
        "requests": use.requests,
        "rate_per_second": float(use.hours.mean()) / HOUR_SECONDS,
        "busiest_hour_rate_per_second": use.busiest_per_second,
        "requests_by_hour_of_week": use.hours.tolist(),
        "mean_bytes": use.mean_bytes,
        "median_bytes": use.median_bytes,
        "largest_bytes": use.largest_bytes,
    }


def _field_data(use: FieldUse) -> dict[str, Any]:
    fits = {
        operation: {
            "popularity": fit.popularity.model_dump(mode="json"),
            "distinct": fit.distinct,
            "is_estimate": fit.is_estimate,
            "error_share": fit.error_share,
            "busiest_share": fit.busiest_share,
            "newest_half": fit.newest_half,
            "apart": list(fit.apart),
            "apart_theta": fit.apart_law.theta if fit.apart_law else None,
            "told_from": fit.told_from,
        }
        for operation, fit in use.fits.items()
    }
    figures = {"field": use.field, "segment": use.segment, "distinct": use.distinct, "is_estimate": use.is_estimate}
    return {**figures, "at_least": use.at_least or None, "estimate": use.estimate or None, "fits": fits}
