"""The page of an access log."""

from dataclasses import dataclass
from functools import cached_property

from designer.document import Spec
from designer.document.key import as_text
from designer.document.popularity import Popularity
from designer.document.texts import N_, Text, TextList
from designer.wording import Chip, key_chips
from estimator.traces import OperationUse, TableUse, TraceSummary, UnreadLines, design_from_trace
from estimator.traces.blocks import HOUR_SECONDS
from estimator.traces.report import LATE_SHARE, apart_text, prefix_text
from estimator.traces.row_uses import NextRequest

from .assumed_values import AssumedValue, assumed_beside_log
from .charts.requests import logged_requests
from .charts.types import LineChart

OPERATIONS = {"read": N_("Reads"), "write": N_("Writes"), "delete": N_("Deletions"), "scan": N_("Scans of prefixes")}
COLUMNS = {
    "time": N_("Time"), "operation": N_("Operation"), "key": N_("Row key"), "bytes": N_("Bytes"), "table": N_("Table"),
}  # fmt: skip
NEXT = N_(
    "After {operation}, {following} of the same row is next in {next_share} of the cases, after {gap_seconds} (median)."
)
ALONE = N_("After {operation}, no request for the same row comes within {window_seconds} in {next_share} of the cases.")
LINES = N_("{lines} lines: {requests} requests, {skipped} skipped (header or blank), {unread} not read.")
NO_SIZES = N_("{requests} requests count without a size, because theirs is no number of bytes.")
LIKELY: dict[str, str] = {
    "text": "", "hex": N_("The keys look hexadecimal and were read as text."),
    "base64": N_("The keys look like Base64 and were read as text."),
}  # fmt: skip
CUT = N_("The log is longer than what is read here: {read_share} of the file was read, from its beginning.")
NO_ZONE = N_("Times name no time zone, so they were read as UTC.")
LATE = N_(
    "{late_share} of the requests are at least a minute older than one before them. Sort the log to see what follows "
    "what."
)
GAP = N_(
    "For {gap_days} no request came. If the log leaves that time out, the mean rates are too low: read its parts one "
    "by one."
)
MOMENT = N_(
    "All requests came within a second, so the log tells no rate: the rates below are as if it were one second."
)
_WORDS = {"read": N_("a read"), "write": N_("a write"), "delete": N_("a deletion")}


def _next_text(request: NextRequest) -> Text:
    params = {"operation": Text(_WORDS[request.operation]), "next_share": request.share}
    if not request.following:
        return Text(ALONE, {**params, "window_seconds": request.window_seconds})
    return Text(NEXT, {**params, "following": Text(_WORDS[request.following]), "gap_seconds": request.median_seconds})


@dataclass(frozen=True)
class OperationView:
    """One operation of a table."""

    use: OperationUse
    prefix: str = ""
    """Of a scan: what is known of the key."""

    @property
    def title(self) -> str:
        """Its name, as a message."""
        return OPERATIONS[self.use.operation]

    @property
    def rate_per_second(self) -> float:
        """Mean over the hours of a week."""
        return float(self.use.hours.mean()) / HOUR_SECONDS

    @property
    def chart(self) -> LineChart | None:
        """Its requests over the time of the log, beside the design's profile."""
        return logged_requests(self.use.operation, self.use.over_time) if self.use.over_time else None

    @property
    def peak(self) -> str:
        """Hour of the day with the most requests (UTC); empty if no hour stands out."""
        return "" if self.use.peak_hour is None else f"{self.use.peak_hour:02}:00"


@dataclass(frozen=True)
class FieldView:
    """Popularity of the values of a field in one operation."""

    name: str
    operation: str
    distinct: int
    popularity: Popularity | None
    """None if nearly each request has a value of its own."""
    busiest_share: float
    error_points: float
    is_poor: bool
    is_estimate: bool = False
    """True if the number of values is more than what was counted."""
    is_bound: bool = False
    """True if new values still come with the lines, so there are more."""
    apart: Text | None = None
    """A sentence about busy values that are no part of the distribution, or from where on they would be told."""


@dataclass(frozen=True)
class TraceTableView:
    """One table of a log."""

    use: TableUse

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The pattern of its keys; empty if none was found."""
        proposal = self.use.proposal
        return key_chips(Spec(fields=proposal.fields), proposal.segments) if proposal.segments else ()

    @property
    def operations(self) -> tuple[OperationView, ...]:
        """Its operations."""
        return tuple(OperationView(use, prefix_text(use, self.use)) for use in self.use.operations)

    @cached_property
    def fields(self) -> tuple[FieldView, ...]:
        """The fields of its keys, by operation."""
        names = {field.id: field.name for field in self.use.proposal.fields}
        views = []
        for use in self.use.fields:
            name = names.get(use.field, use.field)
            if not use.fits:
                distinct = use.distinct if use.is_known else use.at_least
                views.append(
                    FieldView(
                        name, "", distinct, None, 0.0, 0.0, is_poor=False,
                        is_estimate=use.is_known and use.is_estimate, is_bound=not use.is_known,
                    )
                )  # fmt: skip
            for operation, fit in sorted(use.fits.items()):
                distinct = fit.distinct if use.is_known else use.at_least
                views.append(
                    FieldView(
                        name, OPERATIONS[operation], distinct, fit.popularity, fit.busiest_share, 100 * fit.error_share,
                        is_poor=fit.is_poor, is_estimate=use.is_known and fit.is_estimate, is_bound=not use.is_known,
                        apart=apart_text(fit),
                    )
                )  # fmt: skip
        return tuple(views)

    @property
    def busiest_keys(self) -> tuple[tuple[str, float], ...]:
        """The busiest keys with their shares of the requests."""
        return tuple((as_text(key), share) for key, share in self.use.busiest_keys[:3])

    @property
    def largest_rows(self) -> tuple[tuple[str, int], ...]:
        """The rows with the largest requests."""
        return tuple((as_text(row.key), row.bytes) for row in self.use.largest_rows[:3])

    @property
    def next_requests(self) -> tuple[Text, ...]:
        """Sequence of operations on a row, in words."""
        return tuple(map(_next_text, self.use.next_requests))


@dataclass(frozen=True)
class TracePage:
    """A whole log."""

    summary: TraceSummary

    @property
    def tables(self) -> tuple[TraceTableView, ...]:
        """Its tables."""
        return tuple(map(TraceTableView, self.summary.tables))

    @property
    def columns(self) -> tuple[tuple[str, str], ...]:
        """Reading of the columns: the meaning of each, and its name in the log or its number."""
        return column_titles(self.summary.unread)

    @property
    def assumptions(self) -> tuple[AssumedValue, ...]:
        """Values of the design made of it that it does not tell."""
        return assumed_beside_log(design := design_from_trace(self.summary), {table.id for table in design.tables})

    @property
    def has_operations(self) -> bool:
        """False if the log has no column of operations, so that every request counts as a read."""
        return "operation" in self.summary.unread.columns

    @property
    def notes(self) -> tuple[Text, ...]:
        """Sum of its lines, and what it leaves open of how it is written."""
        notes = reading_notes(self.summary.unread, self.summary.late_share)
        if self.summary.gap_s is not None and not self.summary.has_outlying_times:
            notes += (Text(GAP, {"gap_days": self.summary.gap_days}),)
        return (*notes, Text(MOMENT)) if self.summary.is_of_a_moment else notes

    @property
    def unread(self) -> tuple[Text, ...]:
        """Reasons for which lines were not read, with the numbers of the first."""
        return unread_texts(self.summary.unread)


def column_titles(unread: UnreadLines) -> tuple[tuple[str, str], ...]:
    """Return how the columns of a log were read: what each tells, and its name in the log or its number."""
    return tuple((COLUMNS[column], name) for column, name in unread.columns.items())


def unread_texts(unread: UnreadLines) -> tuple[Text, ...]:
    """Return the reasons for which lines were not read, with the numbers of the first."""
    message = N_("{reason}: {count_unread} (line {lines})")
    return tuple(
        Text(
            message,
            {"reason": Text(reason), "count_unread": count, "lines": TextList(map(str, unread.first[reason][:5]))},
        )
        for reason, count in unread.counts.most_common()
    )


def reading_notes(unread: UnreadLines, late_share: float = 0.0) -> tuple[Text, ...]:
    """Return how the lines of a log add up, and what it leaves open of how it is written."""
    skipped = unread.headers + unread.blank
    counts = {"lines": unread.lines, "requests": unread.requests, "skipped": skipped, "unread": unread.counts.total()}
    return tuple(
        Text(message, params)
        for message, params, is_told in (
            (CUT, {"read_share": unread.read_share}, unread.is_cut),
            (LINES, counts, unread.lines > unread.requests),
            (NO_SIZES, {"requests": unread.sizes}, unread.sizes),
            (LIKELY[unread.likely_keys], {}, unread.likely_keys != "text"),
            (NO_ZONE, {}, unread.has_no_zone),
            (LATE, {"late_share": late_share}, late_share >= LATE_SHARE),
        )
        if is_told
    )
