"""A file → what was measured: the form is recognised. What is none of them is refused in a sentence with its place."""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from designer.document.texts import N_
from designer.document.validation_errors import InvalidDocumentError
from designer.imports import UTF_16
from designer.imports.keys import unescape
from designer.imports.shared.appearance import appearance
from designer.imports.shared.tool_errors import refuse_text_for_people, refuse_tool_error
from designer.imports.shared.yamls import documents

from .measurements import Measurement, ObservationError, ReadStats, SampledKeys
from .messages import read_message
from .numbers import KEY_READERS, read_count
from .rates import add_rate_intervals
from .rows import RULE, sampled_rows

FILE_BYTES_MAX = 64 << 20
_READ_STATS = re.compile(
    r"^\s*(rows_seen|rows_returned|cells_seen|cells_returned)_count: *(\d{1,18})\s*$", re.MULTILINE
)
_KEY_NAME, _OFFSET_NAME = re.compile("key", re.IGNORECASE), re.compile("offset|bytes|size", re.IGNORECASE)
_YAML_NAME = re.compile(r"^-? *name: projects/", re.MULTILINE)
NOTHING = N_(
    "not recognised: it looks like {looks}. These are read: gcloud bigtable tables describe --view=stats, hot-tablets "
    "list and clusters list with --format=json or yaml; sampled row keys as key and offset; rows that cbt read prints; "
    "request stats of ReadRows; timeSeries.list of Monitoring as JSON"
)

NO_NAMES = N_(
    "two columns without names, whose numbers are too small for bytes between sampled row keys: if they are, write "
    "key,offset above them"
)
STEP_BYTES = 64 << 10
"""Sampled row keys have more than so many bytes between them in the mean: a block of a table's files."""


EMPTY = N_("an empty list, which measures nothing")


def read_measurements(data: bytes, *, keys: str = "text", table: str = "") -> list[Measurement]:
    """Return what a file tells; sampled keys are written as `keys` says, and of `table` where the file names none.

    Raises
    ------
    ObservationError
        If it is damaged or of no known form, with its place.
    """
    if len(data) > FILE_BYTES_MAX:
        raise ObservationError(N_("larger than {size_bytes}"), size_bytes=FILE_BYTES_MAX)
    try:
        is_of_rows = data.lstrip(codecs.BOM_UTF8).lstrip().startswith(RULE.encode())
        encoding = "utf-16" if data.startswith(UTF_16) and len(data) > len(UTF_16) else "utf-8-sig"
        text = data.decode(encoding, "surrogateescape" if is_of_rows else "strict")  # keys are bytes there
    except UnicodeDecodeError as error:
        raise ObservationError(N_("not UTF-8 text, at byte {byte}"), byte=error.start) from None
    try:
        measurements = add_rate_intervals(list(_measurements(text, keys, table)))
    except ObservationError as error:
        if error.message == NOTHING:
            raise ObservationError(NOTHING, looks=appearance(text)) from None
        raise
    if not measurements:
        raise ObservationError(NOTHING, looks=appearance(text))
    pairs = [
        (measurement.keys[0], measurement.offset_bytes[0])
        for measurement in measurements
        if isinstance(measurement, SampledKeys)
    ]
    if len(pairs) == 0 or len(measurements) == 1:
        return measurements
    others = [measurement for measurement in measurements if not isinstance(measurement, SampledKeys)]
    return [*others, build_sampled_keys(pairs, table)]


def _measurements(text: str, keys: str, table: str) -> Iterator[Measurement]:
    if not text.strip():
        raise ObservationError(N_("the file is empty"))
    if text.lstrip()[0] in "[{":
        for place, message in _objects(_parse_json(text)):
            yield from read_message(message, place, keys=keys, table=table)
    elif _YAML_NAME.search(text):
        for place, message in _objects(_parse_yaml(text)):
            yield from read_message(message, place, keys=keys, table=table)
    elif (rows := sampled_rows(text.split("\n"), table)) is not None:
        yield rows
        if stats := dict(_READ_STATS.findall(text)):
            yield _read_stats(stats)
    elif stats := dict(_READ_STATS.findall(text)):
        yield _read_stats(stats)
    else:
        _refuse_tool_error(text)
        yield from _hot_tablets(text) or [_read_csv(text, keys, table)]


def _refuse_tool_error(text: str) -> None:
    """Raise an error if the text is what a tool says when it fails, or prints for people."""
    try:
        refuse_tool_error(text)
        refuse_text_for_people(text)
    except InvalidDocumentError as error:
        problem = error.problems[0]
        raise ObservationError(N_("line {line}: {problem}"), line=problem.line, problem=problem.text) from None
    if text.lstrip()[:14].strip("\"'").lower().startswith("timeseries id"):
        raise ObservationError(N_("a chart’s CSV does not name its metric: take the JSON of timeSeries.list"))


def _parse_json(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise ObservationError(N_("nested too deeply")) from None
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":  # one object after the other: a file of lines, or several answers
            return list(_json_values(text))
        raise ObservationError(N_("line {line}: not JSON"), line=error.lineno) from None
    except ValueError:
        raise ObservationError(N_("not JSON: a number is too long")) from None


def _json_values(text: str) -> Iterator[Any]:
    decoder, at = json.JSONDecoder(), 0
    while at < len(text):
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            raise ObservationError(N_("line {line}: not JSON"), line=text.count("\n", 0, at) + 1) from None
        yield value
        while at < len(text) and text[at].isspace():
            at += 1


def _parse_yaml(text: str) -> Any:
    try:
        return documents(text)
    except InvalidDocumentError as error:
        problem = error.problems[0]
        if problem.line:
            raise ObservationError(N_("line {line}: {problem}"), line=problem.line, problem=problem.text) from None
        raise ObservationError("{problem}", problem=problem.text) from None


def _objects(data: Any, place: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each message with its place; lists as the API itself answers are opened."""
    if isinstance(data, Mapping):
        if not data:  # an API leaves out lists that are empty
            raise ObservationError(EMPTY)
        list_name = next((name for name in LISTS if isinstance(data.get(name), list)), None)
        if list_name is None:
            yield place, data
            return
        data, place = data[list_name], f"{place}.{list_name}".lstrip(".")
    if isinstance(data, list) and not data:
        raise ObservationError(EMPTY)
    for number, message in enumerate(data if isinstance(data, list) else [data]):
        inner = f"{place}[{number}]"
        if (isinstance(message, list) and all(isinstance(entry, Mapping) for entry in message)) or (
            isinstance(message, Mapping) and any(isinstance(message.get(name), list) for name in LISTS)
        ):
            yield from _objects(message, inner)
        else:
            yield inner, message


LISTS = ("tables", "hotTablets", "hot_tablets", "clusters", "timeSeries", "time_series", "samples")


def _read_stats(stats: Mapping[str, str]) -> ReadStats:
    missing = [name for name in ("rows_seen", "rows_returned", "cells_seen", "cells_returned") if name not in stats]
    if missing:
        raise ObservationError(N_("the request stats have no {name}"), name=f"{missing[0]}_count")
    counts = {name: float(count) for name, count in stats.items()}
    return ReadStats(**counts, latency_seconds=None)


# --- CSV ---

TABLET_COLUMNS = {
    "name": "name", "table": "tableName", "tablename": "tableName", "starttime": "startTime", "endtime": "endTime",
    "startkey": "startKey", "endkey": "endKey", "cpuusage": "nodeCpuUsagePercent",
    "nodecpuusagepercent": "nodeCpuUsagePercent",
}  # fmt: skip
"""Columns of hot tablets by their names in small letters without `_`: gcloud's own with --format=csv, or its labels."""


def _hot_tablets(text: str) -> list[Measurement]:
    """Return the hot tablets of a CSV whose first line names their keys and load; none of any other text."""
    first, _, _ = text.partition("\n")
    delimiter = "\t" if "\t" in first else ","
    names = [
        TABLET_COLUMNS.get(name.strip().strip('"').lower().replace("_", ""), "") for name in first.split(delimiter)
    ]
    if not {"startKey", "endKey", "nodeCpuUsagePercent"} <= set(names):
        return []
    rows = csv.reader(io.StringIO(text), delimiter=delimiter)
    next(rows)
    tablets = list[Measurement]()
    try:
        for cells in rows:
            fields = {name: cell for name, cell in zip(names, cells, strict=False) if name and cell}
            if cells:
                tablets += read_message({"startKey": "", **fields}, f"line {rows.line_num}", keys="text", table="")
    except csv.Error:
        raise ObservationError(N_("line {line}: not CSV"), line=rows.line_num) from None
    return tablets


def _read_csv(text: str, keys: str, table: str) -> SampledKeys:
    """Return sampled row keys: a line for each key and the bytes before it, with or without a header."""
    lines = text.splitlines()
    delimiter = "\t" if "\t" in lines[0] else ","
    pairs: list[tuple[bytes, float]] = []
    has_header = False
    try:
        for number, cells in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter, strict=True), 1):
            pair = _pair(cells, number, keys, is_first=not pairs) if cells else None
            has_header |= bool(cells) and pair is None
            if pair is not None:
                pairs.append(pair)
    except csv.Error:
        raise ObservationError(NOTHING, looks="") from None
    sampled = build_sampled_keys(pairs, table)
    if not has_header and sampled.keys[-1] and sampled.offset_bytes[-1] < STEP_BYTES * len(pairs):
        raise ObservationError(NO_NAMES)
    return sampled


def _pair(cells: list[str], line: int, keys: str, *, is_first: bool) -> tuple[bytes, float] | None:
    if len(cells) != 2:
        if is_first:
            raise ObservationError(NOTHING, looks="")
        raise ObservationError(N_("line {line}: no key and offset"), line=line)
    offset = read_count(cells[1])
    if offset is None:
        if is_first and line == 1 and not cells[1].strip()[:1].isdigit():
            if _KEY_NAME.search(cells[0]) and _OFFSET_NAME.search(cells[1]):
                return None  # a header
            raise ObservationError(NOTHING, looks="")
        raise ObservationError(N_("line {line}: the offset is no number of bytes"), line=line)
    key = KEY_READERS[keys](cells[0]) if keys != "text" else unescape(cells[0].encode())
    if key is None:
        raise ObservationError(N_("line {line}: the row key is not {form}"), line=line, form=keys)
    return key, offset


def build_sampled_keys(pairs: list[tuple[bytes, float]], table: str) -> SampledKeys:
    """Return sampled keys, whose order is checked."""
    if not pairs:
        raise ObservationError(NOTHING, looks="")
    ordered = [key for key, _ in pairs if key]
    offsets = [offset for _, offset in pairs]
    if ordered != sorted(ordered) or offsets != sorted(offsets) or not all(key for key, _ in pairs[:-1]):
        raise ObservationError(N_("the sampled row keys are not in order; are they text, hex or base64?"))
    return SampledKeys(table, tuple(key for key, _ in pairs), tuple(offsets))
