"""Tablets of a table over time: they split by size and by load and merge when cold."""

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.results.arrays import Ints

from ..types import LineChart, LineSeries, Moment
from .moments import ticks


def tablets(counts: Ints, name: str, when: tuple[Moment, ...], *, partitions: bool) -> LineChart:
    """Return the number of tablets in each window; Tablestore calls them partitions."""
    first, last, most = int(counts[0]), int(counts[-1]), int(counts.max())
    params = {"table": name, "first": first, "last": last, "most": most}
    way = "steady" if first == last == most else "peak" if most > max(first, last) else "moved"
    what = Text(N_("partitions") if partitions else N_("tablets"))
    return LineChart(
        title=Text(_TITLES[partitions, way], params),
        unit="count",
        what=what,
        moments=when,
        ticks=ticks(when),
        lines=(LineSeries(what, counts.astype(np.float64)),),
        steps="forward",
    )


_TITLES = {
    (False, "steady"): N_("{table}: {most} tablets throughout"),
    (False, "peak"): N_("{table}: {first} tablets, up to {most}, {last} at the end"),
    (False, "moved"): N_("{table}: {first} tablets, {last} at the end"),
    (True, "steady"): N_("{table}: {most} partitions throughout"),
    (True, "peak"): N_("{table}: {first} partitions, up to {most}, {last} at the end"),
    (True, "moved"): N_("{table}: {first} partitions, {last} at the end"),
}
