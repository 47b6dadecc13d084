"""Operations that full nodes refuse."""

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.simulation.results import ClusterRun

from ..types import Line, Lines, Moment
from .moments import ticks


def refused(run: ClusterRun, name: str | Text, when: tuple[Moment, ...]) -> Lines:
    """Share of the operations in each window."""
    at, count = int(run.refused_share.argmax()), int(run.refused.sum())
    peak = float(run.refused_share[at])
    params = {"cluster": name, "peak_share": peak, "at_moment": when[at], "operations": count}
    message = N_("{cluster}: {operations} operations are rejected, up to {peak_share} of a window ({at_moment})")
    return Lines(
        title=Text(message if count else N_("{cluster}: no operations are rejected"), params),
        unit="share",
        what=Text(N_("operations rejected")),
        moments=when,
        ticks=ticks(when),
        lines=(Line(Text(N_("rejected")), run.refused_share),),
        steps="forward",
    )
