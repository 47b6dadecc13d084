"""Names of key columns, as other databases define them → segments of row keys, and the fields in them."""

from collections.abc import Mapping, Sequence
from typing import Any

from designer.document import Spec
from designer.document.dump import to_plain_data
from designer.document.field import Field
from designer.document.key import TimeSegment
from designer.document.keytext import parse_key, render_key


class KeyReader:
    """Reads the keys of several tables: what a name is in the first key, it is in all."""

    def __init__(self) -> None:
        self.fields: dict[str, Field] = {}
        """By their names."""
        self._whole_texts: dict[str, str] = {}
        """Of texts that were read, with what their names alone said then."""

    def read(self, texts: Sequence[str], kinds: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the data of a key whose segments have these texts; fields that are new become of these kinds.

        Raises
        ------
        KeyTextError
            If the texts are no key.
        """
        key = "#".join(self._whole_texts.get(text, text) for text in texts)
        parsed = parse_key(self._spec(), key, new_fields=True)
        times = {segment.field for segment in parsed.segments if isinstance(segment, TimeSegment)}
        for field in parsed.new_fields:
            kind = "timestamp" if field.id in times else kinds.get(field.name)
            self.fields[field.name] = field if kind is None else field.model_copy(update={"kind": kind})
        segments = parsed.segments
        if len(segments) == len(texts):
            bare = [segment.model_copy(update={"after": ""}) for segment in segments]
            self._whole_texts |= {
                text: render_key(self._spec(), (segment,)) for text, segment in zip(texts, bare, strict=True)
            }
        # Ids are given when the whole document is read: other tables have segments of the same names.
        return [{name: value for name, value in to_plain_data(segment).items() if name != "id"} for segment in segments]

    def fields_data(self) -> list[dict[str, Any]]:
        """Return the data of all fields."""
        return [to_plain_data(field) for field in self.fields.values()]

    def _spec(self) -> Spec:
        return Spec.model_construct(fields=tuple(self.fields.values()))  # each was valid when it was made
