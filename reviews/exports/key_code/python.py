"""Python source of the functions for keys: plain functions, without a dependency."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from designer.document import Spec

from ..shared.comments import comment
from .codes import KeyCode, ReadCode, SegmentCode
from .expressions import Call, Expression, KeyParameter
from .filters import FilterHole
from .known import LIMIT, RowLimit
from .plan import describe_parameter
from .python_runtime import runtime_parts
from .values import CUT
from .vectors import Argument
from .writing import CUTS, PARTS, called_functions, parameter_names, pascal_name

TYPES = {"text": "str", "bytes": "bytes", "integer": "int", "boolean": "bool", "time": "int", "salt": "int"}
MODULES = ("base64", "dataclasses", "datetime", "hashlib", "re", "sys", "typing", "zlib")
RESERVED = (
    "key", "first", "ranges", "from_us", "to_us", "sorted", "bytes", "int", "str", "bool", "range", "dict", "list",
    "tuple", "start", "now_us", "salt_1", "salt_2", "salt_3",
)  # fmt: skip
"""Names that the functions use themselves."""
HEAD = '''"""Row keys, byte for byte as designed. Run this file to verify it: python3 {file}"""
'''
TEST = '''def verify() -> int:
    """Make the key of every test vector, and return how many there are; AssertionError if one differs.

    Values of which no key can be made are refused with the field's name.
    """
    previous = {}
    for make, arguments, key in VECTORS:
        made = make(*arguments)
        assert made == key, f"{make.__name__}{arguments}: {made!r} is not {key!r}"
        assert previous.get(make, b"") <= made, f"{key!r} is out of order"
        previous[make] = made
        take_apart = PARSERS.get(make)
        assert take_apart is None or take_apart(key), f"{key!r} cannot be taken apart"
    for find, arguments, ranges in RANGES:
        found = find(*arguments)
        assert found == ranges, f"{find.__name__}{arguments}: {found!r} is not {ranges!r}"
    for make, arguments, name in REFUSALS:
        try:
            made = make(*arguments)
        except ValueError as error:
            assert str(error).startswith(f"{name}: "), f"{make.__name__}{arguments}: {error}"
        else:
            raise AssertionError(f"{make.__name__}{arguments} is not refused: {made!r}")
    return len(VECTORS)


if __name__ == "__main__":
    sys.stdout.write(f"{verify()} keys are as designed\\n")
'''


def write_module(spec: Spec, keys: Sequence[KeyCode], origin: str, file: str) -> str:
    """Return the module of these keys."""
    functions = [function for key in keys for function in _functions(spec, key)]
    ranges = ["RANGES = [", *(line for key in keys for line in _range_lines(key)), "]"]
    vectors = ["VECTORS = [", *(line for key in keys for line in _vector_lines(key)), "]"]
    refusals = ["REFUSALS = [", *(line for key in keys for line in refusal_lines(key.name, key.refusals)), "]"]
    parsers = ["PARSERS = {", *(f"    make_{key.name}: parse_{key.name}," for key in keys if key.regex), "}"]
    names = sorted({name for key in keys for name in called_functions(key)})
    tables = ["\n".join(lines) for lines in (vectors, ranges, refusals, parsers)]
    body = "\n\n\n".join([*runtime_parts(names), *functions, *tables, TEST])
    return f"{comment(origin)}\n{HEAD.format(file=file)}\n{import_lines(body)}\n\n\n{body}"


def import_lines(body: str) -> str:
    """Return the imports that a module's body needs."""
    lines = [f"import {name}" for name in MODULES if f"{name}." in body]
    quotes = [name for name in ("quote_from_bytes", "unquote_to_bytes") if f"{name}(" in body]
    if quotes:
        lines.append(f"from urllib.parse import {', '.join(quotes)}")
    if "_EPOCH" in body:
        lines += ["", "_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)"]
    return "\n".join(lines)


def _functions(spec: Spec, key: KeyCode) -> Iterator[str]:
    names = parameter_names(spec, key.all_parameters, *MODULES, *RESERVED)
    yield "\n".join(_make(spec, key, names))
    if key.regex is not None:
        yield "\n".join(segment_parts(key.name, key.segments))
        yield "\n".join(_parse(key))
    for read in key.reads:
        salts = [salt for salt, _ in read.listed_salts if salt not in names]
        yield "\n".join(_ranges(key, read, {**names, **{salt: f"salt_{n}" for n, salt in enumerate(salts, 1)}}))
        for columns in read.columns:
            yield "\n".join(_ranges(key, columns, names))
        yield "\n".join(_filter(read, names))
        if read.limit:
            yield limit_source(read.name, read.limit)


def signature(parameters: Iterable[KeyParameter], names: Mapping[KeyParameter, str]) -> str:
    """Return typed parameters."""
    return ", ".join(f"{names[parameter]}: {TYPES[parameter.type]}" for parameter in parameters)


def _make(spec: Spec, key: KeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    yield f"def make_{key.name}({signature(key.parameters, names)}) -> bytes:"
    yield '    """Return the row key of these values; ValueError with the field that does not fit."""'
    yield f"    {comment(key.title)}"
    yield f"    {comment(key.pattern)}"
    for parameter in key.parameters:
        yield f"    {comment(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield '    return b"".join(('
    yield from piece_lines(key.segments, names)
    yield "    ))"


def piece_lines(segments: Iterable[SegmentCode], names: Mapping[KeyParameter, str]) -> Iterator[str]:
    """Yield the bytes of segments and of the delimiters behind them, a line each."""
    for segment in segments:
        yield f"        {expression_source(segment.make, names)},"
        if segment.after:
            yield f"        {segment.after!r},"


def expression_source(expression: Expression, names: Mapping[KeyParameter, str]) -> str:
    """Return an expression as Python has it."""
    if isinstance(expression, Call):
        if expression.function == "integer_of":  # Python's integers have no bound
            return expression_source(expression.arguments[0], names)
        if expression.function == "of":
            name, inner = expression.arguments
            return f"_of({name!a}, lambda: {expression_source(inner, names)})"
        return f"_{expression.function}({', '.join(expression_source(each, names) for each in expression.arguments)})"
    return names[expression] if isinstance(expression, KeyParameter) else ascii(expression)


def segment_parts(name: str, segments: Iterable[SegmentCode]) -> Iterator[str]:
    """Yield the class of what a key tells."""
    yield "@dataclasses.dataclass(frozen=True)"
    yield f"class {pascal_name(name)}Parts:"
    yield f'    """{PARTS}"""'
    yield ""
    yield from (f"    {segment.part_name}: {TYPES[segment.value.type]}" for segment in segments)


def _parse(key: KeyCode) -> Iterator[str]:
    yield f"def parse_{key.name}(key: bytes) -> {pascal_name(key.name)}Parts:"
    yield '    """Return the values in a key; raise ValueError for keys of another form."""'
    yield f"    # {CUTS}"
    yield f'    match = re.fullmatch({key.regex!a}, key.decode("latin-1"), re.DOTALL)'
    yield "    if match is None:"
    yield '        raise ValueError(f"{key!r} has another form")'
    yield '    cut = [text.encode("latin-1") for text in match.groups()]'
    yield f"    return {pascal_name(key.name)}Parts("
    for place, segment in enumerate(key.segments):
        yield f"        {expression_source(segment.value.make, {CUT: f'cut[{place}]'})},"
    yield "    )"


def _ranges(key: KeyCode, read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    parameters = [signature(read.parameters, names), "from_us: int, to_us: int" if read.time else ""]
    yield f"def {read.name}_ranges({', '.join(filter(None, parameters))}) -> list[tuple[bytes, bytes]]:"
    yield f'    """Return the {read.returns}: the first, and what is behind the last (b"": no end)."""'
    yield f"    {comment(key.title)}"
    yield f"    {comment(read.about)}"
    if read.time:
        yield "    # from_us, to_us: the span of time, both included, in microseconds since 1970 (UTC)"
    if read.rest:
        yield f"    # {read.rest}"
    yield "    ranges = []"
    indent = "    "
    for parameter, modulo in read.listed_salts:
        yield f"{indent}for {names[parameter]} in range({modulo}):"
        indent += "    "
    yield f'{indent}first = b"".join(('
    yield from (f"{indent}{line[4:]}" for line in piece_lines(read.pieces, names))
    yield f"{indent}))"
    yield f"{indent}ranges.append({_range_source(read, names)})"
    yield "    return sorted(ranges)"


def _range_source(read: ReadCode, names: Mapping[KeyParameter, str]) -> str:
    if read.time:
        (time,) = read.time.parameters
        ends = (expression_source(read.time.make, {time: name}) for name in ("from_us", "to_us"))
        return f"_time_range(first, {', '.join(ends)}, {read.time.after!r})"
    if read.values:
        low, high = (
            expression_source(read.values.make, {read.values.parameter: names[bound]}) if bound else none
            for bound, none in ((read.values.low, 'b""'), (read.values.high, "None"))
        )
        order = read.values.order
        return f"_value_range(first, {low}, {high}, {order.stop!r}, {order.is_fixed})"
    return '(first, first + b"\\0")' if read.is_point else "(first, _prefix_end(first))"


def _filter(read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    is_dated = read.filter.age_us is not None
    span, now = "from_us: int, to_us: int" if read.has_filter_span else "", "now_us: int" if is_dated else ""
    parameters = ", ".join(filter(None, [signature(read.filter_parameters, names), span, now]))
    yield f"def {read.name}_filter({parameters}) -> str:"
    yield '    """Return the filter of this read: a google.bigtable.v2.RowFilter as JSON."""'
    if read.filter.about:
        yield f"    {comment(read.filter.about)}"
    if read.has_filter_span:
        yield "    # from_us, to_us: the span of time, both included, in microseconds since 1970 (UTC)"
    if is_dated:
        yield "    # now_us: the present time, in microseconds since 1970 (UTC)"
        yield f"    start = _milliseconds(now_us - {read.filter.age_us})"
    if read.columns:
        yield "    _columns = ["
        for column in read.columns:
            arguments = [
                *(names[parameter] for parameter in column.parameters),
                *(["from_us", "to_us"] if column.time else []),
            ]
            yield f"        *{column.name}_ranges({', '.join(arguments)}),"
        yield "    ]"
    parts = (_hole(part) if isinstance(part, FilterHole) else ascii(part) for part in read.filter.parts)
    yield f"    return {' + '.join(parts)}"


def limit_source(name: str, limit: RowLimit) -> str:
    """Return the function of a limit of rows."""
    notes = "".join(f"    # {note}\n" for note in limit.notes())
    return f'def {name}_limit() -> int:\n    """Return {LIMIT}."""\n{notes}    return {limit.rows}'


def _hole(hole: FilterHole) -> str:
    return "str(start)" if hole.of == "start" else f"_padded_base64(_columns[{hole.column}][{int(hole.of == 'end')}])"


def _vector_lines(key: KeyCode) -> Iterator[str]:
    for arguments, key_bytes in key.vectors:
        yield f"    (make_{key.name}, {argument_source(arguments)}, {key_bytes!r}),"


def _range_lines(key: KeyCode) -> Iterator[str]:
    for read in key.all_reads:
        for arguments, ranges in read.vectors:
            ends = [(key_range.first, key_range.end) for key_range in ranges]
            yield f"    ({read.name}_ranges, {argument_source(arguments)}, {ends!r}),"


def argument_source(arguments: Sequence[Argument]) -> str:
    """Return arguments as a tuple."""
    text = "".join(f"{argument!a}, " for argument in arguments)
    return f"({text.rstrip() if len(arguments) == 1 else text.rstrip(', ')})"


def refusal_lines(name: str, refusals: Iterable[tuple[Sequence[Argument], str]]) -> Iterator[str]:
    """Yield a line for the arguments of which a row kind's function makes no key."""
    for arguments, message in refusals:
        yield f"    (make_{name}, {argument_source(arguments)}, {message!a}),"
