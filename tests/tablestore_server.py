"""A server that does what Tablestore documents of tables, rows and secondary indexes, in its own protocol.

It is a process of its own, with the client and its protobuf: `python -m tests.tablestore_server` prints its address
and ends with its input. Keys are compared as the service says, column by column, and by nothing of the program.
GET answers the names of its tables; POST /fault/NAME has it misbehave until the next one.

Sources: the API's messages, plainbuffer, GetRange, GetRow and index pages (read 2026-11-27).
"""

import base64
import datetime
import hashlib
import json
import struct
import sys
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tablestore.auth import RequestContext, SignV2
from tablestore.credentials import Credentials
from tablestore.plainbuffer.plain_buffer_builder import PlainBufferBuilder
from tablestore.protobuf import table_store_pb2 as pb

KEY_ID, KEY_SECRET, INSTANCE = "key-of-tests", "secret-of-tests", "inst"
HEADER_BYTES = 4
MIN, MAX = object(), object()
TYPES = {pb.INTEGER: int, pb.STRING: str, pb.BINARY: bytes}
DAY_MS = 86_400_000


class RefusalError(Exception):
    """An answer of the service that is no success."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message


# --- plainbuffer ---


class Reader:
    """Reads one row of plainbuffer: header, key, cells."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, HEADER_BYTES
        assert struct.unpack("<i", data[:HEADER_BYTES])[0] == 0x75
        self.key: list[tuple[str, Any]] = []
        self.cells: list[tuple[str, Any, int | None]] = []
        self._read()

    def _take(self, count: int) -> bytes:
        self.place += count
        return self.data[self.place - count : self.place]

    def _read(self) -> None:
        part = 0
        while self.place < len(self.data):
            tag = self._take(1)[0]
            if tag in (1, 2):
                part = tag
            elif tag == 3:
                self._read_cell(part)
            elif tag == 9:
                self._take(1)

    def _read_cell(self, part: int) -> None:
        name, value, stamp = "", None, None
        while True:
            tag = self._take(1)[0]
            if tag == 4:
                name = self._take(struct.unpack("<i", self._take(4))[0]).decode()
            elif tag == 5:
                value = self._value(self._take(struct.unpack("<i", self._take(4))[0]))
            elif tag == 7:
                stamp = struct.unpack("<q", self._take(8))[0]
            elif tag == 0x0A:
                self._take(1)
                break
            else:
                raise RefusalError(400, "OTSParameterInvalid", f"tag {tag}")
        if part == 1:
            self.key.append((name, value))
        else:
            self.cells.append((name, value, stamp))

    @staticmethod
    def _value(raw: bytes) -> Any:
        kind, body = raw[0], raw[1:]
        match kind:
            case 0:
                return struct.unpack("<q", body)[0]
            case 1:
                return struct.unpack("<d", body)[0]
            case 2:
                return bool(body[0])
            case 3:
                return body[4:].decode()
            case 7:
                return bytes(body[4:])
            case 9:
                return MIN
            case 10:
                return MAX
        raise RefusalError(400, "OTSParameterInvalid", f"type {kind}")


def row_bytes(key: list[tuple[str, Any]], cells: list[tuple[str, Any, int]]) -> bytes:
    def as_client(value: Any) -> Any:
        return bytearray(value) if isinstance(value, bytes) else value

    return bytes(PlainBufferBuilder.serialize_for_put_row(
        [(name, as_client(value)) for name, value in key], [(name, as_client(value), at) for name, value, at in cells]
    ))  # fmt: skip


# --- tables ---


def order(values: list[Any]) -> list[tuple[int, Any]]:
    """Sort columns as the service does: numbers as numbers, texts by their UTF-8."""
    return [
        (0, 0) if one is MIN else (2, 0) if one is MAX else (1, one.encode() if isinstance(one, str) else one)
        for one in values
    ]  # fmt: skip


@dataclass
class Table:
    """Rows by their keys; an index has the name of its table."""

    name: str
    key: list[tuple[str, int]]
    options: Any
    defined: dict[str, int] = field(default_factory=dict)
    indexes: dict[str, Any] = field(default_factory=dict)
    rows: dict[tuple[Any, ...], dict[str, list[tuple[int, Any]]]] = field(default_factory=dict)
    index_of: str = ""

    def check_key(self, key: list[tuple[str, Any]], *, is_bound: bool = False) -> tuple[Any, ...]:
        names = [name for name, _ in key]
        if names != [name for name, _ in self.key]:
            raise RefusalError(400, "OTSInvalidPK", f"primary key {names}")
        for (name, value), (_, kind) in zip(key, self.key, strict=True):
            if not (is_bound and value in (MIN, MAX)) and type(value) is not TYPES[kind]:
                raise RefusalError(400, "OTSInvalidPK", f"type of {name}")
        return tuple(value for _, value in key)

    def sorted_rows(self) -> list[tuple[Any, ...]]:
        return sorted(self.rows, key=order)


@dataclass
class Service:
    """Tables of one instance."""

    tables: dict[str, Table] = field(default_factory=dict)
    fault: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, operation: str, body: bytes) -> Any:
        message = getattr(pb, f"{operation}Request")()
        message.ParseFromString(body)
        with self.lock:
            return getattr(self, f"do_{operation}")(message)

    def table(self, name: str) -> Table:
        if name not in self.tables:
            raise RefusalError(404, "OTSObjectNotExist", "Requested table does not exist.")
        return self.tables[name]

    def do_ListTable(self, _: Any) -> Any:  # noqa: N802
        return pb.ListTableResponse(table_names=sorted(self.tables))

    def do_CreateTable(self, asked: Any) -> Any:  # noqa: N802 - the API's own name
        meta = asked.table_meta
        if meta.table_name in self.tables:
            raise RefusalError(409, "OTSObjectAlreadyExist", "Requested table already exists.")
        if 0 <= asked.table_options.time_to_live < 86_400:
            raise RefusalError(400, "OTSParameterInvalid", "time to live")
        made = Table(meta.table_name, [(one.name, one.type) for one in meta.primary_key], pb.TableOptions())
        made.options.CopyFrom(asked.table_options)
        made.defined = {one.name: one.type for one in meta.defined_column}
        if self.fault == "versions":
            made.options.max_versions = 7
        self.tables[made.name] = made
        for one in asked.index_metas:
            self._make_index(made, one)
        return pb.CreateTableResponse()

    def _make_index(self, table: Table, meta: Any) -> None:
        if table.options.max_versions != 1 or table.options.time_to_live != -1:
            raise RefusalError(400, "OTSParameterInvalid", "an index needs one version for ever")
        own, kinds = dict(table.key), {pb.DCT_INTEGER: pb.INTEGER, pb.DCT_STRING: pb.STRING, pb.DCT_BLOB: pb.BINARY}
        names = [*meta.primary_key, *(name for name, _ in table.key if name not in meta.primary_key)]
        key = [(name, own.get(name) or kinds[table.defined[name]]) for name in names]
        table.indexes[meta.name] = meta
        self.tables[meta.name] = Table(meta.name, key, table.options, index_of=table.name)

    def do_DescribeTable(self, asked: Any) -> Any:  # noqa: N802
        table = self.table(asked.table_name)
        told = pb.DescribeTableResponse()
        told.table_meta.table_name = table.name
        for name, kind in table.key:
            told.table_meta.primary_key.add(name=name, type=kind)
        for name, kind in table.defined.items():
            told.table_meta.defined_column.add(name=name, type=kind)
        told.reserved_throughput_details.capacity_unit.read = 0
        told.reserved_throughput_details.capacity_unit.write = 0
        told.reserved_throughput_details.last_increase_time = 0
        told.table_options.CopyFrom(table.options)
        told.index_metas.extend(table.indexes.values())
        return told

    def do_DropIndex(self, asked: Any) -> Any:  # noqa: N802
        table = self.table(asked.main_table_name)
        if table.indexes.pop(asked.index_name, None) is None:
            raise RefusalError(404, "OTSObjectNotExist", "Index does not exist.")
        del self.tables[asked.index_name]
        return pb.DropIndexResponse()

    def do_DeleteTable(self, asked: Any) -> Any:  # noqa: N802
        if self.table(asked.table_name).indexes:
            raise RefusalError(400, "OTSParameterInvalid", "the table has indexes")
        del self.tables[asked.table_name]
        return pb.DeleteTableResponse()

    # --- writes ---

    def do_BatchWriteRow(self, asked: Any) -> Any:  # noqa: N802
        told = pb.BatchWriteRowResponse()
        if sum(len(table.rows) for table in asked.tables) > 200:
            raise RefusalError(400, "OTSParameterInvalid", "more than 200 rows")
        for part in asked.tables:
            own = told.tables.add(table_name=part.table_name)
            for row in part.rows:
                answer = own.rows.add(is_ok=True)
                try:
                    assert row.type == pb.PUT
                    self._put(self.table(part.table_name), Reader(row.row_change))
                    answer.consumed.capacity_unit.write = 1
                except RefusalError as error:
                    answer.is_ok, answer.error.code, answer.error.message = False, error.code, error.message
        return told

    def do_PutRow(self, asked: Any) -> Any:  # noqa: N802
        self._put(self.table(asked.table_name), Reader(asked.row))
        told = pb.PutRowResponse()
        told.consumed.capacity_unit.write = 1
        return told

    def _put(self, table: Table, row: Reader) -> None:
        if table.index_of:
            raise RefusalError(400, "OTSParameterInvalid", "an index is read only")
        key, now = table.check_key(row.key), round(time.time() * 1000)
        if self.fault == "unready":
            self.fault = ""
            raise RefusalError(503, "OTSTableNotReady", "The table is not ready.")
        if self.fault == "refusal":
            raise RefusalError(400, "OTSParameterInvalid", "no more rows today")
        cells: dict[str, list[tuple[int, Any]]] = {}
        for name, value, stamp in row.cells:
            if not name.replace("_", "a").isalnum() or name[0].isdigit():
                raise RefusalError(400, "OTSParameterInvalid", f"Invalid column name: {name!r}")
            if stamp is not None and table.indexes:
                raise RefusalError(400, "OTSParameterInvalid", "a table with indexes takes no version")
            if stamp is not None and not self._oldest(table, now) <= stamp < now + DAY_MS:
                raise RefusalError(400, "OTSParameterInvalid", f"version {stamp}")
            cells.setdefault(name, []).append((now if stamp is None else stamp, value))
        old, table.rows[key] = table.rows.get(key), cells
        for name, meta in table.indexes.items():
            self._index(table, self.tables[name], meta, key, old)

    @staticmethod
    def _oldest(table: Table, now: int) -> int:
        offset = now - table.options.deviation_cell_version_in_sec * 1000
        ttl = table.options.time_to_live
        return offset if ttl == -1 else max(offset, now - ttl * 1000)

    def _index(self, table: Table, index: Table, meta: Any, key: tuple[Any, ...], old: Any) -> None:
        def index_key(cells: dict[str, Any]) -> tuple[Any, ...] | None:
            held = dict(zip((name for name, _ in table.key), key, strict=True))
            held |= {name: versions[0][1] for name, versions in cells.items()}
            return tuple(held[name] for name, _ in index.key) if all(n in held for n, _ in index.key) else None

        if old is not None and (was := index_key(old)) is not None:
            index.rows.pop(was, None)
        cells = table.rows[key]
        if (now := index_key(cells)) is not None and self.fault != "index":
            index.rows[now] = {name: cells[name] for name in meta.defined_column if name in cells}

    # --- reads ---

    def do_GetRow(self, asked: Any) -> Any:  # noqa: N802
        table = self.table(asked.table_name)
        key = table.check_key(Reader(asked.primary_key).key)
        told = pb.GetRowResponse(row=b"")
        told.consumed.capacity_unit.read = 1
        if key in table.rows and (row := self._row(table, key, asked)) is not None:
            told.row = row
        return told

    def do_GetRange(self, asked: Any) -> Any:  # noqa: N802
        table = self.table(asked.table_name)
        start, end = (
            order(list(table.check_key(Reader(raw).key, is_bound=True)))
            for raw in (asked.inclusive_start_primary_key, asked.exclusive_end_primary_key)
        )
        backward = asked.direction == pb.BACKWARD
        if (start <= end) if backward else (start >= end):
            raise RefusalError(400, "OTSParameterInvalid", "Begin key must less than end key in FORWARD")
        within = [
            key for key in table.sorted_rows()
            if (end < order(list(key)) <= start if backward else start <= order(list(key)) < end)
        ]  # fmt: skip
        if backward and self.fault != "forward":
            within.reverse()
        told, rows, page = pb.GetRangeResponse(rows=b""), [], 3 if self.fault == "pages" else 5000
        told.consumed.capacity_unit.read = 1
        for place, key in enumerate(within):
            if len(rows) == (asked.limit or page) or place >= page:
                told.next_start_primary_key = row_bytes(self._named(table, key), [])
                break
            if (row := self._row(table, key, asked)) is not None:
                rows.append(row)
        kept = rows[1:] if self.fault == "loss" else rows
        told.rows = b"".join([kept[0], *(row[HEADER_BYTES:] for row in kept[1:])]) if kept else b""
        return told

    @staticmethod
    def _named(table: Table, key: tuple[Any, ...]) -> list[tuple[str, Any]]:
        return [(name, value) for (name, _), value in zip(table.key, key, strict=True)]

    def _row(self, table: Table, key: tuple[Any, ...], asked: Any) -> bytes | None:
        """Return a row with the cells that are asked for; None where it has cells and none of these."""
        if len(asked.columns_to_get) > 128:
            raise RefusalError(400, "OTSParameterInvalid", "more than 128 columns")
        now, held, cells = round(time.time() * 1000), table.rows[key], []
        for name in sorted(held):
            if asked.columns_to_get and name not in asked.columns_to_get:
                continue
            versions = sorted(held[name], key=lambda version: -version[0])[: table.options.max_versions]
            if table.options.time_to_live != -1:
                versions = [one for one in versions if one[0] > now - table.options.time_to_live * 1000]
            if asked.HasField("time_range"):
                span = asked.time_range
                versions = [one for one in versions if span.start_time <= one[0] < span.end_time]
            if asked.max_versions:
                versions = versions[: asked.max_versions]
            cells += [(name, value, stamp) for stamp, value in versions]
        return None if held and not cells else row_bytes(self._named(table, key), cells)


# --- HTTP ---


class Handler(BaseHTTPRequestHandler):
    """Requests as the client sends them: signed, with the hash of their body."""

    protocol_version = "HTTP/1.1"
    service: Service

    def do_GET(self) -> None:
        self._send(200, json.dumps(sorted(self.service.tables)).encode(), {})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if self.path.startswith("/fault/"):
            self.service.fault = self.path.removeprefix("/fault/")
            self._send(200, b"", {})
            return
        signer, context = SignV2("utf8"), RequestContext(Credentials(KEY_ID, KEY_SECRET))
        try:
            self._check(signer, context, body)
            status, answer = 200, self.service.answer(self.path[1:], body).SerializeToString()
        except RefusalError as error:
            status, answer = error.status, pb.Error(code=error.code, message=error.message).SerializeToString()
        headers = {
            "x-ots-contentmd5": base64.b64encode(hashlib.md5(answer).digest()).decode(),
            "x-ots-requestid": "1",
            "x-ots-date": datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z"),
            "x-ots-contenttype": "protocol buffer",
        }
        signature = signer.make_response_signature(self.path, headers, KEY_SECRET)
        self._send(status, answer, {**headers, "Authorization": f"OTS {KEY_ID}:{signature}"})

    def _check(self, signer: SignV2, context: RequestContext, body: bytes) -> None:
        given = {name.lower(): value for name, value in self.headers.items() if name.lower().startswith("x-ots-")}
        signature = given.pop("x-ots-signature", "")
        if given.get("x-ots-contentmd5") != base64.b64encode(hashlib.md5(body).digest()).decode():
            raise RefusalError(400, "OTSParameterInvalid", "hash of the body")
        signer.make_request_signature_and_add_headers(self.path, given, context)
        if given["x-ots-signature"] != signature or given.get("x-ots-instancename") != INSTANCE:
            raise RefusalError(403, "OTSAuthFailed", "Signature mismatch.")

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        """Say nothing."""


if __name__ == "__main__":
    Handler.service = Service()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    sys.stdin.read()
