"""Java source of the functions for Tablestore's primary keys: one class that needs nothing but the standard library."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from designer.document import Spec

from ...shared.result import ExportRemarks
from ..expressions import KeyParameter
from ..java import (
    MAIN,
    RESERVED,
    TOO_LONG,
    comment_line,
    import_lines,
    limit_source,
    literal,
    part_lines,
    runtime_name,
    signature,
    source,
    text_literal,
    translate_regex,
)
from ..java_checks import JavaCheck, KeyChecks, verify_methods
from ..java_runtime import runtime_parts
from ..plan import describe_parameter
from ..values import CUT
from ..writing import CUTS, camel_name, expression_calls, keep_plain_letters, parameter_names, pascal_name
from .codes import SPAN_FROM, SPAN_TO, ColumnBound, ColumnCode, ColumnLimit, ColumnRead, PrimaryKeyCode, with_regexes

TYPES = """  /** Below and above all values of a column: give the SDK its own INF_MIN and INF_MAX. */
  public enum Limit { INF_MIN, INF_MAX }

  /** A column with its value: a String, a Long, a byte[] or a Limit. */
  public record Column(String name, Object value) {}

  /** The bound of a range that is included, and the one that is left out. */
  public record KeyBounds(List<Column> first, List<Column> end) {}

  private record RowRange(byte[] first, byte[] end) {}"""
RUNTIME = r"""
  private static Long integerColumn(byte[] whole) {
    return integerOf(number(whole));
  }

  private static byte[] escaped(byte[] whole) {
    return latin1(chars(whole).replace("\000", "\000\377") + "\000\001");
  }

  private static byte[] encodedValue(Object value) {
    if (value instanceof Limit) {
      return new byte[] {(byte) (value == Limit.INF_MIN ? 0 : 2)};
    }
    byte[] content = value instanceof Long number
        ? ByteBuffer.allocate(8).putLong(number ^ Long.MIN_VALUE).array()
        : escaped(value instanceof String word ? text(word) : (byte[]) value);
    return join(new byte[] {1}, content);
  }

  private static byte[] encoded(List<Column> key) {
    // Bytes that sort as the service sorts keys.
    byte[] all = {};
    for (Column one : key) {
      all = join(all, escaped(text(one.name())), encodedValue(one.value()));
    }
    return all;
  }

  private static List<RowRange> encodedRanges(List<KeyBounds> found) {
    List<RowRange> all = new ArrayList<>();
    for (KeyBounds one : found) {
      all.add(new RowRange(encoded(one.first()), encoded(one.end())));
    }
    return all;
  }

  private static byte[][] cutColumns(List<Column> key, List<String> names, Pattern... patterns) {
    if (!key.stream().map(Column::name).toList().equals(names)) {
      throw new IllegalArgumentException("the key has other columns");
    }
    List<byte[]> all = new ArrayList<>();
    for (int at = 0; at < patterns.length; at++) {
      Object value = key.get(at).value();
      if (value instanceof Limit) {
        throw new IllegalArgumentException(names.get(at) + " has no value");
      }
      byte[] whole = value instanceof byte[] data ? data : text(String.valueOf(value));
      all.addAll(Arrays.asList(cut(whole, patterns[at])));
    }
    return all.toArray(new byte[0][]);
  }

  private static byte[] widest(byte[] begun, byte[] whole, byte[] stop) {
    // A shorter text sorts by the delimiter behind it: what the range ends with is behind all of them.
    byte[] last = {(byte) 0xff};
    byte[] found = join(begun, stop);
    for (int size = 1; size <= whole.length; size++) {
      byte[] end = join(begun, Arrays.copyOf(whole, size), stop);
      found = Arrays.compareUnsigned(join(end, last), join(found, last)) > 0 ? end : found;
    }
    return found;
  }

  private static Object above(Object value, boolean isWhole) {
    // The first value of a column behind this number, or behind all texts that begin so.
    if (value instanceof Limit) {
      return value;
    }
    if (value instanceof Long number) {
      return number == Long.MAX_VALUE ? Limit.INF_MAX : (Object) (number + 1);
    }
    if (value instanceof String word) {
      if (isWhole) {
        return word + "\000";
      }
      int length = word.length();
      while (length > 0 && word.codePointBefore(length) == Character.MAX_CODE_POINT) {
        length -= 2;
      }
      if (length == 0) {
        return Limit.INF_MAX;
      }
      int code = word.codePointBefore(length);
      String next = Character.toString(code == 0xd7ff ? 0xe000 : code + 1);
      return word.substring(0, length - Character.charCount(code)) + next;
    }
    byte[] end = isWhole ? join((byte[]) value, new byte[1]) : prefixEnd((byte[]) value);
    return end.length > 0 ? end : Limit.INF_MAX;
  }

  private static List<Column> bound(List<Column> known, List<String> names, Object value, boolean isBackward) {
    List<Column> all = new ArrayList<>(known);
    Object rest = value instanceof Limit ? value : isBackward ? Limit.INF_MAX : Limit.INF_MIN;
    for (String name : names) {
      all.add(new Column(name, all.size() == known.size() ? value : rest));
    }
    return all;
  }

  private static KeyBounds range(List<Column> known, List<String> names, Object low, Object high, boolean isWhole,
      boolean isEven, boolean isBackward) {
    // The bound that is included, and the one that is left out, as getRange takes them; without names, one row.
    if (names.isEmpty()) {
      return new KeyBounds(known, known);
    }
    if (low != null && high != null) {
      byte[] lowest = encodedValue(low);
      byte[] highest = encodedValue(high);
      if (isEven && lowest.length != highest.length) {
        throw new IllegalArgumentException(
            "the times have different numbers of digits, so their keys are not one range");
      }
      if (Arrays.compareUnsigned(lowest, highest) > 0) {
        throw new IllegalArgumentException("the range ends before it begins");
      }
    }
    Object first = low == null ? Limit.INF_MIN : low;
    Object end = high == null ? Limit.INF_MAX : high;
    if (isBackward) {
      Object below = first instanceof Long number && number > Long.MIN_VALUE ? (Object) (number - 1) : Limit.INF_MIN;
      first = end;
      end = below;
    } else {
      end = above(end, isWhole);
    }
    return new KeyBounds(bound(known, names, first, isBackward), bound(known, names, end, isBackward));
  }
"""
OWN_FUNCTIONS = ("latin1", "check", "join", "encoded", "range", "cutColumns", "encodedRanges", "textOf")
OWN_NAMES = ("known",)


def write_module(spec: Spec, keys: Sequence[PrimaryKeyCode], origin: str, file: str) -> str:
    """Return the file of these keys."""
    functions = [function for key in keys for function in _functions(spec, key)]
    called = {name for key in keys for expression in key.expressions for name in expression_calls(expression)}
    names = {*OWN_FUNCTIONS, *map(runtime_name, called)}
    name = file.removesuffix(".java")
    tests = verify_methods([KeyChecks(key.name, _checks(key), len(key.vectors)) for key in keys])
    body = "\n\n".join([f"public final class {name} {{\n  private {name}() {{}}", TYPES, *functions, *tests, MAIN[:-3]])
    names |= {function for function in ("checkRanges", "checkRefusal", "whole") if f"{function}(" in body}
    body = "\n\n".join([body, *runtime_parts(sorted(names), RUNTIME)]) + "\n}\n"
    imports = "\n".join(import_lines(body))
    about = f"/** Primary keys, value by value as designed. To verify them: {{@code java {file}}} */"
    return f"// {comment_line(origin)}\n\n{imports}\n\n{about}\n{body}"


def keep_exact(keys: Sequence[PrimaryKeyCode], remarks: ExportRemarks) -> Iterator[PrimaryKeyCode]:
    """Return the keys that Java makes exactly, and refuse the others."""
    return with_regexes(keep_plain_letters(keys, remarks, "Java"), remarks, translate_regex, TOO_LONG)


def _functions(spec: Spec, key: PrimaryKeyCode) -> Iterator[str]:
    names = parameter_names(spec, key.all_parameters, *RESERVED, *OWN_NAMES)
    names = {parameter: camel_name(name) for parameter, name in names.items()}
    yield "\n".join(_make(spec, key, names))
    if key.is_parsed:
        yield "\n".join(_parse(key))
    for read in key.reads:
        salts = {salt: f"salt{n}" for n, (salt, _) in enumerate(read.listed_salts, 1)}
        yield "\n".join(_ranges(key, read, {**names, **salts}))
        yield (
            f"  /** Returns the attribute columns of this read, as columns to get; none: all. */\n"
            f"  public static List<String> {camel_name(read.name)}Columns() {{\n"
            f"    return {_list(map(text_literal, read.attributes or ()))};\n  }}"
        )
        if read.limit:
            yield limit_source(read.name, read.limit)


def _list(texts: Iterable[str]) -> str:
    return f"List.of({', '.join(texts)})"


def _make(spec: Spec, key: PrimaryKeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    about = "Returns the primary key of these values; an IllegalArgumentException with the field that does not fit."
    yield f"  /** {about} */"
    yield f"  public static List<Column> make{pascal_name(key.name)}({signature(key.parameters, names)}) {{"
    yield f"    // {comment_line(key.title)}"
    yield f"    // {comment_line(key.pattern)}"
    for parameter in key.parameters:
        yield f"    // {comment_line(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield f"    return {_columns(key.columns, names, '        ')};"
    yield "  }"


def _columns(columns: Iterable[ColumnCode], names: Mapping[KeyParameter, str], indent: str) -> str:
    return _list(
        f"\n{indent}new Column({text_literal(column.name)}, {source(column.make, names)})" for column in columns
    )


def _parse(key: PrimaryKeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    yield from part_lines(name, key.segments)
    yield f"  private static final Pattern[] PATTERNS_OF_{key.name.upper()} = {{"
    yield from (f"    Pattern.compile({text_literal(column.regex)}, Pattern.DOTALL)," for column in key.columns)
    yield "  };"
    yield ""
    yield "  /** Returns the values in a key; throws IllegalArgumentException for keys of another form. */"
    yield f"  public static {name}Parts parse{name}(List<Column> key) {{"
    yield f"    // {CUTS}"
    names = _list(text_literal(column.name) for column in key.columns)
    yield f"    byte[][] cut = cutColumns(key, {names}, PATTERNS_OF_{key.name.upper()});"
    values = (source(segment.value.make, {CUT: f"cut[{place}]"}) for place, segment in enumerate(key.segments))
    yield f"    return new {name}Parts({', '.join(values)});"
    yield "  }"


def _ranges(key: PrimaryKeyCode, read: ColumnRead, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    span = "long fromUs, long toUs" if read.has_span else ""
    parameters = ", ".join(filter(None, [signature(read.parameters, names), span]))
    yield "  /** Returns the bounds of this read: of each range the one included and the one left out. */"
    yield f"  public static List<KeyBounds> {camel_name(read.name)}Ranges({parameters}) {{"
    yield f"    // {comment_line(key.title)}"
    yield f"    // {comment_line(read.about)}"
    yield from (f"    // {note}" for note in read.notes("fromUs", "toUs"))
    yield "    List<KeyBounds> ranges = new ArrayList<>();"
    indent = "    "
    for parameter, modulo in read.listed_salts:
        salt_name = names[parameter]
        yield f"{indent}for (int {salt_name} = 0; {salt_name} < {modulo}; {salt_name}++) {{"
        indent += "  "
    yield f"{indent}List<Column> known = {_columns(read.known, names, indent + '    ')};"
    low, high = (source(end, {**names, SPAN_FROM: "fromUs", SPAN_TO: "toUs"}) for end in read.ends)
    flags = ", ".join(str(flag).lower() for flag in (read.is_whole, read.is_even, read.is_backward))
    yield f"{indent}ranges.add(range(known, {_list(map(text_literal, read.rest))}, {low}, {high}, {flags}));"
    for _ in read.listed_salts:
        indent = indent[2:]
        yield f"{indent}}}"
    yield "    return ranges;"
    yield "  }"


def _key(key: PrimaryKeyCode, bound: ColumnBound) -> str:
    """Return a key or a bound as it is written."""
    texts = (f"Limit.{value.value}" if isinstance(value, ColumnLimit) else f"{value}L" if isinstance(value, int)
             else literal(value) for value in bound)  # fmt: skip
    columns = zip(key.columns, texts, strict=True)
    return _list(f"new Column({text_literal(column.name)}, {text})" for column, text in columns)


def _checks(key: PrimaryKeyCode) -> Iterator[JavaCheck]:
    name = pascal_name(key.name)
    for arguments, values in key.vectors:
        key_call = f"make{name}({', '.join(map(literal, arguments))})"
        yield JavaCheck(
            f'previous = check("{key.name}", encoded({key_call}), chars(encoded({_key(key, values)})), previous'
        )
        if key.is_parsed:
            yield JavaCheck(f"parse{name}({key_call}")
    for read in key.reads:
        for inputs, ranges in read.vectors:
            call = f"{camel_name(read.name)}Ranges({', '.join(map(literal, inputs))})"
            ends = tuple(f"chars(encoded({_key(key, end)}))" for key_range in ranges for end in key_range)
            yield JavaCheck(f'checkRanges("{read.name}", encodedRanges({call})', ends)
    for arguments, message in key.refusals:
        call = f"make{name}({', '.join(map(literal, arguments))})"
        yield JavaCheck(f'checkRefusal("{key.name}", {text_literal(message)}, () -> encoded({call})')
