"""Requests under both keys, as lines of text in English and as plain data."""

from collections.abc import Iterator
from typing import Any

from designer.document.key import as_text
from designer.wording.formatting import english, format_value

from .key_load import RANGES, KeyLoad
from .replay import Replay

HOT_RANGES = 3
"""So many of the busiest ranges are named."""


def replay_lines(replay: Replay, *, shows_keys: bool = True) -> Iterator[str]:
    """Yield the lines about the load under both keys: a line for each, and the hottest ranges of the new one."""
    if replay.is_whole:
        yield f"replayed {replay.requests:,} requests"
        if replay.counted_rows_share < 1:
            yield f"rows are told by a sample of {format_value('share', replay.counted_rows_share)} of them"
    else:
        share = format_value("share", replay.sampled_share)
        yield f"replayed {replay.requests:,} requests, a sample of {replay.total:,} ({share})"
        yield "of all requests: rates, hours, rows scanned, nodes needed and the bill; of the sample: ranges and rows"
    for count, reason in (
        (replay.other_pattern, "their keys have another pattern or do not fit the new one"),
        (replay.unknown_time, "the time of the row that they read or delete is not in the log's keys"),
    ):
        if count:
            yield f"left out: {count:,} requests, {reason}"
    window = english("{window_seconds}", {"window_seconds": replay.window_seconds})
    yield f"busiest range: share of the requests in {window} for the busiest of {RANGES} ranges with equally many rows"
    rows = [("row key", "rows", "busiest row", *_operation_names(replay))]
    rows += [_load_cells(load) for load in replay.loads]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
    if shows_keys:
        for hot in replay.loads[-1].hottest_ranges(HOT_RANGES):
            end = f"below {as_text(hot.end)}" if hot.end else "to the last row"
            yield f"hot range: {as_text(hot.first)} {end}, {format_value('share', hot.share)} of all requests"


def _operation_names(replay: Replay) -> tuple[str, ...]:
    return tuple(f"busiest range, {name}s" for name in replay.loads[0].operations)


def _load_cells(load: KeyLoad) -> tuple[str, ...]:
    shares = (
        f"{format_value('share', operation.busiest_share)} (chance {format_value('share', operation.even_share)})"
        for operation in load.operations.values()
    )
    return load.key, f"{load.rows:,}", format_value("share", load.busiest_row_share), *shares


def replay_data(replay: Replay, *, shows_keys: bool = True) -> dict[str, Any]:
    """Return the load under both keys as plain data."""
    return {
        "replayed_events": replay.requests,
        "events": replay.total,
        "sampled_share": replay.sampled_share,
        "left_out_pattern": replay.other_pattern,
        "left_out_unknown_time": replay.unknown_time,
        "window_seconds": replay.window_seconds,
        "ranges": RANGES,
        "keys": [
            {
                "key": load.key,
                "rows": load.rows,
                "busiest_row_share": load.busiest_row_share,
                "hottest_ranges": [
                    {
                        **({"first": as_text(hot.first), "end": as_text(hot.end)} if shows_keys else {}),
                        "share": hot.share,
                    }
                    for hot in load.hottest_ranges(HOT_RANGES)
                ],
                "operations": {
                    name: {
                        "events": operation.requests,
                        "busiest_range_share": operation.busiest_share,
                        "even_range_share": operation.even_share,
                    }
                    for name, operation in load.operations.items()
                },
            }
            for load in replay.loads
        ],
    }
