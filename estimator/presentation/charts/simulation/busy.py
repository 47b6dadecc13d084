"""Load of the nodes of a cluster: the hottest, the median, the mean."""

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import ClusterRun

from ..types import LimitLine, LineChart, LineSeries, Moment
from .moments import ticks


def busy_chart(run: ClusterRun, name: str | Text, when: tuple[Moment, ...]) -> LineChart:
    """Offered load ÷ capacity of single nodes; above 100 % the rest is refused."""
    at = int(run.hottest.argmax())
    peak, beside = float(run.hottest[at]), float(run.median[at])
    params = {"cluster": name, "peak_share": peak, "median_share": beside, "at_moment": when[at]}
    if not peak > 0:
        title = Text(N_("{cluster}: no load"), params)
    elif run.cpu_target is None:
        message = N_("{cluster}: the load on the busiest partition is {peak_share} of the limit of one key value "
    "({at_moment}); median partition {median_share}")  # fmt: skip
        title = Text(message, params)
    elif peak > 1:
        message = N_("{cluster}: the load on the hottest node is {peak_share} of its capacity ({at_moment}); median "
    "node {median_share}")  # fmt: skip
        title = Text(message, params)
    else:
        message = N_("{cluster}: the hottest node reaches {peak_share} ({at_moment}); median node {median_share}")
        title = Text(message, params)
    full = LimitLine(Text(N_("full capacity")), 1.0)
    aim = () if run.cpu_target is None else (LimitLine(Text(N_("CPU target")), run.cpu_target),)
    return LineChart(
        title=title,
        unit="share",
        what=Text(N_("load ÷ node capacity") if run.cpu_target else N_("load ÷ limit of one key value")),
        moments=when,
        ticks=ticks(when),
        lines=(
            LineSeries(Text(N_("hottest")), run.hottest),
            LineSeries(Text(N_("median")), run.median),
            LineSeries(Text(N_("mean")), run.mean, quiet=True),
        ),
        limits=(*((full,) if peak > 0.5 else ()), *aim),
        steps="forward",
    )
