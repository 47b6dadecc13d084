"""Operations that full nodes refuse."""

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import ClusterRun

from ..types import LineChart, LineSeries, Moment
from .moments import ticks


def refused_share_chart(run: ClusterRun, name: str | Text, when: tuple[Moment, ...]) -> LineChart:
    """Share of the operations in each window."""
    at, count = int(run.refused_share.argmax()), int(run.refused.sum())
    peak = float(run.refused_share[at])
    params = {"cluster": name, "peak_share": peak, "at_moment": when[at], "operations": count}
    message = N_("{cluster}: {operations} operations are rejected, up to {peak_share} of a window ({at_moment})")
    return LineChart(
        title=Text(message if count else N_("{cluster}: no operations are rejected"), params),
        unit="share",
        what=Text(N_("operations rejected")),
        moments=when,
        ticks=ticks(when),
        lines=(LineSeries(Text(N_("rejected")), run.refused_share),),
        steps="forward",
    )
