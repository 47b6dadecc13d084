"""JSON Schemas of what `keywright trace --json` prints: a summary of an access log, and its replay under other keys."""

from typing import Any

from .json_schema import BOOLEAN, COUNT, NUMBER, TEXT, Data, list_of, object_of, or_null

_UNREAD = object_of(reason=TEXT, lines=COUNT, first_lines=list_of(COUNT))
_LINES = object_of(**dict.fromkeys(("all", "requests", "headers", "blank", "unread", "unread_sizes"), COUNT))
_TIME: Data = {**TEXT, "format": "date-time"}


def summary_schema() -> dict[str, Any]:
    """Return the schema of a summary."""
    operation = object_of(
        operation=TEXT, prefix=or_null(TEXT), requests=COUNT, rate_per_second=NUMBER,
        busiest_hour_rate_per_second=NUMBER,
        requests_by_hour_of_week=list_of(NUMBER), mean_bytes=NUMBER, median_bytes=NUMBER, largest_bytes=NUMBER,
    )  # fmt: skip
    fit = object_of(
        popularity=object_of(kind=TEXT), distinct=NUMBER, is_estimate=BOOLEAN, error_share=NUMBER, busiest_share=NUMBER,
        newest_half=or_null(COUNT), apart=list_of(NUMBER), apart_theta=or_null(NUMBER), told_from=NUMBER,
    )  # fmt: skip
    following = object_of(
        operation=TEXT, following=or_null(TEXT), share=NUMBER, median_seconds=NUMBER, followed=COUNT,
        window_seconds=NUMBER,
    )  # fmt: skip
    definitions = {
        "Operation": operation,
        "Fit": fit,
        "Field": object_of(
            field=TEXT,
            segment=TEXT,
            distinct=NUMBER,
            is_estimate=BOOLEAN,
            at_least=or_null(COUNT),
            estimate=or_null(COUNT),
            fits=_by_name({"$ref": "#/$defs/Fit"}),
        ),
        "NextRequest": following,
        "Table": object_of(
            table=TEXT,
            kind=TEXT,
            key=TEXT,
            matching_share=NUMBER,
            requests_share=NUMBER,
            operations=list_of({"$ref": "#/$defs/Operation"}),
            fields=list_of({"$ref": "#/$defs/Field"}),
            busiest_keys=list_of(object_of(key=TEXT, share=NUMBER)),
            largest_rows=list_of(object_of(key=TEXT, bytes=NUMBER, operation=TEXT)),
            next_requests=list_of({"$ref": "#/$defs/NextRequest"}),
        ),
    }
    whole = object_of(
        format={"const": 1}, events=COUNT, first=_TIME, last=_TIME, left_out_events=COUNT, columns=_by_name(TEXT),
        lines=_LINES, unread=list_of(_UNREAD), is_cut=BOOLEAN, tables=list_of({"$ref": "#/$defs/Table"}),
    )  # fmt: skip
    return {**whole, "$defs": definitions}


def replay_schema() -> dict[str, Any]:
    """Return the schema of a replay of one table."""
    hot = {**object_of(share=NUMBER), "properties": {"first": TEXT, "end": TEXT, "share": NUMBER}}
    operation = object_of(events=COUNT, busiest_range_share=NUMBER, even_range_share=NUMBER)
    compared = object_of(
        rate_per_second=_pair(NUMBER), busiest_range_share=_pair(or_null(NUMBER)),
        busiest_range_share_by_row_kind=_by_name(_pair(or_null(NUMBER))),
        busiest_row_share=_pair(or_null(NUMBER)), busiest_row_allows_per_second=_pair(or_null(NUMBER)),
        node_seconds=NUMBER, replayed_node_seconds=NUMBER,
    )  # fmt: skip
    definitions = {
        "KeyLoad": object_of(
            key=TEXT, rows=COUNT, busiest_row_share=NUMBER, hottest_ranges=list_of(hot), operations=_by_name(operation)
        ),
        "Model": object_of(
            date={**TEXT, "format": "date"},
            begins_with_log=BOOLEAN,
            operations=_by_name(compared),
            node_share=_pair(NUMBER),
            busiest_hour_nodes=or_null(_pair(NUMBER)),
            nodes=or_null(_pair(or_null(NUMBER))),
            peak_nodes=or_null(
                object_of(
                    window_seconds=NUMBER,
                    replayed=NUMBER,
                    modelled=NUMBER,
                    busiest_range=object_of(
                        replayed=NUMBER, modelled=NUMBER, modelled_low=NUMBER, modelled_high=NUMBER
                    ),
                )
            ),
            rows_scanned=_by_name(_pair(or_null(NUMBER))),
            rows_scanned_are_least=BOOLEAN,
            reachable_factor=or_null(_pair(NUMBER)),
            monthly_bill=_pair(or_null(TEXT)),
            currency=TEXT,
        ),
    }
    counts = ("replayed_events", "events", "left_out_pattern", "left_out_unknown_time", "ranges")
    whole = object_of(
        table=TEXT, **dict.fromkeys(counts, COUNT), sampled_share=NUMBER, window_seconds=NUMBER,
        keys=list_of({"$ref": "#/$defs/KeyLoad"}), model=or_null({"$ref": "#/$defs/Model"}),
    )  # fmt: skip
    return {**whole, "$defs": definitions}


def unread_schema() -> dict[str, Any]:
    """Return the schema of one reason for which lines were not read."""
    return _UNREAD


def _by_name(schema: Data) -> Data:
    return {"type": "object", "additionalProperties": schema}


def _pair(schema: Data) -> Data:
    return object_of(replayed=schema, modelled=schema)
