"""Contents of code for the keys of a design: functions with parameters, segments, ranges and test vectors."""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import SaltSegment, Segment, as_bytes
from designer.document.shared_prefix import shared_prefix
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text
from designer.wording import describe_read, describe_value, element_label, key_text, segment_label
from designer.wording.formatting import english
from estimator.kernels.keys.rendering.render import salt_width
from estimator.kernels.traffic.column_ranges import sorts_as_time, time_of_range

from ..shared.names import ascii_slug
from ..shared.result import ExportRemarks
from .expressions import Call, Expression, KeyParameter, NoCodeError, named, segment_expression, segment_parameters
from .filters import FilterCode, column_text, plan_filter, wanted_columns
from .forms import check_forms, key_pattern
from .known import known_key
from .values import ValueCode, segment_value
from .vectors import Argument, plan_vectors


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
    is_by_bucket: bool = False
    """Among the segments is a bucket of time, of which each has a range of its own."""
    columns: "tuple[ReadCode, ...]" = ()
    """Ranges of qualifiers, of each column of which a span of time is one range."""
    returns: str = "row ranges of this read"

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
    def all_parameters(self) -> tuple[KeyParameter, ...]:
        """Parameters of keys, and those of ranges of qualifiers besides."""
        named = (each for read in self.reads for column in read.columns for each in column.parameters)
        return tuple(dict.fromkeys((*self.parameters, *named)))


class NameBook:
    """Hands out identifiers, each once."""

    def __init__(self, *reserved: str) -> None:
        self._taken = set(reserved)

    def name(self, wanted: str, spare: str) -> str:
        """Return an identifier like the wanted name."""
        plain = re.sub("[^a-z0-9]+", "_", ascii_slug(wanted)) or spare
        plain = f"{spare}_{plain}" if plain[0].isdigit() or keyword.iskeyword(plain) else plain
        name, number = plain, 2
        while name in self._taken:
            name, number = f"{plain}_{number}", number + 1
        self._taken.add(name)
        return name


def plan_keys(spec: Spec, remarks: ExportRemarks) -> Iterator[KeyCode]:
    """Yield the code of each row kind; refuse those whose keys code cannot make."""
    names = NameBook()
    for table in spec.tables:
        for kind in table.row_kinds:
            try:
                yield _plan_kind(spec, table, kind, names, remarks)
            except NoCodeError as error:
                remarks.refuse(error.at, error.message)


def _plan_kind(spec: Spec, table: Table, kind: RowKind, names: NameBook, remarks: ExportRemarks) -> KeyCode:
    if not kind.key:
        raise NoCodeError(kind.id, N_("these rows have no row key yet"))
    title = (
        f"{element_label(spec, table.id)}: {element_label(spec, kind.id)}"
        if kind.name
        else element_label(spec, table.id)
    )
    name = names.name(f"{table.name} {kind.name}", "rows")
    segments = plan_segments(spec, kind.key)
    parameters = _distinct(segments)
    vectors = plan_vectors(spec, (kind.key,), parameters)
    if not vectors.keys:
        raise NoCodeError(kind.id, N_("no test value fits this key, so its code cannot be verified"))
    regex = key_pattern(spec, kind.key) if vectors.is_cut else None
    if regex is None:
        remarks.note(kind.id, N_("these keys cannot be parsed: nothing shows where each segment ends"))
    plans = list[ReadCode]()
    for read in kind.reads:
        read_name = names.name(f"{name}_{element_label(spec, read.id)}", "read")
        made = _plan_read(
            spec,
            list(zip(kind.key, segments, strict=True)),
            read,
            read_name,
            plan_filter(spec, table, kind, read, remarks),
            [other.key for other in table.row_kinds if other.id in read.row_kinds],
        )
        plans.append(replace(made, columns=tuple(_plan_columns(spec, table, kind, read, made, names))))
    pattern = key_text(spec, kind.key)
    return KeyCode(
        kind.id, name, title, pattern, segments, parameters, regex, tuple(plans),
        tuple((arguments, bytes(made)) for arguments, (made,) in vectors.keys), vectors.refusals,  # type: ignore[arg-type]
    )  # fmt: skip


def plan_segments(spec: Spec, *keys: Sequence[Segment]) -> tuple[SegmentCode, ...]:
    """Return the code of each segment of texts that are cut one by one: a key, or the columns of one."""
    book = NameBook()
    return tuple(
        SegmentCode(
            book.name(plain_text(segment_label(spec, each)), "segment"),
            named(spec, segment_parameters(spec, each), make),
            as_bytes(each.after),
            segment_parameters(spec, each),
            segment_value(spec, each),
        )
        for key in keys
        for each, make in zip(key, check_forms(spec, key, [segment_expression(spec, one) for one in key]), strict=True)
    )


def _distinct(segments: Sequence[SegmentCode]) -> tuple[KeyParameter, ...]:
    return tuple(dict.fromkeys(each for segment in segments for each in segment.parameters))


def _plan_read(
    spec: Spec, key: Sequence[tuple[Segment, SegmentCode]], read: Read, name: str, row_filter: FilterCode,
    others: Sequence[Sequence[Segment]],
) -> ReadCode:  # fmt: skip
    """Return the code of a read; it ends where the keys part of other row kinds that the same scan returns."""
    length, key = len(key), _shared_key(key, others) if others else key
    known = known_key(spec, [segment for segment, _ in key], read, length=length)
    salts, listed = dict(known.salts), list[tuple[KeyParameter, int]]()
    codes: list[SegmentCode] = []
    for segment, code in key[: known.count]:
        if isinstance(segment, SaltSegment) and segment.id in salts:
            salt = KeyParameter(segment.id, "salt")
            make = Call("random_salt", (salt, segment.modulo, salt_width(segment)))
            codes.append(replace(code, make=make, parameters=(salt,)))
            listed.append((salt, segment.modulo))
        else:
            codes.append(code)
    about = [plain_text(each) for each in describe_read(spec, read)]
    if known.is_by_bucket and read.time is not None:
        about.append(
            "the rows of one bucket of time, whose hash the key has: ask with a time of each bucket of the span"
        )
    elif known.is_by_bucket:
        about.append(f"the rows of one bucket of time: ask the newest bucket for {read.newest_rows} rows, then the one "
                     "before it for those that are missing, until there are as many")  # fmt: skip
    return ReadCode(
        name,
        "; ".join(about),
        tuple(codes),
        tuple(each for each in _distinct(codes) if each not in dict(listed)),
        tuple(listed),
        known.is_point and not others,
        row_filter,
        key[known.count][1] if known.has_time else None,
        known.is_by_bucket,
    )


def _plan_columns(
    spec: Spec, table: Table, kind: RowKind, read: Read, made: ReadCode, names: NameBook
) -> Iterator[ReadCode]:
    """Yield the ranges of qualifiers of a read, of each column whose qualifiers sort by their time."""
    for family, column in wanted_columns(table, kind, read):
        time = time_of_range(read, kind.segments, column)
        if time is None or not sorts_as_time(time):
            continue
        try:
            codes = plan_segments(spec, column.qualifier_from)
        except NoCodeError:
            continue
        before = codes[: column.qualifier_from.index(time)]
        label = element_label(spec, family.id)
        yield replace(
            made,
            name=names.name(f"{made.name}_{label}_columns", "columns"),
            about=f"{label}: {column_text(spec, column)}; give the ends to a columnRangeFilter beside the filter",
            segments=before,
            parameters=_distinct(before),
            listed_salts=(),
            is_point=False,
            time=codes[len(before)],
            is_by_bucket=False,
            returns="ranges of qualifiers of this read",
        )


def _shared_key(
    key: Sequence[tuple[Segment, SegmentCode]], others: Sequence[Sequence[Segment]]
) -> Sequence[tuple[Segment, SegmentCode]]:
    """Return the beginning of a key that all others have, too: its last delimiter as far as they share it."""
    shared = shared_prefix([segment for segment, _ in key], others)
    begun = list(key[: shared.segments])
    return [*begun[:-1], *((segment, replace(code, after=shared.after)) for segment, code in begun[-1:])]


def describe_parameter(spec: Spec, parameter: KeyParameter) -> str:
    """Return a comment on a parameter."""
    if parameter.type == "salt":
        return "a number drawn at random for each row; its remainder is the salt"
    if parameter.type == "time":
        of = f" of {element_label(spec, parameter.id)}" if parameter.id else " of the event"
        return f"the time{of}, in microseconds since 1970 (UTC)"
    field = spec.find(parameter.id)
    values = "" if field.values is None else f": {plain_text(describe_value(field.values))}"
    return f"{element_label(spec, parameter.id)}{values}"


def plain_text(text: str | Text) -> str:
    """Return a text in English."""
    return text if isinstance(text, str) else english(text.message, text.params)
