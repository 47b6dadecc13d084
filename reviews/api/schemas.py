"""The types of the answers. Money is text with its cents; an unknown is null, and `unknown` says why."""

import datetime
from typing import Any, Generic, TypeVar

from ninja import Schema
from pydantic import Field

T = TypeVar("T")


class Listed(Schema, Generic[T]):
    """One page of a list."""

    items: list[T]
    count: int = Field(description="Of the whole list.")
    next: str | None = Field(description="Address of the next page; null on the last.")


class DesignInfo(Schema):
    """A design."""

    key: str
    name: str
    revision: int
    sha256: str = Field(description="Of the newest document's content.")
    made: datetime.datetime
    edited: datetime.datetime
    edited_by: str | None
    archived: bool
    variant_of: str | None = Field(description="Key of the design that it left from.")


class RevisionInfo(Schema):
    """One step of a design's history."""

    number: int
    name: str = Field(description="That somebody gave it, or empty.")
    sha256: str
    at: datetime.datetime
    by: str | None
    what: str = Field(description="What was done, in words.")


class Unknown(Schema):
    """Why a part of an estimate cannot be computed."""

    at: str = Field(description="Id of the element to look at.")
    place: str
    sentence: str


class Accepted(Schema):
    """That somebody accepts a risk."""

    reason: str
    owner: str
    until: datetime.date | None


class FindingInfo(Schema):
    """What a rule found."""

    rule: str
    severity: str
    at: str = Field(description="Id of the element that it is about; empty is the design.")
    place: str
    field: str
    sentence: str
    effect: float | None = Field(description="One number that measures it; more is worse.")
    fix: dict[str, Any] | None = Field(description="An edit that mends it, for the address of edits.")
    fix_safe: bool
    accepted: Accepted | None
    consequences: list["FindingInfo"]


class Findings(Schema):
    """All findings of a document on a day."""

    sha256: str
    today: datetime.date = Field(description="On which accepted risks were judged.")
    errors: int
    warnings: int
    notes: int
    items: list[FindingInfo]


class LineInfo(Schema):
    """One line of a bill."""

    item: str
    label: str
    at: str
    sku: str
    where: str
    quantity: str
    unit: str
    unit_price: str | None = Field(description="Null: there is no public price and none was entered.")
    price_source: str
    price_origin: str
    cost: str | None
    low: str | None
    high: str | None
    formula: str


class BillInfo(Schema):
    """The bill of the last month of the horizon."""

    first_day: datetime.date
    currency: str
    total: str = Field(description="Of the lines that have a price.")
    low: str
    high: str
    complete: bool = Field(description="False: lines have no price, and the total is a lower bound.")
    lines: list[LineInfo]
    months: list[str] = Field(description="Total of every month of the horizon.")


class CrossingInfo(Schema):
    """When the largest row passes a limit."""

    limit: str
    limit_bytes: float
    date: datetime.date | None


class RowsInfo(Schema):
    """Rows of one kind at the end of the horizon."""

    row_kind: str
    rows: float
    median_bytes: float
    p99_bytes: float
    largest_bytes: float
    crossings: list[CrossingInfo]


class TableInfo(Schema):
    """A table at the end of the horizon."""

    id: str
    name: str
    rows: float | None
    logical_bytes: float | None
    physical_bytes: float | None
    physical_bytes_low: float | None
    physical_bytes_high: float | None
    row_kinds: list[RowsInfo]
    hottest_range_share: float | None = Field(description="Share of the day's load on the busiest of the key ranges.")
    indivisible_node_share: float | None = Field(description="Load of the busiest thing that no split can spread.")
    tablets: int | None
    patterns: dict[str, float] = Field(description="What the Key Visualizer would show, with its share of the load.")


class ClusterInfo(Schema):
    """A cluster over the horizon."""

    id: str
    name: str
    region: str
    nodes_by_month: list[float]
    needed_by_month: list[float]
    needed_low: float
    needed_high: float
    limited_by: str
    short_from: datetime.date | None
    peak_utilisation: float | None
    reachable_factor: float | None = Field(description="By how much all load could grow before something is full.")


class EstimateInfo(Schema):
    """What a document comes to."""

    sha256: str
    price_book: str
    price_book_date: datetime.date | None
    bill: BillInfo | None
    tables: list[TableInfo]
    clusters: list[ClusterInfo]
    guesses: int = Field(description="Figures that nobody entered.")
    unknown: list[Unknown]


class Change(Schema):
    """What saving came to."""

    changed: bool
    revision: int
    sha256: str


class RunAsked(Schema):
    """What is to be computed."""

    kind: str
    parameters: dict[str, Any] = {}


class RunInfo(Schema):
    """A long computation about one document of a design."""

    id: int
    kind: str
    what: str = Field(description="In words.")
    parameters: dict[str, Any]
    sha256: str = Field(description="Of the document that it is about.")
    state: str = Field(description="queued, running, done, failed or cancelled.")
    fraction: float
    doing: str
    reason: str = Field(description="Why it failed.")
    asked: datetime.datetime
    asked_by: str | None
    ended: datetime.datetime | None
    expected_end: datetime.datetime | None


class RunResult(Schema):
    """What a run came to: its parts by name, those of JSON with their content."""

    id: int
    parts: dict[str, int] = Field(description="Sizes in bytes.")
    content: dict[str, Any]


class FormatInfo(Schema):
    """Something that a design can be exported to."""

    name: str
    title: str
    about: str
    engines: list[str]
    media_type: str


class FileInfo(Schema):
    """One file of an export."""

    name: str
    text: str | None
    base64: str | None = Field(description="In the place of text, where it is none.")


class RemarkInfo(Schema):
    """A sentence about one element of the design."""

    at: str
    place: str
    sentence: str


class ExportInfo(Schema):
    """A design as files. What is refused is in none of them."""

    format: str
    sha256: str
    revision: int
    files: list[FileInfo]
    notes: list[RemarkInfo]
    refusals: list[RemarkInfo]


class ImportAsked(Schema):
    """What another tool printed."""

    text: str = Field(description="As it was printed: Terraform, `cbt ls`, gcloud's JSON, a row key schema, keys.")
    format: str = Field(default="", description="Its format, as `manage.py import` lists them; empty: as it looks.")


class MissedInfo(Schema):
    """Something of the text that is not in the design."""

    where: str
    sentence: str


class ImportInfo(Schema):
    """A design made of a text. Nothing is saved: a POST to the designs does that."""

    format: str = Field(description="In which it was read.")
    document: dict[str, Any] = Field(description="The design document.")
    not_understood: list[MissedInfo]
