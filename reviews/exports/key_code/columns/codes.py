"""Values that a writer of code for primary keys takes: row kinds with their functions, in no language's words."""

import enum
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from designer.document.key import ColumnType

from ...shared.result import ExportRemarks
from ..codes import SegmentCode, ValueRange
from ..expressions import Call, Expression, KeyParameter, replace_parameter
from ..known import RowLimit
from ..vectors import Argument

LARGEST = 2**63 - 1
SPAN_FROM, SPAN_TO = (KeyParameter("", "time", bound) for bound in ("from", "to"))
"""The ends of a span of time, both included."""


class ColumnLimit(enum.Enum):
    """Bound without a value of a column: below or above all of them."""

    MIN = "INF_MIN"
    MAX = "INF_MAX"


ColumnValue = int | str | bytes
ColumnBound = tuple[ColumnValue | ColumnLimit, ...]


@dataclass(frozen=True)
class ColumnCode:
    """One primary-key column, or the beginning of one."""

    name: str
    type: ColumnType
    segments: tuple[SegmentCode, ...]
    regex: str = ""
    """A group for each segment, of the column's text as Latin-1."""

    @property
    def make(self) -> Expression:
        """The expression of its value."""
        return column_expression(self.type, tuple(_pieces(self.segments)))


@dataclass(frozen=True)
class ColumnRead:
    """Ranges of one read: columns that the caller knows whole, and what it knows of the next one."""

    name: str
    about: str
    known: tuple[ColumnCode, ...]
    begun: ColumnCode | None
    """None: nothing is known of the next column."""
    values: ValueRange | None
    """Behind what is begun: the caller says from which value or time to which."""
    rest: tuple[str, ...]
    """Names of the columns that are not known whole."""
    parameters: tuple[KeyParameter, ...]
    listed_salts: tuple[tuple[KeyParameter, int], ...]
    is_backward: bool
    limit: RowLimit | None
    attributes: tuple[str, ...] | None
    """Attribute columns that the read gets; None: all."""
    vectors: tuple[tuple[tuple[Argument, ...], tuple[tuple[ColumnBound, ColumnBound], ...]], ...] = ()
    """Arguments and the bounds that they give, each of all columns."""

    @property
    def has_span(self) -> bool:
        """The caller gives a span of time."""
        return self.values is not None and SPAN_FROM in self.values.parameters

    def notes(self, start: str, end: str) -> Iterator[str]:
        """Yield comments on the function of ranges, in which the ends of a span have these names."""
        if self.has_span:
            yield f"{start}, {end}: the span of time, both included, in microseconds since 1970 (UTC)"
        if not self.rest:
            yield "Both bounds are the same whole key: get the row with GetRow."
        elif self.is_backward:
            yield "Read backwards: the direction of GetRange is BACKWARD."

    @property
    def is_even(self) -> bool:
        """Both ends are texts of one length, or are no range."""
        return self.has_span and self.begun is not None and self.begun.type != "INTEGER"

    @property
    def ends(self) -> tuple[Expression, Expression]:
        """The lowest and the highest beginning of the column behind those that are known; None: there is none."""
        if self.begun is None:
            return None, None
        begun, type_ = tuple(_pieces(self.begun.segments)), self.begun.type
        whole = column_expression(type_, begun) if begun else None
        if self.values is None:
            return whole, whole
        order, stop = self.values.order, b"" if type_ == "INTEGER" else self.values.order.stop
        low, high = (end and replace_parameter(self.values.make, self.values.parameter, end)
                     for end in (self.values.low, self.values.high))  # fmt: skip
        after = (stop,) if stop else ()
        lowest = column_expression(type_, (*begun, low, *(after if self.has_span else ()))) if low else whole
        if not high:
            return lowest, whole
        if stop and not order.is_fixed:
            return lowest, column_expression(type_, (Call("widest", (Call("join", begun), high, stop)),))
        return lowest, column_expression(type_, (*begun, high, *after))

    @property
    def is_whole(self) -> bool:
        """The upper end is a whole text, not what texts begin with."""
        order = self.values.order if self.values and self.values.high else None
        return order is not None and not order.is_fixed and not order.stop


@dataclass(frozen=True)
class PrimaryKeyCode:
    """Code for one row kind."""

    id: str
    name: str
    title: str
    pattern: str
    columns: tuple[ColumnCode, ...]
    parameters: tuple[KeyParameter, ...]
    is_parsed: bool
    reads: tuple[ColumnRead, ...]
    vectors: tuple[tuple[tuple[Argument, ...], tuple[ColumnValue, ...]], ...]
    """Arguments and the values of columns, in the order of the keys."""
    refusals: tuple[tuple[tuple[Argument, ...], str], ...]
    """Arguments of which no key is made, each with what the error names first."""

    @property
    def segments(self) -> tuple[SegmentCode, ...]:
        """The segments of all columns."""
        return tuple(segment for column in self.columns for segment in column.segments)

    @property
    def expressions(self) -> Iterator[Expression]:
        """Expressions of the functions that make and parse keys, and of those of ranges."""
        yield from (column.make for column in self.columns)
        if self.is_parsed:
            yield from (segment.value.make for segment in self.segments)
        for read in self.reads:
            yield from (column.make for column in read.known)
            yield from read.ends

    @property
    def all_parameters(self) -> tuple[KeyParameter, ...]:
        """Parameters of keys, and those of ranges besides."""
        return tuple(
            dict.fromkeys((*self.parameters, *(parameter for read in self.reads for parameter in read.parameters)))
        )


def with_regexes(
    keys: Iterable[PrimaryKeyCode], remarks: ExportRemarks, translate: Callable[[str], str | None], message: str
) -> Iterator[PrimaryKeyCode]:
    """Yield keys with the expressions that cut their columns in a language's words; note those that it cannot cut."""
    for key in keys:
        regexes = [translate(column.regex) if key.is_parsed else None for column in key.columns]
        if key.is_parsed and None in regexes:
            remarks.note(key.id, message)
        columns = (replace(column, regex=regex or "") for column, regex in zip(key.columns, regexes, strict=True))
        yield replace(key, columns=tuple(columns), is_parsed=None not in regexes)


def _pieces(segments: Iterable[SegmentCode]) -> Iterator[Expression]:
    for segment in segments:
        yield segment.make
        if segment.after:
            yield segment.after


def column_expression(type_: ColumnType, pieces: tuple[Expression, ...]) -> Expression:
    """Return the expression of a column's value, of the pieces of its text."""
    text = pieces[0] if len(pieces) == 1 else Call("join", pieces)
    function = {"STRING": "text_of", "INTEGER": "integer_column"}.get(type_)
    return text if function is None else Call(function, (text,))


def column_value(type_: ColumnType, text: bytes) -> ColumnValue:
    """Return what a column holds by the text of its segments.

    Raises
    ------
    ValueError
        If the column does not take it.
    """
    if type_ == "BINARY":
        return text
    if type_ == "STRING":
        return text.decode()
    number = int(text)
    if not -LARGEST - 1 <= number <= LARGEST:
        raise ValueError(f"{number} does not fit into an INTEGER column")
    return number
