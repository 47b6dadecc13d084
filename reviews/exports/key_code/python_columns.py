"""Python source of the functions for Tablestore's primary keys: plain functions, without a dependency."""

from collections.abc import Iterator, Mapping, Sequence

from designer.document import Spec

from ..shared.comments import comment
from .expressions import KeyParameter
from .plan import describe_parameter
from .primary_keys import ColumnCode, ColumnRead, PrimaryKeyCode
from .python import (
    MODULES,
    RESERVED,
    TEST,
    argument_source,
    expression_source,
    import_lines,
    piece_lines,
    refusal_lines,
    segment_parts,
    signature,
)
from .python_runtime import runtime_parts
from .values import CUT
from .writing import CUTS, expression_calls, parameter_names, pascal_name

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


def _string(text: bytes) -> str:
    return text.decode()


def _integer(text: bytes) -> int:
    number = int(text)
    if not -(2**63) <= number < 2**63:
        raise ValueError(f"{number} does not fit into an INTEGER column")
    return number


def _binary(text: bytes) -> bytes:
    return text


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


def _above(value: typing.Any) -> typing.Any:
    # The first value of a column behind this number, or behind all texts that begin so.
    if isinstance(value, int):
        return INF_MAX if value == 2**63 - 1 else value + 1
    if isinstance(value, bytes):
        cut = value.rstrip(b"\\xff")
        return cut[:-1] + bytes([cut[-1] + 1]) if cut else INF_MAX
    whole = value.rstrip("\\U0010ffff")
    if not whole:
        return INF_MAX
    code = ord(whole[-1]) + 1
    return whole[:-1] + chr(0xE000 if code == 0xD800 else code)


def _range(
    known: PrimaryKey, names: list[str], low: typing.Any, high: typing.Any, is_backward: bool
) -> tuple[PrimaryKey, PrimaryKey]:
    # The bound that is included, and the one that is left out, as GetRange takes them; without names, one row.
    if not names:
        return known, known
    if low is None:
        first, last = ([*known, *((name, bound) for name in names)] for bound in (INF_MIN, INF_MAX))
        return (last, first) if is_backward else (first, last)
    low, high = min(low, high), max(low, high)
    if isinstance(low, (str, bytes)) and len(low) != len(high):
        raise ValueError("the times have different numbers of digits, so their keys are not one range")
    if is_backward:
        below = INF_MIN if low == -(2**63) else low - 1
        rest = [(name, INF_MAX) for name in names[1:]]
        return [*known, (names[0], high), *rest], [*known, (names[0], below), *rest]
    rest = [(name, INF_MIN) for name in names[1:]]
    return [*known, (names[0], low), *rest], [*known, (names[0], _above(high)), *rest]'''
COLUMN_FUNCTIONS = {"STRING": "_string", "INTEGER": "_integer", "BINARY": "_binary"}
_RANGES = TEST[TEST.index("    for find,") : TEST.index("    for make, arguments, name")]
"""The part of the test that is about byte ranges."""
VERIFIED = (
    TEST.replace(_RANGES, "")
    .replace(
        'assert previous.get(make, b"") <= made',
        "values = [value for _, value in made]\n        assert previous.get(make, values) <= values",
    )
    .replace("previous[make] = made", "previous[make] = values")
)


def write_module(spec: Spec, keys: Sequence[PrimaryKeyCode], origin: str, file: str) -> str:
    """Return the module of these keys."""
    functions = [each for key in keys for each in _functions(spec, key)]
    vectors = ["VECTORS = [", *(line for key in keys for line in _vector_lines(key)), "]"]
    refusals = ["REFUSALS = [", *(line for key in keys for line in refusal_lines(key.name, key.refusals)), "]"]
    parsers = ["PARSERS = {", *(f"    make_{key.name}: parse_{key.name}," for key in keys if key.is_parsed), "}"]
    names = sorted({name for key in keys for name in _called_functions(key)})
    tables = ["\n".join(lines) for lines in (vectors, refusals, parsers)]
    parts = [*runtime_parts(names), RUNTIME, *functions, *tables, VERIFIED]
    body = "\n\n\n".join(parts)
    return f"{comment(origin)}\n{HEAD.format(file=file)}\n{import_lines(body)}\n\n\n{body}"


def _called_functions(key: PrimaryKeyCode) -> Iterator[str]:
    for segment in (each for column in key.columns for each in column.segments):
        yield from expression_calls(segment.make)
        if key.is_parsed:
            yield from expression_calls(segment.value.make)
    if any(read.listed_salts for read in key.reads):
        yield "random_salt"


def _functions(spec: Spec, key: PrimaryKeyCode) -> Iterator[str]:
    names = parameter_names(spec, key.parameters, *MODULES, *RESERVED, *OWN_NAMES)
    yield "\n".join(_make(spec, key, names))
    if key.is_parsed:
        yield "\n".join(segment_parts(key.name, [each for column in key.columns for each in column.segments]))
        yield "\n".join(_parse(key))
    for read in key.reads:
        salts = {salt: f"salt_{n}" for n, (salt, _) in enumerate(read.listed_salts, 1)}
        yield "\n".join(_ranges(key, read, {**names, **salts}))
        yield "\n".join(_attributes(read))


def _make(spec: Spec, key: PrimaryKeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    yield f"def make_{key.name}({signature(key.parameters, names)}) -> PrimaryKey:"
    yield '    """Return the primary key of these values; ValueError if one does not fit."""'
    yield f"    {comment(key.title)}"
    yield f"    {comment(key.pattern)}"
    for each in key.parameters:
        yield f"    {comment(f'{names[each]}: {describe_parameter(spec, each)}')}"
    yield "    return ["
    for column in key.columns:
        yield from _column_lines(column, names, "        ")
    yield "    ]"


def _column_lines(column: ColumnCode, names: Mapping[KeyParameter, str], indent: str) -> Iterator[str]:
    yield f'{indent}({column.name!a}, {COLUMN_FUNCTIONS[column.type]}(b"".join(('
    yield from (f"{indent}{line[4:]}" for line in piece_lines(column.segments, names))
    yield f"{indent})))),"


def _parse(key: PrimaryKeyCode) -> Iterator[str]:
    yield f"def parse_{key.name}(key: PrimaryKey) -> {pascal_name(key.name)}Parts:"
    yield '    """Return the values that a key tells; ValueError for keys of another form."""'
    yield f"    # {CUTS}"
    yield "    cut = _cut(key, ["
    yield from (f"        ({column.name!a}, {column.regex!a})," for column in key.columns)
    yield "    ])"
    yield f"    return {pascal_name(key.name)}Parts("
    for place, each in enumerate(each for column in key.columns for each in column.segments):
        yield f"        {expression_source(each.value.make, {CUT: f'cut[{place}]'})},"
    yield "    )"


def _ranges(key: PrimaryKeyCode, read: ColumnRead, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    given = [signature(read.parameters, names), "from_us: int, to_us: int" if read.time else ""]
    yield f"def {read.name}_ranges({', '.join(filter(None, given))}) -> list[tuple[PrimaryKey, PrimaryKey]]:"
    yield '    """Return the bounds of this read: of each range the one included and the one left out."""'
    yield f"    {comment(key.title)}"
    yield f"    {comment(read.about)}"
    if read.time:
        yield "    # from_us, to_us: the span of time, both included, in microseconds since 1970 (UTC)"
    if not read.rest:
        yield "    # Both bounds are the same whole key: get the row with GetRow."
    elif read.is_backward:
        yield "    # Read backwards: the direction of GetRange is BACKWARD."
    yield "    ranges = []"
    indent = "    "
    for parameter, modulo in read.listed_salts:
        yield f"{indent}for {names[parameter]} in range({modulo}):"
        indent += "    "
    yield f"{indent}known = ["
    for column in read.known:
        yield from _column_lines(column, names, f"{indent}    ")
    yield f"{indent}]"
    low, high = _inner_bounds(read, names)
    yield f"{indent}ranges.append(_range(known, {list(read.rest)!a}, {low}, {high}, {read.is_backward}))"
    yield "    return ranges"


def _inner_bounds(read: ColumnRead, names: Mapping[KeyParameter, str]) -> tuple[str, str]:
    """Return the source of the lowest and the highest beginning of the column behind those that are known."""
    if read.begun is None:
        return "None", "None"
    begun = "".join(f"{line.strip()} " for line in piece_lines(read.begun.segments, names))
    times = ["", ""]
    if read.time is not None:
        (time,) = read.time.parameters
        ends = (expression_source(read.time.make, {time: name}) for name in ("from_us", "to_us"))
        after = f"{read.time.after!r}, " if read.time.after and read.begun.type != "INTEGER" else ""
        times = [f"{end}, {after}" for end in ends]
    function = COLUMN_FUNCTIONS[read.begun.type]
    low, high = (f'{function}(b"".join(({begun}{end})))' for end in times)
    return low, high


def _attributes(read: ColumnRead) -> Iterator[str]:
    yield f"def {read.name}_columns() -> list[str]:"
    yield '    """Return the attribute columns of this read, as columns_to_get; none: all."""'
    yield f"    return {list(read.attributes or ())!a}"


def _vector_lines(key: PrimaryKeyCode) -> Iterator[str]:
    for arguments, values in key.vectors:
        made = ", ".join(f"({c.name!a}, {value!a})" for c, value in zip(key.columns, values, strict=True))
        yield f"    (make_{key.name}, {argument_source(arguments)}, [{made}]),"
