"""From compiled keys to what growth needs of them: key length, and how each write's events spread over rows."""

from collections.abc import Mapping
from datetime import UTC, datetime, time, timedelta

import numpy as np

from designer.spec import Spec
from designer.spec.access import Write
from designer.spec.table import Table

from ..keys import Law, Pattern, TimeLaw, row_classes
from .flows import KindShape, Spread, activity_of, popularities
from .timeline import month_dates


def kind_shapes(spec: Spec, table: Table, patterns: Mapping[str, Pattern]) -> dict[str, KindShape]:
    """The shapes of the row kinds that have a pattern."""
    return {
        kind.id: KindShape(
            key_bytes=patterns[kind.id].facts().bytes_typical,
            spreads={write.id: spread(spec, patterns[kind.id], write) for write in kind.writes},
        )
        for kind in table.row_kinds
        if kind.id in patterns and kind.writes
    }


def spread(spec: Spec, pattern: Pattern, write: Write) -> Spread:
    """How the events of a write spread over rows in the first month: later growth scales it."""
    first = datetime.combine(month_dates(spec)[0], time(), tzinfo=UTC)
    start, end = first.timestamp(), (first + timedelta(days=30)).timestamp()
    month = TimeLaw(np.array([[start]]), np.array([[end]]), np.array([[1.0]]))
    classes = row_classes(pattern, Law(month, popularities(activity_of(spec, write))))
    return Spread(
        shares=classes.shares,
        counts=classes.counts,
        bucket_seconds=classes.bucket_seconds,
        hottest=classes.hottest_label,
        per_event=classes.per_event,
    )
