"""Keys of several kinds of rows → a group for each kind, by what parts the keys and by the words in them.

`user#17` and `user#17#msg#3` have another number of columns; `user#17` and `day#2026-11-27` have another form behind
their first word. Words with the same form behind them, as regions have, are values of one kind. `u0042#17` and
`d00000042#17` have the same columns: the letters before their numbers and the widths of these tell them apart.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from designer.document.ids import make_unique
from designer.document.key import LiteralSegment, Segment

from .cuts import COMPOSITE, MOST, STRONG, is_text, may_hold_composites
from .fit import sample_evenly

SAMPLE = 20_000
"""So many keys tell their shapes, evenly from all."""
RARE_SHARE, RARE_KEYS = 0.002, 10
"""Fewer keys than that are of no kind of their own."""
PRESENT = 0.1
"""A sign in fewer keys stands in values."""
KINDS_MAX = 6
"""Keys of more numbers of columns are paths, whose depth says nothing."""
WORDS_MAX = 8
ALIKE = 0.95
"""A column has a form that so many of its values have."""
LOOKED_AT = 500
_WORD = re.compile(r"[A-Za-z][A-Za-z_.-]{0,30}")
_ENTITY = re.compile(r"[a-z][a-z_-]{2,}")
MARKED_SHARE = 0.02
"""Values that look otherwise are of a kind of their own if so many of the keys have them: fewer are so by chance."""
WIDTHS_MAX, WIDTH_STEP = 3, 2
"""Numbers of so few widths, each so much longer than the one before, are padded, or of several units."""
_MARKED = re.compile(r"([A-Za-z][A-Za-z_.-]{0,30})?(\d+)")
_HASH = re.compile(r"[0-9a-f]{8,}")
_COMPOSITES = (
    r"(?:[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
    r"|\d{4}[-/.]\d\d[-/.]\d\d(?:[T _]?\d\d:\d\d(?::\d\d(?:[.,]\d{1,6})?)?)?Z?|\d\d:\d\d:\d\d(?:\.\d+)?)"
)
_FORMS: Mapping[str, re.Pattern[str]] = {
    "number": re.compile(r"-?\d+"),
    "composite": COMPOSITE,
    "hash": re.compile(r"[0-9a-f]{8,}"),
}


@dataclass(frozen=True, order=True)
class ValueMark:
    """Looks of a value: the letters before its number, and how long that is; or its other form."""

    form: str
    """`number`, `composite` or `hash`."""
    letters: str = ""
    width: int = 0
    """0: any."""

    @property
    def regex(self) -> str:
        """Regular expression of such values."""
        if self.form == "composite":
            return _COMPOSITES
        if self.form == "hash":
            return _HASH.pattern
        return re.escape(self.letters) + (rf"\d{{{self.width}}}" if self.width else r"\d+")


@dataclass(frozen=True)
class KeyShape:
    """Features of the keys of one kind: the delimiter with its count, and words at some places."""

    delimiter: str = ""
    count: int = 0
    words: Mapping[int, frozenset[str]] = field(default_factory=dict)
    marks: Mapping[int, frozenset["ValueMark"]] = field(default_factory=dict)
    """Looks of values at some places."""

    @property
    def regex(self) -> bytes:
        """Regular expression of the whole key."""
        if not self.delimiter:
            return b".*"
        sign = re.escape(self.delimiter)
        return sign.join(self._column(place) or f"[^{sign}]*" for place in range(self.count + 1)).encode("latin-1")

    def _column(self, place: int) -> str:
        texts = [re.escape(word) for word in sorted(self.words.get(place, ()))]
        texts += [mark.regex for mark in sorted(self.marks.get(place, ()))]
        return f"(?:{'|'.join(texts)})" if texts else ""


def kind_name(segments: Sequence[Segment], fields: Mapping[str, str], used: Collection[str]) -> str:
    """Return a name for the kind of rows with such keys: the last word in them, or what they are made of.

    `fields` has the names of fields by their ids; a name that is used gets a number.
    """
    words = [match[0] for segment in segments for text in _fixed_texts(segment) if (match := _WORD.search(text))]
    parts = (fields.get(getattr(segment, "field", None) or "", segment.kind) for segment in segments)
    name = words[-1] if words else "_".join(parts)[:40] or "rows"
    return make_unique(name, used, ending="", longest=None)


def _fixed_texts(segment: Segment) -> Iterator[str]:
    if isinstance(segment, LiteralSegment):
        yield segment.text
    yield segment.after


def find_shapes(keys: Sequence[bytes]) -> tuple[KeyShape, ...]:
    """Return the shapes of the kinds of rows among keys, the shallowest first; a single one where there is one kind."""
    texts = [key.decode("latin-1") for key in sample_evenly(keys, SAMPLE)]
    # In raw bytes, a delimiter is a value by chance, and its count says nothing.
    if len(texts) >= 2 * RARE_KEYS and sum(map(is_text, texts)) >= MOST * len(texts):
        for sign in filter(str.isprintable, STRONG):
            shapes = _shapes_at(texts, sign)
            if len(shapes) > 1:
                return tuple(sorted(shapes, key=_order))
    return (KeyShape(),)


def _order(shape: KeyShape) -> tuple[int, list[list[str]], list[list[ValueMark]]]:
    return shape.count, sorted(map(sorted, shape.words.values())), sorted(map(sorted, shape.marks.values()))


class ShapeFinder:
    """Tells the kinds of many keys."""

    def __init__(self, shapes: Sequence[KeyShape]) -> None:
        # One expression for all shapes: the number of the group that matched tells which.
        self._regex = re.compile(b"|".join(b"(%b)" % shape.regex for shape in shapes), re.DOTALL)

    def find(self, keys: Sequence[bytes]) -> list[int]:
        """Return the place of each key's shape; -1 where it has none of them."""
        matches = map(self._regex.fullmatch, keys)
        return [-1 if match is None or match.lastindex is None else match.lastindex - 1 for match in matches]


def _shapes_at(texts: Sequence[str], sign: str) -> list[KeyShape]:
    """Return the shapes of keys that a sign parts; none if it does not part them, or they are of one kind."""
    if sum(sign in text for text in texts) < PRESENT * len(texts):
        return []
    groups: dict[int, list[list[str]]] = defaultdict(list)
    has_composites = may_hold_composites(texts)
    for text in texts:
        columns = text.split(sign)
        if has_composites and len(COMPOSITE.sub("0", text).split(sign)) != len(columns):
            return []  # it stands in dates or times
        groups[len(columns) - 1].append(columns)
    least = _least(len(texts))
    usual = _kinds_by_depth({depth: rows for depth, rows in groups.items() if len(rows) >= least}, least)
    if len(usual) > KINDS_MAX or sum(map(len, usual.values())) < MOST * len(texts):
        return []
    return [shape for depth, rows in usual.items() for shape in _shapes_of(sign, depth, rows, least)]


def _shapes_of(sign: str, depth: int, rows: Sequence[Sequence[str]], least: float) -> Iterator[KeyShape]:
    """Yield the shapes of keys of as many columns: by the words in them, or else by what their values look like."""
    words = list(_by_words(rows, least))
    if len(words) > 1:
        yield from (KeyShape(sign, depth, word) for word in words)
    else:
        yield from (KeyShape(sign, depth, marks=marks) for marks in _by_marks(rows, least))


def _least(number: int) -> float:
    return max(RARE_SHARE * number, RARE_KEYS)


def _kinds_by_depth(groups: Mapping[int, Sequence[Sequence[str]]], least: float) -> dict[int, Sequence[Sequence[str]]]:
    """Return the groups that are kinds: a longer one has more than text behind the columns of the next shorter one.

    So it is too where its keys are of several kinds by their words, as event#… and order#… beside user#….
    """
    kinds: dict[int, Sequence[Sequence[str]]] = {}
    for depth in sorted(groups):
        forms = [_form(column) for column in _columns(groups[depth])]
        behind = forms[max(kinds) + 1 :] if kinds else ["word"]
        has_forms = "word" in forms or any(form != "text" for form in behind)
        if has_forms or len(list(_by_words(groups[depth], least))) > 1:
            kinds[depth] = groups[depth]
    return kinds


def _columns(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    return list(zip(*sample_evenly(rows, LOOKED_AT), strict=True))


def _form(values: Collection[str]) -> str:
    """Return what a column holds: a `word`, or values of one form; `text` is any other."""
    if len(set(values)) == 1 and all(map(_WORD.fullmatch, values)):
        return "word"
    for name, regex in _FORMS.items():
        if sum(regex.fullmatch(value) is not None for value in values) >= ALIKE * len(values):
            return name
    return "text"


def _by_words(rows: Sequence[Sequence[str]], least: float) -> Iterator[dict[int, frozenset[str]]]:
    """Yield the words of each kind by their place, for keys of as many columns; none where all are of one kind."""
    for place in range(len(rows[0])):
        usual = {word for word, times in Counter(row[place] for row in rows).items() if times >= least}
        if not 2 <= len(usual) <= WORDS_MAX or not all(map(_WORD.fullmatch, usual)):
            continue
        if sum(row[place] in usual for row in rows) < MOST * len(rows):
            continue
        kinds = _alike({word: [row for row in rows if row[place] == word] for word in sorted(usual)}, place)
        if len(kinds) > 1:
            yield from ({place: words} for words in kinds)
            return
    yield {}


def _alike(groups: Mapping[str, Sequence[Sequence[str]]], place: int) -> list[frozenset[str]]:
    """Return the words in sets, such that the keys of a set have the same form."""
    kinds: list[tuple[list[str], list[Sequence[str]]]] = []
    for word, rows in groups.items():
        columns = _columns([[*row[:place], *row[place + 1 :]] for row in rows])
        for words, others in kinds:
            if all(map(_have_one_form, columns, others)) or not _tell_apart(word, words, columns, others):
                words.append(word)
                break
        else:
            kinds.append(([word], columns))
    return [frozenset(words) for words, _ in kinds]


def _tell_apart(
    word: str, words: Sequence[str], columns: Sequence[Sequence[str]], others: Sequence[Sequence[str]]
) -> bool:
    """Return whether columns of other forms make other kinds: numbers of other lengths do so behind words alone."""
    if any(
        _form(column) != _form(other) or _have_other_widths(column, other)
        for column, other in zip(columns, others, strict=True)
    ):
        return True
    return all(map(_ENTITY.fullmatch, (word, *words)))


def _have_other_widths(values: Sequence[str], others: Sequence[str]) -> bool:
    """Return whether both are numbers, each padded to a width of its own."""
    widths = [set(map(len, column)) for column in (values, others)]
    is_fixed = all(len(width) == 1 for width in widths) and widths[0] != widths[1]
    return is_fixed and all(_form(column) == "number" and _is_padded(column) for column in (values, others))


def _is_padded(values: Sequence[str]) -> bool:
    return any(value.startswith("0") and len(value) > 1 for value in values)


# --- what values look like ---


def _by_marks(rows: Sequence[Sequence[str]], least: float) -> Iterator[dict[int, frozenset[ValueMark]]]:
    """Yield the marks of each kind by their place, for keys of as many columns; none where all are of one kind."""
    for place in range(len(rows[0])):
        values = [row[place] for row in rows]
        if sum(_HASH.fullmatch(value) is not None and not value.isdigit() for value in values) >= MOST * len(values):
            continue  # hashes have letters before numbers by chance
        numbers = list(map(_MARKED.fullmatch, values))
        has_width = _has_several_widths(numbers)
        groups: dict[ValueMark, list[Sequence[str]]] = defaultdict(list)
        forms: dict[tuple[str | None, int], list[Sequence[str]]] = defaultdict(list)
        for value, number, row in zip(values, numbers, rows, strict=True):
            if number is not None:
                forms[number[1], number.end(2) - number.start(2) if has_width else 0].append(row)
            elif (mark := _mark_without_number(value)) is not None:
                groups[mark].append(row)
        for (letters, width), group in forms.items():
            groups[ValueMark("number", letters or "", width)] += group
        usual = {mark: group for mark, group in groups.items() if len(group) >= max(least, MARKED_SHARE * len(rows))}
        if not 2 <= len(usual) <= WORDS_MAX or sum(map(len, usual.values())) < MOST * len(rows):
            continue
        kinds = _marked_kinds(usual, place)
        if len(kinds) > 1:
            yield from ({place: kind} for kind in kinds)
            return
    yield {}


def _has_several_widths(numbers: Sequence[re.Match[str] | None]) -> bool:
    """Return whether the numbers in a column have a few widths with none between them."""
    lengths = Counter(match.end(2) - match.start(2) for match in numbers if match)
    usual = sorted(length for length, times in lengths.items() if times >= MARKED_SHARE * len(numbers))
    steps = (high - low for low, high in pairwise(usual))
    return 2 <= len(usual) <= WIDTHS_MAX and all(step >= WIDTH_STEP for step in steps)


def _mark_without_number(value: str) -> ValueMark | None:
    """Return what a value looks like that is no number; None for any text."""
    if COMPOSITE.fullmatch(value):
        return ValueMark("composite")
    return ValueMark("hash") if _HASH.fullmatch(value) else None


def _marked_kinds(groups: Mapping[ValueMark, Sequence[Sequence[str]]], place: int) -> list[frozenset[ValueMark]]:
    """Return the marks in sets, such that the keys of a set are of one kind."""
    kinds: list[tuple[list[ValueMark], list[Sequence[str]]]] = []
    for mark in sorted(groups):
        columns = _columns([[*row[:place], *row[place + 1 :]] for row in groups[mark]])
        for marks, others in kinds:
            if not any(map(_differ, (mark,) * len(marks), marks)) and all(map(_have_one_form, columns, others)):
                marks.append(mark)
                break
        else:
            kinds.append(([mark], columns))
    return [frozenset(marks) for marks, _ in kinds]


def _differ(mark: ValueMark, other: ValueMark) -> bool:
    """Return whether two marks alone make two kinds: letters alone are values, as those of regions are."""
    return mark.form != other.form or mark.width != other.width


def _have_one_form(values: Sequence[str], others: Sequence[str]) -> bool:
    form = _form(values)
    if form != _form(others):
        return False
    if form == "word":
        return set(values) == set(others)
    if form != "number":
        return True
    low, high = _usual_lengths(values)
    other_low, other_high = _usual_lengths(others)
    return low <= other_high and other_low <= high


def _usual_lengths(values: Sequence[str]) -> tuple[int, int]:
    lengths = sorted(map(len, values))
    # Without the tenth at either end, as a few long numbers do not make another kind.
    return lengths[len(lengths) // 10], lengths[-1 - len(lengths) // 10]
