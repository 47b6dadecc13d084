"""Nodes that are there, and those that help already."""

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import ClusterRun

from ..types import LineChart, LineSeries, Moment
from .moments import ticks


def machines(run: ClusterRun, name: str | Text, when: tuple[Moment, ...]) -> LineChart:
    """Paid for and working."""
    nodes = run.nodes.astype(np.float64)
    low, high = float(nodes.min()), float(nodes.max())
    params = {"cluster": name, "low": low, "high_nodes": high}
    message = N_("{cluster}: {high_nodes} throughout") if low == high else N_("{cluster}: {low} to {high_nodes}")
    return LineChart(
        title=Text(message, params),
        unit="nodes",
        what=Text(N_("nodes")),
        moments=when,
        ticks=ticks(when),
        lines=(
            LineSeries(Text(N_("provisioned")), nodes),
            LineSeries(Text(N_("in service")), run.working.astype(np.float64), quiet=True),
        ),
        steps="forward",
    )
