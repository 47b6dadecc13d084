"""Bigtable by Google's own client library: tables of a trial, and nothing else of an instance."""

import base64
import contextlib
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from reviews.exports.cbt import rule_text
from reviews.exports.key_code.cell_filters import CellFilter
from reviews.trials.requests import RangeRequest
from reviews.trials.sample import TrialRow
from reviews.trials.tables import BigtableTable
from reviews.trials.trial import EngineError, FoundCell, FoundRow, FoundTable

from .bigtable_types import TrialErrors, first_line, gc_rule, row_filter, rule_of, type_text, value_type

PREFIX = "kwtry"
NAME_MOST = 50
BATCH_BYTES = 3 << 20
BATCH_CELLS = 50_000
"""Mutations of one request: the API takes 100,000 (quotas page, read 2026-11-26)."""
STEP_SECONDS = 60.0
REACH_SECONDS = 10.0
"""An emulator answers at once, or not at all."""
EMULATED = "projects/keywright/instances/try"


@dataclass
class BigtableEngine:
    """An instance in which tables are made under names of their own."""

    instance: str
    """As projects/P/instances/I."""
    now_us: int
    """The moment from which ages of cells are counted; whole milliseconds."""
    admin: Any
    data: Any
    is_emulator: bool
    token: str = field(default_factory=lambda: secrets.token_hex(4))
    made: dict[str, str] = field(default_factory=dict)
    """Names of the tables that were made, by the table's id."""

    @classmethod
    def at_emulator(cls, address: str, now_us: int) -> "BigtableEngine":
        """Return an engine at an emulator's address; ImportError without the client library."""
        from google.cloud.bigtable_admin_v2.services.bigtable_table_admin.transports import (
            BigtableTableAdminGrpcTransport,
        )
        from google.cloud.bigtable_v2.services.bigtable.transports import BigtableGrpcTransport
        from grpc import insecure_channel

        channel = insecure_channel(
            # gRPC's own limit of 4 MiB is less than one row of Bigtable may have.
            address,
            options=[("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)],
        )
        return cls._of(
            EMULATED, now_us, BigtableTableAdminGrpcTransport(channel=channel), BigtableGrpcTransport(channel=channel),
            is_emulator=True,
        )  # fmt: skip

    @classmethod
    def at_instance(cls, project: str, instance: str, now_us: int) -> "BigtableEngine":
        """Return an engine for an instance, with this machine's credentials; ImportError without the client library."""
        return cls._of(f"projects/{project}/instances/{instance}", now_us, None, None, is_emulator=False)

    @classmethod
    def _of(cls, instance: str, now_us: int, admin: Any, data: Any, *, is_emulator: bool) -> "BigtableEngine":
        from google.cloud.bigtable_admin_v2 import BigtableTableAdminClient
        from google.cloud.bigtable_v2 import BigtableClient

        with TrialErrors():
            return cls(
                instance, now_us // 1000 * 1000, BigtableTableAdminClient(transport=admin),
                BigtableClient(transport=data), is_emulator,
            )  # fmt: skip

    # --- tables ---

    def reach(self) -> None:
        """Ask for anything, so that an address without an answer is known before anything is made."""
        seconds = REACH_SECONDS if self.is_emulator else STEP_SECONDS
        # `retry=None`: the client would otherwise try again for minutes at an address where nobody listens.
        with contextlib.suppress(EngineError), TrialErrors():  # a refusal is an answer
            self.admin.list_tables(request={"parent": self.instance, "page_size": 1}, retry=None, timeout=seconds)

    def create(self, table: BigtableTable) -> str:
        """Make a table with its families, rules and split keys."""
        from google.api_core.exceptions import AlreadyExists
        from google.cloud.bigtable_admin_v2 import types

        # Bigtable allows 50 characters; the number keeps names apart that are alike up to there.
        name = f"{PREFIX}-{self.token}-{len(self.made)}-{table.export.name}"[:NAME_MOST]
        families = {
            family.name: types.ColumnFamily(gc_rule=gc_rule(family.rule), value_type=value_type(family.type))
            for family in table.export.families
        }
        self.made[table.export.table.id] = name  # before it is asked for: a lost answer leaves no table behind
        request = {
            "parent": self.instance, "table_id": name, "table": types.Table(column_families=families),
            "initial_splits": [{"key": key} for key in table.export.splits],
        }  # fmt: skip
        try:
            with TrialErrors():
                self.admin.create_table(request=request, timeout=STEP_SECONDS)
        except EngineError as error:
            if isinstance(error.__cause__, AlreadyExists):
                del self.made[table.export.table.id]  # it is somebody else's
            raise
        return name

    def describe(self, table: BigtableTable) -> FoundTable:
        """Return families with their rules, and the borders of tablets; the emulator ignores split keys."""
        with TrialErrors():
            description = self.admin.get_table(name=self._path(table.export.table.id), timeout=STEP_SECONDS)
            borders = None
            if not self.is_emulator:
                samples = self.data.sample_row_keys(table_name=self._path(table.export.table.id), timeout=STEP_SECONDS)
                borders = frozenset(sample.row_key for sample in samples)
        rules = {name: rule_text(rule_of(family.gc_rule)) for name, family in description.column_families.items()}
        types = {name: type_text(family.value_type) for name, family in description.column_families.items()}
        return FoundTable(rules, types, borders)

    def drop(self) -> dict[str, str]:
        """Delete the tables of this trial."""
        from google.api_core.exceptions import GoogleAPIError, NotFound

        failures = {}
        for name in self.made.values():
            try:
                self.admin.delete_table(name=f"{self.instance}/tables/{name}", timeout=STEP_SECONDS)
            except NotFound:
                continue
            except GoogleAPIError as error:
                failures[name] = first_line(error)
        return failures

    def _path(self, table_id: str) -> str:
        return f"{self.instance}/tables/{self.made[table_id]}"

    # --- rows ---

    def write(self, table: BigtableTable) -> None:
        """Write all rows in batches."""
        names = {family.family.id: family.name for family in table.export.families}
        kinds = {family.family.id: family.type for family in table.export.families}
        for batch in _batches(table.rows):
            entries = [
                {"row_key": row.key,
                 "mutations": [self._mutation(names[cell.family], cell, kinds[cell.family]) for cell in row.cells]}
                for row in batch
            ]  # fmt: skip
            with TrialErrors():
                answers = self.data.mutate_rows(
                    request={"table_name": self._path(table.export.table.id), "entries": entries}, timeout=STEP_SECONDS
                )
                # A stream with a status for each row: the call itself succeeds also where single rows were refused.
                for answer in answers:
                    for entry in answer.entries:
                        if entry.status.code:
                            raise EngineError(f"{entry.status.message or entry.status.code}"[:300])

    def _mutation(self, family: str, cell: Any, type_: str | None) -> dict[str, Any]:
        # Tables have the granularity of milliseconds and refuse other timestamps.
        time_us = (self.now_us - cell.age_us) // 1000 * 1000
        if type_ is None:
            return {
                "set_cell": {
                    "family_name": family, "column_qualifier": cell.qualifier, "timestamp_micros": time_us,
                    "value": cell.value,
                }
            }  # fmt: skip
        return {
            "add_to_cell": {
                "family_name": family, "column_qualifier": {"raw_value": cell.qualifier},
                "timestamp": {"raw_timestamp_micros": time_us},
                # Cells of an aggregate are not set but added to, and their value goes in as a number.
                "input": {"int_value": int.from_bytes(cell.value, "big")},
            }
        }  # fmt: skip

    def read(
        self, table: str, request: RangeRequest, filters: Sequence[CellFilter], *, is_reversed: bool
    ) -> tuple[list[FoundRow], int | None]:
        """Return rows, and how many the engine looked at by its own request stats."""
        from google.cloud.bigtable_v2 import types

        # Bigtable scans backwards only for clients that say so in this header; the library's data client does it, its
        # API classes do not (decision 51).
        flags = types.FeatureFlags.serialize(types.FeatureFlags(reverse_scans=True))
        ranges = [_row_range(key_range) for key_range in request.ranges]
        message = types.ReadRowsRequest(
            table_name=self._path(table), rows=types.RowSet(row_ranges=ranges) if ranges else None,
            filter=row_filter(filters, self.now_us), rows_limit=request.limit or 0, reversed=is_reversed,
            request_stats_view=types.ReadRowsRequest.RequestStatsView.REQUEST_STATS_FULL,
        )  # fmt: skip
        rows, scanned_count = _Rows(self.now_us), None
        with TrialErrors():
            features = [("bigtable-features", base64.urlsafe_b64encode(flags).decode())]
            for answer in self.data.read_rows(request=message, timeout=STEP_SECONDS, metadata=features):
                for chunk in answer.chunks:
                    rows.take(chunk)
                stats = answer.request_stats.full_read_stats_view.read_iteration_stats
                if "full_read_stats_view" in answer.request_stats:
                    scanned_count = int(stats.rows_seen_count)
        return rows.rows, scanned_count


class _Rows:
    """Puts rows together of the chunks in which they come."""

    def __init__(self, now_us: int) -> None:
        self.now_us, self.rows = now_us, list[FoundRow]()
        self._key, self._family, self._qualifier, self._time, self._value = b"", "", b"", 0, b""
        self._cells = list[FoundCell]()
        self._is_inside = False

    def take(self, chunk: Any) -> None:
        """Take one chunk; a value may come in several."""
        if chunk.reset_row:
            self._cells, self._is_inside, self._value = [], False, b""
            return
        # Chunks leave out what is as in the chunk before: the key, the family, the qualifier (ReadRowsResponse in
        # bigtable.proto).
        if chunk.row_key:
            self._key = chunk.row_key
        # Wrapper types: an empty qualifier is a qualifier of its own, so whether it was sent counts and not its text.
        if "family_name" in chunk:
            self._family = chunk.family_name
        if "qualifier" in chunk:
            self._qualifier = chunk.qualifier
        if not self._is_inside:
            self._time = chunk.timestamp_micros
        self._value += chunk.value
        # A value that goes on in the next chunk says its whole size; the last part of it says 0.
        self._is_inside = chunk.value_size > 0
        if not self._is_inside:
            self._cells.append((self._family, self._qualifier, self.now_us - self._time, self._value))
            self._value = b""
        if chunk.commit_row:
            self.rows.append(FoundRow(self._key, tuple(self._cells)))
            self._cells = []


def _row_range(key_range: Any) -> dict[str, bytes]:
    return {"start_key_closed": key_range.first, **({"end_key_open": key_range.end} if key_range.end else {})}


def _batches(rows: Sequence[TrialRow]) -> Iterator[list[TrialRow]]:
    batch: list[TrialRow] = []
    size = cells = 0
    for row in rows:
        own = sum(cell.value_bytes + len(cell.qualifier) for cell in row.cells)
        if batch and (size + own > BATCH_BYTES or cells + len(row.cells) > BATCH_CELLS):
            yield batch
            batch, size, cells = [], 0, 0
        batch.append(row)
        size, cells = size + own, cells + len(row.cells)
    if batch:
        yield batch
