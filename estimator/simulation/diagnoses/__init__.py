"""Diagnoses of a run in words, each with its place in the heatmap, its rule and its cause.

There is one module per subject; `shown` is the data that all of them read, `spans` finds when a condition
holds.
"""

from collections.abc import Mapping, Sequence

from ...results import Severity
from ..plan import Plan
from ..points import Point
from ..results import ClusterRun, Diagnosis, TableRun
from ..serving import ServingResult
from .clusters import full_clusters, late_nodes, quiet_run
from .flows import backfills, scans
from .nodes import hot_nodes
from .played_run import PlayedRun
from .rows import HOT_ROW_NODES, hot_rows, large_rows
from .unsplit import indivisible_loads

__all__ = ["HOT_ROW_NODES", "diagnoses", "without_repetitions"]

ORDER: Mapping[Severity, int] = {"error": 0, "warning": 1, "question": 2, "note": 3}


def diagnoses(
    plan: Plan,
    tables: Mapping[str, TableRun],
    clusters: Sequence[ClusterRun],
    services: Sequence[ServingResult],
    points: Mapping[str, Sequence[Point]],
) -> tuple[Diagnosis, ...]:
    """Return the diagnoses, the most severe first."""
    run = PlayedRun(plan, tables, clusters, services, points)
    hot = list(hot_nodes(run))
    load = [*hot, *full_clusters(run), *late_nodes(run), *indivisible_loads(run)]
    results = [*load, *scans(run, load), *large_rows(run), *hot_rows(run)]
    if not hot and not any(diagnosis.severity != "note" for diagnosis in results):
        results += quiet_run(run)
    results += backfills(run)
    return tuple(sorted(without_repetitions(results), key=lambda diagnosis: ORDER[diagnosis.severity]))


def without_repetitions(results: Sequence[Diagnosis]) -> list[Diagnosis]:
    """Return the diagnoses without repetitions, as of two clusters that behave alike."""
    return [diagnosis for place, diagnosis in enumerate(results) if diagnosis not in results[:place]]
