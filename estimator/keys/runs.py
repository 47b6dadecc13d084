"""Codes that sort as keys do: each run of segments that one component decides is a rank, a key is ranks in radix.

A rank is the place of the run's text among those it can have, so a key's code is one or more 64-bit words; drawn,
sorted and counted as numbers, and only rendered where somebody wants bytes.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..arrays import Bytes, Codes, Ints
from .cells import Cells
from .digits import Digits
from .law import Law
from .pattern import Constant, Level, Pattern
from .table import Column, Table
from .texts import Texts, concatenated, decimal, write_digits
from .times import FIRST_US, LAST_US, Calendar, Steps, bucket_places, bucket_starts, calendar_texts
from .uniform import Counter, Letters

Drawn = Mapping[tuple[int, int], Ints]
"""What was drawn, by component and part: rows, microseconds, written numbers or places among letters."""


WORD = 1 << 64


def written(texts: Texts, out: Bytes, at: int) -> Ints | None:
    """Texts into columns from `at` on; their lengths where those differ."""
    out[:, at : at + texts.data.shape[1]] = texts.data
    return None if texts.is_fixed else texts.length


class Run(Protocol):
    """Neighbouring segments that one component decides."""

    @property
    def part(self) -> tuple[int, int]:
        """Which draw decides it."""

    @property
    def size(self) -> int:
        """How many ranks there are."""

    def ranks(self, drawn: Ints) -> Ints:
        """The rank 0…size-1 of each draw."""

    def texts(self, ranks: Ints) -> Texts:
        """The run's text at each rank."""

    @property
    def width(self) -> int:
        """Bytes of the longest text."""

    @property
    def varies(self) -> bool:
        """Texts are of different lengths."""

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """Write the texts into columns from `at` on of uint8 (n, width); their lengths where those differ."""

    def place(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """How many ranks have a text below `rest`; bytes that match if the next one's begins it, else -1."""


@dataclass(frozen=True, eq=False)
class RowRun:
    """Columns of a table."""

    part: tuple[int, int]
    table: Table | Cells
    first: int
    last: int
    """Columns first…last-1."""

    @cached_property
    def starts(self) -> Ints:
        """First row of each rank."""
        return self.table.groups(self.last)

    @cached_property
    def size(self) -> int:
        """Runs of rows that agree in all columns up to here."""
        return len(self.starts) - 1

    @cached_property
    def _rank(self) -> Ints | None:
        if self.size == len(self.table):
            return None
        return np.repeat(np.arange(self.size), np.diff(self.starts))

    @cached_property
    def _texts(self) -> Texts:
        rows = self.starts[:-1]
        return concatenated([c.texts.take(c.codes[rows]) for c in self.table.columns[self.first : self.last]])

    @cached_property
    def width(self) -> int:
        """As `Run`."""
        return int(self._texts.data.shape[1])

    @property
    def varies(self) -> bool:
        """As `Run`."""
        return not self._texts.is_fixed

    @cached_property
    def _rows(self) -> NDArray[np.void]:
        return np.ascontiguousarray(self._texts.data).view(f"V{self.width}").reshape(-1)

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """As `Run`."""
        if self.width:
            place = np.ndarray((len(out),), f"V{self.width}", out.data, at, (out.shape[1],))
            place[:] = self._rows.take(ranks)
        return None if self._texts.is_fixed else self._texts.length.take(ranks)

    def ranks(self, drawn: Ints) -> Ints:
        """As `Run`."""
        return drawn if self._rank is None else self._rank[drawn]

    def texts(self, ranks: Ints) -> Texts:
        """As `Run`."""
        return self._texts.take(ranks)

    def place(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """As `Run`."""
        component, matched = self.part[0], 0
        low, high = state.get(component, (0, len(self.table)))
        for column in self.table.columns[self.first : self.last]:
            if not column.prefix_free:  # the last of the key: what is there sorts before what is longer
                at = bisect_left(column.code_list, bisect_left(column.strings, rest[matched:]), low, high)
                return int(np.searchsorted(self.starts, at)), -1
            spans, hits = column.split(low, high, rest[matched:])
            if not hits:
                return int(np.searchsorted(self.starts, spans[0][1])), -1
            low, high = hits[0][0], hits[0][1]
            matched += hits[0][2]
        state[component] = (low, high)
        return int(np.searchsorted(self.starts, low)), matched


@dataclass(frozen=True, eq=False)
class NumberRun:
    """Whole numbers written as digits: epochs, sequences (`steps`), or a field's own number."""

    part: tuple[int, int]
    digits: Digits
    low: int
    size: int
    steps: Steps | None = None

    @cached_property
    def width(self) -> int:
        """As `Run`."""
        return max(len(self.digits.text(number)) for a, b in self._blocks for number in (a, b - 1))

    @property
    def varies(self) -> bool:
        """As `Run`."""
        return len(self._blocks) > 1 or (self.low < 0 and not self.digits.raw_bytes)

    @cached_property
    def _blocks(self) -> list[tuple[int, int]]:
        return list(self.digits.blocks(self.low, self.low + self.size))

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """As `Run`."""
        digits = self.digits
        if digits.raw_bytes or len(self._blocks) > 1 or self.low < 0:
            return written(self.texts(ranks), out, at)
        first = at + len(digits.before)
        size = self.width - len(digits.before) - len(digits.after)
        out[:, at:first] = np.frombuffer(digits.before, np.uint8)
        write_digits(out, (ranks + self.low).view(np.uint64), first, size)
        out[:, first + size : at + self.width] = np.frombuffer(digits.after, np.uint8)
        return None

    def ranks(self, drawn: Ints) -> Ints:
        """As `Run`."""
        if self.steps is None:
            return drawn - self.low
        found = self.steps.numbers(drawn)
        if self.steps.top is None:
            found -= self.low
            return found
        return np.subtract(self.steps.top - self.low, found, out=found)

    def texts(self, ranks: Ints) -> Texts:
        """As `Run`."""
        return number_texts(self.digits, ranks + self.low)

    def place(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """As `Run`."""
        spans, hits = self.digits.split(self.low, self.low + self.size, rest)
        if hits:
            number = hits[0][0]
            if self.steps is not None:
                number = number if self.steps.top is None else self.steps.top - number
                state[self.part[0]] = self.steps.first_us(number), self.steps.first_us(number + 1)
            return hits[0][0] - self.low, hits[0][2]
        return (spans[0][1] - self.low if spans else 0), -1


def number_texts(digits: Digits, numbers: Ints) -> Texts:
    """`Digits.text` of many numbers."""
    if digits.raw_bytes:
        whole = (numbers.view(np.uint64) ^ np.uint64(digits.raw_base)).astype(">u8")  # the base is none, or the sign
        body = Texts.fixed(whole.view(np.uint8).reshape(-1, 8)[:, 8 - digits.raw_bytes :])
    else:
        body = decimal(numbers, digits.width)
    ends = [Texts.constant(text, len(numbers)) for text in (digits.before, digits.after)]
    return concatenated([part for part in (ends[0], body, ends[1]) if part.data.shape[1]])


@dataclass(frozen=True, eq=False)
class CalendarRun:
    """Readable time."""

    part: tuple[int, int]
    calendar: Calendar
    bucket: str
    low: int
    size: int

    @property
    def width(self) -> int:
        """As `Run`."""
        return self.calendar.width

    varies = False

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """As `Run`."""
        return written(self.texts(ranks), out, at)

    def ranks(self, drawn: Ints) -> Ints:
        """As `Run`."""
        return bucket_places(drawn, self.bucket) - self.low

    def texts(self, ranks: Ints) -> Texts:
        """As `Run`."""
        if self.size <= 4 * len(ranks):
            return self._all.take(ranks)
        return self._made(ranks)

    @cached_property
    def _all(self) -> Texts:
        return self._made(np.arange(self.size))

    def _made(self, ranks: Ints) -> Texts:
        starts = bucket_starts(ranks + self.low, self.bucket)
        kept = self.calendar.resolution
        starts = bucket_starts(bucket_places(starts, kept), kept)
        texts = calendar_texts(self.calendar.pattern, starts)
        after = Texts.constant(self.calendar.after, len(texts))
        return concatenated([texts, after]) if self.calendar.after else texts

    def place(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """As `Run`."""
        low, high = state.get(self.part[0], (FIRST_US, LAST_US))
        spans, hits = self.calendar.split(low, high, rest)
        cut = hits[0][0] if hits else spans[0][1]
        inside = cut == low  # the segment before may leave a part of a bucket: that one is not below what begins in it
        last = int(bucket_places(np.array([cut if inside else cut - 1]), self.bucket)[0])
        rank = last + (not inside) - self.low
        if hits:
            state[self.part[0]] = hits[0][0], hits[0][1]
        if not 0 <= rank < self.size or not hits:
            return min(max(rank, 0), self.size), -1
        return rank, hits[0][2]


@dataclass(frozen=True, eq=False)
class LetterRun:
    """Some places of a uniform text."""

    part: tuple[int, int]
    letters: tuple[bytes, ...]
    after: bytes
    size: int

    @property
    def width(self) -> int:
        """As `Run`."""
        return len(self.letters) + len(self.after)

    varies = False

    def write(self, ranks: Ints, out: Bytes, at: int) -> Ints | None:
        """As `Run`."""
        return written(self.texts(ranks), out, at)

    def ranks(self, drawn: Ints) -> Ints:
        """As `Run`."""
        return drawn

    def texts(self, ranks: Ints) -> Texts:
        """As `Run`."""
        data = np.empty((len(ranks), len(self.letters) + len(self.after)), dtype=np.uint8)
        data[:, len(self.letters) :] = np.frombuffer(self.after, np.uint8)
        rest = ranks.view(np.uint64)
        for place in range(len(self.letters) - 1, -1, -1):
            count = np.uint64(len(self.letters[place]))
            above = rest // count
            data[:, place] = np.frombuffer(self.letters[place], np.uint8)[(rest - above * count).view(np.int64)]
            rest = above
        return Texts.fixed(data)

    def place(self, rest: bytes, state: dict[int, tuple[int, int]]) -> tuple[int, int]:
        """As `Run`."""
        rank = 0
        radix = self.size
        for place, letters in enumerate(self.letters):
            radix //= len(letters)
            if place >= len(rest):
                return rank, -1
            rank += radix * sum(letter < rest[place] for letter in letters)
            if rest[place] not in letters:
                return rank, -1
        behind = rest[len(self.letters) :]
        if behind.startswith(self.after):
            return rank, len(self.letters) + len(self.after)
        return rank + (self.after < behind), -1


@dataclass(frozen=True, eq=False)
class Codec:
    """The runs of a pattern within a span of time, and the constants before each and behind the last.

    `words`: how runs are packed, the first word the most significant.
    """

    runs: tuple[Run, ...]
    constants: tuple[bytes, ...]
    words: tuple[tuple[Run, ...], ...]
    sorts: bool
    """Codes sort as keys do."""

    def codes(self, drawn: Drawn) -> tuple[Codes, ...]:
        """The words of each draw: uint64 (n,) each, most significant first."""
        out = []
        for word in self.words:
            code = word[0].ranks(drawn[word[0].part])
            for run in word[1:]:
                code = code * run.size
                code += run.ranks(drawn[run.part])
            out.append(code.view(np.uint64))
        return tuple(out)

    def ranks(self, codes: Sequence[Codes]) -> list[Ints]:
        """The rank of each run: the inverse of `codes`."""
        out: list[Ints] = []
        for word, code in zip(self.words, codes, strict=True):
            found: list[Ints] = []
            for run in word[:0:-1]:
                above = code // np.uint64(run.size)
                found.append((code - above * np.uint64(run.size)).view(np.int64))
                code = above
            found.append(code.view(np.int64))
            out += reversed(found)
        return out

    def keys(self, ranks: Sequence[Ints], end: bytes = b"") -> tuple[Bytes, Ints]:
        """Keys behind one another, `end` behind each: uint8 (bytes,), and where each stops, int64 (n,)."""
        n, template = len(ranks[0]), self._template(end)
        if any(run.varies for run in self.runs):
            return self._ragged(ranks, end)
        out = np.empty((n, len(template)), dtype=np.uint8)
        if any(self.constants) or end:
            out.reshape(-1).view(f"V{len(template)}")[:] = np.frombuffer(template, f"V{len(template)}")
        at = 0
        for constant, run, rank in zip(self.constants, self.runs, ranks, strict=False):
            at += len(constant)
            run.write(rank, out, at)
            at += run.width
        return out.reshape(-1), np.arange(1, n + 1) * len(template)

    def _ragged(self, ranks: Sequence[Ints], end: bytes) -> tuple[Bytes, Ints]:
        """Keys of different lengths: each text is copied whole to where its key has got to, its padding overwritten."""
        n = len(ranks[0])
        pieces: list[tuple[Bytes, Ints | int]] = []
        for constant, run, rank in zip(self.constants, self.runs, ranks, strict=False):
            rows = np.empty((n, len(constant) + run.width), dtype=np.uint8)
            rows[:, : len(constant)] = np.frombuffer(constant, np.uint8)
            lengths = run.write(rank, rows, len(constant))
            pieces.append((rows, rows.shape[1] if lengths is None else lengths + len(constant)))
        last = self.constants[-1] + end
        if last:
            pieces.append((np.tile(np.frombuffer(last, np.uint8), (n, 1)), len(last)))
        length = sum((size for _, size in pieces), np.zeros(n, dtype=np.int64))
        ends = np.cumsum(length)
        if not _padding_stays(pieces):
            kept = [np.arange(r.shape[1]) < np.reshape(size, (-1, 1)) for r, size in pieces]
            shape = (n, -1)
            mask = np.concatenate([np.broadcast_to(k, (n, k.shape[1])).reshape(shape) for k in kept], axis=1)
            return np.concatenate([rows for rows, _ in pieces], axis=1)[mask], ends
        flat = np.empty(int(ends[-1]) + max(rows.shape[1] for rows, _ in pieces), dtype=np.uint8)
        at = ends - length
        for rows, size in pieces:
            width = rows.shape[1]
            if width:  # a view of all places at which so many bytes could begin
                places = np.ndarray((len(flat) - width + 1,), f"V{width}", flat.data, 0, (1,))
                places[at] = rows.view(f"V{width}").reshape(-1)
                at = at + size
        return flat[: int(ends[-1])], ends

    def _template(self, end: bytes) -> bytes:
        pairs = zip(self.constants, self.runs, strict=False)
        return b"".join(constant + bytes(run.width) for constant, run in pairs) + self.constants[-1] + end

    def bound(self, key: bytes) -> tuple[int, ...]:
        """The words of the first code that is not below a byte string."""
        ranks, rest = [0] * len(self.runs), key
        state: dict[int, tuple[int, int]] = {}
        for place, run in enumerate(self.runs):
            constant = self.constants[place]
            if not rest.startswith(constant):
                if constant < rest:
                    ranks = self._next(ranks, place)
                break
            rest = rest[len(constant) :]
            ranks[place], matched = run.place(rest, state)
            if matched < 0:
                break
            rest = rest[matched:]
        else:
            if self.constants[-1] < rest:
                ranks[-1] += 1
        return self._packed(ranks)

    def _next(self, ranks: list[int], place: int) -> list[int]:
        """The first code above all that agree before `place`."""
        if place == 0:
            return [self.runs[0].size, *ranks[1:]]
        return [*ranks[: place - 1], ranks[place - 1] + 1, *ranks[place:]]

    def _packed(self, ranks: list[int]) -> tuple[int, ...]:
        total, place = 0, 0
        for word in self.words:
            for run in word:
                total = total * run.size + ranks[place]
                place += 1
        out = []
        for word in self.words[:0:-1]:
            total, low = divmod(total, _span(word))
            out.append(low)
        return (total, *reversed(out))


def _padding_stays(pieces: Sequence[tuple[Bytes, Ints | int]]) -> bool:
    """What pads a text is never longer than what its own key has behind it, and so is overwritten by that."""
    behind = 0
    for rows, size in reversed(pieces):
        least = int(np.min(size))
        if rows.shape[1] - least > behind:
            return False
        behind += least
    return True


def _span(word: Sequence[Run]) -> int:
    span = 1
    for run in word:
        span *= run.size
    return span


def codec_of(pattern: Pattern, law: Law) -> Codec:
    """The codec of a pattern for a law's span of time. Kept with the pattern."""
    low_s, high_s = law.time.span_s
    key = ("codec", low_s, high_s)
    found = pattern._cache.get(key)
    if isinstance(found, Codec):
        return found
    runs: list[Run] = []
    constants = [b""]
    sorts = pattern.prefix_free
    place = 0
    while place < len(pattern.levels):
        level = pattern.levels[place]
        if isinstance(level.order, Constant):
            constants[-1] += level.order.text
            place += 1
            continue
        made, ordered, taken = _runs(pattern, place, int(low_s * 1e6), max(int(high_s * 1e6), int(low_s * 1e6) + 1))
        runs += made
        constants += [b""] * len(made)
        sorts = sorts and ordered
        place += taken
    if not runs:  # the same key for all
        only = pattern.components[0]
        assert isinstance(only, Table)
        runs, constants = [RowRun((0, 0), only, 0, 1)], [*constants, b""]
    words: list[list[Run]] = []
    for run in runs:
        if words and _span(words[-1]) * run.size < WORD // 2:
            words[-1].append(run)
        else:
            words.append([run])
    codec = Codec(tuple(runs), tuple(constants), tuple(map(tuple, words)), sorts)
    pattern._cache[key] = codec
    return codec


def _runs(pattern: Pattern, place: int, low_us: int, high_us: int) -> tuple[list[Run], bool, int]:
    """The runs of the level at `place` and of those behind it that go with it: runs, whether they sort, levels used."""
    level = pattern.levels[place]
    order, part = level.order, (level.component, 0)
    if isinstance(order, Column):
        table = pattern.components[level.component]
        assert isinstance(table, Table | Cells)
        first, taken = table.columns.index(order), 1
        while place + taken < len(pattern.levels) and pattern.levels[place + taken].component == level.component:
            taken += 1
        return [RowRun(part, table, first, first + taken)], True, taken
    if isinstance(order, Steps):
        ends = [order.number(us) for us in (low_us, high_us)]
        low, high = ends if order.top is None else (order.top - ends[1], order.top - ends[0])
        return [NumberRun(part, order.digits, low, high - low + 1, order)], _one_block(order.digits, low, high), 1
    if isinstance(order, Calendar):
        bucket = order.bucket or order.resolution
        low, high = (int(bucket_places(np.array([us]), bucket)[0]) for us in (low_us, high_us))
        return [CalendarRun(part, order, bucket, low, high - low + 1)], order.bucket is not None, 1
    if isinstance(order, Counter):
        low, high = order.full
        return [NumberRun(part, order.digits, low, high - low)], _one_block(order.digits, low, high - 1), 1
    assert isinstance(order, Letters)
    return _letter_runs(level, order), True, 1


def _one_block(digits: Digits, low: int, high: int) -> bool:
    return len(list(digits.blocks(low, high + 1))) == 1 and (low >= 0 or bool(digits.raw_base))


def _letter_runs(level: Level, letters: Letters) -> list[Run]:
    """Places of a uniform text in parts that each fit a word."""
    parts: list[list[bytes]] = [[]]
    for place in letters.places:
        if parts[-1] and _product(parts[-1]) * len(place) >= 1 << 60:
            parts.append([])
        parts[-1].append(place)
    return [
        LetterRun((level.component, n), tuple(part), letters.after if n == len(parts) - 1 else b"", _product(part))
        for n, part in enumerate(parts)
    ]


def _product(letters: Sequence[bytes]) -> int:
    total = 1
    for place in letters:
        total *= len(place)
    return total
