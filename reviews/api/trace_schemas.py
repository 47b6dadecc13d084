"""The types of access logs: how they are read and replayed, and what they tell."""

import datetime
from typing import Any, Literal

from ninja import Schema
from pydantic import Field, StrictBool

from designer.document.texts import N_
from reviews.api.bodies import RequestBody


class AssumedInfo(Schema):
    """A value that a design does not specify."""

    at: str = Field(description=N_("Id of the element; empty for the design and its instance."))
    field: str = Field(description=N_("Name of the field; dots separate levels."))
    value: Any = Field(description=N_("The value that is assumed."))
    why: str = Field(description=N_("The reason in a few words."))


class TraceAsked(RequestBody):
    """An access log of a table that exists."""

    text: str = Field(description=N_("Lines of CSV or JSON objects: time, row key, and operation, bytes and table."))
    columns: list[str] = Field(
        default=[],
        max_length=100,
        description=N_('Columns in their order, "-" for another, or as `time=when` by name. Default: recognised.'),
    )
    keys: Literal["text", "hex", "base64"] = Field(default="text", description=N_("How the row keys are written."))
    name: str = Field(default="", max_length=200, description=N_("Name of the design."))
    hash_keys: StrictBool = Field(default=False, description=N_("Whether to answer with hashes of keys and values."))


class TraceFileAsked(Schema):
    """Form of the file of an access log."""

    columns: str = Field(
        default="", max_length=1_000, description=N_("Columns, separated by commas. Default: recognised.")
    )
    keys: Literal["text", "hex", "base64"] = Field(default="text", description=N_("How the row keys are written."))
    design_name: str = Field(default="", max_length=200, description=N_("Name of the design."))
    hash_keys: bool = Field(default=False, description=N_("Whether to answer with hashes of keys and values."))


class TraceInfo(Schema):
    """Results of an access log."""

    report: dict[str, Any] = Field(description=N_("The figures, as `keywright trace --json` prints them."))
    document: dict[str, Any] = Field(description=N_("The design document with these figures."))
    assumed: list[AssumedInfo] = Field(description=N_("Values of the document that are not in the log."))


class ReplayOptions(Schema):
    """Other keys of a table, and how an access log is read."""

    keys: Literal["text", "hex", "base64"] = Field(default="text", description=N_("How the row keys are written."))
    table: str = Field(default="", max_length=100, description=N_("Name or id of the table. Default: the only one."))
    log_key: str = Field(
        default="", max_length=1_000, description=N_("Pattern of the keys in the log. Default: the key of the design.")
    )
    row_kind: str = Field(
        default="",
        max_length=100,
        description=N_("Name or id of the row kind whose keys `log_key` and `other_key` are. Default: the only one."),
    )
    other_key: str = Field(
        default="",
        max_length=1_000,
        description=N_(
            "Key text of a second key for the same table, or a candidate of the advisor: `advisor`, `advisor:2`, "
            "`advisor:all`. Default: none."
        ),
    )
    other_design: str = Field(
        default="",
        max_length=40,
        description=N_("Key of another design, such as a variant, that has the table. Default: none."),
    )


class ReplayAsked(RequestBody, ReplayOptions):
    """An access log, and another key of a table."""

    text: str = Field(description=N_("Lines of CSV or JSON objects: time, row key, and operation, bytes and table."))
    columns: list[str] = Field(
        default=[],
        max_length=100,
        description=N_('Columns in their order, "-" for another, or as `time=when` by name. Default: recognised.'),
    )


class ReplayFileAsked(ReplayOptions):
    """Form of the file of an access log, and another key of a table."""

    columns: str = Field(
        default="", max_length=1_000, description=N_("Columns, separated by commas. Default: recognised.")
    )


class ReplayInfo(Schema):
    """The requests of a log under one key or two, each beside its model."""

    replays: list[dict[str, Any]] = Field(
        description=N_("One for each key, as `keywright trace --replay --json` prints them.")
    )
    columns: dict[str, str] = Field(description=N_("How the columns of the log were read: their names or numbers."))
    unread: list[dict[str, Any]] = Field(
        description=N_("Lines without a request, by reason, with the first line numbers.")
    )
    is_cut: bool = Field(
        description=N_("Whether the log is longer than the 64 MiB, in a run 1 GiB, that are read of it.")
    )
    read_share: float = Field(description=N_("Share of the log that was read, from its beginning: 1 for all of it."))


class ReplayRunInfo(Schema):
    """A replay in the background."""

    id: str = Field(description=N_("Id of the replay: the same for the same file, keys and day."))
    state: Literal["queued", "running", "done", "failed", "cancelled"] = Field(description=N_("State of the run."))
    fraction: float = Field(description=N_("Share of the work that is done; the log is read twice if it is long."))
    asked: datetime.datetime = Field(description=N_("Time at which it was started."))
    reason: str = Field(description=N_("Reason that it failed; empty otherwise."))
    result: ReplayInfo | None = Field(description=N_("The replay of all requests; null until the run is done."))
