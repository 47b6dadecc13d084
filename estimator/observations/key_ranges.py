"""Ranges of keys as a design sees them: hot tablets named by key segment, and where the bytes lie."""

import datetime
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.document.key import Segment, as_text, shows_time
from designer.document.table import Table
from designer.document.texts import N_, Text
from designer.imports.keys import key_regex
from designer.wording import segment_label
from estimator.kernels.keys.rendering.clock import time_of_number
from estimator.results import Heat, TablePart
from estimator.results.arrays import Floats

from .measurements import HotTablet, SampledKeys

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)


@dataclass(frozen=True)
class HotTabletRange:
    """A hot tablet, and the same range of keys in the design."""

    tablet: HotTablet
    segment: str
    """Id of the first segment in which its ends differ; empty where the keys have another pattern."""
    where: Text
    """The range in words."""
    load_share: float | None
    """Of the designed load of the table, at most: key ranges that it cuts are counted whole."""
    stored_share: float | None
    """Of the designed bytes, in the same way."""
    first_range: int
    end_range: int
    """Key ranges of the designed heat that it covers."""


@dataclass(frozen=True)
class StoredSpread:
    """Distribution of a table's bytes: at each sampled key the shares of all bytes before it."""

    keys: tuple[bytes, ...]
    measured_shares: Floats
    least_designed: Floats
    most_designed: Floats
    """(keys,) each; the design knows it to within one of its key ranges."""

    @property
    def largest_difference(self) -> tuple[int, float]:
        """The key at which most bytes lie on the other side of it than designed, and their share."""
        apart = np.maximum(self.least_designed - self.measured_shares, self.measured_shares - self.most_designed)
        at = int(np.argmax(apart))
        return at, max(float(apart[at]), 0.0)


def hot_ranges(spec: Spec, table: Table, part: TablePart, tablets: Sequence[HotTablet]) -> Iterator[HotTabletRange]:
    """Yield each hot tablet, the hottest first, with its place in the design."""
    patterns = [kind.key for kind in table.row_kinds if kind.key]
    heat = part.traffic.heat if part.traffic is not None else None
    for tablet in sorted(tablets, key=lambda hot_tablet: -hot_tablet.cpu_share):
        segment, where = _name_range(spec, patterns, tablet)
        first, end = covered_ranges(heat, tablet.first_key, tablet.last_key) if heat is not None else (0, 0)
        load, stored = _shares(heat, first, end) if heat is not None else (None, None)
        yield HotTabletRange(tablet, segment, where, load, stored, first, end)


def covered_ranges(heat: Heat, first: bytes, last: bytes) -> tuple[int, int]:
    """Return the first key range that a range of keys touches, and the one after its last; an empty end is open."""
    begin = bisect_right(heat.bounds, first)
    end = bisect_right(heat.bounds, last) + 1 if last else len(heat.stored_share)  # a tablet holds its last key
    return begin, max(end, begin + 1)


def _shares(heat: Heat, first: int, end: int) -> tuple[float, float]:
    load = heat.node_share_of_ranges()
    total = float(load.sum())
    return float(load[first:end].sum()) / total if total > 0 else 0.0, float(heat.stored_share[first:end].sum())


# --- names of ranges ---


def _name_range(spec: Spec, patterns: Sequence[tuple[Segment, ...]], tablet: HotTablet) -> tuple[str, Text]:
    """Return the segment in which the ends of a tablet differ, and the range in words."""
    for segments in patterns:
        first = _leading_values(spec, segments, tablet.first_key)
        last = _leading_values(spec, segments, tablet.last_key)
        if first and last:
            return _describe(spec, segments, first, last)
    ends = {"first_key": tablet.first_key, "last_key": tablet.last_key}
    if not tablet.last_key:
        return "", Text(N_("from {first_key} to the end"), ends) if tablet.first_key else Text(N_("the whole table"))
    return "", Text(
        N_("from {first_key} to {last_key}") if tablet.first_key else N_("from the start to {last_key}"), ends
    )


def _leading_values(spec: Spec, segments: Sequence[Segment], key: bytes) -> list[str]:
    """Return the texts of as many leading segments as a key holds in whole; a tablet's end may cut one."""
    text = key.decode("latin-1")  # a character for each byte
    for count in range(len(segments), 0, -1):
        regex = key_regex(spec, segments[:count])
        match = regex.fullmatch(text) if count == len(segments) else regex.match(text)
        if match is not None:
            return [group.encode("latin-1").decode("utf-8", "backslashreplace") for group in match.groups()]
    return []


def _describe(spec: Spec, segments: Sequence[Segment], first: Sequence[str], last: Sequence[str]) -> tuple[str, Text]:
    same = 0
    while same < min(len(first), len(last)) and first[same] == last[same]:
        same += 1
    fixed = tuple(
        Text(
            N_("{segment} {value}"),
            {"segment": _label(spec, segments[place]), "value": _shown(segments[place], first[place])},
        )
        for place in range(same)
    )
    if same == min(len(first), len(last)):
        return segments[same - 1].id, Text(N_("within {parts}"), {"parts": fixed})
    params = {
        "segment": _label(spec, segments[same]),
        "low": _shown(segments[same], first[same]),
        "high": _shown(segments[same], last[same]),
    }
    if not fixed:
        return segments[same].id, Text(N_("{segment} from {low} to {high}"), params)
    return segments[same].id, Text(N_("{segment} from {low} to {high}, within {parts}"), {**params, "parts": fixed})


def _label(spec: Spec, segment: Segment) -> Text:
    label = segment_label(spec, segment)
    return label if isinstance(label, Text) else Text("{name}", {"name": label})


def _shown(segment: Segment, value: str) -> str:
    """Return a value as people read it: times that are counted as dates."""
    if shows_time(segment) and not segment.pattern and value.isascii() and value.isdigit():
        try:
            time = datetime.timedelta(microseconds=time_of_number(segment, int(value)))
            return f"{EPOCH + time:%Y-%m-%d %H:%M:%S}"
        except OverflowError:
            pass
    text = as_text(value.encode("utf-8", "surrogateescape"))
    return text if len(text) <= 40 else f"{text[:39]}…"


# --- bytes over keys ---


def stored_spread(part: TablePart, sampled: SampledKeys) -> StoredSpread | None:
    """Return the shares of bytes before each sampled key; None where the design or the file has no bytes."""
    total = sampled.offset_bytes[-1]
    if part.traffic is None or total <= 0:
        return None
    heat = part.traffic.heat
    below = np.concatenate(([0.0], np.cumsum(heat.stored_share)))
    places = [bisect_right(heat.bounds, key) if key else len(heat.stored_share) for key in sampled.keys]
    ends = [min(bisect_left(heat.bounds, key) + 1, len(heat.stored_share)) if key else len(heat.stored_share)
            for key in sampled.keys]  # fmt: skip
    least, most = np.minimum(below[places], 1.0), np.minimum(below[ends], 1.0)
    whole = float(least[-1] + most[-1]) / 2  # less than 1 where the last key is not the end of the table
    if whole <= 0:
        return None
    return StoredSpread(
        sampled.keys,
        np.asarray(sampled.offset_bytes) / total,
        np.minimum(least / whole, 1.0),
        np.minimum(most / whole, 1.0),
    )
