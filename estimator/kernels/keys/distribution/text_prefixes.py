"""Texts that a segment can have, by their beginnings, for the search for ambiguous keys."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from designer.document.key import FieldSegment, as_bytes

from ..patterns.pattern import Constant, KeyPattern, Level
from ..patterns.table import TextColumn
from ..patterns.times import CalendarText, TimeSteps
from ..patterns.uniform import CountedValues, UniformText
from ..rendering import render
from ..values.shape import Random

State = tuple[tuple[float, float], ...]
Word = tuple[bytes, State]
"""A text and the state of all components after it."""


@dataclass(frozen=True, eq=False)
class LevelTexts:
    """The texts of one level, given what was chosen before."""

    pattern: KeyPattern
    level: Level

    @property
    def random_text(self) -> Random | None:
        """The random text that stands alone in its component: any text of its alphabet can be a value."""
        segment, place = self.level.segment, self.level.component
        if not isinstance(segment, FieldSegment) or segment.transforms or not isinstance(self.level.order, TextColumn):
            return None
        values = self.pattern.shapes[segment.field].values
        alone = sum(level.component == place for level in self.pattern.levels) == 1
        # Beside other segments of its table, a text is bound to the row that was chosen there and is not free.
        return values if isinstance(values, Random) and alone else None

    def prefixes_of(self, state: State, text: bytes) -> Iterator[Word]:
        """Words that `text` begins with."""
        if isinstance(self.level.order, Constant):
            if text.startswith(self.level.order.text):
                yield self.level.order.text, state
            return
        language = self.random_text
        if language is not None:
            for size in range(len(text) + 1):
                if self._can_generate(language, text[:size]):
                    yield text[:size], state
            return
        place = self.level.component
        _, hits = self.level.order.split(*state[place], text)
        for low, high, size in hits:
            if low < high:
                yield text[:size], (*state[:place], (low, high), *state[place + 1 :])

    def extensions_of(self, state: State, text: bytes, ends: Sequence[bytes], maximum: int) -> Iterator[Word]:
        """Yield some words longer than `text` that begin with it, first those that end in one of `ends`."""
        for end in ends:
            yield from (
                (word, after) for word, after in self.prefixes_of(state, text + end) if word == text + end != text
            )
        yield from islice(self._extensions(state, text), maximum)

    def _extensions(self, state: State, text: bytes) -> Iterator[Word]:
        order, place = self.level.order, self.level.component
        if isinstance(order, Constant):
            if order.text.startswith(text) and order.text != text:
                yield order.text, state
        elif isinstance(order, TextColumn) and self.random_text is None:
            yield from self._column_extensions(order, state, text)
        elif isinstance(order, UniformText):
            yield from self.prefixes_of(state, text + order.text(0.0)[len(text) :])
        elif isinstance(order, CountedValues):
            low, high = state[place]
            for number in _numbers(order, int(low), int(high)):
                word = order.digits.text(number)
                if word.startswith(text) and word != text:
                    yield word, (*state[:place], (number, number + 1), *state[place + 1 :])
        elif isinstance(order, TimeSteps | CalendarText):
            word = order.text(int(state[place][0]))
            if word.startswith(text) and word != text:
                yield from self.prefixes_of(state, word)

    def _column_extensions(self, column: TextColumn, state: State, text: bytes) -> Iterator[Word]:
        place = self.level.component
        low, high = (int(end) for end in state[place])
        strings, codes = column.strings, column.code_list
        at = bisect_left(codes, bisect_left(strings, text), low, high)
        while at < high:
            word, code = strings[codes[at]], codes[at]
            if not word.startswith(text):
                return
            end = bisect_left(codes, code + 1, at, high)
            if word != text:
                yield word, (*state[:place], (at, end), *state[place + 1 :])
            at = end

    def few_texts(self, state: State, maximum: int) -> list[bytes]:
        """Return a few words."""
        language, segment = self.random_text, self.level.segment
        if language is None or not isinstance(segment, FieldSegment):
            return [word for word, _ in islice(self._extensions(state, b""), maximum)]
        letters = render.letters(language, self.pattern.shapes[segment.field].kind)
        after = as_bytes(segment.after)
        # Extreme letters are the most likely to collide with a delimiter that sorts at one end of the alphabet.
        heads = [letters[0], letters[-1]]
        sizes = range(language.min, min(language.max, language.min + 2) + 1)
        return [head * size + after for head in heads for size in sizes][:maximum]

    def pairs(self, state: State, maximum: int) -> Iterator[tuple[Word, Word]]:
        """Two words of which the first begins the second."""
        order = self.level.order
        language = self.random_text
        if language is not None:
            yield from self._random_text_pairs(language, state)
        elif isinstance(order, TextColumn):
            yield from islice(self._column_pairs(order, state), maximum)
        elif isinstance(order, CountedValues):
            place = self.level.component
            low, high = (int(end) for end in state[place])
            for number in islice(_numbers(order, low, high), maximum):
                # A number's text begins exactly those of the numbers that append digits to it: 12 begins 120…129.
                for digit in range(order.digits.radix):
                    longer = number * order.digits.radix + digit
                    if low <= longer < high and order.digits.text(longer).startswith(order.digits.text(number)):
                        words = [
                            (order.digits.text(n), (*state[:place], (n, n + 1), *state[place + 1 :]))
                            for n in (number, longer)
                        ]
                        yield words[0], words[1]

    def _column_pairs(self, column: TextColumn, state: State) -> Iterator[tuple[Word, Word]]:
        place = self.level.component
        low, high = (int(end) for end in state[place])
        stack: list[Word] = []
        for word, after in self._column_extensions(column, (*state[:place], (low, high), *state[place + 1 :]), b""):
            # Words ascend in byte order, so those that begin the current word form a stack: 1, 12, 123.
            while stack and not word.startswith(stack[-1][0]):
                stack.pop()
            for shorter in stack:
                yield shorter, (word, after)
            stack.append((word, after))

    def _random_text_pairs(self, language: Random, state: State) -> Iterator[tuple[Word, Word]]:
        """Yield pairs of a shorter and a longer text; with a delimiter, the longer one contains it."""
        after = as_bytes(self.level.segment.after)
        for short in self.few_texts(state, 4):
            for filler in self.few_texts(state, 4):
                value = filler[: len(filler) - len(after)] if after else filler
                for longer in (short + value[:1] + after, short + value + after):
                    if longer != short and self._can_generate(language, longer):
                        yield (short, state), (longer, state)

    def _can_generate(self, language: Random, text: bytes) -> bool:
        after = as_bytes(self.level.segment.after)
        if not text.endswith(after):
            return False
        value = text[: len(text) - len(after)]
        segment = self.level.segment
        assert isinstance(segment, FieldSegment)
        if self.pattern.shapes[segment.field].kind == "bytes":
            return language.min <= len(value) <= language.max
        try:
            chars = value.decode()
        except UnicodeDecodeError:
            return False
        return language.min <= len(chars) <= language.max and set(chars) <= set(language.letters)


def _numbers(counter: CountedValues, low: int, high: int) -> Iterator[int]:
    """Yield the first few numbers of each length."""
    for a, b in counter.digits.blocks(low, high):
        yield from range(a, min(b, a + 120))
