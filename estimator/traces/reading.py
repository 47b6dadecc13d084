"""Lines of a log → requests: whole columns where lines are written alike, and one line at a time elsewhere."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from estimator.results.arrays import Flags, Ints

from .blocks import NO_SIZE, EventBlock, TraceEvent, join_blocks
from .byte_columns import ByteColumn
from .columns import read_keys, read_operations, read_sizes, read_tables, read_times
from .events import (
    FEW_COLUMNS,
    FIRST_LINES,
    KEY_MAX,
    KEY_READERS,
    LINE_MAX,
    NAMES_MAX,
    NO_KEY,
    NO_OPERATION,
    NO_TIME,
    OPEN_QUOTE,
    TOO_LONG,
    Column,
    Row,
    UnreadLines,
    read_object,
    read_operation,
    read_size,
    read_time,
)
from .forms import TraceForm, with_looks
from .line_columns import csv_columns, json_columns

BYTES_AT_ONCE = 1 << 20
_NEWLINE = ord("\n")


def read_events(lines: Iterable[bytes], form: TraceForm, unread: UnreadLines) -> Iterator[EventBlock]:
    """Yield the events of lines, many at a time, in their order; lines that tell none are added to `unread`."""
    return read_chunks(_chunks(lines), form, unread)


def _chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    parts, size = list[bytes](), 0
    for line in lines:
        parts.append(line if line.endswith(b"\n") else line + b"\n")
        size += len(line)
        if size >= BYTES_AT_ONCE:
            yield b"".join(parts)
            parts, size = [], 0
    yield b"".join(parts)


def read_chunks(chunks: Iterable[bytes], form: TraceForm, unread: UnreadLines) -> Iterator[EventBlock]:
    """Yield the events of chunks of whole lines, as `read_events`."""
    reader = ChunkReader(form, unread)
    for chunk in chunks:
        yield reader.read(chunk)


class CellReader:
    """Reads cells of whole columns, in their order."""

    def __init__(self, form: TraceForm, unread: UnreadLines) -> None:
        self._form, self._unread = form, unread
        unread.columns = form.column_names
        alone = {name: place for place, name in enumerate(form.columns)}
        self._read_event = _event_reader(replace(form, columns=alone))
        self._rows = 0
        """Read so far."""

    def read_cells(self, cells: Mapping[Column, Sequence[bytes]], count: int) -> EventBlock:
        """Return the events of the next rows; rows that tell none are counted."""
        columns = {name: ByteColumn.from_cells(texts) for name, texts in cells.items()}
        if not self._rows:
            firsts = (
                [cell.decode("utf-8", "replace") for cell in cells[name][:FIRST_LINES]] for name in ("time", "key")
            )
            form = with_looks(self._form, *firsts)
            self._unread.likely_keys, self._unread.has_no_zone = form.likely_keys, form.has_no_zone
        block, is_read = _read_columns(self._form, columns, count)
        first, self._rows = self._rows + 1, self._rows + count
        self._unread.lines += count
        self._unread.sizes += _unread_sizes(columns, block, is_read)
        if is_read.all():
            return block
        events, places = list[TraceEvent](), []
        for place in np.flatnonzero(~is_read).tolist():
            event = self._read_event(
                [cells[name][place].decode("utf-8", "surrogateescape") for name in self._form.columns]
            )
            if isinstance(event, str):
                self._unread.add(event, first + place)
            else:
                events.append(event)
                places.append(place)
                self._unread.sizes += event.value_bytes is None and bool(
                    cells["bytes"][place] if "bytes" in cells else b""
                )
        return _merge(block.select(is_read), np.flatnonzero(is_read), events, places)


def _merge(block: EventBlock, places: Ints, events: Sequence[TraceEvent], others: Sequence[int]) -> EventBlock:
    """Return the events of a block and others, by their places."""
    if not events:
        return block
    # Events read alone go back between the others, because popularity by age and deletions depend on the order of the
    # log.
    order = np.argsort(np.concatenate([places, np.array(others, dtype=np.int64)]), kind="stable")
    return join_blocks([block, EventBlock.from_events(events)]).take(order)


class ChunkReader:
    """Reads chunks of lines in their order."""

    def __init__(self, form: TraceForm, unread: UnreadLines) -> None:
        self._form, self._unread = form, unread
        unread.columns, unread.likely_keys, unread.has_no_zone = form.column_names, form.likely_keys, form.has_no_zone
        self._read_row = read_object if not form.delimiter else _csv_reader(form)
        self._read_event = _event_reader(form)
        self._has_header = form.has_header
        self._lines = 0
        """Read so far."""

    def __getstate__(self) -> tuple[TraceForm, UnreadLines, bool, int]:
        return self._form, self._unread, self._has_header, self._lines

    def __setstate__(self, state: tuple[TraceForm, UnreadLines, bool, int]) -> None:
        form, unread, has_header, lines = state
        ChunkReader.__init__(self, form, unread)
        self._has_header, self._lines = has_header, lines

    def read(self, chunk: bytes) -> EventBlock:
        """Return the events of the next lines."""
        # After this a carriage return is part of a cell, and `csv_columns` leaves such a line to the slow reader.
        chunk = chunk.replace(b"\r\n", b"\n") if b"\r" in chunk else chunk
        if self._has_header and chunk.strip():
            self._has_header = False
            begun = len(chunk) - len(chunk.lstrip())
            end = chunk.index(b"\n", begun) + 1
            line_count = chunk.count(b"\n", 0, end)
            self._lines += line_count
            self._unread.lines += line_count
            self._unread.headers, self._unread.blank = self._unread.headers + 1, self._unread.blank + line_count - 1
            chunk = chunk[end:]
        starts, ends = _line_bounds(chunk)
        first, self._lines = self._lines + 1, self._lines + starts.size
        self._unread.lines += starts.size
        split = csv_columns if self._form.delimiter else json_columns
        places, columns = split(chunk, starts, ends, self._form)
        block, is_read = _read_columns(self._form, columns, places.size)
        self._unread.sizes += _unread_sizes(columns, block, is_read)
        single = np.ones(starts.size, dtype=np.bool_)
        # What the columns did not read is tried alone, which also tells the reason where it cannot be read.
        single[places[is_read]] = False
        if not single.any():
            return block
        more, more_places = self._read_singly(chunk, starts, ends, first, np.flatnonzero(single))
        return _merge(block.select(is_read), places[is_read], more, more_places)

    def _read_singly(
        self, chunk: bytes, starts: Ints, ends: Ints, first: int, places: Ints
    ) -> tuple[list[TraceEvent], list[int]]:
        """Return the events of these lines and their places; lines that tell none are counted."""
        events, read_places = list[TraceEvent](), []
        for place in places.tolist():
            line = chunk[starts[place] : ends[place] + 1]
            if not line.strip():
                self._unread.blank += 1
                continue
            row = self._read_row(line) if len(line) <= LINE_MAX else TOO_LONG
            event = row if isinstance(row, str) else self._read_event(row)
            if isinstance(event, str):
                self._unread.add(event, first + place)
            else:
                events.append(event)
                read_places.append(place)
                size = self._form.columns.get("bytes")
                self._unread.sizes += size is not None and event.value_bytes is None and bool(row[size].strip())  # type: ignore[index]
        return events, read_places


def _read_columns(form: TraceForm, columns: Mapping[Column, ByteColumn], count: int) -> tuple[EventBlock, Flags]:
    """Return the events of rows, and which of them are read."""
    if not count:
        return EventBlock.from_events(()), np.zeros(0, dtype=np.bool_)
    if form.is_padded:
        columns = {name: column.without_space() for name, column in columns.items()}
    times, (keys, is_read) = read_times(columns["time"]), read_keys(columns["key"], form.keys)
    none = np.zeros(count, dtype=np.int64)
    codes = read_operations(columns["operation"]) if "operation" in columns else none
    sizes = read_sizes(columns["bytes"]) if "bytes" in columns else none + NO_SIZE
    tables, names = read_tables(columns["table"]) if "table" in columns else (none, ("",))
    is_read &= ~np.isnan(times) & (codes >= 0)
    return EventBlock(times, codes, keys, sizes, tables, names), is_read


def _unread_sizes(columns: Mapping[Column, ByteColumn], block: EventBlock, is_read: Flags) -> int:
    """Return how many of the rows that are read have a size that is no number of bytes."""
    if "bytes" not in columns:
        return 0
    return int(np.count_nonzero((block.value_bytes == NO_SIZE) & (columns["bytes"].lengths > 0) & is_read))


def _line_bounds(chunk: bytes) -> tuple[Ints, Ints]:
    """Return where lines begin, and where their line ends are."""
    ends = np.flatnonzero(np.frombuffer(chunk, dtype=np.uint8) == _NEWLINE)
    return np.concatenate([[0], ends[:-1] + 1])[: ends.size].astype(np.int64), ends


def _csv_reader(form: TraceForm) -> Callable[[bytes], Row | str]:
    """Return a function that gives the cells of a line, or why it has none."""
    needed = max(int(place) for place in form.columns.values()) + 1

    def read(line: bytes) -> Row | str:
        row = form.split(line.decode("utf-8", "surrogateescape").rstrip("\r\n"))
        if len(row) >= needed:
            return row
        return FEW_COLUMNS if row else OPEN_QUOTE

    return read


def _event_reader(form: TraceForm) -> Callable[[Row], TraceEvent | str]:
    """Return a function that gives the event of a line's cells, or why it tells none."""
    time, key = (form.columns[name] for name in ("time", "key"))
    operation, size, table = (form.columns.get(name) for name in ("operation", "bytes", "table"))
    read_key = KEY_READERS[form.keys]
    kinds: dict[str, str | None] = {}

    def read(row: Any) -> TraceEvent | str:
        time_s = read_time(row[time])
        if time_s is None:
            return NO_TIME
        kind: str | None = "read"
        if operation is not None:
            name = row[operation]
            if name not in kinds:
                if len(kinds) > NAMES_MAX:
                    kinds.clear()
                kinds[name] = read_operation(name)
            kind = kinds[name]
        if kind is None:
            return NO_OPERATION
        try:
            text = row[key].strip(" ") if form.is_padded else row[key]
            key_bytes = read_key(text.encode("utf-8", "surrogateescape"))
        except ValueError:
            return NO_KEY
        if not 0 < len(key_bytes) <= KEY_MAX:
            return NO_KEY
        value_bytes = None if size is None else read_size(row[size])
        return TraceEvent(time_s, kind, key_bytes, value_bytes, "" if table is None else row[table])

    return read
