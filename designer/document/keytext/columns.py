"""Primary-key columns as one line, both ways: `[card] {card} | [day INTEGER] {time:day} | [seq INTEGER auto]`.

A bar parts columns; `||` is a bar in a key. What stands in brackets before a column's segments is its name (in quotes
where it is no word), its type unless STRING, and `auto`; a column of text without a name needs none.
"""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import cast, get_args

from ..design import Spec
from ..field import Field
from ..ids import make_unique
from ..key import ColumnType, KeyColumn, LiteralSegment, Segment
from ..texts import N_, TextList
from .ids import slug
from .read import parse_key
from .render import render_key
from .scanning import KeyTextError, check_length

MOST_COLUMNS = 64
"""Tablestore takes four."""
TYPES = get_args(ColumnType)
AUTO = "auto"
_NAME = re.compile(r"[^\W\d]\w*")
_HEAD = re.compile(r'\[((?:"(?:[^"]|"")*"|[^"\]])*)\]')
_WORD = re.compile(r'"(?:[^"]|"")*"|[^\s"]+')
_TYPED_HEAD = re.compile(rf"\[[^\[\]]*\b(?:{'|'.join(TYPES)})\b[^\[\]]*\]")
"""Behind a key, the head of a column whose bar was forgotten rather than text; as text, its bracket is `\\x5b`."""


@dataclass(frozen=True)
class ParsedColumns:
    """Columns read from a text, and the fields that they name and the design does not have yet."""

    columns: tuple[KeyColumn, ...]
    new_fields: tuple[Field, ...]


def render_columns(spec: Spec, columns: Sequence[KeyColumn]) -> str:
    """Return the text form of primary-key columns."""
    return " | ".join(_render_column(spec, column) for column in columns)


def _render_column(spec: Spec, column: KeyColumn) -> str:
    key = render_key(spec, column.segments)
    if key[:1] in ("[", " "):  # a literal, which would be read as the column's name, or not at all
        # Behind another text, the literal is written in braces, where a bracket means nothing special.
        key = render_key(spec, (LiteralSegment(id="x", text="x"), *column.segments))[1:]
    for at in reversed(_typed_heads(key)):
        key = f"{key[:at]}\\x5b{key[at + 1 :]}"
    parts = [_render_head(column), _escape_bars(key)]
    return " ".join(part for part in parts if part) or "[]"


def _render_head(column: KeyColumn) -> str:
    words = []
    if column.name:
        # A column that is called INTEGER or auto is quoted: bare, the word would be read as a type.
        plain = _NAME.fullmatch(column.name) and column.name not in (*TYPES, AUTO)
        words.append(column.name if plain else '"' + column.name.replace('"', '""') + '"')
    words += [column.type] if column.type != "STRING" else []
    words += [AUTO] if column.auto_increment else []
    return f"[{' '.join(words)}]" if words else ""


def parse_columns(
    spec: Spec, text: str, *, previous: Sequence[KeyColumn] = (), new_fields: bool = False
) -> ParsedColumns:
    """Parse a text into primary-key columns.

    A column keeps its id from `previous` if a column of the same name (else at the same position) is still
    present; segments keep their ids as in `parse_key`.

    Raises
    ------
    KeyTextError
        If the text is no list of columns.
    """
    check_length(text)
    fields_by_id: dict[str, Field] = {}
    read: list[tuple[KeyColumn, KeyColumn | None]] = []
    remaining = list(previous)
    for at, part in _split_columns(text):
        if len(read) == MOST_COLUMNS:
            raise KeyTextError(at, N_("a key has at most {most} columns"), most=MOST_COLUMNS)
        name, kind, auto, key, key_at = _read_head(at, part)
        if heads := _typed_heads(key):
            raise KeyTextError(key_at + heads[0], N_("write a bar before each further column: [a] … | [b INTEGER] …"))
        # Found columns are taken from the list, so that two new columns never get the id of the same old one.
        before = next((c for c in remaining if c.name == name), remaining[0] if remaining and not name else None)
        if before is not None:
            remaining.remove(before)
        # A field that an earlier column made is known in the later ones: {user} | {user} is one field.
        extended_spec = spec.model_copy(update={"fields": (*spec.fields, *fields_by_id.values())})
        segments, fields = _parse_segments(extended_spec, key, key_at, before=before, new_fields=new_fields)
        fields_by_id |= {field.id: field for field in fields}
        read.append((KeyColumn(id="x", name=name, type=kind, auto_increment=auto, segments=segments), before))
    return ParsedColumns(
        tuple(_assign_ids(spec, read, previous, used_ids=fields_by_id.keys())), tuple(fields_by_id.values())
    )


def _assign_ids(
    spec: Spec, read: Sequence[tuple[KeyColumn, KeyColumn | None]], previous: Sequence[KeyColumn], *, used_ids: Set[str]
) -> Iterator[KeyColumn]:
    """Each column with its own id and its segments';

    new fields, whose ids are `used_ids`, may be called as a column.
    """
    known_ids = {*spec.by_id, *used_ids, *(c.id for c in previous), *(s.id for c in previous for s in c.segments)}
    for column, before in read:
        segments = _new_ids(column.segments, before, known_ids)
        chosen = before.id if before is not None else make_unique(slug(column.name or "column"), known_ids)
        known_ids.add(chosen)
        yield column.model_copy(update={"id": chosen, "segments": segments})


def _parse_segments(
    spec: Spec, key: str, at: int, *, before: KeyColumn | None, new_fields: bool
) -> tuple[tuple[Segment, ...], tuple[Field, ...]]:
    try:
        parsed_key = parse_key(spec, key, previous=before.segments if before else (), new_fields=new_fields)
    except KeyTextError as wrong:
        # The place is counted from the beginning of the whole line, where the editor marks it.
        raise KeyTextError(at + wrong.at, wrong.message, **wrong.params) from wrong
    return parsed_key.segments, parsed_key.new_fields


def _new_ids(segments: Sequence[Segment], before: KeyColumn | None, used_ids: set[str]) -> tuple[Segment, ...]:
    """Ids that no other column's segments have."""
    own = {segment.id for segment in before.segments} if before else set[str]()
    out = []
    for segment in segments:
        # Each column was read by itself, so that two could have made the same new id.
        chosen = segment.id if segment.id in own else make_unique(segment.id, used_ids)
        used_ids.add(chosen)
        out.append(segment.model_copy(update={"id": chosen}))
    return tuple(out)


def _read_head(at: int, part: str) -> tuple[str, ColumnType, bool, str, int]:
    """Name, type, whether it counts by itself, the key's text and where that begins."""
    lead = len(part) - len(part.lstrip(" "))
    match = _HEAD.match(part, lead)
    if match is None:
        return "", "STRING", False, _unescape_bars(part[lead:]), at + lead
    name, kind, auto = "", "STRING", False
    for word in _WORD.findall(match[1]):
        if word.startswith('"'):
            name = word[1:-1].replace('""', '"')
        elif word in TYPES:
            kind = word
        elif word == AUTO:
            auto = True
        elif not name:
            name = word
        else:
            message = N_("a column has a name, one of the types {types}, and auto; {word} is none of them")
            raise KeyTextError(at + match.start(1), message, types=TextList(TYPES), word=word)
    key = part[match.end() :]
    behind = len(key) - len(key.lstrip(" "))
    return name, cast(ColumnType, kind), auto, _unescape_bars(key[behind:]), at + match.end() + behind


def _split_columns(text: str) -> Iterator[tuple[int, str]]:
    """Yield the columns' texts and their start positions, split at single bars outside braces and brackets."""
    start, at = 0, _head_end(text, 0)
    plain = _outside_braces(text)
    if not text.strip():
        return
    while at < len(text):
        if text[at] == "|" and plain[at]:
            if text[at + 1 : at + 2] == "|":
                at += 1
            else:
                yield start, text[start:at].removesuffix(" ")
                start = at + 1
                # A bar within a quoted column name in brackets parts nothing; one less, since the loop adds one.
                at = _head_end(text, start) - 1
                # Counted anew: quotes and braces in the head of the next column are not those of a key.
                plain[start:] = _outside_braces(text[start:])
        at += 1
    yield start, text[start:]


def _typed_heads(key: str) -> list[int]:
    """Return where heads of columns begin behind a column's first sign, outside of braces."""
    if "[" not in key:
        return []
    plain = _outside_braces(key)
    return [match.start() for match in _TYPED_HEAD.finditer(key, 1) if plain[match.start()]]


def _head_end(text: str, start: int) -> int:
    """Return the position at which a column's key begins."""
    lead = start + len(text[start:]) - len(text[start:].lstrip(" "))
    match = _HEAD.match(text, lead)
    return match.end() if match else start


def _outside_braces(text: str) -> list[bool]:
    """Return whether each character is outside braces."""
    out, at, inside, quoted = [False] * len(text), _head_end(text, 0), False, False
    while at < len(text):
        sign = text[at]
        if inside:
            # Within quotes, a brace does not end the segment. A doubled quote ends and begins again.
            quoted ^= sign == '"'
            inside = quoted or sign != "}"
        elif text[at : at + 2] in ("{{", "}}"):
            at += 1
        else:
            inside = sign == "{"
            out[at] = not inside
        at += 1
    return out


def _escape_bars(key: str) -> str:
    return "".join(
        "||" if sign == "|" and plain else sign for sign, plain in zip(key, _outside_braces(key), strict=True)
    )


def _unescape_bars(key: str) -> str:
    plain, out, at = _outside_braces(key), [], 0
    while at < len(key):
        out.append(key[at])
        at += 2 if key[at : at + 2] == "||" and plain[at] else 1
    return "".join(out)
