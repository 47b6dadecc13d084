"""Tablestore by Alibaba's own client: tables of a trial, and nothing else of an instance."""

import contextlib
import logging
import secrets
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from designer.document.durations import DAY_SECONDS
from reviews.exports.key_code.cell_filters import AgeLimit, CellFilter, ColumnChoice, VersionLimit
from reviews.trials.column_ranges import LARGEST, Infinity, KeyValue, PrimaryKeyRange, key_of, key_values
from reviews.trials.requests import RangeRequest
from reviews.trials.results import DefinitionKind
from reviews.trials.sample import TrialCell, TrialRow
from reviews.trials.tablestore import TablestoreTable, index_text, primary_key_text, time_to_live_text
from reviews.trials.trial import EngineError, FoundCell, FoundRow, FoundTable

from .tablestore_types import ClientErrors, as_client, found_value, key_value

PREFIX = "kwtry"
NAME_MOST = 255
BATCH_ROWS = 200
BATCH_BYTES = 3 << 20
"""Of one BatchWriteRow, which takes 200 rows and 4 MB (limits page, read 2026-11-20)."""
STEP_SECONDS = 60.0
INDEX_SECONDS = 10.0
"""After which nothing more is expected of an index: the service says that it lags by milliseconds."""
NOT_YET = ("OTSTableNotReady", "OTSPartitionUnavailable", "OTSServerBusy", "OTSObjectNotExist")
"""Codes of a table that was made a moment ago."""
DEFINED = {
    "DCT_INTEGER": "INTEGER", "DCT_DOUBLE": "DOUBLE", "DCT_BOOLEAN": "BOOLEAN", "DCT_STRING": "STRING",
    "DCT_BLOB": "BINARY",
}  # fmt: skip


@dataclass(frozen=True)
class Credentials:
    """Key by which requests are signed."""

    key_id: str
    key_secret: str
    token: str | None


@dataclass
class TablestoreEngine:
    """An instance in which tables are made under names of their own."""

    client: Any
    now_us: int
    """The moment from which ages of cells are counted; whole milliseconds."""
    token: str = field(default_factory=lambda: secrets.token_hex(4))
    made: dict[str, str] = field(default_factory=dict)
    """Names of tables and indexes that were made, by the table's id."""
    tables: dict[str, TablestoreTable] = field(default_factory=dict)
    filled: set[str] = field(default_factory=set)
    """Ids of tables whose rows were taken."""

    @classmethod
    def at_endpoint(cls, endpoint: str, instance: str, credentials: Credentials, now_us: int) -> "TablestoreEngine":
        """Return an engine for an instance; ImportError without the client library."""
        logging.getLogger("tablestore").addHandler(logging.NullHandler())  # it says which of its codecs it uses
        from tablestore import OTSClient

        with ClientErrors():
            client = OTSClient(
                endpoint, credentials.key_id, credentials.key_secret, instance, sts_token=credentials.token,
                socket_timeout=STEP_SECONDS,
            )  # fmt: skip
        return cls(client, now_us // 1000 * 1000)

    # --- tables ---

    def reach(self) -> None:
        """Ask for anything, so that an address without an answer is known before anything is made."""
        with contextlib.suppress(EngineError), ClientErrors():  # a refusal is an answer
            self.client.list_table()

    def create(self, table: TablestoreTable) -> str:
        """Make a table with its secondary indexes; an index is there with its table."""
        at = table.table.id
        self.tables[at] = table
        if table.index_of is not None:
            if table.index_of not in self.made:
                raise EngineError("its table was refused")
            self.made[at] = self._name(table.index_of, table.name)
            return self.made[at]
        # Before it is asked for: if the answer is lost, the table is still deleted at the end.
        self.made[at] = f"{PREFIX}_{self.token}_{len(self.made)}_{table.name}"[:NAME_MOST]
        try:
            with ClientErrors():
                self.client.create_table(*self._creation(at, table.request))
        except EngineError as error:
            if getattr(error.__cause__, "code", "") == "OTSObjectAlreadyExist":
                del self.made[at]  # it is somebody else's
            raise
        return self.made[at]

    def _creation(self, table_id: str, request: Mapping[str, Any]) -> tuple[Any, ...]:
        from tablestore import (
            CapacityUnit,
            ReservedThroughput,
            SecondaryIndexMeta,
            SecondaryIndexType,
            TableMeta,
            TableOptions,
        )

        meta, options = request["table_meta"], request["table_options"]
        defined = [(part["name"], DEFINED[part["type"]]) for part in meta.get("defined_column", ())]
        kinds = {"IT_LOCAL_INDEX": SecondaryIndexType.LOCAL_INDEX, "IT_GLOBAL_INDEX": SecondaryIndexType.GLOBAL_INDEX}
        return (
            TableMeta(self.made[table_id], [(part["name"], part["type"]) for part in meta["primary_key"]], defined),
            TableOptions(
                options["time_to_live"], options["max_versions"], options["deviation_cell_version_in_sec"],
                options.get("allow_update"),
            ),
            ReservedThroughput(CapacityUnit(0, 0)),  # reserved throughput is paid from its first hour
            [
                SecondaryIndexMeta(
                    self._name(table_id, index["name"]), index["primary_key"], index["defined_column"],
                    kinds[index["index_type"]],
                )
                for index in request.get("index_metas", ())
            ],
        )  # fmt: skip

    def _name(self, table_id: str, index: str) -> str:
        """Return the name of an index of a table."""
        # The table's name is cut first, so that the index's own name, which tells indexes apart, is kept.
        return f"{self.made[table_id][: NAME_MOST - 100]}_{index}"[:NAME_MOST]

    def describe(self, table: TablestoreTable) -> FoundTable:
        """Return what the service tells of a table."""
        at = table.table.id
        with ClientErrors():
            description = self.client.describe_table(self.made[at])
        key = [(column[0], column[1]) for column in description.table_meta.schema_of_primary_key]
        definitions: dict[tuple[DefinitionKind, str], str] = {("primary_key", ""): primary_key_text(key)}
        if table.index_of is None:
            definitions["time_to_live", ""] = time_to_live_text(description.table_options.time_to_live)
            definitions["max_versions", ""] = str(description.table_options.max_version)
            own = {
                self._name(at, planned_index["name"]): planned_index
                for planned_index in table.request.get("index_metas", ())
            }
            for index in description.secondary_indexes:
                if designed := own.get(index.index_name):
                    names = _designed_columns(
                        index.primary_key_names, designed["primary_key"], [name for name, _ in key]
                    )
                    definitions["index", designed["name"]] = index_text(names, index.defined_column_names)
        return FoundTable({}, {}, None, definitions)

    def drop(self) -> dict[str, str]:
        """Delete the tables of this trial, each after its indexes."""
        from tablestore import OTSError
        from urllib3.exceptions import HTTPError

        failures = {}
        for at, table in self.tables.items():
            if at not in self.made or table.index_of is not None:
                continue
            name = self.made[at]
            indexes = [self._name(at, index["name"]) for index in table.request.get("index_metas", ())]
            # Tablestore refuses to delete a table that still has an index.
            steps = [*((self.client.delete_secondary_index, (name, index)) for index in indexes),
                     (self.client.delete_table, (name,))]  # fmt: skip
            for step, arguments in steps:
                try:
                    step(*arguments)
                except (OTSError, HTTPError) as error:
                    if getattr(error, "code", "") != "OTSObjectNotExist":
                        failures[arguments[-1]] = str(error)[:300]
        return failures

    # --- rows ---

    def write(self, table: TablestoreTable) -> None:
        """Write all rows in batches; wait for those of an index."""
        if table.index_of is not None:
            self._await_index(table)
            return
        ends = time.monotonic() + STEP_SECONDS
        for batch in _batches(table.rows):
            # A table that was just made takes rows only after some seconds; the rows that were refused are sent again.
            while rest := self._put(table, batch):
                if rest[0][1] not in NOT_YET or time.monotonic() > ends:
                    raise EngineError(f"{rest[0][1]}: {rest[0][2]}"[:300])
                time.sleep(0.5)
                batch = [row for row, _, _ in rest]
        self.filled.add(table.table.id)

    def _await_index(self, table: TablestoreTable) -> None:
        if table.index_of not in self.filled:
            raise EngineError("the rows of its table were refused")
        ends = time.monotonic() + INDEX_SECONDS
        # Nothing tells that an index is complete but its rows.
        while len(self._all(table)) < len(table.rows) and time.monotonic() < ends:
            time.sleep(0.1)

    def _put(self, table: TablestoreTable, rows: Sequence[TrialRow]) -> list[tuple[TrialRow, str, str]]:
        """Write rows; return those that were not taken, each with a code and a reason."""
        from tablestore import (
            BatchWriteRowRequest,
            Condition,
            PutRowItem,
            Row,
            RowExistenceExpectation,
            TableInBatchWriteRowItem,
        )

        name, request = self.made[table.table.id], BatchWriteRowRequest()
        items = [
            PutRowItem(
                Row(self._named_key(table, key_values(row.key, table.columns)),
                    [self._attribute(table, cell) for cell in row.cells]),
                # A row that is sent again after a lost answer is no conflict.
                Condition(RowExistenceExpectation.IGNORE),
            )
            for row in rows
        ]  # fmt: skip
        request.add(TableInBatchWriteRowItem(name, items))
        with ClientErrors():
            answers = self.client.batch_write_row(request).get_put_by_table(name)
        return [
            (row, answer.error_code, answer.error_message)
            for row, answer in zip(rows, answers, strict=True) if not answer.is_ok
        ]  # fmt: skip

    def _attribute(self, table: TablestoreTable, cell: TrialCell) -> tuple[Any, ...]:
        name, value = cell.qualifier.decode("utf-8", "replace"), as_client(cell)
        return (name, value, (self.now_us - cell.age_us) // 1000) if table.has_ages else (name, value)

    @staticmethod
    def _named_key(table: TablestoreTable, values: Sequence[KeyValue]) -> list[tuple[str, Any]]:
        return [(column.name, key_value(value, column)) for column, value in zip(table.columns, values, strict=True)]

    def read(
        self, table: str, request: RangeRequest, filters: Sequence[CellFilter], *, is_reversed: bool
    ) -> tuple[list[FoundRow], int | None]:
        """Return rows; the service does not tell how many it looked at."""
        own = self.tables[table]
        options = self._options(own, filters)
        if not request.ranges:
            return self._all(own), None
        rows: list[FoundRow] = []
        for key_range in request.ranges:
            assert isinstance(key_range, PrimaryKeyRange)
            if key_range.is_point:
                rows += self._point(own, key_range, options)
            else:
                rows += self._range(own, key_range, options, request.limit)
        return rows, None

    def _options(self, table: TablestoreTable, filters: Sequence[CellFilter]) -> dict[str, Any]:
        options: dict[str, Any] = {"max_version": table.request["table_options"]["max_versions"]}
        for cell_filter in filters:
            match cell_filter:
                case ColumnChoice(families=families):
                    options["columns_to_get"] = [
                        column.decode() for family in families for column in family.columns if isinstance(column, bytes)
                    ]
                case AgeLimit(days=days):
                    start_us = self.now_us - round(days * DAY_SECONDS * 1_000_000)
                    options["time_range"] = (start_us // 1000, LARGEST)
                case VersionLimit(count=count):
                    options["max_version"] = count
                case _:
                    raise EngineError(f"the client has no words for {cell_filter}")
        return options

    def _all(self, table: TablestoreTable) -> list[FoundRow]:
        count = len(table.columns)
        ends = [(infinity,) * count for infinity in (Infinity.MIN, Infinity.MAX)]
        return self._range(table, PrimaryKeyRange(ends[0], ends[1], table.columns), self._options(table, ()), None)

    def _point(self, table: TablestoreTable, key_range: PrimaryKeyRange, options: Mapping[str, Any]) -> list[FoundRow]:
        with ClientErrors():
            _, row, _ = self.client.get_row(
                self.made[table.table.id], self._named_key(table, key_range.start), **options
            )
        return [] if row is None or not row.primary_key else [self._found_row(table, row)]

    def _range(
        self, table: TablestoreTable, key_range: PrimaryKeyRange, options: Mapping[str, Any], limit: int | None
    ) -> list[FoundRow]:
        """Return the rows of a range, however many answers they come in."""
        start, end = self._named_key(table, key_range.start), self._named_key(table, key_range.end)
        direction, all_rows = "BACKWARD" if key_range.is_backward else "FORWARD", list[FoundRow]()
        # One answer holds up to 5,000 rows or 4 MB; `next_start` goes on from there.
        while start is not None and (limit is None or len(all_rows) < limit):
            rest = None if limit is None else limit - len(all_rows)
            with ClientErrors():
                _, start, rows, _ = self.client.get_range(
                    self.made[table.table.id], direction, start, end, limit=rest, **options
                )
            all_rows += [self._found_row(table, row) for row in rows]
        return all_rows

    def _found_row(self, table: TablestoreTable, row: Any) -> FoundRow:
        values = [found_value(column[1]) if not isinstance(column[1], int) else column[1] for column in row.primary_key]
        cells: list[FoundCell] = [
            ("", name.encode(), self.now_us - stamp * 1000 if table.has_ages else 0, found_value(value))
            for name, value, stamp in row.attribute_columns
        ]
        return FoundRow(key_of(values, table.columns), tuple(cells))


def _designed_columns(column_names: Sequence[str], designed: Sequence[str], key: Sequence[str]) -> Sequence[str]:
    """Return an index's key without the columns of its table's key that the service appends."""
    rest = column_names[len(designed) :]
    # Where other columns were appended, the whole key is told, so that the difference is seen.
    return column_names[: len(designed)] if set(rest) <= set(key) else column_names


def _batches(rows: Sequence[TrialRow]) -> Iterator[list[TrialRow]]:
    batch: list[TrialRow] = []
    size = 0
    for row in rows:
        own = sum(cell.value_bytes + len(cell.qualifier) for cell in row.cells) + len(row.key)
        if batch and (len(batch) == BATCH_ROWS or size + own > BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += own
    if batch:
        yield batch
