"""By how much the load could grow: what the design can carry, and what the balancer reached."""

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.results.arrays import Floats
from estimator.simulation.results import ClusterRun

from ..types import LimitLine, LineChart, LineSeries, Moment
from .moments import ticks


def reachable_chart(run: ClusterRun, name: str | Text, when: tuple[Moment, ...]) -> LineChart:
    """λ* and the same with the tablets where the balancer had them; below 1 something is full. Needs some λ*."""
    loaded = np.isfinite(run.reachable)
    reachable, reached = float(run.reachable[loaded].min()), float(np.min(run.reached, initial=np.inf))
    params = {"cluster": name, "reachable_factor": reachable, "reached_factor": reached}
    if run.cpu_target is None:
        message = N_(
            "{cluster}: at the peak, the load can reach {reachable_factor} until one key value is at its limit"
        )
    elif reachable < 1:
        message = N_("{cluster}: at the peak, the design serves only {reachable_factor} this load with any tablet "
    "placement; the balancer reached {reached_factor}")  # fmt: skip
    else:
        message = N_("{cluster}: at the peak, the load can reach {reachable_factor}; with the tablet placement of the "
    "balancer, {reached_factor}")  # fmt: skip
    return _lines(Text(message, params), run.reachable, None if run.cpu_target is None else run.reached, when)


def _lines(title: Text, reachable: Floats, reached: Floats | None, when: tuple[Moment, ...]) -> LineChart:
    """`reached` is None where a service places partitions by itself."""
    balancer = () if reached is None else (LineSeries(Text(N_("balancer")), _cap_factors(reached)),)
    return LineChart(
        title=title,
        unit="factor",
        what=Text(N_("multiple of this load")),
        moments=when,
        ticks=ticks(when),
        lines=(LineSeries(Text(N_("reachable throughput")), _cap_factors(reachable)), *balancer),
        limits=(LimitLine(Text(N_("this load")), 1.0),),
        logarithmic=True,
        steps="forward",
    )


def _cap_factors(factors: Floats) -> Floats:
    """Return the factors up to the largest that is known: without load anything could be carried."""
    most = float(np.max(factors, initial=1.0, where=np.isfinite(factors)))
    return np.minimum(factors, most)
