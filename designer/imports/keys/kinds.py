"""Keys of several row kinds in one list → the keys of each, told apart by the word that they begin with."""

import re
from collections.abc import Mapping, Sequence

from . import cuts
from .fit import sample_evenly

MOST_KINDS = 8
LEAST_KEYS = 5
"""Of one kind: fewer tell no pattern."""
ALIKE = 0.9
"""Keys of one kind: so many of them have one structure."""
SAMPLE = 5_000
_WORD = re.compile(rf"[A-Za-z][A-Za-z_-]*(?=[{re.escape(cuts.STRONG)}])".encode())


def split_kinds(keys: Sequence[bytes]) -> Mapping[str, Sequence[bytes]]:
    """Return the keys of each row kind by its word, or all of them as one kind without a word.

    One structure that nearly all keys have is one kind, whatever words its first column holds.
    """
    if _share_alike(keys) >= ALIKE:
        return {"": keys}
    groups: dict[str, list[bytes]] = {}
    for key in keys:
        if found := _WORD.match(key):
            groups.setdefault(found[0].decode(), []).append(key)
    large = {word: group for word, group in groups.items() if len(group) >= LEAST_KEYS}
    covered = sum(map(len, large.values()))
    is_usable = 1 < len(large) <= MOST_KINDS and covered >= ALIKE * len(keys)
    return large if is_usable and all(_share_alike(group) >= ALIKE for group in large.values()) else {"": keys}


def _share_alike(keys: Sequence[bytes]) -> float:
    return cuts.share_cut([key.decode("latin-1") for key in sample_evenly(keys, SAMPLE)]) if keys else 1.0
