"""Lines of access logs: which columns they have, which requests they tell, and what is said of the others."""

import base64
import bz2
import codecs
import datetime
import gzip
import io
import json
import lzma
import math
import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from estimator.traces import TraceForm, TraceFormError, UnreadLines, find_form, read_events, read_log, reading, streams
from estimator.traces.blocks import TraceEvent
from estimator.traces.byte_columns import ByteColumn
from estimator.traces.columns import read_times
from estimator.traces.events import (
    FEW_COLUMNS,
    KEY_READERS,
    LINE_MAX,
    NO_KEY,
    NO_OBJECT,
    NO_OPERATION,
    NO_TIME,
    OPEN_QUOTE,
    TOO_LONG,
    KeyForm,
    read_operation,
    read_time,
)
from tests.cases import cases

MORNING_S = 1_790_000_000.0


def events(*lines: bytes, unread: UnreadLines | None = None, **form: object) -> list[TraceEvent]:
    unread = UnreadLines() if unread is None else unread
    found = find_form(lines, **form)  # type: ignore[arg-type]
    return [event for block in read_events(lines, found, unread) for event in block]


@pytest.mark.parametrize(
    "lines",
    [
        (b"time,operation,key,bytes,table\n", b"1790000000,put,u1#a,7,t\n"),
        (b"Table;KEY;ts;Value Size;Method\n", b"t;u1#a;1790000000;7;PUT\n"),
        (b"timestamp\trow_key\tsize\top\ttable_id\n", b"2026-09-21T14:13:20Z\tu1#a\t7\tinsert\tt\n"),
        (b'{"ts": 1790000000000, "RowKey": "u1#a", "size": 7, "verb": "Set", "table": "t"}\n',),
        (b'time,operation,key,bytes,table\n', b'"1790000000.0","bigtable.MutateRow","u1#a","7","t"\n'),
    ],
)  # fmt: skip
def test_columns_are_known_by_their_names(lines: tuple[bytes, ...]) -> None:
    assert events(*lines) == [TraceEvent(MORNING_S, "write", b"u1#a", 7, "t")]


def test_columns_without_names_are_known_by_their_contents() -> None:
    lines = [b"%d,get,%d,user%04d#x\n" % (1_790_000_000 + n, 100 + n % 3, n) for n in range(50)]
    assert find_form(lines) == TraceForm({"time": 0, "operation": 1, "key": 3, "bytes": 2}, ",")
    assert events(*lines)[1] == TraceEvent(MORNING_S + 1, "read", b"user0001#x", 101, "")


def test_columns_with_names_of_their_own_are_known_by_their_contents() -> None:
    lines = [b"zeit;schluessel;art;menge\n"]
    lines += [b"%d;user%04d#x;%s;\n" % (1_790_000_000 + n, n, b"ReadRows") for n in range(50)]
    lines += [b"1790000060;user0007#x;DeleteFromRow;\n", b"1790000061;user0008#x;MutateRow;12\n"]
    unread = UnreadLines()
    found = events(*lines, unread=unread)
    assert (len(found), unread.counts.total()) == (52, 0), "the first line is no request"
    assert found[-1] == TraceEvent(MORNING_S + 61, "write", b"user0008#x", 12, ""), "few requests have a size"
    assert found[-2].operation == "delete"
    assert unread.columns == {"time": "zeit", "operation": "art", "key": "schluessel", "bytes": "menge"}


def test_a_log_of_times_and_keys_alone_is_of_reads() -> None:
    lines = [b"2026-09-21T14:13:20+00:00 user%d\n" % n for n in range(9)]
    assert {event.operation for event in events(*lines)} == {"read"}


def test_columns_may_be_named() -> None:
    lines = (b"x,1790000000,k1,9\n", b"y,1790000001,k2,9\n")
    assert [event.key for event in events(*lines, columns=("-", "time", "key"))] == [b"k1", b"k2"]
    for columns, said in (
        (("time",), "need time and key"),
        (("time", "key", "a"), '"a" is no column'),
        (("-",) * 9 + ("time", "key"), "fewer than 11"),
    ):
        with pytest.raises(TraceFormError, match=said):
            events(*lines, columns=columns)


@pytest.mark.parametrize(
    "lines",
    [
        (b"method,of row,when,n\n", b"put,k1,1790000000,7\n"),
        (b'{"when": 1790000000, "method": "put", "of row": "k1", "n": 7}\n',),
    ],
)
def test_columns_may_be_told_by_their_names(lines: tuple[bytes, ...]) -> None:
    told = ("time=when", "operation=method", "key=of row", "bytes=n")
    assert events(*lines, columns=told) == [TraceEvent(MORNING_S, "write", b"k1", 7, "")]
    for columns, said in (
        (("time=when", "key"), "all columns by name"),
        (("time=when",), "need time and key"),
        (("time=when", "row=of row"), '"row" is no column'),
    ):
        with pytest.raises(TraceFormError, match=said):
            events(*lines, columns=columns)
    with pytest.raises(TraceFormError, match=r"told by their names|all columns by name|fewer than 5"):
        events(*lines, columns=("-",) * 3 + ("time", "key"))


def test_how_columns_were_read_is_told() -> None:
    for lines, columns, names in (
        ((b"op,Row Key,ts\n", b"get,k1,1790000000\n"), (), {"time": "ts", "operation": "op", "key": "Row Key"}),
        ((b"1790000000,k1\n",), ("time", "key"), {"time": "1", "key": "2"}),
        ((b'{"TS": 1790000000, "row": "k"}\n',), (), {"time": "TS", "key": "row"}),
    ):
        unread = UnreadLines()
        list(read_log(io.BytesIO(b"".join(lines)), unread, columns=columns))
        assert unread.columns == names


@pytest.mark.parametrize("lines", [(), (b"\n",), (b"hello\n", b"world\n"), (b'{"a": 1}\n',), (b"{\n",)])
def test_a_log_without_times_and_keys_is_refused(lines: tuple[bytes, ...]) -> None:
    with pytest.raises(TraceFormError):
        events(*lines)


@cases("text, seconds", [
        ("1790000000", MORNING_S), ("1790000000.25", MORNING_S + 0.25), ("1790000000000", MORNING_S),
        ("1790000000000000", MORNING_S), ("1790000000000000000", MORNING_S), ("2026-09-21T14:13:20", MORNING_S),
        ("2026-09-21 16:13:20+02:00", MORNING_S), ("2026-09-21T14:13:20.000Z", MORNING_S),
        ("12", None), ("315532800", None), ("99999999999", None), ("2150-01-01T00:00", None),
        ("nan", None), ("-1e12", None), ("2026-09-21", None), ("", None), ("1e999", None),
        ("2026-09-21T14:13:020Z", None), ("2026-09-21T14:013Z", None), ("2026-09-21T014Z", None),
        ("2026-09-21T14:13:20.Z", None), ("20260921T141320Z", MORNING_S), ("2026-09-21T14:13:20,25Z", MORNING_S + 0.25),
        ("2026-W39-1T14:13:20Z", MORNING_S), ("2026-09-21 14:13:20 +00:00", MORNING_S),
    ])  # fmt: skip
def test_times_are_epoch_numbers_or_dates(text: str, seconds: float | None) -> None:
    found = read_time(text)
    assert found is None if seconds is None else found == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("keys", "text", "key"),
    [
        ("text", rb"a\x00b", b"a\0b"), ("text", "é".encode(), "é".encode()), ("hex", b"0x00ff", b"\0\xff"),
        ("hex", b"00ff", b"\0\xff"), ("base64", b"AP8=", b"\0\xff"), ("base64", b"__8=", b"\xff\xff"),
    ],
)  # fmt: skip
def test_keys_are_text_hexadecimal_or_base64(keys: str, text: bytes, key: bytes) -> None:
    assert events(b"time,key\n", b"1790000000," + text + b"\n", keys=keys)[0].key == key


def test_a_second_of_three_digits_is_refused_with_its_line() -> None:
    unread = UnreadLines()
    lines = [b"2026-09-21T14:13:%02dZ,read,k%d\n" % (n, n) for n in range(3)]
    form = find_form([b"time,op,key\n", *lines], keys="text")
    found = list(read_events([b"time,op,key\n", *lines, b"2026-09-21T00:01:002Z,read,k\n", *lines], form, unread))
    assert sum(map(len, found)) == 6
    assert unread.first == {NO_TIME: [5]}


def test_what_cannot_be_read_is_counted_with_its_line() -> None:
    unread = UnreadLines()
    lines = (
        b"time,op,key\n", b"1790000000,get,k\n", b"yesterday,get,k\n", b"1790000000,dance,k\n", b"1790000000,get,\n",
        b"1790000000\n", b"\n", b'1790000000,get,"k\n', b"1790000000,get,%b\n" % (b"k" * 5_000), b"k" * (LINE_MAX + 2),
    )  # fmt: skip
    assert len(events(*lines, unread=unread)) == 1
    assert unread.first == {
        NO_TIME: [3],
        NO_OPERATION: [4],
        NO_KEY: [5, 9],
        FEW_COLUMNS: [6],
        OPEN_QUOTE: [8],
        TOO_LONG: [10],
    }


def test_a_space_behind_each_delimiter_is_no_part_of_a_key() -> None:
    lines = [b"1790000000, get, k%d, %d\n" % (n, n) for n in range(9)]
    assert {(event.key[:1], event.value_bytes) for event in events(*lines)} == {(b"k", n) for n in range(9)}
    assert events(*lines, b"1790000000, get,k9, 9\n")[0].key == b" k0"


def test_a_header_may_come_after_empty_lines() -> None:
    unread = UnreadLines()
    lines = (b"\n", b" \r\n", b"key,time\n", b"k,1790000000\n", b"k,x\n")
    assert [event.key for event in events(*lines, unread=unread)] == [b"k"]
    assert unread.first == {NO_TIME: [5]}


def read_stream(data: bytes) -> tuple[list[TraceEvent], UnreadLines]:
    unread = UnreadLines()
    return [event for block in read_log(io.BytesIO(data), unread) for event in block], unread


def test_a_log_may_begin_with_the_mark_of_utf_8() -> None:
    for text in (b"key,time\nk,1790000000\n", b'{"key": "k", "time": 1790000000}\n'):
        found, unread = read_stream(codecs.BOM_UTF8 + text)
        assert ([event.key for event in found], unread.counts.total()) == ([b"k"], 0)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ("time,key\n".encode("utf-16"), "UTF-16"), (bz2.compress(b"time,key\n"), "by bzip2"),
        (lzma.compress(b"time,key\n"), "by xz"), (b'[{"time": 1790000000, "key": "k"}]', "JSON array"),
    ],
)  # fmt: skip
def test_a_log_that_is_written_in_another_way_is_refused_with_what_to_do(data: bytes, said: str) -> None:
    with pytest.raises(TraceFormError, match=said):
        read_stream(data)


def test_lines_are_whole_wherever_a_chunk_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [b"%d,get,key%d,%d\n" % (1_790_000_000 + n, n, n) for n in range(300)]
    lines[100:100] = [b"x" * 3 * LINE_MAX + b"\n", b"y" * (LINE_MAX + 5) + b"\n"]
    expected = read_stream(b"".join(lines))
    monkeypatch.setattr(streams, "BYTES_AT_ONCE", 1_009)
    assert read_stream(b"".join(lines).rstrip()) == expected
    assert (len(expected[0]), expected[1].first) == (300, {TOO_LONG: [101, 102]})


def spoiled(line: str, random: np.random.Generator) -> bytes:
    """Return a line with something odd in it."""
    cells = line.split(",")
    odd = ("", " ", '"', '"a,b"', "nan", "1e9", "2026-09-21T14:13:20+02:00", "\\x00", "é", "٣", "\r", "k" * 5_000, ",")
    cells[random.integers(len(cells))] = odd[random.integers(len(odd))]
    return ",".join(cells).encode()


@pytest.mark.parametrize("seed", range(6))
def test_lines_read_together_tell_what_each_tells_alone(seed: int) -> None:
    random = np.random.default_rng(seed)
    moments = ("1790000000", "1790000000.25", "2026-09-21T14:13:20Z", "2026-09-21 14:13:20.123456789", "1790000000123")
    text = f"{moments[seed % len(moments)]},put,u{seed}#1,7,t"
    lines = [spoiled(text, random) if random.random() < 0.2 else text.encode() for _ in range(200)]
    form = TraceForm({"time": 0, "operation": 1, "key": 2, "bytes": 3, "table": 4}, ",")
    together, alone = UnreadLines(), UnreadLines()
    found = [event for block in read_events(lines, form, together) for event in block]
    single = [event for line in lines for block in read_events([line], form, alone) for event in block]
    assert found == single
    assert together.counts == alone.counts
    assert len(found) > 150


ODD_OBJECTS = (
    '{"time": 1790000000, "op": "get", "key": "k", "bytes": 7, "x": [1]}',
    '{"time": 01790000000, "op": "get", "key": "k"}',
    '{"time": 1790000000.50, "op": "get", "key": "k", "bytes": null}',
    '{"time": 1790000000, "op": "get", "key": 7}',
    '{"time": 1790000000, "op": "get", "key": "a\\u00e9", "bytes": 7}',
    '{"time": NaN, "op": "get", "key": "k", "bytes": 7}',
    '{"time": 1790000000, "op": "get", "key": "é", "bytes": 7.0}',
    '{"time": 1790000000, "op": "get", "key": "k", "bytes": 007}',
    '{"time": 1790000000, "op": "get", "key": "", "bytes": 7}',
    '{"time": 1790000000, "op": "get", "key": "a\tb", "bytes": 7}',
    '{"time":1790000000,"op":"get","key":"k","bytes":7}',
    '{"time": 1790000000, "op": "get", "key": "k", "key": "j"}',
    '{"time": "1790000000", "op": "put", "key": "k", "bytes": "7"}',
    '{"time": 1790000000, "op": "get", "key": "k", "bytes": 7} ',
    '{"time": 1790000000, "op": "get", "key": "k", "bytes": 7}}',
    '{"time": 1790000000, "op": "get", "key": 1.50, "bytes": 1.00}',
    '{"time": 1790000000, "op": "get", "key": "k", "bytes": -7}',
    '{"time": 1.79e9, "op": "get", "key": true, "bytes": 7}',
)


@pytest.mark.parametrize("seed", range(6))
def test_objects_and_quoted_lines_read_together_tell_what_each_tells_alone(seed: int) -> None:
    draw = random.Random(seed)
    forms = (
        '{"time": %d, "op": "get", "key": "k%d", "bytes": %d}',
        '{"op":"put","x":%d.5,"key":"k%d","time":179000000%d}',
    )
    plain = [draw.choice(forms) % (1_790_000_000 + n, n % 7, n % 9) for n in range(150)]
    objects = [line.encode() for line in plain] + [draw.choice(ODD_OBJECTS).encode() for _ in range(40)] + [b'"\xff"']
    quoted = [b'"%d","get","k%d",%d' % (1_790_000_000 + n, n, n) for n in range(150)]
    quoted += [
        b'"1790000000","get","a,b","7"',
        b'"1790000000","get","a""b",7',
        b'1790000000,get,"k,7',
        b'"1790000000"x,get,k,7',
    ]
    names = {"time": "time", "operation": "op", "key": "key", "bytes": "bytes"}
    for lines, form in (
        (objects, TraceForm(names)),
        (quoted, TraceForm({name: place for place, name in enumerate(names)}, ",")),
    ):
        draw.shuffle(lines)
        together, alone = UnreadLines(), UnreadLines()
        found = [event for block in read_events(lines, form, together) for event in block]
        rows = reading.ChunkReader(form, alone)
        singly = np.arange(1)
        single = []
        for line in lines:
            single += rows._read_singly(line + b"\n", np.array([0]), np.array([len(line)]), 1, singly)[0]
        assert found == single
        assert together.counts == alone.counts
        assert len(found) > 150


def test_objects_that_are_none_are_counted() -> None:
    unread = UnreadLines()
    lines = (b'{"time": 1790000000, "key": "k"}\n', b"[]\n", b"{", b"[" * 60_000, b'{"time": null, "key": "k"}\n')
    assert len(events(*lines, unread=unread)) == 1
    assert unread.counts == {NO_OBJECT: 3, NO_TIME: 1}


def test_a_number_that_is_no_size_is_left_out() -> None:
    sizes = (b" 0", b"999999999999.0", b"1000000000000", b"-1", b"3.5", "٣".encode(), b"")
    lines = [b"1790000000,k,%b\n" % size for size in sizes]
    assert [event.value_bytes for event in events(b"time,key,bytes\n", *lines)] == [0, 999_999_999_999, *[None] * 5]


HEADER = b"time,operation,key,bytes\n"


@example([b"\0", b"\xff,\xfe"])
@given(st.lists(st.binary(max_size=40).filter(lambda line: b"\n" not in line), max_size=20))
def test_no_line_is_lost_silently(lines: list[bytes]) -> None:
    unread = UnreadLines()
    found = events(HEADER, *(line + b"\n" for line in lines), unread=unread)
    assert len(found) + unread.counts.total() == sum(bool(line.strip()) for line in lines)


@given(
    st.dictionaries(
        st.text(max_size=5), st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.lists(st.integers()))
    )
)
def test_no_object_is_lost_silently(content: dict[str, object]) -> None:
    unread = UnreadLines()
    line = json.dumps({"time": 1_790_000_000, "key": "k", **content}).encode()
    found = events(b'{"time": 1790000000, "key": "k", "op": "get"}', line, unread=unread)
    assert len(found) + unread.counts.total() == 2


HOSTILE = (
    b"\0",
    b"\xff\xfe,\x80",
    b"x" * 70_000,
    b",,,",
    b'"a,b',
    b"1790000000,get,,1",
    b"nan,get,k,1",
    b"1e400,get,k,1",
    b"\r",
    b"1790000000,get,\0\0,1",
    b"1790000000,get,k,99999999999999999999",
    b"1790000000,get," + b"k" * 5_000,
    b"[" * 20_000,
    b'{"time":1e999,"key":"a"}',
    b'{"time":{},"key":[]}',
    b'{"time":1790000000,"key":"\\ud800"}',
    "時,取".encode("shift_jis"),
)
PLAIN = [b"1790000%03d,get,user%d,80" % (n, n % 7) for n in range(100)]
OBJECTS = [b'{"time":1790000%03d,"key":"u%d"}' % (n, n % 7) for n in range(100)]


@pytest.mark.parametrize("seed", range(12))
def test_hostile_lines_are_read_or_counted_wherever_they_stand(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    monkeypatch.setattr(streams, "BYTES_AT_ONCE", draw.choice((500, 5_000, 1 << 20)))
    lines = list(draw.choice((PLAIN, OBJECTS)))
    for line in draw.sample(HOSTILE, 5):
        lines.insert(draw.randrange(1, len(lines)), line)
    unread = UnreadLines()
    packed = gzip.compress(b"\n".join(lines))
    found = sum(map(len, read_log(io.BytesIO(packed), unread)))
    assert found + unread.counts.total() == sum(bool(line.strip()) for line in lines)


@cases("seed", range(20))
def test_a_damaged_packed_log_is_an_error_and_never_half_a_log(seed: int) -> None:
    draw = random.Random(seed)
    whole = gzip.compress(b"\n".join(PLAIN))
    place = draw.randrange(10, len(whole) - 8)
    damaged = whole[:place] if seed % 2 else whole[:place] + bytes((whole[place] ^ 0x55,)) + whole[place + 1 :]
    with pytest.raises((EOFError, OSError, TraceFormError)):
        list(read_log(io.BytesIO(damaged), UnreadLines()))


SPELLINGS = (
    ("2025-11-25 00:00:07 UTC", 1764028807), ("2025-11-25T09:00:07+09:00[Asia/Tokyo]", 1764028807),
    ("2025/11/25 00:00:07", 1764028807), ("[25/Nov/2025:02:00:07 +0200]", 1764028807),
    ("2025-11-25 00:00:07 +0000 UTC", 1764028807), ("2025-11-25T00:00:07[Asia/Tokyo]", None),
    ("11/25/2025 00:00:07", None), ("25/Xyz/2025:02:00:07 +0200", None), ("-1764028807", None),
)  # fmt: skip


@cases("text, time_s", SPELLINGS)
def test_dates_are_read_as_programs_write_them(text: str, time_s: float | None) -> None:
    assert read_time(text) == time_s


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("/google.bigtable.v2.Bigtable/ReadRows", "read"), ("WRITE_ROW", "write"), ("mutate-rows", "write"),
        ("INSERT INTO rows", "write"), ("GET /rows/1", "read"), ("DELETE FROM rows", "delete"), ("POST /rows", None),
        # memcached's (public traces of caches have them), of HTTP, DynamoDB and Redis
        ("prepend", "write"), ("decr", "write"), ("HEAD", "read"), ("PATCH /rows/1", "write"), ("HGETALL", "read"),
        ("TransactWriteItems", "write"), ("ExecuteQuery", "read"), ("D", "delete"),
        ("I", None),  # a level of messages
    ],
)  # fmt: skip
def test_operations_are_read_as_programs_write_them(name: str, kind: str | None) -> None:
    assert read_operation(name) == kind


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("hex", b"0x7531"), ("hex", b"75:31"), ("hex", b"75 31"), ("hex", rb"\x75\x31"), ("hex", rb"\x7531"),
        ("base64", b"dTE="), ("base64", b"dTE"),
    ],
)  # fmt: skip
def test_keys_are_read_in_the_usual_forms_of_bytes(form: KeyForm, text: bytes) -> None:
    assert KEY_READERS[form](text) == b"u1"


def base64_text(key: bytes) -> str:
    return base64.b64encode(key).decode()


@pytest.mark.parametrize(("form", "encode"), [("hex", bytes.hex), ("base64", base64_text)])
def test_keys_that_look_encoded_are_told(form: KeyForm, encode: Callable[[bytes], str]) -> None:
    rows = "".join(f"1790000000,{encode(b'user%03d' % n)}\n" for n in range(30)).encode()
    told, asked, plain = UnreadLines(), UnreadLines(), UnreadLines()
    list(read_log(io.BytesIO(rows), told))
    list(read_log(io.BytesIO(rows), asked, keys=form))
    list(read_log(io.BytesIO(b"".join(b"1790000000,user%03d\n" % n for n in range(30))), plain))
    assert (told.likely_keys, asked.likely_keys, plain.likely_keys) == (form, "text", "text")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"time,key,key\n1790000000,a,b\n", 'two columns are called "key"'),
        (b"time,key\r1790000000,a\r1790000001,b\r", "carriage return alone"),
    ],
)
def test_a_log_that_could_be_read_in_two_ways_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(TraceFormError, match=said):
        list(read_log(io.BytesIO(data), UnreadLines()))


HOSTILE = (
    b"1790000000,get,u%d,7", b"1790000000,get,u%d,seven", b"", b"   ", b"x,get,u%d,7", b"1790000000,jump,u%d,7",
    b"1790000000,get,,7", b"1790000000", b'1790000000,get,"u%d,7', b'"1790000000","get","u%d","7"', b"\xff\x00,%d,\xfe",
    b"time,operation,key,bytes", b"1790000000,get," + b"k" * 5_000 + b"%d,7", b"9" * 70_000 + b"%d",
    b"1790000000,get,u%d,7,8,9", b"\r",
)  # fmt: skip


HEADS = (b"time,operation,key,bytes\n", b"\n\ntime,operation,key,bytes\n", b"1790000000,get,u1,7\n" * 1_000)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("begin", HEADS)
def test_every_line_is_a_request_or_counted_as_none(seed: int, begin: bytes) -> None:
    draw = random.Random(seed)
    lines = [one % seed if b"%d" in one else one for one in draw.choices(HOSTILE, k=200)]
    data = begin + b"\n".join(lines) + draw.choice((b"", b"\n"))
    unread = UnreadLines()
    found = sum(map(len, read_log(io.BytesIO(data), unread)))
    assert unread.lines == data.count(b"\n") + (not data.endswith(b"\n"))
    assert found == unread.requests > 0
    assert unread.headers == (not begin.startswith(b"1"))
    assert unread.sizes == sum(line.endswith(b"seven") for line in lines)


def test_values_of_json_that_are_no_text_are_no_keys() -> None:
    unread = UnreadLines()
    found = events(*[b'{"time": 1790000000, "key": {"a": 1}}\n', b'{"time": 1790000000, "key": "a"}\n'], unread=unread)
    assert ([event.key for event in found], unread.counts) == ([b"a"], {NO_KEY: 1})


def test_dates_without_a_zone_are_told() -> None:
    for text in (b"2026-01-01 00:00:00", b"2026-01-01T00:00:00Z", b"1764028800000"):
        unread = UnreadLines()
        list(read_log(io.BytesIO(b"time,key\n%b,a\n" % text), unread))
        assert unread.has_no_zone == (b" " in text)


@pytest.mark.parametrize(
    "odd",
    [
        ["1790000001,get,a#1", "1790000002,get,a#2,5,9"],  # four delimiters less one, and one more
        ["", "1790000001,get,a#1,5,6,7,8"], ["1790000001", "1790000002,get,a#2,5,6,7,8"],
        ["1790000001,get,a#1,5\r", "1790000002,get,a#2,5"], ['1790000001,get,"a,#1",5', "1790000002,get,a#2"],
    ],
)  # fmt: skip
def test_lines_with_other_cells_are_read_as_each_alone_though_all_delimiters_are_a_multiple(odd: list[str]) -> None:
    usual = [f"179000000{n},put,b#{n},7" for n in range(3, 9)]
    lines = [*usual, odd[0], *usual, odd[1], *usual]
    form = find_form([line.encode() for line in usual])
    together, alone, unread = list[TraceEvent](), list[TraceEvent](), (UnreadLines(), UnreadLines())
    for block in read_events([line.encode() + b"\n" for line in lines], form, unread[0]):
        together += block
    for line in lines:
        for block in read_events([line.encode() + b"\n"], form, unread[1]):
            alone += block
    assert together == alone
    assert len(together) >= 18
    assert unread[0].counts == unread[1].counts


@pytest.mark.parametrize("zone", ["", "Z", "+00:00", "+09:00", "-03:30", "+0900", "-0800"])
@pytest.mark.parametrize("fraction", ["", ".5", ".12", ".0625", ".123", ".12345", ".1234567", ".123456789"])
def test_dates_of_one_form_are_read_together_whatever_their_zone_and_fraction(zone: str, fraction: str) -> None:
    days, clocks = ("1999-12-31", "2024-02-29"), ("00:00:59", "23:59:00")
    texts = [f"{day}T{clock}{fraction}{zone}" for day in days for clock in clocks]

    together = read_times(ByteColumn.from_cells([text.encode() for text in texts]))

    assert together.tolist() == [read_time(text) for text in texts]


SPACED = [
    (b"2026-09-21 14:13:20 put u1#a 7\n", ()),
    (b"2026-09-21 14:13:20.000 put u1#a 7\n", ()),
    (b"2026-09-21 23:13:20 +0900 put u1#a 7\n", ()),
    (b"2026-09-21 14:13:20 UTC put u1#a 7\n", ()),
    (b"[21/Sep/2026:23:13:20 +0900] put u1#a 7\n", ()),
    (b"put u1#a [21/Sep/2026:23:13:20 +0900]\n", ()),
    (b"10.0.0.1 - [21/Sep/2026:23:13:20 +0900] \"put\" u1#a 7\n", ("-", "-", "time", "operation", "key", "bytes")),
    (b"2026-09-21 14:13:20 put u1#a 7\n", ("time", "operation", "key")),
]  # fmt: skip


@cases("line, columns", SPACED)
def test_a_time_of_several_words_is_one_column_of_a_log_with_spaces(line: bytes, columns: tuple[str, ...]) -> None:
    lines = [line.replace(b"u1#a", b"u%d#a" % number) for number in range(12)]
    unread = UnreadLines()

    read = events(*lines, unread=unread, columns=columns)

    assert [(event.time_s, event.operation, event.key) for event in read] == [
        (MORNING_S, "write", b"u%d#a" % number) for number in range(12)
    ]
    assert not unread.counts
    assert unread.has_no_zone == (b"+0900" not in line and b"UTC" not in line)


def test_the_header_of_a_log_with_spaces_names_a_time_of_several_words_once() -> None:
    read = events(b"time op key bytes\n", b"2026-09-21 14:13:20 put u1#a 7\n", b"2026-09-21 14:13:20 get u2#a 8\n")

    assert [tuple(event) for event in read] == [
        (MORNING_S, "write", b"u1#a", 7, ""), (MORNING_S, "read", b"u2#a", 8, "")
    ]  # fmt: skip


def cloud_entry(number: int) -> dict[str, object]:
    payload = {"op": "ReadRows", "key": f"u{number}#a", "bytes": 7}
    labels = {"project_id": "p", "size": "no column"}
    return {"insertId": f"x{number}", "jsonPayload": payload, "resource": {"type": "k8s", "labels": labels},
            "timestamp": "2026-09-21T14:13:20Z"}  # fmt: skip


def test_columns_in_an_object_of_the_line_are_known_beside_the_row_key() -> None:
    lines = [json.dumps(cloud_entry(number)).encode() + b"\n" for number in range(40)]

    form = find_form(lines)

    assert form.columns == {
        "time": "timestamp", "operation": "jsonPayload.op", "key": "jsonPayload.key", "bytes": "jsonPayload.bytes",
    }  # fmt: skip
    assert [tuple(event) for event in events(*lines)] == [
        (MORNING_S, "read", b"u%d#a" % number, 7, "") for number in range(40)
    ]


@cases("entry, columns, key", [
        ({"t": 1_790_000_000, "a": {"b": {"k": "u1"}}, "c": {}}, ("time=t", "key=a.b.k"), b"u1"),
        ({"e.time": 1_790_000_000, "e.key": "u1", "x": {"e.key": "u2"}}, ("time=e.time", "key=e.key"), b"u1"),
        ({"e.time": 1_790_000_000, "e.key": "u1", "x": {"e.key": "u2"}}, ("time=e.time", "key=x.e.key"), b"u2"),
        ({"t": 1_790_000_000, "a": {"k": "u1"}, "l": ["k", {"k": "u3"}]}, ("time=t", "key=a.k"), b"u1"),
        ({"t": 1_790_000_000, "k": {"k": "k"}, "l": {"k": 5, "k2": None}}, ("time=t", "key=k.k"), b"k"),
])  # fmt: skip
def test_values_of_objects_in_a_line_are_named_by_their_path(
    entry: dict[str, object], columns: tuple[str, ...], key: bytes
) -> None:
    for line in (json.dumps(entry), json.dumps(entry, separators=(",", ":"))):
        assert [event.key for event in events(*[line.encode() + b"\n"] * 40, columns=columns)] == [key] * 40


def test_row_keys_in_two_objects_of_the_line_are_not_guessed() -> None:
    entry = {"time": 1_790_000_000, "request": {"key": "u1"}, "response": {"key": "u1"}}

    with pytest.raises(TraceFormError, match="the JSON objects have no time and key"):
        find_form([json.dumps(entry).encode()])


def test_a_quoted_text_that_goes_on_in_the_next_line_is_told_as_that() -> None:
    unread = UnreadLines()

    read = events(b"time,key,note\n", b'1790000000,u1,"a\n', b'b"\n', b'1790000000,u2,"a ""b"""\n', unread=unread)

    assert [event.key for event in read] == [b"u2"]
    assert unread.first == {OPEN_QUOTE: [2], FEW_COLUMNS: [3]}


DATE_FORMS = (
    "%Y-%m-%dT%H:%M:%SZ", "%Y-%m-%d %H:%M:%S.%f UTC", "%Y-%m-%d %H:%M:%S,%f", "%Y-%m-%d %H:%M", "%Y/%m/%d %H:%M:%S",
    "%Y%m%dT%H%M%SZ", "%Y-%m-%d %H:%M:%S+09", "[%d/%b/%Y:%H:%M:%S -0330]", "%d/%b/%Y:%H:%M:%S",
)  # fmt: skip


@pytest.mark.parametrize("form", DATE_FORMS)
def test_dates_that_are_read_together_are_those_that_are_read_alone(form: str) -> None:
    random_numbers, epoch = random.Random(1), datetime.datetime(1989, 12, 1, tzinfo=datetime.UTC)
    texts = [(epoch + datetime.timedelta(seconds=random_numbers.uniform(0, 3.6e9))).strftime(form) for _ in range(300)]
    texts[0] = datetime.datetime(2026, 9, 21, 14, 13, 20, 5, tzinfo=datetime.UTC).strftime(form)
    places = [number for number, letter in enumerate(texts[0]) if letter.isdigit()]
    for number in range(1, 100):  # some of these are no dates
        at = random_numbers.choice(places)
        texts[number] = texts[number][:at] + random_numbers.choice("0123456789:x") + texts[number][at + 1 :]

    together = read_times(ByteColumn.from_cells([text.encode() for text in texts]))

    alone = [read_time(text) for text in texts]
    assert [None if math.isnan(time) else time for time in together[100:]] == alone[100:]
    assert all(math.isnan(time) or time == single for time, single in zip(together.tolist(), alone, strict=True))


@pytest.mark.parametrize("digits", [1, 6, 7, 8])
def test_seconds_with_a_fraction_are_exact_up_to_what_a_double_holds(digits: int) -> None:
    texts = [f"{1_790_000_000 + number * 77}.{number * 9_973 % 10**digits:0{digits}}" for number in range(50)]

    together = read_times(ByteColumn.from_cells([text.encode() for text in texts]))

    assert together.tolist() == [float(text) for text in texts]


VALUES = (
    "true",
    "false",
    "null",
    "-1",
    "1.5e-3",
    "-0",
    "01",
    "1.",
    "nan",
    '"a\\\\b"',
    r'"\u00e9\n"',
    r'"\x"',
    r'"\u12"',
    '"\\\\"',
)
EXTRAS = ('"tags": ["a", "b"]', '"tags": ["a", 1]', '"in": {"a": 1, "b": {}}', '"in": {"key": "other"}', '"in": []')


@pytest.mark.parametrize("seed", range(40))
def test_objects_with_any_values_read_together_tell_what_each_tells_alone(seed: int) -> None:
    random_numbers = random.Random(seed)
    first = f'"time": {MORNING_S:.0f}, "key": "u0"'
    usual = random_numbers.choice(VALUES), random_numbers.choice(EXTRAS)
    lines = [f'{{{first}, {usual[1]}, "x": 5, "y": "z"}}\n'.encode()]
    for number in range(1, 60):
        value, extra = (
            random_numbers.choice((known, random_numbers.choice(others)))
            for known, others in zip(usual, (VALUES, EXTRAS), strict=True)
        )
        text = f'{{"time": {MORNING_S + number:.0f}, "key": "u{number}", {extra}, "x": {value}, "y": "z"}}\n'
        if random_numbers.random() < 0.3:
            at = random_numbers.randrange(len(text) - 1)
            text = text[:at] + random_numbers.choice('\\"{}[],:19e') + text[at + 1 :]
        lines.append(text.encode())
    form, unread, alone = find_form(lines[:1]), UnreadLines(), UnreadLines()

    together = [event for block in read_events(lines, form, unread) for event in block]

    assert together == [event for line in lines for block in read_events([line], form, alone) for event in block]
    assert unread.counts == alone.counts


@pytest.mark.parametrize("seed", range(40))
def test_lines_with_delimiters_in_quotes_read_together_tell_what_each_tells_alone(seed: int) -> None:
    random_numbers, cells = (
        random.Random(seed),
        ('"a,b"', '"a"', "a", '"a""b"', 'a"b', '"', '"a', '"a,b', "", '"a,b" ', '""'),
    )
    delimiter = random_numbers.choice(",; ")
    lines = []
    for number in range(60):
        key, note = (random_numbers.choice(cells[: random_numbers.choice((1, len(cells)))]) for _ in range(2))
        row = f"{MORNING_S + number:.0f}", key, note, f"{number}"
        lines.append(delimiter.join(cell.replace(",", delimiter) for cell in row).encode() + b"\n")
    form = TraceForm({"time": 0, "key": 1, "bytes": 3}, delimiter)
    unread, alone = UnreadLines(), UnreadLines()

    together = [event for block in read_events(lines, form, unread) for event in block]

    assert together == [event for line in lines for block in read_events([line], form, alone) for event in block]
    assert (unread.counts, unread.sizes) == (alone.counts, alone.sizes)
