"""Code for the keys of a design: a module that makes keys, takes them apart and gives the ranges of reads.

The code is planned without the words of a language (`key_code/plan.py`); each language is one writer of that plan.
"""

from collections.abc import Callable, Iterator, Sequence

from designer.document import Spec
from designer.document.access import Bind, Read
from designer.document.engines import description_of
from designer.document.family import Column, Family
from designer.document.field import Field, Item, Random
from designer.document.table import RowKind, Table
from designer.document.texts import N_, TextList
from designer.wording import element_label

from .key_code.columns.plan import plan_primary_keys
from .key_code.filters import unread_columns
from .key_code.languages import LANGUAGES, CodeWriter
from .key_code.plan import plan_keys
from .key_code.writing import AnyCode, AnyKeyCode
from .shared.content import ExportContent
from .shared.names import stem
from .shared.omissions import MODEL_ONLY, Fields, note_omissions
from .shared.result import ExportRemarks, ExportResult, File, Format

READ_FIELDS = frozenset((
    "id", "name", "binds", "time", "exact_time", "newest_rows", "row_limit", "row_kinds", "newest_versions",
    "newest_columns", "reverse", "keys_per_call", "match_share", "value_share", "families", "columns", "cell_days",
))  # fmt: skip
"""What the ranges and the filter of a read say, and the comment on them."""
OMITTED: Fields = {
    Spec: (*(name for name in MODEL_ONLY[Spec] if name != "fields"), "instance"),
    Table: tuple(name for name in Table.model_fields if name not in ("id", "name", "row_kinds", "families")),
    Family: tuple(name for name in Family.model_fields if name not in ("id", "name", "columns")),
    Column: tuple(name for name in Column.model_fields if name not in ("id", "qualifier", "qualifier_from")),
    RowKind: tuple(name for name in RowKind.model_fields if name not in ("id", "name", "key", "columns", "reads")),
    Read: tuple(name for name in Read.model_fields if name not in READ_FIELDS),
    Bind: ("popularity",),
    Field: tuple(name for name in Field.model_fields if name not in ("id", "name", "kind", "values")),
    Item: ("weight",),
    Random: ("typical",),
}
"""Code for keys and reads has nothing of cells, loads, money and the cluster."""


def make(content: ExportContent) -> ExportResult:
    """One module; row kinds whose keys code cannot make are refused."""
    if description_of(content.spec).has_key_columns:
        of_kind = tuple(name for name in OMITTED[RowKind] if name != "key_columns")
        return _make(content, plan_primary_keys, LANGUAGES[content.code_language].primary_keys, {RowKind: of_kind})
    return _make(content, plan_keys, LANGUAGES[content.code_language].row_keys, {})


def _make(
    content: ExportContent, plan: Callable[[Spec, ExportRemarks], Iterator[AnyCode]], writer: CodeWriter[AnyCode],
    omitted: Fields,
) -> ExportResult:  # fmt: skip
    remarks = ExportRemarks()
    keys = tuple(writer.keep_exact(tuple(plan(content.spec, remarks)), remarks))
    _note_unused_parts(content, keys, remarks)
    note_omissions(content.spec, remarks, {**OMITTED, **omitted})
    if not keys:
        return remarks.build_result()
    language = LANGUAGES[content.code_language]
    remarks.note("", language.note)
    name = language.file_name(stem(content.spec.name).replace("-", "_"))
    return remarks.build_result(File.of(name, writer.write_module(content.spec, keys, content.origin, name)))


def _note_unused_parts(content: ExportContent, keys: Sequence[AnyKeyCode], remarks: ExportRemarks) -> None:
    used = {parameter.id for key in keys for parameter in key.parameters}
    names = [element_label(content.spec, field.id) for field in content.spec.fields if field.id not in used]
    if names:
        remarks.note("", N_("not in the files: fields that are in no key: {names}"), names=TextList(names))
    columns = TextList(unread_columns(content.spec))
    if columns:
        remarks.note("", N_("not in the files: columns that no read gets: {names}"), names=columns)


FORMAT = Format(
    name="code",
    title=N_("Code for keys"),
    about=N_(
        "A module in a programming language of your choice that builds row keys, parses them, and returns the row "
        "ranges and the filter of each read, with tests."
    ),
    make=make,
    omits=OMITTED,
)
