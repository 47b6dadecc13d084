"""Values of fields in many row keys at once, reads of prefixes of such keys, and the kinds of rows that keys are of."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np

from designer.document import Spec
from designer.document.key import LiteralSegment, Segment, as_bytes
from designer.imports.keys import (
    FixedText,
    FormedText,
    KeyPart,
    KeyShape,
    LetterRun,
    ShapeFinder,
    key_parts,
    key_values_regex,
)
from estimator.results.arrays import Flags, Ints

from .blocks import OPERATION_CODES, EventBlock
from .byte_columns import ByteColumn, Hashes, stands_at
from .events import KEY_MAX

DELIMITERS = frozenset(b"#/|:_-.,;@~")
EXTENDED_SHARE = 0.01
"""Of keys of one form so many are the beginnings of other keys, where they are prefixes."""
_READ, _SCAN = OPERATION_CODES["read"], OPERATION_CODES["scan"]
_MINUS = ord("-")

FoundValues = tuple[Ints, list[ByteColumn]]
"""Places of the keys that have a pattern, in their order, and the values of each field in them."""


class FieldFinder:
    """Finds the values of fields in many keys at once: by expressions one by one, where a pattern has no parts."""

    def __init__(self, spec: Spec, segments: Sequence[Segment], places: Sequence[int]) -> None:
        self._places = frozenset(places)
        self._parts = _fixed_ends(spec, segments)
        self._in_key = re.compile(key_values_regex(spec, segments, places), re.DOTALL)

    def find(self, keys: ByteColumn) -> FoundValues:
        """Return which keys have the pattern, and the values of each field in them."""
        if self._parts is not None:
            return self._find_parts(self._parts, keys)
        matches = [(place, match) for place, match in enumerate(map(self._in_key.fullmatch, keys.cells())) if match]
        columns = [ByteColumn.from_cells([match[n] for _, match in matches]) for n in range(1, len(self._places) + 1)]
        return np.array([place for place, _ in matches], dtype=np.int64), columns

    def _find_parts(self, segment_parts: Sequence[Sequence["_Part"]], keys: ByteColumn) -> FoundValues:
        cursor, bounds = _Cursor(keys), list[tuple[Ints, Ints]]()
        for place, parts in enumerate(segment_parts):
            begins = cursor.at
            *value, after = parts
            for part in value:
                cursor.pass_over(part)
            if place in self._places:
                bounds.append((begins, cursor.at))
            cursor.pass_over(after)
        places = np.flatnonzero(cursor.is_such & (cursor.at == keys.ends))
        return places, [keys.between(begins[places], ends[places]) for begins, ends in bounds]


_Part = tuple[KeyPart, bytes | None]
"""A part, and the letter before which a run of no fixed width ends; empty for the end of the key, None for others."""


def _fixed_ends(spec: Spec, segments: Sequence[Segment]) -> tuple[tuple[_Part, ...], ...] | None:
    """Return the parts of each segment with their ends, its delimiter last; None where a run ends at no letter."""
    segment_parts = key_parts(spec, segments)
    if segment_parts is None:
        return None
    result = []
    for place, (segment, parts) in enumerate(zip(segments, segment_parts, strict=True)):
        after = as_bytes(segment.after).decode("latin-1")
        following = [*parts[1:], FixedText(after)]
        ends = []
        for part, next_part in zip(parts, following, strict=True):
            is_last = place == len(segments) - 1 and part is parts[-1] and not after
            end = _end_of(part, next_part, is_last=is_last)
            if end is None and isinstance(part, LetterRun) and part.width is None:
                return None
            ends.append((part, end))
        result.append((*ends, (FixedText(after), None)))
    return tuple(result)


def _end_of(part: KeyPart, following: KeyPart, *, is_last: bool) -> bytes | None:
    """Return the letter before which a run ends."""
    if is_last:
        return b""
    text = following.text if isinstance(following, FixedText) else ""
    # A run that could take the letter would not end there.
    is_end = isinstance(part, LetterRun) and text and not re.fullmatch(part.letters, text[0], re.DOTALL)
    return text[0].encode("latin-1") if is_end else None


class _Cursor:
    """A place in each of many keys, which moves over the parts of a pattern."""

    def __init__(self, keys: ByteColumn) -> None:
        self._keys, self._buffer, self._ends = keys, keys.buffer, keys.ends
        self.at = keys.starts
        self.is_such = np.ones(len(keys), dtype=np.bool_)
        """False for keys that do not have the pattern: their places mean nothing."""

    def pass_over(self, part: _Part) -> None:
        """Move behind a part, where it stands."""
        form, end = part
        if isinstance(form, FixedText):
            self._pass_text(form.text.encode("latin-1"))
        elif isinstance(form, FormedText):
            self._pass_form(form)
        elif form.width is not None:
            self._move(self.at + form.width)
            self._require_letters(form, self.at - form.width, self.at)
        else:
            assert end is not None
            self._pass_run(form, end)

    def _pass_text(self, text: bytes) -> None:
        if text:
            self._move(self.at + len(text))
            at = np.flatnonzero(self.is_such)
            self.is_such[at] = stands_at(self._buffer, self.at[at] - len(text), text)

    def _pass_form(self, form: FormedText) -> None:
        begins = self.at
        self._move(begins + form.width)
        at = np.flatnonzero(self.is_such)
        texts = self._keys.between(begins[at], self.at[at])
        # A log has few dates, and each is looked at once.
        _, firsts, codes = np.unique(texts.hashes(), return_index=True, return_inverse=True)
        regex = re.compile(form.regex.encode("latin-1"), re.DOTALL)
        is_form = [regex.fullmatch(texts[place]) is not None for place in firsts.tolist()]
        self.is_such[at] = np.array(is_form, dtype=np.bool_)[codes]

    def _pass_run(self, run: LetterRun, end: bytes) -> None:
        begins = self.at
        self._move(self._next(end) if end else self._ends)
        if run.has_sign:
            letters = np.frombuffer(self._buffer + b"\n", dtype=np.uint8)
            begins = begins + (letters[np.minimum(begins, len(self._buffer))] == _MINUS)
        lengths = self.at - begins
        self.is_such &= lengths >= run.least
        if run.most is not None:
            self.is_such &= lengths <= run.most
        if end != _only_end(run):
            self._require_letters(run, begins, self.at)

    def _next(self, letter: bytes) -> Ints:
        """Return where the letter stands next in each key; behind its end where it does not."""
        places = self._keys.places_of(letter)
        return np.append(places, len(self._buffer) + 1)[np.searchsorted(places, self.at)]

    def _move(self, at: Ints) -> None:
        self.is_such &= at <= self._ends
        self.at = at

    def _require_letters(self, run: LetterRun, begins: Ints, ends: Ints) -> None:
        """Require that all letters between are of a run's class."""
        if run.letters == ".":
            return
        (at,) = np.nonzero(self.is_such)
        texts = self._keys.between(begins[at], ends[at])
        is_class = _class_table(run.letters)
        is_of, is_open = np.zeros(at.size, dtype=np.bool_), np.ones(at.size, dtype=np.bool_)
        for places, letters in texts.letters_by_length(KEY_MAX):
            is_of[places] = is_class[letters].all(axis=0)
            is_open[places] = False
        for place in np.flatnonzero(is_open).tolist():
            is_of[place] = bool(is_class[np.frombuffer(texts[place], dtype=np.uint8)].all())
        self.is_such[at] = is_of


def _only_end(run: LetterRun) -> bytes | None:
    """Return the only letter that a run does not take; None where there are others."""
    is_class = _class_table(run.letters)
    return bytes(np.flatnonzero(~is_class).tolist()) if np.count_nonzero(~is_class) <= 1 else None


@lru_cache(maxsize=64)
def _class_table(letters: str) -> Flags:
    """Return which of all letters are of a class."""
    regex = re.compile(letters.encode("latin-1"), re.DOTALL)
    return np.array([regex.fullmatch(bytes((letter,))) is not None for letter in range(256)])


class PrefixFinder:
    """Finds reads of prefixes: of keys that end behind a segment, with its delimiter; a scan's may be without it."""

    def __init__(self, spec: Spec, segments: Sequence[Segment], places: Sequence[int]) -> None:
        self._forms: list[tuple[int, FieldFinder, FieldFinder]] = []
        self._ends = set[int]()
        """Last letters of the prefixes of reads."""
        for number in range(len(segments) - 1, 0, -1):
            last, field_places = segments[number - 1], [place for place in places if place < number]
            bare = last.model_copy(update={"after": ""})
            end = last.after or (last.text if isinstance(last, LiteralSegment) else "")
            if end:
                whole, without = (
                    FieldFinder(spec, (*segments[: number - 1], ending), field_places) for ending in (last, bare)
                )
                self._forms.append((number, whole, without))
                self._ends.add(as_bytes(end)[-1])

    def are_likely(self, events: EventBlock) -> Flags:
        """Return which requests may be such reads: no other is one."""
        if not self._ends:
            return np.zeros(len(events), dtype=np.bool_)
        is_end = np.zeros(256, dtype=np.bool_)
        is_end[sorted(self._ends)] = True
        is_ended = is_end[events.key_column.last_letters()]
        return np.asarray((is_ended & (events.operations == _READ)) | (events.operations == _SCAN))

    def find(self, events: EventBlock) -> tuple[Ints, list[tuple[int, Ints, list[ByteColumn]]]]:
        """Return how many segments the key of each read of a prefix holds, 0 for others; and the values in them.

        These are by the number of segments: the places of its requests, and their values of each field.
        """
        numbers = np.zeros(len(events), dtype=np.int64)
        is_open, found = self.are_likely(events), list[tuple[int, Ints, list[ByteColumn]]]()
        for number, whole, bare in self._forms:
            for finder, is_tried in ((whole, is_open), (bare, is_open & (events.operations == _SCAN))):
                tried = np.flatnonzero(is_tried & (numbers == 0))
                if not tried.size:
                    continue
                places, columns = finder.find(events.key_column.take(tried))
                numbers[tried[places]] = number
                if places.size:
                    found.append((number, tried[places], columns))
        return numbers, found


def find_prefixes(keys: Iterable[bytes], stored: Collection[bytes]) -> set[bytes]:
    """Return the keys that are prefixes of others by their form: they end with a delimiter, and were never written.

    Of each form, by how often it has its last letter, some are the beginnings of other keys; the rows below the rest
    came in no other request.
    """
    ordered = sorted(keys)
    forms: dict[tuple[int, int], list[bytes]] = defaultdict(list)
    for key in ordered:
        if key[-1] in DELIMITERS and key not in stored:
            forms[key[-1], key.count(key[-1:])].append(key)
    # In byte order the keys that a prefix begins follow it directly.
    extended = {key for key, following in pairwise(ordered) if following.startswith(key)}
    prefixes = {
        key for form in forms.values() if len(extended & set(form)) >= EXTENDED_SHARE * len(form) for key in form
    }
    return prefixes if len(prefixes) < len(ordered) else set()


class KindFinder:
    """Tells the kinds of many keys at once: one by one, where values are told by what they look like."""

    def __init__(self, shapes: Sequence[KeyShape]) -> None:
        self._shapes, self._finder = tuple(shapes), ShapeFinder(shapes)

    @cached_property
    def _delimiter(self) -> bytes:
        """The delimiter of all shapes; empty where they are not told by delimiters and words alone."""
        signs = {shape.delimiter for shape in self._shapes}
        has_marks = any(shape.marks for shape in self._shapes)
        return signs.pop().encode("latin-1") if len(signs) == 1 and not has_marks else b""

    def find(self, keys: ByteColumn) -> Ints:
        """Return the place of each key's shape; -1 where it has none of them."""
        if not self._delimiter:
            return np.array(self._finder.find(keys.cells()), dtype=np.int64)
        signs = keys.places_of(self._delimiter)
        firsts, behind = np.searchsorted(signs, keys.starts), np.searchsorted(signs, keys.ends)
        counts, columns = behind - firsts, dict[int, Hashes]()
        kinds = np.full(len(keys), -1, dtype=np.int64)
        for place, shape in enumerate(self._shapes):
            is_such = (kinds < 0) & (counts == shape.count)
            for column, words in shape.words.items():
                if column not in columns:
                    columns[column] = _column(keys, signs, firsts, counts, column).hashes()
                is_such &= np.isin(columns[column], hashes_of(words))
            kinds[is_such] = place
        return kinds


def hashes_of(words: Iterable[str]) -> Hashes:
    """Return the hashes of some words."""
    return ByteColumn.from_cells([word.encode("latin-1") for word in words]).hashes()


def _column(keys: ByteColumn, signs: Ints, firsts: Ints, counts: Ints, number: int) -> ByteColumn:
    """Return a column of each key between its delimiters; empty where a key has fewer."""
    places = np.append(signs, 0)
    last = signs.size
    begins = keys.starts if number == 0 else places[np.minimum(firsts + number - 1, last)] + 1
    ends = np.where(counts > number, places[np.minimum(firsts + number, last)], keys.ends)
    has_column = counts >= number
    return keys.between(np.where(has_column, begins, 0), np.where(has_column, ends, 0))
