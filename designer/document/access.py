"""Writes and reads: how an activity or a caller touches a table."""

from typing import Annotated, Literal

from pydantic import Field

from .activity import Profile
from .base import Count, Days, Element, Id, Model, Rate, Share, described, listed
from .popularity import Popularity
from .texts import N_


class Where(Model):
    """Where a caller is: a region, a zone of one, or an area of the internet."""

    region: str | None = Field(default=None, title="Region")
    zone: str | None = Field(default=None, title="Zone")
    internet: Literal["worldwide", "asia", "china", "australia"] | None = Field(
        default=None, title="Area of the internet"
    )


WriteMode = Literal[
    "append_row", "overwrite", "new_cell", "new_column", "increment", "add_to_aggregate",
    "read_modify_write", "check_and_mutate", "delete_cell", "delete_family", "delete_row", "delete_prefix",
]  # fmt: skip


class Write(Element):
    """What one event of an activity writes into this row kind."""

    name: str = Field(default="", title="Name")
    activity: Id | None = described("Activity")
    rows_per_event: Annotated[float, Field(gt=0, le=1e9)] | None = described(
        "Rows per event", unit="rows", guess=1.0, why=N_("one by one, as nothing says otherwise")
    )
    columns: tuple[Id, ...] = listed("Columns", help="None named: all columns of the row kind.")
    mode: WriteMode = Field(default="append_row", title="How it writes")
    selected_by: tuple[Id, ...] = listed(
        "Selected by", help="Of a deletion: the fields whose values say which rows go, as the tenant that leaves."
    )
    rows_per_request: Count | None = described(
        "Rows per request", unit="rows", guess=1, why=N_("one by one, as nothing says otherwise")
    )
    together: bool | None = described(
        "Must land together",
        guess=False,
        help="With the activity's other writes, or not at all.",
        why=N_("each write of an event may fail alone"),
    )
    app_profile: Id | None = described("App profile")
    where: Where | None = described("Where the caller is", help="Unset: beside the cluster.")


class Bind(Model):
    """A field whose value the caller knows.

    `values` > 1: one of so many values, read together. `prefix`: only the beginning of a text (a parent domain).
    """

    field: Id = Field(title="Field")
    values: Count = Field(default=1, title="Values at once")
    prefix: bool = Field(default=False, title="Only its beginning")
    popularity: Popularity | None = Field(default=None, title="Popularity")


class TimeRange(Model):
    """The caller wants this span of time, ending `age_days` ago."""

    days: Days = Field(title="Days")
    age_days: float = Field(title="Ended so many days ago", default=0, ge=0, le=1e6)


class Read(Element):
    """What a caller asks for, and what it knows when it asks."""

    name: str = Field(default="", title="Name")
    rate_per_second: Rate | None = described(
        "Rate", unit="requests per second", help="Mean over a week, on the start date."
    )
    profile: Profile | None = described("Shape of day and week")
    growth_per_month: float | None = described(
        "Growth per month", unit="share", guess=0.0, ge=-1, le=10, why=N_("no growth is mentioned")
    )
    binds: tuple[Bind, ...] = listed("Known fields")
    time: TimeRange | None = described("Time range")
    exact_time: bool = Field(
        default=False, title="Exact time known", description="The caller knows the very time in the key."
    )
    newest_rows: Count | None = described("Newest rows", unit="rows")
    newest_versions: Count | None = described("Newest versions", unit="versions")
    cell_days: Days | None = described("Cell-time range", unit="days")
    match_share: Share | None = described(
        "Rows that match",
        unit="share",
        guess=1.0,
        help="Of the rows found, how many the caller keeps.",
        why=N_("all of them, as nothing says otherwise"),
    )
    value_share: Share | None = described(
        "Part of each value wanted",
        unit="share",
        guess=1.0,
        help="Of what a serialised column holds.",
        why=N_("the whole value, as nothing says otherwise"),
    )
    age_days: Annotated[float, Field(ge=0, le=1e6)] | None = described(
        "Age of what is read", unit="days", guess=0.0, why=N_("mostly what is new is read")
    )
    keys_per_call: Count | None = described(
        "Keys per call", unit="keys", guess=1, why=N_("one by one, as nothing says otherwise")
    )
    reverse: bool | None = described("Reverse scan", guess=False, why=N_("forward, as scans are unless they ask"))
    families: tuple[Id, ...] = listed("Families wanted", help="None named: all.")
    columns: tuple[Id, ...] = listed("Columns wanted", help="None named: all of the families.")
    latency: Literal["sensitive", "batch"] | None = described(
        "Latency", guess="sensitive", why=N_("somebody waits for the answer, as nothing says otherwise")
    )
    sees_own_write: bool | None = described(
        "Must see its own write",
        guess=False,
        help="It follows a write at once and must see what was written.",
        why=N_("an answer may be a moment old unless somebody says otherwise"),
    )
    app_profile: Id | None = described("App profile")
    where: Where | None = described("Where the caller is", help="Unset: beside the cluster.")
