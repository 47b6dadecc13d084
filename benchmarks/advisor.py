"""The key advisor: fifty candidates, the best five again in full, as after an edit."""

import datetime
from collections.abc import Iterator

from designer.document import Spec
from designer.document.key import FieldSegment, TimeSegment
from designer.examples import example
from estimator.advice.advisor import MOST, advise

from .context import fresh_context
from .designs import wide_design
from .measure import RUNS, BenchmarkFigure, measure_seconds

TODAY = datetime.date(2026, 11, 20)
GOAL_S = 3.0


def designs() -> dict[str, tuple[Spec, str]]:
    """Keys with many orders, one with buckets, one on Tablestore, one table of fifty."""
    wide = wide_design(50)
    return {
        "four fields and the time": (_four_fields(wide), "t0-rows"),
        "an audit log": (example("saas-tenants").spec, "by-object"),
        "balloons, time buckets": (example("balloon-without-bucket").spec, "balloon-row"),
        "campus cards on Tablestore": (example("campus-comma").spec, "total-row"),
        "one of 50 tables": (wide, wide.tables[0].row_kinds[0].id),
    }


def _four_fields(wide: Spec) -> Spec:
    """One table whose key shows every field: most of its orders are other keys."""
    table = wide.tables[0]
    (kind,) = table.row_kinds
    segments = [FieldSegment(id=f"shown-{field.id}", field=field.id, after="#") for field in wide.fields]
    key = (*segments, TimeSegment(id="shown-time", reversed=True))
    changed = table.model_copy(update={"row_kinds": (kind.model_copy(update={"key": key}),)})
    return wide.model_copy(update={"tables": (changed,)})


def figures() -> Iterator[BenchmarkFigure]:
    """Seconds per advice; every key is compiled anew each time."""
    for name, (spec, kind) in designs().items():
        tried = advise(spec, kind, fresh_context()).tried

        def once(spec: Spec = spec, kind: str = kind) -> None:
            advise(spec.model_copy(), kind, fresh_context())

        yield BenchmarkFigure(
            f"advice on {name}", tuple(measure_seconds(once, RUNS)), "s", GOAL_S, note=f"{tried} keys of {MOST}"
        )
