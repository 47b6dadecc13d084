"""Tables that are one table several times: the same families and key shapes under names that differ in one part."""

import re
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence

from designer.document import Spec, effective_value
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    LiteralSegment,
    SaltSegment,
    Segment,
    TimeSegment,
    segment_fields,
)
from designer.document.table import RowKind, Table

FEW = 3
"""Tables of one shape and over the same fields are one table even where their names share no part, from so many."""

MEANINGLESS = {"table", "tables", "tbl", "data"}
"""Words in names that say nothing of what is in the table."""
ACCESS_PATHS = {"by", "index", "idx", "lookup"}
"""Words of names that tell how a table is keyed: such tables hold the same in another order, on purpose."""

_WORD = re.compile(r"[a-z]+|[0-9]+")
_BETWEEN = re.compile(r"([^A-Za-z0-9]+|(?<=[A-Za-z])(?=[0-9]))")


def similar_tables_groups(spec: Spec) -> Iterator[tuple[Table, ...]]:
    """Yield groups of at least two tables that could be one, in document order."""
    shapes: dict[Hashable, list[Table]] = defaultdict(list)
    for table in spec.tables:
        comparable = table.families and any(kind.segments for kind in table.row_kinds)
        if comparable and table.derived_from is None and not ACCESS_PATHS & _words(table):
            shapes[_outline(table)].append(table)
    for same in shapes.values():
        exact: dict[Hashable, list[Table]] = defaultdict(list)
        for table in same if len(same) > 1 else ():
            exact[_shape(spec, table)].append(table)
        for group in exact.values():
            yield from _similarly_named(group)


def _outline(table: Table) -> Hashable:
    """Return the properties that are cheap to compare first: counts of all parts, and the families' names."""
    kinds = tuple(tuple(s.kind for s in kind.segments) for kind in table.row_kinds)
    return kinds, tuple(sorted((family.name, len(family.columns)) for family in table.families))


def _shape(spec: Spec, table: Table) -> Hashable:
    """All that must be the same in tables that could be one; the rest may differ between them.

    Retention, backups, protection and streams are there too: they are a reason to have tables of one's own.
    """
    families = sorted(table.families, key=lambda family: family.name)
    columns = (
        (
            f.name,
            f.kind,
            f.gc,
            tuple((c.qualifier, len(c.qualifier_from), c.timestamp, c.value.kind) for c in f.columns),
        )
        for f in families
    )
    backups = tuple((b.kind, b.every_hours, b.kept_days, b.copies) for b in table.backups)
    own = (table.keep_forever, table.deletion_protection, table.change_stream_days, table.infrequent_access_days)
    return tuple(_key(spec, kind) for kind in table.row_kinds), tuple(columns), backups, own


def _key(spec: Spec, kind: RowKind) -> Hashable:
    return tuple(_segment(spec, segment) for segment in kind.segments)


def _segment(spec: Spec, segment: Segment) -> Hashable:
    match segment:
        case LiteralSegment():
            return segment.kind, segment.after
        case FieldSegment():
            field = spec.find(segment.field)
            return segment.kind, segment.after, segment.transforms, effective_value(spec, field, "kind")
        case TimeSegment():
            hashed = (segment.hash, segment.hash_form, segment.hash_digits)
            return segment.kind, segment.after, segment.bucket, segment.unit, segment.pattern, segment.reversed, hashed
        case HashSegment():
            return segment.kind, segment.after, segment.algorithm, segment.form, segment.digits, len(segment.fields)
        case SaltSegment():
            return segment.kind, segment.after, segment.modulo, len(segment.fields)
        case DerivedSegment():
            return segment.kind, segment.after, segment.how, segment.transforms


def _similarly_named(tables: Sequence[Table]) -> Iterator[tuple[Table, ...]]:
    """Yield tables whose names share a word or are mere numbers; or enough of them over the same fields."""
    rest = list(tables)
    while len(rest) > 1:
        words: dict[str, list[Table]] = defaultdict(list)
        for table in rest:
            for word in {word for word in _words(table) - MEANINGLESS if word.isalpha()} or {""}:
                words[word].append(table)
        group = max(words.values(), key=len)
        if len(group) < 2:
            break
        yield tuple(group)
        rest = [table for table in rest if table not in group]
    fields: dict[Hashable, list[Table]] = defaultdict(list)
    for table in rest:
        fields[tuple(segment_fields(s) for kind in table.row_kinds for s in kind.segments)].append(table)
    yield from (tuple(group) for group in fields.values() if len(group) >= FEW)


def _words(table: Table) -> set[str]:
    return set(_WORD.findall(table.label.lower()))


def split_table_names(tables: Sequence[Table]) -> tuple[str, tuple[str, ...]]:
    """Return the common part of the names, and the rest of each: "readings" and ("acme", "globex").

    >>> split_table_names([Table(id="a", name="readings_acme"), Table(id="b", name="readings_globex-eu")])
    ('readings', ('acme', 'globex-eu'))
    """
    words = [_BETWEEN.split(table.label) for table in tables]
    first = _common([w[:-1] for w in words])
    last = _common([w[first:][::-1] for w in words])
    parts = ["".join(w[first : len(w) - last]).strip("-_. ") for w in words]
    stem = "".join(words[0][:first] + words[0][len(words[0]) - last :]).strip("-_. ")
    return stem, tuple(parts)


def _common(words: Sequence[Sequence[str]]) -> int:
    """Return the number of words that all begin with."""
    count = 0
    for together in zip(*words, strict=False):
        if len(set(together)) > 1:
            break
        count += 1
    return count
