"""The types of the answers. Money is text with its cents; an unknown is null, and `unknown` says why."""

import datetime
from typing import Annotated, Any, Generic, TypeVar

from ninja import Schema
from pydantic import Field, StrictBool

from designer.document import Engine
from designer.document.texts import N_
from reviews.api.bodies import RequestBody

T = TypeVar("T")


class Listed(Schema, Generic[T]):
    """One page of a list."""

    items: list[T] = Field(description=N_("Items on this page."))
    count: int = Field(description=N_("Number of items in the full list."))
    next: str | None = Field(description=N_("Address of the next page; null on the last page."))


class DesignInfo(Schema):
    """A design."""

    key: str = Field(description=N_("Identifier in addresses."))
    name: str = Field(description=N_("Display name."))
    revision: int = Field(description=N_("Number of the latest revision."))
    sha256: str = Field(description=N_("SHA-256 of the latest document."))
    made: datetime.datetime = Field(description=N_("Time in UTC."))
    edited: datetime.datetime = Field(description=N_("Time of the last edit, in UTC."))
    edited_by: str | None = Field(description=N_("Last editor; null if no longer a member."))
    archived: bool = Field(description=N_("Archived, and not in the default list."))
    variant_of: str | None = Field(description=N_("Key of the original design."))


class DesignChange(RequestBody):
    """Changes of a design; what is not given stays."""

    name: str | None = Field(default=None, max_length=500, description=N_("New display name."))
    archived: StrictBool | None = Field(default=None, description=N_("Whether the design is in the archive."))


class CopyAsked(RequestBody):
    """Request for a copy."""

    variant: StrictBool = Field(default=False, description=N_("Whether the copy is a variant, which knows its origin."))
    name: str = Field(default="", max_length=500, description=N_("Name of the copy. Default: made from the design's."))


class AdoptAsked(RequestBody):
    """Request to make a variant the design."""

    variant: str = Field(description=N_("Key of the variant."))
    was: str = Field(description=N_("SHA-256 of the design's latest document as it was read."))


class RevisionChange(RequestBody):
    """Name of a revision."""

    name: str = Field(max_length=100, description=N_("Name of the revision; empty if none."))


class RevisionInfo(Schema):
    """One step of a design's history."""

    number: int = Field(description=N_("Number, counted from 1 in each design."))
    name: str = Field(description=N_("Name of the revision; empty if none."))
    sha256: str = Field(description=N_("SHA-256 of the document of the revision."))
    at: datetime.datetime = Field(description=N_("Time in UTC."))
    by: str | None = Field(description=N_("Author; null if no longer a member."))
    what: str = Field(description=N_("Description of the change."))


class Unknown(Schema):
    """Reason why a part of an estimate cannot be computed."""

    at: str = Field(description=N_("Id of the element to check."))
    place: str = Field(description=N_("Name of the element."))
    sentence: str = Field(description=N_("Missing inputs."))


class Accepted(Schema):
    """That somebody accepts a risk."""

    reason: str = Field(description=N_("Reason for accepting the risk."))
    owner: str = Field(description=N_("Person responsible."))
    until: datetime.date | None = Field(description=N_("Last day; null without an end."))


class ChoiceInfo(Schema):
    """Answer to a question."""

    answer: str = Field(description=N_("The answer in words."))
    edit: dict[str, Any] = Field(description=N_("An edit that gives the answer; send it to the edits address."))


class FindingInfo(Schema):
    """Finding of a rule."""

    rule: str = Field(description=N_("Code of the rule, for example K004; its page is /rules/CODE."))
    severity: str = Field(description=N_("error, warning, question or note."))
    at: str = Field(description=N_("Id of the affected element; empty for the design."))
    place: str = Field(description=N_("Name of the element."))
    field: str = Field(description=N_("Field of the element; empty if none."))
    sentence: str = Field(description=N_("The finding with its measured values."))
    effect: float | None = Field(description=N_("Measure of the finding; higher is worse."))
    fix: dict[str, Any] | None = Field(description=N_("An edit that fixes the finding; send it to the edits address."))
    fix_safe: bool = Field(description=N_("Whether the fix is safe."))
    choices: list[ChoiceInfo] = Field(description=N_("Answers to a question."))
    accepted: Accepted | None = Field(description=N_("Null if not accepted."))
    consequences: list["FindingInfo"] = Field(description=N_("Findings caused by this one."))


class Findings(Schema):
    """All findings of a document on a day."""

    sha256: str = Field(description=N_("SHA-256 of the document."))
    today: datetime.date = Field(description=N_("Date for which accepted risks were evaluated."))
    errors: int = Field(description=N_("Number of findings not accepted."))
    warnings: int = Field(description=N_("Number of findings not accepted."))
    questions: int = Field(description=N_("Number of findings not accepted."))
    notes: int = Field(description=N_("Number of findings not accepted."))
    items: list[FindingInfo] = Field(description=N_("Findings, most severe first."))


class LineInfo(Schema):
    """One line of a bill."""

    item: str = Field(description=N_("Billed item, for example nodes or storage."))
    label: str = Field(description=N_("Display text of the line."))
    at: str = Field(description=N_("Id of the billed element; empty for the design."))
    sku: str = Field(description=N_("Name of the price in the price book."))
    where: str = Field(description=N_("Region or traffic route."))
    quantity: str = Field(description=N_("Quantity in units."))
    unit: str = Field(description=N_("Unit of the quantity."))
    unit_price: str | None = Field(description=N_("Null if there is no public or entered price."))
    price_source: str = Field(description=N_("Source of the price."))
    price_origin: str = Field(description=N_("book, you, free or missing."))
    cost: str | None = Field(description=N_("Cost of the month; null without a price."))
    low: str | None = Field(description=N_("Likely minimum; null without a price."))
    high: str | None = Field(description=N_("Likely maximum; null without a price."))
    formula: str = Field(description=N_("Calculation as text."))


class BillInfo(Schema):
    """The bill of the last month of the horizon."""

    first_day: datetime.date = Field(description=N_("First day of the month."))
    currency: str = Field(description=N_("ISO 4217 currency code."))
    total: str = Field(description=N_("Total of the lines with a price."))
    low: str = Field(description=N_("Likely minimum."))
    high: str = Field(description=N_("Likely maximum."))
    complete: bool = Field(description=N_("False if lines have no price; the total is then a lower bound."))
    lines: list[LineInfo] = Field(description=N_("Lines of the total."))
    months: list[str] = Field(description=N_("Total for each month of the horizon."))


class CrossingInfo(Schema):
    """Time at which the largest row exceeds a limit."""

    limit: str = Field(description=N_("Name of the limit."))
    limit_bytes: float = Field(description=N_("Size of the limit."))
    date: datetime.date | None = Field(description=N_("Null if not within the horizon."))


class RowsInfo(Schema):
    """Rows of one kind at the end of the horizon."""

    row_kind: str = Field(description=N_("Id of the row kind."))
    rows: float = Field(description=N_("Number of rows."))
    median_bytes: float = Field(description=N_("Median size of a row."))
    p99_bytes: float = Field(description=N_("99th percentile of the row size."))
    largest_bytes: float = Field(description=N_("Size of the largest row, with cells that are not collected yet."))
    live_largest_bytes: float | None = Field(description=N_("The same without expired cells; null if unknown."))
    crossings: list[CrossingInfo] = Field(description=N_("Limits that the largest row exceeds."))


class TableInfo(Schema):
    """A table at the end of the horizon."""

    id: str = Field(description=N_("Id of the table."))
    name: str = Field(description=N_("Display name."))
    rows: float | None = Field(description=N_("Null if unknown."))
    logical_bytes: float | None = Field(description=N_("Bytes before compression; null if unknown."))
    physical_bytes: float | None = Field(description=N_("Stored bytes; null if unknown."))
    live_bytes: float | None = Field(description=N_("Stored bytes without expired cells; null if unknown."))
    physical_bytes_low: float | None = Field(description=N_("Likely minimum."))
    physical_bytes_high: float | None = Field(description=N_("Likely maximum."))
    row_kinds: list[RowsInfo] = Field(description=N_("Values per row kind."))
    hottest_range_share: float | None = Field(description=N_("Share of the daily load in the busiest key range."))
    indivisible_node_share: float | None = Field(description=N_("Highest load that splits cannot spread."))
    tablets: int | None = Field(description=N_("Number of tablets or partitions; null if unknown."))
    patterns: dict[str, float] = Field(description=N_("Expected Key Visualizer pattern, with its share of the load."))


class ClusterInfo(Schema):
    """A cluster over the horizon."""

    id: str = Field(description=N_("Id of the cluster."))
    name: str = Field(description=N_("Display name."))
    region: str = Field(description=N_("Location of the cluster."))
    nodes_by_month: list[float] = Field(
        description=N_("Nodes of the cluster, at the start and after each month of the horizon.")
    )
    needed_by_month: list[float] = Field(description=N_("Nodes needed for the load, at the same times."))
    needed_low: float = Field(description=N_("Likely minimum in the last month."))
    needed_high: float = Field(description=N_("Likely maximum in the last month."))
    limited_by: str = Field(description=N_("Reason for the node count: load, storage or minimum."))
    short_from: datetime.date | None = Field(description=N_("First day with insufficient nodes; null if none."))
    peak_utilisation: float | None = Field(description=N_("CPU share of the busiest node; null if unknown."))
    reachable_factor: float | None = Field(
        description=N_("Factor by which the total load can grow until a limit is reached.")
    )


class EstimateInfo(Schema):
    """Results of the estimate of a document."""

    sha256: str = Field(description=N_("SHA-256 of the document."))
    price_book: str = Field(description=N_("Price book of the bill."))
    price_book_date: datetime.date | None = Field(description=N_("Date of the price book."))
    bill: BillInfo | None = Field(description=N_("Null if unknown; see unknown for the reason."))
    tables: list[TableInfo] = Field(description=N_("Values per item."))
    clusters: list[ClusterInfo] = Field(description=N_("Values per item."))
    guesses: int = Field(description=N_("Number of assumed values."))
    unknown: list[Unknown] = Field(description=N_("Missing inputs for the remaining figures."))


class Change(Schema):
    """Result of saving a document."""

    changed: bool = Field(description=N_("False if the edit did not change the document."))
    revision: int = Field(description=N_("Number of the current revision."))
    sha256: str = Field(description=N_("SHA-256 of the latest document."))


class RunAsked(RequestBody):
    """Request for a run."""

    kind: str = Field(description=N_("simulate, compression or sample_keys."))
    parameters: dict[str, Any] = Field(
        default_factory=dict, description=N_("Parameters of the run type. Default: the usual values.")
    )


class RunInfo(Schema):
    """A long computation about one document of a design."""

    id: int = Field(description=N_("Identifier in addresses."))
    kind: str = Field(description=N_("Type of the run."))
    what: str = Field(description=N_("Description."))
    parameters: dict[str, Any] = Field(description=N_("Requested parameters."))
    sha256: str = Field(description=N_("SHA-256 of the document that the run uses."))
    state: str = Field(description=N_("queued, running, done, failed or cancelled."))
    fraction: float = Field(description=N_("Progress, from 0 to 1."))
    doing: str = Field(description=N_("Current step."))
    reason: str = Field(description=N_("Reason for the failure."))
    asked: datetime.datetime = Field(description=N_("Time in UTC."))
    asked_by: str | None = Field(description=N_("Author; null if no longer a member."))
    ended: datetime.datetime | None = Field(description=N_("Time in UTC; null if not reached yet."))
    expected_end: datetime.datetime | None = Field(description=N_("Time in UTC; null if unknown."))


class RunResult(Schema):
    """Result of a run: its parts by name, with content for those in JSON."""

    id: int = Field(description=N_("Id of the run."))
    parts: dict[str, int] = Field(description=N_("Sizes in bytes."))
    content: dict[str, Any] = Field(description=N_("Content of the JSON parts."))


class FormatInfo(Schema):
    """Something that a design can be exported to."""

    name: str = Field(description=N_("Identifier in addresses."))
    title: str = Field(description=N_("Display name."))
    about: str = Field(description=N_("Content of the export."))
    engines: list[str] = Field(description=N_("Supported engines."))
    media_type: str = Field(description=N_("Media type of the files."))


class FileInfo(Schema):
    """One file of an export."""

    name: str = Field(description=N_("File name without a folder."))
    text: str | None = Field(description=N_("Content of the file; null if it is not text."))
    base64: str | None = Field(description=N_("Content as base64, if it is not text."))


class RemarkInfo(Schema):
    """A sentence about one element of the design."""

    at: str = Field(description=N_("Id of the element; empty for the design."))
    place: str = Field(description=N_("Name of the element."))
    sentence: str = Field(description=N_("Remark."))


class ExportInfo(Schema):
    """A design as files. What is refused is in none of them."""

    format: str = Field(description=N_("Requested format."))
    sha256: str = Field(description=N_("SHA-256 of the document."))
    revision: int = Field(description=N_("Number of the exported revision."))
    files: list[FileInfo] = Field(description=N_("Exported files."))
    notes: list[RemarkInfo] = Field(description=N_("Notes for users of the files."))
    refusals: list[RemarkInfo] = Field(description=N_("Parts that the target does not support."))


class MeasuredAsked(RequestBody):
    """Measurements of what runs."""

    files: list[str] = Field(
        min_length=1,
        max_length=100,
        description=N_(
            "Contents of files, as gcloud, cbt and the APIs print them: table stats, hot tablets, sampled row keys, "
            "request stats, monitoring time series, clusters."
        ),
    )
    date: datetime.date | None = Field(
        default=None, description=N_("Day of the measurement. Default: as in the files, or today.")
    )
    table: str = Field(default="", max_length=100, description=N_("Table that sampled row keys are of."))
    read: str = Field(default="", max_length=40, description=N_("Id of the read that request stats are of."))
    keep: StrictBool = Field(default=False, description=N_("Whether to keep the figures beside the forecast."))


class MeasuredInfo(Schema):
    """Measurements of a running cluster beside the design."""

    kept: bool = Field(description=N_("Whether the figures were kept."))
    empty_files: list[str] = Field(
        description=N_("Files, as files[0], that are empty lists, as where no tablet is hot: they measure nothing.")
    )
    report: dict[str, Any] = Field(description=N_("The comparison, as `keywright observe --json` prints it."))


class ObservationInfo(Schema):
    """Kept figures of one day."""

    date: datetime.date = Field(description=N_("Day of the measurement."))
    figures: dict[str, dict[str, float]] = Field(description=N_("Figures by name, by the id of a table."))
    at: datetime.datetime = Field(description=N_("Time in UTC."))
    by: str | None = Field(description=N_("Author; null if no longer a member."))


class ComparisonInfo(Schema):
    """Changes between two designs."""

    before: str = Field(description=N_("First side of the comparison, as sent."))
    after: str = Field(description=N_("Second side of the comparison, as sent."))
    report: dict[str, Any] = Field(description=N_("The comparison, as `keywright diff --json` prints it."))


class AdviceInfo(Schema):
    """Other keys for the rows of a table."""

    sha256: str = Field(description=N_("SHA-256 of the document."))
    report: dict[str, Any] = Field(description=N_("The candidates, as `keywright advise --json` prints them."))


class SchemasAsked(RequestBody):
    """Sentences that say what an application does."""

    sentences: list[Annotated[str, Field(max_length=300)]] = Field(
        min_length=1,
        max_length=30,
        description=N_("A sentence for each write and read, such as “show the latest of one device 50/s”."),
    )
    engine: Engine = Field(default="bigtable", description=N_("The engine."))
    region: str = Field(default="", max_length=60, description=N_("Region of the instance; default: the usual one."))


class SchemasInfo(Schema):
    """Whole schemas for an application."""

    report: dict[str, Any] = Field(
        description=N_("The schemas, as `keywright propose --json` prints them: the recommended one first.")
    )


class DriftAsked(RequestBody):
    """Files that tell what runs."""

    files: list[str] = Field(
        min_length=1,
        max_length=100,
        description=N_("Contents of files: Terraform states, plans or files, JSON of gcloud, `cbt ls`."),
    )
    ignore: list[str] = Field(
        default=[], max_length=20, description=N_("Patterns of places to leave out, such as `cluster/*/nodes`.")
    )


class DriftInfo(Schema):
    """Running tables, compared with the definitions that the design exports."""

    has_drift: bool = Field(description=N_("Whether anything differs."))
    report: dict[str, Any] = Field(description=N_("The comparison, as `keywright drift --json` prints it."))


class TrialGiven(RequestBody):
    """The result of a trial."""

    result: dict[str, Any] = Field(description=N_("The result, as `keywright try --json` prints it."))


class TrialInfo(Schema):
    """A trial on an engine."""

    plan: dict[str, Any] = Field(
        description=N_("What is made, written and read, as `keywright try --plan --json` prints it.")
    )
    results: list[dict[str, Any]] = Field(description=N_("Results that were kept, the newest first."))


class ImportAsked(RequestBody):
    """Request for an import of another tool's output."""

    text: str = Field(
        description=N_(
            "Output text of the tool: Terraform, `cbt ls`, JSON of gcloud, a row key schema, CQL, DynamoDB, HBase or "
            "keys."
        )
    )
    format: str = Field(
        default="", description=N_("Format name, as listed by `manage.py import`; empty for automatic detection.")
    )


class MissedInfo(Schema):
    """Something of the text that is not in the design."""

    where: str = Field(description=N_('Location in the text, for example "line 3".'))
    sentence: str = Field(description=N_("Missing part of the design, or the reason."))


class ImportInfo(Schema):
    """A design made of a text. Nothing is saved: a POST to the designs does that."""

    format: str = Field(description=N_("Format used to read the text."))
    document: dict[str, Any] = Field(description=N_("The design document."))
    not_understood: list[MissedInfo] = Field(description=N_("Parts of the text that are not in the document."))
