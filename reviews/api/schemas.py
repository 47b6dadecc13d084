"""The types of the answers. Money is text with its cents; an unknown is null, and `unknown` says why."""

import datetime
from typing import Any, Generic, TypeVar

from ninja import Schema
from pydantic import Field

from designer.document.texts import N_

T = TypeVar("T")


class Listed(Schema, Generic[T]):
    """One page of a list."""

    items: list[T] = Field(description=N_("This page of it."))
    count: int = Field(description=N_("Of the whole list."))
    next: str | None = Field(description=N_("Address of the next page; null on the last."))


class DesignInfo(Schema):
    """A design."""

    key: str = Field(description=N_("Names it in addresses."))
    name: str = Field(description=N_("As people call it."))
    revision: int = Field(description=N_("The number of the newest."))
    sha256: str = Field(description=N_("Of the newest document's content."))
    made: datetime.datetime = Field(description=N_("When, in UTC."))
    edited: datetime.datetime = Field(description=N_("When last, in UTC."))
    edited_by: str | None = Field(description=N_("Who did so last; null: nobody who is still there."))
    archived: bool = Field(description=N_("Put away, and out of the usual list."))
    variant_of: str | None = Field(description=N_("Key of the design that it left from."))


class RevisionInfo(Schema):
    """One step of a design's history."""

    number: int = Field(description=N_("Counted from 1 in each design."))
    name: str = Field(description=N_("That somebody gave it, or empty."))
    sha256: str = Field(description=N_("Of its document's content."))
    at: datetime.datetime = Field(description=N_("When, in UTC."))
    by: str | None = Field(description=N_("Who; null: nobody who is still there."))
    what: str = Field(description=N_("What was done, in words."))


class Unknown(Schema):
    """Why a part of an estimate cannot be computed."""

    at: str = Field(description=N_("Id of the element to look at."))
    place: str = Field(description=N_("The element, in words."))
    sentence: str = Field(description=N_("What is lacking."))


class Accepted(Schema):
    """That somebody accepts a risk."""

    reason: str = Field(description=N_("In the words of who accepted it."))
    owner: str = Field(description=N_("Who answers for it."))
    until: datetime.date | None = Field(description=N_("The last day; null: without an end."))


class FindingInfo(Schema):
    """What a rule found."""

    rule: str = Field(description=N_("Its code, as in K004; its page is /rules/CODE."))
    severity: str = Field(description=N_("error, warning or note."))
    at: str = Field(description=N_("Id of the element that it is about; empty is the design."))
    place: str = Field(description=N_("The element, in words."))
    field: str = Field(description=N_("Of the element, if it is about one; else empty."))
    sentence: str = Field(description=N_("What was found, with what was measured."))
    effect: float | None = Field(description=N_("One number that measures it; more is worse."))
    fix: dict[str, Any] | None = Field(description=N_("An edit that mends it, for the address of edits."))
    fix_safe: bool = Field(description=N_("Whether the rule calls its fix safe."))
    accepted: Accepted | None = Field(description=N_("Null: nobody accepts it."))
    consequences: list["FindingInfo"] = Field(description=N_("Findings that this one is the cause of."))


class Findings(Schema):
    """All findings of a document on a day."""

    sha256: str = Field(description=N_("Of the document's content."))
    today: datetime.date = Field(description=N_("On which accepted risks were judged."))
    errors: int = Field(description=N_("How many that nobody accepts."))
    warnings: int = Field(description=N_("How many that nobody accepts."))
    notes: int = Field(description=N_("How many that nobody accepts."))
    items: list[FindingInfo] = Field(description=N_("Gravest first."))


class LineInfo(Schema):
    """One line of a bill."""

    item: str = Field(description=N_("What is billed, as in nodes or storage."))
    label: str = Field(description=N_("The same in words."))
    at: str = Field(description=N_("Id of the element that it is for; empty is the design."))
    sku: str = Field(description=N_("Names the price in the price book."))
    where: str = Field(description=N_("The region, or the route of traffic."))
    quantity: str = Field(description=N_("How much of the unit."))
    unit: str = Field(description=N_("Of the quantity."))
    unit_price: str | None = Field(description=N_("Null: there is no public price and none was entered."))
    price_source: str = Field(description=N_("Where the price was read."))
    price_origin: str = Field(description=N_("book, you, free or missing."))
    cost: str | None = Field(description=N_("Of the month; null without a price."))
    low: str | None = Field(description=N_("Least that is likely; null without a price."))
    high: str | None = Field(description=N_("Most that is likely; null without a price."))
    formula: str = Field(description=N_("The arithmetic, in words."))


class BillInfo(Schema):
    """The bill of the last month of the horizon."""

    first_day: datetime.date = Field(description=N_("Of the month."))
    currency: str = Field(description=N_("As ISO 4217 has it."))
    total: str = Field(description=N_("Of the lines that have a price."))
    low: str = Field(description=N_("Least that is likely."))
    high: str = Field(description=N_("Most that is likely."))
    complete: bool = Field(description=N_("False: lines have no price, and the total is a lower bound."))
    lines: list[LineInfo] = Field(description=N_("What the total adds up."))
    months: list[str] = Field(description=N_("Total of every month of the horizon."))


class CrossingInfo(Schema):
    """When the largest row passes a limit."""

    limit: str = Field(description=N_("Its name."))
    limit_bytes: float = Field(description=N_("Its size."))
    date: datetime.date | None = Field(description=N_("Null: not within the horizon."))


class RowsInfo(Schema):
    """Rows of one kind at the end of the horizon."""

    row_kind: str = Field(description=N_("Its id."))
    rows: float = Field(description=N_("How many."))
    median_bytes: float = Field(description=N_("Of a row."))
    p99_bytes: float = Field(description=N_("What 99 of 100 rows stay below."))
    largest_bytes: float = Field(description=N_("Of the largest row."))
    crossings: list[CrossingInfo] = Field(description=N_("Limits that the largest row passes."))


class TableInfo(Schema):
    """A table at the end of the horizon."""

    id: str = Field(description=N_("Of the table."))
    name: str = Field(description=N_("As people call it."))
    rows: float | None = Field(description=N_("Null: not known."))
    logical_bytes: float | None = Field(description=N_("Before compression; null: not known."))
    physical_bytes: float | None = Field(description=N_("As stored; null: not known."))
    physical_bytes_low: float | None = Field(description=N_("Least that is likely."))
    physical_bytes_high: float | None = Field(description=N_("Most that is likely."))
    row_kinds: list[RowsInfo] = Field(description=N_("Each kind of its rows."))
    hottest_range_share: float | None = Field(
        description=N_("Share of the day's load on the busiest of the key ranges.")
    )
    indivisible_node_share: float | None = Field(description=N_("Load of the busiest thing that no split can spread."))
    tablets: int | None = Field(description=N_("Into how many parts it is split; null: not known."))
    patterns: dict[str, float] = Field(
        description=N_("What the Key Visualizer would show, with its share of the load.")
    )


class ClusterInfo(Schema):
    """A cluster over the horizon."""

    id: str = Field(description=N_("Of the cluster."))
    name: str = Field(description=N_("As people call it."))
    region: str = Field(description=N_("Where it is."))
    nodes_by_month: list[float] = Field(
        description=N_("That it has, at the start and after each month of the horizon.")
    )
    needed_by_month: list[float] = Field(description=N_("That the load needs, as often."))
    needed_low: float = Field(description=N_("Least that is likely, in the last month."))
    needed_high: float = Field(description=N_("Most that is likely, in the last month."))
    limited_by: str = Field(description=N_("What asks for so many: load, storage or minimum."))
    short_from: datetime.date | None = Field(description=N_("The first day with too few; null: none."))
    peak_utilisation: float | None = Field(description=N_("Of the busiest node, as a share; null: not known."))
    reachable_factor: float | None = Field(description=N_("By how much all load could grow before something is full."))


class EstimateInfo(Schema):
    """What a document comes to."""

    sha256: str = Field(description=N_("Of the document's content."))
    price_book: str = Field(description=N_("Whose prices the bill has."))
    price_book_date: datetime.date | None = Field(description=N_("Of the book."))
    bill: BillInfo | None = Field(description=N_("Null: not known; unknown says why."))
    tables: list[TableInfo] = Field(description=N_("Each of them."))
    clusters: list[ClusterInfo] = Field(description=N_("Each of them."))
    guesses: int = Field(description=N_("Figures that nobody entered."))
    unknown: list[Unknown] = Field(description=N_("What is lacking for the rest."))


class Change(Schema):
    """What saving came to."""

    changed: bool = Field(description=N_("False: the document was so already."))
    revision: int = Field(description=N_("The number of the newest now."))
    sha256: str = Field(description=N_("Of the newest document's content."))


class RunAsked(Schema):
    """What is to be computed."""

    kind: str = Field(description=N_("simulate, compression or sample_keys."))
    parameters: dict[str, Any] = Field(
        default_factory=dict, description=N_("As the kind takes them; left out, the usual ones.")
    )


class RunInfo(Schema):
    """A long computation about one document of a design."""

    id: int = Field(description=N_("Names it in addresses."))
    kind: str = Field(description=N_("What is computed."))
    what: str = Field(description=N_("In words."))
    parameters: dict[str, Any] = Field(description=N_("With which it was asked for."))
    sha256: str = Field(description=N_("Of the document that it is about."))
    state: str = Field(description=N_("queued, running, done, failed or cancelled."))
    fraction: float = Field(description=N_("How much of it is done, from 0 to 1."))
    doing: str = Field(description=N_("What it is at, in words."))
    reason: str = Field(description=N_("Why it failed."))
    asked: datetime.datetime = Field(description=N_("When, in UTC."))
    asked_by: str | None = Field(description=N_("Who; null: nobody who is still there."))
    ended: datetime.datetime | None = Field(description=N_("When, in UTC; null: not yet."))
    expected_end: datetime.datetime | None = Field(description=N_("When, in UTC; null: not known."))


class RunResult(Schema):
    """What a run came to: its parts by name, those of JSON with their content."""

    id: int = Field(description=N_("Of the run."))
    parts: dict[str, int] = Field(description=N_("Sizes in bytes."))
    content: dict[str, Any] = Field(description=N_("Of the parts that are JSON."))


class FormatInfo(Schema):
    """Something that a design can be exported to."""

    name: str = Field(description=N_("Names it in addresses."))
    title: str = Field(description=N_("As people call it."))
    about: str = Field(description=N_("What one gets."))
    engines: list[str] = Field(description=N_("Whose designs it takes."))
    media_type: str = Field(description=N_("Of its files."))


class FileInfo(Schema):
    """One file of an export."""

    name: str = Field(description=N_("Without a folder."))
    text: str | None = Field(description=N_("What is in it; null where it is no text."))
    base64: str | None = Field(description=N_("In the place of text, where it is none."))


class RemarkInfo(Schema):
    """A sentence about one element of the design."""

    at: str = Field(description=N_("Id of the element; empty is the design."))
    place: str = Field(description=N_("The element, in words."))
    sentence: str = Field(description=N_("What is to be said of it."))


class ExportInfo(Schema):
    """A design as files. What is refused is in none of them."""

    format: str = Field(description=N_("In which it was asked for."))
    sha256: str = Field(description=N_("Of the document's content."))
    revision: int = Field(description=N_("Of which it is."))
    files: list[FileInfo] = Field(description=N_("What was made."))
    notes: list[RemarkInfo] = Field(description=N_("What whoever uses the files should know."))
    refusals: list[RemarkInfo] = Field(description=N_("What the target cannot express."))


class ImportAsked(Schema):
    """What another tool printed."""

    text: str = Field(description=N_("As it was printed: Terraform, `cbt ls`, gcloud's JSON, a row key schema, keys."))
    format: str = Field(default="", description=N_("Its format, as `manage.py import` lists them; empty: as it looks."))


class MissedInfo(Schema):
    """Something of the text that is not in the design."""

    where: str = Field(description=N_('In the text, as in "line 3".'))
    sentence: str = Field(description=N_("What is not in the design, or why."))


class ImportInfo(Schema):
    """A design made of a text. Nothing is saved: a POST to the designs does that."""

    format: str = Field(description=N_("In which it was read."))
    document: dict[str, Any] = Field(description=N_("The design document."))
    not_understood: list[MissedInfo] = Field(description=N_("What of the text is not in the document."))
