"""TypeScript source of the functions for keys: a module without a dependency, whose types can be stripped."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from designer.document import Spec

from ..shared.comments import one_line
from ..shared.result import ExportRemarks
from .codes import KeyCode, ReadCode, SegmentCode
from .expressions import Call, Expression, KeyParameter
from .filters import FilterHole
from .known import LIMIT, RowLimit
from .plan import describe_parameter
from .typescript_runtime import runtime_parts
from .values import CUT
from .vectors import Argument
from .writing import CUTS, PARTS, called_functions, camel_name, keep_plain_letters, parameter_names, pascal_name

TYPES = {"text": "string", "bytes": "Uint8Array", "integer": "bigint | number", "boolean": "boolean",
         "time": "bigint | number", "salt": "bigint | number"}  # fmt: skip
PART_TYPES = {**TYPES, "integer": "bigint", "time": "bigint"}
RESERVED = (
    "key", "cut", "first", "ranges", "from_us", "to_us", "now_us", "start", "salt_1", "salt_2", "salt_3",
    "arguments", "async", "await",
    "bigint", "boolean", "break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do",
    "else", "enum", "eval", "export", "extends", "false", "finally", "for", "function", "if", "implements", "import",
    "in", "instanceof", "interface", "let", "new", "null", "number", "package", "private", "protected", "public",
    "return", "static", "string", "super", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var",
    "void", "while", "with", "yield",
)  # fmt: skip
"""Words of the language, and names that the functions use themselves."""
SAFE = 2**53 - 1
TYPE = """/** First key, and the key behind the last; an empty one is the end of the table. */
export type RowRange = [Uint8Array, Uint8Array];"""
TEST = """/** Makes the key of every test vector, and returns how many there are; an Error if one differs. */
export function verify(): number {
  let [previous, before] = ["", _latin1("")];
  for (const [name, make, parse, text] of VECTORS) {
    const [made, key] = [make(), _latin1(text)];
    if (_compare(made, key) !== 0) throw new Error(`${name}: ${_chars(made)} is not ${text}`);
    if (name === previous && _compare(before, made) > 0) throw new Error(`${name}: ${text} is out of order`);
    [previous, before] = [name, made];
    parse(key);
  }
  for (const [name, find, ends] of RANGES) {
    const found = find().flat().map(_chars);
    if (found.length !== ends.length || found.some((end, at) => end !== ends[at])) {
      throw new Error(`${name}: ${JSON.stringify(found)} is not ${JSON.stringify(ends)}`);
    }
  }
  for (const [name, make, field] of REFUSALS) {
    let made: Uint8Array | null = null;
    try {
      made = make();
    } catch (error) {
      if (error instanceof RangeError && error.message.startsWith(`${field}: `)) continue;
      throw error;
    }
    throw new Error(`${name}: a value of ${field} is not refused: ${_chars(made)}`);
  }
  return VECTORS.length;
}
"""


def write_module(spec: Spec, keys: Sequence[KeyCode], origin: str, file: str) -> str:
    """Return the module of these keys."""
    functions = [function for key in keys for function in _functions(spec, key)]
    vectors = ["const VECTORS: [string, () => Uint8Array, (key: Uint8Array) => unknown, string][] = ["]
    vectors += [line for key in keys for line in _vector_lines(key)]
    vectors += ["];", "", "const RANGES: [string, () => RowRange[], string[]][] = ["]
    vectors += [line for key in keys for line in _range_lines(key)]
    vectors += ["];", "", "const REFUSALS: [string, () => Uint8Array, string][] = ["]
    vectors += [line for key in keys for line in _refusal_lines(key)]
    names = {
        "_latin1",
        "_chars",
        "_join",
        "_compare",
        *(runtime_name(name) for name in _runtime_calls(keys) if name != "integer_of"),
    }
    head = f"// {one_line(origin)}\n// Row keys, byte for byte as designed. Run this to verify them:\n"
    run = f"""// node --eval 'import("./{file}").then((keys) => console.log(keys.verify()))'"""
    parts = [head + run, TYPE, *runtime_parts(sorted(names)), *functions, "\n".join([*vectors, "];"]), TEST]
    return "\n\n".join(parts)


def keep_exact(keys: Sequence[KeyCode], remarks: ExportRemarks) -> Iterator[KeyCode]:
    """Return the keys that TypeScript makes exactly, and refuse the others."""
    return keep_plain_letters(keys, remarks, "TypeScript")


def _runtime_calls(keys: Sequence[KeyCode]) -> Iterator[str]:
    for key in keys:
        yield from called_functions(key)
        if key.regex is not None:
            yield "cut"


def runtime_name(function: str) -> str:
    """Return what a function of the runtime is called."""
    return f"_{camel_name(function)}"


def _functions(spec: Spec, key: KeyCode) -> Iterator[str]:
    names = {
        parameter: camel_name(name) for parameter, name in parameter_names(spec, key.all_parameters, *RESERVED).items()
    }
    yield "\n".join(_make(spec, key, names))
    if key.regex is not None:
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
    yield "/** Returns the row key of these values; a RangeError with the field that does not fit. */"
    yield f"export function make{pascal_name(key.name)}({signature(key.parameters, names)}): Uint8Array {{"
    yield f"  // {one_line(key.title)}"
    yield f"  // {one_line(key.pattern)}"
    for parameter in key.parameters:
        yield f"  // {one_line(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield f"  return {join_source(key.segments, names, '  ')};"
    yield "}"


def join_source(segments: Iterable[SegmentCode], names: Mapping[KeyParameter, str], indent: str) -> str:
    pieces = []
    for segment in segments:
        pieces.append(source(segment.make, names))
        if segment.after:
            pieces.append(_bytes(segment.after))
    lines = "".join(f"\n{indent}  {piece}," for piece in pieces)
    return f"_join({lines}\n{indent})" if pieces else "_join()"


def source(expression: Expression, names: Mapping[KeyParameter, str]) -> str:
    """Return an expression as TypeScript has it."""
    match expression:
        case Call(function="of", arguments=(str() as name, inner)):
            return f"_of({json.dumps(name)}, () => {source(inner, names)})"
        case Call(function="integer_of"):
            return source(expression.arguments[0], names)
        case Call():
            inside = ", ".join(source(argument, names) for argument in expression.arguments)
            return f"{runtime_name(expression.function)}({inside})"
        case KeyParameter():
            return names[expression]
    return literal(expression)


def literal(value: Argument | None) -> str:
    """Return a value as TypeScript has it."""
    if isinstance(value, bytes):
        return _bytes(value)
    # Beyond 2^53, a number literal of JavaScript is rounded; a bigint is not.
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > SAFE:
        return f"{value}n"
    return json.dumps(value)


def _bytes(value: bytes) -> str:
    return f"_latin1({byte_text(value)})"


def byte_text(value: bytes) -> str:
    """Return a text with a character for each byte."""
    # A byte is a character of Latin-1 in the text; \\x says at a glance that it is one.
    return re.sub(r"\\u00([0-9a-f]{2})", r"\\x\1", json.dumps(value.decode("latin-1"))).replace("\x7f", "\\x7f")


def part_lines(name: str, segments: Iterable[SegmentCode]) -> Iterator[str]:
    """Yield the type of what a key tells."""
    yield f"/** {PARTS} */"
    yield f"export interface {name}Parts {{"
    yield from (f"  {camel_name(segment.part_name)}: {PART_TYPES[segment.value.type]};" for segment in segments)
    yield "}"
    yield ""


def _parse(key: KeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    yield from part_lines(name, key.segments)
    yield "/** Returns the values in a key; throws RangeError for keys of another form. */"
    yield f"export function parse{name}(key: Uint8Array): {name}Parts {{"
    yield f"  // {CUTS}"
    yield f'  const cut = _cut(key, new RegExp({byte_text(translate_regex(key.regex or "").encode("latin-1"))}, "s"));'
    yield "  return {"
    for place, segment in enumerate(key.segments):
        names = {CUT: f'cut("s{place}")'}
        yield f"    {camel_name(segment.part_name)}: {source(segment.value.make, names)},"
    yield "  };"
    yield "}"


def translate_regex(regex: str) -> str:
    """Return Python's expression in JavaScript's words: named groups, and atomic groups as what lies ahead."""
    text, open_groups, groups, atoms, in_class = "", [], 0, 0, False
    for token in re.findall(r"\\.|\(\?>|\(\?[:!=]|.", regex, re.DOTALL):
        closing = ""
        if in_class or token == "[":
            in_class = token != "]"
        elif token == "(?>":
            # JavaScript has no atomic groups, but a lookahead never gives back what it matched, and a back reference
            # takes it.
            token, closing, atoms = f"(?=(?<a{atoms}>", f"))\\k<a{atoms}>", atoms + 1
        elif token == "(":
            token, groups = f"(?<s{groups}>", groups + 1
        if token.startswith("(") and not in_class:
            open_groups.append(closing or ")")
        text += open_groups.pop() if token == ")" and not in_class else token
    return f"^(?:{text})$"


def _ranges(key: KeyCode, read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    names = {parameter: camel_name(name) for parameter, name in names.items()}
    span = "fromUs: bigint | number, toUs: bigint | number" if read.time else ""
    parameters = ", ".join(filter(None, [signature(read.parameters, names), span]))
    yield f"/** Returns the {read.returns}, in their order. */"
    yield f"export function {camel_name(read.name)}Ranges({parameters}): RowRange[] {{"
    yield f"  // {one_line(key.title)}"
    yield f"  // {one_line(read.about)}"
    if read.time:
        yield "  // fromUs, toUs: the span of time, both included, in microseconds since 1970 (UTC)"
    if read.rest:
        yield f"  // {read.rest}"
    yield "  const ranges: RowRange[] = [];"
    indent = "  "
    for parameter, modulo in read.listed_salts:
        name = names[parameter]
        yield f"{indent}for (let {name} = 0; {name} < {modulo}; {name}++) {{"
        indent += "  "
    yield f"{indent}const first = {join_source(read.pieces, names, indent)};"
    yield f"{indent}ranges.push({_range_source(read, names)});"
    for _ in read.listed_salts:
        indent = indent[2:]
        yield f"{indent}}}"
    yield "  return ranges.sort((one, other) => _compare(one[0], other[0]));"
    yield "}"


def _range_source(read: ReadCode, names: Mapping[KeyParameter, str]) -> str:
    if read.time:
        (time,) = read.time.parameters
        ends = (source(read.time.make, {time: name}) for name in ("fromUs", "toUs"))
        return f"_timeRange(first, {', '.join(ends)}, {_bytes(read.time.after)})"
    if read.values:
        low, high = (
            source(read.values.make, {read.values.parameter: names[bound]}) if bound else none
            for bound, none in ((read.values.low, _bytes(b"")), (read.values.high, "null"))
        )
        order = read.values.order
        return f"_valueRange(first, {low}, {high}, {_bytes(order.stop)}, {str(order.is_fixed).lower()})"
    return '[first, _join(first, _latin1("\\x00"))]' if read.is_point else "[first, _prefixEnd(first)]"


def _filter(read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    is_dated = read.filter.age_us is not None
    names = {parameter: camel_name(name) for parameter, name in names.items()}
    span = "fromUs: bigint | number, toUs: bigint | number" if read.has_filter_span else ""
    now = "nowUs: bigint | number" if is_dated else ""
    parameters = ", ".join(filter(None, [signature(read.filter_parameters, names), span, now]))
    yield "/** Returns the filter of this read: a google.bigtable.v2.RowFilter as JSON. */"
    yield f"export function {camel_name(read.name)}Filter({parameters}): string {{"
    if read.filter.about:
        yield f"  // {one_line(read.filter.about)}"
    if read.has_filter_span:
        yield "  // fromUs, toUs: the span of time, both included, in microseconds since 1970 (UTC)"
    if is_dated:
        yield "  // nowUs: the present time, in microseconds since 1970 (UTC)"
        yield f"  const start = _milliseconds(_whole(nowUs) - {read.filter.age_us}n);"
    if read.columns:
        yield "  const _columns = ["
        for column in read.columns:
            arguments = [
                *(names[parameter] for parameter in column.parameters),
                *(["fromUs", "toUs"] if column.time else []),
            ]
            yield f"    ...{camel_name(column.name)}Ranges({', '.join(arguments)}),"
        yield "  ];"
    parts = (_hole(part) if isinstance(part, FilterHole) else json.dumps(part) for part in read.filter.parts)
    yield f"  return {' + '.join(parts)};"
    yield "}"


def limit_source(name: str, limit: RowLimit) -> str:
    """Return the function of a limit of rows."""
    notes = "".join(f"  // {note}\n" for note in limit.notes())
    head = f"/** Returns {LIMIT}. */\nexport function {camel_name(name)}Limit(): number {{\n"
    return f"{head}{notes}  return {limit.rows};\n}}"


def _hole(hole: FilterHole) -> str:
    return (
        "String(start)" if hole.of == "start" else f"_paddedBase64(_columns[{hole.column}]![{int(hole.of == 'end')}])"
    )


def _range_lines(key: KeyCode) -> Iterator[str]:
    for read in key.all_reads:
        for arguments, ranges in read.vectors:
            call = f"{camel_name(read.name)}Ranges({', '.join(map(literal, arguments))})"
            ends = ", ".join(byte_text(end) for key_range in ranges for end in (key_range.first, key_range.end))
            yield f'  ["{read.name}", () => {call}, [{ends}]],'


def _refusal_lines(key: KeyCode) -> Iterator[str]:
    for arguments, message in key.refusals:
        call = f"make{pascal_name(key.name)}({', '.join(map(literal, arguments))})"
        yield f'  ["{key.name}", () => {call}, {json.dumps(message)}],'


def _vector_lines(key: KeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    parse = "() => null" if key.regex is None else f"parse{name}"
    for arguments, key_bytes in key.vectors:
        inputs = ", ".join(map(literal, arguments))
        yield f'  ["{key.name}", () => make{name}({inputs}), {parse}, {byte_text(key_bytes)}],'
