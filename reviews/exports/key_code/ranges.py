"""Row ranges of a read for given values: what the functions that are written for it return."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from designer.document.key import SaltSegment, Segment
from estimator.kernels.keys.rendering.clock import time_text
from estimator.kernels.keys.rendering.render import salt_width

from .plan import ReadCode
from .vectors import Argument, segment_bytes


@dataclass(frozen=True, order=True)
class KeyRange:
    """Keys from the first on to before the end; an empty end is the end of the table."""

    first: bytes
    end: bytes

    def holds(self, key: bytes) -> bool:
        """Return whether a key lies in the range."""
        return self.first <= key and (not self.end or key < self.end)


def read_ranges(
    key: Sequence[Segment], read: ReadCode, values: Mapping[str, Argument], span_us: tuple[int, int]
) -> tuple[KeyRange, ...]:
    """Return the ranges of a read, in order.

    Parameters
    ----------
    key
        The segments of the row kind.
    read
        Its plan.
    values
        What the caller knows, by what it is of, as `reference_values` returns it.
    span_us
        The span of time that the caller wants, both ends included; used where keys sort by it.

    Raises
    ------
    ValueError
        If a value does not fit the key, or the ends of the span have keys of different lengths.
    """
    salts = [[(salt.id, number) for number in range(modulo)] for salt, modulo in read.listed_salts]
    return tuple(sorted({_range(key, read, values, span_us, dict(chosen)) for chosen in itertools.product(*salts)}))


def _range(
    key: Sequence[Segment],
    read: ReadCode,
    values: Mapping[str, Argument],
    span_us: tuple[int, int],
    salts: Mapping[str, int],
) -> KeyRange:
    known = key[: len(read.segments)]
    first = b"".join(
        (b"%0*d" % (salt_width(one), salts[one.id]) if isinstance(one, SaltSegment) and one.id in salts
         else segment_bytes(one, values)) + code.after
        for one, code in zip(known, read.segments, strict=True)
    )  # fmt: skip
    if read.time is not None:
        return _time_range(key[len(known)], read.time.after, first, span_us)
    return KeyRange(first, first + b"\0" if read.is_point else prefix_end(first))


def _time_range(segment: Segment, after: bytes, prefix: bytes, span_us: tuple[int, int]) -> KeyRange:
    low, high = sorted(time_text(segment, each) for each in span_us)  # type: ignore[arg-type]
    if len(low) != len(high):
        raise ValueError("the ends of the span have keys of different lengths")
    return KeyRange(prefix + low + after, prefix_end(prefix + high + after))


def prefix_end(prefix: bytes) -> bytes:
    """Return the first key behind all keys with a prefix; empty is the end of the table."""
    cut = prefix.rstrip(b"\xff")
    return cut[:-1] + bytes([cut[-1] + 1]) if cut else b""
