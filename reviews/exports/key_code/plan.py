"""Contents of code for the keys of a design: functions with parameters, segments, ranges and test vectors."""

import keyword
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from designer.document import Spec
from designer.document.access import Read
from designer.document.family import Column
from designer.document.key import LiteralSegment, SaltSegment, Segment, TimeSegment, as_bytes, segment_fields
from designer.document.shared_prefix import shared_prefix
from designer.document.table import RowKind, Table
from designer.document.texts import N_, Text, TextList
from designer.wording import describe_read, describe_value, element_label, key_text, segment_label
from designer.wording.formatting import english
from estimator.kernels.keys.rendering.render import salt_width
from estimator.kernels.traffic.column_ranges import range_bind, sorts_as_time, time_of_range

from ..shared.names import ascii_slug
from ..shared.result import ExportRemarks
from .cell_filters import ColumnPattern, ColumnRange
from .codes import KeyCode, ReadCode, SegmentCode, ValueRange
from .expressions import (
    BEGINNING,
    Call,
    KeyParameter,
    NoCodeError,
    name_parameters,
    replace_parameter,
    segment_expression,
    segment_parameters,
)
from .filters import (
    SURPLUS_COLUMNS,
    FilterCode,
    column_pattern,
    column_text,
    plan_filter,
    surplus_columns,
    wanted_columns,
)
from .forms import ValueOrder, checked_expression, key_pattern, stops, value_order
from .known import known_key, plan_limit
from .ranges import range_vectors
from .values import segment_value
from .vectors import plan_vectors


class NameBook:
    """Hands out identifiers, each once."""

    def __init__(self, *reserved: str) -> None:
        self._taken = set(reserved)

    def name(self, label: str, spare: str) -> str:
        """Return an identifier like the wanted name."""
        plain = re.sub("[^a-z0-9]+", "_", ascii_slug(label)) or spare
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
    # Code that no test has made a key with is not handed out.
    if not vectors.keys:
        raise NoCodeError(kind.id, N_("no test value fits this key, so its code cannot be verified"))
    regex = key_pattern(spec, kind.key) if vectors.is_cut else None
    if regex is None:
        remarks.note(kind.id, N_("these keys cannot be parsed: nothing shows where each segment ends"))
    plans = list[ReadCode]()
    for read in kind.reads:
        read_name = names.name(f"{name}_{element_label(spec, read.id)}", "read")
        read_code = _plan_read(
            spec,
            list(zip(kind.key, segments, strict=True)),
            read,
            read_name,
            [other.key for other in table.row_kinds if other.id in read.row_kinds],
            remarks,
        )
        plans.append(_with_columns(spec, table, kind, read, read_code, names, remarks))
    pattern = key_text(spec, kind.key)
    return KeyCode(
        kind.id, name, title, pattern, segments, parameters, regex, tuple(plans),
        tuple((arguments, bytes(key_bytes)) for arguments, (key_bytes,) in vectors.keys), vectors.refusals,  # type: ignore[arg-type]
    )  # fmt: skip


def plan_segments(spec: Spec, *keys: Sequence[Segment]) -> tuple[SegmentCode, ...]:
    """Return the code of each segment of texts that are cut one by one: a key, or the columns of one."""
    book = NameBook()
    return tuple(_plan_segment(spec, key, place, book) for key in keys for place in range(len(key)))


def _plan_segment(spec: Spec, key: Sequence[Segment], place: int, book: NameBook) -> SegmentCode:
    segment = key[place]
    parameters = segment_parameters(spec, segment)
    return SegmentCode(
        book.name(plain_text(segment_label(spec, segment)), "segment"),
        name_parameters(spec, parameters, checked_expression(spec, key, place, segment_expression(spec, segment))),
        as_bytes(segment.after),
        parameters,
        segment_value(spec, segment),
    )


def _distinct(segments: Sequence[SegmentCode]) -> tuple[KeyParameter, ...]:
    return tuple(dict.fromkeys(parameter for segment in segments for parameter in segment.parameters))


def _plan_read(
    spec: Spec, key: Sequence[tuple[Segment, SegmentCode]], read: Read, name: str,
    others: Sequence[Sequence[Segment]], remarks: ExportRemarks,
) -> ReadCode:  # fmt: skip
    """Return the code of a read; it ends where the keys part of other row kinds that the same scan returns."""
    # The length is that of the whole key: a shared beginning, however long, is no single row.
    length, key = len(key), _shared_key(key, others) if others else key
    segments = [segment for segment, _ in key]
    knowledge = known_key(spec, segments, read, length=length, order=partial(value_order, spec, segments))
    salts, salt_parameters = dict(knowledge.salts), list[tuple[KeyParameter, int]]()
    codes: list[SegmentCode] = []
    for segment, code in key[: knowledge.count]:
        if isinstance(segment, SaltSegment) and segment.id in salts:
            salt = KeyParameter(segment.id, "salt")
            make = Call("random_salt", (salt, segment.modulo, salt_width(segment)))
            # A random salt is known to nobody: each of its values is a range of its own, in a loop.
            codes.append(replace(code, make=make, parameters=(salt,)))
            salt_parameters.append((salt, segment.modulo))
        else:
            codes.append(code)
    about = [plain_text(parameter) for parameter in describe_read(spec, read)]
    if knowledge.is_by_bucket and read.time is not None:
        about.append(
            "the rows of one bucket of time, whose hash the key has: ask with a time of each bucket of the span"
        )
    elif knowledge.is_by_bucket:
        about.append(f"the rows of one bucket of time: ask the newest bucket for {read.newest_rows} rows, then the one "
                     "before it for those that are missing, until there are as many")  # fmt: skip
    values = plan_values(spec, segments, knowledge.count, read) if knowledge.has_values else None
    fields = {name for segment in segments for name in segment_fields(segment)}
    for bind in read.binds:
        if bind.is_range and bind.field in fields and (values is None or bind.field != values.parameter.id):
            message = N_("a range of {field} is no range of keys: filter the rows that the ranges contain")
            remarks.note(read.id, message, field=element_label(spec, bind.field))
    beginning = plan_beginning(spec, segments, knowledge.count) if knowledge.has_beginning else None
    parameters = (*_distinct([*codes, *([beginning] if beginning else [])]), *(values.parameters if values else ()))
    return ReadCode(
        name,
        "; ".join(about),
        tuple(codes),
        tuple(parameter for parameter in parameters if parameter not in dict(salt_parameters)),
        tuple(salt_parameters),
        knowledge.is_point and not others,
        FilterCode("", ()),
        key[knowledge.count][1] if knowledge.has_time else None,
        values,
        knowledge.is_by_bucket,
        beginning,
        plan_limit(spec, segments, read, knowledge, remarks),
    )


def plan_beginning(spec: Spec, key: Sequence[Segment], place: int) -> SegmentCode:
    """Return the code of the beginning of a segment's text, which holds no delimiter."""
    segment, stop = key[place], stops(key)[place]
    (whole,) = segment_parameters(spec, segment)
    parameter = replace(whole, bound=BEGINNING)
    expression = replace_parameter(segment_expression(spec, segment), whole, parameter)
    checked = Call("fit", (expression, "", "", stop)) if stop else expression
    return SegmentCode(
        "beginning", name_parameters(spec, [parameter], checked), b"", (parameter,), segment_value(spec, segment)
    )


def plan_values(
    spec: Spec, key: Sequence[Segment], place: int, read: Read, order: ValueOrder | None = None
) -> ValueRange | None:
    """Return the range of values that a caller knows of a segment; None where it is no range of keys."""
    segment, order = key[place], order or value_order(spec, key, place)
    bind = range_bind(read, segment)
    if bind is None or order is None:
        return None
    (parameter,) = segment_parameters(spec, segment)
    make = checked_expression(spec, key, place, segment_expression(spec, segment))
    if order.digits:
        misfit = f"the number has other than {order.digits} digits"
        make = Call("fit", (make, rf"\d{{{order.digits}}}", misfit, b""))
    low = None if bind.from_value is None else replace(parameter, bound="from")
    high = None if bind.to_value is None else replace(parameter, bound="to")
    # What counts down has its largest value first.
    if order.is_backwards:
        low, high = high, low
    return ValueRange(name_parameters(spec, [parameter], make), parameter, low, high, order)


def _with_columns(
    spec: Spec, table: Table, kind: RowKind, read: Read, read_code: ReadCode, names: NameBook, remarks: ExportRemarks
) -> ReadCode:
    """Return the code of a read with the ranges of its qualifiers, and the filter that takes these."""
    columns, sample_ranges = dict[str, ReadCode](), dict[str, tuple[ColumnPattern | ColumnRange, ...]]()
    for family, column in wanted_columns(table, kind, read):
        column_code = plan_column(spec, kind, read, column)
        if column_code is not None:
            label = element_label(spec, family.id)
            columns[column.id] = replace(
                column_code, vectors=range_vectors(spec, column.qualifier_from, column_code),
                name=names.name(f"{read_code.name}_{label}_columns", "columns"),
                about=f"{label}: {column_text(spec, column)}; the filter of this read takes them",
            )  # fmt: skip
            sample_ranges[column.id] = tuple(_sample_ranges(column, columns[column.id]))
    surplus = TextList(surplus_columns(spec, table, kind, read, sample_ranges))
    if surplus:
        remarks.note(read.id, SURPLUS_COLUMNS, names=surplus)
    row_filter = plan_filter(spec, table, kind, read, {name: code.has_end for name, code in columns.items()}, remarks)
    return replace(
        read_code, columns=tuple(columns.values()), filter=row_filter, vectors=range_vectors(spec, kind.key, read_code)
    )


def _sample_ranges(column: Column, code: ReadCode) -> Iterator[ColumnPattern | ColumnRange]:
    """Yield ranges of qualifiers; none that begin with what a caller names, which others have by chance."""
    if any(segment.parameters for segment in code.segments):
        return
    if code.values is not None:  # up to any value
        yield ColumnPattern(column_pattern(column))
    for _, key_ranges in code.vectors if code.time else ():
        yield from (ColumnRange(key_range.first, key_range.end) for key_range in key_ranges)


def plan_column(spec: Spec, kind: RowKind, read: Read, column: Column) -> ReadCode | None:
    """Return the ranges of qualifiers of a column that a read's caller can name; None where that is all of them."""
    key = column.qualifier_from
    if not key:
        return None
    fields = {bind.field for bind in read.binds if bind.is_whole}
    count = next((place for place, segment in enumerate(key) if not _is_named(segment, fields)), len(key))
    time = time_of_range(read, kind.segments, column)
    try:
        codes = plan_segments(spec, key)
        has_time = time is not None and sorts_as_time(time) and key[count] == time
        values = None if has_time or count == len(key) else plan_values(spec, key, count, read)
    except NoCodeError:
        return None
    is_point = count == len(key)
    if is_point and not any(map(segment_fields, key)):  # a constant qualifier, which the filter has already
        return None
    if not is_point and not has_time and values is None:
        return None
    return ReadCode(
        "", "", codes[:count], (*_distinct(codes[:count]), *(values.parameters if values else ())), (), is_point,
        FilterCode("", ()), codes[count] if has_time else None, values, returns="ranges of qualifiers of this read",
    )  # fmt: skip


def _is_named(segment: Segment, fields: set[str]) -> bool:
    """Return whether a caller knows a part of a qualifier whole."""
    names = segment_fields(segment)
    if isinstance(segment, TimeSegment):
        return False
    return isinstance(segment, LiteralSegment) or (bool(names) and fields.issuperset(names))


def _shared_key(
    key: Sequence[tuple[Segment, SegmentCode]], others: Sequence[Sequence[Segment]]
) -> Sequence[tuple[Segment, SegmentCode]]:
    """Return the beginning of a key that all others have, too: its last delimiter as far as they share it."""
    shared = shared_prefix([segment for segment, _ in key], others)
    begun = list(key[: shared.segments])
    # Keys may share only a part of the last delimiter.
    return [*begun[:-1], *((segment, replace(code, after=shared.after)) for segment, code in begun[-1:])]


def describe_parameter(spec: Spec, parameter: KeyParameter) -> str:
    """Return a comment on a parameter."""
    if parameter.bound == BEGINNING:
        return f"what {element_label(spec, parameter.id)} begins with, or the parent of a domain"
    if parameter.bound:
        of = element_label(spec, parameter.id)
        return f"the {'least' if parameter.bound == 'from' else 'greatest'} {of} that is wanted"
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
