"""What a run shows, in words, each with its place in the heatmap, the rule that says more, and what causes it."""

from collections.abc import Mapping, Sequence

from .plan import Plan
from .points import Point
from .results import ClusterRun, Diagnosis, TableRun
from .serving import Served


def diagnoses(
    plan: Plan,
    tables: Mapping[str, TableRun],
    clusters: Sequence[ClusterRun],
    served: Sequence[Served],
    points: Mapping[str, Sequence[Point]],
) -> tuple[Diagnosis, ...]:
    """The most severe first."""
    return ()
