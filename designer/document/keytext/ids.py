"""Ids of segments that were read: those of the segments that they continue, else new ones."""

import re
from collections.abc import Sequence, Set
from typing import Any

from pydantic import TypeAdapter

from ..design import Spec
from ..key import Segment

SEGMENT: TypeAdapter[Segment] = TypeAdapter(Segment)


def with_ids(
    spec: Spec, parts: list[dict[str, Any]], previous: Sequence[Segment], *, taken: Set[str] = frozenset()
) -> tuple[Segment, ...]:
    """Segments with the ids of the previous ones that they continue: the same, else alike in kind and field.

    `taken` are ids that new elements beside the document have got.
    """
    left = list(previous)
    chosen: list[str | None] = [None] * len(parts)
    drafts = [SEGMENT.validate_python({**part, "id": "x"}) for part in parts]
    for alike in (_same, _same_but_delimiter, _same_subject):
        for place, draft in enumerate(drafts):
            if chosen[place] is None:
                match = next((s for s in left if alike(s, draft)), None)
                if match is not None:
                    left.remove(match)
                    chosen[place] = match.id
    taken = {*spec.by_id, *(s.id for s in previous), *taken}
    for place, part in enumerate(parts):
        if chosen[place] is None:
            chosen[place] = unique(slug(part.get("field") or part.get("text") or part["kind"]), taken)
            taken.add(chosen[place] or "")
    return tuple(SEGMENT.validate_python({**part, "id": name}) for part, name in zip(parts, chosen, strict=True))


def _same(one: Segment, other: Segment) -> bool:
    return one.model_copy(update={"id": "x"}) == other


def _same_but_delimiter(one: Segment, other: Segment) -> bool:
    return one.model_copy(update={"id": "x", "after": ""}) == other.model_copy(update={"after": ""})


def _same_subject(one: Segment, other: Segment) -> bool:
    return type(one) is type(other) and getattr(one, "field", None) == getattr(other, "field", None)


def slug(text: str) -> str:
    """Return the stem of an id for a text."""
    return re.sub(r"[^a-z0-9_-]+", "-", text.lower()).strip("-")[:30] or "segment"


def unique(stem: str, taken: set[str]) -> str:
    """Return the stem, or the stem with the first number that makes it unique."""
    if stem not in taken:
        return stem
    return next(f"{stem}-{n}" for n in range(2, len(taken) + 3) if f"{stem}-{n}" not in taken)
