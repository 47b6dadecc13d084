"""Pairs of keys that show what a delimiter does: two tuples that render alike, or that sort in a surprising order."""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from designer.document.key import as_bytes
from estimator.results import Witness

from ..patterns.cells import TimeSpans
from ..patterns.pattern import Constant, KeyPattern, Level
from ..patterns.table import TextColumn, ValueTable
from ..patterns.times import CalendarText, TimeSteps
from ..patterns.uniform import CountedValues, UniformText
from ..rendering.texts import Texts
from .text_prefixes import LevelTexts, State, Word

STEPS_MOST = 20_000
"""Words looked at in search of two tuples with one key: then the search gives up, and says nothing."""

PAIRS_MOST = 400


def find_ambiguous_keys(pattern: KeyPattern) -> Witness | None:
    """Two different tuples that render to one key; None where the key decodes uniquely (or no such pair was found)."""
    search = _Search(pattern)
    for place, level in enumerate(pattern.levels[:-1]):
        # Two readings of one key separate at a segment where one text begins the other, so a prefix-free segment
        # cannot be the place. A table of random texts holds a sample, and says nothing about the texts that it leaves
        # out.
        if level.order.prefix_free and search.words[place].random_text is None:
            continue
        start = _first_words(pattern, place)
        if start is None:
            continue
        texts, state = start
        for shorter, longer in search.words[place].pairs(state, PAIRS_MOST):
            # As in the test of Sardinas and Patterson for unique decodability (1953), only the dangling suffix
            # matters: what the longer reading is ahead must be spelled by the segments behind the shorter one.
            rest = longer[0][len(shorter[0]) :]
            match = search.find_match(place + 1, shorter[1], place + 1, longer[1], rest)
            if match is not None:
                first, second = [*texts, shorter[0], *match[0]], [*texts, longer[0], *match[1]]
                return _witness(pattern, first, second, level.segment.id)
            if search.steps > STEPS_MOST:
                return None
    return None


def _first_words(pattern: KeyPattern, place: int) -> tuple[list[bytes], State] | None:
    """Return any texts for the segments before `place`, and the state after them."""
    state: State = tuple(component.full for component in pattern.components)  # type: ignore[union-attr]
    texts = []
    for level in pattern.levels[:place]:
        words = LevelTexts(pattern, level)
        options = words.few_texts(state, 1)
        chosen = (
            next((w for w in words.prefixes_of(state, options[0]) if w[0] == options[0]), None) if options else None
        )
        chosen = chosen or next(words.prefixes_of(state, b""), None)
        if chosen is None:
            return None
        texts.append(chosen[0])
        state = chosen[1]
    return texts, state


class _Search:
    """Two ways of reading one key, the one that is behind catching up with what the other has more."""

    def __init__(self, pattern: KeyPattern) -> None:
        self.words = [LevelTexts(pattern, level) for level in pattern.levels]
        self.steps = 0

    def find_match(
        self, behind: int, state: State, ahead: int, other: State, rest: bytes
    ) -> tuple[list[bytes], list[bytes]] | None:
        """Texts for the one behind (from its level `behind`) and the one ahead that end alike."""
        self.steps += 1
        if self.steps > STEPS_MOST:
            return None
        end = len(self.words)
        if behind == end:
            return ([], []) if not rest and ahead == end else None
        for word, after in self._candidate_words(behind, state, ahead, other, rest):
            if len(word) <= len(rest):
                match = self.find_match(behind + 1, after, ahead, other, rest[len(word) :])
                if match is not None:
                    return [word, *match[0]], match[1]
            else:
                # The word overtakes the other reading: the roles swap, and the new suffix is what it has more.
                turned = self.find_match(ahead, other, behind + 1, after, word[len(rest) :])
                if turned is not None:
                    return [word, *turned[1]], turned[0]
        return None

    def _candidate_words(self, behind: int, state: State, ahead: int, other: State, rest: bytes) -> Iterator[Word]:
        yield from self.words[behind].prefixes_of(state, rest)
        # The last word of the reading behind must end exactly where the other reading can end, so its endings are
        # tried first. Elsewhere a few extensions are enough to show a collision.
        last = behind == len(self.words) - 1
        ends = self.words[ahead].few_texts(other, 64) if ahead < len(self.words) and last else []
        yield from self.words[behind].extensions_of(state, rest, ends, 24 if not last else 200)


def _witness(pattern: KeyPattern, first: list[bytes], second: list[bytes], segment: str) -> Witness:
    def values(texts: list[bytes]) -> tuple[str, ...]:
        pairs = zip(texts, pattern.levels, strict=True)
        return tuple(pattern.value_text(level.segment.id, _value(text, level)) for text, level in pairs)

    keys = [pattern.readable_key(b"".join(texts)) for texts in (first, second)]
    return Witness(values(first), values(second), keys[0], keys[1], segment)


def _value(text: bytes, level: Level) -> bytes:
    after = as_bytes(level.segment.after)
    return text[: len(text) - len(after)]


def find_misordered_keys(pattern: KeyPattern) -> tuple[Witness, ...]:
    """Per delimiter at most one pair whose tuple order and key order differ, all other values alike."""
    witnesses = []
    for place, level in enumerate(pattern.levels[:-1]):
        after = as_bytes(level.segment.after)
        pair = _find_misordered(pattern, level, after) if after else None
        if pair is not None:
            first, second = (_full_key_texts(pattern, place, word) for word in pair)
            witnesses.append(_witness(pattern, first, second, level.segment.id))
    return tuple(witnesses)


def _find_misordered(
    pattern: KeyPattern, level: Level, after: bytes
) -> tuple[tuple[bytes, int], tuple[bytes, int]] | None:
    """Two texts (with the row or number that has them) whose values sort the other way round without the delimiter."""
    order = level.order
    if isinstance(order, CountedValues | TimeSteps):
        return _find_misordered_numbers(order, pattern, after)
    if not isinstance(order, TextColumn):
        return None
    return _find_misordered_rows(pattern.components[level.component], order, after)  # type: ignore[arg-type]


def _find_misordered_numbers(
    order: CountedValues | TimeSteps, pattern: KeyPattern, after: bytes
) -> tuple[tuple[bytes, int], tuple[bytes, int]] | None:
    if isinstance(order, CountedValues):
        low, high = order.full
    else:
        low, high = (order.number(int(s * 1e6)) for s in (pattern.inputs.first_s, pattern.inputs.end_s))
        if order.top is not None:
            return None
    blocks = [(a, b) for a, b in order.digits.blocks(low, high + 1) if a >= 0]
    for (a, b), (c, d) in pairwise(blocks):
        radix = order.digits.radix
        # The smallest number of this length whose tenfold has one digit more, for example 1 and 10. With "~" as
        # delimiter "10~" sorts before "1~", because "0" is less than "~", although 1 is less than 10.
        number = max(a, -(-c // radix))
        first, second = order.digits.text(number), order.digits.text(number * radix)
        if (
            number < b
            and c <= number * radix < d
            and first > second
            and second.startswith(first[: len(first) - len(after)])
        ):
            return (first, number), (second, number * radix)
    return None


def _find_misordered_rows(
    table: ValueTable | TimeSpans, column: TextColumn, after: bytes
) -> tuple[tuple[bytes, int], tuple[bytes, int]] | None:
    if column.texts.is_fixed:
        return None
    depth = table.columns.index(column)
    values = Texts(column.texts.data, column.texts.length - len(after))
    # `Texts` are sorted by their padded rows, so the bytes of the delimiter that was cut off must be zero.
    values = Texts(np.where(np.arange(values.data.shape[1]) < values.length[:, None], values.data, 0), values.length)
    order, _ = values.order()
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    starts = table.groups(depth)
    group = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    rows = np.lexsort((rank[column.codes], group))
    # Rows in the order of their values. If any pair within a group is out of order by text, some neighbours are.
    left_codes, two = column.codes[rows[:-1]], column.codes[rows[1:]]
    near = (group[rows[:-1]] == group[rows[1:]]) & (
        left_codes > two
    )  # the value is smaller, the text with delimiter greater
    places = np.flatnonzero(near)
    if len(places) == 0:
        return None
    at = int(places[0])
    first, second = int(rows[at]), int(rows[at + 1])
    return (column.strings[left_codes[at]], first), (column.strings[two[at]], second)


def _full_key_texts(pattern: KeyPattern, place: int, chosen: tuple[bytes, int]) -> list[bytes]:
    """Return the texts of a full key in which one segment's text is given by its row, number or time."""
    text, at = chosen
    out = []
    for level in pattern.levels:
        order, component = level.order, pattern.components[level.component]
        same = level.component == pattern.levels[place].component and level.component >= 0
        if level is pattern.levels[place]:
            out.append(text)
        elif isinstance(order, Constant):
            out.append(order.text)
        elif isinstance(order, TextColumn):
            out.append(order.strings[order.codes[at if same else 0]])
        elif isinstance(order, UniformText):
            out.append(order.text(0.5))
        elif isinstance(order, CountedValues):
            out.append(order.digits.text(component.full[0]))  # type: ignore[arg-type, union-attr]
        else:
            assert isinstance(order, TimeSteps | CalendarText)
            source = pattern.levels[place].order
            time_us = int(pattern.inputs.start_s * 1e6)
            out.append(order.text(source.first_us(at) if same and isinstance(source, TimeSteps) else time_us))
    return out
