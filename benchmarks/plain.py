"""The yardstick: the same events in plain Python, as somebody would write them without this package."""

import bisect
import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence

USERS = 1_000_000
KINDS = (("buy", 5), ("click", 25), ("view", 70))
REVERSE_FROM = 9_999_999_999_999

ACCUMULATED = list(itertools.accumulate(rank**-0.99 for rank in range(1, USERS + 1)))
_KIND_NAMES = [name for name, _ in KINDS]
_KIND_SUMS = list(itertools.accumulate(weight for _, weight in KINDS))


def keys(rng: random.Random, count: int, start_ms: int, length_ms: int) -> Iterator[bytes]:
    """Keys `md5(user)[:4]#user#kind#reversed time` of one window."""
    users = rng.choices(range(USERS), cum_weights=ACCUMULATED, k=count)
    kinds = rng.choices(_KIND_NAMES, cum_weights=_KIND_SUMS, k=count)
    for user, kind in zip(users, kinds, strict=True):
        name = f"{user:010d}"
        prefix = hashlib.md5(name.encode(), usedforsecurity=False).hexdigest()[:4]
        time_ms = start_ms + int(rng.random() * length_ms)
        yield f"{prefix}#{name}#{kind}#{REVERSE_FROM - time_ms:013d}".encode()


def join_keys(count: int, start_ms: int, length_ms: int) -> bytes:
    """The keys as lines."""
    return b"\n".join(keys(random.Random(1), count, start_ms, length_ms))


def count_keys(count: int, start_ms: int, length_ms: int, bounds: Sequence[bytes]) -> Counter[int]:
    """The keys counted per range."""
    return Counter(bisect.bisect_right(bounds, key) for key in keys(random.Random(1), count, start_ms, length_ms))
