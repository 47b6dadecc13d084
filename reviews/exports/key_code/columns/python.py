"""Python source of the functions for Tablestore's primary keys: plain functions, without a dependency."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from designer.document import Spec

from ...shared.comments import comment
from ..expressions import KeyParameter
from ..plan import describe_parameter
from ..python import (
    MODULES,
    RESERVED,
    TEST,
    argument_source,
    expression_source,
    import_lines,
    limit_source,
    refusal_lines,
    segment_parts,
    signature,
)
from ..python_runtime import runtime_parts
from ..values import CUT
from ..writing import CUTS, expression_calls, parameter_names, pascal_name
from .codes import SPAN_FROM, SPAN_TO, ColumnBound, ColumnCode, ColumnLimit, ColumnRead, PrimaryKeyCode

OWN_NAMES = ("known", "values", "names", "is_backward", "PrimaryKey", "INF_MIN", "INF_MAX")
HEAD = '''"""Primary keys, value by value as designed. Run this file to verify it: python3 {file}"""
'''
RUNTIME = '''try:
    from tablestore import INF_MAX, INF_MIN  # of the SDK, where it is installed
except ImportError:

    class INF_MIN:
        """Stands for the SDK's INF_MIN: below all values of a column."""

    class INF_MAX:
        """Stands for the SDK's INF_MAX: above all values of a column."""


PrimaryKey = list[tuple[str, typing.Any]]


def _integer_column(text: bytes) -> int:
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"{number} does not fit into an INTEGER column")
    return number


def _cut(key: PrimaryKey, patterns: list[tuple[str, str]]) -> list[bytes]:
    if [name for name, _ in key] != [name for name, _ in patterns]:
        raise ValueError(f"{key!r} has other columns")
    found = []
    for (_, value), (_, pattern) in zip(key, patterns):
        text = value if isinstance(value, bytes) else str(value).encode()
        match = re.fullmatch(pattern, text.decode("latin-1"), re.DOTALL)
        if match is None:
            raise ValueError(f"{value!r} has another form")
        found += [group.encode("latin-1") for group in match.groups()]
    return found


def _widest(begun: bytes, text: bytes, stop: bytes) -> bytes:
    # A shorter text sorts by the delimiter behind it: what the range ends with is behind all of them.
    ends = [begun + text[:size] + stop for size in range(len(text) + 1)]
    return max(ends, key=lambda end: end + b"\\xff")


def _above(value: typing.Any, is_whole: bool) -> typing.Any:
    # The first value of a column behind this number, or behind all texts that begin so.
    if isinstance(value, int):
        return INF_MAX if value == 2**63 - 1 else value + 1
    if is_whole:
        return value + ("\\0" if isinstance(value, str) else b"\\0")
    if isinstance(value, bytes):
        cut = value.rstrip(b"\\xff")
        return cut[:-1] + bytes([cut[-1] + 1]) if cut else INF_MAX
    whole = value.rstrip("\\U0010ffff")
    if not whole:
        return INF_MAX
    code = ord(whole[-1]) + 1
    return whole[:-1] + chr(0xE000 if code == 0xD800 else code)


def _range(
    known: PrimaryKey, names: list[str], low: typing.Any, high: typing.Any, is_whole: bool, is_even: bool,
    is_backward: bool,
) -> tuple[PrimaryKey, PrimaryKey]:
    # The bound that is included, and the one that is left out, as GetRange takes them; without names, one row.
    if not names:
        return known, known
    if is_even and len(low) != len(high):
        raise ValueError("the times have different numbers of digits, so their keys are not one range")
    if low is not None and high is not None and low > high:
        raise ValueError("the range ends before it begins")
    first, end = INF_MIN if low is None else low, INF_MAX if high is None else high
    if is_backward:
        first, end = end, INF_MIN if first in (INF_MIN, -(2**63)) else first - 1
    elif end is not INF_MAX:
        end = _above(end, is_whole)
    bounds = []
    for bound in (first, end):
        rest = bound if bound in (INF_MIN, INF_MAX) else INF_MAX if is_backward else INF_MIN
        bounds.append([*known, (names[0], bound), *((name, rest) for name in names[1:])])
    return bounds[0], bounds[1]'''
VERIFIED = TEST.replace(
    'assert previous.get(make, b"") <= made',
    "values = [value for _, value in made]\n        assert previous.get(make, values) <= values",
).replace("previous[make] = made", "previous[make] = values")


def write_module(spec: Spec, keys: Sequence[PrimaryKeyCode], origin: str, file: str) -> str:
    """Return the module of these keys."""
    functions = [function for key in keys for function in _functions(spec, key)]
    ranges = ["RANGES = [", *(line for key in keys for line in _range_lines(key)), "]"]
    vectors = ["VECTORS = [", *(line for key in keys for line in _vector_lines(key)), "]"]
    refusals = ["REFUSALS = [", *(line for key in keys for line in refusal_lines(key.name, key.refusals)), "]"]
    parsers = ["PARSERS = {", *(f"    make_{key.name}: parse_{key.name}," for key in keys if key.is_parsed), "}"]
    names = {name for key in keys for expression in key.expressions for name in expression_calls(expression)}
    tables = ["\n".join(lines) for lines in (vectors, ranges, refusals, parsers)]
    parts = [*runtime_parts(sorted(names - {"integer_column", "widest"})), RUNTIME, *functions, *tables, VERIFIED]
    body = "\n\n\n".join(parts)
    return f"{comment(origin)}\n{HEAD.format(file=file)}\n{import_lines(body)}\n\n\n{body}"


def _functions(spec: Spec, key: PrimaryKeyCode) -> Iterator[str]:
    names = parameter_names(spec, key.all_parameters, *MODULES, *RESERVED, *OWN_NAMES)
    yield "\n".join(_make(spec, key, names))
    if key.is_parsed:
        yield "\n".join(segment_parts(key.name, key.segments))
        yield "\n".join(_parse(key))
    for read in key.reads:
        salts = {salt: f"salt_{n}" for n, (salt, _) in enumerate(read.listed_salts, 1)}
        yield "\n".join(_ranges(key, read, {**names, **salts}))
        yield "\n".join(_attributes(read))
        if read.limit:
            yield limit_source(read.name, read.limit)


def _make(spec: Spec, key: PrimaryKeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    yield f"def make_{key.name}({signature(key.parameters, names)}) -> PrimaryKey:"
    yield '    """Return the primary key of these values; ValueError if one does not fit."""'
    yield f"    {comment(key.title)}"
    yield f"    {comment(key.pattern)}"
    for parameter in key.parameters:
        yield f"    {comment(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield "    return ["
    yield from _column_lines(key.columns, names, "        ")
    yield "    ]"


def _column_lines(columns: Iterable[ColumnCode], names: Mapping[KeyParameter, str], indent: str) -> Iterator[str]:
    yield from (f"{indent}({column.name!a}, {expression_source(column.make, names)})," for column in columns)


def _parse(key: PrimaryKeyCode) -> Iterator[str]:
    yield f"def parse_{key.name}(key: PrimaryKey) -> {pascal_name(key.name)}Parts:"
    yield '    """Return the values that a key tells; ValueError for keys of another form."""'
    yield f"    # {CUTS}"
    yield "    cut = _cut(key, ["
    yield from (f"        ({column.name!a}, {column.regex!a})," for column in key.columns)
    yield "    ])"
    yield f"    return {pascal_name(key.name)}Parts("
    for place, segment in enumerate(key.segments):
        yield f"        {expression_source(segment.value.make, {CUT: f'cut[{place}]'})},"
    yield "    )"


def _ranges(key: PrimaryKeyCode, read: ColumnRead, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    parameters = [signature(read.parameters, names), "from_us: int, to_us: int" if read.has_span else ""]
    yield f"def {read.name}_ranges({', '.join(filter(None, parameters))}) -> list[tuple[PrimaryKey, PrimaryKey]]:"
    yield '    """Return the bounds of this read: of each range the one included and the one left out."""'
    yield f"    {comment(key.title)}"
    yield f"    {comment(read.about)}"
    yield from (f"    # {note}" for note in read.notes("from_us", "to_us"))
    yield "    ranges = []"
    indent = "    "
    for parameter, modulo in read.listed_salts:
        yield f"{indent}for {names[parameter]} in range({modulo}):"
        indent += "    "
    yield f"{indent}known = ["
    yield from _column_lines(read.known, names, f"{indent}    ")
    yield f"{indent}]"
    span = {**names, SPAN_FROM: "from_us", SPAN_TO: "to_us"}
    low, high = (expression_source(end, span) for end in read.ends)
    flags = f"{read.is_whole}, {read.is_even}, {read.is_backward}"
    yield f"{indent}ranges.append(_range(known, {list(read.rest)!a}, {low}, {high}, {flags}))"
    yield "    return ranges"


def _attributes(read: ColumnRead) -> Iterator[str]:
    yield f"def {read.name}_columns() -> list[str]:"
    yield '    """Return the attribute columns of this read, as columns_to_get; none: all."""'
    yield f"    return {list(read.attributes or ())!a}"


def _vector_lines(key: PrimaryKeyCode) -> Iterator[str]:
    for arguments, values in key.vectors:
        pairs = ", ".join(f"({c.name!a}, {value!a})" for c, value in zip(key.columns, values, strict=True))
        yield f"    (make_{key.name}, {argument_source(arguments)}, [{pairs}]),"


def _range_lines(key: PrimaryKeyCode) -> Iterator[str]:
    names = [column.name for column in key.columns]
    for read in key.reads:
        for arguments, ranges in read.vectors:
            bounds = ", ".join(f"({_bound(names, first)}, {_bound(names, end)})" for first, end in ranges)
            yield f"    ({read.name}_ranges, {argument_source(arguments)}, [{bounds}]),"


def _bound(names: Sequence[str], bound: ColumnBound) -> str:
    values = (value.value if isinstance(value, ColumnLimit) else ascii(value) for value in bound)
    return f"[{', '.join(f'({name!a}, {value})' for name, value in zip(names, values, strict=True))}]"
