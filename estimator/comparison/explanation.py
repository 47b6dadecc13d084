"""A table's map explained: the cause outlined on it, the node, the money, and the map with the fix."""

from dataclasses import asdict, dataclass

import numpy as np

from designer.document.edits import EditConflictError
from designer.document.texts import N_, Text
from designer.wording import Chip, element_label
from estimator.presentation.charts.heatmap import active_ranges
from estimator.presentation.charts.key_labels import KeyLabel, range_labels
from estimator.presentation.charts.thumbnail import node_shares, picture_address
from estimator.presentation.design_page import DesignPage, FindingView
from estimator.presentation.segments import key_reader
from estimator.presentation.sheet import Sheet
from estimator.presentation.sheet.surroundings import ClusterPanel
from estimator.presentation.sheet.verdict import LoadVerdict, hottest_share
from estimator.results.arrays import Floats

from .preview import Preview, fixable_risks, preview

MOST_KEYS = 3
"""So many keys stand above a map."""
LABELS = 5
"""So many keys stand beside a map."""
LEAST_OUTLINE = 0.06
"""Size of the outline of a cause, as a share of the map: a single cell would not be seen."""


@dataclass(frozen=True)
class Outline:
    """Place of the hottest cell on a map, as shares of its width and height."""

    left: float
    top: float
    width: float
    height: float

    @property
    def is_right(self) -> bool:
        """True if there is more room for words to its left."""
        return self.left + self.width / 2 > 1 / 2

    @property
    def is_low(self) -> bool:
        """True if there is more room for words above it."""
        return self.top + self.height / 2 > 1 / 2

    @property
    def sides(self) -> tuple[tuple[str, float], ...]:
        """Its measures by the names that style sheets have for them."""
        return tuple(asdict(self).items())


@dataclass(frozen=True)
class MapSide:
    """One design's map of the table, its key, and how busy its hottest node is."""

    page: DesignPage
    keys: tuple[tuple[Chip, ...], ...]
    picture: str
    labels: tuple[KeyLabel, ...]
    share: float | None
    """How busy its hottest node is, of its limit; None where it is not known."""
    clusters: tuple[ClusterPanel, ...]
    """Those whose nodes are drawn."""

    @property
    def visible_keys(self) -> tuple[tuple[Chip, ...], ...]:
        """The keys that are shown: a merged table has as many as it has kinds of rows."""
        return self.keys[:MOST_KEYS]

    @property
    def more_keys(self) -> int:
        """The number of further keys."""
        return len(self.keys) - len(self.visible_keys)

    @property
    def peak(self) -> Text | None:
        """Load of its hottest node, in words."""
        return None if self.share is None else Text(N_("{peak_share} of its limit"), {"peak_share": self.share})

    @property
    def verdict(self) -> LoadVerdict:
        """The verdict on the design."""
        return Sheet(self.page).verdict

    @property
    def is_over(self) -> bool:
        """True if its hottest node is over its limit."""
        return self.share is not None and self.share > 1


@dataclass(frozen=True)
class MapExplanation:
    """An explanation of the shape of a map, and the map with the fix."""

    table: str
    name: str
    remark: FindingView
    change: Preview
    cause: Outline
    before: MapSide
    after: MapSide

    @property
    def sides(self) -> tuple[MapSide, MapSide]:
        """Without and with the fix."""
        return self.before, self.after


def explanation(page: DesignPage, table: str) -> MapExplanation | None:
    """Return what explains the map of a table; None if no fix of a grave finding changes it."""
    for remark in fixable_risks(page):
        try:
            change = preview(page, remark.finding.fix) if remark.finding.fix is not None else None
        except EditConflictError:
            continue
        result = explanation_of(remark, change, table) if change is not None else None
        if result is not None:
            return result
    return None


def explanation_of(remark: FindingView, change: Preview, table: str | None = None) -> MapExplanation | None:
    """Return what explains the first map, or a given table's, that a finding's fix changes; None if it changes none."""
    for effect in change.effects.heat:
        if table in (None, effect.table):
            before, after = (map_side(page, effect.table) for page in (change.before, change.after))
            cells = node_shares(change.before.spec, change.before.estimate, effect.table)
            if before and after and cells is not None:
                name = element_label(change.before.spec, effect.table)
                return MapExplanation(effect.table, name, remark, change, hottest_cell(cells), before, after)
    return None


def hottest_cell(cells: Floats) -> Outline:
    """Return the outline of the hottest cell, the one nearest to the middle where several are as hot."""
    ranges, windows = cells.shape
    # Equal cells can differ in the last bits of a sum.
    rows, columns = np.nonzero(cells >= cells.max() * (1 - 1e-9))
    nearest = int(np.argmin(np.hypot((rows + 0.5) / ranges - 0.5, (columns + 0.5) / windows - 0.5)))
    top, height = _span(int(rows[nearest]), ranges)
    left, width = _span(int(columns[nearest]), windows)
    return Outline(left, top, width, height)


def _span(cell: int, count: int) -> tuple[float, float]:
    """Return where the outline of a cell begins and its size, within the map."""
    size = max(1 / count, LEAST_OUTLINE)
    return min(max((cell + 0.5) / count - size / 2, 0.0), 1 - size), size


def map_side(page: DesignPage, table: str) -> MapSide | None:
    """Return one design's map of a table with the keys beside it; None without load."""
    sheet = Sheet(page)
    card, cells = sheet.card(table), node_shares(page.spec, page.estimate, table)
    if card is None or cells is None:
        return None
    clusters = tuple(cluster for cluster in sheet.clusters if cluster.busy)
    return MapSide(page, card.keys, picture_address(cells), _labels(page, table), hottest_share(page), clusters)


def _labels(page: DesignPage, table: str) -> tuple[KeyLabel, ...]:
    """Return the beginnings of keys from the top of the map to its end."""
    part = page.estimate.tables[table]
    assert part.traffic is not None
    heat = part.traffic.heat
    active, edges = active_ranges(heat.node_share), (b"", *heat.bounds)
    picks = sorted(set(np.linspace(active.start, active.stop - 1, LABELS).astype(int).tolist()))
    # The first is of what lies before all keys.
    return range_labels(tuple(edges[at] for at in picks if edges[at]), key_reader(page.spec, part))[1:]
