"""A pattern proposed from pasted keys, changed by a person, made into one edit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.edits import Batch, Insert
from designer.document.engines import description_of
from designer.document.field import Field
from designer.document.key import FieldSegment, KeyColumn, Segment
from designer.document.keytext import parse_key, render_columns, render_key
from designer.document.references import references
from designer.document.table import RowKind
from designer.document.texts import N_
from designer.imports.keys import Proposal, propose
from designer.wording import segment_source

from .new_design import key_edit

ACCEPTED = N_("used a row key from pasted keys")
MOST_COLUMNS = 4
"""Primary-key columns that Tablestore takes (limits, read 2026-11-20)."""


@dataclass(frozen=True)
class ProposedKey:
    """A key that is proposed, with fields that the design does not have yet."""

    spec: Spec
    """The design with these fields."""
    fields: tuple[Field, ...]
    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        """The key as text."""
        return render_key(self.spec, self.segments)

    @property
    def used_fields(self) -> tuple[Field, ...]:
        """The new fields that the key is made of."""
        ids = {use.to for segment in self.segments for use in references(segment)}
        return tuple(field for field in self.fields if field.id in ids)


def find_pattern(spec: Spec, keys: Sequence[bytes]) -> tuple[ProposedKey, Proposal]:
    """Find the pattern that the keys seem to follow; return it with the observations about its segments."""
    proposal = propose(spec, keys)
    return ProposedKey(_add_fields(spec, proposal.fields), proposal.fields, proposal.segments), proposal


def apply_changes(
    spec: Spec, fields: Sequence[Field], text: str, changes: Mapping[str, Mapping[str, Any]]
) -> ProposedKey:
    """Apply a person's changes to a proposal.

    The key's text comes first, in the fields' old names, then their names and figures.

    Raises
    ------
    KeyTextError
        If the text is no key.
    ValidationError
        If a figure is not valid.
    """
    read = parse_key(_add_fields(spec, fields), text, new_fields=True)
    renewed = tuple(_update_field(field, changes.get(field.id, {})) for field in (*fields, *read.new_fields))
    return ProposedKey(_add_fields(spec, renewed), renewed, read.segments)


def _update_field(field: Field, values: Mapping[str, Any]) -> Field:
    """Return the field with the given values; a change of kind resets its values to the assumed ones."""
    data = {**to_plain_data(field), **values}
    # Values of another kind, such as a pattern of texts for a number, would be refused.
    if data.get("kind") != field.kind:
        data.pop("values", None)
    return Field.model_validate({name: value for name, value in data.items() if value is not None})


def _add_fields(spec: Spec, fields: Sequence[Field]) -> Spec:
    # Not validated: a proposal may refer to what is not accepted yet, and the edit is checked when it is applied.
    return Spec.model_construct(
        None, **{**{n: getattr(spec, n) for n in type(spec).model_fields}, "fields": (*spec.fields, *fields)}
    )


def build_acceptance(spec: Spec, kind: RowKind, pattern: ProposedKey) -> Batch:
    """Build the edit that uses the pattern as the key of a row kind and adds its new fields."""
    text = columns_text(pattern) if description_of(spec).is_key_in_columns(kind) else pattern.text
    inserts = (
        Insert(parent="", list="fields", element=to_plain_data(_drop_missing_owner(field, spec, pattern)))
        # Only what the key uses: a field that the person took out of the text is not added.
        for field in pattern.used_fields
    )
    return Batch(label=ACCEPTED, edits=(*inserts, *key_edit(pattern.spec, kind, text).edits))


def _drop_missing_owner(field: Field, spec: Spec, pattern: ProposedKey) -> Field:
    """Return the field without its owner if that is not taken along."""
    known_ids = {field.id for field in (*spec.fields, *pattern.used_fields)}
    return field if field.belongs_to in known_ids else field.model_copy(update={"belongs_to": None})


def columns_text(pattern: ProposedKey) -> str:
    """Return the pattern as the text of primary-key columns.

    Delimiters separate the columns; the last column takes the rest.
    """
    groups: list[list[Segment]] = [[]]
    for segment in pattern.segments:
        groups[-1].append(segment)
        # The delimiter is dropped: columns are stored apart and need none.
        if segment.after and len(groups) < MOST_COLUMNS and segment is not pattern.segments[-1]:
            groups[-1][-1] = segment.model_copy(update={"after": ""})
            groups.append([])
    columns = [_column(pattern.spec, place, group) for place, group in enumerate(groups) if group]
    return render_columns(pattern.spec, columns)


def _column(spec: Spec, place: int, segments: Sequence[Segment]) -> KeyColumn:
    first = segments[0]
    number = len(segments) == 1 and isinstance(first, FieldSegment) and not first.transforms and _is_number(spec, first)
    name = segment_source(spec, first) if len(segments) == 1 else ""
    return KeyColumn(id=f"c{place}", name=name, type="INTEGER" if number else "STRING", segments=tuple(segments))


def _is_number(spec: Spec, segment: FieldSegment) -> bool:
    field = next(field for field in spec.fields if field.id == segment.field)
    return field.kind == "integer"
