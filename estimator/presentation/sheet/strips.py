"""The strip of a table: its key space from left to right, coloured by load at the busiest hour, with sample keys."""

import datetime
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from designer.document import Spec
from designer.wording import colour_class
from estimator.engines import engine_of
from estimator.presentation.charts.utilisation import NodeLoad, as_node_shares, node_load
from estimator.presentation.segments import readable_text, split_values, time_of
from estimator.results import Estimate, Heat, TablePart
from estimator.results.arrays import Floats, Ints

RANGES = 128
"""Ranges of a strip: neighbours are averaged, so that chance does not look like a pattern."""
LINE_RANGES = 64
"""Ranges of the strip in a line of a table."""
LINE_STEP = 8
"""Levels that a line shows alike."""
LEVELS = 64
"""Steps of colour from idle to twice the limit."""
STEP_LEVELS = 8
"""Levels between two named colours of the scale."""
SAMPLES = 4
ROOM_SHARE = 0.2
"""Width that a sample key may take, as a share of the strip; the style has it too."""
CHARACTERS = 17
"""Characters of a sample key."""
LEAST_CHARACTERS = 4
TIME_CHARACTERS = 6
"""Room of a time among them."""


@dataclass(frozen=True)
class SampleSegment:
    """One segment of a sample key: its text, its delimiter, and its field's colour; times as such."""

    text: str
    after: str
    colour_class: str
    at: datetime.datetime | None = None
    """The time that its number means."""


@dataclass(frozen=True)
class SampleKey:
    """One true key at its place in the key space."""

    share: float
    """Of the key space that sorts before it."""
    pieces: tuple[SampleSegment, ...]

    @property
    def is_at_end(self) -> bool:
        """True if its text has no room to the right of its place."""
        return self.share > 1 - ROOM_SHARE

    @property
    def rest(self) -> float:
        """Share of the key space that sorts after it."""
        return 1 - self.share


@dataclass(frozen=True)
class Band:
    """All ranges of one colour, as an SVG path through a picture that is one unit high."""

    colour: str
    path: str


@dataclass(frozen=True)
class Strip:
    """Load of one table over its keys at the busiest hour."""

    ranges: int
    bands: tuple[Band, ...]
    peak_share: float
    """The hottest range: 1 is the limit of a node."""
    samples: tuple[SampleKey, ...]
    """None in a line, which has no room for them."""

    @property
    def time_form(self) -> str:
        """Form of the times of its samples."""
        return time_form(self.samples)


@dataclass(frozen=True)
class BusiestHour:
    """The hour of the reference day with the most load of all tables, and how busy nodes are then."""

    window: int
    at: datetime.datetime
    has_nodes: bool
    nodes: NodeLoad


def busiest_hour(spec: Spec, estimate: Estimate) -> BusiestHour | None:
    """Return the busiest hour; None while no table has traffic."""
    heats = [part.traffic.heat for part in estimate.tables.values() if part.traffic]
    if not heats:
        return None
    total = sum((heat.node_share_of_windows for heat in heats), start=np.zeros(heats[0].windows))
    window = int(np.argmax(total))
    return BusiestHour(window, heats[0].window_starts[window], engine_of(spec).HAS_NODES, node_load(spec, estimate))


def strip_of(spec: Spec, part: TablePart, hour: BusiestHour | None, ranges: int = RANGES) -> Strip | None:
    """Return a table's strip; None while its load is unknown."""
    if part.traffic is None or hour is None:
        return None
    shares = range_shares(part.traffic.heat, hour, ranges)
    if shares is None:
        return None
    peak_share, is_line = float(shares.max(initial=0.0)), ranges == LINE_RANGES
    bands = colour_bands(shares, LINE_STEP if is_line else 1)
    hottest = float(shares.argmax()) / len(shares)
    return Strip(len(shares), bands, peak_share, () if is_line else samples_of(spec, part, hottest))


def range_shares(heat: Heat, hour: BusiestHour, ranges: int = RANGES) -> Floats | None:
    """Return (ranges,) how busy nodes are (`as_node_shares`), None if not known; without nodes, of one partition."""
    node_share = heat.node_share_at(hour.window)
    groups = np.add.reduceat(node_share, group_starts(len(node_share), ranges))
    return _as_shares(groups[:, None], node_share, hour)[:, 0] if _is_known(node_share, hour) else None


def day_shares(heat: Heat, hour: BusiestHour, ranges: int = RANGES) -> Floats | None:
    """Return (ranges, windows) how busy nodes are in each window of the reference day, as `range_shares` are."""
    node_share = heat.node_share_at(hour.window)
    starts = group_starts(len(node_share), ranges)
    groups = heat.node_share_between(starts, np.append(starts[1:], len(node_share)))
    return _as_shares(groups, node_share, hour) if _is_known(node_share, hour) else None


def group_starts(total: int, ranges: int) -> Ints:
    """Return where groups of ranges begin that are as equal as can be, the larger ones first."""
    count = min(ranges, total)
    least, larger = divmod(total, count)
    return least * np.arange(count) + np.minimum(np.arange(count), larger)


def _is_known(node_share: Floats, hour: BusiestHour) -> bool:
    return not hour.has_nodes or (float(node_share.mean()) > 0 and hour.nodes.mean_share is not None)


def _as_shares(groups: Floats, node_share: Floats, hour: BusiestHour) -> Floats:
    """Return how busy nodes are with groups of ranges, (groups, windows), by the load of all ranges at the hour."""
    if not hour.has_nodes:
        return groups
    sizes = np.diff(group_starts(len(node_share), len(groups)), append=len(node_share))
    return as_node_shares(groups / sizes[:, None], float(node_share.mean()), hour.nodes)


def colour_bands(shares: Floats, step: int = 1) -> tuple[Band, ...]:
    """Return a picture of shares beside each other, one unit wide each."""
    return tuple(_bands(shares, step))


def _bands(shares: Floats, step: int) -> Iterator[Band]:
    levels = step * np.clip(np.rint(shares / 2 * LEVELS / step), 0, LEVELS // step).astype(int)
    for level in np.unique(levels):
        inside = np.flatnonzero(levels == level)
        runs = np.split(inside, np.flatnonzero(np.diff(inside) > 1) + 1)
        path = "".join(f"M{run[0]} 0h{len(run)}" for run in runs)
        yield Band(heat_colour(float(level) / LEVELS * 2), path)


def heat_colour(share: float) -> str:
    """Return the colour of a share of a node's limit, between two of the named ones, as CSS."""
    stop, rest = divmod(round(min(max(share, 0.0), 2.0) / 2 * LEVELS), STEP_LEVELS)
    if not rest:
        return f"var(--heat-{stop})"
    return f"color-mix(in oklab,var(--heat-{stop + 1}) {100 * rest // STEP_LEVELS}%,var(--heat-{stop}))"


def samples_of(spec: Spec, part: TablePart, hottest: float = 0.0) -> tuple[SampleKey, ...]:
    """Return up to four keys at their places, apart from each other; one at the end if the hottest range is there."""
    places = sorted(_places(spec, part), key=lambda place: place[0])
    samples: list[SampleKey] = []
    for target in range(SAMPLES):
        first = max(target / SAMPLES, samples[-1].share + ROOM_SHARE if samples else 0.0)
        last = 1.0 - ROOM_SHARE  # behind it, its text has no room
        near = next((place for place in places if first <= place[0] <= last), None)
        if near is not None:
            samples.append(SampleKey(near[0], near[1]))
    if places and (not samples or min(places[-1][0], hottest) > 1.0 - ROOM_SHARE):  # its text takes the room before it
        end = SampleKey(*places[-1])
        samples = [*(sample for sample in samples if sample.share + 2 * ROOM_SHARE <= end.share), end]
    return tuple(samples)


def _places(spec: Spec, part: TablePart) -> Iterator[tuple[float, tuple[SampleSegment, ...]]]:
    traffic = part.traffic
    if traffic is None:
        return
    bounds = traffic.heat.bounds
    for kind_id, facts in part.keys.items():
        kind = spec.find(kind_id)
        segments = kind.segments
        heads = [column.parts[0] for column in kind.key_columns if column.parts]
        for key in facts.samples:
            parts = split_values(key, segments, facts.segments)
            owners = heads if len(parts) == len(heads) else segments  # a primary key is cut at its columns
            times = [time_of(owners[place], value) if place < len(owners) else None for place, value, _ in parts]
            values = zip(times, parts, strict=True)
            value_texts = ["-" * TIME_CHARACTERS if at else readable_text(value) for at, (_, value, _) in values]
            texts = shorten_texts(value_texts, CHARACTERS - sum(len(after) for _, _, after in parts))
            pieces = tuple(
                SampleSegment(text, after, colour_class(spec, owners[place]) if place < len(owners) else "field-0", at)
                for text, at, (place, _, after) in zip(texts, times, parts, strict=True)
            )
            yield bisect_right(bounds, key) / (len(bounds) + 1), pieces


def time_form(samples: Iterable[SampleKey]) -> str:
    """Return how times of sample keys are written: by month, by day, or by the hour, as far as they are apart."""
    times = [piece.at for sample in samples for piece in sample.pieces if piece.at is not None]
    span = max(times) - min(times) if times else datetime.timedelta()
    if span >= datetime.timedelta(days=366):
        return "month"
    is_of_days = span >= datetime.timedelta(days=1) or all(at.time() == datetime.time() for at in times)
    return "shortday" if is_of_days else "clock"


def shorten_texts(texts: list[str], room: int = CHARACTERS) -> list[str]:
    """Return texts that fit into a line together: the longest are cut first, to the same length.

    >>> shorten_texts(["045a", "8l5tzciifgil8gs4", "20261223"], 20)
    ['045a', '8l5tzci…', '20261223']
    """
    longest = max(map(len, texts), default=0)
    while longest > LEAST_CHARACTERS and sum(min(len(text), longest) for text in texts) > room:
        longest -= 1
    return [text if len(text) <= longest else f"{text[: longest - 1]}…" for text in texts]
