"""Logs as Parquet, and compressed with zstd: the same requests as in the text, without pyarrow a sentence."""

import datetime
import decimal
import io
import tracemalloc
from typing import Any

import cramjam
import pyarrow
import pyarrow.parquet
import pytest

from estimator.traces import TraceFormError, UnreadLines, arrow, read_log
from estimator.traces.blocks import TraceEvent
from estimator.traces.events import NO_KEY, NO_OPERATION, NO_TIME

START_S = 1_790_000_000
ROWS = [(START_S + 7 * n, "put" if n % 3 else "get", f"u{n % 9}#\\x{n % 256:02x}", n % 50, "t") for n in range(3_000)]
TEXT = "time,op,key,bytes,table\n" + "".join("{},{},{},{},{}\n".format(*row) for row in ROWS)


def read(data: bytes, **options: Any) -> tuple[list[TraceEvent], UnreadLines]:
    unread = UnreadLines()
    return [event for block in read_log(io.BytesIO(data), unread, **options) for event in block], unread


def as_read(read_log: tuple[list[TraceEvent], UnreadLines]) -> Any:
    """Return what was read, without the names of the columns."""
    events, unread = read_log
    return events, unread.counts, unread.first, unread.is_cut


def parquet(columns: dict[str, Any]) -> bytes:
    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table(columns), written)
    return written.getvalue()


def columns_of(rows: Any) -> dict[str, Any]:
    return dict(
        zip(("Timestamp", "method", "row_key", "size", "table"), map(list, zip(*rows, strict=True)), strict=True)
    )


def test_a_parquet_file_tells_the_requests_of_the_text() -> None:
    expected = as_read(read(TEXT.encode()))
    columns = columns_of(ROWS)
    assert as_read(read(parquet(columns))) == expected
    moments = [datetime.datetime.fromtimestamp(time, datetime.UTC) for time in columns["Timestamp"]]
    assert as_read(read(parquet({**columns, "Timestamp": moments}))) == expected
    keys = [event.key for event in expected[0]]
    assert as_read(read(parquet({**columns, "row_key": keys}))) == expected, "bytes are keys as they are"
    renamed = dict(zip("abcde", columns.values(), strict=True))
    named = read(parquet(renamed), columns=("time", "operation", "key", "bytes", "table"))
    assert as_read(named) == expected
    assert named[1].columns == {"time": "a", "operation": "b", "key": "c", "bytes": "d", "table": "e"}


def test_rows_of_a_parquet_file_that_tell_nothing_are_counted() -> None:
    rows: list[Any] = [list(row) for row in ROWS[:50]]
    rows[3][0] = rows[10][1] = rows[20][2] = rows[30][3] = None
    found, unread = read(parquet(columns_of(rows)))
    assert unread.first == {NO_TIME: [4], NO_OPERATION: [11], NO_KEY: [21]}
    assert (len(found), found[27].value_bytes) == (47, None)


def test_a_log_may_be_compressed_with_zstd() -> None:
    packed = bytes(cramjam.zstd.compress(TEXT.encode()))
    assert read(packed) == read(TEXT.encode())
    assert len(read(packed + packed)[0]) == 2 * len(ROWS)
    with pytest.raises(OSError, match="Truncated"):
        read(packed[: len(packed) // 2])


def test_what_is_no_log_is_refused() -> None:
    for data, said in (
        (b"PAR1" + bytes(500) + b"PAR1", "damaged or cut off"),
        (parquet({"a": [1], "b": [2]}), "no columns of time and key"),
    ):
        with pytest.raises(TraceFormError, match=said):
            read(data)
    with pytest.raises(TraceFormError, match="fewer than 3 columns"):
        read(parquet({"a": [1], "b": [2]}), columns=("-", "time", "key"))


def test_an_upload_of_parquet_is_read_up_to_its_bound() -> None:
    columns = columns_of(ROWS)
    whole = read(parquet(columns))
    assert read(parquet(columns), bytes_max=1_000_000) == whole
    found, unread = read(parquet({**columns, "table": ["t" * 2_000] * len(ROWS)}), bytes_max=1 << 22)
    assert unread.is_cut == (found == [])
    with pytest.raises(TraceFormError, match="row groups of more than 0 MiB"):
        read(parquet(columns), bytes_max=10_000)


def test_long_values_that_many_rows_repeat_take_no_more_memory_than_lines() -> None:
    rows = 30_000
    long = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * rows, pyarrow.int32()), ["k" * 200_000])
    packed = parquet({"time": [START_S] * rows, "key": long, "table": long})
    tracemalloc.start()

    found, unread = read(packed, bytes_max=64 << 20)

    assert (found, unread.is_cut) == ([], True)
    assert unread.first == {NO_KEY: [*range(1, 11)]}
    assert len(packed) < 1 << 20
    assert tracemalloc.get_traced_memory()[1] + pyarrow.default_memory_pool().max_memory() < 100 << 20
    tracemalloc.stop()


def test_without_pyarrow_it_is_said_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrow, "_load", lambda name: None)
    for data in (bytes(cramjam.zstd.compress(TEXT.encode())), b"PAR1" + bytes(20)):
        with pytest.raises(TraceFormError, match=r"install keywright\[traces\]"):
            read(data)


def test_columns_that_no_text_can_say_are_refused_or_counted() -> None:
    rows = range(9)
    times, keys = pyarrow.array([START_S + n for n in rows]), pyarrow.array([f"u{n}" for n in rows])
    written = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.Table.from_arrays([times, keys, keys], names=["time", "key", "key"]), written)
    with pytest.raises(TraceFormError, match='two columns are called "key"'):
        read(written.getvalue())
    nested = pyarrow.array([{"key": f"u{n}"} for n in rows])
    _, unread = read(parquet({"time": times, "key": nested}))
    assert (unread.counts, unread.lines, unread.requests) == ({NO_KEY: 9}, 9, 0)


def test_decimal_sizes_are_read() -> None:
    sizes = pyarrow.array([decimal.Decimal("12.00"), None, decimal.Decimal("1.50")], pyarrow.decimal128(9, 2))
    found, unread = read(parquet({"time": [START_S] * 3, "key": ["a"] * 3, "bytes": sizes}))
    assert ([event.value_bytes for event in found], unread.sizes) == ([12, None, None], 1)


def test_a_parquet_file_tells_times_without_a_zone_and_keys_that_look_encoded() -> None:
    columns = columns_of(ROWS)
    moments = [datetime.datetime.fromtimestamp(time, datetime.UTC) for time in columns["Timestamp"]]
    local = [moment.replace(tzinfo=None) for moment in moments]
    encoded = [f"user{number % 90:03}".encode().hex() for number in range(len(ROWS))]

    def looks(**changed: Any) -> tuple[bool, str]:
        unread = read(parquet({**columns, **changed}))[1]
        return unread.has_no_zone, unread.likely_keys

    assert looks() == looks(Timestamp=moments) == (False, "text")
    assert looks(Timestamp=local) == looks(Timestamp=[str(moment) for moment in local]) == (True, "text")
    assert looks(row_key=encoded) == (False, "hex")
