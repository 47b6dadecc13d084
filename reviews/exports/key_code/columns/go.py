"""Go source of the functions for Tablestore's primary keys: one file that needs nothing but the standard library."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from designer.document import Spec

from ...shared.comments import one_line
from ...shared.result import ExportRemarks
from ..expressions import KeyParameter
from ..go import NO_BOUNDARIES, RESERVED, TEST, limit_source, part_lines, signature, source, translate_regex
from ..go_literals import file_head, go_literal, text_literal
from ..go_runtime import runtime_parts
from ..plan import describe_parameter
from ..values import CUT
from ..writing import CUTS, camel_name, expression_calls, keep_plain_letters, parameter_names, pascal_name
from .codes import SPAN_FROM, SPAN_TO, ColumnBound, ColumnCode, ColumnLimit, ColumnRead, PrimaryKeyCode, with_regexes
from .go_runtime import COLUMNS_RUNTIME

TYPES = """// Limit is below or above all values of a column: give the SDK its own INF_MIN and INF_MAX.
type Limit int

const (
	InfMin Limit = iota
	InfMax
)

// Column is a column with its value: a string, an int64, a []byte or a Limit.
type Column struct {
	Name  string
	Value any
}

// KeyBounds are the bound of a range that is included, and the one that is left out.
type KeyBounds struct{ First, End []Column }

// RowRange holds encoded bounds.
type RowRange struct{ First, End []byte }

type keyError string

func (told keyError) Error() string { return string(told) }"""
OWN_FUNCTIONS = (
    "_refuse", "_catch", "_join", "_big", "_encodedKey", "_encodedRanges", "_range", "_cutColumns", "_textOf",
)  # fmt: skip
OWN_NAMES = ("known",)


def write_module(spec: Spec, keys: Sequence[PrimaryKeyCode], origin: str, file: str) -> str:
    """Return the file of these keys."""
    called = {name for key in keys for expression in key.expressions for name in expression_calls(expression)}
    runtime = runtime_parts(sorted({*OWN_FUNCTIONS, *(f"_{camel_name(name)}" for name in called)}), COLUMNS_RUNTIME)
    functions = [function for key in keys for function in _functions(spec, key)]
    test = TEST
    # From behind, each once: what is filled in could hold the next mark itself.
    for mark, lines in (("REFUSALS", _refusal_lines), ("RANGES", _range_lines), ("VECTORS", _vector_lines)):
        test = test.replace(mark, "\n".join(line for key in keys for line in lines(key)), 1)
    return "\n\n".join([file_head(origin, [*runtime, "fmt.strings."]), TYPES, *runtime, *functions, test])


def keep_exact(keys: Sequence[PrimaryKeyCode], remarks: ExportRemarks) -> Iterator[PrimaryKeyCode]:
    """Return the keys that Go makes exactly, and refuse the others."""
    return with_regexes(keep_plain_letters(keys, remarks, "Go"), remarks, translate_regex, NO_BOUNDARIES)


def _functions(spec: Spec, key: PrimaryKeyCode) -> Iterator[str]:
    names = parameter_names(spec, key.all_parameters, *RESERVED, *OWN_NAMES)
    names = {parameter: camel_name(name) for parameter, name in names.items()}
    yield "\n".join(_make(spec, key, names))
    if key.is_parsed:
        yield "\n".join(_parse(key))
    for read in key.reads:
        salts = {salt: f"salt{n}" for n, (salt, _) in enumerate(read.listed_salts, 1)}
        yield "\n".join(_ranges(key, read, {**names, **salts}))
        name = f"{pascal_name(read.name)}Columns"
        yield (
            f"// {name} returns the attribute columns of this read, as columns to get; none: all.\n"
            f"func {name}() []string {{\n\treturn {_texts(read.attributes or ())}\n}}"
        )
        if read.limit:
            yield limit_source(read.name, read.limit)


def _texts(texts: Iterable[str]) -> str:
    return f"[]string{{{', '.join(map(text_literal, texts))}}}"


def _make(spec: Spec, key: PrimaryKeyCode, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    name = f"Make{pascal_name(key.name)}"
    yield f"// {name} returns the primary key of these values, or an error with the field that does not fit."
    yield f"func {name}({signature(key.parameters, names)}) (key []Column, err error) {{"
    yield f"\t// {one_line(key.title)}"
    yield f"\t// {one_line(key.pattern)}"
    for parameter in key.parameters:
        yield f"\t// {one_line(f'{names[parameter]}: {describe_parameter(spec, parameter)}')}"
    yield "\tdefer _catch(&err)"
    yield "\treturn []Column{"
    yield from _column_lines(key.columns, names, "\t\t")
    yield "\t}, nil"
    yield "}"


def _column_lines(columns: Iterable[ColumnCode], names: Mapping[KeyParameter, str], indent: str) -> Iterator[str]:
    yield from (f"{indent}{{{text_literal(column.name)}, {source(column.make, names)}}}," for column in columns)


def _parse(key: PrimaryKeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    yield from part_lines(name, key.segments)
    yield f"var _patterns{name} = []*regexp.Regexp{{"
    yield from (f"\tregexp.MustCompile({text_literal(column.regex)})," for column in key.columns)
    yield "}"
    yield ""
    yield f"// Parse{name} returns the values in a key, or an error for keys of another form."
    yield f"func Parse{name}(key []Column) (parts {name}Parts, err error) {{"
    yield f"\t// {CUTS}"
    yield "\tdefer _catch(&err)"
    yield f"\tcut := _cutColumns(key, {_texts(column.name for column in key.columns)}, _patterns{name})"
    values = (source(segment.value.make, {CUT: f"cut[{place}]"}) for place, segment in enumerate(key.segments))
    yield f"\treturn {name}Parts{{{', '.join(values)}}}, nil"
    yield "}"


def _ranges(key: PrimaryKeyCode, read: ColumnRead, names: Mapping[KeyParameter, str]) -> Iterator[str]:
    span = "fromUs, toUs int64" if read.has_span else ""
    parameters = ", ".join(filter(None, [signature(read.parameters, names), span]))
    name = f"{pascal_name(read.name)}Ranges"
    yield f"// {name} returns the bounds of this read: of each range the one included and the one left out."
    yield f"func {name}({parameters}) (ranges []KeyBounds, err error) {{"
    yield f"\t// {one_line(key.title)}"
    yield f"\t// {one_line(read.about)}"
    yield from (f"\t// {note}" for note in read.notes("fromUs", "toUs"))
    yield "\tdefer _catch(&err)"
    indent = "\t"
    for parameter, modulo in read.listed_salts:
        salt_name = names[parameter]
        yield f"{indent}for {salt_name} := uint64(0); {salt_name} < {modulo}; {salt_name}++ {{"
        indent += "\t"
    yield f"{indent}known := []Column{{"
    yield from _column_lines(read.known, names, f"{indent}\t")
    yield f"{indent}}}"
    low, high = (
        "nil" if end is None else source(end, {**names, SPAN_FROM: "fromUs", SPAN_TO: "toUs"}) for end in read.ends
    )
    flags = ", ".join(str(flag).lower() for flag in (read.is_whole, read.is_even, read.is_backward))
    yield f"{indent}ranges = append(ranges, _range(known, {_texts(read.rest)}, {low}, {high}, {flags}))"
    for _ in read.listed_salts:
        indent = indent[1:]
        yield f"{indent}}}"
    yield "\treturn ranges, nil"
    yield "}"


def _key(key: PrimaryKeyCode, bound: ColumnBound) -> str:
    """Return a key or a bound as it is written, as text of bytes."""
    limits = {ColumnLimit.MIN: "InfMin", ColumnLimit.MAX: "InfMax"}
    texts = (limits[value] if isinstance(value, ColumnLimit) else f"int64({value})" if isinstance(value, int)
             else go_literal(value) for value in bound)  # fmt: skip
    columns = zip(key.columns, texts, strict=True)
    return f"string(_encoded([]Column{{{', '.join(f'{{{text_literal(c.name)}, {text}}}' for c, text in columns)}}}))"


def _vector_lines(key: PrimaryKeyCode) -> Iterator[str]:
    name = pascal_name(key.name)
    for arguments, values in key.vectors:
        call = f"Make{name}({', '.join(map(go_literal, arguments))})"
        parse = f"one, _ := {call}; _, err := Parse{name}(one); return err" if key.is_parsed else "return nil"
        yield (
            f'\t\t{{"{key.name}", func() ([]byte, error) {{ return _encodedKey({call}) }}, '
            f"func(key []byte) error {{ {parse} }}, {_key(key, values)}}},"
        )


def _range_lines(key: PrimaryKeyCode) -> Iterator[str]:
    for read in key.reads:
        for arguments, ranges in read.vectors:
            call = f"_encodedRanges({pascal_name(read.name)}Ranges({', '.join(map(go_literal, arguments))}))"
            ends = ", ".join(_key(key, end) for key_range in ranges for end in key_range)
            yield f'\t\t{{"{read.name}", func() ([]RowRange, error) {{ return {call} }}, []string{{{ends}}}}},'


def _refusal_lines(key: PrimaryKeyCode) -> Iterator[str]:
    for arguments, message in key.refusals:
        call = f"_encodedKey(Make{pascal_name(key.name)}({', '.join(map(go_literal, arguments))}))"
        yield f'\t\t{{"{key.name}", {text_literal(message)}, func() ([]byte, error) {{ return {call} }}}},'
