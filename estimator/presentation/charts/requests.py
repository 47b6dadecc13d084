"""Requests of an access log over its time, beside what a design says of the same hours."""

import datetime
from collections.abc import Sequence

import numpy as np

from designer.document.texts import N_
from designer.wording.formatting import Text
from estimator.results.arrays import Floats
from estimator.traces.blocks import HOUR_SECONDS
from estimator.traces.hours import RequestSteps

from .types import LineChart, LineSeries

DAY_SECONDS, MONTH_TICKS_DAYS = 86_400, 62
Modelled = Sequence[tuple[Text, Floats]]
"""The lines of designs, each with its name. [1/s]"""
LOG = Text(N_("log"))
WHAT = {
    "read": N_("read requests"),
    "write": N_("write requests"),
    "delete": N_("delete requests"),
    "scan": N_("scans"),
}
_HOURLY = {
    "read": N_("Reads an hour: up to {peak_count}, {mean_count} on average"),
    "write": N_("Writes an hour: up to {peak_count}, {mean_count} on average"),
    "delete": N_("Deletions an hour: up to {peak_count}, {mean_count} on average"),
    "scan": N_("Scans an hour: up to {peak_count}, {mean_count} on average"),
}
_DAILY = {
    "read": N_("Reads a day: up to {peak_count}, {mean_count} on average"),
    "write": N_("Writes a day: up to {peak_count}, {mean_count} on average"),
    "delete": N_("Deletions a day: up to {peak_count}, {mean_count} on average"),
    "scan": N_("Scans a day: up to {peak_count}, {mean_count} on average"),
}


def logged_requests(operation: str, steps: RequestSteps) -> LineChart:
    """Return the requests of an operation, beside the profile of the design that is made of the log."""
    design = Text(N_("design from it"))
    return requests_chart(
        operation, steps.first_s, steps.step_seconds, steps.logged_per_second, [(design, steps.modelled_per_second)]
    )


def requests_chart(
    operation: str, first_s: float, step_seconds: float, logged: Floats, modelled: Modelled
) -> LineChart:
    """Return the requests of an operation an hour or a day, beside those of designs."""
    first = datetime.datetime.fromtimestamp(first_s, datetime.UTC)
    moments = tuple(first + datetime.timedelta(seconds=step_seconds * place) for place in range(logged.size))
    days = logged.size * step_seconds / DAY_SECONDS
    titles, per_seconds = (_DAILY, DAY_SECONDS) if step_seconds >= DAY_SECONDS else (_HOURLY, HOUR_SECONDS)
    counts = logged * per_seconds
    return LineChart(
        title=Text(titles[operation], {"peak_count": float(np.max(counts)), "mean_count": float(np.mean(counts))}),
        unit="count",
        what=Text(WHAT[operation]),
        moments=moments,
        ticks="clock" if days <= 1 else "dayofmonth" if days <= MONTH_TICKS_DAYS else "month",
        lines=(
            LineSeries(LOG, counts),
            *(LineSeries(name, values * per_seconds, quiet=True) for name, values in modelled),
        ),
        steps="forward",
    )
