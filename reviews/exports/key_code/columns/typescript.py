"""TypeScript source of the functions for Tablestore's primary keys: a module without a dependency."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from designer.document import Spec

from ...shared.comments import one_line
from ...shared.result import ExportRemarks
from ..expressions import KeyParameter
from ..plan import describe_parameter
from ..typescript import (
    RESERVED,
    TEST,
    byte_text,
    limit_source,
    literal,
    part_lines,
    runtime_name,
    signature,
    source,
    translate_regex,
)
from ..typescript_runtime import runtime_parts
from ..values import CUT
from ..writing import CUTS, camel_name, expression_calls, keep_plain_letters, parameter_names, pascal_name
from .codes import SPAN_FROM, SPAN_TO, ColumnBound, ColumnCode, ColumnLimit, ColumnRead, PrimaryKeyCode

TYPES = """/** Below and above all values of a column: give the SDK its own INF_MIN and INF_MAX. */
export const INF_MIN: unique symbol = Symbol("INF_MIN");
export const INF_MAX: unique symbol = Symbol("INF_MAX");

/** Of columns of the types STRING, INTEGER and BINARY. */
export type ColumnValue = string | bigint | Uint8Array | typeof INF_MIN | typeof INF_MAX;
export type PrimaryKey = [string, ColumnValue][];

/** The bound of a range that is included, and the one that is left out. */
export type KeyBounds = [PrimaryKey, PrimaryKey];

type RowRange = [Uint8Array, Uint8Array];"""
RUNTIME = r"""
function _integerColumn(text: Uint8Array): bigint {
  const number = _number(text);
  if (BigInt.asIntN(64, number) !== number) throw new RangeError(`${number} does not fit into an INTEGER column`);
  return number;
}

function _escaped(bytes: Uint8Array): Uint8Array {
  return _latin1(_chars(bytes).replaceAll("\0", "\0\xff") + "\0\x01");
}

function _encodedValue(value: ColumnValue): Uint8Array {
  if (typeof value === "symbol") return _latin1(value === INF_MIN ? "\0" : "\x02");
  const bytes = typeof value === "bigint" ? _bigEndian(value + (1n << 63n), 8)
    : _escaped(typeof value === "string" ? _text(value) : value);
  return _join(_latin1("\x01"), bytes);
}

function _encoded(key: PrimaryKey): Uint8Array {
  // Bytes that sort as the service sorts keys.
  return _join(...key.flatMap(([name, value]) => [_escaped(_text(name)), _encodedValue(value)]));
}

function _encodedRanges(ranges: KeyBounds[]): RowRange[] {
  return ranges.map(([first, end]) => [_encoded(first), _encoded(end)]);
}

function _cutColumns(key: PrimaryKey, patterns: [string, RegExp][]): Uint8Array[] {
  if (key.length !== patterns.length || key.some(([name], at) => name !== patterns[at]![0])) {
    throw new RangeError("the key has other columns");
  }
  return key.flatMap(([name, value], at) => {
    if (typeof value === "symbol") throw new RangeError(`${name} has no value`);
    const text = typeof value === "string" ? _text(value) : typeof value === "bigint" ? _decimal(value) : value;
    const groups = patterns[at]![1].exec(_chars(text))?.groups;
    if (groups === undefined) throw new RangeError(`${JSON.stringify(_chars(text))} has another form`);
    return Object.keys(groups).filter((group) => group.startsWith("s")).map((group) => _latin1(groups[group] ?? ""));
  });
}

function _widest(begun: Uint8Array, text: Uint8Array, stop: Uint8Array): Uint8Array {
  // A shorter text sorts by the delimiter behind it: what the range ends with is behind all of them.
  let widest = _join(begun, stop);
  for (let size = 1; size <= text.length; size++) {
    const end = _join(begun, text.slice(0, size), stop);
    if (_compare(_join(end, _latin1("\xff")), _join(widest, _latin1("\xff"))) > 0) widest = end;
  }
  return widest;
}

function _above(value: ColumnValue, isWhole: boolean): ColumnValue {
  // The first value of a column behind this number, or behind all texts that begin so.
  if (typeof value === "symbol") return value;
  if (typeof value === "bigint") return value === (1n << 63n) - 1n ? INF_MAX : value + 1n;
  if (typeof value === "string") {
    if (isWhole) return value + "\0";
    const whole = Array.from(value);
    while (whole.at(-1) === "\u{10ffff}") whole.pop();
    const last = whole.pop();
    if (last === undefined) return INF_MAX;
    const code = last.codePointAt(0)! + 1;
    return whole.join("") + String.fromCodePoint(code === 0xd800 ? 0xe000 : code);
  }
  if (isWhole) return _join(value, _latin1("\0"));
  const end = _prefixEnd(value);
  return end.length > 0 ? end : INF_MAX;
}

function _range(known: PrimaryKey, names: string[], low: ColumnValue | null, high: ColumnValue | null,
                isWhole: boolean, isEven: boolean, isBackward: boolean): KeyBounds {
  // The bound that is included, and the one that is left out, as getRange takes them; without names, one row.
  if (names.length === 0) return [known, known];
  if (low !== null && high !== null) {
    const [lowest, highest] = [_encodedValue(low), _encodedValue(high)];
    if (isEven && lowest.length !== highest.length) {
      throw new RangeError("the times have different numbers of digits, so their keys are not one range");
    }
    if (_compare(lowest, highest) > 0) throw new RangeError("the range ends before it begins");
  }
  let [first, end]: [ColumnValue, ColumnValue] = [low ?? INF_MIN, high ?? INF_MAX];
  if (isBackward) {
    [first, end] = [end, typeof first === "bigint" && first > -(1n << 63n) ? first - 1n : INF_MIN];
  } else {
    end = _above(end, isWhole);
  }
  const bound = (value: ColumnValue): PrimaryKey => {
    const rest = typeof value === "symbol" ? value : isBackward ? INF_MAX : INF_MIN;
    return [...known, ...names.map((name, at): [string, ColumnValue] => [name, at > 0 ? rest : value])];
  };
  return [bound(first), bound(end)];
}
"""
OWN_FUNCTIONS = (
    "_latin1", "_chars", "_join", "_compare", "_encoded", "_encodedRanges", "_cutColumns", "_range", "_textOf",
)  # fmt: skip
OWN_NAMES = ("known",)


def write_module(spec: Spec, keys: Sequence[PrimaryKeyCode], origin: str, file: str) -> str:
    """Return the module of these keys."""
    functions = [function for key in keys for function in _functions(spec, key)]
    tests = ["const VECTORS: [string, () => Uint8Array, (key: Uint8Array) => unknown, string][] = ["]
    tests += [line for key in keys for line in _vector_lines(key)]
    tests += ["];", "", "const RANGES: [string, () => RowRange[], string[]][] = ["]
    tests += [line for key in keys for line in _range_lines(key)]
    tests += ["];", "", "const REFUSALS: [string, () => Uint8Array, string][] = ["]
    tests += [line for key in keys for line in _refusal_lines(key)]
    called = {name for key in keys for expression in key.expressions for name in expression_calls(expression)}
    names = {*OWN_FUNCTIONS, *(runtime_name(name) for name in called - {"integer_of"})}
    head = f"// {one_line(origin)}\n// Primary keys, value by value as designed. Run this to verify them:\n"
    run = f"""// node --eval 'import("./{file}").then((keys) => console.log(keys.verify()))'"""
    parts = [head + run, TYPES, *runtime_parts(sorted(names), RUNTIME), *functions, "\n".join([*tests, "];"]), TEST]
    return "\n\n".join(parts)


def keep_exact(keys: Sequence[PrimaryKeyCode], remarks: ExportRemarks) -> Iterator[PrimaryKeyCode]:
    """Return the keys that TypeScript makes exactly, and refuse the others."""
    return keep_plain_letters(keys, remarks, "TypeScript")


def _functions(spec: Spec, key: PrimaryKeyCode) -> Iterator[str]:
    names = parameter_names(spec, key.all_parameters, *RESERVED, *OWN_NAMES)
    names = {parameter: camel_name(name) for parameter, name in names.items()}
    yield "\n".join(_make(spec, key, names))
    if key.is_parsed:
        yield "\n".join(_parse(key))
    for read in key.reads:
        salts = {salt: f"salt{n}" for n, (salt, _) in enumerate(read.listed_salts, 1)}
        yield "\n".join(_ranges(key, read, {**names, **salts}))
        attributes = ", ".join(map(json.dumps, read.attributes or ()))
        yield (
            f"/** Returns the attribute columns of this read, as columnsToGet; none: all. */\n"
            f"export function {camel_name(read.name)}Columns(): string[] {{\n  return [{attributes}];\n}}"
        )
        if read.limit:
            yield limit_source(read.name, read.limit)


def _make(spec: Spec, key: PrimaryKeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    yield "/** Returns the primary key of these values; a RangeError with the field that does not fit. */"
    yield f"export function make{pascal_name(key.name)}({signature(key.parameters, names)}): PrimaryKey {{"
    yield f"  // {one_line(key.title)}"
    yield f"  // {one_line(key.pattern)}"
    for parameter in key.parameters:
        yield f"  // {one_line(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield "  return ["
    yield from _column_lines(key.columns, names, "    ")
    yield "  ];"
    yield "}"


def _column_lines(columns: Iterable[ColumnCode], names: Mapping[KeyParameter, str], indent: str) -> Iterator[str]:
    yield from (f"{indent}[{json.dumps(column.name)}, {source(column.make, names)}]," for column in columns)


def _parse(key: PrimaryKeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    yield from part_lines(name, key.segments)
    yield "/** Returns the values in a key; throws RangeError for keys of another form. */"
    yield f"export function parse{name}(key: PrimaryKey): {name}Parts {{"
    yield f"  // {CUTS}"
    yield "  const cut = _cutColumns(key, ["
    for column in key.columns:
        regex = byte_text(translate_regex(column.regex).encode("latin-1"))
        yield f'    [{json.dumps(column.name)}, new RegExp({regex}, "s")],'
    yield "  ]);"
    yield "  return {"
    for place, segment in enumerate(key.segments):
        yield f"    {camel_name(segment.part_name)}: {source(segment.value.make, {CUT: f'cut[{place}]!'})},"
    yield "  };"
    yield "}"


def _ranges(key: PrimaryKeyCode, read: ColumnRead, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    span = "fromUs: bigint | number, toUs: bigint | number" if read.has_span else ""
    parameters = ", ".join(filter(None, [signature(read.parameters, names), span]))
    yield "/** Returns the bounds of this read: of each range the one included and the one left out. */"
    yield f"export function {camel_name(read.name)}Ranges({parameters}): KeyBounds[] {{"
    yield f"  // {one_line(key.title)}"
    yield f"  // {one_line(read.about)}"
    yield from (f"  // {note}" for note in read.notes("fromUs", "toUs"))
    yield "  const ranges: KeyBounds[] = [];"
    indent = "  "
    for parameter, modulo in read.listed_salts:
        name = names[parameter]
        yield f"{indent}for (let {name} = 0; {name} < {modulo}; {name}++) {{"
        indent += "  "
    yield f"{indent}const known: PrimaryKey = ["
    yield from _column_lines(read.known, names, f"{indent}  ")
    yield f"{indent}];"
    low, high = (source(end, {**names, SPAN_FROM: "fromUs", SPAN_TO: "toUs"}) for end in read.ends)
    flags = ", ".join(str(flag).lower() for flag in (read.is_whole, read.is_even, read.is_backward))
    yield f"{indent}ranges.push(_range(known, {json.dumps(read.rest)}, {low}, {high}, {flags}));"
    for _ in read.listed_salts:
        indent = indent[2:]
        yield f"{indent}}}"
    yield "  return ranges;"
    yield "}"


def _key(key: PrimaryKeyCode, bound: ColumnBound) -> str:
    """Return a key or a bound as it is written."""
    texts = (part.value if isinstance(part, ColumnLimit) else f"{part}n" if isinstance(part, int) else literal(part)
             for part in bound)  # fmt: skip
    return f"[{', '.join(f'[{json.dumps(c.name)}, {text}]' for c, text in zip(key.columns, texts, strict=True))}]"


def _vector_lines(key: PrimaryKeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    for arguments, values in key.vectors:
        call = f"make{name}({', '.join(map(literal, arguments))})"
        parse = f"() => parse{name}({call})" if key.is_parsed else "() => null"
        yield f'  ["{key.name}", () => _encoded({call}), {parse}, _chars(_encoded({_key(key, values)}))],'


def _range_lines(key: PrimaryKeyCode) -> Iterator[str]:
    for read in key.reads:
        for arguments, ranges in read.vectors:
            call = f"{camel_name(read.name)}Ranges({', '.join(map(literal, arguments))})"
            ends = ", ".join(f"_chars(_encoded({_key(key, end)}))" for key_range in ranges for end in key_range)
            yield f'  ["{read.name}", () => _encodedRanges({call}), [{ends}]],'


def _refusal_lines(key: PrimaryKeyCode) -> Iterator[str]:
    for arguments, message in key.refusals:
        call = f"make{pascal_name(key.name)}({', '.join(map(literal, arguments))})"
        yield f'  ["{key.name}", () => _encoded({call}), {json.dumps(message)}],'
