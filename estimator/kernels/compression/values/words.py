"""A vocabulary: common English words by their rank, and a long tail of words made from syllables."""

import re

import numpy as np

COMMON = re.split(
    " ",
    "the of and to a in is that for it as was with be by on not he i this are or his from at which but have an had "
    "they you were their one all we can her has there been if more when will would who so no said what up its about "
    "into than them only other new some could time these two may then do first any my now such like our over man me "
    "even most made after also did many before must through years where much your way well down should because each "
    "just those people too state good very make world still own see men work long get here between both life being "
    "under never day same another know while last might us great old year off come since against go came right used "
    "take three house use during without again place around however home small found thought went say part once "
    "general high upon school every does got united left number course war until always away something fact though "
    "water less public put think almost hand enough far took head yet government system better set told nothing night "
    "end why called going look find asked later knew point next city business give group toward young days let room "
    "side social present given several order national possible second face per among form important often things "
    "case need large within big felt early company power service white least however local area open change order",
)
"""Words of English text, the most frequent first (about as the Brown corpus ranks them)."""

TAIL = 12_000
"""Rarer words, made up: what matters is how many and how long they are."""

_SYLLABLES = tuple(
    re.split(
        " ",
        "con ter pro in re ment tion al er de com per pre dis sta cal ver ran mo lin sto cre pli tan gra min or ta be "
        "ne la mar sel fi po ca du tri vel sen ber gen ness ful ing ed ly ist ous ive",
    )
)
_MANDELBROT = 2.7
"""Zipf's law holds for ranks moved by so much (Mandelbrot 1953)."""


def _vocabulary() -> list[bytes]:
    rng = np.random.Generator(np.random.SFC64(1948))
    counts = rng.choice(np.array([1, 2, 3, 4]), TAIL, p=[0.05, 0.4, 0.4, 0.15])
    chosen = rng.integers(0, len(_SYLLABLES), int(counts.sum())).tolist()
    words, at = [word.encode() for word in COMMON], 0
    for count in counts.tolist():
        words.append("".join(_SYLLABLES[n] for n in chosen[at : at + count]).encode())
        at += count
    return words


WORDS = _vocabulary()
_weight = 1 / (np.arange(len(WORDS)) + 1 + _MANDELBROT)
SHARES_BELOW = np.cumsum(_weight / _weight.sum())
"""Share of a text's words up to each one."""

MEAN_BYTES = float((np.fromiter(map(len, WORDS), np.float64) * _weight).sum() / _weight.sum()) + 1.2
"""Mean length of a word in a text with what follows it. [bytes]"""


def letters_text(rng: np.random.Generator, size_bytes: int) -> bytes:
    """Return a made-up name of exactly `size_bytes` bytes."""
    name = ""
    while len(name) < size_bytes:
        name += _SYLLABLES[int(rng.integers(len(_SYLLABLES)))]
    return name[:size_bytes].encode()
