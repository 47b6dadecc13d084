"""Code for Tablestore's primary keys: what functions there are, column by column.

A key is a list of names and values, as the SDKs take it. Bounds of ranges hold the SDK's own INF_MIN and INF_MAX.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from designer.document import Spec
from designer.document.access import Read
from designer.document.key import ColumnType, KeyColumn, SaltSegment, Segment
from designer.document.table import RowKind, Table
from designer.document.texts import N_
from designer.wording import describe_read, element_label, key_text
from estimator.kernels.keys.rendering.render import salt_width

from ..shared.result import ExportRemarks
from .codes import SegmentCode
from .expressions import Call, KeyParameter, NoCodeError
from .filters import is_wanted
from .forms import key_pattern
from .known import known_key
from .plan import NameBook, plain_text, plan_segments
from .vectors import Argument, plan_vectors

ColumnValue = int | str | bytes
LARGEST = 2**63 - 1
BACKWARD_TEXT = N_("the code has no range that is read backwards within a text column")


@dataclass(frozen=True)
class ColumnCode:
    """One primary-key column, or the beginning of one."""

    name: str
    type: ColumnType
    segments: tuple[SegmentCode, ...]
    regex: str = ""
    """A group for each segment, of the column's text as Latin-1."""


@dataclass(frozen=True)
class ColumnRead:
    """Ranges of one read: columns that the caller knows whole, and what it knows of the next one."""

    name: str
    about: str
    known: tuple[ColumnCode, ...]
    begun: ColumnCode | None
    """None: nothing is known of the next column."""
    time: SegmentCode | None
    """Behind what is begun: the caller says from when to when."""
    rest: tuple[str, ...]
    """Names of the columns that are not known whole."""
    parameters: tuple[KeyParameter, ...]
    listed_salts: tuple[tuple[KeyParameter, int], ...]
    is_backward: bool
    attributes: tuple[str, ...] | None
    """Attribute columns that the read gets; None: all."""


@dataclass(frozen=True)
class PrimaryKeyCode:
    """Code for one row kind."""

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


def plan_primary_keys(spec: Spec, remarks: ExportRemarks) -> Iterator[PrimaryKeyCode]:
    """Yield the code of each row kind; refuse those whose keys code cannot make."""
    names = NameBook()
    for table in spec.tables:
        for kind in table.row_kinds:
            try:
                yield _plan_kind(spec, table, kind, names, remarks)
            except NoCodeError as error:
                remarks.refuse(error.at, error.message)


def _key_columns(spec: Spec, table: Table, kind: RowKind) -> tuple[KeyColumn, ...]:
    """Return the columns of a key; that of a secondary index goes on with those of its table."""
    source = table.derived_from
    if source is None or not source.is_secondary_index:
        return kind.key_columns
    # A secondary index has the primary key of its table behind its own columns, each column once.
    base = {column.name: column for column in spec.find(source.table).row_kinds[0].key_columns}
    named = tuple(base.get(column.name, column) for column in kind.key_columns)
    return (*named, *(column for column in base.values() if column not in named))


def _plan_kind(spec: Spec, table: Table, kind: RowKind, names: NameBook, remarks: ExportRemarks) -> PrimaryKeyCode:
    columns = _key_columns(spec, table, kind)
    if not columns or not all(column.parts for column in columns):
        raise NoCodeError(kind.id, N_("these rows have no row key yet"))
    # No caller can know the key before the row is written.
    if any(column.auto_increment for column in columns):
        raise NoCodeError(kind.id, N_("the service chooses the values of an auto-increment column"))
    label = element_label(spec, table.id)
    name = names.name(f"{table.name} {kind.name}", "rows")
    texts = [column.segments for column in columns]
    segments = plan_segments(spec, *texts)
    parameters = tuple(dict.fromkeys(each for segment in segments for each in segment.parameters))
    vectors = plan_vectors(spec, texts, parameters, [partial(column_value, column.type) for column in columns])
    if not vectors.keys:
        raise NoCodeError(kind.id, N_("no test value fits this key, so its code cannot be verified"))
    codes = tuple(_column_codes(spec, columns, segments))
    if not vectors.is_cut:
        remarks.note(kind.id, N_("these keys cannot be parsed: nothing shows where each segment ends"))
    title = f"{label}: {element_label(spec, kind.id)}" if kind.name else label
    pattern = ", ".join(f"{column.name} {column.type}: {key_text(spec, column.segments)}" for column in columns)
    reads = tuple(_plan_reads(spec, table, kind, columns, codes, name, names, remarks))
    return PrimaryKeyCode(
        name, title, pattern, codes, parameters, vectors.is_cut, reads, vectors.keys, vectors.refusals
    )


def _column_codes(spec: Spec, columns: Sequence[KeyColumn], segments: Sequence[SegmentCode]) -> Iterator[ColumnCode]:
    place = 0
    for column in columns:
        end = place + len(column.segments)
        yield ColumnCode(
            # "(?!)" matches nothing: keys of such a column cannot be parsed.
            column.name, column.type, tuple(segments[place:end]), key_pattern(spec, column.segments) or "(?!)"
        )  # fmt: skip
        place = end


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


def _plan_reads(
    spec: Spec, table: Table, kind: RowKind, columns: Sequence[KeyColumn], codes: Sequence[ColumnCode], name: str,
    names: NameBook, remarks: ExportRemarks,
) -> Iterator[ColumnRead]:  # fmt: skip
    for read in kind.reads:
        made = _plan_read(
            spec, table, read, columns, codes, names.name(f"{name}_{element_label(spec, read.id)}", "read")
        )
        # Backward within a text needs its successor as the start, and texts have no largest value behind a beginning.
        if made.is_backward and made.begun is not None and (made.begun.type != "INTEGER" or made.begun.segments):
            remarks.refuse(read.id, BACKWARD_TEXT)
        else:
            yield made


def _plan_read(
    spec: Spec, table: Table, read: Read, columns: Sequence[KeyColumn], codes: Sequence[ColumnCode], name: str
) -> ColumnRead:
    segments = [each for column in columns for each in column.segments]
    known = known_key(spec, segments, read, length=len(segments))
    salts, listed = dict(known.salts), list[tuple[KeyParameter, int]]()
    made = [
        _with_salt(segment, code, salts, listed)
        for segment, code in zip(segments, (each for column in codes for each in column.segments), strict=True)
    ]
    left, whole, place = known.count, list[ColumnCode](), 0
    for code in codes:
        size = len(code.segments)
        if left < size:
            break
        whole.append(ColumnCode(code.name, code.type, tuple(made[place : place + size])))
        left, place = left - size, place + size
    begun = None
    if len(whole) < len(codes) and (left or known.has_time):
        following = codes[len(whole)]
        begun = ColumnCode(following.name, following.type, tuple(made[place : place + left]))
    parts = (*(each for column in whole for each in column.segments), *(begun.segments if begun else ()))
    parameters = dict.fromkeys(each for part in parts for each in part.parameters)
    return ColumnRead(
        name,
        "; ".join(plain_text(each) for each in describe_read(spec, read)),
        tuple(whole),
        begun,
        made[known.count] if known.has_time else None,
        tuple(code.name for code in codes[len(whole) :]),
        tuple(each for each in parameters if each not in dict(listed)),
        tuple(listed),
        bool(read.reverse),
        _attributes(table, read),
    )


def _with_salt(
    segment: Segment, code: SegmentCode, salts: Mapping[str, int], listed: list[tuple[KeyParameter, int]]
) -> SegmentCode:
    """Return the code of a segment; a salt that nobody knows when reading is a number of its own."""
    if not isinstance(segment, SaltSegment) or segment.id not in salts:
        return code
    salt = KeyParameter(segment.id, "salt")
    listed.append((salt, segment.modulo))
    make = Call("random_salt", (salt, segment.modulo, salt_width(segment)))
    return SegmentCode(code.name, make, code.after, (salt,), code.value)


def _attributes(table: Table, read: Read) -> tuple[str, ...] | None:
    columns = [c for family in table.families for c in family.columns if is_wanted(read, family, c)]
    is_all = not read.families and not read.columns
    return None if is_all or any(column.qualifier_from for column in columns) else tuple(c.qualifier for c in columns)
