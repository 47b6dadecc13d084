"""Code for Tablestore's primary keys: what functions there are, column by column.

A key is a list of names and values, as the SDKs take it. Bounds of ranges hold the SDK's own INF_MIN and INF_MAX.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from designer.document import Spec
from designer.document.access import Read
from designer.document.encodings import Descending
from designer.document.key import (
    Bucket,
    DerivedSegment,
    FieldSegment,
    KeyColumn,
    Offset,
    SaltSegment,
    Segment,
    ZeroPad,
    sorts_backwards,
)
from designer.document.table import RowKind, Table
from designer.document.texts import N_, TextList
from designer.wording import describe_read, element_label, key_text
from estimator.kernels.keys.rendering.render import salt_width

from ...shared.result import ExportRemarks
from ..codes import SegmentCode, ValueRange
from ..expressions import Call, KeyParameter, NoCodeError, parameter_of
from ..filters import SURPLUS_COLUMNS, column_text, is_wanted
from ..forms import ValueOrder, key_pattern, value_order
from ..known import known_key, plan_limit
from ..plan import NameBook, plain_text, plan_beginning, plan_segments, plan_values
from ..vectors import plan_vectors
from .bounds import bounds_vectors
from .codes import SPAN_FROM, SPAN_TO, ColumnCode, ColumnRead, PrimaryKeyCode, column_value

BACKWARD_TEXT = N_("the code has no range that is read backwards within a text column")


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
    own_columns = tuple(base.get(column.name, column) for column in kind.key_columns)
    return (*own_columns, *(column for column in base.values() if column not in own_columns))


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
    parameters = tuple(dict.fromkeys(parameter for segment in segments for parameter in segment.parameters))
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
        kind.id, name, title, pattern, codes, parameters, vectors.is_cut, reads, vectors.keys, vectors.refusals
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


def _plan_reads(
    spec: Spec, table: Table, kind: RowKind, columns: Sequence[KeyColumn], codes: Sequence[ColumnCode], name: str,
    names: NameBook, remarks: ExportRemarks,
) -> Iterator[ColumnRead]:  # fmt: skip
    for read in kind.reads:
        plan = _plan_read(
            spec, table, read, columns, codes, names.name(f"{name}_{element_label(spec, read.id)}", "read"), remarks
        )
        # Backward within a text needs its successor as the start, and texts have no largest value behind a beginning.
        if plan.is_backward and plan.begun is not None and (plan.begun.type != "INTEGER" or plan.begun.segments):
            remarks.refuse(read.id, BACKWARD_TEXT)
        else:
            surplus = TextList(_surplus_columns(spec, table, read))
            if surplus and plan.attributes is None:
                remarks.note(read.id, SURPLUS_COLUMNS, names=surplus)
            yield replace(plan, vectors=bounds_vectors(spec, columns, plan))


def _plan_read(
    spec: Spec, table: Table, read: Read, columns: Sequence[KeyColumn], codes: Sequence[ColumnCode], name: str,
    remarks: ExportRemarks,
) -> ColumnRead:  # fmt: skip
    segments = [segment for column in columns for segment in column.segments]
    knowledge = known_key(spec, segments, read, length=len(segments), order=partial(_value_order, spec, columns))
    salts, salt_parameters = dict(knowledge.salts), list[tuple[KeyParameter, int]]()
    segment_codes = [
        _with_salt(segment, code, salts, salt_parameters)
        for segment, code in zip(segments, (segment for column in codes for segment in column.segments), strict=True)
    ]
    remaining, whole, place = knowledge.count, list[ColumnCode](), 0
    for code in codes:
        size = len(code.segments)
        if remaining < size:
            break
        whole.append(ColumnCode(code.name, code.type, tuple(segment_codes[place : place + size])))
        remaining, place = remaining - size, place + size
    values, begun = None, tuple(segment_codes[place : place + remaining])
    if knowledge.has_time:
        values = _span(segments[knowledge.count], segment_codes[knowledge.count])
    elif knowledge.has_values:
        column = columns[len(whole)]
        order = _value_order(spec, columns, knowledge.count)
        values = plan_values(spec, column.segments, remaining, read, order)
    elif knowledge.has_beginning and codes[len(whole)].type != "INTEGER":
        begun = (*begun, plan_beginning(spec, columns[len(whole)].segments, remaining))
    parts = (*(segment for column in whole for segment in column.segments), *begun)
    parameters = dict.fromkeys(parameter for part in parts for parameter in part.parameters)
    value_parameters = () if values is None or knowledge.has_time else values.parameters
    following = codes[len(whole)] if len(whole) < len(codes) and (begun or values) else None
    return ColumnRead(
        name,
        "; ".join(plain_text(text) for text in describe_read(spec, read)),
        tuple(whole),
        following and ColumnCode(following.name, following.type, begun),
        values,
        tuple(code.name for code in codes[len(whole) :]),
        (*(parameter for parameter in parameters if parameter not in dict(salt_parameters)), *value_parameters),
        tuple(salt_parameters),
        bool(read.reverse),
        plan_limit(spec, segments, read, knowledge, remarks),
        _attributes(table, read),
    )


def _value_order(spec: Spec, columns: Sequence[KeyColumn], place: int) -> ValueOrder | None:
    """Return the order of the values of a segment in its column; None where a range of them is no range of keys."""
    for column in columns:
        if place < len(column.segments):
            break
        place -= len(column.segments)
    if column.type == "INTEGER":
        return _number_order(spec, column.segments)
    order = value_order(spec, column.segments, place)
    # A text may be cut anywhere before such a delimiter, but a column of text holds whole characters.
    is_cut = column.type == "STRING" and order is not None and not order.is_fixed and not order.stop.isascii()
    return None if is_cut else order


def _number_order(spec: Spec, segments: Sequence[Segment]) -> ValueOrder | None:
    """Return the order of the numbers in an INTEGER column, which holds them without any digits before them."""
    segment = segments[0]
    if len(segments) != 1 or not isinstance(segment, FieldSegment | DerivedSegment):
        return None
    is_number = parameter_of(spec, segment.field).type == "integer"
    if not is_number or (isinstance(segment, DerivedSegment) and not isinstance(segment.how, Bucket)):
        return None
    is_kept = all(isinstance(transform, Offset | Descending | ZeroPad) for transform in segment.transforms)
    return ValueOrder(sorts_backwards(segment), is_fixed=True, stop=b"") if is_kept else None


def _span(segment: Segment, code: SegmentCode) -> ValueRange:
    """Return the range of a span of time: of a time that counts down, the later end has the lower text."""
    (time,) = code.parameters
    low, high = (SPAN_TO, SPAN_FROM) if sorts_backwards(segment) else (SPAN_FROM, SPAN_TO)
    return ValueRange(code.make, time, low, high, ValueOrder(sorts_backwards(segment), is_fixed=True, stop=code.after))


def _with_salt(
    segment: Segment, code: SegmentCode, salts: Mapping[str, int], salt_parameters: list[tuple[KeyParameter, int]]
) -> SegmentCode:
    """Return the code of a segment; a salt that nobody knows when reading is a number of its own."""
    if not isinstance(segment, SaltSegment) or segment.id not in salts:
        return code
    salt = KeyParameter(segment.id, "salt")
    salt_parameters.append((salt, segment.modulo))
    make = Call("random_salt", (salt, segment.modulo, salt_width(segment)))
    return SegmentCode(code.name, make, code.after, (salt,), code.value)


def _surplus_columns(spec: Spec, table: Table, read: Read) -> Iterator[str]:
    """Yield columns that a read does not want."""
    for family in table.families:
        yield from (column_text(spec, column) for column in family.columns if not is_wanted(read, family, column))


def _attributes(table: Table, read: Read) -> tuple[str, ...] | None:
    columns = [c for family in table.families for c in family.columns if is_wanted(read, family, c)]
    is_all = not read.families and not read.columns
    return None if is_all or any(column.qualifier_from for column in columns) else tuple(c.qualifier for c in columns)
