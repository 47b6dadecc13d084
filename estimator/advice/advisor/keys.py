"""A draft as a key text, as the design that has it, and as the one edit that makes it."""

from collections.abc import Sequence

from designer.document import Spec
from designer.document.edits import Batch
from designer.document.key import (
    DerivedSegment,
    FieldSegment,
    HashSegment,
    KeyColumn,
    ReverseDigits,
    Segment,
    TimeSegment,
)
from designer.document.keytext import parse_columns, parse_key, render_columns, render_key
from designer.document.table import RowKind, Table
from designer.editing.new_design import key_edit
from estimator.facts.numbers import number_transforms

from .candidate_keys import KeyDraft
from .readers import adapted_reads, read_edits

__all__ = ["key_change_edit", "key_text", "set_key"]


def key_text(spec: Spec, kind: RowKind, draft: KeyDraft) -> str:
    """Return the key in its text form."""
    if not kind.key_columns:
        return render_key(spec, draft.segments)
    return render_columns(spec, [_column(spec, kind, column) for column in draft.columns])


def _column(spec: Spec, kind: RowKind, segments: Sequence[Segment]) -> KeyColumn:
    """Return a column with its own name and type; a joined or hashed column is text."""
    main_segment = next(s for s in segments if not isinstance(s, HashSegment))
    old = next((c for c in kind.key_columns if main_segment.id in (c.id, *(s.id for s in c.segments))), None)
    is_unchanged = old is not None and (len(old.parts) == 1 or _parts(old.parts) == _parts(segments))
    name = old.name if old and is_unchanged else _name(spec, main_segment)
    if old and old.auto_increment:
        return old
    number = old is not None and old.type == "INTEGER" and len(segments) == 1 and not _is_reversed(main_segment)
    if number and old is not None:
        return old.model_copy(update={"segments": _restore_integers(old, segments)})
    parts = tuple(_widen(spec, segment, old) for segment in segments)
    return KeyColumn(id="x", name=name, type="STRING", segments=parts)


def _parts(segments: Sequence[Segment]) -> int:
    """Return the number of fields and times that are joined in a column."""
    return sum(isinstance(segment, FieldSegment | DerivedSegment | TimeSegment) for segment in segments)


def _restore_integers(old: KeyColumn, segments: Sequence[Segment]) -> tuple[Segment, ...]:
    """Integers sort as numbers: what they show needs no padding; a time keeps what was changed of it."""
    before = {segment.id: segment for segment in old.segments}
    return tuple(s if isinstance(s, TimeSegment) else before.get(s.id, s) for s in segments)


def _is_reversed(segment: Segment) -> bool:
    return isinstance(segment, FieldSegment) and any(isinstance(t, ReverseDigits) for t in segment.transforms)


def _widen(spec: Spec, segment: Segment, old: KeyColumn | None) -> Segment:
    if old is None or old.type != "INTEGER" or not isinstance(segment, FieldSegment) or _is_reversed(segment):
        return segment
    transforms = number_transforms(spec, spec.find(segment.field), segment.transforms)
    return segment.model_copy(update={"transforms": transforms})


def _name(spec: Spec, segment: Segment) -> str:
    field = getattr(segment, "field", None)
    return str(spec.find(field).name) if field else "time" if isinstance(segment, TimeSegment) else "key"


def set_key(spec: Spec, table: Table, kind: RowKind, text: str, *, table_only: bool) -> Spec:
    """Return the design with this key as `key_edit` builds it, not validated; `table_only` omits other tables."""
    if kind.key_columns:
        columns = parse_columns(spec, text, previous=kind.key_columns).columns
        changed = kind.model_copy(update={"key_columns": columns})
    else:
        changed = kind.model_copy(update={"key": parse_key(spec, text, previous=kind.key).segments})
    changed = changed.model_copy(update={"reads": adapted_reads(kind, changed)})
    kinds = tuple(changed if row_kind.id == kind.id else row_kind for row_kind in table.row_kinds)
    new_table = table.model_copy(update={"row_kinds": kinds})
    if table_only:
        return spec.model_copy(update={"tables": (new_table.model_copy(update={"derived_from": None}),)})
    return spec.model_copy(update={"tables": tuple(new_table if t.id == table.id else t for t in spec.tables)})


def key_change_edit(spec: Spec, kind: RowKind, text: str, changed: RowKind) -> Batch:
    """Return the one edit that sets the key to this text and adapts its reads."""
    edit = key_edit(spec, kind, text)
    return edit.model_copy(update={"edits": (*edit.edits, *read_edits(kind, changed))})
