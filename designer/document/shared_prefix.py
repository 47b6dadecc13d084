"""The beginning that keys of several row kinds share: what one range of rows of several kinds begins with."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from .key import LiteralSegment, Segment, as_bytes

Token = Segment | int
"""A segment without its id and delimiter, or a byte of a literal or a delimiter."""


@dataclass(frozen=True)
class SharedPrefix:
    """A beginning of a key: so many segments, of the last of them a beginning of its delimiter."""

    segments: int
    after: bytes

    def is_whole(self, key: Sequence[Segment]) -> bool:
        """Return whether it ends with the whole delimiter of its last segment."""
        return self.segments == 0 or self.after == as_bytes(key[self.segments - 1].after)


def shared_prefix(key: Sequence[Segment], others: Sequence[Sequence[Segment]]) -> SharedPrefix:
    """Return the beginning of a key that all the other keys have, too, where their fields have the same values.

    A literal of which only a part is shared is not in it.
    """
    counts = (_shared_tokens(key, other) for other in others)
    # Without other keys, all of it is shared.
    remaining, done, after = min(counts, default=len(list(_tokens(key)))), 0, b""
    for segment in key:
        size = len(list(_body(segment)))
        # A literal is only shared as a whole. An empty one at the end of what is shared adds nothing.
        if remaining < size or (remaining == 0 and size == 0):
            break
        whole = as_bytes(segment.after)
        done, after = done + 1, whole[: remaining - size]
        remaining -= size + len(after)
        if len(after) < len(whole):
            break
    return SharedPrefix(done, after)


def begins_alike(key: Sequence[Segment], prefix: SharedPrefix, other: Sequence[Segment]) -> bool:
    """Return whether another key can begin with the prefix of this key."""
    begun = list(key[: prefix.segments])
    tokens = [token for segment in begun[:-1] for token in _whole(segment)]
    tokens += [*_body(begun[-1]), *prefix.after] if begun else []
    return tokens == [token for _, token in zip(tokens, _tokens(other), strict=False)]


def _shared_tokens(key: Sequence[Segment], other: Sequence[Segment]) -> int:
    pairs = zip(_tokens(key), _tokens(other), strict=False)
    return len(list(takewhile(lambda pair: pair[0] == pair[1], pairs)))


def _tokens(key: Sequence[Segment]) -> Iterator[Token]:
    for segment in key:
        yield from _whole(segment)


def _whole(segment: Segment) -> Iterator[Token]:
    yield from _body(segment)
    yield from as_bytes(segment.after)


def _body(segment: Segment) -> Iterator[Token]:
    if isinstance(segment, LiteralSegment):
        yield from as_bytes(segment.text)
    else:
        # Ids and delimiters differ between equal segments of two keys; the delimiter is compared byte by byte.
        yield segment.model_copy(update={"id": "", "after": ""})
