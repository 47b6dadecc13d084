"""A design made of what a log tells: keys, fields, rates, hours, access distributions and value sizes.

What no log tells is left out of it: how long rows are kept, what is stored already, where it runs.
"""

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any

from designer.document import Spec, effective_value
from designer.document.dump import to_plain_data
from designer.document.field import Field, Pattern, Range
from designer.document.key import FieldSegment, LiteralSegment, Segment, TimeSegment
from designer.document.measured_values import MeasuredValue, find_part, measured_figure
from designer.document.popularity import Latest, Popularity, Zipf
from designer.imports.keys import Proposal

from .blocks import HOUR_SECONDS
from .hours import PROFILE_DAYS
from .kind_counts import FieldUse
from .popularity import PopularityFit
from .summary import OperationUse, TableUse, TraceSummary

DIGITS = 4
"""Significant digits of measured rates."""
DESCRIPTION = "Measured in an access log of {events:,} requests, {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M} UTC."
MEASURED_FIELDS = (
    "distinct", "growth_per_day", "popularity", "popularity.theta", "rate_per_second", "profile", "value.typical_bytes",
    "value.max_bytes",
)  # fmt: skip
"""Figures that a log tells, with dots into parts."""
REFERENCES = ("id", "field", "fields", "belongs_to", "unique_within")
"""Where a field or a segment names a field."""
_ACTIVITIES = {"write": "writes", "delete": "deletions"}


def design_from_trace(summary: TraceSummary, *, name: str = "") -> Spec:
    """Return the design; it starts on the day of the last request."""
    data: dict[str, Any] = {
        "name": name,
        "description": DESCRIPTION.format(events=summary.events, first=summary.first, last=summary.last),
        "start": summary.last.date().isoformat(),
        "fields": [],
        "activities": [],
        "tables": [],
    }
    names: dict[str, int] = {}
    open_fields = set[str]()
    for number, (_, uses) in enumerate(groupby(summary.tables, attrgetter("table")), 1):
        kinds = list[_KindPart]()
        for use in uses:
            kinds.append(_KindPart(use, f"t{number}", kinds, has_profile=summary.span_days >= PROFILE_DAYS))
        for kind in kinds:
            data["fields"] += [_with_new_name(field, names) for field in kind.fields()]
            data["activities"] += kind.activities()
            open_fields |= kind.open_fields
        family = {"id": f"t{number}-f", "name": "d", "columns": [kind.column() for kind in kinds]}
        rows = [kind.rows(is_only=len(kinds) == 1) for kind in kinds]
        data["tables"].append({"id": f"t{number}", "name": kinds[0].table, "row_kinds": rows, "families": [family]})
    spec = Spec.model_validate(data)
    return Spec.model_validate({**data, "measured": to_plain_data(tuple(_origins(spec, summary, open_fields)))})


def _origins(spec: Spec, summary: TraceSummary, open_fields: Collection[str]) -> Iterator[MeasuredValue]:
    """Yield the origin of each figure of the design: this log."""
    reads = [read for _, kind in spec.row_kinds() for read in kind.reads]
    columns = [column for table in spec.tables for family in table.families for column in family.columns]
    unknown = {(id_, "distinct") for id_ in open_fields}
    for element in (*spec.fields, *spec.activities, *reads, *columns):
        binds = (f"binds.{bind.field}.{figure_name(bind.popularity)}" for bind in getattr(element, "binds", ()))
        for name in (*MEASURED_FIELDS, *binds):
            value = _find_figure(element, name)
            if value is not None and (element.id, name) not in unknown:
                yield MeasuredValue(
                    at=element.id, field=name, value=value, source="trace", date=summary.last.date(),
                    lines=summary.events,
                )  # fmt: skip


def _find_figure(element: Any, name: str) -> float | None:
    """Return the figure of a field; None where it is not set."""
    part = find_part(element, name)
    return None if name == "popularity" and figure_name(part) != name else measured_figure(part)


def figure_name(popularity: Popularity | None) -> str:
    """Return what of an access distribution is measured: of plain Zipf and *latest* the exponent tells it."""
    is_told = isinstance(popularity, Latest) or (isinstance(popularity, Zipf) and not popularity.busiest)
    return "popularity.theta" if is_told else "popularity"


def _with_new_name(field: dict[str, Any], names: dict[str, int]) -> dict[str, Any]:
    """Return a field with a number behind its name if a field of another table has that name."""
    names[field["name"]] = names.get(field["name"], 0) + 1
    again = names[field["name"]]
    return field if again == 1 else {**field, "name": f"{field['name']}_{again}"}


class _KindPart:
    """The parts of a design that one kind of rows of the log needs."""

    def __init__(self, use: TableUse, table_id: str, earlier: Sequence["_KindPart"], *, has_profile: bool) -> None:
        self.use, self.has_profile = use, has_profile
        self.id = f"{table_id}-k{len(earlier) + 1}" if earlier else table_id
        self.field_ids = {field.id: f"{self.id}-{field.id}"[:40] for field in use.proposal.fields}
        self.shared = _shared_fields(use.proposal, earlier)
        self.field_ids |= self.shared
        self.uses = {field.field: field for field in use.fields}
        self.operations = {operation.operation: operation for operation in use.operations if not operation.prefix}
        self.scans = [operation for operation in use.operations if operation.prefix]

    def fields(self) -> Iterator[dict[str, Any]]:
        for field in self.use.proposal.fields:
            if field.id in self.shared:
                continue
            yield {**self._replace_ids(to_plain_data(field)), **self._field_figures(field)}

    @property
    def open_fields(self) -> set[str]:
        """Ids of the fields of which the log does not tell how many values there are."""
        return {self.field_ids[use.field] for use in self.use.fields if not use.is_known}

    def _field_figures(self, field: Field) -> dict[str, Any]:
        use = self.uses.get(field.id)
        if use is None:
            return {}
        figures = self._number_figures(field, use)
        is_counted = field.kind == "integer" or isinstance(field.values, Pattern | Range)
        # Numbers are taken to be counted, unless the log says otherwise.
        return {"assigned": "arbitrary", **figures} if use.is_unordered and is_counted else figures

    def _number_figures(self, field: Field, use: FieldUse) -> dict[str, Any]:
        fit, growth = main_fit(use), growth_figures(use, self.use)
        is_beyond = field.capacity is not None and use.distinct > field.capacity
        if not use.is_known:
            return {
                **growth,
                **open_figures(use, field),
                **({"popularity": to_plain_data(fit.popularity)} if fit else {}),
            }
        # Numbers in the log are those of its time; a range would refuse the next order number.
        if isinstance(field.values, Range) and (growth or is_beyond):
            growth["values"] = None  # what the sample of keys has is no limit of numbers that go on to rise
        elif is_beyond and field.capacity is not None:
            return {"distinct": field.capacity, **({"popularity": to_plain_data(fit.popularity)} if fit else {})}
        if fit is None:  # nearly each request has a value of its own
            return {"distinct": use.distinct, **growth} if growth or use.distinct > (field.distinct or 0) else {}
        return {"distinct": use.distinct, "popularity": to_plain_data(fit.popularity), **growth}

    def activities(self) -> list[dict[str, Any]]:
        return [
            {"id": f"{self.id}-{name}", "name": f"{name} of {self._name}", **self._rate(self.operations[kind])}
            for kind, name in _ACTIVITIES.items()
            if kind in self.operations
        ]

    def _rate(self, use: OperationUse) -> dict[str, Any]:
        mean = float(use.hours.mean())
        rate: dict[str, Any] = {"rate_per_second": round_figure(mean / HOUR_SECONDS)}
        if self.has_profile and mean > 0:
            rate["profile"] = {"kind": "week", "hours": [round_figure(hour / mean) for hour in use.hours.tolist()]}
        return rate

    def rows(self, *, is_only: bool) -> dict[str, Any]:
        """Return the row kind; where there are others in the table, it has its own column."""
        writes = [
            {
                "id": f"{self.id}-{name}-of-row",
                "name": f"{kind} {self._name}",
                "activity": f"{self.id}-{name}",
                **({"mode": "delete_row", "selected_by": list(self._key_fields)} if kind == "delete" else {}),
            }
            for kind, name in _ACTIVITIES.items()
            if kind in self.operations
        ]
        return {
            "id": f"{self.id}-rows",
            "key": [
                {**self._replace_ids(to_plain_data(segment)), "id": f"{self.id}-{segment.id}"[:40]}
                for segment in self.use.proposal.segments
            ],
            "writes": writes,
            "reads": list(self._reads()),
            **({} if is_only else {"name": self.use.kind, "columns": [f"{self.id}-c"]}),
        }

    def _reads(self) -> Iterator[dict[str, Any]]:
        segments = self.use.proposal.segments
        if "read" in self.operations:
            has_time = any(isinstance(segment, TimeSegment) for segment in segments)
            yield {
                "id": f"{self.id}-read",
                "name": f"read {self._name}",
                "binds": [self._bind(field, "read") for field in self.use.fields],
                **({"exact_time": True} if has_time else {}),
                **self._rate(self.operations["read"]),
            }
        for scan in self.scans:
            segment_ids = {segment.id for segment in segments[: scan.prefix]}
            yield {
                "id": f"{self.id}-scan{scan.prefix}",
                "name": f"scan {self._name}" + (f" by {scan.prefix} parts" if len(self.scans) > 1 else ""),
                "binds": [self._bind(field, "scan") for field in self.use.fields if field.segment in segment_ids],
                **self._rate(scan),
            }

    def _bind(self, use: FieldUse, operation: str) -> dict[str, Any]:
        bind: dict[str, Any] = {"field": self.field_ids[use.field]}
        if (own := own_popularity(use, operation)) is not None:
            bind["popularity"] = to_plain_data(own)
        return bind

    def column(self) -> dict[str, Any]:
        """Return the one column of the rows: a log tells no more."""
        sized = [
            operation
            for kind in ("write", "read")
            if (operation := self.operations.get(kind)) and operation.mean_bytes is not None
        ]
        if not sized:
            return {"id": f"{self.id}-c", "qualifier": self.use.kind or "v"}
        value = {"typical_bytes": round_figure(sized[0].mean_bytes or 0.0), "max_bytes": sized[0].largest_bytes}
        return {"id": f"{self.id}-c", "qualifier": self.use.kind or "v", "value": value}

    @property
    def _key_fields(self) -> Sequence[str]:
        segments = (s for s in self.use.proposal.segments if isinstance(s, FieldSegment))
        return [self.field_ids[segment.field] for segment in segments]

    @property
    def _name(self) -> str:
        return f"{self.table} {self.use.kind}".rstrip()

    @property
    def table(self) -> str:
        """Name of the table."""
        return re.sub(r"[^A-Za-z0-9_.-]+", "_", self.use.table)[:50] or "rows"

    def _replace_ids(self, data: Any) -> Any:
        """Return plain data of a field or a segment with the ids of this design's fields."""
        if isinstance(data, Mapping):
            return {name: self._replace_ids(value) if name in REFERENCES else value for name, value in data.items()}
        if isinstance(data, list):
            return [self._replace_ids(value) for value in data]
        return self.field_ids.get(data, data)


def _shared_fields(proposal: Proposal, earlier: Sequence[_KindPart]) -> dict[str, str]:
    """Return the ids of fields that stand in earlier kinds at the same place behind the same text: these are theirs."""
    best: dict[str, str] = {}
    for other in earlier:
        matches: dict[str, str] = {}
        for mine, theirs in zip(proposal.segments, other.use.proposal.segments, strict=False):
            if isinstance(mine, FieldSegment) and isinstance(theirs, FieldSegment):
                if mine.transforms != theirs.transforms or not _are_alike(proposal, mine, other.use.proposal, theirs):
                    break
                matches[mine.field] = other.field_ids[theirs.field]
            elif not _is_same_text(mine, theirs):
                break
        # The kind that shares the longest beginning of its key owns the fields.
        best = max(best, matches, key=len)
    return best


def _are_alike(proposal: Proposal, mine: FieldSegment, other: Proposal, theirs: FieldSegment) -> bool:
    own_field, two = (
        next(field for field in side.fields if field.id == segment.field)
        for side, segment in ((proposal, mine), (other, theirs))
    )
    patterns = [field.values.text if isinstance(field.values, Pattern) else "" for field in (own_field, two)]
    return (own_field.name, own_field.kind) == (two.name, two.kind) and patterns[0] == patterns[1]


def _is_same_text(mine: Segment, theirs: Segment) -> bool:
    both = isinstance(mine, LiteralSegment) and isinstance(theirs, LiteralSegment)
    return both and (mine.text, mine.after) == (theirs.text, theirs.after)  # type: ignore[union-attr]


def growth_figures(use: FieldUse, table: TableUse) -> dict[str, Any]:
    """Return what a field grows by of which the newest values are read most; nothing for any other."""
    write_use = next((operation for operation in table.operations if operation.operation == "write"), None)
    if write_use is None or not use.new_share:
        return {}
    per_day = float(write_use.hours.mean()) * 24 * use.new_share
    return {"growth_per_day": round_figure(per_day), **({"assigned": "sequential"} if use.is_rising else {})}


def open_figures(use: FieldUse, field: Field) -> dict[str, Any]:
    """Return a field's number of values where the log does not tell it: open, or the estimate if fewer are assumed.

    The numbers that came are no limit, and neither are the names in the first keys where more came.
    """
    alone: dict[str, Any] = {"distinct": None, "belongs_to": None, "unique_within": None}
    is_open = isinstance(field.values, Range) or max(use.at_least, use.estimate) > (field.capacity or math.inf)
    if is_open:
        alone["values"] = None
    bare = field.model_copy(update=alone)
    assumed = effective_value(Spec(fields=(bare,)), bare, "distinct")
    figures: dict[str, Any] = {"distinct": None if assumed >= use.at_least else use.estimate}
    return {**figures, **({"values": None} if is_open else {})}


def main_fit(use: FieldUse | None) -> PopularityFit | None:
    """Return the fit of the writes; where there are none, of the reads or scans."""
    fits = use.fits if use is not None else {}
    return fits.get("write") or fits.get("read") or fits.get("scan")


def own_popularity(use: FieldUse, operation: str = "read") -> Popularity | None:
    """Return the access distribution of the reads or scans where it is another than the field's."""
    fit, main = use.fits.get(operation), main_fit(use)
    return None if fit is None or main is None or fit.popularity == main.popularity else fit.popularity


def round_figure(number: float) -> float:
    """Return a number with the digits of measured figures."""
    return float(f"{number:.{DIGITS}g}")
