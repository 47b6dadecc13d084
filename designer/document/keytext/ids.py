"""Ids of segments that were read: those of the segments that they continue, else new ones."""

import re
from collections.abc import Sequence, Set
from typing import Any

from pydantic import ConfigDict, TypeAdapter

from ..design import Spec
from ..ids import make_unique
from ..key import Segment

SEGMENT: TypeAdapter[Segment] = TypeAdapter(Segment, config=ConfigDict(defer_build=True))


def assign_ids(
    spec: Spec, parts: list[dict[str, Any]], previous: Sequence[Segment], *, used_ids: Set[str] = frozenset()
) -> tuple[Segment, ...]:
    """Segments with the ids of the previous ones that they continue: the same, else alike in kind and field.

    `used_ids` are ids that new elements beside the document have got.
    """
    remaining = list(previous)
    chosen: list[str | None] = [None] * len(parts)
    drafts = [SEGMENT.validate_python({**part, "id": "x"}) for part in parts]
    # The surest likeness first, over all segments: what is merely alike must not take the id of what is the same.
    for alike in (_is_same, _is_same_but_delimiter, _has_same_subject):
        for place, draft in enumerate(drafts):
            if chosen[place] is None:
                match = next((s for s in remaining if alike(s, draft)), None)
                if match is not None:
                    remaining.remove(match)
                    chosen[place] = match.id
    used_ids = {*spec.by_id, *(s.id for s in previous), *used_ids}
    for place, part in enumerate(parts):
        if chosen[place] is None:
            chosen[place] = make_unique(slug(part.get("field") or part.get("text") or part["kind"]), used_ids)
            used_ids.add(chosen[place] or "")
    return tuple(SEGMENT.validate_python({**part, "id": name}) for part, name in zip(parts, chosen, strict=True))


def _is_same(segment: Segment, other_segment: Segment) -> bool:
    return segment.model_copy(update={"id": "x"}) == other_segment


def _is_same_but_delimiter(segment: Segment, other_segment: Segment) -> bool:
    return segment.model_copy(update={"id": "x", "after": ""}) == other_segment.model_copy(update={"after": ""})


def _has_same_subject(segment: Segment, other_segment: Segment) -> bool:
    return type(segment) is type(other_segment) and getattr(segment, "field", None) == getattr(
        other_segment, "field", None
    )


def slug(text: str) -> str:
    """Return the stem of an id for a text."""
    # Room for a number behind it: ids have at most 40 characters.
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-")[:30] or "segment"
