"""Tables and the kinds of rows in them."""

import math
from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .access import Read, Write
from .base import (
    WHOLE,
    Count,
    Day,
    Days,
    Element,
    Flag,
    Flaw,
    Id,
    Model,
    Number,
    Rate,
    SharedPart,
    list_field,
    optional_field,
)
from .family import Family
from .key import Bytes, KeyColumn, Segment
from .rotation import Rotation
from .terraform import Terraform
from .texts import N_, Text, build_text


class KnownSize(Element):
    """A size that was seen in a table that exists: of the largest row, or the rows of the largest prefix.

    Assumed values of the fields of the key, and assumed sizes of values, are fitted to it.
    """

    largest_row_mib: Annotated[Number, Field(gt=0, le=1e9)] | None = optional_field(
        "Largest row", unit="MiB", help="Uncompressed size of the largest row that was seen."
    )
    prefix: Id | None = optional_field(
        "Prefix through", help="The field with which the prefix ends, such as a tenant at the beginning of the key."
    )
    prefix_rows: Annotated[Number, Field(gt=0, le=1e18)] | None = optional_field(
        "Rows of the largest prefix", unit="rows", help="Rows below the prefix that has the most."
    )
    date: Day | None = optional_field("Seen on", help="Default: the start date.")

    def flaws(self) -> Iterator[Flaw]:
        if self.largest_row_mib is not None and (self.prefix is not None or self.prefix_rows is not None):
            yield Flaw((), build_text(N_("a known size is of the largest row or of a prefix, not of both")))

    @property
    def label(self) -> str:
        """The known size in short, as far as it can be given without the rest of the document."""
        if self.largest_row_mib is not None:
            return f"{self.largest_row_mib:g} MiB"
        return self.id if self.prefix_rows is None else f"{self.prefix_rows:,.0f}"

    @property
    def size(self) -> float | None:
        """The known size: bytes of a row, or rows of a prefix; None while it is not complete."""
        if self.largest_row_mib is not None:
            return self.largest_row_mib * 2**20
        return self.prefix_rows if self.prefix is not None else None

    @property
    def reason(self) -> Text:
        """Reason for a value that is fitted to this size."""
        if self.largest_row_mib is not None:
            return build_text(FITTED_TO_ROW, row_bytes=self.size)
        return build_text(FITTED_TO_PREFIX, rows=self.prefix_rows)


FITTED_TO_ROW = N_("fitted to the largest row of {row_bytes}")
FITTED_TO_PREFIX = N_("fitted to the largest prefix of {rows} rows")


class RowKind(Element):
    """Rows with one key pattern: what is in them, what writes and what reads them."""

    name: str = Field(default="", title="Name")
    key: tuple[Segment, ...] = list_field("Row key")
    key_columns: tuple[KeyColumn, ...] = list_field(
        "Primary key columns", help="Tablestore only; Bigtable uses the row key."
    )
    columns: tuple[Id, ...] = list_field("Columns", help="Default: all columns of the table.")
    writes: tuple[Write, ...] = list_field("Writes")
    reads: tuple[Read, ...] = list_field("Reads")
    known: tuple[KnownSize, ...] = list_field(
        "Known sizes", help="Sizes that were seen in a table that exists. Assumed values are fitted to them."
    )
    reads_unknown: Flag | None = optional_field("Reads undecided", help="The reads of these rows are undecided.")

    @property
    def creating_writes(self) -> tuple[Write, ...]:
        """The writes that make rows: all but those that update rows which others created, if there are others."""
        return tuple(write for write in self.writes if write.row_age_days is None) or self.writes

    @property
    def updating_writes(self) -> tuple[Write, ...]:
        """The writes that update rows which others created."""
        created = {write.id for write in self.creating_writes}
        return tuple(write for write in self.writes if write.id not in created)

    @property
    def ahead_days(self) -> float:
        """The furthest that a write sets the timestamps of its cells after itself. [day]"""
        return max((write.ahead_days for write in self.writes if not write.deletes), default=0.0)

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments in the order of the key, over all primary-key columns."""
        return self.key or tuple(s for column in self.key_columns for s in column.parts)


class Backup(Element):
    """A repeated backup of the table."""

    kind: Literal["standard", "hot"] = Field(default="standard", title="Kind")
    every_hours: Annotated[Number, Field(gt=0, le=1e6)] | None = optional_field(
        "Interval", unit="hours", guess=24.0, why=N_("automated backups are daily")
    )
    kept_days: Days | None = optional_field(
        "Retention", unit="days", guess=7.0, why=N_("automated backups are kept for a week")
    )
    copies: tuple[str, ...] = list_field("Copy regions")
    automated: Flag = Field(default=True, title="Automated")


class Derived(Model):
    """Source of a table's rows that come from another table."""

    table: Id = Field(title="Table")
    how: Literal["index_table", "dual_write", "materialised_view", "global_index", "local_index"] = Field(title="How")

    @property
    def is_secondary_index(self) -> bool:
        """True if Tablestore itself writes the rows."""
        return self.how in ("global_index", "local_index")

    @property
    def is_written_by_engine(self) -> bool:
        """True if no client sends the writes: it is a view or a secondary index."""
        return self.is_secondary_index or self.how == "materialised_view"


TTL_FOREVER = -1
"""Tablestore's time to live of a table that deletes nothing."""
TTL_SECONDS_MIN, TTL_SECONDS_MAX = 86_400, 2**31 - 1
"""The shortest other one (https://help.aliyun.com/en/tablestore/data-versions-and-ttl, read 2026-11-20), and the
longest that its 32 bits hold. [s]"""


def time_to_live(kept_seconds: float) -> int:
    """Return the time to live, in whole seconds, of a table whose data is needed for so long; infinity: for ever."""
    return max(math.ceil(kept_seconds), TTL_SECONDS_MIN) if kept_seconds <= TTL_SECONDS_MAX else TTL_FOREVER


class Tablestore(Model):
    """A table's settings on Tablestore."""

    ttl_seconds: Annotated[int, Field(ge=TTL_FOREVER, le=TTL_SECONDS_MAX), WHOLE] | None = optional_field(
        "Time to live",
        unit="seconds",
        guess=TTL_FOREVER,
        why=N_("data is kept unless a time to live is set"),
    )
    max_versions: Count | None = optional_field(
        "Versions kept", unit="versions", guess=1, why=N_("one version is kept unless specified otherwise")
    )
    reserved_read_cu: Rate | None = optional_field(
        "Reserved read throughput", unit="CU", guess=0, why=N_("none is specified")
    )
    reserved_write_cu: Rate | None = optional_field(
        "Reserved write throughput", unit="CU", guess=0, why=N_("none is specified")
    )
    stream_hours: Annotated[int, Field(ge=1, le=168), WHOLE] | None = optional_field(
        "Stream retention", unit="hours", help="Hours for which the stream keeps changes. Default: no stream."
    )
    stream_readers: Annotated[int, Field(ge=0, le=10), WHOLE] | None = optional_field(
        "Readers of the stream",
        guess=1,
        why=N_("a stream is kept to be read"),
        help="Tunnels and programs that each read every change.",
    )
    encrypted: Flag | None = optional_field(
        "Encryption at rest",
        guess=False,
        why=N_("off by default"),
        help="With the key of the service (SSE_KMS_SERVICE).",
    )


class Table(SharedPart, defer_build=False):
    """A table."""

    name: str = Field(default="", title="Name")
    description: str = Field(default="", title="Description")
    row_kinds: tuple[RowKind, ...] = list_field("Row kinds")
    families: tuple[Family, ...] = list_field("Column families")
    rotation: Rotation | None = optional_field(
        "Rotation", help="One table per day, week or month. The oldest is dropped whole. Default: one table."
    )
    history_months: Rate | None = optional_field(
        "History stored",
        unit="months",
        guess=0,
        help="Data stored on the start date, computed from the initial rates.",
        why=N_("the table starts empty"),
    )
    rows_stored: Rate | None = optional_field(
        "Rows stored", unit="rows", help="Number of rows on the start date. Default: computed from the history."
    )
    gib_stored: Rate | None = optional_field(
        "Stored", unit="GiB", help="Measured physical GiB on the start date. Default: computed."
    )
    keep_forever: Flag | None = optional_field(
        "Retained permanently by intent", guess=False, why=N_("not specified as intentional")
    )
    compressed_share: Annotated[Number, Field(gt=0, le=2)] | None = optional_field(
        "Compressed ÷ uncompressed",
        unit="share",
        help="Measured on an existing table. Default: assumed from the kinds of values.",
    )
    deletion_protection: Flag | None = optional_field("Deletion protection", guess=False, why=N_("off by default"))
    change_stream_days: Days | None = optional_field("Change stream retention", unit="days")
    infrequent_access_days: Days | None = optional_field("Infrequent access after", unit="days")
    backups: tuple[Backup, ...] = list_field("Backups")
    split_keys: tuple[Bytes, ...] = list_field(
        "Split keys", help="Bigtable only: keys where the table is split on creation; `\\xNN` is a byte."
    )
    row_key_schema: Flag | None = optional_field(
        "Row key schema",
        help="Whether exports give the table the row key as a schema, for structured queries (Preview).",
    )
    derived_from: Derived | None = optional_field("Derived from")
    terraform: Terraform | None = optional_field("Terraform resource")
    tablestore: Tablestore | None = optional_field("Tablestore settings")
