"""Go source of the functions for keys: one file that needs nothing but the standard library."""

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
from .go_literals import PACKAGES, file_head, go_literal, text_literal
from .go_runtime import runtime_parts
from .known import LIMIT, RowLimit
from .plan import describe_parameter
from .values import CUT
from .writing import CUTS, PARTS, called_functions, camel_name, keep_plain_letters, parameter_names, pascal_name

TYPES = {"text": "string", "bytes": "[]byte", "integer": "int64", "boolean": "bool", "time": "int64", "salt": "uint64"}
RESERVED = (
    *PACKAGES, "key", "err", "cut", "first", "ranges", "from_us", "to_us", "now_us", "start", "salt1", "salt2", "salt3",
    "append", "any", "bool", "byte", "break", "case", "chan", "const", "continue", "default", "defer", "else", "error",
    "fallthrough", "filter", "false", "for", "func", "go", "goto", "if", "import", "int", "interface", "len", "make",
    "map", "nil", "package", "range", "return", "rune", "select", "string", "struct", "switch", "true", "type", "var",
)  # fmt: skip
"""Words of the language, and names that the functions use themselves."""
BIG = {"bucket": 1, "offset": 1, "descending": 1, "subtract": 1, "time_text": 3}
"""Which argument is a number of any size."""
NO_BOUNDARIES = N_("Go code cannot parse these keys: Go's regular expressions cannot find the boundaries")
MOST_REPEATS = 1000
"""Of a regular expression ("Syntax" of regexp/syntax, read 2026-11-24)."""
TYPE = """// RowRange is the first key of a range, and the key behind its last; an empty one is the end of the table.
type RowRange struct{ First, End []byte }

type keyError string

func (told keyError) Error() string { return string(told) }"""
TEST = """// Verify makes the key of every test vector, and returns how many there are and the first that differs.
func Verify() (int, error) {
	vectors := []struct {
		name  string
		make  func() ([]byte, error)
		parse func([]byte) error
		key   string
	}{
VECTORS
	}
	name, previous := "", ""
	for _, one := range vectors {
		made, err := one.make()
		if err == nil {
			err = one.parse([]byte(one.key))
		}
		if err != nil {
			return 0, err
		}
		if string(made) != one.key {
			return 0, fmt.Errorf("%s: %q is not %q", one.name, made, one.key)
		}
		if one.name == name && one.key < previous {
			return 0, fmt.Errorf("%s: %q is out of order", one.name, made)
		}
		name, previous = one.name, one.key
	}
	reads := []struct {
		name string
		find func() ([]RowRange, error)
		ends []string
	}{
RANGES
	}
	for _, one := range reads {
		found, err := one.find()
		if err != nil {
			return 0, err
		}
		ends := []string{}
		for _, each := range found {
			ends = append(ends, string(each.First), string(each.End))
		}
		if fmt.Sprintf("%q", ends) != fmt.Sprintf("%q", one.ends) {
			return 0, fmt.Errorf("%s: %q is not %q", one.name, ends, one.ends)
		}
	}
	refusals := []struct {
		name, field string
		make        func() ([]byte, error)
	}{
REFUSALS
	}
	for _, one := range refusals {
		made, err := one.make()
		if err == nil {
			return 0, fmt.Errorf("%s: a value of %s is not refused: %q", one.name, one.field, made)
		}
		if !strings.HasPrefix(err.Error(), one.field+": ") {
			return 0, fmt.Errorf("%s: the error does not name %s: %w", one.name, one.field, err)
		}
	}
	return len(vectors), nil
}
"""


def write_module(spec: Spec, keys: Sequence[KeyCode], origin: str, file: str) -> str:
    """Return the file of these keys."""
    names = {"_refuse", "_catch", *(f"_{camel_name(name)}" for key in keys for name in called_functions(key))}
    names |= {"_cut" for key in keys if key.regex is not None}
    names |= {"_join", "_big"}
    runtime = runtime_parts(sorted(names))
    functions = [function for key in keys for function in _functions(spec, key)]
    head = file_head(origin, [*runtime, "fmt.strings.", *("sort.bytes." for key in keys if key.reads)])
    test = TEST
    # From behind, each once: what is filled in could hold the next mark itself.
    for mark, lines in (("REFUSALS", _refusal_lines), ("RANGES", _range_lines), ("VECTORS", _vector_lines)):
        test = test.replace(mark, "\n".join(line for key in keys for line in lines(key)), 1)
    return "\n\n".join([head, TYPE, *runtime, *functions, test])


def keep_exact(keys: Sequence[KeyCode], remarks: ExportRemarks) -> Iterator[KeyCode]:
    """Yield the keys that Go makes exactly, and refuse the others."""
    for key in keep_plain_letters(keys, remarks, "Go"):
        yield _without_lookahead(key, remarks)


def _without_lookahead(key: KeyCode, remarks: ExportRemarks) -> KeyCode:
    if key.regex is None:
        return key
    regex = translate_regex(key.regex)
    if regex is None:
        remarks.note(key.id, NO_BOUNDARIES)
    return replace(key, regex=regex)


_UNTIL = re.compile(r"\(\?>\(\?:\(\?!(\\?.)\)\.\)\*\)", re.DOTALL)
"""Text up to the first of a delimiter of one byte."""


def translate_regex(regex: str) -> str | None:
    """Return Python's expression in Go's words; None if it looks ahead or holds what it has found."""
    regex = _UNTIL.sub(lambda match: rf"[^\x{{{ord(match[1][-1]):02x}}}]*", regex)
    for atom in re.finditer(r"\(\?>(?:\\.|\[[^]]*\]|[^()\\])*\)", regex):
        # Go's engine does not backtrack, so an atomic group is needed only where what follows could take its last
        # characters.
        rest = regex[atom.end() :].lstrip(")").removeprefix("\\")
        if rest and (rest[0].isalnum() or rest[0] in "-(.["):
            return None
    regex = regex.replace("(?>", "(?:")
    repeats = map(int, re.findall(r"\{(\d+)", regex))
    # Go refuses an expression with a larger count when the program starts.
    return None if "(?!" in regex or any(count > MOST_REPEATS for count in repeats) else rf"(?s)\A(?:{regex})\z"


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
    return ", ".join(f"{names[parameter]} {TYPES[parameter.type]}" for parameter in parameters)


def _make(spec: Spec, key: KeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    name = f"Make{pascal_name(key.name)}"
    yield f"// {name} returns the row key of these values, or an error with the field that does not fit."
    yield f"func {name}({signature(key.parameters, names)}) (key []byte, err error) {{"
    yield f"\t// {one_line(key.title)}"
    yield f"\t// {one_line(key.pattern)}"
    for parameter in key.parameters:
        yield f"\t// {one_line(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield "\tdefer _catch(&err)"
    yield f"\treturn {join_source(key.segments, names, chr(9))}, nil"
    yield "}"


def join_source(segments: Iterable[SegmentCode], names: Mapping[KeyParameter, str], indent: str) -> str:
    pieces = []
    for segment in segments:
        pieces.append(source(segment.make, names))
        if segment.after:
            pieces.append(go_literal(segment.after))
    lines = "".join(f"\n{indent}\t{piece}," for piece in pieces)
    return f"_join({lines}\n{indent})" if pieces else "_join()"


def source(expression: Expression, names: Mapping[KeyParameter, str]) -> str:
    """Return an expression as Go has it."""
    match expression:
        case Call(function="of", arguments=(str() as name, inner)):
            return f"_of({text_literal(name)}, func() []byte {{ return {source(inner, names)} }})"
        case Call():
            big = BIG.get(expression.function)
            inside = (
                _big(argument) if place == big else source(argument, names)
                for place, argument in enumerate(expression.arguments)
            )  # fmt: skip
            return f"_{camel_name(expression.function)}({', '.join(inside)})"
        case KeyParameter():
            return names[expression]
    return go_literal(expression)


def _big(number: Expression) -> str:
    # As a text, because a number of any size is no constant of a Go type.
    return f'_big("{number}")' if isinstance(number, int) else "nil"


def part_lines(name: str, segments: Iterable[SegmentCode]) -> Iterator[str]:
    """Yield the type of what a key tells."""
    yield f"// {name}Parts holds the values in a key; {PARTS.partition('; ')[2]}"
    yield f"type {name}Parts struct {{"
    yield from (f"\t{pascal_name(segment.part_name)} {TYPES[segment.value.type]}" for segment in segments)
    yield "}"
    yield ""


def _parse(key: KeyCode, regex: str) -> Iterator[str]:
    name = pascal_name(key.name)
    yield from part_lines(name, key.segments)
    yield f"var _pattern{name} = regexp.MustCompile({text_literal(regex)})"
    yield ""
    yield f"// Parse{name} returns the values in a key, or an error for keys of another form."
    yield f"func Parse{name}(key []byte) (parts {name}Parts, err error) {{"
    yield f"\t// {CUTS}"
    yield "\tdefer _catch(&err)"
    yield f"\tcut := _cut(key, _pattern{name})"
    values = (source(segment.value.make, {CUT: f"cut[{place}]"}) for place, segment in enumerate(key.segments))
    yield f"\treturn {name}Parts{{{', '.join(values)}}}, nil"
    yield "}"


def _ranges(key: KeyCode, read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    parameters = ", ".join(filter(None, [signature(read.parameters, names), "fromUs, toUs int64" if read.time else ""]))
    name = f"{pascal_name(read.name)}Ranges"
    yield f"// {name} returns the {read.returns}, in their order."
    yield f"func {name}({parameters}) (ranges []RowRange, err error) {{"
    yield f"\t// {one_line(key.title)}"
    yield f"\t// {one_line(read.about)}"
    if read.time:
        yield "\t// fromUs, toUs: the span of time, both included, in microseconds since 1970 (UTC)"
    if read.rest:
        yield f"\t// {read.rest}"
    yield "\tdefer _catch(&err)"
    indent = "\t"
    for parameter, modulo in read.listed_salts:
        salt_name = names[parameter]
        yield f"{indent}for {salt_name} := uint64(0); {salt_name} < {modulo}; {salt_name}++ {{"
        indent += "\t"
    yield f"{indent}first := {join_source(read.pieces, names, indent)}"
    yield f"{indent}ranges = append(ranges, {_range_source(read, names)})"
    for _ in read.listed_salts:
        indent = indent[1:]
        yield f"{indent}}}"
    yield "\tsort.Slice(ranges, func(a, b int) bool { return bytes.Compare(ranges[a].First, ranges[b].First) < 0 })"
    yield "\treturn ranges, nil"
    yield "}"


def _range_source(read: ReadCode, names: Mapping[KeyParameter, str]) -> str:
    if read.time:
        (time,) = read.time.parameters
        ends = (source(read.time.make, {time: name}) for name in ("fromUs", "toUs"))
        return f"_timeRange(first, {', '.join(ends)}, {go_literal(read.time.after)})"
    if read.values:
        low, high = (
            source(read.values.make, {read.values.parameter: names[bound]}) if bound else "nil"
            for bound in (read.values.low, read.values.high)
        )
        order, has_high = read.values.order, str(read.values.high is not None).lower()
        stop, is_fixed = go_literal(order.stop), str(order.is_fixed).lower()
        return f"_valueRange(first, {low}, {high}, {has_high}, {stop}, {is_fixed})"
    return "RowRange{first, _join(first, []byte{0})}" if read.is_point else "RowRange{first, _prefixEnd(first)}"


def _filter(read: ReadCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    name, is_dated = f"{pascal_name(read.name)}Filter", read.filter.age_us is not None
    span = "fromUs, toUs int64" if read.has_filter_span else ""
    parameters = [signature(read.filter_parameters, names), span, "nowUs int64" if is_dated else ""]
    returned = "(filter string, err error)" if read.columns else "string"
    yield f"// {name} returns the filter of this read: a google.bigtable.v2.RowFilter as JSON."
    yield f"func {name}({', '.join(filter(None, parameters))}) {returned} {{"
    if read.filter.about:
        yield f"\t// {one_line(read.filter.about)}"
    if read.has_filter_span:
        yield "\t// fromUs, toUs: the span of time, both included, in microseconds since 1970 (UTC)"
    if is_dated:
        yield "\t// nowUs: the present time, in microseconds since 1970 (UTC)"
        yield f"\tstart := _milliseconds(nowUs - {read.filter.age_us}).String()"
    for place, column in enumerate(read.columns):
        arguments = [
            *(names[parameter] for parameter in column.parameters),
            *(["fromUs", "toUs"] if column.time else []),
        ]
        yield f"\t_columns{place}, err := {pascal_name(column.name)}Ranges({', '.join(arguments)})"
        yield "\tif err != nil {"
        yield '\t\treturn "", err'
        yield "\t}"
    parts = (_hole(part) if isinstance(part, FilterHole) else text_literal(part) for part in read.filter.parts)
    yield f"\treturn {' + '.join(parts)}{', nil' if read.columns else ''}"
    yield "}"


def limit_source(read_name: str, limit: RowLimit) -> str:
    """Return the function of a limit of rows."""
    name = f"{pascal_name(read_name)}Limit"
    notes = "".join(f"\t// {note}\n" for note in limit.notes())
    return f"// {name} returns {LIMIT}.\nfunc {name}() int64 {{\n{notes}\treturn {limit.rows}\n}}"


def _hole(hole: FilterHole) -> str:
    return "start" if hole.of == "start" else f"_paddedBase64(_columns{hole.column}[0].{hole.of.title()})"


def _range_lines(key: KeyCode) -> Iterator[str]:
    for read in key.all_reads:
        for arguments, ranges in read.vectors:
            call = f"{pascal_name(read.name)}Ranges({', '.join(map(go_literal, arguments))})"
            # The literal without `[]byte(` and `)`: a Go string holds any bytes.
            ends = ", ".join(go_literal(end)[7:-1] for key_range in ranges for end in (key_range.first, key_range.end))
            yield f'\t\t{{"{read.name}", func() ([]RowRange, error) {{ return {call} }}, []string{{{ends}}}}},'


def _refusal_lines(key: KeyCode) -> Iterator[str]:
    for arguments, message in key.refusals:
        call = f"Make{pascal_name(key.name)}({', '.join(map(go_literal, arguments))})"
        yield f'\t\t{{"{key.name}", {text_literal(message)}, func() ([]byte, error) {{ return {call} }}}},'


def _vector_lines(key: KeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    parse = "return nil" if key.regex is None else f"_, err := Parse{name}(key); return err"
    for arguments, key_bytes in key.vectors:
        inputs = ", ".join(map(go_literal, arguments))
        yield (
            f'\t\t{{"{key.name}", func() ([]byte, error) {{ return Make{name}({inputs}) }}, '
            f"func(key []byte) error {{ {parse} }}, {go_literal(key_bytes)[7:-1]}}},"
        )
