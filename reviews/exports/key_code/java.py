"""Java source of the functions for keys: one class that needs nothing but the standard library."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from designer.document import Spec
from designer.document.texts import N_

from ..shared.comments import one_line
from ..shared.result import ExportRemarks
from .codes import KeyCode, ReadCode, SegmentCode
from .expressions import Call, Expression, KeyParameter
from .filters import FilterHole
from .java_checks import JavaCheck, KeyChecks, verify_methods
from .java_runtime import runtime_parts
from .known import LIMIT, RowLimit
from .plan import NameBook, describe_parameter
from .values import CUT
from .vectors import Argument
from .writing import CUTS, PARTS, called_functions, camel_name, keep_plain_letters, parameter_names, pascal_name

TYPES = {"text": "String", "bytes": "byte[]", "integer": "long", "boolean": "boolean", "time": "long", "salt": "long"}
PACKAGES = {
    "java.io": ("ByteArrayOutputStream",),
    "java.math": ("BigInteger",),
    "java.nio": ("ByteBuffer", "CharBuffer"),
    "java.nio.charset": ("CharacterCodingException", "StandardCharsets"),
    "java.security": ("MessageDigest", "NoSuchAlgorithmException"),
    "java.time": ("LocalDate", "LocalDateTime", "ZoneOffset"),
    "java.time.temporal": ("IsoFields",),
    "java.util": ("ArrayList", "Arrays", "Base64", "Collections", "HashMap", "List", "Locale", "Map"),
    "java.util.function": ("Supplier",),
    "java.util.regex": ("Matcher", "Pattern"),
    "java.util.stream": ("Stream",),
    "java.util.zip": ("CRC32",),
}
RESERVED = (
    "key", "cut", "first", "ranges", "from_us", "to_us", "now_us", "start", "salt1", "salt2", "salt3",
    "abstract", "assert", "boolean",
    "break", "byte", "case", "catch", "char", "class", "clone", "const", "continue", "default", "do", "double", "else",
    "enum", "extends", "false", "final", "finalize", "finally", "float", "for", "get_class", "goto", "hash_code", "if",
    "implements", "import", "instanceof", "int", "interface", "long", "native", "new", "notify", "notify_all", "null",
    "package", "private", "protected", "public", "return", "short", "static", "strictfp", "super", "switch",
    "synchronized", "this", "throw", "throws", "to_string", "transient", "true", "try", "void", "volatile", "wait",
    "while",
)  # fmt: skip
"""Words of the language, names that no component of a record may have, and those that the functions use themselves."""
BIG = {"bucket": 1, "offset": 1, "descending": 1, "subtract": 1, "time_text": 3}
"""Which argument is a number of any size."""
TOO_LONG = N_("Java code cannot parse these keys: their texts may be too long")
TYPE = """  /** First key, and the key behind the last; an empty one is the end of the table. */
  public record RowRange(byte[] first, byte[] end) {}"""
MAIN = """  public static void main(String[] arguments) {
    System.out.println(verify() + " keys are as designed");
  }
}
"""


def class_name(stem: str) -> str:
    """Return the name of the class of a design, which is that of its file."""
    return f"{pascal_name(NameBook().name(stem, 'design'))}Keys"


def write_module(spec: Spec, keys: Sequence[KeyCode], origin: str, file: str) -> str:
    """Return the file of these keys."""
    functions = [function for key in keys for function in _functions(spec, key)]
    names = {"latin1", "check", "join", *(runtime_name(name) for key in keys for name in called_functions(key))}
    names |= {"cut" for key in keys if key.regex is not None} | {"sorted" for key in keys if key.reads}
    name = file.removesuffix(".java")
    tests = verify_methods([KeyChecks(key.name, _checks(key), len(key.vectors)) for key in keys])
    body = "\n\n".join([f"public final class {name} {{\n  private {name}() {{}}", TYPE, *functions, *tests, MAIN[:-3]])
    names |= {"checkRanges"} if "checkRanges(" in body else set()
    names |= {"checkRefusal"} if any(key.refusals for key in keys) else set()
    names |= {"whole"} if "whole(" in body else set()
    body = "\n\n".join([body, *runtime_parts(sorted(names))]) + "\n}\n"
    imports = "\n".join(import_lines(body))
    about = f"/** Row keys, byte for byte as designed. To verify them: {{@code java {file}}} */"
    return f"// {comment_line(origin)}\n\n{imports}\n\n{about}\n{body}"


def keep_exact(keys: Sequence[KeyCode], remarks: ExportRemarks) -> Iterator[KeyCode]:
    """Yield the keys that Java makes exactly, and refuse the others."""
    for key in keep_plain_letters(keys, remarks, "Java"):
        regex = translate_regex(key.regex) if key.regex else None
        if key.regex and regex is None:
            remarks.note(key.id, TOO_LONG)
        yield replace(key, regex=regex)


_PERCENT = "(?:[A-Za-z0-9._~-]|%[0-9A-F]{2})*"
_PERCENT_OF_CHARACTERS = "(?:(?!%(?![0-9A-F]{2}))[A-Za-z0-9._~%-])*(?<!%)(?<!%[0-9A-F])"


def translate_regex(regex: str) -> str | None:
    """Return Python's expression in Java's words; None if long keys would exhaust the stack.

    Java's expressions call themselves for each repetition of a group whose length differs. Percent-encoded text is
    therefore matched by the character and must not end within an escape, nor begin behind a percent sign.
    """
    rest = regex.replace(_PERCENT, "")
    if rest == regex:
        return regex
    is_behind_value = f")({_PERCENT}" in regex
    return None if is_behind_value or "%" in rest else regex.replace(_PERCENT, _PERCENT_OF_CHARACTERS)


def import_lines(body: str) -> Iterator[str]:
    """Yield the imports that a class needs."""
    for package, names in PACKAGES.items():
        yield from (f"import {package}.{name};" for name in names if re.search(rf"\b{name}\b", body))


def comment_line(text: str) -> str:
    """Return a comment's text: a backslash before a "u" would be an escape there, too, unless it is doubled."""
    return re.sub(r"(\\+)(?=u)", r"\1\1", one_line(text))


def runtime_name(function: str) -> str:
    """Return what a function of the runtime is called."""
    return camel_name(function.replace("boolean", "truth"))


def _functions(spec: Spec, key: KeyCode) -> Iterator[str]:
    names = {
        parameter: camel_name(name) for parameter, name in parameter_names(spec, key.all_parameters, *RESERVED).items()
    }
    yield "\n".join(_make(spec, key, names))
    if key.regex is not None:
        yield "\n".join(_parse(key, key.regex))
    for read in key.reads:
        salts = [salt for salt, _ in read.listed_salts if salt not in names]
        yield "\n".join(_ranges(key, read, {**names, **{salt: f"salt{n}" for n, salt in enumerate(salts, 1)}}))
        for columns in read.columns:
            yield "\n".join(_ranges(key, columns, names))
        yield "\n".join(_filter(read, names))
        if read.limit:
            yield limit_source(read.name, read.limit)


def signature(parameters: Iterable[KeyParameter], names: Mapping[KeyParameter, str]) -> str:
    """Return typed parameters."""
    return ", ".join(f"{TYPES[parameter.type]} {names[parameter]}" for parameter in parameters)


def _make(spec: Spec, key: KeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    yield "  /** Returns the row key of these values; an IllegalArgumentException with the field that does not fit. */"
    yield f"  public static byte[] make{pascal_name(key.name)}({signature(key.parameters, names)}) {{"
    yield f"    // {comment_line(key.title)}"
    yield f"    // {comment_line(key.pattern)}"
    for parameter in key.parameters:
        yield f"    // {comment_line(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield f"    return {join_source(key.segments, names, '    ')};"
    yield "  }"


def join_source(segments: Iterable[SegmentCode], names: Mapping[KeyParameter, str], indent: str) -> str:
    pieces = []
    for segment in segments:
        pieces.append(source(segment.make, names))
        if segment.after:
            pieces.append(literal(segment.after))
    lines = ",".join(f"\n{indent}    {piece}" for piece in pieces)
    return f"join({lines})"


def source(expression: Expression, names: Mapping[KeyParameter, str]) -> str:
    """Return an expression as Java has it."""
    match expression:
        case Call(function="of", arguments=(str() as name, inner)):
            return f"of({text_literal(name)}, () -> {source(inner, names)})"
        case Call():
            big = BIG.get(expression.function)
            inside = (
                f"whole({literal(argument)})" if place == big and isinstance(argument, int) else source(argument, names)
                for place, argument in enumerate(expression.arguments)
            )
            texts = ["-1" if text == "null" and expression.function == "part" else text for text in inside]
            return f"{runtime_name(expression.function)}({', '.join(texts)})"
        case KeyParameter():
            return names[expression]
    return str(expression) if isinstance(expression, int) else literal(expression)


def literal(value: Argument | None) -> str:
    """Return a value as Java has it."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int():
            return f"{value - 2**64 if value >= 2**63 else value}L"
        case bytes():
            return f"latin1({text_literal(value.decode('latin-1'))})"
    return text_literal(value)


def text_literal(text: str) -> str:
    """Return a string of Java in ASCII: bytes as octal numbers, all else as halves of characters."""
    units = text.encode("utf-16-be", "surrogatepass")
    codes = (int.from_bytes(units[at : at + 2], "big") for at in range(0, len(units), 2))
    return '"' + "".join(map(_character, codes)) + '"'


def _character(code: int) -> str:
    # No \\u for bytes: it is read before strings are, so a line end or a quote would be one.
    if 32 <= code < 127:
        return f"\\{chr(code)}" if chr(code) in '"\\' else chr(code)
    return f"\\{code:03o}" if code < 256 else f"\\u{code:04x}"


def part_lines(name: str, segments: Iterable[SegmentCode]) -> Iterator[str]:
    """Yield the type of what a key tells."""
    book = NameBook(*RESERVED)
    parts = ", ".join(
        f"{TYPES[segment.value.type]} {camel_name(book.name(segment.part_name, 'segment'))}" for segment in segments
    )
    yield f"  /** {PARTS} */"
    yield f"  public record {name}Parts({parts}) {{}}"
    yield ""


def _parse(key: KeyCode, regex: str) -> Iterator[str]:
    name = pascal_name(key.name)
    yield from part_lines(name, key.segments)
    yield f"  private static final Pattern PATTERN_OF_{key.name.upper()} ="
    yield f"      Pattern.compile({text_literal(regex)}, Pattern.DOTALL);"
    yield ""
    yield "  /** Returns the values in a key; throws IllegalArgumentException for keys of another form. */"
    yield f"  public static {name}Parts parse{name}(byte[] key) {{"
    yield f"    // {CUTS}"
    yield f"    byte[][] cut = cut(key, PATTERN_OF_{key.name.upper()});"
    values = (source(segment.value.make, {CUT: f"cut[{place}]"}) for place, segment in enumerate(key.segments))
    yield f"    return new {name}Parts({', '.join(values)});"
    yield "  }"


def _ranges(key: KeyCode, read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    parameters = ", ".join(
        filter(None, [signature(read.parameters, names), "long fromUs, long toUs" if read.time else ""])
    )
    yield f"  /** Returns the {read.returns}, in their order. */"
    yield f"  public static List<RowRange> {camel_name(read.name)}Ranges({parameters}) {{"
    yield f"    // {comment_line(key.title)}"
    yield f"    // {comment_line(read.about)}"
    if read.time:
        yield "    // fromUs, toUs: the span of time, both included, in microseconds since 1970 (UTC)"
    if read.rest:
        yield f"    // {read.rest}"
    yield "    List<RowRange> ranges = new ArrayList<>();"
    indent = "    "
    for parameter, modulo in read.listed_salts:
        salt_name = names[parameter]
        yield f"{indent}for (int {salt_name} = 0; {salt_name} < {modulo}; {salt_name}++) {{"
        indent += "  "
    yield f"{indent}byte[] first = {join_source(read.pieces, names, indent)};"
    yield f"{indent}ranges.add({_range_source(read, names)});"
    for _ in read.listed_salts:
        indent = indent[2:]
        yield f"{indent}}}"
    yield "    return sorted(ranges);"
    yield "  }"


def _range_source(read: ReadCode, names: Mapping[KeyParameter, str]) -> str:
    if read.time:
        (time,) = read.time.parameters
        ends = (source(read.time.make, {time: name}) for name in ("fromUs", "toUs"))
        return f"timeRange(first, {', '.join(ends)}, {literal(read.time.after)})"
    if read.values:
        low, high = (
            source(read.values.make, {read.values.parameter: names[bound]}) if bound else none
            for bound, none in ((read.values.low, literal(b"")), (read.values.high, "null"))
        )
        order = read.values.order
        return f"valueRange(first, {low}, {high}, {literal(order.stop)}, {str(order.is_fixed).lower()})"
    return f"new RowRange(first, {'join(first, new byte[1])' if read.is_point else 'prefixEnd(first)'})"


def _filter(read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    is_dated = read.filter.age_us is not None
    span = "long fromUs, long toUs" if read.has_filter_span else ""
    parameters = [signature(read.filter_parameters, names), span, "long nowUs" if is_dated else ""]
    yield "  /** Returns the filter of this read: a google.bigtable.v2.RowFilter as JSON. */"
    yield f"  public static String {camel_name(read.name)}Filter({', '.join(filter(None, parameters))}) {{"
    if read.filter.about:
        yield f"    // {comment_line(read.filter.about)}"
    if read.has_filter_span:
        yield "    // fromUs, toUs: the span of time, both included, in microseconds since 1970 (UTC)"
    if is_dated:
        yield "    // nowUs: the present time, in microseconds since 1970 (UTC)"
        yield f"    BigInteger start = milliseconds(nowUs - {read.filter.age_us}L);"
    for place, column in enumerate(read.columns):
        arguments = [
            *(names[parameter] for parameter in column.parameters),
            *(["fromUs", "toUs"] if column.time else []),
        ]
        yield f"    RowRange _columns{place} = {camel_name(column.name)}Ranges({', '.join(arguments)}).get(0);"
    parts = (_hole(part) if isinstance(part, FilterHole) else text_literal(part) for part in read.filter.parts)
    yield f"    return {' + '.join(parts)};"
    yield "  }"


def limit_source(name: str, limit: RowLimit) -> str:
    """Return the method of a limit of rows."""
    notes = "".join(f"    // {note}\n" for note in limit.notes())
    head = f"  /** Returns {LIMIT}. */\n  public static long {camel_name(name)}Limit() {{\n"
    return f"{head}{notes}    return {limit.rows}L;\n  }}"


def _hole(hole: FilterHole) -> str:
    return "start" if hole.of == "start" else f"paddedBase64(_columns{hole.column}.{hole.of}())"


def _checks(key: KeyCode) -> Iterator[JavaCheck]:
    name = pascal_name(key.name)
    for arguments, key_bytes in key.vectors:
        inputs, designed = ", ".join(map(literal, arguments)), text_literal(key_bytes.decode("latin-1"))
        yield JavaCheck(f'previous = check("{key.name}", make{name}({inputs}), {designed}, previous')
        if key.regex is not None:
            yield JavaCheck(f"parse{name}(previous")
    for read in key.all_reads:
        for given_to, ranges in read.vectors:
            call = f"{camel_name(read.name)}Ranges({', '.join(map(literal, given_to))})"
            ends = (text_literal(e.decode("latin-1")) for key_range in ranges for e in (key_range.first, key_range.end))
            yield JavaCheck(f'checkRanges("{read.name}", {call}', tuple(ends))
    for arguments, message in key.refusals:
        call = f"make{name}({', '.join(map(literal, arguments))})"
        yield JavaCheck(f'checkRefusal("{key.name}", {text_literal(message)}, () -> {call}')
