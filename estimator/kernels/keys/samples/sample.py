"""Sample keys: the true bytes, for any count, streamed in blocks; in byte order, or as they arrive."""

from collections.abc import Iterator
from typing import Literal

import numpy as np

from designer.document import Spec
from estimator.results.arrays import Codes, Ints

from ..codes.bound_hashes import bound_hashes
from ..codes.codec import Drawn, codec_of
from ..patterns.compiling import compile_pattern
from ..patterns.distributions import EventDistribution
from ..patterns.pattern import KeyPattern
from .events import CHUNK, EventSource, KeyBlock, keys_of, ranks_of, source_of, stream

Order = Literal["sorted", "arrival"]

SORTED_AT_ONCE = 1 << 22
"""Codes that are sorted in memory at a time: 32 MiB per word. More keys take several passes over the same draws."""

BYTES_AT_ONCE = 1 << 18
"""The same for keys that have to be sorted as Python's bytes."""


def sample_keys(
    spec: Spec,
    row_kind: str,
    count: int,
    *,
    seed: int = 0,
    order: Order = "sorted",
    distribution: EventDistribution | None = None,
) -> Iterator[bytes]:
    """`count` keys of a row kind drawn from a law: in true byte order, or as they arrive in time.

    Without a law: the last month of the horizon, everything as popular as its field says.

    Raises
    ------
    NotComputableError
        As `compile_pattern`.
    """
    pattern = compile_pattern(spec, row_kind)
    for block in sample_blocks(pattern, distribution or pattern.steady_distribution(), count, seed=seed, order=order):
        yield from block.tolist()


def sample_blocks(
    pattern: KeyPattern,
    distribution: EventDistribution,
    count: int,
    *,
    seed: int = 0,
    order: Order = "sorted",
    end: bytes = b"",
) -> Iterator[KeyBlock]:
    """Yield the sampled keys in blocks at full speed, `end` (say, a newline) after each, in bounded memory."""
    source = source_of(pattern, distribution)
    for ranks in sample_ranks(source, count, seed=seed, order=order):
        yield KeyBlock(*source.codec.keys(ranks, end))


def sample_ranks(source: EventSource, count: int, *, seed: int, order: Order) -> Iterator[list[Ints]]:
    """Yield the sampled keys as ranks of the codec's runs, int64 (keys,) each."""
    if order == "arrival":
        for draw in _draw_in_time_order(source, count, seed):
            yield ranks_of(source, draw)
    elif source.codec.is_order_preserving:
        for codes in _sample_sorted_codes(source, count, seed):
            for start in range(0, len(codes[0]), CHUNK):
                yield source.codec.ranks([word[start : start + CHUNK] for word in codes])
    else:
        yield from _sample_sorted_by_bytes(source, count, seed)


def pass_count(pattern: KeyPattern, count: int) -> int:
    """Return how often the keys must be drawn to sort `count` of them in bounded memory."""
    return -(
        -count
        // (SORTED_AT_ONCE if codec_of(pattern, pattern.steady_distribution()).is_order_preserving else BYTES_AT_ONCE)
    )


def _draws(source: EventSource, count: int, seed: int) -> Iterator[Drawn]:
    # Each pass starts the same stream again, so all passes see the same keys and keep different parts of them.
    rng = stream(seed, 0)
    return _with_bound_hashes(source, (source.draw(rng, min(CHUNK, count - at)) for at in range(0, count, CHUNK)))


def _draw_in_time_order(source: EventSource, count: int, seed: int) -> Iterator[Drawn]:
    return _with_bound_hashes(source, _arrivals(source, count, seed))


def _with_bound_hashes(source: EventSource, draws: Iterator[dict[tuple[int, int], Ints]]) -> Iterator[Drawn]:
    """Each draw with the hashes of what it drew."""
    hashes = bound_hashes(source.pattern)
    for draw in draws:
        for bound_hash in hashes:
            draw |= bound_hash.draws(source.codec, draw)
        yield draw


def _arrivals(source: EventSource, count: int, seed: int) -> Iterator[dict[tuple[int, int], Ints]]:
    """Draws in the order of time: counts of equal parts of the law's time are multinomial, times ordered in each."""
    rng = stream(seed, 0)
    parts = -(-count // CHUNK) * 2
    for part, some in enumerate(rng.multinomial(count, np.full(parts, 1 / max(parts, 1))) if parts else ()):
        if some:  # sums of exponential gaps: uniform times in order, without a sort
            gaps = np.cumsum(rng.standard_exponential(int(some) + 1))
            yield source.draw(rng, int(some), (part + gaps[:-1] / gaps[-1]) / parts)


def _sample_sorted_codes(source: EventSource, count: int, seed: int) -> Iterator[tuple[Codes, ...]]:
    passes = -(-count // SORTED_AT_ONCE)
    cuts = _cuts(source, passes, seed) if passes > 1 else []
    for turn in range(passes):
        pieces: list[tuple[Codes, ...]] = []
        for draw in _draws(source, count, seed):
            codes = source.codec.codes(draw)
            if passes > 1:
                inside = np.ones(len(codes[0]), dtype=np.bool_)
                if turn > 0:
                    inside &= codes[0] >= cuts[turn - 1]
                if turn < passes - 1:
                    inside &= codes[0] < cuts[turn]
                codes = tuple(word[inside] for word in codes)
            pieces.append(codes)
        yield _sort_codes([np.concatenate(words) for words in zip(*pieces, strict=True)])


def _cuts(source: EventSource, passes: int, seed: int) -> list[np.uint64]:
    """First words that divide the draws into about equal parts."""
    # The first chunk is a random sample of the distribution, and its quantiles divide all draws about evenly.
    some = np.sort(source.codec.codes(source.draw(stream(seed, 0), CHUNK))[0])
    return [some[len(some) * turn // passes] for turn in range(1, passes)]


def _sort_codes(words: list[Codes]) -> tuple[Codes, ...]:
    if len(words) == 1:
        words[0].sort()
        return (words[0],)
    # `lexsort` takes the most significant word last.
    order = np.lexsort(words[::-1])
    return tuple(word[order] for word in words)


def _sample_sorted_by_bytes(source: EventSource, count: int, seed: int) -> Iterator[list[Ints]]:
    """Keys sorted as real bytes: pass by pass, each between two cuts."""
    passes = -(-count // BYTES_AT_ONCE)
    some = sorted(keys_of(source, source.draw(stream(seed, 0), CHUNK)))
    cuts = [b"", *(some[len(some) * turn // passes] for turn in range(1, passes))]
    for turn in range(passes):
        low, high = cuts[turn], cuts[turn + 1] if turn + 1 < passes else None
        pass_keys: list[bytes] = []
        pass_ranks: list[list[Ints]] = []
        for draw in _draws(source, count, seed):
            ranks = ranks_of(source, draw)
            keys = KeyBlock(*source.codec.keys(ranks)).tolist()
            inside = [i for i, k in enumerate(keys) if low <= k and (high is None or k < high)]
            pass_keys += [keys[i] for i in inside]
            pass_ranks.append([np.array(rank[inside]) for rank in ranks])
        place = np.array(sorted(range(len(pass_keys)), key=pass_keys.__getitem__), dtype=np.int64)
        together = [np.concatenate(rank) for rank in zip(*pass_ranks, strict=True)]
        for start in range(0, len(place), CHUNK):
            yield [rank[place[start : start + CHUNK]] for rank in together]
