"""Tables and the kinds of rows in them."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from .access import Read, Write
from .base import Count, Days, Element, Id, Model, Rate, list_field, optional_field
from .family import Family
from .key import Bytes, KeyColumn, Segment
from .texts import N_


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
    reads_unknown: bool | None = optional_field("Reads undecided", help="The reads of these rows are undecided.")

    @property
    def segments(self) -> tuple[Segment, ...]:
        """All segments in the order of the key, over all primary-key columns."""
        return self.key or tuple(s for column in self.key_columns for s in column.parts)


class Backup(Element):
    """A repeated backup of the table."""

    kind: Literal["standard", "hot"] = Field(default="standard", title="Kind")
    every_hours: Annotated[float, Field(gt=0, le=1e6)] | None = optional_field(
        "Interval", unit="hours", guess=24.0, why=N_("automated backups are daily")
    )
    kept_days: Days | None = optional_field(
        "Retention", unit="days", guess=7.0, why=N_("automated backups are kept for a week")
    )
    copies: tuple[str, ...] = list_field("Copy regions")
    automated: bool = Field(default=True, title="Automated")


class Derived(Model):
    """Source of a table's rows that come from another table."""

    table: Id = Field(title="Table")
    how: Literal["index_table", "dual_write", "materialised_view"] = Field(title="How")


class Tablestore(Model):
    """A table's settings on Tablestore."""

    ttl_seconds: int | None = optional_field(
        "Time to live",
        unit="seconds",
        guess=-1,
        ge=-1,
        le=2**31 - 1,
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


class Table(Element):
    """A table."""

    counts_once: ClassVar[bool] = True

    name: str = Field(default="", title="Name")
    description: str = Field(default="", title="Description")
    row_kinds: tuple[RowKind, ...] = list_field("Row kinds")
    families: tuple[Family, ...] = list_field("Column families")
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
    keep_forever: bool | None = optional_field(
        "Retained permanently by intent", guess=False, why=N_("not specified as intentional")
    )
    compressed_share: Annotated[float, Field(gt=0, le=2)] | None = optional_field(
        "Compressed ÷ uncompressed",
        unit="share",
        help="Measured on an existing table. Default: assumed from the kinds of values.",
    )
    deletion_protection: bool | None = optional_field("Deletion protection", guess=False, why=N_("off by default"))
    change_stream_days: Days | None = optional_field("Change stream retention", unit="days")
    infrequent_access_days: Days | None = optional_field("Infrequent access after", unit="days")
    backups: tuple[Backup, ...] = list_field("Backups")
    split_keys: tuple[Bytes, ...] = list_field(
        "Split keys", help="Bigtable only: keys where the table is split on creation; `\\xNN` is a byte."
    )
    derived_from: Derived | None = optional_field("Derived from")
    tablestore: Tablestore | None = optional_field("Tablestore settings")
