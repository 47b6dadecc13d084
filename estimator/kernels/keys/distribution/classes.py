"""Distribution of events over rows and over the values of leading segments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from designer.document.key import FieldSegment, TimeSegment, shorten_middle
from designer.document.popularity import Zipf
from estimator.results.arrays import Floats, Ints, distinct

from ..patterns.cells import TimeSpans
from ..patterns.distributions import EventDistribution
from ..patterns.pattern import Component, Constant, KeyPattern
from ..patterns.table import ValueTable
from ..patterns.time_buckets import FIRST_US, segment_seconds
from ..patterns.times import CalendarText, EventTime, TimeSteps
from ..patterns.uniform import CountedValues, UniformText
from ..values.popularity import rank_weight, weight_sum
from .quantiles import same_text

EXACT_MOST = 200
"""The hottest rows are classes of their own…"""
CLASSES_MOST = 400
"""…all others share the rest of at most so many classes."""

_TAIL_CLASSES = 100
_TAIL_STEPS = np.arange(5) / 4
"""Values that one stands for are told apart by rank in so many geometric steps."""
_PIECES_MOST = 10_000


@dataclass(frozen=True, eq=False)
class PrefixShares:
    """Distribution of keys over the values of their leading segments.

    `shares` float64 (classes,) descending, each that of one value; `prefixes_per_class` (classes,) how many values have
    it.
    """

    shares: Floats
    prefixes_per_class: Floats
    hottest_prefix: bytes
    distinct_prefixes: float


@dataclass(frozen=True, eq=False)
class RowClasses:
    """Distribution of events over rows: a row is an entity (all that is not time) in a time bucket."""

    parts: Sequence[tuple[Floats, Floats]]
    """Classes of each part of the key that is independent of the others."""
    bucket_seconds: float | None
    """How long one row keeps receiving; None: for ever."""
    hottest_label: str
    has_row_per_event: bool
    """Every event makes a row of its own."""

    @cached_property
    def _classes(self) -> tuple[Floats, Floats]:
        return _multiply_spreads(self.parts)  # where only the label is asked for, it is never needed

    @property
    def shares(self) -> Floats:
        """Share of one entity of each class, over all time: float64 (classes,)."""
        return self._classes[0]

    @property
    def counts(self) -> Floats:
        """Number of entities of each class: float64 (classes,)."""
        return self._classes[1]


def prefix_shares(pattern: KeyPattern, distribution: EventDistribution, depth: int) -> PrefixShares:
    """Shares of the values of the first `depth` segments, windows collapsed.

    Raises
    ------
    ValueError
        If there are not so many segments.
    """
    if not 0 <= depth <= len(pattern.levels):
        raise ValueError(f"the key has {len(pattern.levels)} segments")
    distribution = EventDistribution(distribution.time.collapse(), distribution.popularity)
    spreads = []
    for place, component in enumerate(pattern.components):
        used = [level for level in pattern.levels[:depth] if level.component == place]
        if used:
            spreads.append((place, spread_of(pattern, distribution, component, place, len(used))))
    # Components are independent of each other, so the share of a prefix is the product of their shares.
    shares, mult = _multiply_spreads([spread.classes for _, spread in spreads])
    texts = {place: list(spread.hottest) for place, spread in spreads}
    hottest = b"".join(
        level.order.text if isinstance(level.order, Constant) else texts[level.component].pop(0)
        for level in pattern.levels[:depth]
    )
    return PrefixShares(shares, mult, hottest, float(prod(spread.distinct for _, spread in spreads)))


def distinct_keys(pattern: KeyPattern, distribution: EventDistribution) -> float:
    """Different keys that the pattern can render within the law's time, whatever is popular."""
    distribution, count = EventDistribution(distribution.time.collapse()), 1.0
    for place, component in enumerate(pattern.components):
        depth = sum(level.component == place for level in pattern.levels)
        if isinstance(component, ValueTable):
            count *= component.get_or_compute(("distinct", depth), lambda c=component, d=depth: _represented_rows(c, d))  # type: ignore[misc]
        else:
            count *= spread_of(pattern, distribution, component, place, depth).distinct
    return count


def _represented_rows(table: ValueTable, depth: int) -> float:
    starts = table.groups(depth)
    stands = represented_values(table, starts)
    return float(len(starts) - 1 if stands is None else stands.sum())


def hottest_row(
    pattern: KeyPattern, distribution: EventDistribution, window: int, busiest: float | None = None
) -> tuple[bytes, float]:
    """Return the most likely single row key in a window, and its share of the events while its values are in use.

    `busiest`: share of the busiest entity, where it is known from more than the parts of the key by themselves.
    """
    distribution = EventDistribution(distribution.time.window(window), distribution.popularity)
    texts: dict[int, list[bytes]] = {}
    share, of_time = 1.0, 1.0
    for place, component in enumerate(pattern.components):
        used = sum(level.component == place for level in pattern.levels)
        # Where values come and go within the window, the mean over the window would halve the share of a value that
        # lives for half of it. Heat is that of a moment, so the middle of the window stands for it.
        moment = component.middle_of(distribution) if isinstance(component, ValueTable) else distribution
        spread = spread_of(pattern, moment, component, place, used)
        texts[place] = list(spread.hottest)
        share *= float(spread.classes[0][0])
        of_time *= float(spread.classes[0][0]) if isinstance(component, EventTime | TimeSpans) else 1.0
    key = b"".join(
        level.order.text if isinstance(level.order, Constant) else texts[level.component].pop(0)
        for level in pattern.levels
    )
    return key, share if busiest is None else busiest * of_time


def row_classes(pattern: KeyPattern, distribution: EventDistribution) -> RowClasses:
    """Entities of the row kind in classes of about equal popularity, windows collapsed."""
    distribution = EventDistribution(distribution.time.collapse(), distribution.popularity)
    spreads, texts = [], dict[int, list[str]]()
    timed = False
    for place, component in enumerate(pattern.components):
        used = [level for level in pattern.levels if level.component == place]
        if isinstance(component, EventTime | TimeSpans):
            timed = True
            continue
        spread = spread_of(pattern, distribution, component, place, len(used))
        spreads.append(spread.classes)
        if isinstance(component, ValueTable) and component.stages:
            pairs = zip(used, spread.hottest, strict=True)
            texts[place] = [pattern.value_text(level.segment.id, text) for level, text in pairs]
    bucket_s = bucket_seconds(pattern) if timed else None
    told = [s.field if isinstance(s, FieldSegment) else getattr(s, "whole_field", None) for s in pattern.segments]
    fresh = not pattern.inputs.per_event.isdisjoint(told)
    # A time to the millisecond is taken to tell events of one entity apart.
    per_event = fresh or (bucket_s is not None and bucket_s <= 0.001)
    return RowClasses(spreads, bucket_s, shorten_middle(_label(pattern, texts)), per_event)


def _label(pattern: KeyPattern, texts: Mapping[int, list[str]]) -> str:
    """Return the key of an entity in readable form, in order: "…" stands for what its rows differ in.

    Empty where the key names no entity.
    """
    if not any(texts.values()):
        return ""
    remaining = {place: list(values) for place, values in texts.items()}
    parts: list[str] = []
    for level in pattern.levels:
        if isinstance(level.order, Constant):
            parts.append(pattern.value_text(level.segment.id, level.order.text))
        elif remaining.get(level.component):
            parts.append(remaining[level.component].pop(0))
        elif parts[-1:] != ["…"]:
            parts.append("…" if pattern.inputs.columns else f"…{level.segment.after}")
    return (", " if pattern.inputs.columns else "").join(parts)


def bucket_seconds(pattern: KeyPattern) -> float | None:
    """Return the length of the finest time bucket in the key, in seconds; None if no segment shows the time."""
    lengths = []
    for segment in pattern.segments:
        if isinstance(segment, TimeSegment):
            lengths.append(segment_seconds(segment))
        elif isinstance(segment, FieldSegment) and pattern.shapes[segment.field].kind == "timestamp":
            lengths.append(0.001)
    return min(lengths, default=None)


@dataclass(frozen=True, eq=False)
class _Spread:
    classes: tuple[Floats, Floats]
    hottest: Sequence[bytes]
    distinct: float


def spread_of(
    pattern: KeyPattern, distribution: EventDistribution, component: Component, place: int, depth: int
) -> _Spread:
    """Return the distribution of one component's keys over the texts of its first `depth` segments."""
    orders = [level.order for level in pattern.levels if level.component == place][:depth]
    if isinstance(component, ValueTable):
        return component.get_or_compute(
            ("spread", depth, component.share_inputs(distribution)),
            lambda: _rows_spread(component, distribution, depth),
        )
    if isinstance(component, TimeSpans):
        return _rows_spread(component, distribution, depth)
    if isinstance(component, UniformText):
        values = component.distinct
        return _Spread((np.array([1 / values]), np.array([values])), [component.text(0.0)], values)
    if isinstance(component, CountedValues):
        (first, _), (_, end) = (component.shape.values_in_use(time_s) for time_s in distribution.time.span_s)
        edges = _log_edges(end - first)
        at = end - edges  # newest first: the hottest where age decides
        shares = component.mass(distribution, *component.written_span(at[1:], at[:-1])) / np.diff(edges)
        text = component.digits.text(component.written_span(end - 1, end)[0])
        return _Spread((shares, np.diff(edges).astype(np.float64)), [text], float(end - first))
    steps = [order for order in orders if isinstance(order, TimeSteps | CalendarText)]
    return _time_spread(distribution, steps)


def _rows_spread(component: ValueTable | TimeSpans, distribution: EventDistribution, depth: int) -> _Spread:
    starts = component.groups(depth)
    sums = component.cumulative_shares(distribution)
    # Spans of time have a row of sums per window, shape (windows, rows + 1); the windows are collapsed to one here.
    shares = np.diff((sums[0] if sums.ndim == 2 else sums)[starts])
    row = int(starts[np.argmax(shares)])
    texts = [column.strings[column.codes[row]] for column in component.columns[:depth]]
    stands = represented_values(component, starts)
    used = shares > 0
    distinct = float(used.sum() if stands is None else stands[used].sum())
    tail = None if stands is None else _skewed_tail(component, distribution, shares, stands)
    if tail is None and stands is not None:
        tail = _skewed_below(component, distribution, shares, stands)
    return _Spread(_classes(shares, stands) if tail is None else tail, texts, distinct)


def _skewed_tail(
    component: ValueTable | TimeSpans, distribution: EventDistribution, shares: Floats, stands: Floats
) -> tuple[Floats, Floats] | None:
    """Classes of one field's values by its law, also of those that few stand for; None where that is not one skew.

    The few that stand for many have the mean of these; of a skewed field its hundredth value has ten times that.
    """
    if not isinstance(component, ValueTable) or len(component.stages) != 1:
        return None
    stage = component.stages[0]
    popularity = distribution.popularity.get(stage.shape.id, stage.shape.popularity)
    behind = (stage.tail[component.entry] > 0) & (shares > 0)
    head = np.sort(shares[~behind & (shares > 0)])[::-1]
    if not isinstance(popularity, Zipf) or not len(head) or not behind.any():
        return None
    # Ranks a…b together weigh W(b) − W(a). The classes divide the ranks behind the head geometrically and are
    # scaled to what the representatives have together, so that the total stays 1.
    edges = distinct(np.round(np.geomspace(len(head), len(head) + stands[behind].sum(), _TAIL_CLASSES + 1)))
    counts, weights = np.diff(edges), np.diff(weight_sum(popularity, edges, edges[-1]))
    head_shares, mult = _merge_classes(head, np.ones(len(head)), maximum=CLASSES_MOST - _TAIL_CLASSES)
    rest = float(shares[behind].sum()) * weights / weights.sum() / counts
    return np.concatenate([head_shares, rest]), np.concatenate([mult, counts])


def _skewed_below(
    component: ValueTable | TimeSpans, distribution: EventDistribution, shares: Floats, stands: Floats
) -> tuple[Floats, Floats] | None:
    """Return the skewed classes of values below owners, or beside others; None without such a skew.

    Values behind the busy ones of each owner follow its skew.
    """
    stage = component.stages[-1] if isinstance(component, ValueTable) and component.stages else None
    popularity = distribution.popularity.get(stage.shape.id, stage.shape.popularity) if stage else None
    if stage is None or stage.is_exact or not isinstance(popularity, Zipf):
        return None
    entry = component.entry  # type: ignore[union-attr]  # a table's, as it has stages
    behind = (stage.tail[entry] > 0) & (shares > 0)
    at, head = entry[behind], ~behind & (shares > 0)
    if not len(at):
        return None
    # Values below its owner that each representative stands for. Its own rank is in their middle.
    wide = stage.tail[at] * (stage.size[at] - stage.head[at])
    low = np.clip(stage.rank[at] - 0.5 - wide / 2, stage.head[at], stage.size[at] - wide)
    # Shape (representatives, steps + 1). Geometric steps, as a power law changes by equal factors, and 1 more, as
    # ranks can begin at 0. One step with the mean would hide the first of a representative's values, which is the
    # busiest.
    edges = (low[:, None] + 1) * ((low + wide + 1) / (low + 1))[:, None] ** _TAIL_STEPS - 1
    counts, weights = np.diff(edges, axis=1), np.diff(_weight_until(popularity, edges, stage.size[at]), axis=1)
    group = stage.parent[at]
    rest, whole = np.bincount(group, shares[behind]), np.bincount(group, weights.sum(axis=1))
    # Scaled per owner, so that each owner keeps what its representatives have together.
    value_shares = (rest[group] / whole[group])[:, None] * weights
    # A value also stands for those of the other owners that its owner represents.
    mult = counts * (stands[behind] / wide)[:, None]
    every = np.concatenate([shares[head] / stands[head], (value_shares / mult).ravel()])
    many = np.concatenate([stands[head], mult.ravel()])
    order = np.argsort(-every, kind="stable")
    return _merge_classes(every[order], many[order])


def _weight_until(popularity: Zipf, ranks: Floats, size: Ints) -> Floats:
    """Weights of the first so many of the values below each parent, the last of them in part."""
    whole, all_ = np.floor(ranks), size[:, None]
    # Sums are defined for whole ranks; the part of the next one is taken in proportion.
    return np.asarray(weight_sum(popularity, whole, all_) + (ranks - whole) * rank_weight(popularity, whole + 1, all_))


def _time_spread(distribution: EventDistribution, orders: Sequence[TimeSteps | CalendarText]) -> _Spread:
    """Buckets of time that the segments tell apart: of one law's pieces, each piece's buckets alike."""
    time, shares, mult = distribution.time, [], []
    best, texts = -1.0, [b""] * len(orders)
    whole: set[int] = set()
    # The densest pieces of time come first, so that the hottest bucket is found even where the pieces are too many.
    rate = time.weight[0] / np.maximum(time.end_s[0] - time.start_s[0], 1e-9)
    for piece in np.argsort(-rate, kind="stable")[:_PIECES_MOST].tolist():
        start, end, weight = (float(x[0, piece]) for x in (time.start_s, time.end_s, time.weight))
        if weight <= 0:
            continue
        at = min(max(int((start + end) / 2 * 1e6), FIRST_US), EventTime().full[1] - 1)
        low, high = _bucket(orders, at)
        if low in whole:
            continue
        count = (end - start) * 1e6 / (high - low)
        if count < 2:  # a bucket as long as the piece: it may hold others too
            whole.add(low)
            inside = time.cdf(np.array([low, high]) / 1e6)[0]
            share, count = float(inside[1] - inside[0]), 1.0
        else:
            share = weight / count
        shares.append(share)
        mult.append(count)
        if share > best:
            best, texts = share, [order.text(at) for order in orders]
    # Of too many pieces only the densest are listed, so shares are scaled to add up to 1 below.
    piece_shares, many = np.array(shares), np.array(mult)
    order = np.argsort(-piece_shares, kind="stable")
    return _Spread((piece_shares[order] / float(piece_shares @ many), many[order]), texts, float(many.sum()))


def _bucket(orders: Sequence[TimeSteps | CalendarText], at: int) -> tuple[int, int]:
    low, high = EventTime().full
    for order in orders:
        low, high = same_text(order, at, order.text(at), low, high)
    return low, high


def represented_values(component: ValueTable | TimeSpans, starts: Ints) -> Floats | None:
    """Return the number of values that each row represents, counting owners that represent others."""
    # Where several rows share a prefix, the number of their values is not the number of prefixes.
    if isinstance(component, TimeSpans) or len(starts) - 1 < len(component):
        return None
    return component.represented_values


def _classes(shares: Floats, stands: Floats | None) -> tuple[Floats, Floats]:
    """Return shares and counts of classes, descending: the hottest singly, others grouped by similar share."""
    value_shares = shares if stands is None else shares / np.maximum(stands, 1.0)
    mult = np.ones(len(shares)) if stands is None else np.maximum(stands, 1.0)
    order = np.argsort(-value_shares, kind="stable")
    order = order[value_shares[order] > 0]
    return _merge_classes(value_shares[order], mult[order])


def _merge_classes(shares: Floats, mult: Floats, *, maximum: int = CLASSES_MOST) -> tuple[Floats, Floats]:
    """Descending classes, behind the hottest in runs of similar share where they are more than `maximum`."""
    if len(shares) <= maximum:
        return shares, mult
    edges = distinct(np.geomspace(EXACT_MOST, len(shares), maximum - EXACT_MOST + 1).astype(np.int64))
    starts = np.concatenate([np.arange(EXACT_MOST), edges[:-1]])
    # A class gets the mean share of its members, weighted by how many there are, so that the total stays the same.
    total, counts = np.add.reduceat(shares * mult, starts), np.add.reduceat(mult, starts)
    return total / counts, counts


def _multiply_spreads(spreads: Sequence[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    """Classes of independent parts together, again at most `CLASSES_MOST`."""
    shares, mult = np.ones(1), np.ones(1)
    for more_shares, more_mult in spreads:
        # Each turn merges the products to 400 classes again: without that, three components of 400 classes would have
        # 64 million.
        shares = np.outer(shares, more_shares).ravel()
        mult = np.outer(mult, more_mult).ravel()
        if np.any(shares[1:] > shares[:-1]):
            order = np.argsort(-shares, kind="stable")
            shares, mult = shares[order], mult[order]
        shares, mult = _merge_classes(shares, mult)
    return shares, mult


def _log_edges(count: int) -> Ints:
    """0, 1, 2 … then ever wider steps up to `count`."""
    edges = np.concatenate(
        [np.arange(min(EXACT_MOST, count) + 1), np.geomspace(EXACT_MOST, max(count, EXACT_MOST), 100)]
    )
    return distinct(np.minimum(edges.astype(np.int64), count))
