"""Values that a writer of code for keys takes: row kinds with their functions, in no language's words."""

from dataclasses import dataclass

from .expressions import Expression, KeyParameter
from .filters import FilterCode
from .forms import ValueOrder
from .known import RowLimit
from .values import ValueCode
from .vectors import Argument


@dataclass(frozen=True, order=True)
class KeyRange:
    """Keys from the first on to before the end; an empty end is the end of the table."""

    first: bytes
    end: bytes

    def holds(self, key: bytes) -> bool:
        """Return whether a key lies in the range."""
        return self.first <= key and (not self.end or key < self.end)


@dataclass(frozen=True)
class SegmentCode:
    """One segment of a key, with the delimiter behind it."""

    name: str
    make: Expression
    after: bytes
    parameters: tuple[KeyParameter, ...]
    value: ValueCode

    @property
    def part_name(self) -> str:
        """The name of the value that it tells."""
        return f"{self.name}_us" if self.value.type == "time" else self.name


@dataclass(frozen=True)
class ValueRange:
    """Values from one to another behind what the caller knows, both included."""

    make: Expression
    parameter: KeyParameter
    """What the expression is made from; either bound takes its place."""
    low: KeyParameter | None
    """Bound of the lowest text; None: there is none."""
    high: KeyParameter | None
    order: ValueOrder

    @property
    def parameters(self) -> tuple[KeyParameter, ...]:
        """The bounds, from the lower value on."""
        bounds = [parameter for parameter in (self.low, self.high) if parameter is not None]
        return tuple(sorted(bounds, key=lambda parameter: parameter.bound))


@dataclass(frozen=True)
class ReadCode:
    """Ranges of one read: the segments that its caller knows from the start of the key on."""

    name: str
    about: str
    segments: tuple[SegmentCode, ...]
    parameters: tuple[KeyParameter, ...]
    listed_salts: tuple[tuple[KeyParameter, int], ...]
    """Salts that nobody knows when reading: one range for each value."""
    is_point: bool
    filter: FilterCode
    time: SegmentCode | None = None
    """A time behind the known segments: the caller says from when to when, and the key sorts by it."""
    values: ValueRange | None = None
    is_by_bucket: bool = False
    """Among the segments is a bucket of time, of which each has a range of its own."""
    beginning: SegmentCode | None = None
    """Of the text behind the known segments: the caller knows how it begins."""
    limit: RowLimit | None = None
    columns: "tuple[ReadCode, ...]" = ()
    """Ranges of qualifiers, of each column of which the caller knows the qualifier or a range of them."""
    returns: str = "row ranges of this read"
    vectors: tuple[tuple[tuple[Argument, ...], tuple[KeyRange, ...]], ...] = ()
    """Arguments and the ranges that they give."""

    @property
    def pieces(self) -> tuple[SegmentCode, ...]:
        """Segments and the beginning of one: with what all keys of a range begin."""
        return self.segments if self.beginning is None else (*self.segments, self.beginning)

    @property
    def has_end(self) -> bool:
        """Every range has an end, whatever the values."""
        is_open = self.values is not None and self.values.high is None
        return not is_open or any(segment.after or segment.parameters for segment in self.segments)

    @property
    def filter_parameters(self) -> tuple[KeyParameter, ...]:
        """Parameters of the filter besides a span of time."""
        return tuple(dict.fromkeys(parameter for column in self.columns for parameter in column.parameters))

    @property
    def has_filter_span(self) -> bool:
        """The filter takes a span of time."""
        return any(column.time for column in self.columns)

    @property
    def rest(self) -> str:
        """The filter that a caller applies besides."""
        if self.is_point or self.returns != ReadCode.returns:
            return ""
        return "Only the beginning of the keys that the caller knows is used: filter the rows by everything else."


@dataclass(frozen=True)
class KeyCode:
    """Code for one row kind."""

    id: str
    name: str
    title: str
    pattern: str
    segments: tuple[SegmentCode, ...]
    parameters: tuple[KeyParameter, ...]
    regex: str | None
    """A group for each segment, of the key as Latin-1 text; None: such a key cannot be taken apart."""
    reads: tuple[ReadCode, ...]
    vectors: tuple[tuple[tuple[Argument, ...], bytes], ...]
    """Arguments and their keys, in the order of the keys."""
    refusals: tuple[tuple[tuple[Argument, ...], str], ...] = ()
    """Arguments of which no key is made, each with what the error names first."""

    @property
    def all_reads(self) -> tuple[ReadCode, ...]:
        """Ranges of rows, each with those of qualifiers behind it."""
        return tuple(code for read in self.reads for code in (read, *read.columns))

    @property
    def all_parameters(self) -> tuple[KeyParameter, ...]:
        """Parameters of keys, and those of ranges of qualifiers besides."""
        read_parameters = (parameter for read in self.all_reads for parameter in read.parameters)
        return tuple(dict.fromkeys((*self.parameters, *read_parameters)))
