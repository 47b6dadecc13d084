"""Keys → segments and fields that would make keys like them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from designer.document import Spec
from designer.document.field import Field
from designer.document.ids import make_unique
from designer.document.key import Segment
from designer.document.keytext.ids import assign_ids, slug
from designer.document.texts import Text

from . import cuts
from .columns import SegmentDraft, draft_segments
from .counting import ValueCount
from .fit import sample_evenly
from .hashes import recognise_hashes
from .times import Span, day_digits

SAMPLE = 20_000
"""So many keys tell how they are made, evenly from all."""
ANOTHER_DAY = 0.2
"""Two times of one event can be in two days, at midnight."""
WORDLESS = frozenset(("id", "name", "number", "token", "uuid"))
"""Stems that only say what the values look like."""
_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{1,30}")
SAME_OWNER = 20
"""So often a value must have been seen again, always with the same owner, to belong to it."""


@dataclass(frozen=True)
class SegmentObservation:
    """Observations about one segment."""

    segment: str
    field: str
    """Id of the field that it would be of; empty for a text, a time or a hash."""
    what: Text
    count: ValueCount | None
    bytes_min: int
    bytes_max: int


@dataclass(frozen=True)
class Proposal:
    """A pattern, the new fields that it needs, and what was seen of each segment."""

    segments: tuple[Segment, ...]
    fields: tuple[Field, ...]
    observations: tuple[SegmentObservation, ...]


def propose(spec: Spec, keys: Sequence[bytes], *, near: Span | None = None) -> Proposal:
    """Return the pattern that most of the keys follow, without segments if there are too few keys.

    `near` tells when the keys were used, where that is known: a date of that time is one, though it is the only one.
    """
    texts = [key.decode("latin-1") for key in sample_evenly(keys, SAMPLE)]
    if len(texts) < 2:
        return Proposal((), (), ())
    drafts = [_fill_leading_literal(draft) for draft in recognise_hashes(list(_draft_segments(texts, near)))]
    # Hashes are found first: whether a number was hashed with its zeros decides whether it is a number or a text.
    drafts = [_match_hashed_form(place, draft, drafts) for place, draft in enumerate(drafts)]
    drafts = [_separate_time(place, draft, drafts) for place, draft in enumerate(drafts)]
    drafts = [_name_by_word(draft, before) for before, draft in zip([None, *drafts], drafts, strict=False)]
    fields = _fields(spec, drafts)
    parts = [_segment_data(draft, place, fields) for place, draft in enumerate(drafts)]
    segments = assign_ids(spec, parts, (), used_ids={field.id for field in fields.values()})
    return Proposal(
        segments, tuple(fields.values()), tuple(_observe(*pair, fields) for pair in zip(segments, drafts, strict=True))
    )


def _draft_segments(texts: Sequence[str], near: Span | None) -> Iterator[SegmentDraft]:
    cut = cuts.cut_keys(texts)
    alone = len(cut.columns) == 1
    for column, after in zip(cut.columns, cut.after, strict=True):
        *most, last = draft_segments(column, only_column=alone, near=near)
        yield from most
        yield last.with_delimiter(after) if after else last


def _fill_leading_literal(draft: SegmentDraft) -> SegmentDraft:
    """Return the draft with a leading delimiter as literal text."""
    segment = draft.segment
    if segment["kind"] == "literal" and not segment["text"]:
        return replace(draft, segment={**segment, "text": segment.get("after", ""), "after": ""})
    return draft


def _match_hashed_form(place: int, draft: SegmentDraft, segment_drafts: Sequence[SegmentDraft]) -> SegmentDraft:
    """Return the draft of a number that was hashed with its leading zeros as text."""
    plain = any(place in d.segment.get("of", ()) and d.segment["plain"] for d in segment_drafts)
    pads = draft.segment.get("transforms", ())
    if not plain or draft.field is None or not pads or pads[0]["kind"] != "pad":
        return draft
    values = {"kind": "pattern", "text": f"{{n:0{pads[0]['width']}}}", "start": min(draft.field["values"]["min"], 1)}
    bare = {name: value for name, value in draft.segment.items() if name != "transforms"}
    return replace(draft, segment=bare, field={"kind": "string", "values": values})


def _separate_time(place: int, draft: SegmentDraft, segment_drafts: Sequence[SegmentDraft]) -> SegmentDraft:
    """Return the draft, with a time turned into a field if it is not the event's time.

    That is so if it is often on another day than the first time of the key.
    """
    first = next((d for d in segment_drafts[:place] if d.segment["kind"] == "time"), None)
    # The first time of a key is the event's; a second one that is often on another day is a value, such as a date of
    # birth.
    if first is None or draft.segment["kind"] != "time":
        return draft
    pairs = zip(day_digits(first.values, first.segment), day_digits(draft.values, draft.segment), strict=True)
    apart = [first_digits[: len(two)] != two[: len(first_digits)] for first_digits, two in pairs]
    if sum(apart) <= ANOTHER_DAY * len(apart):
        return draft
    return replace(draft, field={"kind": "timestamp"}, stem="time")


def _name_by_word(draft: SegmentDraft, before: SegmentDraft | None) -> SegmentDraft:
    """Return the draft named by the word before it, as in user#17, if its values give it no name."""
    if before is None or before.segment["kind"] != "literal" or draft.stem not in WORDLESS:
        return draft
    match = _WORD.fullmatch(before.segment["text"].strip("#/|:_-. "))
    if match is None:
        return draft
    word = match[0].lower()
    return replace(draft, stem=word if word.endswith("id") else f"{word}_id")


# --- fields -----------------------------------------------------------------------------------------------------


def _fields(spec: Spec, segment_drafts: Sequence[SegmentDraft]) -> dict[int, Field]:
    """Return the fields by the place of their segment, for the segments that have one."""
    used_ids, names = set(spec.by_id), {"time", *(field.name for field in spec.fields)}
    fields: dict[int, Field] = {}
    for place, draft in enumerate(segment_drafts):
        if draft.field is None:
            continue
        name = make_unique(re.sub(r"\W+", "_", draft.stem), names, ending="")
        names.add(name)
        chosen = make_unique(slug(name), used_ids)
        used_ids.add(chosen)
        owner = next((fields[n].id for n in fields if _has_owner(draft, segment_drafts[n])), None)
        fields[place] = _build_field(draft, {"id": chosen, "name": name}, owner)
    return fields


def _build_field(draft: SegmentDraft, name: Mapping[str, Any], owner: str | None) -> Field:
    data = {**name, **(draft.field or {}), **({"belongs_to": owner} if owner else {})}
    try:
        field = Field.model_validate(data)
    except ValidationError:  # values that no document can hold, such as half characters
        field = Field.model_validate(name)
    if draft.count is None or data.get("values", {}).get("kind") == "enumeration":
        return field
    most = field.capacity
    distinct = max(1, draft.count.estimate if most is None else min(draft.count.estimate, most))
    return field.model_copy(update={"distinct": distinct})


def _has_owner(draft: SegmentDraft, owner: SegmentDraft) -> bool:
    """Return whether every value has always occurred with the same owner, and often enough to be reliable."""
    if owner.count is None or draft.count is None or not 1 < owner.count.seen < draft.count.seen:
        return False
    again, of = 0, dict[str, str]()
    for value, owner_value in zip(draft.values, owner.values, strict=True):
        if of.setdefault(value, owner_value) != owner_value:
            return False
        again += 1
    # Values that came once each have one owner anyway; only those that came again say something.
    return again - len(of) >= SAME_OWNER and len(of) <= 0.8 * again


def _segment_data(draft: SegmentDraft, place: int, fields: Mapping[int, Field]) -> dict[str, Any]:
    """Return the segment as data, with the ids of its fields."""
    part = {name: value for name, value in draft.segment.items() if name not in ("of", "plain")}
    if part["kind"] in ("field", "time") and place in fields:
        part["field"] = fields[place].id
    if "of" in draft.segment:
        part["fields"] = [fields[n].id for n in draft.segment["of"]]
    return part


def _observe(segment: Segment, draft: SegmentDraft, fields: Mapping[int, Field]) -> SegmentObservation:
    field_id = getattr(segment, "field", None) or ""
    sizes = [len(value) for value in draft.values]
    return SegmentObservation(segment.id, field_id, draft.what, draft.count, min(sizes), max(sizes))
