"""Format of the moments below a run's charts."""

import datetime
from collections.abc import Sequence

from designer.document.durations import DAY_SECONDS

from ..types import Moment


def ticks(moments: Sequence[Moment]) -> str:
    """Return ticks by the clock within a day, by the day within some months, by the month beyond."""
    first, last = moments[0], moments[-1]
    if isinstance(first, datetime.datetime) and isinstance(last, datetime.datetime):
        return "clock" if (last - first).total_seconds() < DAY_SECONDS else "dayofmonth"
    return "dayofmonth" if last.toordinal() - first.toordinal() < 100 else "month"
