"""How busy the nodes of a cluster are: the hottest, the median, the mean."""

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import ClusterRun

from ..types import Limit, Line, Lines, Moment
from .moments import ticks


def busy(run: ClusterRun, name: str | Text, when: tuple[Moment, ...]) -> Lines:
    """Offered load ÷ capacity of single nodes; above 100 % the rest is refused."""
    at = int(run.hottest.argmax())
    peak, beside = float(run.hottest[at]), float(run.median[at])
    params = {"cluster": name, "peak_share": peak, "median_share": beside, "at_moment": when[at]}
    if not peak > 0:
        title = Text(N_("{cluster}: nothing is asked of it"), params)
    elif run.cpu_target is None:
        message = N_("{cluster}: the busiest partition is asked for {peak_share} of what one key value takes "
                     "({at_moment}), the median partition {median_share}")  # fmt: skip
        title = Text(message, params)
    elif peak > 1:
        message = N_("{cluster}: the hottest node is asked for {peak_share} of what it can do ({at_moment}), the "
                     "median node {median_share}")  # fmt: skip
        title = Text(message, params)
    else:
        message = N_("{cluster}: the hottest node reaches {peak_share} ({at_moment}), the median node {median_share}")
        title = Text(message, params)
    full = Limit(Text(N_("full")), 1.0)
    aim = () if run.cpu_target is None else (Limit(Text(N_("CPU target")), run.cpu_target),)
    return Lines(
        title=title,
        unit="share",
        what=Text(N_("load ÷ capacity of a node") if run.cpu_target else N_("load ÷ what one key value takes")),
        moments=when,
        ticks=ticks(when),
        lines=(
            Line(Text(N_("hottest")), run.hottest),
            Line(Text(N_("median")), run.median),
            Line(Text(N_("mean")), run.mean, quiet=True),
        ),
        limits=(*((full,) if peak > 0.5 else ()), *aim),
        steps="forward",
    )
