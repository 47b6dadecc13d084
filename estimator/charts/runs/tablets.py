"""Tablets of a table over time: they split by size and by load and merge when cold."""

import numpy as np

from designer.formats import Text
from designer.spec.texts import N_
from estimator.simulation.results import Ints

from ..kinds import Line, Lines, Moment
from .moments import ticks


def tablets(counts: Ints, name: str, when: tuple[Moment, ...]) -> Lines:
    """How many there are in each window."""
    first, last, most = int(counts[0]), int(counts[-1]), int(counts.max())
    params = {"table": name, "first": first, "last": last, "most": most}
    if first == last == most:
        message = N_("{table}: {most} tablets throughout")
    elif most > max(first, last):
        message = N_("{table}: {first} tablets, up to {most}, {last} in the end")
    else:
        message = N_("{table}: {first} tablets become {last}")
    return Lines(
        title=Text(message, params),
        unit="count",
        what=Text(N_("tablets")),
        moments=when,
        ticks=ticks(when),
        lines=(Line(Text(N_("tablets")), counts.astype(np.float64)),),
        stepped=True,
    )
