"""Twelve shapes of rows as cells in the order in which they are stored; in plain Python, so that they never change.

`recorded_sizes.json` holds what real files of exactly these cells weigh: whoever changes a shape records it again.
"""

import itertools
import random
import re
import struct
from collections.abc import Callable, Iterator

Cell = tuple[bytes, bytes, bytes, int, bytes]
"""Row key, family, qualifier, timestamp in microseconds, value."""

SECOND, DAY = 1_000_000, 86_400_000_000
NOW = 1_780_000_000 * SECOND


def _rng(name: str) -> random.Random:
    return random.Random(f"block sizes: {name}")


def _words(rng: random.Random) -> Callable[[int], bytes]:
    """Makes text of about so many bytes, its words as frequent as Zipf's law says."""
    syllables = re.findall("..", "threinonaneratenndstortitesofedisitalarsericonemalodeun")
    words = ["".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3, 3, 4)))) for _ in range(8_000)]
    weights = list(itertools.accumulate(1 / rank for rank in range(1, len(words) + 1)))

    def text(size_bytes: int) -> bytes:
        return " ".join(rng.choices(words, cum_weights=weights, k=size_bytes // 6 + 1)).encode()[:size_bytes]

    return text


def readings(rng: random.Random) -> Iterator[Cell]:
    """A row per reading, hashed device first: one decimal number each."""
    for device in sorted(rng.sample(range(100_000), 160)):
        prefix = b"%04x#device%06d#" % (hash_of(device), device)
        for n in range(110):
            at = NOW + n * 60 * SECOND + rng.randrange(SECOND)
            yield prefix + b"%013d" % (at // 1000), b"m", b"t", at // 1000 * 1000, b"%.1f" % rng.gauss(20, 4)


def balloons(rng: random.Random) -> Iterator[Cell]:
    """Three columns of small numbers a row, one row a minute."""
    for balloon in range(3_000, 3_060):
        for minute in range(100):
            at = NOW + minute * 60 * SECOND + rng.randrange(60) * SECOND
            for qualifier, high in ((b"altitude", 30_000), (b"humidity", 100), (b"pressure", 1_100)):
                yield (
                    b"us-west2#%d#%d" % (balloon, at // SECOND),
                    b"measure",
                    qualifier,
                    at,
                    b"%d" % rng.randrange(high),
                )


def minutes(rng: random.Random) -> Iterator[Cell]:
    """Rows of a day whose qualifiers are minutes, an eight-byte number in each."""
    for device in range(14):
        total = rng.randrange(10**6)
        for minute in range(1_440):
            total += rng.randrange(500)
            at = NOW + minute * 60 * SECOND + rng.randrange(1_000) * 1_000
            yield b"machine%05d#2026w20" % (device * 37), b"d", b"%04d" % minute, at, struct.pack(">q", total)


def versions(rng: random.Random) -> Iterator[Cell]:
    """Twenty versions of one column, the newest first."""
    for user in range(1_000):
        at = NOW - rng.randrange(DAY)
        for _ in range(20):
            at -= rng.randrange(1, 3_600) * SECOND
            yield (
                b"user%08d" % (user * 11),
                b"state",
                b"position",
                at,
                b"%.5f,%.5f" % (rng.gauss(35, 1), rng.gauss(139, 1)),
            )


def documents(rng: random.Random) -> Iterator[Cell]:
    """Titles and texts in two families."""
    text = _words(rng)
    for number in range(900):
        key, at = b"doc#%07d" % (number * 13), NOW + rng.randrange(10**12)
        yield key, b"body", b"text", at, text(max(20, int(rng.gauss(1_200, 400))))
        yield key, b"meta", b"title", at, text(rng.randrange(20, 60))


def events(rng: random.Random) -> Iterator[Cell]:
    """JSON with the same names in each value."""
    text = _words(rng)
    for number in range(3_500):
        at = NOW + number * 3 * SECOND + rng.randrange(SECOND)
        value = b'{"event":"%s","user_id":%d,"session":"%032x","amount":%.2f,"currency":"%s","ok":%s,"note":"%s"}' % (
            rng.choice((b"click", b"view", b"purchase", b"refund")), rng.randrange(10**6), rng.getrandbits(128),
            rng.expovariate(0.02), rng.choice((b"EUR", b"USD", b"JPY")), rng.choice((b"true", b"false")), text(40),
        )  # fmt: skip
        yield b"tenant%03d#%016d" % (number // 100, at), b"e", b"json", at, value


def messages(rng: random.Random) -> Iterator[Cell]:
    """Messages with tags and small packed numbers."""
    for number in range(9_000):
        at = NOW + number * SECOND + rng.randrange(SECOND)
        value = b"".join(
            (bytes([field << 3]) + varint(int(rng.expovariate(1 / 10 ** (field % 5 + 1))))) for field in range(1, 13)
        ) + b"\x6a\x10" + rng.randbytes(16) + b"\x72\x05" + rng.choice((b"alpha", b"gamma", b"delta"))  # fmt: skip
        yield b"%02d#order%09d" % (number // 500, number), b"p", b"m", at, value


def counters(rng: random.Random) -> Iterator[Cell]:
    """Random ids with five counters each."""
    for key in sorted(b"%032x" % rng.getrandbits(128) for _ in range(3_600)):
        at = NOW - rng.randrange(30 * DAY)
        for qualifier in (b"clicks", b"errors", b"likes", b"shares", b"views"):
            yield key, b"count", qualifier, at, struct.pack(">q", int(rng.paretovariate(0.8)))


def profiles(rng: random.Random) -> Iterator[Cell]:
    """Eight columns of few values, some of them missing."""
    choices = {b"attr%d" % n: [b"value-%d-%d" % (n, i) for i in range(3 + n * 2)] for n in range(8)}
    for user in range(2_600):
        at = NOW - rng.randrange(300 * DAY) // 1_000 * 1_000
        for qualifier, values in choices.items():
            if rng.random() < 0.8:
                yield b"user#%07d" % user, b"profile", qualifier, at, rng.choice(values)


def blobs(rng: random.Random) -> Iterator[Cell]:
    """Random bytes of a kibibyte."""
    for number in range(1_100):
        yield b"blob%06d" % number, b"b", b"data", NOW + rng.randrange(10**12), rng.randbytes(rng.randrange(800, 1_300))


def friends(rng: random.Random) -> Iterator[Cell]:
    """Qualifiers as data with nothing in the cells."""
    for user in range(700):
        for friend in sorted(rng.sample(range(10**6), int(rng.paretovariate(1.2)) % 200 + 15)):
            yield b"user%06d" % (user * 3), b"friends", b"user%06d" % friend, NOW - rng.randrange(900 * DAY), b""


def pages(rng: random.Random) -> Iterator[Cell]:
    """Reversed domains with long texts and short links."""
    text = _words(rng)
    for number in range(70):
        key = b"com.example%03d.www/page/%d" % (number // 4, number)
        for link in sorted(b"com.site%04d.www" % n for n in rng.sample(range(3_000), 12)):
            yield key, b"anchor", link, NOW - rng.randrange(DAY), text(20)
        yield key, b"contents", b"html", NOW - rng.randrange(DAY), b"<html><body>" + text(18_000) + b"</body></html>"


def hash_of(number: int) -> int:
    """Four hex digits that spread consecutive numbers."""
    return number * 40_503 & 0xFFFF


def varint(number: int) -> bytes:
    """A number in groups of seven bits."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


ALL: dict[str, Callable[[random.Random], Iterator[Cell]]] = {
    shape.__name__: shape
    for shape in (
        readings, balloons, minutes, versions, documents, events, messages, counters, profiles, blobs, friends, pages,
    )
}  # fmt: skip


def cells(name: str) -> list[Cell]:
    """The cells of a shape in the order in which they are stored."""
    return sorted(ALL[name](_rng(name)), key=lambda cell: (*cell[:3], -cell[3]))
