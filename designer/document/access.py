"""Writes and reads: how an activity or a caller touches a table."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from .activity import Profile
from .base import Count, Days, Element, Flag, Flaw, Id, Model, Number, Rate, Share, list_field, optional_field
from .popularity import Popularity
from .texts import N_, build_text


class Where(Model):
    """Location of a caller: a region, a zone of a region, or an area of the internet."""

    region: str | None = Field(default=None, title="Region")
    zone: str | None = Field(default=None, title="Zone")
    internet: Literal["worldwide", "asia", "china", "australia"] | None = Field(
        default=None, title="Area of the internet"
    )

    @property
    def known_region(self) -> str:
        """The region that is named, or that of the zone; empty without both."""
        return self.region or (self.zone or "").rpartition("-")[0]


WriteMode = Literal[
    "append_row", "overwrite", "new_cell", "new_column", "increment", "add_to_aggregate",
    "read_modify_write", "check_and_mutate", "delete_cell", "delete_family", "delete_row", "delete_prefix",
]  # fmt: skip


class Write(Element):
    """Row write that one event of an activity makes to a row kind."""

    name: str = Field(default="", title="Name")
    activity: Id | None = optional_field("Activity")
    rows_per_event: Annotated[Number, Field(gt=0, le=1e9)] | None = optional_field(
        "Rows per event", unit="rows", guess=1.0, why=N_("one at a time, unless specified otherwise")
    )
    columns: tuple[Id, ...] = list_field("Columns", help="Default: all columns of the row kind.")
    mode: WriteMode | None = optional_field("Write mode", help="Default: derived from the row key.")
    selected_by: tuple[Id, ...] = list_field(
        "Selected by", help="For deletions: the fields whose values select the rows, for example the tenant."
    )
    rows_per_request: Count | None = optional_field(
        "Rows per request", unit="rows", guess=1, why=N_("one at a time, unless specified otherwise")
    )
    together: Flag | None = optional_field(
        "Apply together",
        guess=False,
        help="All writes of the activity are applied, or none of them.",
        why=N_("each write of an event can fail separately"),
    )
    row_age_days: Days | None = optional_field(
        "Age of updated rows",
        unit="days",
        help="The write goes to rows that other writes created up to so long ago, to each as often. It creates none.",
    )
    timestamp_ahead_days: Annotated[Number, Field(ge=-1e6, le=1e6)] | None = optional_field(
        "Cell timestamps ahead",
        unit="days",
        help="How far after the write the writer sets the timestamps. Cells live so much longer than the maximum age.",
    )
    app_profile: Id | None = optional_field("App profile")
    where: Where | None = optional_field("Caller location", help="Default: next to the cluster.")

    @property
    def ahead_days(self) -> float:
        """Days from a write to the timestamps of its cells; below 0, these lie before it."""
        return self.timestamp_ahead_days or 0.0

    @property
    def deletes(self) -> bool:
        """True if the write only deletes."""
        return self.mode is not None and self.mode.startswith("delete")


class Bind(Model):
    """A field whose value the caller knows.

    `values` > 1: one of so many values, read together. `prefix`: only the beginning of a text (a parent domain).
    `from_value`, `to_value`: any value from the one to the other, both included; one of them may be open.
    """

    field: Id = Field(title="Field")
    values: Count = Field(default=1, title="Values per request")
    prefix: Flag = Field(default=False, title="Prefix only")
    from_value: Annotated[str, Field(max_length=1_000)] | None = Field(default=None, title="From value")
    to_value: Annotated[str, Field(max_length=1_000)] | None = Field(default=None, title="To value")
    popularity: Popularity | None = Field(default=None, title="Access distribution")

    @property
    def is_range(self) -> bool:
        """True if the caller knows between which values the field's value lies."""
        return self.from_value is not None or self.to_value is not None

    @property
    def is_whole(self) -> bool:
        """True if the caller knows the whole value."""
        return not self.prefix and not self.is_range

    def flaws(self) -> Iterator[Flaw]:
        if not self.is_range:
            return
        for name in ("prefix", "popularity"):
            if getattr(self, name):
                yield Flaw((name,), build_text(N_("a range of values has no {name}: remove one of the two"), name=name))
        if self.values > 1:
            message = N_("a range of values has no number of values: remove one of the two")
            yield Flaw(("values",), build_text(message))


class TimeRange(Model):
    """The caller wants this span of time, ending `age_days` ago."""

    days: Days = Field(title="Length", json_schema_extra={"unit": "days"})
    age_days: Number = Field(title="End (before now)", default=0, ge=0, le=1e6, json_schema_extra={"unit": "days"})


class Read(Element):
    """Request of a caller, with the values that the caller knows when it makes the request."""

    name: str = Field(default="", title="Name")
    rate_per_second: Rate | None = optional_field(
        "Rate", unit="requests per second", help="Mean over a week, on the start date."
    )
    profile: Profile | None = optional_field("Load profile")
    growth_per_month: Number | None = optional_field(
        "Monthly growth", unit="share", guess=0.0, ge=-1, le=10, why=N_("no growth is specified")
    )
    binds: tuple[Bind, ...] = list_field("Specified fields")
    time: TimeRange | None = optional_field("Time range")
    exact_time: Flag = Field(
        default=False, title="Exact time specified", description="The caller specifies the exact time in the key."
    )
    newest_rows: Count | None = optional_field("Newest rows", unit="rows")
    row_limit: Count | None = optional_field(
        "Row limit", unit="rows", help="The first rows in key order; of a reverse scan, the last."
    )
    newest_columns: Count | None = optional_field(
        "Newest columns", unit="columns", help="Of columns whose qualifier begins with a time or a counted number."
    )
    newest_versions: Count | None = optional_field("Newest versions", unit="versions")
    cell_days: Days | None = optional_field("Cell-time range", unit="days")
    row_kinds: tuple[Id, ...] = list_field(
        "Other row kinds returned", help="Kinds of rows of the same table that one scan returns with these rows."
    )
    match_share: Share | None = optional_field(
        "Matching rows",
        unit="share",
        guess=1.0,
        help="Share of the scanned rows that the caller needs.",
        why=N_("all, unless specified otherwise"),
    )
    value_share: Share | None = optional_field(
        "Needed share of each value",
        unit="share",
        guess=1.0,
        help="For a serialised column: share of its content that the caller needs.",
        why=N_("the whole value, unless specified otherwise"),
    )
    age_days: Annotated[Number, Field(ge=0, le=1e6)] | None = optional_field(
        "Data age", unit="days", guess=0.0, why=N_("most reads are of new data")
    )
    keys_per_call: Count | None = optional_field(
        "Keys per call", unit="keys", guess=1, why=N_("one at a time, unless specified otherwise")
    )
    reverse: Flag | None = optional_field(
        "Reverse scan", guess=False, why=N_("scans are forward unless specified otherwise")
    )
    families: tuple[Id, ...] = list_field("Families read", help="Default: all.")
    columns: tuple[Id, ...] = list_field("Columns read", help="Default: all columns of the families.")
    latency: Literal["sensitive", "batch"] | None = optional_field(
        "Latency", guess="sensitive", why=N_("reads are latency-sensitive unless specified otherwise")
    )
    sees_own_write: Flag | None = optional_field(
        "Must read its own writes",
        guess=False,
        help="The read follows a write directly and must return the written data.",
        why=N_("stale results are acceptable unless specified otherwise"),
    )
    app_profile: Id | None = optional_field("App profile")
    where: Where | None = optional_field("Caller location", help="Default: next to the cluster.")

    def flaws(self) -> Iterator[Flaw]:
        if self.newest_rows is not None and self.row_limit is not None:
            message = N_("a read returns the newest rows or the first in key order: remove one of the two limits")
            yield Flaw(("row_limit",), build_text(message))
        if self.newest_rows is not None and self.row_kinds:
            message = N_("the newest rows are those of one row kind: set a row limit, or remove the other row kinds")
            yield Flaw(("row_kinds",), build_text(message))
