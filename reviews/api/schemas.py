"""The types of the answers. Money is text with its cents; an unknown is null, and `unknown` says why."""

import datetime
from typing import Any, Generic, TypeVar

from ninja import Schema
from pydantic import Field

T = TypeVar("T")


class Listed(Schema, Generic[T]):
    """One page of a list."""

    items: list[T] = Field(description="This page of it.")
    count: int = Field(description="Of the whole list.")
    next: str | None = Field(description="Address of the next page; null on the last.")


class DesignInfo(Schema):
    """A design."""

    key: str = Field(description="Names it in addresses.")
    name: str = Field(description="As people call it.")
    revision: int = Field(description="The number of the newest.")
    sha256: str = Field(description="Of the newest document's content.")
    made: datetime.datetime = Field(description="When, in UTC.")
    edited: datetime.datetime = Field(description="When last, in UTC.")
    edited_by: str | None = Field(description="Who did so last; null: nobody who is still there.")
    archived: bool = Field(description="Put away, and out of the usual list.")
    variant_of: str | None = Field(description="Key of the design that it left from.")


class RevisionInfo(Schema):
    """One step of a design's history."""

    number: int = Field(description="Counted from 1 in each design.")
    name: str = Field(description="That somebody gave it, or empty.")
    sha256: str = Field(description="Of its document's content.")
    at: datetime.datetime = Field(description="When, in UTC.")
    by: str | None = Field(description="Who; null: nobody who is still there.")
    what: str = Field(description="What was done, in words.")


class Unknown(Schema):
    """Why a part of an estimate cannot be computed."""

    at: str = Field(description="Id of the element to look at.")
    place: str = Field(description="The element, in words.")
    sentence: str = Field(description="What is lacking.")


class Accepted(Schema):
    """That somebody accepts a risk."""

    reason: str = Field(description="In the words of who accepted it.")
    owner: str = Field(description="Who answers for it.")
    until: datetime.date | None = Field(description="The last day; null: without an end.")


class FindingInfo(Schema):
    """What a rule found."""

    rule: str = Field(description="Its code, as in K004; its page is /rules/CODE.")
    severity: str = Field(description="error, warning or note.")
    at: str = Field(description="Id of the element that it is about; empty is the design.")
    place: str = Field(description="The element, in words.")
    field: str = Field(description="Of the element, if it is about one; else empty.")
    sentence: str = Field(description="What was found, with what was measured.")
    effect: float | None = Field(description="One number that measures it; more is worse.")
    fix: dict[str, Any] | None = Field(description="An edit that mends it, for the address of edits.")
    fix_safe: bool = Field(description="Whether the rule calls its fix safe.")
    accepted: Accepted | None = Field(description="Null: nobody accepts it.")
    consequences: list["FindingInfo"] = Field(description="Findings that this one is the cause of.")


class Findings(Schema):
    """All findings of a document on a day."""

    sha256: str = Field(description="Of the document's content.")
    today: datetime.date = Field(description="On which accepted risks were judged.")
    errors: int = Field(description="How many that nobody accepts.")
    warnings: int = Field(description="How many that nobody accepts.")
    notes: int = Field(description="How many that nobody accepts.")
    items: list[FindingInfo] = Field(description="Gravest first.")


class LineInfo(Schema):
    """One line of a bill."""

    item: str = Field(description="What is billed, as in nodes or storage.")
    label: str = Field(description="The same in words.")
    at: str = Field(description="Id of the element that it is for; empty is the design.")
    sku: str = Field(description="Names the price in the price book.")
    where: str = Field(description="The region, or the route of traffic.")
    quantity: str = Field(description="How much of the unit.")
    unit: str = Field(description="Of the quantity.")
    unit_price: str | None = Field(description="Null: there is no public price and none was entered.")
    price_source: str = Field(description="Where the price was read.")
    price_origin: str = Field(description="book, you, free or missing.")
    cost: str | None = Field(description="Of the month; null without a price.")
    low: str | None = Field(description="Least that is likely; null without a price.")
    high: str | None = Field(description="Most that is likely; null without a price.")
    formula: str = Field(description="The arithmetic, in words.")


class BillInfo(Schema):
    """The bill of the last month of the horizon."""

    first_day: datetime.date = Field(description="Of the month.")
    currency: str = Field(description="As ISO 4217 has it.")
    total: str = Field(description="Of the lines that have a price.")
    low: str = Field(description="Least that is likely.")
    high: str = Field(description="Most that is likely.")
    complete: bool = Field(description="False: lines have no price, and the total is a lower bound.")
    lines: list[LineInfo] = Field(description="What the total adds up.")
    months: list[str] = Field(description="Total of every month of the horizon.")


class CrossingInfo(Schema):
    """When the largest row passes a limit."""

    limit: str = Field(description="Its name.")
    limit_bytes: float = Field(description="Its size.")
    date: datetime.date | None = Field(description="Null: not within the horizon.")


class RowsInfo(Schema):
    """Rows of one kind at the end of the horizon."""

    row_kind: str = Field(description="Its id.")
    rows: float = Field(description="How many.")
    median_bytes: float = Field(description="Of a row.")
    p99_bytes: float = Field(description="What 99 of 100 rows stay below.")
    largest_bytes: float = Field(description="Of the largest row.")
    crossings: list[CrossingInfo] = Field(description="Limits that the largest row passes.")


class TableInfo(Schema):
    """A table at the end of the horizon."""

    id: str = Field(description="Of the table.")
    name: str = Field(description="As people call it.")
    rows: float | None = Field(description="Null: not known.")
    logical_bytes: float | None = Field(description="Before compression; null: not known.")
    physical_bytes: float | None = Field(description="As stored; null: not known.")
    physical_bytes_low: float | None = Field(description="Least that is likely.")
    physical_bytes_high: float | None = Field(description="Most that is likely.")
    row_kinds: list[RowsInfo] = Field(description="Each kind of its rows.")
    hottest_range_share: float | None = Field(description="Share of the day's load on the busiest of the key ranges.")
    indivisible_node_share: float | None = Field(description="Load of the busiest thing that no split can spread.")
    tablets: int | None = Field(description="Into how many parts it is split; null: not known.")
    patterns: dict[str, float] = Field(description="What the Key Visualizer would show, with its share of the load.")


class ClusterInfo(Schema):
    """A cluster over the horizon."""

    id: str = Field(description="Of the cluster.")
    name: str = Field(description="As people call it.")
    region: str = Field(description="Where it is.")
    nodes_by_month: list[float] = Field(description="That it has, at the start and after each month of the horizon.")
    needed_by_month: list[float] = Field(description="That the load needs, as often.")
    needed_low: float = Field(description="Least that is likely, in the last month.")
    needed_high: float = Field(description="Most that is likely, in the last month.")
    limited_by: str = Field(description="What asks for so many: load, storage or minimum.")
    short_from: datetime.date | None = Field(description="The first day with too few; null: none.")
    peak_utilisation: float | None = Field(description="Of the busiest node, as a share; null: not known.")
    reachable_factor: float | None = Field(description="By how much all load could grow before something is full.")


class EstimateInfo(Schema):
    """What a document comes to."""

    sha256: str = Field(description="Of the document's content.")
    price_book: str = Field(description="Whose prices the bill has.")
    price_book_date: datetime.date | None = Field(description="Of the book.")
    bill: BillInfo | None = Field(description="Null: not known; unknown says why.")
    tables: list[TableInfo] = Field(description="Each of them.")
    clusters: list[ClusterInfo] = Field(description="Each of them.")
    guesses: int = Field(description="Figures that nobody entered.")
    unknown: list[Unknown] = Field(description="What is lacking for the rest.")


class Change(Schema):
    """What saving came to."""

    changed: bool = Field(description="False: the document was so already.")
    revision: int = Field(description="The number of the newest now.")
    sha256: str = Field(description="Of the newest document's content.")


class RunAsked(Schema):
    """What is to be computed."""

    kind: str = Field(description="simulate, compression or sample_keys.")
    parameters: dict[str, Any] = Field(
        default_factory=dict, description="As the kind takes them; left out, the usual ones."
    )


class RunInfo(Schema):
    """A long computation about one document of a design."""

    id: int = Field(description="Names it in addresses.")
    kind: str = Field(description="What is computed.")
    what: str = Field(description="In words.")
    parameters: dict[str, Any] = Field(description="With which it was asked for.")
    sha256: str = Field(description="Of the document that it is about.")
    state: str = Field(description="queued, running, done, failed or cancelled.")
    fraction: float = Field(description="How much of it is done, from 0 to 1.")
    doing: str = Field(description="What it is at, in words.")
    reason: str = Field(description="Why it failed.")
    asked: datetime.datetime = Field(description="When, in UTC.")
    asked_by: str | None = Field(description="Who; null: nobody who is still there.")
    ended: datetime.datetime | None = Field(description="When, in UTC; null: not yet.")
    expected_end: datetime.datetime | None = Field(description="When, in UTC; null: not known.")


class RunResult(Schema):
    """What a run came to: its parts by name, those of JSON with their content."""

    id: int = Field(description="Of the run.")
    parts: dict[str, int] = Field(description="Sizes in bytes.")
    content: dict[str, Any] = Field(description="Of the parts that are JSON.")


class FormatInfo(Schema):
    """Something that a design can be exported to."""

    name: str = Field(description="Names it in addresses.")
    title: str = Field(description="As people call it.")
    about: str = Field(description="What one gets.")
    engines: list[str] = Field(description="Whose designs it takes.")
    media_type: str = Field(description="Of its files.")


class FileInfo(Schema):
    """One file of an export."""

    name: str = Field(description="Without a folder.")
    text: str | None = Field(description="What is in it; null where it is no text.")
    base64: str | None = Field(description="In the place of text, where it is none.")


class RemarkInfo(Schema):
    """A sentence about one element of the design."""

    at: str = Field(description="Id of the element; empty is the design.")
    place: str = Field(description="The element, in words.")
    sentence: str = Field(description="What is to be said of it.")


class ExportInfo(Schema):
    """A design as files. What is refused is in none of them."""

    format: str = Field(description="In which it was asked for.")
    sha256: str = Field(description="Of the document's content.")
    revision: int = Field(description="Of which it is.")
    files: list[FileInfo] = Field(description="What was made.")
    notes: list[RemarkInfo] = Field(description="What whoever uses the files should know.")
    refusals: list[RemarkInfo] = Field(description="What the target cannot express.")


class ImportAsked(Schema):
    """What another tool printed."""

    text: str = Field(description="As it was printed: Terraform, `cbt ls`, gcloud's JSON, a row key schema, keys.")
    format: str = Field(default="", description="Its format, as `manage.py import` lists them; empty: as it looks.")


class MissedInfo(Schema):
    """Something of the text that is not in the design."""

    where: str = Field(description='In the text, as in "line 3".')
    sentence: str = Field(description="What is not in the design, or why.")


class ImportInfo(Schema):
    """A design made of a text. Nothing is saved: a POST to the designs does that."""

    format: str = Field(description="In which it was read.")
    document: dict[str, Any] = Field(description="The design document.")
    not_understood: list[MissedInfo] = Field(description="What of the text is not in the document.")
